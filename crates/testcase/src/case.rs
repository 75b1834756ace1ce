use std::sync::Arc;

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::{FieldId, Literal, MethodId, MockId, TypeId};

/// A sequence of statements, run one after the other until one throws. Shared, never changed: an
/// operator builds a new one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestCase {
    statements: Arc<[Statement]>,
}

impl TestCase {
    /// A test case of these statements. Whether it makes sense is another question.
    pub fn new(statements: impl Into<Arc<[Statement]>>) -> Self {
        Self { statements: statements.into() }
    }

    /// The statements in order.
    pub fn statements(&self) -> &[Statement] {
        &self.statements
    }
}

/// The value that the statement with this number yields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Var(pub u16);

/// Arguments of a call.
pub type Arguments = SmallVec<[Var; 4]>;

/// One step of a test case. Every statement yields a value, except calls of `void` methods, writes
/// and what mocks are told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Statement {
    /// A value written down.
    Literal(Literal),
    /// `new C(…)`.
    Construct {
        /// The constructor.
        constructor: MethodId,
        /// Its arguments; for a class with an outer instance, that instance comes first.
        arguments: Arguments,
    },
    /// A call of a static or an instance method.
    Call {
        /// The method.
        method: MethodId,
        /// The object that the method is called on; none for static methods.
        receiver: Option<Var>,
        /// Its arguments.
        arguments: Arguments,
    },
    /// The value of a field, enum constants among them.
    ReadField {
        /// The field.
        field: FieldId,
        /// The object that has the field; none for static fields.
        receiver: Option<Var>,
    },
    /// An assignment to a field.
    WriteField {
        /// The field.
        field: FieldId,
        /// The object that has the field; none for static fields.
        receiver: Option<Var>,
        /// The new value.
        value: Var,
    },
    /// `new E[length]`.
    NewArray {
        /// Type of the array, not of its elements.
        array: TypeId,
        /// The number of elements.
        length: u16,
    },
    /// The value of an element.
    ReadElement {
        /// The array.
        array: Var,
        /// Which one.
        index: u16,
    },
    /// An assignment to an element.
    WriteElement {
        /// The array.
        array: Var,
        /// Which one.
        index: u16,
        /// The new value.
        value: Var,
    },
    /// `(C) value`, for reference types.
    Cast {
        /// The type wanted.
        to: TypeId,
        /// The value that has it, or not.
        value: Var,
    },
    /// An object that answers calls instead of running the code of its type.
    Mock(MockId),
    /// A partial mock with the state that an object has: from now on calls that it is told nothing
    /// about run as they would on that object.
    Spy {
        /// The mock, whose methods run unless they are stubbed.
        mock: MockId,
        /// The variable of a [`Statement::Construct`] of the class of the mock.
        object: Var,
    },
    /// What a mock answers to calls of a method from now on.
    Stub {
        /// The variable of a [`Statement::Mock`] or [`Statement::Spy`].
        mock: Var,
        /// One of the methods of the mock.
        method: MethodId,
        /// The calls that get this answer; all, whatever their arguments are, if nothing is said.
        /// What was said last goes first.
        given: Option<Given>,
        /// The answer.
        answer: Answer,
    },
    /// What a mock was given last by a call of a method; `null` if it was not called.
    Kept {
        /// The variable of a [`Statement::Mock`].
        mock: Var,
        /// One of the methods of the mock.
        method: MethodId,
        /// Place of the parameter.
        parameter: u8,
    },
    /// An assignment to a field that a container would fill, whether a source could access it or
    /// not.
    Inject {
        /// The field.
        field: FieldId,
        /// The object that has the field.
        receiver: Var,
        /// The new value.
        value: Var,
    },
}

impl Statement {
    /// Calls a function with each variable that the statement uses, in the order of the fields.
    pub fn for_each_operand(&self, mut each: impl FnMut(Var)) {
        match self {
            Statement::Literal(_) | Statement::NewArray { .. } | Statement::Mock(_) => {}
            Statement::Construct { arguments, .. } => arguments.iter().copied().for_each(each),
            Statement::Call { receiver, arguments, .. } => {
                receiver.iter().chain(arguments).copied().for_each(each);
            }
            Statement::ReadField { receiver, .. } => receiver.iter().copied().for_each(each),
            Statement::WriteField { receiver, value, .. } => {
                receiver.iter().chain([value]).copied().for_each(each);
            }
            Statement::ReadElement { array, .. } => each(*array),
            Statement::WriteElement { array, value, .. } => [*array, *value].into_iter().for_each(each),
            Statement::Cast { value, .. } | Statement::Spy { object: value, .. } => each(*value),
            Statement::Stub { mock, given, answer, .. } => {
                let class = given.map(|it| it.class);
                [*mock].into_iter().chain(class).chain(answer.values()).for_each(each);
            }
            Statement::Kept { mock, .. } => each(*mock),
            Statement::Inject { receiver, value, .. } => [*receiver, *value].into_iter().for_each(each),
        }
    }

    /// The same statement with other variables.
    pub fn with_operands(mut self, name: impl Fn(Var) -> Var) -> Self {
        let each = |it: &mut Var| *it = name(*it);
        match &mut self {
            Statement::Literal(_) | Statement::NewArray { .. } | Statement::Mock(_) => {}
            Statement::Construct { arguments, .. } => arguments.iter_mut().for_each(each),
            Statement::Call { receiver, arguments, .. } => {
                receiver.iter_mut().chain(arguments).for_each(each);
            }
            Statement::ReadField { receiver, .. } => receiver.iter_mut().for_each(each),
            Statement::WriteField { receiver, value, .. } => {
                receiver.iter_mut().chain([value]).for_each(each);
            }
            Statement::ReadElement { array, .. } => each(array),
            Statement::WriteElement { array, value, .. } => [array, value].into_iter().for_each(each),
            Statement::Cast { value, .. } | Statement::Spy { object: value, .. } => each(value),
            Statement::Stub { mock, given, answer, .. } => {
                *answer = answer.with(|it| Some(name(it))).unwrap_or(*answer);
                [mock].into_iter().chain(given.iter_mut().map(|it| &mut it.class)).for_each(each);
            }
            Statement::Kept { mock, .. } => each(mock),
            Statement::Inject { receiver, value, .. } => [receiver, value].into_iter().for_each(each),
        }
        self
    }

    /// Whether the statement only yields a value, so that it can go where the value is not used.
    pub fn is_pure(&self) -> bool {
        match self {
            Statement::Literal(_) | Statement::NewArray { .. } | Statement::Mock(_) => true,
            Statement::Spy { .. } => true,
            Statement::ReadField { receiver, .. } => receiver.is_none(),
            _ => false,
        }
    }
}

/// Calls of a mock with a certain class among their arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Given {
    /// Place of the parameter.
    pub parameter: u8,
    /// The class that is passed there.
    pub class: Var,
}

/// What a mock answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Answer {
    /// Nothing, for a method without result: its code does not run.
    Nothing,
    /// A value.
    Return(Var),
    /// A value for the first call, and another for all that follow.
    Sequence {
        /// The first value.
        first: Var,
        /// The other.
        then: Var,
    },
    /// An exception, as if it came about at the call: its stack trace is that of the call.
    Throw(Var),
    /// What an object that the mock is given yields when the mock calls it back.
    Call {
        /// What is called.
        callback: Callback,
        /// A value that it is called with.
        value: Var,
    },
}

/// A call by a mock of an object that it is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Callback {
    /// Place of the parameter of the mock's method that the object stands for.
    pub parameter: u8,
    /// A method of the object: of the type of that parameter, or of one to which the object is cast.
    pub method: MethodId,
    /// Place of the parameter of that method that the value stands for; all others get zero or
    /// `null`. Without such a parameter the value is not used.
    pub place: u8,
}

impl Answer {
    /// The values that are given back, thrown or passed on, in the order of the calls that get
    /// them.
    pub fn values(self) -> impl Iterator<Item = Var> {
        let (first, then) = match self {
            Answer::Nothing => (None, None),
            Answer::Return(value) | Answer::Throw(value) | Answer::Call { value, .. } => (Some(value), None),
            Answer::Sequence { first, then } => (Some(first), Some(then)),
        };
        first.into_iter().chain(then)
    }

    /// The same answer with other values.
    pub fn with(self, mut value: impl FnMut(Var) -> Option<Var>) -> Option<Self> {
        Some(match self {
            Answer::Nothing => Answer::Nothing,
            Answer::Return(old) => Answer::Return(value(old)?),
            Answer::Sequence { first, then } => Answer::Sequence { first: value(first)?, then: value(then)? },
            Answer::Throw(old) => Answer::Throw(value(old)?),
            Answer::Call { callback, value: old } => Answer::Call { callback, value: value(old)? },
        })
    }
}
