//! An interrupted command ends soon, with its exit code, and leaves no process and no scratch
//! folder behind.
//!
//! All processes that are started are in groups of their own, so that a terminal's Ctrl-C reaches
//! this one alone. It stops the pools: what waits for them fails, and the command ends in its own
//! way, with the best so far. For a short while that may be verified; then, or when the user
//! insists, all that can be ended is. Only if even that does not help the process is left in the
//! middle of what it does: workers notice that by themselves.

use std::fs;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use crashback_jvm::pool::{Pool, PoolHandle};
use crashback_protocol::{Batch, Evaluator, Failure, Results, Ticket, Usage};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::iterator::Signals;

use crate::exit::FailureKind;
use crate::output;

/// Whether the command was interrupted, and what must be stopped then.
#[derive(Debug, Default)]
pub(crate) struct Interrupts {
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    happened: Arc<AtomicBool>,
    /// Whether even what might still come of it is not waited for.
    is_over: AtomicBool,
    /// Folders that do not outlive the process.
    folders: Mutex<Vec<PathBuf>>,
    /// Pools that are running, by numbers.
    pools: Mutex<(u64, Vec<(u64, PoolHandle)>)>,
    /// What standard output gets if the command does not come to its own end.
    last_words: Mutex<Option<String>>,
}

impl Interrupts {
    /// From here on signals that ask the process to end do so in an orderly way. Where that cannot
    /// be had they end it at once, as ever.
    pub(crate) fn install() -> Self {
        let interrupts = Self::default();
        // A file that would grow beyond a limit of the system then is an error of writing it, as a
        // full disk is.
        drop(signal_hook::flag::register(SIGXFSZ, Arc::default()));
        if let Ok(signals) = Signals::new([SIGINT, SIGTERM, SIGHUP]) {
            let shared = Arc::clone(&interrupts.shared);
            thread::spawn(move || shared.wait(signals));
        }
        interrupts
    }

    pub(crate) fn happened(&self) -> bool {
        self.shared.happened.load(Ordering::SeqCst)
    }

    /// The same for others to look at.
    pub(crate) fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.shared.happened)
    }

    /// Whether an interrupted command must not even wait for what might still come of it.
    pub(crate) fn is_over(&self) -> bool {
        self.shared.is_over.load(Ordering::SeqCst)
    }

    /// Sees to it that a temporary folder goes, even if the process is left in the middle of
    /// something.
    pub(crate) fn forget(&self, folder: &Path) {
        self.shared.folders().push(folder.to_owned());
    }

    /// What a signal does first.
    #[cfg(test)]
    pub(crate) fn interrupt(&self) {
        self.shared.happened.store(true, Ordering::SeqCst);
    }

    /// What standard output gets if the process is left in the middle of something.
    pub(crate) fn leave_with(&self, words: String) {
        *self.shared.last_words() = Some(words);
    }

    /// From here on the command tells of its end itself. Does not return if that has been done for
    /// it.
    pub(crate) fn speak_for_yourself(&self) {
        drop(self.shared.last_words().take());
    }

    /// Stops a pool when the command is interrupted.
    pub(crate) fn watch(&self, pool: Pool) -> Watched {
        let mut pools = self.shared.pools();
        pools.0 += 1;
        let number = pools.0;
        pools.1.push((number, pool.handle()));
        if self.happened() {
            pool.handle().stop();
        }
        drop(pools);
        Watched { pool, number, shared: Arc::clone(&self.shared) }
    }
}

impl Shared {
    fn pools(&self) -> MutexGuard<'_, (u64, Vec<(u64, PoolHandle)>)> {
        self.pools.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn last_words(&self) -> MutexGuard<'_, Option<String>> {
        self.last_words.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn folders(&self) -> MutexGuard<'_, Vec<PathBuf>> {
        self.folders.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait(&self, mut signals: Signals) {
        if signals.forever().next().is_none() {
            return;
        }
        self.happened.store(true, Ordering::SeqCst);
        let handles: Vec<PoolHandle> = self.pools().1.iter().map(|(_, handle)| handle.clone()).collect();
        handles.iter().for_each(PoolHandle::stop);
        // Without a pool there is little to put away, and nothing that might come of it.
        let (patience, last) = if handles.is_empty() { (LITTLE, LITTLE) } else { (ENOUGH, LAST) };
        for _ in 0..patience {
            thread::sleep(MOMENT);
            if signals.pending().next().is_some() {
                break;
            }
        }
        self.is_over.store(true, Ordering::SeqCst);
        thread::sleep(MOMENT * last);
        // Held to the end, so that the command does not speak, too.
        let mut words = self.last_words();
        for folder in self.folders().iter() {
            // Most are gone already.
            let _ = fs::remove_dir_all(folder);
        }
        if let Some(words) = words.take() {
            output::print(&words);
        }
        process::exit(FailureKind::Interrupted.code().into());
    }
}

const MOMENT: Duration = Duration::from_millis(50);
/// So many moments are enough to verify a test that was found, even on a busy machine.
const ENOUGH: u32 = 200;
/// So many are enough to put things away where there are few.
const LITTLE: u32 = 10;
/// So many are enough to put away whatever there is; where it takes fewer the command has ended
/// long before.
const LAST: u32 = 100;

/// A pool that an interruption stops.
#[derive(Debug)]
pub(crate) struct Watched {
    pub(crate) pool: Pool,
    number: u64,
    shared: Arc<Shared>,
}

impl Evaluator for Watched {
    fn submit(&mut self, batch: Batch<'_>) -> Result<Ticket, Failure> {
        self.pool.submit(batch)
    }

    fn collect(&mut self, ticket: Ticket) -> Result<Results, Failure> {
        self.pool.collect(ticket)
    }

    fn is_done(&self, ticket: &Ticket) -> bool {
        self.pool.is_done(ticket)
    }

    fn usage(&self) -> Usage {
        self.pool.usage()
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        self.shared.pools().1.retain(|(number, _)| *number != self.number);
    }
}
