//! The account of time: where the time of a reproduction goes.

use std::time::Duration;

use crashback_protocol::{Spent, Usage};
use serde::{Deserialize, Serialize};

/// Where the time of a reproduction went, in seconds of wall clock. The parts follow each other, so
/// that their sum is about the time of everything.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Timing {
    /// Reading the log and the class path, up to the choice of the crash.
    pub index: f64,
    /// Preparing the searches: what the code around the crash does and offers.
    pub prepare: f64,
    /// Searching, confirmations beside it included.
    pub search: f64,
    /// Making tests smaller.
    pub minimise: f64,
    /// Compiling tests.
    pub compile: f64,
    /// Running compiled tests in plain JVMs.
    pub verify: f64,
    /// What all workers together did meanwhile.
    pub all_workers: WorkerTiming,
    /// What each of them did. Those behind the number of workers that was asked for are spares, which
    /// confirm tests.
    pub workers: Vec<WorkerTiming>,
}

/// Where the time of worker processes went, in seconds, and how often the dear things happened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WorkerTiming {
    /// Starting processes.
    pub start: f64,
    /// Loading the program anew, and tests from the moment on when they loaded a class.
    pub load: f64,
    /// Running tests.
    pub run: f64,
    /// Making static state as it was before a test.
    pub reset: f64,
    /// Running tests that were stopped because their time was up.
    pub stopped: f64,
    /// Tests that got the program's classes anew, their loading included.
    #[serde(default)]
    pub fresh: f64,
    /// Waiting for tests.
    pub wait: f64,
    /// Running tests that had a process of their own, to confirm them.
    pub confirm: f64,
    /// How many tests were run.
    pub tests: u64,
    /// How often the program was loaded anew.
    pub loaders: u64,
    /// How many tests were stopped.
    pub stops: u64,
}

impl From<Usage> for WorkerTiming {
    fn from(usage: Usage) -> Self {
        let Usage { evaluations, busy: _, waiting, starting, confirming, spent } = usage;
        let Spent { load, run, reset, stopped, fresh, loaders, stops } = spent;
        Self {
            start: starting.as_secs_f64(),
            load: load.as_secs_f64(),
            run: run.as_secs_f64(),
            reset: reset.as_secs_f64(),
            stopped: stopped.as_secs_f64(),
            fresh: fresh.as_secs_f64(),
            wait: waiting.as_secs_f64(),
            confirm: confirming.as_secs_f64(),
            tests: evaluations,
            loaders,
            stops,
        }
    }
}

impl WorkerTiming {
    /// All parts with their names, in order.
    pub fn parts(&self) -> [(&'static str, f64); 8] {
        let Self { start, load, run, reset, stopped, fresh, wait, confirm, .. } = *self;
        [
            ("start", start),
            ("load", load),
            ("run", run),
            ("reset", reset),
            ("stopped", stopped),
            ("fresh", fresh),
            ("wait", wait),
            ("confirm", confirm),
        ]
    }
}

impl Timing {
    /// The same with what workers did.
    pub(crate) fn with_workers(mut self, workers: &[Usage]) -> Self {
        self.workers = workers.iter().copied().map(WorkerTiming::from).collect();
        self.all_workers = workers.iter().copied().sum::<Usage>().into();
        self
    }

    /// All parts with their names, in order.
    pub fn parts(&self) -> [(&'static str, f64); 6] {
        let Self { index, prepare, search, minimise, compile, verify, .. } = *self;
        [
            ("index", index),
            ("prepare", prepare),
            ("search", search),
            ("minimise", minimise),
            ("compile", compile),
            ("verify", verify),
        ]
    }
}

/// Adds what passed since a moment to a part.
pub(crate) fn add(part: &mut f64, since: Duration, now: Duration) {
    *part += now.saturating_sub(since).as_secs_f64();
}
