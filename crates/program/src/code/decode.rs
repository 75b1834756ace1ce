//! From instructions as the class file encodes them to [`Operation`]s.

use std::cell::OnceCell;

use crashback_classfile as classfile;
use crashback_classfile::{
    Attribute, BootstrapMethod, ClassFile, ConstantPool, ElementType, FieldType, JavaStr, Location,
    MethodDescriptor, Opcode, Operand, array_type,
};

use super::operation::{
    Comparison, Condition, DynamicCall, Field, Invoke, InvokeKind, Kind, Literal, Operation, Operator,
    Shuffle, Switch,
};
use super::{Error, Result};

/// What the meaning of an instruction depends on: the class, and where instructions begin.
pub(super) struct Decoder<'a, 'o> {
    class: &'a ClassFile<'a>,
    /// Byte offsets of all instructions in ascending order.
    offsets: &'o [u32],
    /// Decoded when the first dynamic call asks for them.
    bootstrap_methods: OnceCell<Vec<BootstrapMethod<'a>>>,
}

impl<'a, 'o> Decoder<'a, 'o> {
    pub(super) fn new(class: &'a ClassFile<'a>, offsets: &'o [u32]) -> Self {
        Self { class, offsets, bootstrap_methods: OnceCell::new() }
    }

    /// The meaning of the instruction at a byte offset.
    pub(super) fn operation(
        &self,
        offset: u32,
        instruction: &classfile::Instruction<'_>,
    ) -> Result<Operation<'a>> {
        let opcode = instruction.opcode;
        if let Some(simple) = without_operands(opcode) {
            return Ok(simple);
        }
        let at = |distance: i32| self.target(offset, distance);
        Ok(match instruction.operand {
            Operand::Byte(value) => Operation::Push(Literal::Int(value.into())),
            Operand::Short(value) => Operation::Push(Literal::Int(value.into())),
            Operand::Local(slot) => local(opcode, slot),
            Operand::Increment { local, amount } => Operation::Increment { slot: local, by: amount },
            Operand::ArrayType(code) => Operation::NewArray { array: primitive_array(code)?, lengths: 1 },
            Operand::Branch(distance) => jump(opcode, at(distance)?),
            Operand::TableSwitch(table) => {
                let default = at(table.default)?;
                let mut cases = Vec::new();
                for (key, distance) in table.cases() {
                    cases.push((key, at(distance)?));
                }
                cases.retain(|&(_, target)| target != default);
                Operation::Switch(Box::new(Switch { default, cases }))
            }
            Operand::LookupSwitch(table) => {
                let mut cases = Vec::new();
                for (key, distance) in table.cases() {
                    cases.push((key, at(distance)?));
                }
                Operation::Switch(Box::new(Switch { default: at(table.default)?, cases }))
            }
            Operand::Constant(index) => self.with_constant(opcode, index)?,
            Operand::InvokeInterface { index, .. } => self.invoke(InvokeKind::Interface, index)?,
            Operand::InvokeDynamic { index, .. } => {
                Operation::InvokeDynamic(Box::new(self.dynamic_call(index)?))
            }
            Operand::MultiArray { index, dimensions } => Operation::NewArray {
                array: FieldType::from_class_constant(self.pool().class_name(index)?)?,
                lengths: dimensions,
            },
            Operand::None => Operation::Nop,
        })
    }

    /// Index of the instruction at a byte offset.
    pub(super) fn index_at(&self, offset: u32) -> Option<usize> {
        self.offsets.binary_search(&offset).ok()
    }

    /// Number of instructions.
    pub(super) fn count(&self) -> usize {
        self.offsets.len()
    }

    /// Internal name of a class where index 0 means none.
    pub(super) fn optional_class(&self, index: u16) -> Result<Option<JavaStr<'a>>> {
        Ok(self.pool().optional_class_name(index)?)
    }

    fn pool(&self) -> &'a ConstantPool<'a> {
        &self.class.pool
    }

    fn target(&self, offset: u32, distance: i32) -> Result<usize> {
        offset
            .checked_add_signed(distance)
            .and_then(|target| self.index_at(target))
            .ok_or(Error::BadTarget { offset, target: i64::from(offset) + i64::from(distance) })
    }

    fn with_constant(&self, opcode: Opcode, index: u16) -> Result<Operation<'a>> {
        let pool = self.pool();
        Ok(match opcode {
            Opcode::Ldc | Opcode::LdcW | Opcode::Ldc2W => Operation::Push(self.literal(index)?),
            Opcode::Getstatic => Operation::GetStatic(self.field(index)?),
            Opcode::Putstatic => Operation::PutStatic(self.field(index)?),
            Opcode::Getfield => Operation::GetField(self.field(index)?),
            Opcode::Putfield => Operation::PutField(self.field(index)?),
            Opcode::Invokevirtual => self.invoke(InvokeKind::Virtual, index)?,
            Opcode::Invokespecial => self.invoke(InvokeKind::Special, index)?,
            Opcode::Invokestatic => self.invoke(InvokeKind::Static, index)?,
            Opcode::New => Operation::New(pool.class_name(index)?),
            Opcode::Anewarray => {
                let element = FieldType::from_class_constant(pool.class_name(index)?)?;
                let dimensions = element.dimensions.checked_add(1).ok_or(Error::TooManyDimensions)?;
                Operation::NewArray { array: FieldType { dimensions, ..element }, lengths: 1 }
            }
            Opcode::Checkcast => Operation::CheckCast(pool.class_name(index)?),
            Opcode::Instanceof => Operation::InstanceOf(pool.class_name(index)?),
            _ => Operation::Nop,
        })
    }

    fn field(&self, index: u16) -> Result<Field<'a>> {
        let member = self.pool().field_ref(index)?;
        Ok(Field { member, field_type: FieldType::parse(member.descriptor)? })
    }

    fn invoke(&self, kind: InvokeKind, index: u16) -> Result<Operation<'a>> {
        let method = self.pool().method_ref(index)?;
        let signature = MethodDescriptor::parse(method.descriptor)?;
        Ok(Operation::Invoke(Box::new(Invoke { kind, method, signature })))
    }

    fn dynamic_call(&self, index: u16) -> Result<DynamicCall<'a>> {
        let site = self.pool().invoke_dynamic(index)?;
        let missing = Error::NoBootstrapMethod(site.bootstrap_index);
        let BootstrapMethod { method_index, arguments } =
            self.bootstrap_methods()?.get(usize::from(site.bootstrap_index)).ok_or(missing)?;
        Ok(DynamicCall {
            name: site.name,
            descriptor: site.descriptor,
            signature: MethodDescriptor::parse(site.descriptor)?,
            bootstrap: self.pool().method_handle(*method_index)?,
            arguments: arguments.iter().map(|argument| self.literal(argument)).collect::<Result<_>>()?,
        })
    }

    fn bootstrap_methods(&self) -> Result<&[BootstrapMethod<'a>]> {
        if let Some(methods) = self.bootstrap_methods.get() {
            return Ok(methods);
        }
        let attribute = self.class.attribute("BootstrapMethods");
        let methods =
            match attribute.map(|attribute| attribute.decode(self.pool(), Location::Class)).transpose()? {
                Some(Attribute::BootstrapMethods(methods)) => methods,
                _ => Vec::new(),
            };
        Ok(self.bootstrap_methods.get_or_init(|| methods))
    }

    fn literal(&self, index: u16) -> Result<Literal<'a>> {
        let pool = self.pool();
        Ok(match pool.get(index)? {
            classfile::Constant::Integer(value) => Literal::Int(value),
            classfile::Constant::Long(value) => Literal::Long(value),
            classfile::Constant::Float(bits) => Literal::Float(bits),
            classfile::Constant::Double(bits) => Literal::Double(bits),
            classfile::Constant::String { .. } => Literal::String(pool.string(index)?),
            classfile::Constant::Class { .. } => Literal::Class(pool.class_name(index)?),
            classfile::Constant::MethodHandle { .. } => Literal::MethodHandle(pool.method_handle(index)?),
            classfile::Constant::MethodType { .. } => Literal::MethodType(pool.method_type(index)?),
            classfile::Constant::Dynamic { .. } => {
                let dynamic = pool.dynamic(index)?;
                Literal::Dynamic { name: dynamic.name, field_type: FieldType::parse(dynamic.descriptor)? }
            }
            _ => return Err(classfile::Error::WrongConstant { index, expected: "loadable constant" }.into()),
        })
    }
}

/// Instructions whose opcode says all.
fn without_operands<'a>(opcode: Opcode) -> Option<Operation<'a>> {
    let byte = opcode as u8;
    Some(match opcode {
        Opcode::Nop => Operation::Nop,
        Opcode::AconstNull => Operation::Push(Literal::Null),
        Opcode::Lconst0 => Operation::Push(Literal::Long(0)),
        Opcode::Lconst1 => Operation::Push(Literal::Long(1)),
        Opcode::Fconst0 => Operation::Push(Literal::Float(0f32.to_bits())),
        Opcode::Fconst1 => Operation::Push(Literal::Float(1f32.to_bits())),
        Opcode::Fconst2 => Operation::Push(Literal::Float(2f32.to_bits())),
        Opcode::Dconst0 => Operation::Push(Literal::Double(0f64.to_bits())),
        Opcode::Dconst1 => Operation::Push(Literal::Double(1f64.to_bits())),
        Opcode::Return => Operation::Return(None),
        Opcode::Arraylength => Operation::ArrayLength,
        Opcode::Athrow => Operation::Throw,
        Opcode::Monitorenter => Operation::MonitorEnter,
        Opcode::Monitorexit => Operation::MonitorExit,
        _ => match byte {
            0x02..=0x08 => Operation::Push(Literal::Int(i32::from(byte) - 0x03)),
            0x1a..=0x2d => Operation::Load {
                slot: u16::from((byte - 0x1a) % 4),
                kind: kind_of_letter((byte - 0x1a) / 4),
            },
            0x2e..=0x35 => Operation::LoadElement(kind_of_letter(byte - 0x2e)),
            0x3b..=0x4e => Operation::Store {
                slot: u16::from((byte - 0x3b) % 4),
                kind: kind_of_letter((byte - 0x3b) / 4),
            },
            0x4f..=0x56 => Operation::StoreElement(kind_of_letter(byte - 0x4f)),
            0x57..=0x5f => Operation::Shuffle(shuffle(opcode)),
            0x60..=0x98 => compute(opcode)?,
            0xac..=0xb0 => Operation::Return(Some(kind_of_letter(byte - 0xac))),
            _ => return None,
        },
    })
}

/// The order in which the instruction set lists the variants of an instruction: `i l f d a`, then
/// the small types.
fn kind_of_letter(position: u8) -> Kind {
    match position {
        1 => Kind::Long,
        2 => Kind::Float,
        3 => Kind::Double,
        4 => Kind::Reference,
        _ => Kind::Int,
    }
}

fn shuffle(opcode: Opcode) -> Shuffle {
    match opcode {
        Opcode::Pop2 => Shuffle::Pop2,
        Opcode::Dup => Shuffle::Dup,
        Opcode::DupX1 => Shuffle::DupX1,
        Opcode::DupX2 => Shuffle::DupX2,
        Opcode::Dup2 => Shuffle::Dup2,
        Opcode::Dup2X1 => Shuffle::Dup2X1,
        Opcode::Dup2X2 => Shuffle::Dup2X2,
        Opcode::Swap => Shuffle::Swap,
        _ => Shuffle::Pop,
    }
}

/// Arithmetic (`0x60` to `0x83`), conversions (`0x85` to `0x93`) and comparisons (`0x94` to
/// `0x98`).
fn compute<'a>(opcode: Opcode) -> Option<Operation<'a>> {
    use Kind::{Double, Float, Int, Long};
    let byte = opcode as u8;
    let (operator, operand, result) = match byte {
        0x60..=0x77 => {
            let operator = match (byte - 0x60) / 4 {
                0 => Operator::Add,
                1 => Operator::Subtract,
                2 => Operator::Multiply,
                3 => Operator::Divide,
                4 => Operator::Remainder,
                _ => Operator::Negate,
            };
            let kind = kind_of_letter((byte - 0x60) % 4);
            (operator, kind, kind)
        }
        0x78..=0x83 => {
            let operator = match (byte - 0x78) / 2 {
                0 => Operator::ShiftLeft,
                1 => Operator::ShiftRight,
                2 => Operator::ShiftRightUnsigned,
                3 => Operator::And,
                4 => Operator::Or,
                _ => Operator::Xor,
            };
            let kind = kind_of_letter((byte - 0x78) % 2);
            (operator, kind, kind)
        }
        _ => match opcode {
            Opcode::I2l => (Operator::Convert, Int, Long),
            Opcode::I2f => (Operator::Convert, Int, Float),
            Opcode::I2d => (Operator::Convert, Int, Double),
            Opcode::L2i => (Operator::Convert, Long, Int),
            Opcode::L2f => (Operator::Convert, Long, Float),
            Opcode::L2d => (Operator::Convert, Long, Double),
            Opcode::F2i => (Operator::Convert, Float, Int),
            Opcode::F2l => (Operator::Convert, Float, Long),
            Opcode::F2d => (Operator::Convert, Float, Double),
            Opcode::D2i => (Operator::Convert, Double, Int),
            Opcode::D2l => (Operator::Convert, Double, Long),
            Opcode::D2f => (Operator::Convert, Double, Float),
            Opcode::I2b | Opcode::I2c | Opcode::I2s => (Operator::Convert, Int, Int),
            Opcode::Lcmp => (Operator::Compare, Long, Int),
            Opcode::Fcmpl | Opcode::Fcmpg => (Operator::Compare, Float, Int),
            Opcode::Dcmpl | Opcode::Dcmpg => (Operator::Compare, Double, Int),
            _ => return None,
        },
    };
    Some(Operation::Compute { operator, operand, result })
}

fn local<'a>(opcode: Opcode, slot: u16) -> Operation<'a> {
    match opcode as u8 {
        byte @ 0x15..=0x19 => Operation::Load { slot, kind: kind_of_letter(byte - 0x15) },
        byte @ 0x36..=0x3a => Operation::Store { slot, kind: kind_of_letter(byte - 0x36) },
        _ => Operation::EndSubroutine { slot },
    }
}

fn jump<'a>(opcode: Opcode, target: usize) -> Operation<'a> {
    use Comparison::{Equal, Greater, GreaterOrEqual, Less, LessOrEqual, NotEqual};
    let condition = match opcode {
        Opcode::Goto | Opcode::GotoW => return Operation::Goto { target },
        Opcode::Jsr | Opcode::JsrW => return Operation::Subroutine { target },
        Opcode::Ifeq => Condition::Zero(Equal),
        Opcode::Ifne => Condition::Zero(NotEqual),
        Opcode::Iflt => Condition::Zero(Less),
        Opcode::Ifge => Condition::Zero(GreaterOrEqual),
        Opcode::Ifgt => Condition::Zero(Greater),
        Opcode::Ifle => Condition::Zero(LessOrEqual),
        Opcode::IfIcmpeq => Condition::Ints(Equal),
        Opcode::IfIcmpne => Condition::Ints(NotEqual),
        Opcode::IfIcmplt => Condition::Ints(Less),
        Opcode::IfIcmpge => Condition::Ints(GreaterOrEqual),
        Opcode::IfIcmpgt => Condition::Ints(Greater),
        Opcode::IfIcmple => Condition::Ints(LessOrEqual),
        Opcode::IfAcmpeq => Condition::Same(true),
        Opcode::IfAcmpne => Condition::Same(false),
        Opcode::Ifnull => Condition::Null(true),
        _ => Condition::Null(false),
    };
    Operation::Branch { condition, target }
}

fn primitive_array<'a>(code: u8) -> Result<FieldType<'a>> {
    let unknown = || classfile::Error::Undefined { what: "array type of newarray", value: code.into() };
    let element = ElementType::Primitive(array_type(code).ok_or_else(unknown)?);
    Ok(FieldType { dimensions: 1, element })
}
