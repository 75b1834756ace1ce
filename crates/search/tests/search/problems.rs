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

    /// Blocks of four bits, each of which looks the better the more zeros it has, until it is all ones (Goldberg's deceptive traps).
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
