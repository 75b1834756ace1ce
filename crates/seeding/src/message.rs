//! Values from the exception's message. It is a source of values, never a criterion.

use crashback_program::frames::CrashAudit;
use crashback_testcase::Text;
use crashback_testcase::workshop::Pools;
use crashback_trace::message::Fact;

use crate::bytecode::TextsOfFrames;
use crate::collect::{add_float, add_integer, add_text, add_type};

/// Adds what the message states, in front of everything else: it was there when the program
/// crashed.
pub(crate) fn add(audit: &CrashAudit, texts: &TextsOfFrames, pools: &mut Pools) {
    let mut found = Pools::default();
    for fact in &audit.facts {
        add_fact(fact, &mut found);
    }
    if let Some(message) = &audit.message {
        for filled in fillings(message, &texts.0) {
            add_word(filled, &mut found);
        }
    }
    prepend(&mut pools.integers, found.integers);
    prepend(&mut pools.floats, found.floats);
    prepend(&mut pools.texts, found.texts);
    prepend(&mut pools.types, found.types);
}

fn prepend<T>(all: &mut Vec<T>, first: Vec<T>) {
    all.splice(0..0, first);
}

fn add_fact(fact: &Fact, pools: &mut Pools) {
    let numbers: &[Option<i64>] = match fact {
        Fact::Index { index, length } => &[Some(*index), *length],
        Fact::Range { begin, end, length } => &[*begin, *end, *length],
        Fact::Span { offset, count, length } => &[Some(*offset), Some(*count), *length],
        Fact::NegativeSize { size } => &[Some(*size)],
        Fact::Cast { from, to } => {
            add_type(pools, &internal(from));
            add_type(pools, &internal(to));
            &[]
        }
        Fact::StoredElement { class } | Fact::ClassName { name: class } => {
            add_type(pools, &internal(class));
            add_text(pools, Text::from(class.as_str()));
            &[]
        }
        Fact::NumberText { text: Some(text), .. }
        | Fact::Quoted { text }
        | Fact::MissingKey { key: text }
        | Fact::EnumConstant { name: text, .. } => {
            add_word(text, pools);
            &[]
        }
        Fact::Number { value, .. } => {
            add_float(pools, *value);
            if value.fract() == 0.0 && value.abs() < 9e15 {
                add_integer(pools, *value as i64);
            }
            &[]
        }
        Fact::Null { .. } | Fact::NumberText { text: None, .. } | Fact::DivisionByZero => &[],
    };
    for number in numbers.iter().flatten() {
        add_integer(pools, *number);
    }
}

fn internal(class: &str) -> String {
    class.replace('.', "/")
}

/// A piece of text, also as the number or class name that it may be.
fn add_word(text: &str, pools: &mut Pools) {
    add_text(pools, Text::from(text));
    if let Ok(number) = text.parse() {
        add_integer(pools, number);
    }
    if let Ok(number) = text.parse::<f64>() {
        add_float(pools, number);
    }
}

/// What stands between the constant parts of a message that the methods of the trace put together.
fn fillings<'m>(message: &'m str, constants: &[String]) -> Vec<&'m str> {
    const SHORTEST: usize = 3;
    let mut found = Vec::new();
    for constant in constants {
        for part in parts(constant).map(str::trim).filter(|it| it.len() >= SHORTEST) {
            if let Some((before, after)) = message.split_once(part) {
                found.extend([before, after].map(str::trim).into_iter().filter(|it| !it.is_empty()));
            }
        }
    }
    found.push(message);
    found
}

/// The constant parts of a text that may be a template, for `String.format` or `MessageFormat`.
fn parts(template: &str) -> impl Iterator<Item = &str> {
    let pieces = template.split('%').enumerate();
    let behind_conversion = |(number, piece): (usize, &'_ str)| -> usize {
        let conversion = piece.find(|it: char| it.is_ascii_alphabetic()).map_or(0, |it| it + 1);
        if number == 0 { 0 } else { conversion }
    };
    let pieces =
        pieces.map(move |(number, piece)| piece.get(behind_conversion((number, piece))..).unwrap_or(""));
    pieces.flat_map(|it| it.split(['{', '}']))
}

#[cfg(test)]
mod tests {
    use super::fillings;

    fn check(message: &str, constants: &[&str], expect: &[&str]) {
        let constants: Vec<String> = constants.iter().map(|it| (*it).to_owned()).collect();
        assert_eq!(fillings(message, &constants), expect);
    }

    #[test]
    fn the_gaps_of_templates_are_values() {
        check(
            "Invalid locale format: fr__P",
            &["Invalid locale format: "],
            &["fr__P", "Invalid locale format: fr__P"],
        );
        check("no user 17 here", &["no user %s here"], &["17 here", "no user 17", "no user 17 here"]);
        check("nothing", &["another"], &["nothing"]);
    }
}
