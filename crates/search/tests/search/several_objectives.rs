//! What sets algorithms with several objectives apart from each other.

use crashback_search::{
    Algorithm, AlgorithmKind, Decomposition, Dependence, Growth, HybridSettings, Member, MoeadSettings,
    MosaSettings, PesaSettings, Rng, Score, Settings, build,
};

use crate::problems::{Bits, Pace, drive, zeros};
use crate::scripted::{elite, score, tell};

/// A population of two, of which nothing is made anew.
fn small() -> Settings {
    Settings { population: 2, fresh: 0.0, stagnation: usize::MAX, ..Settings::default() }
}

fn search(kind: AlgorithmKind, settings: &Settings) -> Box<dyn Algorithm<usize>> {
    build(kind, settings, Rng::new(1), Vec::new())
}

/// Scores from near the one objective to near the other, the first of them nearest to a solution.
fn trade_offs() -> Vec<Score> {
    let distance = |number| if number == 0 { 0.5 } else { 1.0 };
    let objectives = |number| [f64::from(number) + 1.0, 8.0 - f64::from(number)];
    (0..8).map(|number| score(distance(number), &objectives(number))).collect()
}

#[test]
fn extremes_of_trade_offs_survive() {
    for kind in [AlgorithmKind::NsgaII, AlgorithmKind::Mosa, AlgorithmKind::DynaMosa, AlgorithmKind::Spea2] {
        let mut search = search(kind, &small());
        tell(&mut *search, &trade_offs());
        assert_eq!(elite(&*search), [[1.0, 8.0], [8.0, 1.0]], "{kind}");
    }
}

#[test]
fn algorithms_with_one_objective_look_at_the_distance_alone() {
    let one = [
        AlgorithmKind::GuidedGa,
        AlgorithmKind::HillClimbing,
        AlgorithmKind::Annealing,
        AlgorithmKind::Random,
    ];
    let run = |kind: AlgorithmKind, helpers: fn(&[bool]) -> Vec<f64>| {
        let mut problem = Bits::traps(32);
        problem.helpers = helpers;
        let mut search = build(kind, &Settings::default(), Rng::new(1), Vec::new());
        let told = drive(&mut *search, &mut problem, 2_000, Pace::GENERATIONS);
        told.into_iter().map(|(bits, _)| bits).collect::<Vec<_>>()
    };
    for kind in AlgorithmKind::ALL.iter().filter(|kind| **kind != AlgorithmKind::Hybrid) {
        let is_equal = run(*kind, |_| Vec::new()) == run(*kind, |bits| vec![32.0 - zeros(bits)]);
        assert_eq!(is_equal, one.contains(kind), "{kind}");
    }
}

#[test]
fn reached_helpers_leave_unless_they_are_kept() {
    let reached = [score(1.0, &[0.0, 9.0]), score(1.0, &[5.0, 5.0]), score(1.0, &[6.0, 4.0])];
    let mut dropping = search(AlgorithmKind::Mosa, &small());
    tell(&mut *dropping, &[reached[0].clone(), reached[1].clone()]);
    tell(&mut *dropping, &[reached[2].clone(), reached[2].clone()]);
    assert_eq!(elite(&*dropping), [[6.0, 4.0], [6.0, 4.0]]);
    let mosa = MosaSettings { keeps_reached: true, ..MosaSettings::default() };
    let mut keeping = search(AlgorithmKind::Mosa, &Settings { mosa, ..small() });
    tell(&mut *keeping, &[reached[0].clone(), reached[1].clone()]);
    tell(&mut *keeping, &[reached[2].clone(), reached[2].clone()]);
    assert_eq!(elite(&*keeping), [[0.0, 9.0], [6.0, 4.0]]);
}

#[test]
fn helpers_come_back_if_those_that_reached_them_are_discarded_or_given_up() {
    for is_restarted in [false, true] {
        let mut search = search(AlgorithmKind::Mosa, &Settings { growth: Growth::Plus(0), ..small() });
        tell(&mut *search, &[score(1.0, &[0.0, 9.0]), score(1.0, &[9.0, 8.0])]);
        if is_restarted {
            search.restart();
        } else {
            search.discard(&mut |member| member.score.objectives[0] == 0.0);
        }
        tell(&mut *search, &[score(1.0, &[9.0, 1.0]), score(1.0, &[9.0, 1.0])]);
        tell(&mut *search, &[score(1.0, &[1.0, 9.0]), score(1.0, &[9.0, 2.0])]);
        assert_eq!(elite(&*search), [[1.0, 9.0], [9.0, 1.0]], "{is_restarted}");
    }
}

#[test]
fn the_distance_never_counts_as_reached() {
    // The primary objective takes part beside the helpers, although they do not contain it.
    let mut search = search(AlgorithmKind::Mosa, &small());
    let scores = [score(3.0, &[1.0]), score(2.0, &[2.0]), score(1.0, &[3.0]), score(0.0, &[4.0])];
    tell(&mut *search, &scores);
    assert_eq!(elite(&*search), [[1.0], [4.0]]);
    assert!(search.best().is_some_and(|best| best.score.is_solved()));
    tell(&mut *search, &scores);
    assert!(search.elite()[0].score.is_solved());
}

#[test]
fn objectives_take_part_once_those_they_depend_on_are_reached() {
    let dependence = Dependence::new([(0, 1)]);
    let mut dynamic = search(AlgorithmKind::DynaMosa, &Settings { dependence, ..small() });
    tell(&mut *dynamic, &trade_offs());
    assert_eq!(elite(&*dynamic), [[1.0, 8.0], [2.0, 7.0]]);
    tell(&mut *dynamic, &[score(1.0, &[0.0, 20.0]), score(1.0, &[3.0, 2.0])]);
    assert!(elite(&*dynamic).contains(&vec![3.0, 2.0]));
    // The others know nothing of dependence.
    let dependence = Dependence::new([(0, 1)]);
    let mut fixed = search(AlgorithmKind::Mosa, &Settings { dependence, ..small() });
    tell(&mut *fixed, &trade_offs());
    assert_eq!(elite(&*fixed), [[1.0, 8.0], [8.0, 1.0]]);
}

/// Whether strings of bits are found whose distance says nothing.
fn is_found(kind: AlgorithmKind, settings: &Settings, helpers: fn(&[bool]) -> Vec<f64>) -> bool {
    let mut problem = Bits::new(30, |bits| f64::from(u8::from(bits.contains(&false))));
    problem.helpers = helpers;
    let mut search = build(kind, settings, Rng::new(1), Vec::new());
    drive(&mut *search, &mut problem, 30_000, Pace { ask: 10, tell: 10, in_flight: 20 });
    search.best().is_some_and(|best| best.score.is_solved())
}

#[test]
fn helpers_lead_where_the_distance_does_not() {
    let halves = |bits: &[bool]| bits.chunks(15).map(zeros).collect();
    let mosa = MosaSettings { keeps_reached: true, ..MosaSettings::default() };
    let settings = Settings { mosa, ..Settings::default() };
    assert!(!is_found(AlgorithmKind::GuidedGa, &settings, halves));
    for kind in [
        AlgorithmKind::NsgaII,
        AlgorithmKind::Mosa,
        AlgorithmKind::DynaMosa,
        AlgorithmKind::Spea2,
        AlgorithmKind::PesaII,
        AlgorithmKind::Femo,
        AlgorithmKind::Hybrid,
    ] {
        assert!(is_found(kind, &settings, halves), "{kind}");
    }
    for decomposition in [
        Decomposition::WeightedSum,
        Decomposition::Tchebycheff,
        Decomposition::BoundaryIntersection { penalty: 5.0 },
    ] {
        for is_scaled in [false, true] {
            let moead = MoeadSettings { decomposition, is_scaled, ..MoeadSettings::default() };
            let settings = Settings { moead, ..Settings::default() };
            assert!(is_found(AlgorithmKind::Moead, &settings, halves), "{moead:?}");
        }
    }
}

#[test]
fn the_hybrid_search_turns_to_all_objectives() {
    let never = HybridSettings { stagnant: u64::MAX, generations: u64::MAX, budget: None, share: 0.5 };
    let survivors = |hybrid: HybridSettings| {
        let mut search = search(AlgorithmKind::Hybrid, &Settings { hybrid, ..small() });
        tell(&mut *search, &[score(1.0, &[9.0, 1.0]), score(2.0, &[5.0, 5.0])]);
        tell(&mut *search, &[score(3.0, &[1.0, 9.0]), score(1.5, &[9.0, 9.0])]);
        elite(&*search)
    };
    let (by_distance, by_objectives) = ([[9.0, 1.0], [9.0, 9.0]], [[1.0, 9.0], [9.0, 1.0]]);
    assert_eq!(survivors(never), by_distance);
    // The distance of the first individual is the smallest: three more were told since.
    assert_eq!(survivors(HybridSettings { stagnant: 3, ..never }), by_objectives);
    assert_eq!(survivors(HybridSettings { stagnant: 4, ..never }), by_distance);
    assert_eq!(survivors(HybridSettings { generations: 2, ..never }), by_objectives);
    assert_eq!(survivors(HybridSettings { budget: Some(8), ..never }), by_objectives);
    assert_eq!(survivors(HybridSettings { budget: Some(9), ..never }), by_distance);
}

#[test]
fn fair_searches_let_all_members_have_children_and_keep_one_of_equals() {
    let mut search = search(AlgorithmKind::Femo, &Settings { archive: 4, ..small() });
    tell(&mut *search, &trade_offs());
    assert_eq!(search.elite().len(), 4);
    tell(&mut *search, &[score(0.5, &[0.0, 0.5]), score(0.5, &[0.0, 0.5])]);
    assert_eq!(elite(&*search), [[0.0, 0.5]]);
}

#[test]
fn full_boxes_lose_members() {
    // All but the last lie in the first of two boxes for each objective.
    let settings = Settings { archive: 3, pesa: PesaSettings { divisions: 2, tournament: 2 }, ..small() };
    for seed in 0..10 {
        let mut search: Box<dyn Algorithm<usize>> =
            build(AlgorithmKind::PesaII, &settings, Rng::new(seed), Vec::new());
        let crowd = (0..6).map(|it| score(1.0, &[f64::from(it), 100.0 - f64::from(it)]));
        let scores: Vec<Score> = [score(0.5, &[100.0, 0.0])].into_iter().chain(crowd).collect();
        tell(&mut *search, &scores);
        assert_eq!(search.elite().len(), 3);
        assert_eq!(search.elite()[0].score, scores[0]);
    }
}

#[test]
fn hundreds_of_objectives_are_no_obstacle() {
    for kind in AlgorithmKind::ALL {
        let mut problem = Bits::one_max(200);
        problem.helpers = |bits| bits.iter().map(|bit| f64::from(u8::from(!*bit))).collect();
        let mut search = build(*kind, &Settings::default(), Rng::new(1), Vec::new());
        let told = drive(&mut *search, &mut problem, 1_000, Pace { ask: 50, tell: 20, in_flight: 100 });
        assert_eq!(told.len(), 1_000, "{kind}");
    }
}

#[test]
fn offered_trade_offs_take_part() {
    for kind in [
        AlgorithmKind::NsgaII,
        AlgorithmKind::Mosa,
        AlgorithmKind::Spea2,
        AlgorithmKind::PesaII,
        AlgorithmKind::Femo,
    ] {
        let mut search = search(kind, &small());
        tell(&mut *search, &[score(1.0, &[4.0, 4.0]), score(1.0, &[5.0, 3.0])]);
        search.offer(Member { individual: 99, score: score(1.0, &[0.5, 9.0]) });
        tell(&mut *search, &[score(1.0, &[7.0, 7.0]), score(1.0, &[7.0, 7.0])]);
        assert!(elite(&*search).contains(&vec![0.5, 9.0]), "{kind}");
    }
}
