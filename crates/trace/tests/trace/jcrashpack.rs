//! The traces of JCrashPack, each against an expectation written by reading the log: exception,
//! message, number of frames, then class, method, file and line of each frame, with the jar suffix
//! where the log has one.

use crashback_trace::{Frame, Location, Throwable, parse};

use crate::common;

#[test]
fn every_log_reads_as_expected() {
    let logs = common::files("tests/jcrashpack", "log");
    assert_eq!(logs.len(), 99);
    for path in logs {
        let log = parse(&std::fs::read(&path).unwrap());
        let expected = std::fs::read_to_string(path.with_extension("expected")).unwrap();
        assert_eq!(log.problems, [], "{}", path.display());
        let [crash] = &log.crashes[..] else { panic!("{}: {} crashes", path.display(), log.crashes.len()) };
        let [throwable] = &crash.throwables[..] else { panic!("{}: causes", path.display()) };
        assert_eq!(describe(throwable), expected, "{}", path.display());
    }
}

fn describe(throwable: &Throwable) -> String {
    let message = match (&throwable.message, throwable.printed_null) {
        (Some(message), _) => message,
        (None, true) => "printed as null",
        (None, false) => "absent",
    };
    let mut text =
        format!("exception {}\nmessage {message}\nframes {}\n", throwable.class, throwable.frames.len());
    for frame in &throwable.frames {
        text += &describe_frame(frame);
    }
    text
}

fn describe_frame(frame: &Frame) -> String {
    let file = match &frame.location {
        Location::File { name, .. } => name,
        Location::Native => "native-method",
        Location::Unknown { .. } => "unknown-source",
        Location::Absent => "absent",
    };
    let line = frame.line().map_or("-".to_owned(), |line| line.to_string());
    let artifact = frame.artifact.as_ref().map(|artifact| format!(" {artifact}")).unwrap_or_default();
    format!("{} {} {file} {line}{artifact}\n", frame.class, frame.method)
}
