//! The search for one frame, as the algorithms see it.

use crashback_fitness::{Assessment, Judge, Stage, call_chain};
use crashback_program::classes::Classes;
use crashback_protocol::{Batch, Evaluator, Failure, Isolation, Observation};
use crashback_search::{Problem, Rng, Score};
use crashback_seeding::{Nearness, observe};
use crashback_testcase::workshop::Workshop;
use crashback_testcase::{Literal, Random, Statement, TestCase};
use crashback_trace::Throwable;
use crashback_trace::message::are_of_different_causes;

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
            uninitialised: 0,
            first: None,
            notes: Notes::default(),
        }
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
        let batch = Batch { vocabulary, tests, isolation, outermost, listens };
        let results = self.evaluator.evaluate(batch)?;
        let assessments: Vec<Assessment> = {
            let mut batch = self.judge.batch(&results.frames);
            results.observations.iter().map(|it| batch.assess(it)).collect()
        };
        for (assessment, observation) in assessments.iter().zip(&results.observations) {
            self.record.notes.see(self.classes, self.judge, assessment, observation, &results.frames);
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
        let mut fresh = Vec::new();
        let mut is_fresh = vec![false; generation.len()];
        for (test, is_fresh) in generation.iter().zip(&mut is_fresh) {
            *is_fresh = fresh.len() < most && self.workshop.precedes_initialisers(test);
            if *is_fresh {
                fresh.push(test.clone());
            }
        }
        if fresh.is_empty() {
            self.score(generation, Isolation::Reset, scores)?;
            self.record.uninitialised = self.workshop.take_failed_initialisers();
            return Ok(());
        }
        let others = generation.iter().zip(&is_fresh).filter(|(_, fresh)| !**fresh);
        let others: Vec<TestCase> = others.map(|(it, _)| it.clone()).collect();
        let (mut of_fresh, mut of_others) = (Vec::new(), Vec::new());
        self.score(&fresh, Isolation::FreshLoader, &mut of_fresh)?;
        self.score(&others, Isolation::Reset, &mut of_others)?;
        self.record.uninitialised = self.workshop.take_failed_initialisers();
        let (mut of_fresh, mut of_others) = (of_fresh.into_iter(), of_others.into_iter());
        scores.extend(is_fresh.iter().filter_map(|it| if *it { of_fresh.next() } else { of_others.next() }));
        Ok(())
    }
}

impl FrameProblem<'_, '_, '_> {
    /// How many tests of a generation may get the program's classes anew.
    fn most_fresh(&mut self, generation: usize) -> usize {
        match self.workshop.has_waiting_initialisers() {
            true if self.workshop.pools().is_small => FRESH,
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
            let nearness = Nearness::of(distance <= problem.record.distance);
            if nearness == Nearness::Nearest {
                problem.record.distance = distance;
            }
            problem.record.stage = problem.record.stage.max(assessment.stage);
            observe(problem.workshop, problem.classes, test, run, observation, nearness);
            scores.push(Score::new(distance, weight_of(test)));
        })
    }

    /// The tests with looks at what may keep the exception.
    fn looking(&mut self, tests: &[TestCase]) -> Vec<TestCase> {
        let turn = usize::try_from(self.record.evaluations).unwrap_or(0);
        let numbered = tests.iter().enumerate();
        numbered
            .map(|(number, test)| self.workshop.with_exception_getters(test, turn.wrapping_add(number)))
            .collect()
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
