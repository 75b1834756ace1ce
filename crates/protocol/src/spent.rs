use std::iter::Sum;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// What the time of a worker went into while it answered requests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spent {
    /// Loading the program anew, and tests from the moment on when they loaded a class.
    pub load: Duration,
    /// Running tests, and telling what they did.
    pub run: Duration,
    /// Making static state as it was before a test.
    pub reset: Duration,
    /// Running tests that were stopped because their time was up.
    pub stopped: Duration,
    /// Tests that got the program's classes anew, their loading included.
    pub fresh: Duration,
    /// How often the program was loaded anew.
    pub loaders: u64,
    /// How many tests were stopped.
    pub stops: u64,
}

impl Spent {
    /// What was spent since an earlier account.
    #[must_use]
    pub fn since(&self, before: Self) -> Self {
        Self {
            load: self.load.saturating_sub(before.load),
            run: self.run.saturating_sub(before.run),
            reset: self.reset.saturating_sub(before.reset),
            stopped: self.stopped.saturating_sub(before.stopped),
            fresh: self.fresh.saturating_sub(before.fresh),
            loaders: self.loaders.saturating_sub(before.loaders),
            stops: self.stops.saturating_sub(before.stops),
        }
    }
}

impl Sum for Spent {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |sum, it| Self {
            load: sum.load.saturating_add(it.load),
            run: sum.run.saturating_add(it.run),
            reset: sum.reset.saturating_add(it.reset),
            stopped: sum.stopped.saturating_add(it.stopped),
            fresh: sum.fresh.saturating_add(it.fresh),
            loaders: sum.loaders.saturating_add(it.loaders),
            stops: sum.stops.saturating_add(it.stops),
        })
    }
}
