//! Pages and XML files that hold traces: saved pages of issue trackers, reports of test runs, and the XML
//! form of `java.util.logging`.
//!
//! Tags end lines or vanish, character references become characters, scripts and styles are left out.
//! Each byte is looked at a bounded number of times; anything that only looks like markup stays text.

use memchr::{memchr, memchr_iter, memchr2, memmem};

use crate::bytes;

/// Elements that stand inside a line of text; all others begin and end one.
const INLINE: [&[u8]; 26] = [
    b"a", b"abbr", b"b", b"big", b"bdi", b"cite", b"code", b"del", b"em", b"font", b"i", b"img", b"ins",
    b"kbd", b"mark", b"q", b"s", b"samp", b"small", b"span", b"strong", b"sub", b"sup", b"tt", b"u", b"wbr",
];
/// Elements whose content is not text.
const HIDDEN: [&[u8]; 4] = [b"script", b"style", b"head", b"template"];
/// Names in angle brackets that are part of frames and messages where a page did not escape them.
const NAMES: [&[u8]; 4] = [b"init", b"clinit", b"generated", b"unknown"];

/// Whether a log is a page or an XML file: it begins with a tag.
pub(crate) fn is_markup(log: &[u8]) -> bool {
    let text = bytes::trim_start_lines(log);
    match text {
        [b'<', b'!' | b'?', ..] => true,
        [b'<', b'a'..=b'z' | b'A'..=b'Z', ..] => {
            tag_name(bytes::from(text, 1)).is_some_and(|(name, _)| !NAMES.contains(&name))
        }
        _ => false,
    }
}

/// Calls `sink` with every line of text, and the number of the line of the log on which it begins.
pub(crate) fn for_each_line(log: &[u8], mut sink: impl FnMut(usize, &[u8])) {
    let mut page = Page {
        sink: &mut sink,
        line: Vec::new(),
        begin: 1,
        number: 1,
        record: Record::default(),
        endless: [false; HIDDEN.len()],
    };
    let mut rest = log;
    while let Some(open) = memchr(b'<', rest) {
        let (before, after) = bytes::split(rest, open);
        page.text(before, true);
        rest = page.markup(bytes::from(after, 1));
    }
    page.text(rest, true);
    page.end_line(false);
}

/// Lines being made.
struct Page<'s> {
    sink: &'s mut dyn FnMut(usize, &[u8]),
    line: Vec<u8>,
    /// The line of the log on which the line being made began.
    begin: usize,
    /// The line of the log that is being read.
    number: usize,
    record: Record,
    /// Hidden elements that have no end in the rest of the log, so that none is looked for again.
    endless: [bool; HIDDEN.len()],
}

/// A frame of `java.util.logging`, and where its element's text begins in the line being made.
#[derive(Default)]
struct Record {
    /// Whether the reader is inside `<exception>`.
    in_exception: bool,
    class: Vec<u8>,
    method: Vec<u8>,
    line: Vec<u8>,
}

impl Page<'_> {
    /// Adds text, with its character references decoded unless it is to be taken literally.
    fn text(&mut self, text: &[u8], has_references: bool) {
        for (index, part) in text.split(|b| *b == b'\n').enumerate() {
            if index > 0 {
                self.end_line(true);
                self.number += 1;
                self.begin = self.number;
            }
            if has_references {
                decode(part, &mut self.line);
            } else {
                self.line.extend_from_slice(part);
            }
        }
    }

    /// Ends the line being made; an empty one only counts where the text itself has it.
    fn end_line(&mut self, counts_if_empty: bool) {
        if counts_if_empty || !self.line.is_empty() {
            self.line.split(|b| *b == b'\n').for_each(|line| (self.sink)(self.begin, line));
            self.line.clear();
        }
        self.begin = self.number;
    }

    /// Passes over text that is not shown.
    fn skip(&mut self, text: &[u8]) {
        self.number += memchr_iter(b'\n', text).count();
    }

    /// Takes what follows a `<`, and gives the rest.
    fn markup<'t>(&mut self, text: &'t [u8]) -> &'t [u8] {
        if let Some(comment) = text.strip_prefix(b"!--") {
            let end = memmem::find(comment, b"-->").map_or(comment.len(), |end| end + 3);
            self.skip(bytes::upto(comment, end));
            return bytes::from(comment, end);
        }
        if let Some(data) = text.strip_prefix(b"![CDATA[") {
            let end = memmem::find(data, b"]]>").unwrap_or(data.len());
            self.text(bytes::upto(data, end), false);
            return bytes::from(data, end + 3);
        }
        let Some((name, length)) = tag_name(text).filter(|(name, _)| !NAMES.contains(name)) else {
            self.line.push(b'<');
            return text;
        };
        let (tag, rest) = bytes::split(text, length);
        self.skip(tag);
        self.element(name, tag.first() == Some(&b'/'));
        let is_start = tag.first() != Some(&b'/') && !tag.ends_with(b"/>");
        let hidden = HIDDEN.iter().position(|it| name.eq_ignore_ascii_case(it)).filter(|_| is_start);
        hidden.map_or(rest, |hidden| self.after_hidden(hidden, name, rest))
    }

    /// The text from the end of an element on whose content is not shown. An element without an end is
    /// shown: otherwise everything behind it would vanish.
    fn after_hidden<'t>(&mut self, element: usize, name: &[u8], text: &'t [u8]) -> &'t [u8] {
        if self.endless.get(element) == Some(&true) {
            return text;
        }
        let is_end = |position: &usize| {
            let after = bytes::from(text, position + 2);
            bytes::upto(after, name.len()).eq_ignore_ascii_case(name)
        };
        let Some(end) = memmem::find_iter(text, b"</").find(is_end) else {
            self.endless.iter_mut().skip(element).take(1).for_each(|it| *it = true);
            return text;
        };
        let (hidden, rest) = bytes::split(text, end);
        self.skip(hidden);
        rest
    }

    fn element(&mut self, name: &[u8], is_end: bool) {
        if INLINE.iter().any(|it| name.eq_ignore_ascii_case(it)) {
            return;
        }
        if name.eq_ignore_ascii_case(b"td") || name.eq_ignore_ascii_case(b"th") {
            // The cells of a row are one line.
            return if !self.line.is_empty() {
                self.line.push(b'\t')
            };
        }
        match (name, is_end) {
            (b"exception", _) => self.record.in_exception = !is_end,
            (b"class", true) if self.record.in_exception => {
                self.record.class = std::mem::take(&mut self.line)
            }
            (b"method", true) if self.record.in_exception => {
                self.record.method = std::mem::take(&mut self.line);
            }
            (b"line", true) if self.record.in_exception => self.record.line = std::mem::take(&mut self.line),
            (b"frame", true) if self.record.in_exception => self.frame(),
            _ => {}
        }
        self.end_line(name.eq_ignore_ascii_case(b"br"));
    }

    /// Writes a frame of `java.util.logging` as a trace has it.
    fn frame(&mut self) {
        let Record { class, method, line, .. } = std::mem::take(&mut self.record);
        self.record.in_exception = true;
        self.line.clear();
        self.line.extend_from_slice(b"\tat ");
        for part in [&class[..], b".", &method, b"(Unknown Source"] {
            self.line.extend_from_slice(part);
        }
        if !line.is_empty() {
            self.line.push(b':');
            self.line.extend_from_slice(&line);
        }
        self.line.push(b')');
    }
}

/// The name of the tag that follows a `<`, and the length of the tag with its `>`. None if it is no tag.
fn tag_name(text: &[u8]) -> Option<(&[u8], usize)> {
    let end = memchr2(b'<', b'>', text)?;
    let inside = bytes::upto(text, end);
    if text.get(end) != Some(&b'>') {
        return None;
    }
    let name = inside.strip_prefix(b"/").or(inside.strip_prefix(b"?")).unwrap_or(inside);
    let name = name.strip_prefix(b"!").unwrap_or(name);
    let length = name.iter().position(|b| !b.is_ascii_alphanumeric() && !b"-:_".contains(b));
    let name = bytes::upto(name, length.unwrap_or(name.len()));
    name.first().is_some_and(u8::is_ascii_alphabetic).then_some((name, end + 1))
}

/// Adds text with its character references as characters.
fn decode(text: &[u8], line: &mut Vec<u8>) {
    let mut rest = text;
    while let Some(sign) = memchr(b'&', rest) {
        let (before, after) = bytes::split(rest, sign);
        line.extend_from_slice(before);
        let reference = bytes::from(after, 1);
        let end = memchr(b';', bytes::upto(reference, 10));
        match end.and_then(|end| Some((character(bytes::upto(reference, end))?, end))) {
            Some((c, end)) => {
                line.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                rest = bytes::from(reference, end + 1);
            }
            None => {
                line.push(b'&');
                rest = reference;
            }
        }
    }
    line.extend_from_slice(rest);
}

fn character(reference: &[u8]) -> Option<char> {
    Some(match reference {
        b"lt" => '<',
        b"gt" => '>',
        b"amp" => '&',
        b"quot" => '"',
        b"apos" => '\'',
        b"nbsp" => ' ',
        b"Tab" => '\t',
        b"lpar" => '(',
        b"rpar" => ')',
        b"colon" => ':',
        b"period" => '.',
        b"dollar" => '$',
        [b'#', b'x' | b'X', digits @ ..] => {
            char::from_u32(u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?)?
        }
        [b'#', digits @ ..] => char::from_u32(bytes::number(digits)?)?,
        _ => return None,
    })
}
