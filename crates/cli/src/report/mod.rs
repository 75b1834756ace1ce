//! Reports: `crashback campaign report`, and `crashback reproduce --report`.

mod file;
mod logs;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use crashback::{Attempt, Error, Event, Request, Target};
use crashback_campaign::{Configuration, EventLog, Job, Record, RunResult, Store, Subject};
use crashback_report::{Comparisons, Report, Trace, TraceFrame};

use crate::args::{ReportArguments, SearchArguments};
use crate::{campaign, reproduce};

pub(crate) use file::ReportFile;

/// Writes the report of a store, and gives the numbers of runs and of logs in it.
pub(crate) fn of_campaign(arguments: &ReportArguments) -> Result<(usize, usize), Error> {
    let file = ReportFile { path: arguments.out.clone() };
    file.check()?;
    let store = Store::open_to_read(&arguments.store).map_err(|it| campaign::error(&it))?;
    let records = store.records().map_err(|it| campaign::error(&it))?;
    let traces = match &arguments.logs {
        Some(folder) => logs::traces(folder, &records)?,
        None => BTreeMap::new(),
    };
    let comparisons = Comparisons::of(&records);
    let title = arguments.title.as_deref().unwrap_or("Campaign");
    let report = Report { title, records: &records, traces: &traces, comparisons: &comparisons };
    file.write(&report.render())?;
    Ok((records.len(), traces.len()))
}

/// The report of a single reproduction.
pub(crate) struct SingleReport {
    file: ReportFile,
    /// The trace, known as soon as the crash is chosen.
    trace: RefCell<Option<Trace>>,
    begun: Instant,
    events: RefCell<EventLog>,
}

impl SingleReport {
    pub(crate) fn new(path: PathBuf) -> Self {
        #[expect(clippy::disallowed_methods, reason = "the report tells when events happened")]
        let begun = Instant::now();
        Self { file: ReportFile { path }, trace: RefCell::default(), begun, events: RefCell::default() }
    }

    /// Takes note of an event.
    pub(crate) fn tell(&self, event: &Event) {
        self.events.borrow_mut().see(event, self.begun.elapsed());
    }

    /// Whether the file can be written.
    pub(crate) fn check(&self) -> Result<(), Error> {
        self.file.check()
    }

    /// Takes the trace of the chosen crash.
    pub(crate) fn see(&self, target: &Target<'_>) {
        let frame = |it: &crashback_program::frames::FrameAudit| {
            let line = it.line.map_or(String::new(), |line| format!(":{line}"));
            let reason = (!it.target).then(|| it.reason.clone());
            TraceFrame { frame: format!("{}.{}{line}", it.class, it.method), reason }
        };
        let audit = &target.audit;
        let trace = Trace {
            exception: audit.exception.clone(),
            message: audit.message.clone(),
            frames: audit.frames.iter().map(frame).collect(),
        };
        self.trace.replace(Some(trace));
    }

    /// Writes the report of what came of a request.
    pub(crate) fn write(
        &self,
        request: &Request,
        search: &SearchArguments,
        attempt: &Attempt,
    ) -> Result<(), Error> {
        let events = self.events.take().into_records();
        let record = Record { events, ..record(request, search, attempt) };
        let crash = record.crash.clone();
        let traces: BTreeMap<String, Trace> =
            self.trace.borrow().iter().map(|it| (crash.clone(), it.clone())).collect();
        let title = format!("{}: {}", crash, simple_name(&attempt.exception));
        let report = Report {
            title: &title,
            records: &[record],
            traces: &traces,
            comparisons: &Comparisons::default(),
        };
        self.file.write(&report.render())
    }
}

/// A reproduction as a run of a campaign with one crash.
fn record(request: &Request, search: &SearchArguments, attempt: &Attempt) -> Record {
    let log = PathBuf::from(&request.log_name);
    let name =
        log.file_name().map_or_else(|| request.log_name.clone(), |it| it.to_string_lossy().into_owned());
    let subject = Subject {
        id: name,
        application: String::new(),
        version: String::new(),
        log,
        content: None,
        jars: Vec::new(),
        coordinates: Vec::new(),
        target_frames: None,
        project_packages: Vec::new(),
    };
    let configuration = Configuration {
        name: Configuration::default_name(&request.settings),
        settings: request.settings.clone(),
        workers: reproduce::workers(search),
        assertions: search.enable_assertions,
        tool: None,
    };
    let job = Job {
        subject: Arc::new(subject),
        configuration: Arc::new(configuration),
        frame: request.settings.frame,
        seed: request.settings.seed,
    };
    let result =
        RunResult { reproduction: attempt.reproduction.clone(), exception: Some(attempt.exception.clone()) };
    Record::new(&job, Ok(result), env!("CARGO_PKG_VERSION"), campaign::now().as_secs())
}

fn simple_name(class: &str) -> &str {
    class.rsplit('.').next().unwrap_or(class)
}
