//! Workers that do not start.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use crashback_jvm::pool::{Pool, PoolSettings};

use crate::support::{Fixture, quick, settings};

fn check(settings: PoolSettings, expect: &[&str]) {
    let mut fixture = Fixture::new(settings);
    for _ in 0..2 {
        let failure = fixture.run_as(&quick(10), Default::default()).unwrap_err().to_string();
        for words in expect.iter().chain(&["crashback doctor"]) {
            assert!(failure.contains(words), "{words:?} in {failure}");
        }
    }
    assert!(fixture.handle.statistics().started <= 12);
}

#[test]
fn the_reason_is_told() {
    check(settings(&["dies"]), &["libjvm.so has fallen down the stairs", "exit status: 3"]);
    check(settings(&["fails"]), &["no JVM in an empty folder"]);
    check(settings(&["newer"]), &["the program was replaced while it ran"]);
    check(settings(&["stranger"]), &["no part of crashback"]);
    let mut missing = settings(&[]);
    missing.command.program = PathBuf::from("/nonexistent/worker");
    check(missing, &["/nonexistent/worker"]);
    let mut other = settings(&[]);
    other.command.arguments = vec![OsString::from("nothing")];
    check(other, &["exit status: 2"]);
    let impatient = PoolSettings { start: Duration::from_millis(300), ..settings(&["mute"]) };
    check(impatient, &["it took more than 300ms to get ready"]);
}

#[test]
fn the_first_worker_tells_about_itself() {
    let mut fixture = Fixture::of(2, 1);
    let ready = fixture.pool().ready().unwrap();
    assert_eq!(ready.report.jvm, "fake");
    assert!(ready.time < Duration::from_secs(20));
}

#[test]
fn a_scratch_root_must_exist() {
    let mut settings = settings(&[]);
    settings.scratch_root = PathBuf::from("/nonexistent/folder");
    let failure = Pool::new(settings).unwrap_err().to_string();
    assert!(failure.contains("/nonexistent/folder"), "{failure}");
}

#[test]
#[expect(clippy::disallowed_methods, reason = "measures how long dropping takes")]
fn dropping_does_not_wait_for_a_worker_that_starts() {
    let fixture = Fixture::new(PoolSettings { workers: 3, ..settings(&["mute"]) });
    while fixture.handle.processes().len() < 3 {
        std::thread::sleep(Duration::from_millis(5));
    }
    let start = Instant::now();
    drop(fixture);
    assert!(start.elapsed() < Duration::from_secs(2));
}
