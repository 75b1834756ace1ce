//! Takes the wrappers of transports off a line: prefixes of container runtimes, syslog and devices, JSON
//! records, escaped or folded line ends, colours.
//!
//! Wrappers may lie around each other in any order, a few deep; each layer looks at a line once, so that
//! time stays linear.

mod escapes;
mod folded;
mod json;
mod prefix;

use memchr::memmem;

use crate::assemble::Assembler;
use crate::lines::Line;
use crate::{bytes, header, structured, time};

pub(crate) use escapes::ESCAPED_FRAMES;
pub(crate) use json::{Fields, fields};
pub(crate) use prefix::Stream;
use prefix::{Cut, Stripped};

/// How many wrappers may lie around each other.
const LAYERS: usize = 6;
const LINE_SEPARATOR: &[u8] = b"\xe2\x80\xa8";

/// Whether a line begins like one of the wrappers.
pub(crate) fn has_wrapper_start(text: &[u8]) -> bool {
    text.first() == Some(&b'{') || prefix::strip(text).is_some()
}

/// Hands lines without their wrappers to the assembler.
pub(crate) struct Unwrapper<'a> {
    assembler: &'a mut Assembler,
    /// Beginnings of lines that a container runtime cut: of standard output, and of standard error.
    cut: [Vec<u8>; 2],
    last_number: usize,
}

impl<'a> Unwrapper<'a> {
    pub(crate) fn new(assembler: &'a mut Assembler) -> Self {
        Self { assembler, cut: Default::default(), last_number: 1 }
    }

    /// Takes a line that has no wrapper.
    pub(crate) fn plain(&mut self, line: Line<'_>) {
        self.last_number = line.number;
        self.assembler.line(line);
    }

    /// Takes a line that may have wrappers.
    pub(crate) fn line(&mut self, number: usize, text: &[u8]) {
        self.last_number = number;
        self.unwrap(number, text, None, LAYERS);
    }

    /// Ends the log: lines whose rest never came count as they are.
    pub(crate) fn finish(&mut self) {
        for text in std::mem::take(&mut self.cut).into_iter().filter(|text| !text.is_empty()) {
            self.unwrap(self.last_number, &text, None, LAYERS);
        }
    }

    fn unwrap(&mut self, number: usize, text: &[u8], time: Option<&[u8]>, layers: usize) {
        let Some(layers) = layers.checked_sub(1) else {
            return self.assembler.line(Line::new(number, text, time));
        };
        if let Some(stripped) = prefix::strip(text) {
            return self.stripped(number, &stripped, time, layers);
        }
        if memmem::find(text, b"\x1b[").is_some() {
            return self.unwrap(number, &escapes::without_colours(text), time, layers);
        }
        if text.first() == Some(&b'{')
            && let Some(record) = json::read(text)
        {
            return self.record(number, record, time, layers);
        }
        if memmem::find(text, LINE_SEPARATOR).is_some() {
            let plain = escapes::with_line_ends(text, LINE_SEPARATOR);
            return self.parts(number, &plain, time, layers);
        }
        if let Some(plain) = escapes::unescaped(text).or_else(|| folded::unfold(text)) {
            let time = time.or_else(|| header::begins_record(text).then(|| time::leading(text))?);
            return self.parts(number, &plain, time, layers);
        }
        self.assembler.line(Line::new(number, text, time));
    }

    fn parts(&mut self, number: usize, text: &[u8], time: Option<&[u8]>, layers: usize) {
        for part in text.split(|b| *b == b'\n') {
            self.unwrap(number, part, time, layers);
        }
    }

    fn stripped(&mut self, number: usize, stripped: &Stripped<'_>, time: Option<&[u8]>, layers: usize) {
        let Stripped { rest, time: own, cut, is_syslog } = *stripped;
        let time = own.or(time);
        if let Cut::Begun(stream) | Cut::Ended(stream) = cut {
            self.assembler.select(stream);
        }
        match cut {
            Cut::Whole if is_syslog && memmem::find(rest, b"#01").is_some() => {
                self.parts(number, &escapes::without_octal_escapes(rest), time, layers);
            }
            Cut::Whole => self.unwrap(number, rest, time, layers),
            Cut::Begun(stream) => self.buffer(stream).extend_from_slice(rest),
            Cut::Ended(stream) => {
                let buffer = self.buffer(stream);
                if buffer.is_empty() {
                    return self.unwrap(number, rest, time, layers);
                }
                buffer.extend_from_slice(rest);
                let whole = std::mem::take(buffer);
                self.unwrap(number, &whole, time, layers);
            }
        }
    }

    /// Takes a JSON record: exceptions that it holds as objects, else its traces, else the one line that
    /// it stands for.
    fn record(&mut self, number: usize, record: json::Record, time: Option<&[u8]>, layers: usize) {
        let own = record.time.as_deref().map(str::as_bytes).or(time);
        let stream = record.cut.unwrap_or(Stream::Out);
        if record.cut.is_some() {
            let line = record.line.unwrap_or_default();
            return self.buffer(stream).extend_from_slice(line.as_bytes());
        }
        if let Some(stream) = record.stream {
            self.assembler.select(stream);
        }
        let is_whole = !record.crashes.is_empty() || !record.traces.is_empty();
        for crash in record.crashes {
            self.assembler.crash(crash, (number, number), own);
        }
        for trace in record.traces {
            self.parts(number, trace.as_bytes(), own, layers);
            self.assembler.end_record();
        }
        if let Some(line) = record.line.filter(|_| !is_whole) {
            let mut whole = std::mem::take(self.buffer(record.stream.unwrap_or(stream)));
            whole.extend_from_slice(line.as_bytes());
            let mut text = &whole[..];
            while let [rest @ .., b'\n' | b'\r'] = text {
                text = rest;
            }
            self.parts(number, text, own, layers);
        }
    }

    fn buffer(&mut self, stream: Stream) -> &mut Vec<u8> {
        let [out, err] = &mut self.cut;
        match stream {
            Stream::Out => out,
            Stream::Err => err,
        }
    }
}

/// Reads a log that is one JSON value over several lines, or several of them. False if it is none, or if
/// reading it by lines shows as much.
pub(crate) fn read_document(log: &[u8], assembler: &mut Assembler) -> bool {
    let is_json = matches!(bytes::trim_start_lines(log).first(), Some(b'{' | b'['));
    if !is_json || json::ends_on_first_line(log) {
        return false;
    }
    let Some(documents) = json::documents(log) else { return false };
    if documents.iter().all(|it| it.record.crashes.is_empty() && !it.record.has_listed_lines) {
        return false;
    }
    let mut unwrapper = Unwrapper::new(assembler);
    for json::Document { first_line, last_line, record } in documents {
        let time = record.time.as_deref().map(str::as_bytes);
        for crash in record.crashes {
            unwrapper.assembler.crash(crash, (first_line, last_line), time);
        }
        for trace in record.traces {
            unwrapper.parts(first_line, trace.as_bytes(), time, LAYERS);
            unwrapper.assembler.end_record();
        }
    }
    true
}

/// A line without its wrappers.
pub(crate) struct Plain {
    /// The line that the program wrote.
    pub(crate) text: Vec<u8>,
    /// What JSON records around it tell beside it.
    pub(crate) fields: Option<Fields>,
}

/// Takes all wrappers off a line that holds no trace.
pub(crate) fn plain(line: &[u8]) -> Plain {
    let mut plain = Plain { text: without_prefixes(line), fields: None };
    for _ in 0..LAYERS {
        let Some(mut inner) = fields(&plain.text) else { break };
        plain.text = without_prefixes(inner.line.take().unwrap_or_default().as_bytes());
        match &mut plain.fields {
            Some(outer) => outer.extend(inner),
            None => plain.fields = Some(inner),
        }
    }
    plain
}

/// Takes prefixes and colours off a line.
pub(crate) fn without_prefixes(line: &[u8]) -> Vec<u8> {
    let mut line = match memmem::find(line, b"\x1b[") {
        Some(_) => escapes::without_colours(line),
        None => line.to_vec(),
    };
    for _ in 0..LAYERS {
        let Some(stripped) = prefix::strip(&line) else { break };
        line = stripped.rest.to_vec();
    }
    line
}

/// A crash that a record holds as an object.
pub(crate) type StructuredCrash = structured::Crash;
