//! Shapes of traces, one file each. To add one, drop in `shapes/<name>.log`, run with `BLESS=1` and
//! read what came out.

use std::fmt::Write as _;
use std::path::Path;

use crashback_trace::{Crash, Log, Throwable, ThrowableId, parse};

use crate::common;

#[test]
fn every_shape_reads_as_expected() {
    let logs = common::files("tests/shapes", "log");
    assert!(!logs.is_empty());
    for path in logs {
        check(&path);
    }
}

#[expect(clippy::disallowed_methods, reason = "whether to bless is asked of the developer's environment")]
fn check(path: &Path) {
    let actual = describe(&parse(&std::fs::read(path).unwrap()));
    let expected = path.with_extension("expected");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&expected, actual).unwrap();
    } else {
        assert_eq!(actual, std::fs::read_to_string(&expected).unwrap(), "{}", path.display());
    }
}

fn describe(log: &Log) -> String {
    let mut text = String::new();
    for crash in &log.crashes {
        write!(text, "lines {} to {}", crash.first_line, crash.last_line).unwrap();
        if let Some(thread) = &crash.thread {
            write!(text, ", thread {thread:?}").unwrap();
        }
        if let Some(time) = &crash.time {
            write!(text, ", time {time}").unwrap();
        }
        text += if crash.root_cause_first { ", root cause first\n" } else { "\n" };
        describe_throwable(crash, ThrowableId(0), 1, "", &mut text);
    }
    for problem in &log.problems {
        let kind = serde_json::to_string(&problem.kind).unwrap();
        writeln!(text, "problem in line {}, {kind}: {}", problem.line, problem.text).unwrap();
    }
    text
}

fn describe_throwable(crash: &Crash, id: ThrowableId, depth: usize, role: &str, text: &mut String) {
    let throwable = crash.get(id).unwrap();
    let indent = "  ".repeat(depth);
    writeln!(text, "{indent}{role}{}", describe_header(throwable)).unwrap();
    let own = throwable.frames.len() - throwable.expanded;
    for (index, frame) in throwable.frames.iter().enumerate() {
        let sign = if index < own { " " } else { "+" };
        let kind = serde_json::to_value(frame.kind()).unwrap();
        let kind = if kind == "ordinary" { String::new() } else { format!(" | {}", kind.as_str().unwrap()) };
        let shown = frame.display_name();
        let plain = format!("{}.{}", frame.class, frame.method);
        let shown = if shown == plain { String::new() } else { format!(" | {shown}") };
        let mark = frame.in_app.map(|it| if it { " | project" } else { " | library" }).unwrap_or_default();
        writeln!(text, "{indent}{sign} {frame}{kind}{shown}{mark}").unwrap();
    }
    for inner in &throwable.suppressed {
        describe_throwable(crash, *inner, depth + 1, "suppressed ", text);
    }
    if let Some(cause) = throwable.cause {
        describe_throwable(crash, cause, depth, "cause ", text);
    }
}

fn describe_header(throwable: &Throwable) -> String {
    let mut text = throwable.class.clone();
    if throwable.circular {
        text += " (circular)";
    }
    match &throwable.message {
        Some(message) => text + &format!(" {message:?}"),
        None if throwable.printed_null => text + " null",
        None => text,
    }
}
