//! Ranks of values, and how many of them are tied.

/// Values in the order of their size.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Ranking {
    /// The rank of each value, from 1 for the smallest; equal values share the mean of their ranks.
    pub(super) ranks: Vec<f64>,
    /// The sum of t³ - t over all groups of t equal values; 0 without ties.
    pub(super) ties: f64,
}

/// Ranks values; none if one of them is NaN.
pub(super) fn rank(values: &[f64]) -> Option<Ranking> {
    if values.iter().any(|it| it.is_nan()) {
        return None;
    }
    let mut order: Vec<(f64, usize)> = values.iter().copied().zip(0..).collect();
    order.sort_by(|(a, _), (b, _)| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
    let mut ranks = Vec::with_capacity(values.len());
    let (mut before, mut ties) = (0.0, 0.0);
    for equal in order.chunk_by(|(a, _), (b, _)| a == b) {
        let count = equal.len() as f64;
        let mean = before + (count + 1.0) / 2.0;
        ranks.extend(equal.iter().map(|(_, position)| (*position, mean)));
        before += count;
        ties += count * (count * count - 1.0);
    }
    ranks.sort_unstable_by_key(|(position, _)| *position);
    Some(Ranking { ranks: ranks.into_iter().map(|(_, rank)| rank).collect(), ties })
}

/// Ranks two samples together: the sum of the first one's ranks, and the ties; none if one of the
/// samples is empty or has a NaN.
pub(super) fn rank_together(a: &[f64], b: &[f64]) -> Option<(f64, f64)> {
    if a.is_empty() || b.is_empty() {
        return None;
    }
    let Ranking { ranks, ties } = rank(&[a, b].concat())?;
    Some((ranks.iter().take(a.len()).sum(), ties))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_share_the_mean_of_their_ranks() {
        let ranking = rank(&[5.0, 1.0, 5.0, -0.0, 0.0, 5.0]).expect("a ranking");
        assert_eq!(ranking.ranks, [5.0, 3.0, 5.0, 1.5, 1.5, 5.0]);
        assert_eq!(ranking.ties, 24.0 + 6.0);
        assert_eq!(rank(&[]), Some(Ranking::default()));
        assert_eq!(rank(&[1.0, f64::NAN]), None);
    }
}
