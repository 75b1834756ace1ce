//! The search with real workers and a real verifier.

use std::ffi::OsString;
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crashback_classpath::{ClassPath, Jdk, Request, fetch};
use crashback_emit::junit::{self, Generation, JUnit};
use crashback_emit::mockito::{self, Mockito};
use crashback_emit::source::{TestSource, free_class_name};
use crashback_emit::verify::{Verification, Verifier};
use crashback_jvm::pool::{Pool, PoolSettings};
use crashback_jvm::{Limits, Program, WorkerSettings};
use crashback_program::Origins;
use crashback_program::classes::Classes;
use crashback_protocol::{Evaluator, Failure as EvaluatorFailure};
use crashback_reproduce::{Case, Event, Host, Recording, Reproduction, reproduce};
use tempfile::TempDir;

use super::attempt::now;
use super::engine::{Engine, Task};
use crate::confined::Launcher;
use crate::exit::{Failure, FailureKind};
use crate::interrupt::Interrupts;
use crate::{program, workers};

/// How long the compiler or a run of the test may take.
const VERIFICATION: Duration = Duration::from_secs(30);

/// A test that crashes does so early; one that goes round for long keeps many others from being
/// tried.
const LIMITS: Limits =
    Limits { budget: 200_000, time: Duration::from_millis(300), grace: Duration::from_millis(250) };

/// The same where tests are counted and equal seeds give equal results: whether one ends in time
/// must not depend on how warm the JVM is. So little is computed without meeting a probe that tests
/// either end long before this or never.
const PATIENT: Duration = Duration::from_secs(3);

/// Workers that wait to be the fresh one that confirms a test: where frames are found one after the
/// other, one of them starts while another is used.
const SPARES: usize = 2;

/// How many times a test is run before it is believed.
const RUNS: usize = 2;

/// The search with workers and a verifier.
pub(crate) struct Search;

impl Engine for Search {
    fn reproduce(&self, task: &Task<'_>, sink: &mut dyn FnMut(&Event)) -> Result<Reproduction, Failure> {
        let jdk = &task.project.jdk;
        jdk_with_compiler(jdk)?;
        let mut fetching = Fetching { task, sink, took: Duration::ZERO };
        let runner = fetching.junit()?;
        let fetching = fetching.took;
        let scratch = scratch(task)?;
        let class_path = task.project.class_path.launch_path();
        let read: Vec<PathBuf> = class_path.iter().chain(&runner.jars).cloned().collect();
        let launcher = Launcher {
            executable: &workers::executable(task.environment)?,
            java_home: &jdk.home,
            read: &read,
            scratch: scratch.path(),
            without_sandbox: task.conditions.without_sandbox,
        };
        let options: Vec<OsString> = if task.conditions.assertions { vec!["-ea".into()] } else { Vec::new() };
        let verifier = Verifier {
            java_home: &jdk.home,
            feature: jdk.feature.into(),
            class_path,
            runner: &runner,
            mockito: None,
            jvm_options: &options,
            scratch: scratch.path(),
            time_limit: VERIFICATION,
            launch: &|program, arguments| launcher.command(program, arguments),
        };
        let mut host = Machine { task, sink, verifier, launcher, mockito: None, fetching, failure: None };
        let Task { classes, throwable, audit, .. } = *task;
        let origins = Origins::of_crash(classes, &task.project.scope, throwable);
        let case = Case { classes, origins: &origins, throwable, audit };
        let result = reproduce(case, task.settings, &mut host);
        let failure = host.failure;
        result.map_err(|error| failure.unwrap_or_else(|| workers::failure(&error, task.interrupts)))
    }

    fn expected_files(&self, task: &Task<'_>) -> Vec<PathBuf> {
        let targets = task.audit.frames.iter().filter(|it| it.target);
        let targets = targets.filter(|it| task.settings.frame.is_none_or(|frame| frame == it.level));
        let file = |class: &str| {
            let class = class.replace('.', "/");
            let package = class.rsplit_once('/').map_or("", |(package, _)| package);
            let test = free_class_name(task.classes.index(), package, &class);
            Path::new(package).join(format!("{test}.java"))
        };
        let mut files: Vec<PathBuf> = targets.map(|it| file(&it.class)).collect();
        files.sort();
        files.dedup();
        files
    }
}

/// This machine, as a reproduction needs it.
struct Machine<'m> {
    task: &'m Task<'m>,
    sink: &'m mut dyn FnMut(&Event),
    verifier: Verifier<'m>,
    launcher: Launcher<'m>,
    /// Found as soon as a test needs it.
    mockito: Option<Mockito>,
    /// How long JUnit and Mockito were fetched.
    fetching: Duration,
    /// What went wrong while a test was verified, with the exit code that it deserves.
    failure: Option<Failure>,
}

impl Host for Machine<'_> {
    fn evaluator(
        &mut self,
        recording: &Recording,
        test_package: &str,
    ) -> Result<Box<dyn Evaluator>, EvaluatorFailure> {
        let settings =
            pool_settings(self.task, recording, test_package).map_err(|it| EvaluatorFailure(it.message))?;
        let interrupts: &Interrupts = self.task.interrupts;
        Ok(Box::new(interrupts.watch(Pool::new(settings)?)))
    }

    fn elapsed(&self) -> Duration {
        self.task.begun.elapsed().saturating_sub(self.fetching)
    }

    fn is_interrupted(&self) -> bool {
        self.task.interrupts.happened()
    }

    fn tell(&mut self, event: Event) {
        (self.sink)(&event);
    }

    fn junit(&self) -> JUnit {
        self.verifier.runner.junit
    }

    fn verify(&mut self, test: &TestSource) -> Result<Verification, EvaluatorFailure> {
        let verified = match test.needs_mockito() {
            true => self.verify_with_mockito(test),
            false => run(self.task, &self.verifier, test),
        };
        verified.map_err(|failure| {
            let message = failure.message.clone();
            self.failure = Some(failure);
            EvaluatorFailure(message)
        })
    }
}

impl Machine<'_> {
    fn verify_with_mockito(&mut self, test: &TestSource) -> Result<Verification, Failure> {
        let mockito = match self.mockito.take() {
            Some(found) => found,
            None => {
                let mut fetching = Fetching { task: self.task, sink: self.sink, took: Duration::ZERO };
                let found = fetching.mockito();
                self.fetching += fetching.took;
                found?
            }
        };
        let mockito = &*self.mockito.insert(mockito);
        let read: Vec<PathBuf> = self.launcher.read.iter().chain(&mockito.jars).cloned().collect();
        let launcher = Launcher { read: &read, ..self.launcher };
        let verifier = Verifier {
            mockito: Some(mockito),
            launch: &|program, arguments| launcher.command(program, arguments),
            ..self.verifier
        };
        run(self.task, &verifier, test)
    }
}

fn run(task: &Task<'_>, verifier: &Verifier<'_>, test: &TestSource) -> Result<Verification, Failure> {
    let interrupts: &Interrupts = task.interrupts;
    let verified = verifier.verify_unless(test, RUNS, &|| interrupts.is_over());
    verified.map_err(|error| environment(task, error))
}

fn pool_settings(
    task: &Task<'_>,
    recording: &Recording,
    test_package: &str,
) -> Result<PoolSettings, Failure> {
    let class_path = task.project.class_path.launch_path();
    let without_sandbox = task.conditions.without_sandbox;
    let settings = workers::settings(&task.project.jdk, class_path, without_sandbox, task.environment)?;
    let time = if task.settings.evaluations.is_some() { PATIENT } else { LIMITS.time };
    let worker = WorkerSettings {
        program: Program {
            test_package: test_package.to_owned(),
            assertions: task.conditions.assertions,
            ..settings.worker.program.clone()
        },
        recording: recording.clone(),
        limits: Limits { time, ..LIMITS },
        ..settings.worker.clone()
    };
    Ok(PoolSettings { worker, workers: task.conditions.workers, spares: SPARES, ..settings })
}

/// Tests are compiled: a JRE does not do.
pub(crate) fn jdk_with_compiler(jdk: &Jdk) -> Result<(), Failure> {
    if jdk.has_javac {
        return Ok(());
    }
    let message = format!(
        "{} has no bin/javac: it is a JRE, and tests are compiled; name a JDK with --java-home or JAVA_HOME",
        jdk.home.display()
    );
    Err(Failure::new(FailureKind::Environment, message))
}

/// A folder for what is compiled and run to verify it.
fn scratch(task: &Task<'_>) -> Result<TempDir, Failure> {
    let place = &task.environment.temporary;
    let folder = tempfile::Builder::new().prefix("crashback-verify-").tempdir_in(place).map_err(|error| {
        let message = format!("cannot make a folder in {}: {error}; set TMPDIR to another", place.display());
        Failure::new(FailureKind::Environment, message)
    })?;
    task.interrupts.forget(folder.path());
    Ok(folder)
}

/// What tests are written for, from the program's class path, the one for tests, or Maven.
struct Fetching<'f> {
    task: &'f Task<'f>,
    sink: &'f mut dyn FnMut(&Event),
    /// How long Maven took.
    took: Duration,
}

impl Fetching<'_> {
    fn junit(&mut self) -> Result<junit::Runner, Failure> {
        let task = self.task;
        let wanted = task.conditions.junit.map(|it| match it {
            4 => Generation::Four,
            5 => Generation::Five,
            _ => Generation::Six,
        });
        let test = test_class_path(task)?;
        let test_classes = test.as_ref().map(|it| Classes::new(it));
        let test =
            test.as_ref().zip(test_classes.as_ref()).map(|(path, classes)| (classes, path.launch_path()));
        let feature = task.project.jdk.feature.into();
        junit::resolve(task.classes, test, wanted, feature, &mut |it| self.fetch(it))
            .map_err(|error| environment(task, error))
    }

    fn mockito(&mut self) -> Result<Mockito, Failure> {
        let task = self.task;
        let test = test_class_path(task)?;
        let test = test.as_ref().map(|it| Classes::new(it));
        let feature = task.project.jdk.feature.into();
        mockito::resolve(task.classes, test.as_ref(), feature, &mut |it| self.fetch(it))
            .map_err(|error| environment(task, error))
    }

    /// Artifacts by their coordinates.
    fn fetch(&mut self, artifacts: &[&str]) -> Result<Vec<PathBuf>, String> {
        let task = self.task;
        (self.sink)(&Event::FetchingJUnit);
        let begun = now();
        let artifacts = artifacts.iter().map(|it| program::coordinates(it)).collect::<Result<Vec<_>, _>>();
        let artifacts = artifacts.map_err(|failure| failure.message)?;
        let settings = program::maven_settings(&task.project.jdk, task.interrupts);
        let fetched = fetch(&artifacts, &settings, task.project.cache.as_ref());
        self.took += begun.elapsed();
        fetched.map_err(|error| error.to_string())
    }
}

/// What `--test-classpath` names.
fn test_class_path(task: &Task<'_>) -> Result<Option<ClassPath>, Failure> {
    let entries = &task.conditions.test_class_path;
    if entries.is_empty() {
        return Ok(None);
    }
    let request = Request { entries: entries.clone(), ..Request::default() };
    ClassPath::load(&request).map(Some).map_err(|error| environment(task, error))
}

fn environment(task: &Task<'_>, error: impl Display) -> Failure {
    match task.interrupts.happened() {
        true => Failure::interrupted(),
        false => Failure::new(FailureKind::Environment, error.to_string()),
    }
}
