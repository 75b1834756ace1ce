//! A log as lines, without the wrapping of containers and log collectors.
//!
//! Every byte of the log is looked at a bounded number of times: wrappers are taken off in a fixed
//! order, each once.

use std::borrow::Cow;

use memchr::{memchr, memchr_iter, memchr2, memmem};

use crate::bytes;

/// One line of a trace or log. Lines that were unwrapped out of one line of the log share its
/// number.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Line<'a> {
    pub(crate) number: usize,
    pub(crate) text: &'a [u8],
    /// Whether the line holds one of the words that names of exceptions end with.
    pub(crate) may_name_exception: bool,
}

/// The words that names of exceptions end with.
const EXCEPTION_WORDS: [&[u8]; 3] = [b"Exception", b"Error", b"Throwable"];
/// How escaped line ends before a frame look inside a JSON string.
const ESCAPED_FRAMES: [&[u8]; 3] = [b"\\tat ", b"\\n    at ", b"\\n  at "];

/// Calls `sink` with every line in order.
pub(crate) fn for_each_line(log: &[u8], mut sink: impl FnMut(Line<'_>)) {
    let mut words = EXCEPTION_WORDS.map(|word| Cursor::new(log, word));
    let mut escaped = ESCAPED_FRAMES.map(|word| Cursor::new(log, word));
    let mut colours = Cursor::new(log, b"\x1b[");
    let mut start = 0;
    let ends = memchr_iter(b'\n', log).chain(std::iter::once(log.len()));
    for (index, end) in ends.enumerate() {
        let text = bytes::from(bytes::upto(log, end), start);
        let may_name_exception = any_within(&mut words, start, end);
        let has_escapes = any_within(&mut escaped, start, end);
        let has_colours = colours.within(start, end);
        start = end + 1;
        let line = Line { number: index + 1, text, may_name_exception };
        if has_escapes || has_colours || is_wrapped(text) {
            unwrap(line, has_colours, &mut sink);
        } else {
            sink(line);
        }
    }
}

/// The next occurrence of a word; searching goes on over the whole log, not line by line, as that
/// is much faster.
struct Cursor<'a> {
    log: &'a [u8],
    finder: memmem::Finder<'static>,
    next: usize,
}

impl<'a> Cursor<'a> {
    fn new(log: &'a [u8], word: &'static [u8]) -> Self {
        let finder = memmem::Finder::new(word);
        let next = finder.find(log).unwrap_or(usize::MAX);
        Self { log, finder, next }
    }

    /// Whether the word begins within a range. Ranges must be asked in ascending order.
    fn within(&mut self, start: usize, end: usize) -> bool {
        if self.next < start {
            self.next = self.finder.find(bytes::from(self.log, start)).map_or(usize::MAX, |at| start + at);
        }
        self.next < end
    }
}

fn any_within(cursors: &mut [Cursor<'_>], start: usize, end: usize) -> bool {
    cursors.iter_mut().fold(false, |found, cursor| cursor.within(start, end) | found)
}

/// Whether a line could carry one of the wrappers that show at its start, or a line end inside.
fn is_wrapped(text: &[u8]) -> bool {
    match text.first() {
        Some(b'{') => text.starts_with(DOCKER),
        Some(b'!') => true,
        Some(b'0'..=b'9') => text.get(10) == Some(&b'T') && after_cri(text).is_some(),
        _ => false,
    }
}

const DOCKER: &[u8] = b"{\"log\":\"";

fn unwrap(line: Line<'_>, has_colours: bool, sink: &mut impl FnMut(Line<'_>)) {
    let mut text = Cow::Borrowed(line.text);
    if let Some(rest) = after_cri(&text) {
        text = Cow::Owned(rest.to_vec());
    }
    if let Some(entry) = docker_entry(&text) {
        text = Cow::Owned(entry);
    }
    if has_colours || memmem::find(&text, b"\x1b[").is_some() {
        text = Cow::Owned(without_colours(&text));
    }
    if ESCAPED_FRAMES.iter().any(|word| memmem::find(&text, word).is_some()) {
        text = Cow::Owned(escaped_trace(&text));
    }
    for part in text.split(|b| *b == b'\n') {
        let part = after_dropwizard(part);
        let may_name_exception = EXCEPTION_WORDS.iter().any(|word| memmem::find(part, word).is_some());
        sink(Line { number: line.number, text: part, may_name_exception });
    }
}

/// The text after the prefix of a container runtime: `2024-01-01T00:00:00.000000000Z stderr F `.
fn after_cri(text: &[u8]) -> Option<&[u8]> {
    let time = memchr(b' ', bytes::upto(text, 48))?;
    let rest = bytes::from(text, time + 1);
    let rest = rest.strip_prefix(b"stderr ").or(rest.strip_prefix(b"stdout "))?;
    rest.strip_prefix(b"F ").or(rest.strip_prefix(b"P "))
}

/// The text of `{"log":"text\n","stream":"stderr",…}`.
fn docker_entry(text: &[u8]) -> Option<Vec<u8>> {
    let rest = text.strip_prefix(DOCKER)?;
    let mut entry = unescape(bytes::upto(rest, string_end(rest)));
    while matches!(entry.last(), Some(b'\n' | b'\r')) {
        entry.pop();
    }
    Some(entry)
}

/// The text after `! `, which Dropwizard puts before each line of a trace.
fn after_dropwizard(text: &[u8]) -> &[u8] {
    match text {
        [b'!', b' ', rest @ ..] => rest,
        [b'!', b'\t' | b'.', ..] | [b'!'] => bytes::from(text, 1),
        _ => text,
    }
}

fn without_colours(text: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(escape) = memchr(0x1b, rest) {
        let (before, after) = bytes::split(rest, escape);
        plain.extend_from_slice(before);
        rest = match after {
            [_, b'[', sequence @ ..] => {
                let last = sequence.iter().position(|b| !matches!(b, b'0'..=b'9' | b';' | b'?'));
                bytes::from(sequence, last.map_or(sequence.len(), |last| last + 1))
            }
            _ => bytes::from(after, 1),
        };
    }
    plain.extend_from_slice(rest);
    plain
}

/// The traces in the JSON strings of a line, or the whole line unescaped if no string of it holds
/// one.
fn escaped_trace(text: &[u8]) -> Vec<u8> {
    let mut traces = Vec::new();
    let mut rest = text;
    while let Some(quote) = memchr(b'"', rest) {
        let inside = bytes::from(rest, quote + 1);
        let (string, after) = bytes::split(inside, string_end(inside));
        if ESCAPED_FRAMES.iter().any(|word| memmem::find(string, word).is_some()) {
            traces.extend(unescape(string));
            traces.push(b'\n');
        }
        rest = bytes::from(after, 1);
    }
    if traces.is_empty() { unescape(text) } else { traces }
}

/// Where a JSON string ends: at its closing quote, or with the text.
fn string_end(text: &[u8]) -> usize {
    let mut position = 0;
    while let Some(found) = memchr2(b'"', b'\\', bytes::from(text, position)) {
        match text.get(position + found) {
            Some(b'"') => return position + found,
            _ => position += found + 2,
        }
    }
    text.len()
}

/// Undoes the escapes of a JSON string. Other characters stay as they are.
fn unescape(text: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(backslash) = memchr(b'\\', rest) {
        let (before, after) = bytes::split(rest, backslash);
        plain.extend_from_slice(before);
        rest = match after {
            [_, b'n', rest @ ..] => push(&mut plain, b'\n', rest),
            [_, b't', rest @ ..] => push(&mut plain, b'\t', rest),
            [_, b'r', rest @ ..] => push(&mut plain, b'\r', rest),
            [_, quoted @ (b'"' | b'\\' | b'/'), rest @ ..] => push(&mut plain, *quoted, rest),
            [_, b'u', a, b, c, d, rest @ ..] => match code_unit([*a, *b, *c, *d]) {
                Some(c) => {
                    plain.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                    rest
                }
                None => push(&mut plain, b'\\', bytes::from(after, 1)),
            },
            _ => push(&mut plain, b'\\', bytes::from(after, 1)),
        };
    }
    plain.extend_from_slice(rest);
    plain
}

fn push<'a>(plain: &mut Vec<u8>, byte: u8, rest: &'a [u8]) -> &'a [u8] {
    plain.push(byte);
    rest
}

/// The character of `\uXXXX`; halves of surrogate pairs become the replacement character.
fn code_unit(digits: [u8; 4]) -> Option<char> {
    let value = u32::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?;
    Some(char::from_u32(value).unwrap_or(char::REPLACEMENT_CHARACTER))
}
