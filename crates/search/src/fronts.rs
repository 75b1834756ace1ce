//! Non-dominated sorting (Deb, Pratap, Agarwal, Meyarivan: A Fast and Elitist Multiobjective
//! Genetic Algorithm: NSGA-II, 2002, section III A).

use std::cmp::Ordering;

use crate::dominance::compare;

/// Sorts vectors of objectives into fronts. No vector of the first front is
/// [dominated](crate::dominance) by any other; those of the next one are dominated only by vectors
/// of fronts before it, and so on.
///
/// The vectors are named by their places, in ascending order within each front. Equal vectors share
/// a front. Takes time in O(m n²) for n vectors of m objectives.
pub fn sort<V: AsRef<[f64]>>(vectors: &[V]) -> Vec<Vec<usize>> {
    let mut relations = relate(vectors);
    let undominated = relations.iter().enumerate().filter(|(_, relation)| relation.dominators == 0);
    let mut front: Vec<usize> = undominated.map(|(place, _)| place).collect();
    let mut fronts = Vec::new();
    while !front.is_empty() {
        let mut next = Vec::new();
        for place in &front {
            let dominated = relations.get_mut(*place).map(|relation| std::mem::take(&mut relation.dominated));
            for below in dominated.unwrap_or_default() {
                let Some(relation) = relations.get_mut(below) else { continue };
                relation.dominators -= 1;
                if relation.dominators == 0 {
                    next.push(below);
                }
            }
        }
        next.sort_unstable();
        fronts.push(std::mem::replace(&mut front, next));
    }
    fronts
}

/// How a vector stands to the others.
#[derive(Clone, Debug, Default)]
struct Relation {
    /// The places of the vectors that it dominates.
    dominated: Vec<usize>,
    /// How many vectors dominate it and are in no front yet.
    dominators: usize,
}

fn relate<V: AsRef<[f64]>>(vectors: &[V]) -> Vec<Relation> {
    let mut relations = vec![Relation::default(); vectors.len()];
    for (second, right) in vectors.iter().enumerate() {
        for (first, left) in vectors.iter().enumerate().take(second) {
            let (better, worse) = match compare(left.as_ref(), right.as_ref()) {
                Some(Ordering::Less) => (first, second),
                Some(Ordering::Greater) => (second, first),
                Some(Ordering::Equal) | None => continue,
            };
            if let Some(relation) = relations.get_mut(better) {
                relation.dominated.push(worse);
            }
            if let Some(relation) = relations.get_mut(worse) {
                relation.dominators += 1;
            }
        }
    }
    relations
}
