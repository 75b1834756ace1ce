use super::annotation::Annotation;
use crate::bytes::{Reader, Write};
use crate::content::Content;
use crate::table::record;
use crate::{Error, Table};

/// An annotation of a type (JVMS 4.7.20).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeAnnotation<'a> {
    /// What kind of type is annotated (JVMS 4.7.20-A, 4.7.20-B).
    pub target_type: u8,
    /// Which one it is; the shape is decided by `target_type`.
    pub target: TargetInfo<'a>,
    /// Which part of that type.
    pub path: Table<'a, PathStep>,
    /// The annotation.
    pub annotation: Annotation,
}

/// Which type is annotated (JVMS 4.7.20.1).
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields are named as in the JVMS description of each target")]
pub enum TargetInfo<'a> {
    /// Declaration of a type parameter.
    TypeParameter { index: u8 },
    /// Superclass (65535) or superinterface.
    Supertype { index: u16 },
    /// Bound of a type parameter.
    TypeParameterBound { parameter: u8, bound: u8 },
    /// The only type there: of a field, of a result, of a receiver.
    Empty,
    /// Parameter of a method.
    FormalParameter { index: u8 },
    /// Class in a `throws` clause.
    Throws { index: u16 },
    /// Local variable or resource, in all ranges where it lives.
    LocalVariable(Table<'a, LocalVariableRange>),
    /// Exception parameter, as index into the exception table.
    Catch { index: u16 },
    /// The instruction at an offset.
    Offset { offset: u16 },
    /// Type argument of the instruction at an offset.
    TypeArgument { offset: u16, index: u8 },
}

record! {
    /// Range of code in which a local variable lives.
    pub struct LocalVariableRange {
        /// First offset.
        pub start_pc: u16,
        /// Length of the range.
        pub length: u16,
        /// Number of the first slot.
        pub slot: u16,
    }
}

record! {
    /// A step from a type to one of its parts (JVMS 4.7.20.2).
    pub struct PathStep {
        /// 0 into an array, 1 into a nested type, 2 to a wildcard's bound, 3 to a type argument.
        pub kind: u8,
        /// Which type argument.
        pub argument: u8,
    }
}

impl<'a> Content<'a> for TypeAnnotation<'a> {
    const SMALLEST: usize = 6;

    fn read(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let target_type = reader.u8()?;
        let target = read_target(target_type, reader)?;
        let path_length = usize::from(reader.u8()?);
        let path = Table::read(reader, path_length)?;
        Ok(Self { target_type, target, path, annotation: Annotation::read(reader)? })
    }

    fn write(&self, out: &mut Vec<u8>) -> Result<(), Error> {
        out.put_u8(self.target_type);
        match &self.target {
            TargetInfo::Empty => {}
            TargetInfo::TypeParameter { index } | TargetInfo::FormalParameter { index } => out.put_u8(*index),
            TargetInfo::TypeParameterBound { parameter, bound } => out.extend([parameter, bound]),
            TargetInfo::Supertype { index: number }
            | TargetInfo::Throws { index: number }
            | TargetInfo::Catch { index: number }
            | TargetInfo::Offset { offset: number } => out.put_u16(*number),
            TargetInfo::LocalVariable(ranges) => ranges.write_counted(out)?,
            TargetInfo::TypeArgument { offset, index } => {
                out.put_u16(*offset);
                out.put_u8(*index);
            }
        }
        out.put_count_u8(self.path.len(), "length of a type path")?;
        out.extend_from_slice(self.path.as_bytes());
        self.annotation.write(out)
    }
}

fn read_target<'a>(target_type: u8, reader: &mut Reader<'a>) -> Result<TargetInfo<'a>, Error> {
    Ok(match target_type {
        0x00 | 0x01 => TargetInfo::TypeParameter { index: reader.u8()? },
        0x10 => TargetInfo::Supertype { index: reader.u16()? },
        0x11 | 0x12 => TargetInfo::TypeParameterBound { parameter: reader.u8()?, bound: reader.u8()? },
        0x13..=0x15 => TargetInfo::Empty,
        0x16 => TargetInfo::FormalParameter { index: reader.u8()? },
        0x17 => TargetInfo::Throws { index: reader.u16()? },
        0x40 | 0x41 => TargetInfo::LocalVariable(Table::read_counted(reader)?),
        0x42 => TargetInfo::Catch { index: reader.u16()? },
        0x43..=0x46 => TargetInfo::Offset { offset: reader.u16()? },
        0x47..=0x4b => TargetInfo::TypeArgument { offset: reader.u16()?, index: reader.u8()? },
        value => {
            return Err(Error::Undefined { what: "target of a type annotation", value: u32::from(value) });
        }
    })
}
