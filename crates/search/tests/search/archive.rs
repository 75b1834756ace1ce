//! Archives.

use crashback_search::archive::{BestPerObjective, ParetoArchive};
use crashback_search::{Member, Score};
use proptest::prelude::*;

use crate::dominance::{clean, is_dominated, vectors};

const NAN: f64 = f64::NAN;

fn member(name: usize, objectives: &[f64], secondary: f64) -> Member<usize> {
    Member {
        individual: name,
        score: Score {
            distance: objectives.first().copied().unwrap_or(f64::INFINITY),
            objectives: objectives.iter().copied().collect(),
            secondary,
            cost: 0,
        },
    }
}

fn names(members: &[Member<usize>]) -> Vec<usize> {
    members.iter().map(|member| member.individual).collect()
}

#[test]
fn dominated_members_give_way() {
    let mut archive = ParetoArchive::new(10);
    assert!(archive.members().is_empty());
    assert!(archive.offer(member(0, &[3.0, 3.0], 0.0)));
    assert!(archive.offer(member(1, &[1.0, 4.0], 0.0)));
    assert!(!archive.offer(member(2, &[3.0, 4.0], 0.0)));
    assert!(archive.offer(member(3, &[4.0, 1.0], 0.0)));
    assert!(archive.offer(member(4, &[3.0, 1.0], 0.0)));
    assert_eq!(names(archive.members()), [1, 4]);
    archive.retain(|member| member.individual != 1);
    assert_eq!(names(archive.members()), [4]);
}

#[test]
fn of_copies_the_smallest_or_oldest_stays() {
    let mut archive = ParetoArchive::new(10);
    assert!(archive.offer(member(0, &[1.0, 1.0], NAN)));
    assert!(!archive.offer(member(1, &[1.0, 1.0], NAN)));
    assert!(archive.offer(member(2, &[1.0, 1.0], 5.0)));
    assert!(!archive.offer(member(3, &[1.0, 1.0], 5.0)));
    assert!(archive.offer(member(4, &[1.0, 1.0], 3.0)));
    assert_eq!(names(archive.members()), [4]);
}

#[test]
fn the_most_crowded_member_gives_way_when_there_are_too_many() {
    let mut archive = ParetoArchive::new(3);
    for (name, [first, second]) in [[0.0, 10.0], [10.0, 0.0], [1.0, 9.0]].into_iter().enumerate() {
        assert!(archive.offer(member(name, &[first, second], 0.0)));
    }
    // The gaps around the new member are 9 and 9, those around the third 5 and 5.
    assert!(archive.offer(member(3, &[5.0, 5.0], 0.0)));
    assert_eq!(names(archive.members()), [0, 1, 3]);
    // Near an extreme, the new member itself is the most crowded.
    assert!(!archive.offer(member(4, &[0.5, 9.5], 0.0)));
    assert_eq!(names(archive.members()), [0, 1, 3]);
    assert!(ParetoArchive::new(0).offer(member(0, &[1.0], 0.0)));
}

#[test]
fn each_objective_has_its_best() {
    let mut archive = BestPerObjective::new();
    assert!(archive.best(0).is_none());
    assert!(archive.offer(&member(0, &[3.0, 0.0, NAN], 5.0)));
    assert!(archive.offer(&member(1, &[1.0, 2.0, f64::INFINITY], 5.0)));
    assert!(!archive.offer(&member(2, &[1.0, 0.0], 5.0)));
    assert!(archive.offer(&member(3, &[2.0, -0.0, NAN], 4.0)));
    assert!(!archive.offer(&member(4, &[], 0.0)));
    let found: Vec<(usize, usize)> = archive.iter().map(|(number, best)| (number, best.individual)).collect();
    assert_eq!(found, [(0, 1), (1, 3)]);
    assert_eq!(archive.reached().map(|(number, _)| number).collect::<Vec<_>>(), [1]);
    assert!(archive.best(2).is_none());
    archive.retain(|member| member.individual != 3);
    assert!(archive.best(1).is_none() && archive.best(0).is_some());
}

/// The vectors that are not dominated, each once.
fn brute_force(vectors: &[Vec<f64>]) -> Vec<[f64; 3]> {
    let is_free = |it: &&Vec<f64>| !vectors.iter().any(|by| is_dominated(it, by));
    sorted(vectors.iter().filter(is_free).map(|it| clean(it)))
}

fn sorted(vectors: impl Iterator<Item = [f64; 3]>) -> Vec<[f64; 3]> {
    let mut vectors: Vec<[f64; 3]> = vectors.collect();
    vectors.sort_by(|left, right| left.partial_cmp(right).unwrap());
    vectors.dedup();
    vectors
}

fn filled(capacity: usize, vectors: &[Vec<f64>]) -> ParetoArchive<usize> {
    let mut archive = ParetoArchive::new(capacity);
    for (name, vector) in vectors.iter().enumerate() {
        let is_kept = archive.offer(member(name, vector, (name % 4) as f64));
        assert_eq!(is_kept, archive.members().iter().any(|member| member.individual == name));
    }
    archive
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn large_archives_hold_all_that_is_not_dominated(vectors in vectors(40)) {
        let archive = filled(100, &vectors);
        let objectives = archive.members().iter().map(|member| clean(&member.score.objectives));
        prop_assert_eq!(sorted(objectives), brute_force(&vectors));
        for member in archive.members() {
            let is_copy = |name: &usize| clean(&vectors[*name]) == clean(&member.score.objectives);
            let best = (0..vectors.len()).filter(is_copy).min_by_key(|name| (name % 4, *name));
            prop_assert_eq!(Some(member.individual), best);
        }
    }

    #[test]
    fn small_archives_keep_the_extremes(vectors in vectors(60), capacity in 1..12_usize) {
        let archive = filled(capacity, &vectors);
        let members: Vec<[f64; 3]> = archive.members().iter().map(|it| clean(&it.score.objectives)).collect();
        prop_assert!(members.len() <= capacity);
        prop_assert_eq!(members.is_empty(), vectors.is_empty());
        prop_assert!(members.iter().all(|it| !members.iter().any(|by| is_dominated(it, by))));
        prop_assert_eq!(sorted(members.iter().copied()).len(), members.len());
        for number in 0..3 {
            let least = |vectors: &[[f64; 3]]| vectors.iter().map(|it| it[number]).reduce(f64::min);
            let all: Vec<[f64; 3]> = vectors.iter().map(|it| clean(it)).collect();
            // Each of three objectives has two extremes.
            prop_assert!(capacity <= 6 || least(&members) == least(&all));
        }
    }

    #[test]
    fn the_best_per_objective_are_those_of_brute_force(vectors in vectors(40)) {
        let mut archive = BestPerObjective::new();
        for (name, vector) in vectors.iter().enumerate() {
            archive.offer(&member(name, vector, (name % 4) as f64));
        }
        for number in 0..3 {
            let value = |name: &usize| clean(&vectors[*name])[number];
            let order = |left: &usize, right: &usize| {
                let by_value = value(left).total_cmp(&value(right));
                by_value.then((left % 4, left).cmp(&(right % 4, right)))
            };
            let best = (0..vectors.len()).filter(|name| value(name) < f64::INFINITY).min_by(order);
            prop_assert_eq!(archive.best(number).map(|best| best.individual), best);
        }
    }
}
