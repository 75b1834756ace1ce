//! From one observation to the objectives of one target: the only place where executions get scores.

use crashback_protocol::{Facts, Observation, Results};
use crashback_testcase::{Literal, Statement, TestCase};
use crashback_trace::Throwable;
use crashback_trace::message::{are_of_different_causes, say_the_same};
use smallvec::smallvec;

use crate::assessment::{Assessment, Stage};
use crate::fitness::{Execution, Fitness, Function, ObjectiveValues, crash_distance};
use crate::hindrance::Hindered;
use crate::judge::{Batch, Judge};

/// The objectives of one target, and the tests that turned out to be no solutions of it.
pub struct Objectives<'g> {
    judge: Judge<'g>,
    /// Fitness functions of the searches for it, by their places.
    functions: Vec<Box<dyn Function>>,
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
    /// The crash distance, by which searches with any fitness function are compared: that of
    /// [`call_chain`](crate::call_chain), in which the origins of values count as well if a search
    /// asked for them; 0 if and only if the test is a solution.
    pub distance: f64,
    /// The distances behind it.
    pub assessment: Assessment,
    /// Whether the message of an exception that reproduces the crash tells of another cause.
    pub has_other_cause: bool,
    /// Whether that message says the same as the log's. False where the log has none.
    pub has_logged_message: bool,
    /// The share of the test's statements that did not run, where that counts.
    unfinished: f64,
}

/// What one execution is worth to a search with a fitness function.
#[derive(Clone, Debug, PartialEq)]
pub struct Worth {
    /// The distance by the fitness function: 0 if and only if the test is a solution.
    pub distance: f64,
    /// The values that algorithms with several objectives compare.
    pub objectives: ObjectiveValues,
}

impl Verdict {
    /// Makes a test that crashes as wanted no solution unless something holds.
    pub fn reject_unless(&mut self, holds: bool) {
        if !holds {
            self.distance = REJECTED;
        }
    }

    /// Whether the test is a solution.
    pub fn is_solution(&self) -> bool {
        self.distance <= 0.0
    }

    /// Whether the crash is reproduced as far as an observation can tell, rejected or not.
    pub fn is_reproduced(&self) -> bool {
        self.assessment.stage == Stage::Reproduced
    }
}

/// The distance of a test that crashes as wanted but is no solution: that of a reached line.
const REJECTED: f64 = 1.0;

impl<'g> Objectives<'g> {
    /// The objectives of a judge's target, for the crash of a log and searches with these fitness functions.
    pub fn new(judge: Judge<'g>, fitness: &[Fitness], crash: &'g Throwable) -> Self {
        let functions = fitness.iter().map(|it| it.prepare(judge.target())).collect();
        Self { judge, functions, crash, refuted: Vec::new(), rejects_other_causes: false }
    }

    /// Prepares for the observations of a batch.
    pub fn batch<'j>(&'j mut self, results: &'j Results) -> Scoring<'j, 'g> {
        let Self { judge, functions, crash, refuted, rejects_other_causes } = self;
        Scoring {
            batch: judge.batch(&results.frames),
            functions,
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
    functions: &'j [Box<dyn Function>],
    crash: &'j Throwable,
    refuted: &'j [TestCase],
    rejects_other_causes: bool,
}

impl Scoring<'_, '_> {
    /// Judges the execution of a test.
    pub fn judge(&mut self, test: &TestCase, observation: &Observation) -> Verdict {
        let assessment = self.batch.assess(observation);
        let unfinished = unfinished_share(&assessment, observation, test);
        let distance = crash_distance(&assessment) + unfinished;
        // Reading messages takes long, and only those of solutions matter.
        let is_reproduced = assessment.stage == Stage::Reproduced;
        let message = is_reproduced.then(|| message(self.crash, &observation.facts)).flatten();
        let has_other_cause = is_reproduced && tells_of_other_cause(self.crash, message);
        let has_logged_message = is_reproduced && says_the_same(self.crash, message);
        let mut verdict = Verdict { distance, assessment, has_other_cause, has_logged_message, unfinished };
        let is_rejected = is_reproduced
            && (self.rejects_other_causes && has_other_cause || self.refuted.iter().any(|it| it == test));
        verdict.reject_unless(!is_rejected);
        verdict
    }

    /// How many fitness functions there are.
    pub fn functions(&self) -> usize {
        self.functions.len()
    }

    /// The worth of a judged execution to the search whose fitness function has a place.
    pub fn worth(
        &self,
        place: usize,
        verdict: &Verdict,
        test: &TestCase,
        observation: &Observation,
    ) -> Worth {
        let execution = Execution { assessment: &verdict.assessment, observation, test };
        let Some(function) = self.functions.get(place) else {
            return Worth { distance: verdict.distance, objectives: smallvec![verdict.distance] };
        };
        if verdict.is_reproduced() && !verdict.is_solution() {
            let mut objectives = function.objectives(REJECTED, &execution);
            objectives.fill(REJECTED);
            return Worth { distance: REJECTED, objectives };
        }
        let unfinished = if function.grades_unfinished() { verdict.unfinished } else { 0.0 };
        let distance = function.distance(&execution) + unfinished;
        Worth { distance, objectives: function.objectives(distance, &execution) }
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
