//! Where in a constructor `this` is initialised: the constructor of the superclass, or another of the class, has returned.

use crashback_classfile::{ClassFile, Code, Error, Flow, Instruction, MethodDescriptor, Opcode};

use crate::Refusal;
use crate::rewrite::Body;

/// For each instruction of a constructor, whether `this` is initialised on every way to it. Unreachable instructions count as
/// not initialised.
///
/// Follows the uninitialised `this` through locals and operand stack as the verifier does (JVMS 4.10.1.9,
/// `invokespecial`); nothing else about values is known.
pub(crate) fn initialised(
    class: &ClassFile<'_>,
    code: &Code<'_>,
    body: &Body<'_>,
) -> Result<Vec<bool>, Refusal> {
    let mut states: Vec<Option<State>> = vec![None; body.len()];
    let mut open = Vec::new();
    arrive(&mut states, &mut open, 0, &State::entry(code.max_locals));
    let handlers = handlers(code, body)?;
    while let Some(position) = open.pop() {
        let Some((offset, instruction)) = body.instructions().get(position) else { continue };
        let Some(mut state) = states.get(position).cloned().flatten() else { continue };
        for (_, handler) in handlers.iter().filter(|(range, _)| range.contains(&position)) {
            arrive(&mut states, &mut open, *handler, &State { stack: vec![false], ..state.clone() });
        }
        state.run(instruction, class)?;
        for target in instruction.targets(*offset) {
            arrive(&mut states, &mut open, body.position(target)?, &state);
        }
        if instruction.opcode.flow() == Flow::Subroutine {
            // The subroutine takes the return address off the stack, whatever else it does.
            state.pop();
        }
        if instruction.opcode.falls_through() || instruction.opcode.flow() == Flow::Subroutine {
            arrive(&mut states, &mut open, position + 1, &state);
        }
    }
    Ok(states.iter().map(|state| state.as_ref().is_some_and(|state| state.ready)).collect())
}

type Handler = (std::ops::Range<usize>, usize);

fn handlers(code: &Code<'_>, body: &Body<'_>) -> Result<Vec<Handler>, Refusal> {
    let entries = code.exception_table.iter();
    entries
        .map(|entry| {
            let start = body.position(u32::from(entry.start_pc))?;
            let end = body.position_or_end(u32::from(entry.end_pc))?;
            Ok((start..end, body.position(u32::from(entry.handler_pc))?))
        })
        .collect()
}

/// Which values are the uninitialised `this`.
#[derive(Clone, Debug, PartialEq, Eq)]
struct State {
    locals: Vec<bool>,
    stack: Vec<bool>,
    /// Whether `this` is initialised.
    ready: bool,
}

/// Merges a state into that of an instruction, which is looked at again when it changed.
fn arrive(states: &mut [Option<State>], open: &mut Vec<usize>, position: usize, state: &State) {
    let Some(slot) = states.get_mut(position) else { return };
    let merged = match slot {
        Some(known) => known.merged(state),
        None => state.clone(),
    };
    if slot.as_ref() != Some(&merged) {
        *slot = Some(merged);
        open.push(position);
    }
}

impl State {
    fn entry(max_locals: u16) -> Self {
        let locals = (0..max_locals).map(|local| local == 0).collect();
        Self { locals, stack: Vec::new(), ready: false }
    }

    fn merged(&self, other: &Self) -> Self {
        let both = |a: &[bool], b: &[bool]| a.iter().zip(b).map(|(a, b)| *a && *b).collect();
        Self {
            locals: both(&self.locals, &other.locals),
            stack: both(&self.stack, &other.stack),
            ready: self.ready && other.ready,
        }
    }

    fn run(&mut self, instruction: &Instruction<'_>, class: &ClassFile<'_>) -> Result<(), Error> {
        use Opcode as Op;
        match instruction.opcode {
            Op::Aload | Op::Aload0 | Op::Aload1 | Op::Aload2 | Op::Aload3 => {
                let local = instruction.local().map_or(0, usize::from);
                self.stack.push(self.locals.get(local).copied().unwrap_or(false));
            }
            opcode if (Op::Istore..=Op::Astore3).contains(&opcode) => self.store(instruction, class)?,
            Op::Dup => self.rearrange(1, &[0, 0]),
            Op::DupX1 => self.rearrange(2, &[1, 0, 1]),
            Op::DupX2 => self.rearrange(3, &[2, 0, 1, 2]),
            Op::Dup2 => self.rearrange(2, &[0, 1, 0, 1]),
            Op::Dup2X1 => self.rearrange(3, &[1, 2, 0, 1, 2]),
            Op::Dup2X2 => self.rearrange(4, &[2, 3, 0, 1, 2, 3]),
            Op::Swap => self.rearrange(2, &[1, 0]),
            Op::Invokespecial => self.call(instruction, class)?,
            _ => {
                let (pops, pushes) = instruction.stack_effect(&class.pool)?;
                self.discard(pops);
                (0..pushes).for_each(|_| self.stack.push(false));
            }
        }
        Ok(())
    }

    fn pop(&mut self) -> bool {
        self.stack.pop().unwrap_or(false)
    }

    fn discard(&mut self, slots: u16) {
        self.stack.truncate(self.stack.len().saturating_sub(usize::from(slots)));
    }

    fn store(&mut self, instruction: &Instruction<'_>, class: &ClassFile<'_>) -> Result<(), Error> {
        let (slots, _) = instruction.stack_effect(&class.pool)?;
        let local = instruction.local().map_or(0, usize::from);
        for slot in (0..usize::from(slots)).rev() {
            let value = self.pop();
            if let Some(place) = self.locals.get_mut(local + slot) {
                *place = value;
            }
        }
        Ok(())
    }

    /// Takes `taken` slots off and puts back those at the given places among them.
    fn rearrange(&mut self, taken: usize, places: &[usize]) {
        let values = self.stack.split_off(self.stack.len().saturating_sub(taken));
        self.stack.extend(places.iter().map(|place| values.get(*place).copied().unwrap_or(false)));
    }

    fn call(&mut self, instruction: &Instruction<'_>, class: &ClassFile<'_>) -> Result<(), Error> {
        let method = class.pool.method_ref(instruction.constant_index().unwrap_or(0))?;
        let descriptor = MethodDescriptor::parse(method.descriptor)?;
        self.discard(descriptor.parameter_slots());
        if self.pop() && method.name == "<init>" {
            self.ready = true;
            self.locals.fill(false);
            self.stack.fill(false);
        }
        (0..descriptor.result_slots()).for_each(|_| self.stack.push(false));
        Ok(())
    }
}
