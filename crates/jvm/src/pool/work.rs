//! One batch on its way: the tests that wait, those that must run again, the observations that are
//! there. No threads and no processes here.
//!
//! Every test is at any time in exactly one place: waiting, in a piece that a worker has, or done.
//! Observations leave in the order of the tests, and do not show how pieces were cut or how often
//! they were repeated.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use crashback_protocol::{Isolation, Observation, Outcome, Pins, Stub, Ticket};
use crashback_testcase::TestCase;

use super::piece::Piece;

/// Tests of one batch, shared by all who work on it.
#[derive(Debug)]
pub(super) struct Job {
    /// Tells batches apart.
    pub(super) number: u64,
    pub(super) tests: Vec<TestCase>,
    pub(super) isolation: Isolation,
    pub(super) pins: Pins,
    pub(super) listens: bool,
}

/// The death of a worker that had a piece.
#[derive(Clone, Copy, Debug)]
pub(super) struct WorkerDeath {
    /// The test that was running, by its place in the piece. None if the worker was between tests.
    pub(super) running: Option<usize>,
    /// Whether another process killed it, maybe by chance. The kernel does so when memory runs out.
    pub(super) from_outside: bool,
}

impl WorkerDeath {
    /// The suspicion that it adds to a test that was running, or alone in the worker.
    fn suspicion(self) -> u8 {
        if self.running.is_some() && !self.from_outside { GUILTY / 2 } else { GUILTY / 4 }
    }
}

/// The suspicion at which a test is said to kill its worker: two deaths while it ran. A death
/// beside it or a kill from outside may be chance and counts half.
const GUILTY: u8 = 4;

/// The tests of a group ([`Isolation::Grouped`]). Each group costs a new copy of the program's
/// classes, so larger groups are cheaper; smaller ones divide a generation among more workers.
const GROUP: usize = 50;

/// A batch on its way.
#[derive(Debug)]
pub(super) struct Work {
    job: Arc<Job>,
    sizes: Sizes,
    stub: Stub,
    /// Tests that were never in a piece.
    rest: Range<usize>,
    /// Pieces that a worker did not finish, by first test.
    again: BTreeMap<usize, Piece>,
    /// Single tests that must run alone, likewise.
    alone: BTreeMap<usize, Piece>,
    /// Observations by the first test. Each entry is one reply, whose frames are numbered together.
    done: BTreeMap<usize, Vec<Observation>>,
    /// The number of tests that are done.
    observed: usize,
    /// The number of tests whose observations have left.
    delivered: usize,
    /// Why the batch cannot be finished.
    failure: Option<String>,
}

/// What the size of pieces depends on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sizes {
    pub(super) workers: usize,
    /// The most tests of a piece.
    pub(super) largest: usize,
}

/// The fewest tests of a piece, but for the last: smaller ones cost more in messages than they gain
/// in balance.
const SMALLEST: usize = 16;

/// Each worker gets its share in about so many pieces. The first are the largest, the last small,
/// so that all workers end together.
const PIECES: usize = 2;

/// Waking the caller costs as much as some hundred tests: it is woken for so many replies, and for
/// the last one.
const WORTH_WAKING: usize = 4;

impl Work {
    pub(super) fn new(job: Arc<Job>, sizes: Sizes, stub: Stub) -> Self {
        let rest = 0..job.tests.len();
        let (again, alone, done) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        Self { job, sizes, stub, rest, again, alone, done, observed: 0, delivered: 0, failure: None }
    }

    pub(super) fn job(&self) -> &Arc<Job> {
        &self.job
    }

    /// Whether the ticket was issued for this batch.
    pub(super) fn is_of(&self, ticket: &Ticket) -> bool {
        self.stub.is_of(ticket)
    }

    /// Whether the ticket was dropped, so that the results cannot be collected.
    pub(super) fn is_abandoned(&self) -> bool {
        self.stub.is_dropped()
    }

    /// Gives the batch up.
    pub(super) fn fail(&mut self, why: String) {
        self.rest.start = self.rest.end;
        self.again.clear();
        self.alone.clear();
        self.failure.get_or_insert(why);
    }

    /// Why the batch was given up.
    pub(super) fn failure(&self) -> Option<&str> {
        self.failure.as_deref()
    }

    /// A piece for a worker that may have run other tests.
    pub(super) fn take_shared(&mut self) -> Option<Piece> {
        if let Some((_, piece)) = self.again.pop_first() {
            return Some(piece);
        }
        if self.job.isolation == Isolation::FreshJvm {
            return None;
        }
        if self.job.isolation == Isolation::Grouped {
            return self.cut(GROUP).map(Piece::new);
        }
        let share = self.rest.len() / (self.sizes.workers * PIECES).max(1);
        let length = share.max(SMALLEST).min(self.sizes.largest.max(1));
        self.cut(length).map(Piece::new)
    }

    /// A piece for a worker that has run nothing.
    pub(super) fn take_alone(&mut self) -> Option<Piece> {
        match self.alone.pop_first() {
            Some((_, piece)) => Some(piece),
            None if self.job.isolation == Isolation::FreshJvm => {
                self.cut(1).map(|range| Piece::alone(range.start, 0))
            }
            None => None,
        }
    }

    fn cut(&mut self, length: usize) -> Option<Range<usize>> {
        let end = self.rest.start.saturating_add(length).min(self.rest.end);
        let range = self.rest.start..end;
        self.rest.start = end;
        (!range.is_empty()).then_some(range)
    }

    /// How many tests wait for a worker that has run nothing.
    pub(super) fn waiting_alone(&self) -> usize {
        let rest = if self.job.isolation == Isolation::FreshJvm { self.rest.len() } else { 0 };
        self.alone.len() + rest
    }

    /// How many tests wait for a worker that may run them after others.
    pub(super) fn waiting_shared(&self) -> usize {
        let rest = if self.job.isolation == Isolation::FreshJvm { 0 } else { self.rest.len() };
        rest + self.again.values().map(Piece::len).sum::<usize>()
    }

    /// Takes the observations of the first tests of a piece; the others wait again.
    pub(super) fn completed(&mut self, piece: Piece, observations: Vec<Observation>) {
        if observations.is_empty() {
            // Workers that give up before the first test every time must not go on for ever.
            return self.died(piece, WorkerDeath { running: None, from_outside: false });
        }
        self.wait(piece.after(observations.len()));
        for (start, part) in piece.divide(observations) {
            self.done(start, part);
        }
    }

    /// Takes back a piece that no worker has begun.
    pub(super) fn put_back(&mut self, piece: Piece) {
        self.wait(piece);
    }

    /// Takes back a piece whose worker died. The observations it had made are lost; the test that
    /// was running is the suspect.
    pub(super) fn died(&mut self, mut piece: Piece, death: WorkerDeath) {
        let running = death.running.and_then(|index| piece.places().nth(index));
        let suspicion = piece.suspicion + WorkerDeath { running, ..death }.suspicion();
        let is_group = self.job.isolation == Isolation::Grouped;
        match running {
            _ if piece.len() <= 1 => piece.places().for_each(|test| self.suspect(test, suspicion)),
            // Whatever killed the worker was probably not the group.
            _ if is_group && death.from_outside && suspicion < GUILTY => {
                piece.suspicion = suspicion;
                self.wait(piece);
            }
            Some(test) => {
                self.suspect(test, suspicion.min(GUILTY / 2));
                if is_group {
                    // From its beginning, so that every test has the same ones before it whenever
                    // the worker died.
                    self.wait(piece.without(test));
                } else {
                    self.wait(piece.before(test));
                    self.wait(piece.behind(test));
                }
            }
            // No suspect yet. Halving leads to one, if there is one.
            None => piece.halves().into_iter().for_each(|half| self.wait(half)),
        }
    }

    fn suspect(&mut self, test: usize, suspicion: u8) {
        if suspicion >= GUILTY {
            self.done(test, vec![Observation::bare(Outcome::WorkerDied, 0)]);
        } else {
            self.wait(Piece::alone(test, suspicion));
        }
    }

    fn done(&mut self, start: usize, observations: Vec<Observation>) {
        self.observed += observations.len();
        self.done.insert(start, observations);
    }

    fn wait(&mut self, piece: Piece) {
        let queue = if piece.alone { &mut self.alone } else { &mut self.again };
        if piece.len() > 0 && self.failure.is_none() {
            queue.insert(piece.start(), piece);
        }
    }

    /// The observations of the next tests, as one reply had them.
    pub(super) fn deliver(&mut self) -> Option<Vec<Observation>> {
        let next = self.done.first_entry().filter(|entry| *entry.key() == self.delivered)?.remove();
        self.delivered += next.len();
        Some(next)
    }

    /// Whether all tests were observed.
    pub(super) fn is_observed(&self) -> bool {
        self.observed == self.job.tests.len()
    }

    /// Whether there is something to deliver.
    pub(super) fn can_deliver(&self) -> bool {
        self.done.first_key_value().is_some_and(|(start, _)| *start == self.delivered)
    }

    /// Whether enough can be delivered to wake the caller for it.
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
        let job = Job { number: 0, tests, isolation, pins: Pins::Usual, listens: false };
        let (_, stub) = Ticket::numbered(0);
        Work::new(Arc::new(job), Sizes { workers, largest: 256 }, stub)
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
        PutBack,
    }

    fn fate() -> impl Strategy<Value = Fate> {
        prop_oneof![
            4 => Just(Fate::Complete),
            1 => (0_usize..300).prop_map(Fate::Partly),
            1 => (proptest::option::of(0_usize..300), any::<bool>()).prop_map(|(at, by)| Fate::Dies(at, by)),
            1 => Just(Fate::PutBack),
        ]
    }

    proptest! {
        #[test]
        fn every_test_leaves_once_in_order(
            count in 0_usize..1500,
            workers in 1_usize..5,
            isolation in prop_oneof![
                Just(Isolation::Reset),
                Just(Isolation::Grouped),
                Just(Isolation::FreshJvm),
            ],
            fates in proptest::collection::vec((fate(), any::<bool>()), 0..400),
        ) {
            let mut work = work(count, isolation, workers);
            let mut delivered = Vec::new();
            let mut fates = fates.into_iter();
            while !work.is_finished() {
                let (fate, alone_first) = fates.next().unwrap_or((Fate::Complete, true));
                let piece = if alone_first { work.take_alone() } else { work.take_shared() };
                let piece = piece.or_else(|| work.take_shared()).or_else(|| work.take_alone()).unwrap();
                prop_assert!(!piece.alone || piece.len() == 1);
                match fate {
                    Fate::Complete => {
                        let observations = piece.places().map(of).collect();
                        work.completed(piece, observations);
                    }
                    Fate::Partly(most) => {
                        let observations = piece.places().take(most).map(of).collect();
                        work.completed(piece, observations);
                    }
                    Fate::Dies(running, from_outside) => {
                        work.died(piece, WorkerDeath { running, from_outside })
                    }
                    Fate::PutBack => work.put_back(piece),
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
            if piece.places().any(|it| it == poison) {
                deaths += 1;
                let running = tell.then(|| piece.places().position(|it| it == poison).unwrap());
                work.died(piece, WorkerDeath { running, from_outside: false });
            } else {
                let observations = piece.places().map(of).collect();
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
            work.died(piece, WorkerDeath { running, from_outside });
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
