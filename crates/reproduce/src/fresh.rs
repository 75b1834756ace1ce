//! Which tests get the program's classes anew.

use crashback_protocol::Usage;
use crashback_testcase::TestCase;
use crashback_testcase::workshop::Workshop;

/// How many of a hundred tests get the program's classes anew because they set state that initialisers
/// read. In a big program loading takes as long as hundreds of tests, so there it must be what stands
/// in the way: one test in so many has ended with a class that could not be initialised.
const OF_SMALL: usize = 12;
const OF_BIG: usize = 2;
const STANDS_IN_THE_WAY: usize = 8;

/// One part of so many of the workers' time is for such tests, where time bounds the search: in some
/// programs one takes as long as a hundred others.
const PART_OF_TIME: u32 = 10;

/// How many tests the share of failed initialisers is taken of.
const WINDOW: usize = 100;

/// Decides by what recent tests failed of.
#[derive(Debug, Default)]
pub(crate) struct FreshClasses {
    /// Tests told since the window began, and how many of them could not initialise a class.
    told: usize,
    failed: usize,
    /// Whether failed initialisers stood in the way in the window before.
    stood_in_the_way: bool,
}

impl FreshClasses {
    /// So many tests were told.
    pub(crate) fn count(&mut self, workshop: &mut Workshop<'_>, tests: usize) {
        self.told += tests;
        self.failed += workshop.take_failed_initialisers();
        if self.told >= WINDOW {
            self.stood_in_the_way = self.failed * STANDS_IN_THE_WAY >= self.told;
            (self.told, self.failed) = (0, 0);
        }
    }

    /// Whether workers have the time for such tests.
    pub(crate) fn is_affordable(usage: &Usage) -> bool {
        usage.spent.fresh * PART_OF_TIME <= usage.busy
    }

    /// The places of tests that get the program's classes anew.
    pub(crate) fn places(&self, workshop: &mut Workshop<'_>, tests: &[TestCase]) -> Vec<usize> {
        let of_hundred = match workshop.has_waiting_initialisers() {
            true if workshop.pools().is_small => OF_SMALL,
            true if self.stood_in_the_way => OF_BIG,
            _ => return Vec::new(),
        };
        let most = (of_hundred * tests.len()).div_ceil(100);
        let waiting = tests.iter().enumerate().filter(|(_, it)| workshop.precedes_initialisers(it));
        waiting.map(|(place, _)| place).take(most).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use crashback_protocol::Spent;

    use super::*;

    #[test]
    fn fresh_classes_get_a_part_of_the_time() {
        let usage = |fresh| {
            let spent = Spent { fresh: Duration::from_millis(fresh), ..Spent::default() };
            Usage { busy: Duration::from_secs(1), spent, ..Usage::default() }
        };
        assert!(FreshClasses::is_affordable(&usage(100)) && !FreshClasses::is_affordable(&usage(101)));
        assert!(FreshClasses::is_affordable(&Usage::default()), "before anything has run");
    }
}
