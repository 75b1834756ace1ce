//! Lines to crashes: a state machine that sees each line once.

use memchr::memchr;

use crate::bytes::{self, trim_end, trim_start};
use crate::finish::{Link, Node, Open, finish};
use crate::frame;
use crate::header::{self, Caption, Header, Omission, Relation};
use crate::lines::Line;
use crate::model::{Crash, Frame, Log, Problem, ProblemKind};
use crate::problems::Problems;
use crate::wrappers::Stream;
use crate::{structured, time};

/// How many lines a message may go on for before frames must come.
const LONGEST_MESSAGE_LINES: usize = 300;
/// How many bytes a message may go on for.
const LONGEST_MESSAGE: usize = 1 << 20;
/// How many lines of other records may stand inside a trace.
const LONGEST_INTERRUPTION: usize = 2;
/// How many expanded frames a log may have beside those that its size entitles it to.
const EXPANSION_ALLOWANCE: usize = 100_000;

/// Takes lines, holds the crash that is being read.
#[derive(Default)]
pub(crate) struct Assembler {
    crashes: Vec<Crash>,
    problems: Problems,
    open: Option<Open>,
    /// The stream that is being read, and the crash that the other one is in the middle of.
    stream: Stream,
    other: Option<Open>,
    /// The relation and indentation of a caption whose exception stands on the next line.
    caption: Option<(Relation, usize)>,
    /// Whether frames are being read over that belong to no exception.
    orphaned: bool,
    expansions: usize,
    /// The time of the record that is being read, as it is written; empty if none was seen.
    time: Vec<u8>,
    /// Whether a wrapper gave the time, which counts more than the record's own.
    is_wrapper_time: bool,
}

impl Assembler {
    /// Takes the next line.
    pub(crate) fn line(&mut self, line: Line<'_>) {
        self.is_wrapper_time = line.time.is_some();
        self.set_time(line.time);
        if memchr(b'\r', trim_end(line.text)).is_some() {
            for part in line.text.split(|b| *b == b'\r') {
                self.part(Line { text: part, ..line });
            }
        } else {
            self.part(line);
        }
    }

    /// Takes a crash that a record holds as an object; `lines` are the first and last of the record.
    pub(crate) fn crash(&mut self, crash: structured::Crash, lines: (usize, usize), time: Option<&[u8]>) {
        self.end_record();
        self.set_time(time);
        let structured::Crash { mut open, unreadable } = crash;
        (open.first_line, open.last_line) = lines;
        open.nodes.iter_mut().for_each(|node| (node.line, node.common_line) = (lines.0, lines.0));
        open.time = self.time();
        if unreadable > 0 {
            let text = || format!("{unreadable} frames of the record cannot be read");
            self.problems.add(lines.0, ProblemKind::UnreadableFrame, text);
        }
        self.open = Some(open);
        self.close();
    }

    /// Ends a record, so that nothing behind it can belong to its trace.
    pub(crate) fn end_record(&mut self) {
        self.close();
        self.orphaned = false;
    }

    /// Says of which stream the next lines are. The crash that the other stream is in the middle of
    /// waits for its rest.
    pub(crate) fn select(&mut self, stream: Stream) {
        if self.stream != stream {
            self.stream = stream;
            std::mem::swap(&mut self.open, &mut self.other);
        }
    }

    fn set_time(&mut self, time: Option<&[u8]>) {
        if let Some(time) = time {
            self.time.clear();
            self.time.extend_from_slice(time);
        }
    }

    fn time(&self) -> Option<String> {
        (!self.time.is_empty()).then(|| bytes::text(&self.time))
    }

    /// Notes the time with which a record begins.
    fn note_time(&mut self, record: &[u8]) {
        if !self.is_wrapper_time && header::begins_record(record) {
            self.set_time(time::leading(record));
        }
    }

    /// Ends the log.
    pub(crate) fn finish(mut self) -> Log {
        self.close();
        self.open = self.other.take();
        self.close();
        self.crashes.sort_by_key(|crash| crash.first_line);
        let mut problems = self.problems.into_list();
        if self.crashes.is_empty() && problems.is_empty() {
            let text = "no Java exception with its stack trace was found in the log".to_owned();
            problems.push(Problem { line: 1, kind: ProblemKind::NoTrace, text });
        }
        Log { crashes: self.crashes, problems }
    }

    fn part(&mut self, line: Line<'_>) {
        let text = trim_end(line.text);
        let body = trim_start(text);
        if body.is_empty() {
            self.open_message_line(b"");
            return;
        }
        if let Some((relation, indent)) = self.caption.take().filter(|_| self.open.is_some())
            && let Some(caption) = header::caption_of(relation, body, indent)
        {
            return self.caption(line.number, &caption);
        }
        if let Some(frame) = frame::at_frame(body) {
            return self.frame(line.number, frame);
        }
        if self.open.is_some() && self.trace_line(line, text, body) {
            return;
        }
        let named = if line.may_name_exception { header::header(body) } else { None };
        // Messages may end like frames, so a line that surely names an exception is never one.
        if !named.is_some_and(|header| header.certain)
            && let Some(frame) = frame::other_frame(body)
        {
            return self.frame(line.number, frame);
        }
        if let Some(header) = named.or_else(|| header::possible_header(body)) {
            let indent = header::width(bytes::upto(text, text.len() - body.len()));
            return self.header(line.number, &header, indent, text);
        }
        self.ordinary(text);
    }

    /// Takes a line that only means something inside a trace. False if it is none.
    fn trace_line(&mut self, line: Line<'_>, text: &[u8], body: &[u8]) -> bool {
        let Some(open) = &mut self.open else { return false };
        let caption = header::caption(text).or_else(|| {
            let may_be = line.may_name_exception && open.has_frames();
            may_be.then(|| header::prefixed_caption(text)).flatten()
        });
        if let Some(caption) = caption {
            self.caption(line.number, &caption);
        } else if let Some(relation) = header::lone_caption(body).filter(|_| open.has_frames()) {
            self.caption = Some((relation, header::width(bytes::upto(text, text.len() - body.len()))));
        } else if let Some(omission) = header::omission(body).filter(|it| open.may_omit(*it)) {
            self.omission(line.number, omission);
        } else if frame::begins_like_frame(body) && open.has_frames() {
            open.last_line = line.number;
            let text = || format!("a frame that cannot be read: {}", excerpt(body));
            self.problems.add(line.number, ProblemKind::UnreadableFrame, text);
        } else {
            return false;
        }
        true
    }

    fn frame(&mut self, number: usize, frame: Frame) {
        if self.open.as_ref().is_some_and(Open::is_complete) {
            self.close();
        }
        let Some(open) = &mut self.open else { return self.orphan(number) };
        if open.interruption > 0 {
            open.interruption = 0;
            let text = || "lines of another log record stand inside the trace; they were left out".to_owned();
            self.problems.add(number, ProblemKind::Interleaved, text);
        }
        open.last_line = number;
        if let Some(node) = open.nodes.last_mut() {
            node.frames.push(frame);
        }
        self.orphaned = false;
    }

    fn orphan(&mut self, number: usize) {
        if !self.orphaned {
            self.orphaned = true;
            self.problems.add(number, ProblemKind::FramesWithoutException, || {
                "frames without an exception above them: a thread dump, or the exception's line is \
                 missing"
                    .to_owned()
            });
        }
    }

    fn header(&mut self, number: usize, header: &Header<'_>, indent: usize, text: &[u8]) {
        if let Some(open) = &self.open
            && open.continues_with(header, indent)
        {
            return self.ordinary(text);
        }
        self.close();
        self.note_time(trim_start(text));
        let mut open = Open { time: self.time(), ..Open::new(number, header, indent) };
        // Some programs put the first frame on the line of the exception: `java.lang.Error at
        // a.B.c(B.java:1)`.
        if let Some(node) = open.nodes.last_mut()
            && let Some(frame) = frame::at_frame(&node.message)
        {
            node.message.clear();
            node.frames.push(frame);
        }
        self.open = Some(open);
        self.orphaned = false;
    }

    fn caption(&mut self, number: usize, caption: &Caption<'_>) {
        let Some(open) = &mut self.open else { return };
        open.last_line = number;
        open.interruption = 0;
        let mut node = Node::new(number, caption.class, caption.message, caption.indent);
        node.circular = caption.circular;
        let link = match caption.relation {
            Relation::Cause => open.add_cause(node),
            Relation::Suppressed => open.add_suppressed(node),
            Relation::Wrapper => open.add_wrapper(node),
        };
        match link {
            Link::Clear => {}
            Link::Ambiguous => self.problems.add(number, ProblemKind::AmbiguousNesting, || {
                "without indentation it is open whether this is the cause of the suppressed exception \
                 or of the one \
                 around it; the latter was assumed"
                    .to_owned()
            }),
            Link::Contradictory => {
                let (class, message) = (caption.class, caption.message);
                let header = Header { class, message, thread: None, certain: false };
                self.close();
                self.open = Some(Open { time: self.time(), ..Open::new(number, &header, caption.indent) });
            }
        }
    }

    fn omission(&mut self, number: usize, omission: Omission) {
        let Some(open) = self.open.as_mut().filter(|open| !open.is_complete()) else { return };
        open.last_line = number;
        let Some(node) = open.nodes.last_mut() else { return };
        match omission {
            Omission::Common(count) => {
                node.common = count;
                node.common_line = number;
            }
            Omission::Filtered(count) => {
                if let Some(frame) = node.frames.last_mut() {
                    frame.omitted_after = frame.omitted_after.saturating_add(count);
                }
                let text = || format!("{count} frames were filtered out before the log was written");
                self.problems.add(number, ProblemKind::FramesFiltered, text);
            }
            Omission::Uncounted => {
                if let Some(frame) = node.frames.last_mut() {
                    frame.omitted_after = frame.omitted_after.saturating_add(1);
                }
                let text = || "frames were left out here before the log was written".to_owned();
                self.problems.add(number, ProblemKind::FramesFiltered, text);
            }
        }
    }

    /// A line that is neither frame nor header: part of a message, or the end of the crash.
    fn ordinary(&mut self, text: &[u8]) {
        let body = trim_start(text);
        // Thread dumps list the locks between the frames.
        self.orphaned &= body.starts_with(b"- ");
        self.note_time(body);
        let Some(open) = &mut self.open else { return };
        let record = header::begins_record(body);
        if header::is_thread_state(body) {
            return self.close();
        }
        if open.awaits_frames() {
            if record || !self.open_message_line(text) {
                self.close();
            }
        } else if record && open.interruption < LONGEST_INTERRUPTION {
            open.interruption += 1;
        } else {
            self.close();
        }
    }

    /// Adds a line to the message that is being read. False if there is none, or it has grown too
    /// long.
    fn open_message_line(&mut self, text: &[u8]) -> bool {
        let Some(open) = &mut self.open else { return false };
        let awaits = open.awaits_frames();
        let Some(node) = open.nodes.last_mut().filter(|_| awaits) else { return false };
        node.message_lines += 1;
        if node.message_lines > LONGEST_MESSAGE_LINES || node.message.len() + text.len() > LONGEST_MESSAGE {
            return false;
        }
        node.message.push(b'\n');
        node.message.extend_from_slice(text);
        true
    }

    fn close(&mut self) {
        if let Some(open) = self.open.take() {
            let own: usize = open.nodes.iter().map(|node| node.frames.len()).sum();
            let allowed = own.saturating_mul(8) + EXPANSION_ALLOWANCE.saturating_sub(self.expansions);
            self.expansions += finish(open, allowed, &mut self.crashes, &mut self.problems);
        }
    }
}

/// The beginning of a line, for messages.
fn excerpt(body: &[u8]) -> String {
    let text = bytes::text(bytes::upto(body, 400));
    match text.char_indices().nth(100) {
        Some((end, _)) => text.get(..end).unwrap_or_default().to_owned() + "…",
        None => text,
    }
}

impl Open {
    /// Whether a line may stand for frames: without a number it may be part of a message, too.
    fn may_omit(&self, omission: Omission) -> bool {
        omission != Omission::Uncounted || self.nodes.last().is_some_and(|node| !node.frames.is_empty())
    }

    /// Whether a line that could be a header is part of the message being read instead.
    fn continues_with(&self, header: &Header<'_>, indent: usize) -> bool {
        let Some(node) = self.nodes.last() else { return false };
        if !self.awaits_frames() || !(self.certain || self.has_frames()) {
            return false;
        }
        // Remote exceptions print those nested in them as further lines of the message.
        let nested = trim_end(&node.message).ends_with(b"nested exception is:");
        !header.certain || header.thread.is_none() && (nested || indent > node.indent)
    }
}
