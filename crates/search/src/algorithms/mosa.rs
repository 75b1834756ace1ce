//! Guided MOSA with primary and helper objectives (Panichella, Kifetew, Tonella: Reformulating
//! Branch Coverage as a Many-Objective Optimization Problem, 2015; for crashes, a master's thesis
//! on crash-specific fitness functions in Botsing, section 4.2.5). The guidance lies in the
//! operators.
//!
//! The primary objective is the distance: a distance of 0 is a solution, whatever the helpers say.
//! Therefore the distance always takes part, also if the objectives do not contain it, and never
//! counts as reached.
//!
//! Parameters: population, crossover, tournaments of ten, [density and
//! helpers](crate::MosaSettings).

use crate::archive::BestPerObjective;
use crate::generation::Generational;
use crate::score::objective;
use crate::sorting::{Sorted, Sorting, take_sparse};
use crate::vectors::{Vectors, width};
use crate::{Density, Dependence, Member, MosaSettings, Settings, crowding, density, preference};

/// A population that is bred by preference and dominance, with all helpers from the beginning.
pub(crate) type Mosa<I> = Generational<I, Sorted<Preferred<I>>>;

/// The order of MOSA: the nearest to each objective first, then by fronts.
#[derive(Clone, Debug)]
pub(crate) struct Preferred<I> {
    settings: MosaSettings,
    dependence: Dependence,
    /// The best members for each objective, which tell the objectives that are reached.
    archive: BestPerObjective<I>,
}

impl<I: Clone> Preferred<I> {
    /// An order in which objectives may wait for others.
    pub(crate) fn dependent(settings: &Settings, dependence: Dependence) -> Self {
        Self { settings: settings.mosa, dependence, archive: BestPerObjective::new() }
    }

    /// The objectives that take part beside the distance.
    fn helpers(&self, members: &[Member<I>]) -> Vec<usize> {
        let is_reached = |number: usize| self.archive.is_reached(number);
        let is_distance = |member: &Member<I>| objective(member.as_ref(), 0) == member.score.primary();
        let first = usize::from(members.iter().all(is_distance));
        let helpers = (first..width(members)).filter(|it| self.dependence.is_active(*it, is_reached));
        helpers.filter(|it| self.settings.keeps_reached || !is_reached(*it)).collect()
    }
}

impl<I: Clone> Sorting<I> for Preferred<I> {
    const TOURNAMENT: usize = 10;

    fn new(settings: &Settings) -> Self {
        Self::dependent(settings, Dependence::default())
    }

    fn clear(&mut self) {
        self.archive = BestPerObjective::new();
    }

    fn note(&mut self, newcomers: &[Member<I>]) {
        for member in newcomers {
            self.archive.offer(member);
        }
    }

    fn forget(&mut self, is_discarded: &mut dyn FnMut(&Member<I>) -> bool) {
        self.archive.retain(|member| !is_discarded(member));
    }

    fn order(&mut self, members: &[Member<I>], size: usize) -> Vec<usize> {
        let helpers = self.helpers(members);
        let vectors = Vectors::new(helpers.len() + 1, members.len(), |place, row| {
            let Some(member) = members.get(place) else { return };
            row.push(member.score.primary());
            row.extend(helpers.iter().map(|number| objective(member.as_ref(), *number)));
        });
        let secondary = |place: usize| members.get(place).map_or(f64::INFINITY, |it| it.score.secondary);
        let mut survivors = Vec::with_capacity(size.min(members.len()));
        for front in preference::among(&vectors, secondary, size) {
            if survivors.len() >= size {
                break;
            }
            let sparsity = match self.settings.density {
                Density::Crowding => crowding::among(&vectors, &front),
                Density::SubvectorDominance => density::among(&vectors, &front),
            };
            take_sparse(&front, &sparsity, size, &mut survivors);
        }
        survivors
    }
}
