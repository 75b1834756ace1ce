//! Escapes inside a line: JSON strings, octal escapes of syslog, colours of terminals.

use memchr::{memchr, memchr2, memmem};

use crate::bytes;

/// How escaped line ends before a frame look inside a JSON string.
pub(crate) const ESCAPED_FRAMES: [&[u8]; 3] = [b"\\tat ", b"\\n    at ", b"\\n  at "];

fn holds_escaped_frame(text: &[u8]) -> bool {
    ESCAPED_FRAMES.iter().any(|word| memmem::find(text, word).is_some())
}

/// The traces in the JSON strings of a line, or the whole line unescaped if no string of it holds
/// one. None if there is no escaped frame.
pub(super) fn unescaped(text: &[u8]) -> Option<Vec<u8>> {
    if !holds_escaped_frame(text) {
        return None;
    }
    let mut traces = Vec::new();
    let mut rest = text;
    while let Some(quote) = memchr(b'"', rest) {
        let inside = bytes::from(rest, quote + 1);
        let (string, after) = bytes::split(inside, string_end(inside));
        if holds_escaped_frame(string) {
            traces.extend(unescape(string));
            traces.push(b'\n');
        }
        rest = bytes::from(after, 1);
    }
    Some(if traces.is_empty() { unescape(text) } else { traces })
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

/// The text with tabs and line ends in the places of `#011`, `#012` and `#015`, which syslog daemons
/// write for them.
pub(super) fn without_octal_escapes(text: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(sign) = memchr(b'#', rest) {
        let (before, after) = bytes::split(rest, sign);
        plain.extend_from_slice(before);
        rest = match after {
            [_, b'0', b'1', b'1', rest @ ..] => push(&mut plain, b'\t', rest),
            [_, b'0', b'1', b'2', rest @ ..] => push(&mut plain, b'\n', rest),
            [_, b'0', b'1', b'5', rest @ ..] => rest,
            _ => push(&mut plain, b'#', bytes::from(after, 1)),
        };
    }
    plain.extend_from_slice(rest);
    plain
}

/// The text with line ends in the place of another mark.
pub(super) fn with_line_ends(text: &[u8], mark: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(text.len());
    let mut start = 0;
    for position in memmem::find_iter(text, mark) {
        plain.extend_from_slice(bytes::from(bytes::upto(text, position), start));
        plain.push(b'\n');
        start = position + mark.len();
    }
    plain.extend_from_slice(bytes::from(text, start));
    plain
}

/// The text without the control sequences that colour a terminal. The escape character goes in any
/// case, so that none is left.
pub(super) fn without_colours(text: &[u8]) -> Vec<u8> {
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
