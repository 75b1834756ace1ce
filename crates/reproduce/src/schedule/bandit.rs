//! Which of several pursuits of one arm runs next.

use std::time::Duration;

/// Tests of a stint, and the time after which it ends where time bounds the search.
const STINT: u64 = 1_000;
const LONGEST_STINT: Duration = Duration::from_secs(2);

/// So many stints the first pursuit has before any other: most crashes need no more.
const LEAD: usize = 3;

/// How much a pursuit that had few stints is preferred to one that came nearer.
const CURIOSITY: f64 = 0.5;

/// With each stint all that is known counts less by this factor: the first steps are easy, and the pursuit
/// that makes them need not be the one for the last.
const MEMORY: f64 = 0.8;

/// A bandit with an arm for each pursuit (discounted UCB of Garivier and Moulines: On Upper-Confidence
/// Bound Policies for Switching Bandit Problems). A stint is rewarded by the share of the crash distance
/// that it removed. It draws no chance: equal reports give equal choices.
#[derive(Clone, Debug)]
pub(crate) struct Bandit {
    pursuits: Vec<Pursued>,
    /// Stints that have begun.
    begun: usize,
    at: usize,
    /// Tests left of the stint, and when it ends; nothing before the first one.
    left: u64,
    until: Duration,
    is_timed: bool,
    /// Tests of a stint.
    stint: u64,
}

/// What a pursuit has come to.
#[derive(Clone, Copy, Debug, Default)]
struct Pursued {
    /// Stints and rewards, of which the older count less.
    stints: f64,
    reward: f64,
}

impl Bandit {
    /// A bandit for so many pursuits. Where tests are counted time has no say.
    pub(crate) fn new(pursuits: usize, is_timed: bool) -> Self {
        Self::with_stint(pursuits, is_timed, STINT)
    }

    /// The same with stints of so many tests.
    pub(crate) fn with_stint(pursuits: usize, is_timed: bool, stint: u64) -> Self {
        let pursuits = vec![Pursued::default(); pursuits];
        Self { pursuits, begun: 0, at: 0, left: 0, until: Duration::ZERO, is_timed, stint }
    }

    /// The pursuit that runs now.
    pub(crate) fn choose(&mut self, elapsed: Duration) -> usize {
        let is_over = self.left == 0 || self.is_timed && elapsed >= self.until;
        if is_over && self.pursuits.len() > 1 {
            self.at = self.next();
            self.left = self.stint;
            self.until = elapsed + LONGEST_STINT;
            self.begun += 1;
            for (number, pursued) in self.pursuits.iter_mut().enumerate() {
                pursued.stints = MEMORY * pursued.stints + f64::from(u8::from(number == self.at));
                pursued.reward *= MEMORY;
            }
        }
        self.at
    }

    /// The pursuit that was chosen last asked for so many tests.
    pub(crate) fn asked(&mut self, tests: usize) {
        self.left = self.left.saturating_sub(tests as u64);
    }

    /// Tests of a pursuit removed this share of the crash distance.
    pub(crate) fn reward(&mut self, pursuit: usize, share: f64) {
        if let Some(pursued) = self.pursuits.get_mut(pursuit) {
            pursued.reward += share;
        }
    }

    fn next(&self) -> usize {
        let tried = self.begun.saturating_sub(LEAD - 1);
        if tried < self.pursuits.len() {
            return tried;
        }
        let stints: f64 = self.pursuits.iter().map(|it| it.stints).sum();
        let value = |it: &Pursued| {
            (it.reward / it.stints).min(1.0) + CURIOSITY * (stints.ln().max(0.0) / it.stints).sqrt()
        };
        // Of equals the first.
        let values = self.pursuits.iter().map(value).enumerate();
        let best = values.reduce(|best, it| if it.1 > best.1 { it } else { best });
        best.map_or(0, |it| it.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pursuits of so many stints, where `share` tells what a stint of a pursuit removes.
    fn stints(bandit: &mut Bandit, count: usize, share: impl Fn(usize) -> f64) -> Vec<usize> {
        let mut chosen = Vec::new();
        while chosen.len() < count {
            let pursuit = bandit.choose(Duration::ZERO);
            assert_eq!(bandit.choose(Duration::ZERO), pursuit, "a stint goes on");
            bandit.asked(STINT as usize);
            bandit.reward(pursuit, share(pursuit));
            chosen.push(pursuit);
        }
        chosen
    }

    #[test]
    fn the_first_leads_and_then_each_has_a_stint() {
        let mut bandit = Bandit::new(4, false);
        assert_eq!(stints(&mut bandit, 6, |_| 0.0), [0, 0, 0, 1, 2, 3]);
    }

    #[test]
    fn without_progress_all_get_equally_many() {
        let mut bandit = Bandit::new(3, false);
        let chosen = stints(&mut bandit, 99, |_| 0.0);
        for pursuit in 0..3 {
            let count = chosen.iter().filter(|it| **it == pursuit).count();
            assert!((32..=35).contains(&count), "{chosen:?}");
        }
    }

    #[test]
    fn the_one_that_comes_nearer_gets_most_and_no_one_is_forgotten() {
        let mut bandit = Bandit::new(3, false);
        let chosen = stints(&mut bandit, 300, |it| if it == 2 { 0.5 } else { 0.01 });
        let count = |pursuit| chosen.iter().filter(|it| **it == pursuit).count();
        assert!(count(2) > 150 && count(0) > 20 && count(1) > 20, "{chosen:?}");
    }

    #[test]
    fn what_was_long_ago_is_forgotten() {
        let mut bandit = Bandit::new(2, false);
        stints(&mut bandit, 50, |it| if it == 0 { 0.9 } else { 0.0 });
        let later = stints(&mut bandit, 50, |it| if it == 1 { 0.2 } else { 0.0 });
        assert!(later.iter().filter(|it| **it == 1).count() > 20, "{later:?}");
    }

    #[test]
    fn time_ends_a_stint_only_where_it_bounds_the_search() {
        for is_timed in [false, true] {
            let mut bandit = Bandit::new(2, is_timed);
            let later = (0..).map(|it| LONGEST_STINT * it);
            let chosen: Vec<usize> = later.take(4).map(|it| bandit.choose(it)).collect();
            assert_eq!(chosen, if is_timed { [0, 0, 0, 1] } else { [0; 4] });
        }
    }

    #[test]
    fn one_pursuit_needs_no_stints() {
        let mut bandit = Bandit::new(1, true);
        assert!((0..9).all(|it| bandit.choose(Duration::from_secs(it)) == 0));
    }
}
