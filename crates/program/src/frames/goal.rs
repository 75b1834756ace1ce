//! A crash as a goal: when is a produced exception the same crash, up to which frame?
//!
//! The definition of agreement is [`crashback_trace::compare`]'s; this adds the facts that only the
//! program tells: which frames are bridges or belong to the JDK, and which line stands for a logged
//! one that cannot be right.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use crashback_trace::compare::{Agreement, TargetFrame, compare, is_dropped, is_mock_library};
use crashback_trace::{Frame, Throwable};

use super::audit::CrashAudit;
use crate::classes::{Classes, MethodId};
use crate::index::MemberView;
use crate::origins::Origin;

/// The crash to be reproduced.
pub struct Goal<'s> {
    classes: &'s Classes<'s>,
    exception: String,
    frames: Vec<Frame>,
    shifted_lines: Vec<Option<u32>>,
    /// Frames of mock libraries are looked past unless the project is one.
    keeps_mock_frames: bool,
    /// Whether frames of produced traces are bridges: the same few frames come again and again.
    bridges: Mutex<BTreeMap<Place, bool>>,
}

/// Class, method and line of a frame.
type Place = (String, String, Option<u32>);

impl<'s> Goal<'s> {
    /// The goal of reproducing an exception that was audited.
    pub fn new(classes: &'s Classes<'s>, throwable: &Throwable, audit: &CrashAudit) -> Self {
        let shifted = |line_check: &super::LineCheck| line_check.shifted_line;
        Self {
            classes,
            exception: audit.exception_class.clone().unwrap_or_else(|| throwable.class.clone()),
            frames: throwable.frames.clone(),
            shifted_lines: audit.frames.iter().map(|it| it.line_check.as_ref().and_then(shifted)).collect(),
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
        let target: Vec<TargetFrame<'_>> = self.targets().collect();
        compare(&self.exception, &target, produced_class, produced, |frame| self.drops(frame))
    }

    /// The highest level up to another that counts; 0 for none. To agree up to a frame that is
    /// looked past is to agree up to this one.
    pub fn counted_level(&self, level: u32) -> u32 {
        let counted = (1..=level).zip(self.targets()).filter(|(_, it)| !self.drops(it.frame));
        counted.last().map_or(0, |(level, _)| level)
    }

    /// Binary name of the exception's class, or its simple name where the log tells no more.
    pub fn exception(&self) -> &str {
        &self.exception
    }

    /// All frames of the crash, innermost first.
    pub fn targets(&self) -> impl ExactSizeIterator<Item = TargetFrame<'_>> {
        let lines = self.frames.iter().zip(&self.shifted_lines);
        lines.map(|(frame, &shifted_line)| TargetFrame { frame, shifted_line })
    }

    /// Whether the definition looks past a frame, of the crash or of a produced trace.
    pub fn drops(&self, frame: &Frame) -> bool {
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
