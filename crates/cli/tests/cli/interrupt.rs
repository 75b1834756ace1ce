//! An interrupted command: soon over, with its exit code, and nothing left.
#![expect(clippy::disallowed_methods, reason = "the tests send signals and look at the clock")]

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::{Program, command};

/// Process numbers of workers of a program.
fn workers(parent: u32) -> Vec<u32> {
    let processes = fs::read_dir("/proc").expect("/proc").flatten();
    let numbers = processes.filter_map(|it| it.file_name().to_str()?.parse::<u32>().ok());
    let is_worker = |number: &u32| {
        let status = fs::read_to_string(format!("/proc/{number}/status")).unwrap_or_default();
        let line = fs::read_to_string(format!("/proc/{number}/cmdline")).unwrap_or_default();
        status.contains(&format!("PPid:\t{parent}\n")) && line.ends_with("\0worker\0")
    };
    numbers.filter(is_worker).collect()
}

fn entries(folder: &Path) -> Vec<String> {
    fs::read_dir(folder).expect("a folder").map(|it| format!("{:?}", it.expect("an entry").path())).collect()
}

/// Waits for something to become true.
fn eventually(what: &str, mut holds: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < Duration::from_secs(60), "{what}");
        thread::sleep(Duration::from_millis(5));
    }
}

/// Interrupts a command as soon as it has workers.
fn interrupt(signal: &str, arguments: &[&str]) {
    let scratch = tempfile::tempdir().expect("a folder");
    let mut child = command()
        .args(arguments)
        .env("TMPDIR", scratch.path())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("crashback runs");
    let mut seen = Vec::new();
    eventually("there are workers", || {
        seen = workers(child.id());
        assert!(child.try_wait().expect("a process").is_none(), "it ended before it could be interrupted");
        !seen.is_empty()
    });
    let begun = Instant::now();
    let sent = Command::new("kill").arg(signal).arg(child.id().to_string()).status().expect("kill runs");
    assert!(sent.success());
    let output = child.wait_with_output().expect("a process");
    assert_eq!(output.status.code(), Some(130), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    eventually("no worker is left", || seen.iter().all(|it| !Path::new(&format!("/proc/{it}")).exists()));
    assert_eq!(entries(scratch.path()), Vec::<String>::new());
    let object: Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    assert_eq!((&object["exit_code"], &object["error"]["kind"]), (&130.into(), &"interrupted".into()));
}

#[test]
fn the_doctor_can_be_interrupted() {
    interrupt("-INT", &["doctor", "--json"]);
    interrupt("-TERM", &["doctor", "--json"]);
}

#[test]
fn verification_can_be_interrupted() {
    let shop = Program::shop();
    let classes = shop.path("classes");
    let classes = classes.to_str().expect("a plain path");
    interrupt("-INT", &["verify-instrumentation", "--json", "--classpath", classes]);
}

#[test]
fn a_search_can_be_interrupted() {
    let shop = Program::shop();
    let (log, classes) = (shop.path("crash.log"), shop.path("classes"));
    // Nothing throws this there, so that the search goes on until it is interrupted.
    let text = shop.log().replace("NullPointerException", "IllegalMonitorStateException");
    fs::write(&log, text).expect("the log");
    let out = tempfile::tempdir().expect("a folder");
    let path = |path: &Path| path.to_str().expect("a plain path").to_owned();
    let (log, classes, folder) = (path(&log), path(&classes), path(out.path()));
    let arguments = ["reproduce", &log, "--classpath", &classes, "--out", &folder, "--time", "1h", "--json"];
    interrupt("-INT", &arguments);
    interrupt("-TERM", &arguments);
    assert_eq!(entries(out.path()), Vec::<String>::new());
}
