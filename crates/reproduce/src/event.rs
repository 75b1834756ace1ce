use std::time::Duration;

use crate::Stage;

/// A step of a reproduction, for displays and records.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// JUnit is fetched, for which the clock stands still.
    FetchingJUnit,
    /// The search for a frame begins, or goes on after another frame had its turn.
    Searching {
        /// The frame, 1 for the innermost.
        frame: u32,
    },
    /// The search for a frame begins anew: it came no nearer for long.
    Restarted {
        /// The frame.
        frame: u32,
    },
    /// A generation of tests has been looked at.
    Progress {
        /// The frame that is searched.
        frame: u32,
        /// How far its best test has come.
        outcome: Stage,
        /// The best distance, 0 when the crash is reproduced in the worker.
        distance: f64,
        /// Tests executed so far, for all frames.
        evaluations: u64,
        /// Since the clock started.
        elapsed: Duration,
    },
    /// A test that crashed as wanted did so again, with another clock and in a JVM of its own.
    Confirmed {
        /// The frame.
        frame: u32,
    },
    /// A test that crashed as wanted did not do so again: by chance, or because of earlier tests.
    Refuted {
        /// The frame.
        frame: u32,
    },
    /// A test crashes as wanted in the worker; it is now written down, compiled and run by JUnit.
    Verifying {
        /// The frame.
        frame: u32,
    },
    /// It did so in a plain JVM as well.
    Reproduced {
        /// The frame.
        frame: u32,
    },
    /// It did not.
    NotConfirmed {
        /// The frame.
        frame: u32,
        /// What happened instead.
        reason: String,
    },
    /// The test is made shorter and simpler.
    Minimising {
        /// The frame.
        frame: u32,
    },
}
