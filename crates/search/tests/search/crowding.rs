//! Crowding distance.

use crashback_search::crowding::distances;
use proptest::prelude::*;

use crate::dominance::{clean, vectors};

const INF: f64 = f64::INFINITY;

#[test]
fn distances_are_those_worked_out_by_hand() {
    // Both objectives range over 4. (2, 3): (4 − 1) / 4 + (5 − 2) / 4.
    // (4, 2): (5 − 2) / 4 + (3 − 1) / 4.
    let front = [[4.0, 2.0], [1.0, 5.0], [5.0, 1.0], [2.0, 3.0]];
    assert_eq!(distances(&front), [1.25, INF, INF, 1.5]);
    // Three objectives with ranges 4, 4 and 8: 3 / 4 + 2 / 4 + 6 / 8.
    let front = [[0.0, 4.0, 4.0], [1.0, 2.0, 6.0], [3.0, 1.0, 8.0], [4.0, 0.0, 0.0], [2.0, 3.0, 2.0]];
    assert_eq!(distances(&front), [INF, 2.0 / 4.0 + 2.0 / 4.0 + 4.0 / 8.0, INF, INF, 1.5]);
}

#[test]
fn edges() {
    assert!(distances::<[f64; 2]>(&[]).is_empty());
    assert_eq!(distances(&[[3.0, 1.0]]), [INF]);
    assert_eq!(distances(&[[0.0; 0]; 2]), [INF, 0.0]);
    assert_eq!(distances(&[[1.0, 2.0], [2.0, 1.0]]), [INF, INF]);
}

#[test]
fn copies_are_crowded() {
    assert_eq!(distances(&[[1.0, 2.0]; 3]), [INF, 0.0, 0.0]);
    // Each copy of an extreme has its neighbour on one side only.
    let (left, right) = ([0.0, 1.0], [1.0, 0.0]);
    assert_eq!(distances(&[left, left, right, right]), [INF, 1.0, INF, 1.0]);
    assert_eq!(distances(&[left, left, left, right]), [INF, 0.0, 1.0, INF]);
}

#[test]
fn an_objective_that_is_the_same_everywhere_does_not_count() {
    let front = [[7.0, 1.0], [7.0, 0.0], [7.0, 4.0]];
    assert_eq!(distances(&front), [1.0, INF, INF]);
}

#[test]
fn infinite_objectives_are_a_whole_range_away() {
    let front = [[0.0], [1.0], [4.0], [INF], [f64::NAN]];
    // 1: (4 − 0) / 4. 4: from 1 to infinity. The first infinite one is the extreme.
    assert_eq!(distances(&front), [INF, 1.0, 1.0, INF, 0.0]);
    assert_eq!(distances(&[[-INF], [0.0], [INF]]), [INF, 1.0, INF]);
    assert_eq!(distances(&[[f64::MIN], [0.0], [f64::MAX]]), [INF, 1.0, INF]);
}

/// The gaps around a vector by their definition, for one objective.
fn gap(vectors: &[[f64; 3]], place: usize, number: usize) -> f64 {
    let key = |it: usize| (vectors[it][number], it);
    let is_before = |left: usize, right: usize| key(left).partial_cmp(&key(right)).unwrap().is_lt();
    let all = || 0..vectors.len();
    let before = all().filter(|it| is_before(*it, place)).reduce(|a, b| if is_before(a, b) { b } else { a });
    let after = all().filter(|it| is_before(place, *it)).reduce(|a, b| if is_before(a, b) { a } else { b });
    let most = all().map(|it| vectors[it][number]).fold(-INF, f64::max);
    let is_first_of_most = all().find(|it| vectors[*it][number] == most) == Some(place);
    if before.is_none() || is_first_of_most {
        return INF;
    }
    let of = |it: Option<usize>| it.map_or(vectors[place][number], |it| vectors[it][number]);
    let (lower, upper) = (of(before), of(after));
    let finite = || all().map(|it| vectors[it][number]).filter(|it| it.is_finite());
    let range = finite().fold(-INF, f64::max) - finite().fold(INF, f64::min);
    if lower == upper {
        0.0
    } else if (upper - lower).is_finite() {
        (upper - lower) / range
    } else {
        1.0
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn distances_are_shares_and_two_vectors_for_an_objective_are_extreme(vectors in vectors(30)) {
        let distances = distances(&vectors);
        prop_assert_eq!(distances.len(), vectors.len());
        prop_assert!(distances.iter().all(|it| *it == INF || (0.0..=3.0).contains(it)), "{:?}", distances);
        let extreme = distances.iter().filter(|it| **it == INF).count();
        prop_assert!(extreme <= 6 && (extreme > 0 || vectors.is_empty()), "{:?}", distances);
    }

    #[test]
    fn distances_are_those_of_brute_force(vectors in vectors(30)) {
        let clean: Vec<[f64; 3]> = vectors.iter().map(|it| clean(it)).collect();
        let differs = |number: &usize| clean.iter().any(|it| it[number.to_owned()] != clean[0][*number]);
        let numbers: Vec<usize> = (0..3).filter(differs).collect();
        for (place, found) in distances(&vectors).into_iter().enumerate() {
            let mut expected: f64 = numbers.iter().map(|number| gap(&clean, place, *number)).sum();
            if numbers.is_empty() && place == 0 {
                expected = INF;
            }
            let is_equal = found == expected || (found - expected).abs() < 1e-9;
            prop_assert!(is_equal, "{} instead of {} at {}", found, expected, place);
        }
    }
}
