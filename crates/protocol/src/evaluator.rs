use crashback_testcase::{TestCase, Vocabulary};
use crashback_trace::{Frame, Location};
use thiserror::Error;

use crate::{Observation, StackFrame};

/// Runs test cases. The search knows nothing else of JVMs.
pub trait Evaluator {
    /// Runs the tests of a batch and observes each. The observations are in the order of the tests and do not depend on which worker
    /// ran what, nor on tests that ran before.
    fn evaluate(&mut self, batch: Batch<'_>) -> Result<Results, Failure>;
}

/// Test cases to run.
#[derive(Clone, Copy, Debug)]
pub struct Batch<'a> {
    /// What the tests name.
    pub vocabulary: &'a Vocabulary,
    /// The tests.
    pub tests: &'a [TestCase],
    /// How far they are kept apart.
    pub isolation: Isolation,
}

/// How far a test is kept from what tests before it have done to static state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Isolation {
    /// Classes whose state a test touched are reset after it.
    #[default]
    Reset,
    /// Every test gets the program's classes anew.
    FreshLoader,
    /// Every test gets a JVM of its own.
    FreshJvm,
}

/// What the tests of a batch did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Results {
    /// All frames that the observations name by number.
    pub frames: Vec<Frame>,
    /// One for each test, in order.
    pub observations: Vec<Observation>,
}

/// The evaluator cannot go on. A dead worker is no reason: that is an [`Outcome`](crate::Outcome).
#[derive(Debug, Error)]
#[error("{0}")]
pub struct Failure(pub String);

impl Results {
    /// Appends what another part of the batch did: its frames get new numbers.
    pub fn append(&mut self, observations: Vec<Observation>) {
        let base = u32::try_from(self.frames.len()).unwrap_or(u32::MAX);
        for mut observation in observations {
            self.frames.extend(observation.facts.new_frames.drain(..).map(Frame::from));
            for throwable in &mut observation.facts.throwables {
                throwable.frames.iter_mut().for_each(|frame| *frame = frame.saturating_add(base));
            }
            self.observations.push(observation);
        }
    }
}

impl From<StackFrame> for Frame {
    fn from(frame: StackFrame) -> Self {
        let line = u32::try_from(frame.line).ok();
        let location = match (frame.line, frame.file) {
            (-2, _) => Location::Native,
            (_, Some(name)) => Location::File { name, line },
            (_, None) => Location::Unknown { line },
        };
        let StackFrame { loader, module, module_version, class, method, .. } = frame;
        Self { class, method, location, loader, module, module_version, artifact: None, omitted_after: 0 }
    }
}
