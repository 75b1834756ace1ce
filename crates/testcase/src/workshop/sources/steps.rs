//! Steps from a literal to one near it, on the way that distances show, or to the other side of a
//! comparison (`source.compared-operands`).

use super::bytes;
use super::lengths::grow;
use crate::typing::own_type;
use crate::workshop::builder::Builder;
use crate::workshop::{Scalar, Tuning};
use crate::{Literal, Random, Text};

/// What becomes of a part of a text that was compared with another.
#[derive(Clone, Copy)]
enum Exchange {
    /// The other takes its place where it stands once.
    One,
    /// The other takes its place wherever it stands.
    All,
    /// The other goes before it: what a reader missed there.
    Before,
    /// The other goes behind it.
    Behind,
    /// The other goes somewhere into it: what was looked for there.
    Within,
}

/// Small changes of a text.
#[derive(Clone, Copy)]
enum TextStep {
    ChangeCharacter,
    DeleteCharacter,
    CutEnd,
    CutStart,
    InsertText,
    Double,
    InsertCharacter,
    Grow,
    Wrap,
    CutPiece,
    RepeatPiece,
    Rename,
}

impl Builder<'_, '_> {
    /// A literal of the same type near another; none for `null` and the folder of the test.
    pub(crate) fn near(&mut self, literal: &Literal) -> Option<Literal> {
        if self.tuning.source_crashing_arguments
            && let Some(transplanted) = self.transplanted(literal)
        {
            return Some(transplanted);
        }
        if self.tuning.source_compared_operands
            && let Some(compared) = self.compared(literal)
        {
            return Some(compared);
        }
        let tuning = self.tuning;
        let step = |it: i64, random: &mut Random| it.wrapping_add(delta(tuning, random));
        Some(match literal {
            Literal::Boolean(it) => Literal::Boolean(!it),
            Literal::NestedClass(it) => Literal::NestedClass(self.near_nested(it)?),
            Literal::NestedObject(it) => Literal::NestedObject(self.near_nested(it)?),
            _ if self.random.one_in(tuning.literal_anew) => self.random_literal(own_type(literal)?)?,
            Literal::Byte(it) => Literal::Byte(step((*it).into(), self.random) as i8),
            Literal::Short(it) => Literal::Short(step((*it).into(), self.random) as i16),
            Literal::Char(it) if self.random.one_in(tuning.character_step) => {
                Literal::Char(step((*it).into(), self.random) as u16)
            }
            Literal::Char(_) => Literal::Char(self.character()),
            Literal::Int(it) => Literal::Int(step((*it).into(), self.random) as i32),
            Literal::Long(it) => Literal::Long(step(*it, self.random)),
            Literal::Float(it) => Literal::Float(near_float((*it).into(), tuning, self.random) as f32),
            Literal::Double(it) => Literal::Double(near_float(*it, tuning, self.random)),
            Literal::Text(it) => {
                let named = self.nested_text().filter(|named| named != it);
                Literal::Text(named.unwrap_or_else(|| self.near_text(it)))
            }
            Literal::Class(_) => self.class(),
            Literal::Bytes(it) => Literal::Bytes(self.near_bytes(it)),
            Literal::Null(_) | Literal::Folder => return None,
        })
    }

    /// A literal that passes on an argument that crashes, by chance: in the place of an argument that came
    /// from it. Where nothing of the kind is known chance is not asked.
    fn transplanted(&mut self, literal: &Literal) -> Option<Literal> {
        let known = self.experience.transplants();
        if known.is_empty() || !self.random.chance(self.tuning.crashing_argument) {
            return None;
        }
        let start = self.random.place(known.len());
        let turn = self.random.place(usize::MAX);
        let is_short = |it: &Literal| match it {
            Literal::Text(it) => it.units().len() <= self.tuning.longest_text,
            _ => true,
        };
        let around = known.iter().skip(start).chain(known.iter().take(start));
        let mut found = around.filter_map(|(passed, crashing)| match (literal, passed, crashing) {
            (Literal::Text(it), Scalar::Text(passed), Scalar::Text(crashing)) => {
                with_part(it, passed.units(), crashing.units(), turn)
            }
            (Literal::Text(it), Scalar::Integer(_) | Scalar::Float(_), _) => {
                let (passed, crashing) = (digits(passed)?, digits(crashing)?);
                with_part(it, passed.units(), crashing.units(), turn)
            }
            _ => replaced(literal, passed, crashing, Exchange::One, turn),
        });
        found.find(|it| it != literal && is_short(it))
    }

    /// A literal that a comparison suggests, by chance.
    fn compared(&mut self, literal: &Literal) -> Option<Literal> {
        if self.random.chance(self.tuning.compared_operand)
            && let Some(other) = self.other_side(literal)
        {
            return Some(other);
        }
        if self.random.chance(self.tuning.compared_difference) {
            return self.shifted(literal);
        }
        None
    }

    /// The value that a literal was compared with.
    fn other_side(&mut self, literal: &Literal) -> Option<Literal> {
        // Looked at from a random place on, so that no pair always wins.
        let pairs = self.experience.compared();
        let start = self.random.place(pairs.len());
        let both = |(a, b): &(Scalar, Scalar)| [(a.clone(), b.clone()), (b.clone(), a.clone())];
        let around = pairs.iter().skip(start).chain(pairs.iter().take(start));
        let exchange = self.exchange();
        let longest = self.tuning.longest_text;
        let length = |it: &Literal| if let Literal::Text(it) = it { it.units().len() } else { 0 };
        let is_short = |it: &Literal| length(it) <= longest || length(literal) == 0;
        let turn = self.random.place(usize::MAX);
        let replaced = |(one, other)| match literal {
            Literal::Bytes(it) => bytes::replaced(it, &one, &other, turn).map(Literal::Bytes),
            _ => replaced(literal, &one, &other, exchange, turn).filter(is_short),
        };
        around.flat_map(both).find_map(replaced)
    }

    /// How a part of a text meets what it was compared with.
    fn exchange(&mut self) -> Exchange {
        if self.random.chance(self.tuning.compared_beside) {
            return match self.random.place(3) {
                0 => Exchange::Before,
                1 => Exchange::Behind,
                _ => Exchange::Within,
            };
        }
        // A name may stand at both ends of what it names.
        if self.random.one_in(self.tuning.replace_everywhere) { Exchange::All } else { Exchange::One }
    }

    /// A number moved by the difference of two that were compared, or to one side of it: where they
    /// were sums, they are equal then.
    fn shifted(&mut self, literal: &Literal) -> Option<Literal> {
        let pair = self.random.pick(self.experience.compared())?;
        let sign = self.random.coin();
        let tuning = self.tuning;
        let beside =
            [(tuning.difference_exact, 0), (tuning.difference_above, 1), (tuning.difference_below, -1)];
        let more = self.random.choose(&beside).unwrap_or_default();
        let by = match pair {
            (Scalar::Integer(a), Scalar::Integer(b)) => b.wrapping_sub(*a),
            (Scalar::Float(a), Scalar::Float(b)) => {
                return shifted_float(literal, if sign { b - a } else { a - b });
            }
            _ => return None,
        };
        let by = if sign { by } else { by.wrapping_neg() }.wrapping_add(more);
        match literal {
            Literal::Byte(it) => i64::from(*it).checked_add(by)?.try_into().ok().map(Literal::Byte),
            Literal::Short(it) => i64::from(*it).checked_add(by)?.try_into().ok().map(Literal::Short),
            Literal::Int(it) => i64::from(*it).checked_add(by)?.try_into().ok().map(Literal::Int),
            Literal::Long(it) => Some(Literal::Long(it.wrapping_add(by))),
            other => shifted_float(other, by as f64),
        }
    }

    /// A text near another.
    pub(crate) fn near_text(&mut self, text: &Text) -> Text {
        if let Some(structured) = self.restructured_text(text) {
            return structured;
        }
        if let Some(formed) = self.reformed_text(text) {
            return formed;
        }
        let mut units = text.units().to_vec();
        let place = self.random.place(units.len());
        let tuning = self.tuning;
        let steps = [
            (tuning.text_change_character, TextStep::ChangeCharacter),
            (tuning.text_delete_character, TextStep::DeleteCharacter),
            (tuning.text_cut_end, TextStep::CutEnd),
            (tuning.text_cut_start, TextStep::CutStart),
            (tuning.text_insert_text, TextStep::InsertText),
            (tuning.text_double, TextStep::Double),
            (tuning.text_insert_character, TextStep::InsertCharacter),
            (tuning.text_grow, TextStep::Grow),
            (tuning.text_wrap, TextStep::Wrap),
            (tuning.text_cut_piece, TextStep::CutPiece),
            (tuning.text_repeat_piece, TextStep::RepeatPiece),
            (tuning.text_rename, TextStep::Rename),
        ];
        let is_short = units.len() < tuning.longest_text;
        match self.random.choose(&steps).unwrap_or(TextStep::InsertCharacter) {
            TextStep::ChangeCharacter if !units.is_empty() => {
                if let Some(unit) = units.get_mut(place) {
                    *unit = match self.random.one_in(tuning.text_new_character) {
                        true => self.character(),
                        false if self.random.coin() => unit.wrapping_add(1),
                        false => unit.wrapping_sub(1),
                    };
                }
            }
            TextStep::DeleteCharacter if !units.is_empty() => {
                units.remove(place);
            }
            TextStep::CutEnd if units.len() > 1 => units.truncate(place),
            TextStep::CutStart if units.len() > 1 => drop(units.drain(..place)),
            TextStep::InsertText if is_short => {
                let added = self.pick_text().map(|it| it.units().to_vec()).unwrap_or_default();
                let at = self.random.place(units.len() + 1);
                units.splice(at..at, added);
            }
            TextStep::Double if is_short => units.extend(text.units()),
            TextStep::Grow
                if let Some(length) = self.greater_length(units.len(), tuning.longest_grown_text) =>
            {
                if units.is_empty() {
                    units.push(self.character());
                }
                let start = if self.random.coin() { 0 } else { place };
                let end = self.end_of_piece(start, units.len());
                grow(&mut units, start..end, length);
            }
            TextStep::Wrap if is_short => {
                let pair = self.random.pick(&PAIRS).copied().unwrap_or((b'(', b')'));
                let end = self.end_of_piece(place, units.len());
                units.insert(end, pair.1.into());
                units.insert(place, pair.0.into());
            }
            TextStep::CutPiece if !units.is_empty() => {
                let end = self.end_of_piece(place, units.len());
                drop(units.drain(place..end));
            }
            TextStep::RepeatPiece if is_short && !units.is_empty() => {
                let end = self.end_of_piece(place, units.len());
                units.extend_from_within(place..end);
                // From the end of the text to behind the piece.
                let length = end - place;
                units.get_mut(end..).unwrap_or_default().rotate_right(length);
            }
            TextStep::Rename if is_short && let Some(word) = word_at(&units, place) => {
                let by = self.pick_text().unwrap_or_else(|| text.clone());
                if let Some(Literal::Text(renamed)) = with_all_parts(text, word, by.units()) {
                    return renamed;
                }
            }
            _ if is_short => {
                let at = self.random.place(units.len() + 1);
                units.insert(at, self.character());
            }
            _ => {}
        }
        Text::from(units.as_slice())
    }
}

/// Signs that stand on both sides of something.
const PAIRS: [(u8, u8); 7] =
    [(b'(', b')'), (b'[', b']'), (b'{', b'}'), (b'<', b'>'), (b'"', b'"'), (b'\'', b'\''), (b'`', b'`')];

/// The letters and digits around a place.
fn word_at(units: &[u16], place: usize) -> Option<&[u16]> {
    let is_part = |it: &u16| char::from_u32((*it).into()).is_some_and(char::is_alphanumeric);
    let (before, after) = units.split_at_checked(place)?;
    let start = place - before.iter().rev().take_while(|it| is_part(it)).count();
    let end = place + after.iter().take_while(|it| is_part(it)).count();
    units.get(start..end).filter(|it| !it.is_empty())
}

fn shifted_float(literal: &Literal, by: f64) -> Option<Literal> {
    match literal {
        Literal::Float(it) => Some(Literal::Float((f64::from(*it) + by) as f32)),
        Literal::Double(it) => Some(Literal::Double(it + by)),
        _ => None,
    }
}

/// Steps of all sizes, small ones more often.
pub(super) fn delta(tuning: &Tuning, random: &mut Random) -> i64 {
    let bits = if random.one_in(tuning.big_step) { tuning.big_step_bits } else { tuning.small_step_bits };
    let size = 1i64.checked_shl(u32::try_from(random.place(bits)).unwrap_or_default()).unwrap_or(1);
    let by = i64::try_from(random.place(usize::try_from(size).unwrap_or(1))).unwrap_or_default() + 1;
    if random.coin() { by } else { -by }
}

fn near_float(from: f64, tuning: &Tuning, random: &mut Random) -> f64 {
    match random.below(6) {
        0 => from + delta(tuning, random) as f64,
        1 => from * (0.5 + random.unit()),
        2 => -from,
        3 => from.round(),
        4 => from + random.unit() - 0.5,
        _ => (from * 100.0).round() / 100.0 + f64::from(random.below(21)) / 10.0 - 1.0,
    }
}

/// The literal with one side of a comparison, if it is there, replaced by the other. Of the places in a text
/// `turn` chooses one.
fn replaced(
    literal: &Literal,
    one: &Scalar,
    other: &Scalar,
    exchange: Exchange,
    turn: usize,
) -> Option<Literal> {
    match (literal, one, other) {
        (Literal::Byte(it), Scalar::Integer(a), Scalar::Integer(b)) if i64::from(*it) == *a => {
            i8::try_from(*b).ok().map(Literal::Byte)
        }
        (Literal::Short(it), Scalar::Integer(a), Scalar::Integer(b)) if i64::from(*it) == *a => {
            i16::try_from(*b).ok().map(Literal::Short)
        }
        (Literal::Char(it), Scalar::Integer(a), Scalar::Integer(b)) if i64::from(*it) == *a => {
            u16::try_from(*b).ok().map(Literal::Char)
        }
        (Literal::Int(it), Scalar::Integer(a), Scalar::Integer(b)) if i64::from(*it) == *a => {
            i32::try_from(*b).ok().map(Literal::Int)
        }
        (Literal::Long(it), Scalar::Integer(a), Scalar::Integer(b)) if it == a => Some(Literal::Long(*b)),
        (Literal::Float(it), Scalar::Float(a), Scalar::Float(b)) if f64::from(*it) == *a => {
            Some(Literal::Float(*b as f32))
        }
        (Literal::Double(it), Scalar::Float(a), Scalar::Float(b)) if it == a => Some(Literal::Double(*b)),
        (Literal::Text(it), Scalar::Text(a), Scalar::Text(b)) => {
            exchanged(it, a.units(), b.units(), exchange, turn)
        }
        (Literal::Text(it), Scalar::Integer(a), Scalar::Integer(b)) => {
            let (a, b) = (u16::try_from(*a).ok()?, u16::try_from(*b).ok()?);
            // A character stands in many places, for different reasons.
            let exchange = if matches!(exchange, Exchange::All) { Exchange::One } else { exchange };
            exchanged(it, &[a], &[b], exchange, turn)
        }
        _ => None,
    }
}

/// The text after a part of it met another.
fn exchanged(text: &Text, part: &[u16], other: &[u16], exchange: Exchange, turn: usize) -> Option<Literal> {
    if part.is_empty() {
        return text.units().is_empty().then(|| Literal::Text(Text::from(other)));
    }
    match exchange {
        Exchange::One => with_part(text, part, other, turn),
        Exchange::All => with_all_parts(text, part, other),
        Exchange::Before => with_part(text, part, &[other, part].concat(), turn),
        Exchange::Behind => with_part(text, part, &[part, other].concat(), turn),
        Exchange::Within => {
            // Not the bits that choose among a few places of the part.
            let (start, end) = part.split_at((turn >> 16) % part.len());
            with_part(text, part, &[start, other, end].concat(), turn)
        }
    }
}

/// The text with a part replaced by another wherever it stands.
fn with_all_parts(text: &Text, part: &[u16], by: &[u16]) -> Option<Literal> {
    let units = text.units();
    let mut all = Vec::with_capacity(units.len() + by.len());
    let mut rest = units;
    while let Some(at) = rest.windows(part.len()).position(|it| it == part) {
        all.extend(rest.get(..at)?);
        all.extend(by);
        rest = rest.get(at + part.len()..)?;
    }
    all.extend(rest);
    (rest.len() < units.len()).then(|| Literal::Text(Text::from(all.as_slice())))
}

/// The text with a part replaced by another in one of the places where it stands, which `turn` chooses. An
/// empty part may stand anywhere.
fn with_part(text: &Text, part: &[u16], by: &[u16], turn: usize) -> Option<Literal> {
    let units = text.units();
    let is_there = |it: &usize| units.get(*it..).is_some_and(|it| it.starts_with(part));
    let places = (0..=units.len()).filter(is_there);
    let place = places.clone().nth(turn.checked_rem(places.count())?)?;
    let all = [units.get(..place)?, by, units.get(place + part.len()..)?].concat();
    Some(Literal::Text(Text::from(all.as_slice())))
}

/// A number as texts have it.
fn digits(number: &Scalar) -> Option<Text> {
    let digits = match number {
        Scalar::Integer(it) => it.to_string(),
        Scalar::Float(it) => it.to_string(),
        Scalar::Text(_) => return None,
    };
    Some(Text::from(digits.as_str()))
}

#[cfg(test)]
mod tests {
    use super::{Exchange, replaced, with_part};
    use crate::workshop::Scalar;
    use crate::{Literal, Text};

    #[test]
    fn an_argument_stands_in_any_place_of_a_text() {
        let replaced = |turn| with_part(&"<a>a</a>".into(), &[97], &[38, 59], turn);
        let text = |it: &str| Some(Literal::Text(Text::from(it)));
        assert_eq!(
            [0, 1, 2, 3].map(replaced),
            ["<&;>a</a>", "<a>&;</a>", "<a>a</&;>", "<&;>a</a>"].map(text)
        );
        assert_eq!(with_part(&"b".into(), &[97], &[], 0), None);
        let inserted = |turn| with_part(&"<>".into(), &[], &[97], turn);
        assert_eq!([0, 1, 2, 4].map(inserted), ["a<>", "<a>", "<>a", "<a>"].map(text));
    }

    #[test]
    fn one_side_of_a_comparison_becomes_the_other() {
        use Exchange::{All, Before, Behind, One, Within};
        let text = |it: &str| Literal::Text(Text::from(it));
        let (a, b) = (Scalar::Text("a".into()), Scalar::Text("xy".into()));
        let banana = |exchange, turn| replaced(&text("banana"), &a, &b, exchange, turn);
        assert_eq!(
            [0, 1, 5].map(|it| banana(One, it)),
            ["bxynana", "banxyna", "bananxy"].map(|it| Some(text(it)))
        );
        assert_eq!(banana(All, 1), Some(text("bxynxynxy")));
        assert_eq!(banana(Before, 1), Some(text("banxyana")));
        assert_eq!(banana(Behind, 1), Some(text("banaxyna")));
        let whole = Scalar::Text("banana".into());
        let within = |turn| replaced(&text("(banana)"), &whole, &b, Within, turn);
        assert_eq!(
            [1, 2 << 16, 9 << 16].map(within),
            ["(xybanana)", "(baxynana)", "(banxyana)"].map(|it| Some(text(it)))
        );
        assert_eq!(replaced(&text("none"), &a, &b, All, 0), None);
        let empty = Scalar::Text("".into());
        assert_eq!(replaced(&text("none"), &empty, &b, One, 0), None);
        assert_eq!(replaced(&text(""), &empty, &b, Before, 0), Some(text("xy")));
        let (seven, many) = (Scalar::Integer(7), Scalar::Integer(300));
        assert_eq!(replaced(&Literal::Int(7), &seven, &many, One, 0), Some(Literal::Int(300)));
        assert_eq!(replaced(&Literal::Byte(7), &seven, &many, One, 0), None);
        let (open, close) = (Scalar::Integer(40), Scalar::Integer(41));
        assert_eq!(replaced(&text("f(("), &open, &close, One, 0), Some(text("f)(")));
    }
}
