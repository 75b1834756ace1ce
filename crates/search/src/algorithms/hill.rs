//! Hill climbing with restarts: the simplest search that uses scores (Harman, McMinn: A Theoretical
//! and Empirical Study of Search-Based Testing: Local, Global, and Hybrid Search, 2010, compares it
//! with genetic algorithms on tests).

use crate::record::Record;
use crate::supply::Supply;
use crate::{Algorithm, Member, Operators, Progress, Rng, Score, Settings};

/// How many populations' worth of neighbours are tried in vain before the search begins anew: a
/// thousand neighbours with a population of a hundred. The first step up from a plateau often takes
/// hundreds of tries; more of them would cost as much as a new climb.
const PATIENCE: usize = 10;

/// A search that changes one individual again and again and goes on from each change that is not
/// worse, so that it moves about on plateaus.
///
/// The climb begins at the nearest of the individuals that were made before one was told. With
/// several questions in flight, neighbours of earlier positions count as neighbours.
#[derive(Clone, Debug)]
pub(crate) struct HillClimbing<I> {
    rng: Rng,
    supply: Supply<I>,
    record: Record<I>,
    /// The most individuals asked at a time.
    population: usize,
    /// The largest secondary score that does not count as bloated, as a multiple of that of the
    /// individual the climb began with.
    bloat: f64,
    /// Where the climb stands, unless it has to begin.
    position: Option<Member<I>>,
    /// The largest secondary score to which a step that leads no higher may go.
    largest: f64,
    /// How many individuals in a row were not better than the position.
    in_vain: usize,
}

impl<I: Clone> HillClimbing<I> {
    /// A search that has not begun. The first climb begins at the nearest of the seeds, and so does
    /// one after [`restart`](Algorithm::restart); the others begin at new individuals.
    pub(crate) fn new(settings: &Settings, rng: Rng, seeds: Vec<I>) -> Self {
        let mut supply = Supply::new(seeds);
        supply.begin(usize::MAX);
        Self {
            rng,
            supply,
            record: Record::new(1),
            population: settings.population.max(1),
            bloat: settings.bloat,
            position: None,
            largest: f64::INFINITY,
            in_vain: 0,
        }
    }

    /// Leaves the hill for a place elsewhere.
    fn begin_anew(&mut self) {
        self.record.begin_anew(1);
        self.position = None;
        self.in_vain = 0;
    }

    /// Moves to a member if it is not worse than the position, where of equals one that is bloated
    /// or dearer is worse. Returns whether it is better.
    fn step(&mut self, member: Member<I>) -> bool {
        let Some(position) = &self.position else {
            self.largest = member.score.secondary * self.bloat;
            self.position = Some(member);
            return true;
        };
        let (here, there) = (position.score.primary(), member.score.primary());
        let is_bloated = member.score.secondary > self.largest;
        if there < here && self.largest == f64::INFINITY {
            self.largest = member.score.secondary * self.bloat;
        }
        let is_dearer = member.score.cost > position.score.cost;
        if there < here || there == here && !is_bloated && !is_dearer {
            self.position = Some(member);
        }
        there < here
    }
}

impl<I: Clone> Algorithm<I> for HillClimbing<I> {
    fn ask(&mut self, operators: &mut dyn Operators<Individual = I>, most: usize, asked: &mut Vec<I>) {
        let most = most.min(self.population);
        let mut taken = self.supply.take_injected(most, asked);
        taken += self.supply.take_seeds(most - taken, asked);
        for _ in taken..most {
            let individual = match &self.position {
                Some(position) => operators.mutate(&position.individual, &mut self.rng),
                None => {
                    let progress = self.rng.unit();
                    operators.random(&mut self.rng, progress)
                }
            };
            asked.push(individual);
        }
        self.record.note_asked(most);
    }

    fn tell(&mut self, scored: &mut dyn Iterator<Item = (I, Score)>) {
        for (individual, score) in scored {
            let member = Member { individual, score };
            // A late individual would lead back to the hill that was given up.
            if self.record.note_told(&member).is_late {
                continue;
            }
            self.in_vain = if self.step(member) { 0 } else { self.in_vain + 1 };
            if self.in_vain >= self.population.saturating_mul(PATIENCE) {
                self.begin_anew();
            }
        }
    }

    fn inject(&mut self, individuals: Vec<I>) {
        self.supply.inject(individuals);
    }

    fn offer(&mut self, member: Member<I>) {
        self.record.note_offered(&member);
        if self.step(member) {
            self.in_vain = 0;
        }
    }

    /// Forgets individuals. If the position is one of them, the climb goes on from the best of
    /// those left.
    fn discard(&mut self, is_discarded: &mut dyn FnMut(&Member<I>) -> bool) {
        self.position.take_if(|position| is_discarded(position));
        self.record.discard(is_discarded, self.position.iter());
        if self.position.is_none() {
            self.position = self.record.best().cloned();
        }
    }

    fn restart(&mut self) {
        self.begin_anew();
        self.supply.begin(usize::MAX);
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
