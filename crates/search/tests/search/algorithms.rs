//! What holds of every algorithm.

use crashback_search::{Algorithm, AlgorithmKind, Member, Rng, Score, Settings, build};

use crate::problems::{Bits, Pace, Problem as _, drive, zeros};

fn all(check: impl Fn(AlgorithmKind)) {
    AlgorithmKind::ALL.iter().copied().for_each(check);
}

fn new(kind: AlgorithmKind, seed: u64) -> Box<dyn Algorithm<Vec<bool>>> {
    build(kind, &Settings { population: 20, ..Settings::default() }, Rng::new(seed), Vec::new())
}

/// A problem with one objective and one with many.
fn problems() -> [Bits; 2] {
    [Bits::traps(64), Bits::guided_traps(64)]
}

fn paces() -> impl Iterator<Item = Pace> {
    let asks = [1, 7, 100].into_iter();
    asks.flat_map(|ask| {
        let tells = [1, 7, 100].into_iter();
        tells.flat_map(move |tell| [1, 30, 150].map(|in_flight| Pace { ask, tell, in_flight }))
    })
}

/// The best of scored individuals, the first of equals.
fn best_of(told: &[(Vec<bool>, Score)]) -> Option<(Vec<bool>, Score)> {
    told.iter().min_by(|left, right| left.1.rank(&right.1)).cloned()
}

fn best(search: &dyn Algorithm<Vec<bool>>) -> Option<(Vec<bool>, Score)> {
    search.best().map(|best| (best.individual.clone(), best.score.clone()))
}

#[test]
fn names_are_read_and_written() {
    all(|kind| assert_eq!(kind.to_string().parse(), Ok(kind)));
    let unknown = "simulated-annealing".parse::<AlgorithmKind>().unwrap_err().to_string();
    assert!(unknown.starts_with("unknown algorithm \"simulated-annealing\"; known algorithms: guided-ga"));
    all(|kind| assert!(unknown.contains(kind.name())));
}

#[test]
fn small_problems_are_solved() {
    all(|kind| {
        for problem in [Bits::one_max(10), Bits::traps(8), Bits::guided_traps(8)] {
            for pace in [Pace::GENERATIONS, Pace { ask: 3, tell: 5, in_flight: 16 }] {
                let mut search = new(kind, 1);
                drive(&mut *search, &mut problem.clone(), 20_000, pace);
                assert_eq!(best(&*search).map(|best| best.1.primary()), Some(0.0), "{kind} {problem:?}");
            }
        }
    });
}

#[test]
fn equal_seeds_give_equal_searches() {
    all(|kind| {
        for pace in paces() {
            for problem in problems() {
                let run = |seed| drive(&mut *new(kind, seed), &mut problem.clone(), 600, pace);
                assert_eq!(run(7), run(7), "{kind} {pace:?}");
                assert_ne!(run(7), run(8), "{kind} {pace:?}");
            }
        }
    });
}

#[test]
fn every_individual_counts() {
    all(|kind| {
        for pace in paces() {
            let mut problem = Bits::guided_traps(256);
            problem.secondary = |bits| bits.iter().take_while(|bit| **bit).count() as f64;
            let (mut search, mut all_told) = (new(kind, 3), Vec::new());
            for round in 1..=3 {
                let told = drive(&mut *search, &mut problem, 500, pace);
                assert_eq!(told.len(), 500, "{kind} {pace:?}");
                assert_eq!(search.progress().told, 500 * round, "{kind} {pace:?}");
                all_told.extend(told);
                assert_eq!(best_of(&all_told), best(&*search), "{kind} {pace:?}");
            }
        }
    });
}

#[test]
fn answers_can_be_told_in_any_number_of_parts() {
    all(|kind| {
        let run = |part: usize, mut problem: Bits| {
            let mut search = new(kind, 5);
            let (mut asked, mut told) = (Vec::new(), 0);
            for round in 0..100 {
                search.ask(&mut problem, 1 + round % 30, &mut asked);
                // Some stay in flight.
                let end = asked.len().saturating_sub(15).max(told);
                for part in asked[told..end].chunks(part) {
                    search.tell(&mut part.iter().map(|it| (it.clone(), problem.score(it))));
                }
                told = end;
            }
            (asked, search.progress())
        };
        for problem in problems() {
            assert_eq!(run(1, problem.clone()), run(usize::MAX, problem.clone()), "{kind}");
            assert_eq!(run(4, problem.clone()), run(usize::MAX, problem), "{kind}");
        }
    });
}

#[test]
fn hills_of_many_bits_are_climbed() {
    // Random search is the one that cannot.
    for kind in AlgorithmKind::ALL.iter().filter(|kind| **kind != AlgorithmKind::Random) {
        let mut problem = Bits::one_max(64);
        problem.helpers = |bits| bits.chunks(16).map(zeros).collect();
        for problem in [Bits::one_max(64), problem] {
            let mut search = new(*kind, 1);
            drive(&mut *search, &mut problem.clone(), 30_000, Pace { ask: 8, tell: 3, in_flight: 24 });
            assert_eq!(best(&*search).map(|best| best.1.primary()), Some(0.0), "{kind} {problem:?}");
        }
    }
}

#[test]
fn objectives_may_be_of_any_number_and_value() {
    all(|kind| {
        let (mut search, mut rng, mut told) = (new(kind, 1), Rng::new(9), 0);
        let values = [0.0, -0.0, 1.0, 2.5, -1.0, 1e300, -1e300, f64::INFINITY, f64::NEG_INFINITY, f64::NAN];
        for round in 0..400 {
            let mut asked = Vec::new();
            search.ask(&mut Bits::flat(8), 7, &mut asked);
            told += asked.len() as u64;
            let mut score = || Score {
                distance: rng.pick(&values).copied().map_or(1.0, f64::abs).max(0.5),
                objectives: (0..rng.below(6 + round / 40))
                    .filter_map(|_| rng.pick(&values).copied())
                    .collect(),
                secondary: rng.pick(&values).copied().unwrap_or(0.0),
                cost: rng.below(3) as u32,
            };
            if round % 10 == 9 {
                search.offer(Member { individual: vec![true; 8], score: score() });
            }
            if round % 50 == 49 {
                let mut number = 0;
                search.discard(&mut |_| {
                    number += 1;
                    number % 3 == 0
                });
            }
            search.tell(&mut asked.into_iter().map(|it| (it, score())));
            let elite = search.elite();
            assert!(
                elite.is_sorted_by(|left, right| left.score.primary() <= right.score.primary()),
                "{kind}"
            );
        }
        assert_eq!(search.progress().told, told, "{kind}");
        assert!(search.best().is_some(), "{kind}");
    });
}

#[test]
fn nothing_is_asked_for_none() {
    all(|kind| {
        let (mut search, mut asked) = (new(kind, 1), Vec::new());
        search.ask(&mut Bits::flat(4), 0, &mut asked);
        assert_eq!((asked.len(), search.best().is_none(), search.elite().len()), (0, true, 0));
        search.ask(&mut Bits::flat(4), 1, &mut asked);
        search.tell(&mut asked.into_iter().map(|it| (it, Score::worst())));
        assert_eq!(search.progress().told, 1);
    });
}

#[test]
fn discarded_members_are_forgotten() {
    all(|kind| {
        for pace in [Pace::GENERATIONS, Pace { ask: 3, tell: 5, in_flight: 16 }] {
            let (mut search, mut problem) = (new(kind, 2), Bits::one_max(10));
            problem.helpers = |bits| bits.chunks(5).map(zeros).collect();
            let mut told = drive(&mut *search, &mut problem, 20_000, pace);
            search.discard(&mut |member| member.score.is_solved());
            told.retain(|it| !it.1.is_solved());
            assert_eq!(best(&*search).map(|it| it.1), best_of(&told).map(|it| it.1), "{kind}");
            assert!(search.elite().iter().all(|member| !member.score.is_solved()), "{kind}");
            // Refuted solutions are scored otherwise from now on.
            problem.score = |bits| 1.0 + bits.iter().filter(|bit| !**bit).count() as f64;
            drive(&mut *search, &mut problem, 500, pace);
            assert_eq!(best(&*search).map(|it| it.1.primary()), Some(1.0), "{kind}");
            search.discard(&mut |_| true);
            assert!(search.best().is_none() && search.elite().is_empty(), "{kind}");
            drive(&mut *search, &mut problem, 10, pace);
            assert!(search.best().is_some(), "{kind}");
        }
    });
}

#[test]
fn injected_individuals_are_asked_next() {
    all(|kind| {
        for before in [0, 5, 100] {
            let (mut search, mut problem) = (new(kind, 2), Bits::traps(64));
            drive(&mut *search, &mut problem, before, Pace { ask: 10, tell: 10, in_flight: 10 });
            let injected: Vec<Vec<bool>> =
                (2..6).map(|n| (0..64).map(|bit| bit % n == 0).collect()).collect();
            search.inject(injected.clone());
            let mut asked = Vec::new();
            for most in [1, 2, 3] {
                search.ask(&mut problem, most, &mut asked);
            }
            assert_eq!(asked[..4], injected, "{kind} {before}");
        }
    });
}

#[test]
fn offered_members_take_part() {
    all(|kind| {
        let (mut search, mut problem) = (new(kind, 2), Bits::traps(64));
        let offered = Member { individual: vec![false; 64], score: Score::new(0.5, 1.0) };
        search.offer(offered.clone());
        assert_eq!(search.best(), Some(&offered), "{kind}");
        drive(&mut *search, &mut problem, 100, Pace::GENERATIONS);
        assert_eq!(search.best().map(|best| &best.score), Some(&offered.score), "{kind}");
        assert_eq!(search.elite().first(), Some(&offered), "{kind}");
        search.offer(Member { individual: vec![false; 64], score: Score::new(0.75, 0.0) });
        assert_eq!(search.best(), Some(&offered), "{kind}");
        assert_eq!(search.progress().told, 100, "{kind}");
    });
}

#[test]
fn stagnation_is_counted_until_the_best_gets_better() {
    all(|kind| {
        let (mut search, mut problem) = (new(kind, 2), Bits::flat(16));
        drive(&mut *search, &mut problem, 50, Pace { ask: 5, tell: 5, in_flight: 5 });
        assert_eq!(search.progress().stagnant, 49, "{kind}");
        search.offer(Member { individual: vec![true; 16], score: Score::new(0.5, 0.0) });
        assert_eq!(search.progress().stagnant, 0, "{kind}");
        // Only the objective counts.
        search.offer(Member { individual: vec![true; 16], score: Score::new(0.5, -1.0) });
        drive(&mut *search, &mut problem, 5, Pace::GENERATIONS);
        assert_eq!(search.progress().stagnant, 5, "{kind}");
    });
}

#[test]
fn restarts_keep_the_best_and_use_the_seeds_again() {
    all(|kind| {
        let seed: Vec<bool> = (0..64).map(|bit| bit % 5 == 0).collect();
        let settings = Settings { population: 20, ..Settings::default() };
        let mut search = build(kind, &settings, Rng::new(1), vec![seed.clone()]);
        let mut problem = Bits::traps(64);
        let told = drive(&mut *search, &mut problem, 60, Pace { ask: 20, tell: 20, in_flight: 1 });
        assert_eq!(told[0].0, seed, "{kind}");
        let before = best(&*search);
        search.restart();
        assert_eq!((best(&*search), search.progress().restarts), (before, 1), "{kind}");
        assert_eq!(search.progress().stagnant, 0, "{kind}");
        let told = drive(&mut *search, &mut problem, 5, Pace::GENERATIONS);
        assert_eq!(told[0].0, seed, "{kind}");
    });
}

#[test]
fn individuals_told_after_a_restart_count() {
    all(|kind| {
        let (mut search, mut problem) = (new(kind, 1), Bits::traps(64));
        drive(&mut *search, &mut problem, 60, Pace { ask: 20, tell: 20, in_flight: 1 });
        let mut asked = Vec::new();
        search.ask(&mut problem, 10, &mut asked);
        search.restart();
        let late = asked.clone();
        search.ask(&mut problem, 10, &mut asked);
        search.tell(&mut late.into_iter().map(|it| (it, Score::new(0.5, 0.0))));
        assert_eq!(best(&*search).map(|best| best.0), Some(asked[0].clone()), "{kind}");
        search.tell(&mut asked.into_iter().skip(10).map(|it| (it, Score::new(9.0, 0.0))));
        assert_eq!(search.progress().told, 80, "{kind}");
        drive(&mut *search, &mut problem, 500, Pace { ask: 20, tell: 20, in_flight: 1 });
        assert_eq!(best(&*search).map(|best| best.1.primary()), Some(0.5), "{kind}");
    });
}
