//! How many frames of traces fit the jar that holds their classes. Where some do not, another
//! release of the jar may fit better.

use std::cmp::Reverse;

use crashback_trace::{Artifact, Frame, FrameKind, Relaxation, Throwable};

use super::copies::internal_name;
use super::resolve::{Builds, ResolvedFrame, Status, resolve};
use super::words::exception_class;
use crate::classes::Classes;
use crate::index::ClassRef;
use crate::origins::{Origin, Origins, Scope};
use crate::source::EntryKind;

/// The place of a frame in a list of exceptions: the number of its exception, then its own.
type Place = (usize, usize);

/// A jar with frames of traces that do not fit its code.
#[derive(Clone, Debug)]
pub struct Misfit {
    /// The path of the jar.
    pub jar: String,
    /// The jars that the log names behind frames of it, each once.
    pub logged: Vec<Artifact>,
    /// How many of the frames fit.
    pub fitting: usize,
    /// Whether a class of the project is among those of the frames.
    is_project: bool,
    frames: Vec<Place>,
}

impl Misfit {
    /// How many frames are of the jar.
    pub fn frames(&self) -> usize {
        self.frames.len()
    }
}

/// The jars whose code cannot do what the traces say, those of the project first, then those with
/// most frames that do not fit. A frame whose class is missing counts for the jar with its package.
pub fn misfits(classes: &Classes<'_>, scope: &Scope, throwables: &[&Throwable]) -> Vec<Misfit> {
    let mut found: Vec<Misfit> = Vec::new();
    for (number, throwable) in throwables.iter().enumerate() {
        let origins = Origins::of_crash(classes, scope, throwable);
        let resolved = resolved(classes, throwable);
        for (index, (frame, resolved)) in throwable.frames.iter().zip(&resolved).enumerate() {
            let Some(jar) = jar_of(classes, frame, resolved) else { continue };
            let position = found.iter().position(|it| it.jar == jar).unwrap_or_else(|| {
                let (logged, frames) = (Vec::new(), Vec::new());
                found.push(Misfit { jar: jar.to_owned(), logged, fitting: 0, is_project: false, frames });
                found.len() - 1
            });
            let Some(misfit) = found.get_mut(position) else { continue };
            misfit.frames.push((number, index));
            misfit.fitting += usize::from(fits(frame, resolved));
            misfit.is_project |= origins.origin(&internal_name(frame)) == Origin::Project;
            let logged = frame.artifact.iter().filter(|it| !misfit.logged.contains(it));
            let logged: Vec<Artifact> = logged.cloned().collect();
            misfit.logged.extend(logged);
        }
    }
    found.retain(|it| it.fitting < it.frames());
    found.sort_by_key(|it| Reverse((it.is_project, it.frames() - it.fitting)));
    found
}

/// How many frames of a jar fit on another class path, to be given with the same exceptions.
pub fn fitting_frames(classes: &Classes<'_>, throwables: &[&Throwable], misfit: &Misfit) -> usize {
    let mut fitting = 0;
    for (number, throwable) in throwables.iter().enumerate() {
        let of_throwable = misfit.frames.iter().filter(|(it, _)| *it == number);
        let places: Vec<usize> = of_throwable.map(|(_, index)| *index).collect();
        if places.is_empty() {
            continue;
        }
        let resolved = resolved(classes, throwable);
        let fits = |index: &&usize| {
            let frame = throwable.frames.get(**index).zip(resolved.get(**index));
            frame.is_some_and(|(frame, resolved)| fits(frame, resolved))
        };
        fitting += places.iter().filter(fits).count();
    }
    fitting
}

/// The frames, to the letter: no line may be of another build.
fn resolved(classes: &Classes<'_>, throwable: &Throwable) -> Vec<ResolvedFrame> {
    let exception =
        exception_class(classes, &throwable.class).unwrap_or_else(|| throwable.class.replace('.', "/"));
    let builds = Builds { origin: &|_| Origin::Project, is_other_version: false };
    resolve(classes, throwable, &exception, &builds)
}

/// Whether the code can do what the trace says on the logged line.
fn fits(frame: &Frame, resolved: &ResolvedFrame) -> bool {
    let is_shifted = matches!(resolved.replacement, Some((Relaxation::ShiftedLine, _)));
    match resolved.status {
        Status::Ok => !resolved.is_refuted() && !is_shifted,
        Status::NoLine => frame.line().is_none(),
        Status::ClassMissing | Status::MethodMissing | Status::LineAbsent => false,
    }
}

/// The path of the jar that a frame is of. Classes made at run time are in none.
fn jar_of<'s>(classes: &Classes<'s>, frame: &Frame, resolved: &ResolvedFrame) -> Option<&'s str> {
    let is_made_at_run_time = matches!(
        frame.kind(),
        FrameKind::HiddenLambda | FrameKind::Proxy | FrameKind::Mock | FrameKind::Generated
    );
    if is_made_at_run_time {
        return None;
    }
    let jar = |it: ClassRef| classes.entry(it).filter(|it| it.kind == EntryKind::Jar);
    let name = internal_name(frame);
    let beside = || {
        let package = name.rsplit_once('/').map_or("", |(package, _)| package);
        classes.index().package(package).iter().find_map(|it| jar(*it))
    };
    let entry = match resolved.place {
        Some(place) => jar(place),
        None => beside(),
    };
    // Jars inside others have no place of their own.
    entry.map(|it| it.path.as_str()).filter(|it| !it.contains("!/"))
}
