//! The way to a frame that a test cannot call: the methods through which it is entered.

use crashback_program::classes::Classes;
use crashback_program::frames::Guide;

use crate::assessment::normalise;
use crate::flags::Flags;
use crate::lines::LineGoal;
use crate::probes::Probe;
use crate::seen::Seen;

/// Methods from which calls lead to the target frame. They count while that frame is not running.
#[derive(Clone, Debug, Default)]
pub(crate) struct Guides {
    /// For each method the goal of an instruction that leads on, and how many calls away the frame
    /// is.
    ways: Vec<(LineGoal, f64)>,
    /// The most calls of any of them.
    farthest: f64,
}

impl Guides {
    /// `probes` gives the probes in the method of a guide.
    pub(crate) fn new(
        classes: &Classes<'_>,
        guides: &[Guide],
        mut probes: impl FnMut(&Guide) -> Option<Vec<Probe>>,
    ) -> Self {
        let mut ways = Vec::new();
        for guide in guides {
            let Some(probes) = probes(guide) else { continue };
            let goal = classes.with_body(guide.method, |body| {
                LineGoal::new(body, None, &guide.instructions, None, &probes)
            });
            ways.extend(goal.map(|it| (it, f64::from(guide.distance))));
        }
        let farthest = ways.iter().map(|(_, distance)| *distance).fold(0.0, f64::max);
        Self { ways, farthest }
    }

    /// How far an execution that did not enter the frame was from doing so: the calls that are
    /// left, and φ(line distance) to the first of them. An execution that entered none of the
    /// methods is as far as any can be.
    pub(crate) fn distance(&self, seen: &Seen<'_>, flags: &Flags) -> f64 {
        let of_one = |(goal, calls): &(LineGoal, f64)| {
            let marks = goal.all_marks(seen);
            let line = if goal.is_reached(seen, marks) { 0.0 } else { goal.distance(seen, marks, flags) };
            if line.is_infinite() { self.farthest } else { calls - 1.0 + normalise(line) }
        };
        self.ways.iter().map(of_one).fold(self.farthest, f64::min)
    }
}
