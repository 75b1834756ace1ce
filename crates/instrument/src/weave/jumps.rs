//! Probes at conditional jumps and switches.

use crashback_classfile::{Flow, Instruction, Opcode};

use super::Weaver;
use crate::probes::{ProbeKind, ProbeMethod};
use crate::rewrite::is_constructor;
use crate::uninitialised::Uninitialised;
use crate::{Refusal, ValueKind};

/// A conditional jump and the values that it compares.
pub(super) struct Comparison {
    /// Offset of the jump.
    pub(super) offset: u32,
    /// Offset of the instruction that takes the values from the stack: the jump, or the compare before
    /// it.
    pub(super) before: u32,
    compare: Option<Opcode>,
    jump: Opcode,
    /// The values, lowest first.
    pub(super) operands: &'static [ValueKind],
}

impl Weaver<'_, '_, '_> {
    /// Operands of conditional jumps.
    pub(super) fn jumps(&mut self) -> Result<(), Refusal> {
        for Comparison { offset, before, compare, jump, operands } in self.comparisons()? {
            let Some(method) = jump_method(operands) else { continue };
            let id = self.register(offset, ProbeKind::Jump { compare, jump })?;
            let snippet = self.observation(method, operands, Some(id))?;
            self.edits.before(before, snippet);
        }
        Ok(())
    }

    /// All conditional jumps. Where the jump looks at the result of a compare right before it, the
    /// values are the operands of the compare, unless other ways lead to the jump. No probe can be
    /// given an object whose constructor has not returned, so that jumps which compare one, as no Java
    /// compiler makes them, are left out.
    pub(super) fn comparisons(&self) -> Result<Vec<Comparison>, Refusal> {
        let joins = self.body.joins(self.code)?;
        let unfinished = self.unfinished()?;
        let mut comparisons = Vec::new();
        let mut last_compare = None;
        for (position, (offset, instruction)) in self.body.instructions().iter().enumerate() {
            let compared = last_compare.take().filter(|_| !joins.contains(&position));
            let (offset, jump) = (*offset, instruction.opcode);
            if let Some(operands) = compare_operands(jump) {
                last_compare = Some((offset, jump, operands));
            }
            let Some(operands) = jump_operands(jump) else { continue };
            let references = operands.iter().filter(|kind| **kind == ValueKind::Reference).count();
            if unfinished.as_ref().is_some_and(|values| values.on_top(position, references)) {
                continue;
            }
            comparisons.push(match compared {
                Some((before, opcode, operands)) => {
                    Comparison { offset, before, compare: Some(opcode), jump, operands }
                }
                None => Comparison { offset, before: offset, compare: None, jump, operands },
            });
        }
        Ok(comparisons)
    }

    /// Uninitialised objects, where the method may have some and compares references.
    fn unfinished(&self) -> Result<Option<Uninitialised>, Refusal> {
        let constructor = is_constructor(self.class, self.method)?;
        let has = |wanted: &dyn Fn(Opcode) -> bool| {
            self.body.instructions().iter().any(|(_, instruction)| wanted(instruction.opcode))
        };
        let compares = |opcode| {
            use Opcode as Op;
            matches!(opcode, Op::Ifnull | Op::Ifnonnull | Op::IfAcmpeq | Op::IfAcmpne)
        };
        let possible = has(&compares) && (constructor || has(&|opcode| opcode == Opcode::New));
        let find = || Uninitialised::find(self.class, self.code, self.body, constructor);
        possible.then(find).transpose()
    }

    /// Keys of switches, and the texts of those over texts.
    pub(super) fn switches(&mut self) -> Result<(), Refusal> {
        let instructions = self.body.instructions();
        for (place, (offset, instruction)) in instructions.iter().enumerate() {
            let next = instructions.get(place + 1);
            if self.is_hash_code(instruction) && next.is_some_and(|(_, it)| it.opcode.flow() == Flow::Switch)
            {
                let id = self.register(*offset, ProbeKind::Call(ProbeMethod::TextSwitch))?;
                let snippet = self.observation(ProbeMethod::TextSwitch, &[ValueKind::Reference], Some(id))?;
                self.edits.before(*offset, snippet);
            }
            if instruction.opcode.flow() == Flow::Switch {
                let id = self.register(*offset, ProbeKind::Switch)?;
                let snippet = self.observation(ProbeMethod::Switch, &[ValueKind::Int], Some(id))?;
                self.edits.before(*offset, snippet);
            }
        }
        Ok(())
    }

    fn is_hash_code(&self, instruction: &Instruction<'_>) -> bool {
        let index = instruction.constant_index().filter(|_| instruction.opcode == Opcode::Invokevirtual);
        let member = index.and_then(|it| self.class.pool.method_ref(it).ok());
        member.is_some_and(|it| it.owner == "java/lang/String" && it.name == "hashCode")
    }
}

/// The operands of an instruction that compares two values and leaves an `int`.
fn compare_operands(opcode: Opcode) -> Option<&'static [ValueKind]> {
    use ValueKind::{Double, Float, Long};
    Some(match opcode {
        Opcode::Lcmp => &[Long, Long],
        Opcode::Fcmpl | Opcode::Fcmpg => &[Float, Float],
        Opcode::Dcmpl | Opcode::Dcmpg => &[Double, Double],
        _ => return None,
    })
}

/// The values that a conditional jump takes from the stack.
fn jump_operands(opcode: Opcode) -> Option<&'static [ValueKind]> {
    use Opcode as Op;
    use ValueKind::{Int, Reference};
    Some(match opcode {
        Op::Ifeq | Op::Ifne | Op::Iflt | Op::Ifge | Op::Ifgt | Op::Ifle => &[Int],
        Op::IfAcmpeq | Op::IfAcmpne => &[Reference, Reference],
        Op::Ifnull | Op::Ifnonnull => &[Reference],
        other if other.flow() == Flow::Conditional => &[Int, Int],
        _ => return None,
    })
}

/// The probe for a jump that compares such values.
fn jump_method(operands: &[ValueKind]) -> Option<ProbeMethod> {
    use ValueKind as Kind;
    Some(match operands {
        [Kind::Int] => ProbeMethod::JumpInt,
        [Kind::Int, _] => ProbeMethod::JumpInts,
        [Kind::Long, _] => ProbeMethod::JumpLongs,
        [Kind::Float, _] => ProbeMethod::JumpFloats,
        [Kind::Double, _] => ProbeMethod::JumpDoubles,
        [Kind::Reference] => ProbeMethod::JumpReference,
        [Kind::Reference, _] => ProbeMethod::JumpReferences,
        _ => return None,
    })
}
