//! Where values come from that make an instruction throw: a `null` that is dereferenced, an object
//! that is cast to a class it is no instance of, a text that is read as a number and is none.
//!
//! Whether the value at the instruction was near to being such a one is not observed. But it has an
//! origin, and decisions lead to it: to a `return null` of the method that yielded it, to a write
//! of its field, past an assignment that replaced it.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crashback_program::classes::{Classes, MethodId};
use crashback_program::code::operation::Field;
use crashback_program::code::{
    CallSite, Cfg, Comparison, Condition, Definition, Kind, MethodBody, Operation, Provenance, Value,
};
use crashback_program::frames::{CrashAudit, FrameAudit, Origin};
use crashback_trace::message::{Fact, NullAction};

use super::sources::{FieldKey, Yield, callees, field_key, is_initialiser};
use super::wanted::Wanted;

/// How many calls and fields away from the frames values are followed, and into how many methods in
/// all. Each of these gets probes.
const DEEPEST: u8 = 3;
const MOST_METHODS: usize = 16;

/// The values at the instruction that throws, and the code that they come from.
#[derive(Clone, Debug, Default)]
pub(super) struct ThrowingValues {
    /// Uses in the frames, with the levels of these: the instruction that throws and, where the
    /// value is a parameter, the call that passes it.
    pub(super) in_frames: Vec<(u32, Use)>,
    /// What methods return.
    pub(super) returned: BTreeMap<MethodId, Vec<Use>>,
    /// What is written into fields.
    pub(super) written: BTreeMap<FieldKey, Vec<Use>>,
    /// Jumps that test a value of the same origin.
    pub(super) tests: Vec<ValueTest>,
}

/// An instruction that takes a value.
#[derive(Clone, Debug)]
pub(super) struct Use {
    pub(super) method: MethodId,
    /// Its index.
    pub(super) at: usize,
    /// Where the value may come from.
    pub(super) origins: Vec<ValueOrigin>,
}

/// One of the places that a value may come from.
#[derive(Clone, Debug)]
pub(super) struct ValueOrigin {
    /// The instruction that yields it; none for parameters and the receiver.
    pub(super) at: Option<usize>,
    /// [`Yield::Constant`] tells whether it is a value that makes the instruction throw.
    pub(super) value: Yield,
}

/// A jump that tests a value.
#[derive(Clone, Copy, Debug)]
pub(super) struct ValueTest {
    pub(super) method: MethodId,
    /// Its index.
    pub(super) at: usize,
    /// Whether it jumps if the value would make the instruction throw.
    pub(super) jumps: bool,
}

impl ThrowingValues {
    /// Looks for the values that made the innermost frame of the program throw.
    pub(super) fn of(classes: &Classes<'_>, audit: &CrashAudit) -> Self {
        let mut search = Search { classes, wanted: Wanted::Null, found: Self::default() };
        let below_jdk = |it: &&FrameAudit| it.origin != Origin::Jdk;
        let Some(innermost) = audit.frames.iter().find(below_jdk) else { return Self::default() };
        let Some(method) = innermost.resolved else { return Self::default() };
        let wanted = classes.with_body(method, |body| Wanted::of(audit, body, &innermost.able)).flatten();
        let Some(wanted) = wanted else { return Self::default() };
        search.wanted = wanted;
        search.look_at_frames(audit, innermost, method);
        search.follow();
        search.look_for_tests();
        search.found
    }

    /// The methods whose jumps tell how near a value was.
    pub(super) fn methods(&self) -> BTreeSet<MethodId> {
        let written = self.written.values().flatten().map(|it| it.method);
        self.returned.keys().copied().chain(written).collect()
    }

    fn uses(&self) -> impl Iterator<Item = &Use> {
        let in_frames = self.in_frames.iter().map(|(_, it)| it);
        in_frames.chain(self.returned.values().flatten()).chain(self.written.values().flatten())
    }
}

struct Search<'c, 's> {
    classes: &'c Classes<'s>,
    wanted: Wanted,
    found: ThrowingValues,
}

impl Search<'_, '_> {
    /// Looks at the instruction that throws and, as long as the value is a parameter, at the calls
    /// that pass it.
    fn look_at_frames(&mut self, audit: &CrashAudit, innermost: &FrameAudit, method: MethodId) {
        let is_in_jdk = innermost.level > 1;
        let action = audit.facts.iter().find_map(|it| match it {
            Fact::Null { action, .. } => Some(action),
            _ => None,
        });
        let able = self.classes.with_body(method, |body| matching(body, &innermost.able, action));
        let (able, wanted) = (able.unwrap_or_default(), self.wanted.clone());
        let asked = |provenance: &Provenance<'_, '_>, at| wanted.operands(provenance, at, is_in_jdk);
        let mut passed = self.look_at_frame(innermost.level, method, &able, asked);
        for frame in audit.frames.iter().filter(|it| it.level > innermost.level) {
            let Some(method) = frame.resolved.filter(|_| !passed.is_empty()) else { return };
            let asked = |provenance: &Provenance<'_, '_>, at| arguments(provenance, at, &passed);
            passed = self.look_at_frame(frame.level, method, &frame.able, asked);
        }
    }

    /// Looks at values that `asked` picks at instructions of a frame, and tells the parameters that
    /// they may be.
    fn look_at_frame(
        &mut self,
        level: u32,
        method: MethodId,
        able: &[usize],
        asked: impl Fn(&Provenance<'_, '_>, usize) -> Vec<Value>,
    ) -> BTreeSet<usize> {
        let mut passed = BTreeSet::new();
        let (classes, wanted) = (self.classes, &self.wanted);
        let found = classes.with_body(method, |body| {
            uses(classes, wanted, method, body, |provenance, at| {
                let asked = if able.contains(&at) { asked(provenance, at) } else { Vec::new() };
                passed.extend(asked.iter().flat_map(parameters));
                asked
            })
        });
        self.found.in_frames.extend(found.into_iter().flatten().map(|it| (level, it)));
        passed
    }

    /// Follows values into the methods that return them and those that write their fields.
    fn follow(&mut self) {
        let of_frames = self.found.in_frames.iter().flat_map(|(_, it)| &it.origins);
        let mut open: VecDeque<(Yield, u8)> = of_frames.map(|it| (it.value.clone(), 1)).collect();
        let mut methods = BTreeSet::new();
        while let Some((value, depth)) = open.pop_front() {
            let uses = match value {
                Yield::Result(callees) => self.look_at_results(&callees, &mut methods),
                Yield::Field(field) => self.look_at_writers(field, &mut methods),
                Yield::Constant(_) | Yield::Any => continue,
            };
            if depth < DEEPEST {
                let origins = uses.into_iter().flat_map(|it| it.origins);
                open.extend(origins.map(|it| (it.value, depth + 1)));
            }
        }
    }

    /// What methods return, as far as that is new.
    fn look_at_results(&mut self, callees: &[MethodId], methods: &mut BTreeSet<MethodId>) -> Vec<Use> {
        let mut all = Vec::new();
        for &method in callees {
            if self.found.returned.contains_key(&method) || !admits(methods, method) {
                continue;
            }
            let (classes, wanted) = (self.classes, &self.wanted);
            let returned = classes.with_body(method, |body| {
                uses(classes, wanted, method, body, |provenance, at| match body.operation(at) {
                    Some(Operation::Return(Some(Kind::Reference))) => provenance.operands(at).collect(),
                    _ => Vec::new(),
                })
            });
            let returned = returned.unwrap_or_default();
            all.extend(returned.iter().cloned());
            self.found.returned.insert(method, returned);
        }
        all
    }

    /// What is written into a field by the methods that could see it if it were private.
    fn look_at_writers(&mut self, field: FieldKey, methods: &mut BTreeSet<MethodId>) -> Vec<Use> {
        let (classes, wanted) = (self.classes, &self.wanted);
        let Some(class) = classes.index().view(field.0).filter(|_| !self.found.written.contains_key(&field))
        else {
            return Vec::new();
        };
        let mut written = Vec::new();
        for class in classes.nest(class) {
            classes.for_each_body(class, |method, body| {
                let writes = |it: &Operation<'_>| {
                    written_field(it).and_then(|it| field_key(classes, it)) == Some(field)
                };
                if is_initialiser(classes, method)
                    || !body.operations().any(|(_, it)| writes(it))
                    || !admits(methods, method)
                {
                    return;
                }
                written.extend(uses(classes, wanted, method, body, |provenance, at| {
                    let is_write = body.operation(at).is_some_and(writes);
                    if is_write { provenance.operands(at).last().into_iter().collect() } else { Vec::new() }
                }));
            });
        }
        self.found.written.insert(field, written.clone());
        written
    }

    /// Looks for jumps that test a value of the same origin, in all methods that are followed.
    fn look_for_tests(&mut self) {
        let yields = self.found.uses().flat_map(|it| &it.origins).map(|it| &it.value);
        let known: Vec<Yield> =
            yields.filter(|it| matches!(it, Yield::Result(_) | Yield::Field(_))).cloned().collect();
        let methods: BTreeSet<MethodId> = self.found.uses().map(|it| it.method).collect();
        let (classes, wanted) = (self.classes, &self.wanted);
        for method in methods.into_iter().filter(|_| !known.is_empty()) {
            let tests = classes.with_body(method, |body| {
                let mut tests = BTreeMap::new();
                let tested = uses(classes, wanted, method, body, |provenance, at| {
                    let Some((jumps, value)) = tested(provenance, at, wanted) else { return Vec::new() };
                    tests.insert(at, jumps);
                    vec![value]
                });
                let is_known = |it: &Use| {
                    it.origins.iter().any(|it| known.iter().any(|known| is_same(known, &it.value)))
                };
                let test = |it: &Use| Some(ValueTest { method, at: it.at, jumps: *tests.get(&it.at)? });
                tested.iter().filter(|it| is_known(it)).filter_map(test).collect::<Vec<_>>()
            });
            self.found.tests.extend(tests.into_iter().flatten());
        }
    }
}

/// Whether a method may be followed. The number of them is bounded.
fn admits(methods: &mut BTreeSet<MethodId>, method: MethodId) -> bool {
    if methods.len() < MOST_METHODS { methods.insert(method) } else { methods.contains(&method) }
}

/// The uses of the values that `asked` picks at the instructions of a body.
fn uses<'a>(
    classes: &Classes<'_>,
    wanted: &Wanted,
    method: MethodId,
    body: &MethodBody<'a>,
    mut asked: impl FnMut(&Provenance<'_, 'a>, usize) -> Vec<Value>,
) -> Vec<Use> {
    let cfg = Cfg::of(body);
    let Ok(provenance) = Provenance::of(body, &cfg) else { return Vec::new() };
    let origin = |it: &Definition| match *it {
        Definition::Instruction(at) => {
            ValueOrigin { at: Some(at), value: yielded(classes, wanted, body, at) }
        }
        Definition::Parameter(_) => ValueOrigin { at: None, value: Yield::Any },
        Definition::This | Definition::Caught(_) => ValueOrigin { at: None, value: Yield::Constant(false) },
    };
    let mut found = Vec::new();
    for at in 0..body.instructions().len() {
        for value in asked(&provenance, at) {
            found.push(Use { method, at, origins: value.definitions.iter().map(origin).collect() });
        }
    }
    found
}

/// What an instruction yields: a constant if it is known whether that would make the instruction
/// throw.
fn yielded(classes: &Classes<'_>, wanted: &Wanted, body: &MethodBody<'_>, at: usize) -> Yield {
    let Some(operation) = body.operation(at) else { return Yield::Any };
    if let Some(is_wanted) = wanted.admits(classes, operation) {
        return Yield::Constant(is_wanted);
    }
    let followed = match operation {
        Operation::GetField(field) | Operation::GetStatic(field) => {
            field_key(classes, field).map(Yield::Field)
        }
        Operation::Invoke(_) => {
            CallSite::at(body, at).and_then(|it| callees(classes, &it)).map(Yield::Result)
        }
        _ => None,
    };
    followed.unwrap_or(Yield::Any)
}

/// The instructions among some that do what the message says, or all if it does not tell.
fn matching(body: &MethodBody<'_>, able: &[usize], action: Option<&NullAction>) -> Vec<usize> {
    let Some(action) = action else { return able.to_vec() };
    let does = |at: &&usize| body.operation(**at).is_some_and(|it| does(it, action));
    let found: Vec<usize> = able.iter().filter(does).copied().collect();
    if found.is_empty() { able.to_vec() } else { found }
}

fn does(operation: &Operation<'_>, action: &NullAction) -> bool {
    match (operation, action) {
        (Operation::Invoke(invoke), NullAction::Invoke { method, .. }) => {
            invoke.method.name == method.as_str()
        }
        (Operation::GetField(it), NullAction::ReadField { field })
        | (Operation::PutField(it), NullAction::AssignField { field }) => it.member.name == field.as_str(),
        (Operation::LoadElement(_), NullAction::LoadElement { .. })
        | (Operation::StoreElement(_), NullAction::StoreElement { .. })
        | (Operation::ArrayLength, NullAction::ReadLength)
        | (Operation::Throw, NullAction::Throw)
        | (Operation::MonitorEnter | Operation::MonitorExit, NullAction::Synchronize) => true,
        _ => false,
    }
}

/// The parameters that a value may be, counted without the receiver.
fn parameters(value: &Value) -> impl Iterator<Item = usize> + '_ {
    value.definitions.iter().filter_map(|it| match it {
        Definition::Parameter(number) => Some(*number),
        _ => None,
    })
}

/// The values that a call passes for some parameters.
fn arguments(provenance: &Provenance<'_, '_>, call: usize, parameters: &BTreeSet<usize>) -> Vec<Value> {
    let Some(site) = CallSite::at(provenance.body(), call).filter(|it| it.method().is_some()) else {
        return Vec::new();
    };
    let arguments = provenance.operands(call).skip(usize::from(site.has_receiver()));
    arguments.enumerate().filter(|(number, _)| parameters.contains(number)).map(|(_, it)| it).collect()
}

/// The value that a jump tests, and whether it jumps if that would make the instruction throw.
fn tested(provenance: &Provenance<'_, '_>, at: usize, wanted: &Wanted) -> Option<(bool, Value)> {
    let body = provenance.body();
    let Operation::Branch { condition, .. } = body.operation(at)? else { return None };
    match (condition, wanted) {
        (Condition::Null(jumps), Wanted::Null) => Some((*jumps, provenance.operands(at).next()?)),
        (Condition::Zero(comparison), Wanted::NoInstance(class)) => {
            let jumps = match comparison {
                Comparison::Equal => true,
                Comparison::NotEqual => false,
                _ => return None,
            };
            let flag = provenance.operands(at).next()?;
            let [Definition::Instruction(test)] = flag.definitions[..] else { return None };
            let is_test = matches!(body.operation(test)?, Operation::InstanceOf(it) if *it == class.as_str());
            if is_test { Some((jumps, provenance.operands(test).next()?)) } else { None }
        }
        _ => None,
    }
}

fn is_same(one: &Yield, other: &Yield) -> bool {
    match (one, other) {
        (Yield::Field(one), Yield::Field(other)) => one == other,
        (Yield::Result(one), Yield::Result(other)) => one.iter().any(|it| other.contains(it)),
        _ => false,
    }
}

fn written_field<'o, 'a>(operation: &'o Operation<'a>) -> Option<&'o Field<'a>> {
    match operation {
        Operation::PutField(field) | Operation::PutStatic(field) => Some(field),
        _ => None,
    }
}
