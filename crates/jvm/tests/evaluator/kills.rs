//! Real workers killed from outside, at any moment.

use std::collections::BTreeSet;
use std::fs;
use std::thread;
use std::time::Duration;

use crashback_jvm::check::check;
use crashback_jvm::pool::PoolHandle;
use crashback_protocol::Outcome;
use crashback_testcase::{Literal, TestCase};
use rustix::process::{Pid, Signal, kill_process};

use crate::support::{Bench, jdk_homes};

const KILLS: u64 = 200;

/// Tests that throw, return and change static state.
fn tests(bench: &mut Bench, count: i32) -> Vec<TestCase> {
    let each = |number| {
        let text = Literal::Text(format!("text {number}").as_str().into());
        match number % 4 {
            0 => bench.call("subject/Stateful.all(Ljava/lang/String;)V", &[text]),
            1 => bench.call("subject/Throwing.chain()V", &[]),
            2 => bench.call("subject/Stateful.other()V", &[]),
            _ => bench.call("subject/Hanging.healthy(I)I", &[Literal::Int(number)]),
        }
    };
    (0..count).map(each).collect()
}

/// Kills one of the pool's processes, ready or not, after a while. Gives all that there were.
fn kill_one(handle: &PoolHandle, random: u64) -> Vec<u32> {
    thread::sleep(Duration::from_micros(random % 40_000));
    let processes = handle.processes();
    let choice = usize::try_from(random >> 32).unwrap() % processes.len().max(1);
    if let Some(id) = processes.get(choice).and_then(|id| Pid::from_raw(id.cast_signed())) {
        // It may have ended by itself.
        let _ = kill_process(id, Signal::KILL);
    }
    processes
}

#[test]
fn kills_at_random_moments_do_not_show() {
    let mut bench = Bench::new(&jdk_homes().remove(0));
    let tests = tests(&mut bench, 1500);
    let expected = bench.run(&mut bench.pool(1), &tests);
    assert!(expected.observations.iter().all(|it| matches!(it.outcome, Outcome::Threw | Outcome::Returned)));
    let mut pool = bench.pool(2);
    let handle = pool.handle();
    let mut random = 1_u64;
    let mut seen = BTreeSet::new();
    for kill in 0..KILLS {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        thread::scope(|scope| {
            let killer = scope.spawn(|| kill_one(&handle, random));
            assert!(bench.run(&mut pool, &tests) == expected, "after {kill} kills");
            seen.extend(killer.join().unwrap());
        });
    }
    assert!(handle.statistics().died > KILLS / 10, "{:?}", handle.statistics());
    drop(pool);
    for process in seen {
        let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
        assert!(!stat.contains("test-worker"), "{stat} is left");
    }
    assert_eq!(fs::read_dir(bench.scratch_root()).unwrap().count(), 0, "scratch is left");
}

/// Static state of every kind comes out the same with reset, in a fresh loader and in a fresh JVM;
/// what a JVM remembers does not.
#[test]
fn the_three_ways_to_keep_tests_apart_agree() {
    let mut bench = Bench::new(&jdk_homes().remove(0));
    let sample = tests(&mut bench, 12);
    let mut pool = bench.pool(2);
    let differences = check(&mut pool, &bench.vocabulary, &sample).unwrap();
    assert_eq!((differences.compared, differences.differing), (12, Vec::new()));
}
