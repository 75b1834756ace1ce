//! How near the message of an exception comes to that of the crash.

/// The message of a crash, for comparison with others.
#[derive(Clone, Debug)]
pub(crate) struct LoggedMessage(String);

/// The distance of a message that says something else begins here; below it are those that differ
/// in numbers alone.
const OTHER_WORDS: f64 = 0.5;

impl LoggedMessage {
    pub(crate) fn new(message: &str) -> Self {
        Self(message.trim().to_owned())
    }

    /// The distance of a produced message, from 0 to 1. Parsers tell the position that they
    /// reached, and other code an index, a size or a key: messages with the same words are as near
    /// as their numbers. Of others the one is nearer that is the same for longer.
    pub(crate) fn distance(&self, produced: Option<&str>) -> f64 {
        let Some(produced) = produced.map(str::trim) else { return 1.0 };
        if let Some(apart) = numbers_apart(&self.0, produced) {
            return OTHER_WORDS * crate::assessment::normalise(apart);
        }
        let common = self.0.chars().zip(produced.chars()).take_while(|(one, other)| one == other).count();
        let length = self.0.chars().count().max(produced.chars().count()).max(1);
        1.0 - (1.0 - OTHER_WORDS) * common as f64 / length as f64
    }
}

/// The sum of the differences between the numbers of two texts; none if the words between them
/// differ.
fn numbers_apart(one: &str, other: &str) -> Option<f64> {
    let (mut one, mut other) = (one, other);
    let mut apart = 0.0;
    loop {
        let (words, rest) = split(one, |it| !it.is_ascii_digit());
        let (other_words, other_rest) = split(other, |it| !it.is_ascii_digit());
        if words != other_words {
            return None;
        }
        let (number, next) = split(rest, |it| it.is_ascii_digit());
        let (other_number, other_next) = split(other_rest, |it| it.is_ascii_digit());
        if number.is_empty() && other_number.is_empty() {
            return Some(apart);
        }
        // What is no number on one side does not agree, and a number of many digits is still one.
        let (left, right) = (number.parse::<f64>().ok()?, other_number.parse::<f64>().ok()?);
        apart += (left - right).abs();
        (one, other) = (next, other_next);
    }
}

fn split(text: &str, is_part: impl Fn(&char) -> bool) -> (&str, &str) {
    let end = text.find(|it: char| !is_part(&it)).unwrap_or(text.len());
    text.split_at_checked(end).unwrap_or((text, ""))
}
