use std::panic::{self, AssertUnwindSafe};

use crashback_campaign::{Job, RunError, RunFailure, Runner, Subject};
use crashback_reproduce::Reproduction;

use crate::args::ScopeArguments;
use crate::environment::Environment;
use crate::exit::{Failure, FailureKind};
use crate::interrupt::Interrupts;
use crate::program::{self, Places};
use crate::reproduce::{self, Conditions, Engine, Progress, Wanted};

/// Runs crashes as `crashback reproduce` does, but writes no files.
pub(super) struct Reproducer<'r> {
    /// What all class paths have in common.
    pub(super) places: Places,
    pub(super) conditions: Conditions,
    pub(super) environment: &'r Environment,
    pub(super) interrupts: &'r Interrupts,
    pub(super) engine: &'r dyn Engine,
    pub(super) progress: Progress,
}

impl Runner for Reproducer<'_> {
    fn run(&mut self, job: &Job<'_>) -> Result<Reproduction, RunError> {
        let wanted = self.wanted(job).map_err(|it| run_error(&it))?;
        let Self { environment, interrupts, engine, progress, .. } = self;
        progress.label(format!("{} seed {}, ", job.subject.id, job.seed));
        progress.begin(&wanted.settings);
        let mut sink = |event: &_| progress.show(event);
        let attempt =
            || reproduce::attempt(&wanted, environment, interrupts, *engine, &|_| Ok(()), &mut sink);
        // A defect that one crash brings to light must not cost the others.
        let attempted = panic::catch_unwind(AssertUnwindSafe(attempt)).unwrap_or_else(|_| {
            Err(Failure::new(FailureKind::Internal, "an internal error; standard error had its message"))
        });
        self.progress.clear();
        attempted.map(|it| it.reproduction).map_err(|it| run_error(&it))
    }
}

impl Reproducer<'_> {
    fn wanted(&self, job: &Job<'_>) -> Result<Wanted, Failure> {
        let Subject { log, jars, coordinates, target_frames, .. } = job.subject;
        let maven = coordinates.iter().map(|it| program::coordinates(it)).collect::<Result<_, _>>()?;
        Ok(Wanted {
            log: log.clone(),
            crash: None,
            cause: None,
            places: Places { entries: jars.clone(), maven, ..self.places.clone() },
            scope: ScopeArguments { project_packages: Vec::new(), target_frames: target_frames.clone() },
            settings: job.settings(),
            conditions: self.conditions.clone(),
        })
    }
}

fn run_error(failure: &Failure) -> RunError {
    match failure.kind {
        FailureKind::Interrupted => RunError::Interrupted,
        kind => {
            RunError::Failed(RunFailure { kind: kind.name().to_owned(), message: failure.message.clone() })
        }
    }
}
