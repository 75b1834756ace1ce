//! Which crashes of a log are one and the same.

use std::collections::BTreeMap;

use crashback_classfile::is_jdk_name;
use crashback_trace::compare::is_dropped;
use crashback_trace::{Crash, Frame, Log, Throwable};

/// A crash that may occur several times in a log.
#[derive(Clone, Debug)]
pub struct DistinctCrash {
    /// Its number among the distinct crashes of the log, from 1.
    pub number: usize,
    /// Its first occurrence.
    pub crash: Crash,
    /// How often it occurs.
    pub occurrences: usize,
    /// The line of the log on which its last occurrence begins, from 1.
    pub last_line: usize,
    /// The time of its last occurrence, as the log writes it.
    pub last_time: Option<String>,
}

impl DistinctCrash {
    /// The innermost frame outside the JDK, of the innermost exception of the cause chain that has one.
    pub fn innermost_frame(&self) -> Option<&Frame> {
        let chain: Vec<&Throwable> = self.crash.cause_chain().map(|(_, it)| it).collect();
        chain.into_iter().rev().find_map(|it| it.frames.iter().find(|frame| counts(frame)))
    }

    /// Whether a class of its frames is in one of some packages, or below it.
    pub fn touches(&self, packages: &[String]) -> bool {
        let is_in = |class: &str, package: &String| {
            let package = package.trim_end_matches(['.', '*']);
            class.strip_prefix(package).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '$']))
        };
        let frames = self.crash.cause_chain().flat_map(|(_, it)| &it.frames);
        frames.into_iter().any(|frame| packages.iter().any(|it| is_in(&frame.class, it)))
    }
}

/// Crashes that differ in exceptions or frames, in log order, with traces of stack overflows folded.
/// Messages are not compared: they often hold values that differ from one occurrence to the next.
/// Frames that the comparison of traces looks past are not compared either: reflection goes through
/// other classes after a while, and a pool may run the same code in another way.
pub(crate) fn distinct_crashes(log: &Log) -> Vec<DistinctCrash> {
    let mut distinct: Vec<DistinctCrash> = Vec::new();
    let mut positions = BTreeMap::new();
    for crash in log.crashes.iter().filter(|it| it.throwables.iter().any(|it| !it.frames.is_empty())) {
        let crash = crash.clone().folded();
        let position = *positions.entry(identity(&crash)).or_insert(distinct.len());
        match distinct.get_mut(position) {
            Some(known) => {
                known.occurrences += 1;
                known.last_line = crash.first_line;
                known.last_time = crash.time.or(known.last_time.take());
            }
            None => {
                let (number, last_line) = (distinct.len() + 1, crash.first_line);
                let last_time = crash.time.clone();
                distinct.push(DistinctCrash { number, crash, occurrences: 1, last_line, last_time });
            }
        }
    }
    distinct
}

type Identity = Vec<(String, Vec<(String, String, Option<u32>)>)>;

fn identity(crash: &Crash) -> Identity {
    let place = |frame: &Frame| (frame.class.clone(), frame.method.clone(), frame.line());
    let of_throwable = |throwable: &Throwable| {
        let counted: Vec<_> = throwable.frames.iter().filter(|it| counts(it)).map(place).collect();
        // Without frames of its own a throwable is told by those of the JDK.
        let frames = match counted.is_empty() {
            true => throwable.frames.iter().map(place).collect(),
            false => counted,
        };
        (throwable.class.clone(), frames)
    };
    crash.throwables.iter().map(of_throwable).collect()
}

/// Whether the comparison of traces looks at a frame, as far as its names tell.
fn counts(frame: &Frame) -> bool {
    !is_dropped(frame, |class| is_jdk_name(&class.replace('.', "/")))
}

#[cfg(test)]
mod tests {
    use crashback_trace::parse;

    use super::*;

    fn read(log: &str) -> Vec<DistinctCrash> {
        distinct_crashes(&parse(log.as_bytes()))
    }

    const BY_REFLECTION: &str = "\
2026-11-18 03:50:00 ERROR failed
java.lang.IllegalStateException: 1
\tat quay.Crane.lift(Crane.java:4)
\tat jdk.internal.reflect.NativeMethodAccessorImpl.invoke0(Native Method)
\tat quay.Main.main(Main.java:2)
\tat java.base/java.lang.Thread.run(Thread.java:1583)
2026-11-18 03:51:00 ERROR failed
java.lang.IllegalStateException: 2
\tat quay.Crane.lift(Crane.java:4)
\tat jdk.internal.reflect.GeneratedMethodAccessor12.invoke(Unknown Source)
\tat quay.Main.main(Main.java:2)
";

    #[test]
    fn frames_of_the_jdk_and_of_reflection_do_not_tell_crashes_apart() {
        let distinct = read(BY_REFLECTION);
        let [crash] = &distinct[..] else { panic!("{} crashes", distinct.len()) };
        assert_eq!(crash.occurrences, 2);
        assert_eq!((crash.crash.first_line, crash.last_line), (2, 8));
        assert_eq!(crash.crash.time.as_deref(), Some("2026-11-18 03:50:00"));
        assert_eq!(crash.last_time.as_deref(), Some("2026-11-18 03:51:00"));
        assert_eq!(crash.innermost_frame().map(|it| it.method.as_str()), Some("lift"));
        let other = read(&BY_REFLECTION.replacen("Crane.java:4", "Crane.java:5", 1));
        assert_eq!(other.len(), 2, "lines of the program do");
    }

    #[test]
    fn a_crash_inside_the_jdk_alone_is_told_by_its_frames() {
        let trace =
            |line: u32| format!("java.lang.Error\n\tat java.util.Timer.mainLoop(Timer.java:{line})\n");
        assert_eq!(read(&(trace(1) + &trace(1) + &trace(2))).len(), 2);
        assert!(read(&trace(1))[0].innermost_frame().is_none());
    }

    #[test]
    fn a_package_holds_those_below_it_and_no_other() {
        let crash = &read(BY_REFLECTION)[0];
        let touches = |package: &str| crash.touches(&[package.to_owned()]);
        assert!(touches("quay") && touches("quay.Crane") && touches("quay.*"));
        assert!(!touches("qua") && !touches("quay.C"));
    }
}
