//! Subvector dominance.

use crashback_search::density::subvector_dominance;
use proptest::prelude::*;

use crate::dominance::{clean, vectors};

#[test]
fn densities_are_those_worked_out_by_hand() {
    // The first is better than the second in two objectives and than the third in one.
    let front = [[1.0, 1.0, 9.0], [2.0, 2.0, 1.0], [0.0, 1.0, 10.0]];
    assert_eq!(subvector_dominance(&front), [1.0, 1.0, 1.0]);
    let front = [[0.0, 0.0, 9.0], [2.0, 2.0, 1.0], [3.0, 3.0, 1.0]];
    assert_eq!(subvector_dominance(&front), [2.0, 1.0, 0.0]);
    assert_eq!(subvector_dominance(&[[1.0, 2.0]]), [f64::INFINITY]);
    assert!(subvector_dominance::<[f64; 1]>(&[]).is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn densities_are_those_of_brute_force(vectors in vectors(30)) {
        let better = |it: usize, than: usize| {
            let (it, than) = (clean(&vectors[it]), clean(&vectors[than]));
            (0..3).filter(|number| it[*number] < than[*number]).count() as f64
        };
        let expected: Vec<f64> = (0..vectors.len())
            .map(|it| {
                let others = (0..vectors.len()).filter(|other| *other != it);
                others.map(|other| better(it, other)).fold(f64::INFINITY, f64::min)
            })
            .collect();
        prop_assert_eq!(subvector_dominance(&vectors), expected);
    }
}
