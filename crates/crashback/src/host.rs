//! This machine as a search needs it: real workers, a real compiler and a real JUnit.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use crashback_classpath::Jdk;
use crashback_emit::junit::{JUnit, Runner};
use crashback_emit::mockito::Mockito;
use crashback_emit::source::TestSource;
use crashback_emit::verify::{Ahead, Verification, Verifier};
use crashback_jvm::pool::{LockedFolder, Pool};
use crashback_protocol::{Evaluator, Failure};
use crashback_reproduce::{Event, Host, Recording};

use crate::child::ConfinedLauncher;
use crate::fetching::Fetching;
use crate::program::absolute;
use crate::session::now;
use crate::{Error, ErrorKind, Session, Sink, Task};

/// The [`Host`] of a search on this machine.
pub struct LocalHost<'h> {
    session: &'h Session,
    task: Task<'h>,
    sink: Sink<'h>,
    /// The class path, for processes in any folder.
    class_path: Vec<PathBuf>,
    runner: Runner,
    /// Found as soon as a test needs it.
    mockito: Option<Mockito>,
    /// The compiler and JVMs that wait for tests. They end before their folder is removed.
    ahead: Ahead,
    /// Where tests are compiled and run.
    scratch: LockedFolder,
    /// How long Maven fetched the program, JUnit and Mockito, which does not count.
    fetching: Duration,
    /// How long tests were compiled.
    compiling: Duration,
    /// What went wrong while a test was verified.
    error: Option<Error>,
}

impl<'h> LocalHost<'h> {
    /// Finds JUnit and makes a folder for tests. Workers are started when the search asks for them.
    ///
    /// # Errors
    ///
    /// If the JDK has no compiler, or JUnit cannot be found.
    pub fn new(session: &'h Session, task: &Task<'h>, sink: Sink<'h>) -> Result<Self, Error> {
        let program = task.target.program;
        check_compiler(&program.jdk)?;
        let mut fetching = Fetching::new(session, task.target, &mut *sink);
        let runner = fetching.junit()?;
        let fetching = program.fetching + fetching.took;
        let scratch = session.make_folder("crashback-verify-")?;
        let class_path = program.class_path.launch_path().iter().map(|it| absolute(it)).collect();
        Ok(Self {
            session,
            task: *task,
            sink,
            class_path,
            runner,
            mockito: None,
            ahead: Ahead::default(),
            scratch,
            fetching,
            compiling: Duration::ZERO,
            error: None,
        })
    }

    /// Starts workers for a search.
    ///
    /// # Errors
    ///
    /// If threads or folders cannot be made.
    pub fn pool(&self, recording: &Recording, test_package: &str) -> Result<Pool, Failure> {
        Pool::new(self.session.search_pool_settings(&self.task, recording, test_package))
    }

    /// Why a search failed: what a verification told before, else what the search says.
    pub(crate) fn error(&self, failure: &Failure) -> Error {
        self.error.clone().unwrap_or_else(|| self.session.error(failure))
    }

    fn find_mockito(&mut self) -> Result<Mockito, Error> {
        if let Some(found) = &self.mockito {
            return Ok(found.clone());
        }
        let mut fetching = Fetching::new(self.session, self.task.target, &mut *self.sink);
        let found = fetching.mockito();
        self.fetching += fetching.took;
        Ok(self.mockito.insert(found?).clone())
    }

    /// Starts a compiler, which may read Mockito's classes if they are at hand: a test that is
    /// found early often has mocks.
    fn start_compiler(&mut self) {
        let mut fetching = Fetching::new(self.session, self.task.target, &mut *self.sink);
        self.mockito = fetching.mockito_at_hand();
        self.with_verifier(self.mockito.as_ref(), |verifier| verifier.start_compiler());
    }

    fn try_verify(&mut self, test: &TestSource, until: Option<Duration>) -> Result<Verification, Error> {
        let mockito = if test.needs_mockito() { Some(self.find_mockito()?) } else { None };
        let runs = self.session.limits.verification_runs;
        let interruption = &self.session.interruption;
        let (begun, fetching) = (self.task.begun, self.fetching);
        let is_late = move || until.is_some_and(|it| begun.elapsed().saturating_sub(fetching) >= it);
        let is_given_up = || interruption.is_given_up() || is_late();
        let (verified, compiling) = self.with_verifier(mockito.as_ref(), |verifier| {
            // The compiler that waits may be one that cannot read Mockito's classes.
            verifier.start_compiler();
            let begun = now();
            let refused = verifier.compile_unless(test, &is_given_up);
            let compiling = begun.elapsed();
            let verified = refused.and_then(|refused| match refused {
                Some(messages) => Ok(Verification::NotCompiled { messages }),
                None => verifier.run_unless(test, runs, &is_given_up).map(Verification::Ran),
            });
            (verified, compiling)
        });
        self.compiling += compiling;
        match verified {
            Err(crashback_emit::Error::Cancelled) if !interruption.is_given_up() => Ok(Verification::Cut),
            verified => verified.map_err(|error| self.session.error(&error)),
        }
    }

    /// Lends what compiles and runs tests, which need Mockito or do not.
    fn with_verifier<R>(&self, mockito: Option<&Mockito>, run: impl FnOnce(&Verifier<'_>) -> R) -> R {
        let jdk = &self.task.target.program.jdk;
        let mock_jars = mockito.into_iter().flat_map(|it| &it.jars);
        let read: Vec<PathBuf> =
            self.class_path.iter().chain(&self.runner.jars).chain(mock_jars).cloned().collect();
        let launcher = ConfinedLauncher {
            command: &self.session.command,
            java_home: &jdk.home,
            read: &read,
            scratch: self.scratch.path(),
            without_sandbox: self.session.without_sandbox,
        };
        let has_assertions = self.session.assertions || self.task.target.audit.needs_assertions;
        let options: Vec<OsString> = if has_assertions { vec!["-ea".into()] } else { Vec::new() };
        run(&Verifier {
            java_home: &jdk.home,
            feature: jdk.feature.into(),
            class_path: &self.class_path,
            runner: &self.runner,
            mockito,
            jvm_options: &options,
            scratch: self.scratch.path(),
            time_limit: self.session.limits.verification_time,
            launch: &|program, arguments| launcher.command(program, arguments),
            ahead: &self.ahead,
        })
    }
}

impl Host for LocalHost<'_> {
    fn evaluator(
        &mut self,
        recording: &Recording,
        test_package: &str,
    ) -> Result<Box<dyn Evaluator>, Failure> {
        self.start_compiler();
        let pool = self.pool(recording, test_package)?;
        Ok(Box::new(self.session.interruption.watch(pool)))
    }

    fn elapsed(&self) -> Duration {
        self.task.begun.elapsed().saturating_sub(self.fetching)
    }

    fn is_interrupted(&self) -> bool {
        self.session.interruption.is_requested()
    }

    fn tell(&mut self, event: Event) {
        (self.sink)(&event);
    }

    fn junit(&self) -> JUnit {
        self.runner.junit
    }

    fn expect_test(&mut self, has_mocks: bool) {
        let runs = self.session.limits.verification_runs;
        // If there is no Mockito, the verification of the test will say so.
        let mockito = if has_mocks { self.find_mockito().ok() } else { None };
        self.with_verifier(mockito.as_ref(), |verifier| {
            verifier.start_compiler();
            verifier.start_jvms(runs);
        });
    }

    fn verify(&mut self, test: &TestSource, until: Option<Duration>) -> Result<Verification, Failure> {
        self.try_verify(test, until).map_err(|error| {
            let message = error.message.clone();
            self.error = Some(error);
            Failure(message)
        })
    }

    fn compiling(&self) -> Duration {
        self.compiling
    }
}

/// Checks that a JDK can compile tests; a JRE cannot.
///
/// # Errors
///
/// If it has no compiler.
pub fn check_compiler(jdk: &Jdk) -> Result<(), Error> {
    if jdk.has_javac {
        return Ok(());
    }
    let message = format!(
        "{} has no bin/javac: it is a JRE, or an image of jlink without jdk.compiler, and tests are compiled; \
         name a JDK with --java-home or JAVA_HOME",
        jdk.home.display()
    );
    Err(Error::new(ErrorKind::Environment, message))
}
