use std::io::Write;

use crate::{Error, FrameRecord, ObstacleCount, Record, Summary};

/// The columns of an export, in order. New ones are added at the end.
pub const COLUMNS: [&str; 43] = [
    "crash",
    "frame",
    "highest_target_frame",
    "configuration",
    "seed",
    "outcome",
    "verified",
    "degree",
    "satisfactory",
    "line_shifted",
    "evaluations",
    "seconds",
    "nulls",
    "mocks",
    "unverified_claims",
    "obstacle",
    "error_kind",
    "error",
    "application",
    "application_version",
    "test_class",
    "crashback",
    "started_at",
    "obstacle_kind",
    "fitness",
    "algorithm",
    "tuning",
    "waiting_share",
    "index_seconds",
    "prepare_seconds",
    "search_seconds",
    "minimise_seconds",
    "compile_seconds",
    "verify_seconds",
    "doubts",
    "relaxations",
    "target_frame",
    "exception",
    "time_limit",
    "population",
    "worker",
    "outer_frame",
    "outer_degree",
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

/// Writes runs as comma-separated values (RFC 4180), one line each below a line with the names of
/// the columns. Unknown values are empty.
pub fn export_csv(records: &[Record], out: impl Write) -> Result<(), Error> {
    let mut writer = csv::Writer::from_writer(out);
    let failure = |error: csv::Error| Error::Export(error.into());
    writer.write_record(COLUMNS).map_err(failure)?;
    for record in records {
        writer.write_record(fields(record)).map_err(failure)?;
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

fn fields(record: &Record) -> [String; COLUMNS.len()] {
    let number = |it: Option<u32>| it.map(|it| it.to_string()).unwrap_or_default();
    let text = |it: &Option<String>| it.clone().unwrap_or_default();
    let list = |it: &Option<Vec<String>>| it.as_deref().map(names).unwrap_or_default();
    let error = record.error.as_ref();
    let spent = record.timing.as_ref().map(|it| it.parts().map(|(_, seconds)| format!("{seconds:.3}")));
    let [index, prepare, search, minimise, compile, verify] = spent.unwrap_or_default();
    [
        record.crash.clone(),
        number(record.frame),
        number(record.highest_target_frame),
        record.configuration.clone(),
        record.seed.to_string(),
        record.outcome.clone(),
        record.verified.to_string(),
        text(&record.degree),
        record.satisfactory.to_string(),
        record.line_shifted.to_string(),
        record.evaluations.to_string(),
        format!("{:.3}", record.seconds),
        record.nulls.to_string(),
        record.mocks.to_string(),
        record.unverified_claims.to_string(),
        text(&record.obstacle),
        error.map(|it| it.kind.clone()).unwrap_or_default(),
        error.map(|it| it.message.clone()).unwrap_or_default(),
        record.application.clone(),
        record.application_version.clone(),
        text(&record.test_class),
        record.crashback.clone(),
        record.started_at.to_string(),
        text(&record.obstacle_kind),
        record.fitness.clone(),
        record.algorithm.clone(),
        record.tuning.clone(),
        record.waiting_share.map(|it| format!("{it:.3}")).unwrap_or_default(),
        index,
        prepare,
        search,
        minimise,
        compile,
        verify,
        list(&record.doubts),
        list(&record.relaxations),
        number(record.target_frame),
        text(&record.exception),
        record.time_limit.map(|it| it.to_string()).unwrap_or_default(),
        number(record.population),
        text(&record.worker),
        number(record.outer.as_ref().map(|it| it.frame)),
        record.outer.as_ref().map(|it| it.degree.clone()).unwrap_or_default(),
    ]
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

/// Names separated by blanks. An empty list has a word too, as empty fields are unknown.
fn names(list: &[String]) -> String {
    if list.is_empty() { "none".to_owned() } else { list.join(" ") }
}
