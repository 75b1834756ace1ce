//! Numbers in bytes, as postcard writes them: seven bits at a time, the lowest first; signed ones
//! with the sign in the lowest bit.

use postcard::Error;

/// Appends a number.
#[inline]
pub(crate) fn put(to: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        to.push(number as u8 | 0x80);
        number >>= 7;
    }
    to.push(number as u8);
}

/// Appends a length, of which there are none beyond what fits.
pub(crate) fn put_length(to: &mut Vec<u8>, length: usize) {
    put(to, u32::try_from(length).unwrap_or(u32::MAX));
}

/// What has not been read yet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reader<'a>(pub(crate) &'a [u8]);

impl<'a> Reader<'a> {
    #[inline]
    pub(crate) fn byte(&mut self) -> Result<u8, Error> {
        let (first, rest) = self.0.split_first().ok_or(Error::DeserializeUnexpectedEnd)?;
        self.0 = rest;
        Ok(*first)
    }

    #[inline]
    pub(crate) fn number(&mut self) -> Result<u32, Error> {
        match self.byte()? {
            byte @ ..0x80 => Ok(byte.into()),
            byte => self.long_number(byte),
        }
    }

    fn long_number(&mut self, first: u8) -> Result<u32, Error> {
        let mut number = u32::from(first & 0x7f);
        for shift in [7, 14, 21, 28] {
            let byte = self.byte()?;
            number |= u32::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(Error::DeserializeBadVarint)
    }

    /// A number of things that take at least a byte each.
    pub(crate) fn length(&mut self) -> Result<usize, Error> {
        let length = self.number()? as usize;
        if length <= self.0.len() { Ok(length) } else { Err(Error::DeserializeUnexpectedEnd) }
    }

    pub(crate) fn take(&mut self, length: usize) -> Result<&'a [u8], Error> {
        let (taken, rest) = self.0.split_at_checked(length).ok_or(Error::DeserializeUnexpectedEnd)?;
        self.0 = rest;
        Ok(taken)
    }

    pub(crate) fn chunk<const N: usize>(&mut self) -> Result<[u8; N], Error> {
        let (chunk, rest) = self.0.split_first_chunk().ok_or(Error::DeserializeUnexpectedEnd)?;
        self.0 = rest;
        Ok(*chunk)
    }

    /// Something that postcard has written.
    pub(crate) fn decode<T: serde::Deserialize<'a>>(&mut self) -> Result<T, Error> {
        let (value, rest) = postcard::take_from_bytes(self.0)?;
        self.0 = rest;
        Ok(value)
    }
}
