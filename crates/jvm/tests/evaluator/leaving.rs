//! Tests that end the JVM, break it, or leave something behind.

use crashback_protocol::Outcome;
use crashback_testcase::{Literal, TestCase};

use crate::support::{Bench, jdk_homes, thrown};

/// Runs a test between two harmless ones, which must be equal.
fn check(bench: &mut Bench, test: &TestCase, expect: impl Fn(&crashback_protocol::Observation)) {
    let healthy = bench.call("subject/Leaving.tell()V", &[]);
    let mut pool = bench.pool(1);
    let results = bench.run(&mut pool, &[healthy.clone(), test.clone(), test.clone(), healthy]);
    let [before, first, second, after] = results.observations.try_into().unwrap();
    expect(&first);
    assert_eq!(first, second, "the same test twice");
    assert_eq!(thrown(&before), thrown(&after));
}

fn check_everywhere(method: &str, arguments: &[Literal], expect: impl Fn(&crashback_protocol::Observation)) {
    for home in jdk_homes() {
        let mut bench = Bench::new(&home);
        let test = bench.call(&format!("subject/Leaving.{method}"), arguments);
        check(&mut bench, &test, &expect);
    }
}

fn has_outcome(outcome: Outcome) -> impl Fn(&crashback_protocol::Observation) {
    move |observation| assert_eq!(observation.outcome, outcome, "{observation:?}")
}

fn throws(expected: &str) -> impl Fn(&crashback_protocol::Observation) {
    move |observation| assert_eq!(thrown(observation), expected)
}

#[test]
fn exiting_and_halting_are_outcomes() {
    check_everywhere("exit(I)V", &[Literal::Int(3)], has_outcome(Outcome::Exited(3)));
    check_everywhere("halt(I)V", &[Literal::Int(-1)], has_outcome(Outcome::Exited(-1)));
    check_everywhere("swallowedExit()V", &[], has_outcome(Outcome::Exited(7)));
}

#[test]
fn hooks_and_timers_do_not_outlive_their_test() {
    check_everywhere("shutdownHook()V", &[], has_outcome(Outcome::Returned));
    check_everywhere("timer()V", &[], has_outcome(Outcome::Returned));
}

#[test]
fn overflows_and_exhausted_memory_are_exceptions() {
    check_everywhere("overflow()I", &[], |observation| {
        assert!(thrown(observation).starts_with("java.lang.StackOverflowError"));
    });
    check_everywhere("overflowInInitialiser()I", &[], |observation| {
        assert!(thrown(observation).starts_with("java.lang.StackOverflowError"), "{observation:?}");
    });
    check_everywhere("outOfMemory()I", &[], throws("java.lang.OutOfMemoryError: Java heap space"));
}

#[test]
fn a_failing_initialiser_fails_alike_every_time() {
    check_everywhere("failingInitialiser()I", &[], |observation| {
        assert!(thrown(observation).starts_with("java.lang.ExceptionInInitializerError"), "{observation:?}");
    });
}

#[test]
fn a_native_crash_is_an_outcome() {
    check_everywhere("crash()V", &[], has_outcome(Outcome::WorkerDied));
}

#[test]
fn output_goes_nowhere_and_input_is_empty() {
    let long = "line ".repeat(200);
    check_everywhere(
        "print(Ljava/lang/String;)V",
        &[Literal::Text(long.as_str().into())],
        has_outcome(Outcome::Returned),
    );
    check_everywhere("read()I", &[], has_outcome(Outcome::Returned));
}
