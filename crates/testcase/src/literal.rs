use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::{Nested, TypeId};

/// A value that a source file can write down.
///
/// Floating-point numbers compare by their bits, so that equal test cases behave equally: 0.0 is
/// not -0.0, and NaN is itself.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Literal {
    /// `true` or `false`.
    Boolean(bool),
    /// A `byte`.
    Byte(i8),
    /// A `short`.
    Short(i16),
    /// A `char`: a UTF-16 unit, maybe half of a pair.
    Char(u16),
    /// An `int`.
    Int(i32),
    /// A `long`.
    Long(i64),
    /// A `float`.
    Float(f32),
    /// A `double`.
    Double(f64),
    /// A `String`.
    Text(Text),
    /// `null`, as a value of a reference type.
    Null(TypeId),
    /// A class, as in `String.class`.
    Class(TypeId),
    /// The folder of the test, a `java.io.File`: new, empty, and gone after the test.
    Folder,
    /// A new array of bytes, `new byte[] {…}`.
    Bytes(Bytes),
    /// A class that belongs to the test, as in `Options.class`.
    NestedClass(Nested),
    /// A new object of such a class, `new Options()`, as a value of type `Object`.
    NestedObject(Nested),
}

impl PartialEq for Literal {
    fn eq(&self, other: &Self) -> bool {
        use Literal as L;
        match (self, other) {
            (L::Boolean(a), L::Boolean(b)) => a == b,
            (L::Byte(a), L::Byte(b)) => a == b,
            (L::Short(a), L::Short(b)) => a == b,
            (L::Char(a), L::Char(b)) => a == b,
            (L::Int(a), L::Int(b)) => a == b,
            (L::Long(a), L::Long(b)) => a == b,
            (L::Float(a), L::Float(b)) => a.to_bits() == b.to_bits(),
            (L::Double(a), L::Double(b)) => a.to_bits() == b.to_bits(),
            (L::Text(a), L::Text(b)) => a == b,
            (L::Null(a), L::Null(b)) | (L::Class(a), L::Class(b)) => a == b,
            (L::Folder, L::Folder) => true,
            (L::Bytes(a), L::Bytes(b)) => a == b,
            (L::NestedClass(a), L::NestedClass(b)) | (L::NestedObject(a), L::NestedObject(b)) => a == b,
            _ => false,
        }
    }
}

impl Eq for Literal {}

/// The text of a Java string: UTF-16 units in any order, pairs or not (JLS 3.1).
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Text(Arc<[u16]>);

impl Text {
    /// The UTF-16 units.
    pub fn units(&self) -> &[u16] {
        &self.0
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Self(text.encode_utf16().collect())
    }
}

impl From<&[u16]> for Text {
    fn from(units: &[u16]) -> Self {
        Self(units.into())
    }
}

/// The elements of an array of bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bytes(Arc<[u8]>);

impl Bytes {
    /// The most bytes of a literal: each takes seven bytes of the code that makes the array, and a
    /// method has 65,535 of them at most (JVMS 4.7.3).
    pub const MOST: usize = 4096;

    /// The bytes.
    pub fn get(&self) -> &[u8] {
        &self.0
    }
}

impl From<&[u8]> for Bytes {
    fn from(bytes: &[u8]) -> Self {
        Self(bytes.into())
    }
}

/// As a Rust string would be written; halves of pairs show as the replacement character.
impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&String::from_utf16_lossy(&self.0), f)
    }
}
