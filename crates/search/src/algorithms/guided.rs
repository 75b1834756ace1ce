//! The guided genetic algorithm of EvoCrash (Soltani, Panichella, van Deursen: A Guided Genetic
//! Algorithm for Automated Crash Reproduction, algorithm 1). The guidance itself lies in the
//! operators (algorithms 2 to 4).
//!
//! Beyond the paper: a share of new individuals in each generation, and new beginnings with larger
//! populations, which EvoCrash left to the user.

use crate::generation::{Flock, Generational, Parents, Rule, select};
use crate::{Member, Rng, Selection, Settings};

/// A population of the individuals with the smallest distances.
pub(crate) type GuidedGa<I> = Generational<I, Fittest>;

/// The rule that the fittest survive.
///
/// Members are sorted by their distance, then the cheapest first, then those that are not bloated
/// first, then the youngest first, so that a population moves about on a plateau. If of equals the
/// smaller ones survived, a plateau would soon hold the smallest individuals alone, from which one
/// mutation leads nowhere; a test shows by how much that is slower.
///
/// Invariant: the smallest distance of a population is in the next one, except after a new
/// beginning.
#[derive(Clone, Debug)]
pub(crate) struct Fittest {
    selection: Selection,
}

impl<I> Rule<I> for Fittest {
    fn new(settings: &Settings, _: &mut Rng) -> Self {
        Self { selection: settings.selection.unwrap_or_default() }
    }

    /// Keeps the fittest of parents and newcomers (algorithm 1, lines 23 and 24).
    fn survive(&mut self, flock: &mut Flock<I>) {
        // The sort is stable: of equals, the younger survives.
        flock.unite();
        let largest = flock.largest;
        let is_bloated = |member: &Member<I>| member.score.secondary > largest;
        flock.population.sort_by(|left, right| {
            let by_distance = left.score.primary().total_cmp(&right.score.primary());
            let by_cost = by_distance.then(left.score.cost.cmp(&right.score.cost));
            by_cost.then_with(|| is_bloated(left).cmp(&is_bloated(right)))
        });
        flock.population.truncate(flock.size);
    }

    fn parents(&mut self, population: &[Member<I>], rng: &mut Rng) -> Option<Parents> {
        let first = select(population.len(), self.selection, rng);
        let second = select(population.len(), self.selection, rng);
        Some(Parents { first: first?, second, origin: None })
    }

    fn welcomes(&self, member: &Member<I>, population: &[Member<I>], size: usize) -> bool {
        let worst = population.last().filter(|_| population.len() >= size);
        worst.is_none_or(|worst| worst.score.primary() >= member.score.primary())
    }

    fn rate(&mut self, _: &mut Flock<I>) {}
}
