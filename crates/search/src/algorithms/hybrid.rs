//! A hybrid search (Soltani, Derakhshanfar, Panichella, Devroey, Zaidman, van Deursen:
//! Single-objective versus Multi-Objectivized Optimization for Evolutionary Crash Reproduction,
//! 2018, section 6): the guided genetic algorithm with the distance alone, which is quick where a
//! crash is easy, then guided NSGA-II with all objectives, which is better where it is not.
//!
//! The population is carried over. The search turns once; new beginnings after that are with all
//! objectives, too.
//!
//! Parameters: those of both algorithms, and [the turn](crate::HybridSettings).

use super::guided::Fittest;
use super::nsga2::Crowded;
use crate::generation::{Flock, Generational, Parents, Rule};
use crate::score::objective;
use crate::sorting::Sorted;
use crate::{HybridSettings, Member, Progress, Rng, Settings};

/// A population that is bred by the distance first and by fronts later.
pub(crate) type Hybrid<I> = Generational<I, Turning>;

/// One rule after the other.
#[derive(Clone, Debug)]
pub(crate) struct Turning {
    settings: HybridSettings,
    first: Fittest,
    second: Sorted<Crowded>,
    has_turned: bool,
    /// Whether some individual reached the first objective.
    is_reached: bool,
}

impl Turning {
    /// Turns if the time has come.
    fn turn(&mut self, progress: Progress) {
        let HybridSettings { stagnant, generations, budget, share } = self.settings;
        let has_spent = |budget: u64| progress.told as f64 >= budget as f64 * share;
        let is_slow = !self.is_reached && progress.generations >= generations;
        self.has_turned |= progress.stagnant >= stagnant || is_slow || budget.is_some_and(has_spent);
    }
}

impl<I> Rule<I> for Turning {
    fn new(settings: &Settings, rng: &mut Rng) -> Self {
        Self {
            settings: settings.hybrid,
            first: <Fittest as Rule<I>>::new(settings, rng),
            second: <Sorted<Crowded> as Rule<I>>::new(settings, rng),
            has_turned: false,
            is_reached: false,
        }
    }

    fn survive(&mut self, flock: &mut Flock<I>) {
        self.is_reached |= flock.newcomers.iter().any(|it| objective(it.as_ref(), 0) <= 0.0);
        self.turn(flock.progress);
        if self.has_turned {
            self.second.survive(flock);
        } else {
            self.first.survive(flock);
        }
    }

    fn parents(&mut self, population: &[Member<I>], rng: &mut Rng) -> Option<Parents> {
        if self.has_turned {
            self.second.parents(population, rng)
        } else {
            self.first.parents(population, rng)
        }
    }

    fn welcomes(&self, member: &Member<I>, population: &[Member<I>], size: usize) -> bool {
        self.has_turned || self.first.welcomes(member, population, size)
    }

    fn rate(&mut self, flock: &mut Flock<I>) {
        if self.has_turned {
            self.second.rate(flock);
        }
    }
}
