//! `crashback campaign`: many crashes, many runs, one store.

mod compare;
mod live;
mod plan;
#[cfg(test)]
mod tests;
mod text;

use std::collections::BTreeSet;
use std::io;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use crashback::{Error, ErrorKind, ProgramRequest, Session};
use crashback_campaign::{
    self as campaign, Campaign, Ended, Event, Extent, Job, LocalRunner, Plan, SearchFactory, Store, Summary,
    enqueue, export_csv, export_exrunner, export_jsonl, export_obstacles,
};
use serde_json::{Map, Value, json};

use crate::args::{
    CampaignArguments, CampaignJob, ExportArguments, ReportArguments, RunArguments, SearchArguments,
    StatusArguments, WorkArguments, WorkerArguments,
};
use crate::environment::Environment;
use crate::interrupt::Interrupts;
use crate::{exit, output, program, report, reproduce};
use live::Live;

/// Runs the command and gives its exit code.
pub(crate) fn run(
    arguments: &CampaignArguments,
    environment: &Environment,
    interrupts: &Interrupts,
) -> ExitCode {
    let done = match &arguments.job {
        CampaignJob::Run(arguments) => reproduce::session(&arguments.search, environment, interrupts)
            .and_then(|it| run_all(arguments, environment, interrupts, searches(it))),
        CampaignJob::Work(arguments) => work(arguments, environment, interrupts),
        CampaignJob::Status(arguments) => status(arguments),
        CampaignJob::Export(arguments) => export(arguments),
        CampaignJob::Compare(arguments) => return compare::run(arguments),
        CampaignJob::Report(arguments) => report(arguments, environment),
    };
    let as_json = arguments.job.wants_json();
    match done {
        Ok(outcome) => outcome.show(as_json),
        Err(error) => output::report_failure(&error, as_json),
    }
}

/// The result of a job, for people and for programs.
#[derive(Default)]
struct Outcome {
    text: String,
    /// Fields of the JSON object, beside exit code and error.
    document: Map<String, Value>,
    /// Why the job did not come to its end, though there is a result.
    failure: Option<Error>,
}

impl Outcome {
    fn new(text: String, document: Value) -> Self {
        let document = if let Value::Object(fields) = document { fields } else { Map::new() };
        Self { text, document, failure: None }
    }

    fn show(self, as_json: bool) -> ExitCode {
        let Self { text, document, failure } = self;
        let code = failure.as_ref().map_or(0, |it| exit::code(it.kind));
        let printed = match as_json {
            true => {
                let head = [("exit_code".to_owned(), code.into()), ("error".to_owned(), json!(failure))];
                output::print_json(&head.into_iter().chain(document).collect::<Map<_, _>>())
            }
            false => output::print(&text),
        };
        if let Some(failure) = &failure {
            output::tell(&format!("crashback: {failure}"));
        }
        if code == 0 { output::code_of_print(printed) } else { ExitCode::from(code) }
    }
}

/// Searches with the workers of each configuration.
fn searches(session: Session) -> SearchFactory {
    Arc::new(move |configuration, switch| {
        Box::new(Session {
            workers: configuration.workers,
            assertions: configuration.assertions,
            interruption: switch.clone(),
            ..session.clone()
        })
    })
}

fn run_all(
    arguments: &RunArguments,
    environment: &Environment,
    interrupts: &Interrupts,
    search: SearchFactory,
) -> Result<Outcome, Error> {
    let mut plan = plan::read(arguments)?;
    let runner = runner(&arguments.worker, environment, search)?;
    if arguments.dry_run {
        plan::fetch(&mut plan, &runner, interrupts)?;
    }
    let targets = plan::target_frames(&mut plan, &runner, interrupts)?;
    plan::tell_unusable(&plan.benchmark.unusable, arguments.dry_run);
    if plan.benchmark.subjects.is_empty() {
        return Err(Error::new(ErrorKind::Usage, "there is no crash that can be run"));
    }
    let jobs = plan.jobs(&targets);
    if arguments.dry_run {
        return dry_run(arguments, &plan, &jobs);
    }
    let mut store = Store::open(&arguments.worker.store).map_err(|it| error(&it))?;
    if arguments.enqueue {
        let plan = enqueue(store.database(), &jobs, plan.retry_errors).map_err(|it| error(&it))?;
        let status = store.status(Some(&plan)).map_err(|it| error(&it))?;
        let text = format!("{} of {} runs wait for workers\n", status.open, jobs.len());
        return Ok(Outcome::new(text, json!({ "runs": jobs.len(), "waiting": status.open })));
    }
    let (is_quiet, runner) = (environment.verbosity.quiet, Arc::new(runner));
    let worker = Worker { arguments: &arguments.worker, is_quiet, runner, interrupts };
    let mut ended = worker.make(&mut store, &jobs, plan.retry_errors)?;
    if plan.tie_break && ended == Ended::Complete {
        let records = store.records_to(Extent::Runs).map_err(|it| error(&it))?;
        let more = plan.tie_breakers(&jobs, &records);
        if !more.is_empty() {
            ended = worker.make(&mut store, &more, false)?;
        }
    }
    let mut summaries = Summary::of(&store.records_to(Extent::Runs).map_err(|it| error(&it))?);
    let names: Vec<&str> = plan.configurations.iter().map(|it| it.name.as_str()).collect();
    summaries.retain(|it| names.contains(&it.configuration.as_str()));
    let text = names.iter().map(|name| text::summary(&summaries, name, names.len() > 1)).collect();
    let document = json!({ "configurations": summaries, "left_out": plan.benchmark.unusable });
    Ok(Outcome { failure: conclude(ended).err(), ..Outcome::new(text, document) })
}

/// Makes jobs of a store, whatever plan they are of.
fn work(
    arguments: &WorkArguments,
    environment: &Environment,
    interrupts: &Interrupts,
) -> Result<Outcome, Error> {
    let WorkArguments { worker, junit, test_classpath, sandbox } = arguments;
    let search = SearchArguments {
        junit: *junit,
        test_classpath: test_classpath.clone(),
        sandbox: *sandbox,
        ..SearchArguments::default()
    };
    let session = reproduce::session(&search, environment, interrupts)?;
    let runner = Arc::new(runner(worker, environment, searches(session))?);
    let mut store = Store::open(&worker.store).map_err(|it| error(&it))?;
    let waiting = store.status(None).map_err(|it| error(&it))?;
    let worker = Worker { arguments: worker, is_quiet: environment.verbosity.quiet, runner, interrupts };
    let ended = worker.work(&mut store, None, waiting.open + waiting.running, true)?;
    let document = json!(store.status(None).map_err(|it| error(&it))?);
    Ok(Outcome { failure: conclude(ended).err(), ..Outcome::new(String::new(), document) })
}

fn conclude(ended: Ended) -> Result<(), Error> {
    match ended {
        Ended::Complete => Ok(()),
        Ended::Interrupted => {
            let message = "interrupted; the same command goes on where it ended";
            Err(Error::new(ErrorKind::Interrupted, message))
        }
    }
}

fn runner(
    arguments: &WorkerArguments,
    environment: &Environment,
    search: SearchFactory,
) -> Result<LocalRunner, Error> {
    let jdk = program::find_jdk(arguments.java_home.as_deref(), environment)?;
    program::tell_jdk(&jdk, environment);
    let program = ProgramRequest {
        cache: program::cache(arguments.cache_dir.as_deref(), arguments.no_cache, environment),
        ..ProgramRequest::new(jdk, Vec::new())
    };
    Ok(LocalRunner { program, search, temporary: environment.temporary.clone() })
}

/// A worker of this machine.
struct Worker<'w> {
    arguments: &'w WorkerArguments,
    is_quiet: bool,
    runner: Arc<LocalRunner>,
    interrupts: &'w Interrupts,
}

impl Worker<'_> {
    /// Makes the runs of jobs that the store does not have.
    fn make(&self, store: &mut Store, jobs: &[Job], retry_errors: bool) -> Result<Ended, Error> {
        let plan = enqueue(store.database(), jobs, retry_errors).map_err(|it| error(&it))?;
        let status = store.status(Some(&plan)).map_err(|it| error(&it))?;
        let open = status.open + status.running;
        let stored = jobs.len().saturating_sub(open);
        if stored > 0 && !self.is_quiet {
            output::tell(&format!("{stored} runs were in the store already"));
        }
        let first = jobs.first().map(|it| &it.configuration.name);
        let has_several = jobs.iter().any(|it| Some(&it.configuration.name) != first);
        self.work(store, Some(plan), open, has_several)
    }

    /// Makes the jobs of a plan, or all, of which there are so many, of several configurations or one.
    fn work(
        &self,
        store: &mut Store,
        plan: Option<String>,
        jobs: usize,
        names_configurations: bool,
    ) -> Result<Ended, Error> {
        let mut live = Live::new(jobs, self.is_quiet, names_configurations);
        let mut on_event = |event: Event<'_>| live.show(&event);
        let ended = Campaign {
            runner: Arc::<LocalRunner>::clone(&self.runner),
            interruption: &self.interrupts.interruption,
            worker: worker_name(),
            plan,
            jobs: self.arguments.jobs.into(),
            retries: self.arguments.retries,
            grace: self.arguments.grace,
            lease: self.arguments.lease,
            crashback: env!("CARGO_PKG_VERSION"),
            now: &|| now().as_secs(),
        }
        .work(store.database(), &mut on_event);
        live.clear();
        ended.map_err(|it| error(&it))
    }
}

/// Shows how many runs a plan has and how long they may take.
fn dry_run(arguments: &RunArguments, plan: &Plan, jobs: &[Job]) -> Result<Outcome, Error> {
    let records = match Store::open_to_read(&arguments.worker.store) {
        Ok(store) => store.records_to(Extent::Runs).map_err(|it| error(&it))?,
        Err(campaign::Error::MissingStore { .. }) => Vec::new(),
        Err(other) => return Err(error(&other)),
    };
    let counted = records.iter().filter(|it| !(plan.retry_errors && it.error.is_some()));
    let stored: BTreeSet<_> =
        counted.map(|it| (it.crash.as_str(), it.configuration.as_str(), it.target_frame, it.seed)).collect();
    let is_stored = |it: &&Job| {
        stored.contains(&(it.subject.id.as_str(), it.configuration.name.as_str(), it.frame, it.seed))
    };
    let means = text::mean_seconds(&records);
    let open: Vec<&Job> = jobs.iter().filter(|it| !is_stored(it)).collect();
    let seconds: f64 = open.iter().map(|it| text::expected_seconds(it, &means)).sum();
    let seconds = seconds / f64::from(arguments.worker.jobs);
    let stored = jobs.len() - open.len();
    let document = json!({
        "runs": jobs.len(),
        "stored": stored,
        "seconds": seconds,
        "left_out": plan.benchmark.unusable,
    });
    Ok(Outcome::new(text::estimate(plan, jobs.len(), stored, seconds), document))
}

fn status(arguments: &StatusArguments) -> Result<Outcome, Error> {
    let store = Store::open_to_read(&arguments.store).map_err(|it| error(&it))?;
    let status = store.status(None).map_err(|it| error(&it))?;
    Ok(Outcome::new(text::status(&status), json!(status)))
}

fn report(arguments: &ReportArguments, environment: &Environment) -> Result<Outcome, Error> {
    let (runs, logs) = report::of_campaign(arguments)?;
    let file = arguments.out.display().to_string();
    if !arguments.json {
        let logs = if arguments.logs.is_some() { format!(", {logs} logs") } else { String::new() };
        output::note(environment.verbosity, &format!("{file}: {runs} runs{logs}"));
    }
    Ok(Outcome::new(String::new(), json!({ "file": file, "runs": runs, "logs": logs })))
}

fn export(arguments: &ExportArguments) -> Result<Outcome, Error> {
    let store = Store::open_to_read(&arguments.store).map_err(|it| error(&it))?;
    let extent = if arguments.jsonl || arguments.exrunner { Extent::Whole } else { Extent::Runs };
    let records = store.records_to(extent).map_err(|it| error(&it))?;
    let out = io::BufWriter::new(io::stdout().lock());
    let exported = match arguments {
        ExportArguments { obstacles: true, .. } => export_obstacles(&Summary::of(&records), out),
        ExportArguments { exrunner: true, .. } => export_exrunner(&records, out),
        ExportArguments { jsonl: true, .. } => export_jsonl(&records, out),
        _ => export_csv(&records, out),
    };
    match exported {
        // A reader that closed its end has seen enough.
        Err(campaign::Error::Export(error)) if error.kind() == io::ErrorKind::BrokenPipe => {}
        done => done.map_err(|it| error(&it))?,
    }
    Ok(Outcome::default())
}

pub(crate) fn error(error: &campaign::Error) -> Error {
    use campaign::Error::{Busy, Damaged, DiskFull, Export, ServerGone, Store};
    let kind = match error {
        Store { .. } | Export(_) | Busy { .. } | Damaged { .. } | DiskFull { .. } | ServerGone { .. } => {
            ErrorKind::Environment
        }
        _ => ErrorKind::Usage,
    };
    Error::new(kind, error.to_string())
}

/// A name that no other worker has or had: machine, process and moment.
fn worker_name() -> String {
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let host = Some(host.trim()).filter(|it| !it.is_empty()).unwrap_or("machine");
    format!("{host}:{}:{}", std::process::id(), now().as_nanos())
}

#[expect(clippy::disallowed_methods, reason = "runs are kept with the time when they began")]
pub(crate) fn now() -> std::time::Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}
