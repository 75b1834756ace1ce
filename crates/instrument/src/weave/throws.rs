//! Probes at instructions and calls that throw if an operand is out of bounds.

use crashback_classfile::{Instruction, Opcode};

use super::{ElementAccess, Weaver};
use crate::probes::{ProbeKind, ProbeMethod};
use crate::{Refusal, ValueKind};

/// What a probe sees of an instruction.
struct Watched {
    method: ProbeMethod,
    /// What it is given: values from the stack, lowest first.
    operands: &'static [ValueKind],
    /// A value above these that does not matter.
    above: Option<ValueKind>,
}

impl Weaver<'_, '_, '_> {
    /// Operands of accesses to arrays, divisions, arrays that are made, and the calls in [`CALLS`], as
    /// far as the plan means them.
    pub(super) fn throws(&mut self) -> Result<(), Refusal> {
        let (class, method) = self.names()?;
        for (offset, instruction) in self.body.instructions() {
            if !self.plan.watches_throws(&class, &method, *offset) {
                continue;
            }
            let Some(watched) = self.throwing(instruction) else { continue };
            let id = self.register(*offset, ProbeKind::Throw)?;
            let Watched { method, operands, above } = watched;
            let snippet = self.observation_below(method, operands, above, Some(id))?;
            self.edits.before(*offset, snippet);
        }
        Ok(())
    }

    fn throwing(&self, instruction: &Instruction<'_>) -> Option<Watched> {
        use Opcode as Op;
        use ValueKind::{Int, Long};
        if let Some(ElementAccess { above }) = ElementAccess::of(instruction.opcode) {
            return Some(Watched { method: ProbeMethod::Index, operands: INDEX, above });
        }
        let plain = |method, operands| Watched { method, operands, above: None };
        Some(match instruction.opcode {
            Op::Idiv | Op::Irem => plain(ProbeMethod::DivisorInt, &[Int]),
            Op::Ldiv | Op::Lrem => plain(ProbeMethod::DivisorLong, &[Long]),
            Op::Newarray | Op::Anewarray => plain(ProbeMethod::Length, &[Int]),
            Op::Invokevirtual | Op::Invokeinterface => {
                let member = self.class.pool.method_ref(instruction.constant_index()?).ok()?;
                let is_called = |row: &&Call| member.name == row.name && member.descriptor == row.descriptor;
                // An index into another thing than a text or list says nothing, which the runtime notices.
                let row = CALLS.iter().find(is_called).or_else(|| {
                    let is_get = member.name == "get" && member.descriptor.to_str().starts_with("(I)");
                    is_get.then_some(&GET)
                })?;
                plain(row.method, row.operands)
            }
            _ => return None,
        })
    }
}

/// A method that throws if an index is wrong.
struct Call {
    name: &'static str,
    descriptor: &'static str,
    method: ProbeMethod,
    operands: &'static [ValueKind],
}

const INDEX: &[ValueKind] = &[ValueKind::Reference, ValueKind::Int];
const RANGE: &[ValueKind] = &[ValueKind::Reference, ValueKind::Int, ValueKind::Int];

const fn call(name: &'static str, descriptor: &'static str, method: ProbeMethod) -> Call {
    let operands = if matches!(method, ProbeMethod::Range) { RANGE } else { INDEX };
    Call { name, descriptor, method, operands }
}

/// `get` of lists, whatever their class has for elements.
const GET: Call = call("get", "", ProbeMethod::Index);

const CALLS: &[Call] = {
    use ProbeMethod as To;
    &[
        call("charAt", "(I)C", To::Index),
        call("codePointAt", "(I)I", To::Index),
        call("elementAt", "(I)Ljava/lang/Object;", To::Index),
        call("remove", "(I)Ljava/lang/Object;", To::Index),
        call("deleteCharAt", "(I)Ljava/lang/StringBuilder;", To::Index),
        call("substring", "(I)Ljava/lang/String;", To::RangeFrom),
        call("substring", "(II)Ljava/lang/String;", To::Range),
        call("subSequence", "(II)Ljava/lang/CharSequence;", To::Range),
        call("subList", "(II)Ljava/util/List;", To::Range),
    ]
};
