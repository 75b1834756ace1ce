//! Preference sorting (Panichella, Kifetew, Tonella: Reformulating Branch Coverage as a
//! Many-Objective Optimization Problem, 2015, algorithm 2): non-dominated sorting for many
//! objectives, of which each matters by itself.

use crate::fronts;
use crate::vectors::Vectors;

/// Sorts vectors into fronts. The first holds the vectors with the smallest value of each
/// objective, of equals the one for which `secondary` is smallest, or else the first. If these are
/// `size` or more, all others make up the second front, since none of them survives; otherwise the
/// others are [sorted](crate::fronts) by dominance.
///
/// The vectors are named by their places, in ascending order within each front. NaN and missing
/// objectives count as infinite, and no vector is preferred for an infinite objective.
pub fn sort<V: AsRef<[f64]>>(
    vectors: &[V],
    secondary: impl Fn(usize) -> f64,
    size: usize,
) -> Vec<Vec<usize>> {
    among(&Vectors::of(vectors), secondary, size)
}

/// The fronts of vectors without NaN.
pub(crate) fn among(vectors: &Vectors, secondary: impl Fn(usize) -> f64, size: usize) -> Vec<Vec<usize>> {
    let preferred = (0..vectors.width()).filter_map(|objective| best(vectors, objective, &secondary));
    let mut is_preferred = vec![false; vectors.count()];
    for place in preferred {
        if let Some(it) = is_preferred.get_mut(place) {
            *it = true;
        }
    }
    let places = |wanted: bool| {
        let numbered = is_preferred.iter().enumerate();
        numbered.filter(|(_, it)| **it == wanted).map(|(place, _)| place).collect::<Vec<usize>>()
    };
    let (first, others) = (places(true), places(false));
    let is_enough = first.len() >= size;
    let mut fronts = vec![first];
    if is_enough {
        fronts.push(others);
    } else {
        fronts.extend(fronts::among(vectors, others));
    }
    fronts.retain(|front| !front.is_empty());
    fronts
}

/// The place of the vector that is preferred for an objective.
fn best(vectors: &Vectors, objective: usize, secondary: impl Fn(usize) -> f64) -> Option<usize> {
    let mut best = None;
    let mut least = f64::INFINITY;
    for place in 0..vectors.count() {
        let value = vectors.value(place, objective);
        let is_smaller = |than: usize| value == least && secondary(place) < secondary(than);
        if value < least || best.is_some_and(is_smaller) {
            best = Some(place);
            least = value;
        }
    }
    best
}
