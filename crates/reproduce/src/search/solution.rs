//! Solutions: tests that crash as wanted as far as the objectives of their arm tell.

use std::time::Duration;

use crashback_fitness::size;
use crashback_protocol::{Observation, Pins};
use crashback_testcase::TestCase;

use crate::progress::Origin;
use crate::schedule::ArmId;

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
    ) -> Self {
        Self { arm, level, origin, test: test.clone(), completed: observation.completed, pins }
    }

    /// Takes the place of another solution if it is one of a higher frame, or a smaller one.
    pub(super) fn keep_better(self, known: &mut Option<Self>) {
        let is_better =
            |it: &Self| it.level < self.level || it.level == self.level && size(&it.test) > size(&self.test);
        if known.as_ref().is_none_or(is_better) {
            *known = Some(self);
        }
    }
}

/// The origin of a test of an arm, with the moment of its results and the tests executed until then.
pub(super) fn origin(maker: ArmId, (elapsed, evaluations): (Duration, u64)) -> Origin {
    Origin { maker, evaluations, elapsed }
}

/// The test case up to the statement that crashes: the statements behind it never run.
pub(super) fn up_to(test: &TestCase, last: usize) -> TestCase {
    match test.statements().get(..=last) {
        Some(run) if run.len() < test.statements().len() => TestCase::new(run.to_vec()),
        _ => test.clone(),
    }
}
