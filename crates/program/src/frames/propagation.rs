//! How the exception travels: whether it leaves a frame as it is, as the cause of another
//! exception, or not at all.
//!
//! The handlers around each frame's call site decide. Where several ways lead through a handler the
//! best one counts, and the words say so.

use crashback_trace::{Frame, FrameKind};
use serde::Serialize;

use super::ability::{Evidence, Witness};
use super::resolve::ResolvedFrame;
use crate::classes::{Classes, MethodId};
use crate::code::handlers::{Fate, Outcome, fate_of};
use crate::code::{CallSite, Cfg, MethodBody, Operation, Provenance, Value};

/// How much of the exception the caller of a frame gets to see: the test, where it calls the frame.
///
/// For a frame of the crash this is a forecast from the handlers on the way out, for a search the
/// place where tests look for the exception, and for a test that was found the way in which it
/// shows the exception. Ordered from best to worst; each degree takes in those before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Degree {
    /// The exception itself leaves the call. The only degree that earlier systems count.
    #[default]
    Escapes,
    /// The exception is in the cause chain of the one that leaves the call.
    Cause,
    /// The program swallows the exception, or one that has it in its cause chain. A test sees it
    /// only if the program gives it to an object that the test can ask, such as a logger.
    Caught,
}

/// The exception after a frame.
#[derive(Clone, Debug)]
pub(super) struct Passage {
    pub(super) propagation: Degree,
    /// What the handlers of this frame do to it, if anything.
    pub(super) words: Option<String>,
}

const INVOCATION_TARGET: &str = "java/lang/reflect/InvocationTargetException";
/// The calls that wrap an exception of the called method or constructor.
const REFLECTIVE_CALLS: [&str; 2] =
    ["java.lang.reflect.Method.invoke", "java.lang.reflect.Constructor.newInstance"];
const IN_INITIALIZER: &str = "java/lang/ExceptionInInitializerError";

/// Follows the exception from the innermost frame outwards.
pub(super) fn follow(
    classes: &Classes<'_>,
    frames: &[Frame],
    resolved: &[ResolvedFrame],
    exception: &str,
) -> Vec<Passage> {
    let mut flight = Flight { thrown: vec![Some(exception.to_owned())], swallowed: false };
    // Reflection does not wrap its own exceptions, those that its frames throw as the innermost.
    let mut inner_is_reflection = true;
    let mut passages = Vec::with_capacity(frames.len());
    for (frame, resolved) in frames.iter().zip(resolved) {
        let is_reflection = frame.kind() == FrameKind::Reflection;
        let words = match (is_reflection, inner_is_reflection) {
            // Several frames make one reflective call; it wraps once, where it is entered.
            (true, true) => None,
            (true, false) => flight.wrap_reflectively(),
            (false, false) if calls_reflectively(resolved) => {
                let wrapped = flight.wrap_reflectively();
                flight.pass(classes, resolved).or(wrapped)
            }
            (false, _) => flight.pass(classes, resolved),
        };
        let left_initialiser =
            if frame.method == "<clinit>" { flight.leave_initialiser(classes) } else { None };
        inner_is_reflection = is_reflection;
        passages.push(Passage { propagation: flight.propagation(), words: words.or(left_initialiser) });
    }
    passages
}

/// Whether a line leads to the next inner frame by a reflective call whose own frames are not in
/// the log.
fn calls_reflectively(resolved: &ResolvedFrame) -> bool {
    let is_reflective = |evidence: &Evidence| match evidence {
        Evidence::ThroughJdk { callee } => REFLECTIVE_CALLS.contains(&callee.as_str()),
        _ => false,
    };
    resolved.witnesses.iter().any(|(_, it)| is_reflective(&it.evidence))
}

/// The exception on its way.
struct Flight {
    /// Classes of the exception itself and of its wrappers, innermost first; none for unknown
    /// classes.
    thrown: Vec<Option<String>>,
    swallowed: bool,
}

impl Flight {
    fn propagation(&self) -> Degree {
        match (self.swallowed, self.thrown.len()) {
            (true, _) => Degree::Caught,
            (false, 0 | 1) => Degree::Escapes,
            (false, _) => Degree::Cause,
        }
    }

    fn wrap_reflectively(&mut self) -> Option<String> {
        if self.swallowed {
            return None;
        }
        self.thrown.push(Some(INVOCATION_TARGET.to_owned()));
        Some("the reflective call wraps it in InvocationTargetException".to_owned())
    }

    /// The JVM wraps an exception that leaves a static initialiser, unless it is an error (JVMS
    /// §5.5).
    fn leave_initialiser(&mut self, classes: &Classes<'_>) -> Option<String> {
        let is_error = |it: &str| classes.hierarchy().is_subtype(it, "java/lang/Error") == Some(true);
        if self.swallowed || self.thrown.last().and_then(Option::as_deref).is_some_and(is_error) {
            return None;
        }
        self.thrown.push(Some(IN_INITIALIZER.to_owned()));
        Some("what leaves a static initialiser is wrapped in ExceptionInInitializerError".to_owned())
    }

    /// Takes the exception through a frame and tells in words what happened to it there.
    fn pass(&mut self, classes: &Classes<'_>, resolved: &ResolvedFrame) -> Option<String> {
        if self.swallowed {
            return None;
        }
        let thrown = self.thrown.last().cloned().flatten();
        let ends: Vec<End> = resolved
            .witnesses
            .iter()
            .flat_map(|(method, witness)| ends(classes, *method, witness, thrown.as_deref()))
            .collect();
        let best = ends.iter().min_by_key(|end| end.rank(self.thrown.len()))?.clone();
        let is_mixed = ends.iter().any(|end| end.kind != best.kind);
        let words = best.words(is_mixed, self.thrown.len());
        match best.kind {
            EndKind::Escapes => {}
            EndKind::Wrapped(by) => self.thrown.push(by),
            EndKind::Unwrapped if self.thrown.len() > 1 => drop(self.thrown.pop()),
            EndKind::Unwrapped | EndKind::Lost | EndKind::Given => self.swallowed = true,
        }
        words
    }
}

/// One end of the exception in one method.
#[derive(Clone, Debug)]
struct End {
    kind: EndKind,
    line: Option<u32>,
    receiver: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum EndKind {
    Escapes,
    Wrapped(Option<String>),
    Unwrapped,
    Lost,
    /// It is made here and never thrown, only given to a call.
    Given,
}

impl End {
    fn rank(&self, wrappings: usize) -> u8 {
        match self.kind {
            EndKind::Unwrapped if wrappings > 1 => 0,
            EndKind::Escapes => 1,
            EndKind::Wrapped(_) => 2,
            EndKind::Unwrapped | EndKind::Lost | EndKind::Given => 3,
        }
    }

    fn words(&self, is_mixed: bool, wrappings: usize) -> Option<String> {
        let place = self.line.map_or_else(String::new, |line| format!(" at line {line}"));
        let what = match &self.kind {
            EndKind::Escapes if is_mixed => format!("a handler{place} lets it through on some ways only"),
            EndKind::Escapes => return None,
            EndKind::Wrapped(Some(by)) => {
                format!("a handler{place} wraps it in {}", by.replace('/', "."))
            }
            EndKind::Wrapped(None) => format!("a handler{place} wraps it in another exception"),
            EndKind::Unwrapped if wrappings > 1 => format!("a handler{place} takes it out of its wrapper"),
            EndKind::Unwrapped => format!("a handler{place} throws its cause instead"),
            EndKind::Lost => match &self.receiver {
                Some(receiver) => format!("a handler{place} catches it and gives it to {receiver}"),
                None => format!("a handler{place} catches it"),
            },
            EndKind::Given => {
                let receiver = self.receiver.as_deref().unwrap_or("a call");
                format!("it is made{place}, never thrown, and given to {receiver}")
            }
        };
        let rest = if is_mixed && self.kind != EndKind::Escapes { ", on some ways" } else { "" };
        Some(what + rest)
    }
}

fn ends(classes: &Classes<'_>, method: MethodId, witness: &Witness, thrown: Option<&str>) -> Vec<End> {
    let found = classes.with_body(method, |body| {
        let is_made = witness.evidence == Evidence::Constructs;
        let given = is_made.then(|| given_away(classes, body, witness.instruction)).flatten();
        given.map(|it| vec![it]).or_else(|| ends_in(classes, body, witness.instruction, thrown))
    });
    let found = found.flatten();
    // Code that cannot be read is taken to catch nothing.
    found.unwrap_or_else(|| vec![End { kind: EndKind::Escapes, line: None, receiver: None }])
}

/// The end of an exception that a method makes and never throws, returns or keeps, but gives to a
/// call that yields no object, as loggers do. None if it has another fate, or may have.
fn given_away(classes: &Classes<'_>, body: &MethodBody<'_>, constructor: usize) -> Option<End> {
    let cfg = Cfg::of(body);
    let provenance = Provenance::of(body, &cfg).ok()?;
    let made = provenance.operands(constructor).next()?.definitions;
    let mut receiver = None;
    for (instruction, operation) in body.operations().filter(|(it, _)| *it != constructor) {
        let is_made = |value: &Value| value.definitions.iter().any(|it| made.contains(it));
        let uses: Vec<bool> = provenance.operands(instruction).map(|it| is_made(&it)).collect();
        match operation {
            _ if !uses.contains(&true) => {}
            // Instructions that only move it about.
            Operation::Store { .. } | Operation::Shuffle(_) | Operation::CheckCast(_) => {}
            Operation::Invoke(invoke) => {
                let call = CallSite::at(body, instruction)?;
                let (owner, name) = (invoke.method.owner.to_str(), invoke.method.name.to_str());
                let is_asked = call.has_receiver() && uses.iter().skip(1).all(|it| !it);
                let yields_object = call.signature.result().is_some_and(|it| it.is_reference());
                let carries = classes.hierarchy().is_subtype(&owner, "java/lang/Throwable") != Some(false);
                if is_asked && !yields_object {
                    continue;
                }
                if yields_object || carries || name == "<init>" {
                    return None;
                }
                receiver = Some(format!("{}.{name}", owner.replace('/', ".")));
            }
            _ => return None,
        }
    }
    let line = body.line_of(constructor);
    receiver.map(|it| End { kind: EndKind::Given, line, receiver: Some(it) })
}

fn ends_in(
    classes: &Classes<'_>,
    body: &MethodBody<'_>,
    instruction: usize,
    thrown: Option<&str>,
) -> Option<Vec<End>> {
    // Most calls have no handler around them, and the simulation is not for free.
    body.handlers_at(instruction).next()?;
    let hierarchy = classes.hierarchy();
    let catches = |thrown: &str, caught: &str| {
        if caught == "java/lang/Throwable" { Some(true) } else { hierarchy.is_subtype(thrown, caught) }
    };
    let cfg = Cfg::of(body);
    let provenance = Provenance::of(body, &cfg).ok()?;
    let fate = fate_of(&provenance, instruction, thrown.unwrap_or("(unknown)"), &catches).ok()?;
    Some(ends_of(body, &fate))
}

fn ends_of(body: &MethodBody<'_>, fate: &Fate<'_>) -> Vec<End> {
    let handler = fate.handlers.first().and_then(|&it| body.handlers().get(it));
    let line = handler.and_then(|it| body.line_of(it.target));
    // Calls on the exception itself only ask it for something.
    let given = fate.receipts.iter().filter(|it| it.operand > 0 || !it.call.has_receiver());
    let receiver = given.into_iter().find_map(|receipt| {
        let method = receipt.call.method().filter(|it| it.name != "<init>")?;
        Some(format!("{}.{}", method.owner.to_str().replace('/', "."), method.name))
    });
    let end = |outcome: &Outcome<'_>| {
        let kind = match outcome {
            Outcome::Escapes => EndKind::Escapes,
            Outcome::Wrapped { by } => EndKind::Wrapped(by.map(|it| it.to_str().into_owned())),
            Outcome::Unwrapped => EndKind::Unwrapped,
            Outcome::Replaced { .. } | Outcome::Swallowed => EndKind::Lost,
        };
        End { kind, line, receiver: receiver.clone() }
    };
    fate.outcomes.iter().map(end).collect()
}
