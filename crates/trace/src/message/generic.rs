//! Facts that any message may hold: numbers, quoted texts, class names.

use super::Fact;

/// The most facts taken from one message; those of long messages are mostly noise.
const MOST: usize = 64;
/// How many bytes of a message are looked at.
const LONGEST: usize = 1 << 14;

/// Numbers, quoted texts and class names in the order of the message.
pub(super) fn facts(message: &str) -> Vec<Fact> {
    let mut facts = Vec::new();
    let mut rest = message.get(..message.floor_char_boundary(LONGEST)).unwrap_or(message);
    let mut before = None;
    while let Some(first) = rest.chars().next() {
        if facts.len() == MOST {
            break;
        }
        let (fact, length) = fact_at(rest, first, before);
        facts.extend(fact);
        let length = length.max(first.len_utf8());
        before = rest.get(..length).and_then(|taken| taken.chars().next_back());
        rest = rest.get(length..).unwrap_or_default();
    }
    facts
}

/// The fact that begins here, and how many bytes are done with.
fn fact_at(rest: &str, first: char, before: Option<char>) -> (Option<Fact>, usize) {
    let inside_word = before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '$' || c == '.');
    if let Some(close) = closing(first)
        && !inside_word
        && let Some(text) = quoted(rest, first, close)
    {
        // Quoted numbers and class names count like others: only the quote is passed over.
        let plain = number(text).is_some_and(|number| number.len() == text.len()) || is_qualified(text);
        let fact = (!plain && !text.trim().is_empty()).then(|| Fact::Quoted { text: text.to_owned() });
        // The content of brackets may be a range or a list, so its parts are facts of their own.
        let passed = plain || first == '[';
        let length = if passed { first.len_utf8() } else { first.len_utf8() + text.len() + close.len_utf8() };
        return (fact, length);
    }
    if inside_word {
        return (None, 0);
    }
    if let Some(text) = number(rest) {
        let ends = rest.get(text.len()..).and_then(|after| after.chars().next());
        if !ends.is_some_and(|c| c.is_alphanumeric() || c == '_')
            && let Ok(value) = text.parse()
        {
            return (Some(Fact::Number { text: text.to_owned(), value }), text.len());
        }
    }
    let name = name(rest);
    let fact = is_qualified(name).then(|| Fact::ClassName { name: name.to_owned() });
    (fact, name.len())
}

pub(crate) fn closing(open: char) -> Option<char> {
    match open {
        '"' | '\'' | '`' => Some(open),
        '[' => Some(']'),
        '«' => Some('»'),
        '“' => Some('”'),
        '‘' => Some('’'),
        _ => None,
    }
}

/// The text up to the closing quote on the same line; brackets may be nested.
pub(crate) fn quoted(rest: &str, open: char, close: char) -> Option<&str> {
    const LONGEST_QUOTED: usize = 4096;
    let inside = rest.get(open.len_utf8()..)?;
    let mut depth = 0usize;
    for (position, c) in inside.char_indices().take(LONGEST_QUOTED) {
        if c == close {
            if depth == 0 {
                return inside.get(..position);
            }
            depth -= 1;
        } else if c == open {
            depth += 1;
        }
    }
    None
}

/// A number as Java prints them at the start of the text.
pub(crate) fn number(text: &str) -> Option<&str> {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let sign = usize::from(text.starts_with('-'));
    let whole = digits(text.get(sign..)?);
    if whole == 0 {
        return None;
    }
    let mut end = sign + whole;
    if let Some(fraction) = text.get(end..).and_then(|rest| rest.strip_prefix('.')) {
        let length = digits(fraction);
        if length > 0 {
            end += 1 + length;
        }
    }
    if let Some(rest) = text.get(end..).and_then(|rest| rest.strip_prefix('E')) {
        let sign = usize::from(rest.starts_with('-'));
        let length = rest.get(sign..).map_or(0, digits);
        if length > 0 {
            end += 1 + sign + length;
        }
    }
    text.get(..end)
}

/// The run of name characters and dots at the start of the text, without a dot at its end.
fn name(text: &str) -> &str {
    let end =
        text.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '$' | '.'))).unwrap_or(text.len());
    text.get(..end).unwrap_or_default().trim_end_matches('.')
}

/// Whether a text is the qualified name of a class: packages in lower case, a class in upper case.
fn is_qualified(text: &str) -> bool {
    let Some((packages, class)) = text.rsplit_once('.') else { return false };
    class.starts_with(|c: char| c.is_uppercase())
        && packages.split('.').all(|part| part.starts_with(|c: char| c.is_lowercase()))
        && is_class_name(text)
}

/// Whether a text has the form that `Class.getName` gives, arrays included.
pub(super) fn is_class_name(text: &str) -> bool {
    let element = text.trim_start_matches('[');
    if element.len() < text.len() {
        return match element.strip_prefix('L') {
            Some(class) => class.strip_suffix(';').is_some_and(is_class_name),
            None => matches!(element, "B" | "C" | "D" | "F" | "I" | "J" | "S" | "Z"),
        };
    }
    let part =
        |part: &str| !part.is_empty() && part.chars().all(|c| c.is_alphanumeric() || "_$-/".contains(c));
    text.split('.').all(part)
}

/// A whole number that fills the text.
pub(super) fn integer(text: &str) -> Option<i64> {
    text.trim().parse().ok()
}

/// The text between two others that begin and end the message.
pub(super) fn between<'a>(text: &'a str, first: &str, last: &str) -> Option<&'a str> {
    text.strip_prefix(first)?.strip_suffix(last)
}
