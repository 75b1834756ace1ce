//! The guided genetic algorithm.

use crashback_search::{
    Control, End, GuidedGa, Member, Outcome, Problem, Progress, Rng, Score, Selection, Settings, Unattended,
};

use crate::problems::{Bits, Calls};

fn solve(problem: &mut Bits, settings: Settings, seed: u64, evaluations: u64) -> Outcome<Vec<bool>> {
    let mut search = GuidedGa::new(settings, Rng::new(seed), Vec::new());
    let Ok(outcome) = search.solve(problem, evaluations, &mut Unattended);
    outcome
}

fn step(search: &mut GuidedGa<Vec<bool>>, problem: &mut Bits, allowed: u64) -> crashback_search::Step {
    let Ok(step) = search.step(problem, allowed);
    step
}

/// Random search is a population that is made anew all the time.
fn random_search() -> Settings {
    Settings { fresh: 1.0, ..Settings::default() }
}

/// The best primary score of each of some seeds.
fn best_of_seeds(make: fn() -> Bits, settings: &Settings, evaluations: u64) -> Vec<f64> {
    (0..20)
        .map(|seed| {
            let outcome = solve(&mut make(), settings.clone(), seed, evaluations);
            outcome.best.map_or(f64::INFINITY, |best| best.score.primary())
        })
        .collect()
}

#[test]
fn hills_are_climbed_to_the_top() {
    let make = || Bits::one_max(64);
    for selection in [Selection::default(), Selection::Tournament { size: 4 }] {
        let found = best_of_seeds(make, &Settings { selection, ..Settings::default() }, 10_000);
        assert!(found.iter().all(|best| *best == 0.0), "{selection:?}: {found:?}");
    }
    let random = best_of_seeds(make, &random_search(), 10_000);
    assert!(random.iter().all(|best| *best > 8.0), "{random:?}");
}

#[test]
fn traps_are_left_sooner_than_by_chance() {
    let make = || Bits::traps(24);
    let guided = best_of_seeds(make, &Settings::default(), 60_000);
    let random = best_of_seeds(make, &random_search(), 60_000);
    let solved = |found: &[f64]| found.iter().filter(|best| **best == 0.0).count();
    assert!(solved(&guided) >= 15, "{guided:?}");
    assert!(solved(&random) <= 5, "{random:?}");
}

#[test]
fn plateaus_are_crossed_because_size_does_not_matter() {
    let median = |pressure| {
        let mut spent: Vec<u64> = (0..11)
            .map(|seed| {
                let mut problem = Calls { kinds: 30, needed: vec![1, 2, 3], pressure };
                let mut search = GuidedGa::new(Settings::default(), Rng::new(seed), Vec::new());
                let Ok(outcome) = search.solve(&mut problem, 50_000, &mut Unattended);
                outcome.evaluations
            })
            .collect();
        spent.sort_unstable();
        spent[5]
    };
    let (free, pressed) = (median(0.0), median(1e-6));
    assert!(5 * free < pressed, "{free} {pressed}");
}

#[test]
fn nothing_grows_without_end() {
    let mut problem = Calls { kinds: 3, needed: vec![7], pressure: 0.0 };
    let settings = Settings { bloat: 2.0, ..Settings::default() };
    let mut search = GuidedGa::new(settings, Rng::new(1), Vec::new());
    let mut largest = 0;
    for generation in 0..100 {
        let Ok(_) = search.step(&mut problem, u64::MAX);
        let lengths = search.population().iter().map(|member| member.individual.len());
        if generation == 0 {
            largest = 2 * lengths.sum::<usize>() / search.population().len();
        } else {
            assert!(lengths.max() <= Some(largest), "{generation}");
        }
    }
}

#[test]
fn equal_seeds_and_budgets_give_equal_results() {
    let run = |seed| {
        let mut problem = Bits::traps(32);
        let outcome = solve(&mut problem, Settings::default(), seed, 5_000);
        (outcome.best.map(|best| best.individual), outcome.generations, problem.history)
    };
    assert_eq!(run(7), run(7));
    assert_ne!(run(7).2, run(8).2);
}

#[test]
fn steps_give_what_a_run_gives() {
    let mut whole = Bits::one_max(40);
    let outcome = solve(&mut whole, Settings::default(), 5, 2_000);
    let mut parts = Bits::one_max(40);
    let mut search = GuidedGa::new(Settings::default(), Rng::new(5), Vec::new());
    while !step(&mut search, &mut parts, 2_000).solved {}
    assert_eq!(outcome.end, End::Solved);
    assert_eq!(whole.history, parts.history);
    let after = step(&mut search, &mut parts, 2_000);
    assert_eq!((after.evaluated, after.solved), (0, true));
}

#[test]
fn the_best_is_never_lost() {
    let mut problem = Bits::traps(200);
    let settings = Settings { stagnation: 5, ..Settings::default() };
    let mut search = GuidedGa::new(settings, Rng::new(11), Vec::new());
    let mut in_population = f64::INFINITY;
    for _ in 0..400 {
        let taken = step(&mut search, &mut problem, 1_000);
        let seen = problem.history.iter().copied().fold(f64::INFINITY, f64::min);
        assert_eq!(search.best().map(|best| best.score.primary()), Some(seen));
        let now = search.population().first().map_or(f64::INFINITY, |first| first.score.primary());
        assert!(taken.restarted || now <= in_population, "{now} after {in_population}");
        in_population = now;
        assert!(search.population().is_sorted_by_key(|member| member.score.primary()));
    }
    assert!(search.progress().restarts > 3);
}

#[test]
fn budgets_are_spent_and_never_exceeded() {
    for budget in [0, 1, 3, 99, 100, 101, 1_234] {
        let mut problem = Bits::flat(16);
        let outcome = solve(&mut problem, Settings::default(), 1, budget);
        assert_eq!((outcome.evaluations, problem.scored), (budget, budget));
        assert_eq!(outcome.end, End::Budget);
        assert_eq!(outcome.best.is_some(), budget > 0);
    }
}

#[test]
fn stagnation_begins_anew_with_a_larger_population() {
    let mut problem = Bits::flat(16);
    let settings = Settings {
        population: 10,
        stagnation: 5,
        growth: 2.0,
        largest_population: 40,
        fresh: 0.0,
        ..Settings::default()
    };
    let mut search = GuidedGa::new(settings, Rng::new(1), Vec::new());
    let mut sizes = Vec::new();
    for _ in 0..24 {
        let taken = step(&mut search, &mut problem, u64::MAX);
        if taken.restarted {
            sizes.push((taken.evaluated, search.progress().generations));
        }
    }
    // The first generation counts as progress, five more do not.
    assert_eq!(sizes, [(20, 7), (40, 13), (40, 19)]);
    assert_eq!(search.progress().restarts, 3);
}

#[test]
fn initial_populations_are_filled_step_by_step() {
    let mut problem = Bits::flat(16);
    let settings = Settings { population: 10, ..Settings::default() };
    let mut search = GuidedGa::new(settings, Rng::new(1), Vec::new());
    for _ in 0..3 {
        step(&mut search, &mut problem, 4);
    }
    let expected: Vec<f64> = (0..10).map(|made| f64::from(made) / 10.0).collect();
    assert_eq!(problem.progress, expected);
    assert_eq!(problem.scored, 10);
}

#[test]
fn seeds_take_their_turns_in_new_populations() {
    let seed = |number: usize| (0..16).map(|bit| number >> bit & 1 == 1).collect::<Vec<bool>>();
    let settings = Settings { population: 4, growth: 1.0, stagnation: 1, seeded: 0.5, ..Settings::default() };
    let mut search = GuidedGa::new(settings, Rng::new(1), vec![seed(0), seed(1), seed(2)]);
    let mut problem = Bits::flat(16);
    let mut first_two = Vec::new();
    for _ in 0..6 {
        let founding = search.population().is_empty() || search.progress().stagnant >= 1;
        step(&mut search, &mut problem, u64::MAX);
        if founding {
            first_two.extend(search.population().iter().take(2).map(|member| member.individual.clone()));
        }
    }
    assert_eq!(first_two, [0, 1, 2, 0, 1, 2].map(seed));
}

#[test]
fn the_best_can_be_carried_along() {
    let mut problem = Bits::traps(40);
    let settings = Settings { stagnation: 3, carried: 2, ..Settings::default() };
    let mut search = GuidedGa::new(settings, Rng::new(4), Vec::new());
    while search.progress().restarts < 3 {
        step(&mut search, &mut problem, u64::MAX);
    }
    let first = search.population().first().map(|first| first.score.primary());
    assert_eq!(first, search.best().map(|best| best.score.primary()));
}

#[test]
fn injected_individuals_join_the_next_generation() {
    let mut problem = Bits::one_max(64);
    let mut search = GuidedGa::new(Settings::default(), Rng::new(1), Vec::new());
    assert!(!step(&mut search, &mut problem, u64::MAX).solved);
    search.inject([vec![true; 64]]);
    let taken = step(&mut search, &mut problem, u64::MAX);
    assert!(taken.solved && taken.improved);
    assert_eq!(taken.evaluated, 100);
}

#[test]
fn a_search_goes_on_when_its_solution_is_discarded() {
    let mut problem = Bits::one_max(8);
    let mut search = GuidedGa::new(Settings::default(), Rng::new(1), Vec::new());
    while !step(&mut search, &mut problem, u64::MAX).solved {}
    search.discard(|it| it.individual.iter().all(|bit| *bit));
    assert_eq!(search.best().map(|best| best.score.primary()), Some(1.0));
    problem.score = |bits| 1.0 + f64::from(u8::from(bits.iter().all(|bit| *bit)));
    let taken = step(&mut search, &mut problem, u64::MAX);
    assert_eq!((taken.evaluated, taken.solved), (100, false));
}

/// Stops after some generations and keeps what it was told.
struct Observer {
    left: u32,
    seen: Vec<(u64, u64, f64)>,
}

impl Control<Vec<bool>> for Observer {
    fn should_stop(&mut self) -> bool {
        self.left == 0
    }

    fn after_generation(&mut self, progress: &Progress<'_>, best: Option<&Member<Vec<bool>>>) {
        self.left -= 1;
        let best = best.map_or(f64::NAN, |best| best.score.primary());
        self.seen.push((progress.generations, progress.evaluations, best));
    }
}

#[test]
fn callers_are_told_and_listened_to() {
    let mut problem = Bits::flat(16);
    let mut search = GuidedGa::new(Settings::default(), Rng::new(1), Vec::new());
    let mut observer = Observer { left: 3, seen: Vec::new() };
    let Ok(outcome) = search.solve(&mut problem, u64::MAX, &mut observer);
    assert_eq!(outcome.end, End::Stopped);
    assert_eq!(observer.seen, [(1, 100, 1.0), (2, 200, 1.0), (3, 300, 1.0)]);
}

/// Scores with two objectives, and failures.
struct Two {
    fails: bool,
}

impl Problem for Two {
    type Individual = f64;
    type Failure = &'static str;

    fn random(&mut self, rng: &mut Rng, _: f64) -> f64 {
        1.0 + rng.unit()
    }

    fn mutate(&mut self, individual: &f64, rng: &mut Rng) -> f64 {
        1.0 + (individual - 1.0) * rng.unit()
    }

    fn cross_over(&mut self, first: &f64, second: &f64, _: &mut Rng) -> (f64, f64) {
        (*second, *first)
    }

    fn evaluate(&mut self, generation: &[f64], scores: &mut Vec<Score>) -> Result<(), &'static str> {
        if self.fails {
            return Err("broken");
        }
        // The last one of each generation is left without a score.
        let scored = generation.iter().take(generation.len() - 1);
        scores.extend(
            scored.map(|it| Score { objectives: [*it, -it, f64::NAN].into_iter().collect(), secondary: 0.0 }),
        );
        Ok(())
    }
}

#[test]
fn several_objectives_are_carried() {
    let mut search = GuidedGa::new(Settings::default(), Rng::new(1), Vec::new());
    search.step(&mut Two { fails: false }, u64::MAX).unwrap();
    for member in &search.population()[..99] {
        assert_eq!(member.score.objectives[..2], [member.individual, -member.individual]);
    }
    assert_eq!(search.population()[99].score, Score::worst());
}

#[test]
fn a_failure_ends_the_search_and_loses_nothing() {
    let mut search = GuidedGa::new(Settings::default(), Rng::new(1), Vec::new());
    search.step(&mut Two { fails: false }, u64::MAX).unwrap();
    let best = search.best().map(|best| best.individual);
    let failed = search.solve(&mut Two { fails: true }, u64::MAX, &mut Unattended);
    assert_eq!(failed.err(), Some("broken"));
    assert_eq!(search.progress().evaluations, 100);
    search.step(&mut Two { fails: false }, u64::MAX).unwrap();
    assert!(search.best().map(|best| best.individual) <= best);
}

#[test]
fn scores_are_in_a_total_order() {
    let worst_first = [
        Score::worst(),
        Score::new(f64::INFINITY, 5.0),
        Score::new(2.0, 0.0),
        Score::new(1.0, f64::NAN),
        Score::new(1.0, 3.0),
        Score::new(0.0, 9.0),
        Score::new(-0.0, 8.0),
    ];
    for (worse, left) in worst_first.iter().enumerate() {
        for (better, right) in worst_first.iter().enumerate() {
            assert_eq!(left.rank(right), better.cmp(&worse), "{left:?} {right:?}");
        }
    }
    assert!(Score::new(-0.0, 8.0).is_solved() && !Score::new(f64::NAN, 0.0).is_solved());
}
