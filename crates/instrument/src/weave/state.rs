//! Probes for what a reset of static state must know.

use crashback_classfile::{Instruction, Opcode};

use super::Weaver;
use crate::Refusal;
use crate::probes::{ProbeKind, ProbeMethod};

impl Weaver<'_, '_, '_> {
    /// The class initialiser, or writes to static fields. What the initialiser of a class writes to that class is no change of state.
    pub(super) fn state(&mut self) -> Result<(), Refusal> {
        let own = match self.method.name(&self.class.pool)?.as_bytes() {
            b"<clinit>" => {
                let id = self.register(0, ProbeKind::Initialiser)?;
                let snippet = self.observation(ProbeMethod::Initialiser, &[], Some(id))?;
                self.edits.at_entry(snippet);
                Some(self.class.name()?)
            }
            _ => None,
        };
        for (offset, instruction) in self.body.instructions() {
            let Some(index) = static_write(instruction) else { continue };
            let field = self.class.pool.field_ref(index)?;
            if own != Some(field.owner) {
                let (owner, field) = (field.owner.to_string(), field.name.to_string());
                self.place(*offset, ProbeKind::StaticWrite { owner, field }, ProbeMethod::StaticWrite)?;
            }
        }
        Ok(())
    }
}

fn static_write(instruction: &Instruction<'_>) -> Option<u16> {
    instruction.constant_index().filter(|_| instruction.opcode == Opcode::Putstatic)
}
