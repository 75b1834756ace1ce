use std::ops::Range;
use std::sync::Arc;

use crashback_program::classes::Classes;
use crashback_program::frames::{CrashAudit, FrameAudit, Goal, Guide};
use crashback_protocol::Facts;
use thiserror::Error;

use crate::flags::Flags;
use crate::guides::Guides;
use crate::lines::LineGoal;
use crate::probes::FrameProbes;
use crate::traces::TraceGoal;

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
    /// For each level of the call chain, which of them run at it.
    by_level: Vec<Range<usize>>,
    /// The way to the outermost of them.
    guides: Guides,
    /// The branches that look at flags.
    pub(crate) flags: Arc<Flags>,
    pub(crate) trace: TraceGoal<'g>,
}

/// There is nothing to reproduce at a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "no frame of the trace up to level {level} counts: choose a level from 1 to {frames} that is not code of the JDK"
)]
pub struct NoSuchFrame {
    /// The level asked for.
    pub level: u32,
    /// How many frames there are.
    pub frames: usize,
}

impl<'g> Target<'g> {
    /// The goal of reproducing a crash at a level. `probes` tells what is observed of the method of
    /// a frame, none where it has no probes; it is asked for frames from the outermost, which is
    /// the target frame, to the innermost.
    pub fn new(
        classes: &Classes<'_>,
        goal: &'g Goal<'g>,
        audit: &CrashAudit,
        level: u32,
        mut probes: impl FnMut(&FrameAudit) -> Option<FrameProbes>,
    ) -> Result<Self, NoSuchFrame> {
        let frames = goal.targets().len();
        let trace = TraceGoal::new(goal, level).filter(|_| level as usize <= frames);
        let trace = trace.ok_or(NoSuchFrame { level, frames })?;
        let mut lines = Vec::new();
        let mut target_line = None;
        for frame in audit.frames.iter().take(level as usize).rev() {
            let Some((method, probes)) = frame.resolved.zip(probes(frame)) else { continue };
            let shifted = frame.line_check.as_ref().and_then(|it| it.shifted_line);
            classes.with_body(method, |body| {
                let line = shifted.or(frame.line).filter(|&it| body.has_line(it));
                let mut goal = LineGoal::new(body, line, &frame.able, &probes);
                goal.frame = frame.level;
                lines.push(goal);
                target_line.get_or_insert_with(|| LineGoal::new(body, line, &[], &probes));
            });
        }
        lines.sort_by_key(|it| it.level);
        let (guides, flags) = (Guides::default(), Arc::default());
        Ok(Self { by_level: by_level(&lines), lines, target_line, guides, flags, trace })
    }

    /// The same with guidance by the methods through which the target frame is entered. `probes`
    /// tells what is observed of them.
    #[must_use]
    pub fn guided(
        self,
        classes: &Classes<'_>,
        guides: &[Guide],
        probes: impl FnMut(&Guide) -> Option<FrameProbes>,
    ) -> Self {
        Self { guides: Guides::new(classes, guides, probes), ..self }
    }

    /// The same with branches that look at flags being as near as what decided on these.
    #[must_use]
    pub fn flagged(self, flags: Arc<Flags>) -> Self {
        Self { flags, ..self }
    }

    /// How far an execution that did not enter the target frame was from doing so.
    pub(crate) fn approach(&self, facts: &Facts) -> f64 {
        self.guides.distance(facts, &self.flags)
    }

    /// How many frames are observed.
    pub fn observed_frames(&self) -> usize {
        self.lines.len()
    }

    /// The goals that run at a level, with their places.
    pub(crate) fn at_level(&self, level: u32) -> impl Iterator<Item = (usize, &LineGoal)> {
        let range = self.by_level.get(level as usize).cloned().unwrap_or_default();
        range.clone().zip(self.lines.get(range).unwrap_or_default())
    }
}

fn by_level(lines: &[LineGoal]) -> Vec<Range<usize>> {
    // Levels are depths of a call chain; beyond this something else was given.
    const MOST_LEVELS: u32 = 1 << 16;
    let highest = lines.iter().map(|it| it.level).filter(|level| *level < MOST_LEVELS).max();
    let at = |level: u32| {
        let start = lines.partition_point(|it| it.level < level);
        start..lines.partition_point(|it| it.level <= level)
    };
    highest.map_or(Vec::new(), |highest| (0..=highest).map(at).collect())
}
