//! From the frames of a trace to methods of the program.
//!
//! A frame names class, method and line, but no descriptor and no jar. The class is the first of its
//! name on the class path, as for a JVM; `copies` orders the class path. Overloads are told apart by
//! line, then by whether the line can throw or call as the trace says, then by the calls of the next
//! outer frame. Overloads that are still alike after that are all reported.

use std::collections::BTreeMap;

use crashback_trace::{Frame, Relaxation, Throwable};
use serde::Serialize;

use super::ability::{Callee, Evidence, Need, Witness, constructor_beside};
use super::copies::{Candidate, internal_name, load_copies, read_copies};
use super::overloads::{Neighbours, narrow};
use crate::classes::{Classes, MethodId};
use crate::index::ClassRef;
use crate::origins::Origin;

/// How a frame stands to the class path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// The class has such a method, and the method such a line.
    Ok,
    /// No class of that name is on the class path.
    ClassMissing,
    /// The class has no method of that name.
    MethodMissing,
    /// No method of that name has the line.
    LineAbsent,
    /// The trace gives no line, or the class was compiled without lines.
    NoLine,
}

/// How far a shifted line may lie behind the logged one.
pub(super) const MAX_SHIFT: u32 = 2;

/// One frame, as far as the program tells about it.
#[derive(Clone, Debug)]
pub(super) struct ResolvedFrame {
    pub(super) status: Status,
    /// The copy of the class that a JVM takes.
    pub(super) place: Option<ClassRef>,
    /// The methods it may be; one where the bytecode allows to tell.
    pub(super) methods: Vec<MethodId>,
    /// The instructions of the methods that can throw or call as the trace says, on the logged line
    /// or the shifted one.
    pub(super) witnesses: Vec<(MethodId, Witness)>,
    /// The line that stands for the logged one, and why it does.
    pub(super) replacement: Option<(Relaxation, u32)>,
    /// Whether there was anything to check the line against.
    pub(super) checked: bool,
    /// Whether the logged line is of another build or version and does not matter.
    pub(super) is_line_ignored: bool,
}

impl ResolvedFrame {
    /// Evidence for the line, the best there is. Where several calls of the JDK may be meant, all
    /// of them are named.
    pub(super) fn evidence(&self) -> Option<Evidence> {
        let first = self.witnesses.first().map(|(_, it)| it.evidence.clone())?;
        let Evidence::ThroughJdk { .. } = first else { return Some(first) };
        let mut callees: Vec<&str> = Vec::new();
        for (_, witness) in &self.witnesses {
            if let Evidence::ThroughJdk { callee } = &witness.evidence
                && !callees.contains(&callee.as_str())
            {
                callees.push(callee);
            }
        }
        Some(Evidence::ThroughJdk { callee: callees.join(" or ") })
    }

    /// Whether the code shows that the line can neither throw nor call as the trace says.
    pub(super) fn is_refuted(&self) -> bool {
        self.checked && self.status == Status::Ok && self.witnesses.is_empty()
    }

    /// Whether no run can show the logged line, though the class has such a method.
    fn is_line_wrong(&self, frame: &Frame) -> bool {
        match self.status {
            Status::LineAbsent => true,
            Status::NoLine => frame.line().is_some(),
            Status::Ok => self.is_refuted(),
            Status::ClassMissing | Status::MethodMissing => false,
        }
    }

    /// Takes any place of the method for the logged one, if there is one that meets one of the
    /// needs; the first that is met counts.
    fn ignore_line<'t>(
        &mut self,
        classes: &Classes<'_>,
        needs: impl Iterator<Item = &'t Need<'t>>,
        candidates: &[Candidate<'_>],
        around: &Neighbours,
    ) {
        let meeting = |need: &Need<'_>| -> Vec<(MethodId, Witness)> {
            candidates.iter().flat_map(|it| it.witnesses(classes, None, need)).collect()
        };
        let found = needs.map(meeting).find(|it| !it.is_empty()).unwrap_or_default();
        if self.checked && found.is_empty() {
            return;
        }
        self.is_line_ignored = true;
        self.methods = narrow(&candidates.iter().collect::<Vec<_>>(), &found, around);
        self.witnesses = found;
        self.witnesses.retain(|(method, _)| self.methods.contains(method));
    }
}

/// Which classes may be of another build than the log's.
pub(super) struct Builds<'b> {
    /// Whose code a class is: libraries may always be.
    pub(super) origin: &'b dyn Fn(ClassRef) -> Origin,
    /// Whether the project may be, too.
    pub(super) is_other_version: bool,
}

impl Builds<'_> {
    fn may_differ(&self, class: ClassRef) -> bool {
        match (self.origin)(class) {
            Origin::Library => true,
            Origin::Project => self.is_other_version,
            Origin::Jdk => false,
        }
    }

    fn is_library(&self, class: &ClassRef) -> bool {
        (self.origin)(*class) == Origin::Library
    }
}

/// Resolves all frames of a throwable, innermost first. `exception` is the internal name of its
/// class.
pub(super) fn resolve(
    classes: &Classes<'_>,
    throwable: &Throwable,
    exception: &str,
    builds: &Builds<'_>,
) -> Vec<ResolvedFrame> {
    let frames = &throwable.frames;
    let callees: Vec<Callee> = frames.iter().map(|it| Callee::new(classes, it)).collect();
    let needs = needs(frames, &callees, exception);
    let choice = first_copies(classes, frames);
    let copies = load_copies(classes, choice.values().copied());
    let readings = read_copies(classes, &copies);

    let mut resolved = Vec::with_capacity(frames.len());
    for (index, (frame, need)) in frames.iter().zip(&needs).enumerate() {
        let place = choice.get(internal_name(frame).as_str()).copied();
        let reading = place.and_then(|it| readings.get(&it));
        let candidates = reading.map(|it| it.candidates(frame)).unwrap_or_default();
        let outer = frames.get(index + 1).and_then(|outer| {
            let place = choice.get(internal_name(outer).as_str())?;
            Some((outer.line(), readings.get(place)?.candidates(outer)))
        });
        let around = Neighbours::new(classes, resolved.last(), outer);
        let mut found = resolve_frame(classes, frame, need, place, &candidates, &around);
        let enter = |place: Option<ClassRef>| {
            let library = place.filter(|it| builds.is_library(it)).and_then(|it| classes.entry(it));
            library.map(|it| Need::Enter(it.path.as_str()))
        };
        if place.is_some_and(|it| builds.may_differ(it)) && found.is_line_wrong(frame) {
            let enter = enter(place).filter(|_| index > 0);
            let needs = std::iter::once(need).chain(&enter);
            found.ignore_line(classes, needs, &candidates, &around);
        }
        // Between it and another build of a library may stand frames that the log lacks.
        let below = resolved.last().filter(|it: &&ResolvedFrame| it.is_line_ignored);
        if let Some(need) = below.and_then(|it| enter(it.place)).filter(|_| found.is_refuted()) {
            found = resolve_frame(classes, frame, &need, place, &candidates, &around);
        }
        resolved.push(found);
    }
    resolved
}

/// The copies of the classes of frames that a JVM takes.
fn first_copies(classes: &Classes<'_>, frames: &[Frame]) -> BTreeMap<String, ClassRef> {
    let names = frames.iter().map(internal_name);
    names.filter_map(|name| Some((name.clone(), classes.index().places(&name).next()?))).collect()
}

/// What the trace demands of each frame.
pub(super) fn needs<'t>(frames: &[Frame], callees: &'t [Callee], exception: &'t str) -> Vec<Need<'t>> {
    (0..frames.len()).map(|index| need(frames, callees, index, exception)).collect()
}

fn need<'t>(frames: &[Frame], callees: &'t [Callee], index: usize, exception: &'t str) -> Need<'t> {
    let Some(inner_index) = index.checked_sub(1) else { return Need::Throw(exception) };
    match (frames.get(inner_index), callees.get(inner_index)) {
        (Some(inner), Some(callee)) if inner.omitted_after == 0 => Need::Call(callee),
        _ => Need::Unknown,
    }
}

fn resolve_frame(
    classes: &Classes<'_>,
    frame: &Frame,
    need: &Need<'_>,
    place: Option<ClassRef>,
    candidates: &[Candidate<'_>],
    around: &Neighbours,
) -> ResolvedFrame {
    let mut resolved = ResolvedFrame {
        status: Status::Ok,
        place,
        methods: Vec::new(),
        witnesses: Vec::new(),
        replacement: None,
        checked: !matches!(need, Need::Unknown),
        is_line_ignored: false,
    };
    if place.is_none() || candidates.is_empty() {
        resolved.status = if place.is_none() { Status::ClassMissing } else { Status::MethodMissing };
        return resolved;
    }
    let line = frame.line();
    let with_line: Vec<&Candidate<'_>> =
        candidates.iter().filter(|it| line.is_some_and(|line| it.has_line(line))).collect();
    let has_lines = candidates.iter().any(|it| it.method.has_lines());
    resolved.status = match line {
        Some(_) if !with_line.is_empty() => Status::Ok,
        Some(_) if has_lines => Status::LineAbsent,
        _ => Status::NoLine,
    };
    let open: Vec<&Candidate<'_>> =
        if with_line.is_empty() { candidates.iter().collect() } else { with_line };

    match (resolved.status, line) {
        (Status::Ok, Some(line)) => find_witnesses(classes, &open, line, need, &mut resolved),
        // Any place of the method may be meant.
        _ => resolved.witnesses = open.iter().flat_map(|it| it.witnesses(classes, None, need)).collect(),
    }
    resolved.methods = narrow(&open, &resolved.witnesses, around);
    resolved.witnesses.retain(|(method, _)| resolved.methods.contains(method));
    resolved
}

/// Looks on the logged line first; if nothing there can throw or call as the trace says, on other
/// lines of the statement that makes the exception, then on the next lines that the method has.
fn find_witnesses(
    classes: &Classes<'_>,
    open: &[&Candidate<'_>],
    line: u32,
    need: &Need<'_>,
    resolved: &mut ResolvedFrame,
) {
    let on = |line| -> Vec<(MethodId, Witness)> {
        open.iter().flat_map(|it| it.witnesses(classes, Some(line), need)).collect()
    };
    resolved.witnesses = on(line);
    if resolved.witnesses.iter().any(|(_, it)| it.evidence.is_certain()) || !resolved.checked {
        return;
    }
    if let Need::Throw(exception) = need
        && let Some((method, (other, witness))) = open
            .iter()
            .find_map(|it| Some((it.id(), constructor_beside(it.body.as_ref()?, line, exception)?)))
    {
        resolved.replacement = Some((Relaxation::ConstructorLine, other));
        resolved.witnesses = vec![(method, witness)];
        return;
    }
    if !resolved.witnesses.is_empty() {
        return;
    }
    for shifted in line + 1..=line.saturating_add(MAX_SHIFT) {
        let found = on(shifted);
        if !found.is_empty() {
            resolved.replacement = Some((Relaxation::ShiftedLine, shifted));
            resolved.witnesses = found;
            return;
        }
    }
}
