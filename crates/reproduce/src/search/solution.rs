//! Solutions: tests that crash as wanted as far as the objectives of their arm tell.

use std::cmp::Reverse;
use std::time::Duration;

use crashback_fitness::size;
use crashback_protocol::{Argument, Observation, Pins};
use crashback_testcase::TestCase;

use crate::progress::Origin;
use crate::pursuits::PursuitId;
use crate::schedule::ArmId;
use crate::usefulness::Usefulness;

/// A test that crashes as wanted, as far as its arm's objectives tell.
#[derive(Clone, Debug)]
pub(super) struct Solution {
    /// The arm whose frame it reproduces.
    pub(super) arm: ArmId,
    pub(super) level: u32,
    /// When it was found, and the arm that made it.
    pub(super) origin: Origin,
    pub(super) test: TestCase,
    /// How many of its statements completed.
    pub(super) completed: u16,
    /// The pins that it crashed with.
    pub(super) pins: Pins,
    pub(super) usefulness: Usefulness,
    /// What the methods of the call chain were passed.
    pub(super) arguments: Vec<Argument>,
}

impl Solution {
    /// The solution of an arm's frame, from a request of that arm or another.
    pub(super) fn of(
        arm: ArmId,
        origin: Origin,
        pins: Pins,
        level: u32,
        test: &TestCase,
        observation: &Observation,
        usefulness: Usefulness,
    ) -> Self {
        let (test, completed) = (test.clone(), observation.completed);
        let arguments = observation.facts.arguments.clone();
        Self { arm, level, origin, test, completed, pins, usefulness, arguments }
    }

    /// The best of those that came at once: one of the highest frame, the most useful of these, and the
    /// smallest of equally useful ones.
    pub(super) fn best(found: &[Self]) -> Option<&Self> {
        let is_better = |one: &Self, other: &Self| {
            (Reverse(one.level), one.usefulness)
                .cmp(&(Reverse(other.level), other.usefulness))
                .then_with(|| size(&one.test).total_cmp(&size(&other.test)))
        };
        found.iter().min_by(|one, other| is_better(one, other))
    }
}

/// The origin of a test of an arm's pursuit, with the moment of its results and the tests executed until
/// then.
pub(super) fn origin(maker: ArmId, pursuit: PursuitId, (elapsed, evaluations): (Duration, u64)) -> Origin {
    Origin { maker, pursuit, evaluations, elapsed }
}

/// The test case up to the statement that crashes: the statements behind it never run.
pub(super) fn up_to(test: &TestCase, last: usize) -> TestCase {
    match test.statements().get(..=last) {
        Some(run) if run.len() < test.statements().len() => TestCase::new(run.to_vec()),
        _ => test.clone(),
    }
}
