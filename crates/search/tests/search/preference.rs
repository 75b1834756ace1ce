//! Preference sorting.

use crashback_search::preference::sort;
use proptest::prelude::*;

use crate::dominance::{clean, is_dominated, vectors};

#[test]
fn the_nearest_to_each_objective_come_first() {
    let vectors = [[3.0, 3.0], [1.0, 9.0], [9.0, 0.0], [2.0, 2.0], [4.0, 4.0]];
    assert_eq!(sort(&vectors, |_| 0.0, 5), [vec![1, 2], vec![3], vec![0], vec![4]]);
    // Nothing else survives, and so nothing else is sorted.
    assert_eq!(sort(&vectors, |_| 0.0, 2), [vec![1, 2], vec![0, 3, 4]]);
}

#[test]
fn of_equally_near_ones_the_smallest_or_first_is_preferred() {
    let vectors = [[1.0, 5.0], [1.0, 4.0], [1.0, 6.0], [2.0, 4.0]];
    assert_eq!(sort(&vectors, |_| 0.0, 4), [vec![0, 1], vec![2, 3]]);
    assert_eq!(sort(&vectors, |place| [3.0, 2.0, 1.0, 1.0][place], 4), [vec![2, 3], vec![1], vec![0]]);
}

#[test]
fn none_is_preferred_for_an_objective_that_is_infinite_everywhere() {
    assert_eq!(sort(&[[f64::INFINITY], [f64::NAN]], |_| 0.0, 9), [[0, 1]]);
    assert!(sort::<Vec<f64>>(&[], |_| 0.0, 9).is_empty());
}

/// The same by its definition.
fn brute_force(vectors: &[Vec<f64>], size: usize) -> Vec<Vec<usize>> {
    let value = |place: usize, number: usize| clean(&vectors[place])[number];
    let preferred: Vec<usize> = (0..3)
        .filter_map(|number| {
            let finite = (0..vectors.len()).filter(|place| value(*place, number) < f64::INFINITY);
            finite.reduce(|best, place| {
                let (old, new) = (value(best, number), value(place, number));
                if new < old || new == old && place % 4 < best % 4 { place } else { best }
            })
        })
        .collect();
    let (first, mut left): (Vec<usize>, Vec<usize>) =
        (0..vectors.len()).partition(|place| preferred.contains(place));
    let mut fronts = vec![first];
    while !left.is_empty() {
        let is_free = |it: &usize| !left.iter().any(|by| is_dominated(&vectors[*it], &vectors[*by]));
        let is_enough = fronts[0].len() >= size;
        let front: Vec<usize> = left.iter().copied().filter(|it| is_enough || is_free(it)).collect();
        left.retain(|it| !front.contains(it));
        fronts.push(front);
    }
    fronts.retain(|front| !front.is_empty());
    fronts
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn fronts_are_those_of_brute_force(vectors in vectors(40), size in 0..8_usize) {
        prop_assert_eq!(sort(&vectors, |place| (place % 4) as f64, size), brute_force(&vectors, size));
    }
}
