//! Several configurations: Friedman's test, and Nemenyi's for pairs of them.

use std::f64::consts::SQRT_2;

use super::distribution::chi_square_tail;
use super::ranks::rank;
use super::studentized_range::{studentized_range_quantile, studentized_range_tail};

/// The result of Friedman's test.
#[derive(Clone, Debug, PartialEq)]
pub struct Friedman {
    /// Blocks: the things on which all configurations were tried.
    pub blocks: usize,
    /// The mean rank of each configuration; 1 if its value was the smallest in every block.
    pub mean_ranks: Vec<f64>,
    /// The statistic, corrected for ties.
    pub statistic: f64,
    /// The probability of a statistic at least as large, if no configuration differs.
    pub p: f64,
}

/// Whether several configurations differ: `blocks` has a row for each block with one value for each
/// configuration. None without blocks, with fewer than two configurations, with rows of different
/// lengths or with a NaN. If all values of every row are equal, p is 1.
///
/// Friedman, "The use of ranks to avoid the assumption of normality implicit in the analysis of
/// variance" (1937), with the correction for ties that SciPy and R apply.
pub fn friedman(blocks: &[Vec<f64>]) -> Option<Friedman> {
    let groups = blocks.first()?.len();
    if groups < 2 {
        return None;
    }
    let mut sums = vec![0.0; groups];
    let mut ties = 0.0;
    for block in blocks {
        let ranking = rank(block).filter(|it| it.ranks.len() == groups)?;
        ties += ranking.ties;
        sums.iter_mut().zip(ranking.ranks).for_each(|(sum, rank)| *sum += rank);
    }
    let (n, k) = (blocks.len() as f64, groups as f64);
    let middle = n * (k + 1.0) / 2.0;
    let squares: f64 = sums.iter().map(|sum| (sum - middle).powi(2)).sum();
    let scale = n * k * (k + 1.0) - ties / (k - 1.0);
    let statistic = if scale > 0.0 { 12.0 * squares / scale } else { 0.0 };
    Some(Friedman {
        blocks: blocks.len(),
        mean_ranks: sums.iter().map(|sum| sum / n).collect(),
        statistic,
        p: chi_square_tail(statistic, groups - 1),
    })
}

impl Friedman {
    /// Nemenyi's p-value for two configurations by their positions: the probability that the mean
    /// ranks of any two differ as much, if no configuration differs. None without such a position.
    ///
    /// Nemenyi (1963), in the words of Demšar, "Statistical comparisons of classifiers over multiple
    /// data sets" (2006), section 3.2.2.
    pub fn nemenyi(&self, a: usize, b: usize) -> Option<f64> {
        let difference = (self.mean_ranks.get(a)? - self.mean_ranks.get(b)?).abs();
        let range = difference / self.deviation() * SQRT_2;
        Some(studentized_range_tail(range, self.mean_ranks.len()))
    }

    /// The difference of mean ranks above which Nemenyi's p-value is below `alpha`.
    pub fn critical_difference(&self, alpha: f64) -> f64 {
        studentized_range_quantile(alpha, self.mean_ranks.len()) / SQRT_2 * self.deviation()
    }

    /// The standard deviation of a difference of two mean ranks.
    fn deviation(&self) -> f64 {
        let (n, k) = (self.blocks as f64, self.mean_ranks.len() as f64);
        (k * (k + 1.0) / (6.0 * n)).sqrt()
    }
}
