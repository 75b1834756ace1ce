//! Tests that throw in the end what the program has caught, and kept or logged.

use crashback_emit::source::{Expectation, Mode, Received, TestSource};
use crashback_emit::verify::{Run, Verification};
use crashback_testcase::{Logging, Var};

use crate::draft::Draft;
use crate::mocks::{body, ended};
use crate::support::{JUNIT_5, all_jdks, verifier};

const NULL_POINTER: &str = "java.lang.NullPointerException";
const WRAPPED: &str = "throws java.lang.IllegalStateException: wrapped at depot.Keeper.work";

/// Checks what a test looks like, and how it ends on every JDK. With `null` the program fails.
fn check(received: Received<'_>, draft: impl Fn(&mut Draft, Var), expected: &str, outcome: &str) {
    for (text, outcome) in [(None, outcome), (Some("fine"), "passes")] {
        let mut written = Draft::default();
        let keeper = written.construct("depot/Keeper.<init>()V", &[]);
        let text = match text {
            None => written.null("Ljava/lang/String;"),
            Some(text) => written.text(text),
        };
        written.call_on(keeper, "depot/Keeper.work(Ljava/lang/String;)V", &[text]);
        draft(&mut written, keeper);
        let source = written.source_that_rethrows("depot", JUNIT_5.junit, Mode::Fails, received);
        assert_eq!(body(&source).replace("(\"fine\")", "(null)"), expected.trim(), "{}", source.text);
        assert_ends(&source, outcome);
    }
}

fn assert_ends(source: &TestSource, outcome: &str) {
    for jdk in all_jdks() {
        let ended = ended(&run(source, &jdk.home));
        assert!(ended.starts_with(outcome), "on Java {}: {ended}: {}", jdk.feature, source.text);
    }
}

fn run(source: &TestSource, home: &std::path::Path) -> Run {
    let scratch = tempfile::tempdir().unwrap();
    match verifier(&JUNIT_5, home, scratch.path()).verify(source, 1).unwrap() {
        Verification::Ran(runs) => runs.into_iter().next().unwrap(),
        other => panic!("{other:?}\n{}", source.text),
    }
}

#[test]
fn what_a_call_yields_is_thrown() {
    check(
        Received::ByTest,
        |it, keeper| {
            let kept = it.call_on(keeper, "depot/Keeper.kept()Ldepot/Keeper$Kept;", &[]);
            it.call_on(kept, "depot/Keeper$Kept.failure()Ljava/lang/Exception;", &[]);
        },
        "
throws Throwable
Keeper keeper = new Keeper();
keeper.work(null);
Keeper.Kept kept = keeper.kept();
rethrow(kept.failure());
",
        WRAPPED,
    );
}

/// Whatever its type is, and whether it is a call or not.
#[test]
fn what_a_field_or_any_object_is_is_thrown() {
    check(
        Received::ByTest,
        |it, keeper| {
            let kept = it.read(keeper, "depot/Keeper.kept:Ldepot/Keeper$Kept;");
            it.read(kept, "depot/Keeper$Kept.failure:Ljava/lang/RuntimeException;");
        },
        "
throws Throwable
Keeper keeper = new Keeper();
keeper.work(null);
Keeper.Kept kept = keeper.kept;
rethrow(kept.failure);
",
        WRAPPED,
    );
    check(
        Received::ByTest,
        |it, keeper| {
            let kept = it.call_on(keeper, "depot/Keeper.kept()Ldepot/Keeper$Kept;", &[]);
            it.call_on(kept, "depot/Keeper$Kept.result()Ljava/lang/Object;", &[]);
        },
        "
throws Throwable
Keeper keeper = new Keeper();
keeper.work(null);
Keeper.Kept kept = keeper.kept();
rethrow(kept.result());
",
        WRAPPED,
    );
    check(
        Received::ByTest,
        |it, keeper| {
            let kept = it.call_on(keeper, "depot/Keeper.kept()Ldepot/Keeper$Kept;", &[]);
            it.call_on(kept, "depot/Keeper$Kept.checked()Ljava/lang/Throwable;", &[]);
        },
        "
throws Throwable
Keeper keeper = new Keeper();
keeper.work(null);
Keeper.Kept kept = keeper.kept();
rethrow(kept.checked());
",
        "passes",
    );
}

#[test]
fn what_is_logged_is_thrown() {
    check(
        Received::ByLogger(Logging::Jdk, NULL_POINTER),
        |_, _| {},
        r#"
throws Throwable
List<Throwable> received = new ArrayList<>();
Handler recorder = recording(received);
Logger.getLogger("").addHandler(recorder);
try {
Keeper keeper = new Keeper();
keeper.work(null);
} finally {
Logger.getLogger("").removeHandler(recorder);
}
rethrow(received, "java.lang.NullPointerException");
"#,
        "throws java.lang.NullPointerException:  at depot.Keeper.work",
    );
}

/// Tests that expect the crash pass with it.
#[test]
fn what_is_kept_or_logged_can_be_expected() {
    let mut draft = Draft::default();
    let keeper = draft.construct("depot/Keeper.<init>()V", &[]);
    let text = draft.null("Ljava/lang/String;");
    draft.call_on(keeper, "depot/Keeper.work(Ljava/lang/String;)V", &[text]);
    let (thrown, exception) = (NULL_POINTER, NULL_POINTER);
    let mode = Mode::Expects(Expectation { thrown, cause: 0, exception, frames: &[] });
    let logged = Received::ByLogger(Logging::Jdk, NULL_POINTER);
    assert_ends(&draft.source_that_rethrows("depot", JUNIT_5.junit, mode, logged), "passes");
    let kept = draft.call_on(keeper, "depot/Keeper.kept()Ldepot/Keeper$Kept;", &[]);
    draft.call_on(kept, "depot/Keeper$Kept.failure()Ljava/lang/Exception;", &[]);
    let thrown = "java.lang.IllegalStateException";
    let mode = Mode::Expects(Expectation { thrown, cause: 1, exception, frames: &[] });
    assert_ends(&draft.source_that_rethrows("depot", JUNIT_5.junit, mode, Received::ByTest), "passes");
}
