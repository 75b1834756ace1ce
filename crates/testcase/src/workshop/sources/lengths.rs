//! Lengths that code asks for: sizes of buffers, bounds of loops.

use crate::workshop::Scalar;
use crate::workshop::builder::Builder;

impl Builder<'_, '_> {
    /// A length above another, up to a bound: one that a comparison wanted or that the code around
    /// the crash mentions, one more than that, or twice the old one.
    pub(crate) fn greater_length(&mut self, old: usize, most: usize) -> Option<usize> {
        let tuning = self.tuning;
        if self.random.chance(tuning.double_length) {
            return Some(old.saturating_mul(2)).filter(|it| (old + 1..=most).contains(it));
        }
        let wanted = match self.random.chance(tuning.compared_length) {
            true => self.compared_length(old, most),
            false => None,
        };
        let wanted = wanted.or_else(|| self.mentioned_length(old, most))?;
        let beyond = usize::from(self.random.chance(tuning.length_beyond));
        Some((wanted + beyond).min(most))
    }

    /// One side of a comparison, the latest first if the other side was the old length.
    fn compared_length(&mut self, old: usize, most: usize) -> Option<usize> {
        if !self.tuning.source_compared_operands {
            return None;
        }
        let compared = self.experience.compared();
        let length = |it: &Scalar| match it {
            Scalar::Integer(number) => usize::try_from(*number).ok(),
            _ => None,
        };
        let is_wanted = |it: &usize| (old..=most).contains(it);
        let of_old = compared.iter().rev().find_map(|(a, b)| match (length(a), length(b)) {
            (Some(a), Some(b)) if a == old && b > old => Some(b),
            (Some(a), Some(b)) if b == old && a > old => Some(a),
            _ => None,
        });
        of_old.filter(is_wanted).or_else(|| {
            let (a, b) = self.random.pick(compared)?;
            let side = if self.random.coin() { a } else { b };
            length(side).filter(is_wanted)
        })
    }

    /// A number that the code around the crash mentions. A few are looked at, since most are small.
    fn mentioned_length(&mut self, old: usize, most: usize) -> Option<usize> {
        const LOOKS: usize = 8;
        let numbers = self.pool(&self.catalogue.pools.integers);
        (0..LOOKS).find_map(|_| {
            let number = self.random.pick(numbers)?;
            usize::try_from(*number).ok().filter(|it| (old..=most).contains(it))
        })
    }
}

/// Lets a list grow to a length by repeating a piece of it, which is all of it or any other.
pub(crate) fn grow<T: Copy>(list: &mut Vec<T>, piece: std::ops::Range<usize>, length: usize) {
    let Some(piece) = list.get(piece).filter(|it| !it.is_empty()).map(<[T]>::to_vec) else { return };
    let missing = length.saturating_sub(list.len());
    list.extend(piece.iter().copied().cycle().take(missing));
}

#[cfg(test)]
mod tests {
    use super::grow;

    #[test]
    fn lists_grow_by_repeating_a_piece() {
        let check = |piece, length, expected: &str| {
            let mut list = b"abc".to_vec();
            grow(&mut list, piece, length);
            assert_eq!(String::from_utf8(list).unwrap(), expected);
        };
        check(1..3, 8, "abcbcbcb");
        check(0..3, 2, "abc");
        check(1..1, 9, "abc");
    }
}
