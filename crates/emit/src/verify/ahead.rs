//! Processes that are started before they are needed.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::Verifier;
use super::compiler::Compiler;
use super::run::Jvm;

/// Processes that wait for a test. They end when this is dropped, or with the thread that started
/// them.
#[derive(Default)]
pub struct Ahead {
    compiler: Mutex<Option<Compiler>>,
    jvms: Mutex<Vec<Jvm>>,
}

impl Ahead {
    /// The JVM that waits for a run.
    pub(super) fn take_jvm(&self, number: usize) -> Option<Jvm> {
        let mut jvms = self.jvms();
        let place = jvms.iter().position(|it| it.number == number)?;
        Some(jvms.swap_remove(place))
    }

    fn jvms(&self) -> MutexGuard<'_, Vec<Jvm>> {
        self.jvms.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn compiler(&self) -> MutexGuard<'_, Option<Compiler>> {
        self.compiler.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for Ahead {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (has_compiler, jvms) = (self.compiler().is_some(), self.jvms().len());
        formatter.debug_struct("Ahead").field("has_compiler", &has_compiler).field("jvms", &jvms).finish()
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

    /// Starts the JVMs of so many runs for later, unless they wait already, and ends those that wait
    /// with another class path. Where that fails, or a test needs another class path, JVMs are started
    /// when the test is run.
    pub fn start_jvms(&self, runs: usize) {
        let mut jvms = self.ahead.jvms();
        jvms.retain(|it| it.is_for(self));
        for number in 0..runs {
            if !jvms.iter().any(|it| it.number == number) {
                jvms.extend(self.start_jvm(number));
            }
        }
    }
}
