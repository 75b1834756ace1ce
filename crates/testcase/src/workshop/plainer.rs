//! Literals that a reader would rather see than others.

use super::plain_nested::plainer_nested;
use super::{Pools, Tuning};
use crate::{Literal, Text};

/// The plainest values of a type that sources write down; none for other types.
pub(super) fn plain_literals(descriptor: &str) -> Vec<Literal> {
    match descriptor {
        "Z" => vec![Literal::Boolean(false), Literal::Boolean(true)],
        "B" => vec![Literal::Byte(0), Literal::Byte(1)],
        "S" => vec![Literal::Short(0), Literal::Short(1)],
        "I" => vec![Literal::Int(0), Literal::Int(1)],
        "J" => vec![Literal::Long(0), Literal::Long(1)],
        "F" => vec![Literal::Float(0.0), Literal::Float(1.0)],
        "D" => vec![Literal::Double(0.0), Literal::Double(1.0)],
        "C" => vec![Literal::Char(u16::from(b'a'))],
        "Ljava/lang/String;" => vec![Literal::Text("".into()), Literal::Text("a".into())],
        _ => Vec::new(),
    }
}

/// Literals of the same type that a reader would rather see, the plainest first.
pub(super) fn plainer(literal: &Literal, pools: &Pools, tuning: &Tuning) -> Vec<Literal> {
    match literal {
        Literal::Boolean(true) => vec![Literal::Boolean(false)],
        Literal::Byte(it) => plainer_wholes((*it).into()).into_iter().map(Literal::Byte).collect(),
        Literal::Short(it) => plainer_wholes((*it).into()).into_iter().map(Literal::Short).collect(),
        Literal::Int(it) => plainer_wholes((*it).into()).into_iter().map(Literal::Int).collect(),
        Literal::Long(it) => plainer_wholes(*it).into_iter().map(Literal::Long).collect(),
        Literal::Float(it) => {
            // With the digits that a source shows, which are fewer than those of a wider type.
            let shown = it.to_string().parse().unwrap_or_else(|_| (*it).into());
            plainer_reals(shown).into_iter().map(|it| Literal::Float(it as f32)).collect()
        }
        Literal::Double(it) => plainer_reals(*it).into_iter().map(Literal::Double).collect(),
        Literal::Char(it) if *it != LETTER => vec![Literal::Char(LETTER)],
        Literal::Text(text) => {
            let is_word = pools.texts.contains(text) || pools.tokens.contains(text);
            let texts = plainer_texts(text, is_word, tuning.simplified_characters);
            texts.into_iter().map(Literal::Text).collect()
        }
        Literal::NestedClass(it) => plainer_nested(it).into_iter().map(Literal::NestedClass).collect(),
        Literal::NestedObject(it) => plainer_nested(it).into_iter().map(Literal::NestedObject).collect(),
        Literal::Bytes(bytes) => {
            let most = tuning.simplified_characters;
            plainer_bytes(bytes.get(), most).iter().map(|it| Literal::Bytes(it.as_slice().into())).collect()
        }
        _ => Vec::new(),
    }
}

/// The letter that stands for any.
const LETTER: u16 = b'a' as u16;

/// Whole numbers nearer to zero, those with few digits first.
fn plainer_wholes<T: TryFrom<i64>>(it: i64) -> Vec<T> {
    let digits = it.unsigned_abs().checked_ilog10().unwrap_or(0);
    let power = |digits: u32| 10_i64.checked_pow(digits).unwrap_or(1);
    // With its first digits alone.
    let begun = |count: u32| it / power(digits.saturating_sub(count)) * power(digits.saturating_sub(count));
    let zeros = (0..digits).take_while(|zeros| it % power(zeros + 1) == 0).count();
    let less = it - it.signum() * power(u32::try_from(zeros).unwrap_or(0));
    let candidates =
        [0, 1, -1, 10, 100, it.saturating_abs(), power(digits), begun(0), begun(1), begun(2), it / 2, less];
    let rank = |it: i64| (it.unsigned_abs(), it < 0);
    let plainer = distinct(candidates.into_iter().filter(|new| rank(*new) < rank(it)));
    plainer.into_iter().filter_map(|it| it.try_into().ok()).collect()
}

/// Floating-point numbers with fewer digits or a smaller exponent.
fn plainer_reals(it: f64) -> Vec<f64> {
    let text = |digits: usize| format!("{it:.digits$e}");
    let rounded = |digits: usize| text(digits).parse().unwrap_or(it);
    let exponent: i32 = text(0).split_once('e').and_then(|(_, it)| it.parse().ok()).unwrap_or(0);
    let power = |exponent: i32| format!("1e{exponent}").parse().map_or(it, |power: f64| power.copysign(it));
    let round = [10.0, 100.0].into_iter().filter(|round| it.abs() > *round);
    let candidates = [0.0, 1.0, -1.0].into_iter().chain(round).chain([
        it.abs(),
        power(exponent / 2),
        power(exponent),
        it.trunc(),
        rounded(0),
        rounded(1),
        rounded(3),
    ]);
    distinct(candidates.filter(|new| complexity(*new) < complexity(it)))
}

/// How much there is to read of a number: digits, exponent, first digit, sign. Numbers that are none are
/// read as easily as ones with a single digit, yet come last among those.
fn complexity(number: f64) -> (usize, u32, u8, bool) {
    if !number.is_finite() {
        return (1, u32::MAX, 0, number.is_sign_negative());
    }
    let text = format!("{:e}", number.abs());
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let digits = mantissa.bytes().filter(u8::is_ascii_digit).count();
    let exponent: i32 = exponent.parse().unwrap_or(0);
    (digits, exponent.unsigned_abs(), mantissa.bytes().next().unwrap_or(0), number.is_sign_negative())
}

/// Each value once, where it comes first.
fn distinct<T: PartialEq>(values: impl Iterator<Item = T>) -> Vec<T> {
    values.fold(Vec::new(), |mut known, it| {
        if !known.contains(&it) {
            known.push(it);
        }
        known
    })
}

fn plainer_bytes(bytes: &[u8], most: usize) -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    if bytes.is_empty() {
        return found;
    }
    let (start, end) = bytes.split_at(bytes.len() / 2);
    found.extend([Vec::new(), start.to_vec(), end.to_vec()]);
    let places = || 0..bytes.len().min(most);
    let without = |place: usize| {
        let mut shorter = bytes.to_vec();
        shorter.remove(place);
        shorter
    };
    found.extend(places().rev().map(without));
    for place in places() {
        let mut plain = bytes.to_vec();
        if let Some(byte) = plain.get_mut(place).filter(|it| **it != 0) {
            *byte = 0;
            found.push(plain);
        }
    }
    found
}

/// Shorter texts, and texts of the same length with plainer characters. Letters of words that the program
/// mentions stay: `true` says more than `aaaa`.
fn plainer_texts(text: &Text, is_word: bool, most: usize) -> Vec<Text> {
    let units = text.units();
    let mut found = Vec::new();
    if units.is_empty() {
        return found;
    }
    let plainest = [vec![], vec![LETTER], vec![LETTER; units.len()]];
    found.extend(plainest.iter().filter(|it| it.as_slice() != units).map(|it| Text::from(it.as_slice())));
    let half = units.len() / 2;
    found.extend(units.get(..half).map(Text::from));
    found.extend(units.get(half..).map(Text::from));
    let mut size = half / 2;
    while size > 1 {
        for start in (0..units.len()).step_by(size) {
            let (before, rest) = units.split_at(start);
            let shorter = [before, rest.get(size..).unwrap_or_default()].concat();
            found.push(Text::from(shorter.as_slice()));
        }
        size /= 2;
    }
    for place in 0..units.len().min(most) {
        let mut shorter = units.to_vec();
        shorter.remove(place);
        found.push(Text::from(shorter.as_slice()));
    }
    let is_small = |it: u16| (u16::from(b'a')..=u16::from(b'z')).contains(&it);
    let is_digit = |it: u16| (u16::from(b'0')..=u16::from(b'9')).contains(&it);
    let small = |it: &u16| if is_small(*it) { LETTER } else { *it };
    let is_plain = |it: u16| it == LETTER || is_digit(it) || is_word && is_small(it);
    if !is_word {
        found.push(Text::from(units.iter().map(small).collect::<Vec<_>>().as_slice()));
    }
    for place in 0..units.len().min(most) {
        let mut plain = units.to_vec();
        if let Some(unit) = plain.get_mut(place).filter(|it| !is_plain(**it)) {
            *unit = LETTER;
            found.push(Text::from(plain.as_slice()));
        }
    }
    found.retain(|it| it != text);
    found
}

#[cfg(test)]
mod tests {
    use super::{complexity, plainer};
    use crate::workshop::{Pools, Tuning};
    use crate::{Literal, Text};

    fn check(literal: Literal, expected: impl IntoIterator<Item = Literal>) {
        let expected: Vec<Literal> = expected.into_iter().collect();
        assert_eq!(plainer(&literal, &Pools::default(), &Tuning::default()), expected, "{literal:?}");
    }

    fn text(text: &str) -> Literal {
        Literal::Text(Text::from(text))
    }

    #[test]
    fn whole_numbers_come_nearer_to_zero() {
        check(Literal::Int(7), [0, 1, -1, 3, 6].map(Literal::Int));
        check(Literal::Int(-408), [0, 1, -1, 10, 100, 408, -400, -204, -407].map(Literal::Int));
        let shorter = [0, 1, -1, 10, 100, 131_072, 100_000, -100_000, -130_000, -131_000, -65_536, -131_071];
        check(Literal::Int(-131_072), shorter.map(Literal::Int));
        check(Literal::Int(1200), [0, 1, -1, 10, 100, 1000, 600, 1100].map(Literal::Int));
        check(Literal::Byte(-128), [0, 1, -1, 10, 100, -100, -120, -64, -127].map(Literal::Byte));
        check(Literal::Int(0), []);
        for smallest in [Literal::Int(i32::MIN), Literal::Long(i64::MIN)] {
            assert!(!plainer(&smallest, &Pools::default(), &Tuning::default()).is_empty());
        }
    }

    #[test]
    fn floating_point_numbers_lose_digits_and_exponents() {
        check(Literal::Double(0.300_000_000_000_000_04), [0.0, 1.0, -1.0, 0.1, 0.3].map(Literal::Double));
        check(Literal::Double(f64::NAN), [0.0, 1.0, -1.0].map(Literal::Double));
        let largest = f64::from(f32::MAX);
        check(
            Literal::Double(-largest),
            [0.0, 1.0, -1.0, 10.0, 100.0, largest, -1e19, -1e38, -3e38, -3.4e38, -3.403e38]
                .map(Literal::Double),
        );
        check(Literal::Float(0.1), [0.0, 1.0, -1.0].map(Literal::Float));
        check(Literal::Double(8.0), [0.0, 1.0, -1.0].map(Literal::Double));
        check(Literal::Double(0.0), []);
    }

    #[test]
    fn steps_between_floating_point_numbers_come_to_an_end() {
        for number in [f64::MAX, f64::MIN_POSITIVE, -1.5e-7, 123.456, f64::INFINITY, -0.0, f64::NAN] {
            for plainer in super::plainer_reals(number) {
                assert!(complexity(plainer) < complexity(number), "{plainer} for {number}");
            }
        }
    }

    #[test]
    fn texts_become_shorter_and_plainer() {
        check(text("a!"), ["", "a", "aa", "a", "!", "!", "a", "aa"].map(text));
        check(text("tE"), ["", "a", "aa", "t", "E", "E", "t", "aE", "aE", "ta"].map(text));
        check(Literal::Boolean(true), [Literal::Boolean(false)]);
    }

    #[test]
    fn words_of_the_program_keep_their_letters() {
        let pools = Pools { texts: vec![Text::from("on;")], ..Pools::default() };
        let known = plainer(&text("on;"), &pools, &Tuning::default());
        assert!(known.contains(&text("on")) && known.contains(&text("ona")));
        assert!(!known.contains(&text("aa;")) && !known.contains(&text("an;")));
        assert!(plainer(&text("on;"), &Pools::default(), &Tuning::default()).contains(&text("aa;")));
    }
}
