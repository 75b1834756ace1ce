//! This machine as a search needs it: real workers, a real compiler and a real JUnit.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crashback_classpath::{ClassPath, Jdk, Request};
use crashback_emit::junit::{JUnit, Runner};
use crashback_emit::mockito::Mockito;
use crashback_emit::source::TestSource;
use crashback_emit::verify::{Ahead, Run, Verification, Verifier};
use crashback_jvm::pool::{LockedFolder, Pool};
use crashback_program::ClassSource;
use crashback_protocol::{Evaluator, Failure};
use crashback_reproduce::{Event, Host, Recording, TestClasses};

use crate::child::ConfinedLauncher;
use crate::fetching::Fetching;
use crate::program::absolute;
use crate::project::existing;
use crate::seeds::{self, Given};
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
    /// Classes of tests beside the program, and the folder of those that were compiled here.
    test_classes: TestClasses,
    seed_folder: Option<LockedFolder>,
    /// How long Maven fetched the program, JUnit and Mockito, which does not count.
    fetching: Duration,
    /// How long tests were compiled.
    compiling: Duration,
    /// What went wrong while a test was verified.
    error: Option<Error>,
    /// Modules in which tests were verified, by the source of the test.
    homes: BTreeMap<String, String>,
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
        let given = seeds::read(&task.settings.seed_tests)?;
        let mut fetching = Fetching::new(session, task.target, &mut *sink);
        let runner = fetching.junit()?;
        let path = fetching.test_class_path()?.map(|it| Arc::new(it) as Arc<dyn ClassSource>);
        let fetching = program.fetching + fetching.took;
        let scratch = session.make_folder("crashback-verify-")?;
        let class_path = program.class_path.launch_path().iter().map(|it| absolute(it)).collect();
        let mut host = Self {
            session,
            task: *task,
            sink,
            class_path,
            runner,
            mockito: None,
            ahead: Ahead::default(),
            scratch,
            test_classes: TestClasses { path, ..TestClasses::default() },
            seed_folder: None,
            fetching,
            compiling: Duration::ZERO,
            error: None,
            homes: BTreeMap::new(),
        };
        if !given.is_empty() {
            host.compile_given(given)?;
        }
        Ok(host)
    }

    /// Compiles given tests. Sources that the compiler refuses are left out, unless none is left.
    fn compile_given(&mut self, mut given: Vec<Given>) -> Result<(), Error> {
        let jars = self.jars_of(&given);
        let class_path: Vec<PathBuf> = self.class_path.iter().cloned().chain(jars).collect();
        let folder = self.session.make_folder("crashback-seeds-")?;
        while !given.is_empty() {
            let sources: Vec<TestSource> = given.iter().map(|it| it.source.clone()).collect();
            let interruption = &self.session.interruption;
            let compiled = self.with_verifier_in(folder.path(), &class_path, None, |verifier| {
                let refused = verifier.compile_all_unless(&sources, &|| interruption.is_requested())?;
                let files = sources.iter().map(|it| verifier.source_file(it));
                Ok((files.zip(refused).collect::<Vec<_>>(), verifier.class_folder()))
            });
            let (refused, classes) =
                compiled.map_err(|error: crashback_emit::Error| self.session.error(&error))?;
            if refused.iter().all(|(_, refused)| refused.is_none()) {
                let request = Request { entries: vec![classes], ..Request::default() };
                let compiled = ClassPath::load(&request).map_err(|error| self.session.error(&error))?;
                self.test_classes.given = Some(Arc::new(compiled));
                break;
            }
            let mut left = Vec::new();
            for (given, (copy, refused)) in given.into_iter().zip(refused) {
                let file = given.file.display().to_string();
                match refused {
                    None => left.push(given),
                    Some(words) => {
                        let words = words.replace(&copy.display().to_string(), &file);
                        self.test_classes.refused.push((file, words.trim_end().to_owned()));
                    }
                }
            }
            given = left;
        }
        self.seed_folder = Some(folder);
        self.check_given()
    }

    /// Checks that there is a test in given sources.
    fn check_given(&self) -> Result<(), Error> {
        if self.test_classes.count_given(self.task.target.classes) > 0 {
            return Ok(());
        }
        let message = match self.test_classes.refused.first() {
            Some((file, words)) => format!("--seed-test {file}: it does not compile\n{words}"),
            None => String::from(
                "--seed-test: the sources have no test: no method with @Test, no test method of a \
                 junit.framework.TestCase, no main",
            ),
        };
        Err(Error::new(ErrorKind::Usage, message))
    }

    /// Jars that given tests need beside the class path and JUnit. What cannot be had the compiler will miss.
    fn jars_of(&mut self, given: &[Given]) -> Vec<PathBuf> {
        let mut jars: Vec<PathBuf> = self.session.test_class_path.iter().map(|it| absolute(it)).collect();
        let mut fetching = Fetching::new(self.session, self.task.target, &mut *self.sink);
        if let Some(generation) = seeds::lacking(given, self.runner.junit)
            && let Ok(runner) = fetching.junit_of(Some(generation))
        {
            jars.extend(runner.jars);
        }
        if seeds::use_mockito(given)
            && let Ok(mockito) = fetching.mockito()
        {
            jars.extend(mockito.jars);
        }
        self.fetching += fetching.took;
        jars
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

    /// Jars of JUnit, and of Mockito if a test needed it, that tests are run with behind the class path.
    pub(crate) fn test_jars(&self) -> Vec<String> {
        let mock_jars = self.mockito.iter().flat_map(|it| &it.jars);
        self.runner.jars.iter().chain(mock_jars).map(|it| it.display().to_string()).collect()
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
        self.with_verifier(&self.class_path, self.mockito.as_ref(), |verifier| verifier.start_compiler());
    }

    /// The module in which a test was verified, given by its source.
    pub(crate) fn home(&self, source: &str) -> Option<String> {
        self.homes.get(source).cloned()
    }

    /// Verifies a test in the module of its subject, if it can do with the class path of that, else in the
    /// module whose class path is searched.
    fn try_verify(&mut self, test: &TestSource, until: Option<Duration>) -> Result<Verification, Error> {
        let target = self.task.target;
        let Some(project) = target.program.project.clone() else {
            return self.verify_with(test, until, &self.class_path.clone());
        };
        let subject = target.subject(&test.package.replace('/', "."), &test.class).unwrap_or_default();
        let mut result = None;
        for module in project.homes(subject) {
            let is_searched = project.module() == Some(module);
            let class_path = if is_searched { self.class_path.clone() } else { existing(Some(module)) };
            let verified = self.verify_with(test, until, &class_path)?;
            let is_settled = self.is_settled(&verified);
            self.homes.insert(test.text.clone(), module.name.clone());
            result = Some(verified);
            if is_settled {
                break;
            }
        }
        result.ok_or_else(|| Error::new(ErrorKind::Internal, "a test without a module"))
    }

    /// Whether another class path need not be tried: the test passed, or threw what it should.
    fn is_settled(&self, verified: &Verification) -> bool {
        let exception = &self.task.target.throwable.class;
        match verified {
            Verification::NotCompiled { .. } => false,
            Verification::Cut => true,
            Verification::Ran(runs) => runs.iter().all(|run| match run {
                Run::Passed => true,
                Run::Threw(crash) => crash.throwables.iter().any(|it| it.class == *exception),
                _ => false,
            }),
        }
    }

    fn verify_with(
        &mut self,
        test: &TestSource,
        until: Option<Duration>,
        class_path: &[PathBuf],
    ) -> Result<Verification, Error> {
        let mockito = if test.needs_mockito() { Some(self.find_mockito()?) } else { None };
        let runs = self.session.limits.verification_runs;
        let interruption = &self.session.interruption;
        let (begun, fetching) = (self.task.begun, self.fetching);
        let is_late = move || until.is_some_and(|it| begun.elapsed().saturating_sub(fetching) >= it);
        let is_given_up = || interruption.is_given_up() || is_late();
        let (verified, compiling) = self.with_verifier(class_path, mockito.as_ref(), |verifier| {
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
    fn with_verifier<R>(
        &self,
        class_path: &[PathBuf],
        mockito: Option<&Mockito>,
        run: impl FnOnce(&Verifier<'_>) -> R,
    ) -> R {
        self.with_verifier_in(self.scratch.path(), class_path, mockito, run)
    }

    /// The same in another folder.
    fn with_verifier_in<R>(
        &self,
        scratch: &Path,
        class_path: &[PathBuf],
        mockito: Option<&Mockito>,
        run: impl FnOnce(&Verifier<'_>) -> R,
    ) -> R {
        let jdk = &self.task.target.program.jdk;
        let mock_jars = mockito.into_iter().flat_map(|it| &it.jars);
        let read: Vec<PathBuf> =
            class_path.iter().chain(&self.runner.jars).chain(mock_jars).cloned().collect();
        let launcher = ConfinedLauncher {
            command: &self.session.command,
            java_home: &jdk.home,
            read: &read,
            scratch,
            without_sandbox: self.session.without_sandbox,
        };
        let has_assertions = self.session.assertions || self.task.target.audit.needs_assertions;
        let options: Vec<OsString> = if has_assertions { vec!["-ea".into()] } else { Vec::new() };
        run(&Verifier {
            java_home: &jdk.home,
            feature: jdk.feature.into(),
            class_path,
            runner: &self.runner,
            mockito,
            jvm_options: &options,
            scratch,
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

    fn test_classes(&mut self) -> TestClasses {
        self.test_classes.clone()
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
        self.with_verifier(&self.class_path, mockito.as_ref(), |verifier| {
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
    let Some(problem) = jdk.compiler_problem() else { return Ok(()) };
    let message = format!("{problem}, and tests are compiled; name a JDK with --java-home or JAVA_HOME");
    Err(Error::new(ErrorKind::Environment, message))
}
