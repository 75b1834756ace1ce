//! From a log to the crash in it that the user means.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read as _;
use std::path::Path;

use crashback_classpath::ClassPath;
use crashback_program::frames::{Auditor, CrashAudit, Origin};
use crashback_trace::{Crash, Frame, Log, Problem, ThrowableId};

use crate::exit::{Failure, FailureKind};

/// A distinct crash of a log.
pub(crate) struct Numbered {
    /// Its number among the distinct crashes of the log, from 1.
    pub(crate) number: usize,
    /// The first time it occurs.
    pub(crate) crash: Crash,
    /// How often it occurs.
    pub(crate) occurrences: usize,
}

/// The distinct crashes of a log, or the one of a number, and what is odd about the log.
pub(crate) fn read(path: &Path, number: Option<u32>) -> Result<(Vec<Numbered>, Vec<Problem>), Failure> {
    let log = crashback_trace::parse(&read_log(path)?);
    let distinct = distinct_crashes(&log);
    if distinct.is_empty() {
        return Err(no_trace(path, &log));
    }
    Ok((choose(distinct, number)?, log.problems))
}

/// The place of an exception in its cause chain, 1 for the outermost.
pub(crate) fn cause_number(crash: &Crash, cause: ThrowableId) -> usize {
    crash.cause_chain().position(|(id, _)| id == cause).map_or(1, |it| it + 1)
}

/// Trace and class path disagree where no crash has a frame worth targeting.
pub(crate) fn disagreement(audits: &[&CrashAudit], class_path: &ClassPath) -> Option<Failure> {
    if audits.iter().any(|it| it.highest_target_frame.is_some()) {
        return None;
    }
    let reason = audits.iter().flat_map(|it| &it.frames).find(|it| it.origin != Origin::Jdk);
    let mut message = "trace and class path disagree: no frame of the log can be targeted".to_owned();
    if let Some(frame) = reason {
        message.push_str(&format!("\n  frame {}: {}", frame.level, frame.reason));
    }
    for problem in class_path.problems().iter().filter(|it| !it.kind.is_note()).take(5) {
        message.push_str(&format!("\n  {problem}"));
    }
    message.push_str("\n  give the class path of the version that crashed with --classpath or --maven");
    Some(Failure::new(FailureKind::Disagreement, message))
}

/// The exception to look at: the one that was asked for, else the innermost with project frames.
pub(crate) fn choose_cause(
    auditor: &Auditor<'_>,
    crash: &Crash,
    number: Option<u32>,
) -> Result<ThrowableId, Failure> {
    let chain: Vec<ThrowableId> = crash.cause_chain().map(|(id, _)| id).collect();
    let chosen = match number {
        None => auditor.choose_cause(crash).or_else(|| chain.first().copied()),
        Some(number) => chain.get(usize::try_from(number).unwrap_or(usize::MAX).saturating_sub(1)).copied(),
    };
    chosen.ok_or_else(|| {
        let length = chain.len();
        let message = format!(
            "there is no exception {} in the cause chain: it has {length}",
            number.unwrap_or_default()
        );
        Failure::new(FailureKind::Usage, message)
    })
}

fn read_log(path: &Path) -> Result<Vec<u8>, Failure> {
    let read = if path.as_os_str() == "-" {
        let mut bytes = Vec::new();
        std::io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        fs::read(path)
    };
    read.map_err(|error| {
        let message = format!("cannot read the log {}: {error}; check the path", path.display());
        Failure::new(FailureKind::Usage, message)
    })
}

/// Crashes that differ in exceptions or frames, with the first occurrence of each, in log order.
/// Messages often hold what differs from one time to the next.
fn distinct_crashes(log: &Log) -> Vec<(Crash, usize)> {
    let mut distinct: Vec<(Crash, usize)> = Vec::new();
    let mut positions = BTreeMap::new();
    for crash in log.crashes.iter().filter(|it| it.throwables.iter().any(|it| !it.frames.is_empty())) {
        let position = *positions.entry(identity(crash)).or_insert(distinct.len());
        match distinct.get_mut(position) {
            Some((_, occurrences)) => *occurrences += 1,
            None => distinct.push((crash.clone(), 1)),
        }
    }
    distinct
}

type Identity<'c> = Vec<(&'c str, Vec<(&'c str, &'c str, Option<u32>)>)>;

fn identity(crash: &Crash) -> Identity<'_> {
    crash.throwables.iter().map(|it| (it.class.as_str(), it.frames.iter().map(place).collect())).collect()
}

fn place(frame: &Frame) -> (&str, &str, Option<u32>) {
    (&frame.class, &frame.method, frame.line())
}

fn no_trace(path: &Path, log: &Log) -> Failure {
    let mut message = format!("no usable stack trace in {}", path.display());
    for problem in log.problems.iter().take(3) {
        message.push_str(&format!("\n  line {}: {}", problem.line, problem.text));
    }
    Failure::new(FailureKind::Disagreement, message)
}

fn choose(distinct: Vec<(Crash, usize)>, number: Option<u32>) -> Result<Vec<Numbered>, Failure> {
    let count = distinct.len();
    let numbered =
        (1..).zip(distinct).map(|(number, (crash, occurrences))| Numbered { number, crash, occurrences });
    let Some(wanted) = number else { return Ok(numbered.collect()) };
    let chosen: Vec<Numbered> = numbered.filter(|it| u32::try_from(it.number) == Ok(wanted)).collect();
    if chosen.is_empty() {
        let message = format!("there is no crash {wanted}: the log holds {count} distinct crashes");
        return Err(Failure::new(FailureKind::Usage, message));
    }
    Ok(chosen)
}
