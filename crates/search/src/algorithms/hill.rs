//! Hill climbing with restarts: the simplest search that uses scores (Harman, McMinn: A Theoretical
//! and Empirical Study of Search-Based Testing: Local, Global, and Hybrid Search, 2010, compares it
//! with genetic algorithms on tests).

use crate::walk::{Acceptance, Walk};
use crate::{Rng, Settings};

/// A search that changes one individual again and again and goes on from each change that is not
/// worse.
pub(crate) type HillClimbing<I> = Walk<I, Uphill>;

/// Nothing worse is ever accepted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Uphill;

impl Acceptance for Uphill {
    fn new(_: &Settings) -> Self {
        Self
    }

    fn begin(&mut self) {}

    fn accepts(&mut self, _: f64, _: f64, _: &mut Rng) -> bool {
        false
    }

    fn is_settled(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Algorithm, Operators, Score};

    /// Numbers below 100, which change by one.
    struct Numbers;

    impl Operators for Numbers {
        type Individual = usize;

        fn random(&mut self, rng: &mut Rng, _: f64) -> usize {
            rng.below(100)
        }

        fn mutate(&mut self, number: &usize, rng: &mut Rng) -> usize {
            if rng.chance(0.5) { number + 1 } else { number.saturating_sub(1) }
        }

        fn cross_over(&mut self, _: &usize, _: &usize, _: &mut Rng) -> (usize, usize) {
            panic!("a climber has no second parent");
        }
    }

    fn climber(population: usize, seeds: &[usize]) -> HillClimbing<usize> {
        let settings = Settings { population, ..Settings::default() };
        HillClimbing::new(&settings, Rng::new(1), seeds.to_vec())
    }

    /// Asks for one individual after the other, each told before the next.
    fn climb(search: &mut HillClimbing<usize>, count: usize, score: fn(usize) -> f64) -> Vec<usize> {
        let mut all = Vec::new();
        for _ in 0..count {
            search.ask(&mut Numbers, 1, &mut all);
            let told = all.last().map(|it| (*it, Score::new(score(*it), *it as f64)));
            search.tell(&mut told.into_iter());
        }
        all
    }

    #[test]
    fn each_step_starts_from_the_position() {
        let mut search = climber(10, &[50]);
        let asked = climb(&mut search, 60, |number| number.abs_diff(70) as f64);
        let mut position = asked[0];
        assert_eq!(position, 50);
        for number in &asked[1..] {
            assert_eq!(number.abs_diff(position), 1);
            if number.abs_diff(70) < position.abs_diff(70) {
                position = *number;
            }
        }
        assert_eq!((position, search.best().map(|best| best.individual)), (70, Some(70)));
    }

    #[test]
    fn a_hill_is_left_after_many_steps_in_vain() {
        // The top is at 80, too far from the hill at 20.
        let score = |number: usize| (number.abs_diff(20) + 1).min(number.abs_diff(80)) as f64;
        let mut search = climber(2, &[20]);
        let asked = climb(&mut search, 21, score);
        assert!(asked.iter().all(|number| number.abs_diff(20) <= 1));
        assert_eq!((search.progress().restarts, search.position.is_none()), (1, true));
        climb(&mut search, 2_000, score);
        assert_eq!(search.best().map(|best| best.individual), Some(80));
        assert!(search.progress().restarts > 1);
    }

    #[test]
    fn individuals_told_late_do_not_lead_back() {
        let mut search = climber(10, &[20]);
        let mut asked = Vec::new();
        search.ask(&mut Numbers, 4, &mut asked);
        search.restart();
        search.tell(&mut asked.into_iter().map(|it| (it, Score::new(1.0, 0.0))));
        assert!(search.position.is_none() && search.best().is_some());
    }

    #[test]
    fn steps_on_a_plateau_do_not_grow_without_end() {
        let mut search = climber(1_000, &[10]);
        let asked = climb(&mut search, 5_000, |_| 1.0);
        assert_eq!(asked.iter().max(), Some(&31));
    }

    #[test]
    fn a_discarded_position_gives_way_to_the_best_left() {
        let mut search = climber(10, &[50]);
        climb(&mut search, 100, |number| number.abs_diff(60) as f64);
        assert_eq!(search.position.as_ref().map(|it| it.individual), Some(60));
        search.discard(&mut |member| member.individual == 60);
        let position = search.position.as_ref().map(|it| it.individual.abs_diff(60));
        assert_eq!(position, Some(1));
    }
}
