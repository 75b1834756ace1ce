//! The grammar of one frame line, after `StackTraceElement.toString` and the habits of logging
//! frameworks add to it.
//!
//! ```text
//! prefix? at? (loader/)? (module(@version)?)?/ class.method(location) suffix?
//! ```

use memchr::{memchr, memchr2_iter, memmem, memrchr};

use crate::bytes::{self, is_blank, is_name_byte, number, trim, trim_end, trim_start};
use crate::model::{Artifact, Frame, Location};

/// The longest text between a frame's `at` and its opening bracket; the JVM's limit for names is of
/// this order.
const LONGEST_NAME: usize = 1 << 17;
/// The longest text taken for a location.
const LONGEST_LOCATION: usize = 1 << 10;
/// How many brackets of a line are looked at; names hold none, so more than the first few only cost
/// time.
const BRACKETS: usize = 16;

/// The levels that build tools write in brackets.
const LEVELS: [&[u8]; 7] = [b"error", b"warn", b"warning", b"info", b"debug", b"trace", b"success"];
/// The longest of them, with blanks around it.
const LONGEST_LEVEL: usize = 10;

/// Reads a line, given without blanks at either end, as a frame that begins with `at`. Names may
/// hold blanks (Kotlin, Spock), anything may follow the location.
pub(crate) fn at_frame(line: &[u8]) -> Option<Frame> {
    after_at(line).and_then(frame_after_at)
}

/// Reads a line, given without blanks at either end, as a frame whose `at` is missing or stands
/// behind a log prefix.
pub(crate) fn other_frame(line: &[u8]) -> Option<Frame> {
    // Ordinary lines are turned away here: frames end with their location, a bracketed suffix or a
    // stray bracket.
    if !matches!(line.last(), Some(b')' | b']' | b'}' | b',' | b';' | b'"')) {
        return None;
    }
    bare_frame(line).or_else(|| bare_frame(after_level(line)?)).or_else(|| prefixed_frame(line))
}

/// The text behind a level in brackets or the bar of a container's log, with which build tools such
/// as sbt begin each line: `[error] \tshop.Till.sell(Till.java:12)`.
fn after_level(line: &[u8]) -> Option<&[u8]> {
    let rest = match line {
        [b'[', rest @ ..] => {
            let (level, rest) = bytes::split(rest, memchr(b']', bytes::upto(rest, LONGEST_LEVEL + 1))?);
            let is_level = LEVELS.iter().any(|it| trim(level).eq_ignore_ascii_case(it));
            Some(bytes::from(rest, 1)).filter(|_| is_level)?
        }
        _ => bytes::from(line, memmem::find(line, b" | ")? + 2),
    };
    // A name right behind the bracket would be of another form.
    rest.first().filter(|it| is_blank(**it))?;
    Some(trim_start(rest))
}

/// Whether a line begins like a frame, so that not being able to read it is worth a word.
pub(crate) fn begins_like_frame(line: &[u8]) -> bool {
    let Some(rest) = after_at(line) else { return false };
    let token = bytes::upto(rest, rest.iter().position(|b| is_blank(*b)).unwrap_or(rest.len()));
    let name = bytes::upto(token, memchr(b'(', token).unwrap_or(token.len()));
    memchr(b'.', name).is_some() && name.iter().all(|b| is_name_byte(*b) || b"./@<>-:".contains(b))
}

fn after_at(line: &[u8]) -> Option<&[u8]> {
    match line {
        [b'a', b't', blank, rest @ ..] if is_blank(*blank) => Some(trim_start(rest)),
        _ => None,
    }
}

fn frame_after_at(rest: &[u8]) -> Option<Frame> {
    let mut open = None;
    for position in memchr2_iter(b'(', b')', rest).take(BRACKETS) {
        match (rest.get(position), open) {
            (Some(b'('), _) => open = Some(position),
            (_, Some(start)) => {
                if let Some(frame) = assemble(rest, start, position, true) {
                    return Some(frame);
                }
                open = None;
            }
            _ => {}
        }
    }
    None
}

/// A frame without `at`: the line is nothing but the name, a location that cannot be mistaken, and
/// a suffix.
fn bare_frame(line: &[u8]) -> Option<Frame> {
    let line = match line {
        [b'-' | b'*' | b'>' | b'|', b' ', rest @ ..] => trim_start(rest),
        [b'[', rest @ ..] => rest,
        _ => line,
    };
    let open = line.iter().position(|b| !is_name_byte(*b) && !b".<>-/@".contains(b))?;
    if line.get(open) != Some(&b'(') {
        return None;
    }
    let close = open + memchr(b')', bytes::from(line, open))?;
    let rest = trim(bytes::from(line, close + 1));
    let stray = rest.iter().all(|b| b")]},;.\"'".contains(b));
    if !stray && artifact(rest).is_none() {
        return None;
    }
    assemble(line, open, close, false)
}

/// A frame behind a log prefix such as a timestamp. Running text that mentions a place is told from
/// it by what stands before `at`: a prefix is set off by a tab, several blanks or punctuation, and
/// is not the arrow of Mockito's messages.
fn prefixed_frame(line: &[u8]) -> Option<Frame> {
    let position = memmem::rfind(line, b"at ")?;
    let before = bytes::upto(line, position);
    let prefix = trim_end(before);
    let gap = bytes::from(before, prefix.len());
    let set_off = gap.contains(&b'\t') || gap.len() >= 2;
    let punctuated =
        matches!(prefix.last(), Some(b':' | b'|' | b']' | b'>' | b'[' | b'"' | b'-' | b'!' | b'*' | b'#'));
    if prefix.ends_with(b"->") || !(set_off || punctuated) {
        return None;
    }
    frame_after_at(trim_start(bytes::from(line, position + 3)))
}

fn assemble(line: &[u8], open: usize, close: usize, after_at: bool) -> Option<Frame> {
    let name = trim_end(bytes::upto(line, open));
    let inside = bytes::from(bytes::upto(line, close), open + 1);
    if name.len() > LONGEST_NAME || inside.len() > LONGEST_LOCATION || inside.contains(&b'(') {
        return None;
    }
    let (location, certain) = location(inside)?;
    if !after_at && !certain {
        return None;
    }
    let dot = memrchr(b'.', name)?;
    let (qualified, method) = (bytes::upto(name, dot), bytes::from(name, dot + 1));
    // Traces copied out of web pages may keep their escapes.
    let method = match method {
        b"&lt;init&gt;" => &b"<init>"[..],
        b"&lt;clinit&gt;" => b"<clinit>",
        _ => method,
    };
    let (prefix, class) = split_class(qualified);
    if !is_class(class) || !is_method(method, certain && after_at) || !is_origin(prefix) {
        return None;
    }
    let mut frame =
        Frame { class: bytes::text(class), method: bytes::text(method), location, ..Frame::default() };
    set_origin(&mut frame, prefix);
    let suffix = trim(bytes::from(line, close + 1));
    if !suffix.is_empty() {
        frame.artifact =
            artifact(suffix).filter(|artifact| artifact.jar.is_some() || artifact.version.is_some());
        frame.omitted_after = skipped(suffix);
    }
    Some(frame)
}

/// The location, and whether its form leaves no doubt that it is one.
fn location(inside: &[u8]) -> Option<(Location, bool)> {
    let mut inside = trim(inside);
    // Some frameworks print the line -1 for an unknown one.
    while let Some(rest) = inside.strip_suffix(b":-1") {
        inside = trim_end(rest);
    }
    match inside {
        b"" => return Some((Location::Absent, false)),
        b"Native Method" => return Some((Location::Native, true)),
        b"Unknown Source" | b"Compiled Code" => return Some((Location::Unknown { line: None }, true)),
        _ => {}
    }
    if let Some(line) = number(inside) {
        return Some((Location::Unknown { line: Some(line) }, false));
    }
    let (name, line) = match memrchr(b':', inside) {
        Some(colon) => match number::<u32>(bytes::from(inside, colon + 1)) {
            Some(line) => (bytes::upto(inside, colon), Some(line)),
            None => (inside, None),
        },
        None => (inside, None),
    };
    if name.is_empty() || name == b"Unknown Source" {
        return Some((Location::Unknown { line }, true));
    }
    let extension = memrchr(b'.', name).map_or(&[][..], |dot| bytes::from(name, dot + 1));
    let has_extension = !extension.is_empty() && extension.iter().all(u8::is_ascii_alphanumeric);
    if name.iter().any(|b| is_blank(*b) || b.is_ascii_control()) {
        return None;
    }
    let certain = line.is_some() || has_extension || name == b"<generated>";
    Some((Location::File { name: bytes::text(name), line }, certain))
}

/// Splits `loader/module@version/class`. The class of a hidden class ends with a slash and a number
/// of its own.
fn split_class(qualified: &[u8]) -> (&[u8], &[u8]) {
    let Some(slash) = memrchr(b'/', qualified) else { return (&[], qualified) };
    let last = bytes::from(qualified, slash + 1);
    let hidden = last.first().is_some_and(u8::is_ascii_digit);
    let slash = if hidden { memrchr(b'/', bytes::upto(qualified, slash)) } else { Some(slash) };
    match slash {
        Some(slash) => (bytes::upto(qualified, slash), bytes::from(qualified, slash + 1)),
        None => (&[], qualified),
    }
}

fn is_class(class: &[u8]) -> bool {
    let good = |segment: &[u8]| {
        !segment.is_empty() && segment.iter().all(|b| is_name_byte(*b) || matches!(b, b'-' | b'/' | b'+'))
    };
    class.split(|b| *b == b'.').all(good) && !class.iter().all(u8::is_ascii_digit)
}

/// Whether a text can be made of the names of a loader and a module, and a version.
fn is_origin(prefix: &[u8]) -> bool {
    prefix.iter().all(|b| !is_blank(*b) && !b.is_ascii_control() && !b"()[]\"".contains(b))
}

/// Whether a text can be the name of a method (JVMS 4.2.2).
fn is_method(method: &[u8], may_hold_blanks: bool) -> bool {
    match method {
        b"" => false,
        b"<init>" | b"<clinit>" => true,
        _ => method.iter().all(|b| {
            !b";[/<>\\\"".contains(b) && !b.is_ascii_control() && (may_hold_blanks || !is_blank(*b))
        }),
    }
}

/// Loader and module, after `StackTraceElement.toString`: a loader is always followed by two
/// slashes, so a single part is the module.
fn set_origin(frame: &mut Frame, prefix: &[u8]) {
    if prefix.is_empty() {
        return;
    }
    let (loader, module) = match memrchr(b'/', prefix) {
        Some(slash) => (bytes::upto(prefix, slash), bytes::from(prefix, slash + 1)),
        None => (&[][..], prefix),
    };
    let (module, version) = match memchr(b'@', module) {
        Some(sign) => (bytes::upto(module, sign), bytes::from(module, sign + 1)),
        None => (module, &[][..]),
    };
    let optional = |part: &[u8]| (!part.is_empty()).then(|| bytes::text(part));
    frame.loader = optional(loader);
    frame.module = optional(module);
    frame.module_version = optional(version);
}

/// Reads `~[jar:version]` or `[jar:version]` at the start of what follows a location.
fn artifact(suffix: &[u8]) -> Option<Artifact> {
    let (exact, rest) = match suffix {
        [b'~', b'[', rest @ ..] => (false, rest),
        [b'[', rest @ ..] => (true, rest),
        _ => return None,
    };
    let inside = bytes::upto(rest, memchr(b']', rest)?);
    let colon = memrchr(b':', inside)?;
    let known = |part: &[u8]| (!matches!(part, b"" | b"na" | b"?")).then(|| bytes::text(part));
    let (jar, version) = (bytes::upto(inside, colon), bytes::from(inside, colon + 1));
    Some(Artifact { jar: known(jar), version: known(version), exact })
}

/// The number in `[3 skipped]`, which logback prints behind the last frame before those it left
/// out.
fn skipped(suffix: &[u8]) -> u32 {
    let count = || {
        let before = suffix.strip_suffix(b" skipped]")?;
        number(bytes::from(before, memrchr(b'[', before)? + 1))
    };
    count().unwrap_or(0)
}
