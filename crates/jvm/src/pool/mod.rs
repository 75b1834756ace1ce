//! The pool: test cases in, observations out, whatever happens to the processes in between.
//!
//! Observations come back in the order of the tests, and do not depend on the number of workers, on
//! the way in which tests are divided among them or on deaths of workers. A test in which a worker
//! dies is run again once, alone in a fresh worker; only if that one dies, too, its outcome says so.
//! No process, thread or file of a pool outlives it.
//!
//! Batches wait in a `queue`; each is a `work`, which is cut into pieces. A worker takes its next
//! piece from the oldest batch that has one, so that it goes on with the next batch while another
//! worker is still at the slowest test of an older one. A test that needs a JVM of its own runs in a
//! spare process beside them.
//!
//! Threads: one for each worker and spare (`slot`), which starts it, encodes requests and decodes
//! replies; one that watches all of them (`monitor`); and the caller, who puts replies together.

mod connection;
mod lexicon;
mod monitor;
mod piece;
mod process;
mod queue;
mod roster;
mod scratch;
mod settings;
mod shared;
mod slot;
mod work;

use std::io;
use std::os::fd::OwnedFd;
use std::path::absolute;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crashback_protocol::{Batch, Evaluator, Failure, Results, Ticket, Usage, Waited};

pub use settings::{Allowance, PoolSettings, WorkerCommand};

pub use self::scratch::LockedFolder;
use self::scratch::ScratchRoot;
use self::shared::Shared;
use self::work::{Job, Sizes, Work};
use crate::handshake::Report;

/// Worker processes that evaluate test cases. All batches must use the same
/// [`Vocabulary`](crashback_testcase::Vocabulary), which may grow in between.
#[derive(Debug)]
pub struct Pool {
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
    /// When it is closed the monitor ends.
    lifeline: Option<io::PipeWriter>,
    batches: u64,
    /// Removed when all threads have ended.
    scratch: Arc<ScratchRoot>,
}

/// A first worker is ready.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ready {
    /// What it says about itself.
    pub report: Report,
    /// How long it took from the start of its process.
    pub time: Duration,
}

/// What has happened to worker processes, and how well they were used.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Processes started.
    pub started: u64,
    /// Processes that died or were killed for what they did.
    pub died: u64,
    /// Processes that asked to be replaced.
    pub recycled: u64,
    /// Processes ended because a fresh one was needed, or none any more.
    pub retired: u64,
    /// How the last one died that did.
    pub last_death: Option<String>,
    /// How well the processes of each slot were used for ordinary batches. There are as many slots
    /// as workers and spares together; a spare that has taken over counts as a worker.
    pub slots: Vec<Usage>,
}

impl Statistics {
    /// How well all processes together were used for ordinary batches.
    pub fn usage(&self) -> Usage {
        self.slots.iter().copied().sum()
    }
}

impl Pool {
    /// Starts workers in the background and returns at once.
    pub fn new(settings: PoolSettings) -> Result<Self, Failure> {
        let fail = |what: &str| {
            let what = what.to_owned();
            move |error: io::Error| Failure(format!("{what}: {error}"))
        };
        let root = settings.scratch_root.display().to_string();
        let settings = at_any_place(settings).map_err(fail("the current folder is gone"))?;
        let scratch = ScratchRoot::new(&settings.scratch_root)
            .map_err(fail(&format!("no scratch folder can be made in {root}")))?;
        let (until, lifeline) = io::pipe().map_err(fail("no pipe can be made"))?;
        let (shared, scratch) = (Arc::new(Shared::new(settings)), Arc::new(scratch));
        let mut pool = Self { shared, threads: Vec::new(), lifeline: Some(lifeline), batches: 0, scratch };
        for slot in 0..pool.shared.slots() {
            let scratch = Arc::clone(&pool.scratch);
            pool.spawn(format!("slot {slot}"), move |shared| slot::run(shared, &scratch, slot))?;
        }
        let until = OwnedFd::from(until);
        pool.spawn("monitor".to_owned(), move |shared| monitor::run(shared, &until))?;
        Ok(pool)
    }

    fn spawn(&mut self, name: String, body: impl FnOnce(&Shared) + Send + 'static) -> Result<(), Failure> {
        let shared = Arc::clone(&self.shared);
        let thread = thread::Builder::new().name(name).spawn(move || body(&shared));
        self.threads.push(thread.map_err(|error| Failure(format!("no thread can be started: {error}")))?);
        Ok(())
    }

    /// Waits until a first worker is ready.
    pub fn ready(&self) -> Result<Ready, Failure> {
        self.shared.wait_ready()
    }

    /// Something to watch and stop the pool with from other threads.
    pub fn handle(&self) -> PoolHandle {
        PoolHandle { shared: Arc::clone(&self.shared) }
    }
}

impl Evaluator for Pool {
    fn submit(&mut self, batch: Batch<'_>) -> Result<Ticket, Failure> {
        self.shared.lock().lexicon.learn(batch.vocabulary)?;
        self.batches += 1;
        let Batch { isolation, pins, listens, .. } = batch;
        let job = Job { number: self.batches, tests: batch.tests.to_vec(), isolation, pins, listens };
        let settings = &self.shared.settings;
        let sizes = Sizes { workers: settings.workers, largest: settings.batch };
        let (ticket, stub) = Ticket::numbered(self.batches);
        self.shared.submit(Work::new(Arc::new(job), sizes, stub))?;
        Ok(ticket)
    }

    fn collect(&mut self, ticket: Ticket) -> Result<Results, Failure> {
        let number = self.shared.begin_collecting(&ticket)?;
        let mut results = Results::default();
        let end = loop {
            match self.shared.deliver(number) {
                Ok(Some(observations)) => results.append(observations),
                Ok(None) => break Ok(results),
                Err(failure) => break Err(failure),
            }
        };
        let untouched = self.shared.end_collecting(number);
        end.map(|mut results| {
            results.untouched = untouched;
            results
        })
    }

    fn is_done(&self, ticket: &Ticket) -> bool {
        self.shared.is_done(ticket)
    }

    fn wait(&mut self, ticket: &Ticket, few: usize, at_most: Duration) -> Waited {
        self.shared.wait_for(ticket, few, at_most)
    }

    fn workers(&self) -> Vec<Usage> {
        self.shared.statistics().slots
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.shared.stop();
        drop(self.lifeline.take());
        for thread in self.threads.drain(..) {
            // A thread that panicked has ended, which is all that is asked.
            let _ = thread.join();
        }
    }
}

/// Watches and stops a pool from another thread.
#[derive(Clone, Debug)]
pub struct PoolHandle {
    shared: Arc<Shared>,
}

impl PoolHandle {
    /// Kills all workers, for good. An evaluation that is going on fails at once.
    pub fn stop(&self) {
        self.shared.stop();
    }

    /// Process numbers of all workers.
    pub fn processes(&self) -> Vec<u32> {
        self.shared.processes().iter().map(|process| process.id()).collect()
    }

    /// What has happened to worker processes so far, and how well they were used.
    pub fn statistics(&self) -> Statistics {
        self.shared.statistics()
    }
}

/// A worker starts in its scratch folder, where relative paths mean something else.
fn at_any_place(mut settings: PoolSettings) -> io::Result<PoolSettings> {
    settings.command.program = absolute(&settings.command.program)?;
    settings.worker.machine.home = absolute(&settings.worker.machine.home)?;
    for entry in &mut settings.worker.program.class_path {
        *entry = absolute(&*entry)?;
    }
    settings.workers = settings.workers.max(1);
    Ok(settings)
}

/// A thread that panicked leaves nothing half done behind these locks.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
