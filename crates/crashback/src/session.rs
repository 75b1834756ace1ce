use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::time::Instant;

use crashback_emit::junit::Generation;
use crashback_jvm::pool::LockedFolder;
use crashback_program::frames::{CrashAudit, Move};
use crashback_reproduce::{Event, Reproduction, Settings, reproduce};
use crashback_trace::Relaxation;

use crate::crashes::other_java;
use crate::program::absolute;
use crate::records;
use crate::{
    BetterRelease, Choice, Crashes, Error, ErrorKind, Interruption, Limits, LocalHost, Mapping, Program,
    ProgramRequest, SelfCommand, SharedModule, Target,
};

/// Receives what happens during a search.
pub type Sink<'s> = &'s mut dyn FnMut(&Event);

/// How crashes are reproduced on this machine: processes, folders, JUnit, limits.
#[derive(Clone, Debug)]
pub struct Session {
    /// How this program is started once more for the processes that run tests.
    pub command: SelfCommand,
    /// Where temporary folders are made.
    pub temporary: PathBuf,
    /// Processes that run tests at the same time. Results do not depend on it.
    pub workers: usize,
    /// Whether to go on where the kernel cannot confine the program under test.
    pub without_sandbox: bool,
    /// Whether the program runs with its assertions enabled.
    pub assertions: bool,
    /// Which JUnit the test is for; none takes that of the class path.
    pub junit: Option<Generation>,
    /// Jars of JUnit and Mockito where the class path has none; otherwise Maven fetches them.
    pub test_class_path: Vec<PathBuf>,
    /// How much processes and tests may use.
    pub limits: Limits,
    /// Ends searches from another thread.
    pub interruption: Interruption,
}

impl Session {
    /// One worker, with usual limits, in the sandbox.
    pub fn new(command: SelfCommand, temporary: impl Into<PathBuf>) -> Self {
        Self {
            command,
            temporary: temporary.into(),
            workers: 1,
            without_sandbox: false,
            assertions: false,
            junit: None,
            test_class_path: Vec::new(),
            limits: Limits::default(),
            interruption: Interruption::default(),
        }
    }

    /// Reproduces the crash of a log: loads the program, chooses the crash, searches for a test and
    /// verifies it.
    ///
    /// # Errors
    ///
    /// If there is nothing to search for, or the machine lacks something. A crash that is not
    /// reproduced is a result.
    pub fn reproduce(&self, request: &Request, sink: Sink<'_>) -> Result<Attempt, Error> {
        attempt(self, request, &self.interruption, &|_| Ok(()), sink)
    }

    /// An error of the machine; after an interruption nothing is wrong but that.
    pub fn error(&self, reason: &dyn Display) -> Error {
        match self.interruption.is_requested() {
            true => Error::interrupted(),
            false => Error::new(ErrorKind::Environment, reason.to_string()),
        }
    }

    /// A temporary folder.
    pub(crate) fn make_folder(&self, prefix: &str) -> Result<LockedFolder, Error> {
        make_folder(&self.temporary, prefix, &self.interruption)
    }
}

/// Makes a temporary folder that is removed when it is dropped or, where the process does not come to that,
/// with the folders of its switch, or by the next process that makes one with the same prefix.
///
/// # Errors
///
/// If no folder can be made in that place.
pub fn make_folder(place: &Path, prefix: &str, interruption: &Interruption) -> Result<LockedFolder, Error> {
    let folder = LockedFolder::new(place, prefix).map_err(|error| {
        let place = place.display();
        let message = format!("cannot make a folder in {place}: {error}; set TMPDIR to another");
        Error::new(ErrorKind::Environment, message)
    })?;
    interruption.register_folder(folder.path());
    Ok(folder)
}

/// Searches for tests. [`Session`] does it with real workers; programs around a search are written
/// against this trait, so that their own tests need no JVM.
pub trait Search {
    /// Searches for a test and verifies it. An interruption ends it with the best so far.
    ///
    /// # Errors
    ///
    /// If workers cannot be started, or tests cannot be verified.
    fn search(&self, task: &Task<'_>, sink: Sink<'_>) -> Result<Reproduction, Error>;
}

/// What a search is told.
#[derive(Clone, Copy)]
pub struct Task<'t> {
    /// The crash.
    pub target: &'t Target<'t>,
    /// What the user chose.
    pub settings: &'t Settings,
    /// When its time began to count. Time that Maven takes, then and later, does not.
    pub begun: Instant,
}

impl Search for Session {
    fn search(&self, task: &Task<'_>, sink: Sink<'_>) -> Result<Reproduction, Error> {
        let mut host = LocalHost::new(self, task, sink)?;
        let records = records::of(self, task.target);
        let result = reproduce(task.target.case(&records), task.settings, &mut host);
        let mut reproduction = result.map_err(|failure| host.error(&failure))?;
        if let Some(project) = &task.target.program.project {
            let outer = reproduction.outer.as_mut().map(|it| &mut it.test);
            for test in reproduction.test.iter_mut().chain(outer) {
                test.module = host.home(&test.source);
                test.source = project.style.indentation.apply(&test.source);
            }
        }
        reproduction.relaxations |= task.target.program.relaxations();
        if reproduction.test.is_some() {
            reproduction.test_jars = host.test_jars();
        }
        if task.target.is_other_exception {
            reproduction.relaxations |= Relaxation::OtherException.into();
        }
        Ok(reproduction)
    }
}

/// A crash to reproduce.
#[derive(Clone, Debug)]
pub struct Request {
    /// The log with the stack trace.
    pub log: Vec<u8>,
    /// What the log is called in messages.
    pub log_name: String,
    /// Which crash of the log, and which exception of it.
    pub choice: Choice,
    /// Undoes the obfuscation of the log, if its program was obfuscated.
    pub mapping: Option<Mapping>,
    /// Reports of an agent that recorded the arguments of failing calls, beside those inside the log.
    pub reports: Vec<Vec<u8>>,
    /// The program.
    pub program: ProgramRequest,
    /// What the user chose about the search.
    pub settings: Settings,
}

impl Request {
    /// The most frequent crash of a log that has a frame worth targeting, with usual settings.
    pub fn new(log: Vec<u8>, program: ProgramRequest) -> Self {
        let (choice, settings) = (Choice::default(), Settings::default());
        let (log_name, reports) = ("the log".to_owned(), Vec::new());
        Self { log, log_name, choice, mapping: None, reports, program, settings }
    }
}

/// What came of a request.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Attempt {
    /// The number of the crash among the distinct ones of the log, from 1.
    pub crash: usize,
    /// How many distinct crashes the log has.
    pub crashes: usize,
    /// How often the log has the one that was chosen.
    pub occurrences: usize,
    /// The position of the exception in its cause chain, 1 for the outermost.
    pub cause: usize,
    /// The exception's class, as the log gives it.
    pub exception: String,
    /// The exception's message.
    pub message: Option<String>,
    /// In words, that the trace is from another Java than the one in use; none if it need not be.
    pub other_java: Option<String>,
    /// How the class path was ordered to fit the log.
    pub moves: Vec<Move>,
    /// A release of an artifact that fits the log better.
    pub better_release: Option<BetterRelease>,
    /// In words, that a better release was looked for in vain.
    pub release_note: Option<String>,
    /// The JDK that tests ran on.
    pub java_home: PathBuf,
    /// The class path of the program, for processes in any folder.
    pub class_path: Vec<PathBuf>,
    /// The module of the project that gave the class path.
    pub project: Option<SharedModule>,
    /// The result of the search.
    pub reproduction: Reproduction,
}

/// Does what a request asks for, with some search. `check` sees the target before the search begins
/// and may refuse it.
///
/// # Errors
///
/// If there is nothing to search for, the search fails or `check` does.
pub fn attempt(
    search: &dyn Search,
    request: &Request,
    interruption: &Interruption,
    check: &dyn Fn(&Target<'_>) -> Result<(), Error>,
    sink: Sink<'_>,
) -> Result<Attempt, Error> {
    let begun = now();
    let Request { log, log_name, choice, mapping, settings, .. } = request;
    let crashes = Crashes::read_mapped(log, log_name, choice.crash, mapping.as_ref())?;
    let program = Program::load_for(&request.program, &crashes, interruption)?;
    let classes = program.classes();
    let mut target = Target::choose(&program, &classes, &crashes, choice.cause)?;
    target.check_java()?;
    target.read_log(log, &request.reports);
    if let Some(frame) = settings.frame {
        target.check_frame(frame)?;
    }
    check(&target)?;
    if interruption.is_requested() {
        return Err(Error::interrupted());
    }
    let reproduction = search.search(&Task { target: &target, settings, begun }, sink)?;
    let other_java = other_java(&target.throwable, &target.audit, &program.jdk);
    let Target { crash, crashes, occurrences, cause, audit: CrashAudit { exception, message, .. }, .. } =
        target;
    Ok(Attempt {
        crash,
        crashes,
        occurrences,
        cause,
        exception,
        message,
        other_java,
        moves: program.moves.clone(),
        better_release: program.better_release.clone(),
        release_note: program.release_note.clone(),
        java_home: program.jdk.home.clone(),
        class_path: program.class_path.launch_path().iter().map(|it| absolute(it)).collect(),
        project: program.project.clone(),
        reproduction,
    })
}

#[expect(clippy::disallowed_methods, reason = "the time of a search is measured")]
pub(crate) fn now() -> Instant {
    Instant::now()
}
