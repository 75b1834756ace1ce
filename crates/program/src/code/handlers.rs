//! What becomes of an exception inside the method through which it passes.

use std::collections::{BTreeMap, BTreeSet};

use crashback_classfile::{FieldType, JavaStr};

use super::Result;
use super::body::MethodBody;
use super::calls::CallSite;
use super::cfg::{BlockId, Cfg, Edge, EdgeKind};
use super::operation::{Comparison, Condition, Literal, Operation};
use super::provenance::{Definition, Provenance, Value};
use super::simulation::{Entry, Simulation};
use super::values::{ValueId, Values};

/// What becomes of an exception that arrives at an instruction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fate<'a> {
    /// All that can become of it; never empty.
    pub outcomes: BTreeSet<Outcome<'a>>,
    /// The calls that get hold of it on the way: loggers, listeners, status objects, constructors
    /// of wrappers.
    pub receipts: Vec<Receipt<'a>>,
    /// The handlers that take it, or what carries it, as positions in the exception table, in the
    /// order of arrival.
    pub handlers: Vec<usize>,
}

/// An end that an exception can meet in a method. Class names are internal; none where the method
/// does not tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome<'a> {
    /// It leaves the method as it is, never caught or thrown again.
    Escapes,
    /// Another exception leaves the method that was given this one as cause or suppressed
    /// exception.
    Wrapped {
        /// Class of the other exception.
        by: Option<JavaStr<'a>>,
    },
    /// What leaves the method was got from this one, such as its cause.
    Unwrapped,
    /// Another exception leaves the method that knows nothing of this one.
    Replaced {
        /// Class of the other exception.
        by: Option<JavaStr<'a>>,
    },
    /// The method goes on, or returns.
    Swallowed,
}

/// A call that gets hold of an exception.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Receipt<'a> {
    /// The call.
    pub call: CallSite<'a>,
    /// Position among the operands of the call: the receiver, if there is one, is 0.
    pub operand: usize,
    /// Whether the call gets an object that carries the exception instead of the exception itself.
    pub wrapped: bool,
}

/// Follows an exception that is thrown by, or arrives from a call at, an instruction.
///
/// `exception` is the internal name of its class. `catches(thrown, caught)` tells whether a handler
/// for `caught` takes an exception of class `thrown`, or nothing if the hierarchy is not known;
/// then both ways are followed. The handlers are tried in table order. From the one that takes the
/// exception the body is simulated along all normal ways, with the knowledge that the exception is
/// not null and what `instanceof` says of it. What is thrown there and lies in the range of another
/// handler is followed again. Exceptions that instructions of a handler throw by themselves are not
/// considered.
pub fn fate_of<'a>(
    provenance: &Provenance<'_, 'a>,
    instruction: usize,
    exception: &str,
    catches: &dyn Fn(&str, &str) -> Option<bool>,
) -> Result<Fate<'a>> {
    let mut first = provenance.simulation().clone();
    let Some(state) = first.state_before(instruction)? else {
        // Nothing is known of instructions that cannot be reached; nothing can be thrown there
        // either.
        return Ok(Fate { outcomes: BTreeSet::from([Outcome::Escapes]), ..Fate::default() });
    };
    let mut walk = Walk {
        provenance,
        exception,
        catches,
        fate: Fate::default(),
        seen: BTreeSet::new(),
        todo: Vec::new(),
    };
    let thrown = Thrown { role: Role::Itself, locals: state.locals, roles: Roles::default() };
    walk.arrive(instruction, thrown);
    let mut values = first.values;
    while let Some((handler, thrown)) = walk.todo.pop() {
        values = walk.follow(handler, thrown, values)?;
    }
    Ok(walk.fate)
}

/// How an object relates to the exception that is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Role<'a> {
    Itself,
    /// It carries the exception and is of this class.
    Carrier(Option<JavaStr<'a>>),
    /// It was got from the exception.
    Content,
    /// It has nothing to do with the exception and is of this class.
    Stranger(Option<JavaStr<'a>>),
}

impl<'a> Role<'a> {
    fn outcome(self) -> Outcome<'a> {
        match self {
            Self::Itself => Outcome::Escapes,
            Self::Carrier(by) => Outcome::Wrapped { by },
            Self::Content => Outcome::Unwrapped,
            Self::Stranger(by) => Outcome::Replaced { by },
        }
    }

    fn holds_exception(self) -> bool {
        matches!(self, Self::Itself | Self::Carrier(_))
    }
}

type Roles<'a> = BTreeMap<Definition, Role<'a>>;

/// An object on its way from a throwing instruction to a handler.
#[derive(Clone, Debug)]
struct Thrown<'a> {
    role: Role<'a>,
    locals: Vec<ValueId>,
    roles: Roles<'a>,
}

struct Walk<'w, 'a> {
    provenance: &'w Provenance<'w, 'a>,
    exception: &'w str,
    catches: &'w dyn Fn(&str, &str) -> Option<bool>,
    fate: Fate<'a>,
    /// Handlers with the roles in which they were entered.
    seen: BTreeSet<(usize, Role<'a>)>,
    todo: Vec<(usize, Thrown<'a>)>,
}

impl<'w, 'a> Walk<'w, 'a> {
    fn body(&self) -> &'w MethodBody<'a> {
        self.provenance.body()
    }

    fn cfg(&self) -> &'w Cfg {
        self.provenance.cfg()
    }

    /// Finds the handlers that may take what is thrown at an instruction, or lets it leave the
    /// method.
    fn arrive(&mut self, instruction: usize, thrown: Thrown<'a>) {
        for (position, handler) in self.body().handlers_at(instruction) {
            let takes = handler.catch_type.map_or(Some(true), |caught| self.takes(thrown.role, caught));
            if takes != Some(false) {
                if !self.fate.handlers.contains(&position) {
                    self.fate.handlers.push(position);
                }
                if self.seen.insert((position, thrown.role)) {
                    self.todo.push((position, thrown.clone()));
                }
            }
            if takes == Some(true) {
                return;
            }
        }
        self.fate.outcomes.insert(thrown.role.outcome());
    }

    fn takes(&self, role: Role<'a>, caught: JavaStr<'a>) -> Option<bool> {
        let caught = caught.to_str();
        let thrown = match role {
            _ if caught == "java/lang/Throwable" => return Some(true),
            Role::Itself => return (self.catches)(self.exception, &caught),
            Role::Carrier(class) | Role::Stranger(class) => class?,
            Role::Content => return None,
        };
        (self.catches)(&thrown.to_str(), &caught)
    }

    /// Simulates a handler with the caught object to all its ends.
    fn follow(&mut self, handler: usize, thrown: Thrown<'a>, values: Values) -> Result<Values> {
        let (body, cfg) = (self.body(), self.cfg());
        let target = body.handlers().get(handler).map_or(0, |handler| handler.target);
        let Some(start) = cfg.block_at(target) else { return Ok(values) };
        let mut roles = thrown.roles;
        roles.insert(Definition::Caught(target), thrown.role);
        let mut simulation = Simulation::new(body, cfg, values)?;
        let state = simulation.handler_state(target, thrown.locals);
        simulation
            .run(start, state, |values, edge, operands| self.may_follow(&roles, values, edge, operands))?;
        let steps = record(&mut simulation, body)?;
        assign_roles(body, &steps, &mut roles);
        self.note_receipts(&steps, &roles);
        self.note_ends(&steps, &roles, start, &mut simulation)?;
        Ok(simulation.values)
    }

    /// Whether an edge can be taken, given what is known of the exception. Exceptional edges are
    /// not followed.
    fn may_follow(&self, roles: &Roles<'a>, values: &Values, edge: &Edge, operands: &[Entry]) -> bool {
        let taken = match edge.kind {
            EdgeKind::Exception(_) => return false,
            EdgeKind::Taken => true,
            EdgeKind::Next => false,
            _ => return true,
        };
        let last = self.cfg().block(edge.from).map(|block| block.instructions.end.saturating_sub(1));
        let (Some(Operation::Branch { condition, .. }), [operand]) =
            (last.and_then(|last| self.body().operation(last)), operands)
        else {
            return true;
        };
        let definitions = values.definitions(operand.value);
        let holds = match condition {
            Condition::Null(asked) => self.is_null(roles, definitions).map(|null| null == *asked),
            Condition::Zero(Comparison::Equal) => {
                self.is_instance(roles, definitions).map(|instance| !instance)
            }
            Condition::Zero(Comparison::NotEqual) => self.is_instance(roles, definitions),
            _ => None,
        };
        holds.is_none_or(|holds| holds == taken)
    }

    fn is_null(&self, roles: &Roles<'a>, definitions: &[Definition]) -> Option<bool> {
        let null = |definition: &Definition| match definition {
            Definition::Instruction(index) => {
                matches!(self.body().operation(*index), Some(Operation::Push(Literal::Null)))
            }
            _ => false,
        };
        let never_null = |&definition: &Definition| {
            let value = Value { definitions: vec![definition], pushed_by: None };
            roles.get(&definition) == Some(&Role::Itself) || !self.provenance.may_be_null(&value)
        };
        match definitions {
            [] => None,
            all if all.iter().all(null) => Some(true),
            all if all.iter().all(never_null) => Some(false),
            _ => None,
        }
    }

    /// The result of an `instanceof` on the exception itself, given where the result comes from.
    fn is_instance(&self, roles: &Roles<'a>, definitions: &[Definition]) -> Option<bool> {
        let [Definition::Instruction(index)] = definitions else { return None };
        let Some(Operation::InstanceOf(class)) = self.body().operation(*index) else { return None };
        let asked = self.provenance.operands(*index).next()?;
        let is_exception = |definition| roles.get(definition) == Some(&Role::Itself);
        let known = !asked.definitions.is_empty() && asked.definitions.iter().all(is_exception);
        if known { self.takes(Role::Itself, *class) } else { None }
    }

    fn note_receipts(&mut self, steps: &[Step], roles: &Roles<'a>) {
        for step in steps {
            let Some(call) = CallSite::at(self.body(), step.instruction) else { continue };
            for (operand, definitions) in step.operands.iter().enumerate() {
                let mut held = definitions.iter().filter_map(|definition| roles.get(definition));
                let Some(role) = held.find(|role| role.holds_exception()) else { continue };
                let wrapped = *role != Role::Itself;
                // A carrier that is being made is no news.
                let constructed = operand == 0 && call.method().is_some_and(|method| method.name == "<init>");
                let receipt = Receipt { call: call.clone(), operand, wrapped };
                if !constructed && !self.fate.receipts.contains(&receipt) {
                    self.fate.receipts.push(receipt);
                }
            }
        }
    }

    fn note_ends(
        &mut self,
        steps: &[Step],
        roles: &Roles<'a>,
        start: BlockId,
        simulation: &mut Simulation<'_, 'a>,
    ) -> Result<()> {
        let elsewhere = reached_without(self.cfg(), start);
        let mut ends = false;
        for step in steps {
            let operation = self.body().operation(step.instruction);
            if matches!(operation, Some(Operation::Return(_))) {
                ends = true;
                self.fate.outcomes.insert(Outcome::Swallowed);
            }
            if operation != Some(&Operation::Throw) {
                continue;
            }
            ends = true;
            let block = self.cfg().block_at(step.instruction).map_or(0, BlockId::index);
            let past_handler = elsewhere.get(block).copied().unwrap_or(false);
            let thrown = step.operands.first().map_or(&[][..], Vec::as_slice);
            for role in thrown_roles(self.body(), thrown, roles) {
                if past_handler && matches!(role, Role::Stranger(_)) {
                    // The method went on, and then failed for another reason.
                    self.fate.outcomes.insert(Outcome::Swallowed);
                } else if let Some(state) = simulation.state_before(step.instruction)? {
                    self.arrive(
                        step.instruction,
                        Thrown { role, locals: state.locals, roles: roles.clone() },
                    );
                }
            }
        }
        if !ends {
            // An endless loop keeps it.
            self.fate.outcomes.insert(Outcome::Swallowed);
        }
        Ok(())
    }
}

/// An instruction that the simulation of a handler reached, with the definitions of each operand.
struct Step {
    instruction: usize,
    operands: Vec<Vec<Definition>>,
}

/// The calls, throws and returns that a simulation reached.
fn record(simulation: &mut Simulation<'_, '_>, body: &MethodBody<'_>) -> Result<Vec<Step>> {
    let mut steps = Vec::new();
    simulation.replay(|values, instruction, operands, _| {
        let matters = matches!(
            body.operation(instruction),
            Some(
                Operation::Invoke(_) | Operation::InvokeDynamic(_) | Operation::Throw | Operation::Return(_)
            )
        );
        if matters {
            let operands = operands.iter().map(|entry| values.definitions(entry.value).to_vec()).collect();
            steps.push(Step { instruction, operands });
        }
    })?;
    Ok(steps)
}

/// Finds the objects that carry the exception or come from it: those constructed with it, those
/// given it by `initCause` or `addSuppressed`, and what methods return that were given it. Repeats
/// until nothing is added, as carriers may be carried.
fn assign_roles<'a>(body: &MethodBody<'a>, steps: &[Step], roles: &mut Roles<'a>) {
    loop {
        let before = roles.len();
        for step in steps {
            for (definition, role) in roles_after(body, step, roles) {
                roles.entry(definition).or_insert(role);
            }
        }
        if roles.len() == before {
            return;
        }
    }
}

fn roles_after<'a>(body: &MethodBody<'a>, step: &Step, roles: &Roles<'a>) -> Vec<(Definition, Role<'a>)> {
    let result = Definition::Instruction(step.instruction);
    let holds = |definitions: &Vec<Definition>| {
        definitions.iter().filter_map(|definition| roles.get(definition)).any(|role| role.holds_exception())
    };
    let (receiver, arguments, signature, name) = match body.operation(step.instruction) {
        Some(Operation::Invoke(invoke)) if invoke.kind.has_receiver() => {
            (step.operands.first(), step.operands.get(1..), invoke.signature, Some(invoke.method.name))
        }
        Some(Operation::Invoke(invoke)) => (None, step.operands.get(..), invoke.signature, None),
        Some(Operation::InvokeDynamic(call)) => (None, step.operands.get(..), call.signature, None),
        _ => return Vec::new(),
    };
    let given = arguments.unwrap_or_default().iter().any(holds);
    let returns_object = signature.result().filter(|result| can_carry(*result));
    let mut found = Vec::new();
    match (receiver, name.map(|name| name.to_str())) {
        (Some(receiver), Some(name)) if matches!(&*name, "<init>" | "initCause" | "addSuppressed") => {
            if given {
                let carrier =
                    |&definition: &Definition| (definition, Role::Carrier(class_of(body, definition)));
                found.extend(receiver.iter().map(carrier));
            }
            // `initCause` returns its receiver.
            let role = receiver.iter().find_map(|definition| roles.get(definition));
            found.extend(role.filter(|_| returns_object.is_some()).map(|role| (result, *role)));
        }
        (Some(receiver), Some(name)) if holds(receiver) && !given => {
            let role = if name == "fillInStackTrace" { Role::Itself } else { Role::Content };
            found.extend(returns_object.map(|_| (result, role)));
        }
        _ if given => {
            found.extend(returns_object.map(|returned| (result, Role::Carrier(returned.class_name()))))
        }
        _ => {}
    }
    found
}

/// Whether an object of a declared type may hold an exception: text and traces do not.
fn can_carry(declared: FieldType<'_>) -> bool {
    let text = ["java/lang/String", "java/lang/StringBuilder", "java/lang/StringBuffer", "java/lang/Class"];
    declared.class_name().is_some_and(|name| !text.iter().any(|text| name == *text))
}

/// The roles of what is thrown; what has none is a stranger.
fn thrown_roles<'a>(
    body: &MethodBody<'a>,
    definitions: &[Definition],
    roles: &Roles<'a>,
) -> BTreeSet<Role<'a>> {
    if definitions.is_empty() {
        return BTreeSet::from([Role::Stranger(None)]);
    }
    let role = |definition: &Definition| {
        roles.get(definition).copied().unwrap_or_else(|| Role::Stranger(class_of(body, *definition)))
    };
    definitions.iter().map(role).collect()
}

/// The class of an object as far as the instruction that makes it tells.
fn class_of<'a>(body: &MethodBody<'a>, definition: Definition) -> Option<JavaStr<'a>> {
    let Definition::Instruction(index) = definition else { return None };
    match body.operation(index)? {
        Operation::New(class) => Some(*class),
        Operation::Invoke(invoke) => invoke.signature.result()?.class_name(),
        Operation::GetField(field) | Operation::GetStatic(field) => field.field_type.class_name(),
        _ => None,
    }
}

/// Which blocks the entry reaches without passing through a handler: the code that would run
/// without it.
fn reached_without(cfg: &Cfg, handler: BlockId) -> Vec<bool> {
    let mut reached = vec![false; cfg.block_count() + 1];
    let mut stack = vec![cfg.entry()];
    while let Some(block) = stack.pop() {
        if let Some(seen) = reached.get_mut(block.index()).filter(|seen| !**seen) {
            *seen = true;
            let edges = cfg.outgoing(block).iter();
            stack.extend(
                edges.filter(|edge| !(edge.kind.is_exception() && edge.to == handler)).map(|edge| edge.to),
            );
        }
    }
    reached
}
