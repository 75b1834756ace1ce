//! Traces whose lines were folded into one: `java.lang.Error: x at a.B.c(B.java:1) at a.B.d(B.java:2)`.

use memchr::{memchr, memmem};

use crate::bytes::{self, is_blank, is_name_byte, trim, trim_end};
use crate::frame;

/// The captions that begin a line inside a trace.
const CAPTIONS: [&[u8]; 4] = [b"Caused by: ", b"Caused By: ", b"Suppressed: ", b"Wrapped by: "];
/// The longest text that is taken for a location.
const LONGEST_LOCATION: usize = 1 << 10;

/// A line with its line ends put back. None if fewer than two frames stand in it one behind the other:
/// running text may mention two places, but not without a word between them.
pub(super) fn unfold(text: &[u8]) -> Option<Vec<u8>> {
    let frames = frames(text);
    let follow = |(before, after): (&Span, &Span)| {
        let gap = trim(bytes::from(bytes::upto(text, after.start), before.end));
        gap.is_empty() || gap.starts_with(b"~[") || gap.starts_with(b"[")
    };
    if !frames.iter().zip(frames.iter().skip(1)).any(follow) {
        return None;
    }
    let mut lines = Vec::with_capacity(text.len() + 8 * frames.len());
    let mut end = 0;
    for span in &frames {
        lines.extend(captions_on_lines(bytes::from(bytes::upto(text, span.start), end), end > 0));
        lines.extend_from_slice(b"\n\t");
        lines.extend_from_slice(bytes::from(bytes::upto(text, span.end), span.start));
        end = span.end;
    }
    lines.extend(captions_on_lines(bytes::from(text, end), true));
    Some(lines)
}

/// Where a frame stands in a line, from its `at` to the bracket of its location.
struct Span {
    start: usize,
    end: usize,
}

fn frames(text: &[u8]) -> Vec<Span> {
    let mut frames: Vec<Span> = Vec::new();
    for start in memmem::find_iter(text, b"at ") {
        let is_inside = frames.last().is_some_and(|last| start < last.end);
        if !is_inside && let Some(length) = frame_length(bytes::from(text, start)) {
            frames.push(Span { start, end: start + length });
        }
    }
    // The end of a word before a frame belongs to that word, unless line ends were lost altogether, so
    // that the next frame follows without a blank.
    let is_set_off = |span: &Span| {
        bytes::upto(text, span.start).last().is_none_or(|b| is_blank(*b) || matches!(b, b')' | b']' | b','))
    };
    let starts: Vec<usize> = frames.iter().skip(1).map(|span| span.start).collect();
    let mut next = starts.into_iter().chain([usize::MAX]);
    frames.retain(|span| next.next() == Some(span.end) || is_set_off(span));
    frames
}

/// How long the frame is with which a text begins.
fn frame_length(text: &[u8]) -> Option<usize> {
    let name = bytes::from(text, b"at ".len());
    let open = name.iter().position(|b| !is_name_byte(*b) && !b".<>-/@+".contains(b))?;
    let location = bytes::from(name, open).strip_prefix(b"(")?;
    let close = memchr(b')', bytes::upto(location, LONGEST_LOCATION))?;
    let length = b"at ".len() + open + 1 + close + 1;
    frame::at_frame(bytes::upto(text, length)).map(|_| length)
}

/// A text between frames, with each caption of it on a line of its own. Before the first frame there is
/// none: the text is the message.
fn captions_on_lines(text: &[u8], has_captions: bool) -> Vec<u8> {
    let text = trim_end(text);
    let mut starts: Vec<usize> = Vec::new();
    if has_captions {
        starts.extend(CAPTIONS.iter().flat_map(|caption| memmem::find_iter(text, caption)));
        let counts = |start: &usize| bytes::from(text, start + 4).first().is_some_and(u8::is_ascii_digit);
        starts.extend(memmem::find_iter(text, b"... ").filter(counts));
    }
    starts.sort_unstable();
    let mut lines = Vec::with_capacity(text.len() + starts.len());
    let mut end = 0;
    for start in starts {
        lines.extend_from_slice(bytes::from(bytes::upto(text, start), end));
        lines.push(b'\n');
        end = start;
    }
    lines.extend_from_slice(bytes::from(text, end));
    lines
}
