//! How exceptions arrive.

use crashback_protocol::Results;

use crate::support::{Bench, jdk_homes};

/// An exception and all it leads to, with the frames of the subject.
fn describe(results: &Results) -> String {
    let observation = &results.observations[0];
    let throwables = &observation.facts.throwables;
    let lines = throwables.iter().enumerate().map(|(index, it)| {
        let frames = it.frames.iter().map(|frame| &results.frames[*frame as usize]);
        let frames: Vec<_> =
            frames.map(|frame| format!("{}:{}", frame.method, frame.line().unwrap_or(0))).collect();
        let message = it.message.as_deref().unwrap_or("-");
        format!(
            "{index} {} {message:?} {frames:?} cause {:?} suppressed {:?}",
            it.class, it.cause, it.suppressed
        )
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn check(method: &str, expect: &str) {
    for home in jdk_homes() {
        let mut bench = Bench::new(&home);
        let test = bench.call(&format!("subject/Throwing.{method}()V"), &[]);
        let results = bench.run(&mut bench.pool(1), &[test]);
        assert_eq!(describe(&results), expect, "on {}", home.display());
    }
}

#[test]
fn causes_suppressed_ones_and_circles_are_told() {
    check(
        "chain",
        "0 java.lang.IllegalStateException \"outer\" [\"chain:11\"] cause Some(1) suppressed []\n\
         1 java.lang.IllegalArgumentException \"inner\" [\"inner:16\", \"chain:9\"] cause None suppressed []",
    );
    check(
        "suppressed",
        "0 java.lang.IllegalStateException \"body\" [\"suppressed:21\"] cause None suppressed [1]\n\
         1 java.lang.IllegalArgumentException \"inner\" [\"inner:16\", \"lambda$suppressed$0:20\", \"suppressed:20\"] cause None suppressed []",
    );
    check(
        "circle",
        "0 java.lang.RuntimeException \"one\" [\"circle:26\"] cause Some(1) suppressed []\n\
         1 java.lang.RuntimeException \"two\" [\"circle:27\"] cause Some(0) suppressed []",
    );
}

#[test]
fn an_exception_that_resists_is_told_by_its_class() {
    check("odd", "0 subject.Throwing$1 \"-\" [] cause Some(0) suppressed []");
}

#[test]
fn odd_texts_arrive() {
    check(
        "unicode",
        "0 java.lang.IllegalStateException \"💥 \u{FFFD} \\0 end\" [\"unicode:52\"] cause None suppressed []",
    );
}

#[test]
fn the_caller_is_a_class_of_the_tests_package() {
    check(
        "caller",
        "0 java.lang.IllegalStateException \"subject.CrashbackCaller\" [\"caller:56\"] cause None suppressed []",
    );
}
