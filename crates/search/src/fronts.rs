//! Non-dominated sorting (Deb, Pratap, Agarwal, Meyarivan: A Fast and Elitist Multiobjective
//! Genetic Algorithm: NSGA-II, 2002, section III A).

use crate::dominance::dominates_clean;
use crate::vectors::Vectors;

/// Sorts vectors of objectives into fronts. No vector of the first front is
/// [dominated](crate::dominance) by any other; those of the next one are dominated only by vectors
/// of fronts before it, and so on.
///
/// The vectors are named by their places, in ascending order within each front. Equal vectors share
/// a front.
///
/// The fronts are those of the paper, found as by Zhang, Tian, Cheng, Jin (An Efficient Approach to
/// Nondominated Sorting for Evolutionary Multiobjective Optimization, 2015): in lexicographic order
/// no vector is dominated by a later one, so that each only has to find its place among the fronts
/// of those before it, by bisection. Takes time in O(m n²) for n vectors of m objectives that are
/// all in one front, and in O(m n log n) for vectors that are all in fronts of their own.
pub fn sort<V: AsRef<[f64]>>(vectors: &[V]) -> Vec<Vec<usize>> {
    let vectors = Vectors::of(vectors);
    among(&vectors, (0..vectors.count()).collect())
}

/// The fronts of some of the vectors, given by their places.
pub(crate) fn among(vectors: &Vectors, mut places: Vec<usize>) -> Vec<Vec<usize>> {
    places.sort_unstable_by(|left, right| vectors.compare(*left, *right).then(left.cmp(right)));
    let mut fronts: Vec<Vec<usize>> = Vec::new();
    for place in places {
        let row = vectors.row(place);
        let dominates = |other: &usize| dominates_clean(vectors.row(*other), row);
        // The latest vectors of a front are the most like this one.
        let number = fronts.partition_point(|front| front.iter().rev().any(dominates));
        match fronts.get_mut(number) {
            Some(front) => front.push(place),
            None => fronts.push(vec![place]),
        }
    }
    fronts.iter_mut().for_each(|front| front.sort_unstable());
    fronts
}
