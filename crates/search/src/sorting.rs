use std::cmp::Ordering;

use crate::generation::{Flock, Parents, Rule, select};
use crate::{Member, Rng, Selection, Settings, dominance};

/// An order in which members of several objectives survive and breed.
pub(crate) trait Sorting<I> {
    /// How many members are drawn for a tournament unless the settings choose otherwise.
    const TOURNAMENT: usize;

    /// The order of a search that has not begun.
    fn new(settings: &Settings) -> Self;

    /// Forgets everything but the settings: a new beginning.
    fn clear(&mut self) {}

    /// Notes members before they are sorted for the first time.
    fn note(&mut self, _newcomers: &[Member<I>]) {}

    /// Forgets members that the order itself keeps.
    fn forget(&mut self, _is_discarded: &mut dyn FnMut(&Member<I>) -> bool) {}

    /// The places of the survivors, no more than `size`, the best first. Of members with equal
    /// objectives the first is to be preferred.
    fn order(&mut self, members: &[Member<I>], size: usize) -> Vec<usize>;
}

/// The rule that the first of an order survive and take part in tournaments.
///
/// Of members with equal objectives those that took long are worse, then bloated ones, then the
/// older.
#[derive(Clone, Debug)]
pub(crate) struct Sorted<S> {
    sorting: S,
    selection: Selection,
    /// The places of members in the population, in the order of the tournaments.
    order: Vec<usize>,
}

impl<I, S: Sorting<I>> Rule<I> for Sorted<S> {
    fn new(settings: &Settings, _: &mut Rng) -> Self {
        let selection = settings.selection.unwrap_or(Selection::Tournament { size: S::TOURNAMENT });
        Self { sorting: S::new(settings), selection, order: Vec::new() }
    }

    fn begin(&mut self, flock: &mut Flock<I>) {
        self.sorting.clear();
        self.sorting.note(flock.population);
        self.rate(flock);
    }

    fn survive(&mut self, flock: &mut Flock<I>) {
        self.sorting.note(flock.newcomers);
        flock.unite();
        self.rate(flock);
    }

    fn parents(&mut self, _: &[Member<I>], rng: &mut Rng) -> Option<Parents> {
        let first = select(self.order.len(), self.selection, rng)?;
        let second = select(self.order.len(), self.selection, rng)?;
        let place = |number: usize| self.order.get(number).copied();
        Some(Parents { first: place(first)?, second: place(second), origin: None })
    }

    fn forget(&mut self, is_discarded: &mut dyn FnMut(&Member<I>) -> bool) {
        self.sorting.forget(is_discarded);
    }

    fn rate(&mut self, flock: &mut Flock<I>) {
        let Flock { population, largest, size, .. } = flock;
        population.sort_by_key(|member| (member.score.cost, member.score.secondary > *largest));
        let order = self.sorting.order(population, *size);
        let mut ranks = vec![usize::MAX; population.len()];
        for (rank, place) in order.into_iter().enumerate() {
            if let Some(it) = ranks.get_mut(place) {
                *it = rank;
            }
        }
        let ranked = population.drain(..).zip(ranks);
        let mut survivors: Vec<(Member<I>, usize)> = ranked.filter(|(_, rank)| *rank < usize::MAX).collect();
        survivors.sort_by(|left, right| left.0.score.rank(&right.0.score));
        self.order = vec![0; survivors.len()];
        for (place, (_, rank)) in survivors.iter().enumerate() {
            if let Some(it) = self.order.get_mut(*rank) {
                *it = place;
            }
        }
        population.extend(survivors.into_iter().map(|(member, _)| member));
    }
}

/// Appends the best of a front to the survivors until there are `size` of them: those with the
/// largest density measure, which is given for each of the places.
pub(crate) fn take_sparse(front: &[usize], density: &[f64], size: usize, survivors: &mut Vec<usize>) {
    let mut sorted: Vec<(f64, usize)> = density.iter().copied().zip(front.iter().copied()).collect();
    sorted.sort_unstable_by(|left, right| right.0.total_cmp(&left.0).then(left.1.cmp(&right.1)));
    let room = size.saturating_sub(survivors.len());
    survivors.extend(sorted.into_iter().take(room).map(|(_, place)| place));
}

/// The place at which a member goes into members that are sorted by rank, behind its equals.
pub(crate) fn place_of<I>(member: &Member<I>, sorted: &[Member<I>]) -> usize {
    sorted.partition_point(|it| it.score.rank(&member.score) != Ordering::Greater)
}

/// How a member stands to others none of which dominates another.
#[derive(Clone, Debug, Default)]
pub(crate) struct Standing {
    /// The places of members that it dominates, in ascending order.
    pub(crate) dominated: Vec<usize>,
    /// The places of members that are equal to it, in ascending order.
    pub(crate) equal: Vec<usize>,
}

impl Standing {
    /// The standing of a member to a population; none if another member dominates it, or is equal to
    /// it and to be preferred.
    pub(crate) fn of<I>(member: &Member<I>, flock: &Flock<I>) -> Option<Self> {
        let mut standing = Self::default();
        for (place, other) in flock.population.iter().enumerate() {
            match dominance::compare(member.as_ref(), other.as_ref()) {
                Some(Ordering::Greater) => return None,
                Some(Ordering::Equal) if flock.is_worse(member, other) => return None,
                Some(Ordering::Less) => standing.dominated.push(place),
                Some(Ordering::Equal) => standing.equal.push(place),
                None => {}
            }
        }
        Some(standing)
    }
}
