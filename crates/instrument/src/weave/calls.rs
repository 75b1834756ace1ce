//! Probes at calls that compare texts or look something up.

use crashback_classfile::{Instruction, Opcode};

use super::Weaver;
use crate::probes::{ProbeKind, ProbeMethod};
use crate::{Refusal, ValueKind};

impl Weaver<'_, '_, '_> {
    /// Operands of the calls in [`CALLS`].
    pub(super) fn calls(&mut self) -> Result<(), Refusal> {
        for (offset, instruction) in self.body.instructions() {
            let Some((method, operands)) = self.watched(instruction) else { continue };
            let id = self.register(*offset, ProbeKind::Call(method))?;
            let snippet = self.observation(method, operands, Some(id))?;
            self.edits.before(*offset, snippet);
        }
        Ok(())
    }

    /// Texts of those of the calls in [`CALLS`] that have two operands.
    pub(super) fn words(&mut self) -> Result<(), Refusal> {
        for (offset, instruction) in self.body.instructions() {
            let method = match self.watched(instruction) {
                Some((ProbeMethod::ContainsKey | ProbeMethod::Get, _)) => ProbeMethod::WordIn,
                Some((ProbeMethod::Contains | ProbeMethod::IndexOf, _)) => ProbeMethod::WordIn,
                Some((ProbeMethod::Matches, _)) => continue,
                Some((_, TWO)) => ProbeMethod::Word,
                _ => continue,
            };
            let snippet = self.observation(method, TWO, None)?;
            self.edits.before(*offset, snippet);
        }
        Ok(())
    }

    fn watched(&self, instruction: &Instruction<'_>) -> Option<(ProbeMethod, &'static [ValueKind])> {
        // Calls of `super` are no look-ups but part of one.
        let is_static = match instruction.opcode {
            Opcode::Invokevirtual | Opcode::Invokeinterface => false,
            Opcode::Invokestatic => true,
            _ => return None,
        };
        let member = self.class.pool.method_ref(instruction.constant_index()?).ok()?;
        let row = CALLS.iter().find(|row| {
            member.name == row.name
                && member.descriptor == row.descriptor
                && row.owner.is_none_or(|owner| member.owner == owner)
                && is_static == (row.method == ProbeMethod::ObjectsEquals)
        })?;
        Some((row.method, row.operands))
    }
}

/// A method whose calls are watched.
struct Call {
    /// None where a class of the program may have the method.
    owner: Option<&'static str>,
    name: &'static str,
    descriptor: &'static str,
    method: ProbeMethod,
    operands: &'static [ValueKind],
}

const STRING: Option<&str> = Some("java/lang/String");
const TWO: &[ValueKind] = &[ValueKind::Reference, ValueKind::Reference];
const OBJECT_TO_BOOLEAN: &str = "(Ljava/lang/Object;)Z";
const STRING_TO_BOOLEAN: &str = "(Ljava/lang/String;)Z";

const fn call(
    owner: Option<&'static str>,
    name: &'static str,
    descriptor: &'static str,
    method: ProbeMethod,
    operands: &'static [ValueKind],
) -> Call {
    Call { owner, name, descriptor, method, operands }
}

const CALLS: &[Call] = {
    use ProbeMethod as To;
    use ValueKind::{Int, Reference};
    &[
        call(STRING, "equals", OBJECT_TO_BOOLEAN, To::Equals, TWO),
        call(Some("java/lang/Object"), "equals", OBJECT_TO_BOOLEAN, To::Equals, TWO),
        call(STRING, "equalsIgnoreCase", STRING_TO_BOOLEAN, To::EqualsIgnoreCase, TWO),
        call(STRING, "startsWith", STRING_TO_BOOLEAN, To::StartsWith, TWO),
        call(STRING, "startsWith", "(Ljava/lang/String;I)Z", To::StartsWithAt, &[Reference, Reference, Int]),
        call(STRING, "endsWith", STRING_TO_BOOLEAN, To::EndsWith, TWO),
        call(STRING, "contains", "(Ljava/lang/CharSequence;)Z", To::ContainsText, TWO),
        call(STRING, "indexOf", "(Ljava/lang/String;)I", To::FindText, TWO),
        call(STRING, "indexOf", "(Ljava/lang/String;I)I", To::FindTextFrom, &[Reference, Reference, Int]),
        call(STRING, "indexOf", "(I)I", To::FindCharacter, &[Reference, Int]),
        call(STRING, "indexOf", "(II)I", To::FindCharacterFrom, &[Reference, Int, Int]),
        call(STRING, "lastIndexOf", "(Ljava/lang/String;)I", To::FindText, TWO),
        call(STRING, "lastIndexOf", "(I)I", To::FindCharacter, &[Reference, Int]),
        call(STRING, "matches", STRING_TO_BOOLEAN, To::Matches, TWO),
        call(
            STRING,
            "regionMatches",
            "(ILjava/lang/String;II)Z",
            To::RegionMatches,
            &[Reference, Int, Reference, Int, Int],
        ),
        call(
            STRING,
            "regionMatches",
            "(ZILjava/lang/String;II)Z",
            To::RegionMatchesCase,
            &[Reference, Int, Int, Reference, Int, Int],
        ),
        call(
            Some("java/util/Objects"),
            "equals",
            "(Ljava/lang/Object;Ljava/lang/Object;)Z",
            To::ObjectsEquals,
            TWO,
        ),
        call(None, "containsKey", OBJECT_TO_BOOLEAN, To::ContainsKey, TWO),
        call(None, "get", "(Ljava/lang/Object;)Ljava/lang/Object;", To::Get, TWO),
        call(None, "contains", OBJECT_TO_BOOLEAN, To::Contains, TWO),
        call(None, "indexOf", "(Ljava/lang/Object;)I", To::IndexOf, TWO),
    ]
};
