//! The guided genetic algorithm.

use crashback_search::{
    Algorithm, AlgorithmKind, Growth, Member, Operators, Rng, Score, Selection, Settings, build,
};

use crate::problems::{Bits, Calls, Pace, Problem, drive, generation};

fn search(settings: &Settings, seed: u64) -> Box<dyn Algorithm<Vec<bool>>> {
    build(AlgorithmKind::GuidedGa, settings, Rng::new(seed), Vec::new())
}

/// The settings of random search: a population that is made anew all the time.
fn random_search() -> Settings {
    Settings { fresh: 1.0, ..Settings::default() }
}

fn nearest(search: &dyn Algorithm<Vec<bool>>) -> f64 {
    search.best().map_or(f64::INFINITY, |best| best.score.primary())
}

/// The best first objective of each of 20 seeds.
fn best_of_seeds(make: fn() -> Bits, settings: &Settings, evaluations: usize, pace: Pace) -> Vec<f64> {
    let run = |seed| {
        let mut search = search(settings, seed);
        drive(&mut *search, &mut make(), evaluations, pace);
        nearest(&*search)
    };
    (0..20).map(run).collect()
}

const IN_FLIGHT: Pace = Pace { ask: 8, tell: 3, in_flight: 40 };

#[test]
fn hills_are_climbed_to_the_top() {
    let make = || Bits::one_max(64);
    for selection in [Selection::default(), Selection::Tournament { size: 4 }] {
        for pace in [Pace::GENERATIONS, IN_FLIGHT] {
            let found = best_of_seeds(
                make,
                &Settings { selection: Some(selection), ..Settings::default() },
                10_000,
                pace,
            );
            assert!(found.iter().all(|best| *best == 0.0), "{selection:?} {pace:?}: {found:?}");
        }
    }
    let random = best_of_seeds(make, &random_search(), 10_000, Pace::GENERATIONS);
    assert!(random.iter().all(|best| *best > 8.0), "{random:?}");
}

#[test]
fn traps_are_left_sooner_than_by_chance() {
    let make = || Bits::traps(24);
    let solved = |settings, pace| {
        let found = best_of_seeds(make, &settings, 60_000, pace);
        found.iter().filter(|best| **best == 0.0).count()
    };
    assert!(solved(Settings::default(), Pace::GENERATIONS) >= 15);
    assert!(solved(Settings::default(), IN_FLIGHT) >= 15);
    assert!(solved(random_search(), Pace::GENERATIONS) <= 5);
}

#[test]
fn new_beginnings_are_new_with_individuals_in_flight() {
    let settings = Settings { stagnation: 20, ..Settings::default() };
    let found = best_of_seeds(|| Bits::traps(40), &settings, 100_000, IN_FLIGHT);
    let solved = found.iter().filter(|best| **best == 0.0).count();
    // Fewer than half are solved if late individuals of the old population join the new one.
    assert!(solved >= 18, "{found:?}");
}

#[test]
fn late_individuals_join_if_they_are_nearer_than_all_before() {
    let mut problem = Bits::flat(16);
    let mut search =
        search(&Settings { population: 4, growth: Growth::Times(1.0), ..Settings::default() }, 1);
    let mut asked = Vec::new();
    generation(&mut *search, &mut problem);
    search.ask(&mut problem, 2, &mut asked);
    search.restart();
    search.ask(&mut problem, 4, &mut asked);
    let scores = [0.5, 0.5, 2.0, 2.0, 2.0, 2.0].map(|score| Score::new(score, 0.0));
    search.tell(&mut asked.into_iter().zip(scores));
    let found: Vec<f64> = search.elite().iter().map(|member| member.score.primary()).collect();
    assert_eq!(found, [0.5, 2.0, 2.0, 2.0]);
}

#[test]
fn plateaus_are_crossed_because_size_does_not_matter() {
    let median = |pressure| {
        let mut spent: Vec<u64> = (0..11)
            .map(|seed| {
                let mut problem = Calls { kinds: 30, needed: vec![1, 2, 3], pressure };
                let mut search =
                    build(AlgorithmKind::GuidedGa, &Settings::default(), Rng::new(seed), Vec::new());
                drive(&mut *search, &mut problem, 50_000, Pace::GENERATIONS);
                search.progress().told
            })
            .collect();
        spent.sort_unstable();
        spent[5]
    };
    let (free, pressed) = (median(0.0), median(1e-6));
    assert!(5 * free < pressed, "{free} {pressed}");
}

#[test]
fn individuals_do_not_grow_without_end() {
    let mut problem = Calls { kinds: 3, needed: vec![7], pressure: 0.0 };
    let settings = Settings { bloat: 2.0, ..Settings::default() };
    let mut search = build(AlgorithmKind::GuidedGa, &settings, Rng::new(1), Vec::new());
    let mut largest = 0;
    for number in 0..100 {
        generation(&mut *search, &mut problem);
        let lengths = search.elite().iter().map(|member| member.individual.len());
        if number == 0 {
            largest = 2 * lengths.sum::<usize>() / search.elite().len();
        } else {
            assert!(lengths.max() <= Some(largest), "{number}");
        }
    }
}

#[test]
fn of_equals_the_cheaper_survive() {
    let mut problem = Bits::one_max(8);
    let mut search = search(&Settings::default(), 3);
    let mut is_dear = true;
    for _ in 0..4 {
        let mut asked = Vec::new();
        search.ask(&mut problem, usize::MAX, &mut asked);
        let mut scored = asked.into_iter().map(|it| {
            is_dear = !is_dear;
            (it, Score { cost: u32::from(is_dear), ..Score::new(1.0, 1.0) })
        });
        search.tell(&mut scored);
    }
    assert!(search.elite().iter().all(|it| it.score.cost == 0));
    let near_and_dear = Score { cost: 9, ..Score::new(0.5, 1.0) };
    assert!(near_and_dear.rank(&Score::new(1.0, 1.0)).is_lt(), "the objective decides first");
}

#[test]
fn the_best_is_never_lost() {
    let mut problem = Bits::traps(200);
    let settings = Settings { stagnation: 5, ..Settings::default() };
    let mut search = search(&settings, 11);
    let (mut seen, mut in_population) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..400 {
        let restarts = search.progress().restarts;
        let mut asked = Vec::new();
        search.ask(&mut problem, usize::MAX, &mut asked);
        let scores: Vec<Score> = asked.iter().map(|it| problem.score(it)).collect();
        seen = scores.iter().map(Score::primary).fold(seen, f64::min);
        search.tell(&mut asked.into_iter().zip(scores));
        assert_eq!(nearest(&*search), seen);
        let now = search.elite()[0].score.primary();
        assert!(search.progress().restarts > restarts || now <= in_population, "{now} after {in_population}");
        in_population = now;
        assert!(search.elite().is_sorted_by_key(|member| member.score.primary()));
    }
    assert!(search.progress().restarts > 3);
}

#[test]
fn stagnation_begins_anew_with_a_larger_population() {
    let mut problem = Bits::flat(16);
    let settings = Settings {
        population: 10,
        stagnation: 5,
        growth: Growth::Times(2.0),
        largest_population: 40,
        fresh: 0.0,
        ..Settings::default()
    };
    let mut search = search(&settings, 1);
    let mut sizes = Vec::new();
    for _ in 0..24 {
        let restarts = search.progress().restarts;
        let told = generation(&mut *search, &mut problem);
        let progress = search.progress();
        if progress.restarts > restarts {
            assert_eq!((progress.population, progress.stagnant), (told, told as u64));
            sizes.push((told, progress.generations));
        }
    }
    // The first generation counts as progress, five more do not.
    assert_eq!(sizes, [(20, 7), (40, 13), (40, 19)]);
    assert_eq!(search.progress().restarts, 3);
}

#[test]
fn initial_populations_can_be_asked_in_parts() {
    let mut problem = Bits::flat(16);
    let mut search = search(&Settings { population: 10, ..Settings::default() }, 1);
    let mut asked = Vec::new();
    for count in [4, 8, 10] {
        search.ask(&mut problem, 4, &mut asked);
        assert_eq!(asked.len(), count);
    }
    let expected: Vec<f64> = (0..10).map(|made| f64::from(made) / 10.0).collect();
    assert_eq!(problem.progress, expected);
}

#[test]
fn seeds_take_their_turns_in_new_populations() {
    let seed = |number: usize| (0..16).map(|bit| number >> bit & 1 == 1).collect::<Vec<bool>>();
    let settings = Settings {
        population: 4,
        growth: Growth::Times(1.0),
        stagnation: 1,
        seeded: 0.5,
        ..Settings::default()
    };
    let mut search = build(AlgorithmKind::GuidedGa, &settings, Rng::new(1), vec![seed(0), seed(1), seed(2)]);
    let mut problem = Bits::flat(16);
    let mut first_two = Vec::new();
    for number in 0..6 {
        generation(&mut *search, &mut problem);
        if number % 2 == 0 {
            first_two.extend(search.elite().iter().take(2).map(|member| member.individual.clone()));
        }
    }
    assert_eq!(search.progress().restarts, 2);
    assert_eq!(first_two, [0, 1, 2, 0, 1, 2].map(seed));
}

#[test]
fn the_best_can_be_carried_along() {
    let mut problem = Bits::traps(40);
    let mut search = search(&Settings { stagnation: 3, carried: 2, ..Settings::default() }, 4);
    while search.progress().restarts < 3 {
        generation(&mut *search, &mut problem);
    }
    assert_eq!(search.elite()[0].score.primary(), nearest(&*search));
}

#[test]
fn injected_individuals_are_part_of_the_next_generation() {
    let mut problem = Bits::one_max(64);
    let mut search = search(&Settings::default(), 1);
    generation(&mut *search, &mut problem);
    assert!(nearest(&*search) > 0.0);
    search.inject(vec![vec![true; 64]]);
    assert_eq!(generation(&mut *search, &mut problem), 100);
    assert_eq!(nearest(&*search), 0.0);
}

#[test]
fn a_search_goes_on_when_its_solution_is_discarded() {
    let mut problem = Bits::one_max(8);
    let mut search = search(&Settings::default(), 1);
    drive(&mut *search, &mut problem, 10_000, Pace::GENERATIONS);
    search.discard(&mut |it| it.individual.iter().all(|bit| *bit));
    assert_eq!(nearest(&*search), 1.0);
    problem.score = |bits| 1.0 + f64::from(u8::from(bits.iter().all(|bit| *bit)));
    assert_eq!(generation(&mut *search, &mut problem), 100);
    assert_eq!(nearest(&*search), 1.0);
}

#[test]
fn further_founders_are_made_while_none_was_told() {
    let mut problem = Bits::one_max(32);
    let mut search = search(&Settings { population: 10, ..Settings::default() }, 1);
    let mut asked = Vec::new();
    for _ in 0..7 {
        search.ask(&mut problem, 4, &mut asked);
    }
    assert_eq!((asked.len(), problem.progress.len()), (26, 26));
    // Children are bred as soon as there are parents, however few.
    search.tell(&mut [(vec![true; 32], Score::new(1.0, 0.0))].into_iter());
    search.ask(&mut problem, 4, &mut asked);
    assert!(problem.progress.len() < 30);
    let zeros = |bits: &Vec<bool>| bits.iter().filter(|bit| !**bit).count();
    assert!(asked[26..].iter().filter(|it| zeros(it) < 6).count() >= 3);
}

#[test]
fn generations_end_when_a_population_was_told() {
    let mut problem = Bits::flat(16);
    let mut search = search(&Settings { population: 10, ..Settings::default() }, 1);
    let mut waiting = Vec::new();
    search.ask(&mut problem, 4, &mut waiting);
    for told in 1..=100 {
        search.ask(&mut problem, 1, &mut waiting);
        let individual = waiting.remove(0);
        search.tell(&mut [(individual, Score::new(1.0, 0.0))].into_iter());
        let progress = search.progress();
        assert_eq!((progress.told, progress.generations), (told, told / 10));
        assert!(search.elite().len() <= 10);
    }
}

#[test]
fn offered_members_breed() {
    let mut problem = Bits::one_max(64);
    let mut search = search(&Settings::default(), 1);
    let almost: Vec<bool> = (0..64).map(|bit| bit > 1).collect();
    generation(&mut *search, &mut problem);
    search.offer(Member { individual: almost, score: Score::new(2.0, 0.0) });
    generation(&mut *search, &mut problem);
    assert_eq!(search.elite()[0].score.primary(), 2.0);
    assert_eq!(search.progress().told, 200);
    drive(&mut *search, &mut problem, 3_000, Pace::GENERATIONS);
    assert_eq!(nearest(&*search), 0.0);
}

#[test]
fn any_number_of_members_can_be_offered_before_a_search_begins() {
    let mut problem = Bits::one_max(16);
    let mut search = search(&Settings { population: 10, ..Settings::default() }, 1);
    for _ in 0..1_000 {
        let individual = problem.random(&mut Rng::new(1), 0.0);
        search.offer(Member { score: problem.score(&individual), individual });
    }
    assert_eq!((search.progress().told, search.elite().len()), (0, 10));
    assert_eq!(generation(&mut *search, &mut problem), 10);
}

#[test]
fn only_the_first_objective_counts() {
    let mut problem = Bits::flat(16);
    let mut search = search(&Settings::default(), 1);
    let mut asked = Vec::new();
    search.ask(&mut problem, usize::MAX, &mut asked);
    let scores = (0..99).map(|number| {
        let number = f64::from(number);
        Score {
            objectives: [1.0 + number, -number, f64::NAN].into_iter().collect(),
            ..Score::new(1.0 + number, 0.0)
        }
    });
    search.tell(&mut asked.into_iter().zip(scores.chain([Score::worst()])));
    for (number, member) in search.elite()[..99].iter().enumerate() {
        assert_eq!(member.score.objectives[..2], [1.0 + number as f64, -(number as f64)]);
    }
    assert_eq!(search.elite()[99].score, Score::worst());
}
