//! Objects between `new` and the return of their constructor, and `this` in a constructor before
//! `super()` or `this()` has returned.

use crashback_classfile::{ClassFile, Code, ConstantPool, Error, Instruction, Opcode};

use crate::Refusal;
use crate::flow::{Frame, Labels, follow};
use crate::rewrite::Body;

/// Which values of a method are uninitialised where (JVMS 4.10.1.9, `new` and `invokespecial`).
pub(crate) struct Uninitialised {
    frames: Vec<Option<Frame<u32>>>,
    max_locals: usize,
}

/// What marks `this`; objects made by the method are marked with the offset of their `new`.
const THIS: u32 = u32::MAX;

impl Uninitialised {
    /// Follows the values of a method; in a constructor `this` begins uninitialised.
    pub(crate) fn find(
        class: &ClassFile<'_>,
        code: &Code<'_>,
        body: &Body<'_>,
        constructor: bool,
    ) -> Result<Self, Refusal> {
        let max_locals = usize::from(code.max_locals);
        let this = constructor.then_some(THIS);
        // One local more, which no instruction writes, tells whether `this` is uninitialised when
        // no other value does any more.
        let locals =
            (0..=max_locals).map(|local| this.filter(|_| local == 0 || local == max_locals)).collect();
        let entry = Frame { locals, stack: Vec::new() };
        let mut labels = Constructors { body, pool: &class.pool };
        Ok(Self { frames: follow(&mut labels, entry, code, body, &class.pool)?, max_locals })
    }

    /// Whether `this` is initialised on every way to an instruction. Unreachable instructions count
    /// as if it were not.
    pub(crate) fn this_is_ready(&self, position: usize) -> bool {
        self.frame(position).is_some_and(|frame| frame.locals.get(self.max_locals) == Some(&None))
    }

    /// Whether one of the topmost values of the stack before an instruction may be uninitialised.
    pub(crate) fn on_top(&self, position: usize, count: usize) -> bool {
        let stack = self.frame(position).map_or(&[][..], |frame| &frame.stack);
        stack.iter().rev().take(count).any(Option::is_some)
    }

    fn frame(&self, position: usize) -> Option<&Frame<u32>> {
        self.frames.get(position)?.as_ref()
    }
}

struct Constructors<'m, 'a, 'c> {
    body: &'m Body<'c>,
    pool: &'m ConstantPool<'a>,
}

impl Labels for Constructors<'_, '_, '_> {
    type Label = u32;

    fn run(
        &mut self,
        position: usize,
        instruction: &Instruction<'_>,
        operands: &[Option<u32>],
        frame: &mut Frame<u32>,
    ) -> Result<Option<u32>, Error> {
        match (instruction.opcode, operands.first()) {
            (Opcode::New, _) => return Ok(Some(self.body.offset(position))),
            (Opcode::Invokespecial, Some(Some(made))) => {
                let method = self.pool.method_ref(instruction.constant_index().unwrap_or(0))?;
                if method.name == "<init>" {
                    let values = frame.locals.iter_mut().chain(&mut frame.stack);
                    values.filter(|value| **value == Some(*made)).for_each(|value| *value = None);
                }
            }
            _ => {}
        }
        Ok(None)
    }

    /// The verifier lets nobody use a value that is one of two.
    fn merge(&mut self, known: u32, _other: u32) -> u32 {
        known
    }
}
