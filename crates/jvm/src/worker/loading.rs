//! Classes on their way into the JVM, and the time that takes.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Counts the classes that the JVM loads, on whichever thread.
pub(super) struct Loading {
    classes: AtomicU64,
    /// When the first class came since the time was last asked for, in nanoseconds after the origin; 0
    /// for none.
    first: AtomicU64,
    origin: Instant,
}

impl Default for Loading {
    fn default() -> Self {
        Self { classes: AtomicU64::new(0), first: AtomicU64::new(0), origin: now() }
    }
}

impl Loading {
    /// A class is about to be defined.
    pub(super) fn note(&self) {
        self.classes.fetch_add(1, Ordering::Relaxed);
        if self.first.load(Ordering::Relaxed) == 0 {
            self.first.store(self.passed(), Ordering::Relaxed);
        }
    }

    /// How many classes were loaded so far.
    pub(super) fn classes(&self) -> u64 {
        self.classes.load(Ordering::Relaxed)
    }

    /// The time since the first class that was loaded since this was last asked, none if there was none. A
    /// test that loads one class mostly goes on to load and initialise others, so that the time until its
    /// end is taken for loading.
    pub(super) fn take(&self) -> Option<Duration> {
        if self.first.load(Ordering::Relaxed) == 0 {
            return None;
        }
        let first = self.first.swap(0, Ordering::Relaxed);
        Some(Duration::from_nanos(self.passed().saturating_sub(first)))
    }

    fn passed(&self) -> u64 {
        u64::try_from(now().saturating_duration_since(self.origin).as_nanos()).unwrap_or(u64::MAX).max(1)
    }
}

#[expect(clippy::disallowed_methods, reason = "the time that loading takes bounds how often it is done")]
fn now() -> Instant {
    Instant::now()
}
