//! The original code and the insertions, by position instead of by offset.

use std::collections::{BTreeMap, BTreeSet};

use crashback_classfile::{Code, ConstantPool, Flow, Instruction, Instructions, Operand};

use crate::{MethodEdits, Refusal, Snippet};

/// The instructions of a method in order.
pub(crate) struct Body<'c> {
    code: &'c [u8],
    instructions: Vec<(u32, Instruction<'c>)>,
}

impl<'c> Body<'c> {
    pub(crate) fn decode(code: &'c [u8]) -> Result<Self, Refusal> {
        Ok(Self { code, instructions: Instructions::new(code).collect::<Result<_, _>>()? })
    }

    pub(crate) fn instructions(&self) -> &[(u32, Instruction<'c>)] {
        &self.instructions
    }

    pub(crate) fn len(&self) -> usize {
        self.instructions.len()
    }

    /// Offset of an instruction, the length of the code for the position after the last.
    pub(crate) fn offset(&self, position: usize) -> u32 {
        self.instructions.get(position).map_or(self.code.len() as u32, |(offset, _)| *offset)
    }

    pub(crate) fn bytes(&self, position: usize) -> &'c [u8] {
        let range = self.offset(position) as usize..self.offset(position + 1) as usize;
        self.code.get(range).unwrap_or_default()
    }

    /// The instruction that begins at an offset.
    pub(crate) fn position(&self, offset: u32) -> Result<usize, Refusal> {
        self.instructions
            .binary_search_by_key(&offset, |(start, _)| *start)
            .map_err(|_| Refusal::NoInstruction { offset })
    }

    /// As [`position`](Self::position), where the end of the code counts as well.
    pub(crate) fn position_or_end(&self, offset: u32) -> Result<usize, Refusal> {
        if offset as usize == self.code.len() { Ok(self.len()) } else { self.position(offset) }
    }

    /// The instruction that an offset lies in. Debugging tables may name any offset; a JVM does not
    /// look closer.
    pub(crate) fn enclosing(&self, offset: u32) -> usize {
        if offset as usize >= self.code.len() {
            return self.len();
        }
        self.instructions.partition_point(|(start, _)| *start <= offset).saturating_sub(1)
    }

    /// Where a jump with one target goes.
    pub(crate) fn jump_target(&self, position: usize) -> Result<Option<usize>, Refusal> {
        match self.instructions.get(position) {
            Some((offset, Instruction { operand: Operand::Branch(distance), .. })) => {
                self.relative(*offset, *distance).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// Instructions that jumps and exceptions lead to.
    pub(crate) fn joins(&self, code: &Code<'_>) -> Result<BTreeSet<usize>, Refusal> {
        let mut joins = BTreeSet::new();
        for (offset, instruction) in &self.instructions {
            for target in instruction.targets(*offset) {
                joins.insert(self.position(target)?);
            }
        }
        for handler in code.exception_table.iter() {
            joins.insert(self.position(u32::from(handler.handler_pc))?);
        }
        Ok(joins)
    }

    pub(crate) fn relative(&self, offset: u32, distance: i32) -> Result<usize, Refusal> {
        let target = offset.checked_add_signed(distance).ok_or(Refusal::NoInstruction { offset })?;
        self.position(target)
    }
}

/// Inserted bytes, by the position of the instruction that they precede.
#[derive(Default)]
pub(super) struct Insertions {
    edge: BTreeMap<usize, Vec<u8>>,
    always: BTreeMap<usize, Vec<u8>>,
    /// By the position of the instruction that they replace.
    instead: BTreeMap<usize, Vec<u8>>,
    /// Most slots that any of the code needs above the stack it finds.
    pub(super) peak: u16,
}

impl Insertions {
    pub(super) fn resolve(
        edits: &MethodEdits,
        body: &Body<'_>,
        pool: &ConstantPool<'_>,
    ) -> Result<Self, Refusal> {
        let mut insertions = Self::default();
        insertions.peak = insertions.peak.max(add(&mut insertions.edge, 0, 0, &edits.entry)?);
        for (&offset, snippets) in &edits.before {
            let position = body.position(offset)?;
            let peak = add(&mut insertions.always, position, offset, snippets)?;
            insertions.peak = insertions.peak.max(peak);
        }
        for (&offset, snippets) in &edits.after {
            let position = body.position(offset)?;
            let goes_on = body.instructions().get(position).is_some_and(|(_, instruction)| {
                matches!(instruction.opcode.flow(), Flow::Next | Flow::Conditional | Flow::Subroutine)
            });
            if goes_on && position + 1 < body.len() {
                let peak = add(&mut insertions.edge, position + 1, offset, snippets)?;
                insertions.peak = insertions.peak.max(peak);
            }
        }
        for (&offset, snippet) in &edits.instead {
            let position = body.position(offset)?;
            let instruction = body.instructions().get(position).map(|(_, instruction)| instruction);
            let replaced = instruction.filter(|it| it.opcode.flow() == Flow::Next);
            let (pops, pushes) = replaced.ok_or(Refusal::Unbalanced { offset })?.stack_effect(pool)?;
            if snippet.depth() != i32::from(pushes) - i32::from(pops) {
                return Err(Refusal::Unbalanced { offset });
            }
            insertions.instead.insert(position, snippet.code().to_vec());
            insertions.peak = insertions.peak.max(snippet.peak());
        }
        Ok(insertions)
    }

    /// Code of the edge that falls into an instruction.
    pub(super) fn edge(&self, position: usize) -> &[u8] {
        self.edge.get(&position).map_or(&[], Vec::as_slice)
    }

    /// Code in the place of an instruction.
    pub(super) fn instead(&self, position: usize) -> Option<&[u8]> {
        self.instead.get(&position).map(Vec::as_slice)
    }

    /// Code that every way to an instruction runs.
    pub(super) fn always(&self, position: usize) -> &[u8] {
        self.always.get(&position).map_or(&[], Vec::as_slice)
    }
}

fn add(
    place: &mut BTreeMap<usize, Vec<u8>>,
    position: usize,
    offset: u32,
    snippets: &[Snippet],
) -> Result<u16, Refusal> {
    let mut peak = 0;
    for snippet in snippets {
        if !snippet.is_balanced() {
            return Err(Refusal::Unbalanced { offset });
        }
        place.entry(position).or_default().extend_from_slice(snippet.code());
        peak = peak.max(snippet.peak());
    }
    Ok(peak)
}
