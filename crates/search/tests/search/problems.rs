//! Problems over strings of bits, with a record of everything that was asked of them.

use std::convert::Infallible;

use crashback_search::{Problem, Rng, Score};

/// Bits that are to become all ones.
pub(crate) struct Bits {
    pub(crate) length: usize,
    /// The score of a string.
    pub(crate) score: fn(&[bool]) -> f64,
    /// How many individuals were scored.
    pub(crate) scored: u64,
    /// The scores in the order in which they were given.
    pub(crate) history: Vec<f64>,
    /// What `random` was told, in order.
    pub(crate) progress: Vec<f64>,
}

impl Bits {
    pub(crate) fn new(length: usize, score: fn(&[bool]) -> f64) -> Self {
        Self { length, score, scored: 0, history: Vec::new(), progress: Vec::new() }
    }

    /// The number of zeros.
    pub(crate) fn one_max(length: usize) -> Self {
        Self::new(length, zeros)
    }

    /// Blocks of four bits, each of which looks the better the more zeros it has, until it is all
    /// ones (Goldberg's deceptive traps).
    pub(crate) fn traps(length: usize) -> Self {
        Self::new(length, |bits| {
            bits.chunks(4)
                .map(|block| match zeros(block) as usize {
                    0 => 0.0,
                    zeros => 4.0 - zeros as f64 + 1.0,
                })
                .sum()
        })
    }

    /// The same for every string: nothing to be found.
    pub(crate) fn flat(length: usize) -> Self {
        Self::new(length, |_| 1.0)
    }
}

fn zeros(bits: &[bool]) -> f64 {
    bits.iter().filter(|bit| !**bit).count() as f64
}

impl Problem for Bits {
    type Individual = Vec<bool>;
    type Failure = Infallible;

    fn random(&mut self, rng: &mut Rng, progress: f64) -> Vec<bool> {
        self.progress.push(progress);
        (0..self.length).map(|_| rng.chance(0.5)).collect()
    }

    fn mutate(&mut self, individual: &Vec<bool>, rng: &mut Rng) -> Vec<bool> {
        let rate = 1.0 / individual.len() as f64;
        individual.iter().map(|bit| *bit != rng.chance(rate)).collect()
    }

    fn cross_over(&mut self, first: &Vec<bool>, second: &Vec<bool>, rng: &mut Rng) -> (Vec<bool>, Vec<bool>) {
        let cut = rng.below(self.length + 1);
        let mixed = |head: &[bool], tail: &[bool]| [&head[..cut], &tail[cut..]].concat();
        (mixed(first, second), mixed(second, first))
    }

    fn evaluate(&mut self, generation: &[Vec<bool>], scores: &mut Vec<Score>) -> Result<(), Infallible> {
        assert!(scores.is_empty());
        self.scored += generation.len() as u64;
        let found = generation.iter().map(|bits| (self.score)(bits));
        scores.extend(found.map(|score| Score::new(score, 0.0)));
        self.history.extend(scores.iter().map(Score::primary));
        Ok(())
    }
}

/// Sequences of calls, of which some must be there in a certain order. Nothing tells how many
/// already are.
#[derive(Clone)]
pub(crate) struct Calls {
    /// How many different calls there are.
    pub(crate) kinds: usize,
    pub(crate) needed: Vec<usize>,
    /// How much each call adds to the objective until it is reached.
    pub(crate) pressure: f64,
}

impl Problem for Calls {
    type Individual = Vec<usize>;
    type Failure = Infallible;

    fn random(&mut self, rng: &mut Rng, _: f64) -> Vec<usize> {
        (0..=rng.below(6)).map(|_| rng.below(self.kinds)).collect()
    }

    fn mutate(&mut self, individual: &Vec<usize>, rng: &mut Rng) -> Vec<usize> {
        let mut calls = individual.clone();
        let at = rng.below(calls.len() + 1);
        match rng.below(3) {
            0 if calls.len() > 1 && at < calls.len() => drop(calls.remove(at)),
            1 if at < calls.len() => calls[at] = rng.below(self.kinds),
            _ => calls.insert(at, rng.below(self.kinds)),
        }
        calls
    }

    fn cross_over(
        &mut self,
        first: &Vec<usize>,
        second: &Vec<usize>,
        rng: &mut Rng,
    ) -> (Vec<usize>, Vec<usize>) {
        let (one, two) = (rng.below(first.len() + 1), rng.below(second.len() + 1));
        ([&first[..one], &second[two..]].concat(), [&second[..two], &first[one..]].concat())
    }

    fn evaluate(&mut self, generation: &[Vec<usize>], scores: &mut Vec<Score>) -> Result<(), Infallible> {
        scores.extend(generation.iter().map(|calls| {
            let mut needed = self.needed.iter().peekable();
            for call in calls {
                needed.next_if_eq(&call);
            }
            let length = calls.len() as f64;
            let distance = if needed.next().is_some() { 1.0 + self.pressure * length } else { 0.0 };
            Score::new(distance, length)
        }));
        Ok(())
    }
}
