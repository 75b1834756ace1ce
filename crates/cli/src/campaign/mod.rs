//! `crashback campaign`: many crashes, many runs, one store.

mod compare;
#[cfg(test)]
mod tests;
mod text;

use std::cell::RefCell;
use std::io::{self, IsTerminal as _};
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use crashback::{Error, ErrorKind, ProgramRequest, Search, coordinates};
use crashback_campaign::{
    self as campaign, Benchmark, Configuration, Ended, Event, ExtraMaven, Plan, SearchRunner, Store, Summary,
    export_csv, export_obstacles,
};

use crate::args::{CampaignArguments, CampaignJob, ExportArguments, RunArguments};
use crate::environment::Environment;
use crate::interrupt::Interrupts;
use crate::reproduce::{self, Progress};
use crate::{output, program, report};

/// How many crashes that cannot be run are named.
const MAX_NAMED: usize = 5;

/// Runs the command and gives its exit code.
pub(crate) fn run(
    arguments: &CampaignArguments,
    environment: &Environment,
    interrupts: &Interrupts,
) -> ExitCode {
    let done = match &arguments.job {
        CampaignJob::Run(arguments) => reproduce::session(&arguments.search, environment, interrupts)
            .and_then(|session| run_all(arguments, environment, interrupts, &session)),
        CampaignJob::Export(arguments) => export(arguments),
        CampaignJob::Compare(arguments) => return compare::run(arguments),
        CampaignJob::Report(arguments) => report::of_campaign(arguments),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => output::report_failure(&error, false),
    }
}

fn run_all(
    arguments: &RunArguments,
    environment: &Environment,
    interrupts: &Interrupts,
    search: &dyn Search,
) -> Result<(), Error> {
    let plan = plan(arguments)?;
    let jdk = program::find_jdk(arguments.java_home.as_deref(), environment)?;
    let mut store = Store::open(&arguments.store).map_err(|it| error(&it))?;
    let progress = RefCell::new(Progress::on(io::stderr(), io::stderr().is_terminal() && !arguments.quiet));
    let mut runner = SearchRunner {
        program: ProgramRequest {
            cache: program::cache(arguments.cache_dir.as_deref(), arguments.no_cache, environment),
            ..ProgramRequest::new(jdk, Vec::new())
        },
        search,
        interruption: &interrupts.interruption,
        sink: &mut |event| progress.borrow_mut().show(event),
    };
    let mut skipped = 0_usize;
    let mut on_event = |event: Event<'_>| match &event {
        Event::Skipped { .. } => skipped += 1,
        Event::Started { job, .. } => {
            let mut progress = progress.borrow_mut();
            progress.label(format!("{} seed {}, ", job.subject.id, job.seed));
            progress.begin(&job.settings());
        }
        Event::Finished { record, number, of } => {
            progress.borrow_mut().clear();
            if !arguments.quiet {
                output::tell(&text::finished(record, *number, *of));
            }
        }
    };
    let stop = || interrupts.happened();
    let version = env!("CARGO_PKG_VERSION");
    let ended = campaign::run(&plan, &mut store, &mut runner, version, &now, &stop, &mut on_event);
    progress.borrow_mut().clear();
    let ended = ended.map_err(|it| error(&it))?;
    if skipped > 0 && !arguments.quiet {
        output::tell(&format!("{skipped} runs were in the store already"));
    }
    let records = store.records().map_err(|it| error(&it))?;
    output::print(&text::summary(&Summary::of(&records), &plan.configuration.name));
    match ended {
        Ended::Complete => Ok(()),
        Ended::Interrupted => {
            let message = "interrupted; the same command goes on where it ended";
            Err(Error::new(ErrorKind::Interrupted, message))
        }
    }
}

/// The plan. Crashes of the benchmark that cannot be part of it are named on standard error.
fn plan(arguments: &RunArguments) -> Result<Plan, Error> {
    let extra = match &arguments.extra_maven {
        Some(path) => ExtraMaven::read(path).map_err(|it| error(&it))?,
        None => ExtraMaven::default(),
    };
    for (id, artifacts) in extra.all() {
        for text in artifacts {
            coordinates(text).map_err(|it| Error::new(it.kind, format!("the coordinates of {id}: {it}")))?;
        }
    }
    let mut benchmark = Benchmark::read(&arguments.jcrashpack, &extra).map_err(|it| error(&it))?;
    if !arguments.only.is_empty() {
        benchmark = benchmark.only(&arguments.only).map_err(|it| error(&it))?;
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
        return Err(Error::new(ErrorKind::Usage, message));
    }
    let settings = reproduce::settings(&arguments.search)?;
    let name = arguments.configuration.clone();
    let configuration = Configuration {
        name: name.unwrap_or_else(|| Configuration::default_name(&settings)),
        settings,
        workers: reproduce::workers(&arguments.search),
        assertions: arguments.search.enable_assertions,
    };
    let retry_errors = arguments.retry_errors;
    Ok(Plan { benchmark, configuration, repeats: arguments.repeat, retry_errors })
}

fn export(arguments: &ExportArguments) -> Result<(), Error> {
    let store = Store::open_to_read(&arguments.store).map_err(|it| error(&it))?;
    let records = store.records().map_err(|it| error(&it))?;
    let out = io::stdout().lock();
    let exported = if arguments.obstacles {
        export_obstacles(&Summary::of(&records), out)
    } else {
        export_csv(&records, out)
    };
    match exported {
        // A reader that closed its end has seen enough.
        Err(campaign::Error::Export(error)) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        done => done.map_err(|it| error(&it)),
    }
}

pub(crate) fn error(error: &campaign::Error) -> Error {
    use campaign::Error::{Busy, Export, Store};
    let kind = match error {
        Store { .. } | Export(_) | Busy { .. } => ErrorKind::Environment,
        _ => ErrorKind::Usage,
    };
    Error::new(kind, error.to_string())
}

#[expect(clippy::disallowed_methods, reason = "runs are kept with the time when they began")]
pub(crate) fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |it| it.as_secs())
}
