//! What the process of each slot is doing. No threads and no processes here.
//!
//! At most as many processes as there are workers serve ordinary batches; they are *used*, and warm.
//! The others are *fresh*: one takes over when a used process is gone, and each can run a test that
//! must have a process of its own.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use crashback_protocol::{Spent, Usage};

use super::piece::Piece;
use super::queue::Takes;
use super::work::Job;

/// All slots of a pool.
#[derive(Debug, Default)]
pub(super) struct Roster {
    /// How many processes may serve ordinary batches at the same time.
    workers: usize,
    slots: Vec<Slot>,
    /// Of all processes that a slot has had.
    usage: Vec<Usage>,
    /// The moment up to which times were added to `usage`. None before the first batch.
    accounted: Option<Duration>,
    /// Requests given out so far.
    requests: u64,
}

#[derive(Clone, Debug, Default)]
struct Slot {
    stage: Stage,
    /// The number of its process.
    process: u32,
    /// Requests in flight that count. The process works at the first.
    held: VecDeque<Held>,
}

/// What a process can be used for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Stage {
    /// There is no process, or it is not ready.
    #[default]
    Without,
    /// It has run nothing.
    Fresh,
    /// It serves ordinary batches.
    Used,
    /// It runs a single test.
    Alone,
}

/// A request in flight.
#[derive(Clone, Debug)]
pub(super) struct Held {
    /// Tells requests apart.
    pub(super) request: u64,
    pub(super) job: Arc<Job>,
    pub(super) piece: Piece,
}

impl Roster {
    pub(super) fn new(workers: usize, spares: usize) -> Self {
        let count = workers + spares;
        Self {
            workers,
            slots: vec![Slot::default(); count],
            usage: vec![Usage::default(); count],
            ..Self::default()
        }
    }

    /// Adds the time since the last call to the account of each slot, as spent in what the slot has
    /// been doing: so this comes before any change. Moments are counted from any fixed one; the
    /// first call only begins to count.
    pub(super) fn account(&mut self, now: Duration) {
        let passed = now.saturating_sub(self.accounted.replace(now).unwrap_or(now));
        // Fresh processes that would get the next piece wait for it as much as used ones; spares do
        // not.
        let mut lacking = self.workers.saturating_sub(self.count(Stage::Used));
        for (slot, usage) in self.slots.iter().zip(&mut self.usage) {
            match slot.stage {
                Stage::Used if !slot.held.is_empty() => usage.busy += passed,
                Stage::Used => usage.waiting += passed,
                Stage::Fresh if lacking > 0 => {
                    lacking -= 1;
                    usage.waiting += passed;
                }
                Stage::Alone => usage.confirming += passed,
                Stage::Fresh | Stage::Without => {}
            }
        }
    }

    /// Whether times are counted.
    pub(super) fn is_accounting(&self) -> bool {
        self.accounted.is_some()
    }

    /// How well the processes of each slot were used, up to the last account.
    pub(super) fn usage(&self) -> &[Usage] {
        &self.usage
    }

    /// The process of a slot has observed tests, and says what its time went into.
    pub(super) fn observed(&mut self, slot: usize, tests: usize, spent: Spent) {
        if let Some(usage) = self.usage.get_mut(slot) {
            usage.evaluations += tests as u64;
            usage.spent = [usage.spent, spent].into_iter().sum();
        }
    }

    pub(super) fn stage(&self, slot: usize) -> Stage {
        self.slots.get(slot).map_or(Stage::Without, |it| it.stage)
    }

    /// Whether fewer processes serve ordinary batches than may.
    pub(super) fn lacks_workers(&self) -> bool {
        self.count(Stage::Used) < self.workers
    }

    /// Whether any process is ready.
    pub(super) fn has_any(&self) -> bool {
        self.slots.iter().any(|slot| slot.stage != Stage::Without)
    }

    /// How many slots have a fresh process, or will have one without anything being given up.
    pub(super) fn coming_fresh(&self) -> usize {
        self.slots.len() - self.count(Stage::Used)
    }

    fn count(&self, stage: Stage) -> usize {
        self.slots.iter().filter(|slot| slot.stage == stage).count()
    }

    /// A process is ready for its first request, after some time.
    pub(super) fn started(&mut self, slot: usize, process: u32, took: Duration) {
        if let Some(usage) = self.usage.get_mut(slot) {
            usage.starting += took;
        }
        if let Some(slot) = self.slots.get_mut(slot) {
            *slot = Slot { stage: Stage::Fresh, process, held: VecDeque::new() };
        }
    }

    /// A process is gone. Gives the requests that it had.
    pub(super) fn ended(&mut self, slot: usize) -> VecDeque<Held> {
        self.slots.get_mut(slot).map(std::mem::take).unwrap_or_default().held
    }

    /// The pieces that the process of a slot may take.
    pub(super) fn takes(&self, slot: usize) -> Takes {
        let stage = self.stage(slot);
        let is_fresh = stage == Stage::Fresh;
        Takes { alone: is_fresh, shared: stage == Stage::Used || is_fresh && self.lacks_workers() }
    }

    /// Gives a piece to the process of a slot, and numbers the request.
    pub(super) fn hold(&mut self, slot: usize, job: &Arc<Job>, piece: &Piece) -> u64 {
        self.requests += 1;
        if let Some(slot) = self.slots.get_mut(slot) {
            slot.stage = if piece.alone { Stage::Alone } else { Stage::Used };
            slot.held.push_back(Held { request: self.requests, job: Arc::clone(job), piece: piece.clone() });
        }
        self.requests
    }

    /// A request was answered, or not sent after all. None if its piece was given to another process
    /// meanwhile.
    pub(super) fn release(&mut self, slot: usize, request: u64) -> Option<Held> {
        let held = &mut self.slots.get_mut(slot)?.held;
        let place = held.iter().position(|it| it.request == request)?;
        held.remove(place)
    }

    /// A process has run its single test. Says whether it now serves ordinary batches: one is
    /// lacking, and the test was not promised a process of its own.
    pub(super) fn keeps(&mut self, slot: usize, promised: bool) -> bool {
        let keeps = !promised && self.lacks_workers();
        if let Some(slot) = self.slots.get_mut(slot).filter(|_| keeps) {
            slot.stage = Stage::Used;
        }
        keeps
    }

    /// Takes away the requests that wait behind the first of a process that makes no progress, if
    /// another process has nothing to do. The process will run them all the same; its answers no
    /// longer count.
    pub(super) fn relieve(&mut self, process: u32) -> VecDeque<Held> {
        let lacks_workers = self.lacks_workers();
        let is_free = |it: &Slot| match it.stage {
            Stage::Used => it.held.is_empty(),
            Stage::Fresh => lacks_workers,
            Stage::Without | Stage::Alone => false,
        };
        let has_helper = self.slots.iter().any(is_free);
        let stuck = self.slots.iter_mut().filter(|it| it.stage == Stage::Used && it.process == process);
        let stuck = stuck.filter(|it| has_helper && !it.held.is_empty());
        stuck.flat_map(|it| it.held.split_off(1)).collect()
    }
}

#[cfg(test)]
mod tests {
    use crashback_protocol::{Isolation, Pins, Ticket};
    use crashback_testcase::TestCase;

    use super::super::work::{Sizes, Work};
    use super::*;

    fn work() -> Work {
        let tests = vec![TestCase::new(Vec::new()); 100];
        let job = Job { number: 1, tests, isolation: Isolation::Reset, pins: Pins::Usual, listens: false };
        Work::new(Arc::new(job), Sizes { workers: 2, largest: 256 }, Ticket::numbered(1).1)
    }

    fn give(roster: &mut Roster, slot: usize, work: &mut Work) -> u64 {
        let piece = work.take_shared().unwrap();
        roster.hold(slot, work.job(), &piece)
    }

    #[test]
    fn only_as_many_processes_as_workers_serve_batches() {
        let (mut roster, mut work) = (Roster::new(2, 1), work());
        (0..3).for_each(|slot| roster.started(slot, slot as u32, Duration::ZERO));
        for slot in 0..2 {
            assert_eq!(roster.takes(slot), Takes { alone: true, shared: true });
            give(&mut roster, slot, &mut work);
            assert_eq!(roster.takes(slot), Takes { alone: false, shared: true });
        }
        assert_eq!(roster.takes(2), Takes { alone: true, shared: false });
        assert_eq!(roster.ended(0).len(), 1);
        assert_eq!(roster.takes(0), Takes { alone: false, shared: false });
        assert_eq!(roster.takes(2), Takes { alone: true, shared: true });
    }

    #[test]
    fn waiting_is_told_from_working() {
        let (mut roster, mut work) = (Roster::new(2, 1), work());
        let account = |roster: &mut Roster, second| roster.account(Duration::from_secs(second));
        roster.started(0, 0, Duration::from_secs(2));
        account(&mut roster, 5);
        roster.started(1, 1, Duration::ZERO);
        roster.started(2, 2, Duration::ZERO);
        account(&mut roster, 6);
        let request = give(&mut roster, 1, &mut work);
        account(&mut roster, 16);
        roster.release(1, request);
        let spent = Spent { run: Duration::from_secs(9), loaders: 3, ..Spent::default() };
        roster.observed(1, 25, spent);
        account(&mut roster, 18);
        roster.ended(1);
        account(&mut roster, 118);
        let usage = |evaluations, busy, waiting| {
            let (busy, waiting) = (Duration::from_secs(busy), Duration::from_secs(waiting));
            Usage { evaluations, busy, waiting, ..Usage::default() }
        };
        // The first waits all the time. The third is a spare until the second is gone.
        let first = Usage { starting: Duration::from_secs(2), ..usage(0, 0, 113) };
        assert_eq!(roster.usage(), [first, Usage { spent, ..usage(25, 10, 3) }, usage(0, 0, 100)]);
        let all: Usage = roster.usage().iter().copied().sum();
        assert_eq!(all, Usage { spent, starting: Duration::from_secs(2), ..usage(25, 10, 216) });
        assert!((all.share_waiting().unwrap() - 216.0 / 226.0).abs() < 1e-9);
        assert_eq!(Usage::default().share_waiting(), None);
    }

    #[test]
    fn requests_behind_a_stuck_one_go_to_an_idle_process() {
        let (mut roster, mut work) = (Roster::new(2, 0), work());
        (0..2).for_each(|slot| roster.started(slot, 10 + slot as u32, Duration::ZERO));
        let stuck = give(&mut roster, 0, &mut work);
        let ahead = give(&mut roster, 0, &mut work);
        let other = give(&mut roster, 1, &mut work);
        assert!(roster.relieve(10).is_empty(), "the other process is busy");
        assert!(roster.release(1, other).is_some());
        let relieved: Vec<_> = roster.relieve(10).into_iter().map(|it| it.request).collect();
        assert_eq!(relieved, [ahead]);
        assert!(roster.release(0, stuck).is_some());
        assert!(roster.release(0, ahead).is_none(), "the answer no longer counts");
    }

    #[test]
    fn a_process_that_ran_a_single_test_stays_only_if_one_is_lacking() {
        let mut roster = Roster::new(1, 1);
        (0..2).for_each(|slot| roster.started(slot, slot as u32, Duration::ZERO));
        assert!(!roster.keeps(1, true));
        assert!(roster.keeps(1, false));
        assert!(!roster.keeps(0, false));
    }
}
