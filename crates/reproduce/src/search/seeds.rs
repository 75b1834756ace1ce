//! Tests that were carved: how given ones end, and what arms use all of them for.

use std::time::Duration;

use crashback_protocol::{Batch, Failure, Observation, Outcome, Pins};
use crashback_seeding::{Carved, CarvedTest, TestClasses};
use crashback_testcase::workshop::{SeedTest, Workshop};
use crashback_testcase::{TestCase, without};

use super::{Label, Search};
use crate::pool_uses::PoolUseId;
use crate::runner::Runner;
use crate::schedule::ArmId;
use crate::{GivenTest, PoolShare, TestPool};

/// How often a given test is run without the statement that ended it early: tests catch some exceptions, and
/// carved ones do not.
const ROUNDS: usize = 4;

/// What came of tests that were carved.
pub(crate) struct Seeds {
    pub(crate) given: Vec<GivenTest>,
    pub(crate) pool: TestPool,
}

impl Seeds {
    pub(super) fn of(tests: &TestClasses, carved: &Carved) -> Self {
        let refused = tests.refused.iter().map(|(file, reason)| GivenTest {
            test: file.clone(),
            left_out: vec![reason.clone()],
            ..GivenTest::default()
        });
        let of = |it: &CarvedTest| GivenTest {
            test: it.name.clone(),
            statements: it.statements,
            left_out: it.left_out.clone(),
            ended: None,
        };
        let given = carved.given.iter().map(of).chain(refused).collect();
        let (looked_at, carved) = (carved.looked_at, carved.tests.len());
        Self { given, pool: TestPool { looked_at, carved, uses: Vec::new() } }
    }

    /// Runs given tests to see how they end. Those that end early with an exception get a version beside them
    /// that does not. Those that hang or end the JVM lose the statement that does so.
    pub(super) fn tried(
        mut self,
        workshop: &mut Workshop<'_>,
        runner: &mut Runner<Label>,
    ) -> Result<Self, Failure> {
        let tests = workshop.pools().tests.iter().enumerate();
        let mut left: Vec<usize> = tests.filter(|(_, it)| it.is_given).map(|(number, _)| number).collect();
        for round in 0..ROUNDS {
            if left.is_empty() {
                break;
            }
            let pool = &workshop.pools().tests;
            let given: Vec<SeedTest> = left.iter().filter_map(|it| pool.get(*it).cloned()).collect();
            let tests: Vec<TestCase> = given.iter().map(|it| it.case.clone()).collect();
            let (isolation, vocabulary) = (runner.strict_isolation(), workshop.vocabulary());
            let batch = Batch { vocabulary, tests: &tests, isolation, pins: Pins::Usual, listens: false };
            let observations = runner.run(batch)?.observations;
            let mut next = Vec::new();
            for ((number, test), observation) in left.iter().zip(&given).zip(&observations) {
                if round == 0 {
                    self.note(&test.name, observation);
                }
                let shorter = shortened(&test.case, observation, round + 1 == ROUNDS);
                match (observation.outcome, shorter) {
                    (_, None) => {}
                    (Outcome::Threw, Some(case)) => {
                        next.push(workshop.pools().tests.len());
                        workshop.add_carved_test(SeedTest { case, ..test.clone() });
                    }
                    (_, Some(case)) => {
                        next.push(*number);
                        workshop.replace_carved_test(*number, case);
                    }
                }
            }
            left = next;
        }
        Ok(self)
    }

    fn note(&mut self, name: &str, observation: &Observation) {
        if let Some(given) = self.given.iter_mut().find(|it| it.test == name && it.ended.is_none()) {
            given.ended = Some(in_words(observation));
        }
    }
}

/// A test without the statement at which it ended; none if it need not be shortened. A test that goes on to
/// hang is of no use at all.
fn shortened(test: &TestCase, observation: &Observation, is_last: bool) -> Option<TestCase> {
    let end = usize::from(observation.completed);
    match observation.outcome {
        Outcome::Returned => None,
        Outcome::Threw => {
            let is_early = !is_last && end + 1 < test.statements().len();
            is_early.then(|| without(test, end))
        }
        _ if is_last => Some(TestCase::new(Vec::new())),
        _ => Some(without(test, end)),
    }
}

fn in_words(observation: &Observation) -> String {
    match observation.outcome {
        Outcome::Returned => String::from("returned"),
        Outcome::Threw => match observation.thrown() {
            Some(thrown) => match &thrown.message {
                Some(message) => format!("threw {}: {message}", thrown.class),
                None => format!("threw {}", thrown.class),
            },
            None => String::from("threw an exception"),
        },
        Outcome::BudgetSpent => String::from("was stopped: too many loop rounds and calls"),
        Outcome::Stopped => String::from("was stopped: it took too long"),
        Outcome::Exited(status) => format!("would have ended the JVM with status {status}"),
        Outcome::WorkerDied => String::from("killed the process that ran it"),
    }
}

impl Search<'_> {
    /// Decides what an arm uses carved tests for now.
    pub(super) fn choose_pool_use(&mut self, arm: ArmId, elapsed: Duration) -> Option<PoolUseId> {
        let (chosen, pool) = self.arms.get_mut(arm)?.pools.choose(elapsed)?;
        self.workshop.use_pools(pool);
        Some(chosen)
    }

    /// The carved tests, with what each arm used them for.
    pub(crate) fn test_pool(&self) -> TestPool {
        let uses = self.arms.iter().flat_map(|arm| {
            let (frame, degree) = (arm.facts.level, arm.facts.degree);
            let shares = arm.pools.shares().filter(|it| it.tests > 0);
            shares.map(move |it| PoolShare {
                frame,
                degree,
                used_for: it.name,
                evaluations: it.tests,
                steps: it.steps,
            })
        });
        TestPool { uses: uses.collect(), ..self.seeds.pool.clone() }
    }
}
