use std::time::Duration;

/// How many tests go into a request, and how many are in flight, so that no worker waits for the
/// slowest test of another and algorithms do not breed long from what they knew before.
///
/// Where tests are counted both are fixed: the order of asking and telling must depend on nothing else.
/// Where time counts they follow the rate at which results come.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pace {
    is_timed: bool,
    /// Seconds for a test, as workers together need them: a moving average.
    seconds: Option<f64>,
    /// Tests told since the clock was last read, and when that was.
    told: usize,
    since: Duration,
}

/// Tests in a request, and requests in flight, where tests are counted.
const COUNTED_REQUEST: usize = 50;
const COUNTED_IN_FLIGHT: usize = 3;

/// Where time counts: how long a request should take, and how much work should be in flight. A test
/// that hangs is stopped after 0.3 s.
const REQUEST: f64 = 0.08;
const IN_FLIGHT: f64 = 0.5;

/// Fewer tests in a request cost more in messages than they gain, more of them age.
const SMALLEST: usize = 8;
const LARGEST: usize = 100;

/// The most generations that an algorithm breeds from what it knew before.
const GENERATIONS: usize = 4;

/// The most tests in flight whatever their rate: observations of all of them may have to be kept.
const MOST_IN_FLIGHT: usize = 4_000;

/// How much a new reading of the rate counts.
const WEIGHT: f64 = 0.3;
/// The shortest time that a rate is read from.
const READING: Duration = Duration::from_millis(50);

impl Pace {
    pub(crate) fn new(is_timed: bool) -> Self {
        Self { is_timed, seconds: None, told: 0, since: Duration::ZERO }
    }

    /// How many tests the next request should have.
    pub(crate) fn request(&self) -> usize {
        match (self.is_timed, self.seconds) {
            (false, _) => COUNTED_REQUEST,
            (true, None) => SMALLEST * 2,
            (true, Some(seconds)) => ((REQUEST / seconds) as usize).clamp(SMALLEST, LARGEST),
        }
    }

    /// How many tests may be in flight, for an algorithm that breeds from so many.
    pub(crate) fn in_flight(&self, population: usize) -> usize {
        let request = self.request();
        match (self.is_timed, self.seconds) {
            (false, _) => COUNTED_REQUEST * COUNTED_IN_FLIGHT,
            (true, None) => request * 4,
            (true, Some(seconds)) => {
                let most = (GENERATIONS * population).max(2 * request);
                ((IN_FLIGHT / seconds) as usize).clamp(2 * request, most)
            }
        }
    }

    /// How many tests may be in flight while a slow one holds up the telling, where time counts.
    pub(crate) fn most_in_flight(&self) -> usize {
        let most = self.seconds.map_or(0, |seconds| (IN_FLIGHT / seconds) as usize);
        most.min(MOST_IN_FLIGHT)
    }

    /// So many results came, at a time.
    pub(crate) fn told(&mut self, tests: usize, elapsed: Duration) {
        self.told += tests;
        let passed = elapsed.saturating_sub(self.since);
        if passed < READING || self.told == 0 {
            return;
        }
        let reading = passed.as_secs_f64() / self.told as f64;
        let before = self.seconds.unwrap_or(reading);
        self.seconds = Some((before * (1.0 - WEIGHT) + reading * WEIGHT).max(1e-6));
        (self.told, self.since) = (0, elapsed);
    }

    /// The search begins, or goes on after something else.
    pub(crate) fn resume(&mut self, elapsed: Duration) {
        (self.told, self.since) = (0, elapsed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counted_tests_have_one_pace_whatever_the_clock_says() {
        let mut pace = Pace::new(false);
        let before = (pace.request(), pace.in_flight(100));
        pace.told(1, Duration::from_secs(60));
        assert_eq!((pace.request(), pace.in_flight(300)), before);
    }

    #[test]
    fn slow_tests_make_small_requests_and_fast_ones_large() {
        let after = |tests: usize| {
            let mut pace = Pace::new(true);
            for second in 1..20 {
                pace.told(tests, Duration::from_secs(second));
            }
            (pace.request(), pace.in_flight(100))
        };
        assert_eq!(after(20), (8, 16));
        assert_eq!(after(100_000), (100, 400));
        let (request, in_flight) = after(500);
        assert!((30..50).contains(&request) && (200..300).contains(&in_flight), "{request} {in_flight}");
    }
}
