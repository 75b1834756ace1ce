//! Which calls of a test take long.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crashback_protocol::SlowCall;

use super::loading::Loading;

/// A call that takes this long is slow: several times the time of a usual test, and well above what
/// the interpreter needs for code that is compiled later.
const SLOW: Duration = Duration::from_micros(250);

/// Measures calls. The clock is read once for each: statements of other kinds take no time to speak
/// of, so what they take is counted with the next call.
pub(super) struct Stopwatch {
    is_on: bool,
    loading: Arc<Loading>,
    /// When the call before ended, or the test began, and how many classes were loaded then.
    since: (Instant, u64),
    slow: Vec<SlowCall>,
}

impl Stopwatch {
    /// Measures nothing yet.
    pub(super) fn new(loading: Arc<Loading>) -> Self {
        let since = (now(), loading.classes());
        Self { is_on: false, loading, since, slow: Vec::new() }
    }

    /// Measures the calls of a request, or does not.
    pub(super) fn turn(&mut self, is_on: bool) {
        self.is_on = is_on;
    }

    /// A test begins.
    pub(super) fn begin(&mut self) {
        self.slow.clear();
        if self.is_on {
            self.since = (now(), self.loading.classes());
        }
    }

    /// A call has returned or thrown.
    pub(super) fn called(&mut self, statement: usize) {
        if !self.is_on {
            return;
        }
        let (before, loaded_before) = self.since;
        self.since = (now(), self.loading.classes());
        let (after, loaded) = self.since;
        let passed = after.saturating_duration_since(before);
        if passed >= SLOW && loaded == loaded_before {
            let microseconds = u32::try_from(passed.as_micros()).unwrap_or(u32::MAX);
            let statement = u16::try_from(statement).unwrap_or(u16::MAX);
            self.slow.push(SlowCall { statement, microseconds });
        }
    }

    /// The slow calls of the test.
    pub(super) fn take(&mut self) -> Vec<SlowCall> {
        std::mem::take(&mut self.slow)
    }
}

#[expect(clippy::disallowed_methods, reason = "the time that calls take is told")]
fn now() -> Instant {
    Instant::now()
}
