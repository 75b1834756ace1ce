use std::sync::Arc;

use crashback_program::classes::{Classes, MethodId};
use crashback_program::code::MethodBody;
use crashback_program::frames::{CrashAudit, FrameAudit, Goal, Guide};
use crashback_protocol::{Facts, TargetChain};
use thiserror::Error;

use crate::accesses::Accesses;
use crate::blocks::FrameBlocks;
use crate::flags::Flags;
use crate::frame_goals::FrameGoals;
use crate::guides::Guides;
use crate::lines::LineGoal;
use crate::probes::{FrameProbes, Probe};
use crate::seen::Seen;
use crate::throwing::Throwing;
use crate::traces::TraceGoal;
use crate::variables::BranchVariable;

/// A crash to be reproduced at a frame, prepared for many observations.
///
/// It looks at the frames from the target frame inwards: those whose method is known and observed
/// by probes guide the way, all that count must agree in the end.
pub struct Target<'g> {
    /// The goals of the observed frames, outermost first: an instruction that can throw the
    /// exception or call the next frame.
    pub(crate) lines: FrameGoals,
    /// The line of the outermost of them, whatever runs there.
    pub(crate) target_line: Option<LineGoal>,
    /// The instructions that throw the exception by themselves.
    throwing: Throwing,
    /// The accesses by index that may throw it.
    pub(crate) accesses: Accesses,
    /// The variables that decide on branches of the observed frames.
    pub(crate) variables: Vec<PlacedVariable>,
    /// The call chain from the outermost of them inwards.
    chain: TargetChain,
    /// The way to the outermost of them.
    guides: Guides,
    /// The branches that look at flags.
    pub(crate) flags: Arc<Flags>,
    pub(crate) trace: TraceGoal<'g>,
    /// The observed frames, for fitness functions that look at them in another way.
    observed: Vec<ObservedFrame>,
}

/// A frame that is observed.
struct ObservedFrame {
    method: MethodId,
    /// The line to reach.
    line: Option<u32>,
    probes: FrameProbes,
}

/// An observed variable of a frame.
#[derive(Clone, Debug)]
pub(crate) struct PlacedVariable {
    /// Binary name of the frame's class.
    pub(crate) class: String,
    /// The level of the frame.
    pub(crate) level: u32,
    /// Its place in the call chain.
    pub(crate) place: u32,
    /// Number of the probe.
    pub(crate) number: u32,
    pub(crate) variable: BranchVariable,
}

/// There is nothing to reproduce at a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "no frame of the trace up to level {level} counts: choose a level from 1 to {frames} that is not \
     code of the JDK"
)]
pub struct NoSuchFrame {
    /// The level asked for.
    pub level: u32,
    /// How many frames there are.
    pub frames: usize,
}

impl<'g> Target<'g> {
    /// The goal of reproducing a crash at a level.
    ///
    /// `chain` is the call chain that executions report positions in: a number for the method of
    /// each of its frames, outermost first. `probes` gives what is observed of a frame, none where
    /// its method has no probes; it is asked for frames from the target frame to the innermost.
    pub fn new(
        classes: &Classes<'_>,
        goal: &'g Goal<'g>,
        audit: &CrashAudit,
        level: u32,
        chain: &[i32],
        mut probes: impl FnMut(&FrameAudit) -> Option<FrameProbes>,
    ) -> Result<Self, NoSuchFrame> {
        let frames = goal.targets().len();
        let trace = TraceGoal::new(goal, level).filter(|_| level as usize <= frames);
        let trace = trace.ok_or(NoSuchFrame { level, frames })?;
        let mut lines = Vec::new();
        let mut target_line = None;
        let mut outermost = u32::MAX;
        let (mut throwing, mut accesses) = (Throwing::default(), Accesses::default());
        let (mut observed, mut variables) = (Vec::new(), Vec::new());
        for frame in audit.frames.iter().take(level as usize).rev() {
            let Some((method, found)) = frame.resolved.zip(probes(frame)) else { continue };
            let FrameProbes { place, probes, variables: of_frame } = &found;
            outermost = outermost.min(*place);
            throwing = Throwing::new(*place, probes);
            accesses = Accesses::new(*place, probes);
            let placed = |(number, variable): &(u32, BranchVariable)| PlacedVariable {
                class: frame.class.clone(),
                level: frame.level,
                place: *place,
                number: *number,
                variable: variable.clone(),
            };
            variables.extend(of_frame.iter().map(placed));
            let line = classes.with_body(method, |body| {
                let line = frame.line_to_reach().filter(|&it| body.has_line(it));
                let mut goal = LineGoal::new(body, line, &frame.able, Some(*place), probes);
                goal.frame = frame.level;
                lines.push(goal);
                target_line.get_or_insert_with(|| LineGoal::new(body, line, &[], Some(*place), probes));
                line
            });
            observed.extend(line.map(|line| ObservedFrame { method, line, probes: found }));
        }
        let (guides, flags) = (Guides::default(), Arc::default());
        let (lines, chain) = (FrameGoals::new(lines), TargetChain::new(chain, outermost));
        let target =
            Self { throwing, accesses, variables, lines, target_line, chain, guides, flags, trace, observed };
        Ok(target)
    }

    /// The same with guidance by the methods through which the target frame is entered. `probes`
    /// gives their probes.
    #[must_use]
    pub fn guided(
        self,
        classes: &Classes<'_>,
        guides: &[Guide],
        probes: impl FnMut(&Guide) -> Option<Vec<Probe>>,
    ) -> Self {
        Self { guides: Guides::new(classes, guides, probes), ..self }
    }

    /// The same with branches that look at flags being as near as what decided on these.
    #[must_use]
    pub fn flagged(self, flags: Arc<Flags>) -> Self {
        Self { flags, ..self }
    }

    /// How many frames are observed.
    pub fn observed_frames(&self) -> usize {
        self.lines.len()
    }

    /// The goals of reaching the lines of the observed frames, whatever runs there, by decisions
    /// alone.
    pub(crate) fn plain_lines(&self) -> FrameGoals {
        let goal = |frame: &ObservedFrame| {
            let FrameProbes { place, probes, .. } = &frame.probes;
            self.trace.classes().with_body(frame.method, |body| {
                LineGoal::new(body, frame.line, &[], Some(*place), probes).by_decisions()
            })
        };
        FrameGoals::new(self.observed.iter().filter_map(goal).collect())
    }

    /// The blocks that lead to the lines of the observed frames, outermost first.
    pub(crate) fn blocks(&self) -> Vec<FrameBlocks> {
        let mut frames: Vec<&ObservedFrame> = self.observed.iter().collect();
        frames.sort_by_key(|it| it.probes.place);
        let blocks = |frame: &&ObservedFrame| {
            let FrameProbes { place, probes, .. } = &frame.probes;
            let body = |body: &MethodBody<'_>| FrameBlocks::new(body, frame.line, *place, probes);
            self.trace.classes().with_body(frame.method, body)
        };
        frames.iter().filter_map(blocks).collect()
    }

    /// The call chain from the target frame inwards.
    pub(crate) fn chain(&self) -> &TargetChain {
        &self.chain
    }

    /// An execution as the target frame sees it.
    pub(crate) fn see<'a>(&'a self, facts: &'a Facts) -> Seen<'a> {
        Seen::new(facts, &self.chain)
    }

    /// The line distance in an observed frame that was not run through.
    pub(crate) fn line_distance(&self, frame: usize, seen: &Seen<'_>, marks: &[u8]) -> f64 {
        match (self.lines.get(frame), marks.get(frame)) {
            (Some(goal), Some(&marks)) => goal.distance(seen, marks, &self.flags),
            _ => 0.0,
        }
    }

    /// The line distance in the target frame; 0 also if it is not observed.
    pub(crate) fn target_line_distance(&self, seen: &Seen<'_>) -> f64 {
        let Some(goal) = &self.target_line else { return 0.0 };
        let marks = goal.all_marks(seen);
        if goal.is_reached(seen, marks) { 0.0 } else { goal.distance(seen, marks, &self.flags) }
    }

    /// How far the innermost frame was from throwing; infinite if that is not observed.
    pub(crate) fn throwing_distance(&self, seen: &Seen<'_>) -> f64 {
        if self.trace.is_cycle() { Throwing::overflow_distance(seen) } else { self.throwing.distance(seen) }
    }

    /// How far the innermost frame was from getting a value that makes it throw; infinite if that is
    /// not observed.
    pub(crate) fn value_distance(&self, seen: &Seen<'_>) -> f64 {
        let place_of = |level: u32| self.lines.iter().find(|it| it.frame == level).map(|it| it.place);
        self.flags.to_throwing(place_of, seen)
    }

    /// How far an execution that did not enter the target frame was from doing so.
    pub(crate) fn approach(&self, seen: &Seen<'_>) -> f64 {
        self.guides.distance(seen, &self.flags)
    }
}
