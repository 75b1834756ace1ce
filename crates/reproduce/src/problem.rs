//! The search for one frame, as the algorithms see it.

use std::collections::BTreeSet;

use crashback_fitness::{Assessment, Judge, Stage, call_chain};
use crashback_program::classes::Classes;
use crashback_protocol::{Batch, Evaluator, Facts, Failure, Isolation, Observation, Outcome};
use crashback_search::{Problem, Rng, Score};
use crashback_seeding::{learn, providers};
use crashback_testcase::workshop::Workshop;
use crashback_testcase::{Literal, Random, Statement, TestCase};
use crashback_trace::Throwable;
use crashback_trace::message::{self, Fact, NullValue, are_of_different_causes};

use crate::obstacle::Notes;

/// How many tests of a generation get the program's classes anew because they set state that
/// initialisers read. In a big program that takes as long as hundreds of tests, so there it must be
/// what stands in the way: one test in so many has ended with a class that could not be
/// initialised.
const FRESH: usize = 12;
const FRESH_OF_BIG: usize = 2;
const STANDS_IN_THE_WAY: usize = 8;

/// Tests that enter a frame, judged by how near they come to the crash.
pub(crate) struct FrameProblem<'p, 'a, 'g> {
    pub(crate) workshop: &'p mut Workshop<'a>,
    pub(crate) evaluator: &'p mut dyn Evaluator,
    pub(crate) judge: &'p mut Judge<'g>,
    /// How many frames of the observed chain lie above the target.
    pub(crate) outermost: u16,
    /// Whether tests look for the exception where the program may have put it.
    pub(crate) listens: bool,
    /// Whether tests are counted, so that equal seeds must give equal observations.
    pub(crate) is_counted: bool,
    pub(crate) record: &'p mut Record,
    pub(crate) classes: &'p Classes<'g>,
    /// What the log has.
    pub(crate) crash: &'g Throwable,
}

/// What the search for a frame has come to.
#[derive(Clone, Debug)]
pub(crate) struct Record {
    /// How far the best test came.
    pub(crate) stage: Stage,
    /// Its distance.
    pub(crate) distance: f64,
    /// Tests executed.
    pub(crate) evaluations: u64,
    /// Tests that crashed as wanted once and did not when looked at closely.
    pub(crate) refuted: Vec<TestCase>,
    /// Whether a test is of no use whose exception has another cause than the crash, as its message
    /// tells: one is known.
    pub(crate) is_choosy: bool,
    /// Messages about nulls that were looked at, a bounded number of them: nearly all tests end
    /// with one of few.
    null_messages: BTreeSet<String>,
    /// How many tests of the last generation could not initialise a class.
    uninitialised: usize,
    /// What there is to fall back on when no new test can be made.
    pub(crate) first: Option<TestCase>,
    /// What its tests were kept by.
    pub(crate) notes: Notes,
}

impl Default for Record {
    fn default() -> Self {
        Self {
            stage: Stage::NotStarted,
            distance: f64::INFINITY,
            evaluations: 0,
            refuted: Vec::new(),
            is_choosy: false,
            null_messages: BTreeSet::new(),
            uninitialised: 0,
            first: None,
            notes: Notes::default(),
        }
    }
}

impl Record {
    /// Whether a message about a null is worth a look.
    fn is_new(&mut self, message: &str) -> bool {
        const MOST: usize = 256;
        let is_new = self.null_messages.len() < MOST && !self.null_messages.contains(message);
        is_new && self.null_messages.insert(message.to_owned())
    }
}

impl FrameProblem<'_, '_, '_> {
    /// Runs tests and tells how near each came.
    pub(crate) fn assess(
        &mut self,
        tests: &[TestCase],
        isolation: Isolation,
        mut see: impl FnMut(&mut Self, &Assessment, &Observation),
    ) -> Result<(), Failure> {
        let (vocabulary, outermost, listens) = (self.workshop.vocabulary(), self.outermost, self.listens);
        let is_grouped = self.is_counted && isolation == Isolation::Reset;
        let isolation = if is_grouped { Isolation::Grouped } else { isolation };
        let batch = Batch { vocabulary, tests, isolation, outermost, listens };
        let results = self.evaluator.evaluate(batch)?;
        let assessments: Vec<Assessment> = {
            let mut batch = self.judge.batch(&results.frames);
            results.observations.iter().map(|it| batch.assess(it)).collect()
        };
        for (assessment, observation) in assessments.iter().zip(&results.observations) {
            self.record.notes.see(self.judge, assessment, observation, &results.frames);
            see(self, assessment, observation);
        }
        Ok(())
    }
}

impl Problem for FrameProblem<'_, '_, '_> {
    type Individual = TestCase;
    type Failure = Failure;

    fn random(&mut self, rng: &mut Rng, progress: f64) -> TestCase {
        let mut random = Random::new(rng.word());
        let test = self.workshop.random(progress, &mut random);
        test.or_else(|| self.record.first.clone()).unwrap_or_else(|| TestCase::new([]))
    }

    fn mutate(&mut self, it: &TestCase, rng: &mut Rng) -> TestCase {
        self.workshop.mutate(it, &mut Random::new(rng.word()))
    }

    fn cross_over(&mut self, a: &TestCase, b: &TestCase, rng: &mut Rng) -> (TestCase, TestCase) {
        self.workshop.cross_over(a, b, &mut Random::new(rng.word()))
    }

    fn evaluate(&mut self, generation: &[TestCase], scores: &mut Vec<Score>) -> Result<(), Failure> {
        self.record.evaluations += generation.len() as u64;
        let most = self.most_fresh(generation.len());
        self.record.uninitialised = 0;
        let mut fresh = Vec::new();
        let mut is_fresh = vec![false; generation.len()];
        for (test, is_fresh) in generation.iter().zip(&mut is_fresh) {
            *is_fresh = fresh.len() < most && self.workshop.precedes_initialisers(test);
            if *is_fresh {
                fresh.push(test.clone());
            }
        }
        if fresh.is_empty() {
            return self.score(generation, Isolation::Reset, scores);
        }
        let others = generation.iter().zip(&is_fresh).filter(|(_, fresh)| !**fresh);
        let others: Vec<TestCase> = others.map(|(it, _)| it.clone()).collect();
        let (mut of_fresh, mut of_others) = (Vec::new(), Vec::new());
        self.score(&fresh, Isolation::FreshLoader, &mut of_fresh)?;
        self.score(&others, Isolation::Reset, &mut of_others)?;
        let (mut of_fresh, mut of_others) = (of_fresh.into_iter(), of_others.into_iter());
        scores.extend(is_fresh.iter().filter_map(|it| if *it { of_fresh.next() } else { of_others.next() }));
        Ok(())
    }
}

impl FrameProblem<'_, '_, '_> {
    /// How many tests of a generation may get the program's classes anew.
    fn most_fresh(&mut self, generation: usize) -> usize {
        match self.workshop.has_waiting_initialisers() {
            true if self.workshop.pools.is_small => FRESH,
            true if self.record.uninitialised * STANDS_IN_THE_WAY >= generation => FRESH_OF_BIG,
            _ => 0,
        }
    }

    /// Runs tests, learns from what they do and scores them.
    fn score(
        &mut self,
        tests: &[TestCase],
        isolation: Isolation,
        scores: &mut Vec<Score>,
    ) -> Result<(), Failure> {
        let looking = self.listens.then(|| self.looking(tests));
        let run = looking.as_deref().unwrap_or(tests);
        let mut each = tests.iter().zip(run);
        self.assess(run, isolation, |problem, assessment, observation| {
            let Some((test, run)) = each.next() else { return };
            let mut distance = call_chain(assessment) + not_begun(assessment, observation, test);
            let is_useless = || {
                problem.record.refuted.contains(test)
                    || problem.record.is_choosy && is_twin(problem.crash, observation)
            };
            if distance == 0.0 && is_useless() {
                distance = 1.0;
            }
            // What the best tests compared is what stands between them and the next step.
            if distance <= problem.record.distance {
                learn(&observation.facts, &mut problem.workshop.pools);
                problem.record.distance = distance;
            }
            problem.record.stage = problem.record.stage.max(assessment.stage);
            for asked in &observation.facts.asked {
                problem.workshop.note_asked(asked.mock, asked.method, asked.class.as_deref());
            }
            problem.note_missed(observation);
            let is_uninitialised = is_uninitialised(observation);
            problem.record.uninitialised += usize::from(is_uninitialised);
            // What only wants something to be set before it is used will be of use then.
            let waits = is_uninitialised
                && problem.workshop.pools.is_small
                && problem.workshop.has_waiting_initialisers();
            if !waits {
                problem.note_end(test, run, observation);
            }
            scores.push(Score::new(distance, weight_of(test)));
        })
    }

    /// The tests with looks at what may keep the exception.
    fn looking(&mut self, tests: &[TestCase]) -> Vec<TestCase> {
        let turn = usize::try_from(self.record.evaluations).unwrap_or(0);
        let numbered = tests.iter().enumerate();
        numbered.map(|(number, test)| self.workshop.observing(test, turn.wrapping_add(number))).collect()
    }

    /// Tells the workshop how far a test came, and what no further test should do: a call that does
    /// not come back, be it one that only looks.
    fn note_end(&mut self, test: &TestCase, run: &TestCase, observation: &Observation) {
        let completed = usize::from(observation.completed);
        if matches!(observation.outcome, Outcome::Returned | Outcome::Threw) {
            self.workshop.note_completed(test, completed, observation.facts.nulls);
        }
        if is_waste(observation) {
            self.workshop.shun(run, completed);
        }
    }

    /// Tells the workshop which static state a test would have needed.
    fn note_missed(&mut self, observation: &Observation) {
        if observation.outcome == Outcome::Threw
            && let Some((message, by_initialiser)) = null_message(&observation.facts)
            && self.record.is_new(message)
            && let Some((class, name)) = missed(message)
        {
            let find = || providers(self.classes, &class, &name, by_initialiser);
            self.workshop.note_missed(&class, &name, find);
        }
    }
}

const NULL_POINTER: &str = "java.lang.NullPointerException";

/// The message about a null of what left a test, or of why a class could not be initialised, and
/// whether it is the latter.
fn null_message(facts: &Facts) -> Option<(&str, bool)> {
    let thrown = facts.throwables.first()?;
    let by_initialiser = thrown.class == "java.lang.ExceptionInInitializerError";
    let cause = || facts.throwables.get(usize::try_from(thrown.cause?).ok()?);
    let thrown = if by_initialiser { cause()? } else { thrown };
    let message = thrown.message.as_deref().filter(|_| thrown.class == NULL_POINTER)?;
    Some((message, by_initialiser))
}

/// The field, or the method with the result, that was null as a message tells: its class and name.
/// Of one that is not static the class may be no class.
fn missed(message: &str) -> Option<(String, String)> {
    match message::facts(NULL_POINTER, message).pop()? {
        Fact::Null { what: Some(NullValue::Field { owner, name }), .. } => Some((owner, name)),
        Fact::Null { what: Some(NullValue::Returned { class, method, .. }), .. } => Some((class, method)),
        _ => None,
    }
}

/// Whether a test threw an exception of the crash's class that has another cause, as the messages
/// tell.
pub(crate) fn is_twin(crash: &Throwable, observation: &Observation) -> bool {
    let mut thrown = observation.facts.throwables.iter().filter(|it| it.class == crash.class);
    thrown.next().is_some_and(|it| has_other_cause(crash, it.message.as_deref()))
}

/// Whether a message of an exception of the crash's class tells that it has another cause.
pub(crate) fn has_other_cause(crash: &Throwable, message: Option<&str>) -> bool {
    let logged = crash.message.as_deref();
    logged.zip(message).is_some_and(|(one, other)| are_of_different_causes(&crash.class, one, other))
}

/// Whether a test ended because a class could not be initialised.
fn is_uninitialised(observation: &Observation) -> bool {
    const UNINITIALISED: [&str; 2] =
        ["java.lang.ExceptionInInitializerError", "java.lang.NoClassDefFoundError"];
    observation.outcome == Outcome::Threw
        && observation.thrown().is_some_and(|it| UNINITIALISED.contains(&it.class.as_str()))
}

/// Whether a test ended where no search gets on: what such a test did before costs a new copy of
/// the program, or much time.
fn is_waste(observation: &Observation) -> bool {
    const BROKEN: [&str; 2] = ["java.lang.UnsatisfiedLinkError", "java.lang.OutOfMemoryError"];
    let is_broken = || observation.thrown().is_some_and(|it| BROKEN.contains(&it.class.as_str()));
    match observation.outcome {
        Outcome::Returned => false,
        Outcome::Threw => is_uninitialised(observation) || is_broken(),
        Outcome::BudgetSpent | Outcome::Stopped | Outcome::Exited(_) | Outcome::WorkerDied => true,
    }
}

/// The part of a test that did not run, where the target frame was not entered: a test that does
/// not get as far as its last call is farther than one whose last call does not lead there.
fn not_begun(assessment: &Assessment, observation: &Observation, test: &TestCase) -> f64 {
    let length = test.statements().len().max(1) as f64;
    if assessment.line.is_finite() || assessment.stage == Stage::Reproduced {
        return 0.0;
    }
    (length - 1.0 - f64::from(observation.completed)).max(0.0) / length
}

/// Among equally near tests the shorter one with fewer `null`s wins.
pub(crate) fn weight_of(test: &TestCase) -> f64 {
    let weight = |statement: &Statement| match statement {
        Statement::Literal(Literal::Null(_)) => 2.0,
        Statement::Literal(_) => 0.25,
        Statement::Mock(_) => 1.5,
        Statement::Inject { .. } => 0.5,
        _ => 1.0,
    };
    test.statements().iter().map(weight).sum()
}
