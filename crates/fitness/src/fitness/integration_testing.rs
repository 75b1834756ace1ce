use super::published::Lines;
use super::{Execution, Function};
use crate::assessment::{Assessment, Stage, normalise};
use crate::target::Target;

/// The fitness of Botsing's integration testing to the letter, one objective: n + φ(line distance
/// in the n-th frame) where that is the first frame from outside whose line is not covered inside
/// those around it, and the exception distance, 1 or 0, where all are covered.
///
/// Two points are left open by the definition. A frame that was not entered is farther than any
/// that was, and nearer than n + 1. An exception of the class whose trace does not agree is φ(trace
/// distance) away: without that it would count as a reproduction.
pub(super) struct IntegrationTesting(Lines);

impl IntegrationTesting {
    pub(super) fn new(target: &Target<'_>) -> Self {
        Self(Lines::new(target))
    }

    /// The distance, and the frame on which it rests: the first that is not covered, else the
    /// innermost.
    pub(super) fn measure(&self, execution: &Execution<'_>) -> (f64, usize) {
        let Assessment { stage, thrown, trace, .. } = *execution.assessment;
        let innermost = self.0.count().saturating_sub(1);
        if stage == Stage::Reproduced {
            return (0.0, innermost);
        }
        match self.0.uncovered(&self.0.see(execution)) {
            Some((frame, line)) => ((self.0.count() - frame) as f64 + normalise(line), frame),
            None if thrown => (normalise(trace), innermost),
            None => (1.0, innermost),
        }
    }

    /// The lines that it looks at.
    pub(super) fn lines(&self) -> &Lines {
        &self.0
    }
}

impl Function for IntegrationTesting {
    fn distance(&self, execution: &Execution<'_>) -> f64 {
        self.measure(execution).0
    }

    fn grades_unfinished(&self) -> bool {
        false
    }
}
