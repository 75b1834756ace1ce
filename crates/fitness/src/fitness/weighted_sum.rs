use super::{Execution, Function};
use crate::assessment::{Assessment, Stage, normalise};

/// [`weighted_sum`], one objective.
pub(super) struct WeightedSum;

impl Function for WeightedSum {
    fn distance(&self, execution: &Execution<'_>) -> f64 {
        weighted_sum(execution.assessment)
    }
}

/// The weighted sum of EvoCrash: 3·φ(line distance) + 2·exception distance + φ(trace distance),
/// where each counts in full until the one before it is 0. From 6 to more than 3 until the line of
/// the target frame is reached, from 3 to 1 until the exception is thrown, below 1 then, and 0 if and
/// only if the crash is reproduced. The exception distance is φ(distance to throwing) rather than 1.
pub fn weighted_sum(assessment: &Assessment) -> f64 {
    match assessment.stage {
        Stage::Reproduced => 0.0,
        Stage::ExceptionThrown => normalise(assessment.trace),
        Stage::LineReached => 2.0 * normalise(assessment.throwing) + 1.0,
        Stage::LineNotReached | Stage::NotStarted => 3.0 * normalise(assessment.target_line) + 3.0,
    }
}
