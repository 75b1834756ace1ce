//! The account of time: where the time of a reproduction goes.

use std::time::Duration;

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
}

impl Timing {
    /// All parts with their names, in order.
    pub fn parts(&self) -> [(&'static str, f64); 6] {
        let Self { index, prepare, search, minimise, compile, verify } = *self;
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
