//! Arrays of bytes as one literal, and steps from one to another near it. Formats of bytes consist
//! of marks and lengths, so numbers that code mentions or compares with are written in every width
//! and order.

use smallvec::SmallVec;

use super::lengths::grow;
use super::steps::delta;
use super::{Offer, ValueSource};
use crate::workshop::builder::{Builder, Request};
use crate::workshop::{Scalar, Tuning};
use crate::{Bytes, TypeRef};

/// Arrays of bytes as one literal.
pub(super) struct ByteArrays;

impl ValueSource for ByteArrays {
    fn is_on(&self, tuning: &Tuning) -> bool {
        tuning.source_bytes
    }

    fn offer(&self, builder: &mut Builder<'_, '_>, request: &Request<'_>) -> Offer {
        let of = builder.catalogue.vocabulary.type_of(request.of);
        let is_bytes = of.is_some_and(|it| it.view() == TypeRef::BYTES);
        if !is_bytes || !builder.random.chance(builder.tuning.bytes_literal) {
            return Offer::Pass;
        }
        let literal = builder.random_literal(TypeRef::BYTES);
        literal.and_then(|it| builder.push_literal(it)).into()
    }
}

/// Bytes that code treats in its own way: edges of the type, ends of texts and lines.
const EDGES: [u8; 8] = [0, 1, 0x7f, 0x80, 0xff, 0xfe, b'\n', b' '];

/// Most bytes of a number.
type NumberBytes = SmallVec<[u8; 8]>;

/// Kinds of parts.
#[derive(Clone, Copy)]
enum Part {
    Single,
    Number,
    Text,
    Table,
}

/// Small changes of an array.
#[derive(Clone, Copy)]
enum Step {
    Flip,
    Change,
    Move,
    Insert,
    Overwrite,
    Delete,
    Duplicate,
    CutEnd,
    Grow,
}

impl Builder<'_, '_> {
    /// A new array.
    pub(super) fn bytes(&mut self) -> Bytes {
        let mut bytes = Vec::new();
        // Where there are no tables, nothing is drawn: all other choices stay as they are.
        if !self.pool(&self.catalogue.pools.tables).is_empty()
            && self.random.chance(self.tuning.bytes_table_first)
        {
            self.add_table(&mut bytes);
        }
        for _ in 0..self.random.place(self.tuning.new_bytes_parts + 1) {
            self.add_part(&mut bytes);
        }
        bytes.truncate(self.tuning.longest_bytes);
        Bytes::from(bytes.as_slice())
    }

    /// An array near another.
    pub(super) fn near_bytes(&mut self, old: &Bytes) -> Bytes {
        let tuning = self.tuning;
        let mut bytes = old.get().to_vec();
        let steps = [
            (tuning.bytes_flip, Step::Flip),
            (tuning.bytes_change, Step::Change),
            (tuning.bytes_step, Step::Move),
            (tuning.bytes_insert, Step::Insert),
            (tuning.bytes_overwrite, Step::Overwrite),
            (tuning.bytes_delete, Step::Delete),
            (tuning.bytes_duplicate, Step::Duplicate),
            (tuning.bytes_cut_end, Step::CutEnd),
            (tuning.bytes_grow, Step::Grow),
        ];
        let place = self.random.place(bytes.len());
        match self.random.choose(&steps).unwrap_or(Step::Insert) {
            Step::Flip if !bytes.is_empty() => {
                let bit = 1u8 << self.random.below(8);
                bytes.iter_mut().skip(place).take(1).for_each(|it| *it ^= bit);
            }
            Step::Change if !bytes.is_empty() => {
                let new = self.byte();
                bytes.iter_mut().skip(place).take(1).for_each(|it| *it = new);
            }
            Step::Move if !bytes.is_empty() => {
                let by = delta(tuning, self.random) as u8;
                bytes.iter_mut().skip(place).take(1).for_each(|it| *it = it.wrapping_add(by));
            }
            Step::Overwrite if !bytes.is_empty() => {
                let mut part = Vec::new();
                self.add_part(&mut part);
                bytes.iter_mut().skip(place).zip(part).for_each(|(it, new)| *it = new);
            }
            Step::Delete if !bytes.is_empty() => {
                let end = self.end_of_piece(place, bytes.len());
                drop(bytes.drain(place..end));
            }
            Step::Duplicate if !bytes.is_empty() && bytes.len() < tuning.longest_bytes => {
                let end = self.end_of_piece(place, bytes.len());
                let piece = bytes.get(place..end).unwrap_or_default().to_vec();
                bytes.splice(end..end, piece);
            }
            Step::CutEnd if bytes.len() > 1 => bytes.truncate(place),
            Step::Grow if let Some(length) = self.greater_length(bytes.len(), tuning.longest_grown_text) => {
                if bytes.is_empty() {
                    bytes.push(self.byte());
                }
                let end = self.end_of_piece(place, bytes.len());
                grow(&mut bytes, place..end, length);
            }
            _ if bytes.len() < tuning.longest_bytes => {
                let at = if self.random.coin() { bytes.len() } else { self.random.place(bytes.len() + 1) };
                let mut part = Vec::new();
                self.add_part(&mut part);
                bytes.splice(at..at, part);
            }
            _ => {}
        }
        bytes.truncate(Bytes::MOST);
        Bytes::from(bytes.as_slice())
    }

    /// The end of a piece that begins at a place and is mostly short; it is empty at the end alone.
    pub(super) fn end_of_piece(&mut self, place: usize, length: usize) -> usize {
        let rest = length.saturating_sub(place);
        let longest = if self.random.coin() { rest.min(4) } else { rest };
        (place + self.random.place(longest) + 1).min(length)
    }

    fn add_part(&mut self, to: &mut Vec<u8>) {
        let tuning = self.tuning;
        let has_tables = !self.pool(&self.catalogue.pools.tables).is_empty();
        let parts = [
            (tuning.bytes_single, Part::Single),
            (tuning.bytes_number, Part::Number),
            (tuning.bytes_text, Part::Text),
            (if has_tables { tuning.bytes_table } else { 0 }, Part::Table),
        ];
        match self.random.choose(&parts).unwrap_or(Part::Single) {
            Part::Number if let Some(number) = self.mentioned_number() => {
                let widths: SmallVec<[usize; 4]> =
                    WIDTHS.into_iter().filter(|it| is_in_width(number, *it)).collect();
                let width = self.random.pick(&widths).copied().unwrap_or(8);
                to.extend(encoded(number, width, self.random.coin()));
            }
            Part::Text if let Some(text) = self.pick_text() => {
                let longest = self.tuning.longest_bytes;
                to.extend(String::from_utf16_lossy(text.units()).bytes().take(longest));
            }
            Part::Table => self.add_table(to),
            _ => to.push(self.byte()),
        }
    }

    /// Adds an array that code makes of constants.
    fn add_table(&mut self, to: &mut Vec<u8>) {
        if let Some(table) = self.random.pick(self.pool(&self.catalogue.pools.tables)) {
            to.extend(table.get());
        }
    }

    /// A number that a comparison wanted, or one that the code around the crash mentions.
    fn mentioned_number(&mut self) -> Option<i64> {
        let compared = if self.random.coin() { self.random.pick(self.experience.compared()) } else { None };
        match compared {
            Some((Scalar::Integer(a), Scalar::Integer(b))) if self.tuning.source_compared_operands => {
                Some(if self.random.coin() { *a } else { *b })
            }
            _ => self.random.pick(self.pool(&self.catalogue.pools.integers)).copied(),
        }
    }

    fn byte(&mut self) -> u8 {
        match self.random.chance(self.tuning.byte_edge) {
            true => self.random.pick(&EDGES).copied().unwrap_or_default(),
            false => self.random.bits() as u8,
        }
    }
}

/// The numbers of bytes in which programs keep whole numbers.
const WIDTHS: [usize; 4] = [1, 2, 4, 8];

/// Whether a number, with or without a sign, has its place in so many bytes.
fn is_in_width(number: i64, width: usize) -> bool {
    let bits = 8 * u32::try_from(width).unwrap_or(8);
    bits >= i64::BITS || (-(1i64 << (bits - 1))..1i64 << bits).contains(&number)
}

/// A number in so many bytes, the first of them the highest or the lowest.
fn encoded(number: i64, width: usize, highest_first: bool) -> NumberBytes {
    let mut bytes: NumberBytes = number.to_le_bytes().into_iter().take(width).collect();
    if highest_first {
        bytes.reverse();
    }
    bytes
}

/// The array with one side of a comparison, if it is there, replaced by the other. `turn` says from
/// where on it is looked for, so that not always the same of several places changes.
pub(super) fn replaced(bytes: &Bytes, one: &Scalar, other: &Scalar, turn: usize) -> Option<Bytes> {
    match (one, other) {
        (Scalar::Integer(one), Scalar::Integer(other)) => {
            let is_possible = |width: &usize| is_in_width(*one, *width) && is_in_width(*other, *width);
            WIDTHS.into_iter().filter(is_possible).find_map(|width| {
                let orders = if width == 1 { &[true][..] } else { &[true, false] };
                orders.iter().find_map(|order| {
                    let (old, new) = (encoded(*one, width, *order), encoded(*other, width, *order));
                    with_part(bytes.get(), &old, &new, turn)
                })
            })
        }
        (Scalar::Text(one), Scalar::Text(other)) => {
            let encoded = |text: &crate::Text| String::from_utf16_lossy(text.units()).into_bytes();
            with_part(bytes.get(), &encoded(one), &encoded(other), turn)
        }
        _ => None,
    }
}

/// The bytes with a part replaced by another.
fn with_part(bytes: &[u8], part: &[u8], by: &[u8], turn: usize) -> Option<Bytes> {
    if part.is_empty() {
        return bytes.is_empty().then(|| Bytes::from(by));
    }
    let start = turn.checked_rem(bytes.len())?;
    let find = |from: usize| Some(from + bytes.get(from..)?.windows(part.len()).position(|it| it == part)?);
    let at = find(start).or_else(|| find(0))?;
    let (before, after) = (bytes.get(..at)?, bytes.get(at + part.len()..)?);
    let all = [before, by, after].concat();
    (all.len() <= Bytes::MOST).then(|| Bytes::from(all.as_slice()))
}

#[cfg(test)]
mod tests {
    use super::{encoded, is_in_width, replaced};
    use crate::Bytes;
    use crate::workshop::Scalar;

    #[test]
    fn compared_numbers_are_replaced_in_the_width_that_holds_both() {
        let check = |bytes: &[u8], one: i64, other: i64, expected: Option<&[u8]>| {
            let found = replaced(&Bytes::from(bytes), &Scalar::Integer(one), &Scalar::Integer(other), 0);
            assert_eq!(found, expected.map(Bytes::from), "{one} by {other} in {bytes:?}");
        };
        check(&[7, 200], 200, 3, Some(&[7, 3]));
        check(&[7, 200], -56, 3, Some(&[7, 3]));
        check(&[0, 0, 0, 7], 7, 0x0102_0304, Some(&[1, 2, 3, 4]));
        check(&[7, 0, 0, 0], 7, 0x0102_0304, Some(&[4, 3, 2, 1]));
        check(&[1, 7, 0], 7, 300, Some(&[1, 44, 1]));
        check(&[1, 2], 7, 300, None);
        check(&[], 7, 8, None);
    }

    #[test]
    fn compared_texts_are_replaced_as_bytes() {
        let texts = |one: &str, other: &str| (Scalar::Text(one.into()), Scalar::Text(other.into()));
        let (one, other) = texts("ab", "xyz");
        let found = replaced(&Bytes::from(b"-ab".as_slice()), &one, &other, 2);
        assert_eq!(found, Some(Bytes::from(b"-xyz".as_slice())));
        let (one, other) = texts("", "xyz");
        assert_eq!(replaced(&Bytes::from(&[][..]), &one, &other, 0), Some(Bytes::from(b"xyz".as_slice())));
    }

    #[test]
    fn numbers_have_a_width_with_or_without_a_sign() {
        assert!(is_in_width(255, 1) && is_in_width(-128, 1) && is_in_width(i64::MIN, 8));
        assert!(!is_in_width(256, 1) && !is_in_width(-129, 1) && !is_in_width(1 << 32, 4));
        assert_eq!(encoded(258, 2, true).as_slice(), [1, 2]);
        assert_eq!(encoded(258, 2, false).as_slice(), [2, 1]);
    }
}
