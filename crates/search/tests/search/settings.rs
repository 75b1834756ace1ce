//! Settings by paper.

use crashback_search::{Algorithm, AlgorithmKind, Growth, Rng, Settings, build};

use crate::problems::{Bits, generation};

#[test]
fn populations_of_evocrash_grow_by_25_up_to_300() {
    let mut search = build(AlgorithmKind::GuidedGa, &Settings::evocrash(), Rng::new(1), Vec::new());
    let mut sizes = Vec::new();
    for _ in 0..13 {
        sizes.push(generation(&mut *search, &mut Bits::flat(8)));
        // Stagnation is for the caller to judge.
        for _ in 0..20 {
            generation(&mut *search, &mut Bits::flat(8));
        }
        assert_eq!(search.progress().restarts, sizes.len() as u64 - 1);
        search.restart();
    }
    assert_eq!(sizes, [50, 75, 100, 125, 150, 175, 200, 225, 250, 275, 300, 300, 300]);
}

#[test]
fn populations_grow_as_they_are_told_to() {
    let sizes = |growth: Growth| {
        let settings = Settings { population: 10, growth, largest_population: 35, ..Settings::default() };
        let mut search: Box<dyn Algorithm<Vec<bool>>> =
            build(AlgorithmKind::NsgaII, &settings, Rng::new(1), Vec::new());
        (0..4)
            .map(|_| {
                search.restart();
                search.progress().population
            })
            .collect::<Vec<_>>()
    };
    assert_eq!(sizes(Growth::Times(1.5)), [15, 22, 33, 35]);
    assert_eq!(sizes(Growth::Times(0.5)), [10; 4]);
    assert_eq!(sizes(Growth::Plus(usize::MAX)), [35; 4]);
}

#[test]
fn every_algorithm_runs_as_published() {
    for kind in AlgorithmKind::ALL {
        let settings = Settings::published(*kind);
        let mut search = build(*kind, &settings, Rng::new(1), Vec::new());
        for _ in 0..300 {
            generation(&mut *search, &mut Bits::one_max(12));
        }
        assert!(search.best().is_some_and(|best| best.score.is_solved()), "{kind}");
    }
}
