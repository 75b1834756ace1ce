use std::io::Write;

use crashback_reproduce::Timing;

use crate::{Error, FrameRecord, ObstacleCount, Record, Summary};

/// A column of an export: its name, and its value for a run. Unknown values are empty.
type Column = (&'static str, fn(&Record) -> String);

/// The columns of an export, in order. New ones are added at the end.
const COLUMNS: &[Column] = &[
    ("crash", |it| it.crash.clone()),
    ("frame", |it| number(it.frame)),
    ("highest_target_frame", |it| number(it.highest_target_frame)),
    ("configuration", |it| it.configuration.clone()),
    ("seed", |it| it.seed.to_string()),
    ("outcome", |it| it.outcome.clone()),
    ("verified", |it| it.verified.to_string()),
    ("degree", |it| text(&it.degree)),
    ("satisfactory", |it| it.satisfactory.to_string()),
    ("line_shifted", |it| it.line_shifted.to_string()),
    ("evaluations", |it| it.evaluations.to_string()),
    ("seconds", |it| format!("{:.3}", it.seconds)),
    ("nulls", |it| it.nulls.to_string()),
    ("mocks", |it| it.mocks.to_string()),
    ("unverified_claims", |it| it.unverified_claims.to_string()),
    ("obstacle", |it| text(&it.obstacle)),
    ("error_kind", |it| it.error.as_ref().map(|it| it.kind.clone()).unwrap_or_default()),
    ("error", |it| it.error.as_ref().map(|it| it.message.clone()).unwrap_or_default()),
    ("application", |it| it.application.clone()),
    ("application_version", |it| it.application_version.clone()),
    ("test_class", |it| text(&it.test_class)),
    ("crashback", |it| it.crashback.clone()),
    ("started_at", |it| it.started_at.to_string()),
    ("obstacle_kind", |it| text(&it.obstacle_kind)),
    ("fitness", |it| it.fitness.clone()),
    ("algorithm", |it| it.algorithm.clone()),
    ("tuning", |it| it.tuning.clone()),
    ("waiting_share", |it| it.waiting_share.map(|it| format!("{it:.3}")).unwrap_or_default()),
    ("index_seconds", |it| part(it, |it| it.index)),
    ("prepare_seconds", |it| part(it, |it| it.prepare)),
    ("search_seconds", |it| part(it, |it| it.search)),
    ("minimise_seconds", |it| part(it, |it| it.minimise)),
    ("compile_seconds", |it| part(it, |it| it.compile)),
    ("verify_seconds", |it| part(it, |it| it.verify)),
    ("doubts", |it| list(&it.doubts)),
    ("relaxations", |it| list(&it.relaxations)),
    ("target_frame", |it| number(it.target_frame)),
    ("exception", |it| text(&it.exception)),
    ("time_limit", |it| it.time_limit.map(|it| it.to_string()).unwrap_or_default()),
    ("population", |it| number(it.population)),
    ("worker", |it| text(&it.worker)),
    ("outer_frame", |it| number(it.outer.as_ref().map(|it| it.frame))),
    ("outer_degree", |it| it.outer.as_ref().map(|it| it.degree.clone()).unwrap_or_default()),
];

/// The columns of ExRunner's `results.csv`, in order.
pub const EXRUNNER_COLUMNS: [&str; 16] = [
    "application",
    "case",
    "version",
    "execution_idx",
    "exception_name",
    "frame_level",
    "p_functional_mocking",
    "functional_mocking_percent",
    "p_reflection_on_private",
    "reflection_start_percent",
    "search_budget",
    "population",
    "fitness_function_value",
    "fitness_function_time",
    "fitness_evaluations",
    "fitness_function_evolution",
];

/// The names of the columns of an export, in order.
pub fn columns() -> impl Iterator<Item = &'static str> {
    COLUMNS.iter().map(|it| it.0)
}

/// Writes runs as comma-separated values (RFC 4180), one line each below a line with the names of
/// the columns. Unknown values are empty.
pub fn export_csv(records: &[Record], out: impl Write) -> Result<(), Error> {
    let mut writer = csv::Writer::from_writer(out);
    let failure = |error: csv::Error| Error::Export(error.into());
    writer.write_record(columns()).map_err(failure)?;
    for record in records {
        writer.write_record(COLUMNS.iter().map(|(_, value)| value(record))).map_err(failure)?;
    }
    writer.flush().map_err(Error::Export)
}

/// Writes runs with the columns of ExRunner's `results.csv`, one line for each target frame of each run.
/// Settings of its own search, which has no counterpart here, are empty.
pub fn export_exrunner(records: &[Record], out: impl Write) -> Result<(), Error> {
    let mut writer = csv::Writer::from_writer(out);
    let failure = |error: csv::Error| Error::Export(error.into());
    writer.write_record(EXRUNNER_COLUMNS).map_err(failure)?;
    for record in records {
        for frame in &record.frames {
            writer.write_record(exrunner_fields(record, frame)).map_err(failure)?;
        }
    }
    writer.flush().map_err(Error::Export)
}

/// Writes runs as JSON, one object on each line, with their frames, curves and tests.
pub fn export_jsonl(records: &[Record], mut out: impl Write) -> Result<(), Error> {
    for record in records {
        serde_json::to_writer(&mut out, record).map_err(|it| Error::Export(it.into()))?;
        out.write_all(b"\n").map_err(Error::Export)?;
    }
    out.flush().map_err(Error::Export)
}

/// Writes how often each kind of obstacle kept crashes from being reproduced, as comma-separated
/// values.
pub fn export_obstacles(summaries: &[Summary], out: impl Write) -> Result<(), Error> {
    let mut writer = csv::Writer::from_writer(out);
    let failure = |error: csv::Error| Error::Export(error.into());
    writer.write_record(["configuration", "obstacle_kind", "crashes", "runs"]).map_err(failure)?;
    for summary in summaries {
        for ObstacleCount { kind, crashes, runs } in &summary.obstacles {
            let (crashes, runs) = (crashes.to_string(), runs.to_string());
            writer.write_record([summary.configuration.as_str(), kind, &crashes, &runs]).map_err(failure)?;
        }
    }
    writer.flush().map_err(Error::Export)
}

fn number(number: Option<u32>) -> String {
    number.map(|it| it.to_string()).unwrap_or_default()
}

fn text(text: &Option<String>) -> String {
    text.clone().unwrap_or_default()
}

/// Names separated by blanks. An empty list has a word too, as empty fields are unknown.
fn list(names: &Option<Vec<String>>) -> String {
    let words = |it: &Vec<String>| if it.is_empty() { "none".to_owned() } else { it.join(" ") };
    names.as_ref().map(words).unwrap_or_default()
}

/// A part of the time of a run.
fn part(record: &Record, of: fn(&Timing) -> f64) -> String {
    record.timing.as_ref().map(|it| format!("{:.3}", of(it))).unwrap_or_default()
}

/// One frame of a run in ExRunner's words. The evolution of the fitness is a list `[value,second;…]`.
fn exrunner_fields(record: &Record, frame: &FrameRecord) -> [String; EXRUNNER_COLUMNS.len()] {
    let points: Vec<String> =
        frame.curve.iter().map(|it| format!("{},{:.3}", it.distance, it.seconds)).collect();
    let last = frame.curve.last().map(|it| format!("{:.3}", it.seconds));
    [
        record.application.clone(),
        record.crash.clone(),
        record.application_version.clone(),
        record.seed.to_string(),
        record.exception.clone().unwrap_or_default(),
        frame.level.to_string(),
        String::new(),
        String::new(),
        String::new(),
        String::new(),
        record.time_limit.map(|it| it.to_string()).unwrap_or_default(),
        record.population.map(|it| it.to_string()).unwrap_or_default(),
        frame.distance.map(|it| it.to_string()).unwrap_or_default(),
        last.unwrap_or_default(),
        frame.evaluations.to_string(),
        format!("[{}]", points.join(";")),
    ]
}
