//! The grammar of the lines that name a throwable, after `Throwable.printStackTrace` and the
//! logging frameworks.

use memchr::{memchr, memmem};

use crate::bytes::{self, is_blank, is_name_byte, number, trim, trim_end, trim_start};
use crate::time;

/// The longest class name that is believed.
const LONGEST_CLASS: usize = 1 << 12;

/// A line, or the rest of one, that names a throwable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Header<'a> {
    pub(crate) class: &'a [u8],
    /// The text after the class; empty if there is none.
    pub(crate) message: &'a [u8],
    pub(crate) thread: Option<&'a [u8]>,
    /// Whether the line is one that `printStackTrace` writes, and not just a mention that frames
    /// may follow.
    pub(crate) certain: bool,
}

/// The caption of a throwable inside a trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Relation {
    /// `Caused by:`
    Cause,
    /// `Suppressed:`
    Suppressed,
    /// `Wrapped by:`, after the throwable that it wraps.
    Wrapper,
}

/// A line that introduces a throwable inside a trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Caption<'a> {
    pub(crate) relation: Relation,
    pub(crate) class: &'a [u8],
    pub(crate) message: &'a [u8],
    pub(crate) circular: bool,
    /// How far the caption is indented, behind a log prefix if there is one.
    pub(crate) indent: usize,
}

const CIRCULAR: &[u8] = b"[CIRCULAR REFERENCE:";

const CAPTIONS: [(&[u8], Relation); 5] = [
    (b"Caused by:", Relation::Cause),
    (b"Caused By:", Relation::Cause),
    (b"Suppressed:", Relation::Suppressed),
    (b"Wrapped by:", Relation::Wrapper),
    (b"[wrapped]", Relation::Wrapper),
];

/// Reads a line as a caption. `line` begins with its indentation.
pub(crate) fn caption(line: &[u8]) -> Option<Caption<'_>> {
    let body = trim_start(line);
    if !matches!(body.first(), Some(b'C' | b'S' | b'W' | b'[')) {
        return None;
    }
    let indent = width(bytes::upto(line, line.len() - body.len()));
    for (label, relation) in CAPTIONS {
        if let Some(rest) = body.strip_prefix(label) {
            return caption_of(relation, trim(rest), indent);
        }
    }
    // JDK 8 prints a circular reference without saying what it is to the exception above.
    if body.starts_with(CIRCULAR) { caption_of(Relation::Cause, body, indent) } else { None }
}

/// A caption behind a log prefix. To be told from running text it must name an exception class.
pub(crate) fn prefixed_caption(line: &[u8]) -> Option<Caption<'_>> {
    let (position, relation) = CAPTIONS
        .iter()
        .find_map(|(label, relation)| memmem::find(line, label).map(|position| (position, *relation)))?;
    let before = bytes::upto(line, position);
    let gap = bytes::from(before, trim_end(before).len());
    let rest = bytes::from(line, position);
    let rest = trim(bytes::from(rest, memchr(b':', rest).map_or(b"[wrapped]".len(), |colon| colon + 1)));
    caption_of(relation, rest, width(gap)).filter(|caption| names_exception(caption.class))
}

/// The relation of a caption that stands alone: some test runners put the exception on the next line.
pub(crate) fn lone_caption(body: &[u8]) -> Option<Relation> {
    CAPTIONS.iter().find(|(label, _)| *label == body).map(|(_, relation)| *relation)
}

/// A caption of which the rest behind its label is given.
pub(crate) fn caption_of(relation: Relation, rest: &[u8], indent: usize) -> Option<Caption<'_>> {
    let inner = rest.strip_prefix(CIRCULAR);
    let circular = inner.is_some();
    let rest = after_hash(rest);
    let text = inner.map_or(rest, |inner| trim(inner.strip_suffix(b"]").unwrap_or(inner)));
    let (class, message) = class_and_message(text)?;
    Some(Caption { relation, class, message, circular, indent })
}

/// The text after `<#4f1c2a3b> `, the hash by which some encoders let equal traces be found.
fn after_hash(text: &[u8]) -> &[u8] {
    let after = || {
        let inside = text.strip_prefix(b"<#")?;
        let (hash, rest) = bytes::split(inside, memchr(b'>', bytes::upto(inside, 20))?);
        hash.iter().all(u8::is_ascii_hexdigit).then(|| trim_start(bytes::from(rest, 1)))
    };
    after().unwrap_or(text)
}

/// Splits `class: message`. The class is believed whatever it is called, as long as it can be one.
fn class_and_message(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = text.iter().position(|b| !is_name_byte(*b) && *b != b'.').unwrap_or(text.len());
    let (class, rest) = bytes::split(text, end);
    let message = match rest {
        [] => rest,
        [b':', rest @ ..] => trim_start(rest),
        rest if names_exception(class) => trim_start(rest),
        _ => return None,
    };
    is_class(class).then_some((class, message))
}

/// How far an indentation reaches; only to be compared with others of the same log.
pub(crate) fn width(blanks: &[u8]) -> usize {
    blanks.iter().map(|b| if *b == b'\t' { 8 } else { 1 }).sum()
}

/// Finds the header in a line, given without blanks at either end, that holds `Exception`, `Error`
/// or `Throwable`.
pub(crate) fn header(body: &[u8]) -> Option<Header<'_>> {
    if let Some(found) = in_thread(body).or_else(|| thrown_from_handler(body)) {
        return Some(found);
    }
    let mut fallback = None;
    let mut next = 0;
    for word in body.split(|b| !is_name_byte(*b) && *b != b'.') {
        let end = next + word.len();
        next = end + 1;
        // Blanks beyond ASCII look like letters, byte by byte.
        let class = trim_start(word);
        let start = end - class.len();
        if !names_exception(class) {
            continue;
        }
        let Some(message) = message_after(bytes::from(body, end), start == 0) else { continue };
        let qualified = memchr(b'.', class).is_some();
        let at_start = bytes::upto(body, start).iter().all(|b| b"[\"'".contains(b));
        let header = Header { class, message, thread: None, certain: qualified && at_start };
        if qualified {
            return Some(header);
        }
        fallback = fallback.or(Some(header));
    }
    fallback
}

/// A line that `Throwable.toString` could have written for a class whose name does not show that it
/// is an exception. Only frames that follow can tell.
pub(crate) fn possible_header(body: &[u8]) -> Option<Header<'_>> {
    if !body.first().is_some_and(|b| b.is_ascii_alphabetic() || *b >= 0x80) {
        return None;
    }
    let end = body.iter().position(|b| !is_name_byte(*b) && *b != b'.').unwrap_or(body.len());
    let (class, rest) = bytes::split(body, end);
    let message = match rest {
        [] => rest,
        [b':'] | [b':', b' ', ..] => trim_start(bytes::from(rest, 1)),
        _ => return None,
    };
    // A single word before a colon is too common; a package or an outer class tells a class from
    // it.
    let last = match memchr::memrchr(b'.', class) {
        Some(dot) => bytes::from(class, dot + 1),
        None => memchr(b'$', class).map(|_| class)?,
    };
    // Obfuscators leave one or two letters.
    let is_obfuscated = last.len() <= 2 && last.len() < class.len();
    let is_name = last.first().is_some_and(|b| b.is_ascii_uppercase() || *b >= 0x80);
    let plausible = is_class(class) && (is_name || is_obfuscated);
    (plausible && !is_thread_state(body)).then_some(Header { class, message, thread: None, certain: false })
}

/// Whether the line belongs to a thread dump, whose frames are no crash.
pub(crate) fn is_thread_state(body: &[u8]) -> bool {
    body.starts_with(b"java.lang.Thread.State:")
}

/// `Exception in thread "name" class: message`, possibly behind a log prefix.
fn in_thread(body: &[u8]) -> Option<Header<'_>> {
    const LABEL: &[u8] = b"Exception in thread ";
    let rest = bytes::from(body, memmem::find(body, LABEL)? + LABEL.len());
    // Names of threads may hold quotes: the class tells where the name ends. More than a few quotes
    // are no name.
    let (quoted, end): (_, &[u8]) = match rest.strip_prefix(b"\"") {
        Some(quoted) => (quoted, b"\" "),
        None => (rest, b" "),
    };
    memmem::find_iter(quoted, end).take(8).find_map(|position| {
        let (class, message) = class_and_message(trim_start(bytes::from(quoted, position + end.len())))?;
        let thread = Some(bytes::upto(quoted, position));
        Some(Header { class, message, thread, certain: true })
    })
}

/// `Exception: class thrown from the UncaughtExceptionHandler in thread "name"`, which the JVM
/// prints without frames.
fn thrown_from_handler(body: &[u8]) -> Option<Header<'_>> {
    let rest = body.strip_prefix(b"Exception: ")?;
    let end = memmem::find(rest, b" thrown from the UncaughtExceptionHandler in thread ")?;
    let class = bytes::upto(rest, end);
    let quote = memchr(b'"', rest)?;
    let thread = bytes::from(rest, quote + 1);
    let thread = thread.strip_suffix(b"\"").unwrap_or(thread);
    names_exception(class).then_some(Header { class, message: &[], thread: Some(thread), certain: true })
}

/// The text after a class name, if the name can end there.
fn message_after(rest: &[u8], at_start: bool) -> Option<&[u8]> {
    match rest {
        [] => Some(rest),
        [b':', after @ ..] if after.first().is_none_or(|b| is_blank(*b)) => Some(trim_start(after)),
        // Some exceptions print themselves as `Class[message]; nested: …`.
        [b'[', ..] => Some(rest),
        [b' ', ..] if at_start => Some(trim_start(rest)),
        _ => None,
    }
}

/// Whether a class is named like an exception: its simple name, or that of a class around it, ends
/// so.
fn names_exception(class: &[u8]) -> bool {
    let simple = bytes::from(class, memchr::memrchr(b'.', class).map_or(0, |dot| dot + 1));
    let named = |part: &[u8]| {
        part.ends_with(b"Exception") || part.ends_with(b"Error") || part.ends_with(b"Throwable")
    };
    simple.len() >= b"Error".len() && simple.split(|b| *b == b'$').any(named) && is_class(class)
}

/// Whether a text can be the name of a class.
pub(crate) fn is_class(class: &[u8]) -> bool {
    class.len() <= LONGEST_CLASS
        && class.split(|b| *b == b'.').all(is_identifier)
        && !bytes::holds_wide_blank(class)
}

fn is_identifier(segment: &[u8]) -> bool {
    segment.first().is_some_and(|b| !b.is_ascii_digit()) && segment.iter().all(|b| is_name_byte(*b))
}

/// A line that stands for frames.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Omission {
    /// The last frames of the enclosing trace: `... 3 more`, `... 3 common frames omitted`.
    Common(usize),
    /// Frames that the logging framework filtered out: `... 3 frames excluded`.
    Filtered(u32),
    /// Frames that were left out without a number, by hand or by a framework: `...`.
    Uncounted,
}

/// Reads a line such as `... 3 more`, given without blanks at either end. It may stand behind a log
/// prefix.
pub(crate) fn omission(body: &[u8]) -> Option<Omission> {
    if UNCOUNTED.contains(&body) {
        return Some(Omission::Uncounted);
    }
    let words = [&b" more"[..], b" omitted", b" excluded", b" truncated", b" filtered", b" lines"];
    let body = match body {
        [b'.', b'.', b'.', ..] => body,
        _ if words.iter().any(|word| body.ends_with(word)) => {
            let position = memmem::rfind(body, b"... ")?;
            let set_off = bytes::upto(body, position).last().is_some_and(|b| is_blank(*b));
            if set_off { bytes::from(body, position) } else { return None }
        }
        _ => return None,
    };
    let rest = trim_start(body.strip_prefix(b"...")?);
    if let Some(lines) = rest.strip_prefix(b"suppressed ") {
        let count = lines.strip_suffix(b" lines").or(lines.strip_suffix(b" line"))?;
        return number(count).map(Omission::Filtered);
    }
    let end = rest.iter().position(|b| !b.is_ascii_digit())?;
    let (digits, words) = bytes::split(rest, end);
    let words = trim_start(words);
    if words.starts_with(b"more") || words.starts_with(b"common frame") {
        return Some(Omission::Common(number(digits).unwrap_or(usize::MAX)));
    }
    let filtered = [&b"frame"[..], b"line", b"filtered", b"skipped", b"excluded", b"truncated"];
    let known = !digits.is_empty() && filtered.iter().any(|word| words.starts_with(word));
    known.then(|| Omission::Filtered(number(digits).unwrap_or(u32::MAX)))
}

/// Whether a line begins a log record: with a date, a time or a level.
pub(crate) fn begins_record(body: &[u8]) -> bool {
    let body = body.strip_prefix(b"[").unwrap_or(body);
    match body {
        [a, b, c, d, b'-' | b'/' | b'.', ..] if [a, b, c, d].iter().all(|b| b.is_ascii_digit()) => true,
        [a, b, b':' | b'/' | b'-' | b'.', c, d, ..] if [a, b, c, d].iter().all(|b| b.is_ascii_digit()) => {
            true
        }
        _ if time::begins_with_month(body) => true,
        _ => LEVELS.iter().any(|level| {
            body.strip_prefix(*level).is_some_and(|rest| rest.first().is_none_or(|b| !is_name_byte(*b)))
        }),
    }
}

/// Whether a word is the level of a record.
pub(crate) fn is_level(word: &[u8]) -> bool {
    LEVELS.contains(&word)
}

/// Lines that stand for frames that were left out.
const UNCOUNTED: [&[u8]; 6] = [b"...", b"[...]", b"(...)", b"\xe2\x80\xa6", b"[snip]", b"<snip>"];

const LEVELS: [&[u8]; 11] = [
    b"TRACE", b"DEBUG", b"INFO", b"WARN", b"WARNING", b"ERROR", b"FATAL", b"SEVERE", b"FINE", b"CONFIG",
    b"FINER",
];
