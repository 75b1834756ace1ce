//! What the time of this process goes into.

use std::time::{Duration, Instant};

use crashback_protocol::Spent;

/// An account of the time in which requests are answered. The clock is read where something else
/// begins, not for each test: most tests need neither a reset nor another loader.
pub(super) struct Account {
    spent: Spent,
    /// How long a test may run.
    limit: Duration,
    /// The moment up to which time was added.
    until: Instant,
}

impl Account {
    /// An account of tests that may run for so long.
    pub(super) fn new(limit: Duration) -> Self {
        Self { spent: Spent::default(), limit, until: now() }
    }

    /// From now on a test may run for so long.
    pub(super) fn set_limit(&mut self, limit: Duration) {
        self.limit = limit;
    }

    /// A request begins: the time before it was spent waiting.
    pub(super) fn begin(&mut self) {
        self.until = now();
    }

    /// Tests have run until now.
    pub(super) fn ran(&mut self) {
        let passed = self.passed();
        self.spent.run += passed;
    }

    /// Tests have run until now, and the last one was stopped because its time was up.
    pub(super) fn stopped(&mut self) {
        let passed = self.passed();
        let stopped = passed.min(self.limit);
        self.spent.stopped += stopped;
        self.spent.run += passed.saturating_sub(stopped);
        self.spent.stops += 1;
    }

    /// Static state was reset until now. Tells how long that took.
    pub(super) fn reset(&mut self) -> Duration {
        let passed = self.passed();
        self.spent.reset += passed;
        passed
    }

    /// Tests have run until now, and the last one loaded classes for so long.
    pub(super) fn ran_loading(&mut self, loading: Duration) {
        let passed = self.passed();
        let loading = loading.min(passed);
        self.spent.load += loading;
        self.spent.run += passed.saturating_sub(loading);
    }

    /// The program was loaded until now.
    pub(super) fn loaded(&mut self) {
        let passed = self.passed();
        self.spent.load += passed;
        self.spent.loaders += 1;
    }

    /// A request ends after a test: everything since the last one. Where each test got the program's
    /// classes anew there is one sum.
    pub(super) fn take(&mut self, is_fresh: bool) -> Spent {
        self.ran();
        let mut spent = std::mem::take(&mut self.spent);
        if is_fresh {
            let Spent { load, run, reset, .. } = spent;
            spent.fresh = load + run + reset;
            (spent.load, spent.run, spent.reset) = Default::default();
        }
        spent
    }

    fn passed(&mut self) -> Duration {
        let before = std::mem::replace(&mut self.until, now());
        self.until.saturating_duration_since(before)
    }
}

#[expect(clippy::disallowed_methods, reason = "the time that tests take is told")]
fn now() -> Instant {
    Instant::now()
}
