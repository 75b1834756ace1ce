//! The cycle of calls in the trace of a StackOverflowError.
//!
//! Such a trace repeats a few frames until the JVM cuts it (1024 frames unless it is told otherwise)
//! or a person does. How often, and at which frame of the cycle the stack ran out, differs from run to
//! run and says nothing about the crash. So the trace is *folded*: two rounds of the cycle stay, with
//! the frames above them, and what lies below or between is left out. Two, because one round does not
//! show how its innermost frame calls its outermost one.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::compare::{same_exception, stable_name};
use crate::model::{Crash, Frame, Location, Throwable};

/// Rounds that a log must show, and that are left of it.
pub(crate) const ROUNDS: usize = 2;

/// The most frames that may lie below the cycle: calls that come to an end, in one of which the stack
/// ran out. A cycle further above has not exhausted the stack.
pub(crate) const MOST_BELOW: usize = 32;

/// The most frames of one round. Two rounds of more would fill a trace of 1024 frames by half.
const MOST_FRAMES: usize = 256;

/// The cycle of a folded trace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Cycle {
    /// How many frames one round has. The trace begins with two rounds.
    pub length: usize,
    /// How many frames of the log were left out.
    pub left_out: usize,
    /// For each frame of a round, innermost first, all lines that the log has there.
    #[serde(skip)]
    pub lines: Vec<Vec<u32>>,
}

impl Cycle {
    /// How many frames of the folded trace are the cycle's.
    pub fn frames(&self) -> usize {
        ROUNDS * self.length
    }

    /// The lines that the log has for a frame of the folded trace, 0 for the innermost; none for
    /// frames above the cycle.
    pub fn lines_of(&self, index: usize) -> Option<&[u32]> {
        let is_inside = index < self.frames() && self.length > 0;
        is_inside.then(|| self.lines.get(index % self.length).map(Vec::as_slice)).flatten()
    }
}

impl Crash {
    /// The same with the traces of stack overflows folded.
    #[must_use]
    pub fn folded(mut self) -> Self {
        self.throwables.iter_mut().for_each(Throwable::fold);
        self
    }
}

impl Throwable {
    /// Folds the trace of a StackOverflowError, if it shows a cycle. All other traces stay: a crash in
    /// a recursion that ends depends on its depth.
    pub fn fold(&mut self) {
        let overflowed = same_exception(&self.class, "java.lang.StackOverflowError");
        let Some(run) = longest_run(&self.frames).filter(|_| overflowed && self.cycle.is_none()) else {
            return;
        };
        let lines: Vec<Vec<u32>> = (0..run.period).map(|at| run.lines(&self.frames, at)).collect();
        let mut frames = self.frames.split_off(run.end.min(self.frames.len()));
        let above = frames.len();
        let mut kept = self.frames.split_off(run.end.saturating_sub(ROUNDS * run.period));
        for (at, frame) in kept.iter_mut().enumerate() {
            let usual = lines.get(at % run.period).and_then(|it| it.first()).copied();
            set_line(frame, usual);
        }
        self.expanded = self.expanded.min(above);
        let cycle = Cycle { length: run.period, left_out: self.frames.len(), lines };
        kept.append(&mut frames);
        self.frames = kept;
        self.cycle = Some(cycle);
    }
}

/// Frames that repeat themselves.
struct Run {
    /// Where they begin and end.
    start: usize,
    end: usize,
    /// After how many.
    period: usize,
}

impl Run {
    /// The lines at a place of the round that ends where the run does, the most frequent first. That of
    /// the innermost frame does not count: it is where the stack ran out, not where the cycle goes on.
    fn lines(&self, frames: &[Frame], at: usize) -> Vec<u32> {
        let first = (self.end - self.period + at) % self.period;
        let places = (self.start + 1..self.end).filter(|it| it % self.period == first);
        let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
        for line in places.filter_map(|it| frames.get(it)?.line()) {
            *counts.entry(line).or_default() += 1;
        }
        let mut lines: Vec<(u32, usize)> = counts.into_iter().collect();
        lines.sort_by_key(|(line, count)| (std::cmp::Reverse(*count), *line));
        lines.into_iter().map(|(line, _)| line).collect()
    }
}

/// The longest part of a trace that repeats the same methods at least twice, and begins near the
/// innermost frame; of several periods the shortest.
fn longest_run(frames: &[Frame]) -> Option<Run> {
    let mut numbers: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    let methods: Vec<usize> = frames
        .iter()
        .map(|it| {
            let next = numbers.len();
            *numbers.entry((stable_name(&it.class), &it.method)).or_insert(next)
        })
        .collect();
    let mut longest: Option<Run> = None;
    for period in 1..=MOST_FRAMES.min(methods.len() / ROUNDS) {
        for run in runs(&methods, period) {
            if longest.as_ref().is_none_or(|it| run.end - run.start > it.end - it.start) {
                longest = Some(run);
            }
        }
    }
    longest
}

/// The parts that repeat themselves after so many frames, and begin near the innermost one.
fn runs(methods: &[usize], period: usize) -> Vec<Run> {
    let repeats = |at: usize| methods.get(at) == methods.get(at + period);
    let last = methods.len().saturating_sub(period);
    let mut runs = Vec::new();
    let mut start = 0;
    while start < last && start <= MOST_BELOW {
        let end = (start..last).find(|at| !repeats(*at)).unwrap_or(last);
        if end - start >= (ROUNDS - 1) * period {
            runs.push(Run { start, end: end + period, period });
        }
        start = end + 1;
    }
    runs
}

fn set_line(frame: &mut Frame, usual: Option<u32>) {
    if let Location::File { line, .. } | Location::Unknown { line } = &mut frame.location {
        *line = usual.or(*line);
    }
}
