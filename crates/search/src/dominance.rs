//! Pareto dominance: one vector of objectives dominates another if it is worse in none of them and
//! better in at least one.
//!
//! Lower is better. An objective that is NaN or missing counts as infinite, as it does in a
//! [`Score`](crate::Score), so that vectors of any lengths can be compared.

use std::cmp::Ordering;

use crate::score::objective;

/// Compares two vectors: `Less` if the first dominates the second, `Greater` if the second
/// dominates the first, `Equal` if all objectives are equal, and `None` if each is better
/// somewhere.
pub fn compare(first: &[f64], second: &[f64]) -> Option<Ordering> {
    let mut sum = Ordering::Equal;
    for place in 0..first.len().max(second.len()) {
        let here = objective(first, place).total_cmp(&objective(second, place));
        if sum == Ordering::Equal {
            sum = here;
        } else if here == sum.reverse() {
            return None;
        }
    }
    Some(sum)
}

/// Whether the first vector dominates the second.
pub fn dominates(first: &[f64], second: &[f64]) -> bool {
    compare(first, second) == Some(Ordering::Less)
}

/// Whether the first vector dominates the second, both without NaN and of one length.
pub(crate) fn dominates_clean(first: &[f64], second: &[f64]) -> bool {
    first.iter().zip(second).all(|(left, right)| left <= right) && first != second
}
