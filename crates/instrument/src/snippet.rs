use crashback_classfile::{Error, Instruction, MethodDescriptor, Opcode, Operand, PoolExtension};

/// Straight-line code: it has no jumps, and when it ends the operand stack is as it was, or as the
/// instruction would leave it that the code replaces.
///
/// Depths are counted from the stack that the code finds. Straight-line code needs no stack map
/// frame of its own, which is what makes insertion at byte level possible.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Snippet {
    code: Vec<u8>,
    depth: i32,
    peak: i32,
}

/// How a value lies on the operand stack and in local variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ValueKind {
    /// `int` and the smaller types.
    Int,
    /// `long`.
    Long,
    /// `float`.
    Float,
    /// `double`.
    Double,
    /// A reference.
    Reference,
}

impl ValueKind {
    /// Slots that a value takes.
    pub fn slots(self) -> u16 {
        if matches!(self, Self::Long | Self::Double) { 2 } else { 1 }
    }
}

impl Snippet {
    /// Code that does nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// `nop`.
    pub fn nop(&mut self) -> Result<(), Error> {
        self.emit(Opcode::Nop, Operand::None, 0, 0)
    }

    /// Copies what the topmost `slots`, one or two, hold.
    pub fn duplicate(&mut self, slots: u16) -> Result<(), Error> {
        match slots {
            1 => self.emit(Opcode::Dup, Operand::None, 1, 2),
            2 => self.emit(Opcode::Dup2, Operand::None, 2, 4),
            _ => Err(Error::Operands("dup")),
        }
    }

    /// Moves the topmost value into a local variable.
    pub fn store(&mut self, kind: ValueKind, local: u16) -> Result<(), Error> {
        let opcode = match kind {
            ValueKind::Int => Opcode::Istore,
            ValueKind::Long => Opcode::Lstore,
            ValueKind::Float => Opcode::Fstore,
            ValueKind::Double => Opcode::Dstore,
            ValueKind::Reference => Opcode::Astore,
        };
        self.emit(opcode, Operand::Local(local), kind.slots(), 0)
    }

    /// Pushes the value of a local variable.
    pub fn load(&mut self, kind: ValueKind, local: u16) -> Result<(), Error> {
        let opcode = match kind {
            ValueKind::Int => Opcode::Iload,
            ValueKind::Long => Opcode::Lload,
            ValueKind::Float => Opcode::Fload,
            ValueKind::Double => Opcode::Dload,
            ValueKind::Reference => Opcode::Aload,
        };
        self.emit(opcode, Operand::Local(local), 0, kind.slots())
    }

    /// Pushes null.
    pub fn push_null(&mut self) -> Result<(), Error> {
        self.emit(Opcode::AconstNull, Operand::None, 0, 1)
    }

    /// Pushes an `int` in the shortest way.
    pub fn push_int(&mut self, value: i32, pool: &mut PoolExtension<'_>) -> Result<(), Error> {
        let small = u8::try_from(i32::from(Opcode::Iconst0 as u8).saturating_add(value)).ok();
        if let Some(opcode) = small.and_then(Opcode::from_byte).filter(|_| (-1..=5).contains(&value)) {
            return self.emit(opcode, Operand::None, 0, 1);
        }
        if let Ok(value) = i8::try_from(value) {
            return self.emit(Opcode::Bipush, Operand::Byte(value), 0, 1);
        }
        if let Ok(value) = i16::try_from(value) {
            return self.emit(Opcode::Sipush, Operand::Short(value), 0, 1);
        }
        let index = pool.add_int(value)?;
        let opcode = if index <= u16::from(u8::MAX) { Opcode::Ldc } else { Opcode::LdcW };
        self.emit(opcode, Operand::Constant(index), 0, 1)
    }

    /// Pushes an `int` in a way that takes three bytes whatever it is.
    pub fn push_int_in_three_bytes(&mut self, value: i32, pool: &mut PoolExtension<'_>) -> Result<(), Error> {
        match i16::try_from(value) {
            Ok(value) => self.emit(Opcode::Sipush, Operand::Short(value), 0, 1),
            Err(_) => self.emit(Opcode::LdcW, Operand::Constant(pool.add_int(value)?), 0, 1),
        }
    }

    /// Calls a static method.
    pub fn call_static(&mut self, method: u16, descriptor: MethodDescriptor<'_>) -> Result<(), Error> {
        let (pops, pushes) = (descriptor.parameter_slots(), descriptor.result_slots());
        self.emit(Opcode::Invokestatic, Operand::Constant(method), pops, pushes)
    }

    /// Calls a constructor, or another method of an object without looking for what overrides it.
    pub fn call_special(&mut self, method: u16, descriptor: MethodDescriptor<'_>) -> Result<(), Error> {
        let (pops, pushes) = (descriptor.parameter_slots() + 1, descriptor.result_slots());
        self.emit(Opcode::Invokespecial, Operand::Constant(method), pops, pushes)
    }

    pub(crate) fn code(&self) -> &[u8] {
        &self.code
    }

    pub(crate) fn is_balanced(&self) -> bool {
        self.depth == 0
    }

    /// Slots by which the code leaves the stack deeper than it finds it.
    pub(crate) fn depth(&self) -> i32 {
        self.depth
    }

    /// Slots that the code needs above the stack it finds.
    pub(crate) fn peak(&self) -> u16 {
        u16::try_from(self.peak).unwrap_or(u16::MAX)
    }

    fn emit(&mut self, opcode: Opcode, operand: Operand<'_>, pops: u16, pushes: u16) -> Result<(), Error> {
        let wide = matches!(operand, Operand::Local(local) if local > u16::from(u8::MAX));
        // Straight-line code has no switches, so the offset does not matter.
        Instruction { opcode, wide, operand }.encode_into(0, &mut self.code)?;
        self.depth += i32::from(pushes) - i32::from(pops);
        self.peak = self.peak.max(self.depth);
        Ok(())
    }
}
