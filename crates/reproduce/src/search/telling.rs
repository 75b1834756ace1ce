//! From results to scores: every arm judges the tests of all.

use crashback_fitness::{Scoring, Verdict, Worth, cost, size};
use crashback_protocol::{Failure, Observation, Results};
use crashback_search::Score;
use crashback_seeding::{Nearness, observe, observe_crash};
use crashback_testcase::TestCase;

use super::solution::{Solution, origin, up_to};
use super::{Label, Search};
use crate::arm::Arm;
use crate::pursuits::PursuitId;
use crate::runner::Answered;
use crate::schedule::ArmId;
use crate::usefulness::{Critic, Ended};

/// A test that came nearer to the crash of an arm than all before it.
struct Nearer {
    arm: ArmId,
    test: TestCase,
    /// Its scores, by the places of the arm's fitness functions.
    scores: Vec<Score>,
}

impl Search<'_> {
    /// Tells the arm that asked, and all others, what came of its tests.
    pub(super) fn tell(&mut self, answered: Answered<Label>) -> Result<(), Failure> {
        let Label { arm: own, pursuit, pool, number, .. } = answered.label;
        let before = self.arms.get(own).map_or(f64::INFINITY, |it| it.record.distance);
        let mut scores = vec![Score::worst(); answered.tests.len()];
        let mut solved: Vec<Solution> = Vec::new();
        for (places, results) in &answered.parts {
            self.score_own(&answered, places, results, &mut scores, &mut solved);
            self.inform_others(&answered, places, results, &mut solved);
        }
        let Some(arm) = self.arms.get_mut(own) else { return Ok(()) };
        self.fresh_classes.count(&mut self.workshop, answered.tests.len());
        let count = answered.tests.len();
        let share = removed_share(before, arm.record.distance);
        arm.record.evaluations += count as u64;
        arm.pursuits.tell(pursuit, &mut answered.tests.into_iter().zip(scores), share);
        if let Some(pool) = pool {
            arm.pools.tell(pool, count, share);
        }
        self.scheduler.told(own, count, arm.record.distance);
        if let Some(solution) = Solution::best(&solved).filter(|it| self.can_confirm(it.arm)).cloned() {
            self.seed_above(&solution);
            observe_crash(&mut self.workshop, &solution.arguments);
            self.confirm(solution)?;
        }
        self.rivals.offer(solved);
        match self.is_timed {
            true => Ok(()),
            false => self.take_confirmations_until(number),
        }
    }

    /// Scores tests for the arm that asked for them and learns from them. The nearest, if it came nearer
    /// than all before it, is offered to the other pursuits of the arm.
    fn score_own(
        &mut self,
        answered: &Answered<Label>,
        places: &[usize],
        results: &Results,
        scores: &mut [Score],
        solved: &mut Vec<Solution>,
    ) {
        let Label { arm: own, pursuit, pins, .. } = answered.label;
        let Some(arm) = self.arms.get_mut(own) else { return };
        let (case, package, level) = (self.case, arm.package, arm.facts.level);
        let origin = origin(own, pursuit, self.now);
        let function = arm.pursuits.function(pursuit);
        let mut nearest = None;
        let mut scoring = arm.objectives.batch(results);
        for (&place, observation) in places.iter().zip(&results.observations) {
            let (Some(test), Some(run)) = (answered.tests.get(place), answered.run_at(place)) else {
                continue;
            };
            let mut verdict = scoring.judge(test, observation);
            let critic = Critic { case, vocabulary: self.workshop.vocabulary(), package, level };
            critic.reject_unless_better(self.known, test, &mut verdict);
            if verdict.is_solution() {
                let usefulness = critic.usefulness(test, Ended::of(&verdict, observation));
                solved.push(Solution::of(own, origin, pins, level, test, observation, usefulness));
            }
            let (classes, notes) = (self.case.classes, &mut arm.record.notes);
            notes.see(classes, &mut scoring, &verdict, observation, &results.frames);
            // The operands of the nearest tests are what stands between them and the next step.
            let nearness = Nearness::of(verdict.distance, arm.record.distance);
            let is_nearer = arm.record.add(&verdict);
            arm.corpus.see(test, observation);
            observe(&mut self.workshop, classes, test, run, observation, &results.frames, nearness);
            if let Some(score) = scores.get_mut(place) {
                *score = score_of(scoring.worth(function, &verdict, test, observation), test, observation);
            }
            if is_nearer {
                nearest = Some((test, verdict, observation));
            }
        }
        if let Some((test, verdict, observation)) = nearest {
            let scores = all_scores(&scoring, &verdict, test, observation);
            offer(arm, test, Some(pursuit), &scores);
        }
    }

    /// Lets all other arms judge tests: one that was meant for a frame may be near another's crash.
    fn inform_others(
        &mut self,
        answered: &Answered<Label>,
        places: &[usize],
        results: &Results,
        solved: &mut Vec<Solution>,
    ) {
        let Label { arm: own, pursuit, pins, .. } = answered.label;
        let mut offers: Vec<Nearer> = Vec::new();
        let package = self.arms.get(own).map_or("", |it| it.package);
        let origin = origin(own, pursuit, self.now);
        for (number, arm) in self.arms.iter_mut().enumerate() {
            // Tests that listen have getters at their end, which tests of other arms lack.
            let is_comparable = number != own && arm.listens() == answered.listens;
            if !is_comparable || self.scheduler.arm(number).is_none_or(|it| it.is_needless) {
                continue;
            }
            let mut nearest: Option<(&TestCase, Verdict, &Observation)> = None;
            let vocabulary = self.workshop.vocabulary();
            let critic = Critic { case: self.case, vocabulary, package, level: arm.facts.level };
            let mut scoring = arm.objectives.batch(results);
            for (&place, observation) in places.iter().zip(&results.observations) {
                let Some(test) = answered.tests.get(place) else { continue };
                let mut verdict = scoring.judge(test, observation);
                critic.reject_unless_better(self.known, test, &mut verdict);
                if verdict.is_solution() {
                    let usefulness = critic.usefulness(test, Ended::of(&verdict, observation));
                    let level = arm.facts.level;
                    solved.push(Solution::of(number, origin, pins, level, test, observation, usefulness));
                }
                if arm.record.add(&verdict) {
                    nearest = Some((test, verdict, observation));
                }
            }
            if let Some((test, verdict, observation)) = nearest {
                self.scheduler.came_nearer(number, verdict.distance);
                let scores = all_scores(&scoring, &verdict, test, observation);
                offers.push(Nearer { arm: number, test: test.clone(), scores });
            }
        }
        for Nearer { arm: number, test, scores } in offers {
            self.target(number);
            if !self.workshop.accepts(&test) {
                continue;
            }
            if let Some(arm) = self.arms.get_mut(number) {
                offer(arm, &test, None, &scores);
            }
        }
    }

    /// Lets the arms of higher frames begin their next turn with tests that begin like one that
    /// crashes as wanted. Most of them never have one, so the tests are not made here.
    fn seed_above(&mut self, solution: &Solution) {
        let entering = up_to(&solution.test, usize::from(solution.completed));
        let is_above = |it: &&mut Arm<'_>| it.facts.level > solution.level && it.obstacle.is_none();
        for arm in self.arms.iter_mut().filter(is_above) {
            arm.entering = Some(entering.clone());
        }
    }
}

/// The share of a distance that was removed. What came first has removed nothing.
fn removed_share(before: f64, after: f64) -> f64 {
    match before.is_finite() && before > 0.0 {
        true => ((before - after) / before).clamp(0.0, 1.0),
        false => 0.0,
    }
}

/// Offers a test to the pursuits of an arm but one.
fn offer(arm: &mut Arm<'_>, test: &TestCase, except: Option<PursuitId>, scores: &[Score]) {
    arm.pursuits.offer(test, except, |function| scores.get(function).cloned().unwrap_or_else(Score::worst));
}

/// The scores of a judged test by all fitness functions of an arm.
fn all_scores(
    scoring: &Scoring<'_, '_>,
    verdict: &Verdict,
    test: &TestCase,
    observation: &Observation,
) -> Vec<Score> {
    let worths = (0..scoring.functions()).map(|it| scoring.worth(it, verdict, test, observation));
    worths.map(|it| score_of(it, test, observation)).collect()
}

fn score_of(worth: Worth, test: &TestCase, observation: &Observation) -> Score {
    let Worth { distance, objectives } = worth;
    Score { distance, objectives, secondary: size(test), cost: cost(observation) }
}
