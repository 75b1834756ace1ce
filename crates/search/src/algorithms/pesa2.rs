//! PESA-II (Corne, Jerram, Knowles, Oates: PESA-II: Region-based Selection in Evolutionary
//! Multiobjective Optimization, 2001).
//!
//! The external population of the paper is the population here, bounded by the setting `archive`;
//! its internal population are the children of a generation. A grid divides the space of objectives
//! into boxes: parents come from boxes with few members, and where there are too many members, one
//! of the fullest box goes. Beyond the paper, the nearest member stays.
//!
//! Parameters: population, crossover, archive, [grid](crate::PesaSettings).

use crate::generation::{Flock, Generational, Newcomer, Parents, Rule};
use crate::score::objective;
use crate::sorting::{Standing, place_of};
use crate::vectors::{Ranges, width};
use crate::{Member, PesaSettings, Rng, Settings};

/// Members none of which dominates another, bred by the boxes in which they lie.
pub(crate) type PesaII<I> = Generational<I, Boxed>;

/// How many members join until the grid is laid anew over all of them: the internal population of the
/// paper.
const GRID_LASTS: usize = 10;

/// The rule that boxes rather than members are selected.
#[derive(Clone, Debug)]
pub(crate) struct Boxed {
    settings: PesaSettings,
    /// The most members.
    capacity: usize,
    /// How many objectives the grid has.
    width: usize,
    ranges: Ranges,
    /// How many members joined since the grid was laid.
    joined: usize,
    /// The name of the box of each member.
    boxes: Vec<u64>,
    /// All names of boxes with the places of their members, sorted; empty when they have to be
    /// looked up again.
    sorted: Vec<(u64, usize)>,
    /// Where each box begins in `sorted`.
    starts: Vec<usize>,
}

impl Boxed {
    fn add<I>(&mut self, member: Member<I>, flock: &mut Flock<I>) {
        let Some(Standing { dominated, .. }) = Standing::of(&member, flock) else { return };
        let Flock { population, rng, .. } = flock;
        for place in dominated.into_iter().rev() {
            population.remove(place);
            self.boxes.remove(place);
        }
        let place = place_of(&member, population);
        let is_wider = member.as_ref().len() > self.width;
        self.boxes.insert(place, self.box_of(member.as_ref()));
        population.insert(place, member);
        self.sorted.clear();
        self.joined += 1;
        if is_wider || self.joined >= GRID_LASTS {
            self.divide(population);
        }
        if population.len() > self.capacity {
            self.drop_one(population, rng);
        }
    }

    /// Lays the grid anew over all members.
    fn divide<I>(&mut self, population: &[Member<I>]) {
        self.width = width(population);
        self.ranges = Ranges::new(self.width);
        for member in population {
            self.ranges.add(member.as_ref());
        }
        self.boxes = population.iter().map(|member| self.box_of(member.as_ref())).collect();
        self.sorted.clear();
        self.joined = 0;
    }

    /// The name of the box of a vector: a digest of its coordinates (FNV-1a), which is as good as
    /// the coordinates themselves.
    fn box_of(&self, objectives: &[f64]) -> u64 {
        let divisions = f64::from(self.settings.divisions.max(1));
        (0..self.width).fold(0xcbf2_9ce4_8422_2325, |name, place| {
            let share = self.ranges.share(place, objective(objectives, place));
            // The largest value belongs to the last division; others may lie outside the grid.
            let is_last = share == 1.0;
            let coordinate = (share * divisions).floor() - f64::from(u8::from(is_last)) + 0.0;
            (name ^ coordinate.to_bits()).wrapping_mul(0x0000_0100_0000_01b3)
        })
    }

    /// Drops a random member of the fullest boxes.
    fn drop_one<I>(&mut self, population: &mut Vec<Member<I>>, rng: &mut Rng) {
        self.look_up();
        let boxes = || (0..self.starts.len()).map(|number| self.members(number));
        // The nearest member, which stays, does not make its box fuller.
        let droppable = |members: &[(u64, usize)]| members.iter().filter(|it| it.1 > 0).count();
        let fullest = boxes().map(droppable).max().unwrap_or(0);
        let full = || boxes().filter(|it| droppable(it) == fullest).flatten().filter(|it| it.1 > 0);
        let place = full().nth(rng.below(full().count())).map(|it| it.1);
        if let Some(place) = place {
            population.remove(place);
            self.boxes.remove(place);
            self.sorted.clear();
        }
    }

    /// Finds the members of all boxes unless they are known.
    fn look_up(&mut self) {
        if !self.sorted.is_empty() {
            return;
        }
        self.sorted.extend(self.boxes.iter().copied().zip(0..));
        self.sorted.sort_unstable();
        self.starts.clear();
        let mut start = 0;
        for members in self.sorted.chunk_by(|left, right| left.0 == right.0) {
            self.starts.push(start);
            start += members.len();
        }
    }

    /// The members of a box, by its number.
    fn members(&self, number: usize) -> &[(u64, usize)] {
        let start = self.starts.get(number).copied().unwrap_or(self.sorted.len());
        let end = self.starts.get(number + 1).copied().unwrap_or(self.sorted.len());
        self.sorted.get(start..end).unwrap_or_default()
    }

    /// A random member of the emptiest of some boxes.
    fn select(&self, rng: &mut Rng) -> Option<usize> {
        let drawn = (0..self.settings.tournament.max(1)).map(|_| rng.below(self.starts.len()));
        let emptiest = drawn.min_by_key(|number| self.members(*number).len())?;
        rng.pick(self.members(emptiest)).map(|it| it.1)
    }
}

impl<I> Rule<I> for Boxed {
    fn new(settings: &Settings, _: &mut Rng) -> Self {
        Self {
            settings: settings.pesa,
            capacity: settings.archive.max(2),
            width: 0,
            ranges: Ranges::default(),
            joined: 0,
            boxes: Vec::new(),
            sorted: Vec::new(),
            starts: Vec::new(),
        }
    }

    fn join(&mut self, newcomer: Newcomer<I>, flock: &mut Flock<I>) -> Option<Member<I>> {
        self.add(newcomer.member, flock);
        None
    }

    fn survive(&mut self, flock: &mut Flock<I>) {
        for member in std::mem::take(flock.newcomers) {
            self.add(member, flock);
        }
    }

    fn parents(&mut self, _: &[Member<I>], rng: &mut Rng) -> Option<Parents> {
        self.look_up();
        Some(Parents { first: self.select(rng)?, second: self.select(rng), origin: None })
    }

    fn rate(&mut self, flock: &mut Flock<I>) {
        self.divide(flock.population);
    }
}
