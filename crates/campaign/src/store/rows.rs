//! Records as columns and values, for every kind of database: one table for each kind of record.

use crashback_reproduce::ProgressPoint;

use super::Extent;
use crate::{EventKind, EventRecord, FrameRecord, OuterRecord, Record, RunFailure};

/// A value of a column.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Null,
    Integer(i64),
    Real(f64),
    Text(String),
}

/// The kind of a column's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Integer,
    Real,
    Text,
}

/// A column: its name, the kind of its values, and how they come from records and return to them.
pub(super) struct Column<T> {
    pub(super) name: &'static str,
    pub(super) kind: Kind,
    /// Whether it is only read where everything is.
    is_bulky: bool,
    get: fn(&T) -> Value,
    set: fn(&mut T, Value),
}

const fn text<T>(name: &'static str, get: fn(&T) -> Value, set: fn(&mut T, Value)) -> Column<T> {
    Column { name, kind: Kind::Text, is_bulky: false, get, set }
}

const fn integer<T>(name: &'static str, get: fn(&T) -> Value, set: fn(&mut T, Value)) -> Column<T> {
    Column { name, kind: Kind::Integer, is_bulky: false, get, set }
}

const fn real<T>(name: &'static str, get: fn(&T) -> Value, set: fn(&mut T, Value)) -> Column<T> {
    Column { name, kind: Kind::Real, is_bulky: false, get, set }
}

const fn bulky<T>(column: Column<T>) -> Column<T> {
    Column { is_bulky: true, ..column }
}

/// The columns of a run, without those that name its row. A column that completes another one stands behind
/// it: `error` behind `error_kind`, everything about the outer test behind `outer_frame`.
pub(super) const RUN: &[Column<Record>] = &[
    text("crash", |it| it.crash.as_str().into(), |it, value| it.crash = value.string()),
    text("application", |it| it.application.as_str().into(), |it, value| it.application = value.string()),
    text(
        "application_version",
        |it| it.application_version.as_str().into(),
        |it, value| it.application_version = value.string(),
    ),
    text(
        "configuration",
        |it| it.configuration.as_str().into(),
        |it, value| it.configuration = value.string(),
    ),
    integer(
        "target_frame",
        |it| it.target_frame.unwrap_or(0).into(),
        |it, value| it.target_frame = value.small().filter(|it| *it > 0),
    ),
    integer(
        "seed",
        |it| Value::Integer(it.seed.cast_signed()),
        |it, value| it.seed = value.integer().unwrap_or(0).cast_unsigned(),
    ),
    text("fitness", |it| it.fitness.as_str().into(), |it, value| it.fitness = value.string()),
    text("algorithm", |it| it.algorithm.as_str().into(), |it, value| it.algorithm = value.string()),
    text("tuning", |it| it.tuning.as_str().into(), |it, value| it.tuning = value.string()),
    integer("frame", |it| it.frame.into(), |it, value| it.frame = value.small()),
    integer(
        "highest_target_frame",
        |it| it.highest_target_frame.into(),
        |it, value| it.highest_target_frame = value.small(),
    ),
    text("outcome", |it| it.outcome.as_str().into(), |it, value| it.outcome = value.string()),
    integer("verified", |it| it.verified.into(), |it, value| it.verified = value.flag()),
    text("degree", |it| it.degree.clone().into(), |it, value| it.degree = value.text()),
    integer("satisfactory", |it| it.satisfactory.into(), |it, value| it.satisfactory = value.flag()),
    integer("line_shifted", |it| it.line_shifted.into(), |it, value| it.line_shifted = value.flag()),
    integer("evaluations", |it| it.evaluations.into(), |it, value| it.evaluations = value.count()),
    real("seconds", |it| it.seconds.into(), |it, value| it.seconds = value.real().unwrap_or_default()),
    real("waiting_share", |it| it.waiting_share.into(), |it, value| it.waiting_share = value.real()),
    integer("nulls", |it| it.nulls.into(), |it, value| it.nulls = value.small().unwrap_or(0)),
    integer("mocks", |it| it.mocks.into(), |it, value| it.mocks = value.small().unwrap_or(0)),
    integer(
        "unverified_claims",
        |it| it.unverified_claims.into(),
        |it, value| it.unverified_claims = value.small().unwrap_or(0),
    ),
    text("obstacle", |it| it.obstacle.clone().into(), |it, value| it.obstacle = value.text()),
    text("obstacle_kind", |it| it.obstacle_kind.clone().into(), |it, value| it.obstacle_kind = value.text()),
    text("test_class", |it| it.test_class.clone().into(), |it, value| it.test_class = value.text()),
    bulky(text("test_source", |it| it.test_source.clone().into(), |it, value| it.test_source = value.text())),
    text(
        "error_kind",
        |it| it.error.as_ref().map(|it| it.kind.clone()).into(),
        |it, value| it.error = value.text().map(|kind| RunFailure { kind, message: String::new() }),
    ),
    text(
        "error",
        |it| it.error.as_ref().map(|it| it.message.clone()).into(),
        |it, value| it.error.iter_mut().zip([value]).for_each(|(it, value)| it.message = value.string()),
    ),
    text("crashback", |it| it.crashback.as_str().into(), |it, value| it.crashback = value.string()),
    integer("started_at", |it| it.started_at.into(), |it, value| it.started_at = value.count()),
    text(
        "timing",
        |it| it.timing.as_ref().and_then(|it| serde_json::to_string(it).ok()).into(),
        |it, value| it.timing = value.text().and_then(|it| serde_json::from_str(&it).ok()),
    ),
    text("doubts", |it| it.doubts.as_deref().map(joined).into(), |it, value| it.doubts = value.words()),
    text(
        "relaxations",
        |it| it.relaxations.as_deref().map(joined).into(),
        |it, value| it.relaxations = value.words(),
    ),
    text("exception", |it| it.exception.clone().into(), |it, value| it.exception = value.text()),
    real("time_limit", |it| it.time_limit.into(), |it, value| it.time_limit = value.real()),
    integer("population", |it| it.population.into(), |it, value| it.population = value.small()),
    text("worker", |it| it.worker.clone().into(), |it, value| it.worker = value.text()),
    integer(
        "outer_frame",
        |it| it.outer.as_ref().map(|it| it.frame).into(),
        |it, value| it.outer = value.small().map(|frame| OuterRecord { frame, ..OuterRecord::default() }),
    ),
    text(
        "outer_degree",
        |it| it.outer.as_ref().map(|it| it.degree.clone()).into(),
        |it, value| it.outer.iter_mut().zip([value]).for_each(|(it, value)| it.degree = value.string()),
    ),
    text(
        "outer_doubts",
        |it| it.outer.as_ref().map(|it| joined(&it.doubts)).into(),
        |it, value| it.outer.iter_mut().zip([value]).for_each(|(it, value)| it.doubts = value.name_list()),
    ),
    bulky(text(
        "outer_test_source",
        |it| it.outer.as_ref().map(|it| it.test_source.clone()).into(),
        |it, value| it.outer.iter_mut().zip([value]).for_each(|(it, value)| it.test_source = value.string()),
    )),
    bulky(text(
        "events",
        |it| events_as_text(&it.events).into(),
        |it, value| it.events = value.text().map(|it| events_of_text(&it)).unwrap_or_default(),
    )),
];

/// The columns of a frame, without that of its run.
pub(super) const FRAME: &[Column<FrameRecord>] = &[
    integer("level", |it| it.level.into(), |it, value| it.level = value.small().unwrap_or(0)),
    text("frame", |it| it.frame.as_str().into(), |it, value| it.frame = value.string()),
    text("outcome", |it| it.outcome.as_str().into(), |it, value| it.outcome = value.string()),
    integer("evaluations", |it| it.evaluations.into(), |it, value| it.evaluations = value.count()),
    bulky(text("obstacle", |it| it.obstacle.clone().into(), |it, value| it.obstacle = value.text())),
    text("obstacle_kind", |it| it.obstacle_kind.clone().into(), |it, value| it.obstacle_kind = value.text()),
    real("distance", |it| it.distance.into(), |it, value| it.distance = value.real()),
    bulky(text(
        "curve",
        |it| curve_as_text(&it.curve).into(),
        |it, value| it.curve = value.text().map(|it| curve_of_text(&it)).unwrap_or_default(),
    )),
    bulky(text("found_by", |it| it.found_by.clone().into(), |it, value| it.found_by = value.text())),
    real("found_after", |it| it.found_after.into(), |it, value| it.found_after = value.real()),
    text("degree", |it| it.degree.clone().into(), |it, value| it.degree = value.text()),
];

/// The names of columns, separated by commas.
pub(super) fn names<'c, T: 'c>(columns: impl IntoIterator<Item = &'c Column<T>>) -> String {
    columns.into_iter().map(|it| it.name).collect::<Vec<_>>().join(", ")
}

/// The columns that are read.
pub(super) fn read<T>(columns: &[Column<T>], extent: Extent) -> Vec<&Column<T>> {
    columns.iter().filter(|it| !it.is_bulky || extent == Extent::Whole).collect()
}

/// The values of a record, in the order of the columns.
pub(super) fn values<T>(columns: &[Column<T>], record: &T) -> Vec<Value> {
    columns.iter().map(|it| (it.get)(record)).collect()
}

/// Puts a value of a column into a record.
pub(super) fn put<T>(column: &Column<T>, record: &mut T, value: Value) {
    (column.set)(record, value);
}

impl Value {
    fn text(self) -> Option<String> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    fn string(self) -> String {
        self.text().unwrap_or_default()
    }

    /// Names separated by blanks.
    fn words(self) -> Option<Vec<String>> {
        self.text().map(|it| it.split_whitespace().map(str::to_owned).collect())
    }

    fn name_list(self) -> Vec<String> {
        self.words().unwrap_or_default()
    }

    fn integer(&self) -> Option<i64> {
        match self {
            Self::Integer(number) => Some(*number),
            _ => None,
        }
    }

    fn small(&self) -> Option<u32> {
        self.integer().and_then(|it| u32::try_from(it).ok())
    }

    fn count(&self) -> u64 {
        self.integer().unwrap_or(0).unsigned_abs()
    }

    fn flag(&self) -> bool {
        self.integer().is_some_and(|it| it != 0)
    }

    fn real(&self) -> Option<f64> {
        match self {
            Self::Real(number) => Some(*number),
            // SQLite may keep whole numbers as such.
            Self::Integer(number) => Some(*number as f64),
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

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Self::Integer(number)
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

fn joined(words: &[String]) -> String {
    words.join(" ")
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

/// An event as four values: seconds, kind, frame and detail.
type Quadruple = (f64, EventKind, Option<u32>, Option<String>);

/// Events as lists of four values; none where nothing is known.
fn events_as_text(events: &[EventRecord]) -> Option<String> {
    let values: Vec<Quadruple> =
        events.iter().map(|it| (it.seconds, it.kind, it.frame, it.detail.clone())).collect();
    Some(values).filter(|it| !it.is_empty()).and_then(|it| serde_json::to_string(&it).ok())
}

fn events_of_text(text: &str) -> Vec<EventRecord> {
    let values: Vec<Quadruple> = serde_json::from_str(text).unwrap_or_default();
    let event = |(seconds, kind, frame, detail)| EventRecord { seconds, kind, frame, detail };
    values.into_iter().map(event).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The columns of a table of `schema.sql` that are not those of its row or of another table's.
    fn of_schema(table: &str) -> Vec<(String, Kind)> {
        let schema = include_str!("schema.sql");
        let begin = format!("CREATE TABLE {table} (\n");
        let body = schema.split(&begin).nth(1).and_then(|it| it.split(") STRICT;").next()).expect("a table");
        let lines = body.lines().map(str::trim).filter(|it| !it.starts_with("--"));
        let columns = lines.filter_map(|line| {
            let mut words = line.split_whitespace();
            let (name, kind) = (words.next()?, words.next()?.trim_end_matches(','));
            let kind = match kind {
                "INTEGER" => Kind::Integer,
                "REAL" => Kind::Real,
                "TEXT" => Kind::Text,
                _ => return None,
            };
            Some((name.to_owned(), kind))
        });
        let mut columns: Vec<_> = columns.filter(|it| !["id", "run"].contains(&it.0.as_str())).collect();
        columns.sort_by(|a, b| a.0.cmp(&b.0));
        columns
    }

    fn of_columns<T>(columns: &[Column<T>]) -> Vec<(String, Kind)> {
        let mut columns: Vec<_> = columns.iter().map(|it| (it.name.to_owned(), it.kind)).collect();
        columns.sort_by(|a, b| a.0.cmp(&b.0));
        columns
    }

    #[test]
    fn columns_are_those_of_the_schema() {
        assert_eq!(of_columns(RUN), of_schema("runs"));
        assert_eq!(of_columns(FRAME), of_schema("frames"));
    }
}
