//! Wilcoxon's rank-sum test, also known as the test of Mann and Whitney.

use serde::Serialize;

use super::distribution::normal_tail;
use super::ranks::rank_together;

/// Samples below this size, without ties, are tested exactly. R draws the line at the same place.
const EXACT_BELOW: usize = 50;

/// How a p-value was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// From the distribution of U itself.
    Exact,
    /// From the normal distribution with the same variance.
    Normal,
}

/// The result of a rank-sum test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct RankSum {
    /// Pairs of values in which that of the first sample is larger, ties counted half.
    pub u: f64,
    /// The probability of a U at least as far from the middle, if both samples are of one
    /// distribution.
    pub p: f64,
    /// How the probability was found.
    pub method: Method,
}

/// Whether two samples differ, two-sided. None if one of them is empty or has a NaN.
///
/// The test is exact if both samples have fewer than 50 values and no two values are equal.
/// Otherwise U is compared with the normal distribution, with the variance corrected for ties and
/// the distance from the middle made smaller by 1/2, as R's `wilcox.test` does by default. If all
/// values are equal, p is 1.
///
/// Mann and Whitney, "On a test of whether one of two random variables is stochastically larger than
/// the other" (1947).
pub fn rank_sum(a: &[f64], b: &[f64]) -> Option<RankSum> {
    let (sum, ties) = rank_together(a, b)?;
    let (m, n) = (a.len() as f64, b.len() as f64);
    let u = sum - m * (m + 1.0) / 2.0;
    let is_exact = ties == 0.0 && a.len() < EXACT_BELOW && b.len() < EXACT_BELOW;
    let (p, method) = if is_exact {
        (exact(u.min(m * n - u) as usize, a.len(), b.len()), Method::Exact)
    } else {
        (approximate(u, m, n, ties), Method::Normal)
    };
    Some(RankSum { u, p, method })
}

/// Twice the probability of a U of at most `u`, which is in the lower half.
fn exact(u: usize, m: usize, n: usize) -> f64 {
    let orders = orders(u, m, n);
    // The number of ways to choose m of m + n ranks.
    let all = (1..=m).fold(1.0, |ways, it| ways * (n + it) as f64 / it as f64);
    (2.0 * orders.iter().sum::<f64>() / all).min(1.0)
}

/// For each U up to `u` the number of orders of both samples that lead to it.
///
/// A U of the first `m` is a partition of it into at most `m` parts of at most `n`, and the number
/// for (m, n) is that for (m - 1, n) at U - n and that for (m, n - 1) at U.
fn orders(u: usize, m: usize, n: usize) -> Vec<f64> {
    let none = || {
        let mut counts = vec![0.0; u + 1];
        counts.first_mut().into_iter().for_each(|it| *it = 1.0);
        counts
    };
    // Rows for 0 to m values of the first sample, as values of the second are added one by one.
    let mut rows: Vec<Vec<f64>> = (0..=m).map(|_| none()).collect();
    for added in 1..=n {
        for row in 1..=m {
            let (before, from) = rows.split_at_mut(row);
            let (Some(shorter), Some(counts)) = (before.last(), from.first_mut()) else { continue };
            for (count, more) in counts.iter_mut().skip(added).zip(shorter) {
                *count += more;
            }
        }
    }
    rows.pop().unwrap_or_default()
}

fn approximate(u: f64, m: f64, n: f64, ties: f64) -> f64 {
    let all = m + n;
    let variance = m * n / 12.0 * ((all + 1.0) - ties / (all * (all - 1.0)));
    if variance <= 0.0 {
        return 1.0;
    }
    let distance = ((u - m * n / 2.0).abs() - 0.5).max(0.0);
    (2.0 * normal_tail(distance / variance.sqrt())).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_gaussian_binomial_coefficients() {
        // (2 + 3 choose 2) in q: 1 + q + 2q² + 2q³ + 2q⁴ + q⁵ + q⁶.
        assert_eq!(orders(6, 2, 3), [1.0, 1.0, 2.0, 2.0, 2.0, 1.0, 1.0]);
        assert_eq!(orders(3, 2, 3), [1.0, 1.0, 2.0, 2.0]);
        let all: f64 = orders(49 * 49, 49, 49).iter().sum();
        assert!((all / 25_477_612_258_980_856_902_730_428_600.0 - 1.0).abs() < 1e-13, "{all}");
    }
}
