//! Audits as short tables, one line for each frame outside the JDK, with what goes without saying
//! left out.

use std::collections::BTreeMap;

use crashback_program::frames::{
    CrashAudit, Evidence, FrameAudit, LineCheck, Nesting, Origin, Shape, Status,
};
use crashback_trace::{Location, Throwable};
use serde::Serialize;

use crate::program::{Program, audit};

/// Compares the audit of a crash with a table; lines are told by their markers.
pub(crate) fn check(program: &Program, case: &str, expected: &str) {
    check_audit(program, case, &program.audit(case), expected);
}

/// The same for a trace that was changed.
pub(crate) fn check_changed(
    program: &Program,
    case: &str,
    change: impl FnOnce(&mut Throwable),
    expected: &str,
) {
    let mut throwable = program.throwable(case);
    change(&mut throwable);
    check_audit(program, case, &audit(&program.class_path, &throwable), expected);
}

/// The same for a trace whose frames are moved to other lines: pairs of level and marker.
pub(crate) fn check_moved(program: &Program, case: &str, moves: &[(usize, &str)], expected: &str) {
    let change = |throwable: &mut Throwable| {
        for &(level, marker) in moves {
            let line = Some(program.line(marker));
            throwable.frames[level - 1].location = Location::File { name: "Subject.java".to_owned(), line };
        }
    };
    check_changed(program, case, change, expected);
}

pub(crate) fn check_audit(program: &Program, case: &str, audit: &CrashAudit, expected: &str) {
    let actual = table(program, audit);
    let expected: Vec<&str> = expected.lines().map(str::trim).filter(|it| !it.is_empty()).collect();
    assert!(
        actual == expected,
        "{case}\n--- expected\n{}\n--- actual\n{}\n",
        expected.join("\n"),
        actual.join("\n")
    );
}

fn table(program: &Program, audit: &CrashAudit) -> Vec<String> {
    // What the JDK does inside differs from version to version, so its frames do not count here.
    let mut numbers = BTreeMap::new();
    let mut lines = Vec::new();
    for (level, frame) in (1..).zip(&audit.frames) {
        assert_eq!(frame.level, level);
        if frame.origin == Origin::Jdk {
            assert!(!frame.target && frame.reason == "code of the JDK", "{}", frame.reason);
        } else {
            numbers.insert(level, numbers.len() + 1);
            lines.push(format!("{} {}", numbers.len(), row(program, frame)));
        }
    }
    let level = |level: Option<u32>| level.map_or("none".to_owned(), |it| numbers[&it].to_string());
    lines.push(format!(
        "aim {}, highest {}",
        level(audit.recommended_frame),
        level(audit.highest_target_frame)
    ));
    lines
}

fn row(program: &Program, frame: &FrameAudit) -> String {
    let mut facts: Vec<String> = Vec::new();
    facts.extend((frame.status != Status::Ok).then(|| name(&frame.status)));
    facts.extend((frame.origin != Origin::Project).then(|| name(&frame.origin)));
    facts.extend((frame.shape != Shape::Method).then(|| name(&frame.shape)));
    facts.extend(frame.nesting.filter(|it| *it != Nesting::TopLevel).as_ref().map(name));
    facts.extend(frame.visibility.as_ref().map(name));
    facts.extend(match (frame.accessible, &frame.entry_points[..]) {
        (None, []) => None,
        (Some(true), []) => Some("callable".to_owned()),
        (Some(false), []) => Some("no way in".to_owned()),
        (accessible, entries) => {
            assert_eq!(accessible, Some(false));
            Some(format!("through {}", entries.join(" or ")))
        }
    });
    facts.extend(frame.line_check.as_ref().map(|it| line_check(program, it)));
    facts.push(name(&frame.propagation));
    facts.extend(frame.handling.as_ref().map(|it| format!("({})", with_markers(program, it))));
    facts.push(if frame.target { "target".to_owned() } else { with_markers(program, &frame.reason) });
    let descriptor = match (&frame.descriptor, &frame.candidates[..]) {
        (Some(descriptor), []) => descriptor.clone(),
        (None, []) => String::new(),
        (descriptor, candidates) => {
            assert!(descriptor.is_none());
            candidates.join("|")
        }
    };
    let class = frame.class.strip_prefix("shop.").unwrap_or(&frame.class);
    let line = match frame.line {
        Some(line) if frame.origin == Origin::Project => format!(" @{}", program.marker(line)),
        _ => String::new(),
    };
    // Compilers count lambdas in different orders.
    let method = match frame.shape {
        Shape::Lambda => frame.method.trim_end_matches(|it: char| it.is_ascii_digit()),
        _ => &frame.method,
    };
    format!("{class}.{method}{descriptor}{line}: {}", facts.join(", "))
}

fn line_check(program: &Program, check: &LineCheck) -> String {
    let Some(evidence) = &check.evidence else {
        assert!(!check.able && check.shifted_line.is_none());
        return "refuted".to_owned();
    };
    assert!(check.able);
    let words = match evidence {
        Evidence::Constructs => "constructs".to_owned(),
        Evidence::ThrowsImplicitly { instruction } => format!("by {instruction}"),
        Evidence::ExhaustsStack => "exhausts-stack".to_owned(),
        Evidence::Calls { callee } => format!("calls {callee}"),
        Evidence::Initialises { class } => format!("initialises {class}"),
        Evidence::ThroughJdk { callee } => format!("through-jdk {callee}"),
        Evidence::Indirectly { callee } => format!("indirectly {callee}"),
    };
    match check.shifted_line {
        Some(line) => format!("{words} @{}", program.marker(line)),
        None => words,
    }
}

/// Line numbers in words become markers.
fn with_markers(program: &Program, words: &str) -> String {
    let mut parts = words.split("line ");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let digits: String = part.chars().take_while(char::is_ascii_digit).collect();
        match digits.parse() {
            Ok(line) => text += &format!("@{}{}", program.marker(line), &part[digits.len()..]),
            Err(_) => text += &format!("line {part}"),
        }
    }
    text
}

/// The name under which a value is printed as JSON.
fn name(value: &impl Serialize) -> String {
    serde_json::to_value(value).expect("JSON").as_str().expect("a string").to_owned()
}
