//! FEMO on the problems for which it was analysed.

use crashback_search::{AlgorithmKind, Rng, Settings, build};

use crate::problems::{Bits, Pace, drive, zeros};

/// The objectives of the members that a search ends with, sorted.
fn found(kind: AlgorithmKind, objectives: fn(&[bool]) -> Vec<f64>) -> Vec<Vec<f64>> {
    let mut problem = Bits::flat(16);
    problem.helpers = objectives;
    let settings = Settings { population: 20, fresh: 0.0, stagnation: usize::MAX, ..Settings::default() };
    let mut search = build(kind, &settings, Rng::new(1), Vec::new());
    drive(&mut *search, &mut problem, 30_000, Pace { ask: 1, tell: 1, in_flight: 1 });
    let mut found: Vec<Vec<f64>> =
        search.elite().iter().map(|it| it.score.objectives[1..].to_vec()).collect();
    found.sort_by(|left, right| left.partial_cmp(right).unwrap());
    found
}

#[test]
fn leading_ones_and_trailing_zeros_are_all_found() {
    // Leading ones, trailing zeros: the front are the strings of ones followed by zeros.
    let front: Vec<Vec<f64>> = (0..=16).map(|ones| vec![f64::from(ones) - 16.0, -f64::from(ones)]).collect();
    let objectives = |bits: &[bool]| {
        let ones = bits.iter().take_while(|bit| **bit).count() as f64;
        vec![-ones, -(bits.iter().rev().take_while(|bit| !**bit).count() as f64)]
    };
    assert_eq!(found(AlgorithmKind::Femo, objectives), front);
}

#[test]
fn counted_ones_and_zeros_are_all_found() {
    // Both objectives count the ones of the first half; the second counts the zeros of the other
    // half, the first its ones.
    let front: Vec<Vec<f64>> =
        (0..=8).map(|ones| vec![f64::from(ones) - 16.0, -8.0 - f64::from(ones)]).collect();
    let objectives = |bits: &[bool]| {
        let (first, second) = bits.split_at(8);
        let common = 8.0 - zeros(first);
        vec![-common - (8.0 - zeros(second)), -common - zeros(second)]
    };
    assert_eq!(found(AlgorithmKind::Femo, objectives), front);
}
