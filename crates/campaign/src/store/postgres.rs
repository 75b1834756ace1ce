//! A store in a database of a PostgreSQL server: the shared queue of many machines.
//!
//! Claims are leases, and the server's clock alone decides when they end. A connection that breaks is made
//! anew by the next request; until then requests fail with [`Error::ServerGone`], and callers try again.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::error::Error as StdError;
use std::path::PathBuf;
use std::time::Duration;

use bytes::BytesMut;
use postgres::fallible_iterator::FallibleIterator as _;
use postgres::types::{IsNull, ToSql, Type, to_sql_checked};
use postgres::{Client, Config, Row, Statement, Transaction};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::rows::{self, Column, Kind, Value};
use super::{
    Claim, ClaimedRow, Database, Extent, FORMAT, Known, Status, assemble, changes_since, check_content,
    crashes, tls,
};
use crate::{Configuration, Error, Job, Record};

/// How long a server may take to answer a connection.
const CONNECTING: Duration = Duration::from_secs(5);
/// How long a request that reached a machine may stay unanswered by its network.
const SILENCE: Duration = Duration::from_secs(20);
/// The lock under which tables are made: the letters `CbCa`.
const LOCK: i64 = 0x4362_4361;
/// The first format that servers had.
const FIRST_FORMAT: i64 = 7;
/// The server's clock, in seconds since 1970.
const NOW: &str = "extract(epoch FROM clock_timestamp())::float8";

/// A store on a server.
pub(super) struct Postgres {
    /// The address without its password, for messages.
    name: String,
    config: Config,
    connector: MakeRustlsConnect,
    connected: RefCell<Option<Connected>>,
    known: Known,
}

struct Connected {
    client: Client,
    /// Prepared statements by their text.
    statements: BTreeMap<String, Statement>,
}

impl Postgres {
    /// Connects, and with `create` makes the tables if there are none.
    pub(super) fn open(address: &str, create: bool) -> Result<Self, Error> {
        let name = without_password(address);
        let refuse = |reason: String| Error::Address { address: name.clone(), reason };
        let (address, encryption) = tls::take(address).map_err(refuse)?;
        let mut config: Config =
            address.parse().map_err(|error: postgres::Error| refuse(in_words(&error)))?;
        config.connect_timeout(CONNECTING).tcp_user_timeout(SILENCE).application_name("crashback");
        config.ssl_mode(encryption.mode);
        let connector = encryption.connector;
        let (connected, known) = (RefCell::default(), Known::default());
        let store = Self { name, config, connector, connected, known };
        store.transact(|it| store.check_format(it, create))??;
        Ok(store)
    }

    /// Whether the database has our tables, in our format.
    fn check_format(
        &self,
        transaction: &mut Transaction<'_>,
        create: bool,
    ) -> Result<Result<(), Error>, postgres::Error> {
        transaction.execute("SELECT pg_advisory_xact_lock($1)", &[&LOCK])?;
        let exists = |transaction: &mut Transaction<'_>, table: &str| {
            transaction.query_one("SELECT to_regclass($1) IS NOT NULL", &[&table])?.try_get::<_, bool>(0)
        };
        let path = PathBuf::from(&self.name);
        if exists(transaction, "crashback_store")? {
            let found: i64 = transaction.query_one("SELECT format FROM crashback_store", &[])?.try_get(0)?;
            return match found {
                FORMAT => Ok(Ok(())),
                FIRST_FORMAT..FORMAT => migrate(transaction, found).map(Ok),
                _ => Ok(Err(Error::Format { path, found, known: FORMAT })),
            };
        }
        if !create {
            return Ok(Err(Error::MissingStore { path }));
        }
        if exists(transaction, "runs")? || exists(transaction, "jobs")? {
            return Ok(Err(Error::NoStore { path }));
        }
        transaction.batch_execute(&in_own_types(include_str!("schema.sql")))?;
        transaction.batch_execute(&format!(
            "CREATE TABLE crashback_store (format BIGINT NOT NULL);
             INSERT INTO crashback_store VALUES ({FORMAT})"
        ))?;
        Ok(Ok(()))
    }

    /// Lends the connection, which is made anew if it broke.
    fn with<T>(&self, run: impl FnOnce(&mut Connected) -> Result<T, postgres::Error>) -> Result<T, Error> {
        let mut place = self.connected.borrow_mut();
        let is_usable = place.as_ref().is_some_and(|it| !it.client.is_closed());
        if !is_usable {
            *place = None;
            let client = self.config.connect(self.connector.clone()).map_err(|error| self.failure(&error))?;
            *place = Some(Connected { client, statements: BTreeMap::new() });
        }
        let Some(connected) = place.as_mut() else { return Err(self.gone("no connection")) };
        let done = run(connected);
        if done.as_ref().is_err_and(is_of_connection) || connected.client.is_closed() {
            *place = None;
        }
        drop(place);
        done.map_err(|error| self.failure(&error))
    }

    /// Does something in one transaction.
    fn transact<T>(
        &self,
        run: impl FnOnce(&mut Transaction<'_>) -> Result<T, postgres::Error>,
    ) -> Result<T, Error> {
        self.with(|it| {
            let mut transaction = it.client.transaction()?;
            let made = run(&mut transaction)?;
            transaction.commit()?;
            Ok(made)
        })
    }

    fn failure(&self, error: &postgres::Error) -> Error {
        let reason = in_words(error);
        match error.code().map(|it| it.code()) {
            _ if is_of_connection(error) => self.gone(&reason),
            // 53100: no space is left on the server's disk.
            Some("53100") => Error::DiskFull { path: PathBuf::from(&self.name) },
            _ => Error::Store { path: PathBuf::from(&self.name), reason },
        }
    }

    fn gone(&self, reason: &str) -> Error {
        Error::ServerGone { address: self.name.clone(), reason: reason.to_owned() }
    }
}

/// Brings the tables of an earlier format up to ours. The caller's transaction has the lock of the tables.
fn migrate(transaction: &mut Transaction<'_>, from: i64) -> Result<(), postgres::Error> {
    transaction.batch_execute(&in_own_types(&changes_since(from)))?;
    transaction.execute("UPDATE crashback_store SET format = $1", &[&FORMAT]).map(drop)
}

/// A script with PostgreSQL's names of types.
fn in_own_types(script: &str) -> String {
    script
        .replace(" INTEGER PRIMARY KEY", " BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY")
        .replace(" INTEGER", " BIGINT")
        .replace(" REAL", " DOUBLE PRECISION")
        .replace(" BLOB", " BYTEA")
        .replace(") STRICT;", ");")
}

impl Connected {
    /// A statement that is prepared once for each connection.
    fn prepared(&mut self, text: &str) -> Result<Statement, postgres::Error> {
        if let Some(statement) = self.statements.get(text) {
            return Ok(statement.clone());
        }
        let statement = self.client.prepare(text)?;
        self.statements.insert(text.to_owned(), statement.clone());
        Ok(statement)
    }
}

impl Database for Postgres {
    fn admit(&mut self, configuration: &Configuration) -> Result<(), Error> {
        let name = &configuration.name;
        let (conditions, content) = (configuration.conditions(), configuration.content());
        let stored = self.transact(|it| {
            it.execute(
                "INSERT INTO configurations (name, conditions, content, identity) VALUES ($1, $2, $3, $4)
                 ON CONFLICT (name) DO NOTHING",
                &[name, &conditions, &content, &configuration.identity()],
            )?;
            let row =
                it.query_one("SELECT conditions, content FROM configurations WHERE name = $1", &[name])?;
            Ok((row.try_get(0)?, row.try_get(1)?))
        })?;
        check_content(configuration, stored.0, stored.1)
    }

    fn enqueue(&mut self, jobs: &[Job], plan: &str, retry_errors: bool) -> Result<(), Error> {
        let crashes = crashes(jobs)?;
        self.known.forget();
        let subjects: Vec<&str> = jobs.iter().map(|it| it.subject.id.as_str()).collect();
        let names: Vec<&str> = jobs.iter().map(|it| it.configuration.name.as_str()).collect();
        let frames: Vec<i64> = jobs.iter().map(|it| it.frame.unwrap_or(0).into()).collect();
        let seeds: Vec<i64> = jobs.iter().map(|it| it.seed.cast_signed()).collect();
        let places: Vec<i64> = (0..).take(jobs.len()).collect();
        self.transact(|it| {
            for (id, subject, log) in &crashes {
                it.execute(
                    "INSERT INTO crashes (id, subject, log) VALUES ($1, $2, $3)
                     ON CONFLICT (id) DO UPDATE SET subject = excluded.subject, log = excluded.log",
                    &[id, subject, log],
                )?;
            }
            it.execute(
                "INSERT INTO jobs (crash, configuration, target_frame, seed, plan, place, state, attempts)
                 SELECT n.crash, n.configuration, n.target_frame, n.seed, $6, n.place, 'open', 0
                 FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[])
                     AS n (crash, configuration, target_frame, seed, place)
                 WHERE NOT EXISTS (
                     SELECT 1 FROM runs r WHERE r.crash = n.crash AND r.configuration = n.configuration
                     AND r.target_frame = n.target_frame AND r.seed = n.seed
                     AND (r.error_kind IS NULL OR NOT $7))
                 ON CONFLICT (crash, configuration, target_frame, seed) DO UPDATE
                 SET plan = excluded.plan, place = excluded.place,
                     attempts = CASE jobs.state WHEN 'done' THEN 0 ELSE jobs.attempts END,
                     state = CASE jobs.state WHEN 'done' THEN 'open' ELSE jobs.state END",
                &[&subjects, &names, &frames, &seeds, &places, &plan, &retry_errors],
            )
        })
        .map(drop)
    }

    fn claim(
        &mut self,
        worker: &str,
        plan: Option<&str>,
        lease: Duration,
        most: usize,
    ) -> Result<Vec<Claim>, Error> {
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        let statement = |which: &str| {
            format!(
                "WITH next AS MATERIALIZED (
                     SELECT id FROM jobs WHERE {which} AND ($2::text IS NULL OR plan = $2)
                     ORDER BY place, id LIMIT $4 FOR UPDATE SKIP LOCKED)
                 UPDATE jobs SET state = 'running', worker = $1, attempts = attempts + 1,
                     lease_until = {NOW} + $3
                 FROM next WHERE jobs.id = next.id
                 RETURNING jobs.id, crash, configuration, target_frame, seed, attempts, place"
            )
        };
        let seconds = lease.as_secs_f64();
        let rows = self.with(|it| {
            let open = it.prepared(&statement("state = 'open'"))?;
            let mut rows = it.client.query(&open, &[&worker, &plan, &seconds, &most])?;
            if rows.is_empty() {
                let lost = it.prepared(&statement(&format!("state = 'running' AND lease_until < {NOW}")))?;
                rows = it.client.query(&lost, &[&worker, &plan, &seconds, &most])?;
            }
            rows.iter().map(claimed).collect::<Result<Vec<_>, _>>()
        })?;
        let mut known = std::mem::take(&mut self.known);
        let mut subject = |id: &str| {
            self.with(|it| {
                let row = it.client.query_one("SELECT subject, log FROM crashes WHERE id = $1", &[&id])?;
                Ok((row.try_get(0)?, row.try_get(1)?))
            })
        };
        let mut content = |name: &str| {
            self.with(|it| {
                let select = "SELECT content FROM configurations WHERE name = $1";
                it.client.query_one(select, &[&name])?.try_get(0)
            })
        };
        let damaged = |reason: String| Error::Store { path: PathBuf::from(&self.name), reason };
        let claims = known.claims(rows, &mut subject, &mut content, &damaged);
        self.known = known;
        claims
    }

    fn renew(&mut self, worker: &str, lease: Duration) -> Result<Vec<i64>, Error> {
        let seconds = lease.as_secs_f64();
        let update = format!(
            "UPDATE jobs SET lease_until = {NOW} + $2 WHERE worker = $1 AND state = 'running' RETURNING id"
        );
        self.with(|it| {
            it.client.query(&update, &[&worker, &seconds])?.iter().map(|it| it.try_get(0)).collect()
        })
    }

    fn release(&mut self, worker: &str, claim: &Claim) -> Result<(), Error> {
        let update =
            "UPDATE jobs SET state = 'open', worker = NULL, lease_until = NULL, attempts = attempts - 1
                      WHERE id = $1 AND state = 'running' AND worker = $2";
        self.with(|it| it.client.execute(update, &[&claim.id, &worker])).map(drop)
    }

    fn finish(&mut self, worker: &str, claim: &Claim, record: &Record) -> Result<bool, Error> {
        self.with(|it| {
            // One statement, where one will do: the way to the server takes most of the time.
            let write = it.prepared(&finish_statement())?;
            let statements = Statements::new(it)?;
            let mut values = rows::values(rows::RUN, record);
            values.extend([claim.id.into(), worker.into()]);
            let mut transaction = it.client.transaction()?;
            let row = transaction.query_one(&write, &references(&values))?;
            let (was_ours, run): (bool, Option<i64>) = (row.try_get(0)?, row.try_get(1)?);
            match (was_ours, run) {
                (false, _) => return Ok(false),
                (true, Some(run)) => statements.insert_parts(&mut transaction, run, record)?,
                // A run of the same key is there, which could not search.
                (true, None) => statements.insert(&mut transaction, record)?,
            }
            transaction.commit().map(|()| true)
        })
    }

    fn add(&mut self, records: &[Record]) -> Result<(), Error> {
        self.with(|it| {
            let statements = Statements::new(it)?;
            let mut transaction = it.client.transaction()?;
            records.iter().try_for_each(|record| statements.insert(&mut transaction, record))?;
            transaction.commit()
        })
    }

    fn records(&self, extent: Extent) -> Result<Vec<Record>, Error> {
        let read = |it: &mut Connected| {
            // Runs of campaigns that go on meanwhile do not show in between.
            let transaction = it.client.build_transaction().read_only(true);
            let mut transaction =
                transaction.isolation_level(postgres::IsolationLevel::RepeatableRead).start()?;
            let order = "FROM runs ORDER BY crash COLLATE \"C\", configuration COLLATE \"C\", \
                         target_frame, seed";
            let runs = select(&mut transaction, "id", rows::RUN, order, extent)?;
            if extent == Extent::Runs {
                return Ok(assemble(runs, Vec::new(), Vec::new()));
            }
            let order = "FROM frames ORDER BY run, level";
            let frames = select(&mut transaction, "run", rows::FRAME, order, extent)?;
            if extent == Extent::Frames {
                return Ok(assemble(runs, frames, Vec::new()));
            }
            let select = "SELECT run, reason FROM unverified ORDER BY run, number";
            let reasons = transaction.query(select, &[])?;
            let reasons = reasons.iter().map(|it| Ok((it.try_get(0)?, it.try_get(1)?)));
            Ok(assemble(runs, frames, reasons.collect::<Result<_, postgres::Error>>()?))
        };
        self.with(read)
    }

    fn status(&self, plan: Option<&str>) -> Result<Status, Error> {
        self.with(|it| {
            let mut status = Status::default();
            let jobs = it.client.query(
                "SELECT state, coalesce(worker, ''), count(*) FROM jobs
                 WHERE $1::text IS NULL OR plan = $1 GROUP BY 1, 2",
                &[&plan],
            )?;
            for row in &jobs {
                status.count_jobs(row.try_get(0)?, row.try_get(1)?, row.try_get(2)?);
            }
            let runs = "SELECT configuration, count(*), count(error_kind) FROM runs GROUP BY 1 ORDER BY 1";
            for row in &it.client.query(runs, &[])? {
                status.count_runs(row.try_get(0)?, row.try_get(1)?, row.try_get(2)?);
            }
            Ok(status)
        })
    }
}

/// The statements that write a run.
struct Statements {
    delete: Statement,
    run: Statement,
    frame: Statement,
    reason: Statement,
}

impl Statements {
    fn new(connected: &mut Connected) -> Result<Self, postgres::Error> {
        let marks = |count: usize| (1..=count).map(|it| format!("${it}")).collect::<Vec<_>>().join(", ");
        let (run, frame) = (rows::names(rows::RUN), rows::names(rows::FRAME));
        let (runs, frames) = (marks(rows::RUN.len()), marks(rows::FRAME.len() + 1));
        Ok(Self {
            delete: connected.prepared(
                "DELETE FROM runs
                 WHERE crash = $1 AND configuration = $2 AND target_frame = $3 AND seed = $4",
            )?,
            run: connected.prepared(&format!("INSERT INTO runs ({run}) VALUES ({runs}) RETURNING id"))?,
            frame: connected.prepared(&format!(
                "INSERT INTO frames (run, {frame}) VALUES ({frames}) ON CONFLICT (run, level) DO NOTHING"
            ))?,
            reason: connected.prepared("INSERT INTO unverified (run, number, reason) VALUES ($1, $2, $3)")?,
        })
    }

    fn insert(&self, transaction: &mut Transaction<'_>, record: &Record) -> Result<(), postgres::Error> {
        let frame = i64::from(record.target_frame.unwrap_or(0));
        let seed = record.seed.cast_signed();
        transaction.execute(&self.delete, &[&record.crash, &record.configuration, &frame, &seed])?;
        let values = rows::values(rows::RUN, record);
        let row = transaction.query_one(&self.run, &references(&values))?;
        self.insert_parts(transaction, row.try_get(0)?, record)
    }

    /// Writes frames and reasons of a run.
    fn insert_parts(
        &self,
        transaction: &mut Transaction<'_>,
        run: i64,
        record: &Record,
    ) -> Result<(), postgres::Error> {
        for frame in &record.frames {
            let mut values = vec![Value::Integer(run)];
            values.extend(rows::values(rows::FRAME, frame));
            transaction.execute(&self.frame, &references(&values))?;
        }
        for (number, reason) in (1_i64..).zip(&record.unverified_reasons) {
            transaction
                .execute(&self.reason, &references(&[run.into(), number.into(), reason.as_str().into()]))?;
        }
        Ok(())
    }
}

/// The statement that ends a claimed job and writes its run, unless there is one of the same key. It tells
/// whether the claim held, and the number of the run that was written.
fn finish_statement() -> String {
    let names = rows::names(rows::RUN);
    // Parameters of a selection have no types but those that are given.
    let places = (1..).zip(rows::RUN).map(|(number, column)| match column.kind {
        Kind::Integer => format!("${number}::int8"),
        Kind::Real => format!("${number}::float8"),
        Kind::Text => format!("${number}::text"),
    });
    let places = places.collect::<Vec<_>>().join(", ");
    let (id, worker) = (rows::RUN.len() + 1, rows::RUN.len() + 2);
    format!(
        "WITH mine AS (
             UPDATE jobs SET state = 'done', worker = NULL, lease_until = NULL
             WHERE id = ${id}::int8 AND state = 'running' AND worker = ${worker}::text RETURNING id),
         made AS (
             INSERT INTO runs ({names}) SELECT {places} FROM mine
             ON CONFLICT (crash, configuration, target_frame, seed) DO NOTHING RETURNING id)
         SELECT EXISTS (SELECT 1 FROM mine), (SELECT id FROM made)"
    )
}

fn references(values: &[Value]) -> Vec<&(dyn ToSql + Sync)> {
    values.iter().map(|it| it as &(dyn ToSql + Sync)).collect()
}

impl ToSql for Value {
    fn to_sql(&self, ty: &Type, out: &mut BytesMut) -> Result<IsNull, Box<dyn StdError + Sync + Send>> {
        match self {
            Self::Null => Ok(IsNull::Yes),
            Self::Integer(number) => number.to_sql(ty, out),
            Self::Real(number) => number.to_sql(ty, out),
            // PostgreSQL has no texts with a zero character.
            Self::Text(text) if text.contains('\0') => text.replace('\0', "\u{fffd}").to_sql(ty, out),
            Self::Text(text) => text.to_sql(ty, out),
        }
    }

    fn accepts(ty: &Type) -> bool {
        [Type::INT8, Type::FLOAT8, Type::TEXT].contains(ty)
    }

    to_sql_checked!();
}

fn claimed(row: &Row) -> Result<ClaimedRow, postgres::Error> {
    Ok(ClaimedRow {
        id: row.try_get(0)?,
        crash: row.try_get(1)?,
        configuration: row.try_get(2)?,
        target_frame: row.try_get(3)?,
        seed: row.try_get(4)?,
        attempts: row.try_get(5)?,
        place: row.try_get(6)?,
    })
}

/// Records with the numbers of their runs.
fn select<T: Default>(
    transaction: &mut Transaction<'_>,
    key: &str,
    columns: &[Column<T>],
    from: &str,
    extent: Extent,
) -> Result<Vec<(i64, T)>, postgres::Error> {
    let columns = rows::read(columns, extent);
    let query = format!("SELECT {key}, {} {from}", rows::names(columns.iter().copied()));
    // Row by row, so that the server's answer is not in memory beside the records.
    let mut rows = transaction.query_raw(&query, [0_i64; 0])?;
    let mut records = Vec::new();
    while let Some(row) = rows.next()? {
        let mut record = T::default();
        for (place, column) in (1..).zip(&columns) {
            let value = match column.kind {
                Kind::Integer => row.try_get::<_, Option<i64>>(place)?.into(),
                Kind::Real => row.try_get::<_, Option<f64>>(place)?.into(),
                Kind::Text => row.try_get::<_, Option<String>>(place)?.into(),
            };
            rows::put(column, &mut record, value);
        }
        records.push((row.try_get(0)?, record));
    }
    Ok(records)
}

/// Whether an error is that of the connection or of a server that starts or stops, rather than of a request.
fn is_of_connection(error: &postgres::Error) -> bool {
    match error.code() {
        // Class 08 is about connections, 57P01 to 57P03 about a server that stops or starts; a serialisation
        // failure or a deadlock (class 40) passes, too.
        Some(code) => {
            let code = code.code();
            code.starts_with("08") || code.starts_with("57P") || code.starts_with("40") || code == "53300"
        }
        None if tls::is_of_certificate(error) => false,
        None => error.is_closed() || error.source().is_some_and(|it| it.is::<std::io::Error>()),
    }
}

/// An error with its causes.
fn in_words(error: &postgres::Error) -> String {
    let mut words = match error.as_db_error() {
        Some(error) => return error.message().to_owned(),
        None => error.to_string(),
    };
    let mut cause = error.source();
    while let Some(error) = cause {
        let text = error.to_string();
        if !words.contains(&text) {
            words.push_str(&format!(": {text}"));
        }
        cause = error.source();
    }
    words
}

/// An address that may be shown.
fn without_password(address: &str) -> String {
    let Some((scheme, rest)) = address.split_once("://") else { return address.to_owned() };
    let (authority, path) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
    let authority = match authority.rsplit_once('@') {
        Some((user, host)) => format!("{}@{host}", user.split(':').next().unwrap_or_default()),
        None => authority.to_owned(),
    };
    let (path, query) = path.split_once('?').unwrap_or((path, ""));
    let shown = query.split('&').filter(|it| !it.is_empty() && !it.starts_with("password="));
    let query = shown.collect::<Vec<_>>().join("&");
    let mark = if query.is_empty() { "" } else { "?" };
    format!("{scheme}://{authority}{path}{mark}{query}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_do_not_show() {
        for (address, shown) in [
            ("postgres://me:secret@db.example:5432/runs?x=1", "postgres://me@db.example:5432/runs?x=1"),
            ("postgres://me@db/runs", "postgres://me@db/runs"),
            ("postgresql:///runs?host=/tmp", "postgresql:///runs?host=/tmp"),
            ("postgres://me:a@b@db/runs", "postgres://me@db/runs"),
            ("postgres://db/runs?user=me&password=secret", "postgres://db/runs?user=me"),
            ("postgres://db?password=secret", "postgres://db"),
        ] {
            assert_eq!(without_password(address), shown);
        }
    }
}
