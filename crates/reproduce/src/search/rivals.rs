//! Rivals: solutions of a frame that were seen while another one of it was confirmed.
//!
//! The first solution of a frame is rarely the most useful one. Those that come until it is confirmed cost
//! nothing: the best of them are kept, run again when the first is about to be minimised, and take its place
//! if they are more useful.

use crashback_protocol::{Batch, Failure};
use crashback_testcase::TestCase;

use crate::arm::Arm;
use crate::candidate::Candidate;
use crate::schedule::ArmId;

use super::Search;
use super::confirm::{MINIMISING, RULING_OUT_CHANCE};
use super::solution::{Solution, up_to};

/// How many are kept for each arm.
const MOST_OF_AN_ARM: usize = 4;

/// The most useful solutions of each arm.
#[derive(Debug, Default)]
pub(super) struct Rivals(Vec<Solution>);

impl Rivals {
    /// Keeps the most useful of all solutions that it was offered; of equally useful ones the first.
    pub(super) fn offer(&mut self, found: Vec<Solution>) {
        for solution in found {
            let is_same = |it: &Solution| it.arm == solution.arm && it.test == solution.test;
            if !self.0.iter().any(is_same) {
                let place = self.0.partition_point(|it| it.usefulness <= solution.usefulness);
                let arm = solution.arm;
                self.0.insert(place, solution);
                self.keep_few_of(arm);
            }
        }
    }

    fn keep_few_of(&mut self, arm: ArmId) {
        if self.0.iter().filter(|it| it.arm == arm).count() > MOST_OF_AN_ARM
            && let Some(last) = self.0.iter().rposition(|it| it.arm == arm)
        {
            self.0.remove(last);
        }
    }

    /// Those of a candidate's arm that are more useful than it, the most useful first.
    fn of(&self, candidate: &Candidate) -> Vec<Solution> {
        let is_rival = |it: &&Solution| {
            it.arm == candidate.arm
                && it.test != candidate.found
                && it.usefulness.is_better_than(&candidate.usefulness)
        };
        self.0.iter().filter(is_rival).cloned().collect()
    }

    /// Forgets a test of an arm.
    pub(super) fn remove(&mut self, arm: ArmId, test: &TestCase) {
        self.0.retain(|it| it.arm != arm || it.test != *test);
    }
}

impl Search<'_> {
    /// The most useful rival of a candidate, if it crashes as wanted with all pins that rule out chance.
    /// Verification, which comes next, rules out that it rests on what other tests left.
    pub(crate) fn rival(&mut self, candidate: &Candidate) -> Result<Option<Candidate>, Failure> {
        let rivals = self.rivals.of(candidate);
        // Whoever receives an exception that does not leave the test is known of the candidate alone.
        if rivals.is_empty() || self.arms.get(candidate.arm).is_none_or(Arm::listens) {
            return Ok(None);
        }
        let tests: Vec<TestCase> = rivals.iter().map(|it| it.test.clone()).collect();
        let (mut crashes, mut has_message) = (vec![true; tests.len()], vec![false; tests.len()]);
        for pins in RULING_OUT_CHANCE.into_iter().chain([MINIMISING]) {
            let (vocabulary, isolation) = (self.workshop.vocabulary(), self.runner.strict_isolation());
            let batch = Batch { vocabulary, tests: &tests, isolation, pins, listens: false };
            let results = self.runner.run(batch)?;
            let Some(arm) = self.arms.get_mut(candidate.arm) else { return Ok(None) };
            let mut scoring = arm.objectives.batch(&results);
            let observed = tests.iter().zip(&results.observations);
            for ((test, observation), (crashes, has_message)) in
                observed.zip(crashes.iter_mut().zip(&mut has_message))
            {
                let verdict = scoring.judge(test, observation);
                *crashes &= verdict.is_reproduced() && !verdict.has_other_cause;
                *has_message = verdict.has_logged_message;
            }
        }
        let mut chosen = rivals.into_iter().zip(crashes.into_iter().zip(has_message));
        let chosen = chosen.find(|(_, (crashes, _))| *crashes);
        Ok(chosen.map(|(rival, (_, has_logged_message))| Candidate {
            origin: rival.origin,
            test: up_to(&rival.test, usize::from(rival.completed)),
            found: rival.test,
            has_other_cause: false,
            has_logged_message,
            usefulness: rival.usefulness,
            ..candidate.clone()
        }))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::progress::Origin;
    use crate::usefulness::Usefulness;
    use crashback_protocol::Pins;
    use crashback_testcase::{Literal, Statement};

    fn solution(arm: ArmId, number: i32, nulls: u32) -> Solution {
        let test = TestCase::new([Statement::Literal(Literal::Int(number))]);
        let usefulness = Usefulness::with_nulls(nulls);
        let origin = Origin { maker: arm, pursuit: 0, evaluations: 0, elapsed: Duration::ZERO };
        Solution {
            arm,
            level: 1,
            origin,
            test,
            completed: 0,
            pins: Pins::Usual,
            usefulness,
            arguments: Vec::new(),
        }
    }

    fn kept(rivals: &Rivals) -> Vec<(ArmId, TestCase)> {
        rivals.0.iter().map(|it| (it.arm, it.test.clone())).collect()
    }

    #[test]
    fn the_most_useful_of_each_arm_are_kept() {
        let mut rivals = Rivals::default();
        rivals.offer(vec![solution(7, 100, 9), solution(1, 5, 5), solution(1, 5, 5)]);
        rivals.offer([4, 0, 3, 1, 2].map(|it| solution(1, it, it.unsigned_abs())).into());
        let expected: Vec<_> = [0, 1, 2, 3].map(|it| solution(1, it, 0)).into_iter().collect();
        let expected = expected.into_iter().chain([solution(7, 100, 9)]);
        assert_eq!(kept(&rivals), expected.map(|it| (it.arm, it.test)).collect::<Vec<_>>());
        rivals.remove(1, &solution(1, 2, 0).test);
        assert_eq!(kept(&rivals).len(), 4);
    }

    #[test]
    fn solutions_that_came_first_stay_among_equally_useful_ones() {
        let mut rivals = Rivals::default();
        rivals.offer((0..9).map(|it| solution(1, it, 1)).collect());
        let expected = (0..4).map(|it| (1, solution(1, it, 1).test));
        assert_eq!(kept(&rivals), expected.collect::<Vec<_>>());
    }
}
