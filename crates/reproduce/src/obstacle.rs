//! What keeps searches from going further, in words that a developer understands.

use std::collections::BTreeMap;

use crashback_fitness::{Hindered, Hindrance, Scoring, Stage, Verdict};
use crashback_program::classes::Classes;
use crashback_program::frames::{CrashAudit, FrameAudit};
use crashback_program::missing::{self, MissingClass};
use crashback_protocol::{Observation, Outcome, Throwable};
use crashback_trace::Frame;
use serde::Serialize;

use crate::Degree;
use crate::arm::Record;

/// What kept a search from going further.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Obstacle {
    pub(crate) kind: ObstacleKind,
    pub(crate) words: String,
}

/// Kinds of obstacles, by which they are counted. The names stay.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ObstacleKind {
    /// No method that a test can call leads into the frame.
    NoEntry,
    /// No value could be made of a type that every test needs.
    TypesUnavailable,
    /// A class is not on the class path.
    MissingClass,
    /// An exception ended the tests before they came to the frame's line.
    StoppedEarlier,
    /// The method was called, or should have been, but the frame was not entered as the trace has
    /// it.
    NotEntered,
    /// A condition on the way to the line never turned out as it would have to.
    BranchNotTaken,
    /// Tests reached the line, but nothing was thrown there.
    LineReachedOnly,
    /// The exception was thrown, but through other frames.
    ThroughOtherFrames,
    /// The program catches the exception, and no test could see it.
    Caught,
    /// Tests crashed as wanted in the worker, but not in a plain JVM.
    NotConfirmed,
    /// The budget was used up before the frame's turn came.
    OutOfTime,
    /// The program keeps the exception from leaving the frame, and a test that it leaves was found.
    NotTried,
}

impl Obstacle {
    pub(crate) fn new(kind: ObstacleKind, words: impl Into<String>) -> Self {
        Self { kind, words: words.into() }
    }

    pub(crate) fn no_entry() -> Self {
        Self::new(ObstacleKind::NoEntry, "no accessible method leads into the frame")
    }
}

/// Classes that tests missed, at most.
const MOST_MISSING: usize = 100;

/// Of so many tests one is asked how it ended.
const SAMPLE: u64 = 8;

/// What tests of a frame were kept by.
#[derive(Clone, Debug, Default)]
pub(crate) struct Notes {
    seen: u64,
    nearest: Option<Nearest>,
    /// How tests that threw ended, with how many did so.
    ends: BTreeMap<End, u64>,
    /// Classes that were not found, with who needed them.
    missing: BTreeMap<String, String>,
}

/// The test that came nearest.
#[derive(Clone, Debug)]
struct Nearest {
    distance: f64,
    hindered: Option<Hindered>,
    end: Option<End>,
    outcome: Outcome,
}

/// An exception that ended a test.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct End {
    exception: String,
    /// The innermost frame that is not the JDK's, as a trace has it; empty if there is none.
    place: String,
}

impl Notes {
    /// Takes a test into account. `frames` are those that the numbers of the observation stand for.
    pub(crate) fn see(
        &mut self,
        classes: &Classes<'_>,
        scoring: &mut Scoring<'_, '_>,
        verdict: &Verdict,
        observation: &Observation,
        frames: &[Frame],
    ) {
        self.seen += 1;
        for throwable in &observation.facts.throwables {
            self.note_missing(classes, throwable, frames);
        }
        let distance = verdict.distance;
        let is_nearer = self.nearest.as_ref().is_none_or(|it| distance < it.distance);
        if !is_nearer && !self.seen.is_multiple_of(SAMPLE) {
            return;
        }
        let end = observation.thrown().map(|it| End::of(classes, it, frames));
        if is_nearer {
            let hindered = scoring.hindered(&observation.facts);
            self.nearest =
                Some(Nearest { distance, hindered, end: end.clone(), outcome: observation.outcome });
        }
        if let Some(end) = end {
            *self.ends.entry(end).or_default() += 1;
        }
    }

    fn note_missing(&mut self, classes: &Classes<'_>, throwable: &Throwable, frames: &[Frame]) {
        if throwable.class != NO_CLASS || self.missing.len() >= MOST_MISSING {
            return;
        }
        let Some(class) = throwable.message.as_deref().filter(|it| is_class_name(it)) else { return };
        let needed_by = own_frame(classes, throwable, frames).map(|it| it.class.clone()).unwrap_or_default();
        self.missing.entry(class.to_owned()).or_insert(needed_by);
    }

    /// The classes that tests missed.
    pub(crate) fn missing(&self, classes: &Classes<'_>) -> Vec<MissingClass> {
        self.missing.iter().filter_map(|(class, by)| MissingClass::new(classes, class, by)).collect()
    }

    /// How most tests ended that threw.
    fn most_frequent(&self) -> Option<&End> {
        self.ends.iter().max_by_key(|(_, count)| **count).map(|(end, _)| end)
    }
}

const NO_CLASS: &str = "java.lang.NoClassDefFoundError";

/// Whether a message is just the name of a class, as the JVM has it when a class is not there at
/// all.
fn is_class_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|it| it.is_alphanumeric() || "/_$".contains(it))
}

/// The innermost frame that is not the JDK's.
fn own_frame<'f>(classes: &Classes<'_>, throwable: &Throwable, frames: &'f [Frame]) -> Option<&'f Frame> {
    let mut frames = throwable.frames.iter().filter_map(|it| frames.get(*it as usize));
    frames.find(|it| !classes.is_jdk(&it.class.replace('.', "/")))
}

impl End {
    fn of(classes: &Classes<'_>, throwable: &Throwable, frames: &[Frame]) -> Self {
        let place = own_frame(classes, throwable, frames).map(|it| {
            let line = it.line().map(|it| format!(", line {it}")).unwrap_or_default();
            format!("{}.{}{line}", it.class, it.method)
        });
        Self { exception: throwable.class.clone(), place: place.unwrap_or_default() }
    }

    fn words(&self) -> String {
        let place = if self.place.is_empty() { String::new() } else { format!(" in {}", self.place) };
        format!("{}{place}", self.exception)
    }
}

/// A search whose frame was not reproduced.
pub(crate) struct Unfinished<'u, 's> {
    pub(crate) classes: &'u Classes<'s>,
    pub(crate) audit: &'u CrashAudit,
    pub(crate) frame: &'u FrameAudit,
    pub(crate) record: &'u Record,
    pub(crate) degree: Degree,
    /// Why the last test that was not confirmed was not.
    pub(crate) last_refusal: Option<&'u str>,
    /// The highest frame that was reproduced, 0 for none.
    pub(crate) reproduced: u32,
}

impl Unfinished<'_, '_> {
    /// What kept the search from going further.
    pub(crate) fn obstacle(&self) -> Obstacle {
        let kind = match self.record.stage {
            Stage::Reproduced => return self.not_confirmed(),
            _ if self.record.evaluations == 0 && self.reproduced > 0 && self.degree != Degree::Escapes => {
                let words = "not tried: the program keeps the exception from leaving this frame, and a test \
                             that it leaves is preferred";
                return Obstacle::new(ObstacleKind::NotTried, words);
            }
            _ if self.record.evaluations == 0 => {
                return Obstacle::new(ObstacleKind::OutOfTime, "time ran out before the frame's turn came");
            }
            _ => self.record.notes.nearest.as_ref().and_then(|it| Some((it, it.hindered?))),
        };
        match kind {
            Some((nearest, hindered)) => self.hindered(nearest, hindered),
            None if self.record.stage == Stage::ExceptionThrown => {
                let words = "tests threw the exception, but through other frames";
                Obstacle::new(ObstacleKind::ThroughOtherFrames, words)
            }
            None if self.degree == Degree::Caught => {
                let handling = self.frame.handling.as_deref().unwrap_or("the program handles the exception");
                let words =
                    format!("the exception does not leave the program, and no test saw it: {handling}");
                Obstacle::new(ObstacleKind::Caught, words)
            }
            None => {
                let words = "tests reached the line, but none threw the exception there";
                Obstacle::new(ObstacleKind::LineReachedOnly, words)
            }
        }
    }

    fn not_confirmed(&self) -> Obstacle {
        let reason = self.last_refusal.and_then(|it| it.lines().next()).map(|it| format!(": {it}"));
        let words = "a test crashed as wanted in the worker, but not when looked at closely";
        Obstacle::new(ObstacleKind::NotConfirmed, format!("{words}{}", reason.unwrap_or_default()))
    }

    fn hindered(&self, nearest: &Nearest, hindered: Hindered) -> Obstacle {
        let method = self.method(hindered.frame);
        let at = |line: Option<u32>| line.map(|it| format!(" in line {it}")).unwrap_or_default();
        let not_taken = |words: String| Obstacle::new(ObstacleKind::BranchNotTaken, words);
        match hindered.by {
            Hindrance::Condition { line } => {
                not_taken(format!("no test got past the condition{} of {method}", at(line)))
            }
            Hindrance::Switch { line } => {
                not_taken(format!("no test met the right case of the switch{} of {method}", at(line)))
            }
            Hindrance::NothingThrown { line } => {
                let place = format!("{} of {method}", at(line));
                not_taken(format!("the way leads through a handler, but nothing was thrown{place}"))
            }
            Hindrance::Left | Hindrance::NotEntered => self.stopped(nearest, hindered, &method),
        }
    }

    /// Nothing was decided wrongly, but the tests did not come through.
    fn stopped(&self, nearest: &Nearest, hindered: Hindered, method: &str) -> Obstacle {
        let is_target = hindered.frame == self.frame.level;
        let (how, end) = match hindered.by {
            // What most tests have in common says more than one that came as far as any other.
            Hindrance::NotEntered if is_target => {
                (format!("no test got into {method}"), self.record.notes.most_frequent())
            }
            Hindrance::NotEntered => {
                let caller = self.method(hindered.frame + 1);
                (format!("{caller} did not lead into {method}"), nearest.end.as_ref())
            }
            _ => {
                let line = hindered.line.map(|it| format!(" before line {it}")).unwrap_or_default();
                (format!("{method} was left{line}"), nearest.end.as_ref())
            }
        };
        if let Some(missing) = self.missing_behind(end) {
            return Obstacle::new(ObstacleKind::MissingClass, format!("{how}: {}", missing.advice()));
        }
        match end {
            Some(end) => Obstacle::new(ObstacleKind::StoppedEarlier, format!("{how}: {}", end.words())),
            None if nearest.outcome == Outcome::Returned => Obstacle::new(ObstacleKind::NotEntered, how),
            None => {
                let words = format!("{how}: tests took too long, or ended the JVM");
                Obstacle::new(ObstacleKind::StoppedEarlier, words)
            }
        }
    }

    /// The class whose absence ended tests, if that is how they ended.
    fn missing_behind(&self, end: Option<&End>) -> Option<MissingClass> {
        let end = end.filter(|it| it.exception == NO_CLASS)?;
        let missing = self.record.notes.missing(self.classes);
        let is_place = |it: &&MissingClass| end.place.starts_with(&it.needed_by);
        missing.iter().find(is_place).or(missing.first()).cloned()
    }

    /// The method of a frame as people write it.
    fn method(&self, level: u32) -> String {
        let frame = self.audit.frames.iter().find(|it| it.level == level);
        frame.map_or_else(|| "the caller".to_owned(), |it| format!("{}.{}", it.class, it.method))
    }
}

/// What is not on the class path and may have stood in the way of frames: what tests missed, before
/// what the frames' classes and methods name.
pub(crate) fn missing_classes<'r>(
    classes: &Classes<'_>,
    frames: impl IntoIterator<Item = &'r FrameAudit>,
    records: impl IntoIterator<Item = &'r Record>,
) -> Vec<MissingClass> {
    let missed = records.into_iter().flat_map(|it| it.notes.missing(classes));
    let named = missing::missing_classes(classes, frames.into_iter().filter_map(|it| it.resolved));
    let mut found: Vec<MissingClass> = Vec::new();
    for it in missed.chain(named) {
        if found.iter().all(|known| known.class != it.class) {
            found.push(it);
        }
    }
    found
}
