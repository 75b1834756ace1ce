use super::published::{Distances, Parts};
use super::{Execution, Function};
use crate::assessment::{Assessment, Stage, normalise};
use crate::target::Target;

/// The weighted sum of EvoCrash (Soltani, Panichella, van Deursen: A Guided Genetic Algorithm for
/// Automated Crash Reproduction, 2017, equation 1), one objective: 3·φ(line distance) + 2·exception
/// distance + φ(trace distance), where each counts in full until the one before it is 0. From 6 to
/// more than 3 until the line of the target frame is reached, 3 until the exception is thrown,
/// below 1 then, and 0 if and only if the crash is reproduced.
pub(super) struct WeightedSum(Distances);

impl WeightedSum {
    pub(super) fn new(target: &Target<'_>) -> Self {
        Self(Distances::new(target))
    }
}

impl Function for WeightedSum {
    fn distance(&self, execution: &Execution<'_>) -> f64 {
        match self.0.of(execution) {
            Parts { line, .. } if line > 0.0 => 3.0 * line + 3.0,
            Parts { exception, .. } if exception > 0.0 => 3.0,
            Parts { trace, .. } => trace,
        }
    }

    fn grades_unfinished(&self) -> bool {
        false
    }
}

/// [`graded_weighted_sum`], one objective.
pub(super) struct GradedWeightedSum;

impl Function for GradedWeightedSum {
    fn distance(&self, execution: &Execution<'_>) -> f64 {
        graded_weighted_sum(execution.assessment)
    }
}

/// The weighted sum with our own distances: lines are as near as the decisions about flags on the
/// way to them, and the exception distance is φ(distance to throwing) rather than 1. From 6 to more
/// than 3 until the line of the target frame is reached, from 3 to 1 until the exception is thrown,
/// below 1 then, and 0 if and only if the crash is reproduced.
pub fn graded_weighted_sum(assessment: &Assessment) -> f64 {
    match assessment.stage {
        Stage::Reproduced => 0.0,
        Stage::ExceptionThrown => normalise(assessment.trace),
        Stage::LineReached => 2.0 * normalise(assessment.throwing) + 1.0,
        Stage::LineNotReached | Stage::NotStarted => 3.0 * normalise(assessment.target_line) + 3.0,
    }
}
