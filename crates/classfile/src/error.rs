use thiserror::Error;

/// Why bytes are not the part of a class file they were read as, or why a part cannot be written.
///
/// Only the outer frame of a class (header, constant pool layout, members, attribute lengths) can
/// make [`ClassFile::parse`](crate::ClassFile::parse) fail. Everything inside is carried as it is
/// and reports its error when it is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Error {
    /// The data ends inside an item.
    #[error("{what} ends too early at byte {offset}")]
    Truncated {
        /// What was being read.
        what: &'static str,
        /// Offset inside that item.
        offset: usize,
    },
    /// The item is complete but bytes follow it.
    #[error("{what} is followed by {extra} bytes that do not belong to it")]
    TrailingBytes {
        /// What was being read.
        what: &'static str,
        /// How many bytes are left over.
        extra: usize,
    },
    /// The file does not begin with `CAFEBABE`.
    #[error("not a class file: it begins with {0:#010x} instead of 0xcafebabe")]
    Magic(u32),
    /// The file is larger than any class can be.
    #[error("a class file of {0} bytes is larger than the format allows")]
    TooLarge(usize),
    /// A constant pool tag of unknown length, after which nothing can be located.
    #[error("constant pool entry {index} has the unknown tag {tag}")]
    UnknownTag {
        /// The tag byte.
        tag: u8,
        /// Index of the entry.
        index: u16,
    },
    /// No usable entry lies at this index.
    #[error("there is no constant pool entry {0}")]
    NoConstant(u16),
    /// The entry is of another kind than its user requires.
    #[error("constant pool entry {index} is not a {expected}")]
    WrongConstant {
        /// Index of the entry.
        index: u16,
        /// The kind that is required.
        expected: &'static str,
    },
    /// A name or descriptor that cannot be parsed.
    #[error("malformed {what}, at byte {offset} of its text")]
    Text {
        /// What the text should have been.
        what: &'static str,
        /// Offset of the first byte that does not fit.
        offset: usize,
    },
    /// A byte that is no opcode of the Java virtual machine.
    #[error("unknown opcode {opcode:#04x} at offset {offset} of the code")]
    UnknownOpcode {
        /// The byte.
        opcode: u8,
        /// Its offset in the code.
        offset: u32,
    },
    /// A discriminating byte or a count with a value that the format does not define.
    #[error("{what} has the undefined value {value}")]
    Undefined {
        /// The item.
        what: &'static str,
        /// Its value.
        value: u32,
    },
    /// A standard attribute at a place where the format gives it no meaning.
    #[error("attribute {name} does not belong on a {location}")]
    Misplaced {
        /// Name of the attribute.
        name: &'static str,
        /// Where it was found.
        location: &'static str,
    },
    /// Nesting deeper than this reader follows.
    #[error("{0} is nested too deeply")]
    TooDeep(&'static str),
    /// A count or length that does not fit its field when writing.
    #[error("{what} is {value}, more than its field in a class file can hold")]
    Overflow {
        /// The item.
        what: &'static str,
        /// Its value.
        value: usize,
    },
    /// Operands that do not belong to the opcode of an instruction that is to be encoded.
    #[error("the operands given do not fit the instruction {0}")]
    Operands(&'static str),
}
