//! Whether carved tests help an arm, and what for.

use std::time::Duration;

use crashback_testcase::workshop::PoolUse;

use crate::schedule::Bandit;

/// Number of a way to use carved tests.
pub(crate) type PoolUseId = usize;

/// Tests of a stint. Shorter than those of pursuits, so that each pursuit meets all ways.
const STINT: u64 = 300;

/// The ways, the first of which leads.
const USES: [(&str, PoolUse); 4] = [
    ("clones-and-objects", PoolUse { clones: true, objects: true }),
    ("clones", PoolUse { clones: true, objects: false }),
    ("objects", PoolUse { clones: false, objects: true }),
    ("none", PoolUse { clones: false, objects: false }),
];

/// What one arm uses carved tests for. Test seeding helps with some crashes and hinders with others
/// (Derakhshanfar et al. 2020), so that a bandit learns it: ways take turns, and those whose tests removed
/// most of the crash distance lately get more of them.
pub(crate) struct PoolUses {
    bandit: Bandit,
    figures: [Figures; USES.len()],
    has_tests: bool,
}

#[derive(Clone, Copy, Debug, Default)]
struct Figures {
    tests: u64,
    steps: u64,
}

/// A way in figures.
pub(crate) struct UseShare {
    pub(crate) name: &'static str,
    /// Tests executed so.
    pub(crate) tests: u64,
    /// How often one of them came nearer to the crash than all of the arm before it.
    pub(crate) steps: u64,
}

impl PoolUses {
    /// Nothing is known yet. Without carved tests there is nothing to learn.
    pub(crate) fn new(has_tests: bool, is_timed: bool) -> Self {
        let bandit = Bandit::with_stint(USES.len(), is_timed, STINT);
        Self { bandit, figures: Default::default(), has_tests }
    }

    /// Decides what carved tests are used for now; none if there are none.
    pub(crate) fn choose(&mut self, elapsed: Duration) -> Option<(PoolUseId, PoolUse)> {
        let chosen = self.has_tests.then(|| self.bandit.choose(elapsed))?;
        USES.get(chosen).map(|(_, pool)| (chosen, *pool))
    }

    /// So many tests are made in the way that was chosen last.
    pub(crate) fn asked(&mut self, tests: usize) {
        self.bandit.asked(tests);
    }

    /// Tests that were made in a way removed this share of the crash distance.
    pub(crate) fn tell(&mut self, chosen: PoolUseId, tests: usize, share: f64) {
        if let Some(figures) = self.figures.get_mut(chosen) {
            figures.tests += tests as u64;
            figures.steps += u64::from(share > 0.0);
        }
        self.bandit.reward(chosen, share);
    }

    /// All ways in figures.
    pub(crate) fn shares(&self) -> impl Iterator<Item = UseShare> {
        let shares = USES.iter().zip(self.figures);
        shares.map(|((name, _), Figures { tests, steps })| UseShare { name, tests, steps })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_way_that_helps_gets_most_tests() {
        let mut uses = PoolUses::new(true, false);
        for _ in 0..200 {
            let (chosen, pool) = uses.choose(Duration::ZERO).unwrap();
            uses.asked(STINT as usize);
            let helps = pool.clones && !pool.objects;
            uses.tell(chosen, STINT as usize, if helps { 0.5 } else { 0.0 });
        }
        let tests: Vec<u64> = uses.shares().map(|it| it.tests).collect();
        assert!([0, 2, 3].iter().all(|it| tests[1] > 2 * tests[*it]), "{tests:?}");
        assert!(tests.iter().all(|it| *it > 0), "no way is forgotten: {tests:?}");
    }

    #[test]
    fn without_tests_nothing_is_chosen() {
        assert_eq!(PoolUses::new(false, false).choose(Duration::ZERO), None);
    }
}
