use super::opcode::{Effect, Opcode, OperandKind};
use super::switch::{LookupSwitch, TableSwitch};
use crate::bytes::{Reader, Write};
use crate::{ConstantPool, Error, FieldType, MethodDescriptor, Primitive};

/// One instruction with its operands (JVMS 6.5), losing nothing: encoding it at the same offset
/// gives the same bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instruction<'a> {
    /// What it does.
    pub opcode: Opcode,
    /// Whether it has the `wide` prefix, which doubles the width of local variable operands.
    pub wide: bool,
    /// What it does it with.
    pub operand: Operand<'a>,
}

/// Operands of an instruction; distances of branches are relative to the instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields are named as in the JVMS descriptions of the instructions")]
pub enum Operand<'a> {
    /// No operands.
    None,
    /// `bipush`.
    Byte(i8),
    /// `sipush`.
    Short(i16),
    /// Index of a local variable, where the opcode does not imply it.
    Local(u16),
    /// `iinc`.
    Increment { local: u16, amount: i16 },
    /// Constant pool index of everything but the three below.
    Constant(u16),
    /// `invokeinterface`.
    InvokeInterface { index: u16, count: u8, zero: u8 },
    /// `invokedynamic`.
    InvokeDynamic { index: u16, zero: u16 },
    /// `newarray`.
    ArrayType(u8),
    /// `multianewarray`.
    MultiArray { index: u16, dimensions: u8 },
    /// Distance of a jump.
    Branch(i32),
    /// `tableswitch`.
    TableSwitch(TableSwitch<'a>),
    /// `lookupswitch`.
    LookupSwitch(LookupSwitch<'a>),
}

/// Byte that makes the instruction after it wide.
const WIDE: u8 = 0xc4;

impl<'a> Instruction<'a> {
    /// Reads the instruction at an offset and tells where the next one begins.
    #[inline]
    pub fn decode(code: &'a [u8], offset: u32) -> Result<(Self, u32), Error> {
        let bytes = code.get(offset as usize..).unwrap_or_default();
        let mut reader = Reader::new(bytes, "instruction");
        let mut byte = reader.u8()?;
        let wide = byte == WIDE;
        if wide {
            byte = reader.u8()?;
        }
        let opcode = Opcode::from_byte(byte).ok_or(Error::UnknownOpcode { opcode: byte, offset })?;
        let operand = if wide {
            wide_operand(opcode, byte, offset, &mut reader)?
        } else {
            operand(opcode.operand_kind(), offset, &mut reader)?
        };
        let length = reader.offset();
        let next = u32::try_from(length).ok().and_then(|length| offset.checked_add(length));
        Ok((Self { opcode, wide, operand }, next.ok_or(Error::TooLarge(code.len()))?))
    }

    /// Appends the bytes of the instruction as it stands at `offset`, on which the padding of
    /// switches depends.
    pub fn encode_into(&self, offset: u32, out: &mut Vec<u8>) -> Result<(), Error> {
        let mismatch = || Error::Operands(self.opcode.mnemonic());
        if self.wide {
            out.push(WIDE);
        }
        out.push(self.opcode as u8);
        match (self.opcode.operand_kind(), self.wide, self.operand) {
            (OperandKind::None, false, Operand::None) => {}
            (OperandKind::Byte, false, Operand::Byte(value)) => out.put_u8(value as u8),
            (OperandKind::Short, false, Operand::Short(value)) => out.put_u16(value as u16),
            (OperandKind::Local, true, Operand::Local(local)) => out.put_u16(local),
            (OperandKind::Local, false, Operand::Local(local)) => {
                out.put_u8(u8::try_from(local).map_err(|_| mismatch())?);
            }
            (OperandKind::Increment, true, Operand::Increment { local, amount }) => {
                out.put_u16(local);
                out.put_u16(amount as u16);
            }
            (OperandKind::Increment, false, Operand::Increment { local, amount }) => {
                out.put_u8(u8::try_from(local).map_err(|_| mismatch())?);
                out.put_u8(i8::try_from(amount).map_err(|_| mismatch())? as u8);
            }
            (OperandKind::ConstantByte, false, Operand::Constant(index)) => {
                out.put_u8(u8::try_from(index).map_err(|_| mismatch())?);
            }
            (OperandKind::Constant, false, Operand::Constant(index)) => out.put_u16(index),
            (OperandKind::InvokeInterface, false, Operand::InvokeInterface { index, count, zero }) => {
                out.put_u16(index);
                out.extend([count, zero]);
            }
            (OperandKind::InvokeDynamic, false, Operand::InvokeDynamic { index, zero }) => {
                out.put_u16(index);
                out.put_u16(zero);
            }
            (OperandKind::ArrayType, false, Operand::ArrayType(array_type)) => out.put_u8(array_type),
            (OperandKind::MultiArray, false, Operand::MultiArray { index, dimensions }) => {
                out.put_u16(index);
                out.put_u8(dimensions);
            }
            (OperandKind::Branch, false, Operand::Branch(distance)) => {
                out.put_u16(i16::try_from(distance).map_err(|_| mismatch())? as u16);
            }
            (OperandKind::WideBranch, false, Operand::Branch(distance)) => out.put_u32(distance as u32),
            (OperandKind::TableSwitch, false, Operand::TableSwitch(switch)) => {
                switch.encode_into(offset, out)
            }
            (OperandKind::LookupSwitch, false, Operand::LookupSwitch(switch)) => {
                switch.encode_into(offset, out)
            }
            _ => return Err(mismatch()),
        }
        Ok(())
    }

    /// Offsets of the explicit targets when the instruction stands at `offset`: first the default
    /// of a switch, then its cases in file order. Targets before the beginning of the code, which
    /// only broken code has, are left out.
    pub fn targets(&self, offset: u32) -> impl Iterator<Item = u32> + use<'a> {
        let (first, table, pairs) = match self.operand {
            Operand::Branch(distance) => (Some(distance), None, None),
            Operand::TableSwitch(switch) => (Some(switch.default), Some(switch.cases()), None),
            Operand::LookupSwitch(switch) => (Some(switch.default), None, Some(switch.cases())),
            _ => (None, None, None),
        };
        let cases =
            table.into_iter().flatten().chain(pairs.into_iter().flatten()).map(|(_, distance)| distance);
        first.into_iter().chain(cases).filter_map(move |distance| offset.checked_add_signed(distance))
    }

    /// Index of the local variable that the instruction reads or writes, implied ones included.
    pub fn local(&self) -> Option<u16> {
        match self.operand {
            Operand::Local(local) | Operand::Increment { local, .. } => Some(local),
            Operand::None => implied_local(self.opcode as u8),
            _ => None,
        }
    }

    /// The constant pool index among the operands.
    pub fn constant_index(&self) -> Option<u16> {
        match self.operand {
            Operand::Constant(index)
            | Operand::InvokeInterface { index, .. }
            | Operand::InvokeDynamic { index, .. }
            | Operand::MultiArray { index, .. } => Some(index),
            _ => None,
        }
    }

    /// The `int` that the instruction pushes as a constant without the help of the pool.
    pub fn int_constant(&self) -> Option<i32> {
        match (self.opcode, self.operand) {
            (_, Operand::Byte(value)) => Some(i32::from(value)),
            (_, Operand::Short(value)) => Some(i32::from(value)),
            (opcode, _) if (Opcode::IconstM1..=Opcode::Iconst5).contains(&opcode) => {
                Some(opcode as i32 - Opcode::Iconst0 as i32)
            }
            _ => None,
        }
    }

    /// Slots that the instruction takes from the operand stack, and slots that it then puts there.
    ///
    /// Instructions that only rearrange the stack count all slots they touch; `dup` is `(1, 2)`.
    pub fn stack_effect(&self, pool: &ConstantPool<'_>) -> Result<(u16, u16), Error> {
        if let Effect::Fixed(pops, pushes) = self.opcode.effect() {
            return Ok((pops, pushes));
        }
        let receiver = u16::from(!matches!(
            self.opcode,
            Opcode::Getstatic | Opcode::Putstatic | Opcode::Invokestatic | Opcode::Invokedynamic
        ));
        let call = |descriptor| {
            MethodDescriptor::parse(descriptor)
                .map(|method| (receiver + method.parameter_slots(), method.result_slots()))
        };
        match (self.opcode, self.operand) {
            (Opcode::Getstatic | Opcode::Getfield, Operand::Constant(index)) => {
                Ok((receiver, FieldType::parse(pool.field_ref(index)?.descriptor)?.slots()))
            }
            (Opcode::Putstatic | Opcode::Putfield, Operand::Constant(index)) => {
                Ok((receiver + FieldType::parse(pool.field_ref(index)?.descriptor)?.slots(), 0))
            }
            (_, Operand::Constant(index) | Operand::InvokeInterface { index, .. }) => {
                call(pool.method_ref(index)?.descriptor)
            }
            (_, Operand::InvokeDynamic { index, .. }) => call(pool.invoke_dynamic(index)?.descriptor),
            (_, Operand::MultiArray { dimensions, .. }) => Ok((u16::from(dimensions), 1)),
            _ => Err(Error::Operands(self.opcode.mnemonic())),
        }
    }
}

/// Element type of the array that `newarray` makes (JVMS 6.5.newarray-A).
pub fn array_type(code: u8) -> Option<Primitive> {
    Some(match code {
        4 => Primitive::Boolean,
        5 => Primitive::Char,
        6 => Primitive::Float,
        7 => Primitive::Double,
        8 => Primitive::Byte,
        9 => Primitive::Short,
        10 => Primitive::Int,
        11 => Primitive::Long,
        _ => return None,
    })
}

#[inline]
fn operand<'a>(kind: OperandKind, offset: u32, reader: &mut Reader<'a>) -> Result<Operand<'a>, Error> {
    Ok(match kind {
        OperandKind::None => Operand::None,
        OperandKind::Byte => Operand::Byte(reader.u8()? as i8),
        OperandKind::Short => Operand::Short(reader.u16()? as i16),
        OperandKind::Local => Operand::Local(u16::from(reader.u8()?)),
        OperandKind::Increment => {
            Operand::Increment { local: u16::from(reader.u8()?), amount: i16::from(reader.u8()? as i8) }
        }
        OperandKind::ConstantByte => Operand::Constant(u16::from(reader.u8()?)),
        OperandKind::Constant => Operand::Constant(reader.u16()?),
        OperandKind::InvokeInterface => {
            Operand::InvokeInterface { index: reader.u16()?, count: reader.u8()?, zero: reader.u8()? }
        }
        OperandKind::InvokeDynamic => Operand::InvokeDynamic { index: reader.u16()?, zero: reader.u16()? },
        OperandKind::ArrayType => Operand::ArrayType(reader.u8()?),
        OperandKind::MultiArray => Operand::MultiArray { index: reader.u16()?, dimensions: reader.u8()? },
        OperandKind::Branch => Operand::Branch(i32::from(reader.u16()? as i16)),
        OperandKind::WideBranch => Operand::Branch(reader.u32()? as i32),
        OperandKind::TableSwitch => Operand::TableSwitch(TableSwitch::decode(offset, reader)?),
        OperandKind::LookupSwitch => Operand::LookupSwitch(LookupSwitch::decode(offset, reader)?),
    })
}

/// Only loads, stores, `ret` and `iinc` have wide forms.
fn wide_operand<'a>(
    opcode: Opcode,
    byte: u8,
    offset: u32,
    reader: &mut Reader<'a>,
) -> Result<Operand<'a>, Error> {
    match opcode.operand_kind() {
        OperandKind::Local => Ok(Operand::Local(reader.u16()?)),
        OperandKind::Increment => {
            Ok(Operand::Increment { local: reader.u16()?, amount: reader.u16()? as i16 })
        }
        _ => Err(Error::UnknownOpcode { opcode: byte, offset }),
    }
}

/// `iload_0` to `aload_3` and `istore_0` to `astore_3` come in groups of four.
fn implied_local(opcode: u8) -> Option<u16> {
    let loads = Opcode::Iload0 as u8..=Opcode::Aload3 as u8;
    let stores = Opcode::Istore0 as u8..=Opcode::Astore3 as u8;
    [loads, stores]
        .iter()
        .find(|group| group.contains(&opcode))
        .map(|group| u16::from((opcode - group.start()) % 4))
}
