//! Problems whose answers are known, and a driver that lets algorithms solve them.

use std::collections::VecDeque;

use crashback_search::{Algorithm, Operators, Rng, Score};

/// Operators for individuals that have a score.
pub(crate) trait Problem: Operators {
    fn score(&mut self, individual: &Self::Individual) -> Score;
}

/// How questions and answers follow each other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pace {
    /// The most individuals to ask for at a time.
    pub(crate) ask: usize,
    /// The most individuals to tell at a time.
    pub(crate) tell: usize,
    /// Individuals are asked for while fewer than this many wait to be told.
    pub(crate) in_flight: usize,
}

impl Pace {
    /// As many individuals as the algorithm likes are asked for, then all of them are told.
    pub(crate) const GENERATIONS: Self = Self { ask: usize::MAX, tell: usize::MAX, in_flight: 1 };
}

/// Lets an algorithm search until it has found a solution and been told all it asked for, or until
/// it has asked for a number of individuals. Returns these with their scores.
pub(crate) fn drive<P: Problem>(
    algorithm: &mut dyn Algorithm<P::Individual>,
    problem: &mut P,
    evaluations: usize,
    pace: Pace,
) -> Vec<(P::Individual, Score)> {
    let (mut all, mut waiting) = (Vec::new(), VecDeque::new());
    let mut left = evaluations;
    loop {
        let is_solved = algorithm.best().is_some_and(|best| best.score.is_solved());
        while !is_solved && left > 0 && waiting.len() < pace.in_flight {
            let (most, mut asked) = (pace.ask.min(left), Vec::new());
            algorithm.ask(problem, most, &mut asked);
            assert!((1..=most).contains(&asked.len()), "{} of {most}", asked.len());
            left -= asked.len();
            waiting.extend(asked);
        }
        if waiting.is_empty() {
            return all;
        }
        let told = waiting.drain(..pace.tell.min(waiting.len())).map(|it| (problem.score(&it), it));
        let told: Vec<_> = told.map(|(score, it)| (it, score)).collect();
        algorithm.tell(&mut told.iter().cloned());
        all.extend(told);
    }
}

/// Asks for as many individuals as the algorithm likes and tells them. Returns how many.
pub(crate) fn generation<P: Problem>(algorithm: &mut dyn Algorithm<P::Individual>, problem: &mut P) -> usize {
    let mut asked = Vec::new();
    algorithm.ask(problem, usize::MAX, &mut asked);
    let count = asked.len();
    algorithm.tell(&mut asked.into_iter().map(|it| (it.clone(), problem.score(&it))));
    count
}

/// Strings of bits that are to become all ones.
#[derive(Clone, Debug)]
pub(crate) struct Bits {
    pub(crate) length: usize,
    /// The score of a string.
    pub(crate) score: fn(&[bool]) -> f64,
    /// Its secondary score.
    pub(crate) secondary: fn(&[bool]) -> f64,
    /// Objectives beside the score.
    pub(crate) helpers: fn(&[bool]) -> Vec<f64>,
    /// The numbers that `random` was given, in order.
    pub(crate) progress: Vec<f64>,
}

impl Bits {
    pub(crate) fn new(length: usize, score: fn(&[bool]) -> f64) -> Self {
        Self { length, score, secondary: |_| 0.0, helpers: |_| Vec::new(), progress: Vec::new() }
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

    /// The same with many objectives: the zeros of each block.
    pub(crate) fn guided_traps(length: usize) -> Self {
        Self { helpers: |bits| bits.chunks(4).map(zeros).collect(), ..Self::traps(length) }
    }

    /// The same for every string: nothing to be found.
    pub(crate) fn flat(length: usize) -> Self {
        Self::new(length, |_| 1.0)
    }
}

pub(crate) fn zeros(bits: &[bool]) -> f64 {
    bits.iter().filter(|bit| !**bit).count() as f64
}

impl Operators for Bits {
    type Individual = Vec<bool>;

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
}

impl Problem for Bits {
    fn score(&mut self, bits: &Vec<bool>) -> Score {
        let mut score = Score::new((self.score)(bits), (self.secondary)(bits));
        score.objectives.extend((self.helpers)(bits));
        score
    }
}

/// Sequences of calls that must contain certain calls in a certain order. The score does not tell
/// how many of them are there already.
#[derive(Clone)]
pub(crate) struct Calls {
    /// How many different calls there are.
    pub(crate) kinds: usize,
    /// The calls that must be there.
    pub(crate) needed: Vec<usize>,
    /// How much each call adds to the objective of a sequence that is no solution.
    pub(crate) pressure: f64,
}

impl Operators for Calls {
    type Individual = Vec<usize>;

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
}

impl Problem for Calls {
    fn score(&mut self, calls: &Vec<usize>) -> Score {
        let mut needed = self.needed.iter().peekable();
        for call in calls {
            needed.next_if_eq(&call);
        }
        let length = calls.len() as f64;
        let distance = if needed.next().is_some() { 1.0 + self.pressure * length } else { 0.0 };
        Score::new(distance, length)
    }
}
