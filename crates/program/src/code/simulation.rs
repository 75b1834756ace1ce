//! Abstract interpretation of a body: where the values on the operand stack and in local variables
//! come from.

use std::collections::BTreeSet;

use smallvec::SmallVec;

use super::body::MethodBody;
use super::cfg::{BlockId, Cfg, Edge};
use super::operation::{Kind, Operation};
use super::throws;
use super::values::{Definition, ValueId, Values};
use super::{Error, Result};

/// The operand stack and the local variables before an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct State {
    pub(super) locals: Vec<ValueId>,
    pub(super) stack: Vec<Entry>,
}

/// A value on the operand stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) value: ValueId,
    /// Whether it takes two slots.
    pub(super) wide: bool,
    /// The instruction that put it on the stack, if there is one only; copies keep it.
    pub(super) pushed_by: Option<usize>,
}

/// The operands of an instruction; few have more.
type Operands = SmallVec<[Entry; 6]>;

/// Runs a body abstractly from given states to a fixed point.
///
/// States meet by uniting what is known of each value, so that each slot can change only a few
/// times. Into a handler flow the local variables as they are before each covered instruction that
/// can throw.
#[derive(Clone, Debug)]
pub(super) struct Simulation<'s, 'a> {
    body: &'s MethodBody<'a>,
    cfg: &'s Cfg,
    pub(super) values: Values,
    states: Vec<Option<State>>,
    visits: Vec<u32>,
    pending: BTreeSet<BlockId>,
}

/// Blocks times variables above which a body is refused.
const MAX_CELLS: usize = 1 << 24;

/// After so many visits, what still changes in a block's state becomes unknown.
const MAX_VISITS: u32 = 100;

impl<'s, 'a> Simulation<'s, 'a> {
    /// Starts with the values of an earlier simulation, so that states of it can be continued here.
    pub(super) fn new(body: &'s MethodBody<'a>, cfg: &'s Cfg, values: Values) -> Result<Self> {
        let blocks = cfg.block_count();
        if blocks.saturating_mul(usize::from(body.max_locals())) > MAX_CELLS {
            return Err(Error::TooComplex("it has too many local variables for its size"));
        }
        let (states, visits) = (vec![None; blocks], vec![0; blocks]);
        Ok(Self { body, cfg, values, states, visits, pending: BTreeSet::new() })
    }

    /// The state in which the method is entered.
    pub(super) fn entry_state(&mut self) -> Result<State> {
        let mut locals = vec![ValueId::UNKNOWN; self.body.max_locals().into()];
        let receiver = (!self.body.access().is_static()).then_some((Definition::This, 1));
        let parameters = self.body.signature().parameters().enumerate();
        let parameters = parameters
            .map(|(number, parameter)| (Definition::Parameter(number), Kind::of(parameter).slots()));
        let mut slot = 0;
        for (definition, slots) in receiver.into_iter().chain(parameters) {
            *locals.get_mut(slot).ok_or(Error::BadLocal(0))? = self.values.defined_by(definition);
            slot += slots;
        }
        Ok(State { locals, stack: Vec::new() })
    }

    /// The state in which a handler is entered, given the local variables.
    pub(super) fn handler_state(&mut self, target: usize, locals: Vec<ValueId>) -> State {
        let value = self.values.defined_by(Definition::Caught(target));
        State { locals, stack: vec![Entry { value, wide: false, pushed_by: None }] }
    }

    /// Simulates from a block on, along all edges for which `follow` answers yes, given the edge
    /// and the operands of the block's last instruction.
    pub(super) fn run(
        &mut self,
        start: BlockId,
        state: State,
        follow: impl Fn(&Values, &Edge, &[Entry]) -> bool,
    ) -> Result<()> {
        self.flow_into(start, state)?;
        while let Some(block) = self.pending.pop_first() {
            self.simulate(block, &follow)?;
        }
        Ok(())
    }

    /// The state before an instruction; none if it was not reached.
    pub(super) fn state_before(&mut self, instruction: usize) -> Result<Option<State>> {
        let block = self.cfg.block_at(instruction).and_then(|block| self.cfg.block(block));
        let Some(block) = block else { return Ok(None) };
        let Some(mut state) = self.states.get(block.id.index()).cloned().flatten() else { return Ok(None) };
        for index in block.instructions.start..instruction {
            step(self.body, &mut self.values, index, &mut state)?;
        }
        Ok(Some(state))
    }

    /// Goes through all reached instructions once more, in code order: index, operands, slots on
    /// the stack before it.
    pub(super) fn replay(&mut self, mut visit: impl FnMut(&Values, usize, &[Entry], u16)) -> Result<()> {
        for block in self.cfg.blocks() {
            let Some(mut state) = self.states.get(block.id.index()).cloned().flatten() else { continue };
            for index in block.instructions.clone() {
                let depth = state.stack.iter().map(|entry| if entry.wide { 2 } else { 1 }).sum();
                let operands = step(self.body, &mut self.values, index, &mut state)?;
                visit(&self.values, index, &operands, depth);
            }
        }
        Ok(())
    }

    fn simulate(&mut self, block: BlockId, follow: &impl Fn(&Values, &Edge, &[Entry]) -> bool) -> Result<()> {
        let Some(mut state) = self.states.get(block.index()).cloned().flatten() else { return Ok(()) };
        let instructions = self.cfg.block(block).map_or(0..0, |block| block.instructions.clone());
        let covered = self.cfg.outgoing(block).iter().any(|edge| edge.kind.is_exception());
        let mut thrown_with: Option<Vec<ValueId>> = None;
        let mut stored = false;
        let mut operands = Operands::new();
        for index in instructions {
            let operation = self.body.operation(index);
            if covered && operation.is_some_and(throws::can_throw) {
                let locals = thrown_with.get_or_insert_with(|| state.locals.clone());
                if std::mem::take(&mut stored) {
                    for (old, new) in locals.iter_mut().zip(&state.locals) {
                        *old = self.values.join(*old, *new);
                    }
                }
            }
            stored |= matches!(operation, Some(Operation::Store { .. } | Operation::Increment { .. }));
            operands = step(self.body, &mut self.values, index, &mut state)?;
        }
        let entry_locals = || self.states.get(block.index()).cloned().flatten().map(|state| state.locals);
        let thrown_with =
            if covered { thrown_with.or_else(entry_locals).unwrap_or_default() } else { Vec::new() };
        for edge in self.cfg.outgoing(block) {
            if edge.to == self.cfg.exit() || !follow(&self.values, edge, &operands) {
                continue;
            }
            let next = if edge.kind.is_exception() {
                let target = self.cfg.block(edge.to).map_or(0, |block| block.instructions.start);
                self.handler_state(target, thrown_with.clone())
            } else {
                state.clone()
            };
            self.flow_into(edge.to, next)?;
        }
        Ok(())
    }

    fn flow_into(&mut self, block: BlockId, incoming: State) -> Result<()> {
        let (Some(slot), Some(visits)) =
            (self.states.get_mut(block.index()), self.visits.get_mut(block.index()))
        else {
            return Ok(());
        };
        let Some(known) = slot else {
            *slot = Some(incoming);
            self.pending.insert(block);
            return Ok(());
        };
        let same_shape = known.stack.len() == incoming.stack.len()
            && known.stack.iter().zip(&incoming.stack).all(|(a, b)| a.wide == b.wide);
        if !same_shape {
            return Err(Error::StackMerge(self.cfg.block(block).map_or(0, |block| block.instructions.start)));
        }
        let widen = *visits > MAX_VISITS;
        let mut changed = false;
        let mut meet = |old: &mut ValueId, new: ValueId| {
            let joined = self.values.join(*old, new);
            if joined != *old {
                *old = if widen { ValueId::UNKNOWN } else { joined };
                changed = true;
            }
        };
        for (old, new) in known.locals.iter_mut().zip(incoming.locals) {
            meet(old, new);
        }
        for (old, new) in known.stack.iter_mut().zip(&incoming.stack) {
            meet(&mut old.value, new.value);
        }
        for (old, new) in known.stack.iter_mut().zip(incoming.stack) {
            if old.pushed_by.is_some() && old.pushed_by != new.pushed_by {
                old.pushed_by = None;
                changed = true;
            }
        }
        if changed {
            *visits += 1;
            self.pending.insert(block);
        }
        Ok(())
    }
}

/// Carries out one instruction and returns its operands in the order in which they were pushed.
/// Instructions that move values around have none, but for stores.
fn step(body: &MethodBody<'_>, values: &mut Values, index: usize, state: &mut State) -> Result<Operands> {
    let Some(operation) = body.operation(index) else { return Ok(Operands::new()) };
    let mut step = Step { values, index, state, operands: Operands::new() };
    match operation {
        Operation::Nop
        | Operation::Goto { .. }
        | Operation::EndSubroutine { .. }
        | Operation::Return(None) => {}
        Operation::Push(literal) => step.push(literal.kind()),
        Operation::Load { slot, kind } => {
            let value = *step.local(*slot)?;
            step.push_value(value, *kind);
        }
        Operation::Store { slot, kind } => {
            let value = step.pop(*kind)?.value;
            *step.local(*slot)? = value;
            if kind.slots() == 2 {
                *step.local(slot.saturating_add(1))? = ValueId::UNKNOWN;
            }
        }
        Operation::Increment { slot, .. } => {
            let value = step.values.defined_by(Definition::Instruction(index));
            *step.local(*slot)? = value;
        }
        Operation::LoadElement(kind) => {
            step.pop_all([Kind::Reference, Kind::Int])?;
            step.push(*kind);
        }
        Operation::StoreElement(kind) => step.pop_all([Kind::Reference, Kind::Int, *kind])?,
        Operation::Shuffle(shuffle) => {
            let moved = shuffle.apply(&mut step.state.stack, |it| it.wide);
            moved.ok_or(Error::StackMismatch(index))?;
        }
        Operation::Compute { operator, operand, result } => {
            let second = if operator.is_shift() { Kind::Int } else { *operand };
            step.pop_all([*operand, second].into_iter().take(if operator.is_unary() { 1 } else { 2 }))?;
            step.push(*result);
        }
        // The width alone matters, so that `int` may stand for references here.
        Operation::Branch { condition, .. } => {
            step.pop_all(std::iter::repeat_n(Kind::Int, condition.operands()))?
        }
        Operation::Switch(_) => step.pop_all([Kind::Int])?,
        Operation::Subroutine { .. } => step.push(Kind::Reference),
        Operation::Return(Some(kind)) => step.pop_all([*kind])?,
        Operation::GetStatic(field) => step.push(Kind::of(field.field_type)),
        Operation::PutStatic(field) => step.pop_all([Kind::of(field.field_type)])?,
        Operation::GetField(field) => {
            step.pop_all([Kind::Reference])?;
            step.push(Kind::of(field.field_type));
        }
        Operation::PutField(field) => step.pop_all([Kind::Reference, Kind::of(field.field_type)])?,
        Operation::Invoke(invoke) => {
            let receiver = invoke.kind.has_receiver().then_some(Kind::Reference);
            step.call(receiver, invoke.signature)?;
        }
        Operation::InvokeDynamic(call) => step.call(None, call.signature)?,
        Operation::New(_) => step.push(Kind::Reference),
        Operation::NewArray { lengths, .. } => {
            step.pop_all(std::iter::repeat_n(Kind::Int, (*lengths).into()))?;
            step.push(Kind::Reference);
        }
        Operation::ArrayLength | Operation::InstanceOf(_) => {
            step.pop_all([Kind::Reference])?;
            step.push(Kind::Int);
        }
        Operation::Throw | Operation::MonitorEnter | Operation::MonitorExit => {
            step.pop_all([Kind::Reference])?
        }
        Operation::CheckCast(_) => {
            let entry = step.pop(Kind::Reference)?;
            step.state.stack.push(entry);
        }
    }
    Ok(step.operands)
}

/// One instruction being carried out.
struct Step<'x> {
    values: &'x mut Values,
    index: usize,
    state: &'x mut State,
    operands: Operands,
}

impl Step<'_> {
    fn push(&mut self, kind: Kind) {
        let value = self.values.defined_by(Definition::Instruction(self.index));
        self.push_value(value, kind);
    }

    fn push_value(&mut self, value: ValueId, kind: Kind) {
        self.state.stack.push(Entry { value, wide: kind.slots() == 2, pushed_by: Some(self.index) });
    }

    fn pop(&mut self, kind: Kind) -> Result<Entry> {
        let entry = self.state.stack.pop().filter(|entry| entry.wide == (kind.slots() == 2));
        let entry = entry.ok_or(Error::StackMismatch(self.index))?;
        self.operands.push(entry);
        Ok(entry)
    }

    /// Pops values of these types, of which the last lies on top.
    fn pop_all(&mut self, kinds: impl IntoIterator<Item = Kind>) -> Result<()> {
        let kinds: SmallVec<[Kind; 6]> = kinds.into_iter().collect();
        for kind in kinds.into_iter().rev() {
            self.pop(kind)?;
        }
        self.operands.reverse();
        Ok(())
    }

    fn call(
        &mut self,
        receiver: Option<Kind>,
        signature: crashback_classfile::MethodDescriptor<'_>,
    ) -> Result<()> {
        self.pop_all(receiver.into_iter().chain(signature.parameters().map(Kind::of)))?;
        if let Some(result) = signature.result() {
            self.push(Kind::of(result));
        }
        Ok(())
    }

    fn local(&mut self, slot: u16) -> Result<&mut ValueId> {
        self.state.locals.get_mut(usize::from(slot)).ok_or(Error::BadLocal(self.index))
    }
}
