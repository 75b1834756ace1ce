//! Every algorithm under any sequence of calls.

use std::collections::VecDeque;

use crashback_search::{Algorithm, AlgorithmKind, Growth, Member, Rng, Score, Settings, build};
use proptest::prelude::*;

use crate::scripted::Scripted;

#[derive(Clone, Copy, Debug)]
enum Call {
    Ask(usize),
    Tell(usize),
    Inject(usize),
    Offer,
    Discard(u32),
    Restart,
}

fn calls() -> impl Strategy<Value = Vec<Call>> {
    let call = prop_oneof![
        6 => (0..12_usize).prop_map(Call::Ask),
        6 => (0..12_usize).prop_map(Call::Tell),
        1 => (0..4_usize).prop_map(Call::Inject),
        1 => Just(Call::Offer),
        1 => (0..4_u32).prop_map(Call::Discard),
        1 => Just(Call::Restart),
    ];
    prop::collection::vec(call, 0..60)
}

/// Individuals from outside have numbers of their own.
const FOREIGN: usize = 1_000_000;

/// A search with all that a caller knows of it.
struct Watched {
    search: Box<dyn Algorithm<usize>>,
    rng: Rng,
    in_flight: VecDeque<usize>,
    injected: VecDeque<usize>,
    told: u64,
    restarts: u64,
    /// The smallest distances that were told or offered and not discarded.
    distances: Vec<f64>,
    foreign: usize,
}

impl Watched {
    fn new(kind: AlgorithmKind) -> Self {
        let settings = Settings {
            population: 5,
            growth: Growth::Plus(1),
            largest_population: 8,
            archive: 6,
            carried: 1,
            stagnation: 4,
            ..Settings::default()
        };
        Self {
            search: build(kind, &settings, Rng::new(1), vec![FOREIGN]),
            rng: Rng::new(2),
            in_flight: VecDeque::new(),
            injected: VecDeque::new(),
            told: 0,
            restarts: 0,
            distances: Vec::new(),
            foreign: FOREIGN,
        }
    }

    fn score(&mut self) -> Score {
        let mut value = || self.rng.below(5) as f64;
        let (distance, secondary) = (value() + 1.0, value());
        let objectives = [value(), value(), value()].into_iter().collect();
        self.distances.push(distance);
        Score { distance, objectives, secondary, cost: 0 }
    }

    fn call(&mut self, call: Call, operators: &mut Scripted) {
        match call {
            Call::Ask(most) => {
                let mut asked = Vec::new();
                self.search.ask(operators, most, &mut asked);
                assert!((usize::from(most > 0)..=most).contains(&asked.len()));
                for individual in &asked {
                    assert!(self.injected.pop_front().is_none_or(|it| it == *individual));
                }
                self.in_flight.extend(asked);
            }
            Call::Tell(count) => {
                let individuals: Vec<usize> =
                    self.in_flight.drain(..count.min(self.in_flight.len())).collect();
                self.told += individuals.len() as u64;
                let scored: Vec<(usize, Score)> =
                    individuals.into_iter().map(|it| (it, self.score())).collect();
                self.search.tell(&mut scored.into_iter());
            }
            Call::Inject(count) => {
                let individuals: Vec<usize> = (0..count).map(|it| self.foreign + it + 1).collect();
                self.foreign += count;
                self.injected.extend(individuals.iter().copied());
                self.search.inject(individuals);
            }
            Call::Offer => {
                self.foreign += 1;
                let member = Member { individual: self.foreign, score: self.score() };
                self.search.offer(member);
            }
            Call::Discard(distance) => {
                let distance = f64::from(distance);
                self.search.discard(&mut |member| member.score.distance == distance);
                self.distances.retain(|it| *it != distance);
                assert!(self.search.elite().iter().all(|it| it.score.distance != distance));
            }
            Call::Restart => {
                self.search.restart();
                self.restarts += 1;
            }
        }
    }

    fn check(&self) {
        let progress = self.search.progress();
        assert_eq!(progress.told, self.told);
        assert!(progress.restarts >= self.restarts);
        let best = self.search.best().map_or(f64::INFINITY, |it| it.score.primary());
        let least = self.distances.iter().copied().fold(f64::INFINITY, f64::min);
        // A bounded number of the best is remembered, of whom all may have been discarded.
        let seen = self.told + (self.foreign - FOREIGN) as u64;
        assert!(best == least || seen > 16 && best > least, "{best} instead of {least}");
        let elite = self.search.elite();
        assert!(elite.is_sorted_by(|left, right| left.score.primary() <= right.score.primary()));
        assert!(elite.first().is_none_or(|it| it.score.primary() >= best));
        assert!(progress.population <= 8 && elite.len() <= 16);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 150, ..ProptestConfig::default() })]

    #[test]
    fn any_sequence_of_calls_is_served(calls in calls()) {
        for kind in AlgorithmKind::ALL {
            let (mut watched, mut operators) = (Watched::new(*kind), Scripted::default());
            for call in &calls {
                watched.call(*call, &mut operators);
                watched.check();
            }
        }
    }
}
