//! Non-dominated sorting.

use crashback_search::fronts::sort;
use crashback_search::{Member, Score};
use proptest::prelude::*;

use crate::dominance::{is_dominated, vectors};

#[test]
fn fronts_are_those_worked_out_by_hand() {
    // 5 │ a
    // 4 │    c     f
    // 3 │    b     g
    // 2 │       d     h
    // 1 │             e
    //   └─1──2──3──4──5
    let (a, b, c, d) = ([1.0, 5.0], [2.0, 3.0], [2.0, 4.0], [3.0, 2.0]);
    let (e, f, g, h) = ([5.0, 1.0], [4.0, 4.0], [4.0, 3.0], [5.0, 2.0]);
    let fronts = sort(&[f, a, h, c, e, g, b, d]);
    assert_eq!(fronts, [vec![1, 4, 6, 7], vec![2, 3, 5], vec![0]]);
}

#[test]
fn three_objectives_leave_more_vectors_undominated() {
    let fronts = sort(&[[1.0, 2.0, 3.0], [2.0, 3.0, 1.0], [3.0, 1.0, 2.0], [2.0, 3.0, 3.0], [3.0, 3.0, 3.0]]);
    assert_eq!(fronts, [vec![0, 1, 2], vec![3], vec![4]]);
}

#[test]
fn one_objective_gives_a_sorted_list() {
    assert_eq!(sort(&[[3.0], [1.0], [2.0], [1.0]]), [vec![1, 3], vec![2], vec![0]]);
}

#[test]
fn edges() {
    assert!(sort::<Vec<f64>>(&[]).is_empty());
    assert_eq!(sort(&[[f64::NAN, f64::INFINITY]]), [[0]]);
    // Copies share a front, and so do vectors without objectives.
    assert_eq!(sort(&[[1.0, 2.0], [1.0, 2.0], [0.0, 3.0]]), [[0, 1, 2]]);
    assert_eq!(sort(&[[0.0; 0], [0.0; 0]]), [[0, 1]]);
    let fronts = sort(&[[f64::NAN, 0.0], [f64::INFINITY, 0.0], [1.0, 0.0], [-0.0, 1.0], [0.0, f64::NAN]]);
    assert_eq!(fronts, [vec![2, 3], vec![0, 1, 4]]);
}

#[test]
fn members_are_sorted_by_their_objectives() {
    let member = |objective| Member { individual: "", score: Score::new(objective, 0.0) };
    assert_eq!(sort(&[member(2.0), member(1.0)]), [[1], [0]]);
}

/// Takes away, again and again, all that no other vector left dominates.
fn brute_force(vectors: &[Vec<f64>]) -> Vec<Vec<usize>> {
    let mut left: Vec<usize> = (0..vectors.len()).collect();
    let mut fronts = Vec::new();
    while !left.is_empty() {
        let is_free = |it: &usize| !left.iter().any(|by| is_dominated(&vectors[*it], &vectors[*by]));
        let front: Vec<usize> = left.iter().copied().filter(is_free).collect();
        left.retain(|it| !front.contains(it));
        fronts.push(front);
    }
    fronts
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn fronts_are_those_of_brute_force(vectors in vectors(40)) {
        prop_assert_eq!(sort(&vectors), brute_force(&vectors));
    }
}
