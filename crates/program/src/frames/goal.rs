//! A crash as a goal: when is a produced exception the same crash, up to which frame?
//!
//! The definition of agreement is [`crashback_trace::compare`]'s; this adds the facts that only the
//! program tells: which frames are bridges or belong to the JDK, which lines stand for a logged one
//! that cannot be right, and which libraries are of another build than the log's.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

use crashback_trace::compare::{
    Agreement, Lines, Logged, Standing, TargetFrame, compare, is_dropped, is_mock_library,
    is_runtime_machinery,
};
use crashback_trace::{Cycle, Frame, Relaxation, Throwable};

use super::audit::{CrashAudit, FrameAudit};
use crate::classes::{Classes, MethodId};
use crate::index::MemberView;
use crate::origins::Origin;

/// The crash to be reproduced.
pub struct Goal<'s> {
    classes: &'s Classes<'s>,
    exception: String,
    message: Option<String>,
    frames: Vec<Frame>,
    /// For each frame the lines that agree with the logged one.
    lines: Vec<OtherLines>,
    /// The cycle of calls, where the stack overflowed.
    cycle: Option<Cycle>,
    /// Names of the class-path entries that hold other builds of libraries than the log's.
    other_builds: BTreeSet<String>,
    /// Frames of mock libraries are looked past unless the project is one.
    keeps_mock_frames: bool,
    /// Whether frames of produced traces are bridges: the same few frames come again and again.
    bridges: Mutex<BTreeMap<Place, bool>>,
}

/// What is relaxed about the line of a frame, and the lines that stand for it.
type OtherLines = (Option<Relaxation>, Vec<u32>);

/// Class, method and line of a frame.
type Place = (String, String, Option<u32>);

impl<'s> Goal<'s> {
    /// The goal of reproducing an exception that was audited.
    pub fn new(classes: &'s Classes<'s>, throwable: &Throwable, audit: &CrashAudit) -> Self {
        Self {
            classes,
            exception: audit.exception_class.clone().unwrap_or_else(|| throwable.class.clone()),
            message: throwable.message.clone(),
            frames: throwable.frames.clone(),
            lines: audit.frames.iter().map(|it| (it.relaxation, it.other_lines.clone())).collect(),
            cycle: throwable.cycle.clone(),
            other_builds: other_builds(audit),
            keeps_mock_frames: audit
                .frames
                .iter()
                .any(|it| it.origin == Origin::Project && is_mock_library(&it.class)),
            bridges: Mutex::default(),
        }
    }

    /// How far a produced exception agrees with the crash. Class names are binary names, frames
    /// innermost first.
    pub fn agreement(&self, produced_class: &str, produced: &[Frame]) -> Agreement {
        self.agreement_up_to(u32::MAX, produced_class, produced)
    }

    /// The same for the frames up to a level: what is relaxed above it does not matter. All frames of a
    /// cycle agree or none does.
    pub fn agreement_up_to(&self, level: u32, produced_class: &str, produced: &[Frame]) -> Agreement {
        let most = self.cycle.as_ref().map_or(0, Cycle::frames).max(level as usize);
        let target: Vec<TargetFrame<'_>> = self.targets().take(most).collect();
        let (wanted, standing) = (&self.exception, |frame: &Frame| self.standing(frame));
        compare(wanted, &target, self.cycle_length(), produced_class, produced, standing)
    }

    /// The frames of the crash that count.
    pub fn logged(&self) -> Logged<'_> {
        Logged::new(self.targets(), self.cycle_length(), |frame| self.standing(frame))
    }

    /// How many frames one round of the cycle has; 0 if the stack did not overflow in one.
    fn cycle_length(&self) -> usize {
        self.cycle.as_ref().map_or(0, |it| it.length)
    }

    /// Whether the stack overflowed in a cycle of calls.
    pub fn is_cycle(&self) -> bool {
        self.cycle.is_some()
    }

    /// The highest level up to another that counts; 0 for none. To agree up to a frame that is
    /// looked past is to agree up to this one.
    pub fn counted_level(&self, level: u32) -> u32 {
        let counted = (1..=level).zip(self.targets()).filter(|(_, it)| self.counts(it.frame));
        counted.last().map_or(0, |(level, _)| level)
    }

    /// The classes of the program.
    pub fn classes(&self) -> &'s Classes<'s> {
        self.classes
    }

    /// Binary name of the exception's class, or its simple name where the log tells no more.
    pub fn exception(&self) -> &str {
        &self.exception
    }

    /// The exception's message.
    pub fn message(&self) -> Option<&str> {
        self.message.as_deref()
    }

    /// All frames of the crash, innermost first.
    pub fn targets(&self) -> impl ExactSizeIterator<Item = TargetFrame<'_>> {
        let of_cycle = |index| self.cycle.as_ref().and_then(|it| it.lines_of(index));
        self.frames.iter().zip(&self.lines).enumerate().map(move |(index, (frame, (relaxation, lines)))| {
            let lines = match (*relaxation, of_cycle(index)) {
                (None, Some(logged)) => Lines::Replaced(Relaxation::Cycle, logged),
                (None | Some(Relaxation::RuntimeFrames), _) => Lines::Logged,
                (Some(relaxation @ Relaxation::LibraryLines), _) => Lines::Any(relaxation),
                // A class without line numbers shows no line at all.
                (Some(relaxation @ Relaxation::MovedLines), _) if lines.is_empty() => Lines::Any(relaxation),
                (Some(relaxation), _) => Lines::Replaced(relaxation, lines),
            };
            TargetFrame { frame, lines }
        })
    }

    /// How a frame counts, of the crash or of a produced trace.
    pub fn standing(&self, frame: &Frame) -> Standing {
        if self.drops(frame) {
            Standing::Dropped
        } else if is_passed_over(self.classes, frame) {
            Standing::PassedOver
        } else if self.is_of_other_build(frame) {
            Standing::MayStandBetween
        } else {
            Standing::Counts
        }
    }

    fn counts(&self, frame: &Frame) -> bool {
        matches!(self.standing(frame), Standing::Counts | Standing::MayStandBetween)
    }

    fn is_of_other_build(&self, frame: &Frame) -> bool {
        if self.other_builds.is_empty() {
            return false;
        }
        let class = self.classes.index().get(&frame.class.replace('.', "/"));
        let entry = class.and_then(|it| self.classes.entry(it.reference()));
        entry.is_some_and(|it| self.other_builds.contains(&it.display))
    }

    fn drops(&self, frame: &Frame) -> bool {
        let is_jdk = |class: &str| self.classes.is_jdk(&class.replace('.', "/"));
        is_dropped(frame, is_jdk)
            || (!self.keeps_mock_frames && is_mock_library(&frame.class))
            || self.is_bridge(frame)
    }

    fn is_bridge(&self, frame: &Frame) -> bool {
        let key = (frame.class.clone(), frame.method.clone(), frame.line());
        let mut bridges = self.bridges.lock().unwrap_or_else(PoisonError::into_inner);
        *bridges.entry(key).or_insert_with(|| is_bridge(self.classes, frame))
    }
}

/// Whether a frame is of machinery around the program that the class path lacks.
pub(super) fn is_passed_over(classes: &Classes<'_>, frame: &Frame) -> bool {
    is_runtime_machinery(frame) && !classes.index().contains(&frame.class.replace('.', "/"))
}

/// The entries of libraries whose lines do not fit the log. Where one holds classes of the project
/// too, their frames could no longer be told from those that may stand between.
fn other_builds(audit: &CrashAudit) -> BTreeSet<String> {
    let entries = |is_wanted: &dyn Fn(&FrameAudit) -> bool| -> BTreeSet<String> {
        audit.frames.iter().filter(|it| is_wanted(it)).filter_map(|it| it.entry.clone()).collect()
    };
    let others = entries(&|it| it.relaxation == Some(Relaxation::LibraryLines));
    let own = entries(&|it| it.origin == Origin::Project);
    others.difference(&own).cloned().collect()
}

/// Whether all methods that a frame may mean are bridges. Without a line the ordinary method of the
/// name is meant.
fn is_bridge(classes: &Classes<'_>, frame: &Frame) -> bool {
    let Some(class) = classes.index().get(&frame.class.replace('.', "/")) else { return false };
    let named: Vec<MemberView<'_>> = class.methods_named(&frame.method).collect();
    let (Some(line), true) = (frame.line(), named.iter().any(|it| it.is_bridge())) else { return false };
    let has_line = |method: &&MemberView<'_>| {
        classes.with_body(MethodId::of(**method), |body| body.has_line(line)) == Some(true)
    };
    let mut possible = named.iter().filter(has_line).peekable();
    possible.peek().is_some() && possible.all(|it| it.is_bridge())
}
