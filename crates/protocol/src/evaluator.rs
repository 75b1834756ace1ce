use std::hash::{DefaultHasher, Hash, Hasher};

use crashback_testcase::{TestCase, Vocabulary};
use crashback_trace::{Frame, Location};
use hashbrown::HashTable;
use thiserror::Error;

use crate::{Observation, StackFrame, Untouched};

/// Runs test cases. The search knows nothing else of JVMs.
pub trait Evaluator {
    /// Runs the tests of a batch and observes each. The observations are in the order of the tests
    /// and do not depend on which worker ran what, nor on tests that ran before.
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
    /// Whether exceptions that do not leave a test are told, too: what its calls and fields yield,
    /// and what loggers are given.
    pub listens: bool,
}

impl<'a> Batch<'a> {
    /// Tests that are kept apart as usual; only exceptions that leave them are told.
    pub fn new(vocabulary: &'a Vocabulary, tests: &'a [TestCase]) -> Self {
        Self { vocabulary, tests, isolation: Isolation::Reset, listens: false }
    }
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
#[derive(Clone, Debug, Default)]
pub struct Results {
    /// All frames that the observations name by number, each once, in the order in which the
    /// observations introduce them.
    pub frames: Vec<Frame>,
    /// One for each test, in order.
    pub observations: Vec<Observation>,
    /// What runs without probes, as far as no earlier batch has told; in order, each once.
    pub untouched: Vec<Untouched>,
    /// Numbers of the frames, by their hash.
    numbers: HashTable<u32>,
}

/// Equal results tell the same of the tests; which classes were loaded for them is not compared.
impl PartialEq for Results {
    fn eq(&self, other: &Self) -> bool {
        self.frames == other.frames && self.observations == other.observations
    }
}

/// The evaluator cannot go on. A dead worker is no reason: that is an [`Outcome`](crate::Outcome).
#[derive(Debug, Error)]
#[error("{0}")]
pub struct Failure(pub String);

impl Results {
    /// Nothing yet, with room for so many observations.
    pub fn with_capacity(tests: usize) -> Self {
        Self { observations: Vec::with_capacity(tests), ..Self::default() }
    }

    /// Appends a reply: what the next tests of the batch did. A frame keeps one number for the
    /// whole batch, whichever replies introduce it, so that the way in which a batch was cut into
    /// requests does not show.
    pub fn append(&mut self, observations: Vec<Observation>) {
        let mut numbers = Vec::new();
        let start = self.observations.len();
        self.observations.extend(observations);
        let mut added = std::mem::take(&mut self.observations);
        for Observation { facts, .. } in added.iter_mut().skip(start) {
            numbers.extend(facts.new_frames.drain(..).map(|frame| self.number(frame.into())));
            for frame in facts.throwables.iter_mut().flat_map(|it| &mut it.frames) {
                *frame = numbers.get(*frame as usize).copied().unwrap_or(u32::MAX);
            }
        }
        self.observations = added;
    }

    fn number(&mut self, frame: Frame) -> u32 {
        let is_it = |&number: &u32| self.frames.get(number as usize) == Some(&frame);
        if let Some(&known) = self.numbers.find(hash(&frame), is_it) {
            return known;
        }
        let next = u32::try_from(self.frames.len()).unwrap_or(u32::MAX);
        self.numbers
            .insert_unique(hash(&frame), next, |&number| self.frames.get(number as usize).map_or(0, hash));
        self.frames.push(frame);
        next
    }
}

fn hash(frame: &Frame) -> u64 {
    let mut hasher = DefaultHasher::new();
    (&frame.class, &frame.method, frame.line()).hash(&mut hasher);
    hasher.finish()
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
