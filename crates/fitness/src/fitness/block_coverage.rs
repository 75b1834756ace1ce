use std::cell::RefCell;

use super::integration_testing::IntegrationTesting;
use super::{Execution, Function};
use crate::blocks::{FrameBlocks, Scratch};
use crate::target::Target;

/// Basic-block coverage as a secondary objective (Derakhshanfar, Devroey, Zaidman: It Is Not Only
/// About Control Dependent Nodes: Basic Block Coverage for Search-Based Crash Reproduction, 2020),
/// one objective: of two tests with equal distances by integration testing, the one that covers
/// more of the blocks on the way to the line is preferred. So a test counts as nearer that comes
/// further before an exception ends it.
///
/// The paper compares tests in pairs and calls them equal if neither covers all that the other
/// does. Here the uncovered share is added to the distance, so small that it decides between equal
/// ones alone; the larger coverage wins in all cases.
pub(super) struct BlockCoverage {
    primary: IntegrationTesting,
    /// The blocks of the observed frames, outermost first.
    frames: Vec<FrameBlocks>,
    scratch: RefCell<Scratch>,
}

/// The weight of the uncovered share. Distances that differ by less count as equal.
const SECONDARY: f64 = 1.0 / (1_u64 << 36) as f64;

impl BlockCoverage {
    pub(super) fn new(target: &Target<'_>) -> Self {
        let primary = IntegrationTesting::new(target);
        Self { primary, frames: target.blocks(), scratch: RefCell::default() }
    }
}

impl Function for BlockCoverage {
    fn distance(&self, execution: &Execution<'_>) -> f64 {
        let (distance, frame) = self.primary.measure(execution);
        let Some(blocks) = self.frames.get(frame).filter(|_| distance > 0.0) else { return distance };
        let seen = self.primary.lines().see(execution);
        distance + SECONDARY * blocks.uncovered(&seen, &mut self.scratch.borrow_mut())
    }

    fn grades_unfinished(&self) -> bool {
        false
    }
}
