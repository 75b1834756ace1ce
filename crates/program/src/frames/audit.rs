//! The verdict on each frame of a crash, with its reason in words.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use crashback_classfile::internal_name;
use crashback_trace::message::{Fact, facts};
use crashback_trace::{Crash, Cycle, Frame, FrameKind, Relaxation, Relaxations, Throwable, ThrowableId};
use serde::Serialize;

use super::ability::{Evidence, Witness};
use super::entry::{EntryPoint, Guide, Ways, is_accessible, ways_into};
use super::goal::is_passed_over;
use super::propagation::{Degree, Passage, follow};
use super::resolve::{Builds, ResolvedFrame, Status, resolve};
use super::shape::{Nesting, Shape, Visibility};
use super::versions::{VersionMismatch, version_mismatches};
use super::words;
use super::yielded::Yielded;
use crate::classes::{Classes, MethodId};
use crate::code::{MethodBody, Operation};
use crate::index::{ClassIndex, MemberView};
use crate::missing::{MissingClass, missing_classes};
use crate::origins::{Origin, Origins, Scope};

/// The verdict on a crash: its exception and frames, found in the program.
#[derive(Clone, Debug, Serialize)]
pub struct CrashAudit {
    /// The exception as the log names it.
    pub exception: String,
    /// The exception's class on the class path, if the name leads to one.
    pub exception_class: Option<String>,
    /// Its message.
    pub message: Option<String>,
    /// Facts that the message states.
    pub facts: Vec<Fact>,
    /// The frame to aim at: the highest target from which the exception escapes, else the highest
    /// target.
    pub recommended_frame: Option<u32>,
    /// The highest frame worth targeting.
    pub highest_target_frame: Option<u32>,
    /// All frames, innermost first.
    pub frames: Vec<FrameAudit>,
    /// Where the log names another version of a jar than the class path holds.
    pub version_mismatches: Vec<VersionMismatch>,
    /// Classes that the target frames name and the class path lacks.
    pub missing_classes: Vec<MissingClass>,
    /// Whether the exception is that of an `assert`, so that the program must run with assertions
    /// enabled.
    pub needs_assertions: bool,
    /// The cycle of calls in which the stack overflowed; its two rounds are the first frames.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cycle: Option<Cycle>,
}

impl CrashAudit {
    /// What must be relaxed to reach the highest target frame.
    pub fn relaxations(&self) -> Relaxations {
        let below = self.frames.iter().filter(|it| Some(it.level) <= self.highest_target_frame);
        let of_frames = below.filter_map(|it| it.relaxation);
        let assertions = self.needs_assertions.then_some(Relaxation::Assertions);
        let cycle = self.cycle.is_some().then_some(Relaxation::Cycle);
        of_frames.chain(assertions).chain(cycle).fold(Relaxations::default(), |all, it| all | it.into())
    }
}

/// The verdict on one frame, found in the program.
#[derive(Clone, Debug, Serialize)]
pub struct FrameAudit {
    /// The level, 1 for the innermost.
    pub level: u32,
    /// Binary name of the class.
    pub class: String,
    /// The method.
    pub method: String,
    /// The line in the log.
    pub line: Option<u32>,
    /// How it stands to the class path.
    pub status: Status,
    /// Whose code it is.
    pub origin: Origin,
    /// The descriptor, if the bytecode tells which overload it is.
    pub descriptor: Option<String>,
    /// The overloads it may be, if there are several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<String>,
    /// The sort of its method.
    pub shape: Shape,
    /// Where its class is declared.
    pub nesting: Option<Nesting>,
    /// Who may call it.
    pub visibility: Option<Visibility>,
    /// The class-path entry that holds the class.
    pub entry: Option<String>,
    /// In how many entries the class lies.
    pub copies: usize,
    /// Whether the line can throw or call as the trace says; none if that could not be checked.
    pub line_check: Option<LineCheck>,
    /// What the comparison with produced traces must relax about the frame, if anything.
    pub relaxation: Option<Relaxation>,
    /// Whether a test in its package can call it; none if it is not known which method it is.
    pub accessible: Option<bool>,
    /// Accessible methods, constructors and fields that lead to it when a test cannot call it,
    /// nearest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub entry_points: Vec<String>,
    /// What a test that enters through the frame sees of the exception: for a frame that cannot be
    /// called, what leaves the frame above through which it is entered.
    pub propagation: Degree,
    /// What the frame's own handlers do to the exception, if anything.
    pub handling: Option<String>,
    /// Whether it is worth targeting.
    pub target: bool,
    /// Why, or why not.
    pub reason: String,
    /// The lines that stand for the logged one, if the relaxation is about single lines.
    #[serde(skip)]
    pub other_lines: Vec<u32>,
    /// The method, if the bytecode tells which it is.
    #[serde(skip)]
    pub resolved: Option<MethodId>,
    /// The members behind the texts of `entry_points`.
    #[serde(skip)]
    pub entries: Vec<EntryPoint>,
    /// Calls that lead to it on objects that accessible members yield. If there are any, they are
    /// nearer than `entries`.
    #[serde(skip)]
    pub yielded: Vec<Yielded>,
    /// The methods on the ways from `entries`, nearest first.
    #[serde(skip)]
    pub guides: Vec<Guide>,
    /// Indices of the method's instructions that can throw or call as the trace says, if it is
    /// known which method it is: on the line, or on the one that stands for it.
    #[serde(skip)]
    pub able: Vec<usize>,
}

impl FrameAudit {
    /// The method as people write it, with its parameters where they are known:
    /// `Depot.receive(List)`.
    pub fn signature(&self) -> String {
        match &self.descriptor {
            Some(descriptor) => words::signature(&self.class.replace('.', "/"), &self.method, descriptor),
            None => format!("{}.{}", words::simple_name(&self.class), self.method),
        }
    }

    /// The line that a test must reach: the logged one, or the one that stands for it; none if any
    /// that can throw or call as the trace says will do.
    pub fn line_to_reach(&self) -> Option<u32> {
        match (self.relaxation, self.other_lines.as_slice()) {
            (Some(Relaxation::LibraryLines | Relaxation::MovedLines), _) => None,
            (_, [only]) => Some(*only),
            _ => self.line,
        }
    }

    /// Whether there is nothing to say beyond the table: a test can call it, and its line fits the
    /// trace.
    pub fn is_plain(&self) -> bool {
        let evidence = self.line_check.as_ref().and_then(|it| it.evidence.as_ref());
        let is_as_logged = self.relaxation.is_none() && evidence.is_some_and(Evidence::is_certain);
        self.target && self.accessible == Some(true) && is_as_logged && self.handling.is_none()
    }

    /// Whether it is the `main` method with which a program starts.
    fn is_program_start(&self) -> bool {
        self.method == "main" && self.descriptor.as_deref() == Some("([Ljava/lang/String;)V")
    }
}

/// Whether a line can throw or call as the trace says.
#[derive(Clone, Debug, Serialize)]
pub struct LineCheck {
    /// Whether the line, or the one that stands for it, can.
    pub able: bool,
    /// The line that stands for the logged one, which cannot.
    pub shifted_line: Option<u32>,
    /// Evidence for it.
    pub evidence: Option<Evidence>,
}

/// Audits the crashes of one program.
pub struct Auditor<'s> {
    classes: &'s Classes<'s>,
    scope: &'s Scope,
    /// Origins before a crash was chosen.
    origins: Origins<'s>,
}

impl<'s> Auditor<'s> {
    /// An auditor for the classes, of which the scope tells the project's.
    pub fn new(classes: &'s Classes<'s>, scope: &'s Scope) -> Self {
        Self { classes, scope, origins: Origins::new(classes, scope) }
    }

    /// The exception of a cause chain to look at by default: the innermost with a frame of the
    /// project, else the outermost with frames at all.
    pub fn choose_cause(&self, crash: &Crash) -> Option<ThrowableId> {
        let is_project = |frame: &Frame| self.origins.is_project(&internal_name(&frame.class));
        let in_project = |throwable: &Throwable| throwable.frames.iter().any(is_project);
        let chain: Vec<(ThrowableId, &Throwable)> = crash.cause_chain().collect();
        let innermost = chain.iter().rev().find(|(_, it)| in_project(it));
        innermost.or_else(|| chain.iter().find(|(_, it)| !it.frames.is_empty())).map(|(id, _)| *id)
    }

    /// The verdict on all frames of an exception.
    pub fn audit(&self, throwable: &Throwable) -> CrashAudit {
        self.audit_version(throwable, false)
    }

    /// The verdict if the log is of another version of the program: where a line cannot be right,
    /// any line of the method will do that can throw or call as the trace says.
    pub fn audit_of_other_version(&self, throwable: &Throwable) -> CrashAudit {
        self.audit_version(throwable, true)
    }

    fn audit_version(&self, throwable: &Throwable, is_other_version: bool) -> CrashAudit {
        let exception_class = words::exception_class(self.classes, &throwable.class);
        let exception = exception_class.clone().unwrap_or_else(|| throwable.class.replace('.', "/"));
        let origins = self.origins(throwable);
        let builds = Builds { origin: &|class| origins.origin_at(class), is_other_version };
        let resolved = resolve(self.classes, throwable, &exception, &builds);
        let passages = follow(self.classes, &throwable.frames, &resolved, &exception);
        let described = (1..).zip(throwable.frames.iter().zip(&resolved).zip(&passages));
        let mut frames: Vec<FrameAudit> = described
            .map(|(level, ((frame, resolved), passage))| {
                self.describe(level, frame, &origins, resolved, passage)
            })
            .collect();
        enter_as_traced(self.classes.index(), &mut frames);
        look_from_entries(&mut frames);
        self.judge(&mut frames, throwable);
        let text = throwable.message.as_deref().unwrap_or_default();
        CrashAudit {
            exception: throwable.class.clone(),
            exception_class: exception_class.map(|it| it.replace('/', ".")),
            message: throwable.message.clone(),
            facts: facts(&throwable.class, text),
            recommended_frame: recommended(&frames),
            highest_target_frame: frames.iter().filter(|it| it.target).map(|it| it.level).max(),
            version_mismatches: version_mismatches(self.classes, throwable, &resolved),
            missing_classes: missing_classes(
                self.classes,
                frames.iter().filter(|it| it.target).filter_map(|it| it.resolved),
            ),
            needs_assertions: resolved.first().is_some_and(|it| is_assertion(self.classes, it)),
            frames,
            cycle: throwable.cycle.clone(),
        }
    }

    /// The origins of all classes for a crash, as the audit of its frames uses them.
    pub fn origins(&self, throwable: &Throwable) -> Origins<'s> {
        Origins::of_crash(self.classes, self.scope, throwable)
    }

    /// The facts about a frame; judged later.
    fn describe(
        &self,
        level: u32,
        frame: &Frame,
        origins: &Origins<'_>,
        resolved: &ResolvedFrame,
        passage: &Passage,
    ) -> FrameAudit {
        let index = self.classes.index();
        let views: Vec<MemberView<'_>> = resolved.methods.iter().filter_map(|it| it.view(index)).collect();
        let descriptors = || views.iter().map(|it| it.descriptor().to_owned());
        let single = if let [one] = views.as_slice() { Some(*one) } else { None };
        let accessible = single.map(|it| is_accessible(self.classes, it));
        let ways = single.filter(|_| accessible == Some(false)).map(|it| ways_into(self.classes, it));
        let Ways { entries, yielded, guides } = ways.unwrap_or_default();
        let origin = match resolved.place {
            Some(copy) => origins.origin_at(copy),
            None => origins.origin(&internal_name(&frame.class)),
        };
        FrameAudit {
            level,
            class: frame.class.clone(),
            method: frame.method.clone(),
            line: frame.line(),
            status: resolved.status,
            origin,
            descriptor: single.map(|it| it.descriptor().to_owned()),
            candidates: if single.is_none() { descriptors().collect() } else { Vec::new() },
            shape: Shape::of(frame, views.first().copied()),
            nesting: views.first().map(|it| Nesting::of(it.class())),
            visibility: views.first().map(|it| Visibility::of(it.access())),
            entry: resolved.place.and_then(|it| self.classes.entry(it)).map(|it| it.display.clone()),
            copies: index.places(&frame.class.replace('.', "/")).count(),
            line_check: line_check(resolved),
            relaxation: relaxation(self.classes, frame, resolved, origin),
            other_lines: other_lines(self.classes, resolved),
            accessible,
            entry_points: entries.iter().filter_map(|it| words::entry_name(index, *it)).collect(),
            propagation: passage.propagation,
            handling: passage.words.clone(),
            target: false,
            reason: String::new(),
            resolved: single.map(MethodId::of),
            entries,
            yielded,
            guides,
            able: able(resolved, single.map(MethodId::of)),
        }
    }

    fn judge(&self, frames: &mut [FrameAudit], throwable: &Throwable) {
        // The lowest frame that no run can match takes all above it with it.
        let mut obstacle: Option<u32> = None;
        let round = throwable.cycle.as_ref().and_then(|it| u32::try_from(it.length).ok()).unwrap_or(0);
        for (audit, frame) in frames.iter_mut().zip(&throwable.frames) {
            let verdict = verdict(audit, frame, obstacle, &throwable.class);
            let verdict = verdict.and_then(|()| once_per_cycle(audit.level, round));
            audit.target = verdict.is_ok();
            audit.reason = verdict.err().unwrap_or_else(|| words::target(audit));
            if obstacle.is_none() && blocks(audit, frame) {
                obstacle = Some(audit.level);
            }
        }
    }
}

/// Whether the frame is worth targeting, or why not.
fn verdict(audit: &FrameAudit, frame: &Frame, obstacle: Option<u32>, exception: &str) -> Result<(), String> {
    words::mismatch(audit)?;
    match audit.origin {
        Origin::Jdk => return Err("code of the JDK".to_owned()),
        Origin::Library => return Err("code of a library, not of the project".to_owned()),
        Origin::Project => {}
    }
    if is_made_at_run_time(frame.kind()) {
        return Err("the class is made at run time".to_owned());
    }
    words::refuted(audit, exception)?;
    if let Some(below) = obstacle {
        return Err(format!("out of reach: frame {below} below it cannot be matched"));
    }
    if audit.accessible == Some(false) && audit.entries.is_empty() && audit.yielded.is_empty() {
        return Err(format!("{}, and no accessible method leads to it", words::inaccessible(audit)));
    }
    Ok(())
}

/// Each frame of a cycle is targeted once, in the outer round: from there it leads through the inner
/// one.
fn once_per_cycle(level: u32, round: u32) -> Result<(), String> {
    let again = level + round;
    if level > round { Ok(()) } else { Err(format!("the cycle comes to it again: it is frame {again} too")) }
}

/// Whether no run can agree with the trace at this frame, so that all frames above are lost too.
/// Frames that the comparison of traces drops do not count.
fn blocks(audit: &FrameAudit, frame: &Frame) -> bool {
    let is_dropped = audit.origin == Origin::Jdk
        || is_made_at_run_time(frame.kind())
        || audit.shape == Shape::Bridge
        || frame.kind() == FrameKind::Reflection
        || audit.relaxation == Some(Relaxation::RuntimeFrames);
    let cannot_match = match audit.status {
        _ if matches!(audit.relaxation, Some(Relaxation::LibraryLines | Relaxation::MovedLines)) => false,
        Status::ClassMissing | Status::MethodMissing | Status::LineAbsent => true,
        Status::NoLine => audit.line.is_some(),
        Status::Ok => audit.line_check.as_ref().is_some_and(|it| !it.able),
    };
    cannot_match && !is_dropped
}

/// A frame that cannot be called, below another of its nest that cannot be called either, is best
/// entered as that one is, if the trace goes through another class there, such as an anonymous one:
/// nearer entry points may exist, but the trace does not use them.
fn enter_as_traced(index: &ClassIndex, frames: &mut [FrameAudit]) {
    // Frames above are changed first, so that their entry points already lead all the way.
    for lowest in (0..frames.len()).rev() {
        let Some([frame, next, ..]) = frames.get_mut(lowest..) else { continue };
        let nest = |class: &str| class.split('$').next().unwrap_or_default().to_owned();
        let are_hidden = frame.accessible == Some(false) && next.accessible == Some(false);
        let is_way_around = frame.class != next.class || next.shape == Shape::Accessor;
        let are_one_nest = nest(&frame.class) == nest(&next.class);
        let is_entered = are_hidden && are_one_nest && is_way_around && !next.entries.is_empty();
        let Some(method) = next.resolved.filter(|_| is_entered) else { continue };
        let others = frame.entries.iter().filter(|it| !next.entries.contains(it));
        frame.entries = next.entries.iter().chain(others).copied().collect();
        frame.entry_points = frame.entries.iter().filter_map(|it| words::entry_name(index, *it)).collect();
        let farther = next.guides.iter().map(|it| Guide { distance: it.distance + 1, ..it.clone() });
        let first = Guide { method, instructions: next.able.clone(), distance: 1 };
        frame.guides = std::iter::once(first).chain(farther).collect();
    }
}

/// A frame that cannot be called is seen from where it is entered: if that is a frame above, the
/// handlers in between have their say too. A frame that the static initialiser of its own class
/// runs is entered through that, since the first call of the class runs it too.
fn look_from_entries(frames: &mut [FrameAudit]) {
    let outside: Vec<(Option<MethodId>, Shape, Degree)> =
        frames.iter().map(|it| (it.resolved, it.shape, it.propagation)).collect();
    for (index, frame) in frames.iter_mut().enumerate() {
        let own_class = frame.resolved.map(|it| it.class);
        let is_entry = |(method, shape, _): &&(Option<MethodId>, Shape, Degree)| {
            let initialises = *shape == Shape::StaticInitializer && method.map(|it| it.class) == own_class;
            let leads_there = |method: MethodId| {
                frame.entries.contains(&EntryPoint::Method(method))
                    || frame.yielded.iter().any(|it| it.run == method)
            };
            method.is_some_and(|it| initialises || leads_there(it))
        };
        let is_called = frame.yielded.iter().any(|it| Some(it.run) == frame.resolved);
        if let Some((_, _, propagation)) = outside.iter().skip(index + 1).find(is_entry)
            && !is_called
        {
            frame.propagation = *propagation;
        }
    }
}

/// Whether the exception is made by an `assert`: compilers test a flag of the class and jump over
/// the check and the exception if it is set.
fn is_assertion(classes: &Classes<'_>, innermost: &ResolvedFrame) -> bool {
    let is_made_by_assert = |(method, witness): &(MethodId, Witness)| {
        witness.evidence == Evidence::Constructs
            && classes.with_body(*method, |body| lies_behind_assert(body, witness.instruction)) == Some(true)
    };
    innermost.witnesses.iter().any(is_made_by_assert)
}

fn lies_behind_assert(body: &MethodBody<'_>, instruction: usize) -> bool {
    (0..instruction).any(|flag| match (body.operation(flag), body.operation(flag + 1)) {
        (Some(Operation::GetStatic(field)), Some(Operation::Branch { target, .. })) => {
            field.member.name == "$assertionsDisabled" && *target > instruction
        }
        _ => false,
    })
}

fn is_made_at_run_time(kind: FrameKind) -> bool {
    matches!(kind, FrameKind::HiddenLambda | FrameKind::Proxy | FrameKind::Mock | FrameKind::Generated)
}

fn able(resolved: &ResolvedFrame, method: Option<MethodId>) -> Vec<usize> {
    let of_method = resolved.witnesses.iter().filter(|(of, _)| Some(*of) == method);
    of_method.map(|(_, it)| it.instruction).collect()
}

fn relaxation(
    classes: &Classes<'_>,
    frame: &Frame,
    resolved: &ResolvedFrame,
    origin: Origin,
) -> Option<Relaxation> {
    match resolved.status {
        Status::ClassMissing => is_passed_over(classes, frame).then_some(Relaxation::RuntimeFrames),
        _ if resolved.is_line_ignored && origin == Origin::Project => Some(Relaxation::MovedLines),
        _ if resolved.is_line_ignored => Some(Relaxation::LibraryLines),
        _ => resolved.replacement.map(|(relaxation, _)| relaxation),
    }
}

/// The lines that stand for the logged one.
fn other_lines(classes: &Classes<'_>, resolved: &ResolvedFrame) -> Vec<u32> {
    if !resolved.is_line_ignored {
        return resolved.replacement.into_iter().map(|(_, line)| line).collect();
    }
    let line = |(method, witness): &(MethodId, Witness)| {
        classes.with_body(*method, |body| body.line_of(witness.instruction)).flatten()
    };
    let lines: BTreeSet<u32> = resolved.witnesses.iter().filter_map(line).collect();
    lines.into_iter().collect()
}

fn line_check(resolved: &ResolvedFrame) -> Option<LineCheck> {
    if resolved.status != Status::Ok || !resolved.checked {
        return None;
    }
    let able = !resolved.is_refuted();
    let shifted_line = resolved.replacement.map(|(_, line)| line);
    Some(LineCheck { able, shifted_line, evidence: resolved.evidence() })
}

/// Escaping frames win over others, then `main` loses against others, since a test of it runs the
/// whole program; then the highest wins.
fn recommended(frames: &[FrameAudit]) -> Option<u32> {
    let targets = frames.iter().filter(|it| it.target);
    targets.max_by_key(|it| (Reverse(it.propagation), !it.is_program_start(), it.level)).map(|it| it.level)
}
