use std::hash::BuildHasher;
use std::iter::Sum;
use std::sync::{Arc, Weak};
use std::time::Duration;

use crashback_testcase::{TestCase, Vocabulary};
use crashback_trace::{Frame, Location};
use hashbrown::{DefaultHashBuilder, HashTable};
use thiserror::Error;

use crate::{Observation, Spent, StackFrame, Untouched};

/// Runs test cases. The search knows nothing else of JVMs.
///
/// Several batches may be on their way at the same time, so that no worker waits for the slowest
/// test of a batch. The observations of a batch are in the order of its tests and do not depend on
/// the worker that ran a test, on tests of other batches, nor on the order of collecting.
pub trait Evaluator {
    /// Queues the tests of a batch and returns at once.
    fn submit(&mut self, batch: Batch<'_>) -> Result<Ticket, Failure>;

    /// Waits for the results of a batch. Batches may be collected in any order; oldest first waits
    /// least.
    fn collect(&mut self, ticket: Ticket) -> Result<Results, Failure>;

    /// Whether a batch can be collected without waiting. True for an evaluator that runs tests while
    /// they are submitted.
    fn is_done(&self, _ticket: &Ticket) -> bool {
        true
    }

    /// Waits until a batch can be collected without waiting, or fewer than `few` tests of all batches
    /// wait for a worker, or a time is over. So a caller who collects batches in order can submit more
    /// while a slow test holds up the oldest, and need not wait for it when the search must end.
    fn wait(&mut self, _ticket: &Ticket, _few: usize, _at_most: Duration) -> Waited {
        Waited::Done
    }

    /// Runs the tests of a batch and waits for their results.
    fn evaluate(&mut self, batch: Batch<'_>) -> Result<Results, Failure> {
        let ticket = self.submit(batch)?;
        self.collect(ticket)
    }

    /// How well the workers were used so far, each for itself. None for an evaluator without workers.
    fn workers(&self) -> Vec<Usage> {
        Vec::new()
    }

    /// The same for all of them together.
    fn usage(&self) -> Usage {
        self.workers().into_iter().sum()
    }
}

/// Why [`Evaluator::wait`] returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waited {
    /// The batch can be collected.
    Done,
    /// Workers will soon have nothing to do.
    Starving,
    /// The time is over.
    Late,
}

/// How well workers were used, from the first batch on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Tests that were observed.
    pub evaluations: u64,
    /// Time in which a worker had work in hand.
    pub busy: Duration,
    /// Time in which a worker was ready and had no work.
    pub waiting: Duration,
    /// Time in which its processes started.
    pub starting: Duration,
    /// Time in which it ran tests that had a process of their own.
    pub confirming: Duration,
    /// What its processes say that their time went into.
    pub spent: Spent,
}

impl Usage {
    /// How well they were used since an earlier account.
    #[must_use]
    pub fn since(&self, before: Self) -> Self {
        Self {
            evaluations: self.evaluations.saturating_sub(before.evaluations),
            busy: self.busy.saturating_sub(before.busy),
            waiting: self.waiting.saturating_sub(before.waiting),
            starting: self.starting.saturating_sub(before.starting),
            confirming: self.confirming.saturating_sub(before.confirming),
            spent: self.spent.since(before.spent),
        }
    }

    /// The part of the time in which workers waited for work, from 0 to 1; none if there were none.
    pub fn share_waiting(&self) -> Option<f64> {
        let total = (self.busy + self.waiting).as_secs_f64();
        (total > 0.0).then(|| self.waiting.as_secs_f64() / total)
    }
}

impl Sum for Usage {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |sum, it| Self {
            evaluations: sum.evaluations + it.evaluations,
            busy: sum.busy + it.busy,
            waiting: sum.waiting + it.waiting,
            starting: sum.starting + it.starting,
            confirming: sum.confirming + it.confirming,
            spent: [sum.spent, it.spent].into_iter().sum(),
        })
    }
}

/// The right to the results of one batch. Dropping the ticket cancels the batch: tests that no
/// worker has begun are then not run.
#[derive(Debug)]
#[must_use = "a dropped ticket cancels its batch"]
pub struct Ticket(Claim);

#[derive(Debug)]
enum Claim {
    Finished(Results),
    Queued { number: u64, held: Arc<()> },
}

/// The evaluator's side of a [`Ticket`].
#[derive(Clone, Debug)]
pub struct Stub(Weak<()>);

impl Ticket {
    /// A ticket of an evaluator that runs tests while they are submitted.
    pub fn finished(results: Results) -> Self {
        Self(Claim::Finished(results))
    }

    /// A ticket with a number that tells batches of the evaluator apart, and its stub.
    pub fn numbered(number: u64) -> (Self, Stub) {
        let held = Arc::new(());
        let stub = Stub(Arc::downgrade(&held));
        (Self(Claim::Queued { number, held }), stub)
    }

    /// The number of a [numbered](Self::numbered) ticket.
    pub fn number(&self) -> Option<u64> {
        match &self.0 {
            Claim::Finished(_) => None,
            Claim::Queued { number, held: _ } => Some(*number),
        }
    }

    /// The results that a [finished](Self::finished) ticket was made with. A numbered ticket is an
    /// error: only the evaluator that issued it can collect it.
    pub fn into_results(self) -> Result<Results, Failure> {
        match self.0 {
            Claim::Finished(results) => Ok(results),
            Claim::Queued { .. } => Err(Failure("the ticket is another evaluator's".to_owned())),
        }
    }
}

impl Stub {
    /// Whether this is the stub of a ticket.
    pub fn is_of(&self, ticket: &Ticket) -> bool {
        match &ticket.0 {
            Claim::Finished(_) => false,
            Claim::Queued { held, .. } => self.0.as_ptr() == Arc::as_ptr(held),
        }
    }

    /// Whether the ticket was dropped.
    pub fn is_dropped(&self) -> bool {
        self.0.strong_count() == 0
    }
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
    /// The clock and the random numbers that they find.
    pub pins: Pins,
    /// Whether exceptions that do not leave a test are told, too: what its calls and fields yield,
    /// and what loggers are given.
    pub listens: bool,
}

impl<'a> Batch<'a> {
    /// Tests that are kept apart and pinned as usual; only exceptions that leave them are told.
    pub fn new(vocabulary: &'a Vocabulary, tests: &'a [TestCase]) -> Self {
        Self { vocabulary, tests, isolation: Isolation::Reset, pins: Pins::Usual, listens: false }
    }
}

/// How far a test is kept from what tests before it have done to static state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Isolation {
    /// Classes whose state a test touched are reset after it.
    #[default]
    Reset,
    /// As `Reset`, but what that costs is bounded by a part of the time that tests take: a test may see
    /// what others left, and it depends on the machine which does. What is found so is to be run again
    /// with another isolation.
    Bounded,
    /// Every test gets the program's classes anew.
    FreshLoader,
    /// Every test gets a JVM of its own.
    FreshJvm,
    /// The batch is divided into groups of a fixed number of tests. Each group gets the program's
    /// classes anew; within it, classes whose state a test touched are reset after it as far as
    /// that is cheap. So an observation depends on the tests before it in its group, and on nothing
    /// else: not on the number of workers, nor on what a worker ran before.
    Grouped,
}

/// The clock and the random numbers that every test of a batch finds. Equal pins give equal values, in
/// every run and on every machine.
///
/// A test that crashes with the usual pins alone owes its crash to chance or to the date.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum Pins {
    /// Those of the user, which searches run tests with.
    #[default]
    Usual,
    /// Another clock and other random numbers, which follow from the usual ones and a number.
    Other(u8),
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
    hasher: DefaultHashBuilder,
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
        let hash = |it: &Frame| self.hasher.hash_one((&it.class, &it.method, it.line()));
        let is_it = |&number: &u32| self.frames.get(number as usize) == Some(&frame);
        let hash_of_it = hash(&frame);
        if let Some(&known) = self.numbers.find(hash_of_it, is_it) {
            return known;
        }
        let next = u32::try_from(self.frames.len()).unwrap_or(u32::MAX);
        let rehash = |&number: &u32| self.frames.get(number as usize).map_or(0, hash);
        self.numbers.insert_unique(hash_of_it, next, rehash);
        self.frames.push(frame);
        next
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
        Self { class, method, location, loader, module, module_version, ..Self::default() }
    }
}
