//! One goal: a frame, where the exception is looked for, and the pursuits of it.

use std::sync::Arc;

use crashback_fitness::{Judge, Objectives, Stage, Target, Verdict};
use crashback_program::frames::{FrameAudit, Goal};
use crashback_search::{Operators, Rng};
use crashback_testcase::workshop::{TargetCalls, Workshop};
use crashback_testcase::{Context, Random, TestCase};

use crate::burden::Burden;
use crate::chain::Observed;
use crate::corpus::Corpus;
use crate::entries::{package_of, target_calls};
use crate::obstacle::{Notes, Obstacle};
use crate::pool_uses::PoolUses;
use crate::pursuits::Pursuits;
use crate::schedule::ArmFacts;
use crate::{Case, Degree, Settings};

/// One goal with its searches.
pub(crate) struct Arm<'g> {
    pub(crate) facts: ArmFacts,
    /// The package of its tests, in internal form.
    pub(crate) package: &'g str,
    /// The calls that lead into its frame.
    pub(crate) target: TargetCalls,
    pub(crate) objectives: Objectives<'g>,
    pub(crate) pursuits: Pursuits,
    /// What it uses carved tests for.
    pub(crate) pools: PoolUses,
    pub(crate) record: Record,
    /// Tests that did something new.
    pub(crate) corpus: Corpus,
    /// Why there is nothing to search.
    pub(crate) obstacle: Option<Obstacle>,
    /// A test to fall back on when no new one can be made; none before the first turn.
    pub(crate) first: Option<TestCase>,
    /// The beginning of a test that crashes as wanted at a lower frame, to be continued when the arm
    /// runs next.
    pub(crate) entering: Option<TestCase>,
}

/// What an arm has come to.
#[derive(Clone, Debug)]
pub(crate) struct Record {
    /// How far the best test came.
    pub(crate) stage: Stage,
    /// The smallest crash distance, of whichever arm's test.
    pub(crate) distance: f64,
    /// Tests executed for it.
    pub(crate) evaluations: u64,
    /// What its tests were stopped by.
    pub(crate) notes: Notes,
}

impl Default for Record {
    fn default() -> Self {
        Self { stage: Stage::NotStarted, distance: f64::INFINITY, evaluations: 0, notes: Notes::default() }
    }
}

impl Record {
    /// Takes the verdict on a test into account. Tells whether no test came as near before.
    pub(crate) fn add(&mut self, verdict: &Verdict) -> bool {
        self.stage = self.stage.max(verdict.assessment.stage);
        let is_nearer = verdict.distance < self.distance;
        if is_nearer {
            self.distance = verdict.distance;
        }
        is_nearer
    }
}

impl<'g> Arm<'g> {
    /// The arms of all frames that are to be reproduced, innermost frame first.
    pub(crate) fn of_frames(
        case: Case<'g>,
        goal: &'g Goal<'g>,
        settings: &Settings,
        frames: &[&FrameAudit],
        observed: &Observed,
        workshop: &mut Workshop<'g>,
        rng: &mut Rng,
    ) -> Vec<Self> {
        let Case { classes, audit, throwable, .. } = case;
        let is_on = settings.tuning.source_recorded_arguments;
        let recorded = if is_on { &case.records.calls[..] } else { &[] };
        let flags = Arc::new(observed.flags(classes));
        let mut arms: Vec<Self> = Vec::new();
        let mut burden = Burden::new(case.origins);
        for frame in frames {
            let package = package_of(classes, frame).unwrap_or_default();
            let context = Context::new(classes.index(), package);
            let target_calls = target_calls(&case, recorded, frame, context, workshop.vocabulary_mut());
            let takes_plain_input = burden.is_plain_input(frame, classes, context);
            let burden = burden.of(&target_calls, workshop.vocabulary(), context);
            let is_alike = |it: &Self| it.package == package && it.target.has_same_calls(&target_calls);
            let entries = arms.iter().position(is_alike).unwrap_or(arms.len());
            for (degree, is_fallback) in degrees(frame) {
                let probes = |it: &FrameAudit| observed.probes(it);
                let chain = &observed.recording.chain;
                let Ok(target) = Target::new(classes, goal, audit, frame.level, chain, probes) else {
                    continue;
                };
                let target = target.guided(classes, &frame.guides, |it| observed.probes_on_way(classes, it));
                let judge = Judge::new(target.flagged(Arc::clone(&flags)), degree);
                let (pursuits, functions) =
                    Pursuits::new(&settings.pursuits(&throwable.class), rng, settings.evaluations.is_none());
                let is_callable = frame.accessible == Some(true);
                arms.push(Self {
                    facts: ArmFacts {
                        level: frame.level,
                        degree,
                        is_fallback,
                        is_callable,
                        burden,
                        takes_plain_input: is_callable && takes_plain_input,
                        entries,
                    },
                    package,
                    obstacle: target_calls.calls.is_empty().then(Obstacle::no_entry),
                    target: target_calls.clone(),
                    objectives: Objectives::new(judge, &functions, throwable),
                    pursuits,
                    pools: PoolUses::new(workshop.has_test_pool(), settings.evaluations.is_none()),
                    record: Record::default(),
                    corpus: Corpus::default(),
                    first: None,
                    entering: None,
                });
            }
        }
        arms
    }

    /// Whether its tests are asked for exceptions that do not leave them.
    pub(crate) fn listens(&self) -> bool {
        self.facts.degree == Degree::Caught
    }
}

/// Where a test may see the exception, and whether that is a fallback: a frame that is entered through
/// others may show what those make of it.
fn degrees(frame: &FrameAudit) -> Vec<(Degree, bool)> {
    match frame.propagation {
        Degree::Caught => vec![(Degree::Caught, true)],
        Degree::Cause => vec![(Degree::Cause, false)],
        Degree::Escapes if frame.entries.is_empty() => vec![(Degree::Escapes, false)],
        Degree::Escapes => vec![(Degree::Escapes, false), (Degree::Caught, true)],
    }
}

/// The workshop as algorithms see it.
pub(crate) struct TestOperators<'o, 'g> {
    pub(crate) workshop: &'o mut Workshop<'g>,
    /// Stands in where no new test can be made.
    pub(crate) first: &'o TestCase,
}

impl Operators for TestOperators<'_, '_> {
    type Individual = TestCase;

    fn random(&mut self, rng: &mut Rng, progress: f64) -> TestCase {
        let test = self.workshop.random(progress, &mut Random::new(rng.word()));
        test.unwrap_or_else(|| self.first.clone())
    }

    fn mutate(&mut self, test: &TestCase, rng: &mut Rng) -> TestCase {
        self.workshop.mutate(test, &mut Random::new(rng.word()))
    }

    fn cross_over(&mut self, one: &TestCase, other: &TestCase, rng: &mut Rng) -> (TestCase, TestCase) {
        self.workshop.cross_over(one, other, &mut Random::new(rng.word()))
    }
}
