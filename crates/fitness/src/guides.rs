//! The way to a frame that a test cannot call: the methods through which it is entered.

use crashback_program::classes::Classes;
use crashback_program::frames::Guide;
use crashback_protocol::Facts;

use crate::assessment::normalise;
use crate::flags::Flags;
use crate::lines::LineGoal;
use crate::probes::FrameProbes;

/// Methods from which calls lead to a frame. They run before any method of the call chain does, at
/// level 0.
#[derive(Clone, Debug, Default)]
pub(crate) struct Guides {
    /// With the goal of an instruction that leads on, and how many calls away it is.
    ways: Vec<(LineGoal, f64)>,
    /// More than any of these.
    farthest: f64,
}

impl Guides {
    /// `probes` tells what is observed of the method of a guide; its level does not matter.
    pub(crate) fn new(
        classes: &Classes<'_>,
        guides: &[Guide],
        mut probes: impl FnMut(&Guide) -> Option<FrameProbes>,
    ) -> Self {
        let mut ways = Vec::new();
        for guide in guides {
            let Some(probes) = probes(guide) else { continue };
            let probes = FrameProbes { level: 0, ..probes };
            let goal = classes
                .with_body(guide.method, |body| LineGoal::new(body, None, &guide.instructions, &probes));
            ways.extend(goal.map(|it| (it, f64::from(guide.distance))));
        }
        let farthest = ways.iter().map(|(_, distance)| *distance).fold(0.0, f64::max);
        Self { ways, farthest }
    }

    /// How far an execution that did not enter the frame was from doing so: the calls that are
    /// left, and φ(line distance) to the first of them. As many as there can be where it entered
    /// none of the methods.
    pub(crate) fn distance(&self, facts: &Facts, flags: &Flags) -> f64 {
        let reached = || facts.reached.iter().filter(|it| it.level == 0);
        let of_one = |(goal, calls): &(LineGoal, f64)| {
            let marks = reached().fold(0, |marks, it| marks | goal.marks(it.probe));
            let line = if goal.is_reached(facts, marks) { 0.0 } else { goal.distance(facts, marks, flags) };
            if line.is_infinite() { self.farthest } else { calls - 1.0 + normalise(line) }
        };
        self.ways.iter().map(of_one).fold(self.farthest, f64::min)
    }
}
