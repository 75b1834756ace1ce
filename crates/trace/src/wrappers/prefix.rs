//! Prefixes that transports put before each line: container runtimes, syslog, Android's log, mail.
//!
//! Each is recognised by a form that no line of a trace has. The common prefixes of logging frameworks
//! (date, level, thread, logger) are not taken off: [`crate::header`] looks past them.

use memchr::memchr;

use crate::bytes::{self, is_blank, number, trim_start};
use crate::{header, time};

/// A line without its prefix.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stripped<'a> {
    pub(super) rest: &'a [u8],
    /// The time in the prefix, as it is written.
    pub(super) time: Option<&'a [u8]>,
    pub(super) cut: Cut,
    /// Whether the line may hold the octal escapes of syslog daemons.
    pub(super) is_syslog: bool,
}

/// Whether a container runtime cut a long line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cut {
    /// The line is whole.
    Whole,
    /// More of the line comes.
    Begun(Stream),
    /// The line ends here; earlier parts of it may have come.
    Ended(Stream),
}

/// The stream of a process.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Stream {
    /// Standard output.
    #[default]
    Out,
    /// Standard error.
    Err,
}

impl<'a> Stripped<'a> {
    fn new(rest: &'a [u8], time: Option<&'a [u8]>) -> Self {
        Self { rest, time, cut: Cut::Whole, is_syslog: false }
    }
}

/// Takes a prefix off a line.
pub(super) fn strip(text: &[u8]) -> Option<Stripped<'_>> {
    match text.first()? {
        b'!' => dropwizard(text),
        b'>' => mail_quote(text),
        b'<' => syslog_priority(text),
        b'[' => kubernetes_pod(text),
        b'0'..=b'9' => dated(text).or_else(|| android(text)),
        b'A'..=b'Z' => syslog(text).or_else(|| android_brief(text, None)).or_else(|| compose(text)),
        b'a'..=b'z' => compose(text),
        _ => None,
    }
}

/// The text after `! `, which Dropwizard puts before each line of a trace.
fn dropwizard(text: &[u8]) -> Option<Stripped<'_>> {
    match text {
        [b'!', b' ', rest @ ..] => Some(Stripped::new(rest, None)),
        [b'!', b'\t' | b'.', ..] | [b'!'] => Some(Stripped::new(bytes::from(text, 1), None)),
        _ => None,
    }
}

/// The text after `> `, which mail and issue trackers put before quoted lines.
fn mail_quote(text: &[u8]) -> Option<Stripped<'_>> {
    let rest = text.strip_prefix(b">")?;
    let quoted = rest.is_empty() || rest.first().is_some_and(|b| is_blank(*b) || *b == b'>');
    quoted.then(|| Stripped::new(rest.strip_prefix(b" ").unwrap_or(rest), None))
}

/// The text after `[pod/shop-7d9/till] `, which `kubectl logs --prefix` writes.
fn kubernetes_pod(text: &[u8]) -> Option<Stripped<'_>> {
    let inside = text.strip_prefix(b"[pod/")?;
    let end = memchr(b']', bytes::upto(inside, 512))?;
    let rest = bytes::from(inside, end + 1);
    Some(Stripped::new(rest.strip_prefix(b" ").unwrap_or(rest), None))
}

/// Prefixes that begin with a date in the form of RFC 3339.
fn dated(text: &[u8]) -> Option<Stripped<'_>> {
    if text.get(10) != Some(&b'T') {
        return None;
    }
    let end = memchr(b' ', bytes::upto(text, 48))?;
    let (time, rest) = (bytes::upto(text, end), bytes::from(text, end + 1));
    if !time::is_stamp(time) {
        return None;
    }
    if let Some((stream, rest)) = stream(rest) {
        let cut = match rest {
            [b'P', b' ', ..] => Cut::Begun(stream),
            [b'F', b' ', ..] => Cut::Ended(stream),
            _ => return None,
        };
        return Some(Stripped { cut, ..Stripped::new(bytes::from(rest, 2), Some(time)) });
    }
    if let Some(rest) = after_host_and_tag(rest, true) {
        return Some(Stripped { is_syslog: true, ..Stripped::new(rest, Some(time)) });
    }
    // Programs print three digits of a second; runtimes and build servers, which put a time before
    // lines that they know nothing about, seven or nine.
    let fraction = memchr(b'.', time).map(|dot| bytes::from(time, dot + 1))?;
    let digits = fraction.iter().take_while(|b| b.is_ascii_digit()).count();
    (digits >= 7 && bytes::from(fraction, digits) == b"Z").then(|| Stripped::new(rest, Some(time)))
}

fn stream(text: &[u8]) -> Option<(Stream, &[u8])> {
    let out = text.strip_prefix(b"stdout ").map(|rest| (Stream::Out, rest));
    out.or_else(|| text.strip_prefix(b"stderr ").map(|rest| (Stream::Err, rest)))
}

/// `<11>` before a syslog message, of RFC 3164 or RFC 5424.
fn syslog_priority(text: &[u8]) -> Option<Stripped<'_>> {
    let inside = text.strip_prefix(b"<")?;
    let end = memchr(b'>', bytes::upto(inside, 4))?;
    number::<u16>(bytes::upto(inside, end)).filter(|_| end > 0)?;
    let rest = bytes::from(inside, end + 1);
    match rest {
        [b'1', b' ', rest @ ..] => syslog_5424(rest),
        _ => syslog(rest).or_else(|| dated(rest)),
    }
}

/// `time host program process message-id data text` of RFC 5424.
fn syslog_5424(text: &[u8]) -> Option<Stripped<'_>> {
    let (time, mut rest) = bytes::split(text, memchr(b' ', bytes::upto(text, 48))?);
    for _ in 0..4 {
        rest = rest.strip_prefix(b" ")?;
        rest = bytes::from(rest, memchr(b' ', bytes::upto(rest, 300))?);
    }
    rest = rest.strip_prefix(b" ")?;
    rest = match rest {
        [b'-', rest @ ..] => rest,
        _ => after_structured_data(rest)?,
    };
    let rest = rest.strip_prefix(b" ").unwrap_or(rest);
    let rest = rest.strip_prefix(b"\xef\xbb\xbf").unwrap_or(rest);
    let time = Some(time).filter(|time| time::is_stamp(time));
    Some(Stripped { is_syslog: true, ..Stripped::new(rest, time) })
}

/// The text after elements such as `[origin ip="10.0.0.1"]`.
fn after_structured_data(mut text: &[u8]) -> Option<&[u8]> {
    while let Some(inside) = text.strip_prefix(b"[") {
        let mut is_escaped = false;
        let end = inside.iter().take(1 << 12).position(|b| {
            let ends = *b == b']' && !is_escaped;
            is_escaped = *b == b'\\' && !is_escaped;
            ends
        })?;
        text = bytes::from(inside, end + 1);
    }
    text.first().is_none_or(|b| *b == b' ').then_some(text)
}

/// `Nov 18 03:53:15 host program[12]: text` of RFC 3164, which journals print, too.
fn syslog(text: &[u8]) -> Option<Stripped<'_>> {
    let (time, rest) = bytes::split(text, b"Nov 18 03:53:15".len());
    let rest = rest.strip_prefix(b" ").filter(|_| time::is_syslog(time))?;
    let rest = after_host_and_tag(rest, false)?;
    Some(Stripped { is_syslog: true, ..Stripped::new(rest, Some(time)) })
}

/// The text after `host program[12]: `, or `host program: ` unless the process must be named.
fn after_host_and_tag(text: &[u8], must_name_process: bool) -> Option<&[u8]> {
    let (host, rest) = bytes::split(text, memchr(b' ', bytes::upto(text, 256))?);
    if host.is_empty()
        || header::is_level(host)
        || !host.iter().all(|b| b.is_ascii_alphanumeric() || b"-_.:".contains(b))
    {
        return None;
    }
    let rest = bytes::from(rest, 1);
    let (tag, rest) = bytes::split(rest, memchr(b':', bytes::upto(rest, 128))?);
    let name = match tag.strip_suffix(b"]") {
        Some(tag) => {
            let (name, process) = bytes::split(tag, memchr(b'[', tag)?);
            number::<u64>(bytes::from(process, 1))?;
            name
        }
        None if must_name_process => return None,
        None => tag,
    };
    let is_name = |name: &[u8]| {
        !name.is_empty() && name.iter().all(|b| b.is_ascii_alphanumeric() || b"-_./@".contains(b))
    };
    let rest = bytes::from(rest, 1);
    let rest = rest.strip_prefix(b" ").or(rest.is_empty().then_some(rest));
    rest.filter(|_| is_name(name))
}

/// The text after `till-1  | `, which Docker Compose writes: a service, its number, a bar.
fn compose(text: &[u8]) -> Option<Stripped<'_>> {
    let name = bytes::upto(text, text.iter().take(64).position(|b| is_blank(*b))?);
    let digits = name.iter().rev().take_while(|b| b.is_ascii_digit()).count();
    let before = bytes::upto(name, name.len() - digits);
    let is_service =
        digits > 0 && before.len() > 1 && before.last().is_some_and(|b| matches!(b, b'-' | b'_'));
    let rest = trim_start(bytes::from(text, name.len())).strip_prefix(b"|")?;
    let named = name.iter().all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(b));
    (is_service && named).then(|| Stripped::new(rest.strip_prefix(b" ").unwrap_or(rest), None))
}

/// Prefixes of Android's log that begin with a time.
fn android(text: &[u8]) -> Option<Stripped<'_>> {
    let (time, rest) = match text {
        [_, _, b'-', _, _, b' ', ..] => bytes::split(text, b"11-18 03:53:15.123".len()),
        [_, _, _, _, b'-', _, _, b'-', _, _, b' ', ..] => {
            bytes::split(text, b"2026-11-18 03:53:15.123".len())
        }
        _ => return None,
    };
    let clock = bytes::from(time, time.len().checked_sub(b"03:53:15.123".len())?);
    if !time::is_clock(clock) {
        return None;
    }
    let rest = trim_start(rest.strip_prefix(b" ")?);
    android_brief(rest, Some(time))
        .or_else(|| android_threads(rest, time))
        .or_else(|| android_studio(rest, time))
}

/// `E/AndroidRuntime( 1234): text`.
fn android_brief<'a>(text: &'a [u8], time: Option<&'a [u8]>) -> Option<Stripped<'a>> {
    let [level, b'/', rest @ ..] = text else { return None };
    if !b"VDIWEFA".contains(level) {
        return None;
    }
    let (tag, rest) = bytes::split(rest, memchr(b'(', bytes::upto(rest, 128))?);
    let inside = bytes::from(rest, 1);
    let close = memchr(b')', bytes::upto(inside, 16))?;
    number::<u32>(bytes::trim(bytes::upto(inside, close)))?;
    let rest = bytes::from(inside, close + 1).strip_prefix(b":")?;
    let is_tag = !tag.is_empty() && tag.iter().all(|b| !b.is_ascii_control());
    is_tag.then(|| Stripped::new(rest.strip_prefix(b" ").unwrap_or(rest), time))
}

/// `1234  1234 E AndroidRuntime: text`, behind the time.
fn android_threads<'a>(text: &'a [u8], time: &'a [u8]) -> Option<Stripped<'a>> {
    let (process, rest) = word(text)?;
    let (thread, rest) = word(rest)?;
    let (level, rest) = word(rest)?;
    number::<u32>(process).and(number::<u32>(thread))?;
    if !is_level(level) {
        return None;
    }
    let rest = bytes::from(rest, memchr(b':', bytes::upto(rest, 128))? + 1);
    Some(Stripped::new(rest.strip_prefix(b" ").unwrap_or(rest), Some(time)))
}

/// `1234-1234  AndroidRuntime  com.example.till  E  text`, behind the time.
fn android_studio<'a>(text: &'a [u8], time: &'a [u8]) -> Option<Stripped<'a>> {
    let (process, rest) = word(text)?;
    let (process, thread) = bytes::split(process, memchr(b'-', process)?);
    number::<u32>(process).and(number::<u32>(bytes::from(thread, 1)))?;
    let (_, rest) = word(rest)?;
    let (_, rest) = word(rest)?;
    let (level, rest) = word(rest)?;
    let rest = rest.strip_prefix(b"  ").or(rest.strip_prefix(b" ")).unwrap_or(rest);
    is_level(level).then(|| Stripped::new(rest, Some(time)))
}

fn is_level(word: &[u8]) -> bool {
    matches!(word, [level] if b"VDIWEFA".contains(level))
}

/// The first word of a text, and the rest.
fn word(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let text = trim_start(text);
    let end = text.iter().take(256).position(|b| is_blank(*b))?;
    Some(bytes::split(text, end)).filter(|_| end > 0)
}
