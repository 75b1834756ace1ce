//! Exceptions that do not leave a test.

use crashback_protocol::{Batch, Caught, Evaluator, Observation, Receiver};
use crashback_testcase::{Logging, TestCase};

use crate::support::{Bench, jdk_homes, thrown};

/// Who received which exceptions, with the classes of their causes.
fn received(observation: &Observation) -> Vec<(Receiver, Vec<&str>)> {
    let throwables = &observation.facts.throwables;
    let chain = |it: &Caught| {
        let first = throwables.get(it.throwable as usize);
        let chain = std::iter::successors(first, |it| throwables.get(it.cause? as usize));
        chain.map(|it| it.class.as_str()).collect()
    };
    observation.facts.caught.iter().filter_map(|it| Some((it.receiver()?, chain(it)))).collect()
}

/// Only where they are asked for, and as often as they are.
#[test]
fn what_calls_yield_and_loggers_are_given_is_told() {
    for home in jdk_homes() {
        let mut bench = Bench::new(&home);
        let methods = [
            "kept()Ljava/lang/Exception;",
            "hidden()Ljava/lang/Object;",
            "nothing()Ljava/lang/Exception;",
            "logs()V",
            "silences()V",
            "logs()V",
        ];
        let tests: Vec<TestCase> =
            methods.iter().map(|it| bench.call(&format!("subject/Keeping.{it}"), &[])).collect();
        let mut pool = bench.pool(1);
        for listens in [false, true, false, true] {
            let batch = Batch { listens, ..Batch::new(&bench.vocabulary, &tests) };
            let results = pool.evaluate(batch).unwrap();
            let told: Vec<_> = results.observations.iter().map(received).collect();
            let logged = vec![(
                Receiver::Logger(Logging::Jdk),
                vec!["java.lang.UnsupportedOperationException", "java.lang.ArithmeticException"],
            )];
            let expected = match listens {
                false => vec![Vec::new(); methods.len()],
                true => vec![
                    vec![(Receiver::Test, vec!["java.lang.IllegalStateException"])],
                    vec![(Receiver::Test, vec!["java.lang.IllegalArgumentException"])],
                    Vec::new(),
                    logged.clone(),
                    Vec::new(),
                    logged,
                ],
            };
            assert_eq!(told, expected, "on {}", home.display());
        }
    }
}

/// Nothing is left behind for those that do not ask.
#[test]
fn loggers_are_as_they_were_once_nobody_listens() {
    for home in jdk_homes() {
        let mut bench = Bench::new(&home);
        let tests = [bench.call("subject/Keeping.counts()V", &[])];
        let mut pool = bench.pool(1);
        let counted = [false, true, true, false].map(|listens| {
            let batch = Batch { listens, ..Batch::new(&bench.vocabulary, &tests) };
            thrown(&pool.evaluate(batch).unwrap().observations[0])
        });
        let told = |handlers: u8| format!("java.lang.IllegalStateException: {handlers} handlers");
        assert_eq!(counted, [1, 2, 2, 1].map(told), "on {}", home.display());
    }
}
