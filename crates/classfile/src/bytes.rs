//! Big-endian reading that cannot run over the end, and its counterpart for writing.

use crate::Error;

/// The part of an item that was not read yet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reader<'a> {
    rest: &'a [u8],
    length: usize,
    what: &'static str,
}

impl<'a> Reader<'a> {
    /// `what` names the item in errors.
    pub(crate) fn new(bytes: &'a [u8], what: &'static str) -> Self {
        Self { rest: bytes, length: bytes.len(), what }
    }

    pub(crate) fn offset(&self) -> usize {
        self.length - self.rest.len()
    }

    pub(crate) fn rest(&self) -> &'a [u8] {
        self.rest
    }

    pub(crate) fn u8(&mut self) -> Result<u8, Error> {
        self.array::<1>().map(|[byte]| byte)
    }

    pub(crate) fn u16(&mut self) -> Result<u16, Error> {
        self.array().map(u16::from_be_bytes)
    }

    pub(crate) fn u32(&mut self) -> Result<u32, Error> {
        self.array().map(u32::from_be_bytes)
    }

    pub(crate) fn take(&mut self, length: usize) -> Result<&'a [u8], Error> {
        let (taken, rest) = self.rest.split_at_checked(length).ok_or(self.truncated())?;
        self.rest = rest;
        Ok(taken)
    }

    /// Everything must have been read.
    pub(crate) fn finish(&self) -> Result<(), Error> {
        match self.rest.len() {
            0 => Ok(()),
            extra => Err(Error::TrailingBytes { what: self.what, extra }),
        }
    }

    pub(crate) fn array<const N: usize>(&mut self) -> Result<[u8; N], Error> {
        let (taken, rest) = self.rest.split_first_chunk::<N>().ok_or(self.truncated())?;
        self.rest = rest;
        Ok(*taken)
    }

    fn truncated(&self) -> Error {
        Error::Truncated { what: self.what, offset: self.offset() }
    }
}

/// Appends items to a byte vector; counts that do not fit their field are errors.
pub(crate) trait Write {
    fn put_u8(&mut self, value: u8);
    fn put_u16(&mut self, value: u16);
    fn put_u32(&mut self, value: u32);
    fn put_count_u8(&mut self, count: usize, what: &'static str) -> Result<(), Error>;
    fn put_count_u16(&mut self, count: usize, what: &'static str) -> Result<(), Error>;
    fn put_count_u32(&mut self, count: usize, what: &'static str) -> Result<(), Error>;
}

impl Write for Vec<u8> {
    fn put_u8(&mut self, value: u8) {
        self.push(value);
    }

    fn put_u16(&mut self, value: u16) {
        self.extend_from_slice(&value.to_be_bytes());
    }

    fn put_u32(&mut self, value: u32) {
        self.extend_from_slice(&value.to_be_bytes());
    }

    fn put_count_u8(&mut self, count: usize, what: &'static str) -> Result<(), Error> {
        self.put_u8(u8::try_from(count).map_err(|_| Error::Overflow { what, value: count })?);
        Ok(())
    }

    fn put_count_u16(&mut self, count: usize, what: &'static str) -> Result<(), Error> {
        self.put_u16(u16::try_from(count).map_err(|_| Error::Overflow { what, value: count })?);
        Ok(())
    }

    fn put_count_u32(&mut self, count: usize, what: &'static str) -> Result<(), Error> {
        self.put_u32(u32::try_from(count).map_err(|_| Error::Overflow { what, value: count })?);
        Ok(())
    }
}
