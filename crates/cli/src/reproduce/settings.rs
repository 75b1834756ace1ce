//! From the arguments of a search to its settings, and the settings as they are recorded.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use crashback::{Error, ErrorKind, Generation, Session, Settings, read_models};
use crashback_classpath::split;
use serde::Serialize;

use crate::args::SearchArguments;
use crate::environment::Environment;
use crate::interrupt::Interrupts;
use crate::program::absolute;

/// What a search that is bounded by the number of tests may take, so that a hang is not endless.
const NO_HANG: Duration = Duration::from_secs(3600);

/// The settings that the arguments ask for.
pub(crate) fn settings(search: &SearchArguments) -> Result<Settings, Error> {
    let default = Settings::default();
    let time = search.time.unwrap_or(if search.evaluations.is_some() { NO_HANG } else { default.time });
    let mut tuning = default.tuning.clone();
    for change in &search.tune {
        let wrong = |reason: &str| {
            let message = format!("--tune {change}: {reason} (`crashback tuning` lists all names)");
            Error::new(ErrorKind::Usage, message)
        };
        let (name, value) = change.split_once('=').ok_or_else(|| wrong("it is not NAME=VALUE"))?;
        tuning.set(name.trim(), value.trim()).map_err(|error| wrong(&error.to_string()))?;
    }
    if search.no_models {
        tuning.source_models = false;
    }
    Ok(Settings {
        time,
        evaluations: search.evaluations,
        seed: search.seed,
        population: search.population.map(|it| usize::try_from(it).unwrap_or(usize::MAX)),
        preset: search.preset.unwrap_or(default.preset),
        fitness: search.fitness,
        algorithm: search.algorithm,
        tuning,
        models: read_models(&search.model)?.map(Arc::new),
        seed_tests: search.seed_test.clone(),
        ..default
    })
}

/// The session that the arguments ask for.
pub(crate) fn session(
    search: &SearchArguments,
    environment: &Environment,
    interrupts: &Interrupts,
) -> Result<Session, Error> {
    let test_class_path = search.test_classpath.iter().flat_map(|it| split(OsStr::new(it)));
    Ok(Session {
        workers: workers(search),
        without_sandbox: search.sandbox.unsafe_no_sandbox,
        assertions: search.enable_assertions,
        junit: search.junit.map(|it| match it {
            4 => Generation::Four,
            5 => Generation::Five,
            _ => Generation::Six,
        }),
        test_class_path: test_class_path.map(|it| absolute(&it)).collect(),
        ..environment.session(interrupts)?
    })
}

/// As many workers as were asked for, or as there are processors.
pub(crate) fn workers(search: &SearchArguments) -> usize {
    let processors = || thread::available_parallelism().map_or(1, |it| it.get());
    search.workers.map_or_else(processors, usize::from)
}

/// Everything that a search was told, as its result records it.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct RecordedSettings {
    preset: &'static str,
    fitness: &'static str,
    algorithm: &'static str,
    /// Names and values that are not the default.
    tuning: BTreeMap<&'static str, String>,
    population: Option<usize>,
    seed: u64,
    time_seconds: f64,
    evaluations: Option<u64>,
    frame: Option<u32>,
    workers: usize,
    assertions: bool,
    expect: bool,
    /// The files of models that were given.
    models: Vec<String>,
    /// The sources of tests that were given, and folders of such.
    seed_tests: Vec<String>,
}

impl RecordedSettings {
    pub(crate) fn new(settings: &Settings, search: &SearchArguments) -> Self {
        Self {
            preset: settings.preset.name(),
            fitness: settings.fitness_name(),
            algorithm: settings.algorithm_name(),
            tuning: settings.tuning.changed().map(|it| (it.name, it.value)).collect(),
            population: settings.population,
            seed: settings.seed,
            time_seconds: settings.time.as_secs_f64(),
            evaluations: settings.evaluations,
            frame: settings.frame,
            workers: workers(search),
            assertions: search.enable_assertions,
            expect: settings.expect,
            models: search.model.iter().map(|it| it.display().to_string()).collect(),
            seed_tests: search.seed_test.iter().map(|it| it.display().to_string()).collect(),
        }
    }

    /// Whether the program ran with its assertions enabled.
    pub(super) fn assertions(&self) -> bool {
        self.assertions
    }

    /// The seed of all random choices.
    pub(super) fn seed(&self) -> u64 {
        self.seed
    }
}
