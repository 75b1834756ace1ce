//! Results are those of the tests, in their order, however many workers there are.

use crashback_protocol::Isolation;
use crashback_testcase::Type;

use crate::support::{Fixture, assert_is_of, quick, settings, test};

#[test]
fn the_number_of_workers_does_not_show() {
    let tests = quick(3000);
    let expected = Fixture::of(1, 0).run(&tests);
    assert_eq!(expected.observations.len(), tests.len());
    for (place, number) in (0..3000).enumerate() {
        assert_is_of(&expected, place, number);
    }
    assert_eq!(expected.frames.len(), 13 * 3, "every frame once");
    for workers in [2, 3] {
        let mut fixture = Fixture::of(workers, 1);
        for _ in 0..3 {
            assert!(fixture.run(&tests) == expected, "{workers} workers");
        }
    }
}

#[test]
fn batches_of_any_size() {
    let mut fixture = Fixture::of(2, 1);
    for count in [0, 1, 2, 31, 32, 33, 256, 257, 5000] {
        let results = fixture.run(&quick(count));
        assert_eq!(results.observations.len(), usize::try_from(count).unwrap());
        for (place, number) in (0..count).enumerate() {
            assert_is_of(&results, place, number);
        }
    }
    let mut small = settings(&[]);
    small.batch = 1;
    assert_eq!(Fixture::new(small).run(&quick(100)).observations.len(), 100);
}

#[test]
fn the_vocabulary_reaches_every_worker() {
    let mut fixture = Fixture::of(2, 1);
    for round in 1..=5 {
        fixture.vocabulary.add_type(Type::of_class(&format!("Class{round}")));
        let mut tests = quick(500);
        tests.push(test("abort in company", 0));
        let results = fixture.run(&tests);
        assert!(results.observations.iter().all(|it| it.facts.nulls == round));
    }
    fixture.vocabulary = Default::default();
    let refused = fixture.run_as(&quick(1), Isolation::Reset).unwrap_err();
    assert!(refused.to_string().contains("one vocabulary"), "{refused}");
}

#[test]
fn every_test_gets_a_jvm_of_its_own_if_asked() {
    let used: Vec<_> = (0..10).map(|_| test("used", 0)).collect();
    for (workers, spares) in [(1, 0), (1, 1), (2, 1), (3, 2)] {
        let mut fixture = Fixture::of(workers, spares);
        fixture.run(&quick(1000));
        let fresh = fixture.run_as(&used, Isolation::FreshJvm).unwrap();
        for place in 0..used.len() {
            assert_is_of(&fresh, place, 0);
        }
        fixture.run(&quick(1000));
        let one = fixture.run_as(&used[..1], Isolation::FreshJvm).unwrap();
        assert_is_of(&one, 0, 0);
        assert_eq!(fixture.handle.statistics().died, 0);
    }
}

#[test]
fn a_single_fresh_jvm_costs_no_warm_one() {
    let mut fixture = Fixture::of(2, 1);
    for _ in 0..3 {
        fixture.run(&quick(2000));
        fixture.run_as(&[test("used", 0)], Isolation::FreshJvm).unwrap();
    }
    let warm = fixture.run(&[test("used", 0)]);
    let message = warm.observations[0].facts.throwables[0].message.clone().unwrap();
    let run: u32 = message.trim_start_matches("number ").parse().unwrap();
    assert!(run > 300, "a worker that has run {run} tests");
}

#[test]
fn tests_find_no_input_and_print_nowhere() {
    let mut fixture = Fixture::of(1, 0);
    let results = fixture.run(&[test("read input", 3), test("shout", 1000)]);
    assert_is_of(&results, 0, 3);
    assert_is_of(&results, 1, 1000);
}
