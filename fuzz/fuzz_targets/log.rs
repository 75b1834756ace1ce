//! Any bytes are read as a log, and what comes out keeps the promises of the crate.

#![no_main]

use crashback_trace::{Crash, compare, message, parse};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let log = parse(bytes);
    let lines = bytes.iter().filter(|b| **b == b'\n').count() + 1;
    let in_log = |line: usize| {
        (1..=lines).contains(&line) || bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff")
    };
    assert!(log.problems.iter().all(|problem| in_log(problem.line)));
    assert!(log.problems.is_sorted_by_key(|problem| problem.line));
    assert!(log.crashes.is_sorted_by_key(|crash| crash.first_line));
    for crash in &log.crashes {
        assert!(in_log(crash.first_line) && in_log(crash.last_line) && crash.first_line <= crash.last_line);
        check_tree(crash);
        check_names(crash);
        check_rendering(crash);
    }
});

/// Every throwable but the first is the cause of, or suppressed in, exactly one before it.
fn check_tree(crash: &Crash) {
    let mut parents = vec![0; crash.throwables.len()];
    for (id, throwable) in crash.throwables.iter().enumerate() {
        for inner in throwable.cause.iter().chain(&throwable.suppressed) {
            assert!(inner.0 > id);
            parents[inner.0] += 1;
        }
        assert!(throwable.expanded <= throwable.frames.len());
    }
    assert_eq!(parents.first(), Some(&0));
    assert!(parents.iter().skip(1).all(|count| *count == 1));
    assert!(crash.cause_chain().count() <= crash.throwables.len());
}

/// What is printed reads back. Messages are left out, as their later lines may look like anything.
fn check_rendering(crash: &Crash) {
    parse(crash.to_string().as_bytes());
    let mut plain = crash.clone();
    (plain.root_cause_first, plain.time) = (false, None);
    // Behind a thread any class is believed, also one that is not named like an exception.
    plain.thread = Some("thread".to_owned());
    for throwable in &mut plain.throwables {
        (throwable.message, throwable.printed_null, throwable.line) = (None, false, 0);
        throwable.frames.iter_mut().for_each(|frame| frame.in_app = None);
    }
    let mut read = parse(plain.to_string().as_bytes()).crashes;
    assert_eq!(read.len(), 1, "{plain}");
    let mut read = read.remove(0);
    (read.first_line, read.last_line) = (plain.first_line, plain.last_line);
    read.throwables.iter_mut().for_each(|throwable| throwable.line = 0);
    assert_eq!(read, plain);
}

fn check_names(crash: &Crash) {
    for throwable in &crash.throwables {
        message::facts(&throwable.class, throwable.message.as_deref().unwrap_or_default());
        for frame in &throwable.frames {
            assert!(!frame.class.is_empty() && !frame.method.is_empty());
            let _ = (frame.kind(), frame.display_name(), frame.enclosing_method());
            assert!(compare::same_method(frame, frame) && compare::same_class(&frame.class, &frame.class));
        }
    }
}
