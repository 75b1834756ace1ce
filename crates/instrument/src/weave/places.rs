//! Probes that say where execution is: budget, lines, blocks, frames, handlers.

use std::collections::BTreeMap;

use super::Weaver;
use crate::probes::{ProbeKind, ProbeMethod};
use crate::{Refusal, ValueKind};

impl Weaver<'_, '_, '_> {
    /// At the entry of the method, and wherever execution may go back: at jumps to earlier instructions or themselves, and at handlers
    /// that lie before code they cover. No endless loop avoids all of these.
    pub(super) fn budget(&mut self) -> Result<(), Refusal> {
        let entry = self.observation(ProbeMethod::Budget, &[], None)?;
        for (offset, instruction) in self.body.instructions() {
            if instruction.targets(*offset).any(|target| target <= *offset) {
                self.edits.before(*offset, entry.clone());
            }
        }
        let handlers = self.code.exception_table.iter();
        let mut back: Vec<_> =
            handlers.filter(|it| it.handler_pc < it.end_pc).map(|it| u32::from(it.handler_pc)).collect();
        back.sort_unstable();
        back.dedup();
        for offset in back {
            self.edits.before(offset, entry.clone());
        }
        self.edits.at_entry(entry);
        Ok(())
    }

    /// Where the `LineNumberTable` begins a line. A line may begin at several places.
    pub(super) fn line_starts(&mut self) -> Result<(), Refusal> {
        let mut starts: Vec<_> = self.lines.entries().iter().map(|entry| u32::from(entry.start_pc)).collect();
        starts.dedup();
        for offset in starts {
            // Tables may lie; what begins inside an instruction is reached by nothing.
            if self.body.position(offset).is_ok() {
                self.place(offset, ProbeKind::Line, ProbeMethod::Line)?;
            }
        }
        Ok(())
    }

    /// Leaders of basic blocks: the first instruction, what jumps and exceptions lead to, and what follows a jump or an end.
    pub(super) fn blocks(&mut self) -> Result<(), Refusal> {
        let mut leaders = self.body.joins(self.code)?;
        leaders.insert(0);
        for (position, (_, instruction)) in self.body.instructions().iter().enumerate() {
            if instruction.opcode.is_branch() || !instruction.opcode.falls_through() {
                leaders.insert(position + 1);
            }
        }
        for position in leaders.into_iter().filter(|position| *position < self.body.len()) {
            self.place(self.body.offset(position), ProbeKind::Block, ProbeMethod::Block)?;
        }
        Ok(())
    }

    /// Entering and leaving. The entry comes after the budget's, so that a test which ends there has not entered.
    pub(super) fn frame(&mut self) -> Result<(), Refusal> {
        let id = self.register(0, ProbeKind::Frame)?;
        let enter = self.observation(ProbeMethod::Enter, &[], Some(id))?;
        self.edits.at_entry(enter);
        let leave = self.observation(ProbeMethod::Leave, &[], Some(id))?;
        for (offset, instruction) in self.body.instructions() {
            if instruction.opcode.is_return() {
                self.edits.before(*offset, leave.clone());
            }
        }
        let unwind = self.observation(ProbeMethod::Unwind, &[ValueKind::Reference], Some(id))?;
        self.edits.catch_all(unwind);
        Ok(())
    }

    /// What arrives at handlers.
    pub(super) fn caught(&mut self) -> Result<(), Refusal> {
        let mut handlers: BTreeMap<u32, bool> = BTreeMap::new();
        for handler in self.code.exception_table.iter() {
            *handlers.entry(u32::from(handler.handler_pc)).or_insert(true) &= handler.catch_type == 0;
        }
        for (offset, everything) in handlers {
            let id = self.register(offset, ProbeKind::Caught { everything })?;
            let snippet = self.observation(ProbeMethod::Caught, &[ValueKind::Reference], Some(id))?;
            self.edits.before(offset, snippet);
        }
        Ok(())
    }

    /// A probe that only says that an instruction is reached.
    pub(super) fn place(&mut self, offset: u32, kind: ProbeKind, method: ProbeMethod) -> Result<(), Refusal> {
        let id = self.register(offset, kind)?;
        let snippet = self.observation(method, &[], Some(id))?;
        self.edits.before(offset, snippet);
        Ok(())
    }
}
