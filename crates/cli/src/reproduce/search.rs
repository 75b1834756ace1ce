//! The search with real workers and a real verifier.

use std::ffi::OsString;
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crashback_classpath::{CacheSettings, ClassPath, Jdk, Request, fetch, maven};
use crashback_emit::junit::{self, Generation, JUnit};
use crashback_emit::mockito::{self, Mockito};
use crashback_emit::source::{TestSource, free_class_name};
use crashback_emit::verify::{Verification, Verifier};
use crashback_jvm::pool::{Pool, PoolSettings};
use crashback_jvm::{Limits, Program, Recording as WorkerRecording, WorkerSettings};
use crashback_program::classes::Classes;
use crashback_protocol::{Evaluator, Failure as EvaluatorFailure};
use crashback_reproduce::{Case, Event, Host, Recording, Reproduction, reproduce};

use super::engine::{Engine, Task};
use crate::confined::Launcher;
use crate::exit::{Failure, FailureKind};
use crate::interrupt::Interrupts;
use crate::{program, workers};

/// How long the compiler or a run of the test may take.
const VERIFICATION: Duration = Duration::from_secs(30);

/// A test that crashes does so early; one that goes round for long keeps many others from being tried.
const LIMITS: Limits =
    Limits { budget: 200_000, time: Duration::from_millis(300), grace: Duration::from_millis(250) };

/// How many times a test is run before it is believed.
const RUNS: usize = 2;

/// The search with workers and a verifier.
pub(crate) struct Search;

impl Engine for Search {
    fn reproduce(&self, task: &Task<'_>, sink: &mut dyn FnMut(&Event)) -> Result<Reproduction, Failure> {
        let jdk = &task.project.jdk;
        let runner = find_junit(task)?;
        let scratch =
            tempfile::Builder::new().prefix("crashback-verify-").tempdir_in(&task.environment.temporary);
        let scratch = scratch.map_err(|error| {
            let place = task.environment.temporary.display();
            Failure::new(FailureKind::Environment, format!("cannot make a folder in {place}: {error}"))
        })?;
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
        let mut host = Machine { task, sink, verifier, launcher, mockito: None, failure: None };
        let case = Case { classes: task.classes, throwable: task.throwable, audit: task.audit };
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
    /// What went wrong while a test was verified, with the exit code that it deserves.
    failure: Option<Failure>,
}

impl Host for Machine<'_> {
    fn evaluator(&mut self, recording: &Recording) -> Result<Box<dyn Evaluator>, EvaluatorFailure> {
        let settings = pool_settings(self.task, recording).map_err(|it| EvaluatorFailure(it.message))?;
        let interrupts: &Interrupts = self.task.interrupts;
        Ok(Box::new(interrupts.watch(Pool::new(settings)?)))
    }

    fn elapsed(&self) -> Duration {
        since(self.task.begun)
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
            false => self.verifier.verify(test, RUNS).map_err(environment),
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
            None => find_mockito(self.task)?,
        };
        let mockito = &*self.mockito.insert(mockito);
        let read: Vec<PathBuf> = self.launcher.read.iter().chain(&mockito.jars).cloned().collect();
        let launcher = Launcher { read: &read, ..self.launcher };
        let verifier = Verifier {
            mockito: Some(mockito),
            launch: &|program, arguments| launcher.command(program, arguments),
            ..self.verifier
        };
        verifier.verify(test, RUNS).map_err(environment)
    }
}

fn pool_settings(task: &Task<'_>, recording: &Recording) -> Result<PoolSettings, Failure> {
    let class_path = task.project.class_path.launch_path();
    let without_sandbox = task.conditions.without_sandbox;
    let settings = workers::settings(&task.project.jdk, class_path, without_sandbox, task.environment)?;
    let Recording { plan, jump_codes, chain, test_package } = recording.clone();
    let worker = WorkerSettings {
        program: Program {
            test_package,
            assertions: task.conditions.assertions,
            ..settings.worker.program.clone()
        },
        recording: WorkerRecording {
            plan,
            jump_opcodes: jump_codes,
            chain,
            operands: true,
            ..settings.worker.recording.clone()
        },
        limits: LIMITS,
        ..settings.worker.clone()
    };
    Ok(PoolSettings { worker, workers: task.conditions.workers, spares: 1, ..settings })
}

/// JUnit from the program's class path, the one for tests, or Maven.
fn find_junit(task: &Task<'_>) -> Result<junit::Runner, Failure> {
    let wanted = task.conditions.junit.map(|it| match it {
        4 => Generation::Four,
        5 => Generation::Five,
        _ => Generation::Six,
    });
    let test = test_class_path(task)?;
    let test_classes = test.as_ref().map(|it| Classes::new(it));
    let test = test.as_ref().zip(test_classes.as_ref()).map(|(path, classes)| (classes, path.launch_path()));
    let feature = task.project.jdk.feature.into();
    junit::resolve(task.classes, test, wanted, feature, &mut |it| fetch_jars(task, it)).map_err(environment)
}

/// Mockito from the same places.
fn find_mockito(task: &Task<'_>) -> Result<Mockito, Failure> {
    let test = test_class_path(task)?;
    let test = test.as_ref().map(|it| Classes::new(it));
    let feature = task.project.jdk.feature.into();
    mockito::resolve(task.classes, test.as_ref(), feature, &mut |it| fetch_jars(task, it))
        .map_err(environment)
}

/// What `--test-classpath` names.
fn test_class_path(task: &Task<'_>) -> Result<Option<ClassPath>, Failure> {
    let entries = &task.conditions.test_class_path;
    if entries.is_empty() {
        return Ok(None);
    }
    let request = Request { entries: entries.clone(), ..Request::default() };
    ClassPath::load(&request).map(Some).map_err(environment)
}

/// Artifacts by their coordinates, from Maven.
fn fetch_jars(task: &Task<'_>, artifacts: &[&str]) -> Result<Vec<PathBuf>, String> {
    let jdk: &Jdk = &task.project.jdk;
    let cache = task.environment.cache_dir.clone().map(CacheSettings::new);
    let artifacts = artifacts.iter().map(|it| program::coordinates(it)).collect::<Result<Vec<_>, _>>();
    let settings = maven::Settings { java_home: Some(jdk.home.clone()), ..maven::Settings::default() };
    let artifacts = artifacts.map_err(|failure| failure.message)?;
    fetch(&artifacts, &settings, cache.as_ref()).map_err(|error| error.to_string())
}

fn environment(error: impl Display) -> Failure {
    Failure::new(FailureKind::Environment, error.to_string())
}

fn since(begun: Instant) -> Duration {
    begun.elapsed()
}
