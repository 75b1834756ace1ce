//! Lines to crashes: a state machine that sees each line once.

use memchr::{memchr, memmem};

use crate::bytes::{self, trim_end, trim_start};
use crate::finish::{Node, Open, finish};
use crate::frame;
use crate::header::{self, Caption, Header, Omission, Relation};
use crate::lines::Line;
use crate::model::{Frame, Log, Problem, ProblemKind};

/// How many lines a message may go on for before frames must come.
const LONGEST_MESSAGE_LINES: usize = 300;
/// How many bytes a message may go on for.
const LONGEST_MESSAGE: usize = 1 << 20;
/// How many lines of other records may stand inside a trace.
const LONGEST_INTERRUPTION: usize = 2;
/// Longer lines above a frame are not looked at for an exception of unusual name.
const LONGEST_HEADER: usize = 1 << 12;
/// How many expanded frames a log may have beside those that its size entitles it to.
const EXPANSION_ALLOWANCE: usize = 100_000;

/// Takes lines, holds the crash that is being read.
#[derive(Default)]
pub(crate) struct Assembler {
    log: Log,
    open: Option<Open>,
    /// The line before, if not blank and short enough, for exceptions whose names do not show that they are ones.
    previous: Vec<u8>,
    previous_number: usize,
    /// Whether frames are being read over that belong to no exception.
    orphaned: bool,
    expansions: usize,
}

impl Assembler {
    /// Takes the next line.
    pub(crate) fn line(&mut self, line: Line<'_>) {
        if memchr(b'\r', trim_end(line.text)).is_some() {
            for part in line.text.split(|b| *b == b'\r') {
                self.part(Line { text: part, ..line });
            }
        } else {
            self.part(line);
        }
    }

    /// Ends the log.
    pub(crate) fn finish(mut self) -> Log {
        self.close();
        let problems = &mut self.log.problems;
        problems.sort_by_key(|problem| problem.line);
        if self.log.crashes.is_empty() && problems.is_empty() {
            let text = "no Java exception with its stack trace was found in the log".to_owned();
            problems.push(Problem { line: 1, kind: ProblemKind::NoTrace, text });
        }
        self.log
    }

    fn part(&mut self, line: Line<'_>) {
        let text = trim_end(line.text);
        let body = trim_start(text);
        if body.is_empty() {
            self.open_message_line(b"");
            return;
        }
        self.dispatch(line, text, body);
        self.previous.clear();
        if body.len() <= LONGEST_HEADER {
            self.previous.extend_from_slice(body);
            self.previous_number = line.number;
        }
    }

    fn dispatch(&mut self, line: Line<'_>, text: &[u8], body: &[u8]) {
        if let Some(frame) = frame::parse(body) {
            return self.frame(line.number, frame);
        }
        if let Some(open) = &mut self.open {
            let caption = header::caption(text).or_else(|| {
                let may_be = line.may_name_exception && open.has_frames();
                may_be.then(|| header::prefixed_caption(text)).flatten()
            });
            if let Some(caption) = caption {
                return self.caption(line.number, &caption);
            }
            if let Some(omission) = header::omission(body) {
                return self.omission(line.number, omission);
            }
            if frame::begins_like_frame(body) && open.has_frames() {
                open.last_line = line.number;
                let text = format!("a frame that cannot be read: {}", excerpt(body));
                return self.problem(line.number, ProblemKind::UnreadableFrame, text);
            }
        }
        if line.may_name_exception
            && let Some(header) = header::header(body)
        {
            let indent = header::width(bytes::upto(text, text.len() - body.len()));
            return self.header(line.number, &header, indent, body);
        }
        self.ordinary(body);
    }

    fn frame(&mut self, number: usize, frame: Frame) {
        if self.open.is_none() {
            let Some(header) = header::header_by_place(&self.previous) else {
                return self.orphan(number);
            };
            self.open = Some(Open::new(self.previous_number, &header, 0));
        }
        let Some(open) = &mut self.open else { return };
        if open.interruption > 0 {
            open.interruption = 0;
            let text = "lines of another log record stand inside the trace; they were left out".to_owned();
            self.log.problems.push(Problem { line: number, kind: ProblemKind::Interleaved, text });
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
            let text =
                "frames without an exception above them: a thread dump, or the exception's line is missing";
            self.problem(number, ProblemKind::FramesWithoutException, text.to_owned());
        }
    }

    fn header(&mut self, number: usize, header: &Header<'_>, indent: usize, body: &[u8]) {
        if let Some(open) = &self.open
            && open.continues_with(header, indent)
        {
            return self.ordinary(body);
        }
        self.close();
        self.open = Some(Open::new(number, header, indent));
        self.orphaned = false;
    }

    fn caption(&mut self, number: usize, caption: &Caption<'_>) {
        let Some(open) = &mut self.open else { return };
        open.last_line = number;
        open.interruption = 0;
        let id = open.nodes.len();
        open.nodes.push(Node::new(number, caption.class, caption.message, caption.indent));
        if let Some(node) = open.nodes.last_mut() {
            node.circular = caption.circular;
        }
        let ambiguous = match caption.relation {
            Relation::Cause => open.link_cause(id, caption.indent),
            Relation::Suppressed => open.link_suppressed(id, caption.indent),
            Relation::Wrapper => open.link_wrapper(id, caption.indent),
        };
        if ambiguous {
            let text = "without indentation it is open whether this is the cause of the suppressed exception or of the \
                        one around it; the latter was assumed";
            self.problem(number, ProblemKind::AmbiguousNesting, text.to_owned());
        }
    }

    fn omission(&mut self, number: usize, omission: Omission) {
        let Some(open) = &mut self.open else { return };
        open.last_line = number;
        let Some(node) = open.nodes.last_mut() else { return };
        match omission {
            Omission::Common(count) => {
                node.common = node.common.saturating_add(count);
                node.common_line = number;
            }
            Omission::Filtered(count) => {
                if let Some(frame) = node.frames.last_mut() {
                    frame.omitted_after = frame.omitted_after.saturating_add(count);
                }
                let text = format!("{count} frames were filtered out before the log was written");
                self.problem(number, ProblemKind::FramesFiltered, text);
            }
        }
    }

    /// A line that is neither frame nor header: part of a message, or the end of the crash.
    fn ordinary(&mut self, body: &[u8]) {
        self.orphaned = false;
        let Some(open) = &mut self.open else { return };
        let record = header::begins_record(body);
        if header::is_thread_state(body) {
            return self.close();
        }
        if open.awaits_frames() {
            if record || !self.open_message_line(body) {
                self.close();
            }
        } else if record && open.interruption < LONGEST_INTERRUPTION {
            open.interruption += 1;
        } else {
            self.close();
        }
    }

    /// Adds a line to the message that is being read. False if there is none, or it has grown too long.
    fn open_message_line(&mut self, body: &[u8]) -> bool {
        let Some(open) = &mut self.open else { return false };
        let awaits = open.awaits_frames();
        let Some(node) = open.nodes.last_mut().filter(|_| awaits) else { return false };
        node.message_lines += 1;
        if node.message_lines > LONGEST_MESSAGE_LINES || node.message.len() + body.len() > LONGEST_MESSAGE {
            return false;
        }
        node.message.push(b'\n');
        node.message.extend_from_slice(body);
        true
    }

    fn close(&mut self) {
        if let Some(open) = self.open.take() {
            let own: usize = open.nodes.iter().map(|node| node.frames.len()).sum();
            let allowed = own.saturating_mul(8) + EXPANSION_ALLOWANCE.saturating_sub(self.expansions);
            self.expansions += finish(open, allowed, &mut self.log);
        }
    }

    fn problem(&mut self, line: usize, kind: ProblemKind, text: String) {
        self.log.problems.push(Problem { line, kind, text });
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
    /// Whether a line that could be a header is part of the message being read instead.
    fn continues_with(&self, header: &Header<'_>, indent: usize) -> bool {
        let Some(node) = self.nodes.last() else { return false };
        if !self.awaits_frames() || !(self.certain || self.has_frames()) {
            return false;
        }
        // Remote exceptions print those nested in them as further lines of the message.
        let nested = memmem::find(&node.message, b"nested exception is:").is_some();
        !header.certain || header.thread.is_none() && (nested || indent > node.indent)
    }
}
