//! SPEA2 (Zitzler, Laumanns, Thiele: SPEA2: Improving the Strength Pareto Evolutionary Algorithm,
//! 2001).
//!
//! The archive of the paper is the population here, and its population are the children of a
//! generation; both have the same size. Objectives are scaled to their ranges before distances are
//! taken, so that objectives of different kinds count alike.
//!
//! Parameters: population, crossover, tournaments of two.

use crate::generation::Generational;
use crate::sorting::{Sorted, Sorting};
use crate::vectors::Vectors;
use crate::{Member, Settings, strength};

/// A population that is bred by strength and density.
pub(crate) type Spea2<I> = Generational<I, Sorted<Strong>>;

/// The order by fitness, after environmental selection.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Strong;

impl<I> Sorting<I> for Strong {
    const TOURNAMENT: usize = 2;

    fn new(_: &Settings) -> Self {
        Self
    }

    /// The environmental selection (section 3.2): all that no other dominates, filled up with the
    /// fittest of the others, or truncated.
    fn order(&mut self, members: &[Member<I>], size: usize) -> Vec<usize> {
        let vectors = Vectors::of(members);
        let fitness = strength::among(&vectors);
        let mut order: Vec<(f64, usize)> = fitness.into_iter().zip(0..).collect();
        order.sort_unstable_by(|left, right| left.0.total_cmp(&right.0).then(left.1.cmp(&right.1)));
        let undominated = order.partition_point(|it| it.0 < 1.0);
        if undominated <= size {
            order.truncate(size);
            return order.into_iter().map(|(_, place)| place).collect();
        }
        order.truncate(undominated);
        let mut places: Vec<usize> = order.into_iter().map(|(_, place)| place).collect();
        let dropped = strength::crowded_out(&vectors, places.clone(), size);
        places.retain(|place| !dropped.get(*place).copied().unwrap_or(false));
        places
    }
}
