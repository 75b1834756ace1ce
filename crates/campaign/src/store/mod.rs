//! The store of campaigns: jobs that wait, and runs that are over.
//!
//! Invariants: a job is claimed by one worker at a time, and its run is written once, with its frames, in
//! one transaction that checks the claim; a process that is killed at any moment leaves whole runs behind.
//! A store of another program or of a later format is not touched, one of an earlier format is brought up
//! to ours when it is opened.

mod postgres;
mod rows;
mod sqlite;
mod tls;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;

use crate::{Configuration, Error, FrameRecord, Job, Record, Subject};
use postgres::Postgres;
use sqlite::Sqlite;

/// The format of the tables.
const FORMAT: i64 = 8;

/// Scripts that bring a store from each earlier format to the next, beginning with format 1.
const CHANGES: [&str; FORMAT as usize - 1] = [
    include_str!("from_1_to_2.sql"),
    include_str!("from_2_to_3.sql"),
    include_str!("from_3_to_4.sql"),
    include_str!("from_4_to_5.sql"),
    include_str!("from_5_to_6.sql"),
    include_str!("from_6_to_7.sql"),
    include_str!("from_7_to_8.sql"),
];

/// The script that brings a store of an earlier format up to ours.
fn changes_since(format: i64) -> String {
    let done = usize::try_from(format - 1).unwrap_or_default();
    CHANGES.get(done..).unwrap_or_default().concat()
}

/// A database of jobs and runs. [`Store`] opens the right kind.
pub trait Database: Send {
    /// Remembers the content of a configuration, or refuses another one than that of the runs there are.
    fn admit(&mut self, configuration: &Configuration) -> Result<(), Error>;

    /// Lets jobs wait for workers, in their order, unless their runs are there; with `retry_errors`, runs
    /// that could not search do not count. The plan is the name of the whole list.
    fn enqueue(&mut self, jobs: &[Job], plan: &str, retry_errors: bool) -> Result<(), Error>;

    /// Claims up to so many waiting jobs for a worker, of one plan or of all. A claim that is not
    /// renewed within the lease is lost.
    fn claim(
        &mut self,
        worker: &str,
        plan: Option<&str>,
        lease: Duration,
        most: usize,
    ) -> Result<Vec<Claim>, Error>;

    /// Renews all claims of a worker and gives those that it still has.
    fn renew(&mut self, worker: &str, lease: Duration) -> Result<Vec<i64>, Error>;

    /// Gives a claimed job back, to be claimed again.
    fn release(&mut self, worker: &str, claim: &Claim) -> Result<(), Error>;

    /// Writes the run of a claimed job, in place of an earlier one. False, and nothing is written, if the
    /// claim was lost: then the run is another worker's to write.
    fn finish(&mut self, worker: &str, claim: &Claim, record: &Record) -> Result<bool, Error>;

    /// Writes runs that no job asked for, in place of earlier ones of the same keys: all or none.
    fn add(&mut self, records: &[Record]) -> Result<(), Error>;

    /// All runs, in the order of crash, configuration, frame and seed.
    fn records(&self, extent: Extent) -> Result<Vec<Record>, Error>;

    /// How many jobs wait, run and are done: of one plan or of all.
    fn status(&self, plan: Option<&str>) -> Result<Status, Error>;
}

/// How much of each run is read: tests, curves and events are most of a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Extent {
    /// Runs without frames, tests, events and reasons.
    Runs,
    /// The same with frames, but without their curves and obstacles.
    Frames,
    /// Everything.
    Whole,
}

/// A job that a worker has claimed.
#[derive(Clone, Debug)]
pub struct Claim {
    /// Its row.
    pub id: i64,
    /// The job.
    pub job: Job,
    /// How often it was claimed, this time included.
    pub attempts: u32,
}

/// How far campaigns are.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Status {
    /// Jobs that wait.
    pub open: usize,
    /// Jobs that workers have claimed.
    pub running: usize,
    /// Jobs whose run is there.
    pub done: usize,
    /// Claimed jobs by worker.
    pub workers: BTreeMap<String, usize>,
    /// Runs that could not search, among all runs.
    pub errors: usize,
    /// Runs in the store, also those without a job.
    pub runs: usize,
    /// Configurations with the number of their runs.
    pub configurations: BTreeMap<String, usize>,
}

/// The runs and jobs of campaigns: a SQLite file, or a database of a PostgreSQL server.
pub struct Store {
    database: Box<dyn Database>,
}

impl Store {
    /// Opens a store to add runs, and makes it if there is none. `postgres://…` is a database of a server,
    /// anything else a file; a file that another campaign has open is refused.
    pub fn open(address: &Path) -> Result<Self, Error> {
        Ok(match server(address) {
            Some(address) => Self { database: Box::new(Postgres::open(address, true)?) },
            None => Self { database: Box::new(Sqlite::open(address)?) },
        })
    }

    /// Opens a store to read it, also while a campaign writes to it.
    pub fn open_to_read(address: &Path) -> Result<Self, Error> {
        Ok(match server(address) {
            Some(address) => Self { database: Box::new(Postgres::open(address, false)?) },
            None => Self { database: Box::new(Sqlite::open_to_read(address)?) },
        })
    }

    /// Whether an address is that of a server, which many machines share.
    pub fn is_shared(address: &Path) -> bool {
        server(address).is_some()
    }

    /// The database behind it.
    pub fn database(&mut self) -> &mut dyn Database {
        self.database.as_mut()
    }

    /// Adds a run, in place of an earlier one of the same crash, configuration, frame and seed.
    pub fn add(&mut self, record: &Record) -> Result<(), Error> {
        self.add_all(std::slice::from_ref(record))
    }

    /// Adds runs likewise: all or none.
    pub fn add_all(&mut self, records: &[Record]) -> Result<(), Error> {
        self.database.add(records)
    }

    /// All runs, in the order of crash, configuration, frame and seed.
    pub fn records(&self) -> Result<Vec<Record>, Error> {
        self.database.records(Extent::Whole)
    }

    /// The same with as much of each run as is needed.
    pub fn records_to(&self, extent: Extent) -> Result<Vec<Record>, Error> {
        self.database.records(extent)
    }

    /// How many jobs wait, run and are done: of one plan or of all.
    pub fn status(&self, plan: Option<&str>) -> Result<Status, Error> {
        self.database.status(plan)
    }
}

impl std::fmt::Debug for Store {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Store")
    }
}

/// The address of a server.
fn server(address: &Path) -> Option<&str> {
    let text = address.to_str()?;
    (text.starts_with("postgres://") || text.starts_with("postgresql://")).then_some(text)
}

/// Crashes and configurations of claimed jobs, which are read once.
#[derive(Default)]
struct Known {
    subjects: BTreeMap<String, Arc<Subject>>,
    configurations: BTreeMap<String, Arc<Configuration>>,
}

/// Reads the JSON and the log of a crash.
type ReadCrash<'r> = &'r mut dyn FnMut(&str) -> Result<(String, Vec<u8>), Error>;
/// Reads the content of a configuration.
type ReadContent<'r> = &'r mut dyn FnMut(&str) -> Result<Option<String>, Error>;

/// The columns of a claimed job.
struct ClaimedRow {
    id: i64,
    crash: String,
    configuration: String,
    target_frame: i64,
    seed: i64,
    attempts: i64,
    place: i64,
}

impl Known {
    /// The claims of rows, in the order of the plan. `subject` and `content` read what is not known yet:
    /// a crash with its log, and the content of a configuration.
    fn claims(
        &mut self,
        mut rows: Vec<ClaimedRow>,
        subject: ReadCrash<'_>,
        content: ReadContent<'_>,
        damaged: &dyn Fn(String) -> Error,
    ) -> Result<Vec<Claim>, Error> {
        rows.sort_by_key(|it| (it.place, it.id));
        let mut claims = Vec::with_capacity(rows.len());
        for row in rows {
            if !self.subjects.contains_key(&row.crash) {
                let (text, log) = subject(&row.crash)?;
                let subject: Subject = serde_json::from_str(&text)
                    .map_err(|it| damaged(format!("the crash {} cannot be read: {it}", row.crash)))?;
                let subject = Arc::new(Subject { content: Some(log), ..subject });
                self.subjects.insert(row.crash.clone(), subject);
            }
            if !self.configurations.contains_key(&row.configuration) {
                let name = &row.configuration;
                let text = content(name)?.unwrap_or_default();
                let configuration = Configuration::of_content(name, &text)
                    .map_err(|it| damaged(format!("the configuration {name} cannot be read: {it}")))?;
                self.configurations.insert(name.clone(), Arc::new(configuration));
            }
            let found = self.subjects.get(&row.crash).zip(self.configurations.get(&row.configuration));
            let Some((subject, configuration)) = found else { continue };
            let job = Job {
                subject: Arc::clone(subject),
                configuration: Arc::clone(configuration),
                frame: u32::try_from(row.target_frame).ok().filter(|it| *it > 0),
                seed: row.seed.cast_unsigned(),
            };
            claims.push(Claim { id: row.id, job, attempts: u32::try_from(row.attempts).unwrap_or(u32::MAX) });
        }
        Ok(claims)
    }

    /// Forgets crashes, which a new plan may have changed.
    fn forget(&mut self) {
        self.subjects.clear();
    }
}

/// What a configuration in a store allows.
fn check_content(
    configuration: &Configuration,
    conditions: String,
    content: Option<String>,
) -> Result<(), Error> {
    let is_same = match content {
        Some(content) => content == configuration.content(),
        None => conditions == configuration.conditions(),
    };
    let (name, asked) = (configuration.name.clone(), configuration.conditions());
    if is_same { Ok(()) } else { Err(Error::OtherConditions { name, stored: conditions, asked }) }
}

/// Runs with their frames and reasons, each with the number of its run.
fn assemble(
    runs: Vec<(i64, Record)>,
    frames: Vec<(i64, FrameRecord)>,
    reasons: Vec<(i64, String)>,
) -> Vec<Record> {
    let mut places: Vec<(i64, usize)> = runs.iter().map(|it| it.0).zip(0..).collect();
    places.sort_unstable();
    let place = |run: i64| {
        let found = places.binary_search_by_key(&run, |it| it.0).ok()?;
        places.get(found).map(|it| it.1)
    };
    let mut records: Vec<Record> = runs.into_iter().map(|it| it.1).collect();
    for (run, frame) in frames {
        if let Some(record) = place(run).and_then(|it| records.get_mut(it)) {
            record.frames.push(frame);
        }
    }
    for (run, reason) in reasons {
        if let Some(record) = place(run).and_then(|it| records.get_mut(it)) {
            record.unverified_reasons.push(reason);
        }
    }
    records
}

/// The crashes of jobs, each once, as a worker on another machine needs them: name, JSON and log.
fn crashes(jobs: &[Job]) -> Result<Vec<(String, String, Vec<u8>)>, Error> {
    let mut subjects: BTreeMap<&str, &Subject> = BTreeMap::new();
    for job in jobs {
        subjects.entry(&job.subject.id).or_insert(&job.subject);
    }
    let mut crashes = Vec::with_capacity(subjects.len());
    for (id, subject) in subjects {
        let unreadable = |source| Error::Unreadable { path: subject.log.clone(), source };
        let subject = subject.for_others().map_err(unreadable)?;
        let text = serde_json::to_string(&subject)
            .map_err(|it| Error::Unusable { id: id.to_owned(), reason: format!("its paths: {it}") })?;
        crashes.push((id.to_owned(), text, subject.content.unwrap_or_default()));
    }
    Ok(crashes)
}

impl Status {
    fn count_jobs(&mut self, state: &str, worker: String, count: i64) {
        let count = usize::try_from(count).unwrap_or(0);
        match state {
            "open" => self.open += count,
            "running" => {
                self.running += count;
                *self.workers.entry(worker).or_default() += count;
            }
            _ => self.done += count,
        }
    }

    fn count_runs(&mut self, configuration: String, runs: i64, errors: i64) {
        let (runs, errors) = (usize::try_from(runs).unwrap_or(0), usize::try_from(errors).unwrap_or(0));
        self.runs += runs;
        self.errors += errors;
        self.configurations.insert(configuration, runs);
    }
}
