use crate::record::Record;
use crate::supply::Supply;
use crate::{Algorithm, Member, Operators, Progress, Rng, Score, Settings};

/// How many populations' worth of neighbours are tried in vain before the search begins anew: a
/// thousand neighbours with a population of a hundred. The first step up from a plateau often takes
/// hundreds of tries; more of them would cost as much as a new walk.
const PATIENCE: usize = 10;

/// Which steps to worse individuals a walk takes.
pub(crate) trait Acceptance {
    /// The acceptance of a walk that has not begun.
    fn new(settings: &Settings) -> Self;

    /// Begins anew.
    fn begin(&mut self);

    /// Whether the walk goes from one distance to another, as far as distances decide; called once
    /// for each individual told. Steps to smaller distances are taken in any case.
    fn accepts(&mut self, here: f64, there: f64, rng: &mut Rng) -> bool;

    /// Whether nothing is left to be hoped for when nothing better was found for long.
    fn is_settled(&self) -> bool;
}

/// A search that changes one individual again and again and goes on from each change that is not
/// worse, so that it moves about on plateaus, and from some that are worse.
///
/// The walk begins at the nearest of the individuals that were made before one was told. With
/// several questions in flight, neighbours of earlier positions count as neighbours.
#[derive(Clone, Debug)]
pub(crate) struct Walk<I, A> {
    rng: Rng,
    supply: Supply<I>,
    record: Record<I>,
    acceptance: A,
    /// The most individuals asked at a time.
    population: usize,
    /// The largest secondary score that does not count as bloated, as a multiple of that of the
    /// individual the walk began with.
    bloat: f64,
    /// Where the walk stands, unless it has to begin.
    pub(crate) position: Option<Member<I>>,
    /// The smallest distance of this walk.
    nearest: f64,
    /// The largest secondary score to which a step that leads no nearer may go.
    largest: f64,
    /// How many individuals in a row were not nearer than all of this walk before them.
    in_vain: usize,
}

impl<I: Clone, A: Acceptance> Walk<I, A> {
    /// A search that has not begun. The first walk begins at the nearest of the seeds, and so does
    /// one after [`restart`](Algorithm::restart); the others begin at new individuals.
    pub(crate) fn new(settings: &Settings, rng: Rng, seeds: Vec<I>) -> Self {
        let mut supply = Supply::new(seeds);
        supply.begin(usize::MAX);
        Self {
            rng,
            supply,
            record: Record::new(1),
            acceptance: A::new(settings),
            population: settings.population.max(1),
            bloat: settings.bloat,
            position: None,
            nearest: f64::INFINITY,
            largest: f64::INFINITY,
            in_vain: 0,
        }
    }

    /// Leaves the place for one elsewhere.
    fn begin_anew(&mut self) {
        self.record.begin_anew(1);
        self.acceptance.begin();
        self.position = None;
        self.in_vain = 0;
    }

    /// Moves to a member if it is nearer than the position or may be moved to, where of equals one
    /// that is bloated or dearer is worse. Returns whether it is the nearest of this walk.
    fn step(&mut self, member: Member<I>) -> bool {
        let there = member.score.primary();
        let Some(position) = &self.position else {
            self.largest = member.score.secondary * self.bloat;
            self.nearest = there;
            self.position = Some(member);
            return true;
        };
        let here = position.score.primary();
        let is_bloated = member.score.secondary > self.largest;
        if there < here && self.largest == f64::INFINITY {
            self.largest = member.score.secondary * self.bloat;
        }
        let is_dearer = member.score.cost > position.score.cost;
        let is_accepted = self.acceptance.accepts(here, there, &mut self.rng) && !is_bloated;
        if there < here || there == here && !is_bloated && !is_dearer || there > here && is_accepted {
            self.position = Some(member);
        }
        let is_nearest = there < self.nearest;
        self.nearest = self.nearest.min(there);
        is_nearest
    }
}

impl<I: Clone, A: Acceptance> Algorithm<I> for Walk<I, A> {
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
            // A late individual would lead back to the place that was given up.
            if self.record.note_told(&member).is_late {
                continue;
            }
            self.in_vain = if self.step(member) { 0 } else { self.in_vain + 1 };
            if self.in_vain >= self.population.saturating_mul(PATIENCE) && self.acceptance.is_settled() {
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

    /// Forgets individuals. If the position is one of them, the walk goes on from the best of those
    /// left.
    fn discard(&mut self, is_discarded: &mut dyn FnMut(&Member<I>) -> bool) {
        self.position.take_if(|position| is_discarded(position));
        self.record.discard(is_discarded, self.position.iter());
        if self.position.is_none() {
            self.position = self.record.best().cloned();
        }
        self.nearest = self.position.as_ref().map_or(f64::INFINITY, |it| it.score.primary());
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
