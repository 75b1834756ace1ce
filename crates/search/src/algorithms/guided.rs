//! The guided genetic algorithm of EvoCrash (Soltani, Panichella, van Deursen: A Guided Genetic
//! Algorithm for Automated Crash Reproduction, algorithm 1). The guidance itself lies in the
//! operators (algorithms 2 to 4).
//!
//! Beyond the paper: a share of new individuals in each generation, and new beginnings with larger
//! populations, which EvoCrash left to the user.

use crate::record::Record;
use crate::supply::Supply;
use crate::{Algorithm, Member, Operators, Progress, Rng, Score, Selection, Settings};

/// A population that is bred generation by generation.
///
/// Invariants: the best objective of a population is in the next one, except after a new beginning;
/// the best of all, by [rank](Score::rank), is never forgotten.
///
/// Members are sorted by their first objective, then the cheapest first, then those that are not
/// bloated first, then the youngest first, so that a population moves about on a plateau. If of
/// equals the smaller ones survived, a plateau would soon hold the smallest individuals alone, from
/// which one mutation leads nowhere; a test shows by how much that is slower.
///
/// Asked for a whole generation at a time, with everything told in between, this is algorithm 1.
/// With several questions in flight, children are bred from the population as it stands, and a
/// generation ends whenever a population's worth of individuals has been told. Individuals of an
/// earlier beginning that are told late count for the best of all, but do not join the new
/// population unless they are nearer than all before them.
#[derive(Clone, Debug)]
pub struct GuidedGa<I> {
    settings: Settings,
    rng: Rng,
    supply: Supply<I>,
    record: Record<I>,
    /// The survivors, sorted.
    population: Vec<Member<I>>,
    /// How many members the population is to have.
    size: usize,
    /// How many founders the current beginning has; it is complete with `size` of them.
    founded: usize,
    /// How large the founders of the current beginning were.
    sizes: Sizes,
    /// Members that were told or offered and have not joined the population yet.
    newcomers: Vec<Member<I>>,
    /// How many individuals are still to be told until the current generation ends.
    due: usize,
    /// Whether the current generation is the first of its beginning: its members are the founders,
    /// because they were the first to be asked.
    is_first: bool,
    /// The first objective of the population's best member when the last generation ended.
    nearest: f64,
    /// How many generations in a row ended without a better best member.
    stagnant: usize,
}

impl<I: Clone> GuidedGa<I> {
    /// A search that has not begun. Some of the seeds go into the first population, and the next
    /// ones into each population after it.
    pub fn new(settings: &Settings, rng: Rng, seeds: Vec<I>) -> Self {
        let size = settings.population.max(2);
        let mut search = Self {
            settings: settings.clone(),
            rng,
            supply: Supply::new(seeds),
            record: Record::new(size),
            population: Vec::new(),
            size,
            founded: 0,
            sizes: Sizes::default(),
            newcomers: Vec::new(),
            due: size,
            is_first: true,
            nearest: f64::INFINITY,
            stagnant: 0,
        };
        search.begin();
        search
    }

    /// Founds a population of the current size; its members so far are carried along.
    fn begin(&mut self) {
        self.founded = self.population.len();
        self.due = self.size - self.founded;
        self.is_first = true;
        self.sizes = Sizes::default();
        self.nearest = self.nearest();
        self.stagnant = 0;
        let seeded = self.size as f64 * self.settings.seeded.clamp(0.0, 1.0);
        self.supply.begin(seeded as usize);
    }

    /// Asks for founders of a new population (algorithm 1, line 5): seeds first, then new
    /// individuals.
    fn found(&mut self, operators: &mut dyn Operators<Individual = I>, most: usize, asked: &mut Vec<I>) {
        let count = (self.size - self.founded).min(most);
        let mut made = self.supply.take_injected(count, asked);
        made += self.supply.take_seeds(count - made, asked);
        asked.extend((made..count).map(|number| {
            let progress = (self.founded + number) as f64 / self.size as f64;
            operators.random(&mut self.rng, progress)
        }));
        self.founded += count;
    }

    /// Asks for a generation of children (algorithm 1, lines 11 to 20), or for new individuals as
    /// long as there are no parents.
    fn breed(&mut self, operators: &mut dyn Operators<Individual = I>, most: usize, asked: &mut Vec<I>) {
        let end = asked.len() + self.size.min(most);
        self.supply.take_injected(end - asked.len(), asked);
        let Self { population, rng, settings, .. } = self;
        while asked.len() < end {
            let parents = if rng.chance(settings.fresh) {
                None
            } else {
                select(population, settings.selection, rng).zip(select(population, settings.selection, rng))
            };
            let Some((first, second)) = parents else {
                let progress = rng.unit();
                asked.push(operators.random(rng, progress));
                continue;
            };
            let has_room_for_two = asked.len() + 1 < end;
            if rng.chance(settings.crossover) {
                let (first, second) = operators.cross_over(first, second, rng);
                asked.push(operators.mutate(&first, rng));
                if has_room_for_two {
                    asked.push(operators.mutate(&second, rng));
                }
            } else {
                asked.push(operators.mutate(first, rng));
                if has_room_for_two {
                    asked.push(operators.mutate(second, rng));
                }
            }
        }
    }

    /// Takes an individual back.
    fn tell_one(&mut self, member: Member<I>) {
        let told = self.record.note_told(&member);
        if told.is_late {
            // The population that this individual was bred from would live on through it, and the
            // new beginning would be none: it joins only if the old population was not stuck.
            self.newcomers.extend(Some(member).filter(|_| told.is_nearest));
            return;
        }
        if self.is_first {
            self.sizes.add(&member.score);
        }
        self.newcomers.push(member);
        self.due -= 1;
        if self.due == 0 {
            self.end_generation();
        }
    }

    /// Lets the members of this generation survive or not, and notes whether it was a better one.
    fn end_generation(&mut self) {
        self.survive();
        let nearest = self.nearest();
        self.stagnant = if nearest < self.nearest { 0 } else { self.stagnant + 1 };
        self.nearest = nearest;
        self.due = self.size;
        self.is_first = false;
        self.record.end_generation();
    }

    /// Keeps the fittest of parents and newcomers (algorithm 1, lines 23 and 24).
    fn survive(&mut self) {
        let largest = self.sizes.mean() * self.settings.bloat;
        let is_bloated = |member: &Member<I>| member.score.secondary > largest;
        // Newcomers stand before their parents, and the sort is stable: of equals, the younger
        // survives.
        self.newcomers.append(&mut self.population);
        self.newcomers.sort_by(|left, right| {
            let by_objective = left.score.primary().total_cmp(&right.score.primary());
            let by_cost = by_objective.then(left.score.cost.cmp(&right.score.cost));
            by_cost.then_with(|| is_bloated(left).cmp(&is_bloated(right)))
        });
        self.newcomers.truncate(self.size);
        std::mem::swap(&mut self.newcomers, &mut self.population);
    }

    /// The first objective of the population's best member.
    fn nearest(&self) -> f64 {
        self.population.first().map_or(f64::INFINITY, |first| first.score.primary())
    }
}

impl<I: Clone> Algorithm<I> for GuidedGa<I> {
    fn ask(&mut self, operators: &mut dyn Operators<Individual = I>, most: usize, asked: &mut Vec<I>) {
        if most == 0 {
            return;
        }
        if self.stagnant >= self.settings.stagnation.max(1) {
            self.restart();
        }
        if self.population.len() < self.size && !self.newcomers.is_empty() {
            self.survive();
        }
        let before = asked.len();
        if self.founded < self.size {
            self.found(operators, most, asked);
        } else {
            self.breed(operators, most, asked);
        }
        self.record.note_asked(asked.len() - before);
    }

    fn tell(&mut self, scored: &mut dyn Iterator<Item = (I, Score)>) {
        for (individual, score) in scored {
            self.tell_one(Member { individual, score });
        }
    }

    fn inject(&mut self, individuals: Vec<I>) {
        self.supply.inject(individuals);
    }

    fn offer(&mut self, member: Member<I>) {
        self.record.note_offered(&member);
        let is_full = self.population.len() >= self.size;
        let worst = self.population.last().filter(|_| is_full);
        if worst.is_some_and(|worst| worst.score.primary() < member.score.primary()) {
            return;
        }
        self.newcomers.push(member);
        // Others may offer far more than this search is told.
        if self.newcomers.len() >= 2 * self.size {
            self.survive();
        }
    }

    fn discard(&mut self, is_discarded: &mut dyn FnMut(&Member<I>) -> bool) {
        self.population.retain(|member| !is_discarded(member));
        self.newcomers.retain(|member| !is_discarded(member));
        self.record.discard(is_discarded, self.population.iter().chain(&self.newcomers));
        self.nearest = self.nearest.max(self.nearest());
    }

    fn restart(&mut self) {
        self.survive();
        let largest = self.settings.largest_population.max(self.size);
        let grown = self.size as f64 * self.settings.growth.max(1.0);
        self.size = (grown as usize).min(largest);
        self.population.truncate(self.settings.carried.min(self.size / 2));
        self.record.begin_anew(self.size);
        self.begin();
    }

    fn best(&self) -> Option<&Member<I>> {
        self.record.best()
    }

    /// The population, or the best of earlier ones while a new one has no members.
    fn elite(&self) -> &[Member<I>] {
        if self.population.is_empty() { self.record.elite() } else { &self.population }
    }

    fn progress(&self) -> Progress {
        self.record.progress()
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
