//! Tests that do not come back by themselves.

use std::time::{Duration, Instant};

use crashback_protocol::Outcome;
use crashback_testcase::Literal;

use Outcome::{BudgetSpent, Returned, Stopped, WorkerDied};

use crate::support::{Bench, jdk_homes, thrown};

/// How long a test may take here: short enough to wait for it, long enough for one that comes back
/// by itself.
const TIME: Duration = Duration::from_secs(1);
/// How long that may be by the clock.
const PATIENCE: Duration = Duration::from_secs(60);

#[test]
fn every_way_of_hanging_ends_and_leaves_the_next_test_alone() {
    // A stop gets through however busy the machine is.
    check(
        Duration::from_secs(20),
        &[
            ("applicationLoop()V", &[BudgetSpent]),
            ("nestedCountedLoop()V", &[BudgetSpent]),
            ("catchAllLoop()V", &[BudgetSpent]),
            ("finallyLoop()V", &[BudgetSpent]),
            ("sleep()V", &[Stopped]),
            ("sleepAgain()V", &[Stopped]),
            ("waitForNobody()V", &[Stopped]),
            ("park()V", &[Stopped, BudgetSpent]),
            ("latch()V", &[Stopped]),
            ("blockingRead()I", &[Stopped]),
            ("runawayThreads()V", &[Returned]),
            ("busyInitialiser()I", &[Returned]),
            ("endlessInitialiser()I", &[BudgetSpent, Stopped]),
        ],
    );
    // A stop does not get through, or not soon on a busy machine.
    check(
        Duration::from_millis(300),
        &[
            ("regexBacktracking()Z", &[Stopped, WorkerDied]),
            ("nativeBlock()I", &[Stopped, WorkerDied]),
            ("deadlock()V", &[WorkerDied, Stopped]),
        ],
    );
}

/// Each way ends as it must within its limit, and the test after it finds everything as it should
/// be.
#[expect(clippy::disallowed_methods, reason = "the test is about time")]
fn check(grace: Duration, ways: &[(&str, &[Outcome])]) {
    for home in jdk_homes() {
        let mut bench = Bench::new(&home);
        bench.limits.time = TIME;
        bench.limits.grace = grace;
        let healthy = bench.call("subject/Hanging.healthy(I)I", &[Literal::Int(1)]);
        let mut pool = bench.pool(1);
        let expected = bench.run(&mut pool, std::slice::from_ref(&healthy)).observations.remove(0);
        assert_eq!(expected.outcome, Returned);
        for (way, outcomes) in ways {
            let test = bench.call(&format!("subject/Hanging.{way}"), &[]);
            let begun = Instant::now();
            let results = bench.run(&mut pool, &[test, healthy.clone()]);
            let outcome = results.observations[0].outcome;
            assert!(outcomes.contains(&outcome), "{way}: {outcome:?} on {}", home.display());
            assert_eq!(results.observations[1], expected, "after {way} on {}", home.display());
            // The limit is one of computing, of which a busy machine gives little; a test that
            // kills its worker is tried again.
            let limit = if outcomes.contains(&WorkerDied) { 2 * PATIENCE } else { PATIENCE };
            assert!(begun.elapsed() < limit, "{way} took {:?} on {}", begun.elapsed(), home.display());
        }
    }
}

/// A thread that waits for another, where there is none, is stopped long before its time is up.
#[test]
#[expect(clippy::disallowed_methods, reason = "the test is about time")]
fn what_waits_in_vain_is_stopped_early() {
    for home in jdk_homes() {
        let mut bench = Bench::new(&home);
        bench.limits.time = 2 * PATIENCE;
        let mut pool = bench.pool(1);
        for way in ["waitForNobody()V", "latch()V"] {
            let test = bench.call(&format!("subject/Hanging.{way}"), &[]);
            let begun = Instant::now();
            let results = bench.run(&mut pool, &[test]);
            assert_eq!(results.observations[0].outcome, Stopped, "{way} on {}", home.display());
            assert!(begun.elapsed() < PATIENCE, "{way} took {:?}", begun.elapsed());
        }
    }
}

#[test]
fn an_exception_that_cannot_be_read_in_time_is_still_an_exception() {
    for home in jdk_homes() {
        let mut bench = Bench::new(&home);
        bench.limits.time = TIME;
        let test = bench.call("subject/Hanging.endlessMessage()I", &[]);
        let mut pool = bench.pool(1);
        let results = bench.run(&mut pool, &[test]);
        assert_eq!(thrown(&results.observations[0]), "subject.Hanging$1: no message");
    }
}
