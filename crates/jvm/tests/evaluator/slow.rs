//! Calls that take long are told, where a search may depend on time.

use crashback_protocol::{Isolation, Observation, SlowCall};
use crashback_testcase::{Literal, Statement, TestCase, Var};

use crate::support::{Bench, jdk_homes};

const SLEEP: &str = "subject/Slow.sleep(I)V";
const FAIL: &str = "subject/Slow.fail(I)V";

/// A quick call, then one that takes some time.
fn after_quick(bench: &mut Bench, slow: &str, milliseconds: i32) -> TestCase {
    let (quick, slow) = (bench.method("subject/Slow.quick(I)I"), bench.method(slow));
    let call = |method| Statement::Call { method, receiver: None, arguments: [Var(0)].into_iter().collect() };
    TestCase::new([Statement::Literal(Literal::Int(milliseconds)), call(quick), call(slow)])
}

/// The slow calls of an execution that take so many milliseconds: others may be due to a busy machine.
fn taking(observation: &Observation, milliseconds: u32) -> Vec<u16> {
    let is_long = |it: &&SlowCall| it.microseconds >= milliseconds * 1000;
    observation.slow.iter().filter(is_long).map(|it| it.statement).collect()
}

#[test]
fn slow_calls_are_told_whether_they_return_or_throw() {
    for home in jdk_homes() {
        let mut bench = Bench::new(&home);
        let tests = [(SLEEP, 50), (SLEEP, 0), (FAIL, 50)];
        let tests = tests.map(|(method, time)| after_quick(&mut bench, method, time));
        // All classes are loaded and initialised by the first of these.
        let tests = [tests.clone(), tests].concat();
        let results = bench.run_isolated(&mut bench.pool(1), &tests, Isolation::Bounded);
        let slow: Vec<_> = results.observations.iter().skip(3).map(|it| taking(it, 50)).collect();
        assert_eq!(slow, [vec![2], vec![], vec![2]], "on {}", home.display());
    }
}

/// Classes are loaded and initialised once.
#[test]
fn the_first_use_of_a_class_is_not_slow() {
    for home in jdk_homes() {
        let mut bench = Bench::new(&home);
        let test = bench.call("subject/Slow.initialise()I", &[]);
        let results = bench.run_isolated(&mut bench.pool(1), &[test], Isolation::Bounded);
        assert!(taking(&results.observations[0], 20).is_empty(), "on {}", home.display());
    }
}

/// The results of counted searches do not depend on time.
#[test]
fn no_times_are_told_where_tests_are_kept_apart() {
    for home in jdk_homes() {
        let mut bench = Bench::new(&home);
        let tests = vec![after_quick(&mut bench, SLEEP, 5); 3];
        let mut pool = bench.pool(1);
        for isolation in [Isolation::Reset, Isolation::Grouped, Isolation::FreshLoader, Isolation::FreshJvm] {
            let results = bench.run_isolated(&mut pool, &tests, isolation);
            let is_untold = results.observations.iter().all(|it| it.slow.is_empty());
            assert!(is_untold, "{isolation:?} on {}", home.display());
        }
    }
}
