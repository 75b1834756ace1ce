use std::cmp::Ordering;

use crate::{Member, Progress};

/// How many of the best are remembered: enough that a best remains when some are discarded.
const REMEMBERED: usize = 16;

/// The best individuals of a search and its counts, which every algorithm keeps alike.
#[derive(Clone, Debug)]
pub(crate) struct Record<I> {
    /// The best of all, by rank; of equals the oldest first.
    elite: Vec<Member<I>>,
    progress: Progress,
    /// How many individuals were asked and not told yet.
    in_flight: usize,
    /// How many of them were asked before the search last began anew; they are told first.
    late: usize,
}

/// What an individual that was told means to a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Told {
    /// Whether its distance is smaller than that of all before it.
    pub(crate) is_nearest: bool,
    /// Whether it was asked before the search last began anew.
    pub(crate) is_late: bool,
}

impl<I: Clone> Record<I> {
    /// The record of a search that has not begun, with the intended size of its population.
    pub(crate) fn new(population: usize) -> Self {
        let progress = Progress { population, ..Progress::default() };
        Self { elite: Vec::new(), progress, in_flight: 0, late: 0 }
    }

    /// Counts individuals that were asked.
    pub(crate) fn note_asked(&mut self, count: usize) {
        self.in_flight += count;
    }

    /// Counts and remembers an individual that was told.
    pub(crate) fn note_told(&mut self, member: &Member<I>) -> Told {
        self.progress.told += 1;
        self.progress.stagnant += 1;
        self.in_flight = self.in_flight.saturating_sub(1);
        let is_late = self.late > 0;
        self.late = self.late.saturating_sub(1);
        Told { is_nearest: self.note_offered(member), is_late }
    }

    /// Remembers an individual that another search scored. Returns whether its distance is smaller
    /// than that of all before it.
    pub(crate) fn note_offered(&mut self, member: &Member<I>) -> bool {
        let nearest = self.best().map_or(f64::INFINITY, |best| best.score.primary());
        let is_nearest = member.score.primary() < nearest;
        if is_nearest {
            self.progress.stagnant = 0;
        }
        let place = self.elite.partition_point(|it| it.score.rank(&member.score) != Ordering::Greater);
        if place < REMEMBERED {
            self.elite.truncate(REMEMBERED - 1);
            self.elite.insert(place, member.clone());
        }
        is_nearest
    }

    /// Counts a generation.
    pub(crate) fn end_generation(&mut self) {
        self.progress.generations += 1;
    }

    /// Counts a new beginning with a population of the given size.
    pub(crate) fn begin_anew(&mut self, population: usize) {
        self.late = self.in_flight;
        self.progress.restarts += 1;
        self.progress.stagnant = 0;
        self.progress.population = population;
    }

    /// Forgets individuals. `kept` are the members that the algorithm itself still has, the best of
    /// which may be better than those remembered here.
    pub(crate) fn discard<'m>(
        &mut self,
        is_discarded: &mut dyn FnMut(&Member<I>) -> bool,
        kept: impl Iterator<Item = &'m Member<I>>,
    ) where
        I: 'm,
    {
        self.elite.retain(|member| !is_discarded(member));
        let best = kept.min_by(|left, right| left.score.rank(&right.score));
        let is_better =
            |known: &Member<I>| best.is_some_and(|best| best.score.rank(&known.score) == Ordering::Less);
        if self.best().is_none_or(is_better) {
            self.elite.splice(..0, best.cloned());
        }
    }

    /// The best of all.
    pub(crate) fn best(&self) -> Option<&Member<I>> {
        self.elite.first()
    }

    /// The best of all, best first: a bounded number of them.
    pub(crate) fn elite(&self) -> &[Member<I>] {
        &self.elite
    }

    /// The counts.
    pub(crate) fn progress(&self) -> Progress {
        self.progress
    }
}
