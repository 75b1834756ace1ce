//! JSON records: one object on a line, or a document over several lines.
//!
//! The names of fields differ from tool to tool, so any string that holds a trace counts, wherever it is.
//! Only the field that stands for a whole line of a program's output, and the time, are known by name.

use memchr::{memchr, memchr_iter};
use serde_json::{Map, Value};

use super::StructuredCrash;
use super::escapes;
use super::folded;
use super::prefix::Stream;
use crate::bytes::{self, trim};
use crate::{frame, structured};

/// Fields that hold one line of a program's output, and objects that hold such a field.
const LINES: [&str; 10] =
    ["log", "message", "msg", "MESSAGE", "textPayload", "line", "@message", "short_message", "event", "body"];
const AROUND_LINES: [&str; 4] = ["_source", "jsonPayload", "content", "attributes"];
const TIMES: [&str; 9] =
    ["@timestamp", "timestamp", "time", "ts", "date", "datetime", "dateCreated", "timeMillis", "eventTime"];
/// Fields that name the thread.
const THREADS: [&str; 5] = ["thread", "thread_name", "threadName", "thread.name", "process.thread.name"];
/// Fields that tell of the logging and not of the program's values, and those that hold traces.
const NOISE: [&str; 24] = [
    "@version",
    "endOfBatch",
    "exception",
    "format",
    "frames",
    "host",
    "hostname",
    "level",
    "level_value",
    "log.level",
    "logger",
    "loggerFqcn",
    "loggerName",
    "logger_name",
    "pid",
    "severity",
    "stack",
    "stack_trace",
    "stacktrace",
    "stream",
    "threadId",
    "threadPriority",
    "thread_id",
    "version",
];
/// How many fields of a record count.
const MOST_FIELDS: usize = 64;
/// How deep fields may lie inside each other.
const DEEPEST_FIELD: usize = 6;
/// Longer fields are documents rather than values.
const LONGEST_FIELD: usize = 4096;
/// Docker cuts lines into pieces of this size.
const DOCKER_PIECE: usize = 16 << 10;
/// How many traces of one record are compared with each other.
const COMPARED: usize = 8;

/// The content of a JSON value, as far as it matters.
#[derive(Default)]
pub(super) struct Record {
    /// The time, as it is written.
    pub(super) time: Option<String>,
    /// Exceptions that are objects with lists of frames.
    pub(super) crashes: Vec<StructuredCrash>,
    /// Strings that hold a trace.
    pub(super) traces: Vec<String>,
    /// Whether one of the traces is a list with a string for each line.
    pub(super) has_listed_lines: bool,
    /// The line of output that the record stands for.
    pub(super) line: Option<String>,
    /// The stream of the line.
    pub(super) stream: Option<Stream>,
    /// The stream whose line goes on in the next record.
    pub(super) cut: Option<Stream>,
}

/// What a record tells of the program.
#[derive(Default)]
pub(crate) struct Fields {
    /// The line of output that it stands for.
    pub(super) line: Option<String>,
    /// The values of its other fields, as texts.
    pub(crate) values: Vec<String>,
    /// The thread that wrote it.
    pub(crate) thread: Option<String>,
}

impl Fields {
    /// Adds those of a record inside this one.
    pub(super) fn extend(&mut self, inner: Self) {
        self.values.extend(inner.values);
        self.thread = inner.thread.or(self.thread.take());
    }
}

/// Reads a JSON object for its values; None if it is anything else.
pub(crate) fn fields(record: &[u8]) -> Option<Fields> {
    let record = trim(record);
    if record.first() != Some(&b'{') {
        return None;
    }
    let Value::Object(object) = serde_json::from_slice(record).ok()? else { return None };
    let line = line(&object).filter(|it| !holds_trace(it));
    let mut fields = Fields { line, values: Vec::new(), thread: thread(&object) };
    collect_fields(&object, DEEPEST_FIELD, &mut fields.values);
    Some(fields)
}

fn collect_fields(object: &Map<String, Value>, depth: usize, values: &mut Vec<String>) {
    let is_noise = |name: &str| [&TIMES[..], &THREADS, &NOISE].iter().any(|it| it.contains(&name));
    for (name, value) in object {
        // Lines are read as such.
        let is_line = value.is_string() && LINES.contains(&name.as_str());
        if !is_line && !is_noise(name) {
            collect_field(value, depth, values);
        }
    }
}

fn collect_field(value: &Value, depth: usize, values: &mut Vec<String>) {
    let Some(depth) = depth.checked_sub(1).filter(|_| values.len() < MOST_FIELDS) else { return };
    match value {
        Value::String(text) if text.len() <= LONGEST_FIELD && !holds_trace(text) => values.push(text.clone()),
        Value::Number(number) => values.push(number.to_string()),
        Value::Array(items) => items.iter().for_each(|it| collect_field(it, depth, values)),
        Value::Object(object) => collect_fields(object, depth, values),
        _ => {}
    }
}

fn thread(object: &Map<String, Value>) -> Option<String> {
    let named = THREADS.iter().find_map(|it| match object.get(*it)? {
        Value::Object(thread) => thread.get("name")?.as_str(),
        other => other.as_str(),
    });
    let nested = || object.get("process")?.get("thread")?.get("name")?.as_str();
    named.or_else(nested).map(str::to_owned)
}

/// A JSON value over several lines of the log.
pub(super) struct Document {
    pub(super) first_line: usize,
    pub(super) last_line: usize,
    pub(super) record: Record,
}

/// Reads a line as a record; None if it is no JSON object.
pub(super) fn read(line: &[u8]) -> Option<Record> {
    match serde_json::from_slice(trim(line)).ok()? {
        Value::Object(object) => Some(record(&Value::Object(object))),
        _ => None,
    }
}

/// Whether the first line is a JSON value by itself, so that the log has a record on each line.
pub(super) fn ends_on_first_line(log: &[u8]) -> bool {
    let log = bytes::trim_start_lines(log);
    let first = bytes::upto(log, memchr(b'\n', log).unwrap_or(log.len()));
    serde_json::from_slice::<serde::de::IgnoredAny>(trim(first)).is_ok()
}

/// Reads a log as JSON values one behind the other; None if it is anything else.
pub(super) fn documents(log: &[u8]) -> Option<Vec<Document>> {
    let mut values = serde_json::Deserializer::from_slice(log).into_iter::<Value>();
    let (mut documents, mut start, mut line) = (Vec::new(), 0, 1);
    while let Some(value) = values.next() {
        let value = value.ok()?;
        let text = bytes::from(bytes::upto(log, values.byte_offset()), start);
        let blank = text.iter().take_while(|b| b.is_ascii_whitespace());
        let first_line = line + blank.filter(|b| **b == b'\n').count();
        line += memchr_iter(b'\n', text).count();
        start = values.byte_offset();
        documents.push(Document { first_line, last_line: line, record: record(&value) });
    }
    Some(documents)
}

fn record(value: &Value) -> Record {
    let mut record = Record::default();
    collect(value, &mut record);
    drop_repeated(&mut record.traces);
    if let Value::Object(object) = value {
        record.time = time(object);
        record.line = line(object);
        set_stream(object, &mut record);
    }
    record
}

/// Collects exceptions and traces. The depth is bounded: the parser refuses deeper values.
fn collect(value: &Value, record: &mut Record) {
    if let Some(crash) = structured::crash(value) {
        record.crashes.push(crash);
        return;
    }
    match value {
        Value::String(text) if holds_trace(text) => record.traces.push(text.clone()),
        Value::Array(items) => match listed_lines(items) {
            Some(trace) => {
                record.traces.push(trace);
                record.has_listed_lines = true;
            }
            None => items.iter().for_each(|item| collect(item, record)),
        },
        Value::Object(object) => object.values().for_each(|item| collect(item, record)),
        _ => {}
    }
}

/// A list with one string for each line of a trace.
fn listed_lines(items: &[Value]) -> Option<String> {
    let lines = items.iter().map(Value::as_str).collect::<Option<Vec<&str>>>()?;
    let is_frame = |line: &&str| frame::at_frame(trim(line.as_bytes())).is_some();
    (lines.iter().any(is_frame) && lines.len() > 1).then(|| lines.join("\n"))
}

/// Whether a string holds more than one line and a frame among them.
fn holds_trace(text: &str) -> bool {
    let bytes = text.trim().as_bytes();
    if memchr::memmem::find(bytes, b"at ").is_none() {
        return false;
    }
    let mut lines = bytes.split(|b| matches!(b, b'\n' | b'\r'));
    let has_lines = lines.clone().nth(1).is_some();
    let is_frame = |line: &[u8]| {
        let line = super::prefix::strip(line).map_or(line, |stripped| stripped.rest);
        frame::at_frame(trim(line)).is_some()
    };
    has_lines && lines.any(is_frame)
        || escapes::unescaped(bytes).is_some()
        || folded::unfold(bytes).is_some()
        || text.contains('\u{2028}')
}

/// Drops traces that another one holds: many records repeat the trace in their message.
fn drop_repeated(traces: &mut Vec<String>) {
    let all = std::mem::take(traces);
    for (index, trace) in all.iter().enumerate() {
        let text = trace.trim();
        let holds = |(other, it): (usize, &String)| {
            let is_longer = it.trim().len() > text.len() || it.trim().len() == text.len() && other < index;
            is_longer && it.contains(text)
        };
        let is_repeated = index < COMPARED && all.iter().enumerate().take(COMPARED).any(holds);
        if !is_repeated {
            traces.push(trace.clone());
        }
    }
}

fn time(object: &Map<String, Value>) -> Option<String> {
    let named = |object: &Map<String, Value>| {
        TIMES.iter().find_map(|name| match object.get(*name)? {
            Value::String(text) => Some(text.clone()),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        })
    };
    let time = named(object)
        .or_else(|| AROUND_LINES.iter().find_map(|name| named(object.get(*name)?.as_object()?)))?;
    Some(time).filter(|time| !time.is_empty() && time.len() <= 64 && !time.chars().any(char::is_control))
}

fn line(object: &Map<String, Value>) -> Option<String> {
    let named = |object: &Map<String, Value>| {
        LINES.iter().find_map(|name| object.get(*name)?.as_str()).map(str::to_owned)
    };
    named(object).or_else(|| AROUND_LINES.iter().find_map(|name| named(object.get(*name)?.as_object()?)))
}

/// Docker's own records name the stream; a line of them ends with a line end unless it was cut.
fn set_stream(object: &Map<String, Value>, record: &mut Record) {
    let stream = match object.get("stream").and_then(Value::as_str) {
        Some("stdout") => Stream::Out,
        Some("stderr") => Stream::Err,
        _ => return,
    };
    record.stream = Some(stream);
    let is_cut = |line: &String| !line.ends_with('\n') && line.len() >= DOCKER_PIECE;
    record.cut = record.line.as_ref().filter(|line| is_cut(line)).map(|_| stream);
}
