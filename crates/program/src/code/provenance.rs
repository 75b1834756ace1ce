//! Where the operands of instructions come from.

use crashback_classfile::{FieldType, JavaStr, MemberRef};

use super::Result;
use super::body::MethodBody;
use super::calls::Purpose;
use super::cfg::{Cfg, Edge};
use super::dominance::Flow;
use super::operation::{Literal, Operation};
use super::simulation::{Entry, Simulation};
use super::values::Values;

pub use super::values::Definition;

/// For each reached instruction of a body, where each of its operands comes from.
///
/// The operand stack is simulated over all ways through the method at once. What two ways bring is
/// united; a value that could come from more than a few places is unknown. So every statement is
/// true of all executions, as long as one reads several origins as "one of these".
#[derive(Clone, Debug)]
pub struct Provenance<'b, 'a> {
    body: &'b MethodBody<'a>,
    cfg: &'b Cfg,
    simulation: Simulation<'b, 'a>,
    /// Operands of all instructions, one after the other.
    operands: Vec<Entry>,
    /// Where the operands of each instruction begin, with one more entry for the end.
    first: Vec<usize>,
    depths: Vec<Option<u16>>,
}

/// A value that an instruction takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    /// Where it may come into being; empty if that is not known.
    pub definitions: Vec<Definition>,
    /// The instruction that put it on the stack, if there is one only: often a load of a local
    /// variable, where the value comes into being elsewhere.
    pub pushed_by: Option<usize>,
}

/// What a value is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValueOrigin<'a> {
    /// A constant, `null` included.
    Constant(Literal<'a>),
    /// The receiver of the method.
    This,
    /// A parameter, counted from 0 without the receiver.
    Parameter(usize),
    /// The value of a field.
    Field {
        /// How the code names the field.
        field: MemberRef<'a>,
        /// Whose field it is; none for a static one.
        receiver: Option<Box<ValueOrigin<'a>>>,
    },
    /// What the call at this instruction returned.
    Call {
        /// Index of the instruction.
        instruction: usize,
    },
    /// An object made by `new`.
    New {
        /// Index of the instruction.
        instruction: usize,
        /// Internal name of its class.
        class: JavaStr<'a>,
    },
    /// A new array.
    NewArray {
        /// Index of the instruction.
        instruction: usize,
        /// Its type.
        array: FieldType<'a>,
    },
    /// An element of an array.
    Element {
        /// The array.
        array: Box<ValueOrigin<'a>>,
    },
    /// The exception with which the handler at this instruction was entered.
    Caught {
        /// Index of the first instruction of the handler.
        handler: usize,
    },
    /// The result of arithmetic, a comparison, a conversion, `instanceof` or `arraylength` at this
    /// instruction.
    Computed {
        /// Index of the instruction.
        instruction: usize,
    },
    /// One of these, depending on the way that was taken.
    OneOf(Vec<ValueOrigin<'a>>),
    /// Not known.
    Unknown,
}

/// How many receivers of fields and arrays of elements are followed before the answer is "unknown".
const MAX_DEPTH: usize = 4;

impl<'b, 'a> Provenance<'b, 'a> {
    /// Simulates the body.
    pub fn of(body: &'b MethodBody<'a>, cfg: &'b Cfg) -> Result<Self> {
        Self::along(body, cfg, |_| true)
    }

    /// Simulates the first round of each loop alone: along the ways that take no
    /// [back edge](Cfg::back_edges). Values of later rounds are not told.
    pub fn of_first_rounds(body: &'b MethodBody<'a>, cfg: &'b Cfg) -> Result<Self> {
        let back_edges = cfg.back_edges(Flow::WithExceptions);
        Self::along(body, cfg, |edge| back_edges.binary_search(&edge.id).is_err())
    }

    fn along(body: &'b MethodBody<'a>, cfg: &'b Cfg, follow: impl Fn(&Edge) -> bool) -> Result<Self> {
        let mut simulation = Simulation::new(body, cfg, Values::new())?;
        let entry = simulation.entry_state()?;
        simulation.run(cfg.entry(), entry, |_, edge, _| follow(edge))?;
        let count = body.instructions().len();
        let (mut operands, mut first, mut depths) =
            (Vec::new(), Vec::with_capacity(count + 1), vec![None; count]);
        simulation.replay(|_, index, taken, depth| {
            first.resize(index + 1, operands.len());
            operands.extend_from_slice(taken);
            if let Some(slot) = depths.get_mut(index) {
                *slot = Some(depth);
            }
        })?;
        first.resize(count + 1, operands.len());
        Ok(Self { body, cfg, simulation, operands, first, depths })
    }

    /// The body.
    pub fn body(&self) -> &'b MethodBody<'a> {
        self.body
    }

    /// Its control-flow graph.
    pub fn cfg(&self) -> &'b Cfg {
        self.cfg
    }

    /// The simulation, ready to be continued.
    pub(super) fn simulation(&self) -> &Simulation<'b, 'a> {
        &self.simulation
    }

    /// Whether any way through the method leads to an instruction.
    pub fn is_reached(&self, instruction: usize) -> bool {
        self.stack_depth(instruction).is_some()
    }

    /// Slots on the operand stack before an instruction; none if it is not reached.
    pub fn stack_depth(&self, instruction: usize) -> Option<u16> {
        self.depths.get(instruction).copied().flatten()
    }

    /// The values that an instruction takes from the stack, in the order in which they were pushed:
    /// of a call the receiver first, of an array access the array first. Instructions that only
    /// copy or drop values have none.
    pub fn operands(&self, instruction: usize) -> impl ExactSizeIterator<Item = Value> + '_ {
        let bound = |index: usize| self.first.get(index).copied().unwrap_or(self.operands.len());
        let entries = self.operands.get(bound(instruction)..bound(instruction + 1)).unwrap_or_default();
        entries.iter().map(|entry| Value {
            definitions: self.simulation.values.definitions(entry.value).to_vec(),
            pushed_by: entry.pushed_by,
        })
    }

    /// Where an operand of an instruction may come into being, by its place among the operands; none if
    /// that is not known.
    pub fn definitions(&self, instruction: usize, operand: usize) -> &[Definition] {
        let bound = |index: usize| self.first.get(index).copied().unwrap_or(self.operands.len());
        let entries = self.operands.get(bound(instruction)..bound(instruction + 1)).unwrap_or_default();
        entries.get(operand).map_or(&[], |it| self.simulation.values.definitions(it.value))
    }

    /// What a value is.
    pub fn origin(&self, value: &Value) -> ValueOrigin<'a> {
        self.origin_within(&value.definitions, MAX_DEPTH)
    }

    /// The origins of the arguments of a call, without the receiver.
    pub fn arguments_of(&self, call: usize) -> Vec<ValueOrigin<'a>> {
        let receivers = usize::from(self.receiver_value(call).is_some());
        self.operands(call).skip(receivers).map(|value| self.origin(&value)).collect()
    }

    /// The origin of the receiver of a call; none for static and dynamic calls.
    pub fn receiver_of(&self, call: usize) -> Option<ValueOrigin<'a>> {
        self.receiver_value(call).map(|value| self.origin(&value))
    }

    /// The operand that makes an instruction throw a NullPointerException when it is null.
    pub fn dereferenced(&self, instruction: usize) -> Option<Value> {
        match self.body.operation(instruction)? {
            Operation::LoadElement(_)
            | Operation::StoreElement(_)
            | Operation::GetField(_)
            | Operation::PutField(_)
            | Operation::ArrayLength
            | Operation::Throw
            | Operation::MonitorEnter
            | Operation::MonitorExit => self.operands(instruction).next(),
            _ => self.receiver_value(instruction),
        }
    }

    /// Whether a value can be null as far as this method shows: `this`, new objects, caught
    /// exceptions, literals but null, lambdas and concatenated strings cannot.
    pub fn may_be_null(&self, value: &Value) -> bool {
        let never_null = |definition: &Definition| match definition {
            Definition::This | Definition::Caught(_) => true,
            Definition::Parameter(_) => false,
            Definition::Instruction(index) => match self.body.operation(*index) {
                Some(Operation::New(_) | Operation::NewArray { .. }) => true,
                Some(Operation::InvokeDynamic(call)) => {
                    matches!(Purpose::of(call), Purpose::Lambda(_) | Purpose::StringConcat)
                }
                Some(Operation::Push(literal)) => *literal != Literal::Null,
                _ => false,
            },
        };
        value.definitions.is_empty() || !value.definitions.iter().all(never_null)
    }

    fn receiver_value(&self, call: usize) -> Option<Value> {
        match self.body.operation(call)? {
            Operation::Invoke(invoke) if invoke.kind.has_receiver() => self.operands(call).next(),
            _ => None,
        }
    }

    fn origin_within(&self, definitions: &[Definition], depth: usize) -> ValueOrigin<'a> {
        match definitions {
            [] => ValueOrigin::Unknown,
            [single] => self.origin_of(*single, depth),
            several => {
                ValueOrigin::OneOf(several.iter().map(|&single| self.origin_of(single, depth)).collect())
            }
        }
    }

    fn origin_of(&self, definition: Definition, depth: usize) -> ValueOrigin<'a> {
        let instruction = match definition {
            Definition::This => return ValueOrigin::This,
            Definition::Parameter(number) => return ValueOrigin::Parameter(number),
            Definition::Caught(handler) => return ValueOrigin::Caught { handler },
            Definition::Instruction(instruction) => instruction,
        };
        // The depth is bounded by a small constant, so this recursion is.
        let holder = || match (depth.checked_sub(1), self.operands(instruction).next()) {
            (Some(depth), Some(value)) => Box::new(self.origin_within(&value.definitions, depth)),
            _ => Box::new(ValueOrigin::Unknown),
        };
        match self.body.operation(instruction) {
            Some(Operation::Push(literal)) => ValueOrigin::Constant(literal.clone()),
            Some(Operation::GetStatic(field)) => ValueOrigin::Field { field: field.member, receiver: None },
            Some(Operation::GetField(field)) => {
                ValueOrigin::Field { field: field.member, receiver: Some(holder()) }
            }
            Some(Operation::Invoke(_) | Operation::InvokeDynamic(_)) => ValueOrigin::Call { instruction },
            Some(Operation::New(class)) => ValueOrigin::New { instruction, class: *class },
            Some(Operation::NewArray { array, .. }) => ValueOrigin::NewArray { instruction, array: *array },
            Some(Operation::LoadElement(_)) => ValueOrigin::Element { array: holder() },
            Some(
                Operation::Compute { .. }
                | Operation::Increment { .. }
                | Operation::InstanceOf(_)
                | Operation::ArrayLength,
            ) => ValueOrigin::Computed { instruction },
            _ => ValueOrigin::Unknown,
        }
    }
}
