//! The guided genetic algorithm of EvoCrash (Soltani, Panichella, van Deursen: A Guided Genetic
//! Algorithm for Automated Crash Reproduction, algorithm 1). What is guided about it lies in the
//! operators of the problem (algorithms 2 to 4).
//!
//! Beyond it: a share of new individuals in each generation, and new beginnings with larger
//! populations, which EvoCrash left to the user.

use std::cmp::Ordering;

use crate::{Problem, Rng, Score, Selection, Settings};

/// A search that goes on generation by generation, so that a caller can interleave several.
///
/// Invariants: the best objective of a population is in the next one, but for a new beginning; the
/// best of all, by [rank](Score::rank), is never forgotten; no more individuals are scored than
/// allowed.
///
/// Members are in the order of their objectives, then those that are not bloated first, then the
/// youngest, so that a population moves about on a plateau. If of equals the smaller ones survived,
/// a plateau would soon hold the smallest individuals alone, from which one mutation leads nowhere;
/// a test shows by how much that is slower.
#[derive(Clone, Debug)]
pub struct GuidedGa<I> {
    settings: Settings,
    rng: Rng,
    /// What new populations begin with, taken in turn.
    seeds: Vec<I>,
    next_seed: usize,
    /// What joins the next generation.
    injected: Vec<I>,
    population: Vec<Member<I>>,
    /// How many members the population shall have.
    size: usize,
    /// How many individuals of the current beginning have been made; below `size` while it is being
    /// filled.
    founded: usize,
    /// How many seeds are still to go into it.
    seeds_due: usize,
    /// How large individuals of it are.
    sizes: Sizes,
    /// The generation that is being scored; empty between steps, kept for its memory, as the next
    /// two are.
    offspring: Vec<I>,
    scores: Vec<Score>,
    merged: Vec<Member<I>>,
    best: Option<Member<I>>,
    evaluations: u64,
    generations: u64,
    restarts: u64,
    stagnant: usize,
}

/// An individual that was scored.
#[derive(Clone, Debug)]
pub struct Member<I> {
    /// The individual.
    pub individual: I,
    /// Its score.
    pub score: Score,
    /// Whether it is too large.
    bloated: bool,
}

/// What a generation brought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// How many individuals were scored; 0 if nothing was allowed or the problem was solved
    /// already.
    pub evaluated: u64,
    /// Whether the best of all got better.
    pub improved: bool,
    /// Whether the population was begun anew.
    pub restarted: bool,
    /// Whether the best of all solves the problem.
    pub solved: bool,
}

/// Where a search stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress<'s> {
    /// Generations so far, counted over all beginnings.
    pub generations: u64,
    /// Individuals scored so far.
    pub evaluations: u64,
    /// How often the search began anew.
    pub restarts: u64,
    /// How many generations ago the current population got better.
    pub stagnant: usize,
    /// How many members the population is to have.
    pub population: usize,
    /// The best score of all, if anything was scored.
    pub best: Option<&'s Score>,
}

/// What a caller has to say while a search runs by itself.
pub trait Control<I> {
    /// Whether to stop, asked before each generation: a deadline, an interruption.
    fn should_stop(&mut self) -> bool {
        false
    }

    /// Called after each generation.
    fn after_generation(&mut self, _progress: &Progress<'_>, _best: Option<&Member<I>>) {}
}

/// Lets a search run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unattended;

impl<I> Control<I> for Unattended {}

/// How a search ended.
#[derive(Clone, Debug)]
pub struct Outcome<I> {
    /// The best of all, if anything was scored.
    pub best: Option<Member<I>>,
    /// Individuals scored.
    pub evaluations: u64,
    /// Generations.
    pub generations: u64,
    /// New beginnings.
    pub restarts: u64,
    /// Why it ended.
    pub end: End,
}

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The best of all solves the problem.
    Solved,
    /// No further evaluations were allowed.
    Budget,
    /// The caller said so.
    Stopped,
}

impl<I: Clone> GuidedGa<I> {
    /// A search that has not begun. The seeds go into the first population, and again into those
    /// after it.
    pub fn new(settings: Settings, rng: Rng, seeds: Vec<I>) -> Self {
        let size = settings.population.max(2);
        Self {
            seeds_due: seeds_due(&settings, size, seeds.len()),
            settings,
            rng,
            seeds,
            next_seed: 0,
            injected: Vec::new(),
            population: Vec::new(),
            size,
            founded: 0,
            sizes: Sizes::default(),
            offspring: Vec::new(),
            scores: Vec::new(),
            merged: Vec::new(),
            best: None,
            evaluations: 0,
            generations: 0,
            restarts: 0,
            stagnant: 0,
        }
    }

    /// Goes on until the problem is solved, `evaluations` more individuals have been scored, or the
    /// caller says so.
    pub fn solve<P: Problem<Individual = I>>(
        &mut self,
        problem: &mut P,
        evaluations: u64,
        control: &mut impl Control<I>,
    ) -> Result<Outcome<I>, P::Failure> {
        let last = self.evaluations.saturating_add(evaluations);
        let end = loop {
            if self.is_solved() {
                break End::Solved;
            }
            if self.evaluations >= last {
                break End::Budget;
            }
            if control.should_stop() {
                break End::Stopped;
            }
            self.step(problem, last - self.evaluations)?;
            control.after_generation(&self.progress(), self.best.as_ref());
        };
        Ok(Outcome {
            best: self.best.clone(),
            evaluations: self.evaluations,
            generations: self.generations,
            restarts: self.restarts,
            end,
        })
    }

    /// One generation, of at most `allowed` individuals. Nothing happens once the problem is
    /// solved. After a failure the members are those before it; what was to be scored is lost.
    pub fn step<P: Problem<Individual = I>>(
        &mut self,
        problem: &mut P,
        allowed: u64,
    ) -> Result<Step, P::Failure> {
        if self.is_solved() || allowed == 0 {
            let solved = self.is_solved();
            return Ok(Step { evaluated: 0, improved: false, restarted: false, solved });
        }
        let restarted = self.stagnant >= self.settings.stagnation.max(1);
        if restarted {
            self.begin_anew();
        }
        let allowed = usize::try_from(allowed).unwrap_or(usize::MAX);
        self.offspring.clear();
        let is_new = self.founded < self.size;
        if is_new {
            self.found(problem, allowed);
        } else {
            self.breed(problem, allowed);
        }
        self.scores.clear();
        problem.evaluate(&self.offspring, &mut self.scores)?;
        let evaluated = self.offspring.len() as u64;
        self.evaluations += evaluated;
        self.generations += 1;
        if is_new {
            self.scores.iter().for_each(|score| self.sizes.add(score));
        }
        let improved = self.survive();
        Ok(Step { evaluated, improved, restarted, solved: self.is_solved() })
    }

    /// Lets individuals from elsewhere join the next generation, beside those that it breeds.
    pub fn inject(&mut self, individuals: impl IntoIterator<Item = I>) {
        self.injected.extend(individuals);
    }

    /// Forgets individuals, for instance those that turned out to be no solution after all; the
    /// best of those left is the new best. The problem must from now on score their like
    /// accordingly.
    pub fn discard(&mut self, mut is_discarded: impl FnMut(&Member<I>) -> bool) {
        self.population.retain(|member| !is_discarded(member));
        if self.best.as_ref().is_some_and(is_discarded) {
            self.best = self.population.first().cloned();
        }
    }

    /// Where the search stands.
    pub fn progress(&self) -> Progress<'_> {
        Progress {
            generations: self.generations,
            evaluations: self.evaluations,
            restarts: self.restarts,
            stagnant: self.stagnant,
            population: self.size,
            best: self.best.as_ref().map(|best| &best.score),
        }
    }

    /// The best of all.
    pub fn best(&self) -> Option<&Member<I>> {
        self.best.as_ref()
    }

    /// The members of the current population, the best first.
    pub fn population(&self) -> &[Member<I>] {
        &self.population
    }

    fn is_solved(&self) -> bool {
        self.best.as_ref().is_some_and(|best| best.score.is_solved())
    }

    fn begin_anew(&mut self) {
        self.restarts += 1;
        self.stagnant = 0;
        let largest = self.settings.largest_population.max(self.size);
        let grown = self.size as f64 * self.settings.growth.max(1.0);
        self.size = (grown as usize).min(largest);
        self.population.truncate(self.settings.carried.min(self.size / 2));
        self.founded = self.population.len();
        self.sizes = Sizes::default();
        self.seeds_due = seeds_due(&self.settings, self.size, self.seeds.len());
    }

    /// The next part of a new population (algorithm 1, line 5): seeds first, then new individuals.
    fn found<P: Problem<Individual = I>>(&mut self, problem: &mut P, allowed: usize) {
        let count = (self.size - self.founded).min(allowed);
        self.take_injected(count);
        let seeds = self.seeds_due.min(count - self.offspring.len());
        self.offspring.extend(self.seeds.iter().cycle().skip(self.next_seed).take(seeds).cloned());
        self.next_seed = (self.next_seed + seeds) % self.seeds.len().max(1);
        self.seeds_due -= seeds;
        while self.offspring.len() < count {
            let progress = (self.founded + self.offspring.len()) as f64 / self.size as f64;
            self.offspring.push(problem.random(&mut self.rng, progress));
        }
        self.founded += count;
    }

    /// As many children as there are to be members (algorithm 1, lines 11 to 20).
    fn breed<P: Problem<Individual = I>>(&mut self, problem: &mut P, allowed: usize) {
        let count = self.size.min(allowed);
        self.take_injected(count);
        let Self { population, offspring, rng, settings, .. } = self;
        while offspring.len() < count {
            let parents = if rng.chance(settings.fresh) {
                None
            } else {
                select(population, settings.selection, rng).zip(select(population, settings.selection, rng))
            };
            let Some((first, second)) = parents else {
                let progress = rng.unit();
                offspring.push(problem.random(rng, progress));
                continue;
            };
            let room_for_two = offspring.len() + 1 < count;
            if rng.chance(settings.crossover) {
                let (first, second) = problem.cross_over(first, second, rng);
                offspring.push(problem.mutate(&first, rng));
                if room_for_two {
                    offspring.push(problem.mutate(&second, rng));
                }
            } else {
                offspring.push(problem.mutate(first, rng));
                if room_for_two {
                    offspring.push(problem.mutate(second, rng));
                }
            }
        }
    }

    fn take_injected(&mut self, most: usize) {
        let count = self.injected.len().min(most);
        self.offspring.extend(self.injected.drain(..count));
    }

    /// Parents and children together leave the fittest (algorithm 1, lines 23 and 24). Tells
    /// whether the best of all got better.
    fn survive(&mut self) -> bool {
        let before = self.population.first().map_or(f64::INFINITY, |first| first.score.primary());
        let scores = self.scores.drain(..).chain(std::iter::repeat_with(Score::worst));
        let children = self.offspring.drain(..).zip(scores);
        // Children stand before their parents, and the sort is stable: of equals, the younger
        // survives.
        self.merged.extend(children.map(|(individual, score)| Member { individual, score, bloated: false }));
        let improved = self.remember_best();
        self.merged.append(&mut self.population);
        let largest = self.sizes.mean() * self.settings.bloat;
        for member in &mut self.merged {
            member.bloated = member.score.secondary > largest;
        }
        self.merged.sort_by(Member::fitness);
        self.merged.truncate(self.size);
        std::mem::swap(&mut self.merged, &mut self.population);

        let now = self.population.first().map_or(f64::INFINITY, |first| first.score.primary());
        self.stagnant = if now < before { 0 } else { self.stagnant + 1 };
        improved
    }

    /// Keeps the best child if it is better than all before it.
    fn remember_best(&mut self) -> bool {
        let best = self.merged.iter().min_by(|left, right| left.score.rank(&right.score));
        let is_worse =
            |known: &Member<I>| best.is_some_and(|it| it.score.rank(&known.score) == Ordering::Less);
        let improved = self.best.as_ref().map_or(best.is_some(), is_worse);
        if improved {
            self.best = best.cloned();
        }
        improved
    }
}

impl<I> Member<I> {
    fn fitness(&self, other: &Self) -> Ordering {
        self.score.primary().total_cmp(&other.score.primary()).then(self.bloated.cmp(&other.bloated))
    }
}

/// The mean of the secondary scores that a population began with.
#[derive(Clone, Copy, Debug, Default)]
struct Sizes {
    sum: f64,
    count: u32,
}

impl Sizes {
    fn add(&mut self, score: &Score) {
        if score.secondary.is_finite() {
            self.sum += score.secondary;
            self.count += 1;
        }
    }

    fn mean(self) -> f64 {
        self.sum / f64::from(self.count.max(1))
    }
}

/// How many seeds go into a population of a size.
fn seeds_due(settings: &Settings, size: usize, seeds: usize) -> usize {
    let share = size as f64 * settings.seeded.clamp(0.0, 1.0);
    seeds.min(share as usize)
}

/// Chooses a parent from a sorted population.
fn select<'p, I>(population: &'p [Member<I>], selection: Selection, rng: &mut Rng) -> Option<&'p I> {
    let count = population.len();
    let place = match selection {
        Selection::Tournament { size } => (0..size.max(1)).map(|_| rng.below(count)).min().unwrap_or(0),
        Selection::Rank { bias } => {
            let bias = bias.clamp(1.0 + 1e-6, 2.0);
            let root = (bias * bias - 4.0 * (bias - 1.0) * rng.unit()).max(0.0).sqrt();
            let share = (bias - root) / (2.0 * (bias - 1.0));
            ((count as f64 * share) as usize).min(count.saturating_sub(1))
        }
    };
    population.get(place).map(|member| &member.individual)
}
