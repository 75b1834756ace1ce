use crate::Error;
use crate::bytes::{Reader, Write};
use crate::class::read_items;
use crate::content::Content;

/// Types at one offset, relative to the frame before (JVMS 4.7.4).
///
/// The offset of the first frame is its `offset_delta`; that of each further one is the previous
/// offset plus `offset_delta` plus 1. Frames that a shorter form could express are kept in the form
/// they were written in.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields are named as in the JVMS description of the frames")]
pub enum StackMapFrame {
    /// Same locals, empty stack; a delta up to 63.
    Same { offset_delta: u8 },
    /// Same locals, one value on the stack; a delta up to 63.
    SameLocals1StackItem { offset_delta: u8, stack: VerificationType },
    /// Same locals, one value on the stack.
    SameLocals1StackItemExtended { offset_delta: u16, stack: VerificationType },
    /// The last one to three locals are gone, empty stack.
    Chop { offset_delta: u16, count: u8 },
    /// Same locals, empty stack.
    SameExtended { offset_delta: u16 },
    /// One to three more locals, empty stack.
    Append { offset_delta: u16, locals: Vec<VerificationType> },
    /// All locals, all values on the stack.
    Full { offset_delta: u16, locals: Vec<VerificationType>, stack: Vec<VerificationType> },
}

/// Type of a local variable or of a value on the operand stack (JVMS 4.7.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum VerificationType {
    /// Unusable.
    Top,
    /// `int` and the smaller types.
    Integer,
    /// `float`.
    Float,
    /// `double`, which takes two slots but one entry.
    Double,
    /// `long`, which takes two slots but one entry.
    Long,
    /// `null`.
    Null,
    /// `this` in a constructor before the call of the superclass's.
    UninitializedThis,
    /// An object of the class at a constant pool index.
    Object(u16),
    /// An object made by the `new` at an offset whose constructor was not called yet.
    Uninitialized(u16),
}

impl StackMapFrame {
    /// Distance from the offset of the frame before, less 1; the offset itself in the first frame.
    pub fn offset_delta(&self) -> u16 {
        match self {
            Self::Same { offset_delta } | Self::SameLocals1StackItem { offset_delta, .. } => {
                u16::from(*offset_delta)
            }
            Self::SameLocals1StackItemExtended { offset_delta, .. }
            | Self::Chop { offset_delta, .. }
            | Self::SameExtended { offset_delta }
            | Self::Append { offset_delta, .. }
            | Self::Full { offset_delta, .. } => *offset_delta,
        }
    }
}

const SAME_LOCALS_1_STACK_ITEM: u8 = 64;
const SAME_LOCALS_1_STACK_ITEM_EXTENDED: u8 = 247;
const SAME_EXTENDED: u8 = 251;
const FULL: u8 = 255;

impl Content<'_> for StackMapFrame {
    const SMALLEST: usize = 1;

    fn read(reader: &mut Reader<'_>) -> Result<Self, Error> {
        Ok(match reader.u8()? {
            offset_delta @ 0..64 => Self::Same { offset_delta },
            tag @ 64..128 => Self::SameLocals1StackItem {
                offset_delta: tag - SAME_LOCALS_1_STACK_ITEM,
                stack: VerificationType::read(reader)?,
            },
            SAME_LOCALS_1_STACK_ITEM_EXTENDED => Self::SameLocals1StackItemExtended {
                offset_delta: reader.u16()?,
                stack: VerificationType::read(reader)?,
            },
            tag @ 248..=250 => Self::Chop { offset_delta: reader.u16()?, count: SAME_EXTENDED - tag },
            SAME_EXTENDED => Self::SameExtended { offset_delta: reader.u16()? },
            tag @ 252..=254 => Self::Append {
                offset_delta: reader.u16()?,
                locals: read_items(reader, usize::from(tag - SAME_EXTENDED), 1, VerificationType::read)?,
            },
            FULL => Self::Full {
                offset_delta: reader.u16()?,
                locals: Content::read(reader)?,
                stack: Content::read(reader)?,
            },
            tag => return Err(Error::Undefined { what: "kind of a stack map frame", value: u32::from(tag) }),
        })
    }

    fn write(&self, out: &mut Vec<u8>) -> Result<(), Error> {
        match self {
            Self::Same { offset_delta } => out.put_u8(short_delta(*offset_delta)?),
            Self::SameLocals1StackItem { offset_delta, stack } => {
                out.put_u8(SAME_LOCALS_1_STACK_ITEM + short_delta(*offset_delta)?);
                stack.write(out)?;
            }
            Self::SameLocals1StackItemExtended { offset_delta, stack } => {
                out.put_u8(SAME_LOCALS_1_STACK_ITEM_EXTENDED);
                out.put_u16(*offset_delta);
                stack.write(out)?;
            }
            Self::Chop { offset_delta, count } => {
                out.put_u8(SAME_EXTENDED - up_to_three(usize::from(*count))?);
                out.put_u16(*offset_delta);
            }
            Self::SameExtended { offset_delta } => {
                out.put_u8(SAME_EXTENDED);
                out.put_u16(*offset_delta);
            }
            Self::Append { offset_delta, locals } => {
                out.put_u8(SAME_EXTENDED + up_to_three(locals.len())?);
                out.put_u16(*offset_delta);
                locals.iter().try_for_each(|local| local.write(out))?;
            }
            Self::Full { offset_delta, locals, stack } => {
                out.put_u8(FULL);
                out.put_u16(*offset_delta);
                locals.write(out)?;
                stack.write(out)?;
            }
        }
        Ok(())
    }
}

impl Content<'_> for VerificationType {
    const SMALLEST: usize = 1;

    fn read(reader: &mut Reader<'_>) -> Result<Self, Error> {
        Ok(match reader.u8()? {
            0 => Self::Top,
            1 => Self::Integer,
            2 => Self::Float,
            3 => Self::Double,
            4 => Self::Long,
            5 => Self::Null,
            6 => Self::UninitializedThis,
            7 => Self::Object(reader.u16()?),
            8 => Self::Uninitialized(reader.u16()?),
            tag => return Err(Error::Undefined { what: "type in a stack map frame", value: u32::from(tag) }),
        })
    }

    fn write(&self, out: &mut Vec<u8>) -> Result<(), Error> {
        match *self {
            Self::Top => out.put_u8(0),
            Self::Integer => out.put_u8(1),
            Self::Float => out.put_u8(2),
            Self::Double => out.put_u8(3),
            Self::Long => out.put_u8(4),
            Self::Null => out.put_u8(5),
            Self::UninitializedThis => out.put_u8(6),
            Self::Object(index) => {
                out.put_u8(7);
                out.put_u16(index);
            }
            Self::Uninitialized(offset) => {
                out.put_u8(8);
                out.put_u16(offset);
            }
        }
        Ok(())
    }
}

fn short_delta(delta: u8) -> Result<u8, Error> {
    let overflow = Error::Overflow { what: "offset in a short stack map frame", value: usize::from(delta) };
    if delta < 64 { Ok(delta) } else { Err(overflow) }
}

fn up_to_three(count: usize) -> Result<u8, Error> {
    let overflow = Error::Overflow { what: "number of locals a stack map frame changes", value: count };
    u8::try_from(count).ok().filter(|count| (1..=3).contains(count)).ok_or(overflow)
}
