//! Times of log records, as text: they are shown to people and never computed with.

use crate::bytes::{self, is_blank, trim_start};

const MONTHS: [&[u8]; 12] =
    [b"Jan", b"Feb", b"Mar", b"Apr", b"May", b"Jun", b"Jul", b"Aug", b"Sep", b"Oct", b"Nov", b"Dec"];

/// The longest time that is believed.
const LONGEST: usize = 40;

/// The time with which a record begins, behind brackets and a level if there are some.
pub(crate) fn leading(record: &[u8]) -> Option<&[u8]> {
    let record = record.strip_prefix(b"[").unwrap_or(record);
    let level = record.iter().take(8).take_while(|b| b.is_ascii_uppercase()).count();
    let record = match bytes::from(record, level) {
        rest if level >= 4 => {
            let rest = trim_start(rest.strip_prefix(b"]").unwrap_or(rest));
            rest.strip_prefix(b"[").unwrap_or(rest)
        }
        _ => record,
    };
    month_first(record).or_else(|| numeric(record))
}

/// Whether a line begins with a month's name and a time, as records of `java.util.logging` and of
/// Tomcat do: `Nov 18, 2026 3:53:15 AM`, `18-Nov-2026 03:53:15.123`.
pub(crate) fn begins_with_month(line: &[u8]) -> bool {
    let named = |text: &[u8]| MONTHS.contains(&bytes::upto(text, 3));
    match line {
        [b'A'..=b'Z', ..] => month_first(line).is_some(),
        [a, b, b'-', rest @ ..] => {
            a.is_ascii_digit() && b.is_ascii_digit() && named(rest) && rest.get(3) == Some(&b'-')
        }
        _ => false,
    }
}

/// Whether a word is the name of a month, as records have it.
pub(crate) fn is_month(word: &[u8]) -> bool {
    MONTHS.contains(&word)
}

/// Whether a text is made of the characters of RFC 3339 and begins with a digit.
pub(crate) fn is_stamp(text: &[u8]) -> bool {
    text.first().is_some_and(u8::is_ascii_digit)
        && text.iter().all(|b| b.is_ascii_digit() || b"-:.,TZ+".contains(b))
}

/// Whether a text is `Nov 18 03:53:15`.
pub(crate) fn is_syslog(text: &[u8]) -> bool {
    let [_, _, _, b' ', ten, one, b' ', clock @ ..] = text else { return false };
    MONTHS.contains(&bytes::upto(text, 3))
        && (ten.is_ascii_digit() || *ten == b' ')
        && one.is_ascii_digit()
        && is_clock(clock)
}

/// Whether a text begins with `03:53:15` and goes on with digits and dots.
pub(crate) fn is_clock(text: &[u8]) -> bool {
    let [a, b, b':', c, d, b':', e, f, rest @ ..] = text else { return false };
    [a, b, c, d, e, f].iter().all(|b| b.is_ascii_digit())
        && rest.iter().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b','))
}

/// `Nov 18, 2026 3:53:15 AM`.
fn month_first(record: &[u8]) -> Option<&[u8]> {
    if !MONTHS.contains(&bytes::upto(record, 3)) {
        return None;
    }
    let time = bytes::upto(record, LONGEST);
    let noon = [&b" AM"[..], b" PM"].iter().find_map(|it| memchr::memmem::find(time, it));
    noon.map(|noon| bytes::upto(time, noon + 3)).filter(|time| time.contains(&b':'))
}

/// Numbers and their punctuation, in one word or two: `2026-11-18T03:53:15Z`, `18.11.2026 03:53:15,123`,
/// `18-Nov-2026 03:53:15.123`, `03:53:15`.
fn numeric(record: &[u8]) -> Option<&[u8]> {
    let is_part = |b: &u8| b.is_ascii_digit() || b"-/:.,+TZ".contains(b);
    let word = |text: &[u8]| text.iter().take(LONGEST).take_while(|b| is_part(b)).count();
    let mut end = match begins_with_month(record) {
        true => b"18-Nov-2026".len(),
        false => word(record),
    };
    let rest = bytes::from(record, end);
    if rest.first().is_some_and(|b| is_blank(*b)) && is_clock(bytes::upto(bytes::from(rest, 1), 8)) {
        end += 1 + word(bytes::from(rest, 1));
    }
    let mut time = bytes::upto(record, end);
    while let [rest @ .., b':' | b',' | b'.' | b'-'] = time {
        time = rest;
    }
    let digits = time.iter().filter(|b| b.is_ascii_digit()).count();
    (digits >= 6 && time.contains(&b':') && time.first().is_some_and(u8::is_ascii_digit)).then_some(time)
}
