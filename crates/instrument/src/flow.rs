//! Where values go in a method: labels on them are followed through locals and operand stack, slot
//! by slot, as the verifier follows types (JVMS 4.10).

use std::ops::Range;

use crashback_classfile::{Code, ConstantPool, Error, Flow, Instruction, Opcode};

use crate::Refusal;
use crate::rewrite::Body;

/// What to do with labels.
pub(crate) trait Labels {
    /// What a value is marked with.
    type Label: Copy + PartialEq;

    /// Tells of an instruction that does more than move values about, with the labels of all slots
    /// that it takes from the stack, and gives the label of the value that it puts there. Labels
    /// elsewhere in the frame may be changed as well.
    fn run(
        &mut self,
        position: usize,
        instruction: &Instruction<'_>,
        operands: &[Option<Self::Label>],
        frame: &mut Frame<Self::Label>,
    ) -> Result<Option<Self::Label>, Error>;

    /// One label for a value that has two, coming from different ways to an instruction. A value
    /// that has a label on one way only keeps it.
    fn merge(&mut self, known: Self::Label, other: Self::Label) -> Self::Label;
}

/// The labels of all values before an instruction.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Frame<L> {
    pub(crate) locals: Vec<Option<L>>,
    pub(crate) stack: Vec<Option<L>>,
}

/// The frame before each instruction, none for those that are not reached.
///
/// What a subroutine of an old class (`jsr`) does to locals is not carried back to where it was
/// called.
pub(crate) fn follow<L: Labels>(
    labels: &mut L,
    entry: Frame<L::Label>,
    code: &Code<'_>,
    body: &Body<'_>,
    pool: &ConstantPool<'_>,
) -> Result<Vec<Option<Frame<L::Label>>>, Refusal> {
    let mut frames: Frames<'_, L> = Frames { labels, frames: vec![None; body.len()], open: Vec::new() };
    frames.arrive(0, &entry);
    let handlers = handlers(code, body)?;
    while let Some(position) = frames.open.pop() {
        let Some((offset, instruction)) = body.instructions().get(position) else { continue };
        let Some(mut frame) = frames.frames.get(position).cloned().flatten() else { continue };
        for (_, handler) in handlers.iter().filter(|(range, _)| range.contains(&position)) {
            frames.arrive(*handler, &Frame { stack: vec![None], ..frame.clone() });
        }
        frame.run(frames.labels, position, instruction, pool)?;
        for target in instruction.targets(*offset) {
            frames.arrive(body.position(target)?, &frame);
        }
        if instruction.opcode.flow() == Flow::Subroutine {
            // The subroutine takes the return address off the stack, whatever else it does.
            frame.stack.pop();
        }
        if instruction.opcode.falls_through() || instruction.opcode.flow() == Flow::Subroutine {
            frames.arrive(position + 1, &frame);
        }
    }
    Ok(frames.frames)
}

/// For each entry of the exception table the positions it covers, and that of its handler.
pub(crate) fn handlers(code: &Code<'_>, body: &Body<'_>) -> Result<Vec<(Range<usize>, usize)>, Refusal> {
    let entries = code.exception_table.iter();
    entries
        .map(|entry| {
            let start = body.position(u32::from(entry.start_pc))?;
            let end = body.position_or_end(u32::from(entry.end_pc))?;
            Ok((start..end, body.position(u32::from(entry.handler_pc))?))
        })
        .collect()
}

struct Frames<'l, L: Labels> {
    labels: &'l mut L,
    frames: Vec<Option<Frame<L::Label>>>,
    /// Positions whose frame changed since they were last looked at.
    open: Vec<usize>,
}

impl<L: Labels> Frames<'_, L> {
    fn arrive(&mut self, position: usize, frame: &Frame<L::Label>) {
        let Some(slot) = self.frames.get_mut(position) else { return };
        let merged = match slot {
            Some(known) => known.merged(frame, self.labels),
            None => frame.clone(),
        };
        if slot.as_ref() != Some(&merged) {
            *slot = Some(merged);
            self.open.push(position);
        }
    }
}

impl<T: Copy + PartialEq> Frame<T> {
    fn merged<L: Labels<Label = T>>(&self, other: &Self, labels: &mut L) -> Self {
        let mut both = |known: &[Option<T>], other: &[Option<T>]| {
            let pairs = known.iter().zip(other);
            pairs
                .map(|(known, other)| match (known, other) {
                    (Some(known), Some(other)) if known != other => Some(labels.merge(*known, *other)),
                    _ => known.or(*other),
                })
                .collect()
        };
        Self { locals: both(&self.locals, &other.locals), stack: both(&self.stack, &other.stack) }
    }

    fn run<L: Labels<Label = T>>(
        &mut self,
        labels: &mut L,
        position: usize,
        instruction: &Instruction<'_>,
        pool: &ConstantPool<'_>,
    ) -> Result<(), Error> {
        use Opcode as Op;
        match instruction.opcode {
            Op::Aload | Op::Aload0 | Op::Aload1 | Op::Aload2 | Op::Aload3 => {
                let local = instruction.local().map_or(0, usize::from);
                self.stack.push(self.locals.get(local).copied().flatten());
            }
            opcode if (Op::Istore..=Op::Astore3).contains(&opcode) => self.store(instruction, pool)?,
            Op::Pop => self.rearrange(1, &[]),
            Op::Pop2 => self.rearrange(2, &[]),
            Op::Dup => self.rearrange(1, &[0, 0]),
            Op::DupX1 => self.rearrange(2, &[1, 0, 1]),
            Op::DupX2 => self.rearrange(3, &[2, 0, 1, 2]),
            Op::Dup2 => self.rearrange(2, &[0, 1, 0, 1]),
            Op::Dup2X1 => self.rearrange(3, &[1, 2, 0, 1, 2]),
            Op::Dup2X2 => self.rearrange(4, &[2, 3, 0, 1, 2, 3]),
            Op::Swap => self.rearrange(2, &[1, 0]),
            _ => {
                let (pops, pushes) = instruction.stack_effect(pool)?;
                let operands = self.take(usize::from(pops));
                let result = labels.run(position, instruction, &operands, self)?;
                (0..pushes).for_each(|_| self.stack.push(result.filter(|_| pushes == 1)));
            }
        }
        Ok(())
    }

    fn take(&mut self, slots: usize) -> Vec<Option<T>> {
        self.stack.split_off(self.stack.len().saturating_sub(slots))
    }

    fn store(&mut self, instruction: &Instruction<'_>, pool: &ConstantPool<'_>) -> Result<(), Error> {
        let (slots, _) = instruction.stack_effect(pool)?;
        let local = instruction.local().map_or(0, usize::from);
        for (place, value) in (local..).zip(self.take(usize::from(slots))) {
            if let Some(slot) = self.locals.get_mut(place) {
                *slot = value;
            }
        }
        Ok(())
    }

    /// Takes `taken` slots off and puts back those at the given places among them.
    fn rearrange(&mut self, taken: usize, places: &[usize]) {
        let values = self.take(taken);
        self.stack.extend(places.iter().map(|place| values.get(*place).copied().flatten()));
    }
}
