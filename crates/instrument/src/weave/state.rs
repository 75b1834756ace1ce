//! Probes for what a reset of static state must know.

use std::collections::BTreeSet;

use super::Weaver;
use crate::probes::ProbeMethod;
use crate::state::{Statics, is_initialiser};
use crate::{Refusal, Snippet};

impl<'a> Weaver<'_, 'a, '_> {
    /// The class initialiser, and accesses by which static state may change. The class touched is
    /// that through which a field is named; the field may be declared above it.
    ///
    /// Of several accesses to one class in a row the first is enough, until a jump may lead in
    /// between.
    pub(super) fn state(&mut self, statics: &Statics<'a>, method: usize) -> Result<(), Refusal> {
        if is_initialiser(self.class, self.method) {
            let own = self.class.name()?.to_str();
            let snippet = self.class_probe(ProbeMethod::Initialiser, &own)?;
            self.edits.at_entry(snippet);
            let snippet = self.class_probe(ProbeMethod::Initialised, &own)?;
            for (offset, instruction) in self.body.instructions() {
                if instruction.opcode.is_return() {
                    self.edits.before(*offset, snippet.clone());
                }
            }
        }
        let touches = statics.touches(self.class, method, |owner| self.plan.watches_reads(owner))?;
        if touches.is_empty() {
            return Ok(());
        }
        let joins = self.body.joins(self.code)?;
        let mut touched = BTreeSet::new();
        let mut accesses = touches.into_iter().peekable();
        for (position, (offset, instruction)) in self.body.instructions().iter().enumerate() {
            if joins.contains(&position) {
                touched.clear();
            }
            let access = accesses.next_if(|access| access.position == position);
            if let Some(access) = access.filter(|access| touched.insert(access.owner)) {
                let snippet = self.class_probe(ProbeMethod::Touch, &access.owner.to_str())?;
                self.edits.before(*offset, snippet);
            }
            if instruction.opcode.is_branch() || !instruction.opcode.falls_through() {
                touched.clear();
            }
        }
        Ok(())
    }

    /// A call with the number of a class, which takes the same room whatever the number is: numbers
    /// of classes differ between processes, and whether a method becomes too long must not.
    fn class_probe(&mut self, method: ProbeMethod, class: &str) -> Result<Snippet, Refusal> {
        let mut snippet = Snippet::new();
        let number = (self.class_number)(class);
        snippet.push_int_in_three_bytes(number, self.pool)?;
        self.call(&mut snippet, method)?;
        Ok(snippet)
    }
}
