//! Confirmation: a test that crashed as wanted among others runs again before it counts, in a JVM of its
//! own and with another clock and other random numbers. Meanwhile searches go on.
//!
//! Runs with several pins in workers that are there anyway, which cost next to nothing, rule out chance. A
//! JVM of its own, which takes up to seconds to start, shows whether the crash rests on state that other
//! tests left. Verification would find out both as well, but it takes longer still, and comes when there
//! may be no time left to search for another test.

use crashback_fitness::{Stage, Verdict};
use crashback_protocol::{Batch, Failure, Isolation, Observation, Outcome, Pins, Receiver, Results, Ticket};
use crashback_testcase::TestCase;

use crate::arm::Arm;
use crate::candidate::{Candidate, mocks};
use crate::schedule::ArmId;
use crate::usefulness::{Critic, Ended};
use crate::{Degree, Event};

use super::Search;
use super::solution::{Solution, origin, up_to};

/// The pins by which chance is ruled out. A test that crashes in every second run passes all of them, and
/// those below, in one case of sixty-four.
pub(super) const RULING_OUT_CHANCE: [Pins; 3] = [Pins::Other(0), Pins::Other(1), Pins::Other(2)];

/// After so many solutions that rest on what other tests had left, all tests are kept apart: each costs a
/// run with classes of its own, and the search is led astray meanwhile.
const MOST_LEFTOVERS: u32 = 3;

/// The pins of the run in a JVM of its own.
const ALONE: Pins = Pins::Other(3);

/// The pins of the runs by which a test is minimised.
pub(super) const MINIMISING: Pins = Pins::Other(4);

/// The pins that a minimised test is confirmed with.
pub(super) const ALONE_MINIMISED: Pins = Pins::Other(5);

/// The pins of a request of a search that varies them: none of those above.
pub(super) fn searching(request: u64) -> Pins {
    Pins::Other(0x80 | (request & 0x7f) as u8)
}

/// A confirmation under way.
pub(super) struct Confirmation {
    solution: Solution,
    step: Step,
    tickets: Vec<Ticket>,
    /// The number of the last request that was submitted before it. Where tests are counted it is
    /// taken when that request was told, whenever it is done.
    behind: u64,
}

impl Confirmation {
    /// Whether the test has mocks.
    pub(super) fn has_mocks(&self) -> bool {
        mocks(&self.solution.test) > 0
    }
}

enum Step {
    /// Looks for the getter that yields the exception, where it does not leave the test.
    Getters(Vec<TestCase>),
    /// Runs the test with its own pins and with others, among other tests.
    Chance(TestCase),
    /// Runs the test alone, with other pins.
    Alone(TestCase),
    /// Both at once, which takes less time, and a JVM even if the test rests on its pins.
    ChanceAndAlone(TestCase),
}

impl Step {
    /// The first step with a test that is to crash as it is, in a search that has seen tests rest on
    /// their pins or on what others had left, or not.
    fn with(test: TestCase, is_suspicious: bool) -> Self {
        if is_suspicious { Self::Chance(test) } else { Self::ChanceAndAlone(test) }
    }

    fn tests(&self) -> &[TestCase] {
        match self {
            Self::Getters(variants) => variants,
            Self::Chance(test) | Self::Alone(test) | Self::ChanceAndAlone(test) => std::slice::from_ref(test),
        }
    }

    /// How the tests are run, once for each: a JVM of its own comes first, then the pins that the test
    /// crashed with.
    fn runs(&self, own: Pins, usual: Isolation, are_left: bool) -> Vec<(Isolation, Pins)> {
        let alone = (Isolation::FreshJvm, ALONE);
        // Where tests have left what others crash by, classes that no test has used rule that out
        // without a JVM.
        let first = (if are_left { Isolation::FreshLoader } else { usual }, own);
        let chance = || [first].into_iter().chain(RULING_OUT_CHANCE.map(|pins| (usual, pins)));
        match self {
            Self::Getters(_) => vec![(Isolation::FreshLoader, own)],
            Self::Chance(_) => chance().collect(),
            Self::Alone(_) => vec![alone],
            Self::ChanceAndAlone(_) => [alone].into_iter().chain(chance()).collect(),
        }
    }
}

/// How a test crashed as wanted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    /// How many of its statements completed.
    pub(super) completed: usize,
    pub(super) outcome: Outcome,
    /// The receiver of the exception, if it did not leave the test.
    pub(super) receiver: Option<Receiver>,
    /// Whether its exception has another cause than the crash, as the message tells.
    pub(super) has_other_cause: bool,
    /// Whether its message says the same as the log's.
    pub(super) has_logged_message: bool,
}

impl Seen {
    /// How a test crashed, if it did as wanted.
    pub(super) fn of(verdict: &Verdict, observation: &Observation) -> Option<Self> {
        (verdict.assessment.stage == Stage::Reproduced).then(|| Self {
            completed: usize::from(observation.completed),
            outcome: observation.outcome,
            receiver: verdict.assessment.receiver,
            has_other_cause: verdict.has_other_cause,
            has_logged_message: verdict.has_logged_message,
        })
    }
}

impl Search<'_> {
    /// Whether a solution of an arm is of use: none waits to be confirmed, and none better is known.
    pub(super) fn can_confirm(&self, arm: ArmId) -> bool {
        self.scheduler.arm(arm).is_some_and(|it| !it.is_pending && !it.is_needless)
    }

    /// Begins to confirm a solution.
    pub(super) fn confirm(&mut self, solution: Solution) -> Result<(), Failure> {
        let Some(arm) = self.arms.get(solution.arm) else { return Ok(()) };
        let listens = arm.listens();
        let step = if listens {
            self.target(solution.origin.maker);
            Step::Getters(self.workshop.with_single_exception_getters(&solution.test))
        } else {
            Step::with(solution.test.clone(), self.is_suspicious())
        };
        self.scheduler.set_pending(solution.arm, true);
        self.begin_step(solution, step, listens)
    }

    fn begin_step(&mut self, solution: Solution, step: Step, listens: bool) -> Result<(), Failure> {
        let (vocabulary, tests) = (self.workshop.vocabulary(), step.tests());
        let runs = step.runs(solution.pins, self.runner.strict_isolation(), self.leftovers > 0);
        let batches =
            runs.into_iter().map(|(isolation, pins)| Batch { vocabulary, tests, isolation, pins, listens });
        let tickets = batches.map(|it| self.runner.start(it)).collect::<Result<_, _>>()?;
        self.confirmations.push(Confirmation { solution, step, tickets, behind: self.requests });
        Ok(())
    }

    /// Takes the confirmations that are done; with `wait` all of them, whatever they lead to.
    pub(super) fn take_confirmations(&mut self, wait: bool) -> Result<(), Failure> {
        let is_due = |search: &mut Self, number: usize| {
            let confirmation = search.confirmations.get(number);
            confirmation.is_some_and(|it| wait || search.is_timed && search.runner.are_done(&it.tickets))
        };
        let mut number = 0;
        while number < self.confirmations.len() {
            match is_due(self, number) {
                true => self.take_confirmation(number)?,
                false => number += 1,
            }
        }
        Ok(())
    }

    /// Takes the confirmations that were begun before a request was submitted.
    pub(super) fn take_confirmations_until(&mut self, request: u64) -> Result<(), Failure> {
        while let Some(number) = self.confirmations.iter().position(|it| it.behind <= request) {
            self.take_confirmation(number)?;
        }
        Ok(())
    }

    fn take_confirmation(&mut self, number: usize) -> Result<(), Failure> {
        let Some(confirmation) = self.confirmations.get_mut(number) else { return Ok(()) };
        let tickets = std::mem::take(&mut confirmation.tickets);
        let collected = tickets.into_iter().map(|it| self.runner.collect(it));
        let collected = collected.collect::<Result<Vec<Results>, _>>()?;
        let Confirmation { solution, step, .. } = self.confirmations.remove(number);
        let Some((results, others)) = collected.split_first() else { return Ok(()) };
        match step {
            Step::Getters(variants) => {
                let best = self.best_variant(solution.arm, &variants, results);
                let test = best.unwrap_or_else(|| solution.test.clone());
                self.begin_step(solution, Step::with(test, self.is_suspicious()), true)
            }
            Step::Chance(test) if self.rests_on_pins(solution.arm, &test, &collected) => {
                self.refute_chance(solution, &test)
            }
            Step::ChanceAndAlone(test) if self.rests_on_pins(solution.arm, &test, others) => {
                self.refute_chance(solution, &test)
            }
            Step::Chance(test) if self.leftovers > 0 && self.seen(solution.arm, &test, results).is_none() => {
                self.refute_leftovers(solution, &test)
            }
            Step::Chance(test) => {
                let listens = self.arms.get(solution.arm).is_some_and(Arm::listens);
                self.begin_step(solution, Step::Alone(test), listens)
            }
            Step::Alone(test) | Step::ChanceAndAlone(test) => match self.seen(solution.arm, &test, results) {
                None if self.runner.is_thrifty() => self.refute_leftovers(solution, &test),
                seen => self.conclude(solution, &test, seen),
            },
        }
    }

    /// Lets the tests count whose confirmations cannot end any more, because workers end with an
    /// interruption: verification, which needs none, finds out whether they crash as wanted. Of an exception
    /// that does not leave the test it is not known who gets it.
    pub(super) fn trust_confirmations(&mut self) {
        for Confirmation { solution, step, .. } in std::mem::take(&mut self.confirmations) {
            self.scheduler.set_pending(solution.arm, false);
            if self.arms.get(solution.arm).is_some_and(|it| !it.listens()) {
                let completed = usize::from(solution.completed);
                let test = step.tests().first().unwrap_or(&solution.test).clone();
                let seen = Seen {
                    completed,
                    outcome: Outcome::Threw,
                    receiver: None,
                    has_other_cause: false,
                    has_logged_message: false,
                };
                self.accept(solution, &test, seen);
            }
        }
    }

    /// The variant whose exception leaves the test as a cause, before one that only a receiver gets.
    fn best_variant(&mut self, arm: ArmId, variants: &[TestCase], results: &Results) -> Option<TestCase> {
        let mut scoring = self.arms.get_mut(arm)?.objectives.batch(results);
        let ranked = variants.iter().zip(&results.observations).filter_map(|(test, observation)| {
            let seen = Seen::of(&scoring.judge(test, observation), observation)?;
            Some((test, (seen.outcome == Outcome::Returned, seen.receiver)))
        });
        ranked.min_by_key(|(_, rank)| *rank).map(|(test, _)| test.clone())
    }

    /// Whether a test crashes as wanted with its own pins, whose results come first, and does not with
    /// some others. One that does not crash with its own pins either needs other conditions, such as
    /// classes that no test has used: a JVM of its own decides on it.
    fn rests_on_pins(&mut self, arm: ArmId, test: &TestCase, collected: &[Results]) -> bool {
        let crashes: Vec<bool> = collected.iter().map(|it| self.seen(arm, test, it).is_some()).collect();
        crashes.split_first().is_some_and(|(own, others)| *own && others.contains(&false))
    }

    /// Refutes a test that rests on its pins, and lets requests have pins of their own from now on.
    fn refute_chance(&mut self, solution: Solution, test: &TestCase) -> Result<(), Failure> {
        let is_first = !std::mem::replace(&mut self.varies_pins, true);
        // Solutions that the arm knows were scored with the same pins and may be like it.
        if let Some(arm) = self.arms.get_mut(solution.arm).filter(|_| is_first) {
            arm.pursuits.discard(|it| it.score.is_solved());
        }
        self.conclude(solution, test, None)
    }

    /// Whether a JVM is started for a solution only after other runs: it would mostly be in vain.
    fn is_suspicious(&self) -> bool {
        self.varies_pins || self.leftovers > 0
    }

    /// Refutes a test that rests on what others have left. If that happens again and again, tests are kept
    /// apart at any cost.
    fn refute_leftovers(&mut self, solution: Solution, test: &TestCase) -> Result<(), Failure> {
        self.leftovers += 1;
        if self.leftovers >= MOST_LEFTOVERS {
            self.runner.keep_apart();
        }
        // Solutions that the arm knows were scored among the same tests and may be like it.
        if let Some(arm) = self.arms.get_mut(solution.arm) {
            arm.pursuits.discard(|it| it.score.is_solved());
        }
        self.conclude(solution, test, None)
    }

    /// How the only test of a batch crashed, if it did as wanted.
    pub(super) fn seen(&mut self, arm: ArmId, test: &TestCase, results: &Results) -> Option<Seen> {
        let observation = results.observations.first()?;
        let mut scoring = self.arms.get_mut(arm)?.objectives.batch(results);
        Seen::of(&scoring.judge(test, observation), observation)
    }

    /// It is known how a test crashes with other pins and alone: it counts, or is refuted.
    fn conclude(&mut self, solution: Solution, test: &TestCase, seen: Option<Seen>) -> Result<(), Failure> {
        let number = solution.arm;
        self.scheduler.set_pending(number, false);
        let Some(arm) = self.arms.get(number) else { return Ok(()) };
        let rejects = arm.objectives.rejects_other_causes();
        let frame = solution.level;
        match seen.filter(|it| !(rejects && it.has_other_cause)) {
            Some(seen) => {
                self.untold.push(Event::Confirmed { frame });
                self.accept(solution, test, seen);
            }
            None => {
                self.untold.push(Event::Refuted { frame });
                self.refute(number, &solution.test);
            }
        }
        self.settle();
        self.confirm_next(number)
    }

    fn accept(&mut self, solution: Solution, test: &TestCase, seen: Seen) {
        let Solution { arm: number, origin, level, test: found, usefulness, .. } = solution;
        let Some(arm) = self.arms.get_mut(number) else { return };
        let searched = arm.facts.degree;
        let degree = match searched {
            Degree::Caught if seen.outcome == Outcome::Threw => Degree::Cause,
            other => other,
        };
        if seen.has_other_cause {
            arm.objectives.reject_other_causes();
            // Others that were scored until now may be like it.
            arm.pursuits.discard(|it| it.score.is_solved());
        }
        let Seen { completed, receiver, has_other_cause, has_logged_message, .. } = seen;
        let test = up_to(test, completed);
        self.progress.add_find(level, found.clone(), origin);
        self.candidates.add(Candidate {
            arm: number,
            origin,
            level,
            searched,
            degree,
            receiver,
            test,
            found,
            has_other_cause,
            has_logged_message,
            usefulness,
        });
    }

    /// A test does not do what it seemed to do.
    pub(crate) fn refute(&mut self, number: ArmId, test: &TestCase) {
        self.candidates.remove(number, test);
        self.rivals.remove(number, test);
        if let Some(arm) = self.arms.get_mut(number) {
            arm.objectives.refute(test.clone());
            arm.pursuits.discard(|it| it.individual == *test);
        }
        self.settle();
    }

    /// Confirms another solution of an arm that is still open and has one.
    pub(super) fn confirm_next(&mut self, number: ArmId) -> Result<(), Failure> {
        let Some(arm) = self.arms.get(number).filter(|_| self.can_confirm(number)) else { return Ok(()) };
        let level = arm.facts.level;
        let Some((pursuit, test)) = arm.pursuits.solution() else { return Ok(()) };
        let test = test.clone();
        let completed = u16::try_from(test.statements().len()).unwrap_or(u16::MAX);
        let (case, vocabulary, package) = (self.case, self.workshop.vocabulary(), arm.package);
        let critic = Critic { case, vocabulary, package, level };
        let (pins, usefulness) = (Pins::Usual, critic.usefulness(&test, Ended::unobserved()));
        let origin = origin(number, pursuit, self.now);
        self.confirm(Solution {
            arm: number,
            level,
            origin,
            test,
            completed,
            pins,
            usefulness,
            arguments: Vec::new(),
        })
    }
}
