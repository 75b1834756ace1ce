//! Tests that end the JVM, break it, or leave something behind.

use crashback_protocol::{Observation, Outcome};
use crashback_testcase::Literal;

use crate::support::{Bench, jdk_homes, thrown};

/// A method of the subject, its arguments, and what its test must look like.
type Case<'a> = (&'a str, &'a [Literal], &'a dyn Fn(&Observation) -> bool);

/// Runs each test twice between two harmless ones: the two and the two must be equal.
fn check(cases: &[Case<'_>]) {
    for home in jdk_homes() {
        let mut bench = Bench::new(&home);
        let healthy = bench.call("subject/Leaving.tell()V", &[]);
        let mut pool = bench.pool(1);
        for (method, arguments, expect) in cases {
            let test = bench.call(&format!("subject/Leaving.{method}"), arguments);
            let results = bench.run(&mut pool, &[healthy.clone(), test.clone(), test, healthy.clone()]);
            let [before, first, second, after] = results.observations.try_into().unwrap();
            assert!(expect(&first), "{method} on {}: {first:?}", home.display());
            let summary =
                |it: &Observation| (it.outcome, it.thrown().map(|it| (it.class.clone(), it.message.clone())));
            assert_eq!(summary(&first), summary(&second), "{method}, the same test twice");
            assert_eq!(thrown(&before), thrown(&after), "before and after {method}");
        }
    }
}

fn throws(class: &'static str) -> impl Fn(&Observation) -> bool {
    move |observation| observation.thrown().is_some_and(|thrown| thrown.class == class)
}

#[test]
fn exiting_and_halting_are_outcomes() {
    check(&[
        ("exit(I)V", &[Literal::Int(3)], &|it| it.outcome == Outcome::Exited(3)),
        ("halt(I)V", &[Literal::Int(-1)], &|it| it.outcome == Outcome::Exited(-1)),
        ("swallowedExit()V", &[], &|it| it.outcome == Outcome::Exited(7)),
    ]);
}

#[test]
fn hooks_timers_and_output_do_not_outlive_their_test() {
    let long = "line ".repeat(200);
    let text = [Literal::Text(long.as_str().into())];
    let returned = |it: &Observation| it.outcome == Outcome::Returned;
    check(&[
        ("shutdownHook()V", &[], &returned),
        ("timer()V", &[], &returned),
        ("print(Ljava/lang/String;)V", &text, &returned),
        ("read()I", &[], &returned),
    ]);
}

/// A thread may get to run long after it was started.
#[test]
fn threads_that_have_not_begun_do_not_outlive_their_test() {
    check_threads("thread()V", 200);
    check_threads("virtualThread()V", 4);
}

/// Runs the test many times, each time before one that tells what it finds: always the same.
fn check_threads(method: &str, times: usize) {
    for home in jdk_homes() {
        let mut bench = Bench::new(&home);
        let (test, tell) = (
            bench.call(&format!("subject/Leaving.{method}"), &[]),
            bench.call("subject/Leaving.tellLater()V", &[]),
        );
        let mut pool = bench.pool(1);
        let expected = bench.run(&mut pool, std::slice::from_ref(&tell)).observations.remove(0);
        let tests: Vec<_> = (0..times).flat_map(|_| [test.clone(), tell.clone()]).collect();
        for pair in bench.run(&mut pool, &tests).observations.chunks(2) {
            assert_eq!(pair[0].outcome, Outcome::Returned, "{method} on {}", home.display());
            assert_eq!(thrown(&pair[1]), thrown(&expected), "after {method} on {}", home.display());
        }
    }
}

#[test]
fn what_the_jvm_cuts_short_is_an_exception() {
    check(&[
        ("overflow()I", &[], &throws("java.lang.StackOverflowError")),
        ("overflowInInitialiser()I", &[], &throws("java.lang.StackOverflowError")),
        ("outOfMemory()I", &[], &throws("java.lang.OutOfMemoryError")),
        ("failingInitialiser()I", &[], &throws("java.lang.ExceptionInInitializerError")),
    ]);
}

#[test]
fn a_native_crash_is_an_outcome() {
    check(&[("crash()V", &[], &|it| it.outcome == Outcome::WorkerDied)]);
}
