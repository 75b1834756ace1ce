use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Which objectives are pursued only once others are reached.
///
/// An objective that depends on others waits until one of them is reached, as a branch can be
/// reached only through one of the branches on which it is control dependent (Panichella, Kifetew,
/// Tonella: Automated Test Case Generation as a Many-Objective Optimisation Problem with Dynamic
/// Selection of the Targets, 2018). Objectives in a circle that no other objective leads into wait
/// for none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dependence {
    /// Objectives that wait, with those on which they depend.
    awaited: Arc<BTreeMap<usize, Vec<usize>>>,
}

impl Dependence {
    /// The dependence with pairs of objectives, by their places in a [score](crate::Score), the
    /// second of which becomes active once the first is reached.
    pub fn new(pairs: impl IntoIterator<Item = (usize, usize)>) -> Self {
        let pairs: BTreeSet<(usize, usize)> = pairs.into_iter().filter(|(on, it)| on != it).collect();
        let mut awaited: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (on, it) in &pairs {
            awaited.entry(*it).or_default().push(*on);
        }
        let all: BTreeSet<usize> = pairs.iter().flat_map(|(on, it)| [*on, *it]).collect();
        let below: BTreeMap<usize, BTreeSet<usize>> =
            all.iter().map(|it| (*it, below(*it, &pairs))).collect();
        let leads = |on: usize, to: usize| below.get(&on).is_some_and(|below| below.contains(&to));
        awaited.retain(|it, _| all.iter().any(|on| leads(*on, *it) && !leads(*it, *on)));
        Self { awaited: Arc::new(awaited) }
    }

    /// Whether an objective is pursued, given those that are reached.
    pub fn is_active(&self, objective: usize, is_reached: impl Fn(usize) -> bool) -> bool {
        self.awaited.get(&objective).is_none_or(|awaited| awaited.iter().any(|it| is_reached(*it)))
    }
}

/// The objectives that directly or indirectly wait for one.
fn below(on: usize, pairs: &BTreeSet<(usize, usize)>) -> BTreeSet<usize> {
    let (mut open, mut below) = (vec![on], BTreeSet::new());
    while let Some(on) = open.pop() {
        let next = pairs.range((on, 0)..=(on, usize::MAX)).map(|(_, it)| *it);
        open.extend(next.filter(|it| below.insert(*it)));
    }
    below
}
