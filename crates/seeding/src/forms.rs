//! Forms of plain texts, told from how the code around the crash cuts texts into parts.

use std::collections::BTreeSet;

use crashback_program::classes::{Classes, MethodId};
use crashback_program::code::{Literal, MethodBody, Operation};
use crashback_testcase::Text;
use crashback_testcase::workshop::{Form, Forms};

use crate::collect::Offers;
use crate::tokens::character;

/// Methods of texts and readers that yield lines.
const OF_LINES: [&str; 4] = ["readLine", "lines", "nextLine", "hasNextLine"];

/// Methods that cut a text at something that they are given.
const CUTTERS: [&str; 4] = ["split", "useDelimiter", "tokenize", "splitAsStream"];

/// Methods that look for the place where two parts of a text meet.
const SEEKERS: [&str; 2] = ["indexOf", "lastIndexOf"];

/// Methods that yield the number of parts.
const COUNTERS: [&str; 3] = ["countTokens", "size", "groupCount"];

/// Signs between names and values.
const ASSIGNS: [char; 2] = [':', '='];

/// Operations before a call among which its constant arguments are looked for.
const NEAR: usize = 3;

/// Notes the forms that methods hint at.
pub(crate) fn add(classes: &Classes<'_>, visited: &BTreeSet<MethodId>, offers: &mut Offers<'_>) {
    let mut found = Found { most_parts: offers.tuning.most_fields, ..Found::default() };
    for method in visited {
        classes.with_body(*method, |body| found.look(body));
    }
    let marks = marks(&offers.pools.tokens);
    let forms = [
        (Form::Lines, found.reads_lines),
        (Form::Entries, ASSIGNS.iter().any(|it| found.separators.contains(it))),
        (Form::Fields, !found.cuts.is_empty()),
        (Form::Marked, !marks.is_empty()),
    ];
    offers.pools.forms = Forms {
        kinds: forms.into_iter().filter(|(_, is_told)| *is_told).map(|(form, _)| form).collect(),
        cuts: found.cuts.into_iter().collect(),
        separators: found.separators.into_iter().collect(),
        counts: found.counts.into_iter().collect(),
        marks,
    };
}

#[derive(Default)]
struct Found {
    most_parts: usize,
    reads_lines: bool,
    /// Signs at which texts are cut into any number of parts.
    cuts: BTreeSet<char>,
    /// Signs that are looked for, these included.
    separators: BTreeSet<char>,
    counts: BTreeSet<usize>,
}

impl Found {
    fn look(&mut self, body: &MethodBody<'_>) {
        let operations: Vec<&Operation<'_>> = body.operations().map(|(_, it)| it).collect();
        for (place, operation) in operations.iter().enumerate() {
            let before = operations.get(place.saturating_sub(NEAR)..place).unwrap_or_default();
            match operation {
                Operation::Invoke(call) => {
                    let (owner, name) = (call.method.owner.to_str(), call.method.name.to_str());
                    self.call(&owner, &name, before);
                }
                Operation::Branch { .. } => self.branch(before),
                Operation::Switch(switch) => {
                    self.reads_lines |= switch.cases.iter().any(|(key, _)| is_end_of_line(*key));
                }
                _ => {}
            }
        }
    }

    fn call(&mut self, owner: &str, name: &str, before: &[&Operation<'_>]) {
        self.reads_lines |= OF_LINES.contains(&name);
        let is_tokenizer = owner == "java/util/StringTokenizer" && name == "<init>";
        let is_cut = is_tokenizer || CUTTERS.contains(&name);
        if !is_cut && !SEEKERS.contains(&name) {
            return;
        }
        let mut signs: BTreeSet<char> = before.iter().flat_map(|it| constant_signs(it)).collect();
        if is_tokenizer && signs.is_empty() {
            signs.insert(' ');
        }
        self.reads_lines |= signs.remove(&'\n');
        if is_cut {
            self.cuts.extend(signs.iter().filter(|it| !ASSIGNS.contains(it)));
        }
        self.separators.extend(signs);
    }

    fn branch(&mut self, before: &[&Operation<'_>]) {
        let [.., counted, Operation::Push(Literal::Int(number))] = before else { return };
        self.reads_lines |= is_end_of_line(*number);
        let is_count = match counted {
            Operation::ArrayLength => true,
            Operation::Invoke(call) => COUNTERS.iter().any(|it| call.method.name == *it),
            _ => false,
        };
        let count = usize::try_from(*number).ok().filter(|it| (2..=self.most_parts).contains(it));
        self.counts.extend(count.filter(|_| is_count));
    }
}

fn is_end_of_line(number: i32) -> bool {
    number == i32::from(b'\n')
}

/// The signs of a constant that is pushed: a character, or what a regular expression or a list of
/// delimiters stands for.
fn constant_signs(operation: &Operation<'_>) -> Vec<char> {
    match operation {
        Operation::Push(Literal::Int(number)) => {
            let sign = character(*number).and_then(|it| char::from_u32(it.into()));
            sign.filter(|it| is_sign(*it)).into_iter().collect()
        }
        Operation::Push(Literal::String(text)) => signs(&text.to_str()),
        _ => Vec::new(),
    }
}

fn signs(pattern: &str) -> Vec<char> {
    let mut found = Vec::new();
    let is_single = pattern.chars().count() == 1;
    let mut rest = pattern.chars();
    while let Some(next) = rest.next() {
        found.extend(match next {
            '\\' => match rest.next() {
                Some('s') => Some(' '),
                Some('t') => Some('\t'),
                Some('n' | 'R') => Some('\n'),
                escaped => escaped.filter(|it| it.is_ascii_punctuation()),
            },
            // Signs of the language of regular expressions.
            '[' | ']' | '(' | ')' | '{' | '}' | '?' | '*' | '+' | '^' | '$' | '|' | '.' if !is_single => None,
            sign => Some(sign).filter(|it| is_sign(*it)),
        });
    }
    found
}

fn is_sign(it: char) -> bool {
    it.is_ascii_punctuation() || matches!(it, ' ' | '\t' | '\n')
}

/// Pairs of an opening mark of several signs and the mark that closes it.
fn marks(tokens: &[Text]) -> Vec<(String, String)> {
    let tokens: Vec<String> = tokens.iter().map(|it| String::from_utf16_lossy(it.units())).collect();
    let is_mark =
        |it: &&String| (2..=3).contains(&it.len()) && it.chars().all(|it| it.is_ascii_punctuation());
    let closed = |open: &String| {
        let close: String = open.chars().rev().map(mirrored).collect();
        // `${` is closed by `}`.
        let short: String = close.chars().take(1).collect();
        let opens = open.chars().any(|it| "({[<".contains(it));
        [close, short].into_iter().find(|it| opens && tokens.contains(it)).map(|it| (open.clone(), it))
    };
    tokens.iter().filter(is_mark).filter_map(closed).collect()
}

fn mirrored(sign: char) -> char {
    match sign {
        '(' => ')',
        '{' => '}',
        '[' => ']',
        '<' => '>',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::{marks, signs};
    use crashback_testcase::Text;

    #[test]
    fn signs_are_what_a_pattern_cuts_at() {
        assert_eq!(signs("\\s+"), [' ']);
        assert_eq!(signs("\r?\n"), ['\n']);
        assert_eq!(signs("[,;]"), [',', ';']);
        assert_eq!(signs("\\|"), ['|']);
        assert_eq!(signs("|"), ['|']);
        assert!(signs("word").is_empty());
    }

    #[test]
    fn marks_are_closed_by_their_mirror_image() {
        let tokens = ["{{", "}}", "{%", "%}", "${", "}", "<!", "=="].map(Text::from);
        let pair = |open: &str, close: &str| (open.to_owned(), close.to_owned());
        assert_eq!(marks(&tokens), [pair("{{", "}}"), pair("{%", "%}"), pair("${", "}")]);
    }
}
