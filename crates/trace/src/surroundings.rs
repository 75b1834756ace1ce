//! Values in the lines around a crash that its thread wrote.

use memchr::{memchr, memchr_iter};

use crate::bytes::{self, is_name_byte, trim, trim_start};
use crate::model::Crash;
use crate::values::values_of_line;
use crate::wrappers::{self, Fields, Plain};
use crate::{frame, header, markup, time};

/// How many lines before a crash are looked at.
const BEFORE: usize = 200;
/// How many lines behind it are looked at.
const AFTER: usize = 20;
/// Of a longer record with a crash the fields are not read.
const LONGEST_RECORD: usize = 1 << 20;
/// How long the name of a thread may be.
const LONGEST_THREAD: usize = 200;

/// Values that the thread of a crash logged around it, as texts, those of the nearest line first: quoted
/// texts, `key=value`, numbers, paths, identifiers, JSON, and fields of JSON records. Each is there once, and
/// there are at most `most`.
///
/// The thread is that of the record with the crash. Lines that do not tell their thread count, too.
pub fn values_around(log: &[u8], crash: &Crash, most: usize) -> Vec<String> {
    let decoded = bytes::decode_utf16(log);
    let log = decoded.as_deref().unwrap_or(log);
    if markup::is_markup(log) {
        return Vec::new();
    }
    let [before, own, after] = windows(log, crash);
    let mut reader = Reader::default();
    let lines: Vec<&[u8]> = lines(before).collect();
    for (number, line) in lines.iter().enumerate() {
        reader.line(line, lines.len() - number);
    }
    reader.own(own);
    let thread = crash.thread.clone().or_else(|| reader.thread.clone());
    for (number, line) in (1..).zip(self::lines(after)) {
        reader.line(line, number);
    }
    let mut records = reader.records;
    records.retain(|it| it.thread.is_none() || thread.is_none() || it.thread == thread);
    records.sort_by_key(|it| it.distance);
    let mut found: Vec<String> = Vec::new();
    for value in records.into_iter().flat_map(|it| it.values) {
        if found.len() >= most {
            break;
        }
        if !found.contains(&value) {
            found.push(value);
        }
    }
    found
}

/// The bytes of the lines before a crash, of its own lines, and of those behind it.
fn windows<'l>(log: &'l [u8], crash: &Crash) -> [&'l [u8]; 3] {
    let behind = crash.last_line + 1;
    let wanted = [crash.first_line.saturating_sub(BEFORE).max(1), crash.first_line, behind, behind + AFTER];
    let mut offsets = [log.len(); 4];
    let starts = std::iter::once(0).chain(memchr_iter(b'\n', log).map(|it| it + 1));
    for (number, start) in (1..).zip(starts).take(behind + AFTER) {
        for (offset, _) in offsets.iter_mut().zip(wanted).filter(|(_, wanted)| *wanted == number) {
            *offset = start;
        }
    }
    let [first, start, end, last] = offsets;
    [(first, start), (start, end), (end, last)].map(|(from, to)| bytes::from(bytes::upto(log, to), from))
}

fn lines(window: &[u8]) -> impl Iterator<Item = &[u8]> {
    window.split(|b| *b == b'\n').filter(|line| !trim(line).is_empty())
}

/// Values of a line.
struct Record {
    values: Vec<String>,
    /// The thread that wrote it, if that is known.
    thread: Option<String>,
    /// How many lines lie between it and the crash.
    distance: usize,
}

#[derive(Default)]
struct Reader {
    records: Vec<Record>,
    /// The thread of the record that is being read: lines that begin none belong to it.
    thread: Option<String>,
}

impl Reader {
    /// The lines of the crash itself: fields of a JSON record, or the text before the exception. Its message
    /// is read elsewhere.
    fn own(&mut self, own: &[u8]) {
        if own.len() <= LONGEST_RECORD && wrappers::fields(own).is_some() {
            return self.add(wrappers::plain(own), 0);
        }
        let first = lines(own).next().unwrap_or_default();
        let mut plain = wrappers::plain(first);
        if !header::begins_record(trim_start(&plain.text)) {
            plain.text.clear();
        }
        self.add(plain, 0);
    }

    fn line(&mut self, line: &[u8], distance: usize) {
        let plain = wrappers::plain(line);
        let is_of_trace = frame::at_frame(trim(&plain.text)).is_some();
        if !is_of_trace {
            self.add(plain, distance);
        }
    }

    fn add(&mut self, plain: Plain, distance: usize) {
        let Plain { text, fields } = plain;
        let head = header::begins_record(trim_start(&text)).then(|| Head::of(trim_start(&text)));
        if let Some(head) = &head {
            self.thread = head.thread.map(bytes::text);
        }
        let rest = head.map_or(&text[..], |it| it.rest);
        let mut all = values_of_line(&bytes::text(rest));
        if let Some(Fields { values, thread, .. }) = fields {
            self.thread = thread.or(self.thread.take().filter(|_| header::begins_record(trim_start(&text))));
            all.extend(values);
        }
        self.records.push(Record { values: all, thread: self.thread.clone(), distance });
    }
}

/// The beginning of a record: time, level, process, thread and logger.
struct Head<'a> {
    thread: Option<&'a [u8]>,
    /// The text behind.
    rest: &'a [u8],
}

impl<'a> Head<'a> {
    /// The head of a line that begins a record. Of several texts in brackets the last is the thread.
    fn of(record: &'a [u8]) -> Self {
        let (mut thread, mut rest) = (None, trim_start(record));
        loop {
            if let Some(inside) = rest.strip_prefix(b"[")
                && let Some(end) = memchr(b']', bytes::upto(inside, LONGEST_THREAD))
            {
                let content = trim(bytes::upto(inside, end));
                if !is_stamp(content) {
                    thread = Some(content);
                }
                rest = trim_start(bytes::from(inside, end + 1));
                continue;
            }
            let word = first_word(rest);
            let named = word.strip_prefix(b"thread=").map(|it| it.strip_suffix(b",").unwrap_or(it));
            if word.is_empty() || !is_stamp(word) && named.is_none() {
                break;
            }
            thread = named.or(thread);
            rest = trim_start(bytes::from(rest, word.len()));
        }
        Self { thread: thread.filter(|it| !it.is_empty()), rest: without_logger(rest) }
    }
}

fn first_word(text: &[u8]) -> &[u8] {
    let end = text.iter().position(|b| bytes::is_blank(*b) || *b == b'[');
    bytes::upto(text, end.unwrap_or(text.len()))
}

/// Whether a word of a head is a time, a level, a number of a process, or a mark between such.
fn is_stamp(word: &[u8]) -> bool {
    let word = word.strip_suffix(b":").unwrap_or(word);
    let is_time = word.iter().all(|b| b.is_ascii_digit() || b"-/:.,+TZ|".contains(b));
    let is_noon = matches!(word, b"AM" | b"PM");
    is_time || is_noon || header::is_level(word) || is_date(word)
}

/// Whether a word is a part of a date with the name of a month.
fn is_date(word: &[u8]) -> bool {
    time::is_month(word)
        || matches!(word, [_, _, b'-', month @ .., b'-', _, _, _, _] if time::is_month(month))
}

/// The text behind the name of a logger and a colon or dash.
fn without_logger(text: &[u8]) -> &[u8] {
    let end = text.iter().position(|b| !is_name_byte(*b) && *b != b'.').unwrap_or(0);
    let (name, rest) = bytes::split(text, end);
    let behind = trim_start(rest);
    match behind {
        [b':', after @ ..] | [b'-', b' ', after @ ..] if !name.is_empty() => trim_start(after),
        _ => text,
    }
}
