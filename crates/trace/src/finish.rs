//! A crash being read, and its completion: order, expansion of common frames, messages.

use crate::bytes::{self, trim_end};
use crate::header::Header;
use crate::model::{Crash, Frame, ProblemKind, Throwable, ThrowableId};
use crate::problems::Problems;

/// The exceptions that HotSpot's compiled code throws without a trace after a while.
const FAST_THROWN: [&str; 5] = [
    "java.lang.NullPointerException",
    "java.lang.ArithmeticException",
    "java.lang.ArrayIndexOutOfBoundsException",
    "java.lang.ArrayStoreException",
    "java.lang.ClassCastException",
];

/// A crash of which more lines may come.
pub(crate) struct Open {
    pub(crate) thread: Option<String>,
    /// The time of its record, as it is written.
    pub(crate) time: Option<String>,
    pub(crate) first_line: usize,
    pub(crate) last_line: usize,
    /// Whether the first line can be nothing but the start of a trace.
    pub(crate) certain: bool,
    pub(crate) nodes: Vec<Node>,
    /// The nodes that captions can still refer to, the innermost last; never empty.
    pub(crate) stack: Vec<usize>,
    pub(crate) outermost: usize,
    pub(crate) root_cause_first: bool,
    /// How many lines of other records came since the last line of the trace.
    pub(crate) interruption: usize,
}

/// A throwable being read; links are places in [`Open::nodes`].
pub(crate) struct Node {
    pub(crate) line: usize,
    pub(crate) class: Vec<u8>,
    pub(crate) message: Vec<u8>,
    pub(crate) message_lines: usize,
    /// How much of the message stood on the first line.
    first_message: usize,
    pub(crate) indent: usize,
    pub(crate) frames: Vec<Frame>,
    /// The number of `... n more`.
    pub(crate) common: usize,
    pub(crate) common_line: usize,
    pub(crate) cause: Option<usize>,
    pub(crate) suppressed: Vec<usize>,
    pub(crate) circular: bool,
}

impl Node {
    pub(crate) fn new(line: usize, class: &[u8], message: &[u8], indent: usize) -> Self {
        Self {
            line,
            class: class.to_vec(),
            message: message.to_vec(),
            message_lines: 0,
            first_message: message.len(),
            indent,
            frames: Vec::new(),
            common: 0,
            common_line: 0,
            cause: None,
            suppressed: Vec::new(),
            circular: false,
        }
    }
}

impl Open {
    pub(crate) fn new(line: usize, header: &Header<'_>, indent: usize) -> Self {
        Self {
            thread: header.thread.map(bytes::text),
            time: None,
            first_line: line,
            last_line: line,
            certain: header.certain,
            nodes: vec![Node::new(line, header.class, header.message, indent)],
            stack: vec![0],
            outermost: 0,
            root_cause_first: false,
            interruption: 0,
        }
    }

    /// A crash whose exceptions are all known.
    pub(crate) fn of_nodes(nodes: Vec<Node>, outermost: usize) -> Self {
        Self {
            thread: None,
            time: None,
            first_line: 1,
            last_line: 1,
            certain: true,
            nodes,
            stack: vec![outermost],
            outermost,
            root_cause_first: false,
            interruption: 0,
        }
    }

    /// Whether any frame was read.
    pub(crate) fn has_frames(&self) -> bool {
        self.nodes.len() > 1 || !self.awaits_frames()
    }

    /// Whether the throwable named last has neither frames nor `... n more` yet.
    pub(crate) fn awaits_frames(&self) -> bool {
        self.nodes.last().is_some_and(|node| node.frames.is_empty()) && !self.is_complete()
    }

    /// Whether the throwable named last can have no further frames.
    pub(crate) fn is_complete(&self) -> bool {
        self.nodes.last().is_some_and(|node| node.common > 0 || node.circular)
    }

    fn indent_of(&self, id: usize) -> usize {
        self.nodes.get(id).map_or(0, |node| node.indent)
    }

    /// Closes the nodes for which `closes` holds, but never the outermost one; gives the innermost
    /// that is left.
    fn close_nodes(&mut self, closes: impl Fn(usize) -> bool) -> usize {
        while let [.., _, top] = self.stack.as_slice() {
            if !closes(self.indent_of(*top)) {
                break;
            }
            self.stack.pop();
        }
        self.stack.last().copied().unwrap_or(0)
    }

    /// `printStackTrace` indents a cause as far as the exception that it caused.
    pub(crate) fn add_cause(&mut self, node: Node) -> Link {
        let id = self.nodes.len();
        let mut parent = self.close_nodes(|open| open > node.indent);
        let flat = match self.stack.as_slice() {
            [.., around, _] => self.indent_of(*around) == node.indent,
            _ => false,
        };
        if flat {
            self.stack.pop();
            parent = self.stack.last().copied().unwrap_or(0);
        }
        match self.nodes.get_mut(parent) {
            Some(parent) if parent.cause.is_none() => parent.cause = Some(id),
            _ => return Link::Contradictory,
        }
        self.replace_top(node);
        if flat { Link::Ambiguous } else { Link::Clear }
    }

    /// `printStackTrace` indents a suppressed exception further than the one it was suppressed in.
    pub(crate) fn add_suppressed(&mut self, node: Node) -> Link {
        let id = self.nodes.len();
        let parent = self.close_nodes(|open| open >= node.indent);
        if let Some(parent) = self.nodes.get_mut(parent) {
            parent.suppressed.push(id);
        }
        self.stack.push(id);
        self.nodes.push(node);
        Link::Clear
    }

    /// A wrapper follows the exception that it wraps and takes its place.
    pub(crate) fn add_wrapper(&mut self, mut node: Node) -> Link {
        let id = self.nodes.len();
        self.close_nodes(|open| open > node.indent);
        let place = match self.stack.as_slice() {
            [.., around, _] => self.nodes.get_mut(*around).and_then(|around| around.suppressed.last_mut()),
            _ => {
                self.root_cause_first = true;
                Some(&mut self.outermost)
            }
        };
        let Some(place) = place else { return Link::Contradictory };
        node.cause = Some(std::mem::replace(place, id));
        self.replace_top(node);
        Link::Clear
    }

    /// Adds a node that captions refer to from now on instead of the innermost one.
    fn replace_top(&mut self, node: Node) {
        self.stack.pop();
        self.stack.push(self.nodes.len());
        self.nodes.push(node);
    }
}

/// How well a caption fits the lines above it.
pub(crate) enum Link {
    /// There is one way to understand it.
    Clear,
    /// There are several; the likeliest was taken.
    Ambiguous,
    /// There is none: the caption begins something else and was not added.
    Contradictory,
}

/// Completes a crash and adds it to the log; gives the number of expanded frames, which is at most
/// `allowed`.
pub(crate) fn finish(
    mut open: Open,
    allowed: usize,
    crashes: &mut Vec<Crash>,
    problems: &mut Problems,
) -> usize {
    let has_frames = open.nodes.iter().any(|node| !node.frames.is_empty());
    if !has_frames && !open.certain {
        return 0;
    }
    let order = order(&open);
    let mut place = vec![0; open.nodes.len()];
    for (new, (old, _)) in order.iter().enumerate() {
        if let Some(place) = place.get_mut(*old) {
            *place = new;
        }
    }
    let id = |old: usize| ThrowableId(place.get(old).copied().unwrap_or(0));
    let mut throwables: Vec<Throwable> = Vec::with_capacity(order.len());
    let mut expansions = 0;
    for (old, around) in &order {
        let Some(node) = open.nodes.get_mut(*old) else { continue };
        let enclosing =
            around.and_then(|around| throwables.get(id(around).0)).map(|around| &around.frames[..]);
        let common = expand(node, enclosing.unwrap_or_default(), allowed - expansions, problems);
        expansions += common.len();
        let mut throwable = complete(node, id);
        throwable.expanded = common.len();
        throwable.frames.extend(common);
        throwables.push(throwable);
    }
    let crash = Crash {
        thread: open.thread,
        time: open.time,
        first_line: open.first_line,
        last_line: open.last_line,
        root_cause_first: open.root_cause_first,
        throwables,
    };
    explain_missing_frames(&crash, crashes, problems);
    crashes.push(crash);
    expansions
}

/// The nodes, each with the node that encloses it, every node behind the one that encloses it: the
/// outermost, then along causes, suppressed ones after the causes. Not recursive, as logs may nest
/// as deep as they are long.
fn order(open: &Open) -> Vec<(usize, Option<usize>)> {
    let mut order = Vec::with_capacity(open.nodes.len());
    let mut waiting = vec![(open.outermost, None)];
    while let Some((id, around)) = waiting.pop() {
        order.push((id, around));
        if let Some(node) = open.nodes.get(id) {
            waiting.extend(node.suppressed.iter().rev().map(|inner| (*inner, Some(id))));
            waiting.extend(node.cause.map(|inner| (inner, Some(id))));
        }
    }
    order
}

/// The frames for which `... n more` stands: the last ones of the enclosing trace. Frames that were
/// filtered out there count, too.
fn expand(node: &Node, enclosing: &[Frame], allowed: usize, problems: &mut Problems) -> Vec<Frame> {
    if node.common == 0 {
        return Vec::new();
    }
    let (count, held) = (node.common, enclosing.len());
    let Some(common) = shared(enclosing, count) else {
        problems.add(node.common_line, ProblemKind::MissingFrames, || match held {
            0 => {
                format!("{count} more frames are those of an enclosing exception that the log does not show")
            }
            held => {
                format!("{count} more frames are said to be the enclosing exception's, which has only {held}")
            }
        });
        return Vec::new();
    };
    if count > allowed {
        problems.add(node.common_line, ProblemKind::ExpansionLimit, || {
            format!("{count} common frames were not filled in, as the log asks for too many of them")
        });
        return Vec::new();
    }
    common.to_vec()
}

/// The last frames of a trace, as many as a number counts; None if there are fewer.
fn shared(enclosing: &[Frame], count: usize) -> Option<&[Frame]> {
    let mut left = count;
    let mut start = enclosing.len();
    for (index, frame) in enclosing.iter().enumerate().rev() {
        left = left.saturating_sub(usize::try_from(frame.omitted_after).unwrap_or(usize::MAX));
        let Some(rest) = left.checked_sub(1) else { break };
        (left, start) = (rest, index);
    }
    enclosing.get(start..).filter(|_| left == 0)
}

fn complete(node: &mut Node, id: impl Fn(usize) -> ThrowableId) -> Throwable {
    // Without frames below them, the lines after the first are as likely something else.
    if node.frames.is_empty() && node.common == 0 {
        node.message.truncate(node.first_message);
    }
    let message = trim_end_lines(&node.message);
    let printed_null = message == b"null";
    Throwable {
        class: bytes::text(&node.class),
        message: (!message.is_empty() && !printed_null).then(|| bytes::text(message)),
        printed_null,
        line: node.line,
        frames: std::mem::take(&mut node.frames),
        expanded: 0,
        cause: node.cause.map(&id),
        suppressed: node.suppressed.iter().map(|inner| id(*inner)).collect(),
        circular: node.circular,
        cycle: None,
    }
}

fn trim_end_lines(mut message: &[u8]) -> &[u8] {
    loop {
        message = trim_end(message);
        match message {
            [rest @ .., b'\n'] => message = rest,
            _ => return message,
        }
    }
}

/// Says why a crash has no frames, and where in the log to look for them.
fn explain_missing_frames(crash: &Crash, earlier: &[Crash], problems: &mut Problems) {
    if crash.throwables.iter().any(|throwable| !throwable.frames.is_empty()) {
        return;
    }
    let Some(outermost) = crash.outermost() else { return };
    problems.add(crash.first_line, ProblemKind::NoFrames, || {
        let class = &outermost.class;
        let mut text = format!("{class} is logged without frames, so there is nothing to reproduce it from");
        if FAST_THROWN.contains(&class.as_str()) {
            text += "; the JVM leaves them out once compiled code has thrown many: look for the first \
                 ones, or run with \
                     -XX:-OmitStackTraceInFastThrow";
        }
        let with_frames = |throwable: &Throwable| throwable.class == *class && !throwable.frames.is_empty();
        if let Some(found) = earlier.iter().find(|crash| crash.throwables.iter().any(with_frames)) {
            text += &format!("; the crash in line {} of the log has them", found.first_line);
        }
        text
    });
}
