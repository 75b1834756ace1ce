//! The store of a campaign: one SQLite file.
//!
//! Invariants: a run and its frames are written in one transaction, so that a process that is
//! killed at any moment leaves whole runs behind; one campaign writes at a time, while others may
//! read; a file of another program or of a later format is not touched, one of an earlier format is
//! brought up to ours when it is opened.

mod rows;

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension as _};

use crate::{Configuration, Error, Job, Record};

/// The number in the file that tells our stores from other databases: the letters `CbCa`.
const APPLICATION: i64 = 0x4362_4361;
/// The format of the tables.
const FORMAT: i64 = 6;
/// Scripts that bring a store from each earlier format to the next, beginning with format 1.
const CHANGES: [&str; FORMAT as usize - 1] = [
    include_str!("from_1_to_2.sql"),
    include_str!("from_2_to_3.sql"),
    include_str!("from_3_to_4.sql"),
    include_str!("from_4_to_5.sql"),
    include_str!("from_5_to_6.sql"),
];
/// Readers hold a lock for moments only.
const PATIENCE: Duration = Duration::from_secs(10);

/// The runs of campaigns.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    connection: Connection,
    /// Held while a campaign writes; the system lets go of it when the process ends, however that
    /// happens.
    _lock: Option<File>,
}

impl Store {
    /// Opens a store to add runs, and makes it if there is none. Fails if another campaign has it
    /// open.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
        let mut store = Self::connect(path, flags)?;
        // What is no store gets no lock beside it.
        store.is_new()?;
        store._lock = Some(lock(path)?);
        if store.is_new()? {
            store.create()?;
        }
        Ok(store)
    }

    /// Opens a store to read it, also while a campaign writes to it.
    pub fn open_to_read(path: &Path) -> Result<Self, Error> {
        if !path.exists() {
            return Err(Error::MissingStore { path: path.to_owned() });
        }
        // Writing must be allowed: a campaign that was killed may have left a transaction to be
        // undone.
        let store = Self::connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        if store.is_new()? { Err(Error::NoStore { path: path.to_owned() }) } else { Ok(store) }
    }

    /// Remembers under which conditions the runs of a configuration are made, or refuses others
    /// than those of the runs there are.
    pub(crate) fn admit(&mut self, configuration: &Configuration) -> Result<(), Error> {
        let Configuration { name, .. } = configuration;
        let asked = configuration.conditions();
        let select = "SELECT conditions FROM configurations WHERE name = ?1";
        let stored: Option<String> = self
            .connection
            .query_row(select, [name], |row| row.get(0))
            .optional()
            .map_err(|error| self.failure(&error))?;
        match stored {
            Some(stored) if stored == asked => Ok(()),
            Some(stored) => Err(Error::OtherConditions { name: name.clone(), stored, asked }),
            None => {
                let insert = "INSERT INTO configurations (name, conditions) VALUES (?1, ?2)";
                let inserted = self.connection.execute(insert, [name, &asked]);
                inserted.map(drop).map_err(|error| self.failure(&error))
            }
        }
    }

    /// Whether a run is there; with `searched` only if it was able to search.
    pub(crate) fn contains(&self, job: &Job<'_>, searched: bool) -> Result<bool, Error> {
        rows::contains(&self.connection, job, searched).map_err(|error| self.failure(&error))
    }

    /// Adds a run, in place of an earlier one of the same crash, configuration and seed.
    pub fn add(&mut self, record: &Record) -> Result<(), Error> {
        rows::add(&mut self.connection, record).map_err(|error| self.failure(&error))
    }

    /// All runs, in the order of crash, configuration and seed.
    pub fn records(&self) -> Result<Vec<Record>, Error> {
        rows::all(&self.connection).map_err(|error| self.failure(&error))
    }

    /// Brings a store of an earlier format up to ours, in one transaction.
    fn migrate(&self, changes: &[&str]) -> Result<(), Error> {
        let changes = changes.concat();
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

    fn connect(path: &Path, flags: OpenFlags) -> Result<Self, Error> {
        let failure = |error: rusqlite::Error| failure(path, &error);
        let connection = Connection::open_with_flags(path, flags).map_err(failure)?;
        connection.busy_timeout(PATIENCE).map_err(failure)?;
        connection.pragma_update(None, "foreign_keys", true).map_err(failure)?;
        Ok(Self { path: path.to_owned(), connection, _lock: None })
    }

    /// Whether the file is still empty. A store of an earlier format is brought up to ours; any other
    /// content is an error.
    fn is_new(&self) -> Result<bool, Error> {
        let application = self.read("SELECT application_id FROM pragma_application_id")?;
        let format = self.format()?;
        let tables = self.read("SELECT count(*) FROM sqlite_schema")?;
        match (application, format) {
            (APPLICATION, FORMAT) => Ok(false),
            (APPLICATION, found @ 1..FORMAT) => {
                let done = usize::try_from(found - 1).unwrap_or_default();
                self.migrate(CHANGES.get(done..).unwrap_or_default()).map(|()| false)
            }
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
}

fn failure(path: &Path, error: &rusqlite::Error) -> Error {
    match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => Error::NoStore { path: path.to_owned() },
        _ => Error::Store { path: path.to_owned(), reason: error.to_string() },
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
