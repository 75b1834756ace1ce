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

#[test]
fn exceptions_arrive_with_all_that_belongs_to_them() {
    let cases = [
        (
            "chain",
            "0 java.lang.IllegalStateException \"outer\" [\"chain:11\"] cause Some(1) suppressed []\n\
             1 java.lang.IllegalArgumentException \"inner\" [\"inner:16\", \"chain:9\"] cause None suppressed []",
        ),
        (
            "suppressed",
            "0 java.lang.IllegalStateException \"body\" [\"suppressed:21\"] cause None suppressed [1]\n\
             1 java.lang.IllegalArgumentException \"inner\" [\"inner:16\", \"lambda$suppressed$0:20\", \"suppressed:20\"] \
             cause None suppressed []",
        ),
        (
            "circle",
            "0 java.lang.RuntimeException \"one\" [\"circle:26\"] cause Some(1) suppressed []\n\
             1 java.lang.RuntimeException \"two\" [\"circle:27\"] cause Some(0) suppressed []",
        ),
        // Its own cause, and its message and frames cannot be had.
        ("odd", "0 subject.Throwing$1 \"-\" [] cause Some(0) suppressed []"),
        (
            "unicode",
            "0 java.lang.IllegalStateException \"💥 \u{FFFD} \\0 end\" [\"unicode:52\"] cause None suppressed []",
        ),
        // The caller is a class of the package that tests live in.
        (
            "caller",
            "0 java.lang.IllegalStateException \"subject.CrashbackCaller\" [\"caller:56\"] cause None suppressed []",
        ),
    ];
    for home in jdk_homes() {
        let mut bench = Bench::new(&home);
        let mut pool = bench.pool(1);
        for (method, expect) in cases {
            let test = bench.call(&format!("subject/Throwing.{method}()V"), &[]);
            // The compiler of Java 8 gives the call of `close` the line in which the block ends.
            let described =
                describe(&bench.run(&mut pool, &[test])).replace("suppressed:22", "suppressed:20");
            assert_eq!(described, expect, "on {}", home.display());
        }
    }
}
