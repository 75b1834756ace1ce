//! From one observation to the objectives of one target: the only place where executions get scores.

use std::fmt;
use std::str::FromStr;

use crashback_protocol::{Facts, Observation, Results};
use crashback_testcase::{Literal, Statement, TestCase};
use crashback_trace::Throwable;
use crashback_trace::message::{are_of_different_causes, say_the_same};
use serde::{Serialize, Serializer};
use smallvec::{SmallVec, smallvec};
use thiserror::Error;

use crate::assessment::{Assessment, Stage, call_chain, weighted_sum};
use crate::hindrance::Hindered;
use crate::judge::{Batch, Judge};

/// How distances become objectives. Each is named after its definition.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fitness {
    /// [`call_chain`], one objective.
    #[default]
    CallChain,
    /// [`weighted_sum`], one objective.
    WeightedSum,
}

/// There is no fitness of that name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("there is no fitness {name:?}: choose one of {known}", known = Fitness::names())]
pub struct NoSuchFitness {
    /// The name asked for.
    pub name: String,
}

impl Fitness {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::CallChain, Self::WeightedSum];

    /// Its name on the command line, in plans and in results.
    pub fn name(self) -> &'static str {
        match self {
            Self::CallChain => "call-chain",
            Self::WeightedSum => "weighted-sum",
        }
    }

    fn names() -> String {
        Self::ALL.map(Self::name).join(", ")
    }

    /// The objectives of an execution that was assessed; the first is the crash distance.
    fn objectives(self, assessment: &Assessment) -> ObjectiveValues {
        match self {
            Self::CallChain => smallvec![call_chain(assessment)],
            Self::WeightedSum => smallvec![weighted_sum(assessment)],
        }
    }
}

impl FromStr for Fitness {
    type Err = NoSuchFitness;

    fn from_str(name: &str) -> Result<Self, NoSuchFitness> {
        let found = Self::ALL.into_iter().find(|it| it.name() == name);
        found.ok_or_else(|| NoSuchFitness { name: name.to_owned() })
    }
}

impl fmt::Display for Fitness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Serialize for Fitness {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// Values of objectives; smaller is better, and 0 for the first means that the crash is reproduced.
pub type ObjectiveValues = SmallVec<[f64; 2]>;

/// The objectives of one target, and the tests that turned out to be no solutions of it.
pub struct Objectives<'g> {
    judge: Judge<'g>,
    fitness: Fitness,
    /// The exception of the log.
    crash: &'g Throwable,
    /// Tests that crashed as wanted once and did not with other pins, or in a fresh or plain JVM.
    refuted: Vec<TestCase>,
    /// Set once a test with another cause is known: a further one is no solution then.
    rejects_other_causes: bool,
}

/// What one execution is worth to one target.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// The objectives, the crash distance first: 0 if and only if the test is a solution.
    pub objectives: ObjectiveValues,
    /// The distances behind them.
    pub assessment: Assessment,
    /// Whether the message of an exception that reproduces the crash tells of another cause.
    pub has_other_cause: bool,
    /// Whether that message says the same as the log's. False where the log has none.
    pub has_logged_message: bool,
}

impl Verdict {
    /// The crash distance.
    pub fn distance(&self) -> f64 {
        self.objectives.first().copied().unwrap_or(f64::INFINITY)
    }

    /// Makes a test that crashes as wanted no solution unless something holds.
    pub fn reject_unless(&mut self, holds: bool) {
        if let Some(distance) = self.objectives.first_mut().filter(|_| !holds) {
            *distance = REJECTED;
        }
    }

    /// Whether the crash is reproduced as far as an observation can tell, rejected or not.
    pub fn is_reproduced(&self) -> bool {
        self.assessment.stage == Stage::Reproduced
    }
}

/// The distance of a test that crashes as wanted but is no solution: that of a reached line.
const REJECTED: f64 = 1.0;

impl<'g> Objectives<'g> {
    /// The objectives of a judge's target, for the crash of a log.
    pub fn new(judge: Judge<'g>, fitness: Fitness, crash: &'g Throwable) -> Self {
        Self { judge, fitness, crash, refuted: Vec::new(), rejects_other_causes: false }
    }

    /// Prepares for the observations of a batch.
    pub fn batch<'j>(&'j mut self, results: &'j Results) -> Scoring<'j, 'g> {
        let Self { judge, fitness, crash, refuted, rejects_other_causes } = self;
        Scoring {
            batch: judge.batch(&results.frames),
            fitness: *fitness,
            crash,
            refuted,
            rejects_other_causes: *rejects_other_causes,
        }
    }

    /// From now on a test is no solution, whatever its executions look like.
    pub fn refute(&mut self, test: TestCase) {
        self.refuted.push(test);
    }

    /// From now on tests whose exceptions have another cause than the crash are no solutions.
    pub fn reject_other_causes(&mut self) {
        self.rejects_other_causes = true;
    }

    /// Whether they are not.
    pub fn rejects_other_causes(&self) -> bool {
        self.rejects_other_causes
    }
}

/// Goes over the observations of a batch.
pub struct Scoring<'j, 'g> {
    batch: Batch<'j, 'g>,
    fitness: Fitness,
    crash: &'j Throwable,
    refuted: &'j [TestCase],
    rejects_other_causes: bool,
}

impl Scoring<'_, '_> {
    /// Scores the execution of a test.
    pub fn score(&mut self, test: &TestCase, observation: &Observation) -> Verdict {
        let assessment = self.batch.assess(observation);
        let mut objectives = self.fitness.objectives(&assessment);
        // Reading messages takes long, and only those of solutions matter.
        let is_reproduced = assessment.stage == Stage::Reproduced;
        let message = is_reproduced.then(|| message(self.crash, &observation.facts)).flatten();
        let has_other_cause = is_reproduced && tells_of_other_cause(self.crash, message);
        let has_logged_message = is_reproduced && says_the_same(self.crash, message);
        if let Some(distance) = objectives.first_mut() {
            *distance += unfinished_share(&assessment, observation, test);
            let is_rejected =
                || self.rejects_other_causes && has_other_cause || self.refuted.iter().any(|it| it == test);
            if *distance == 0.0 && is_rejected() {
                *distance = REJECTED;
            }
        }
        Verdict { objectives, assessment, has_other_cause, has_logged_message }
    }

    /// The first frame from outside that an execution did not run through, and why.
    pub fn hindered(&mut self, facts: &Facts) -> Option<Hindered> {
        self.batch.hindered(facts)
    }
}

/// The message of the first exception of the crash's class.
fn message<'f>(crash: &Throwable, facts: &'f Facts) -> Option<&'f str> {
    facts.throwables.iter().find(|it| it.class == crash.class)?.message.as_deref()
}

/// Whether the message of an exception of the crash's class tells of another cause than the log's, such
/// as another null on the same line.
pub fn tells_of_other_cause(crash: &Throwable, message: Option<&str>) -> bool {
    let logged = crash.message.as_deref();
    logged.zip(message).is_some_and(|(one, other)| are_of_different_causes(&crash.class, one, other))
}

/// Whether the message of an exception of the crash's class says the same as the log's.
pub fn says_the_same(crash: &Throwable, message: Option<&str>) -> bool {
    let logged = crash.message.as_deref();
    logged.zip(message).is_some_and(|(one, other)| say_the_same(&crash.class, one, other))
}

/// The share of a test's statements that did not run, where the target frame was not entered: a test that
/// fails before its last call is farther than one whose last call does not lead there.
fn unfinished_share(assessment: &Assessment, observation: &Observation, test: &TestCase) -> f64 {
    let length = test.statements().len().max(1) as f64;
    if assessment.line.is_finite() || assessment.stage == Stage::Reproduced {
        return 0.0;
    }
    (length - 1.0 - f64::from(observation.completed)).max(0.0) / length
}

/// How dear an execution was, by which equally near tests are told apart: 0 unless calls took long, then
/// the number of the power of four of their time in quarters of a millisecond, and 1. Finer steps would
/// tell of the machine rather than of the test.
pub fn cost(observation: &Observation) -> u32 {
    let quarters = observation.slow_time() / 250;
    quarters.checked_ilog(4).map_or(0, |it| it + 1)
}

/// The size of a test as its reader feels it, by which equally near tests are told apart: `null`s and
/// mocks weigh more than calls, other literals less.
pub fn size(test: &TestCase) -> f64 {
    let weight = |statement: &Statement| match statement {
        Statement::Literal(Literal::Null(_)) => 2.0,
        Statement::Literal(_) => 0.25,
        Statement::Mock(_) | Statement::Spy { .. } => 1.5,
        Statement::Inject { .. } => 0.5,
        _ => 1.0,
    };
    test.statements().iter().map(weight).sum()
}
