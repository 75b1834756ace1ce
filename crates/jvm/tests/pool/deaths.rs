//! Tests that kill their worker, or have it killed.

use std::time::{Duration, Instant};

use crashback_jvm::pool::PoolSettings;
use crashback_protocol::Isolation;

use crate::support::{Fixture, assert_is_of, dead, quick, settings, test};

/// Puts a bad test among good ones: it alone is marked, and the others are as they would be without
/// it.
fn check_poison(what: &str, number: i32, reason: &str) {
    let mut tests = quick(300);
    tests[137] = test(what, number);
    for workers in [1, 2] {
        let mut settings = PoolSettings { workers, ..settings(&[]) };
        settings.allowance.threads = 60;
        settings.allowance.scratch_bytes = 10 << 20;
        settings.allowance.memory_bytes = 200 << 20;
        let mut fixture = Fixture::new(settings);
        let results = fixture.run(&tests);
        assert_eq!(dead(&results), [137], "{what}");
        for place in (0..300).filter(|place| *place != 137) {
            assert_is_of(&results, place, i32::try_from(place).unwrap());
        }
        let statistics = fixture.handle.statistics();
        assert_eq!(statistics.died, 2, "{what}: {statistics:?}");
        let how = statistics.last_death.unwrap();
        assert!(how.contains(reason), "{what}: {how}");
    }
}

#[test]
fn abort() {
    check_poison("abort", 0, "SIGABRT");
}

#[test]
fn exit() {
    check_poison("exit", 0, "exit status: 0");
}

#[test]
fn hanging() {
    check_poison("hang", 0, "without a sign of life");
}

#[test]
fn too_many_threads() {
    check_poison("threads", 100, "threads, where 60 are allowed");
}

#[test]
fn too_much_scratch() {
    check_poison("fill", 20, "bytes in its scratch folder");
    check_poison("fill without name", 20, "bytes in its scratch folder");
}

#[test]
fn too_much_memory() {
    check_poison("memory", 400, "bytes of memory");
}

#[test]
fn a_closed_connection() {
    check_poison("close", 0, "SIGKILL");
}

/// What a worker writes itself may be nonsense. Then nobody knows which test was to blame, so it
/// takes some deaths to find out.
fn check_nonsense(what: &str, reason: &str) {
    let mut tests = quick(300);
    tests[137] = test(what, 0);
    let mut fixture = Fixture::of(2, 1);
    let results = fixture.run(&tests);
    assert_eq!(dead(&results), [137], "{what}");
    for place in (0..300).filter(|place| *place != 137) {
        assert_is_of(&results, place, i32::try_from(place).unwrap());
    }
    let statistics = fixture.handle.statistics();
    assert!((2..12).contains(&statistics.died), "{what}: {statistics:?}");
    assert!(statistics.last_death.as_ref().unwrap().contains(reason), "{what}: {statistics:?}");
}

#[test]
fn garbage_on_the_wire() {
    check_nonsense("garbage", "bytes was announced");
}

#[test]
fn numbers_that_name_nothing() {
    check_nonsense("misnumbered", "not one to what was asked");
}

#[test]
fn a_test_that_is_innocent_when_alone() {
    let mut tests = quick(300);
    tests[20] = test("abort in company", 20);
    let mut fixture = Fixture::of(2, 1);
    let results = fixture.run(&tests);
    assert_eq!(dead(&results), Vec::<usize>::new());
    assert_is_of(&results, 20, 20);
    assert_eq!(fixture.handle.statistics().died, 1);
}

#[test]
fn a_worker_that_has_to_end() {
    let mut tests = quick(1000);
    for place in [0, 10, 11, 500, 999] {
        tests[place] = test("last", i32::try_from(place).unwrap());
    }
    let plain = Fixture::of(1, 0).run(&quick(1000));
    for workers in [1, 2] {
        let mut fixture = Fixture::of(workers, 1);
        assert!(fixture.run(&tests) == plain);
        let statistics = fixture.handle.statistics();
        // The end of the last one may not have been counted yet.
        assert!(statistics.recycled >= 4 && statistics.died == 0, "{statistics:?}");
    }
}

#[test]
fn many_bad_tests_at_once() {
    let mut tests = quick(200);
    let bad = [0, 1, 2, 50, 98, 99, 150, 199];
    for place in bad {
        tests[place] = test("abort", 0);
    }
    let mut fixture = Fixture::of(2, 2);
    let results = fixture.run(&tests);
    assert_eq!(dead(&results), bad);
    let alone = fixture.run_as(&tests[..3], Isolation::FreshJvm).unwrap();
    assert_eq!(dead(&alone), [0, 1, 2]);
    assert_eq!(dead(&fixture.run(&quick(300))), Vec::<usize>::new());
}

#[test]
#[expect(clippy::disallowed_methods, reason = "measures that a test is slow")]
fn a_slow_test_is_not_a_hanging_one() {
    let mut fixture = Fixture::of(1, 0);
    let start = Instant::now();
    let results = fixture.run(&[test("sleep", 1000)]);
    assert!(start.elapsed() >= Duration::from_secs(1));
    assert_is_of(&results, 0, 1000);
    assert_eq!(fixture.handle.statistics().died, 0);
}
