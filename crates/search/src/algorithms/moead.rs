//! MOEA/D (Zhang, Li: MOEA/D: A Multiobjective Evolutionary Algorithm Based on Decomposition,
//! 2007).
//!
//! A child is bred for one subproblem at a time and may replace the members of its neighbours at
//! once. Asked for one individual at a time, this is the algorithm of the paper; with more of them
//! in flight, children know less of each other.
//!
//! Parameters: population, crossover, [decomposition and neighbours](crate::MoeadSettings).

use crate::generation::{Flock, Generational, Newcomer, Parents, Rule};
use crate::score::{number, objective};
use crate::sorting::place_of;
use crate::vectors::{Ranges, Vectors, width};
use crate::{Decomposition, Member, MoeadSettings, Rng, Settings, weights};

/// A population in which each member is the best for some weights of the objectives.
pub(crate) type Moead<I> = Generational<I, Decomposed>;

/// The weight of an objective that has none, so that it decides between equals (section V E).
const LEAST_WEIGHT: f64 = 1e-6;

/// The rule that a child replaces members of neighbouring subproblems.
#[derive(Clone, Debug)]
pub(crate) struct Decomposed {
    settings: MoeadSettings,
    rng: Rng,
    /// The subproblems; none before the founders were told.
    subproblems: Vec<Subproblem>,
    /// How many objectives the subproblems weigh.
    width: usize,
    /// The best known value of each objective.
    ideal: Vec<f64>,
    /// The ranges of objectives in the population when the last generation ended.
    ranges: Ranges,
    /// The subproblem to breed for next.
    next: usize,
}

/// One weight vector.
#[derive(Clone, Debug)]
struct Subproblem {
    weights: Vec<f64>,
    neighbours: Vec<usize>,
    /// The place of its member in the population.
    member: usize,
}

impl Decomposed {
    /// Makes subproblems for the objectives of a population; none of them has its member yet.
    fn set_up<I>(&mut self, population: &[Member<I>], size: usize) {
        self.width = width(population);
        self.ideal = vec![f64::INFINITY; self.width];
        population.iter().for_each(|member| self.note_ideal(member.as_ref()));
        self.note_ranges(population);
        let weights = weights::spread(self.width, size, &mut self.rng);
        let neighbours = weights::neighbours(&weights, self.settings.neighbours);
        let both = weights.into_iter().zip(neighbours);
        let subproblems = both.map(|(weights, neighbours)| Subproblem { weights, neighbours, member: 0 });
        self.subproblems = subproblems.collect();
        self.next = 0;
    }

    /// Deals the founders out at random, so that all of them breed.
    fn deal_out(&mut self, members: usize) {
        let mut deck: Vec<usize> = (0..members).collect();
        for last in (1..members).rev() {
            deck.swap(last, self.rng.below(last + 1));
        }
        for (subproblem, member) in self.subproblems.iter_mut().zip(deck.into_iter().cycle()) {
            subproblem.member = member;
        }
    }

    /// Gives each subproblem the best of the members.
    fn choose_best<I>(&mut self, population: &[Member<I>]) {
        for number in 0..self.subproblems.len() {
            let values = population.iter().map(|member| self.value(number, member.as_ref())).zip(0..);
            let best = values.min_by(|left: &(f64, usize), right| left.0.total_cmp(&right.0));
            if let (Some((_, best)), Some(subproblem)) = (best, self.subproblems.get_mut(number)) {
                subproblem.member = best;
            }
        }
    }

    fn note_ideal(&mut self, objectives: &[f64]) {
        for (place, ideal) in self.ideal.iter_mut().enumerate() {
            *ideal = ideal.min(objective(objectives, place));
        }
    }

    fn note_ranges<I>(&mut self, population: &[Member<I>]) {
        self.ranges = Ranges::new(self.width);
        let vectors = Vectors::of(population);
        for place in 0..vectors.count() {
            self.ranges.add(vectors.row(place));
        }
    }

    /// The one number that a subproblem makes of objectives; infinite if one of them is.
    fn value(&self, subproblem: usize, objectives: &[f64]) -> f64 {
        let Some(subproblem) = self.subproblems.get(subproblem) else { return f64::INFINITY };
        let gaps = self.ideal.iter().enumerate().map(|(place, ideal)| {
            let value = objective(objectives, place);
            let gap = if value == *ideal { 0.0 } else { value - ideal };
            if self.settings.is_scaled { gap / self.ranges.length(place) } else { gap }
        });
        let weights = subproblem.weights.iter().map(|weight| weight.max(LEAST_WEIGHT));
        let pairs = gaps.zip(weights);
        let value = match self.settings.decomposition {
            Decomposition::WeightedSum => pairs.map(|(gap, weight)| gap * weight).sum(),
            Decomposition::Tchebycheff => pairs.map(|(gap, weight)| gap * weight).fold(0.0, f64::max),
            Decomposition::BoundaryIntersection { penalty } => {
                let (along, length, weight) = pairs.fold((0.0, 0.0, 0.0), |sums, (gap, weight)| {
                    (sums.0 + gap * weight, sums.1 + gap * gap, sums.2 + weight * weight)
                });
                let along = along / f64::sqrt(weight);
                along + penalty * (length - along * along).max(0.0).sqrt()
            }
        };
        number(value)
    }

    /// Lets a member take the places of members that are worse: those of the neighbours of the
    /// subproblem that it was bred for, or of any subproblem if it was bred for none.
    fn replace<I>(&mut self, newcomer: Newcomer<I>, flock: &mut Flock<I>) {
        let Newcomer { member, origin } = newcomer;
        self.note_ideal(member.as_ref());
        let all = self.subproblems.len();
        let neighbours = origin.and_then(|it| self.subproblems.get(it)).map(|it| it.neighbours.clone());
        let candidates = neighbours.unwrap_or_else(|| (0..all).collect());
        // With a bound, those that come first must not always be the same.
        let skipped = flock.rng.below(candidates.len());
        let candidates = candidates.iter().cycle().skip(skipped).take(candidates.len());
        let mut won = Vec::new();
        for number in candidates.copied() {
            let holder = self.subproblems.get(number).and_then(|it| flock.population.get(it.member));
            let Some(holder) = holder.filter(|_| won.len() < self.settings.replaced) else { continue };
            let (old, new) = (self.value(number, holder.as_ref()), self.value(number, member.as_ref()));
            if new < old || new == old && !flock.is_worse(&member, holder) {
                won.push(number);
            }
        }
        if won.is_empty() {
            return;
        }
        let place = place_of(&member, flock.population);
        flock.population.insert(place, member);
        for subproblem in &mut self.subproblems {
            subproblem.member += usize::from(subproblem.member >= place);
        }
        for number in won {
            if let Some(subproblem) = self.subproblems.get_mut(number) {
                subproblem.member = place;
            }
        }
        self.drop_unused(flock.population);
    }

    /// Drops members that no subproblem has.
    fn drop_unused<I>(&mut self, population: &mut Vec<Member<I>>) {
        let mut is_used = vec![false; population.len()];
        for subproblem in &self.subproblems {
            if let Some(it) = is_used.get_mut(subproblem.member) {
                *it = true;
            }
        }
        if is_used.iter().all(|it| *it) {
            return;
        }
        let mut places = Vec::with_capacity(is_used.len());
        let mut next = 0;
        for is_used in &is_used {
            places.push(next);
            next += usize::from(*is_used);
        }
        for subproblem in &mut self.subproblems {
            subproblem.member = places.get(subproblem.member).copied().unwrap_or(0);
        }
        let mut is_used = is_used.into_iter();
        population.retain(|_| is_used.next().unwrap_or(true));
    }
}

impl<I> Rule<I> for Decomposed {
    const HAS_TWINS: bool = false;

    fn new(settings: &Settings, rng: &mut Rng) -> Self {
        Self {
            settings: settings.moead,
            rng: rng.fork(),
            subproblems: Vec::new(),
            width: 0,
            ideal: Vec::new(),
            ranges: Ranges::default(),
            next: 0,
        }
    }

    fn begin(&mut self, _: &mut Flock<I>) {
        self.subproblems.clear();
    }

    fn join(&mut self, newcomer: Newcomer<I>, flock: &mut Flock<I>) -> Option<Member<I>> {
        if self.subproblems.is_empty() || newcomer.member.as_ref().len() > self.width {
            return Some(newcomer.member);
        }
        self.replace(newcomer, flock);
        None
    }

    fn survive(&mut self, flock: &mut Flock<I>) {
        let is_wider = width(flock.newcomers) > self.width;
        if self.subproblems.is_empty() || is_wider {
            flock.unite();
            flock.population.sort_by(|left, right| left.score.rank(&right.score));
            flock.population.truncate(flock.size);
            self.subproblems.clear();
            if flock.ends_generation {
                self.set_up(flock.population, flock.size);
                self.deal_out(flock.population.len());
            }
            return;
        }
        for member in std::mem::take(flock.newcomers) {
            self.replace(Newcomer { member, origin: None }, flock);
        }
        if flock.ends_generation && self.settings.is_scaled {
            self.note_ranges(flock.population);
        }
    }

    fn parents(&mut self, population: &[Member<I>], rng: &mut Rng) -> Option<Parents> {
        let Some(subproblem) = self.subproblems.get(self.next) else {
            let count = population.len();
            let (first, second) = (rng.below(count), rng.below(count));
            return (count > 0).then_some(Parents { first, second: Some(second), origin: None });
        };
        let origin = self.next;
        self.next = (self.next + 1) % self.subproblems.len();
        let mut pick = |is_near: bool| {
            let near = rng.pick(&subproblem.neighbours).copied().filter(|_| is_near);
            let number = near.unwrap_or_else(|| rng.below(self.subproblems.len()));
            self.subproblems.get(number).map(|it| it.member)
        };
        let is_near = self.rng.chance(self.settings.mating);
        let (first, second) = (pick(is_near)?, pick(is_near));
        Some(Parents { first, second, origin: Some(origin).filter(|_| is_near) })
    }

    /// Subproblems whose members are gone get the best of those left.
    fn rate(&mut self, flock: &mut Flock<I>) {
        if flock.population.is_empty() {
            self.subproblems.clear();
        } else if !self.subproblems.is_empty() {
            self.choose_best(flock.population);
            self.drop_unused(flock.population);
        }
    }
}
