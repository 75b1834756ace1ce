//! `crashback reproduce`: from a stack trace to a test that crashes the program in the same way.

mod attempt;
mod engine;
mod file;
pub(crate) mod json;
mod progress;
mod search;
mod text;

#[cfg(test)]
mod tests;

use std::io::{self, IsTerminal as _};
use std::path::PathBuf;
use std::process::ExitCode;
use std::thread;
use std::time::Duration;

use crashback_reproduce::{Outcome, Settings};

pub(crate) use attempt::{Attempt, attempt};
#[cfg(test)]
pub(crate) use engine::Task;
pub(crate) use engine::{Conditions, Engine};
pub(crate) use file::Destination;
pub(crate) use progress::Progress;
pub(crate) use search::{Search, jdk_with_compiler};

use crate::args::{OutputArguments, ReproduceArguments, ScopeArguments, SearchArguments};
use crate::environment::Environment;
use crate::exit::{Failure, FailureKind};
use crate::interrupt::Interrupts;
use crate::output;
use crate::program::Places;

/// What is to be reproduced, and how: the arguments, resolved.
pub(crate) struct Wanted {
    pub(crate) log: PathBuf,
    pub(crate) crash: Option<u32>,
    pub(crate) cause: Option<u32>,
    pub(crate) places: Places,
    pub(crate) scope: ScopeArguments,
    pub(crate) settings: Settings,
    pub(crate) conditions: Conditions,
}

/// Runs the command and gives its exit code.
pub(crate) fn run(
    arguments: &ReproduceArguments,
    environment: &Environment,
    interrupts: &Interrupts,
) -> ExitCode {
    let destination = Destination { folder: arguments.out.clone(), force: arguments.output.force };
    let wanted = Wanted::of(arguments);
    reproduce(wanted, Some(&destination), arguments.output, environment, interrupts)
}

/// Reproduces a crash, writes the test down where that was asked for, and tells of both.
pub(crate) fn reproduce(
    wanted: Result<Wanted, Failure>,
    destination: Option<&Destination>,
    output: OutputArguments,
    environment: &Environment,
    interrupts: &Interrupts,
) -> ExitCode {
    let seed = wanted.as_ref().map_or(0, |it| it.settings.seed);
    if output.json {
        let interrupted = Failure::interrupted();
        interrupts.leave_with(output::json_text(&json::failed(&interrupted, seed)));
    }
    let mut progress =
        Progress::on(io::stderr(), io::stderr().is_terminal() && !output.quiet && !output.json);
    let end = match wanted {
        Ok(wanted) => {
            progress.begin(&wanted.settings);
            conclude(&wanted, destination, environment, interrupts, &Search, &mut progress)
        }
        Err(failure) => End::failed(failure, seed),
    };
    progress.clear();
    interrupts.speak_for_yourself();
    end.show(output.json, destination.is_some())
}

/// How the command ended.
pub(crate) struct End {
    seed: u64,
    /// What came of it, if there was a search.
    attempt: Option<Attempt>,
    /// Where the test was written to.
    test_file: Option<PathBuf>,
    failure: Option<Failure>,
}

fn conclude(
    wanted: &Wanted,
    destination: Option<&Destination>,
    environment: &Environment,
    interrupts: &Interrupts,
    engine: &dyn Engine,
    progress: &mut Progress,
) -> End {
    let seed = wanted.settings.seed;
    // What cannot be written at the end is better known at the beginning.
    if let Some(failure) = destination.and_then(|it| it.check().err()) {
        return End::failed(failure, seed);
    }
    let is_taken = |expected: &[PathBuf]| destination.map_or(Ok(()), |it| it.check_free(expected));
    let attempted =
        attempt(wanted, environment, interrupts, engine, &is_taken, &mut |event| progress.show(event));
    let attempt = match attempted {
        Ok(attempt) => attempt,
        Err(failure) => return End::failed(failure, seed),
    };
    let mut end = End { seed, attempt: None, test_file: None, failure: None };
    let written = attempt.reproduction.test.as_ref().zip(destination).map(|(test, it)| it.write(test));
    match written {
        Some(Ok(path)) => end.test_file = Some(path),
        Some(Err(failure)) => end.failure = Some(failure),
        None => {}
    }
    if attempt.reproduction.interrupted && end.failure.is_none() {
        end.failure = Some(Failure::interrupted());
    }
    End { attempt: Some(attempt), ..end }
}

impl End {
    fn failed(failure: Failure, seed: u64) -> Self {
        Self { seed, attempt: None, test_file: None, failure: Some(failure) }
    }

    fn code(&self) -> u8 {
        let verdict = self.attempt.as_ref().map(|it| it.reproduction.verdict());
        match (&self.failure, verdict) {
            (Some(failure), _) => failure.kind.code(),
            (None, Some(Outcome::NotReproduced)) => 1,
            (None, _) => 0,
        }
    }

    fn show(&self, as_json: bool, is_to_be_written: bool) -> ExitCode {
        let printed = match &self.attempt {
            _ if as_json => output::print_json(&json::render(self)),
            Some(attempt) => {
                output::print(&text::render(attempt, self.test_file.as_deref(), is_to_be_written))
            }
            None => true,
        };
        if let Some(failure) = &self.failure {
            output::tell(&format!("crashback: {failure}"));
        }
        ExitCode::from(if printed { self.code() } else { FailureKind::Environment.code() })
    }
}

impl Wanted {
    fn of(arguments: &ReproduceArguments) -> Result<Self, Failure> {
        Ok(Self {
            log: arguments.log.clone(),
            crash: arguments.crash,
            cause: arguments.cause,
            places: Places::of(&arguments.classes)?,
            scope: arguments.scope.clone(),
            settings: Settings {
                frame: arguments.frame,
                expect: arguments.output.expect,
                ..settings(&arguments.search)
            },
            conditions: Conditions::of(&arguments.search),
        })
    }
}

/// What the search is told. Where tests are counted, time just keeps a hang from being endless.
pub(crate) fn settings(search: &SearchArguments) -> Settings {
    const NO_HANG: Duration = Duration::from_secs(3600);
    let default = Settings::default();
    let time = search.time.unwrap_or(if search.evaluations.is_some() { NO_HANG } else { default.time });
    let population = search.population.map(|it| usize::try_from(it).unwrap_or(usize::MAX));
    Settings { time, evaluations: search.evaluations, seed: search.seed, population, ..default }
}

/// As many workers as were asked for, or as there are processors.
pub(crate) fn workers(search: &SearchArguments) -> usize {
    let processors = || thread::available_parallelism().map_or(1, |it| it.get());
    search.workers.map_or_else(processors, usize::from)
}
