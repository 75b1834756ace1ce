//! Exception messages to facts.
//!
//! A fact is what the wording of a message states; where a wording is not known, only the numbers,
//! quoted texts and class names in it are given. The wordings are those of HotSpot and the class
//! library from JDK 8 on.

mod generic;
mod null;

use serde::Serialize;

pub use null::{NullAction, NullValue};

use crate::message::generic::{between, integer};
pub(crate) use generic::{closing, number, quoted};

/// Something that a message states.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Fact {
    /// An index that is out of bounds, and of what length if that is said.
    Index {
        /// The index.
        index: i64,
        /// The length of what was indexed.
        length: Option<i64>,
    },
    /// A range that is out of bounds, its end exclusive.
    Range {
        /// The first index.
        begin: Option<i64>,
        /// The index behind the last.
        end: Option<i64>,
        /// The length of what was indexed.
        length: Option<i64>,
    },
    /// A start and a number of elements that are out of bounds.
    Span {
        /// The first index.
        offset: i64,
        /// The number of elements.
        count: i64,
        /// The length of what was indexed.
        length: Option<i64>,
    },
    /// A length that is negative.
    NegativeSize {
        /// The length asked for.
        size: i64,
    },
    /// A cast that failed; names as `Class.getName` gives them, so arrays are
    /// `[Ljava.lang.String;`.
    Cast {
        /// The class of the value.
        from: String,
        /// The class it was cast to.
        to: String,
    },
    /// A value that was null, from a helpful NullPointerException.
    Null {
        /// The operation that failed.
        action: NullAction,
        /// The value that was null, if the message tells.
        what: Option<NullValue>,
    },
    /// The text that could not be read as a number.
    NumberText {
        /// The text; None if it was null.
        text: Option<String>,
        /// The radix, if said.
        radix: Option<u32>,
    },
    /// The name of an enum constant that does not exist.
    EnumConstant {
        /// The enum class in source form, dots before nested classes.
        class: String,
        /// The name asked for.
        name: String,
    },
    /// The class of an element that the array could not hold.
    StoredElement {
        /// The class.
        class: String,
    },
    /// A key that a map does not have.
    MissingKey {
        /// The key's text.
        key: String,
    },
    /// A division by zero.
    DivisionByZero,
    /// A number somewhere in the message.
    Number {
        /// The number as written.
        text: String,
        /// Its value.
        value: f64,
    },
    /// A text in quotes or square brackets somewhere in the message.
    Quoted {
        /// The text without the quotes.
        text: String,
    },
    /// A qualified class name somewhere in the message.
    ClassName {
        /// The name.
        name: String,
    },
}

/// Reads the facts of a message. `class` is the exception's class, which decides how wordings are
/// understood.
pub fn facts(class: &str, message: &str) -> Vec<Fact> {
    let message = message.trim();
    match worded(class, message) {
        Some(fact) => vec![fact],
        None => generic::facts(message),
    }
}

/// Whether two messages of exceptions of one class tell of different things: another action on a
/// null, another method that yielded it, a cast to another class. Values may differ, and where a
/// message says nothing of the kind nothing is known.
pub fn are_of_different_causes(class: &str, one: &str, other: &str) -> bool {
    match (worded(class, one.trim()), worded(class, other.trim())) {
        (
            Some(Fact::Null { action: one, what: one_value }),
            Some(Fact::Null { action: other, what: other_value }),
        ) => one != other || yield_differently(one_value.as_ref(), other_value.as_ref()),
        (Some(Fact::Cast { to: one, .. }), Some(Fact::Cast { to: other, .. })) => one != other,
        _ => false,
    }
}

/// Whether two messages of exceptions of one class say the same: word for word or, where the wordings are
/// known, by their facts, since releases of the JDK word the same fact differently.
pub fn say_the_same(class: &str, one: &str, other: &str) -> bool {
    let (one, other) = (one.trim(), other.trim());
    one == other
        || worded(class, one).zip(worded(class, other)).is_some_and(|(one, other)| agree(&one, &other))
}

/// Whether two facts agree in everything that both of them tell.
fn agree(one: &Fact, other: &Fact) -> bool {
    let are_same =
        |one: Option<i64>, other: Option<i64>| one.zip(other).is_none_or(|(one, other)| one == other);
    match (one, other) {
        (Fact::Index { index: one, length }, Fact::Index { index: other, length: other_length }) => {
            one == other && are_same(*length, *other_length)
        }
        // JDK 8 tells the one index of a range that is wrong, or the length of the range.
        (Fact::Index { index, length: None }, Fact::Range { begin, end, .. })
        | (Fact::Range { begin, end, .. }, Fact::Index { index, length: None }) => {
            let span = end.zip(*begin).map(|(end, begin)| end.saturating_sub(begin));
            [*begin, *end, span].contains(&Some(*index))
        }
        // Names of variables depend on how the program was compiled.
        (Fact::Null { action: one, what: one_value }, Fact::Null { action: other, what: other_value }) => {
            one == other && !yield_differently(one_value.as_ref(), other_value.as_ref())
        }
        (one, other) => one == other,
    }
}

/// Whether two nulls are what different methods yielded.
fn yield_differently(one: Option<&NullValue>, other: Option<&NullValue>) -> bool {
    let is_returned = |it: Option<&NullValue>| matches!(it, Some(NullValue::Returned { .. }));
    is_returned(one) && is_returned(other) && one != other
}

/// The fact of a message whose wording is known as a whole.
fn worded(class: &str, message: &str) -> Option<Fact> {
    let simple = class.rsplit(['.', '$']).next().unwrap_or(class);
    match simple {
        "ArrayIndexOutOfBoundsException"
        | "StringIndexOutOfBoundsException"
        | "IndexOutOfBoundsException" => bounds(message),
        "NegativeArraySizeException" => {
            Some(Fact::NegativeSize { size: integer(message.rsplit(' ').next()?)? })
        }
        "ClassCastException" => cast(message),
        "NullPointerException" => null::parse(message),
        "NumberFormatException" => number_text(message),
        "ArithmeticException" => (message == "/ by zero").then_some(Fact::DivisionByZero),
        "ArrayStoreException" => {
            let name = message.strip_prefix("arraycopy: ").map_or(Some(message), |_| None)?;
            generic::is_class_name(name).then(|| Fact::StoredElement { class: name.to_owned() })
        }
        "IllegalArgumentException" => enum_constant(message),
        "NoSuchElementException" => missing_key(message),
        _ => None,
    }
}

/// The wordings of index exceptions, which differ between releases in punctuation and case more
/// than in words.
fn bounds(message: &str) -> Option<Fact> {
    if message.len() > LONGEST_BOUNDS {
        return None;
    }
    let text = message.strip_prefix("arraycopy: ").unwrap_or(message).to_ascii_lowercase();
    // JDK 9 and 10 hyphenate.
    let text = text.replace("out-of-bounds", "out of bounds");
    let words: Vec<&str> =
        text.split([' ', ',', ':', '[', ')', '=', ';']).filter(|word| !word.is_empty()).collect();
    let number = |text: &str| integer(text);
    match words[..] {
        // JDK 8 to 10 give the bare index for arrays.
        [index]
        | ["index", index]
        | ["index", "out", "of", "range", index]
        | ["string" | "array", "index", "out", "of", "range", index] => {
            Some(Fact::Index { index: number(index)?, length: None })
        }
        // Android names the length first; Vector compares.
        ["index", index, "size" | "length", length]
        | ["length", length, "index", index]
        | [index, ">", length]
        | ["string" | "array", "index", "out", "of", "range", index, "length", length]
        | ["index", index, "out", "of", "bounds", "for", "length", length] => {
            Some(Fact::Index { index: number(index)?, length: Some(number(length)?) })
        }
        ["begin" | "start", begin, "end", end, "length", length]
        | ["range", begin, end, "out", "of", "bounds", "for", "length", length] => Some(Fact::Range {
            begin: Some(number(begin)?),
            end: Some(number(end)?),
            length: Some(number(length)?),
        }),
        ["fromindex", begin] => Some(Fact::Range { begin: Some(number(begin)?), end: None, length: None }),
        ["toindex", end] => Some(Fact::Range { begin: None, end: Some(number(end)?), length: None }),
        ["offset", offset, "count", count, "length", length]
        | ["range", offset, _, "+", count, "out", "of", "bounds", "for", "length", length] => {
            Some(Fact::Span { offset: number(offset)?, count: number(count)?, length: Some(number(length)?) })
        }
        // `last source index 7 out of bounds for int[5]`, or `for object array[5]`: the last index
        // is exclusive.
        ["last", "source" | "destination", "index", end, "out", "of", "bounds", "for", .., length] => {
            Some(Fact::Range { begin: None, end: Some(number(end)?), length: Some(array_length(length)?) })
        }
        ["source" | "destination", "index", index, "out", "of", "bounds", "for", .., length] => {
            Some(Fact::Index { index: number(index)?, length: Some(array_length(length)?) })
        }
        _ => None,
    }
}

/// Longer messages of index exceptions have no known wording.
const LONGEST_BOUNDS: usize = 256;

/// The number in the part of `int[5]` that splitting left.
fn array_length(text: &str) -> Option<i64> {
    integer(text.strip_suffix(']')?)
}

/// `A cannot be cast to B` up to JDK 10, `class A cannot be cast to class B (A is in …; B is in …)`
/// after.
fn cast(message: &str) -> Option<Fact> {
    let (from, to) = message.split_once(" cannot be cast to ")?;
    let name = |text: &str| text.strip_prefix("class ").unwrap_or(text).to_owned();
    let to = to.split_once(" (").map_or(to, |(to, _)| to);
    let (from, to) = (name(from), name(to));
    let good = generic::is_class_name(&from) && generic::is_class_name(&to);
    good.then_some(Fact::Cast { from, to })
}

fn number_text(message: &str) -> Option<Fact> {
    match message {
        "null" | "Cannot parse null string" | "Cannot parse null string: null" => {
            return Some(Fact::NumberText { text: None, radix: None });
        }
        // Double.parseDouble and BigInteger say no more than that.
        "empty String" | "Zero length BigInteger" => {
            return Some(Fact::NumberText { text: Some(String::new()), radix: None });
        }
        _ => {}
    }
    // Parsers outside the JDK put the text first.
    if let Some(text) = message.strip_suffix(" is not a valid number.") {
        return Some(Fact::NumberText { text: Some(text.to_owned()), radix: None });
    }
    let (inside, after) = message.strip_prefix("For input string: \"")?.rsplit_once('"')?;
    let radix = after.strip_prefix(" under radix ").and_then(|radix| radix.parse().ok());
    Some(Fact::NumberText { text: Some(inside.to_owned()), radix })
}

/// `No enum constant a.b.C.D`, where the name may be any text but holds no dot if it is one of a
/// constant.
fn enum_constant(message: &str) -> Option<Fact> {
    let rest = message.strip_prefix("No enum constant ")?;
    let (class, name) = rest.rsplit_once('.')?;
    Some(Fact::EnumConstant { class: class.to_owned(), name: name.to_owned() })
}

/// The wordings of Scala's and Kotlin's maps.
fn missing_key(message: &str) -> Option<Fact> {
    let key = message
        .strip_prefix("key not found: ")
        .or_else(|| between(message, "Key ", " is missing in the map."))?;
    Some(Fact::MissingKey { key: key.to_owned() })
}
