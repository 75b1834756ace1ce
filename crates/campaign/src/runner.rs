use std::fs;
use std::panic::{self, AssertUnwindSafe};

use crashback::{
    Error, ErrorKind, Event, Interruption, ProgramRequest, Reproduction, Request, Search, attempt,
    coordinates,
};

use crate::{Job, RunError, RunFailure, Runner, Subject};

/// Makes runs by a search, and writes no files.
pub struct SearchRunner<'r> {
    /// What the programs of all crashes have in common: the JDK and the cache.
    pub program: ProgramRequest,
    /// Searches for tests.
    pub search: &'r dyn Search,
    /// Ends runs from another thread.
    pub interruption: &'r Interruption,
    /// Receives what happens during a search.
    pub sink: &'r mut dyn FnMut(&Event),
}

impl Runner for SearchRunner<'_> {
    fn run(&mut self, job: &Job<'_>) -> Result<Reproduction, RunError> {
        let request = self.request(job).map_err(|it| run_error(&it))?;
        let Self { search, interruption, sink, .. } = self;
        let run = || attempt(*search, &request, interruption, &|_| Ok(()), sink);
        // A defect that shows in one crash must not cost the runs of the others.
        let attempted = panic::catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| {
            Err(Error::new(ErrorKind::Internal, "an internal error; standard error had its message"))
        });
        attempted.map(|it| it.reproduction).map_err(|it| run_error(&it))
    }
}

impl SearchRunner<'_> {
    fn request(&self, job: &Job<'_>) -> Result<Request, Error> {
        let Subject { log, jars, coordinates: artifacts, target_frames, .. } = job.subject;
        let program = ProgramRequest {
            entries: jars.clone(),
            maven: artifacts.iter().map(|it| coordinates(it)).collect::<Result<_, _>>()?,
            target_frames: target_frames.clone(),
            ..self.program.clone()
        };
        let log_name = log.display().to_string();
        let log = fs::read(log).map_err(|error| {
            Error::new(ErrorKind::Usage, format!("cannot read the log {log_name}: {error}; check the path"))
        })?;
        Ok(Request { log_name, settings: job.settings(), ..Request::new(log, program) })
    }
}

fn run_error(error: &Error) -> RunError {
    match error.kind {
        ErrorKind::Interrupted => RunError::Interrupted,
        kind => RunError::Failed(RunFailure { kind: kind.name().to_owned(), message: error.message.clone() }),
    }
}
