//! The batches on their way, oldest first. No threads and no processes here.

use std::collections::VecDeque;
use std::sync::Arc;

use crashback_protocol::{Isolation, Ticket};

use super::piece::Piece;
use super::work::{Job, Work};

/// Batches in the order in which they were submitted. A batch leaves when it is collected or its
/// ticket is dropped.
#[derive(Debug, Default)]
pub(super) struct Queue {
    works: VecDeque<Work>,
}

/// The pieces that a process may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Takes {
    /// Single tests for a process that has run nothing.
    pub(super) alone: bool,
    /// Pieces for a process that goes on with others afterwards.
    pub(super) shared: bool,
}

impl Queue {
    pub(super) fn push(&mut self, work: Work) {
        self.remove_abandoned();
        self.works.push_back(work);
    }

    /// The batch that a job belongs to, unless it has left.
    pub(super) fn work_on(&mut self, job: &Job) -> Option<&mut Work> {
        self.get(job.number)
    }

    /// The batch with a number, unless it has left.
    pub(super) fn get(&mut self, number: u64) -> Option<&mut Work> {
        self.works.iter_mut().find(|work| work.job().number == number)
    }

    /// The batch that a ticket was issued for.
    pub(super) fn of_ticket(&self, ticket: &Ticket) -> Option<u64> {
        self.works.iter().find(|work| work.is_of(ticket)).map(|work| work.job().number)
    }

    pub(super) fn remove(&mut self, number: u64) {
        self.works.retain(|work| work.job().number != number);
    }

    /// Removes batches whose tickets were dropped.
    pub(super) fn remove_abandoned(&mut self) {
        self.works.retain(|work| !work.is_abandoned());
    }

    /// The next piece for a process: one of the oldest batch that has any.
    pub(super) fn take(&mut self, takes: Takes) -> Option<(Arc<Job>, Piece)> {
        self.works.iter_mut().find_map(|work| {
            let alone = if takes.alone { work.take_alone() } else { None };
            let piece = alone.or_else(|| if takes.shared { work.take_shared() } else { None })?;
            Some((Arc::clone(work.job()), piece))
        })
    }

    /// Whether a piece waits for a process that goes on afterwards.
    pub(super) fn has_shared(&self) -> bool {
        self.waiting_shared() > 0
    }

    /// How many tests wait for a process that goes on afterwards.
    pub(super) fn waiting_shared(&self) -> usize {
        self.works.iter().map(Work::waiting_shared).sum()
    }

    /// How many tests wait for a process that has run nothing.
    pub(super) fn waiting_alone(&self) -> usize {
        self.works.iter().map(Work::waiting_alone).sum()
    }

    /// Whether any batch, be it finished, needs processes that go on afterwards: their caller will
    /// probably submit more of its kind.
    pub(super) fn has_ordinary(&self) -> bool {
        self.works.iter().any(|work| work.job().isolation != Isolation::FreshJvm)
    }
}

#[cfg(test)]
mod tests {
    use crashback_protocol::{Observation, Outcome, Pins};
    use crashback_testcase::TestCase;

    use super::super::work::{Sizes, WorkerDeath};
    use super::*;

    const SHARED: Takes = Takes { alone: false, shared: true };
    const ALONE: Takes = Takes { alone: true, shared: false };
    const ANY: Takes = Takes { alone: true, shared: true };

    fn submit(queue: &mut Queue, number: u64, tests: usize, isolation: Isolation) -> Ticket {
        let tests = vec![TestCase::new(Vec::new()); tests];
        let job = Job { number, tests, isolation, pins: Pins::Usual, listens: false };
        let (ticket, stub) = Ticket::numbered(number);
        queue.push(Work::new(Arc::new(job), Sizes { workers: 2, largest: 256 }, stub));
        ticket
    }

    fn complete(queue: &mut Queue, job: &Job, piece: Piece) {
        let of = |test| Observation::bare(Outcome::Exited(test as i32), 0);
        let observations = piece.places().map(of).collect();
        queue.work_on(job).unwrap().completed(piece, observations);
    }

    #[test]
    fn the_oldest_batch_is_served_first() {
        let mut queue = Queue::default();
        let _tickets = [1, 2, 3].map(|number| submit(&mut queue, number, 40, Isolation::Reset));
        let mut order = Vec::new();
        while let Some((job, piece)) = queue.take(SHARED) {
            order.extend(piece.places().map(|test| (job.number, test)));
        }
        let expected: Vec<_> = (1..=3).flat_map(|number| (0..40).map(move |test| (number, test))).collect();
        assert_eq!(order, expected);
    }

    #[test]
    fn a_slow_piece_of_an_old_batch_does_not_keep_newer_ones() {
        let mut queue = Queue::default();
        let _tickets = [1, 2].map(|number| submit(&mut queue, number, 100, Isolation::Reset));
        let (slow, slow_piece) = queue.take(SHARED).unwrap();
        while let Some((job, piece)) = queue.take(SHARED) {
            complete(&mut queue, &job, piece);
        }
        assert!(!queue.get(1).unwrap().can_deliver());
        let newer = queue.get(2).unwrap();
        while newer.deliver().is_some() {}
        assert!(newer.is_finished());
        complete(&mut queue, &slow, slow_piece);
        let older = queue.get(1).unwrap();
        while older.deliver().is_some() {}
        assert!(older.is_finished());
    }

    #[test]
    fn fresh_processes_serve_single_tests_beside_an_older_batch() {
        let mut queue = Queue::default();
        let _old = submit(&mut queue, 1, 1000, Isolation::Reset);
        let _new = submit(&mut queue, 2, 2, Isolation::FreshJvm);
        assert_eq!((queue.waiting_alone(), queue.has_shared()), (2, true));
        let (job, piece) = queue.take(ALONE).unwrap();
        assert_eq!((job.number, piece.start(), piece.len(), piece.alone), (2, 0, 1, true));
        let (job, piece) = queue.take(SHARED).unwrap();
        assert_eq!((job.number, piece.alone), (1, false));
        assert_eq!(queue.take(ANY).unwrap().0.number, 1, "the older batch comes first");
        assert!(queue.has_ordinary());
    }

    #[test]
    fn a_dropped_ticket_cancels_its_batch() {
        let mut queue = Queue::default();
        let kept = submit(&mut queue, 1, 100, Isolation::Reset);
        let dropped = submit(&mut queue, 2, 100, Isolation::Reset);
        let (job, piece) = queue.take(SHARED).unwrap();
        assert_eq!(job.number, 1);
        drop(dropped);
        queue.remove_abandoned();
        assert!(queue.get(2).is_none());
        complete(&mut queue, &job, piece);
        assert_eq!(queue.of_ticket(&kept), Some(1));
        drop(kept);
        let _new = submit(&mut queue, 3, 1, Isolation::Reset);
        assert_eq!(queue.works.len(), 1);
        assert!(queue.work_on(&job).is_none(), "answers that come too late have no place");
    }

    #[test]
    fn tickets_of_others_are_told_from_ours() {
        let mut queue = Queue::default();
        let ours = submit(&mut queue, 1, 1, Isolation::Reset);
        let (theirs, _stub) = Ticket::numbered(1);
        assert_eq!(queue.of_ticket(&ours), Some(1));
        assert_eq!(queue.of_ticket(&theirs), None);
    }

    #[test]
    fn a_failed_batch_gives_out_no_pieces() {
        let mut queue = Queue::default();
        let _tickets = [1, 2].map(|number| submit(&mut queue, number, 100, Isolation::Reset));
        let (job, piece) = queue.take(SHARED).unwrap();
        queue.work_on(&job).unwrap().fail("no room".to_owned());
        let death = WorkerDeath { running: Some(0), from_outside: false };
        queue.work_on(&job).unwrap().died(piece, death);
        assert_eq!(queue.waiting_alone(), 0);
        assert_eq!(queue.take(ANY).unwrap().0.number, 2);
        assert_eq!(queue.get(1).unwrap().failure(), Some("no room"));
    }
}
