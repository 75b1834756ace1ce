//! The `Code` attribute (JVMS 4.7.3) and the instructions in it.

mod instruction;
mod lines;
mod opcode;
mod switch;

use std::borrow::Cow;

pub use instruction::{Instruction, Operand, array_type};
pub use lines::LineTable;
pub use opcode::{Flow, Opcode, OperandKind};
pub use switch::{LookupSwitch, TableSwitch};

use crate::bytes::{Reader, Write};
use crate::class::{find_attribute, read_vec, write_attributes};
use crate::table::record;
use crate::{ConstantPool, Error, RawAttribute, Table, Version};

/// The body of a method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Code<'a> {
    /// Deepest operand stack in slots.
    pub max_stack: u16,
    /// Number of local variable slots.
    pub max_locals: u16,
    /// The instructions as bytes.
    pub code: Cow<'a, [u8]>,
    /// Exception handlers; the first that fits wins.
    pub exception_table: Table<'a, ExceptionHandler>,
    /// Attributes of the code.
    pub attributes: Vec<RawAttribute<'a>>,
    layout: Layout,
}

/// Widths of the leading fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Layout {
    /// Class files before 45.3 have one byte for stack and locals, two for the length.
    Legacy,
    /// All others.
    Standard,
}

record! {
    /// An exception handler: it covers offsets from `start_pc` up to but not including `end_pc`.
    pub struct ExceptionHandler {
        /// First offset covered.
        pub start_pc: u16,
        /// First offset no longer covered.
        pub end_pc: u16,
        /// Where the handler begins.
        pub handler_pc: u16,
        /// Constant pool index of the class caught, 0 for everything.
        pub catch_type: u16,
    }
}

impl<'a> Code<'a> {
    pub(crate) fn decode(info: &'a [u8], version: Version) -> Result<Self, Error> {
        let mut reader = Reader::new(info, "Code attribute");
        let layout = Layout::of(version);
        let (max_stack, max_locals, length) = match layout {
            Layout::Legacy => (u16::from(reader.u8()?), u16::from(reader.u8()?), u32::from(reader.u16()?)),
            Layout::Standard => (reader.u16()?, reader.u16()?, reader.u32()?),
        };
        let code = Self {
            max_stack,
            max_locals,
            code: Cow::Borrowed(reader.take(usize::try_from(length).unwrap_or(usize::MAX))?),
            exception_table: Table::read_counted(&mut reader)?,
            attributes: read_vec(&mut reader, 6, RawAttribute::parse)?,
            layout,
        };
        reader.finish()?;
        Ok(code)
    }

    /// Appends the content of the attribute.
    pub fn encode_into(&self, out: &mut Vec<u8>) -> Result<(), Error> {
        match self.layout {
            Layout::Legacy => {
                out.put_count_u8(usize::from(self.max_stack), "depth of the operand stack")?;
                out.put_count_u8(usize::from(self.max_locals), "number of local variables")?;
                out.put_count_u16(self.code.len(), "length of the code")?;
            }
            Layout::Standard => {
                out.put_u16(self.max_stack);
                out.put_u16(self.max_locals);
                out.put_count_u32(self.code.len(), "length of the code")?;
            }
        }
        out.extend_from_slice(&self.code);
        self.exception_table.write_counted(out)?;
        write_attributes(&self.attributes, out)
    }

    /// The instructions with their offsets. Ends after the first error.
    pub fn instructions(&self) -> Instructions<'_> {
        Instructions { code: &self.code, offset: 0 }
    }

    /// The lines of all `LineNumberTable` attributes together; empty when there are none.
    pub fn lines(&self, pool: &ConstantPool<'a>) -> Result<LineTable, Error> {
        LineTable::merge(&self.attributes, pool)
    }

    /// The first attribute with this name.
    pub fn attribute(&self, pool: &ConstantPool<'a>, name: &str) -> Option<&RawAttribute<'a>> {
        find_attribute(&self.attributes, pool, name)
    }

    pub(crate) fn into_owned<'b>(self) -> Code<'b> {
        Code {
            code: Cow::Owned(self.code.into_owned()),
            exception_table: self.exception_table.into_owned(),
            attributes: self.attributes.into_iter().map(RawAttribute::into_owned).collect(),
            max_stack: self.max_stack,
            max_locals: self.max_locals,
            layout: self.layout,
        }
    }
}

/// Iterator over the instructions of a method.
#[derive(Clone, Debug)]
pub struct Instructions<'a> {
    code: &'a [u8],
    offset: u32,
}

impl<'a> Instructions<'a> {
    /// The instructions in bytes that are not part of a [`Code`].
    pub fn new(code: &'a [u8]) -> Self {
        Self { code, offset: 0 }
    }
}

impl<'a> Iterator for Instructions<'a> {
    type Item = Result<(u32, Instruction<'a>), Error>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let offset = self.offset;
        if offset as usize >= self.code.len() {
            return None;
        }
        match Instruction::decode(self.code, offset) {
            Ok((instruction, next)) => {
                self.offset = next;
                Some(Ok((offset, instruction)))
            }
            Err(error) => {
                self.code = &[];
                Some(Err(error))
            }
        }
    }
}

impl Layout {
    fn of(version: Version) -> Self {
        if version.major == 45 && version.minor < 3 { Self::Legacy } else { Self::Standard }
    }
}
