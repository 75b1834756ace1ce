use crate::bytes::{Reader, Write};
use crate::class::{read_items, read_vec};
use crate::content::Content;
use crate::{ConstantPool, Error, JavaStr};

/// An annotation (JVMS 4.7.16).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Annotation {
    /// Index of the field descriptor of its interface.
    pub type_index: u16,
    /// The elements given.
    pub elements: Vec<ElementPair>,
}

/// An element of an annotation with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ElementPair {
    /// Index of the name of the element.
    pub name_index: u16,
    /// The value.
    pub value: ElementValue,
}

/// Value of an annotation's element (JVMS 4.7.16.1).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ElementValue {
    /// A primitive or a string.
    Constant {
        /// The letter of the primitive type as in descriptors, or `s` for a string.
        tag: u8,
        /// Index of the constant; of the text itself for a string.
        index: u16,
    },
    /// An enum constant.
    Enum {
        /// Index of the field descriptor of the enum.
        type_index: u16,
        /// Index of the name of the constant.
        name_index: u16,
    },
    /// Index of the return descriptor of a class literal.
    Class(u16),
    /// An annotation.
    Annotation(Annotation),
    /// An array.
    Array(Vec<ElementValue>),
}

/// The annotations of each parameter of a method (JVMS 4.7.18, 4.7.19).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParameterAnnotations {
    /// By position; compilers differ in whether synthetic parameters count.
    pub parameters: Vec<Vec<Annotation>>,
}

impl Annotation {
    /// Field descriptor of the annotation's interface, such as `Ljava/lang/Deprecated;`.
    pub fn descriptor<'a>(&self, pool: &ConstantPool<'a>) -> Result<JavaStr<'a>, Error> {
        pool.utf8(self.type_index)
    }
}

/// Values nested deeper are not followed. Java itself cannot nest annotations without bound, since
/// their interfaces must not contain each other in a cycle.
const MAX_DEPTH: u8 = 100;

impl Content<'_> for Annotation {
    const SMALLEST: usize = 4;

    fn read(reader: &mut Reader<'_>) -> Result<Self, Error> {
        read_annotation(reader, MAX_DEPTH)
    }

    fn write(&self, out: &mut Vec<u8>) -> Result<(), Error> {
        out.put_u16(self.type_index);
        out.put_count_u16(self.elements.len(), "number of elements of an annotation")?;
        self.elements.iter().try_for_each(|ElementPair { name_index, value }| {
            out.put_u16(*name_index);
            value.write(out)
        })
    }
}

impl Content<'_> for ElementValue {
    const SMALLEST: usize = 3;

    fn read(reader: &mut Reader<'_>) -> Result<Self, Error> {
        read_value(reader, MAX_DEPTH)
    }

    fn write(&self, out: &mut Vec<u8>) -> Result<(), Error> {
        match self {
            Self::Constant { tag, index } => {
                out.put_u8(*tag);
                out.put_u16(*index);
            }
            Self::Enum { type_index, name_index } => {
                out.put_u8(b'e');
                out.put_u16(*type_index);
                out.put_u16(*name_index);
            }
            Self::Class(index) => {
                out.put_u8(b'c');
                out.put_u16(*index);
            }
            Self::Annotation(annotation) => {
                out.put_u8(b'@');
                annotation.write(out)?;
            }
            Self::Array(values) => {
                out.put_u8(b'[');
                values.write(out)?;
            }
        }
        Ok(())
    }
}

impl Content<'_> for ParameterAnnotations {
    const SMALLEST: usize = 1;

    fn read(reader: &mut Reader<'_>) -> Result<Self, Error> {
        let count = usize::from(reader.u8()?);
        Ok(Self { parameters: read_items(reader, count, 2, Content::read)? })
    }

    fn write(&self, out: &mut Vec<u8>) -> Result<(), Error> {
        out.put_count_u8(self.parameters.len(), "number of annotated parameters")?;
        self.parameters.iter().try_for_each(|annotations| annotations.write(out))
    }
}

fn read_annotation(reader: &mut Reader<'_>, depth: u8) -> Result<Annotation, Error> {
    let type_index = reader.u16()?;
    let elements = read_vec(reader, 5, |reader| {
        Ok(ElementPair { name_index: reader.u16()?, value: read_value(reader, depth)? })
    })?;
    Ok(Annotation { type_index, elements })
}

fn read_value(reader: &mut Reader<'_>, depth: u8) -> Result<ElementValue, Error> {
    let inner = depth.checked_sub(1).ok_or(Error::TooDeep("value of an annotation"))?;
    Ok(match reader.u8()? {
        tag @ (b'B' | b'C' | b'D' | b'F' | b'I' | b'J' | b'S' | b'Z' | b's') => {
            ElementValue::Constant { tag, index: reader.u16()? }
        }
        b'e' => ElementValue::Enum { type_index: reader.u16()?, name_index: reader.u16()? },
        b'c' => ElementValue::Class(reader.u16()?),
        b'@' => ElementValue::Annotation(read_annotation(reader, inner)?),
        b'[' => ElementValue::Array(read_vec(reader, 3, |reader| read_value(reader, inner))?),
        tag => return Err(Error::Undefined { what: "tag of an annotation's value", value: u32::from(tag) }),
    })
}
