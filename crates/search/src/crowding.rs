//! Crowding distance (Deb, Pratap, Agarwal, Meyarivan: A Fast and Elitist Multiobjective Genetic
//! Algorithm: NSGA-II, 2002, section III B).

use crate::vectors::Vectors;

/// How far each vector of a front is from its neighbours: for each objective the gap between the
/// next smaller and the next larger value, as a share of the whole range, summed over the
/// objectives. Vectors with the smallest or largest value of an objective are infinitely far.
///
/// Where the paper leaves a choice, copies must not look special: of several vectors with the same
/// extreme value only the first is infinitely far, and an objective that is the same everywhere
/// does not count (unless all are, when just the first vector is infinitely far). An infinite
/// objective is a whole range away from a finite one; NaN and missing objectives count as infinite.
pub fn distances<V: AsRef<[f64]>>(front: &[V]) -> Vec<f64> {
    let vectors = Vectors::of(front);
    among(&vectors, &(0..vectors.count()).collect::<Vec<_>>())
}

/// The distances within a front that is given by the places of its vectors.
pub(crate) fn among(vectors: &Vectors, front: &[usize]) -> Vec<f64> {
    let mut distances = vec![0.0; front.len()];
    let mut is_uniform = true;
    let mut sorted = Vec::with_capacity(front.len());
    for number in 0..vectors.width() {
        sorted.clear();
        let values = front.iter().map(|place| vectors.value(*place, number));
        sorted.extend(values.enumerate().map(|(place, value)| (value, place)));
        sorted.sort_unstable_by(|left, right| left.0.total_cmp(&right.0).then(left.1.cmp(&right.1)));
        is_uniform &= !add_gaps(&sorted, &mut distances);
    }
    if let (true, Some(first)) = (is_uniform, distances.first_mut()) {
        *first = f64::INFINITY;
    }
    distances
}

/// Adds the gaps around the values of one objective, which are sorted and have their places.
/// Returns whether the values differ.
fn add_gaps(sorted: &[(f64, usize)], distances: &mut [f64]) -> bool {
    let (Some(&(least, _)), Some(&(most, _))) = (sorted.first(), sorted.last()) else { return false };
    if least == most {
        return false;
    }
    let mut finite = sorted.iter().map(|it| it.0).filter(|value| value.is_finite());
    let range = finite.next().map_or(0.0, |first| finite.next_back().unwrap_or(first) - first);
    let first_of_most = sorted.partition_point(|it| it.0 < most);
    let mut before = least;
    for (number, &(value, place)) in sorted.iter().enumerate() {
        let after = sorted.get(number + 1).map_or(value, |next| next.0);
        if let Some(distance) = distances.get_mut(place) {
            let is_extreme = number == 0 || number == first_of_most;
            *distance += if is_extreme { f64::INFINITY } else { gap(before, after, range) };
        }
        before = value;
    }
    true
}

/// The gap between two values, the first of which is not the larger, as a share of the range.
fn gap(lower: f64, upper: f64, range: f64) -> f64 {
    if lower == upper {
        0.0
    } else if lower.is_finite() && upper.is_finite() {
        // The bound also stands for the quotient of infinities that differences of huge values are.
        ((upper - lower) / range).min(1.0)
    } else {
        1.0
    }
}
