//! Accesses by index in the innermost frame.

use crashback_protocol::{Access, Facts, TargetChain};

use crate::probes::{Probe, ProbeKind};

/// The accesses by index that may have thrown the exception.
#[derive(Clone, Debug, Default)]
pub(crate) struct Accesses {
    /// The place of their frame in the call chain.
    place: u32,
    /// Probes of their bounds, in the order of their numbers, each with the offset of its access.
    bounds: Vec<(u32, u32)>,
}

impl Accesses {
    /// Those of the frame at a place, among its probes.
    pub(crate) fn new(place: u32, probes: &[Probe]) -> Self {
        let bounds = probes.iter().filter(|it| it.kind == ProbeKind::Indexed);
        let mut bounds: Vec<(u32, u32)> = bounds.map(|it| (it.number, it.offset)).collect();
        bounds.sort_unstable();
        Self { place, bounds }
    }

    /// The accesses that an execution made, each with its bounds as they were the last time. A line may
    /// have several accesses; each counts by itself.
    pub(crate) fn made<'f>(
        &'f self,
        facts: &'f Facts,
        chain: &'f TargetChain,
    ) -> impl Iterator<Item = &'f [Access]> {
        // The bounds of an access are told one after the other.
        let is_same = |one: &Access, other: &Access| {
            one.position == other.position
                && self.offset(one).is_some_and(|it| Some(it) == self.offset(other))
        };
        let made = facts.accesses.chunk_by(is_same);
        made.filter(|bounds| {
            let is_here = |it: &Access| chain.innermost(it.position) == Some(self.place);
            bounds.first().is_some_and(|it| self.offset(it).is_some() && is_here(it))
        })
    }

    fn offset(&self, access: &Access) -> Option<u32> {
        let found = self.bounds.binary_search_by_key(&access.probe, |it| it.0).ok()?;
        self.bounds.get(found).map(|it| it.1)
    }
}
