//! Processes that are started before they are needed.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::Verifier;
use super::compiler::Compiler;

/// Processes that wait for a test. They end when this is dropped, or with the thread that started
/// them.
#[derive(Default)]
pub struct Ahead {
    compiler: Mutex<Option<Compiler>>,
}

impl Ahead {
    pub(super) fn compiler(&self) -> MutexGuard<'_, Option<Compiler>> {
        self.compiler.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for Ahead {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let has_compiler = self.compiler().is_some();
        formatter.debug_struct("Ahead").field("has_compiler", &has_compiler).finish()
    }
}

impl Verifier<'_> {
    /// Starts a compiler for later, unless one waits that may read the class path. Where that fails
    /// tests are compiled by a process of their own.
    pub fn start_compiler(&self) {
        let mut kept = self.ahead.compiler();
        if kept.as_ref().is_some_and(|it| it.can_read(self.whole_class_path())) {
            return;
        }
        let started = Compiler::start(self).and_then(|mut it| it.warm(self).map(|()| it));
        *kept = started.ok();
    }
}
