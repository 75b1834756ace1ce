//! What single instructions do, with the constant pool resolved.

use crashback_classfile::{
    ElementType, FieldType, JavaStr, MemberRef, MethodDescriptor, MethodHandle, Primitive,
};

/// The meaning of one instruction (JVMS 6.5).
///
/// The many forms of one instruction are one operation here: `iconst_1`, `bipush 1` and `ldc 1`
/// push the same literal. Places in the code are instruction indices of the method body, not byte
/// offsets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operation<'a> {
    /// Does nothing.
    Nop,
    /// Pushes a constant.
    Push(Literal<'a>),
    /// Pushes a local variable.
    Load {
        /// Number of the variable.
        slot: u16,
        /// Its type.
        kind: Kind,
    },
    /// Pops into a local variable. `Kind::Reference` also stands for a return address.
    Store {
        /// Number of the variable.
        slot: u16,
        /// Its type.
        kind: Kind,
    },
    /// Adds a constant to an `int` variable.
    Increment {
        /// Number of the variable.
        slot: u16,
        /// What is added.
        by: i16,
    },
    /// Array and index to element.
    LoadElement(Kind),
    /// Array, index and value to nothing.
    StoreElement(Kind),
    /// Pops, copies or swaps values.
    Shuffle(Shuffle),
    /// Operands to the result of a computation.
    Compute {
        /// What is computed.
        operator: Operator,
        /// Type of the operands; the second operand of a shift is an `int` all the same.
        operand: Kind,
        /// Type of the result.
        result: Kind,
    },
    /// Jumps if a condition holds.
    Branch {
        /// The condition.
        condition: Condition,
        /// Where to.
        target: usize,
    },
    /// Jumps.
    Goto {
        /// Where to.
        target: usize,
    },
    /// Jumps to the case of an `int`, `tableswitch` and `lookupswitch` alike.
    Switch(Box<Switch>),
    /// `jsr`: pushes a return address and jumps.
    Subroutine {
        /// Where to.
        target: usize,
    },
    /// `ret`: jumps to the return address in a local variable.
    EndSubroutine {
        /// Number of the variable.
        slot: u16,
    },
    /// Leaves the method, with a value unless it is void.
    Return(Option<Kind>),
    /// Nothing to the value of a static field.
    GetStatic(Field<'a>),
    /// Value to nothing.
    PutStatic(Field<'a>),
    /// Object to the value of its field.
    GetField(Field<'a>),
    /// Object and value to nothing.
    PutField(Field<'a>),
    /// Receiver, if there is one, and arguments to the result, if there is one.
    Invoke(Box<Invoke<'a>>),
    /// Arguments to the result of a dynamically linked call.
    InvokeDynamic(Box<DynamicCall<'a>>),
    /// Nothing to an object that is not initialised yet.
    New(JavaStr<'a>),
    /// Lengths to an array.
    NewArray {
        /// The type of the array.
        array: FieldType<'a>,
        /// How many lengths are given.
        lengths: u8,
    },
    /// Array to its length.
    ArrayLength,
    /// Throws an object.
    Throw,
    /// Object to the same object, or a ClassCastException.
    CheckCast(JavaStr<'a>),
    /// Object to whether it is an instance.
    InstanceOf(JavaStr<'a>),
    /// Enters the monitor of an object.
    MonitorEnter,
    /// Leaves the monitor of an object.
    MonitorExit,
}

impl Operation<'_> {
    /// Whether the next instruction in code order can follow.
    pub fn falls_through(&self) -> bool {
        !matches!(
            self,
            Self::Goto { .. }
                | Self::Switch(_)
                | Self::Subroutine { .. }
                | Self::EndSubroutine { .. }
                | Self::Return(_)
                | Self::Throw
        )
    }

    /// The instructions this one may jump to, as far as it names them.
    pub fn targets(&self) -> impl Iterator<Item = usize> + '_ {
        let (single, switch) = match self {
            Self::Branch { target, .. } | Self::Goto { target } | Self::Subroutine { target } => {
                (Some(*target), None)
            }
            Self::Switch(switch) => (Some(switch.default), Some(switch)),
            _ => (None, None),
        };
        single
            .into_iter()
            .chain(switch.into_iter().flat_map(|switch| switch.cases.iter().map(|&(_, target)| target)))
    }
}

/// A constant that code pushes. Floating-point numbers are kept as bits, so that equality and order
/// are total.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Literal<'a> {
    /// `null`.
    Null,
    /// `int` and the smaller types.
    Int(i32),
    /// `long`.
    Long(i64),
    /// Bits of a `float`.
    Float(u32),
    /// Bits of a `double`.
    Double(u64),
    /// A string.
    String(JavaStr<'a>),
    /// Internal name of a class, or descriptor of an array type.
    Class(JavaStr<'a>),
    /// A method handle.
    MethodHandle(MethodHandle<'a>),
    /// Descriptor of a method type.
    MethodType(JavaStr<'a>),
    /// A dynamically computed constant of this name and type.
    Dynamic {
        /// Name handed to the bootstrap method.
        name: JavaStr<'a>,
        /// Type of the constant.
        field_type: FieldType<'a>,
    },
}

impl Literal<'_> {
    /// Whether pushing it loads or computes something first.
    pub fn is_resolved(&self) -> bool {
        matches!(self, Self::Class(_) | Self::MethodHandle(_) | Self::MethodType(_) | Self::Dynamic { .. })
    }

    /// The type of the value on the stack.
    pub fn kind(&self) -> Kind {
        match self {
            Self::Int(_) => Kind::Int,
            Self::Long(_) => Kind::Long,
            Self::Float(_) => Kind::Float,
            Self::Double(_) => Kind::Double,
            Self::Dynamic { field_type, .. } => Kind::of(*field_type),
            _ => Kind::Reference,
        }
    }
}

/// The computational types (JVMS 2.11.1), without return addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// `int` and the smaller types.
    Int,
    /// `long`.
    Long,
    /// `float`.
    Float,
    /// `double`.
    Double,
    /// Objects and arrays.
    Reference,
}

impl Kind {
    /// How many stack or variable slots a value takes.
    pub fn slots(self) -> usize {
        if matches!(self, Self::Long | Self::Double) { 2 } else { 1 }
    }

    /// The type that values of a field type have on the stack.
    pub fn of(field_type: FieldType<'_>) -> Self {
        match field_type {
            FieldType { dimensions: 0, element: ElementType::Primitive(primitive) } => match primitive {
                Primitive::Long => Self::Long,
                Primitive::Float => Self::Float,
                Primitive::Double => Self::Double,
                _ => Self::Int,
            },
            _ => Self::Reference,
        }
    }
}

/// Stack management (JVMS 2.11.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "named as the instructions")]
pub enum Shuffle {
    Pop,
    Pop2,
    Dup,
    DupX1,
    DupX2,
    Dup2,
    Dup2X1,
    Dup2X2,
    Swap,
}

impl Shuffle {
    /// Carries it out on a stack of values that take one slot or two. All forms take a group of slots from
    /// the top and put it down again, once or twice, around a second group. None if the groups do not end
    /// between values, or the stack has too few; then the stack is of no use any more.
    #[must_use]
    pub fn apply<T: Clone>(self, stack: &mut Vec<T>, is_wide: impl Fn(&T) -> bool) -> Option<()> {
        let (top, below, copies_under, copies_over) = match self {
            Self::Pop => (1, 0, 0, 0),
            Self::Pop2 => (2, 0, 0, 0),
            Self::Dup => (1, 0, 1, 1),
            Self::DupX1 => (1, 1, 1, 1),
            Self::DupX2 => (1, 2, 1, 1),
            Self::Dup2 => (2, 0, 1, 1),
            Self::Dup2X1 => (2, 1, 1, 1),
            Self::Dup2X2 => (2, 2, 1, 1),
            Self::Swap => (1, 1, 1, 0),
        };
        let top = take_slots(stack, top, &is_wide)?;
        let below = take_slots(stack, below, &is_wide)?;
        (0..copies_under).for_each(|_| stack.extend_from_slice(&top));
        stack.extend(below);
        (0..copies_over).for_each(|_| stack.extend_from_slice(&top));
        Some(())
    }
}

/// The topmost values that take so many slots together, the lowest first.
fn take_slots<T>(stack: &mut Vec<T>, slots: usize, is_wide: impl Fn(&T) -> bool) -> Option<Vec<T>> {
    let mut taken = Vec::new();
    let mut count = 0;
    while count < slots {
        let value = stack.pop()?;
        count += if is_wide(&value) { 2 } else { 1 };
        taken.push(value);
    }
    taken.reverse();
    (count == slots).then_some(taken)
}

/// Arithmetic, conversions and comparisons (JVMS 2.11.3, 2.11.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "named as the instructions")]
pub enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Negate,
    ShiftLeft,
    ShiftRight,
    ShiftRightUnsigned,
    And,
    Or,
    Xor,
    /// Between number types, also the narrowing of an `int`.
    Convert,
    /// `lcmp`, `fcmpl`, `fcmpg`, `dcmpl`, `dcmpg`.
    Compare,
}

impl Operator {
    /// Whether there is one operand only.
    pub fn is_unary(self) -> bool {
        matches!(self, Self::Negate | Self::Convert)
    }

    /// Whether the second operand is an `int` whatever the first is.
    pub fn is_shift(self) -> bool {
        matches!(self, Self::ShiftLeft | Self::ShiftRight | Self::ShiftRightUnsigned)
    }
}

/// What a conditional jump asks (JVMS 2.11.7).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// An `int` against zero.
    Zero(Comparison),
    /// Two `int`s.
    Ints(Comparison),
    /// Whether two references are the same (`true`) or not (`false`).
    Same(bool),
    /// Whether a reference is null (`true`) or not (`false`).
    Null(bool),
}

impl Condition {
    /// How many values are popped.
    pub fn operands(self) -> usize {
        if matches!(self, Self::Ints(_) | Self::Same(_)) { 2 } else { 1 }
    }
}

/// How two numbers are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Comparison {
    Equal,
    NotEqual,
    Less,
    GreaterOrEqual,
    Greater,
    LessOrEqual,
}

/// The cases of a switch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Switch {
    /// Where to go when no case fits.
    pub default: usize,
    /// Keys with their targets in ascending order. Entries of a table that lead to the default are
    /// left out.
    pub cases: Vec<(i32, usize)>,
}

/// How a method is chosen (JVMS 2.11.8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum InvokeKind {
    /// By the class of the receiver.
    Virtual,
    /// A constructor, a private method or a method of a superclass.
    Special,
    /// Without a receiver.
    Static,
    /// By the class of the receiver, through an interface.
    Interface,
    /// Linked by a bootstrap method; only [`Operation::InvokeDynamic`] is of this kind.
    Dynamic,
}

impl InvokeKind {
    /// Whether the first operand is the object whose method is called.
    pub fn has_receiver(self) -> bool {
        !matches!(self, Self::Static | Self::Dynamic)
    }
}

/// A field with its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field<'a> {
    /// How the code names it.
    pub member: MemberRef<'a>,
    /// Its type.
    pub field_type: FieldType<'a>,
}

/// A call by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Invoke<'a> {
    /// How the method is chosen.
    pub kind: InvokeKind,
    /// How the code names it.
    pub method: MemberRef<'a>,
    /// Its parameters and result.
    pub signature: MethodDescriptor<'a>,
}

/// A dynamically linked call with its bootstrap method (JVMS 4.7.23).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DynamicCall<'a> {
    /// Name handed to the bootstrap method.
    pub name: JavaStr<'a>,
    /// Descriptor of the call site.
    pub descriptor: JavaStr<'a>,
    /// Its parameters and result.
    pub signature: MethodDescriptor<'a>,
    /// The bootstrap method.
    pub bootstrap: MethodHandle<'a>,
    /// Its static arguments.
    pub arguments: Vec<Literal<'a>>,
}
