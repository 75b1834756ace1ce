//! DynaMOSA (Panichella, Kifetew, Tonella: Automated Test Case Generation as a Many-Objective
//! Optimisation Problem with Dynamic Selection of the Targets, 2018): [MOSA](super::mosa) in which
//! a helper objective takes part once an objective on which it [depends](crate::Dependence) is
//! reached. Without dependence it is MOSA.
//!
//! Parameters: those of MOSA, and the dependence.

use super::mosa::Preferred;
use crate::generation::Generational;
use crate::sorting::{Sorted, Sorting};
use crate::{Member, Settings};

/// A population that is bred by preference and dominance, with the helpers whose turn has come.
pub(crate) type DynaMosa<I> = Generational<I, Sorted<Dependent<I>>>;

/// The order of MOSA with the dependence of the settings.
#[derive(Clone, Debug)]
pub(crate) struct Dependent<I>(Preferred<I>);

impl<I: Clone> Sorting<I> for Dependent<I> {
    const TOURNAMENT: usize = <Preferred<I> as Sorting<I>>::TOURNAMENT;

    fn new(settings: &Settings) -> Self {
        Self(Preferred::dependent(settings, settings.dependence.clone()))
    }

    fn clear(&mut self) {
        self.0.clear();
    }

    fn note(&mut self, newcomers: &[Member<I>]) {
        self.0.note(newcomers);
    }

    fn forget(&mut self, is_discarded: &mut dyn FnMut(&Member<I>) -> bool) {
        self.0.forget(is_discarded);
    }

    fn order(&mut self, members: &[Member<I>], size: usize) -> Vec<usize> {
        self.0.order(members, size)
    }
}
