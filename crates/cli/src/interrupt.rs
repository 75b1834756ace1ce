//! An interrupted command ends soon, with its exit code, and leaves no process and no scratch
//! folder behind.
//!
//! All processes that are started are in groups of their own, so that a terminal's Ctrl-C reaches
//! this one alone. It stops the workers: a search that waits for them ends, and the command ends in
//! its own way, with the best test so far. For a short while that test may be verified; then, or
//! when the user insists, verification is given up. If the command still does not end, the process
//! exits in the middle of its work: workers notice that by themselves.

use std::process;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use crashback::{ErrorKind, Interruption};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::iterator::Signals;

use crate::{exit, output};

/// Signals that ask the command to end, and what it leaves then.
#[derive(Clone, Debug, Default)]
pub(crate) struct Interrupts {
    /// The switch that signals turn.
    pub(crate) interruption: Interruption,
    /// What standard output gets if the command does not come to its own end.
    last_words: Arc<Mutex<Option<String>>>,
}

impl Interrupts {
    /// From here on signals that ask the process to end do so in an orderly way. Where handlers
    /// cannot be installed, signals end the process at once, as ever.
    pub(crate) fn install() -> Self {
        let interrupts = Self::default();
        // A file that would grow beyond a limit of the system then is an error of writing it, as on
        // a full disk.
        drop(signal_hook::flag::register(SIGXFSZ, Arc::default()));
        if let Ok(signals) = Signals::new([SIGINT, SIGTERM, SIGHUP]) {
            let waiting = interrupts.clone();
            thread::spawn(move || waiting.wait(signals));
        }
        interrupts
    }

    /// A switch of its own for one of several things that go on at the same time, turned with this one.
    pub(crate) fn child(&self) -> Self {
        Self { interruption: self.interruption.child(), last_words: Arc::default() }
    }

    /// Whether a signal came.
    pub(crate) fn happened(&self) -> bool {
        self.interruption.is_requested()
    }

    /// Sets what standard output gets if the process exits in the middle of its work.
    pub(crate) fn leave_with(&self, words: String) {
        *self.last_words() = Some(words);
    }

    /// From here on the command prints its result itself. Does not return if that has been done for
    /// it.
    pub(crate) fn speak_for_yourself(&self) {
        drop(self.last_words().take());
    }

    fn last_words(&self) -> MutexGuard<'_, Option<String>> {
        self.last_words.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait(&self, mut signals: Signals) {
        if signals.forever().next().is_none() {
            return;
        }
        // Without workers there is little to clean up, and no test that might be verified.
        let (patience, last) =
            if self.interruption.has_workers() { (ENOUGH, LAST) } else { (LITTLE, LITTLE) };
        self.interruption.request();
        for _ in 0..patience {
            thread::sleep(MOMENT);
            if signals.pending().next().is_some() {
                break;
            }
        }
        self.interruption.give_up();
        thread::sleep(MOMENT * last);
        // Held to the end, so that the command does not print, too.
        let mut words = self.last_words();
        self.interruption.remove_folders();
        if let Some(words) = words.take() {
            output::print(&words);
        }
        process::exit(exit::code(ErrorKind::Interrupted).into());
    }
}

const MOMENT: Duration = Duration::from_millis(50);
/// Moments that are enough to verify a test that was found, even on a busy machine.
const ENOUGH: u32 = 200;
/// Moments that are enough to clean up where there is little.
const LITTLE: u32 = 10;
/// Moments that are enough to clean up everything; usually the command has ended long before.
const LAST: u32 = 100;
