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
    let vectors = Vectors::of(vectors);
    Crowd::new(&vectors).fitness(&vectors)
}

/// Which vectors are dropped until `size` of them are left: again and again the one that is nearest
/// to another; of several, the one whose second nearest is nearer, and so on; of equals the last
/// (section 3.2).
pub fn truncation<V: AsRef<[f64]>>(vectors: &[V], size: usize) -> Vec<bool> {
    let vectors = Vectors::of(vectors);
    let mut is_dropped = vec![false; vectors.count()];
    for place in Crowd::new(&vectors).truncate(size) {
        if let Some(it) = is_dropped.get_mut(place) {
            *it = true;
        }
    }
    is_dropped
}

/// The environmental selection (section 3.2): the places of `size` vectors, fittest first. All that no
/// other dominates are selected and filled up with the fittest of the others, or truncated.
pub(crate) fn select(vectors: &Vectors, size: usize) -> Vec<usize> {
    let mut crowd = Crowd::new(vectors);
    let mut order: Vec<(f64, usize)> = crowd.fitness(vectors).into_iter().zip(0..).collect();
    order.sort_unstable_by(|left, right| left.0.total_cmp(&right.0).then(left.1.cmp(&right.1)));
    let undominated = order.partition_point(|it| it.0 < 1.0);
    if undominated <= size {
        order.truncate(size);
        return order.into_iter().map(|(_, place)| place).collect();
    }
    let mut is_kept = vec![false; vectors.count()];
    for (_, place) in order.iter().take(undominated) {
        if let Some(it) = is_kept.get_mut(*place) {
            *it = true;
        }
    }
    crowd.groups.iter_mut().for_each(|group| group.retain(&is_kept));
    for place in crowd.truncate(size) {
        if let Some(it) = is_kept.get_mut(place) {
            *it = false;
        }
    }
    let places = order.into_iter().map(|(_, place)| place);
    places.filter(|place| is_kept.get(*place).copied().unwrap_or(false)).collect()
}

/// All vectors, and how far they are from each other.
struct Crowd {
    groups: Vec<Group>,
    /// The squares of the distances from each group to each other.
    distances: Vec<f64>,
}

impl Crowd {
    fn new(vectors: &Vectors) -> Self {
        let groups = Group::all(vectors);
        let (scaled, count) = (vectors.scaled(), groups.len());
        let mut distances = vec![0.0; count * count];
        for (number, group) in groups.iter().enumerate() {
            let row = scaled.row(group.first());
            for (other, it) in groups.iter().enumerate().take(number) {
                let distance = distance(row, scaled.row(it.first()));
                for place in [number * count + other, other * count + number] {
                    if let Some(it) = distances.get_mut(place) {
                        *it = distance;
                    }
                }
            }
        }
        Self { groups, distances }
    }

    /// The groups with their distances from one.
    fn around(&self, number: usize) -> impl Iterator<Item = (&Group, f64)> {
        let start = number * self.groups.len();
        let distances = self.distances.get(start..start + self.groups.len()).unwrap_or_default();
        self.groups.iter().zip(distances.iter().copied())
    }

    /// The fitness of all vectors.
    fn fitness(&self, vectors: &Vectors) -> Vec<f64> {
        let nth = ((vectors.count() as f64).sqrt() as usize).max(1);
        let raw = raw_fitness(vectors, &self.groups);
        let mut fitness = vec![0.0; vectors.count()];
        let mut others = Vec::with_capacity(self.groups.len());
        for ((number, group), raw) in self.groups.iter().enumerate().zip(raw) {
            others.clear();
            others.extend(self.around(number).map(|(other, distance)| (distance, other.count())));
            if let Some(own) = others.get_mut(number) {
                own.1 -= 1;
            }
            let density = 1.0 / (nth_nearest(&mut others, nth).sqrt() + 2.0);
            for place in &group.places {
                if let Some(it) = fitness.get_mut(*place) {
                    *it = raw + density;
                }
            }
        }
        fitness
    }

    /// Drops vectors until `size` of them are left, and returns their places.
    fn truncate(&mut self, size: usize) -> Vec<usize> {
        let mut left: usize = self.groups.iter().map(Group::count).sum();
        let mut dropped = Vec::with_capacity(left.saturating_sub(size));
        let neighbours: Vec<Vec<(f64, usize)>> =
            (0..self.groups.len()).map(|it| self.neighbours(it)).collect();
        let groups = &mut self.groups;
        while left > size {
            let numbered = groups.iter().zip(&neighbours).enumerate();
            let present = numbered.filter(|(_, (group, _))| group.count() > 0);
            let crowded = present.min_by(|(number, (group, around)), (other, (it, those))| {
                let (around, those) =
                    (Around::new(*number, around, groups), Around::new(*other, those, groups));
                compare(around, those).then(it.last().cmp(&group.last()))
            });
            let Some(number) = crowded.map(|(number, _)| number) else { break };
            dropped.extend(groups.get_mut(number).and_then(|group| group.places.pop()));
            left -= 1;
        }
        dropped
    }

    /// The other groups that are not empty, nearest first, with their distances from one; none for an
    /// empty one.
    fn neighbours(&self, number: usize) -> Vec<(f64, usize)> {
        if self.groups.get(number).is_none_or(|group| group.count() == 0) {
            return Vec::new();
        }
        let around = self.around(number).enumerate();
        let others = around.filter(|(other, (group, _))| *other != number && group.count() > 0);
        let mut others: Vec<(f64, usize)> = others.map(|(other, (_, distance))| (distance, other)).collect();
        others.sort_unstable_by(|left, right| left.0.total_cmp(&right.0));
        others
    }
}

/// The sum of the strengths of the vectors that dominate each group.
fn raw_fitness(vectors: &Vectors, groups: &[Group]) -> Vec<f64> {
    let row = |group: &Group| vectors.row(group.first());
    let strength = |group: &Group| {
        let dominated = groups.iter().filter(|other| dominates_clean(row(group), row(other)));
        dominated.map(Group::count).sum::<usize>() as f64
    };
    let strengths: Vec<f64> = groups.iter().map(strength).collect();
    let raw = |group: &Group| {
        let all = groups.iter().zip(&strengths).filter(|(_, strength)| **strength > 0.0);
        let dominators = all.filter(|(other, _)| dominates_clean(row(other), row(group)));
        dominators.map(|(other, strength)| strength * other.count() as f64).sum()
    };
    groups.iter().map(raw).collect()
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

/// Vectors that are equal.
struct Group {
    /// Their places, in ascending order.
    places: Vec<usize>,
}

impl Group {
    /// The groups of all vectors.
    fn all(vectors: &Vectors) -> Vec<Self> {
        let mut places: Vec<usize> = (0..vectors.count()).collect();
        places.sort_unstable_by(|left, right| vectors.compare(*left, *right).then(left.cmp(right)));
        let groups = places.chunk_by(|left, right| vectors.row(*left) == vectors.row(*right));
        groups.map(|places| Self { places: places.to_vec() }).collect()
    }

    fn count(&self) -> usize {
        self.places.len()
    }

    /// Forgets the vectors that are not kept: all of them or none.
    fn retain(&mut self, is_kept: &[bool]) {
        self.places.retain(|place| is_kept.get(*place).copied().unwrap_or(false));
    }

    fn first(&self) -> usize {
        self.places.first().copied().unwrap_or(usize::MAX)
    }

    fn last(&self) -> usize {
        self.places.last().copied().unwrap_or(usize::MAX)
    }
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
