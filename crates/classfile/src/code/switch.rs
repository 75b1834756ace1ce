use crate::Error;
use crate::bytes::{Reader, Write};

/// Operands of `tableswitch` (JVMS 6.5.tableswitch).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableSwitch<'a> {
    padding: Padding,
    /// Distance for keys outside the table.
    pub default: i32,
    /// The key of the first distance.
    pub low: i32,
    /// The distances, four bytes each.
    distances: &'a [u8],
}

/// Operands of `lookupswitch` (JVMS 6.5.lookupswitch).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LookupSwitch<'a> {
    padding: Padding,
    /// Distance for keys that are not listed.
    pub default: i32,
    /// Pairs of key and distance, eight bytes each.
    pairs: &'a [u8],
}

/// Up to three bytes that align the operands to four bytes from the beginning of the code. They
/// need not be zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Padding([u8; 3]);

impl<'a> TableSwitch<'a> {
    /// A switch over `low`, `low + 1` and so on; `distances` holds four bytes for each key.
    pub fn new(default: i32, low: i32, distances: &'a [u8]) -> Result<Self, Error> {
        let count = i64::try_from(distances.len() / 4).unwrap_or(i64::MAX);
        let representable = i32::try_from(i64::from(low) + count - 1).is_ok();
        if count == 0 || !distances.len().is_multiple_of(4) || !representable {
            return Err(Error::Operands("tableswitch"));
        }
        Ok(Self { padding: Padding::default(), default, low, distances })
    }

    /// The keys with their distances.
    pub fn cases(self) -> impl Iterator<Item = (i32, i32)> + Clone + use<'a> {
        (self.low..).zip(self.distances.as_chunks().0.iter().map(|chunk| i32::from_be_bytes(*chunk)))
    }

    /// The largest key.
    pub fn high(self) -> i32 {
        self.low.wrapping_add((self.distances.len() / 4) as i32).wrapping_sub(1)
    }

    pub(super) fn decode(offset: u32, reader: &mut Reader<'a>) -> Result<Self, Error> {
        let padding = Padding::decode(offset, reader)?;
        let default = reader.u32()? as i32;
        let low = reader.u32()? as i32;
        let high = reader.u32()? as i32;
        let count = i64::from(high) - i64::from(low) + 1;
        let length =
            usize::try_from(count).ok().filter(|&count| count > 0).and_then(|count| count.checked_mul(4));
        let length =
            length.ok_or(Error::Undefined { what: "highest key of a tableswitch", value: high as u32 })?;
        Ok(Self { padding, default, low, distances: reader.take(length)? })
    }

    pub(super) fn encode_into(self, offset: u32, out: &mut Vec<u8>) {
        self.padding.encode_into(offset, out);
        out.put_u32(self.default as u32);
        out.put_u32(self.low as u32);
        out.put_u32(self.high() as u32);
        out.extend_from_slice(self.distances);
    }
}

impl<'a> LookupSwitch<'a> {
    /// A switch over listed keys; `pairs` holds four bytes for each key and four for its distance.
    pub fn new(default: i32, pairs: &'a [u8]) -> Result<Self, Error> {
        if !pairs.len().is_multiple_of(8) || i32::try_from(pairs.len() / 8).is_err() {
            return Err(Error::Operands("lookupswitch"));
        }
        Ok(Self { padding: Padding::default(), default, pairs })
    }

    /// The keys with their distances.
    pub fn cases(self) -> impl Iterator<Item = (i32, i32)> + Clone + use<'a> {
        self.pairs.as_chunks().0.iter().map(|[a, b, c, d, e, f, g, h]| {
            (i32::from_be_bytes([*a, *b, *c, *d]), i32::from_be_bytes([*e, *f, *g, *h]))
        })
    }

    pub(super) fn decode(offset: u32, reader: &mut Reader<'a>) -> Result<Self, Error> {
        let padding = Padding::decode(offset, reader)?;
        let default = reader.u32()? as i32;
        let count = reader.u32()?;
        let length = i32::try_from(count).ok().and_then(|count| usize::try_from(count).ok()?.checked_mul(8));
        let length =
            length.ok_or(Error::Undefined { what: "number of pairs of a lookupswitch", value: count })?;
        Ok(Self { padding, default, pairs: reader.take(length)? })
    }

    pub(super) fn encode_into(self, offset: u32, out: &mut Vec<u8>) {
        self.padding.encode_into(offset, out);
        out.put_u32(self.default as u32);
        out.put_u32((self.pairs.len() / 8) as u32);
        out.extend_from_slice(self.pairs);
    }
}

impl Padding {
    fn decode(offset: u32, reader: &mut Reader<'_>) -> Result<Self, Error> {
        let mut padding = Self::default();
        for byte in padding.0.iter_mut().take(Self::length(offset)) {
            *byte = reader.u8()?;
        }
        Ok(padding)
    }

    fn encode_into(self, offset: u32, out: &mut Vec<u8>) {
        out.extend(self.0.iter().take(Self::length(offset)));
    }

    /// The operands begin at the first multiple of four after the opcode.
    fn length(offset: u32) -> usize {
        (3 - offset % 4) as usize
    }
}
