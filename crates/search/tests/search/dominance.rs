//! Pareto dominance.

use std::cmp::Ordering::{self, Equal, Greater, Less};

use crashback_search::dominance::{compare, dominates};
use proptest::prelude::*;

const INF: f64 = f64::INFINITY;
const NAN: f64 = f64::NAN;

/// Vectors of up to three objectives, with many ties.
pub(crate) fn vectors(most: usize) -> impl Strategy<Value = Vec<Vec<f64>>> {
    let value = prop_oneof![
        12 => (0..5).prop_map(f64::from),
        1 => Just(-0.0),
        1 => Just(INF),
        1 => Just(-INF),
        1 => Just(NAN),
    ];
    (1..=3_usize).prop_flat_map(move |objectives| {
        let whole = prop::collection::vec(value.clone(), objectives);
        let short = prop::collection::vec(value.clone(), 0..=objectives);
        prop::collection::vec(prop_oneof![9 => whole, 1 => short], 0..=most)
    })
}

/// The objectives that count: three of them, without NaN.
pub(crate) fn clean(vector: &[f64]) -> [f64; 3] {
    [0, 1, 2].map(|place| vector.get(place).copied().filter(|it| !it.is_nan()).unwrap_or(INF) + 0.0)
}

/// Dominance as its definition has it.
pub(crate) fn is_dominated(vector: &[f64], by: &[f64]) -> bool {
    let (vector, by) = (clean(vector), clean(by));
    by.iter().zip(vector).all(|(by, it)| *by <= it) && by.iter().zip(vector).any(|(by, it)| *by < it)
}

fn check(first: &[f64], second: &[f64], expected: Option<Ordering>) {
    assert_eq!(compare(first, second), expected, "{first:?} {second:?}");
    assert_eq!(compare(second, first), expected.map(Ordering::reverse), "{second:?} {first:?}");
    assert_eq!(dominates(first, second), expected == Some(Less));
}

#[test]
fn a_vector_dominates_if_it_is_nowhere_worse_and_somewhere_better() {
    check(&[1.0, 2.0], &[2.0, 3.0], Some(Less));
    check(&[1.0, 2.0], &[1.0, 3.0], Some(Less));
    check(&[1.0, 2.0], &[1.0, 2.0], Some(Equal));
    check(&[1.0, 3.0], &[2.0, 2.0], None);
    check(&[1.0, 3.0, 0.0], &[1.0, 2.0, 1.0], None);
    check(&[3.0], &[2.0], Some(Greater));
    check(&[], &[], Some(Equal));
}

#[test]
fn nan_and_missing_objectives_are_infinite() {
    check(&[NAN, 1.0], &[INF, 1.0], Some(Equal));
    check(&[5.0, NAN], &[5.0, 1e300], Some(Greater));
    check(&[5.0], &[5.0, 1.0], Some(Greater));
    check(&[4.0], &[5.0, 1.0], None);
    check(&[5.0], &[5.0, INF], Some(Equal));
    check(&[], &[INF, NAN], Some(Equal));
    check(&[-INF], &[0.0], Some(Less));
    check(&[0.0], &[-0.0], Some(Equal));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn comparisons_follow_the_definition(vectors in vectors(8)) {
        for first in &vectors {
            for second in &vectors {
                prop_assert_eq!(dominates(first, second), is_dominated(second, first));
                prop_assert_eq!(compare(first, second) == Some(Equal), clean(first) == clean(second));
                prop_assert_eq!(compare(first, second), compare(second, first).map(Ordering::reverse));
            }
        }
    }
}
