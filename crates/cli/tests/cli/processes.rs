//! Processes that a command has started.
#![expect(clippy::disallowed_methods, reason = "the tests look at the clock")]

use std::fs;
use std::thread;
use std::time::{Duration, Instant};

/// A process that a command has started, or one of its processes has.
pub(crate) struct Process {
    pub(crate) id: u32,
    /// Its command line, with a NUL after each word.
    pub(crate) line: String,
}

impl Process {
    pub(crate) fn is_worker(&self) -> bool {
        self.line.ends_with("\0worker\0")
    }
}

/// All processes below one.
pub(crate) fn descendants(of: u32) -> Vec<Process> {
    let processes = fs::read_dir("/proc").expect("/proc").flatten();
    let numbers = processes.filter_map(|it| it.file_name().to_str()?.parse::<u32>().ok());
    let parents: Vec<(u32, u32)> = numbers.filter_map(|it| Some((it, parent(it)?))).collect();
    let mut known = vec![of];
    let mut next = 0;
    while let Some(above) = known.get(next).copied() {
        known.extend(parents.iter().filter(|(_, parent)| *parent == above).map(|(id, _)| *id));
        next += 1;
    }
    let line = |id: u32| fs::read_to_string(format!("/proc/{id}/cmdline")).unwrap_or_default();
    known.into_iter().skip(1).map(|id| Process { id, line: line(id) }).collect()
}

fn parent(of: u32) -> Option<u32> {
    let status = fs::read_to_string(format!("/proc/{of}/status")).ok()?;
    status.lines().find_map(|it| it.strip_prefix("PPid:"))?.trim().parse().ok()
}

/// A process that has ended and waits for a parent that is gone is as good as none.
pub(crate) fn is_alive(id: u32) -> bool {
    let status = fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
    !status.is_empty() && !status.contains("State:\tZ")
}

/// Waits for something to become true.
pub(crate) fn eventually(what: &str, mut holds: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < Duration::from_secs(120), "{what}");
        thread::sleep(Duration::from_millis(2));
    }
}
