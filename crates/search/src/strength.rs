//! The parts of SPEA2 (Zitzler, Laumanns, Thiele: SPEA2: Improving the Strength Pareto Evolutionary
//! Algorithm, 2001): fitness by strength and density, and the truncation of crowded vectors.
//!
//! Distances are Euclidean, between objectives that are scaled to the ranges of their finite
//! values; an infinite objective is a whole range worse than the worst finite one. Equal vectors
//! are counted rather than compared, since a population on a plateau has few different ones.

use std::cmp::Ordering;

use crate::dominance::dominates_clean;
use crate::vectors::Vectors;

/// The fitness of vectors of objectives, smaller being better: the strengths of all vectors that
/// dominate one, where the strength of a vector is the number of vectors that it dominates, plus
/// the density around it. It is below 1 if and only if no other vector dominates it.
///
/// The density is 1 / (σ + 2), with the distance σ to the k-th nearest other vector, k being the
/// square root of the number of all vectors (section 3.1).
pub fn fitness<V: AsRef<[f64]>>(vectors: &[V]) -> Vec<f64> {
    among(&Vectors::of(vectors))
}

/// Which vectors are dropped until `size` of them are left: again and again the one that is nearest
/// to another; of several, the one whose second nearest is nearer, and so on; of equals the last
/// (section 3.2).
pub fn truncation<V: AsRef<[f64]>>(vectors: &[V], size: usize) -> Vec<bool> {
    let vectors = Vectors::of(vectors);
    crowded_out(&vectors, (0..vectors.count()).collect(), size)
}

/// The fitness of vectors without NaN.
pub(crate) fn among(vectors: &Vectors) -> Vec<f64> {
    let groups = Group::all(vectors, (0..vectors.count()).collect());
    let scaled = vectors.scaled();
    let nth = ((vectors.count() as f64).sqrt() as usize).max(1);
    let mut fitness = vec![0.0; vectors.count()];
    let strengths = strengths(vectors, &groups);
    let mut around = Vec::with_capacity(groups.len());
    for (number, group) in groups.iter().enumerate() {
        let row = vectors.row(group.first());
        let by_dominators = groups.iter().zip(&strengths).map(|(other, strength)| {
            if dominates_clean(vectors.row(other.first()), row) {
                strength * other.count() as f64
            } else {
                0.0
            }
        });
        let raw: f64 = by_dominators.sum();
        around.clear();
        around.extend(groups.iter().enumerate().map(|(other, it)| {
            let is_own = usize::from(other == number);
            (distance(scaled.row(group.first()), scaled.row(it.first())), it.count() - is_own)
        }));
        let density = 1.0 / (nth_nearest(&mut around, nth).sqrt() + 2.0);
        for place in &group.places {
            if let Some(it) = fitness.get_mut(*place) {
                *it = raw + density;
            }
        }
    }
    fitness
}

/// How many vectors each group dominates.
fn strengths(vectors: &Vectors, groups: &[Group]) -> Vec<f64> {
    let strength = |group: &Group| {
        let row = vectors.row(group.first());
        let dominated = groups.iter().filter(|other| dominates_clean(row, vectors.row(other.first())));
        dominated.map(Group::count).sum::<usize>() as f64
    };
    groups.iter().map(strength).collect()
}

/// The n-th smallest of numbers that are each there a number of times, or the largest. No more than one
/// of them is there 0 times.
fn nth_nearest(numbers: &mut [(f64, usize)], nth: usize) -> f64 {
    let by_number = |left: &(f64, usize), right: &(f64, usize)| left.0.total_cmp(&right.0);
    let mut candidates = numbers;
    if nth < candidates.len() {
        candidates.select_nth_unstable_by(nth, by_number);
        // One more than n, because of the one that is there 0 times.
        candidates = candidates.split_at_mut(nth + 1).0;
    }
    candidates.sort_unstable_by(by_number);
    let mut before = 0;
    let found = candidates.iter().find(|(_, count)| {
        before += count;
        before >= nth
    });
    found.or(candidates.last()).map_or(0.0, |it| it.0)
}

/// Which of all vectors are dropped until `size` of those at some places are left.
pub(crate) fn crowded_out(vectors: &Vectors, places: Vec<usize>, size: usize) -> Vec<bool> {
    let mut is_dropped = vec![false; vectors.count()];
    let mut left = places.len();
    let mut groups = Group::all(vectors, places);
    let neighbours = neighbours(&vectors.scaled(), &groups);
    while left > size {
        let numbered = groups.iter().zip(&neighbours).enumerate().filter(|(_, (group, _))| group.count() > 0);
        let crowded = numbered.min_by(|(number, (group, around)), (other, (it, those))| {
            let by_distance =
                compare(Around::new(*number, around, &groups), Around::new(*other, those, &groups));
            by_distance.then(it.last().cmp(&group.last()))
        });
        let Some(number) = crowded.map(|(number, _)| number) else { break };
        let dropped = groups.get_mut(number).and_then(|group| group.places.pop());
        if let Some(it) = dropped.and_then(|place| is_dropped.get_mut(place)) {
            *it = true;
        }
        left -= 1;
    }
    is_dropped
}

/// Vectors that are equal.
struct Group {
    /// Their places, in ascending order.
    places: Vec<usize>,
}

impl Group {
    /// The groups of vectors at some places.
    fn all(vectors: &Vectors, mut places: Vec<usize>) -> Vec<Self> {
        places.sort_unstable_by(|left, right| vectors.compare(*left, *right).then(left.cmp(right)));
        let groups = places.chunk_by(|left, right| vectors.row(*left) == vectors.row(*right));
        groups.map(|places| Self { places: places.to_vec() }).collect()
    }

    fn count(&self) -> usize {
        self.places.len()
    }

    fn first(&self) -> usize {
        self.places.first().copied().unwrap_or(usize::MAX)
    }

    fn last(&self) -> usize {
        self.places.last().copied().unwrap_or(usize::MAX)
    }
}

/// For each group the other ones, nearest first, with their distances.
fn neighbours(scaled: &Vectors, groups: &[Group]) -> Vec<Vec<(f64, usize)>> {
    let around = |number: usize, group: &Group| {
        let others = groups.iter().enumerate().filter(|(other, _)| *other != number);
        let row = scaled.row(group.first());
        let mut others: Vec<(f64, usize)> =
            others.map(|(other, it)| (distance(row, scaled.row(it.first())), other)).collect();
        others.sort_unstable_by(|left, right| left.0.total_cmp(&right.0));
        others
    };
    groups.iter().enumerate().map(|(number, group)| around(number, group)).collect()
}

/// The distances from a vector to all others, each with the number of vectors that have it.
struct Around<'a> {
    /// The copies of the vector.
    copies: usize,
    others: std::slice::Iter<'a, (f64, usize)>,
    groups: &'a [Group],
}

impl<'a> Around<'a> {
    fn new(number: usize, others: &'a [(f64, usize)], groups: &'a [Group]) -> Self {
        let copies = groups.get(number).map_or(0, |group| group.count().saturating_sub(1));
        Self { copies, others: others.iter(), groups }
    }
}

impl Iterator for Around<'_> {
    type Item = (f64, usize);

    fn next(&mut self) -> Option<(f64, usize)> {
        let copies = std::mem::take(&mut self.copies);
        if copies > 0 {
            return Some((0.0, copies));
        }
        let mut counted =
            self.others.by_ref().map(|it| (it.0, self.groups.get(it.1).map_or(0, Group::count)));
        counted.find(|it| it.1 > 0)
    }
}

/// Compares two lists of as many distances.
fn compare(mut left: Around, mut right: Around) -> Ordering {
    let (mut one, mut other) = (left.next(), right.next());
    while let (Some((near, count)), Some((far, of_other))) = (one, other) {
        let order = near.total_cmp(&far);
        if order.is_ne() {
            return order;
        }
        let both = count.min(of_other);
        one = if count > both { Some((near, count - both)) } else { left.next() };
        other = if of_other > both { Some((far, of_other - both)) } else { right.next() };
    }
    Ordering::Equal
}

/// The square of the Euclidean distance.
fn distance(first: &[f64], second: &[f64]) -> f64 {
    first.iter().zip(second).map(|(left, right)| (left - right) * (left - right)).sum()
}
