//! FEMO, the fair evolutionary multi-objective optimiser (Laumanns, Thiele, Zitzler: Running Time
//! Analysis of Multiobjective Evolutionary Algorithms on Pseudo-Boolean Functions, 2004).
//!
//! All members that no other dominates are kept, and the one with the fewest children is mutated
//! next. Beyond the paper: the search begins with a whole population; a child with the objectives
//! of a member takes its place, so that the search moves about on plateaus; and the number of
//! members has a bound, beyond which those with the most children go.
//!
//! Parameters: archive.

use crate::generation::{Flock, Generational, Newcomer, Parents, Rule};
use crate::sorting::{Standing, place_of};
use crate::{Member, Rng, Settings};

/// Members none of which dominates another, and which have children in turn.
pub(crate) type Femo<I> = Generational<I, Fair>;

/// The rule that members have equally many children.
#[derive(Clone, Debug)]
pub(crate) struct Fair {
    /// The most members.
    capacity: usize,
    /// How many children each member had.
    children: Vec<u64>,
}

impl Fair {
    fn add<I>(&mut self, member: Member<I>, flock: &mut Flock<I>) {
        let Some(Standing { mut dominated, equal }) = Standing::of(&member, flock) else { return };
        let Flock { population, .. } = flock;
        // The children of a member count for all that have its objectives.
        let children = equal.iter().filter_map(|place| self.children.get(*place)).max().copied();
        dominated.extend(equal);
        dominated.sort_unstable();
        for place in dominated.into_iter().rev() {
            population.remove(place);
            self.children.remove(place);
        }
        let place = place_of(&member, population);
        population.insert(place, member);
        self.children.insert(place, children.unwrap_or(0));
        if population.len() > self.capacity {
            // The nearest member stays.
            let others = self.children.iter().enumerate().skip(1).filter(|(it, _)| *it != place);
            if let Some(place) = others.max_by_key(|(_, children)| **children).map(|(place, _)| place) {
                population.remove(place);
                self.children.remove(place);
            }
        }
    }
}

impl<I> Rule<I> for Fair {
    fn new(settings: &Settings, _: &mut Rng) -> Self {
        Self { capacity: settings.archive.max(3), children: Vec::new() }
    }

    fn join(&mut self, newcomer: Newcomer<I>, flock: &mut Flock<I>) -> Option<Member<I>> {
        self.add(newcomer.member, flock);
        None
    }

    fn survive(&mut self, flock: &mut Flock<I>) {
        for member in std::mem::take(flock.newcomers) {
            self.add(member, flock);
        }
    }

    fn parents(&mut self, _: &[Member<I>], rng: &mut Rng) -> Option<Parents> {
        let fewest = self.children.iter().min().copied()?;
        let places = || self.children.iter().enumerate().filter(|(_, it)| **it == fewest);
        let first = places().nth(rng.below(places().count())).map(|(place, _)| place)?;
        if let Some(children) = self.children.get_mut(first) {
            *children += 1;
        }
        Some(Parents { first, second: None, origin: None })
    }

    fn rate(&mut self, flock: &mut Flock<I>) {
        self.children = vec![0; flock.population.len()];
    }
}
