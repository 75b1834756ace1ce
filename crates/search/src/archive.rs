//! Archives: what a search with several objectives keeps apart from its population, so that nothing
//! good is lost when the population moves on.

use std::cmp::Ordering;

use crate::score::objective;
use crate::{Member, crowding, dominance};

/// A bounded number of members none of which [dominates](dominance) another.
///
/// Of members with equal objectives, the one with the smaller secondary score stays, or else the
/// older. When there are too many, the most [crowded](crowding) member goes, as in the archives of
/// algorithms after NSGA-II (Nebro and others: MOCell, a Cellular Genetic Algorithm for
/// Multiobjective Optimization, 2009), so that the extremes stay.
#[derive(Clone, Debug)]
pub struct ParetoArchive<I> {
    capacity: usize,
    members: Vec<Member<I>>,
}

impl<I> ParetoArchive<I> {
    /// An empty archive for at most `capacity` members, at least one.
    pub fn new(capacity: usize) -> Self {
        Self { capacity: capacity.max(1), members: Vec::new() }
    }

    /// Adds a member unless one in the archive is as good in every objective. Members that it
    /// dominates go. Returns whether it was added and stayed.
    pub fn offer(&mut self, member: Member<I>) -> bool {
        let is_beaten = |other: &Member<I>| match dominance::compare(other.as_ref(), member.as_ref()) {
            Some(Ordering::Less) => true,
            Some(Ordering::Equal) => !is_smaller(&member, other),
            Some(Ordering::Greater) | None => false,
        };
        if self.members.iter().any(is_beaten) {
            return false;
        }
        self.members.retain(|other| dominance::compare(member.as_ref(), other.as_ref()).is_none());
        self.members.push(member);
        if self.members.len() <= self.capacity {
            return true;
        }
        let most_crowded = self.most_crowded();
        self.members.remove(most_crowded);
        most_crowded < self.members.len()
    }

    /// The members, from the oldest to the youngest.
    pub fn members(&self) -> &[Member<I>] {
        &self.members
    }

    /// Forgets the members for which `keep` is false.
    pub fn retain(&mut self, keep: impl FnMut(&Member<I>) -> bool) {
        self.members.retain(keep);
    }

    /// The place of the youngest of those members that are nearest to their neighbours.
    fn most_crowded(&self) -> usize {
        let distances = crowding::distances(&self.members).into_iter().enumerate();
        let nearest = distances.min_by(|left, right| left.1.total_cmp(&right.1).then(right.0.cmp(&left.0)));
        nearest.map_or(0, |(place, _)| place)
    }
}

/// The best member for each objective by itself; of equals, the one with the smaller secondary
/// score, or else the older.
///
/// This is the archive of MOSA, which keeps the shortest test of each covered target (Panichella,
/// Kifetew, Tonella: Reformulating Branch Coverage as a Many-Objective Optimization Problem, 2015),
/// and at the same time its preference criterion, which favours the test nearest to each target.
#[derive(Clone, Debug, Default)]
pub struct BestPerObjective<I> {
    best: Vec<Option<Member<I>>>,
}

impl<I: Clone> BestPerObjective<I> {
    /// An empty archive for any number of objectives.
    pub fn new() -> Self {
        Self { best: Vec::new() }
    }

    /// Keeps a member for each objective for which it is the best. Nothing is kept for objectives
    /// that are infinite, NaN or missing. Returns whether it was kept for any.
    pub fn offer(&mut self, member: &Member<I>) -> bool {
        let count = member.as_ref().len();
        if self.best.len() < count {
            self.best.resize_with(count, || None);
        }
        let mut is_kept = false;
        for (number, best) in self.best.iter_mut().enumerate() {
            let value = objective(member.as_ref(), number);
            let is_better = |known: &Member<I>| {
                let known_value = objective(known.as_ref(), number);
                value < known_value || value == known_value && is_smaller(member, known)
            };
            if value < f64::INFINITY && best.as_ref().is_none_or(is_better) {
                *best = Some(member.clone());
                is_kept = true;
            }
        }
        is_kept
    }

    /// The best member for an objective.
    pub fn best(&self, number: usize) -> Option<&Member<I>> {
        self.best.get(number)?.as_ref()
    }

    /// All objectives that have a best member, with that member. One member may be the best for
    /// several of them.
    pub fn iter(&self) -> impl Iterator<Item = (usize, &Member<I>)> {
        self.best.iter().enumerate().filter_map(|(number, best)| Some((number, best.as_ref()?)))
    }

    /// The objectives that are reached, being 0 or less, with their best members.
    pub fn reached(&self) -> impl Iterator<Item = (usize, &Member<I>)> {
        self.iter().filter(|(number, best)| objective(best.as_ref(), *number) <= 0.0)
    }

    /// Whether an objective is reached, being 0 or less.
    pub fn is_reached(&self, number: usize) -> bool {
        self.best(number).is_some_and(|best| objective(best.as_ref(), number) <= 0.0)
    }

    /// Forgets the members for which `keep` is false. The next best are not known: their
    /// objectives are without a member until one is offered.
    pub fn retain(&mut self, mut keep: impl FnMut(&Member<I>) -> bool) {
        for best in &mut self.best {
            best.take_if(|member| !keep(member));
        }
    }
}

/// Whether the secondary score of one member is smaller than that of another. NaN is the largest.
fn is_smaller<I>(member: &Member<I>, than: &Member<I>) -> bool {
    let (secondary, other) = (member.score.secondary, than.score.secondary);
    secondary < other || other.is_nan() && !secondary.is_nan()
}
