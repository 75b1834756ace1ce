use std::collections::VecDeque;

/// Individuals that come from outside an algorithm, in the order in which it is to ask for them.
#[derive(Clone, Debug)]
pub(crate) struct Supply<I> {
    /// Individuals to ask for once.
    injected: VecDeque<I>,
    /// Individuals that beginnings start with, taken in turn: one continues where the last stopped.
    seeds: Vec<I>,
    next_seed: usize,
    /// How many seeds are still to go into the current beginning.
    seeds_due: usize,
}

impl<I: Clone> Supply<I> {
    /// The seeds, none of which is due before [`begin`](Self::begin).
    pub(crate) fn new(seeds: Vec<I>) -> Self {
        Self { injected: VecDeque::new(), seeds, next_seed: 0, seeds_due: 0 }
    }

    /// Adds individuals to ask for once.
    pub(crate) fn inject(&mut self, individuals: Vec<I>) {
        self.injected.extend(individuals);
    }

    /// Makes each seed due again, but no more than `most` of them.
    pub(crate) fn begin(&mut self, most: usize) {
        self.seeds_due = self.seeds.len().min(most);
    }

    /// Appends injected individuals, `most` at most, and returns how many.
    pub(crate) fn take_injected(&mut self, most: usize, asked: &mut Vec<I>) -> usize {
        let count = self.injected.len().min(most);
        asked.extend(self.injected.drain(..count));
        count
    }

    /// Appends seeds that are due, `most` at most, and returns how many.
    pub(crate) fn take_seeds(&mut self, most: usize, asked: &mut Vec<I>) -> usize {
        let count = self.seeds_due.min(most);
        asked.extend(self.seeds.iter().cycle().skip(self.next_seed).take(count).cloned());
        self.next_seed = (self.next_seed + count) % self.seeds.len().max(1);
        self.seeds_due -= count;
        count
    }
}
