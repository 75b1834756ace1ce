//! The copies of a class that lies in several entries of the class path, and which of them a trace
//! comes from.
//!
//! A JVM takes the first copy, and so does everything here. Where another one fits a trace better,
//! [`fitting_order`] tells how the class path must be ordered for that one to be the first: the
//! order is decided once, before frames are audited, and is that of all JVMs and of the compiler.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crashback_classfile::ClassFile;
use crashback_trace::{Frame, FrameKind, Throwable};
use serde::Serialize;

use super::ability::{Callee, Need, Witness, witnesses};
use super::resolve::needs;
use super::words::exception_class;
use crate::classes::{Classes, MethodId};
use crate::code::MethodBody;
use crate::index::{ClassRef, ClassView, MemberView};
use crate::source::EntryKind;

/// An entry of the class path that must come before another, because its copy of a class fits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Move {
    /// The path of the entry that moves.
    pub entry: String,
    /// The path of the entry that it comes before.
    pub before: String,
    /// A class of the trace, by its binary name, that fits in the one and not in the other.
    pub class: String,
}

impl Move {
    /// The same in a sentence.
    pub fn words(&self) -> String {
        let Self { entry, before, class } = self;
        format!("{entry} comes before {before} on the class path, because its {class} fits the trace.")
    }
}

/// The moves after which, for as many frames as possible, the first copy of the class is one whose
/// lines can do what the trace says. They are to be made one after the other. None if the order is
/// good as it is: equal copies stay where they are.
pub fn fitting_order(classes: &Classes<'_>, throwables: &[&Throwable]) -> Vec<Move> {
    let contested = contested_classes(classes, throwables);
    let entries: BTreeSet<(ClassRef, &str)> =
        contested.iter().flat_map(|it| &it.copies).map(|it| (it.place, it.entry)).collect();
    let mut order: Vec<&str> = Vec::new();
    for (_, entry) in entries {
        if !order.contains(&entry) {
            order.push(entry);
        }
    }
    let mut moves = Vec::new();
    let mut best = total(&contested, &order);
    // Each round makes the total larger, which has a bound.
    loop {
        let mut found = None;
        for class in &contested {
            let Some(first) = class.first(&order) else { continue };
            for copy in class.copies.iter().filter(|it| it.fit > first.fit) {
                let changed = moved(&order, copy.entry, first.entry);
                let fit = total(&contested, &changed);
                if fit > best {
                    best = fit;
                    let (entry, before) = (copy.entry.to_owned(), first.entry.to_owned());
                    found = Some((changed, Move { entry, before, class: class.name.replace('/', ".") }));
                }
            }
        }
        let Some((changed, step)) = found else { return moves };
        order = changed;
        moves.push(step);
    }
}

/// How well code fits a trace: frames whose line can do what the trace says, then frames whose line
/// exists.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Fit {
    able: usize,
    lines: usize,
}

/// A class of a trace that lies in several entries.
struct Contested<'s> {
    name: String,
    copies: Vec<ClassCopy<'s>>,
}

struct ClassCopy<'s> {
    place: ClassRef,
    /// The path of its entry.
    entry: &'s str,
    fit: Fit,
}

impl<'s> Contested<'s> {
    /// The copy that a JVM takes.
    fn first(&self, order: &[&str]) -> Option<&ClassCopy<'s>> {
        self.copies.iter().min_by_key(|copy| order.iter().position(|it| *it == copy.entry))
    }
}

fn total(contested: &[Contested<'_>], order: &[&str]) -> Fit {
    let firsts = contested.iter().filter_map(|it| it.first(order));
    firsts
        .fold(Fit::default(), |sum, it| Fit { able: sum.able + it.fit.able, lines: sum.lines + it.fit.lines })
}

fn moved<'s>(order: &[&'s str], entry: &'s str, before: &str) -> Vec<&'s str> {
    let others = order.iter().copied().filter(|it| *it != entry);
    others.flat_map(|it| (it == before).then_some(entry).into_iter().chain([it])).collect()
}

/// The classes of frames that lie in several entries which can change places. Those of the JDK
/// cannot, nor can jars inside others.
fn contested_classes<'s>(classes: &Classes<'s>, throwables: &[&Throwable]) -> Vec<Contested<'s>> {
    let frames = throwables.iter().flat_map(|it| &it.frames);
    let names: BTreeSet<String> = frames.map(internal_name).collect();
    let several = |name: String| {
        let places: Vec<ClassRef> = classes.index().places(&name).collect();
        let entries: Option<Vec<&'s str>> = places
            .iter()
            .map(|it| classes.entry(*it).filter(|it| it.kind != EntryKind::Jdk))
            .map(|it| it.map(|it| it.path.as_str()).filter(|it| !it.contains("!/")))
            .collect();
        let entries = entries.filter(|it| it.len() > 1)?;
        let fits = fits(classes, &places, &name, throwables);
        let copies = places.into_iter().zip(entries).zip(fits);
        let copies = copies.map(|((place, entry), fit)| ClassCopy { place, entry, fit }).collect();
        Some(Contested { name, copies })
    };
    names.into_iter().filter_map(several).collect()
}

/// How well each copy of a class fits.
fn fits(classes: &Classes<'_>, places: &[ClassRef], name: &str, throwables: &[&Throwable]) -> Vec<Fit> {
    let copies = load_copies(classes, places.iter().copied());
    let readings = read_copies(classes, &copies);
    let mut fits = vec![Fit::default(); places.len()];
    for throwable in throwables {
        let exception =
            exception_class(classes, &throwable.class).unwrap_or_else(|| throwable.class.replace('.', "/"));
        let callees: Vec<Callee> = throwable.frames.iter().map(|it| Callee::new(classes, it)).collect();
        let needs = needs(&throwable.frames, &callees, &exception);
        let of_class: Vec<(&Frame, &Need<'_>)> =
            throwable.frames.iter().zip(&needs).filter(|(it, _)| internal_name(it) == name).collect();
        for (fit, place) in fits.iter_mut().zip(places) {
            if let Some(reading) = readings.get(place) {
                reading.add_fit(classes, &of_class, fit);
            }
        }
    }
    fits
}

pub(super) fn internal_name(frame: &Frame) -> String {
    frame.class.replace('.', "/")
}

pub(super) type Copies = BTreeMap<ClassRef, Arc<[u8]>>;

/// The files of copies of classes. A copy whose bytes cannot be had any more is as good as absent;
/// the class path reports it.
pub(super) fn load_copies(classes: &Classes<'_>, places: impl Iterator<Item = ClassRef>) -> Copies {
    places.filter_map(|place| Some((place, classes.bytes(place).ok()?))).collect()
}

/// One copy of a class, parsed.
pub(super) struct Reading<'a> {
    view: ClassView<'a>,
    file: ClassFile<'a>,
}

pub(super) fn read_copies<'a>(classes: &Classes<'a>, copies: &'a Copies) -> BTreeMap<ClassRef, Reading<'a>> {
    let readings = copies.iter().filter_map(|(&place, bytes)| {
        let view = classes.index().view(place)?;
        Some((place, Reading { view, file: ClassFile::parse(bytes).ok()? }))
    });
    readings.collect()
}

/// A method that a frame may mean.
pub(super) struct Candidate<'a> {
    pub(super) method: MemberView<'a>,
    pub(super) body: Option<MethodBody<'a>>,
}

impl Candidate<'_> {
    pub(super) fn id(&self) -> MethodId {
        MethodId::of(self.method)
    }

    pub(super) fn has_line(&self, line: u32) -> bool {
        self.body.as_ref().is_some_and(|it| it.has_line(line))
    }

    pub(super) fn witnesses(
        &self,
        classes: &Classes<'_>,
        line: Option<u32>,
        need: &Need<'_>,
    ) -> Vec<(MethodId, Witness)> {
        let found = self.body.as_ref().map(|body| witnesses(classes, body, line, need)).unwrap_or_default();
        found.into_iter().map(|it| (self.id(), it)).collect()
    }
}

impl<'a> Reading<'a> {
    /// The methods of the frame's name. Compilers number lambdas differently, so a lambda's frame
    /// may be any lambda of the same enclosing method; one of the very name wins if it has the
    /// line.
    pub(super) fn candidates<'r>(&'r self, frame: &Frame) -> Vec<Candidate<'r>>
    where
        'a: 'r,
    {
        let exact = self.candidates_by(|name| name == frame.method);
        let fits = frame.line().is_none_or(|line| exact.iter().any(|it| it.has_line(line)));
        if frame.kind() != FrameKind::Lambda || (fits && !exact.is_empty()) {
            return exact;
        }
        let same_lambda = |name: &str| {
            let other = Frame { method: name.to_owned(), class: frame.class.clone(), ..Frame::default() };
            other.kind() == FrameKind::Lambda && crashback_trace::compare::same_method(frame, &other)
        };
        let alike = self.candidates_by(same_lambda);
        if alike.is_empty() { exact } else { alike }
    }

    fn candidates_by<'r>(&'r self, is_named: impl Fn(&str) -> bool) -> Vec<Candidate<'r>>
    where
        'a: 'r,
    {
        let named = self.view.methods().filter(|it| is_named(it.name()));
        named
            .map(|method| {
                let member = self.file.methods.get(usize::from(method.number()));
                Candidate {
                    method,
                    body: member.and_then(|it| MethodBody::of(&self.file, it).ok().flatten()),
                }
            })
            .collect()
    }

    fn add_fit(&self, classes: &Classes<'_>, frames: &[(&Frame, &Need<'_>)], fit: &mut Fit) {
        for (frame, need) in frames {
            let candidates = self.candidates(frame);
            let Some(line) = frame.line() else { continue };
            let can = |it: &Candidate<'_>| !it.witnesses(classes, Some(line), need).is_empty();
            fit.lines += usize::from(candidates.iter().any(|it| it.has_line(line)));
            fit.able += usize::from(candidates.iter().any(can));
        }
    }
}
