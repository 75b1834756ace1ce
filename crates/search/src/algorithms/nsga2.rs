//! Guided NSGA-II (Soltani, Derakhshanfar, Panichella, Devroey, Zaidman, van Deursen:
//! Single-objective versus Multi-Objectivized Optimization for Evolutionary Crash Reproduction,
//! 2018, section 3.2, after Deb, Pratap, Agarwal, Meyarivan: A Fast and Elitist Multiobjective
//! Genetic Algorithm: NSGA-II, 2002). The guidance lies in the operators.
//!
//! Parameters: population, crossover, tournaments of two.

use crate::generation::Generational;
use crate::sorting::{Sorted, Sorting, take_sparse};
use crate::vectors::Vectors;
use crate::{Member, Settings, crowding, fronts};

/// A population that is bred by fronts and, within a front, by crowding distance.
pub(crate) type NsgaII<I> = Generational<I, Sorted<Crowded>>;

/// The crowded comparison (section III B of the paper of 2002).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Crowded;

impl<I> Sorting<I> for Crowded {
    const TOURNAMENT: usize = 2;

    fn new(_: &Settings) -> Self {
        Self
    }

    fn order(&mut self, members: &[Member<I>], size: usize) -> Vec<usize> {
        let vectors = Vectors::of(members);
        let mut survivors = Vec::with_capacity(size.min(members.len()));
        for front in fronts::among(&vectors, (0..members.len()).collect()) {
            if survivors.len() >= size {
                break;
            }
            take_sparse(&front, &crowding::among(&vectors, &front), size, &mut survivors);
        }
        survivors
    }
}
