//! A store in one SQLite file. One campaign writes at a time, while others may read.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{
    Connection, ErrorCode, OpenFlags, OptionalExtension as _, Row, ToSql, Transaction, params,
    params_from_iter,
};

use super::rows::{self, Column, Value};
use super::{
    Claim, ClaimedRow, Database, Extent, FORMAT, Known, Status, assemble, changes_since, check_content,
    crashes,
};
use crate::{Configuration, Error, Job, Record};

/// The number in the file that tells our stores from other databases: the letters `CbCa`.
const APPLICATION: i64 = 0x4362_4361;
/// Readers hold a lock for moments only.
const PATIENCE: Duration = Duration::from_secs(10);

/// A store in a file.
pub(super) struct Sqlite {
    path: PathBuf,
    connection: Connection,
    known: Known,
    /// Held while a campaign writes; the system lets go of it when the process ends, however that
    /// happens.
    lock: Option<File>,
}

impl Drop for Sqlite {
    /// Lets go of the lock at once: a process that is just being started has a copy of the file until it
    /// becomes its program.
    fn drop(&mut self) {
        if let Some(lock) = &self.lock {
            drop(lock.unlock());
        }
    }
}

impl Sqlite {
    /// Opens a store to add runs, and makes it if there is none. Fails if another campaign has it
    /// open.
    pub(super) fn open(path: &Path) -> Result<Self, Error> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
        let mut store = Self::connect(path, flags)?;
        // What is no store gets no lock beside it.
        store.is_new()?;
        store.lock = Some(lock(path)?);
        if store.is_new()? {
            store.create()?;
        }
        // Jobs of a campaign that was killed wait again.
        store.execute("UPDATE jobs SET state = 'open', worker = NULL WHERE state = 'running'")?;
        Ok(store)
    }

    /// Opens a store to read it, also while a campaign writes to it.
    pub(super) fn open_to_read(path: &Path) -> Result<Self, Error> {
        if !path.exists() {
            return Err(Error::MissingStore { path: path.to_owned() });
        }
        // Writing must be allowed: a campaign that was killed may have left a transaction to be
        // undone.
        let store = Self::connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        if store.is_new()? { Err(Error::NoStore { path: path.to_owned() }) } else { Ok(store) }
    }

    /// Brings a store of an earlier format up to ours, in one transaction.
    fn migrate(&self, from: i64) -> Result<(), Error> {
        let changes = changes_since(from);
        // Another process may have done it since the format was read: then the columns are there
        // already and nothing changes.
        let script = format!("BEGIN IMMEDIATE; {changes} PRAGMA user_version = {FORMAT}; COMMIT;");
        match self.connection.execute_batch(&script) {
            Ok(()) => Ok(()),
            Err(error) => {
                let undone = self.connection.execute_batch("ROLLBACK");
                if undone.is_ok() && self.format()? == FORMAT { Ok(()) } else { Err(self.failure(&error)) }
            }
        }
    }

    fn format(&self) -> Result<i64, Error> {
        self.read("SELECT user_version FROM pragma_user_version")
    }

    fn read(&self, query: &str) -> Result<i64, Error> {
        let number = self.connection.query_row(query, [], |row| row.get(0));
        number.map_err(|error| self.failure(&error))
    }

    fn execute(&self, statement: &str) -> Result<(), Error> {
        self.connection.execute(statement, []).map(drop).map_err(|error| self.failure(&error))
    }

    fn connect(path: &Path, flags: OpenFlags) -> Result<Self, Error> {
        let failure = |error: rusqlite::Error| failure(path, &error);
        let connection = Connection::open_with_flags(path, flags).map_err(failure)?;
        connection.busy_timeout(PATIENCE).map_err(failure)?;
        connection.pragma_update(None, "foreign_keys", true).map_err(failure)?;
        Ok(Self { path: path.to_owned(), connection, known: Known::default(), lock: None })
    }

    /// Whether the file is still empty. A store of an earlier format is brought up to ours; any other
    /// content is an error.
    fn is_new(&self) -> Result<bool, Error> {
        let application = self.read("SELECT application_id FROM pragma_application_id")?;
        let format = self.format()?;
        let tables = self.read("SELECT count(*) FROM sqlite_schema")?;
        match (application, format) {
            (APPLICATION, FORMAT) => Ok(false),
            (APPLICATION, found @ 1..FORMAT) => self.migrate(found).map(|()| false),
            (APPLICATION, found) => Err(Error::Format { path: self.path.clone(), found, known: FORMAT }),
            (0, 0) if tables == 0 => Ok(true),
            _ => Err(Error::NoStore { path: self.path.clone() }),
        }
    }

    fn create(&mut self) -> Result<(), Error> {
        let schema = include_str!("schema.sql");
        let script = format!(
            "BEGIN; PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {FORMAT}; {schema} COMMIT;"
        );
        self.connection.execute_batch(&script).map_err(|error| self.failure(&error))
    }

    fn failure(&self, error: &rusqlite::Error) -> Error {
        failure(&self.path, error)
    }

    /// Does something in one transaction.
    fn transact<T>(
        &mut self,
        run: impl FnOnce(&Transaction<'_>) -> Result<T, rusqlite::Error>,
    ) -> Result<T, Error> {
        let done = (|| {
            let transaction = self.connection.transaction()?;
            let made = run(&transaction)?;
            transaction.commit()?;
            Ok(made)
        })();
        done.map_err(|error| failure(&self.path, &error))
    }
}

impl Database for Sqlite {
    fn admit(&mut self, configuration: &Configuration) -> Result<(), Error> {
        let name = &configuration.name;
        let select = "SELECT conditions, content FROM configurations WHERE name = ?1";
        let stored: Option<(String, Option<String>)> = self
            .connection
            .query_row(select, [name], |row| Ok((row.get(0)?, row.get(1)?)))
            .optional()
            .map_err(|error| self.failure(&error))?;
        if let Some((conditions, content)) = stored {
            check_content(configuration, conditions, content)?;
        }
        let insert = "INSERT OR REPLACE INTO configurations (name, conditions, content, identity)
                      VALUES (?1, ?2, ?3, ?4)";
        let update = "UPDATE configurations SET conditions = ?2, content = ?3, identity = ?4 WHERE name = ?1";
        let values = [name, &configuration.conditions(), &configuration.content(), &configuration.identity()];
        self.transact(|it| match it.execute(update, values)? {
            0 => it.execute(insert, values),
            updated => Ok(updated),
        })
        .map(drop)
    }

    fn enqueue(&mut self, jobs: &[Job], plan: &str, retry_errors: bool) -> Result<(), Error> {
        let crashes = crashes(jobs)?;
        self.known.forget();
        self.transact(|it| {
            for (id, subject, log) in &crashes {
                it.execute(
                    "INSERT INTO crashes (id, subject, log) VALUES (?1, ?2, ?3)
                     ON CONFLICT (id) DO UPDATE SET subject = excluded.subject, log = excluded.log",
                    params![id, subject, log],
                )?;
            }
            let mut insert = it.prepare(
                "INSERT INTO jobs (crash, configuration, target_frame, seed, plan, place, state, attempts)
                 SELECT ?1, ?2, ?3, ?4, ?5, ?6, 'open', 0
                 WHERE NOT EXISTS (
                     SELECT 1 FROM runs WHERE crash = ?1 AND configuration = ?2 AND target_frame = ?3
                     AND seed = ?4 AND (error_kind IS NULL OR NOT ?7))
                 ON CONFLICT (crash, configuration, target_frame, seed) DO UPDATE
                 SET plan = excluded.plan, place = excluded.place, state = 'open', attempts = 0",
            )?;
            let mut adopt = it.prepare(
                "UPDATE jobs SET plan = ?5, place = ?6
                 WHERE crash = ?1 AND configuration = ?2 AND target_frame = ?3 AND seed = ?4",
            )?;
            for (place, job) in (0_i64..).zip(jobs) {
                let (subject, name) = (&job.subject.id, &job.configuration.name);
                let (frame, seed) = (job.frame.unwrap_or(0), job.seed.cast_signed());
                adopt.execute(params![subject, name, frame, seed, plan, place])?;
                insert.execute(params![subject, name, frame, seed, plan, place, retry_errors])?;
            }
            Ok(())
        })
    }

    fn claim(
        &mut self,
        worker: &str,
        plan: Option<&str>,
        _lease: Duration,
        most: usize,
    ) -> Result<Vec<Claim>, Error> {
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        let rows = self.transact(|it| {
            let mut claim = it.prepare(
                "UPDATE jobs SET state = 'running', worker = ?1, attempts = attempts + 1 WHERE id IN (
                     SELECT id FROM jobs WHERE state = 'open' AND (?2 IS NULL OR plan = ?2)
                     ORDER BY place, id LIMIT ?3)
                 RETURNING id, crash, configuration, target_frame, seed, attempts, place",
            )?;
            let rows = claim.query_map(params![worker, plan, most], claimed)?;
            rows.collect::<Result<Vec<ClaimedRow>, _>>()
        })?;
        let Self { connection, known, path, .. } = self;
        let failure = |error: rusqlite::Error| failure(path, &error);
        let mut subject = |id: &str| {
            let select = "SELECT subject, log FROM crashes WHERE id = ?1";
            connection.query_row(select, [id], |row| Ok((row.get(0)?, row.get(1)?))).map_err(failure)
        };
        let mut content = |name: &str| {
            let select = "SELECT content FROM configurations WHERE name = ?1";
            connection.query_row(select, [name], |row| row.get(0)).map_err(failure)
        };
        let damaged = |reason: String| Error::Store { path: path.clone(), reason };
        known.claims(rows, &mut subject, &mut content, &damaged)
    }

    /// The lock of the store holds as long as the process lives.
    fn renew(&mut self, worker: &str, _lease: Duration) -> Result<Vec<i64>, Error> {
        let select = "SELECT id FROM jobs WHERE state = 'running' AND worker = ?1";
        self.transact(|it| it.prepare(select)?.query_map([worker], |row| row.get(0))?.collect())
    }

    fn release(&mut self, worker: &str, claim: &Claim) -> Result<(), Error> {
        let update = "UPDATE jobs SET state = 'open', worker = NULL, attempts = attempts - 1
                      WHERE id = ?1 AND state = 'running' AND worker = ?2";
        self.transact(|it| it.execute(update, params![claim.id, worker])).map(drop)
    }

    fn finish(&mut self, worker: &str, claim: &Claim, record: &Record) -> Result<bool, Error> {
        self.transact(|it| {
            let update = "UPDATE jobs SET state = 'done', worker = NULL, lease_until = NULL
                          WHERE id = ?1 AND state = 'running' AND worker = ?2";
            if it.execute(update, params![claim.id, worker])? == 0 {
                return Ok(false);
            }
            insert(it, record).map(|()| true)
        })
    }

    fn add(&mut self, records: &[Record]) -> Result<(), Error> {
        self.transact(|it| records.iter().try_for_each(|record| insert(it, record)))
    }

    fn records(&self, extent: Extent) -> Result<Vec<Record>, Error> {
        let read = || {
            // One transaction, so that a campaign that goes on meanwhile does not show in between.
            let transaction = self.connection.unchecked_transaction()?;
            let order = "FROM runs ORDER BY crash, configuration, target_frame, seed";
            let runs = select(&transaction, "id", rows::RUN, order, extent)?;
            if extent == Extent::Runs {
                return Ok(assemble(runs, Vec::new(), Vec::new()));
            }
            let order = "FROM frames ORDER BY run, level";
            let frames = select(&transaction, "run", rows::FRAME, order, extent)?;
            if extent == Extent::Frames {
                return Ok(assemble(runs, frames, Vec::new()));
            }
            let mut reasons =
                transaction.prepare("SELECT run, reason FROM unverified ORDER BY run, number")?;
            let reasons = reasons.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
            Ok(assemble(runs, frames, reasons.collect::<Result<_, _>>()?))
        };
        read().map_err(|error| self.failure(&error))
    }

    fn status(&self, plan: Option<&str>) -> Result<Status, Error> {
        let read = || {
            let mut status = Status::default();
            let mut jobs = self.connection.prepare(
                "SELECT state, coalesce(worker, ''), count(*) FROM jobs
                 WHERE ?1 IS NULL OR plan = ?1 GROUP BY 1, 2",
            )?;
            let mut rows = jobs.query([plan])?;
            while let Some(row) = rows.next()? {
                let (state, worker): (String, String) = (row.get(0)?, row.get(1)?);
                status.count_jobs(&state, worker, row.get::<_, i64>(2)?);
            }
            let mut runs = self.connection.prepare(
                "SELECT configuration, count(*), count(error_kind) FROM runs GROUP BY 1 ORDER BY 1",
            )?;
            let mut rows = runs.query([])?;
            while let Some(row) = rows.next()? {
                status.count_runs(row.get(0)?, row.get(1)?, row.get(2)?);
            }
            Ok(status)
        };
        read().map_err(|error| self.failure(&error))
    }
}

impl ToSql for Value {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Self::Null => ValueRef::Null,
            Self::Integer(number) => ValueRef::Integer(*number),
            Self::Real(number) => ValueRef::Real(*number),
            Self::Text(text) => ValueRef::Text(text.as_bytes()),
        }))
    }
}

fn value(row: &Row<'_>, place: usize) -> rusqlite::Result<Value> {
    Ok(match row.get_ref(place)? {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => Value::Integer(number),
        ValueRef::Real(number) => Value::Real(number),
        ValueRef::Text(text) | ValueRef::Blob(text) => {
            Value::Text(String::from_utf8_lossy(text).into_owned())
        }
    })
}

fn claimed(row: &Row<'_>) -> rusqlite::Result<ClaimedRow> {
    Ok(ClaimedRow {
        id: row.get(0)?,
        crash: row.get(1)?,
        configuration: row.get(2)?,
        target_frame: row.get(3)?,
        seed: row.get(4)?,
        attempts: row.get(5)?,
        place: row.get(6)?,
    })
}

/// Records with the numbers of their runs.
fn select<T: Default>(
    connection: &Connection,
    key: &str,
    columns: &[Column<T>],
    from: &str,
    extent: Extent,
) -> rusqlite::Result<Vec<(i64, T)>> {
    let columns = rows::read(columns, extent);
    let mut select =
        connection.prepare(&format!("SELECT {key}, {} {from}", rows::names(columns.iter().copied())))?;
    let rows = select.query_map([], |row| {
        let mut record = T::default();
        for (place, column) in (1..).zip(&columns) {
            rows::put(column, &mut record, value(row, place)?);
        }
        Ok((row.get(0)?, record))
    })?;
    rows.collect()
}

fn insert(transaction: &Transaction<'_>, record: &Record) -> rusqlite::Result<()> {
    let delete = "DELETE FROM runs
                  WHERE crash = ?1 AND configuration = ?2 AND target_frame = ?3 AND seed = ?4";
    let frame = record.target_frame.unwrap_or(0);
    let key = params![record.crash, record.configuration, frame, record.seed.cast_signed()];
    transaction.prepare(delete)?.execute(key)?;
    let marks = |count: usize| vec!["?"; count].join(", ");
    let (names, places) = (rows::names(rows::RUN), marks(rows::RUN.len()));
    let statement = format!("INSERT INTO runs ({names}) VALUES ({places})");
    transaction.prepare(&statement)?.execute(params_from_iter(rows::values(rows::RUN, record)))?;
    let run = transaction.last_insert_rowid();
    let (names, places) = (rows::names(rows::FRAME), marks(rows::FRAME.len()));
    let statement = format!("INSERT OR REPLACE INTO frames (run, {names}) VALUES (?, {places})");
    let mut insert = transaction.prepare(&statement)?;
    for frame in &record.frames {
        let values = [Value::Integer(run)].into_iter().chain(rows::values(rows::FRAME, frame));
        insert.execute(params_from_iter(values))?;
    }
    for (number, reason) in (1_u32..).zip(&record.unverified_reasons) {
        let insert = "INSERT INTO unverified (run, number, reason) VALUES (?1, ?2, ?3)";
        transaction.execute(insert, (run, number, reason))?;
    }
    Ok(())
}

fn failure(path: &Path, error: &rusqlite::Error) -> Error {
    let path = path.to_owned();
    match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => Error::NoStore { path },
        Some(ErrorCode::DatabaseCorrupt) => Error::Damaged { path, reason: error.to_string() },
        Some(ErrorCode::DiskFull) => Error::DiskFull { path },
        _ => Error::Store { path, reason: error.to_string() },
    }
}

/// Takes the lock of a store. It is a file of its own, because SQLite's locks on the store itself
/// would go when another handle of it is closed.
fn lock(path: &Path) -> Result<File, Error> {
    let mut name = path.as_os_str().to_owned();
    name.push(".lock");
    let failure = |error: &dyn std::fmt::Display| Error::Store {
        path: path.to_owned(),
        reason: format!("cannot lock {}: {error}", Path::new(&name).display()),
    };
    let file = File::create(&name).map_err(|error| failure(&error))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(Error::Busy { path: path.to_owned() }),
        Err(TryLockError::Error(error)) => Err(failure(&error)),
    }
}

#[cfg(test)]
mod tests {
    use crashback_reproduce::Settings;

    use super::*;

    #[test]
    fn a_full_disk_is_named_and_costs_no_run_that_is_there() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("store");
        let mut store = Sqlite::open(&path).expect("a store");
        let (name, settings) = ("c".to_owned(), Settings::default());
        let configuration = Configuration { name, settings, workers: 1, assertions: false, tool: None };
        store.admit(&configuration).expect("admitted");
        let pages = store.read("SELECT page_count FROM pragma_page_count").expect("a count");
        store.connection.pragma_update(None, "max_page_count", pages + 2).expect("a limit");
        let record = |seed: u64| Record {
            configuration: "c".to_owned(),
            seed,
            test_source: Some("x".repeat(1000)),
            ..Record::default()
        };
        let failed = (0..1000).find_map(|seed| store.add(&[record(seed)]).err().map(|it| (seed, it)));
        let (count, error) = failed.expect("the disk is full at some time");
        assert!(matches!(error, Error::DiskFull { .. }), "{error}");
        assert!(error.to_string().contains("make room"), "{error}");
        drop(store);
        let store = Sqlite::open(&path).expect("a store");
        assert_eq!(store.records(Extent::Runs).expect("records").len() as u64, count);
    }
}
