//! The decoded body of a method.

use std::ops::Range;

use crashback_classfile::{
    AccessFlags, ClassFile, ExceptionHandler, JavaStr, Member, MethodDescriptor, Opcode,
};

use super::decode::Decoder;
use super::operation::Operation;
use super::{Error, Result};

/// The code of a method, decoded once and checked as far as control flow goes: every jump, handler
/// and handler border lies at an instruction, and execution cannot run past the end. Code that
/// nothing leads to may end anyhow, as some compilers leave it so.
///
/// Instructions are named by their index in code order.
#[derive(Clone, Debug)]
pub struct MethodBody<'a> {
    owner: JavaStr<'a>,
    name: JavaStr<'a>,
    descriptor: JavaStr<'a>,
    signature: MethodDescriptor<'a>,
    access: AccessFlags,
    max_stack: u16,
    max_locals: u16,
    instructions: Vec<Instruction<'a>>,
    handlers: Vec<Handler<'a>>,
    line_of: Vec<Option<u32>>,
}

/// An instruction and where it lies.
#[derive(Clone, Debug)]
pub struct Instruction<'a> {
    /// Offset of its first byte in the code.
    pub offset: u32,
    /// Its opcode, for those who need the exact form.
    pub opcode: Opcode,
    /// What it does.
    pub operation: Operation<'a>,
}

/// An entry of the exception table (JVMS 4.7.3).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Handler<'a> {
    /// The instructions it covers.
    pub covers: Range<usize>,
    /// The instruction at which it begins.
    pub target: usize,
    /// Internal name of the class it catches; none catches everything.
    pub catch_type: Option<JavaStr<'a>>,
}

/// Sum of the lengths of all handler ranges above which a body is refused: no compiler comes near,
/// and the work of later analyses grows with it.
const MAX_COVERED: usize = 1 << 23;

impl<'a> MethodBody<'a> {
    /// Decodes the code of a method; none for abstract and native methods.
    pub fn of(class: &'a ClassFile<'a>, method: &Member<'a>) -> Result<Option<Self>> {
        let pool = &class.pool;
        let Some(code) = method.code(pool)? else { return Ok(None) };
        let raw = code.instructions().collect::<Result<Vec<_>, _>>()?;
        let offsets: Vec<u32> = raw.iter().map(|&(offset, _)| offset).collect();
        let decoder = Decoder::new(class, &offsets);
        let mut instructions = Vec::with_capacity(raw.len());
        for (offset, instruction) in &raw {
            let operation = decoder.operation(*offset, instruction)?;
            instructions.push(Instruction { offset: *offset, opcode: instruction.opcode, operation });
        }
        if instructions.is_empty() {
            return Err(Error::Empty);
        }
        let handlers = handlers(&decoder, code.code.len(), code.exception_table.iter())?;
        if runs_past_end(&instructions, &handlers) {
            return Err(Error::FallsOffEnd);
        }
        let descriptor = method.descriptor(pool)?;
        let lines = code.lines(pool)?;
        Ok(Some(Self {
            owner: class.name()?,
            name: method.name(pool)?,
            descriptor,
            signature: MethodDescriptor::parse(descriptor)?,
            access: method.access,
            max_stack: code.max_stack,
            max_locals: code.max_locals,
            handlers,
            line_of: offsets.iter().map(|&offset| lines.line_at(offset).map(u32::from)).collect(),
            instructions,
        }))
    }

    /// Internal name of the class.
    pub fn owner(&self) -> JavaStr<'a> {
        self.owner
    }

    /// Name of the method.
    pub fn name(&self) -> JavaStr<'a> {
        self.name
    }

    /// Descriptor of the method.
    pub fn descriptor(&self) -> JavaStr<'a> {
        self.descriptor
    }

    /// Parameters and result of the method.
    pub fn signature(&self) -> MethodDescriptor<'a> {
        self.signature
    }

    /// Flags of the method.
    pub fn access(&self) -> AccessFlags {
        self.access
    }

    /// Deepest operand stack in slots, as declared.
    pub fn max_stack(&self) -> u16 {
        self.max_stack
    }

    /// Number of local variable slots.
    pub fn max_locals(&self) -> u16 {
        self.max_locals
    }

    /// The instructions in code order; never empty.
    pub fn instructions(&self) -> &[Instruction<'a>] {
        &self.instructions
    }

    /// What an instruction does.
    pub fn operation(&self, index: usize) -> Option<&Operation<'a>> {
        self.instructions.get(index).map(|instruction| &instruction.operation)
    }

    /// All operations with their indices.
    pub fn operations(&self) -> impl ExactSizeIterator<Item = (usize, &Operation<'a>)> + Clone {
        self.instructions.iter().map(|instruction| &instruction.operation).enumerate()
    }

    /// Index of the instruction that begins at a byte offset.
    pub fn index_at(&self, offset: u32) -> Option<usize> {
        self.instructions.binary_search_by_key(&offset, |instruction| instruction.offset).ok()
    }

    /// The exception handlers in table order, which is the order in which they are tried.
    pub fn handlers(&self) -> &[Handler<'a>] {
        &self.handlers
    }

    /// The handlers that cover an instruction, with their positions, in the order in which they are
    /// tried.
    pub fn handlers_at(&self, index: usize) -> impl Iterator<Item = (usize, &Handler<'a>)> {
        self.handlers.iter().enumerate().filter(move |(_, handler)| handler.covers.contains(&index))
    }

    /// The line that a stack trace shows for an instruction; none if the class was compiled without
    /// lines.
    pub fn line_of(&self, index: usize) -> Option<u32> {
        self.line_of.get(index).copied().flatten()
    }

    /// The runs of instructions that belong to a line. A line may own several: the update of a
    /// `for` loop lies behind its body, and the body of `finally` occurs once for each way out.
    pub fn instructions_at_line(&self, line: u32) -> Vec<Range<usize>> {
        let mut runs: Vec<Range<usize>> = Vec::new();
        for (index, _) in self.line_of.iter().enumerate().filter(|(_, found)| **found == Some(line)) {
            match runs.last_mut() {
                Some(run) if run.end == index => run.end = index + 1,
                _ => runs.push(index..index + 1),
            }
        }
        runs
    }

    /// Whether a line owns an instruction.
    pub fn has_line(&self, line: u32) -> bool {
        self.line_of.contains(&Some(line))
    }

    /// All lines that own an instruction, ascending.
    pub fn lines(&self) -> Vec<u32> {
        let mut lines: Vec<u32> = self.line_of.iter().copied().flatten().collect();
        lines.sort_unstable();
        lines.dedup();
        lines
    }
}

/// Whether a way from the first instruction leads past the last one. Subroutines count as if they
/// always returned.
fn runs_past_end(instructions: &[Instruction<'_>], handlers: &[Handler<'_>]) -> bool {
    let follows = |operation: &Operation<'_>| {
        operation.falls_through() || matches!(operation, Operation::Subroutine { .. })
    };
    if !instructions.last().is_some_and(|last| follows(&last.operation)) {
        return false;
    }
    let mut seen = vec![false; instructions.len()];
    // What a handler covers may itself be dead, which does not matter much here.
    let mut stack: Vec<usize> = handlers.iter().map(|handler| handler.target).chain([0]).collect();
    while let Some(index) = stack.pop() {
        let (Some(seen), Some(instruction)) = (seen.get_mut(index), instructions.get(index)) else {
            return true;
        };
        if !std::mem::replace(seen, true) {
            stack.extend(instruction.operation.targets());
            stack.extend(follows(&instruction.operation).then_some(index + 1));
        }
    }
    false
}

fn handlers<'a>(
    decoder: &Decoder<'a, '_>,
    code_length: usize,
    table: impl Iterator<Item = ExceptionHandler>,
) -> Result<Vec<Handler<'a>>> {
    let mut handlers = Vec::new();
    let mut covered = 0;
    for (position, entry) in table.enumerate() {
        let bad = Error::BadHandler(position);
        let at = |offset: u16| decoder.index_at(offset.into()).ok_or(bad.clone());
        let start = at(entry.start_pc)?;
        // The end may lie right behind the last instruction.
        let end = if usize::from(entry.end_pc) == code_length { decoder.count() } else { at(entry.end_pc)? };
        if start >= end {
            return Err(bad);
        }
        covered += end - start;
        if covered > MAX_COVERED {
            return Err(Error::TooComplex("its exception handlers cover too much code"));
        }
        let catch_type = decoder.optional_class(entry.catch_type)?;
        handlers.push(Handler { covers: start..end, target: at(entry.handler_pc)?, catch_type });
    }
    Ok(handlers)
}
