use std::borrow::Cow;
use std::fmt;

/// Text of a class file: bytes in *modified UTF-8* (JVMS 4.4.7), kept exactly as they were read.
///
/// Modified UTF-8 writes U+0000 as two bytes and characters outside the basic plane as two
/// surrogates of three bytes each; a surrogate may also stand alone. Equality, order and hash are
/// those of the bytes, so two texts are equal exactly when a JVM calls them equal.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JavaStr<'a>(&'a [u8]);

impl<'a> JavaStr<'a> {
    /// Wraps bytes that are meant as modified UTF-8; they need not be well-formed.
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// The bytes, unchanged.
    pub const fn as_bytes(self) -> &'a [u8] {
        self.0
    }

    /// Length in bytes.
    pub const fn len(self) -> usize {
        self.0.len()
    }

    /// Whether there are no bytes.
    pub const fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    /// The text as a Rust string, borrowed unless it holds U+0000, surrogates or malformed bytes.
    ///
    /// Paired surrogates become the character they stand for. What Rust strings cannot hold, lone
    /// surrogates and malformed bytes, becomes U+FFFD; [`code_units`](Self::code_units) keeps lone
    /// surrogates.
    pub fn to_str(self) -> Cow<'a, str> {
        match std::str::from_utf8(self.0) {
            Ok(text) if !self.0.iter().any(|&byte| byte >= 0xf0) => Cow::Borrowed(text),
            _ => Cow::Owned(
                char::decode_utf16(self.code_units())
                    .map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER))
                    .collect(),
            ),
        }
    }

    /// The UTF-16 code units, which is what `String.charAt` returns; each malformed byte counts as
    /// U+FFFD.
    pub fn code_units(self) -> impl Iterator<Item = u16> + Clone + 'a {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let (unit, length) = first_unit(rest)?;
            rest = rest.get(length..)?;
            Some(unit)
        })
    }

    /// Encodes a Rust string as modified UTF-8; borrowed where both encodings agree.
    pub fn encode(text: &str) -> Cow<'_, [u8]> {
        if !text.bytes().any(|byte| byte == 0 || byte >= 0xf0) {
            return Cow::Borrowed(text.as_bytes());
        }
        Cow::Owned(Self::encode_units(text.encode_utf16()))
    }

    /// Encodes UTF-16 code units, lone surrogates included, as modified UTF-8.
    pub fn encode_units(units: impl IntoIterator<Item = u16>) -> Vec<u8> {
        let mut bytes = Vec::new();
        for unit in units {
            let [high, low] = unit.to_be_bytes();
            match unit {
                1..=0x7f => bytes.push(low),
                0..=0x7ff => bytes.extend([0xc0 | high << 2 | low >> 6, 0x80 | low & 0x3f]),
                _ => bytes.extend([0xe0 | high >> 4, 0x80 | high << 2 & 0x3c | low >> 6, 0x80 | low & 0x3f]),
            }
        }
        bytes
    }
}

/// The first code unit and how many bytes it takes, by the table of JVMS 4.4.7.
fn first_unit(bytes: &[u8]) -> Option<(u16, usize)> {
    let continuation = |byte: u8| byte & 0xc0 == 0x80;
    let six = |byte: u8| u16::from(byte & 0x3f);
    match *bytes {
        [] => None,
        [a @ 0..=0x7f, ..] => Some((u16::from(a), 1)),
        [a @ 0xc0..=0xdf, b, ..] if continuation(b) => Some((u16::from(a & 0x1f) << 6 | six(b), 2)),
        [a @ 0xe0..=0xef, b, c, ..] if continuation(b) && continuation(c) => {
            Some((u16::from(a) << 12 | six(b) << 6 | six(c), 3))
        }
        _ => Some((0xfffd, 1)),
    }
}

impl<'a> From<&'a [u8]> for JavaStr<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }
}

impl PartialEq<str> for JavaStr<'_> {
    fn eq(&self, other: &str) -> bool {
        self.0 == &*JavaStr::encode(other)
    }
}

impl PartialEq<&str> for JavaStr<'_> {
    fn eq(&self, other: &&str) -> bool {
        self == *other
    }
}

impl fmt::Display for JavaStr<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.to_str())
    }
}

impl fmt::Debug for JavaStr<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.to_str(), f)
    }
}
