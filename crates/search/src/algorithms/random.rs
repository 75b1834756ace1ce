//! Random search: the baseline that every other algorithm must beat (Arcuri, Briand: A Hitchhiker's
//! Guide to Statistical Tests for Assessing Randomized Algorithms in Software Engineering, 2014).

use crate::record::Record;
use crate::supply::Supply;
use crate::{Algorithm, Member, Operators, Progress, Rng, Score, Settings};

/// A search whose individuals are all made anew, after the seeds; scores change nothing but the
/// best.
#[derive(Clone, Debug)]
pub(crate) struct RandomSearch<I> {
    rng: Rng,
    supply: Supply<I>,
    record: Record<I>,
    /// The most individuals asked at a time; also how many are made as for an initial population.
    population: usize,
    /// How many individuals were made since the search last began.
    made: usize,
}

impl<I: Clone> RandomSearch<I> {
    /// A search that has not begun.
    pub(crate) fn new(settings: &Settings, rng: Rng, seeds: Vec<I>) -> Self {
        let mut supply = Supply::new(seeds);
        supply.begin(usize::MAX);
        Self { rng, supply, record: Record::new(0), population: settings.population.max(1), made: 0 }
    }
}

impl<I: Clone> Algorithm<I> for RandomSearch<I> {
    fn ask(&mut self, operators: &mut dyn Operators<Individual = I>, most: usize, asked: &mut Vec<I>) {
        let most = most.min(self.population);
        let mut taken = self.supply.take_injected(most, asked);
        taken += self.supply.take_seeds(most - taken, asked);
        for _ in taken..most {
            let filled = self.made as f64 / self.population as f64;
            let progress = if filled < 1.0 { filled } else { self.rng.unit() };
            asked.push(operators.random(&mut self.rng, progress));
            self.made += 1;
        }
        self.record.note_asked(most);
    }

    fn tell(&mut self, scored: &mut dyn Iterator<Item = (I, Score)>) {
        for (individual, score) in scored {
            self.record.note_told(&Member { individual, score });
        }
    }

    fn inject(&mut self, individuals: Vec<I>) {
        self.supply.inject(individuals);
    }

    fn offer(&mut self, member: Member<I>) {
        self.record.note_offered(&member);
    }

    fn discard(&mut self, is_discarded: &mut dyn FnMut(&Member<I>) -> bool) {
        self.record.discard(is_discarded, std::iter::empty());
    }

    fn restart(&mut self) {
        self.record.begin_anew(0);
        self.supply.begin(usize::MAX);
        self.made = 0;
    }

    fn best(&self) -> Option<&Member<I>> {
        self.record.best()
    }

    fn elite(&self) -> &[Member<I>] {
        self.record.elite()
    }

    fn progress(&self) -> Progress {
        self.record.progress()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Individuals that are the numbers they were made with.
    struct Made;

    impl Operators for Made {
        type Individual = f64;

        fn random(&mut self, _: &mut Rng, progress: f64) -> f64 {
            progress
        }

        fn mutate(&mut self, _: &f64, _: &mut Rng) -> f64 {
            panic!("random search changes nothing");
        }

        fn cross_over(&mut self, _: &f64, _: &f64, _: &mut Rng) -> (f64, f64) {
            panic!("random search changes nothing");
        }
    }

    #[test]
    fn individuals_are_made_as_for_an_initial_population_first() {
        let settings = Settings { population: 4, ..Settings::default() };
        let mut search = RandomSearch::new(&settings, Rng::new(1), vec![7.0, 8.0]);
        for _ in 0..2 {
            let mut asked = Vec::new();
            search.ask(&mut Made, 3, &mut asked);
            search.ask(&mut Made, usize::MAX, &mut asked);
            search.ask(&mut Made, usize::MAX, &mut asked);
            assert_eq!(asked[..6], [7.0, 8.0, 0.0, 0.25, 0.5, 0.75]);
            assert!(asked[6..].iter().all(|it| (0.0..1.0).contains(it)) && asked.len() == 11);
            search.restart();
        }
    }

    #[test]
    fn the_elite_are_the_best_of_all() {
        let mut search = RandomSearch::new(&Settings::default(), Rng::new(1), Vec::new());
        search.tell(&mut [3.0, 1.0, f64::NAN, 2.0].into_iter().map(|it| (it, Score::new(it, 0.0))));
        search.offer(Member { individual: 0.5, score: Score::new(0.5, 0.0) });
        let elite: Vec<f64> = search.elite().iter().map(|member| member.individual).collect();
        assert_eq!(elite[..4], [0.5, 1.0, 2.0, 3.0]);
    }
}
