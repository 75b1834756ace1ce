//! Progress of the target frames: how near tests came, and which arm found the tests that crash as wanted.

use std::collections::BTreeMap;
use std::time::Duration;

use crashback_testcase::TestCase;
use serde::{Deserialize, Serialize};

use crate::pursuits::PursuitId;
use crate::schedule::ArmId;

/// The most points of a curve. More cannot be told apart in a picture.
const MOST_POINTS: usize = 200;

/// A moment at which a test came nearer to the crash of a frame than all before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ProgressPoint {
    /// Tests executed until then, for all frames.
    pub evaluations: u64,
    /// Seconds since the clock started.
    pub seconds: f64,
    /// The smallest crash distance of the frame, 0 when a worker showed the crash.
    pub distance: f64,
}

/// Progress of all target frames.
#[derive(Debug, Default)]
pub(crate) struct Progress {
    /// Points by level, each nearer to the crash than the one before it.
    curves: BTreeMap<u32, Vec<ProgressPoint>>,
    /// Confirmed tests, in the order in which they were confirmed.
    finds: Vec<Find>,
}

/// When a test was seen to crash as wanted for the first time, and by which arm it was made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Origin {
    /// The arm that made it, and which of its pursuits.
    pub(crate) maker: ArmId,
    pub(crate) pursuit: PursuitId,
    /// Tests executed until then, for all frames.
    pub(crate) evaluations: u64,
    /// Since the clock started.
    pub(crate) elapsed: Duration,
}

#[derive(Debug)]
struct Find {
    level: u32,
    test: TestCase,
    origin: Origin,
}

impl Progress {
    /// Takes the smallest distance of an arm's tests into account.
    pub(crate) fn see(&mut self, level: u32, distance: f64, evaluations: u64, elapsed: Duration) {
        let curve = self.curves.entry(level).or_default();
        let is_nearer = curve.last().is_none_or(|it| distance < it.distance);
        if distance.is_finite() && is_nearer {
            curve.push(ProgressPoint { evaluations, seconds: elapsed.as_secs_f64(), distance });
            if curve.len() > MOST_POINTS {
                thin_out(curve);
            }
        }
    }

    /// Takes note of a confirmed test.
    pub(crate) fn add_find(&mut self, level: u32, test: TestCase, origin: Origin) {
        self.finds.push(Find { level, test, origin });
    }

    /// Forgets a test that plain JVMs did not confirm.
    pub(crate) fn deny(&mut self, level: u32, test: &TestCase) {
        self.finds.retain(|it| it.level != level || it.test != *test);
    }

    /// The points of a frame, in order.
    pub(crate) fn curve(&self, level: u32) -> &[ProgressPoint] {
        self.curves.get(&level).map_or(&[], Vec::as_slice)
    }

    /// The first test that reproduces a frame and was not denied; tests of higher frames do.
    pub(crate) fn first_find(&self, level: u32) -> Option<Origin> {
        self.finds.iter().find(|it| it.level >= level).map(|it| it.origin)
    }
}

/// Drops every second point, but neither the first nor the last.
fn thin_out(curve: &mut Vec<ProgressPoint>) {
    let last = curve.len().saturating_sub(1);
    let mut place = 0;
    curve.retain(|_| {
        let is_kept = place % 2 == 0 || place == last;
        place += 1;
        is_kept
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn origin(maker: ArmId) -> Origin {
        Origin { maker, pursuit: 0, evaluations: 0, elapsed: Duration::ZERO }
    }

    #[test]
    fn curves_fall_and_are_bounded_and_keep_their_ends() {
        let mut progress = Progress::default();
        progress.see(3, f64::INFINITY, 0, Duration::ZERO);
        assert!(progress.curve(3).is_empty(), "nothing is known yet");
        for step in 0..10_000_u32 {
            let distance = f64::from(10_000 - step);
            progress.see(3, distance, step.into(), Duration::from_millis(step.into()));
            progress.see(3, distance + 0.5, step.into(), Duration::ZERO);
        }
        let curve = progress.curve(3);
        assert!((MOST_POINTS / 2..=MOST_POINTS).contains(&curve.len()), "{}", curve.len());
        assert!(curve.is_sorted_by(|a, b| a.distance > b.distance && a.evaluations < b.evaluations));
        let ends = (curve.first().map(|it| it.distance), curve.last().map(|it| it.distance));
        assert_eq!(ends, (Some(10_000.0), Some(1.0)));
        assert!(progress.curve(4).is_empty());
    }

    #[test]
    fn tests_of_higher_frames_reproduce_lower_ones_unless_they_were_denied() {
        let mut progress = Progress::default();
        let test = TestCase::new([]);
        progress.add_find(2, test.clone(), origin(0));
        progress.add_find(5, test.clone(), origin(1));
        let makers = |progress: &Progress| [1, 2, 3, 6].map(|it| progress.first_find(it).map(|it| it.maker));
        assert_eq!(makers(&progress), [Some(0), Some(0), Some(1), None]);
        progress.deny(2, &test);
        assert_eq!(makers(&progress), [Some(1), Some(1), Some(1), None]);
    }
}
