//! Records as rows.

use rusqlite::{Connection, Result, Row, named_params};

use crashback_reproduce::ProgressPoint;

use crate::{FrameRecord, Job, Record, RunFailure};

pub(super) fn contains(connection: &Connection, job: &Job<'_>, searched: bool) -> Result<bool> {
    let select = "SELECT count(*) FROM runs WHERE crash = ?1 AND configuration = ?2 AND seed = ?3
                  AND (error_kind IS NULL OR NOT ?4)";
    let key = (&job.subject.id, &job.configuration.name, job.seed.cast_signed(), searched);
    connection.query_row(select, key, |row| row.get::<_, i64>(0)).map(|it| it > 0)
}

pub(super) fn add(connection: &mut Connection, record: &Record) -> Result<()> {
    let transaction = connection.transaction()?;
    let key = (&record.crash, &record.configuration, record.seed.cast_signed());
    transaction.execute("DELETE FROM runs WHERE crash = ?1 AND configuration = ?2 AND seed = ?3", key)?;
    transaction.execute(
        "INSERT INTO runs (
            crash, application, application_version, configuration, seed, fitness, algorithm, tuning,
            frame, highest_target_frame, outcome, verified, degree, satisfactory, line_shifted,
            evaluations, seconds, waiting_share, nulls, mocks, unverified_claims, obstacle, obstacle_kind,
            test_class, test_source, error_kind, error, crashback, started_at, timing,
            doubts, relaxations
        ) VALUES (
            :crash, :application, :application_version, :configuration, :seed, :fitness, :algorithm, :tuning,
            :frame, :highest_target_frame, :outcome, :verified, :degree, :satisfactory, :line_shifted,
            :evaluations, :seconds, :waiting_share, :nulls, :mocks, :unverified_claims, :obstacle,
            :obstacle_kind,
            :test_class, :test_source, :error_kind, :error, :crashback, :started_at, :timing,
            :doubts, :relaxations
        )",
        named_params! {
            ":crash": record.crash,
            ":application": record.application,
            ":application_version": record.application_version,
            ":configuration": record.configuration,
            ":seed": record.seed.cast_signed(),
            ":fitness": record.fitness,
            ":algorithm": record.algorithm,
            ":tuning": record.tuning,
            ":frame": record.frame,
            ":highest_target_frame": record.highest_target_frame,
            ":outcome": record.outcome,
            ":verified": record.verified,
            ":degree": record.degree,
            ":satisfactory": record.satisfactory,
            ":line_shifted": record.line_shifted,
            ":evaluations": signed(record.evaluations),
            ":seconds": record.seconds,
            ":waiting_share": record.waiting_share,
            ":nulls": record.nulls,
            ":mocks": record.mocks,
            ":unverified_claims": record.unverified_claims,
            ":obstacle": record.obstacle,
            ":obstacle_kind": record.obstacle_kind,
            ":test_class": record.test_class,
            ":test_source": record.test_source,
            ":error_kind": record.error.as_ref().map(|it| &it.kind),
            ":error": record.error.as_ref().map(|it| &it.message),
            ":crashback": record.crashback,
            ":started_at": signed(record.started_at),
            ":timing": record.timing.as_ref().and_then(|it| serde_json::to_string(it).ok()),
            ":doubts": record.doubts.as_ref().map(|it| it.join(" ")),
            ":relaxations": record.relaxations.as_ref().map(|it| it.join(" ")),
        },
    )?;
    let run = transaction.last_insert_rowid();
    for frame in &record.frames {
        transaction.execute(
            "INSERT OR REPLACE INTO frames (
                run, level, frame, outcome, evaluations, obstacle, obstacle_kind,
                distance, curve, found_by, found_after
            ) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
            (
                run,
                frame.level,
                &frame.frame,
                &frame.outcome,
                signed(frame.evaluations),
                &frame.obstacle,
                &frame.obstacle_kind,
                frame.distance,
                curve_as_text(&frame.curve),
                &frame.found_by,
                frame.found_after,
            ),
        )?;
    }
    for (number, reason) in (1_u32..).zip(&record.unverified_reasons) {
        let insert = "INSERT INTO unverified (run, number, reason) VALUES (?1, ?2, ?3)";
        transaction.execute(insert, (run, number, reason))?;
    }
    transaction.commit()
}

pub(super) fn all(connection: &Connection) -> Result<Vec<Record>> {
    // One transaction, so that a campaign that goes on meanwhile does not show in between.
    let transaction = connection.unchecked_transaction()?;
    let mut frames = transaction.prepare(
        "SELECT level, frame, outcome, evaluations, obstacle, obstacle_kind,
                distance, curve, found_by, found_after
         FROM frames WHERE run = ?1 ORDER BY level",
    )?;
    let mut reasons = transaction.prepare("SELECT reason FROM unverified WHERE run = ?1 ORDER BY number")?;
    let mut runs = transaction.prepare("SELECT * FROM runs ORDER BY crash, configuration, seed")?;
    let mut rows = runs.query([])?;
    let mut records = Vec::new();
    while let Some(row) = rows.next()? {
        let run: i64 = row.get("id")?;
        let frames = frames.query_map([run], frame)?.collect::<Result<_>>()?;
        let unverified_reasons = reasons.query_map([run], |row| row.get(0))?.collect::<Result<_>>()?;
        records.push(Record { frames, unverified_reasons, ..record(row)? });
    }
    Ok(records)
}

fn record(row: &Row<'_>) -> Result<Record> {
    let kind: Option<String> = row.get("error_kind")?;
    let message: Option<String> = row.get("error")?;
    let timing: Option<String> = row.get("timing")?;
    Ok(Record {
        crash: row.get("crash")?,
        application: row.get("application")?,
        application_version: row.get("application_version")?,
        configuration: row.get("configuration")?,
        seed: row.get::<_, i64>("seed")?.cast_unsigned(),
        fitness: row.get("fitness")?,
        algorithm: row.get("algorithm")?,
        tuning: row.get("tuning")?,
        frame: row.get("frame")?,
        highest_target_frame: row.get("highest_target_frame")?,
        outcome: row.get("outcome")?,
        verified: row.get("verified")?,
        degree: row.get("degree")?,
        satisfactory: row.get("satisfactory")?,
        line_shifted: row.get("line_shifted")?,
        evaluations: row.get::<_, i64>("evaluations")?.unsigned_abs(),
        seconds: row.get("seconds")?,
        waiting_share: row.get("waiting_share")?,
        timing: timing.and_then(|it| serde_json::from_str(&it).ok()),
        nulls: row.get("nulls")?,
        mocks: row.get("mocks")?,
        doubts: row.get::<_, Option<String>>("doubts")?.map(|it| words(&it)),
        relaxations: row.get::<_, Option<String>>("relaxations")?.map(|it| words(&it)),
        unverified_claims: row.get("unverified_claims")?,
        obstacle: row.get("obstacle")?,
        obstacle_kind: row.get("obstacle_kind")?,
        test_class: row.get("test_class")?,
        test_source: row.get("test_source")?,
        error: kind.map(|kind| RunFailure { kind, message: message.unwrap_or_default() }),
        crashback: row.get("crashback")?,
        started_at: row.get::<_, i64>("started_at")?.unsigned_abs(),
        frames: Vec::new(),
        unverified_reasons: Vec::new(),
    })
}

fn frame(row: &Row<'_>) -> Result<FrameRecord> {
    Ok(FrameRecord {
        level: row.get(0)?,
        frame: row.get(1)?,
        outcome: row.get(2)?,
        evaluations: row.get::<_, i64>(3)?.unsigned_abs(),
        obstacle: row.get(4)?,
        obstacle_kind: row.get(5)?,
        distance: row.get(6)?,
        curve: row.get::<_, Option<String>>(7)?.map(|it| curve_of_text(&it)).unwrap_or_default(),
        found_by: row.get(8)?,
        found_after: row.get(9)?,
    })
}

/// A curve as triples of numbers; none where nothing is known.
fn curve_as_text(curve: &[ProgressPoint]) -> Option<String> {
    let triples: Vec<(u64, f64, f64)> =
        curve.iter().map(|it| (it.evaluations, it.seconds, it.distance)).collect();
    Some(triples).filter(|it| !it.is_empty()).and_then(|it| serde_json::to_string(&it).ok())
}

fn curve_of_text(text: &str) -> Vec<ProgressPoint> {
    let triples: Vec<(u64, f64, f64)> = serde_json::from_str(text).unwrap_or_default();
    let point = |(evaluations, seconds, distance)| ProgressPoint { evaluations, seconds, distance };
    triples.into_iter().map(point).collect()
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

/// SQLite has no unsigned numbers; counts never come near the limit.
fn signed(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
