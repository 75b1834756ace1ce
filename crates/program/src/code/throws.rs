//! What instructions throw, by themselves and explicitly.

use crashback_classfile::{ElementType, JavaStr};

use super::body::{Instruction, MethodBody};
use super::operation::{InvokeKind, Kind, Operation, Operator};
use super::provenance::{Provenance, ValueOrigin};

/// An exception that an instruction throws by itself, given by internal name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Implicit {
    /// Internal name of the exception; subclasses of it may be thrown where it is a family such as
    /// linkage errors.
    pub class: &'static str,
    /// When it is thrown.
    pub reason: Reason,
}

/// Why an instruction throws by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// What JVMS 6.5 lists as run-time exceptions of the instruction: null, index, cast, division
    /// and so on.
    Operands,
    /// A class, field or method cannot be loaded, linked, accessed or instantiated (JVMS 5.3, 5.4).
    Linkage,
    /// The initialiser of a class fails, now or earlier (JVMS 5.5).
    Initialiser,
    /// The heap is exhausted.
    Memory,
    /// The stack is exhausted. The trace begins in the called method, or here when the call itself
    /// does not fit.
    Stack,
}

/// The exceptions that an instruction can throw by itself (JVMS 6.5), without what a called method
/// throws.
///
/// Left out are asynchronous exceptions, other failures of the virtual machine, and the
/// IllegalMonitorStateException of returns and `athrow`, which no Java compiler provokes.
/// [`Provenance::may_be_null`] tells where a NullPointerException is out of the question.
pub fn implicit_exceptions(instruction: &Instruction<'_>) -> Vec<Implicit> {
    let operation = &instruction.operation;
    let impossible = |class: &str| match operation {
        // The verifier sees to it that the receiver of a constructor is a new object.
        Operation::Invoke(invoke) => invoke.method.name == "<init>",
        Operation::Return(_) | Operation::Throw => class == "java/lang/IllegalMonitorStateException",
        _ => false,
    };
    let by_operands = instruction.opcode.implicit_exceptions().iter().filter(|class| !impossible(class));
    let mut found: Vec<Implicit> =
        by_operands.map(|class| Implicit { class, reason: Reason::Operands }).collect();
    let mut add = |class, reason| found.push(Implicit { class, reason });
    if links(operation) {
        add("java/lang/LinkageError", Reason::Linkage);
    }
    if initialises(operation) {
        add("java/lang/ExceptionInInitializerError", Reason::Initialiser);
        add("java/lang/NoClassDefFoundError", Reason::Initialiser);
    }
    match operation {
        Operation::New(_) | Operation::NewArray { .. } => add("java/lang/OutOfMemoryError", Reason::Memory),
        Operation::Invoke(_) => add("java/lang/StackOverflowError", Reason::Stack),
        // Linking a dynamic call runs Java code, and so does the linked target.
        Operation::InvokeDynamic(_) => {
            add("java/lang/BootstrapMethodError", Reason::Linkage);
            add("java/lang/StackOverflowError", Reason::Stack);
        }
        _ => {}
    }
    found
}

/// Whether an exception can leave an instruction at all, be it its own or that of a called method.
pub fn can_throw(operation: &Operation<'_>) -> bool {
    match operation {
        Operation::Compute { operator: Operator::Divide | Operator::Remainder, operand, .. } => {
            matches!(operand, Kind::Int | Kind::Long)
        }
        Operation::LoadElement(_)
        | Operation::StoreElement(_)
        | Operation::Invoke(_)
        | Operation::InvokeDynamic(_)
        | Operation::GetStatic(_)
        | Operation::PutStatic(_)
        | Operation::GetField(_)
        | Operation::PutField(_)
        | Operation::New(_)
        | Operation::NewArray { .. }
        | Operation::ArrayLength
        | Operation::Throw
        | Operation::CheckCast(_)
        | Operation::InstanceOf(_)
        | Operation::MonitorEnter
        | Operation::MonitorExit => true,
        Operation::Push(literal) => literal.is_resolved(),
        _ => false,
    }
}

/// A place where an object is constructed that may be thrown; whether its class is throwable is not
/// known here.
///
/// A throwable takes its stack trace when it is constructed, so the line of the constructor call is
/// the one that a trace shows, wherever the object is thrown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Construction<'a> {
    /// Internal name of the class.
    pub class: JavaStr<'a>,
    /// Index of the constructor call.
    pub instruction: usize,
    /// Line of the constructor call.
    pub line: Option<u32>,
}

/// All places where `new` objects are constructed, in code order. Calls of `this(…)` and `super(…)`
/// are none.
pub fn constructions<'a>(body: &MethodBody<'a>, provenance: &Provenance<'_, 'a>) -> Vec<Construction<'a>> {
    let constructed = |(instruction, operation): (usize, &Operation<'a>)| match operation {
        Operation::Invoke(invoke) if invoke.kind == InvokeKind::Special && invoke.method.name == "<init>" => {
            let made = matches!(provenance.receiver_of(instruction), Some(ValueOrigin::New { .. }));
            let line = body.line_of(instruction);
            made.then_some(Construction { class: invoke.method.owner, instruction, line })
        }
        _ => None,
    };
    body.operations().filter_map(constructed).collect()
}

/// An `athrow` instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThrowSite<'a> {
    /// Index of the instruction.
    pub instruction: usize,
    /// Its line; that of the stack trace only if what is thrown is null or made right there.
    pub line: Option<u32>,
    /// What is thrown.
    pub thrown: ValueOrigin<'a>,
}

/// All reached `athrow` instructions in code order.
pub fn throw_sites<'a>(body: &MethodBody<'a>, provenance: &Provenance<'_, 'a>) -> Vec<ThrowSite<'a>> {
    let throws = body.operations().filter(|(_, operation)| **operation == Operation::Throw);
    throws
        .filter_map(|(instruction, _)| {
            let value = provenance.operands(instruction).next()?;
            Some(ThrowSite {
                instruction,
                line: body.line_of(instruction),
                thrown: provenance.origin(&value),
            })
        })
        .collect()
}

/// Whether the instruction resolves a symbolic reference when it is first executed.
fn links(operation: &Operation<'_>) -> bool {
    match operation {
        Operation::GetStatic(_)
        | Operation::PutStatic(_)
        | Operation::GetField(_)
        | Operation::PutField(_)
        | Operation::Invoke(_)
        | Operation::InvokeDynamic(_)
        | Operation::New(_)
        | Operation::CheckCast(_)
        | Operation::InstanceOf(_) => true,
        Operation::NewArray { array, .. } => matches!(array.element, ElementType::Class(_)),
        Operation::Push(literal) => literal.is_resolved(),
        _ => false,
    }
}

fn initialises(operation: &Operation<'_>) -> bool {
    match operation {
        Operation::New(_) | Operation::GetStatic(_) | Operation::PutStatic(_) => true,
        Operation::Invoke(invoke) => invoke.kind == InvokeKind::Static,
        _ => false,
    }
}
