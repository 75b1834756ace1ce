//! Runs the code of a test on what is known of its values, and records what it does to the program.
//!
//! Code of the test's own classes is gone through, that of the program and the JDK becomes statements.
//! Where a condition is not known the body is entered once.

use std::collections::{BTreeMap, BTreeSet};

use crashback_classfile::ClassFile;
use crashback_program::code::operation::Switch;
use crashback_program::code::{Condition, Instruction, Kind, MethodBody, Operation};
use crashback_testcase::{MemberName, TestCase, Var};

use super::recorder::Recorder;
use super::value::{Value, compute, holds};
use super::world::World;

/// Instructions that a test may take: more than hand-written ones do, and a matter of milliseconds.
const MOST_STEPS: usize = 50_000;

/// Calls inside each other that are gone into.
const DEEPEST: usize = 24;

/// Reasons that are kept for a test.
const MOST_NOTES: usize = 8;

/// How far is looked for the end of a branch.
const FARTHEST: usize = 60;

/// A test under way.
pub(super) struct Machine<'m, 'v> {
    pub(super) world: &'m World<'m>,
    /// The class of the test.
    pub(super) test: String,
    pub(super) recorder: Recorder<'v, 'm>,
    pub(super) objects: Vec<Object>,
    pub(super) statics: BTreeMap<(String, String), Value>,
    pub(super) initialised: BTreeSet<String>,
    steps: usize,
    depth: usize,
    notes: Vec<String>,
}

/// An object that the test's own code made.
#[derive(Clone, Debug)]
pub(super) enum Object {
    /// One of a class whose constructor has not run.
    New,
    /// The result of a statement.
    Made(Var),
    /// One of the test's own classes, with its fields.
    Own { class: String, fields: BTreeMap<String, Value> },
    /// An array that becomes a statement when it is used.
    Array { descriptor: String, elements: Vec<Value>, variable: Option<Var> },
    /// A lambda or a method reference.
    Lambda(Lambda),
    /// The beginning of an answer of a mock, by a call of the method that it answers.
    Answer { mock: Var, call: Var },
    /// One that could not be made.
    Lost,
}

/// The method behind a lambda, with the values that were captured.
#[derive(Clone, Debug)]
pub(super) struct Lambda {
    /// Kind of its method handle (JVMS 4.4.8).
    pub(super) kind: u8,
    pub(super) member: MemberName,
    pub(super) captured: Vec<Value>,
}

/// Why a method did not return.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// It threw an exception.
    Thrown,
    /// The test takes too long or has too many statements.
    Over,
}

/// A method that is being run.
pub(super) struct Frame {
    locals: Vec<Value>,
    /// Values, and whether they take two slots.
    stack: Vec<(Value, bool)>,
    /// How often a jump on an unknown condition was met.
    visits: BTreeMap<usize, u32>,
}

/// What follows an instruction.
enum Next {
    Follow,
    Jump(usize),
    Return(Value),
}

impl<'m, 'v> Machine<'m, 'v> {
    pub(super) fn new(world: &'m World<'m>, test: &str, recorder: Recorder<'v, 'm>) -> Self {
        Self {
            world,
            test: test.to_owned(),
            recorder,
            objects: Vec::new(),
            statics: BTreeMap::new(),
            initialised: BTreeSet::new(),
            steps: MOST_STEPS,
            depth: 0,
            notes: Vec::new(),
        }
    }

    /// The statements, and what was left out.
    pub(super) fn finish(self) -> (TestCase, Vec<String>) {
        (self.recorder.finish(), self.notes)
    }

    /// Notes that something is left out.
    pub(super) fn note(&mut self, line: Option<u32>, reason: &str) {
        let note = line.map_or_else(|| reason.to_owned(), |line| format!("line {line}: {reason}"));
        if self.notes.len() < MOST_NOTES && !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// Runs a method of a class file.
    pub(super) fn execute(
        &mut self,
        bytes: &[u8],
        name: &str,
        descriptor: &str,
        arguments: Vec<Value>,
    ) -> Result<Value, Stop> {
        let Ok(file) = ClassFile::parse(bytes) else { return Ok(Value::Unknown) };
        let Some(member) = file.method(name, descriptor) else { return Ok(Value::Unknown) };
        let Ok(Some(body)) = MethodBody::of(&file, member) else { return Ok(Value::Unknown) };
        if self.depth >= DEEPEST {
            self.note(None, &format!("calls inside each other, down to {name}, are too many"));
            return Ok(Value::Unknown);
        }
        self.depth += 1;
        let result = self.run(&body, arguments);
        self.depth -= 1;
        result
    }

    fn run(&mut self, body: &MethodBody<'_>, arguments: Vec<Value>) -> Result<Value, Stop> {
        let mut frame = Frame::new(body, arguments);
        let mut at = 0;
        loop {
            if self.steps == 0 || self.recorder.is_full() {
                let reason = match self.steps {
                    0 => "the test goes on for too long: nothing behind this is carved",
                    _ => "the test has too many statements: nothing behind this is carved",
                };
                self.note(body.line_of(at), reason);
                return Err(Stop::Over);
            }
            self.steps -= 1;
            let Some(instruction) = body.instructions().get(at) else { return Ok(Value::Unknown) };
            match self.step(body, at, instruction, &mut frame) {
                Ok(Next::Follow) => at += 1,
                Ok(Next::Jump(target)) => at = target,
                Ok(Next::Return(value)) => return Ok(value),
                Err(Stop::Thrown) => match body.handlers_at(at).next() {
                    Some((_, handler)) => {
                        frame.stack = vec![(Value::Unknown, false)];
                        at = handler.target;
                    }
                    None => return Err(Stop::Thrown),
                },
                Err(Stop::Over) => return Err(Stop::Over),
            }
        }
    }

    fn step(
        &mut self,
        body: &MethodBody<'_>,
        at: usize,
        instruction: &Instruction<'_>,
        frame: &mut Frame,
    ) -> Result<Next, Stop> {
        let line = body.line_of(at);
        match &instruction.operation {
            Operation::Branch { condition, target } => {
                let is_taken = self.decide(body, at, *condition, *target, frame);
                return Ok(if is_taken { Next::Jump(*target) } else { Next::Follow });
            }
            Operation::Goto { target } => return Ok(Next::Jump(*target)),
            Operation::Switch(switch) => return Ok(Next::Jump(switch_target(body, switch, &frame.pop()))),
            Operation::Return(kind) => {
                return Ok(Next::Return(kind.map_or(Value::Unknown, |_| frame.pop())));
            }
            // Old subroutines of `finally` are seldom and hold nothing that matters.
            Operation::Throw | Operation::Subroutine { .. } | Operation::EndSubroutine { .. } => {
                return Err(Stop::Thrown);
            }
            Operation::Invoke(invoke) => self.invoke(invoke, frame, line)?,
            Operation::InvokeDynamic(call) => self.link(call, frame),
            Operation::GetStatic(_) | Operation::PutStatic(_) => {
                self.static_field(&instruction.operation, frame)?;
            }
            Operation::GetField(_) | Operation::PutField(_) => {
                self.instance_field(&instruction.operation, frame, line);
            }
            Operation::New(class) => {
                let class = class.to_str().into_owned();
                self.initialise(&class)?;
                let made = self.add_object(Object::New);
                frame.push(made, false);
            }
            Operation::NewArray { .. }
            | Operation::ArrayLength
            | Operation::LoadElement(_)
            | Operation::StoreElement(_) => self.array(&instruction.operation, frame, line),
            other => self.simple(other, instruction, frame),
        }
        Ok(Next::Follow)
    }

    /// Instructions that concern the values of the method alone.
    fn simple(&mut self, operation: &Operation<'_>, instruction: &Instruction<'_>, frame: &mut Frame) {
        match operation {
            Operation::Push(literal) => frame.push(Value::of(literal), literal.kind().slots() == 2),
            Operation::Load { slot, kind } => {
                let value = frame.local(*slot);
                frame.push(value, kind.slots() == 2);
            }
            Operation::Store { slot, .. } => {
                let value = frame.pop();
                frame.set_local(*slot, value);
            }
            Operation::Increment { slot, by } => {
                let value = match frame.local(*slot) {
                    Value::Int(value) => Value::Int(value.wrapping_add(i32::from(*by))),
                    _ => Value::Unknown,
                };
                frame.set_local(*slot, value);
            }
            Operation::Shuffle(shuffle) => {
                // Class files that are not well formed were refused before.
                let _ = shuffle.apply(&mut frame.stack, |(_, is_wide)| *is_wide);
            }
            Operation::Compute { operator, result, .. } => {
                let operands = frame.pop_many(if operator.is_unary() { 1 } else { 2 });
                let value = compute(*operator, instruction.opcode, *result, &operands);
                frame.push(value, result.slots() == 2);
            }
            Operation::CheckCast(class) => {
                let value = frame.pop();
                let value = self.cast(value, &class.to_str());
                frame.push(value, false);
            }
            Operation::InstanceOf(_) => {
                let is_null = frame.pop() == Value::Null;
                frame.push(if is_null { Value::Int(0) } else { Value::Unknown }, false);
            }
            Operation::MonitorEnter | Operation::MonitorExit => drop(frame.pop()),
            _ => {}
        }
    }

    /// Whether a conditional jump is taken.
    fn decide(
        &mut self,
        body: &MethodBody<'_>,
        at: usize,
        condition: Condition,
        target: usize,
        frame: &mut Frame,
    ) -> bool {
        let operands = frame.pop_many(condition.operands());
        let operands: Vec<Value> = operands.iter().map(|it| self.settled(it)).collect();
        if let Some(known) = known(condition, &operands) {
            return known;
        }
        // Nothing is learnt from a way that ends with an exception of the test's own.
        match (ends_in_throw(body, at + 1), ends_in_throw(body, target)) {
            (true, false) => return true,
            (false, true) => return false,
            _ => {}
        }
        let visits = frame.visits.entry(at).or_default();
        *visits += 1;
        // Bodies follow their condition, or lie before it; each is entered once.
        let enters_by_jump = target <= at;
        (*visits == 1) == enters_by_jump
    }

    /// The value, or the variable that has become of an object.
    pub(super) fn settled(&self, value: &Value) -> Value {
        match value {
            Value::Object(number) => match self.objects.get(*number) {
                Some(Object::Made(variable)) => Value::Made(*variable),
                Some(Object::Lost) | None => Value::Unknown,
                Some(_) => value.clone(),
            },
            other => other.clone(),
        }
    }

    pub(super) fn add_object(&mut self, object: Object) -> Value {
        self.objects.push(object);
        Value::Object(self.objects.len() - 1)
    }

    /// Runs the initialiser of a class of the test's own, and of those above it.
    pub(super) fn initialise(&mut self, class: &str) -> Result<(), Stop> {
        if !self.initialised.insert(class.to_owned()) {
            return Ok(());
        }
        let Some(bytes) = self.world.own(class, &self.test) else { return Ok(()) };
        if let Some(above) = self.world.classes_above(class).first().cloned() {
            self.initialise(&above)?;
        }
        match self.execute(&bytes, "<clinit>", "()V", Vec::new()) {
            Err(Stop::Over) => Err(Stop::Over),
            _ => Ok(()),
        }
    }
}

impl Frame {
    fn new(body: &MethodBody<'_>, arguments: Vec<Value>) -> Self {
        let mut locals = vec![Value::Unknown; body.max_locals().into()];
        let receiver = (!body.access().is_static()).then_some(1);
        let slots = receiver.into_iter().chain(body.signature().parameters().map(|it| Kind::of(it).slots()));
        let mut slot = 0;
        for (value, slots) in arguments.into_iter().zip(slots) {
            if let Some(local) = locals.get_mut(slot) {
                *local = value;
            }
            slot += slots;
        }
        Self { locals, stack: Vec::new(), visits: BTreeMap::new() }
    }

    pub(super) fn push(&mut self, value: Value, is_wide: bool) {
        self.stack.push((value, is_wide));
    }

    pub(super) fn pop(&mut self) -> Value {
        self.stack.pop().map_or(Value::Unknown, |(value, _)| value)
    }

    /// The topmost values, the lowest first.
    pub(super) fn pop_many(&mut self, count: usize) -> Vec<Value> {
        let mut popped: Vec<Value> = (0..count).map(|_| self.pop()).collect();
        popped.reverse();
        popped
    }

    fn local(&self, slot: u16) -> Value {
        self.locals.get(usize::from(slot)).cloned().unwrap_or(Value::Unknown)
    }

    fn set_local(&mut self, slot: u16, value: Value) {
        if let Some(local) = self.locals.get_mut(usize::from(slot)) {
            *local = value;
        }
    }
}

/// Whether a condition holds, if that is known. Results of calls are taken not to be null.
fn known(condition: Condition, operands: &[Value]) -> Option<bool> {
    match (condition, operands) {
        (Condition::Zero(comparison), [Value::Int(value)]) => Some(holds(comparison, *value, 0)),
        (Condition::Ints(comparison), [Value::Int(left), Value::Int(right)]) => {
            Some(holds(comparison, *left, *right))
        }
        (Condition::Null(_), [Value::Unknown]) => None,
        (Condition::Null(is_null), [value]) => Some((*value == Value::Null) == is_null),
        (Condition::Same(is_same), [Value::Object(left), Value::Object(right)]) => {
            Some((left == right) == is_same)
        }
        _ => None,
    }
}

/// Where a switch goes: by its key if that is known, else to the first way that does not end with an
/// exception.
fn switch_target(body: &MethodBody<'_>, switch: &Switch, key: &Value) -> usize {
    if let Value::Int(key) = key {
        let case = switch.cases.iter().find(|(it, _)| it == key);
        return case.map_or(switch.default, |(_, target)| *target);
    }
    let targets = switch.cases.iter().map(|(_, target)| *target).chain([switch.default]);
    targets.into_iter().find(|it| !ends_in_throw(body, *it)).unwrap_or(switch.default)
}

/// Whether straight code from an instruction on ends with an exception.
fn ends_in_throw(body: &MethodBody<'_>, from: usize) -> bool {
    let mut at = from;
    for _ in 0..FARTHEST {
        match body.operation(at) {
            Some(Operation::Throw) => return true,
            Some(Operation::Goto { target }) => at = *target,
            Some(operation)
                if operation.falls_through() && !matches!(operation, Operation::Branch { .. }) =>
            {
                at += 1;
            }
            _ => return false,
        }
    }
    false
}
