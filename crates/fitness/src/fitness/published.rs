//! The distances that published fitness functions are made of, measured as their papers define
//! them: a branch on a flag is 1 away from its other side, and between two decisions all places are
//! alike.

use std::cell::RefCell;

use crashback_protocol::TargetChain;

use super::Execution;
use crate::assessment::{Stage, normalise};
use crate::flags::Flags;
use crate::frame_goals::FrameGoals;
use crate::lines::LineGoal;
use crate::seen::Seen;
use crate::target::Target;

/// The three distances of EvoCrash.
pub(super) struct Distances {
    /// The line of the target frame; none if it is not observed.
    line: Option<LineGoal>,
    chain: TargetChain,
    flags: Flags,
}

/// The distances of one execution, each from 0 to 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parts {
    /// φ(line distance) of the target frame.
    pub(super) line: f64,
    /// 0 if an exception of the class was thrown, wherever that was, and 1 otherwise.
    pub(super) exception: f64,
    /// φ(trace distance), 1 if no exception of the class was thrown.
    pub(super) trace: f64,
}

impl Distances {
    pub(super) fn new(target: &Target<'_>) -> Self {
        let line = target.target_line.clone().map(LineGoal::by_decisions);
        Self { line, chain: target.chain().clone(), flags: Flags::default() }
    }

    pub(super) fn of(&self, execution: &Execution<'_>) -> Parts {
        let assessment = execution.assessment;
        if assessment.stage == Stage::Reproduced {
            return Parts { line: 0.0, exception: 0.0, trace: 0.0 };
        }
        let exception = if assessment.thrown { 0.0 } else { 1.0 };
        // The trace of no exception is infinitely far.
        Parts { line: self.line(execution), exception, trace: normalise(assessment.trace) }
    }

    fn line(&self, execution: &Execution<'_>) -> f64 {
        let Some(goal) = self.line.as_ref().filter(|_| execution.assessment.target_line > 0.0) else {
            return 0.0;
        };
        let seen = Seen::new(&execution.observation.facts, &self.chain);
        normalise(goal.distance(&seen, goal.all_marks(&seen), &self.flags))
    }
}

/// The lines of all frames, as Botsing's integration testing looks at them.
pub(super) struct Lines {
    goals: FrameGoals,
    chain: TargetChain,
    flags: Flags,
    /// For each frame, what an execution left.
    marks: RefCell<Vec<u8>>,
}

impl Lines {
    pub(super) fn new(target: &Target<'_>) -> Self {
        let goals = target.plain_lines();
        let marks = RefCell::new(vec![0; goals.len()]);
        Self { goals, chain: target.chain().clone(), flags: Flags::default(), marks }
    }

    /// An execution as the target frame sees it.
    pub(super) fn see<'a>(&'a self, execution: &Execution<'a>) -> Seen<'a> {
        Seen::new(&execution.observation.facts, &self.chain)
    }

    /// The first frame from outside whose line was not covered inside the frames around it, with
    /// its line distance. A frame that was not entered is farther than any that was.
    pub(super) fn uncovered(&self, seen: &Seen<'_>) -> Option<(usize, f64)> {
        let mut marks = self.marks.borrow_mut();
        let diverging = self.goals.diverging(seen, &mut marks);
        let (goal, marks) = self.goals.get(diverging).zip(marks.get(diverging))?;
        Some((diverging, goal.distance(seen, *marks, &self.flags).min(goal.farthest())))
    }

    /// How many frames there are.
    pub(super) fn count(&self) -> usize {
        self.goals.len()
    }
}
