use crashback_trace::compare::same_exception;

use super::{Execution, Function, call_chain};
use crate::assessment::{Assessment, Stage, normalise};
use crate::messages::LoggedMessage;
use crate::target::Target;

/// [`call_chain()`] with a distance to the exception where that has only 1, one objective. Once all
/// frames are run through and nothing is thrown, an execution is as near as
///
/// - an index was to its bound, a divisor to 0, a recursion to the end of the stack (`throwing.rs`),
/// - for a NullPointerException, the dereferenced value came to being `null`; for a
///   ClassCastException, the value of the cast to being of another class; for a
///   NumberFormatException, the text to being no number: by the decisions that lead to an origin
///   which yields such a value (`flags/values.rs`).
///
/// The guards before a `throw` need nothing of the kind: a frame is run through only if the
/// instruction that makes the exception is reached, so that they are part of the line distance.
///
/// If an exception of the class is thrown with another trace, one whose message is nearer to the
/// log's is a little nearer: parsers tell the position that they reached.
pub(super) struct Graded {
    /// Binary name of the exception's class.
    exception: String,
    message: Option<LoggedMessage>,
}

/// The part of the distance that the message makes up.
const MESSAGE: f64 = 1.0 / 16.0;

impl Graded {
    pub(super) fn new(target: &Target<'_>) -> Self {
        Self {
            exception: target.trace.exception().to_owned(),
            message: target.trace.message().map(LoggedMessage::new),
        }
    }

    /// How far the message of the exception was from the log's, from 0 to 1.
    fn message(&self, execution: &Execution<'_>) -> f64 {
        let Some(logged) = &self.message else { return 0.0 };
        let throwables = &execution.observation.facts.throwables;
        let thrown = throwables.iter().filter(|it| same_exception(&self.exception, &it.class));
        thrown.map(|it| logged.distance(it.message.as_deref())).fold(1.0, f64::min)
    }
}

impl Function for Graded {
    fn distance(&self, execution: &Execution<'_>) -> f64 {
        let Assessment { stage, frames_left, thrown, trace, .. } = *execution.assessment;
        if stage != Stage::Reproduced && frames_left == 0 && thrown {
            ((1.0 - MESSAGE) * normalise(trace) + MESSAGE * self.message(execution)) / 2.0
        } else {
            crash_distance(execution.assessment)
        }
    }
}

/// The distance by which searches with any fitness function are compared: that of [`call_chain()`], in
/// which the origins of values count as well if a search asked for them.
pub(crate) fn crash_distance(assessment: &Assessment) -> f64 {
    call_chain(&Assessment { throwing: assessment.throwing.min(assessment.value), ..*assessment })
}
