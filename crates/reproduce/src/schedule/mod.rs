//! Which arm runs next, and with how many tests.
//!
//! An *arm* is a goal that can be pursued: a frame, and where the exception is looked for. The scheduler
//! sees of arms only what is in [`ArmFacts`], is told what came of their tests, and answers with [`Turn`]s.
//! It evaluates nothing, reads no clock and draws no chance: equal reports give equal turns. How turns are
//! dealt out is a [`Policy`] of its own; which of an arm's pursuits uses a turn is for its [`Bandit`].

mod bandit;
mod pace;
mod rounds;

use std::time::Duration;

use crate::Degree;

pub(crate) use bandit::Bandit;
pub(crate) use pace::Pace;
pub(crate) use rounds::Rounds;

/// Number of an arm.
pub(crate) type ArmId = usize;

/// What turns depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ArmFacts {
    /// The target frame, 1 for the innermost.
    pub(crate) level: u32,
    /// Where the exception is looked for.
    pub(crate) degree: Degree,
    /// A fallback runs only after the other arms had a turn.
    pub(crate) is_fallback: bool,
    /// Whether a test can call the method of the frame itself.
    pub(crate) is_callable: bool,
    /// How many values a test must make before it can enter the frame.
    pub(crate) burden: u32,
    /// Whether such a call takes a text or bytes, and nothing that is hard to make: what chance, the
    /// dictionary and comparisons find is then all that a test needs.
    pub(crate) takes_plain_input: bool,
    /// Frames that are entered by the same calls have the same number.
    pub(crate) entries: usize,
}

#[cfg(test)]
impl ArmFacts {
    /// Those of a frame that is called directly.
    pub(crate) fn of(level: u32, degree: Degree) -> Self {
        let (burden, entries) = (9, level as usize);
        let (is_callable, takes_plain_input) = (true, false);
        Self { level, degree, is_fallback: false, is_callable, burden, takes_plain_input, entries }
    }
}

/// An arm as policies see it.
#[derive(Clone, Debug)]
pub(crate) struct ArmState {
    pub(crate) facts: ArmFacts,
    /// Whether there is nothing that could be searched: no entry, no values.
    pub(crate) is_blocked: bool,
    /// Whether a test of it waits to be confirmed; until then it needs no further tests.
    pub(crate) is_pending: bool,
    /// Whether a better test than any of this arm's is known.
    pub(crate) is_needless: bool,
    /// Tests asked of it.
    pub(crate) asked: u64,
    /// Tests that it was told of, and how many of them since its distance got smaller.
    pub(crate) told: u64,
    pub(crate) stagnant: u64,
    /// The smallest distance so far.
    pub(crate) distance: f64,
}

impl ArmState {
    fn new(facts: ArmFacts) -> Self {
        Self {
            facts,
            is_blocked: false,
            is_pending: false,
            is_needless: false,
            asked: 0,
            told: 0,
            stagnant: 0,
            distance: f64::INFINITY,
        }
    }

    /// Whether tests of it are worth running.
    pub(crate) fn is_open(&self) -> bool {
        !self.is_blocked && !self.is_needless
    }

    /// Whether tests of it are worth running now.
    pub(crate) fn is_ready(&self) -> bool {
        self.is_open() && !self.is_pending
    }
}

/// How far a reproduction has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Now {
    /// Since the clock started.
    pub(crate) elapsed: Duration,
    /// When the search must end.
    pub(crate) until: Duration,
}

/// What an arm may do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Turn {
    pub(crate) arm: ArmId,
    /// How many tests to ask of it.
    pub(crate) tests: usize,
    /// Whether another arm, or none, ran before it.
    pub(crate) is_first: bool,
    /// Whether its algorithm should begin anew: it has not come nearer for long.
    pub(crate) restarts: bool,
}

/// Deals out turns.
pub(crate) trait Policy {
    /// The arm that runs next, and the most tests that it may ask for; none if nothing is worth
    /// running now.
    fn next(&mut self, arms: &[ArmState], now: Now) -> Option<(ArmId, u64)>;
}

/// When an arm that comes no nearer begins anew: after as many tests as it took to come where it is,
/// times a factor, and never before a number of tests. So an arm that got far by small steps is given
/// time, and one whose first population led nowhere is not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Patience {
    /// The fewest tests without progress.
    pub(crate) tests: u64,
    /// How many times as many as before.
    pub(crate) factor: f64,
}

impl Default for Patience {
    fn default() -> Self {
        Self { tests: 4_000, factor: 1.5 }
    }
}

/// The one who decides.
pub(crate) struct Scheduler {
    arms: Vec<ArmState>,
    policy: Box<dyn Policy>,
    patience: Patience,
    /// The most tests to be asked of all arms: as the user says, and until the search ends for now.
    most: Option<u64>,
    evaluations: Option<u64>,
    asked: u64,
    last: Option<ArmId>,
}

impl Scheduler {
    /// A scheduler of arms, innermost frame first.
    pub(crate) fn new(
        arms: impl IntoIterator<Item = ArmFacts>,
        policy: Box<dyn Policy>,
        patience: Patience,
        evaluations: Option<u64>,
    ) -> Self {
        let arms = arms.into_iter().map(ArmState::new).collect();
        Self { arms, policy, patience, most: evaluations, evaluations, asked: 0, last: None }
    }

    /// The next turn, of `most` tests at most; none if nothing is worth running now, or time or tests
    /// are used up. Its tests count as asked.
    pub(crate) fn next(&mut self, most: usize, now: Now) -> Option<Turn> {
        let left = self.evaluations.map_or(u64::MAX, |it| it.saturating_sub(self.asked));
        if left == 0 || now.elapsed >= now.until {
            return None;
        }
        let (arm, allowed) = self.policy.next(&self.arms, now)?;
        let tests = usize::try_from(allowed.min(left)).unwrap_or(usize::MAX).min(most).max(1);
        let is_first = self.last.replace(arm) != Some(arm);
        let state = self.arms.get_mut(arm)?;
        let restarts = state.stagnant > self.patience.tests
            && state.stagnant as f64 > self.patience.factor * (state.told - state.stagnant) as f64;
        if restarts {
            state.stagnant = 0;
        }
        Some(Turn { arm, tests, is_first, restarts })
    }

    /// Where tests are counted, no more than so many are asked from now on.
    pub(crate) fn end_after(&mut self, tests: u64) {
        self.evaluations = self.most.map(|it| it.min(self.asked.saturating_add(tests)));
    }

    /// An arm has asked for so many tests.
    pub(crate) fn asked(&mut self, arm: ArmId, tests: usize) {
        self.asked += tests as u64;
        if let Some(state) = self.arms.get_mut(arm) {
            state.asked += tests as u64;
        }
    }

    /// So many tests of an arm were told, the nearest of which is so far.
    pub(crate) fn told(&mut self, arm: ArmId, tests: usize, distance: f64) {
        let Some(state) = self.arms.get_mut(arm) else { return };
        state.told += tests as u64;
        state.stagnant += tests as u64;
        self.came_nearer(arm, distance);
    }

    /// A test of any arm is so far from the crash at an arm's frame.
    pub(crate) fn came_nearer(&mut self, arm: ArmId, distance: f64) {
        let Some(state) = self.arms.get_mut(arm) else { return };
        if distance < state.distance {
            state.distance = distance;
            state.stagnant = 0;
        }
    }

    /// There is nothing to search with an arm.
    pub(crate) fn block(&mut self, arm: ArmId) {
        if let Some(state) = self.arms.get_mut(arm) {
            state.is_blocked = true;
        }
    }

    /// A test of an arm waits to be confirmed, or does no longer.
    pub(crate) fn set_pending(&mut self, arm: ArmId, is_pending: bool) {
        if let Some(state) = self.arms.get_mut(arm) {
            state.is_pending = is_pending;
        }
    }

    /// `is_needless` tells of an arm whether the best known test is better than any that the arm could
    /// find.
    pub(crate) fn settle(&mut self, is_needless: impl Fn(ArmId) -> bool) {
        for (number, state) in self.arms.iter_mut().enumerate() {
            state.is_needless = is_needless(number);
        }
    }

    /// Whether any arm could find a better test than is known.
    pub(crate) fn has_open(&self) -> bool {
        self.arms.iter().any(ArmState::is_open)
    }

    /// What is known of an arm.
    pub(crate) fn arm(&self, arm: ArmId) -> Option<&ArmState> {
        self.arms.get(arm)
    }

    /// Tests asked of all arms.
    pub(crate) fn evaluations(&self) -> u64 {
        self.asked
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(level: u32) -> ArmFacts {
        ArmFacts::of(level, Degree::Escapes)
    }

    /// Deals out one arm for ever.
    struct Only(ArmId);

    impl Policy for Only {
        fn next(&mut self, arms: &[ArmState], _: Now) -> Option<(ArmId, u64)> {
            arms.get(self.0).filter(|it| it.is_ready()).map(|_| (self.0, 1_000))
        }
    }

    fn only(arm: ArmId, arms: u32, evaluations: Option<u64>) -> Scheduler {
        Scheduler::new((1..=arms).map(facts), Box::new(Only(arm)), Patience::default(), evaluations)
    }

    const NOW: Now = Now { elapsed: Duration::ZERO, until: Duration::from_secs(1) };

    #[test]
    fn no_more_tests_are_asked_than_allowed() {
        let mut scheduler = only(0, 1, Some(120));
        let mut asked = 0;
        while let Some(turn) = scheduler.next(50, NOW) {
            scheduler.asked(turn.arm, turn.tests);
            asked += turn.tests;
        }
        assert_eq!((asked, scheduler.evaluations()), (120, 120));
    }

    #[test]
    fn nothing_is_asked_when_time_is_up() {
        let late = Now { elapsed: NOW.until, ..NOW };
        assert_eq!(only(0, 1, None).next(50, late), None);
    }

    #[test]
    fn a_pending_arm_waits_and_a_needless_one_ends() {
        let mut scheduler = only(0, 2, None);
        scheduler.set_pending(0, true);
        assert_eq!(scheduler.next(50, NOW), None);
        assert!(scheduler.has_open());
        scheduler.set_pending(0, false);
        assert!(scheduler.next(50, NOW).is_some_and(|it| it.is_first && !it.restarts));
        scheduler.settle(|arm| arm == 0);
        assert_eq!(scheduler.next(50, NOW), None);
        assert!(scheduler.has_open());
        scheduler.block(1);
        assert!(!scheduler.has_open());
    }

    #[test]
    fn an_arm_restarts_after_as_long_without_progress_as_it_took_to_come_there() {
        let mut scheduler = only(0, 1, None);
        let restarts = |scheduler: &mut Scheduler| scheduler.next(50, NOW).is_some_and(|it| it.restarts);
        scheduler.told(0, 10_000, 2.5);
        scheduler.told(0, 10_000, 2.5);
        assert!(!restarts(&mut scheduler), "it came where it is with its last 10,000 tests but 10,000");
        scheduler.told(0, 6_000, 3.0);
        assert!(restarts(&mut scheduler));
        assert!(!restarts(&mut scheduler), "once");
        scheduler.came_nearer(0, 1.0);
        scheduler.told(0, 20_000, 1.0);
        assert!(!restarts(&mut scheduler), "another arm's test was progress, too");
    }

    #[test]
    fn an_arm_restarts_never_before_a_number_of_tests() {
        let mut scheduler = only(0, 1, None);
        scheduler.told(0, 4_000, f64::INFINITY);
        assert!(!scheduler.next(50, NOW).is_some_and(|it| it.restarts));
        scheduler.told(0, 1, f64::INFINITY);
        assert!(scheduler.next(50, NOW).is_some_and(|it| it.restarts));
    }
}
