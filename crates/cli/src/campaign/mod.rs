//! `crashback campaign`: many crashes, many runs, one store.

mod runner;
#[cfg(test)]
mod tests;
mod text;

use std::io::{self, IsTerminal as _};
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use crashback_campaign::{
    Benchmark, Configuration, Ended, Error, Event, ExtraMaven, Plan, Store, Summary, export_csv,
    export_obstacles,
};

use crate::args::{CampaignArguments, CampaignJob, ExportArguments, RunArguments};
use crate::environment::Environment;
use crate::exit::{Failure, FailureKind};
use crate::interrupt::Interrupts;
use crate::program::Places;
use crate::reproduce::{self, Conditions, Engine, Progress, Search};
use crate::{output, program};

use runner::Reproducer;

/// How many crashes that cannot be run are named.
const MAX_NAMED: usize = 5;

/// Runs the command and gives its exit code.
pub(crate) fn run(
    arguments: &CampaignArguments,
    environment: &Environment,
    interrupts: &Interrupts,
) -> ExitCode {
    let done = match &arguments.job {
        CampaignJob::Run(arguments) => run_all(arguments, environment, interrupts, &Search),
        CampaignJob::Export(arguments) => export(arguments),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => output::report_failure(&failure, false),
    }
}

fn run_all(
    arguments: &RunArguments,
    environment: &Environment,
    interrupts: &Interrupts,
    engine: &dyn Engine,
) -> Result<(), Failure> {
    let plan = plan(arguments)?;
    let jdk = program::find_jdk(arguments.java_home.as_deref(), environment)?;
    let mut store = Store::open(&arguments.store).map_err(|it| failure(&it))?;
    let mut reproducer = Reproducer {
        places: Places {
            java_home: Some(jdk.home),
            cache_dir: arguments.cache_dir.clone(),
            no_cache: arguments.no_cache,
            ..Places::default()
        },
        conditions: Conditions::of(&arguments.search),
        environment,
        interrupts,
        engine,
        progress: Progress::on(io::stderr(), io::stderr().is_terminal() && !arguments.quiet),
    };
    let mut skipped = 0_usize;
    let mut on_event = |event: Event<'_>| match &event {
        Event::Skipped { .. } => skipped += 1,
        Event::Started { .. } => {}
        Event::Finished { record, number, of } if !arguments.quiet => {
            output::tell(&text::finished(record, *number, *of));
        }
        Event::Finished { .. } => {}
    };
    let stop = || interrupts.happened();
    let version = env!("CARGO_PKG_VERSION");
    let ended =
        crashback_campaign::run(&plan, &mut store, &mut reproducer, version, &now, &stop, &mut on_event)
            .map_err(|it| failure(&it))?;
    if skipped > 0 && !arguments.quiet {
        output::tell(&format!("{skipped} runs were in the store already"));
    }
    let records = store.records().map_err(|it| failure(&it))?;
    output::print(&text::summary(&Summary::of(&records), &plan.configuration.name));
    match ended {
        Ended::Complete => Ok(()),
        Ended::Interrupted => {
            let message = "interrupted; the same command goes on where it ended";
            Err(Failure::new(FailureKind::Interrupted, message))
        }
    }
}

/// The plan, with a word on every crash of the benchmark that cannot be part of it.
fn plan(arguments: &RunArguments) -> Result<Plan, Failure> {
    let extra = match &arguments.extra_maven {
        Some(path) => ExtraMaven::read(path).map_err(|it| failure(&it))?,
        None => ExtraMaven::default(),
    };
    for (id, coordinates) in extra.all() {
        for text in coordinates {
            program::coordinates(text)
                .map_err(|it| Failure::new(it.kind, format!("the coordinates of {id}: {it}")))?;
        }
    }
    let mut benchmark = Benchmark::read(&arguments.jcrashpack, &extra).map_err(|it| failure(&it))?;
    if !arguments.only.is_empty() {
        benchmark = benchmark.only(&arguments.only).map_err(|it| failure(&it))?;
    }
    for unusable in benchmark.unusable.iter().take(MAX_NAMED) {
        output::tell(&format!("{} is left out: {}", unusable.id, unusable.reason));
    }
    let hidden = benchmark.unusable.len().saturating_sub(MAX_NAMED);
    if hidden > 0 {
        output::tell(&format!("and {hidden} more are left out"));
    }
    if benchmark.subjects.is_empty() {
        let message = format!("{} has no crash that can be run", arguments.jcrashpack.display());
        return Err(Failure::new(FailureKind::Usage, message));
    }
    let configuration = Configuration {
        name: arguments.configuration.clone(),
        settings: reproduce::settings(&arguments.search),
        workers: reproduce::workers(&arguments.search),
        assertions: arguments.search.enable_assertions,
    };
    let retry_errors = arguments.retry_errors;
    Ok(Plan { benchmark, configuration, repeats: arguments.repeat, retry_errors })
}

fn export(arguments: &ExportArguments) -> Result<(), Failure> {
    let store = Store::open_to_read(&arguments.store).map_err(|it| failure(&it))?;
    let records = store.records().map_err(|it| failure(&it))?;
    let out = io::stdout().lock();
    let exported = if arguments.obstacles {
        export_obstacles(&Summary::of(&records), out)
    } else {
        export_csv(&records, out)
    };
    match exported {
        // A reader that closed its end has seen enough.
        Err(Error::Export(error)) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        done => done.map_err(|it| failure(&it)),
    }
}

fn failure(error: &Error) -> Failure {
    let kind = match error {
        Error::Store { .. } | Error::Export(_) | Error::Busy { .. } => FailureKind::Environment,
        _ => FailureKind::Usage,
    };
    Failure::new(kind, error.to_string())
}

#[expect(clippy::disallowed_methods, reason = "runs are kept with the time when they began")]
fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |it| it.as_secs())
}
