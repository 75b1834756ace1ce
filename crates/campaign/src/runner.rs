use std::path::PathBuf;
use std::sync::Arc;

use crashback::{
    Crashes, Error, ErrorKind, Event, Interruption, Program, ProgramRequest, Request, Search, Target,
    attempt, coordinates,
};

use crate::{Configuration, Job, RunError, RunFailure, RunResult, Runner, Subject, tool};

/// Makes the search of a run: with the workers of a configuration, ended by a switch.
pub type SearchFactory = Arc<dyn Fn(&Configuration, &Interruption) -> Box<dyn Search> + Send + Sync>;

/// Makes runs on this machine, by a search or another tool, and writes no tests to files.
pub struct LocalRunner {
    /// What the programs of all crashes have in common: the JDK and the cache.
    pub program: ProgramRequest,
    /// Searches for tests.
    pub search: SearchFactory,
    /// Where tools get their files.
    pub temporary: PathBuf,
}

impl Runner for LocalRunner {
    fn run(
        &self,
        job: &Job,
        switch: &Interruption,
        sink: &mut dyn FnMut(&Event),
    ) -> Result<RunResult, RunError> {
        let made = match &job.configuration.tool {
            Some(tool) => tool::run(tool, job, &self.temporary, switch, &|| self.class_path(job, switch)),
            None => self.search(job, switch, sink),
        };
        made.map_err(|it| run_error(&it))
    }
}

impl LocalRunner {
    /// The levels of the frames of a crash that are worth targeting, innermost first.
    ///
    /// # Errors
    ///
    /// If log and class path disagree, or one of them cannot be read.
    pub fn target_frames(&self, subject: &Subject, switch: &Interruption) -> Result<Vec<u32>, Error> {
        let (log, name) = read(subject)?;
        let crashes = Crashes::read(&log, &name, None)?;
        let program = Program::load_for(&self.program(subject)?, &crashes, switch)?;
        let classes = program.classes();
        let target = Target::choose(&program, &classes, &crashes, None)?;
        Ok(target.audit.frames.iter().filter(|it| it.target).map(|it| it.level).collect())
    }

    /// Fetches the jars of a crash's Maven coordinates.
    ///
    /// # Errors
    ///
    /// If Maven cannot be started, or does not find them.
    pub fn fetch(&self, subject: &Subject, switch: &Interruption) -> Result<(), Error> {
        Program::fetch(&self.program(subject)?, switch).map(drop)
    }

    fn search(
        &self,
        job: &Job,
        switch: &Interruption,
        sink: &mut dyn FnMut(&Event),
    ) -> Result<RunResult, Error> {
        let (log, log_name) = read(&job.subject)?;
        let program = self.program(&job.subject)?;
        let request = Request { log_name, settings: job.settings(), ..Request::new(log, program) };
        let search = (self.search)(&job.configuration, switch);
        let attempt = attempt(search.as_ref(), &request, switch, &|_| Ok(()), sink)?;
        Ok(RunResult { reproduction: attempt.reproduction, exception: Some(attempt.exception) })
    }

    fn program(&self, subject: &Subject) -> Result<ProgramRequest, Error> {
        // A search without a part of the program would be another one than on machines that have it.
        if let Some(missing) = subject.jars.iter().find(|it| !it.exists()) {
            let message = format!(
                "{} is not on this machine: workers need the class path under the same paths",
                missing.display()
            );
            return Err(Error::new(ErrorKind::Environment, message));
        }
        Ok(ProgramRequest {
            entries: subject.jars.clone(),
            maven: subject.coordinates.iter().map(|it| coordinates(it)).collect::<Result<_, _>>()?,
            target_frames: subject.target_frames.clone(),
            project_packages: subject.project_packages.clone(),
            ..self.program.clone()
        })
    }

    /// The whole class path of a crash, with the jars of its coordinates.
    fn class_path(&self, job: &Job, switch: &Interruption) -> Result<Vec<PathBuf>, Error> {
        let request = self.program(&job.subject)?;
        if job.subject.coordinates.is_empty() {
            return Ok(request.entries);
        }
        let program = Program::load(&request, switch)?;
        Ok(program.class_path.launch_path().to_vec())
    }
}

/// The log of a crash, and its name in messages.
fn read(subject: &Subject) -> Result<(Vec<u8>, String), Error> {
    let name = subject.log.display().to_string();
    let log = subject.read_log().map_err(|error| {
        Error::new(ErrorKind::Usage, format!("cannot read the log {name}: {error}; check the path"))
    })?;
    Ok((log, name))
}

fn run_error(error: &Error) -> RunError {
    match error.kind {
        ErrorKind::Interrupted => RunError::Interrupted,
        kind => RunError::Failed(RunFailure { kind: kind.name().to_owned(), message: error.message.clone() }),
    }
}
