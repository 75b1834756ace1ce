//! The parts of SPEA2.

use crashback_search::strength::{fitness, truncation};
use proptest::prelude::*;

use crate::dominance::{clean, is_dominated, vectors};

#[test]
fn fitnesses_are_those_worked_out_by_hand() {
    // The first dominates both others, the second the third. Ranges are 2 and 4, and of three
    // vectors the first neighbour counts.
    let found = fitness(&[[0.0, 0.0], [1.0, 2.0], [2.0, 4.0]]);
    let density = 1.0 / (0.5_f64.sqrt() + 2.0);
    assert_eq!(found, [density, 2.0 + density, 3.0 + density]);
    assert_eq!(fitness(&[[7.0, 7.0]]), [0.5]);
    assert_eq!(fitness(&[[7.0], [7.0]]), [0.5, 0.5]);
    assert!(fitness::<[f64; 1]>(&[]).is_empty());
}

#[test]
fn the_most_crowded_are_dropped_one_by_one() {
    let line = |values: &[f64]| values.iter().map(|it| [*it, -it]).collect::<Vec<_>>();
    // 1 and 2 are nearest to each other, and 2 is nearer to 4 than 1 to -4.
    let vectors = line(&[-4.0, 1.0, 2.0, 4.0, 10.0]);
    assert_eq!(truncation(&vectors, 4), [false, false, true, false, false]);
    assert_eq!(truncation(&vectors, 5), [false; 5]);
    // Copies go first, the last of them.
    assert_eq!(truncation(&line(&[1.0, 5.0, 1.0, 9.0, 1.0]), 3), [false, false, true, false, true]);
    assert_eq!(truncation(&line(&[3.0; 4]), 1), [false, true, true, true]);
    assert_eq!(truncation(&line(&[3.0, 4.0]), 0), [true, true]);
}

/// Three objectives as shares of the ranges of their finite values.
fn scaled(vectors: &[Vec<f64>]) -> Vec<[f64; 3]> {
    let clean: Vec<[f64; 3]> = vectors.iter().map(|it| clean(it)).collect();
    let share = |number: usize, value: f64| {
        let finite = || clean.iter().map(|it| it[number]).filter(|it| it.is_finite());
        let (least, most) = (finite().fold(f64::INFINITY, f64::min), finite().fold(-f64::INFINITY, f64::max));
        match value {
            f64::INFINITY => 2.0,
            f64::NEG_INFINITY => -1.0,
            _ if most > least => (value - least) / (most - least),
            _ => 0.0,
        }
    };
    clean.iter().map(|it| [0, 1, 2].map(|number| share(number, it[number]))).collect()
}

/// The sorted squares of the distances from a vector to others.
fn distances(scaled: &[[f64; 3]], from: usize, others: impl Iterator<Item = usize>) -> Vec<f64> {
    let square = |to: usize| (0..3).map(|it| (scaled[from][it] - scaled[to][it]).powi(2)).sum();
    let mut all: Vec<f64> = others.filter(|other| *other != from).map(square).collect();
    all.sort_by(f64::total_cmp);
    all
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn fitnesses_are_those_of_brute_force(vectors in vectors(30)) {
        let count = vectors.len();
        let dominates = |by: usize, it: usize| is_dominated(&vectors[it], &vectors[by]);
        let strength = |by: usize| (0..count).filter(|it| dominates(by, *it)).count() as f64;
        let nth = (count as f64).sqrt() as usize;
        let scaled = scaled(&vectors);
        for (place, found) in fitness(&vectors).into_iter().enumerate() {
            let raw: f64 = (0..count).filter(|by| dominates(*by, place)).map(strength).sum();
            let near = distances(&scaled, place, 0..count);
            let sigma = near.get(nth.max(1) - 1).or(near.last()).map_or(0.0, |it| it.sqrt());
            prop_assert!((found - raw - 1.0 / (sigma + 2.0)).abs() < 1e-9, "{} {}", found, raw);
            prop_assert_eq!(found < 1.0, (0..count).all(|by| !dominates(by, place)));
        }
    }

    #[test]
    fn truncations_are_those_of_brute_force(vectors in vectors(24), size in 0..24_usize) {
        let scaled = scaled(&vectors);
        let mut left: Vec<usize> = (0..vectors.len()).collect();
        while left.len() > size {
            let around = |it: &usize| distances(&scaled, *it, left.iter().copied());
            let crowded = left.iter().rev().min_by(|one, other| {
                around(one).partial_cmp(&around(other)).unwrap()
            });
            let crowded = *crowded.unwrap();
            left.retain(|it| *it != crowded);
        }
        let kept: Vec<usize> = truncation(&vectors, size).iter().enumerate()
            .filter(|(_, is_dropped)| !**is_dropped).map(|(place, _)| place).collect();
        prop_assert_eq!(kept, left);
    }
}
