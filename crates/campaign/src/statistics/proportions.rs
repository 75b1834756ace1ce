//! Successes of two configurations: the odds ratio, and whether the difference is significant.

use serde::Serialize;

/// Added to each cell of the table, so that neither a numerator nor a denominator is 0.
const CORRECTION: f64 = 0.5;
/// Tables whose probabilities differ by less than this factor count as equally likely, because
/// rounding hides smaller differences. R has the same one.
const EQUALLY_LIKELY: f64 = 1.0 + 1e-7;

/// How many of some runs succeeded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Proportion {
    successes: u64,
    runs: u64,
}

impl Proportion {
    /// So many of so many; more successes than runs count as that many runs.
    pub fn new(successes: usize, runs: usize) -> Self {
        // A part of the range, so that sums of two do not overflow.
        let number = |it: usize| u64::try_from(it).unwrap_or(u64::MAX).min(u64::MAX / 4);
        Self { successes: number(successes.min(runs)), runs: number(runs) }
    }

    /// Runs that succeeded.
    pub fn successes(self) -> u64 {
        self.successes
    }

    /// All runs.
    pub fn runs(self) -> u64 {
        self.runs
    }

    /// The successes' share, from 0 to 1; none without runs.
    pub fn share(self) -> Option<f64> {
        (self.runs > 0).then(|| self.successes as f64 / self.runs as f64)
    }

    fn failures(self) -> u64 {
        self.runs.saturating_sub(self.successes)
    }

    fn corrected_odds(self) -> f64 {
        (self.successes as f64 + CORRECTION) / (self.failures() as f64 + CORRECTION)
    }
}

/// The odds of success of `a`, divided by those of `b`, with 0.5 added to each of the four cells:
/// above 1 if `a` succeeds more often.
///
/// Xiang, "Fit2Crash" (2020), section 5.1.2, with ρ = 0.5, after Arcuri and Briand (2014).
pub fn odds_ratio(a: Proportion, b: Proportion) -> f64 {
    a.corrected_odds() / b.corrected_odds()
}

/// The p-value of Fisher's exact test, two-sided: the probability, if both succeed equally often, of
/// all tables with the same sums that are at most as likely as the observed one. 1 if one of them
/// has no runs.
pub fn fisher_exact(a: Proportion, b: Proportion) -> f64 {
    let successes = a.successes + b.successes;
    let lowest = successes.saturating_sub(b.runs);
    let highest = successes.min(a.runs);
    let observed = a.successes.clamp(lowest, highest);
    // Relative to the most likely table, where the weights of both sides fall from 1 towards 0.
    let mode = (u128::from(a.runs) + 1) * (u128::from(successes) + 1)
        / (u128::from(a.runs) + u128::from(b.runs) + 2);
    let mode = u64::try_from(mode).unwrap_or(u64::MAX).clamp(lowest, highest);
    // The factor from the weight of `cell - 1` to that of `cell`.
    let step = |cell: u64| {
        let more = (a.runs - cell + 1) as f64 * (successes - cell + 1) as f64;
        more / (cell as f64 * (b.runs + cell - successes) as f64)
    };
    let mut weights = vec![(mode, 1.0)];
    let mut weight = 1.0;
    for cell in mode + 1..=highest {
        weight *= step(cell);
        weights.push((cell, weight));
    }
    weight = 1.0;
    for cell in (lowest..mode).rev() {
        weight /= step(cell + 1);
        weights.push((cell, weight));
    }
    let of_observed = weights.iter().find(|(cell, _)| *cell == observed).map_or(1.0, |(_, weight)| *weight);
    let limit = of_observed * EQUALLY_LIKELY;
    // The smallest first, so that small ones are not lost beside large ones.
    weights.sort_unstable_by(|(_, a), (_, b)| a.total_cmp(b));
    let sum: f64 = weights.iter().map(|(_, weight)| weight).sum();
    let at_most_as_likely: f64 = weights.iter().map(|(_, weight)| weight).filter(|it| **it <= limit).sum();
    (at_most_as_likely / sum).clamp(0.0, 1.0)
}
