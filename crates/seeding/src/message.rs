//! Values from the exception's message. It never decides whether a crash is reproduced.

use crashback_program::frames::CrashAudit;
use crashback_testcase::Text;
use crashback_testcase::workshop::Scalar;
use crashback_trace::message::Fact;

use crate::bytecode::TextsOfFrames;
use crate::collect::Offers;

/// How many texts, and how many numbers of each kind, a message is taken to state. Those that come later are
/// seldom values: they are what stands around parts of the message.
const MOST_LOGGED: usize = 6;

/// Adds what the message states, in front of everything else: it was there when the program
/// crashed.
pub(crate) fn add(audit: &CrashAudit, texts: &TextsOfFrames, offers: &mut Offers<'_>) {
    let mut found = Offers::new(offers.tuning);
    for fact in &audit.facts {
        add_fact(fact, &mut found);
    }
    if let Some(message) = &audit.message {
        for filled in fillings(message, &texts.0, offers.tuning.shortest_message_part) {
            add_word(filled, &mut found);
        }
    }
    let (found, pools) = (found.pools, &mut offers.pools);
    let texts = found.texts.iter().take(MOST_LOGGED).map(|it| Scalar::Text(it.clone()));
    let integers = found.integers.iter().take(MOST_LOGGED).map(|it| Scalar::Integer(*it));
    let floats = found.floats.iter().take(MOST_LOGGED).map(|it| Scalar::Float(*it));
    pools.logged = texts.chain(integers).chain(floats).collect();
    prepend(&mut pools.integers, found.integers);
    prepend(&mut pools.floats, found.floats);
    prepend(&mut pools.texts, found.texts);
    prepend(&mut pools.types, found.types);
    pools.failed_cast = found.failed_cast;
}

fn prepend<T>(all: &mut Vec<T>, first: Vec<T>) {
    all.splice(0..0, first);
}

fn add_fact(fact: &Fact, offers: &mut Offers<'_>) {
    let numbers: &[Option<i64>] = match fact {
        Fact::Index { index, length } => &[Some(*index), *length],
        Fact::Range { begin, end, length } => &[*begin, *end, *length],
        Fact::Span { offset, count, length } => &[Some(*offset), Some(*count), *length],
        Fact::NegativeSize { size } => &[Some(*size)],
        Fact::Cast { from, to } => {
            offers.add_type(&internal(from));
            offers.add_type(&internal(to));
            offers.pools.failed_cast = Some(internal(to));
            &[]
        }
        Fact::StoredElement { class } | Fact::ClassName { name: class } => {
            offers.add_type(&internal(class));
            offers.add_text(Text::from(class.as_str()));
            &[]
        }
        Fact::NumberText { text: Some(text), .. }
        | Fact::Quoted { text }
        | Fact::MissingKey { key: text }
        | Fact::EnumConstant { name: text, .. } => {
            add_word(text, offers);
            &[]
        }
        Fact::Number { value, .. } => {
            offers.add_float(*value);
            if value.fract() == 0.0 && value.abs() < 9e15 {
                offers.add_integer(*value as i64);
            }
            &[]
        }
        Fact::Null { .. } | Fact::NumberText { text: None, .. } | Fact::DivisionByZero => &[],
    };
    for number in numbers.iter().flatten() {
        offers.add_integer(*number);
    }
}

fn internal(class: &str) -> String {
    class.replace('.', "/")
}

/// A piece of text, also as the number or class name that it may be.
fn add_word(text: &str, offers: &mut Offers<'_>) {
    offers.add_text(Text::from(text));
    if let Ok(number) = text.parse() {
        offers.add_integer(number);
    }
    if let Ok(number) = text.parse::<f64>() {
        offers.add_float(number);
    }
}

/// What stands between the constant parts of a message that the methods of the trace put together.
fn fillings<'m>(message: &'m str, constants: &[String], shortest: usize) -> Vec<&'m str> {
    let mut found = Vec::new();
    for constant in constants {
        for part in parts(constant).map(str::trim).filter(|it| it.len() >= shortest) {
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
        assert_eq!(fillings(message, &constants, 3), expect);
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
