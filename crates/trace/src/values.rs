//! Values in a line of a log: quoted texts, `key=value`, numbers, paths, identifiers, JSON.

use crate::message::{closing, number, quoted};

/// The most values taken from one line; those of long lines are mostly noise.
const MOST: usize = 32;
/// How many bytes of a line are looked at.
const LONGEST_LINE: usize = 1 << 12;
/// How many quotes and brackets may lack their other half before no more are looked at, so that time stays
/// linear.
const MOST_UNCLOSED: usize = 8;
/// Characters that end a word.
const ENDS: &str = ",;()[]{}\"'`<>|«»“”";
/// Characters that stand behind a word and do not belong to it.
const PUNCTUATION: &[char] = &['.', ':', '!', '?', '='];

/// The values of a line in their order, as texts: quoted texts, `key=value`, numbers, paths, identifiers and
/// JSON. Each is there once.
pub fn values_of_line(line: &str) -> Vec<String> {
    let mut scanner = Scanner::default();
    let mut rest = line.get(..line.floor_char_boundary(LONGEST_LINE)).unwrap_or(line);
    while let Some(first) = rest.chars().next() {
        if scanner.found.len() >= MOST {
            break;
        }
        let length = scanner.step(rest, first).max(first.len_utf8());
        let taken = rest.get(..length).unwrap_or(rest);
        scanner.before = taken.chars().next_back();
        if let Some(last) = taken.trim_end().chars().next_back() {
            scanner.is_named = matches!(last, ':' | '=');
        }
        rest = rest.get(length..).unwrap_or_default();
    }
    scanner.found
}

#[derive(Default)]
struct Scanner {
    found: Vec<String>,
    /// The character before the place that is looked at.
    before: Option<char>,
    /// Whether a name with a colon or an equals sign stands before it.
    is_named: bool,
    /// Quotes and brackets without their other half.
    unclosed: usize,
}

impl Scanner {
    /// Takes the value that begins here, if one does. Tells how many bytes are done with.
    fn step(&mut self, rest: &str, first: char) -> usize {
        let inside_word = self.before.is_some_and(|it| it.is_alphanumeric() || matches!(it, '_' | '$' | '.'));
        if inside_word {
            return 0;
        }
        let close = if first == '{' { Some('}') } else { closing(first) };
        if let Some(close) = close.filter(|_| self.unclosed < MOST_UNCLOSED) {
            match quoted(rest, first, close) {
                Some(inside) => return self.quoted(rest, first, inside, close),
                None => self.unclosed += 1,
            }
        }
        let is_between = first.is_whitespace() || matches!(first, ':' | '=') || ENDS.contains(first);
        if is_between { 0 } else { self.word(rest) }
    }

    /// A text in quotes or brackets. The content of brackets may be a list or an object, so its parts are
    /// looked at, too.
    fn quoted(&mut self, rest: &str, first: char, inside: &str, close: char) -> usize {
        let whole = first.len_utf8() + inside.len() + close.len_utf8();
        if first == '{' || first == '[' && inside.starts_with(['{', '"']) {
            self.add(rest.get(..whole).unwrap_or_default());
        }
        if first != '{' {
            self.add(inside);
        }
        if matches!(first, '{' | '[') { first.len_utf8() } else { whole }
    }

    fn word(&mut self, rest: &str) -> usize {
        let is_end = |it: char| it.is_whitespace() || ENDS.contains(it);
        let word = rest.get(..rest.find(is_end).unwrap_or(rest.len())).unwrap_or_default();
        let is_name =
            |it: &str| !it.is_empty() && it.chars().all(|c| c.is_alphanumeric() || "_.-".contains(c));
        if let Some((name, value)) = word.split_once('=')
            && is_name(name)
        {
            self.add(value.trim_end_matches(PUNCTUATION));
            return word.len();
        }
        let plain = word.trim_end_matches(PUNCTUATION);
        if self.is_named || is_telling(plain) {
            self.add(plain);
        }
        word.len()
    }

    fn add(&mut self, value: &str) {
        let value = value.trim();
        if !value.is_empty() && !self.found.iter().any(|it| it == value) {
            self.found.push(value.to_owned());
        }
    }
}

/// Whether a word is more likely to be a value than a part of a sentence: numbers, identifiers, paths,
/// addresses.
fn is_telling(word: &str) -> bool {
    let has = |characters: &str| word.chars().any(|it| characters.contains(it));
    let is_number = number(word).is_some_and(|it| it.len() == word.len());
    let has_letter = word.chars().any(char::is_alphabetic);
    is_number || has_letter && (word.chars().any(|it| it.is_ascii_digit()) || has("/\\@_%#&*~+"))
}
