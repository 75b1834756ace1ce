//! What a real JVM prints, against what the same JVM says about the exceptions in a form that needs
//! no parsing.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use crashback_trace::{Crash, Location, ThrowableId, message, parse};

use crate::common;

#[test]
fn traces_of_a_jvm_read_as_the_jvm_describes_them() {
    let folder = tempfile::tempdir().unwrap();
    let logs = thrown(folder.path());
    assert!(logs.len() > 40);
    let mut everything = String::new();
    for path in &logs {
        let text = std::fs::read_to_string(path).unwrap();
        let log = parse(text.as_bytes());
        assert_eq!(log.problems, [], "{text}");
        let [crash] = &log.crashes[..] else { panic!("{} crashes in\n{text}", log.crashes.len()) };
        let expected = std::fs::read_to_string(path.with_extension("expected")).unwrap();
        assert_eq!(describe(crash), expected, "{text}");
        assert_eq!(crash.to_string(), text);
        check_facts(crash, &path.with_extension("facts"));
        write!(everything, "2024-01-01 00:00:00 ERROR [main] Thrower - something failed\n{text}").unwrap();
    }
    // All of them in one log are the same crashes.
    let log = parse(everything.as_bytes());
    assert_eq!(log.problems, []);
    assert_eq!(log.crashes.len(), logs.len());
    for (path, crash) in logs.iter().zip(&log.crashes) {
        assert_eq!(describe(crash), std::fs::read_to_string(path.with_extension("expected")).unwrap());
    }
}

/// Compiles and runs the program that throws; gives the logs it wrote.
#[expect(clippy::disallowed_methods, reason = "the test needs a compiler and a JVM")]
fn thrown(folder: &Path) -> Vec<PathBuf> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java/Thrower.java");
    let classes = folder.join("classes");
    run(Command::new("javac").args(["-encoding", "UTF-8", "-nowarn", "-d"]).arg(&classes).arg(source));
    let logs = folder.join("logs");
    std::fs::create_dir(&logs).unwrap();
    run(Command::new("java").arg("-cp").arg(&classes).arg("Thrower").arg(&logs));
    common::files(logs.to_str().unwrap(), "log")
}

fn run(command: &mut Command) {
    let output = command.output().expect("a JDK on the PATH");
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}

fn check_facts(crash: &Crash, path: &Path) {
    let Ok(expected) = std::fs::read_to_string(path) else { return };
    let expected: serde_json::Value = serde_json::from_str(&expected).unwrap();
    let throwable = crash.outermost().unwrap();
    let text = throwable.message.as_deref().unwrap_or_default();
    let facts = serde_json::to_value(message::facts(&throwable.class, text)).unwrap();
    assert_eq!(facts, expected, "{text}");
}

/// The description that the program writes: the throwables in the order in which they are printed.
fn describe(crash: &Crash) -> String {
    let mut text = String::new();
    let mut waiting = vec![(ThrowableId(0), String::new())];
    while let Some((id, role)) = waiting.pop() {
        let throwable = crash.get(id).unwrap();
        let message = throwable.message.as_deref().unwrap_or("-").replace('\n', "\\n");
        let circular = if throwable.circular { "|circular" } else { "" };
        writeln!(text, "{role}|{}|{message}{circular}", throwable.class).unwrap();
        for frame in &throwable.frames {
            let module = frame.module.as_deref().unwrap_or("-");
            let file = match &frame.location {
                Location::File { name, .. } => name,
                Location::Native => "native",
                Location::Unknown { .. } | Location::Absent => "unknown",
            };
            let line = frame.line().map_or("-".to_owned(), |line| line.to_string());
            writeln!(text, "{role}  {module}|{}|{}|{file}|{line}", frame.class, frame.method).unwrap();
        }
        waiting.extend(throwable.cause.map(|cause| (cause, format!("{role}c"))));
        waiting.extend(throwable.suppressed.iter().rev().map(|inner| (*inner, format!("{role}s"))));
    }
    text
}
