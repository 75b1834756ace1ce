//! Several batches on their way at the same time.

use std::thread;
use std::time::{Duration, Instant};

use crashback_jvm::pool::PoolSettings;
use crashback_protocol::{Evaluator, Isolation, Results, Usage, Waited};
use crashback_testcase::{TestCase, Type};

use crate::support::{Fixture, assert_is_of, dead, quick, settings, test};

/// Batches of different sizes, some with tests that kill their worker, end it or take long.
fn batches() -> Vec<(Vec<TestCase>, Isolation)> {
    let batch = |number: usize| {
        let mut tests = quick(i32::try_from(17 * number % 130).unwrap());
        let place = number % tests.len().max(1);
        match number % 5 {
            1 => tests[place] = test("abort", 0),
            2 => tests[place] = test("last", i32::try_from(place).unwrap()),
            3 => tests[place] = test("sleep", 30),
            _ => {}
        }
        let isolation = if number % 7 == 6 { Isolation::FreshJvm } else { Isolation::Reset };
        tests.truncate(if isolation == Isolation::FreshJvm { 3 } else { tests.len() });
        (tests, isolation)
    };
    (0..30).map(batch).collect()
}

#[test]
fn batches_in_flight_have_the_results_that_each_has_alone() {
    let batches = batches();
    let mut one = Fixture::of(1, 1);
    let expected: Vec<Results> =
        batches.iter().map(|(tests, isolation)| one.run_as(tests, *isolation).unwrap()).collect();
    for workers in [1, 2, 3] {
        let mut fixture = Fixture::of(workers, 1);
        let tickets = batches.iter().map(|(tests, isolation)| fixture.submit(tests, *isolation));
        let mut tickets: Vec<_> = tickets.enumerate().collect();
        // Any order will do.
        tickets.sort_by_key(|(number, _)| (number * 7) % 30);
        for (number, ticket) in tickets {
            assert!(fixture.collect(ticket) == expected[number], "batch {number}, {workers} workers");
        }
    }
}

#[test]
fn the_vocabulary_may_grow_between_batches_in_flight() {
    let mut fixture = Fixture::of(2, 1);
    let mut tickets = Vec::new();
    for round in 1..=20 {
        fixture.vocabulary.add_type(Type::of_class(&format!("Class{round}")));
        tickets.push((round, fixture.submit(&quick(50), Isolation::Reset)));
    }
    for (round, ticket) in tickets {
        let results = fixture.collect(ticket);
        // A worker may know the additions of later batches already.
        assert!(results.observations.iter().all(|it| it.facts.nulls >= round));
    }
}

#[test]
#[expect(clippy::disallowed_methods, reason = "measures that a batch does not wait for another")]
fn a_hanging_test_does_not_delay_other_batches() {
    let mut fixture = Fixture::of(2, 1);
    fixture.run(&quick(500));
    let mut tests = quick(20);
    tests[0] = test("hang", 0);
    let hanging = fixture.submit(&tests, Isolation::Reset);
    let others: Vec<_> = (0..6).map(|_| fixture.submit(&quick(100), Isolation::Reset)).collect();
    let start = Instant::now();
    for ticket in others {
        let results = fixture.collect(ticket);
        (0..100).for_each(|place| assert_is_of(&results, place, i32::try_from(place).unwrap()));
    }
    // A worker that hangs is killed after 2.8 s, and the test is then tried again.
    assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
    assert_eq!(dead(&fixture.collect(hanging)), [0]);
    assert_eq!(fixture.handle.statistics().died, 2);
}

#[test]
#[expect(clippy::disallowed_methods, reason = "measures that a batch does not wait for another")]
fn a_fresh_jvm_is_had_beside_a_busy_worker_and_costs_no_warm_one() {
    let mut fixture = Fixture::of(1, 1);
    fixture.run(&quick(500));
    let start = Instant::now();
    let slow = fixture.submit(&vec![test("sleep", 5); 400], Isolation::Reset);
    let fresh = fixture.submit(&vec![test("used", 0); 3], Isolation::FreshJvm);
    let fresh = fixture.collect(fresh);
    let took = start.elapsed();
    (0..3).for_each(|place| assert_is_of(&fresh, place, 0));
    assert_eq!(fixture.collect(slow).observations.len(), 400);
    assert!(start.elapsed() >= Duration::from_secs(2), "the slow batch was on its way");
    assert!(took < Duration::from_millis(1500), "{took:?}");
    let warm = fixture.run(&[test("used", 0)]);
    assert_is_of(&warm, 0, 900);
}

#[test]
#[expect(clippy::disallowed_methods, reason = "measures that a batch is cancelled")]
fn a_dropped_ticket_cancels_its_batch() {
    let mut fixture = Fixture::of(1, 1);
    fixture.run(&quick(10));
    let start = Instant::now();
    drop(fixture.submit(&vec![test("sleep", 20); 1000], Isolation::Reset));
    drop(fixture.submit(&vec![test("sleep", 20); 1000], Isolation::FreshJvm));
    assert_eq!(fixture.run(&quick(100)).observations.len(), 100);
    assert!(start.elapsed() < Duration::from_secs(12), "{:?}", start.elapsed());
}

/// More time than any test takes.
const LONG: Duration = Duration::from_secs(60);

#[test]
fn a_caller_who_has_little_time_does_not_wait_for_a_slow_test() {
    let mut fixture = Fixture::of(1, 1);
    fixture.run(&quick(100));
    let slow = fixture.submit(&[test("sleep", 1500)], Isolation::Reset);
    assert_eq!(fixture.pool().wait(&slow, 0, Duration::from_millis(100)), Waited::Late);
    assert!(!fixture.pool().is_done(&slow));
    assert_eq!(fixture.pool().wait(&slow, 0, LONG), Waited::Done);
    assert_is_of(&fixture.collect(slow), 0, 1500);
}

#[test]
fn a_caller_who_waits_for_a_slow_test_learns_that_workers_starve() {
    let mut fixture = Fixture::of(2, 1);
    fixture.run(&quick(500));
    let slow = fixture.submit(&[test("sleep", 1500)], Isolation::Reset);
    let mut behind = 0;
    while fixture.pool().wait(&slow, 20, LONG) == Waited::Starving {
        let ticket = fixture.submit(&vec![test("sleep", 1); 50], Isolation::Reset);
        assert_eq!(fixture.collect(ticket).observations.len(), 50);
        behind += 1;
    }
    assert!(behind >= 2, "{behind}");
    assert!(fixture.pool().is_done(&slow));
    assert_eq!(fixture.pool().wait(&slow, usize::MAX, LONG), Waited::Done);
    assert_is_of(&fixture.collect(slow), 0, 1500);
    let many = fixture.submit(&vec![test("sleep", 1); 400], Isolation::Reset);
    assert_eq!(fixture.pool().wait(&many, 0, LONG), Waited::Done, "few tests are never fewer than none");
    assert_eq!(fixture.collect(many).observations.len(), 400);
}

#[test]
fn tickets_of_another_pool_are_refused() {
    let (mut one, mut other) = (Fixture::of(1, 0), Fixture::of(1, 0));
    let (ours, theirs) = (one.submit(&quick(5), Isolation::Reset), other.submit(&quick(5), Isolation::Reset));
    let refused = one.pool().collect(theirs).unwrap_err().to_string();
    assert!(refused.contains("another evaluator's"), "{refused}");
    assert_eq!(one.collect(ours).observations.len(), 5);
}

#[test]
#[expect(clippy::disallowed_methods, reason = "measures that nothing waits")]
fn a_stop_ends_all_batches_in_flight() {
    let mut fixture = Fixture::new(PoolSettings { workers: 2, ..settings(&[]) });
    let tests = vec![test("sleep", 100); 200];
    let tickets: Vec<_> = (0..3).map(|_| fixture.submit(&tests, Isolation::Reset)).collect();
    let (handle, start) = (fixture.handle.clone(), Instant::now());
    thread::scope(|scope| {
        scope.spawn(move || {
            thread::sleep(Duration::from_millis(200));
            handle.stop();
        });
        for ticket in tickets {
            let failure = fixture.pool().collect(ticket).unwrap_err().to_string();
            assert!(failure.contains("interrupted"), "{failure}");
        }
    });
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
}

/// Two workers, of which one has nothing to do for most of the time.
#[test]
fn the_time_that_workers_wait_is_told() {
    let mut fixture = Fixture::of(2, 1);
    fixture.pool().ready().unwrap();
    let usage = fixture.handle.statistics().usage();
    assert_eq!(usage, Usage { starting: usage.starting, ..Usage::default() }, "nothing was run yet");
    // One piece.
    fixture.run(&vec![test("sleep", 50); 16]);
    let usage = fixture.handle.statistics().usage();
    assert_eq!(usage.evaluations, 16);
    assert!(usage.busy >= Duration::from_millis(800), "{usage:?}");
    assert!(usage.waiting >= Duration::from_millis(400), "{usage:?}");
    let share = usage.share_waiting().unwrap();
    // The second worker may have started late.
    assert!((0.2..0.6).contains(&share), "{usage:?}");
    for _ in 0..3 {
        let tickets = [(); 4].map(|()| fixture.submit(&vec![test("sleep", 10); 64], Isolation::Reset));
        tickets.into_iter().for_each(|ticket| drop(fixture.collect(ticket)));
    }
    assert!(fixture.pool().usage().share_waiting().unwrap() < share);
}
