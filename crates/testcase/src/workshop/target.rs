//! The calls that tests must end with.

use crate::{FieldId, Literal, MethodId, MockId, Statement, TypeId};

/// The calls that lead into a target frame, and what the trace says about their receivers.
#[derive(Clone, Debug, Default)]
pub struct TargetCalls {
    /// Ways into the target frame. Every test ends with one of them.
    pub calls: Vec<TargetCall>,
    /// Types of the receivers of the frames below the target, innermost first.
    pub lower_receivers: Vec<TypeId>,
    /// How many of [`Pools::traced`](super::Pools::traced) are at or below the target, so that their
    /// code must run. A mock may answer for those above.
    pub frames: usize,
    /// Whether the target's method calls itself in the frame below, or frames below run on other
    /// objects of the target's class: then the receivers of lower frames lie inside the receiver of
    /// the target.
    pub recurses: bool,
}

impl TargetCalls {
    /// Whether tests of both end with the same statements.
    pub fn has_same_calls(&self, other: &Self) -> bool {
        let has = |calls: &[TargetCall], step: Step| calls.iter().any(|it| it.step == step);
        self.calls.len() == other.calls.len() && self.calls.iter().all(|it| has(&other.calls, it.step))
    }

    /// The target call that a statement is, if it is one.
    pub(super) fn find(&self, statement: &Statement) -> Option<&TargetCall> {
        let step = match statement {
            Statement::Construct { constructor, .. } => Step::Construct(*constructor),
            Statement::Call { method, .. } => Step::Call(*method),
            Statement::ReadField { field, receiver: None } => Step::Read(*field),
            _ => return None,
        };
        self.calls.iter().find(|it| it.step == step)
    }
}

/// A statement that leads into the target frame.
#[derive(Clone, Debug)]
pub struct TargetCall {
    /// The statement.
    pub step: Step,
    /// Types of receivers that run the target's own code, the most likely first; none for a static
    /// step.
    pub receivers: Vec<TypeId>,
    /// Origins of the receiver. Where there are some, nothing else can yield it.
    pub origins: Vec<ReceiverOrigin>,
    /// Types that the parameters have in the target's own code, where those are narrower than what
    /// the called method says; may be shorter than the parameters.
    pub parameters: Vec<TypeId>,
    /// For each parameter the values that callers are known to pass; may be shorter than the
    /// parameters.
    pub arguments: Vec<Vec<Literal>>,
    /// How often it is chosen, compared with the others.
    pub weight: u32,
}

/// A member that a statement uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Makes an object.
    Construct(MethodId),
    /// Calls a method.
    Call(MethodId),
    /// Reads a field. Reading a static one initialises its class.
    Read(FieldId),
}

/// Where a receiver comes from that no constructor makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReceiverOrigin {
    /// A step yields it.
    Result(Step),
    /// A mock is given it while a step runs.
    Argument {
        /// The step.
        by: Step,
        /// The mock.
        mock: MockId,
        /// The method of the mock that is given the object.
        method: MethodId,
        /// Place of the parameter.
        parameter: u8,
    },
}
