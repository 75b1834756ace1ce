//! The attributes that the format defines (JVMS 4.7), each with its bytes as the only truth: encoding what was decoded
//! gives the same bytes.

mod tables;

pub use tables::*;

use crate::code::Code;
use crate::{Error, JavaStr, Version};

/// What an attribute is attached to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Location {
    /// A class.
    Class,
    /// A field.
    Field,
    /// A method.
    Method,
    /// The code of a method.
    Code,
    /// A component of a record.
    RecordComponent,
}

/// An attribute with its meaning.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Attribute<'a> {
    /// Body of a method.
    Code(Code<'a>),
    /// An attribute that the format does not define.
    Unknown(&'a [u8]),
}

impl<'a> Attribute<'a> {
    pub(crate) fn decode(
        name: JavaStr<'a>,
        info: &'a [u8],
        version: Version,
        _location: Location,
    ) -> Result<Self, Error> {
        Ok(match name.as_bytes() {
            b"Code" => Self::Code(Code::decode(info, version)?),
            _ => Self::Unknown(info),
        })
    }
}
