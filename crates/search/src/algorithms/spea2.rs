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

    fn order(&mut self, members: &[Member<I>], size: usize) -> Vec<usize> {
        strength::select(&Vectors::of(members), size)
    }
}
