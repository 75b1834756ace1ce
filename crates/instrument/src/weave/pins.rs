//! Calls that go to the runtime instead.

use std::collections::BTreeMap;

use crashback_classfile::{ElementType, FieldType, MethodDescriptor, Opcode, Primitive};

use super::Weaver;
use crate::pins::{PinMethod, Redirect, Redirection};
use crate::{Refusal, Snippet, ValueKind};

impl Weaver<'_, '_, '_> {
    /// Replaces calls of members that entries of the constant pool name.
    pub(super) fn pins(&mut self, redirected: &BTreeMap<u16, &'static Redirect>) -> Result<(), Refusal> {
        if redirected.is_empty() {
            return Ok(());
        }
        for (offset, instruction) in self.body.instructions() {
            let Some(row) = instruction.constant_index().and_then(|index| redirected.get(&index)) else {
                continue;
            };
            let expected = if row.name == "<init>" { Opcode::Invokespecial } else { Opcode::Invokestatic };
            if instruction.opcode == expected {
                let snippet = self.redirection(row)?;
                self.edits.replace(*offset, snippet);
            }
        }
        Ok(())
    }

    fn redirection(&mut self, row: &Redirect) -> Result<Snippet, Refusal> {
        let mut snippet = Snippet::new();
        match row.to {
            Redirection::Instead(method) => self.call_pin(&mut snippet, method)?,
            Redirection::With(method, descriptor) => {
                self.call_pin(&mut snippet, method)?;
                self.call_jdk(&mut snippet, row, descriptor)?;
            }
            Redirection::Then(method) => {
                // The object lies below the arguments of its constructor.
                let mut arguments = Vec::new();
                let mut local = self.code.max_locals;
                for parameter in MethodDescriptor::parse(row.descriptor.as_bytes().into())?.parameters() {
                    arguments.push((value_kind(parameter), local));
                    let next = local.checked_add(parameter.slots());
                    local = next.ok_or(Refusal::Overflow("number of locals"))?;
                }
                self.edits.need_scratch_locals(local - self.code.max_locals);
                for (kind, local) in arguments.iter().rev() {
                    snippet.store(*kind, *local)?;
                }
                snippet.duplicate(1)?;
                for (kind, local) in &arguments {
                    snippet.load(*kind, *local)?;
                }
                self.call_jdk(&mut snippet, row, row.descriptor)?;
                self.call_pin(&mut snippet, method)?;
            }
        }
        Ok(snippet)
    }

    fn call_pin(&mut self, snippet: &mut Snippet, method: PinMethod) -> Result<(), Refusal> {
        let index = self.pool.add_method_ref(&self.plan.pins, method.name(), method.descriptor())?;
        let descriptor = MethodDescriptor::parse(method.descriptor().as_bytes().into())?;
        Ok(snippet.call_static(index, descriptor)?)
    }

    fn call_jdk(&mut self, snippet: &mut Snippet, row: &Redirect, descriptor: &str) -> Result<(), Refusal> {
        let index = self.pool.add_method_ref(row.owner, row.name, descriptor)?;
        let descriptor = MethodDescriptor::parse(descriptor.as_bytes().into())?;
        match row.name {
            "<init>" => snippet.call_special(index, descriptor)?,
            _ => snippet.call_static(index, descriptor)?,
        }
        Ok(())
    }
}

fn value_kind(field: FieldType<'_>) -> ValueKind {
    match field {
        FieldType { dimensions: 0, element: ElementType::Primitive(primitive) } => match primitive {
            Primitive::Long => ValueKind::Long,
            Primitive::Float => ValueKind::Float,
            Primitive::Double => ValueKind::Double,
            _ => ValueKind::Int,
        },
        _ => ValueKind::Reference,
    }
}
