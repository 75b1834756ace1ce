//! A batch on its way: which tests wait, which must run again, what is known. No threads and no
//! processes here.
//!
//! Every test is at any time in exactly one place: waiting, in a piece that a worker has, or done.
//! Observations leave in the order of the tests. How pieces are cut and how often they are repeated
//! does not show in what leaves.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use crashback_protocol::{Isolation, Observation, Outcome};
use crashback_testcase::TestCase;

/// Tests of one batch, shared by all who work on it.
#[derive(Debug)]
pub(super) struct Job {
    /// Tells batches apart: a worker may still be at the previous one.
    pub(super) number: u64,
    pub(super) tests: Vec<TestCase>,
    pub(super) isolation: Isolation,
    pub(super) listens: bool,
}

/// Neighbouring tests that go to a worker in one request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) range: Range<usize>,
    /// Whether it needs a worker that has run nothing yet, and nothing behind it.
    pub(super) alone: bool,
    /// What deaths of workers say against it, if it is a single test.
    suspicion: u8,
}

/// How a worker died that had a piece.
#[derive(Clone, Copy, Debug)]
pub(super) struct Blow {
    /// The test in which it died, by its place in the piece. None if it was not running any.
    pub(super) running: Option<usize>,
    /// Whether it was killed from outside, maybe by chance. The kernel does that, too, when memory
    /// runs out.
    pub(super) from_outside: bool,
}

impl Blow {
    /// How much it says against a test that was alone in the worker, or running.
    fn weight(self) -> u8 {
        if self.running.is_some() && !self.from_outside { CONVICTED / 2 } else { CONVICTED / 4 }
    }
}

/// A test in which workers die twice kills them. If they die beside it, or are killed, chance may
/// be at work; but not four times.
const CONVICTED: u8 = 4;

/// A batch on its way.
#[derive(Debug)]
pub(super) struct Work {
    job: Arc<Job>,
    sizes: Sizes,
    /// Never given to anyone.
    rest: Range<usize>,
    /// Given to somebody who did not finish it, by first test.
    again: BTreeMap<usize, Piece>,
    /// Single tests that run alone, likewise.
    alone: BTreeMap<usize, Piece>,
    /// Observations by the first test. Each entry is one reply, whose frames are numbered together.
    done: BTreeMap<usize, Vec<Observation>>,
    /// So many tests were observed.
    observed: usize,
    /// So many tests have left.
    delivered: usize,
}

/// How large pieces are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sizes {
    pub(super) workers: usize,
    pub(super) largest: usize,
}

/// Smaller pieces cost more in messages than they gain in balance.
const SMALLEST: usize = 64;

/// Each worker gets its share in about so many pieces. The first are the largest, the last small,
/// so that all workers end together.
const PIECES: usize = 2;

/// Waking somebody costs as much as some hundred tests. So many replies are worth it, and the last
/// one.
const WORTH_WAKING: usize = 4;

impl Work {
    pub(super) fn new(job: Arc<Job>, sizes: Sizes) -> Self {
        let rest = 0..job.tests.len();
        let (again, alone, done) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        Self { job, sizes, rest, again, alone, done, observed: 0, delivered: 0 }
    }

    pub(super) fn job(&self) -> &Arc<Job> {
        &self.job
    }

    /// A piece for a worker that may have run other tests.
    pub(super) fn take_shared(&mut self) -> Option<Piece> {
        if let Some((_, piece)) = self.again.pop_first() {
            return Some(piece);
        }
        if self.job.isolation == Isolation::FreshJvm {
            return None;
        }
        let share = self.rest.len() / (self.sizes.workers * PIECES).max(1);
        let length = share.max(SMALLEST).min(self.sizes.largest.max(1));
        self.cut(length, false)
    }

    /// A piece for a worker that has run nothing.
    pub(super) fn take_alone(&mut self) -> Option<Piece> {
        match self.alone.pop_first() {
            Some((_, piece)) => Some(piece),
            None if self.job.isolation == Isolation::FreshJvm => self.cut(1, true),
            None => None,
        }
    }

    fn cut(&mut self, length: usize, alone: bool) -> Option<Piece> {
        let end = self.rest.start.saturating_add(length).min(self.rest.end);
        let range = self.rest.start..end;
        self.rest.start = end;
        (!range.is_empty()).then_some(Piece { range, alone, suspicion: 0 })
    }

    /// How many tests wait for a worker that has run nothing.
    pub(super) fn waiting_alone(&self) -> usize {
        let rest = if self.job.isolation == Isolation::FreshJvm { self.rest.len() } else { 0 };
        self.alone.len() + rest
    }

    /// Whether anything waits that a worker may run after other tests.
    pub(super) fn has_shared(&self) -> bool {
        !self.again.is_empty() || self.job.isolation != Isolation::FreshJvm && !self.rest.is_empty()
    }

    /// The first tests of a piece were observed; the others wait again.
    pub(super) fn completed(&mut self, piece: Piece, observations: Vec<Observation>) {
        let end = piece.range.start + observations.len();
        if observations.is_empty() {
            // Somebody who gives up at once every time would keep us here for ever.
            return self.died(piece, Blow { running: None, from_outside: false });
        }
        self.done(piece.range.start, observations);
        self.wait(Piece { range: end..piece.range.end, ..piece });
    }

    /// Nobody has looked at this piece.
    pub(super) fn untouched(&mut self, piece: Piece) {
        self.wait(piece);
    }

    /// A worker died that had this piece. What it had observed is lost with it; the test that was
    /// running is the suspect.
    pub(super) fn died(&mut self, piece: Piece, blow: Blow) {
        let Piece { range: Range { start, end }, suspicion, .. } = piece;
        let other = |range| Piece { range, alone: false, suspicion: 0 };
        let running = blow.running.and_then(|index| start.checked_add(index)).filter(|test| *test < end);
        let suspicion = suspicion + Blow { running, ..blow }.weight();
        match running {
            _ if end - start == 1 => self.suspect(start, suspicion),
            Some(test) => {
                self.wait(other(start..test));
                self.suspect(test, suspicion);
                self.wait(other(test + 1..end));
            }
            // Nobody is to blame yet. Halves lead to the one, if there is one.
            None => {
                let middle = start + (end - start) / 2;
                self.wait(other(start..middle));
                self.wait(other(middle..end));
            }
        }
    }

    fn suspect(&mut self, test: usize, suspicion: u8) {
        if suspicion >= CONVICTED {
            self.done(test, vec![Observation::bare(Outcome::WorkerDied, 0)]);
        } else {
            self.wait(Piece { range: test..test + 1, alone: true, suspicion });
        }
    }

    fn done(&mut self, start: usize, observations: Vec<Observation>) {
        self.observed += observations.len();
        self.done.insert(start, observations);
    }

    fn wait(&mut self, piece: Piece) {
        let queue = if piece.alone { &mut self.alone } else { &mut self.again };
        if !piece.range.is_empty() {
            queue.insert(piece.range.start, piece);
        }
    }

    /// The observations of the next tests, as one reply had them.
    pub(super) fn deliver(&mut self) -> Option<Vec<Observation>> {
        let next = self.done.first_entry().filter(|entry| *entry.key() == self.delivered)?.remove();
        self.delivered += next.len();
        Some(next)
    }

    /// Whether there is something to deliver.
    pub(super) fn can_deliver(&self) -> bool {
        self.done.first_key_value().is_some_and(|(start, _)| *start == self.delivered)
    }

    /// Whether so much can be delivered that somebody who sleeps should be woken for it.
    pub(super) fn should_deliver(&self) -> bool {
        self.can_deliver() && (self.done.len() >= WORTH_WAKING || self.observed == self.job.tests.len())
    }

    /// Whether everything was delivered.
    pub(super) fn is_finished(&self) -> bool {
        self.delivered == self.job.tests.len()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn work(tests: usize, isolation: Isolation, workers: usize) -> Work {
        let tests = vec![TestCase::new(Vec::new()); tests];
        Work::new(
            Arc::new(Job { number: 0, tests, isolation, listens: false }),
            Sizes { workers, largest: 256 },
        )
    }

    /// An observation that says which test it is of.
    fn of(test: usize) -> Observation {
        Observation::bare(Outcome::Exited(i32::try_from(test).unwrap()), 0)
    }

    /// What happens to a piece in the model.
    #[derive(Clone, Copy, Debug)]
    enum Fate {
        Complete,
        Partly(usize),
        Dies(Option<usize>, bool),
        Untouched,
    }

    fn fate() -> impl Strategy<Value = Fate> {
        prop_oneof![
            4 => Just(Fate::Complete),
            1 => (0_usize..300).prop_map(Fate::Partly),
            1 => (proptest::option::of(0_usize..300), any::<bool>()).prop_map(|(at, by)| Fate::Dies(at, by)),
            1 => Just(Fate::Untouched),
        ]
    }

    proptest! {
        #[test]
        fn every_test_leaves_once_in_order(
            count in 0_usize..1500,
            workers in 1_usize..5,
            fresh in any::<bool>(),
            fates in proptest::collection::vec((fate(), any::<bool>()), 0..400),
        ) {
            let isolation = if fresh { Isolation::FreshJvm } else { Isolation::Reset };
            let mut work = work(count, isolation, workers);
            let mut delivered = Vec::new();
            let mut fates = fates.into_iter();
            while !work.is_finished() {
                let (fate, alone_first) = fates.next().unwrap_or((Fate::Complete, true));
                let piece = if alone_first { work.take_alone() } else { work.take_shared() };
                let piece = piece.or_else(|| work.take_shared()).or_else(|| work.take_alone()).unwrap();
                prop_assert!(!piece.alone || piece.range.len() == 1);
                match fate {
                    Fate::Complete => {
                        let observations = piece.range.clone().map(of).collect();
                        work.completed(piece, observations);
                    }
                    Fate::Partly(most) => {
                        let observations = piece.range.clone().take(most).map(of).collect();
                        work.completed(piece, observations);
                    }
                    Fate::Dies(running, from_outside) => work.died(piece, Blow { running, from_outside }),
                    Fate::Untouched => work.untouched(piece),
                }
                while let Some(next) = work.deliver() {
                    delivered.extend(next);
                }
            }
            prop_assert_eq!(delivered.len(), count);
            for (test, observation) in delivered.into_iter().enumerate() {
                prop_assert!(observation == of(test) || observation.outcome == Outcome::WorkerDied);
            }
            prop_assert!(work.take_shared().is_none() && work.take_alone().is_none());
        }
    }

    /// Runs everything with workers that die in one test, knowing of it or not.
    fn deaths_by(poison: usize, tell: bool) -> (usize, Vec<usize>) {
        let mut work = work(1000, Isolation::Reset, 1);
        let mut deaths = 0;
        let mut convicted = Vec::new();
        let mut test = 0;
        while !work.is_finished() {
            let piece = work.take_alone().or_else(|| work.take_shared()).unwrap();
            if piece.range.contains(&poison) {
                deaths += 1;
                let running = tell.then(|| poison - piece.range.start);
                work.died(piece, Blow { running, from_outside: false });
            } else {
                let observations = piece.range.clone().map(of).collect();
                work.completed(piece, observations);
            }
            for observation in std::iter::from_fn(|| work.deliver()).flatten() {
                if observation.outcome == Outcome::WorkerDied {
                    convicted.push(test);
                }
                test += 1;
            }
        }
        (deaths, convicted)
    }

    #[test]
    fn a_poisonous_test_kills_twice_and_is_the_only_one_marked() {
        for poison in [0, 1, 500, 999] {
            assert_eq!(deaths_by(poison, true), (2, vec![poison]));
        }
    }

    #[test]
    fn a_death_of_unknown_cause_is_narrowed_down() {
        for poison in [0, 1, 500, 999] {
            let (deaths, convicted) = deaths_by(poison, false);
            assert_eq!(convicted, [poison]);
            assert!(deaths < 15, "{deaths}");
        }
    }

    /// How often a worker with a single test dies before the test is marked.
    fn deaths_needed(running: Option<usize>, from_outside: bool) -> usize {
        let mut work = work(1, Isolation::FreshJvm, 1);
        let mut deaths = 0;
        while let Some(piece) = work.take_alone() {
            work.died(piece, Blow { running, from_outside });
            deaths += 1;
        }
        assert!(work.can_deliver());
        deaths
    }

    #[test]
    fn chance_is_told_from_guilt() {
        assert_eq!(deaths_needed(Some(0), false), 2);
        assert_eq!(deaths_needed(Some(0), true), 4);
        assert_eq!(deaths_needed(None, false), 4);
        assert_eq!(deaths_needed(Some(17), false), 4, "there is no such test");
    }
}
