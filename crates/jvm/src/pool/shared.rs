//! What the threads of a pool share: the batches on their way and what each slot is doing.
//!
//! A *slot* is a thread with a worker process. There are as many as workers and spares together. One
//! lock guards all of it, and is held for moments only.

use std::collections::BTreeSet;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crashback_protocol::{Failure, Isolation, Observation, Reply, Ticket, Untouched, Waited};
use crashback_testcase::{Addition, Known};

use super::lexicon::Lexicon;
use super::piece::Piece;
use super::process::Process;
use super::queue::Queue;
use super::roster::{Held, Roster, Stage};
use super::slot::StartFailure;
use super::work::{Job, Work, WorkerDeath};
use super::{PoolSettings, Ready, Statistics, lock};

/// Everything that threads share.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) settings: PoolSettings,
    pub(super) state: Mutex<State>,
    /// Where the caller waits for observations.
    pub(super) progress: Condvar,
    /// Where slots with a used process wait for work.
    used: Condvar,
    /// Where all other slots wait, for work or for their turn to start.
    fresh: Condvar,
    /// All processes that have not been waited for.
    processes: Mutex<Vec<Arc<Process>>>,
    begun: Instant,
}

/// What the lock guards.
#[derive(Debug, Default)]
pub(super) struct State {
    pub(super) stop: bool,
    queue: Queue,
    roster: Roster,
    /// The batch whose results the caller waits for.
    collected: Option<u64>,
    /// The caller waits for a batch, or for fewer tests than this that wait for workers.
    few: Option<usize>,
    pub(super) lexicon: Lexicon,
    pub(super) statistics: Statistics,
    /// Code that runs without probes, as workers told; and the part that no results have told yet.
    untouched: BTreeSet<Untouched>,
    newly_untouched: BTreeSet<Untouched>,
    ready: Option<Ready>,
    /// Why there are no workers: to be told once.
    broken: Option<String>,
    /// Starts that failed since the last that did not.
    failed_starts: u32,
    /// Spares are not started before the workers have had the processors to themselves for their
    /// first batch.
    spares_wanted: bool,
}

/// A piece of a batch for a worker.
#[derive(Debug)]
pub(super) struct Assignment {
    /// Tells requests apart.
    pub(super) request: u64,
    pub(super) job: Arc<Job>,
    pub(super) piece: Piece,
    /// The vocabulary that the worker lacks for it.
    pub(super) additions: Vec<Arc<Addition>>,
    /// The vocabulary that the worker knows afterwards.
    pub(super) known: Known,
}

/// What a slot does next.
#[derive(Debug)]
pub(super) enum Next {
    /// Send this.
    Assignment(Assignment),
    /// Nothing now.
    Nothing,
    /// End the process: others need a fresh one, or all is over.
    Retire,
    /// The process is gone already.
    Gone,
}

/// Why a process ended.
#[derive(Debug)]
pub(super) enum Ending {
    /// It died, or was killed by the monitor: in words, and with the request that it was working
    /// at.
    Died { how: String, death: WorkerDeath, request: Option<u64> },
    /// It asked to be replaced.
    Recycled,
    /// It was no longer needed.
    Retired,
}

/// So many starts must fail in a row before the pool gives up.
const FAILED_STARTS: u32 = 3;

/// As many, if the last was killed by somebody else: that may be over next time.
const STARTS_KILLED: u32 = 12;

/// A used process is worth so many fresh ones: it is warm.
const WORTH_OF_USED: usize = 4;

impl Shared {
    #[expect(clippy::disallowed_methods, reason = "the times that workers waited are told")]
    pub(super) fn new(settings: PoolSettings) -> Self {
        let roster = Roster::new(settings.workers, settings.spares);
        let state = State { roster, ..State::default() };
        Self {
            settings,
            state: Mutex::new(state),
            progress: Condvar::new(),
            used: Condvar::new(),
            fresh: Condvar::new(),
            processes: Mutex::default(),
            begun: Instant::now(),
        }
    }

    /// Everything under lock, with the times of all slots up to now.
    fn accounted(&self) -> MutexGuard<'_, State> {
        let mut state = self.lock();
        state.account(self.begun);
        state
    }

    pub(super) fn statistics(&self) -> Statistics {
        let state = self.accounted();
        Statistics { slots: state.roster.usage().to_vec(), ..state.statistics.clone() }
    }

    pub(super) fn slots(&self) -> usize {
        self.settings.workers + self.settings.spares
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }

    /// Wakes the slots that can do something about the work that waits.
    fn announce(&self, state: &State) {
        let (has_shared, has_alone) = (state.queue.has_shared(), state.queue.waiting_alone() > 0);
        if has_shared || has_alone {
            self.used.notify_all();
        }
        if has_alone || has_shared && state.roster.lacks_workers() {
            self.fresh.notify_all();
        }
    }

    /// Ends everything. Threads notice by themselves.
    pub(super) fn stop(&self) {
        self.lock().stop = true;
        self.used.notify_all();
        self.fresh.notify_all();
        self.progress.notify_all();
        for process in self.processes() {
            process.kill("the pool ends");
        }
    }

    /// All processes that have not been waited for.
    pub(super) fn processes(&self) -> Vec<Arc<Process>> {
        lock(&self.processes).clone()
    }

    /// Makes a process known to the threads that watch and kill.
    pub(super) fn register(&self, process: &Arc<Process>) {
        lock(&self.processes).push(Arc::clone(process));
        let mut state = self.lock();
        state.statistics.started += 1;
        if state.stop {
            process.kill("the pool ends");
        }
    }

    pub(super) fn forget(&self, process: &Arc<Process>) {
        lock(&self.processes).retain(|known| !Arc::ptr_eq(known, process));
    }

    /// Waits until a slot may start a process. False when all is over.
    pub(super) fn may_start(&self, slot: usize) -> bool {
        let mut state = self.lock();
        let delay = Duration::from_millis(20 << state.failed_starts.min(6));
        if state.failed_starts > 0 {
            let waited = self.fresh.wait_timeout_while(state, delay, |state| !state.stop);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        loop {
            let is_spare = slot >= self.settings.workers;
            match () {
                () if state.stop => return false,
                () if state.broken.is_some() || is_spare && !state.spares_wanted => {
                    state = wait(&self.fresh, state)
                }
                () => return true,
            }
        }
    }

    /// A process could not be started or did not get ready.
    pub(super) fn start_failed(&self, failure: &StartFailure) {
        let mut state = self.lock();
        state.failed_starts += 1;
        let most = if failure.by_others { STARTS_KILLED } else { FAILED_STARTS };
        if state.failed_starts >= most && !state.roster.has_any() && !state.stop {
            let why = &failure.why;
            state.broken = Some(format!(
                "worker processes do not start: {why}\nrun `crashback doctor` to find out what is missing"
            ));
            self.progress.notify_all();
        }
        // A used process may have waited for a fresh one that does not come.
        self.used.notify_all();
    }

    /// A process is ready for its first request.
    pub(super) fn started(&self, slot: usize, process: &Process, ready: Ready) {
        let mut state = self.accounted();
        state.failed_starts = 0;
        state.roster.started(slot, process.id(), ready.time);
        state.ready = Some(ready);
        self.progress.notify_all();
    }

    /// A process is gone; the pieces that it had go to others.
    pub(super) fn ended(&self, slot: usize, ending: Ending) {
        let mut guard = self.accounted();
        let state = &mut *guard;
        state.spares_wanted = true;
        state.statistics.count(&ending);
        for Held { request, job, piece } in state.roster.ended(slot) {
            let Some(work) = state.queue.work_on(&job) else { continue };
            match &ending {
                Ending::Died { death, request: Some(first), .. } if *first == request => {
                    work.died(piece, *death);
                }
                // It had not begun with this one.
                _ => work.put_back(piece),
            }
        }
        self.fresh.notify_all();
        self.announce(state);
        if state.few.is_some() || state.collected_work().is_some_and(|work| work.can_deliver()) {
            self.progress.notify_all();
        }
    }

    /// The next piece for a slot, given how many requests its process has in flight and the
    /// vocabulary that it knows. Waits for a piece if no request is in flight.
    pub(super) fn next(&self, slot: usize, process: &Process, in_flight: usize, known: Known) -> Next {
        let mut state = self.lock();
        loop {
            if state.stop {
                return Next::Retire;
            }
            if process.is_doomed() && in_flight == 0 {
                return Next::Gone;
            }
            state.account(self.begun);
            let next = state.choose(slot, in_flight, known);
            if state.few.is_some_and(|few| state.queue.waiting_shared() < few) {
                self.progress.notify_all();
            }
            match next {
                Next::Nothing if in_flight == 0 => {}
                next => return next,
            }
            let is_used = state.roster.stage(slot) == Stage::Used;
            state = wait(if is_used { &self.used } else { &self.fresh }, state);
        }
    }

    /// A request was answered. Says whether the process shall go on.
    pub(super) fn completed(&self, slot: usize, request: u64, reply: Reply) -> bool {
        let Reply { observations, untouched, spent, .. } = reply;
        let mut guard = self.accounted();
        let state = &mut *guard;
        for untouched in untouched {
            if state.untouched.insert(untouched.clone()) {
                state.newly_untouched.insert(untouched);
            }
        }
        let Some(Held { job, piece, .. }) = state.roster.release(slot, request) else { return true };
        state.roster.observed(slot, observations.len(), spent);
        let goes_on = !piece.alone || state.roster.keeps(slot, job.isolation == Isolation::FreshJvm);
        if let Some(work) = state.queue.work_on(&job) {
            let is_complete = observations.len() == piece.len();
            work.completed(piece, observations);
            let is_wanted = work.should_deliver() && state.collected == Some(job.number);
            if is_wanted || state.few.is_some() && work.is_observed() {
                self.progress.notify_all();
            }
            if !is_complete {
                self.announce(state);
            }
        }
        goes_on
    }

    /// A request was not sent after all.
    pub(super) fn give_back(&self, slot: usize, request: u64) {
        let mut guard = self.accounted();
        let state = &mut *guard;
        if let Some(Held { job, piece, .. }) = state.roster.release(slot, request)
            && let Some(work) = state.queue.work_on(&job)
        {
            work.put_back(piece);
            self.announce(state);
        }
    }

    /// A request cannot be sent at all: its batch fails.
    pub(super) fn give_up(&self, job: &Job, why: String) {
        if let Some(work) = self.lock().queue.work_on(job) {
            work.fail(why);
        }
        self.progress.notify_all();
    }

    /// A process has been at one test for long: what waits behind it goes to an idle process, if
    /// there is one.
    pub(super) fn relieve(&self, process: &Process) {
        let mut guard = self.accounted();
        let state = &mut *guard;
        let relieved = state.roster.relieve(process.id());
        if relieved.is_empty() {
            return;
        }
        for Held { job, piece, .. } in relieved {
            if let Some(work) = state.queue.work_on(&job) {
                work.put_back(piece);
            }
        }
        self.announce(state);
    }

    /// A process is doomed: its thread may be waiting for work.
    pub(super) fn wake(&self) {
        let _state = self.lock();
        self.used.notify_all();
        self.fresh.notify_all();
    }

    /// Gives a batch to the slots.
    pub(super) fn submit(&self, work: Work) -> Result<(), Failure> {
        let mut guard = self.lock();
        let state = &mut *guard;
        if state.stop {
            return Err(interrupted());
        }
        state.roster.account(self.begun.elapsed());
        state.queue.push(work);
        if state.queue.waiting_alone() > 0 && !state.spares_wanted {
            state.spares_wanted = true;
            self.fresh.notify_all();
        }
        self.announce(state);
        Ok(())
    }

    /// The caller now waits for the results of a batch. Gives its number.
    pub(super) fn begin_collecting(&self, ticket: &Ticket) -> Result<u64, Failure> {
        let mut state = self.lock();
        let number = state.queue.of_ticket(ticket);
        state.collected = number;
        number.ok_or_else(|| Failure("the ticket is another evaluator's".to_owned()))
    }

    /// Whether a batch can be collected without waiting: all its tests were observed, or it is lost.
    pub(super) fn is_done(&self, ticket: &Ticket) -> bool {
        let mut state = self.lock();
        state.stop || state.is_over(ticket)
    }

    /// Waits until a batch can be collected without waiting, few tests wait for workers, or the time is
    /// over.
    pub(super) fn wait_for(&self, ticket: &Ticket, few: usize, at_most: Duration) -> Waited {
        let until = self.begun.elapsed().saturating_add(at_most);
        let mut state = self.lock();
        loop {
            if state.stop || state.broken.is_some() || state.is_over(ticket) {
                return Waited::Done;
            }
            if state.queue.waiting_shared() < few {
                return Waited::Starving;
            }
            let left = until.saturating_sub(self.begun.elapsed());
            if left.is_zero() {
                return Waited::Late;
            }
            state.few = Some(few);
            state = wait_at_most(&self.progress, state, left);
            state.few = None;
        }
    }

    /// Waits for the next observations in order; none after the last.
    pub(super) fn deliver(&self, number: u64) -> Result<Option<Vec<Observation>>, Failure> {
        let mut state = self.lock();
        loop {
            if state.stop {
                return Err(interrupted());
            }
            if let Some(why) = state.broken.take() {
                state.failed_starts = 0;
                self.fresh.notify_all();
                return Err(Failure(why));
            }
            let Some(work) = state.queue.get(number) else { return Ok(None) };
            if let Some(why) = work.failure() {
                return Err(Failure(why.to_owned()));
            }
            if let Some(observations) = work.deliver() {
                return Ok(Some(observations));
            }
            if work.is_finished() {
                return Ok(None);
            }
            state = wait(&self.progress, state);
        }
    }

    /// A batch is over, finished or not. Gives the code without probes that was not told before.
    pub(super) fn end_collecting(&self, number: u64) -> Vec<Untouched> {
        let mut state = self.lock();
        state.queue.remove(number);
        state.collected = None;
        if !state.spares_wanted {
            state.spares_wanted = true;
            self.fresh.notify_all();
        }
        std::mem::take(&mut state.newly_untouched).into_iter().collect()
    }

    /// Waits for the first process to be ready.
    pub(super) fn wait_ready(&self) -> Result<Ready, Failure> {
        let mut state = self.lock();
        loop {
            match (&state.ready, &state.broken) {
                (Some(ready), _) => return Ok(ready.clone()),
                (None, Some(why)) => return Err(Failure(why.clone())),
                (None, None) if state.stop => return Err(interrupted()),
                (None, None) => state = wait(&self.progress, state),
            }
        }
    }
}

impl Statistics {
    fn count(&mut self, ending: &Ending) {
        match ending {
            Ending::Died { how, .. } => {
                self.died += 1;
                self.last_death = Some(how.clone());
            }
            Ending::Recycled => self.recycled += 1,
            Ending::Retired => self.retired += 1,
        }
    }
}

impl State {
    /// Adds the times of all slots up to now, from the first batch on.
    fn account(&mut self, begun: Instant) {
        if self.roster.is_accounting() {
            self.roster.account(begun.elapsed());
        }
    }

    /// Whether all tests of a batch were observed, or it is lost.
    fn is_over(&mut self, ticket: &Ticket) -> bool {
        let work = self.queue.of_ticket(ticket).and_then(|it| self.queue.get(it));
        work.is_none_or(|it| it.failure().is_some() || it.is_observed())
    }

    /// The batch whose results the caller waits for.
    fn collected_work(&mut self) -> Option<&mut Work> {
        self.queue.get(self.collected?)
    }

    fn choose(&mut self, slot: usize, in_flight: usize, known: Known) -> Next {
        self.queue.remove_abandoned();
        let Some((job, piece)) = self.queue.take(self.roster.takes(slot)) else {
            return if in_flight == 0 && self.must_make_room(slot) { Next::Retire } else { Next::Nothing };
        };
        let request = self.roster.hold(slot, &job, &piece);
        let additions = self.lexicon.missing(known);
        Next::Assignment(Assignment { request, job, piece, additions, known: self.lexicon.known })
    }

    /// Whether a used process without work must end so that its slot gets a fresh one: tests wait
    /// for fresh processes, and no other slot will ever have one, or so few that they take longer
    /// than a process needs to get warm again, and nobody needs warm processes now.
    fn must_make_room(&self, slot: usize) -> bool {
        let waiting = self.queue.waiting_alone();
        let is_used = self.roster.stage(slot) == Stage::Used;
        let coming = if self.failed_starts < FAILED_STARTS { self.roster.coming_fresh() } else { 0 };
        let is_scarce = coming == 0 || waiting > WORTH_OF_USED * coming && !self.queue.has_ordinary();
        is_used && waiting > 0 && is_scarce
    }
}

fn interrupted() -> Failure {
    Failure("the evaluation was interrupted".to_owned())
}

fn wait<'a>(place: &Condvar, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
    place.wait(state).unwrap_or_else(PoisonError::into_inner)
}

fn wait_at_most<'a>(place: &Condvar, state: MutexGuard<'a, State>, time: Duration) -> MutexGuard<'a, State> {
    place.wait_timeout(state, time).unwrap_or_else(PoisonError::into_inner).0
}
