//! Records as columns and values, for every kind of database.

use crashback_reproduce::ProgressPoint;

use crate::{FrameRecord, OuterRecord, Record, RunFailure};

/// A value of a column.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Null,
    Integer(i64),
    Real(f64),
    Text(String),
}

/// A row that was read: the values of columns in the order of their names.
pub(super) struct Row<'r> {
    pub(super) names: &'r [&'static str],
    pub(super) values: Vec<Value>,
}

/// The columns of a run, without those that name its row.
pub(super) const RUN: [&str; 41] = [
    "crash",
    "application",
    "application_version",
    "configuration",
    "target_frame",
    "seed",
    "fitness",
    "algorithm",
    "tuning",
    "frame",
    "highest_target_frame",
    "outcome",
    "verified",
    "degree",
    "satisfactory",
    "line_shifted",
    "evaluations",
    "seconds",
    "waiting_share",
    "nulls",
    "mocks",
    "unverified_claims",
    "obstacle",
    "obstacle_kind",
    "test_class",
    "test_source",
    "error_kind",
    "error",
    "crashback",
    "started_at",
    "timing",
    "doubts",
    "relaxations",
    "exception",
    "time_limit",
    "population",
    "worker",
    "outer_frame",
    "outer_degree",
    "outer_doubts",
    "outer_test_source",
];

/// Those of them that are whole numbers.
pub(super) const INTEGERS: [&str; 14] = [
    "target_frame",
    "seed",
    "frame",
    "highest_target_frame",
    "verified",
    "satisfactory",
    "line_shifted",
    "evaluations",
    "nulls",
    "mocks",
    "unverified_claims",
    "started_at",
    "population",
    "outer_frame",
];

/// Those of them that are numbers with fractions.
pub(super) const REALS: [&str; 3] = ["seconds", "waiting_share", "time_limit"];

/// The columns of a frame, without that of its run.
pub(super) const FRAME: [&str; 11] = [
    "level",
    "frame",
    "outcome",
    "evaluations",
    "obstacle",
    "obstacle_kind",
    "distance",
    "curve",
    "found_by",
    "found_after",
    "degree",
];

/// The values of a run, in the order of [`RUN`].
pub(super) fn run_values(record: &Record) -> [Value; RUN.len()] {
    let (error, outer) = (record.error.as_ref(), record.outer.as_ref());
    let words = |it: &Option<Vec<String>>| it.as_ref().map(|it| it.join(" "));
    [
        record.crash.as_str().into(),
        record.application.as_str().into(),
        record.application_version.as_str().into(),
        record.configuration.as_str().into(),
        record.target_frame.unwrap_or(0).into(),
        Value::Integer(record.seed.cast_signed()),
        record.fitness.as_str().into(),
        record.algorithm.as_str().into(),
        record.tuning.as_str().into(),
        record.frame.into(),
        record.highest_target_frame.into(),
        record.outcome.as_str().into(),
        record.verified.into(),
        record.degree.clone().into(),
        record.satisfactory.into(),
        record.line_shifted.into(),
        record.evaluations.into(),
        record.seconds.into(),
        record.waiting_share.into(),
        record.nulls.into(),
        record.mocks.into(),
        record.unverified_claims.into(),
        record.obstacle.clone().into(),
        record.obstacle_kind.clone().into(),
        record.test_class.clone().into(),
        record.test_source.clone().into(),
        error.map(|it| it.kind.clone()).into(),
        error.map(|it| it.message.clone()).into(),
        record.crashback.as_str().into(),
        record.started_at.into(),
        record.timing.as_ref().and_then(|it| serde_json::to_string(it).ok()).into(),
        words(&record.doubts).into(),
        words(&record.relaxations).into(),
        record.exception.clone().into(),
        record.time_limit.into(),
        record.population.into(),
        record.worker.clone().into(),
        outer.map(|it| it.frame).into(),
        outer.map(|it| it.degree.clone()).into(),
        outer.map(|it| it.doubts.join(" ")).into(),
        outer.map(|it| it.test_source.clone()).into(),
    ]
}

/// The values of a frame, in the order of [`FRAME`].
pub(super) fn frame_values(frame: &FrameRecord) -> [Value; FRAME.len()] {
    [
        frame.level.into(),
        frame.frame.as_str().into(),
        frame.outcome.as_str().into(),
        frame.evaluations.into(),
        frame.obstacle.clone().into(),
        frame.obstacle_kind.clone().into(),
        frame.distance.into(),
        curve_as_text(&frame.curve).into(),
        frame.found_by.clone().into(),
        frame.found_after.into(),
        frame.degree.clone().into(),
    ]
}

/// The run of a row, without its frames and reasons.
pub(super) fn record(row: &Row<'_>) -> Record {
    let words = |name: &str| row.text(name).map(|it| it.split_whitespace().map(str::to_owned).collect());
    let error = row.text("error_kind");
    Record {
        crash: row.string("crash"),
        application: row.string("application"),
        application_version: row.string("application_version"),
        configuration: row.string("configuration"),
        target_frame: row.small("target_frame").filter(|it| *it > 0),
        seed: row.integer("seed").unwrap_or(0).cast_unsigned(),
        fitness: row.string("fitness"),
        algorithm: row.string("algorithm"),
        tuning: row.string("tuning"),
        frame: row.small("frame"),
        highest_target_frame: row.small("highest_target_frame"),
        outcome: row.string("outcome"),
        verified: row.flag("verified"),
        degree: row.text("degree"),
        satisfactory: row.flag("satisfactory"),
        line_shifted: row.flag("line_shifted"),
        evaluations: row.count("evaluations"),
        seconds: row.real("seconds").unwrap_or_default(),
        waiting_share: row.real("waiting_share"),
        timing: row.text("timing").and_then(|it| serde_json::from_str(&it).ok()),
        nulls: row.small("nulls").unwrap_or(0),
        mocks: row.small("mocks").unwrap_or(0),
        doubts: words("doubts"),
        relaxations: words("relaxations"),
        unverified_claims: row.small("unverified_claims").unwrap_or(0),
        obstacle: row.text("obstacle"),
        obstacle_kind: row.text("obstacle_kind"),
        test_class: row.text("test_class"),
        test_source: row.text("test_source"),
        error: error.map(|kind| RunFailure { kind, message: row.string("error") }),
        crashback: row.string("crashback"),
        started_at: row.count("started_at"),
        exception: row.text("exception"),
        time_limit: row.real("time_limit"),
        population: row.small("population"),
        worker: row.text("worker"),
        outer: row.small("outer_frame").map(|frame| OuterRecord {
            frame,
            degree: row.string("outer_degree"),
            doubts: words("outer_doubts").unwrap_or_default(),
            test_source: row.string("outer_test_source"),
        }),
        frames: Vec::new(),
        unverified_reasons: Vec::new(),
    }
}

/// The frame of a row.
pub(super) fn frame(row: &Row<'_>) -> FrameRecord {
    FrameRecord {
        level: row.small("level").unwrap_or(0),
        frame: row.string("frame"),
        outcome: row.string("outcome"),
        evaluations: row.count("evaluations"),
        obstacle: row.text("obstacle"),
        obstacle_kind: row.text("obstacle_kind"),
        distance: row.real("distance"),
        curve: row.text("curve").map(|it| curve_of_text(&it)).unwrap_or_default(),
        found_by: row.text("found_by"),
        found_after: row.real("found_after"),
        degree: row.text("degree"),
    }
}

impl Row<'_> {
    fn value(&self, name: &str) -> Option<&Value> {
        self.names.iter().position(|it| *it == name).and_then(|it| self.values.get(it))
    }

    fn text(&self, name: &str) -> Option<String> {
        match self.value(name)? {
            Value::Text(text) => Some(text.clone()),
            _ => None,
        }
    }

    fn string(&self, name: &str) -> String {
        self.text(name).unwrap_or_default()
    }

    fn integer(&self, name: &str) -> Option<i64> {
        match self.value(name)? {
            Value::Integer(number) => Some(*number),
            _ => None,
        }
    }

    fn small(&self, name: &str) -> Option<u32> {
        self.integer(name).and_then(|it| u32::try_from(it).ok())
    }

    fn count(&self, name: &str) -> u64 {
        self.integer(name).unwrap_or(0).unsigned_abs()
    }

    fn flag(&self, name: &str) -> bool {
        self.integer(name).is_some_and(|it| it != 0)
    }

    fn real(&self, name: &str) -> Option<f64> {
        match self.value(name)? {
            Value::Real(number) => Some(*number),
            // SQLite may keep whole numbers as such.
            Value::Integer(number) => Some(*number as f64),
            _ => None,
        }
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<bool> for Value {
    fn from(flag: bool) -> Self {
        Self::Integer(flag.into())
    }
}

impl From<u32> for Value {
    fn from(number: u32) -> Self {
        Self::Integer(number.into())
    }
}

impl From<u64> for Value {
    /// Databases have no unsigned numbers; counts never come near the limit.
    fn from(count: u64) -> Self {
        Self::Integer(i64::try_from(count).unwrap_or(i64::MAX))
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Self {
        Self::Real(number)
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl<T: Into<Self>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
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
