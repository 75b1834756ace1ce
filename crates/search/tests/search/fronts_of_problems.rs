//! Algorithms with several objectives on textbook problems: their fronts must be as good as those of
//! another implementation with the same operators, parameters and budget. The figures are those that
//! `reference.py` printed.

use crashback_search::{
    AlgorithmKind, Decomposition, Density, MoeadSettings, MosaSettings, PesaSettings, Rng, Settings, build,
};

use crate::problems::{Pace, drive};
use crate::real::{DTLZ2, Real, ZDT1, ZDT2, ZDT3, hypervolume};

/// As many individuals as the other implementation had.
const BUDGET: usize = 20_000;

/// Settings without all that is not in textbooks.
fn plain(crossover: f64) -> Settings {
    Settings { population: 100, crossover, ..Settings::evosuite() }
}

fn decomposed(decomposition: Decomposition, population: usize) -> Settings {
    let moead = MoeadSettings { decomposition, ..MoeadSettings::default() };
    Settings { population, moead, ..plain(1.0) }
}

/// The median hypervolume of some seeds.
fn volume(kind: AlgorithmKind, settings: &Settings, problem: Real, pace: Pace) -> f64 {
    // Where volumes differ much from run to run, the median of three would still be luck.
    let seeds = if problem.name == DTLZ2.name { 7 } else { 3 };
    let mut volumes: Vec<f64> = (1..=seeds)
        .map(|seed| {
            let mut search = build(kind, settings, Rng::new(seed), Vec::new());
            drive(&mut *search, &mut { problem }, BUDGET, pace);
            assert!(search.elite().len() <= 100, "{kind}");
            let found: Vec<Vec<f64>> = search.elite().iter().map(|it| it.score.objectives.to_vec()).collect();
            hypervolume(&found)
        })
        .collect();
    volumes.sort_by(f64::total_cmp);
    volumes[volumes.len() / 2]
}

/// Checks that a volume is no more than a share below that of the other implementation.
fn check(kind: AlgorithmKind, settings: &Settings, problem: Real, reference: f64, share: f64) {
    // Children of MOEA/D are bred one by one.
    let is_single = kind == AlgorithmKind::Moead;
    let pace = if is_single { Pace { ask: 1, tell: 1, in_flight: 1 } } else { Pace::GENERATIONS };
    let found = volume(kind, settings, problem, pace);
    println!("{kind} {}: {found:.4}, reference {reference}", problem.name);
    let (kind, name) = (kind.name(), problem.name);
    assert!(found >= reference * (1.0 - share), "{kind} {name}: {found} instead of {reference}");
    assert!(found <= problem.optimum, "{kind} {name}: {found} is more than there is");
}

#[test]
fn nsga_ii_is_as_good_as_another() {
    for (problem, reference) in [(ZDT1, 0.8684), (ZDT2, 0.5346), (ZDT3, 1.3258), (DTLZ2, 0.7006)] {
        check(AlgorithmKind::NsgaII, &plain(0.9), problem, reference, 0.01);
    }
}

#[test]
fn spea2_is_as_good_as_another() {
    for (problem, reference) in [(ZDT1, 0.8688), (ZDT2, 0.5349), (ZDT3, 1.3254), (DTLZ2, 0.7305)] {
        check(AlgorithmKind::Spea2, &plain(0.9), problem, reference, 0.01);
    }
}

#[test]
fn moead_is_as_good_as_another() {
    let check = |decomposition, population, problem, reference| {
        let settings = decomposed(decomposition, population);
        check(AlgorithmKind::Moead, &settings, problem, reference, 0.01);
    };
    check(Decomposition::Tchebycheff, 100, ZDT1, 0.8689);
    check(Decomposition::Tchebycheff, 100, ZDT2, 0.5056);
    check(Decomposition::Tchebycheff, 100, ZDT3, 1.3231);
    check(Decomposition::Tchebycheff, 91, DTLZ2, 0.6922);
    check(Decomposition::BoundaryIntersection { penalty: 5.0 }, 91, DTLZ2, 0.7438);
    check(Decomposition::WeightedSum, 100, ZDT1, 0.8623);
}

/// The other implementation lacks MOSA, which is not made for fronts and must be no worse than its
/// NSGA-II.
#[test]
fn mosa_finds_fronts_too() {
    let mosa = MosaSettings { density: Density::Crowding, keeps_reached: true };
    let settings = Settings { mosa, ..plain(0.9) };
    for (problem, reference) in [(ZDT1, 0.8684), (ZDT2, 0.5346), (DTLZ2, 0.7006)] {
        check(AlgorithmKind::Mosa, &settings, problem, reference, 0.01);
    }
}

/// It lacks PESA-II, too, which drops members of a box at random. With three objectives, boxes must be
/// larger than usual to hold several members, and the front is worse: the bound is for errors alone.
#[test]
fn pesa_ii_finds_fronts_too() {
    for (problem, reference) in [(ZDT1, 0.8684), (ZDT2, 0.5346), (ZDT3, 1.3258)] {
        check(AlgorithmKind::PesaII, &plain(0.9), problem, reference, 0.01);
    }
    let pesa = PesaSettings { divisions: 10, ..PesaSettings::default() };
    check(AlgorithmKind::PesaII, &Settings { pesa, ..plain(0.9) }, DTLZ2, 0.7006, 0.05);
}

#[test]
fn fronts_are_as_good_with_individuals_in_flight() {
    let pace = Pace { ask: 8, tell: 3, in_flight: 60 };
    for (kind, crossover, reference) in [
        (AlgorithmKind::NsgaII, 0.9, 0.8684),
        (AlgorithmKind::Spea2, 0.9, 0.8688),
        (AlgorithmKind::Moead, 1.0, 0.8689),
    ] {
        let found = volume(kind, &plain(crossover), ZDT1, pace);
        println!("{kind}: {found:.4}, reference {reference}");
        assert!(found >= reference * 0.99, "{kind}: {found} instead of {reference}");
    }
}
