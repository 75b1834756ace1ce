//! The distinct crashes of a log, and which exception of a crash is meant.

use crashback_classpath::Jdk;
use crashback_program::frames::{Auditor, CrashAudit, Origin, Status};
use crashback_trace::{
    Crash, Log, Mapping, Problem, Relaxation, Relaxations, Throwable, ThrowableId, java_releases,
};

use crate::distinct::{DistinctCrash, distinct_crashes};
use crate::{Error, ErrorKind, Program};

/// The distinct crashes of a log.
#[derive(Clone, Debug)]
pub struct Crashes {
    /// The crashes, in the order of the log; those of a number if one was chosen.
    pub distinct: Vec<DistinctCrash>,
    /// How many distinct crashes the log has, whichever was chosen.
    pub count: usize,
    /// What looks wrong in the log.
    pub problems: Vec<Problem>,
}

impl Crashes {
    /// Reads a log. `name` stands for the log in messages; `number` chooses one crash.
    ///
    /// # Errors
    ///
    /// If the log has no stack trace, or no crash of that number.
    pub fn read(log: &[u8], name: &str, number: Option<u32>) -> Result<Self, Error> {
        Self::read_mapped(log, name, number, None)
    }

    /// The same for the log of an obfuscated program, whose original names a mapping puts back.
    ///
    /// # Errors
    ///
    /// As for [`Self::read`].
    pub fn read_mapped(
        bytes: &[u8],
        name: &str,
        number: Option<u32>,
        mapping: Option<&Mapping>,
    ) -> Result<Self, Error> {
        let mut log = crashback_trace::parse(bytes);
        if let Some(mapping) = mapping {
            mapping.apply(&mut log);
        }
        let mut distinct = distinct_crashes(&log);
        let count = distinct.len();
        if count == 0 {
            return Err(no_trace(name, bytes, &log));
        }
        if let Some(chosen) = number {
            distinct.retain(|it| u32::try_from(it.number) == Ok(chosen));
            if distinct.is_empty() {
                let crashes = if count == 1 { "crash" } else { "crashes" };
                let message = format!(
                    "there is no crash {chosen}: the log holds {count} distinct {crashes}; \
                     `crashback list` shows them"
                );
                return Err(Error::new(ErrorKind::Usage, message));
            }
        }
        Ok(Self { distinct, count, problems: log.problems })
    }

    /// The crashes with the most frequent first; of equally frequent ones, that which the log has first.
    pub fn by_frequency(&self) -> Vec<&DistinctCrash> {
        let mut crashes: Vec<&DistinctCrash> = self.distinct.iter().collect();
        crashes.sort_by_key(|it| std::cmp::Reverse(it.occurrences));
        crashes
    }
}

/// The exception of a cause chain to look at: the one of a number, 1 for the outermost, or the
/// innermost that has frames of the project.
///
/// # Errors
///
/// If the chain has no exception of that number.
fn choose_cause(auditor: &Auditor<'_>, crash: &Crash, number: Option<u32>) -> Result<ThrowableId, Error> {
    let chain: Vec<ThrowableId> = crash.cause_chain().map(|(id, _)| id).collect();
    let chosen = match number {
        None => auditor.choose_cause(crash).or_else(|| chain.first().copied()),
        Some(number) => chain.get(usize::try_from(number).unwrap_or(usize::MAX).saturating_sub(1)).copied(),
    };
    chosen.ok_or_else(|| {
        let (number, length) = (number.unwrap_or_default(), chain.len());
        let message = format!("there is no exception {number} in the cause chain: it has {length}");
        Error::new(ErrorKind::Usage, message)
    })
}

/// An exception of a crash, audited.
#[derive(Clone, Debug)]
pub struct Chosen {
    /// Which exception of the cause chain.
    pub cause: ThrowableId,
    /// What it points at in the program.
    pub audit: CrashAudit,
    /// Whether another exception would have been looked at if it had a frame to target.
    pub is_other_exception: bool,
}

impl Chosen {
    /// What must be relaxed to search for it.
    pub fn relaxations(&self) -> Relaxations {
        let other = self.is_other_exception.then_some(Relaxation::OtherException);
        other.map_or_else(Relaxations::default, Relaxations::from) | self.audit.relaxations()
    }

    /// Whether it can be searched for though the log is of another version of the program.
    pub fn is_of_other_version(&self) -> bool {
        self.relaxations().contains(Relaxation::MovedLines)
    }
}

/// Audits the exception of a cause chain to look at, see `choose_cause`. If no frame of it can be
/// targeted, the others of the chain are tried, the innermost first; then all of them on the
/// assumption that the log is of another version of the program. If that does not help either, it is
/// the audit of the first that is given.
///
/// # Errors
///
/// If the chain has no exception of that number.
pub fn choose(auditor: &Auditor<'_>, crash: &Crash, number: Option<u32>) -> Result<Chosen, Error> {
    let usual = choose_cause(auditor, crash, number)?;
    let others = crash.cause_chain().map(|(id, _)| id).filter(|id| *id != usual && number.is_none());
    let mut causes: Vec<ThrowableId> = others.collect();
    causes.reverse();
    causes.insert(0, usual);
    type Audit<'a, 's> = dyn Fn(&Auditor<'s>, &Throwable) -> CrashAudit + 'a;
    let audits: [&Audit<'_, '_>; 2] = [&Auditor::audit, &Auditor::audit_of_other_version];
    let mut first = None;
    for audit in audits {
        for &cause in &causes {
            let Some(throwable) = crash.get(cause) else { continue };
            let audit = audit(auditor, throwable);
            let chosen = Chosen { cause, audit, is_other_exception: cause != usual };
            if chosen.audit.highest_target_frame.is_some() {
                return Ok(chosen);
            }
            first.get_or_insert(chosen);
        }
    }
    first.ok_or_else(|| Error::new(ErrorKind::Internal, "a crash without an exception"))
}

/// The position of an exception in its cause chain, 1 for the outermost.
pub fn cause_number(crash: &Crash, cause: ThrowableId) -> usize {
    crash.cause_chain().position(|(id, _)| id == cause).map_or(1, |it| it + 1)
}

/// Says in words that a trace is from another Java than the one in use, if it is: its classes may
/// behave differently, and its frames be others.
pub fn other_java(throwable: &Throwable, audit: &CrashAudit, jdk: &Jdk) -> Option<String> {
    let used = u32::from(jdk.feature);
    let releases = java_releases(&throwable.frames);
    if let Some(other) = releases.as_ref().filter(|it| !it.contains(used)) {
        let (words, class) = (other.words(), &other.shown_by);
        return Some(format!(
            "the trace is from {words} ({class}), tests run on Java {used}; --java-home names another JDK"
        ));
    }
    let mut of_jdk = audit.frames.iter().filter(|it| it.origin == Origin::Jdk);
    let strange = of_jdk.find(|it| matches!(it.status, Status::MethodMissing | Status::LineAbsent))?;
    let line = strange.line.map(|it| format!(":{it}")).unwrap_or_default();
    Some(format!(
        "the trace is from another Java than {used}, which has no {}.{}{line}; --java-home names another JDK",
        strange.class, strange.method
    ))
}

/// An error if none of the audited crashes has a frame worth targeting: then trace and class path
/// are of different programs or versions.
pub fn disagreement(audits: &[&CrashAudit], program: &Program) -> Option<Error> {
    if audits.iter().any(|it| it.highest_target_frame.is_some()) {
        return None;
    }
    let reason = audits.iter().flat_map(|it| &it.frames).find(|it| it.origin != Origin::Jdk);
    let mut message = "trace and class path disagree: no frame of the log can be targeted".to_owned();
    if let Some(frame) = reason {
        message.push_str(&format!("\n  frame {}: {}", frame.level, frame.reason));
    }
    for problem in program.class_path.problems().iter().filter(|it| !it.kind.is_note()).take(5) {
        message.push_str(&format!("\n  {problem}"));
    }
    let release = program.better_release.as_ref().map(|it| it.words());
    for words in release.iter().chain(&program.release_note) {
        message.push_str(&format!("\n  {words}"));
    }
    message.push_str("\n  give the class path of the version that crashed with --classpath or --maven");
    Some(Error::new(ErrorKind::Disagreement, message))
}

/// The beginnings of compressed files, and programs that unpack them.
const PACKED: [(&[u8], &str); 5] = [
    (b"\x1f\x8b", "zcat"),
    (b"PK\x03\x04", "unzip -p"),
    (b"\x28\xb5\x2f\xfd", "zstdcat"),
    (b"\xfd7zXZ", "xzcat"),
    (b"BZh", "bzcat"),
];

/// How many bytes tell whether a log is text.
const SAMPLE: usize = 1 << 12;

fn no_trace(name: &str, bytes: &[u8], log: &Log) -> Error {
    let mut message = format!("no usable stack trace in {name}");
    let packed = PACKED.iter().find(|(start, _)| bytes.starts_with(start));
    let is_utf16 = bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff");
    let has_zeros = bytes.iter().take(SAMPLE).any(|it| *it == 0) && !is_utf16;
    let reason = match packed {
        Some((_, program)) => {
            Some(format!("it is compressed: unpack it first, `{program} {name} | crashback list -`"))
        }
        None if bytes.is_empty() => Some("it is empty".to_owned()),
        None if has_zeros => Some("it is no text; give the log that the program wrote".to_owned()),
        None => None,
    };
    if let Some(reason) = reason {
        message.push_str(&format!(": {reason}"));
        return Error::new(ErrorKind::Disagreement, message);
    }
    for problem in log.problems.iter().take(3) {
        message.push_str(&format!("\n  line {}: {}", problem.line, problem.text));
    }
    Error::new(ErrorKind::Disagreement, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &str = "\
java.lang.IllegalStateException: 1
\tat shop.Till.open(Till.java:4)
java.lang.IllegalStateException: 2
\tat shop.Till.open(Till.java:4)
java.lang.NullPointerException
\tat shop.Till.open(Till.java:4)
";

    #[test]
    fn equal_frames_are_one_crash_whatever_the_message() {
        let crashes = Crashes::read(LOG.as_bytes(), "log", None).expect("crashes");
        let counts: Vec<(usize, usize)> =
            crashes.distinct.iter().map(|it| (it.number, it.occurrences)).collect();
        assert_eq!(counts, [(1, 2), (2, 1)]);
    }

    #[test]
    fn a_number_chooses_one_crash() {
        let second = Crashes::read(LOG.as_bytes(), "log", Some(2)).expect("a crash");
        assert_eq!(second.distinct.iter().map(|it| it.number).collect::<Vec<_>>(), [2]);
        let none = Crashes::read(LOG.as_bytes(), "log", Some(3)).expect_err("no crash");
        assert_eq!(none.kind, ErrorKind::Usage);
        assert!(none.message.contains("holds 2 distinct crashes"), "{none}");
    }

    #[test]
    fn the_number_of_crashes_does_not_depend_on_the_choice() {
        let second = Crashes::read(LOG.as_bytes(), "log", Some(2)).expect("a crash");
        assert_eq!(second.count, 2);
    }

    #[test]
    fn logs_that_are_no_text_are_told_from_calm_ones() {
        let reason = |log: &[u8]| Crashes::read(log, "x.log", None).expect_err("no trace").message;
        assert!(reason(b"").contains("it is empty"));
        assert!(reason(b"\x1f\x8b\x08\x00").contains("zcat x.log"));
        assert!(reason(b"\x7fELF\x00\x00").contains("no text"));
        assert!(reason(b"12:00 INFO\n").contains("no Java exception"));
    }

    #[test]
    fn a_log_without_a_trace_disagrees() {
        let error = Crashes::read(b"all is well\n", "calm.log", None).expect_err("no trace");
        assert_eq!(error.kind, ErrorKind::Disagreement);
        assert!(error.message.contains("calm.log"), "{error}");
    }
}
