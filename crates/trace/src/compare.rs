//! The one definition of a produced trace agreeing with a logged one, "reproduced at frame k".
//!
//! The exception class is the logged one. With frames dropped on both sides that the definition
//! does not look at ([`is_dropped`]), the frames from the innermost to level k agree in class,
//! method and line, with no other frames between them. Lambda bodies agree by the method around
//! them, since compilers number them differently. The line of a target frame may be replaced by
//! another one where the caller has shown that the logged line cannot be right.

use serde::Serialize;

use crate::kind::FrameKind;
use crate::model::Frame;

/// A frame to be reproduced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TargetFrame<'a> {
    /// The logged frame.
    pub frame: &'a Frame,
    /// The line that stands for the logged one, where that one can neither throw nor call the next
    /// frame.
    pub shifted_line: Option<u32>,
}

/// How far a produced trace agrees with the target.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Agreement {
    /// Whether the exception's class is the target's.
    pub exception: bool,
    /// The highest level, from 1 for the innermost logged frame, up to which all frames that count
    /// agree; 0 for none.
    pub level: usize,
    /// How many frames that count agree.
    pub frames: usize,
    /// Whether one of them agrees only on its shifted line.
    pub line_shifted: bool,
    /// The first difference in words, if there is one within the target's frames.
    pub difference: Option<String>,
}

impl Agreement {
    /// Whether the crash is reproduced at a level, which must be one that counts.
    pub fn reproduced_at(&self, level: usize) -> bool {
        self.exception && level > 0 && self.level >= level
    }
}

/// Compares a produced throwable with the target: the frames of the log from the innermost on, none
/// left out, up to the highest level of interest. `dropped` says of a frame of either side that it
/// does not count, see [`is_dropped`].
pub fn compare(
    target_class: &str,
    target: &[TargetFrame<'_>],
    produced_class: &str,
    produced: &[Frame],
    dropped: impl Fn(&Frame) -> bool,
) -> Agreement {
    let mut agreement = Agreement {
        exception: same_exception(target_class, produced_class),
        level: 0,
        frames: 0,
        line_shifted: false,
        difference: None,
    };
    if !agreement.exception {
        agreement.difference = Some(format!("{produced_class} was thrown, not {target_class}"));
    }
    let mut produced = produced.iter().filter(|frame| !dropped(frame));
    let counted = target.iter().enumerate().filter(|(_, target)| !dropped(target.frame));
    for (index, target) in counted {
        let level = index + 1;
        let found = match produced.next() {
            Some(frame) => frame_difference(target, frame),
            None => Err("the produced trace has no further frame".to_owned()),
        };
        match found {
            Ok(shifted) => {
                agreement.level = level;
                agreement.frames += 1;
                agreement.line_shifted |= shifted;
            }
            Err(words) => {
                agreement.difference.get_or_insert_with(|| format!("at level {level}, {words}"));
                break;
            }
        }
    }
    agreement
}

/// Whether the produced class is the one that the trace names. A log that gives only the simple
/// name names any class of that simple name.
pub fn same_exception(target: &str, produced: &str) -> bool {
    target == produced
        || !target.contains('.') && produced.rsplit(['.', '$']).next().is_some_and(|simple| simple == target)
}

/// Whether two class names mean the same class. Those of lambda classes and other hidden ones carry
/// numbers that differ from run to run.
pub fn same_class(left: &str, right: &str) -> bool {
    stable_name(left) == stable_name(right)
}

fn stable_name(class: &str) -> &str {
    let end = class.find("$$Lambda").map(|start| start + "$$Lambda".len()).or_else(|| class.find('/'));
    end.and_then(|end| class.get(..end)).unwrap_or(class)
}

/// Whether two frames are in the same method as written: lambda bodies by the method around them.
pub fn same_method(left: &Frame, right: &Frame) -> bool {
    if left.method == right.method {
        return true;
    }
    let lambdas = left.kind() == FrameKind::Lambda && right.kind() == FrameKind::Lambda;
    let (left, right) = (left.enclosing_method(), right.enclosing_method());
    // javac 8 did not record the method around a nested lambda; the line has to tell.
    lambdas && (left == right || left.is_empty() || right.is_empty())
}

/// Whether two frames agree in class, method and line; with `Some(true)` they do on the shifted
/// line only.
pub fn same_place(target: &TargetFrame<'_>, produced: &Frame) -> Option<bool> {
    let logged = target.frame;
    if !same_class(&logged.class, &produced.class) || !same_method(logged, produced) {
        return None;
    }
    match (logged.line(), produced.line()) {
        (None, _) => Some(false),
        (logged, produced) if logged == produced => Some(false),
        (_, Some(line)) if target.shifted_line == Some(line) => Some(true),
        _ => None,
    }
}

/// Whether the frames agree on the shifted line only, or how they differ.
fn frame_difference(target: &TargetFrame<'_>, produced: &Frame) -> Result<bool, String> {
    same_place(target, produced)
        .ok_or_else(|| format!("the log has {}, the produced trace {}", short(target.frame), short(produced)))
}

fn short(frame: &Frame) -> String {
    match frame.line() {
        Some(line) => format!("{}.{} line {line}", frame.class, frame.method),
        None => format!("{}.{}", frame.class, frame.method),
    }
}

/// Whether the definition looks past a frame, by its names alone: frames of the JDK, reflection,
/// method handles, proxies, mocks and the hidden classes of lambdas. Bridge methods are dropped too
/// but need the class file to tell.
pub fn is_dropped(frame: &Frame, is_jdk: impl Fn(&str) -> bool) -> bool {
    match frame.kind() {
        FrameKind::HiddenLambda
        | FrameKind::Proxy
        | FrameKind::Reflection
        | FrameKind::MethodHandle
        | FrameKind::Mock
        | FrameKind::Generated => true,
        FrameKind::Ordinary | FrameKind::Lambda | FrameKind::Accessor => is_jdk(&frame.class),
    }
}

/// Whether a class belongs to a mock library. Such frames are dropped unless the program is that
/// library.
pub fn is_mock_library(class: &str) -> bool {
    const LIBRARIES: [&str; 6] =
        ["org.mockito.", "net.bytebuddy.", "org.easymock.", "org.powermock.", "org.jmock.", "io.mockk."];
    LIBRARIES.iter().any(|library| class.starts_with(library))
}
