//! How near instructions came to throwing by themselves: an index to its bound, a divisor to 0; and how
//! near a recursion came to exhausting the stack.

use crate::probes::{Probe, ProbeKind};
use crate::seen::Seen;

/// The depth of a recursion that counts as half-way to an overflow. Workers tell depths up to 256, and
/// around this one differences between depths count most.
const HALF_WAY: f64 = 16.0;

/// The instructions of a frame that throw if their operands are wrong.
#[derive(Clone, Debug, Default)]
pub(crate) struct Throwing {
    /// The place of the frame in the call chain.
    place: u32,
    /// Numbers of the probes at them.
    probes: Vec<u32>,
}

impl Throwing {
    /// Those of the frame at a place, among its probes.
    pub(crate) fn new(place: u32, probes: &[Probe]) -> Self {
        let throwing = probes.iter().filter(|it| it.kind == ProbeKind::Throw);
        Self { place, probes: throwing.map(|it| it.number).collect() }
    }

    /// The distance of an execution from overflowing the stack by running through a cycle of calls: the
    /// deeper it is nested, the smaller. It is never 0, since only the JVM knows how much stack is left.
    pub(crate) fn overflow_distance(seen: &Seen<'_>) -> f64 {
        HALF_WAY / f64::from(seen.facts.depth).max(1.0)
    }

    /// The distance of the nearest from throwing; infinite if none ran.
    pub(crate) fn distance(&self, seen: &Seen<'_>) -> f64 {
        if self.probes.is_empty() {
            return f64::INFINITY;
        }
        let branches = seen.facts.branches.iter();
        let watched = branches
            .filter(|it| self.probes.contains(&it.probe) && seen.place(it.position) == Some(self.place));
        watched.map(|it| it.to_jump).fold(f64::INFINITY, f64::min)
    }
}

#[cfg(test)]
mod tests {
    use crashback_protocol::{Facts, TargetChain};

    use super::*;

    #[test]
    fn the_deeper_a_recursion_the_nearer_is_the_overflow() {
        let chain = TargetChain::default();
        let distance = |depth| {
            let facts = Facts { depth, ..Facts::default() };
            Throwing::overflow_distance(&Seen::new(&facts, &chain))
        };
        let distances = [1, 2, 3, 10, 100, 256].map(distance);
        assert!(distances.is_sorted_by(|before, after| before > after), "{distances:?}");
        assert!(distances.iter().all(|it| *it > 0.0));
    }
}
