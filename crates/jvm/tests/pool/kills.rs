//! Kills and interruptions at random moments.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crashback_jvm::pool::{Pool, PoolHandle, PoolSettings};
use crashback_protocol::{Batch, Evaluator, Isolation};
use crashback_testcase::{TestCase, Vocabulary};
use rustix::process::{Pid, Signal, kill_process};

use crate::support::{Fixture, dead, is_child, settings, test};

/// Enough for every one of these tests.
const KILLS: usize = 200;

/// A small generator, so that a failure can be repeated as far as time allows.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

fn tests() -> Vec<TestCase> {
    (0..2000).map(|number| test(if number % 5 == 0 { "spin" } else { "quick" }, number % 200)).collect()
}

/// Kills workers, fresh, starting or busy, until enough are dead. Gives the numbers of all it has
/// seen.
fn kill_at_random(handle: &PoolHandle, done: &AtomicBool) -> BTreeSet<u32> {
    let mut random = Random(1);
    let mut seen = BTreeSet::new();
    let mut killed = 0;
    while killed < KILLS {
        thread::sleep(Duration::from_micros(random.below(20_000)));
        let processes = handle.processes();
        let chosen = processes.get(usize::try_from(random.below(8)).unwrap() % processes.len().max(1));
        let id = chosen.and_then(|id| Pid::from_raw(i32::try_from(*id).unwrap()));
        if id.is_some_and(|id| kill_process(id, Signal::KILL).is_ok()) {
            killed += 1;
        }
        seen.extend(processes);
    }
    done.store(true, Ordering::Release);
    seen
}

#[test]
fn kills_at_random_moments_do_not_show() {
    let tests = tests();
    let expected = Fixture::of(1, 0).run(&tests);
    let mut fixture = Fixture::of(2, 1);
    let handle = fixture.handle.clone();
    let done = AtomicBool::new(false);
    let mut batches = 0;
    let seen = thread::scope(|scope| {
        let killer = scope.spawn(|| kill_at_random(&handle, &done));
        while !done.load(Ordering::Acquire) {
            let tickets = [(); 3].map(|()| fixture.submit(&tests, Isolation::Reset));
            for ticket in tickets {
                let results = fixture.collect(ticket);
                assert_eq!(dead(&results), Vec::<usize>::new());
                assert!(results == expected);
                batches += 1;
            }
        }
        killer.join().unwrap()
    });
    assert!(batches > 1 && seen.len() > 20, "{batches} batches, {} processes", seen.len());
    assert!(fixture.handle.statistics().died > 50, "{:?}", fixture.handle.statistics());
    fixture.close();
    for process in seen {
        assert!(!is_child(process), "process {process} is left");
    }
}

/// Runs itself in another process, which has a pool and is killed.
#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "the test is two processes and tells them apart by the environment"
)]
fn a_killed_pool_leaves_no_worker_and_its_folder_only_to_the_next() {
    const ROOT: &str = "CRASHBACK_TEST_ROOT";
    if let Some(root) = env::var_os(ROOT) {
        return have_a_pool(root.into());
    }
    let root = tempfile::tempdir().unwrap();
    let mut child = Command::new(env::current_exe().unwrap())
        .args([
            "--exact",
            "--nocapture",
            "kills::a_killed_pool_leaves_no_worker_and_its_folder_only_to_the_next",
        ])
        .env(ROOT, root.path())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    let workers = lines.filter_map(|line| line.strip_prefix("worker ").map(|id| id.to_owned())).take(2);
    let workers: Vec<String> = workers.collect();
    assert_eq!(workers.len(), 2);
    child.kill().unwrap();
    child.wait().unwrap();
    let deadline = Instant::now() + Duration::from_secs(20);
    while workers.iter().any(|id| Path::new("/proc").join(id).exists()) {
        assert!(Instant::now() < deadline, "{workers:?} live on");
        thread::sleep(Duration::from_millis(10));
    }
    assert_eq!(fs::read_dir(root.path()).unwrap().count(), 1);
    let settings = PoolSettings { scratch_root: root.path().to_path_buf(), ..settings(&[]) };
    drop(Pool::new(settings).unwrap());
    assert_eq!(fs::read_dir(root.path()).unwrap().count(), 0);
}

/// Makes a pool, tells its workers and waits.
fn have_a_pool(root: PathBuf) {
    let mut pool = Pool::new(PoolSettings { workers: 1, scratch_root: root, ..settings(&[]) }).unwrap();
    let vocabulary = Vocabulary::default();
    pool.evaluate(Batch::new(&vocabulary, &tests())).unwrap();
    while pool.handle().processes().len() < 2 {
        thread::sleep(Duration::from_millis(1));
    }
    pool.handle().processes().iter().for_each(|id| println!("\nworker {id}"));
    thread::sleep(Duration::from_secs(60));
}

#[test]
#[expect(clippy::disallowed_methods, reason = "measures how long an interruption takes")]
fn interruptions_at_random_moments_leave_nothing() {
    let tests: Vec<_> = (0..20_000).map(|number| test("spin", number % 1000)).collect();
    let mut random = Random(2);
    for _ in 0..40 {
        let mut fixture = Fixture::of(2, 1);
        let handle = fixture.handle.clone();
        let moment = Duration::from_micros(random.below(60_000));
        let stopped = thread::scope(|scope| {
            let stopper = scope.spawn(move || {
                thread::sleep(moment);
                let start = Instant::now();
                handle.stop();
                start
            });
            let failure = fixture.run_as(&tests, Default::default()).unwrap_err();
            assert!(failure.to_string().contains("interrupted"), "{failure}");
            stopper.join().unwrap()
        });
        fixture.close();
        assert!(stopped.elapsed() < Duration::from_secs(2), "{:?}", stopped.elapsed());
    }
}
