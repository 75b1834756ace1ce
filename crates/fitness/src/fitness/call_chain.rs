use super::{Execution, Function};
use crate::assessment::{Assessment, Stage, normalise};

/// [`call_chain()`], one objective.
pub(super) struct CallChain;

impl Function for CallChain {
    fn distance(&self, execution: &Execution<'_>) -> f64 {
        call_chain(execution.assessment)
    }
}

/// The fitness of Botsing's integration testing: from outside in, the frames not yet run through
/// one inside the other + φ(line distance in the first of them); when all are, the exception
/// distance. More than n with n frames left, at most 1 with none, and 0 if and only if the crash is
/// reproduced.
///
/// By its definition, any exception of the class would be a reproduction once all lines were
/// reached. Here the trace has to agree, and until it does its normalised distance takes the place
/// of 0. And before the first frame is entered there would be nothing to go by; there the way to it
/// counts as well. Where all frames are run through and nothing is thrown, φ(distance to throwing)
/// takes the place of 1; half of the range is for that, the other half for traces.
pub fn call_chain(assessment: &Assessment) -> f64 {
    if assessment.stage == Stage::Reproduced {
        0.0
    } else if assessment.frames_left > 0 {
        f64::from(assessment.frames_left) + normalise(assessment.line) + assessment.approach
    } else if assessment.thrown {
        normalise(assessment.trace) / 2.0
    } else {
        0.5 + normalise(assessment.throwing) / 2.0
    }
}
