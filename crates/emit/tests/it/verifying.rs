//! Tests compiled and run by real JUnit.

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use crashback_emit::Error;
use crashback_emit::junit::{Generation, JUnit, Runner};
use crashback_emit::source::{Expectation, Mode, TestSource};
use crashback_emit::verify::{Ahead, Run, Verification, Verifier};
use crashback_trace::{Crash, Frame, Location};

use crate::draft::Draft;
use crate::support::{JUNIT_5, fetched, jdk, launch, verifier};

static JUNIT_4: LazyLock<Runner> = LazyLock::new(|| fetched(Generation::Four));
static JUNIT_6: LazyLock<Runner> = LazyLock::new(|| {
    // JUnit 6 needs Java 17.
    fetched(if jdk().feature < 17 { Generation::Five } else { Generation::Six })
});

fn outer_call() -> Draft {
    let mut draft = Draft::default();
    let index = draft.int(5);
    draft.call("other/Crash.outer(I)I", &[index]);
    draft
}

fn calling(method: &str) -> Draft {
    let mut draft = Draft::default();
    draft.call(method, &[]);
    draft
}

fn verify(runner: &Runner, source: &TestSource) -> Verification {
    verify_with(runner, source, 2, |_| {})
}

fn verify_with(
    runner: &Runner,
    source: &TestSource,
    runs: usize,
    change: impl FnOnce(&mut Verifier<'_>),
) -> Verification {
    let scratch = tempfile::tempdir().unwrap();
    let home = jdk().home;
    let mut verifier = verifier(runner, &home, scratch.path());
    change(&mut verifier);
    verifier.verify(source, runs).unwrap()
}

fn the_crash(verification: Verification) -> Crash {
    match verification {
        Verification::Ran(runs) => match runs.as_slice() {
            [Run::Threw(one), Run::Threw(other)] => {
                assert_eq!(one, other, "two runs differ");
                (**one).clone()
            }
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    }
}

fn methods(frames: &[Frame]) -> Vec<String> {
    let name = |it: &Frame| format!("{}.{}:{}", it.class, it.method, it.line().unwrap_or(0));
    frames.iter().map(name).collect()
}

#[test]
fn every_junit_reports_the_whole_trace() {
    for runner in [&JUNIT_4, &JUNIT_5, &JUNIT_6] {
        let source = outer_call().source("other", runner.junit, Mode::Fails, &[]);
        let crash = the_crash(verify(runner, &source));
        let thrown = crash.outermost().unwrap();
        assert_eq!(thrown.class, "java.lang.ArrayIndexOutOfBoundsException");
        let message = if jdk().feature < 11 { "5" } else { "Index 5 out of bounds for length 2" };
        assert_eq!(thrown.message.as_deref(), Some(message));
        let methods = methods(&thrown.frames);
        assert_eq!(methods[..3], ["other.Crash.inner:8", "other.Crash.outer:6", "other.SomeTest.crashes:9"]);
    }
}

#[test]
fn causes_are_reported_with_the_frames_that_they_share() {
    for runner in [&JUNIT_4, &JUNIT_5, &JUNIT_6] {
        let mut draft = Draft::default();
        let text = draft.null("Ljava/lang/String;");
        draft.call("other/Crash.wrap(Ljava/lang/String;)V", &[text]);
        let source = draft.source("other", runner.junit, Mode::Fails, &[]);
        let crash = the_crash(verify(runner, &source));
        let chain: Vec<_> = crash.cause_chain().map(|(_, it)| it).collect();
        let classes: Vec<&str> = chain.iter().map(|it| it.class.as_str()).collect();
        assert_eq!(classes, ["java.lang.IllegalStateException", "java.lang.NullPointerException"]);
        assert_eq!(methods(&chain[0].frames)[..2], ["other.Crash.wrap:14", "other.SomeTest.crashes:9"]);
        assert_eq!(methods(&chain[1].frames)[..2], ["other.Crash.wrap:12", "other.SomeTest.crashes:9"]);
    }
}

#[test]
fn expecting_tests_pass_while_the_crash_lives() {
    let old = JUnit::Four { has_assert_throws: false };
    let junits = [
        (&*JUNIT_4, JUNIT_4.junit),
        (&*JUNIT_4, old),
        (&*JUNIT_5, JUNIT_5.junit),
        (&*JUNIT_6, JUNIT_6.junit),
    ];
    for (runner, junit) in junits {
        let frames = [frame("other.Crash", "inner"), frame("other.Crash", "outer")];
        let thrown = "java.lang.ArrayIndexOutOfBoundsException";
        let expectation = Expectation { thrown, cause: 0, exception: thrown, frames: &frames };
        let source = outer_call().source("other", junit, Mode::Expects(expectation), &[]);
        let passed = Verification::Ran(vec![Run::Passed]);
        assert_eq!(verify_with(runner, &source, 1, |_| {}), passed, "{}", source.text);
        let frames = [frame("other.Crash", "outer"), frame("other.Crash", "inner")];
        let expectation = Expectation { thrown, cause: 0, exception: thrown, frames: &frames };
        let source = outer_call().source("other", junit, Mode::Expects(expectation), &[]);
        let failed = verify_with(runner, &source, 1, |_| {});
        assert!(
            matches!(&failed, Verification::Ran(runs) if matches!(runs[..], [Run::Threw(_)])),
            "{failed:?}"
        );
    }
}

#[test]
fn causes_and_hidden_classes_are_expected_too() {
    let mut draft = Draft::default();
    let text = draft.null("Ljava/lang/String;");
    draft.call("other/Crash.wrap(Ljava/lang/String;)V", &[text]);
    let frames = [frame("other.Crash", "wrap")];
    let (thrown, exception) = ("java.lang.IllegalStateException", "java.lang.NullPointerException");
    let expectation = Expectation { thrown, cause: 1, exception, frames: &frames };
    let wrapped = draft.source("other", JUNIT_5.junit, Mode::Expects(expectation), &[]);
    let thrown = "other.Crash$Secret";
    let frames = [frame("other.Crash", "hidden")];
    let expectation = Expectation { thrown, cause: 0, exception: thrown, frames: &frames };
    let hidden =
        calling("other/Crash.hidden()V").source("other", JUNIT_5.junit, Mode::Expects(expectation), &[]);
    for source in [wrapped, hidden] {
        let passed = Verification::Ran(vec![Run::Passed]);
        assert_eq!(verify_with(&JUNIT_5, &source, 1, |_| {}), passed, "{}", source.text);
    }
}

fn frame(class: &str, method: &str) -> Frame {
    Frame { class: class.into(), method: method.into(), location: Location::Absent, ..Frame::default() }
}

#[test]
fn the_ends_of_a_run_are_told_apart() {
    for runner in [&JUNIT_4, &JUNIT_5] {
        let source = |method: &str| calling(method).source("other", runner.junit, Mode::Fails, &[]);
        let run = |method: &str, seconds: u64| {
            let limit = |it: &mut Verifier<'_>| it.time_limit = Duration::from_secs(seconds);
            match verify_with(runner, &source(method), 1, limit) {
                Verification::Ran(runs) => runs.into_iter().next().unwrap(),
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(run("other/Crash.fine()V", 60), Run::Passed);
        assert_eq!(run("other/Crash.hang()V", 3), Run::TimedOut);
        assert!(
            matches!(run("other/Crash.exit()V", 60), Run::Died { how } if how.contains("exit status: 3"))
        );
        match run("other/Crash.print()V", 60) {
            Run::Threw(crash) => {
                assert_eq!(crash.outermost().unwrap().class, "java.lang.IllegalArgumentException")
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn what_does_not_compile_is_said_in_the_words_of_the_compiler() {
    let mut source = outer_call().source("other", JUNIT_5.junit, Mode::Fails, &[]);
    source.text = source.text.replace("outer(5)", "outer(\"5\")");
    match verify(&JUNIT_5, &source) {
        Verification::NotCompiled { messages } => {
            assert!(messages.contains("String cannot be converted to int"), "{messages}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn many_sources_are_judged_one_by_one() {
    let good = outer_call().source("other", JUNIT_5.junit, Mode::Fails, &[]);
    let rename = |class: &str, call: &str| TestSource {
        class: class.to_owned(),
        text: good.text.replace("SomeTest", class).replace("outer(5)", call),
        ..good.clone()
    };
    let sources = [rename("ATest", "outer(5)"), rename("BTest", "outr(5)"), rename("CTest", "outer(true)")];
    let scratch = tempfile::tempdir().unwrap();
    let home = jdk().home;
    let results = verifier(&JUNIT_5, &home, scratch.path()).compile_all(&sources).unwrap();
    assert_eq!(results[0], None);
    assert!(results[1].as_ref().unwrap().contains("outr"), "{results:?}");
    assert!(!results[1].as_ref().unwrap().contains("boolean"), "{results:?}");
    assert!(results[2].as_ref().unwrap().contains("boolean"), "{results:?}");
}

#[test]
fn options_reach_the_jvm() {
    let mut draft = Draft::default();
    let (name, value) = (draft.text("some.property"), draft.text("not set"));
    let property = draft.call(
        "java/lang/System.getProperty(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;",
        &[name, value],
    );
    draft.call("java/lang/Integer.parseInt(Ljava/lang/String;)I", &[property]);
    let source = draft.source("other", JUNIT_5.junit, Mode::Fails, &[]);
    let (options, scratch, home) =
        ([OsString::from("-Dsome.property=5")], tempfile::tempdir().unwrap(), jdk().home);
    let verifier = Verifier { jvm_options: &options, ..verifier(&JUNIT_5, &home, scratch.path()) };
    assert_eq!(verifier.verify(&source, 1).unwrap(), Verification::Ran(vec![Run::Passed]));
}

#[test]
fn a_verification_can_be_given_up() {
    let source = calling("other/Crash.hang()V").source("other", JUNIT_5.junit, Mode::Fails, &[]);
    let (scratch, home) = (tempfile::tempdir().unwrap(), jdk().home);
    let verifier = verifier(&JUNIT_5, &home, scratch.path());
    let is_running = || scratch.path().join("run0").is_dir();
    let error = verifier.verify_unless(&source, 2, &is_running).unwrap_err();
    assert!(matches!(error, Error::Cancelled), "{error}");
}

#[test]
fn without_a_compiler_a_jre_is_named() {
    let scratch = tempfile::tempdir().unwrap();
    let source = outer_call().source("other", JUNIT_5.junit, Mode::Fails, &[]);
    let verifier = verifier(&JUNIT_5, Path::new("no-jdk"), scratch.path());
    let error = verifier.verify(&source, 1).unwrap_err();
    assert!(matches!(error, Error::NoCompiler(_)), "{error}");
    assert!(error.to_string().contains("JRE"), "{error}");
}

/// Processes that were started for a test of the compiler that waits, by their program.
fn counting_launch(counts: &[AtomicUsize; 2], program: &Path, arguments: &[OsString]) -> Command {
    let is_javac = program.ends_with("javac");
    counts[usize::from(is_javac)].fetch_add(1, Ordering::Relaxed);
    launch(program, arguments)
}

#[test]
fn one_compiler_serves_sources_that_compile_and_others() {
    let good = outer_call().source("other", JUNIT_5.junit, Mode::Fails, &[]);
    let rename = |class: &str, call: &str| TestSource {
        class: class.to_owned(),
        text: good.text.replace("SomeTest", class).replace("outer(5)", call),
        ..good.clone()
    };
    let (scratch, home, ahead) = (tempfile::tempdir().unwrap(), jdk().home, Ahead::default());
    let counts = [AtomicUsize::new(0), AtomicUsize::new(0)];
    let launch = |program: &Path, arguments: &[OsString]| counting_launch(&counts, program, arguments);
    let verifier = Verifier { launch: &launch, ahead: &ahead, ..verifier(&JUNIT_5, &home, scratch.path()) };
    verifier.start_compiler();
    verifier.start_compiler();
    assert_eq!(verifier.compile(&good).unwrap(), None);
    let bad = rename("SomeTest", "outer(\"5\")");
    let messages = verifier.compile(&bad).unwrap().unwrap();
    assert!(messages.contains("String cannot be converted to int"), "{messages}");
    let many = [rename("ATest", "outer(5)"), rename("BTest", "outr(5)"), rename("CTest", "outer(true)")];
    let results = verifier.compile_all(&many).unwrap();
    assert_eq!(results[0], None);
    assert!(results[1].as_ref().unwrap().contains("outr"), "{results:?}");
    assert!(results[2].as_ref().unwrap().contains("boolean"), "{results:?}");
    std::thread::scope(|scope| {
        let compile = |source: TestSource| scope.spawn(move || verifier.compile(&source).unwrap());
        let (good, bad) = (compile(rename("DTest", "outer(5)")), compile(rename("ETest", "outr(5)")));
        assert_eq!(good.join().unwrap(), None);
        assert!(bad.join().unwrap().unwrap().contains("ETest.java"));
    });
    assert_eq!(verifier.compile(&good).unwrap(), None, "again, after others that did not compile");
    assert_eq!(counts.map(AtomicUsize::into_inner), [1, 0], "JVMs and compilers that were started");
}

#[test]
fn a_compiler_that_dies_is_replaced_by_an_ordinary_one() {
    let source = outer_call().source("other", JUNIT_5.junit, Mode::Fails, &[]);
    let (scratch, home, ahead) = (tempfile::tempdir().unwrap(), jdk().home, Ahead::default());
    let counts = [AtomicUsize::new(0), AtomicUsize::new(0)];
    let launch = |program: &Path, arguments: &[OsString]| {
        // The JVM that waits ends at once: it has no such option.
        let broken: Vec<OsString> = std::iter::once("-no-such-option".into()).collect();
        let is_java = program.ends_with("java");
        counting_launch(&counts, program, if is_java { &broken } else { arguments })
    };
    let verifier = Verifier { launch: &launch, ahead: &ahead, ..verifier(&JUNIT_5, &home, scratch.path()) };
    verifier.start_compiler();
    assert_eq!(verifier.compile(&source).unwrap(), None);
    assert!(scratch.path().join("classes/other/SomeTest.class").is_file());
    assert_eq!(counts.map(AtomicUsize::into_inner), [1, 1]);
}

#[test]
fn a_compiler_that_waits_can_be_given_up() {
    let source = outer_call().source("other", JUNIT_5.junit, Mode::Fails, &[]);
    let (scratch, home, ahead) = (tempfile::tempdir().unwrap(), jdk().home, Ahead::default());
    let verifier = Verifier { ahead: &ahead, ..verifier(&JUNIT_5, &home, scratch.path()) };
    verifier.start_compiler();
    let error = verifier.compile_unless(&source, &|| true).unwrap_err();
    assert!(matches!(error, Error::Cancelled), "{error}");
    assert_eq!(format!("{ahead:?}"), format!("{:?}", Ahead::default()), "it has ended");
    verifier.start_compiler();
    let hurried = Verifier { time_limit: Duration::ZERO, ..verifier };
    let messages = hurried.compile(&source).unwrap().unwrap();
    assert!(messages.contains("took longer"), "{messages}");
    assert_eq!(verifier.compile(&source).unwrap(), None);
}

#[test]
fn jvms_that_wait_run_the_test_and_are_used_once() {
    for runner in [&JUNIT_4, &JUNIT_5, &JUNIT_6] {
        let source = outer_call().source("other", runner.junit, Mode::Fails, &[]);
        let (scratch, home, ahead) = (tempfile::tempdir().unwrap(), jdk().home, Ahead::default());
        let counts = [AtomicUsize::new(0), AtomicUsize::new(0)];
        let launch = |program: &Path, arguments: &[OsString]| counting_launch(&counts, program, arguments);
        let verifier = Verifier { launch: &launch, ahead: &ahead, ..verifier(runner, &home, scratch.path()) };
        verifier.start_jvms(2);
        verifier.start_jvms(2);
        the_crash(verifier.verify(&source, 2).unwrap());
        assert_eq!(counts[0].load(Ordering::Relaxed), 2, "both were used");
        the_crash(verifier.verify(&source, 2).unwrap());
        assert_eq!(counts[0].load(Ordering::Relaxed), 4, "none was used twice");
    }
}

#[test]
fn jvms_that_wait_are_of_no_use_with_other_options_or_dead() {
    let mut draft = Draft::default();
    let (name, value) = (draft.text("some.property"), draft.text("not set"));
    let property = draft.call(
        "java/lang/System.getProperty(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;",
        &[name, value],
    );
    draft.call("java/lang/Integer.parseInt(Ljava/lang/String;)I", &[property]);
    let source = draft.source("other", JUNIT_5.junit, Mode::Fails, &[]);
    let (scratch, home, ahead) = (tempfile::tempdir().unwrap(), jdk().home, Ahead::default());
    let passed = Verification::Ran(vec![Run::Passed]);
    let plain = Verifier { ahead: &ahead, ..verifier(&JUNIT_5, &home, scratch.path()) };
    plain.start_jvms(1);
    let options = [OsString::from("-Dsome.property=5")];
    let other = Verifier { jvm_options: &options, ..plain };
    assert_eq!(other.verify(&source, 1).unwrap(), passed);
    let dying = |_: &Path, _: &[OsString]| launch(Path::new("false"), &[]);
    Verifier { launch: &dying, ..other }.start_jvms(1);
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(other.verify(&source, 1).unwrap(), passed);
}
