use std::ops::Range;
use std::sync::Arc;

use crashback_program::classes::Classes;
use crashback_program::frames::{CrashAudit, FrameAudit, Goal, Guide};
use crashback_protocol::{Facts, TargetChain};
use thiserror::Error;

use crate::accesses::Accesses;
use crate::flags::Flags;
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
    pub(crate) lines: Vec<LineGoal>,
    /// The line of the outermost of them, whatever runs there.
    pub(crate) target_line: Option<LineGoal>,
    /// The instructions that throw the exception by themselves.
    throwing: Throwing,
    /// The accesses by index that may throw it.
    pub(crate) accesses: Accesses,
    /// The variables that decide on branches of the observed frames.
    pub(crate) variables: Vec<PlacedVariable>,
    /// For each place of the call chain, which of them run at it.
    by_place: Vec<Range<usize>>,
    /// The call chain from the outermost of them inwards.
    chain: TargetChain,
    /// The way to the outermost of them.
    guides: Guides,
    /// The branches that look at flags.
    pub(crate) flags: Arc<Flags>,
    pub(crate) trace: TraceGoal<'g>,
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
        let mut variables = Vec::new();
        for frame in audit.frames.iter().take(level as usize).rev() {
            let Some((method, observed)) = frame.resolved.zip(probes(frame)) else { continue };
            let FrameProbes { place, probes, variables: of_frame } = observed;
            outermost = outermost.min(place);
            throwing = Throwing::new(place, &probes);
            accesses = Accesses::new(place, &probes);
            let placed = |(number, variable)| {
                let (class, level) = (frame.class.clone(), frame.level);
                PlacedVariable { class, level, place, number, variable }
            };
            variables.extend(of_frame.into_iter().map(placed));
            classes.with_body(method, |body| {
                let line = frame.line_to_reach().filter(|&it| body.has_line(it));
                let mut goal = LineGoal::new(body, line, &frame.able, Some(place), &probes);
                goal.frame = frame.level;
                lines.push(goal);
                target_line.get_or_insert_with(|| LineGoal::new(body, line, &[], Some(place), &probes));
            });
        }
        lines.sort_by_key(|it| it.place);
        let (guides, flags) = (Guides::default(), Arc::default());
        let (by_place, chain) = (by_place(&lines), TargetChain::new(chain, outermost));
        Ok(Self { throwing, accesses, variables, by_place, lines, target_line, chain, guides, flags, trace })
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

    /// The call chain from the target frame inwards.
    pub(crate) fn chain(&self) -> &TargetChain {
        &self.chain
    }

    /// An execution as the target frame sees it.
    pub(crate) fn see<'a>(&'a self, facts: &'a Facts) -> Seen<'a> {
        Seen::new(facts, &self.chain)
    }

    /// Which of the observed frames is the first, from the outermost, that was not run through
    /// inside those around it. `marks` gets what the execution left at each of them.
    pub(crate) fn diverging(&self, seen: &Seen<'_>, marks: &mut [u8]) -> usize {
        marks.fill(0);
        for reached in &seen.facts.reached {
            let Some(place) = seen.place(reached.position) else { continue };
            let range = self.by_place.get(place as usize).cloned().unwrap_or_default();
            let goals = self.lines.get(range.clone()).unwrap_or_default();
            for (goal, marks) in goals.iter().zip(marks.get_mut(range).unwrap_or_default()) {
                *marks |= goal.marks(reached.probe);
            }
        }
        let diverges = |(goal, marks): (&LineGoal, &u8)| !goal.is_reached(seen, *marks);
        self.lines.iter().zip(&*marks).position(diverges).unwrap_or(self.lines.len())
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

    /// How far an execution that did not enter the target frame was from doing so.
    pub(crate) fn approach(&self, seen: &Seen<'_>) -> f64 {
        self.guides.distance(seen, &self.flags)
    }
}

fn by_place(lines: &[LineGoal]) -> Vec<Range<usize>> {
    // No call chain is longer; a place beyond stands for something else.
    const MOST_PLACES: u32 = 1 << 16;
    let last = lines.iter().filter_map(|it| it.place).filter(|place| *place < MOST_PLACES).max();
    let at = |place: u32| {
        let start = lines.partition_point(|it| it.place < Some(place));
        start..lines.partition_point(|it| it.place <= Some(place))
    };
    last.map_or(Vec::new(), |last| (0..=last).map(at).collect())
}
