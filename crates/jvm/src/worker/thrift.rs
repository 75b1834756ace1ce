//! What it may cost to keep tests apart.
//!
//! To reset a class or to load the program anew can take as long as hundreds of tests, and mostly changes
//! nothing that a test would see: a cache is emptied, a table is made once more. Where a request allows it
//! ([`Isolation::Bounded`]) both wait until they are worth it: what they took in all stays below a part of
//! the time. The measure is time, since neither the number of classes nor that of initialisers tells what
//! they cost. For the same reason a test is stopped once it has taken a multiple of the usual time.

use std::time::Duration;

use crashback_protocol::Isolation;

/// One part of so many of the time is for resets and new loaders.
const PART: u32 = 6;

/// A test that takes so many times the usual time is stopped, but not before the shortest limit: what it
/// needs that long for is hardly what the others crash by.
const TIMES_USUAL: u32 = 300;
const SHORTEST_LIMIT: Duration = Duration::from_millis(60);

/// How many tests must have run before their usual time is known.
const MANY: u64 = 1000;

/// The time that tests took, and the part of it that went into keeping them apart.
#[derive(Debug, Default)]
pub(super) struct Thrift {
    is_bounded: bool,
    /// What requests took that bound the cost.
    busy: Duration,
    /// Their tests.
    tests: u64,
    /// What resets took, and loading classes that had been loaded before.
    spent: Duration,
    /// What loading took since the program was last loaded anew: what it will take the next time.
    loading: Duration,
    /// What the last reset took.
    reset: Duration,
    /// Whether the program was ever loaded anew: loading for the first time is no cost of this kind.
    has_renewed: bool,
}

impl Thrift {
    /// A request begins.
    pub(super) fn begin(&mut self, isolation: Isolation) {
        self.is_bounded = isolation == Isolation::Bounded;
    }

    /// Whether the cost is bounded at all.
    pub(super) fn is_bounded(&self) -> bool {
        self.is_bounded
    }

    /// A request of some tests has ended that took so long.
    pub(super) fn end(&mut self, tests: usize, took: Duration) {
        if self.is_bounded {
            self.busy += took;
            self.tests += tests as u64;
        }
    }

    /// How long a test of the request may take, where a limit is given.
    pub(super) fn limit(&self, given: Duration) -> Duration {
        if !self.is_bounded || self.tests < MANY {
            return given;
        }
        let usual = self.busy / u32::try_from(self.tests).unwrap_or(u32::MAX);
        (usual * TIMES_USUAL).max(SHORTEST_LIMIT).min(given)
    }

    /// A reset took so long.
    pub(super) fn has_reset(&mut self, took: Duration) {
        self.reset = took;
        self.spend(took);
    }

    /// A test loaded classes, which took so long.
    pub(super) fn has_loaded(&mut self, took: Duration) {
        self.loading += took;
        if self.has_renewed {
            self.spend(took);
        }
    }

    /// What requests cost that are not bounded is no part of their time either.
    fn spend(&mut self, time: Duration) {
        if self.is_bounded {
            self.spent += time;
        }
    }

    /// The program was loaded anew.
    pub(super) fn has_renewed(&mut self) {
        self.has_renewed = true;
        self.loading = Duration::ZERO;
    }

    /// Whether there may be a reset now.
    pub(super) fn affords_reset(&self) -> bool {
        self.affords(self.reset)
    }

    /// Whether the program may be loaded anew now.
    pub(super) fn affords_loader(&self) -> bool {
        self.affords(self.loading)
    }

    fn affords(&self, cost: Duration) -> bool {
        !self.is_bounded || (self.spent + cost) * PART <= self.busy
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MILLISECOND: Duration = Duration::from_millis(1);

    fn bounded() -> Thrift {
        let mut thrift = Thrift::default();
        thrift.begin(Isolation::Bounded);
        thrift
    }

    #[test]
    fn a_dear_loader_waits_until_tests_have_taken_long_enough() {
        let mut thrift = bounded();
        thrift.has_loaded(100 * MILLISECOND);
        thrift.end(1, 599 * MILLISECOND);
        assert!(!thrift.affords_loader());
        thrift.end(1, MILLISECOND);
        assert!(thrift.affords_loader());
        thrift.has_renewed();
        thrift.has_loaded(100 * MILLISECOND);
        assert!(!thrift.affords_loader());
    }

    #[test]
    fn cheap_resets_never_wait_and_dear_ones_do() {
        let mut thrift = bounded();
        for _ in 0..100 {
            thrift.end(1, 60 * MILLISECOND);
            assert!(thrift.affords_reset());
            thrift.has_reset(MILLISECOND);
        }
        let mut affordable = 0;
        for _ in 0..1000 {
            thrift.end(1, MILLISECOND);
            if thrift.affords_reset() {
                thrift.has_reset(2 * MILLISECOND);
                affordable += 1;
            }
        }
        assert!(affordable < 1000 && thrift.spent * PART <= thrift.busy);
    }

    #[test]
    fn the_limit_follows_the_usual_time() {
        let given = 300 * MILLISECOND;
        let mut thrift = bounded();
        assert_eq!(thrift.limit(given), given, "nothing is known");
        thrift.end(1000, 300 * MILLISECOND);
        assert_eq!(thrift.limit(given), 90 * MILLISECOND);
        thrift.end(9000, 100 * MILLISECOND);
        assert_eq!(thrift.limit(given), SHORTEST_LIMIT);
        thrift.end(1000, Duration::from_secs(100));
        assert_eq!(thrift.limit(given), given);
        thrift.begin(Isolation::Grouped);
        assert_eq!(thrift.limit(given), given);
    }

    #[test]
    fn nothing_waits_where_the_cost_is_not_bounded() {
        let mut thrift = Thrift::default();
        thrift.begin(Isolation::Reset);
        thrift.has_loaded(Duration::from_secs(100));
        assert!(thrift.affords_loader() && thrift.affords_reset());
    }
}
