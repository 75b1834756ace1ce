//! What the threads of a pool share: the batch on its way and what each slot is doing.
//!
//! A *slot* is a thread with a worker process. There are as many as workers and spares together. A
//! process that has run a test is *used*: it is warm, and stays at work. One that has run nothing
//! is *fresh*: it takes over when a used one is gone, and runs what must run alone. One lock guards
//! all of it, and is held for moments only.

use std::collections::{BTreeSet, VecDeque};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crashback_protocol::{Failure, Isolation, Observation, Reply, Untouched};
use crashback_testcase::{Addition, Known, Vocabulary};

use super::process::Process;
use super::slot::StartFailure;
use super::work::{Blow, Job, Piece, Work};
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
}

/// What the lock guards.
#[derive(Debug, Default)]
pub(super) struct State {
    pub(super) stop: bool,
    pub(super) work: Option<Work>,
    pub(super) lexicon: Lexicon,
    pub(super) statistics: Statistics,
    /// What workers have left without probes, and which of it the current batch was the first to
    /// tell.
    untouched: BTreeSet<Untouched>,
    newly_untouched: BTreeSet<Untouched>,
    pub(super) ready: Option<Ready>,
    /// Why there are no workers: to be told once.
    pub(super) broken: Option<String>,
    slots: Vec<Slot>,
    /// Starts that failed since the last that did not.
    failed_starts: u32,
    /// Spares are not started before the workers have had the processors to themselves for their
    /// first batch.
    spares_wanted: bool,
}

#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    stage: Stage,
    /// Whether its process has tests to run.
    busy: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Stage {
    #[default]
    Without,
    Fresh,
    Used,
}

/// A piece of a batch for a worker.
#[derive(Debug)]
pub(super) struct Assignment {
    pub(super) job: Arc<Job>,
    pub(super) piece: Piece,
    /// What the worker must learn for it.
    pub(super) additions: Vec<Arc<Addition>>,
    /// What the worker knows then.
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
    /// It died, or was killed by the monitor: in words, and what it means for the first piece that
    /// it had.
    Died { how: String, blow: Blow },
    /// It said that it had to.
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
    pub(super) fn new(settings: PoolSettings) -> Self {
        let count = settings.workers + settings.spares;
        let state = State { slots: vec![Slot::default(); count], ..State::default() };
        Self {
            settings,
            state: Mutex::new(state),
            progress: Condvar::new(),
            used: Condvar::new(),
            fresh: Condvar::new(),
            processes: Mutex::default(),
        }
    }

    pub(super) fn slots(&self) -> usize {
        self.settings.workers + self.settings.spares
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }

    /// Wakes whoever can do something about the work that waits.
    pub(super) fn announce(&self, state: &State) {
        let Some(work) = &state.work else { return };
        if work.has_shared() || work.waiting_alone() > 0 {
            self.used.notify_all();
        }
        if work.waiting_alone() > 0 || state.count(Stage::Used) < self.settings.workers {
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

    /// Makes a process known to those who watch and kill.
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
        let alive = state.slots.iter().any(|slot| slot.stage != Stage::Without);
        if state.failed_starts >= most && !alive && !state.stop {
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
    pub(super) fn started(&self, slot: usize, ready: Ready) {
        let mut state = self.lock();
        state.failed_starts = 0;
        state.ready = Some(ready);
        state.set(slot, Slot { stage: Stage::Fresh, busy: false });
        self.progress.notify_all();
    }

    /// A process is gone; what it had goes to others.
    pub(super) fn ended(&self, slot: usize, ending: Ending, pieces: VecDeque<Assignment>) {
        let mut state = self.lock();
        state.set(slot, Slot::default());
        state.spares_wanted = true;
        state.statistics.count(&ending);
        // Those behind the first were only on their way.
        let mut blow = match ending {
            Ending::Died { blow, .. } => Some(blow),
            Ending::Recycled | Ending::Retired => None,
        };
        for Assignment { job, piece, .. } in pieces {
            let Some(work) = state.work_on(&job) else { continue };
            match blow.take() {
                Some(blow) => work.died(piece, blow),
                None => work.untouched(piece),
            }
        }
        self.fresh.notify_all();
        self.announce(&state);
        if state.work.as_ref().is_some_and(Work::can_deliver) {
            self.progress.notify_all();
        }
    }

    /// The next piece for a slot whose worker has so many requests in flight and knows so much.
    /// Waits for one if there are none.
    pub(super) fn next(&self, slot: usize, process: &Process, in_flight: usize, known: Known) -> Next {
        let mut state = self.lock();
        loop {
            if state.stop {
                return Next::Retire;
            }
            if process.is_doomed() && in_flight == 0 {
                return Next::Gone;
            }
            match state.choose(slot, self.settings.workers, in_flight, known) {
                Next::Nothing if in_flight == 0 => {}
                next => return next,
            }
            state = self.wait_for_work(slot, state);
        }
    }

    fn wait_for_work<'a>(&self, slot: usize, mut state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        let Slot { stage, busy } = state.slot(slot);
        if busy {
            state.set(slot, Slot { stage, busy: false });
            // Somebody fresh may have waited for one less to be busy.
            self.announce(&state);
        }
        wait(if stage == Stage::Used { &self.used } else { &self.fresh }, state)
    }

    /// A reply has come. Says whether the process shall go on.
    pub(super) fn completed(&self, assignment: Assignment, reply: Reply) -> bool {
        let Reply { observations, untouched, .. } = reply;
        let Assignment { job, piece, .. } = assignment;
        let alone = piece.alone;
        let complete = observations.len() == piece.range.len();
        let mut state = self.lock();
        for untouched in untouched {
            if state.untouched.insert(untouched.clone()) {
                state.newly_untouched.insert(untouched);
            }
        }
        if let Some(work) = state.work_on(&job) {
            work.completed(piece, observations);
            if work.should_deliver() {
                self.progress.notify_all();
            }
            if !complete {
                self.announce(&state);
            }
        }
        let superfluous =
            job.isolation == Isolation::FreshJvm || state.count(Stage::Used) > self.settings.workers;
        !(alone && superfluous)
    }

    /// A piece was not sent after all.
    pub(super) fn give_back(&self, assignment: Assignment) {
        let mut state = self.lock();
        if let Some(work) = state.work_on(&assignment.job) {
            work.untouched(assignment.piece);
            self.announce(&state);
        }
    }

    /// Lets the batch fail.
    pub(super) fn give_up(&self, why: String) {
        self.lock().broken = Some(why);
        self.progress.notify_all();
    }

    /// A process is doomed: its thread may be waiting for work.
    pub(super) fn wake(&self) {
        let _state = self.lock();
        self.used.notify_all();
        self.fresh.notify_all();
    }

    /// Gives a batch to the slots.
    pub(super) fn begin(&self, work: Work) {
        let mut state = self.lock();
        state.work = Some(work);
        self.announce(&state);
    }

    /// Waits for the next observations in order; none after the last.
    pub(super) fn deliver(&self) -> Result<Option<Vec<Observation>>, Failure> {
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
            let Some(work) = &mut state.work else { return Ok(None) };
            if let Some(observations) = work.deliver() {
                return Ok(Some(observations));
            }
            if work.is_finished() {
                return Ok(None);
            }
            state = wait(&self.progress, state);
        }
    }

    /// The batch is over, finished or not. Gives what it has shown to be without probes.
    pub(super) fn finish(&self) -> Vec<Untouched> {
        let mut state = self.lock();
        state.work = None;
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
    fn slot(&self, slot: usize) -> Slot {
        self.slots.get(slot).copied().unwrap_or_default()
    }

    fn set(&mut self, slot: usize, to: Slot) {
        if let Some(place) = self.slots.get_mut(slot) {
            *place = to;
        }
    }

    fn count(&self, stage: Stage) -> usize {
        self.slots.iter().filter(|slot| slot.stage == stage).count()
    }

    fn work_on(&mut self, job: &Job) -> Option<&mut Work> {
        self.work.as_mut().filter(|work| work.job().number == job.number)
    }

    fn choose(&mut self, slot: usize, workers: usize, in_flight: usize, known: Known) -> Next {
        let stage = self.slot(slot).stage;
        let (used, busy) = (self.count(Stage::Used), self.slots.iter().filter(|it| it.busy).count());
        let becoming_fresh = self.slots.len() - used;
        let Some(work) = &mut self.work else { return Next::Nothing };
        let alone = if stage == Stage::Fresh && busy < workers { work.take_alone() } else { None };
        let piece = match alone {
            Some(piece) => Some(piece),
            None if stage == Stage::Used || used < workers => work.take_shared(),
            None => None,
        };
        let Some(piece) = piece else {
            let coming = if self.failed_starts < FAILED_STARTS { becoming_fresh } else { 0 };
            let scarce = work.waiting_alone() > WORTH_OF_USED * coming;
            return if stage == Stage::Used && in_flight == 0 && scarce {
                Next::Retire
            } else {
                Next::Nothing
            };
        };
        let job = Arc::clone(work.job());
        self.set(slot, Slot { stage: Stage::Used, busy: true });
        let additions = self.lexicon.missing(known);
        Next::Assignment(Assignment { job, piece, additions, known: self.lexicon.known })
    }
}

/// What the caller's vocabulary held at each batch, in parts: workers know some of the first.
#[derive(Debug, Default)]
pub(super) struct Lexicon {
    known: Known,
    parts: Vec<Arc<Addition>>,
}

impl Lexicon {
    /// Takes over what is new.
    pub(super) fn learn(&mut self, vocabulary: &Vocabulary) -> Result<(), Failure> {
        let now = vocabulary.known();
        let before = self.known;
        if now.types < before.types || now.methods < before.methods || now.fields < before.fields {
            let why = "the vocabulary of a batch has lost entries that an earlier batch had: a pool serves one vocabulary";
            return Err(Failure(why.to_owned()));
        }
        if now != before {
            self.parts.push(Arc::new(vocabulary.since(before)));
            self.known = now;
        }
        Ok(())
    }

    /// The parts that somebody is missing who knows so much.
    pub(super) fn missing(&self, known: Known) -> Vec<Arc<Addition>> {
        let first = self.parts.iter().rposition(|part| part.after == known);
        first.and_then(|first| self.parts.get(first..)).unwrap_or_default().to_vec()
    }
}

fn interrupted() -> Failure {
    Failure("the evaluation was interrupted".to_owned())
}

fn wait<'a>(place: &Condvar, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
    place.wait(state).unwrap_or_else(PoisonError::into_inner)
}
