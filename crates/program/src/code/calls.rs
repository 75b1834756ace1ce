//! Call sites, and instructions that initialise classes.

use crashback_classfile::{JavaStr, MemberRef, MethodDescriptor, MethodHandle};

use super::body::MethodBody;
use super::operation::{DynamicCall, InvokeKind, Literal, Operation};

/// An instruction that calls a method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallSite<'a> {
    /// Index of the instruction.
    pub instruction: usize,
    /// The line that a stack trace shows for the caller while the call is running.
    pub line: Option<u32>,
    /// What is called.
    pub target: CallTarget<'a>,
    /// Parameters and result.
    pub signature: MethodDescriptor<'a>,
}

/// What a call site calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CallTarget<'a> {
    /// A method by name.
    Method {
        /// How it is chosen.
        kind: InvokeKind,
        /// How the code names it.
        method: MemberRef<'a>,
    },
    /// What a bootstrap method links.
    Dynamic(Box<DynamicTarget<'a>>),
}

/// A dynamically linked call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DynamicTarget<'a> {
    /// The name at the call site; for a lambda the method of the functional interface.
    pub name: JavaStr<'a>,
    /// The descriptor at the call site.
    pub descriptor: JavaStr<'a>,
    /// The bootstrap method.
    pub bootstrap: MemberRef<'a>,
    /// What the bootstrap method is known to make.
    pub purpose: Purpose<'a>,
}

/// What well-known bootstrap methods make.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Purpose<'a> {
    /// `LambdaMetafactory`: an object whose method calls this implementation. The call itself does
    /// not.
    Lambda(MethodHandle<'a>),
    /// `StringConcatFactory`: a string.
    StringConcat,
    /// `ObjectMethods`: `equals`, `hashCode` or `toString` of a record.
    RecordMethod,
    /// `SwitchBootstraps`: the index of the case that fits.
    PatternSwitch,
    /// Anything else.
    Other,
}

impl<'a> Purpose<'a> {
    /// Recognises a bootstrap method by its class.
    pub fn of(call: &DynamicCall<'a>) -> Self {
        match (call.bootstrap.member.owner.as_bytes(), call.arguments.as_slice()) {
            // The arguments are the erased type of the method, its implementation and its
            // instantiated type.
            (b"java/lang/invoke/LambdaMetafactory", [_, Literal::MethodHandle(implementation), ..]) => {
                Self::Lambda(*implementation)
            }
            (b"java/lang/invoke/StringConcatFactory", _) => Self::StringConcat,
            (b"java/lang/runtime/ObjectMethods", _) => Self::RecordMethod,
            (b"java/lang/runtime/SwitchBootstraps", _) => Self::PatternSwitch,
            _ => Self::Other,
        }
    }
}

impl<'a> CallSite<'a> {
    /// How the method is chosen.
    pub fn kind(&self) -> InvokeKind {
        match self.target {
            CallTarget::Method { kind, .. } => kind,
            CallTarget::Dynamic(_) => InvokeKind::Dynamic,
        }
    }

    /// The method that the code names; none for dynamic calls.
    pub fn method(&self) -> Option<MemberRef<'a>> {
        match self.target {
            CallTarget::Method { method, .. } => Some(method),
            CallTarget::Dynamic(_) => None,
        }
    }

    /// The method that the object made here will call, if this makes a lambda or method reference.
    pub fn lambda(&self) -> Option<MethodHandle<'a>> {
        match &self.target {
            CallTarget::Dynamic(target) => match target.purpose {
                Purpose::Lambda(handle) => Some(handle),
                _ => None,
            },
            CallTarget::Method { .. } => None,
        }
    }

    /// Whether the first operand is the object whose method is called.
    pub fn has_receiver(&self) -> bool {
        self.kind().has_receiver()
    }

    /// The call that an instruction makes.
    pub fn at(body: &MethodBody<'a>, instruction: usize) -> Option<Self> {
        let (target, signature) = match body.operation(instruction)? {
            Operation::Invoke(invoke) => {
                (CallTarget::Method { kind: invoke.kind, method: invoke.method }, invoke.signature)
            }
            Operation::InvokeDynamic(call) => {
                (CallTarget::Dynamic(Box::new(dynamic_target(call))), call.signature)
            }
            _ => return None,
        };
        Some(Self { instruction, line: body.line_of(instruction), target, signature })
    }
}

/// All call sites of a body in code order.
pub fn call_sites<'b, 'a>(body: &'b MethodBody<'a>) -> impl Iterator<Item = CallSite<'a>> + use<'b, 'a> {
    (0..body.instructions().len()).filter_map(|index| CallSite::at(body, index))
}

/// An instruction that initialises a class unless it is initialised already (JVMS 5.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Initialisation<'a> {
    /// Index of the instruction.
    pub instruction: usize,
    /// The line that a stack trace shows while the initialiser is running.
    pub line: Option<u32>,
    /// Internal name of the class as the code names it; the initialised one may be a superclass
    /// that declares the member.
    pub class: JavaStr<'a>,
    /// Whether an object of the class is made.
    pub instantiates: bool,
}

/// All instructions of a body that may initialise a class: `new`, `getstatic`, `putstatic` and
/// `invokestatic`.
pub fn initialisations<'b, 'a>(
    body: &'b MethodBody<'a>,
) -> impl Iterator<Item = Initialisation<'a>> + use<'b, 'a> {
    body.operations().filter_map(|(instruction, operation)| {
        let (class, instantiates) = match operation {
            Operation::New(class) => (*class, true),
            Operation::GetStatic(field) | Operation::PutStatic(field) => (field.member.owner, false),
            Operation::Invoke(invoke) if invoke.kind == InvokeKind::Static => (invoke.method.owner, false),
            _ => return None,
        };
        Some(Initialisation { instruction, line: body.line_of(instruction), class, instantiates })
    })
}

fn dynamic_target<'a>(call: &DynamicCall<'a>) -> DynamicTarget<'a> {
    let (name, descriptor, bootstrap) = (call.name, call.descriptor, call.bootstrap.member);
    DynamicTarget { name, descriptor, bootstrap, purpose: Purpose::of(call) }
}
