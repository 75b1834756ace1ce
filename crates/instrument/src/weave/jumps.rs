//! Probes at conditional jumps and switches.

use crashback_classfile::{Flow, Opcode};

use super::Weaver;
use crate::probes::{ProbeKind, ProbeMethod};
use crate::rewrite::is_constructor;
use crate::uninitialised::Uninitialised;
use crate::{Refusal, ValueKind};

impl Weaver<'_, '_, '_> {
    /// Operands of conditional jumps. Where the jump looks at the result of a compare right before
    /// it, the probe sees the operands of the compare, unless other ways lead to the jump. No probe
    /// can be given an object whose constructor has not returned, so that jumps which compare one,
    /// as no Java compiler makes them, have none.
    pub(super) fn jumps(&mut self) -> Result<(), Refusal> {
        let joins = self.body.joins(self.code)?;
        let unfinished = self.unfinished()?;
        let mut compare = None;
        for (position, (offset, instruction)) in self.body.instructions().iter().enumerate() {
            let compared = compare.take().filter(|_| !joins.contains(&position));
            if let Some((method, kind)) = comparison(instruction.opcode) {
                compare = Some((*offset, instruction.opcode, method, kind));
            }
            let Some((method, operands)) = jump_operands(instruction.opcode) else { continue };
            let jump = instruction.opcode;
            let references = operands.iter().filter(|kind| **kind == ValueKind::Reference).count();
            if unfinished.as_ref().is_some_and(|values| values.on_top(position, references)) {
                continue;
            }
            match compared {
                Some((compare_offset, opcode, method, kind)) => {
                    let id = self.register(*offset, ProbeKind::Jump { compare: Some(opcode), jump })?;
                    let snippet = self.observation(method, &[kind, kind], Some(id))?;
                    self.edits.before(compare_offset, snippet);
                }
                None => {
                    let id = self.register(*offset, ProbeKind::Jump { compare: None, jump })?;
                    let snippet = self.observation(method, operands, Some(id))?;
                    self.edits.before(*offset, snippet);
                }
            }
        }
        Ok(())
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

    /// Keys of switches.
    pub(super) fn switches(&mut self) -> Result<(), Refusal> {
        for (offset, instruction) in self.body.instructions() {
            if instruction.opcode.flow() == Flow::Switch {
                let id = self.register(*offset, ProbeKind::Switch)?;
                let snippet = self.observation(ProbeMethod::Switch, &[ValueKind::Int], Some(id))?;
                self.edits.before(*offset, snippet);
            }
        }
        Ok(())
    }
}

/// The probe for the operands of an instruction that compares two values and leaves an `int`.
fn comparison(opcode: Opcode) -> Option<(ProbeMethod, ValueKind)> {
    Some(match opcode {
        Opcode::Lcmp => (ProbeMethod::JumpLongs, ValueKind::Long),
        Opcode::Fcmpl | Opcode::Fcmpg => (ProbeMethod::JumpFloats, ValueKind::Float),
        Opcode::Dcmpl | Opcode::Dcmpg => (ProbeMethod::JumpDoubles, ValueKind::Double),
        _ => return None,
    })
}

/// The probe for a conditional jump, and what it takes from the stack.
fn jump_operands(opcode: Opcode) -> Option<(ProbeMethod, &'static [ValueKind])> {
    use Opcode as Op;
    use ValueKind::{Int, Reference};
    Some(match opcode {
        Op::Ifeq | Op::Ifne | Op::Iflt | Op::Ifge | Op::Ifgt | Op::Ifle => (ProbeMethod::JumpInt, &[Int]),
        Op::IfAcmpeq | Op::IfAcmpne => (ProbeMethod::JumpReferences, &[Reference, Reference]),
        Op::Ifnull | Op::Ifnonnull => (ProbeMethod::JumpReference, &[Reference]),
        other if other.flow() == Flow::Conditional => (ProbeMethod::JumpInts, &[Int, Int]),
        _ => return None,
    })
}
