//! Where flags come from: constants, results of methods, fields.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crashback_program::callgraph::CallGraph;
use crashback_program::classes::{Classes, MethodId};
use crashback_program::code::operation::Field;
use crashback_program::code::{
    CallSite, Cfg, Comparison, Condition, Definition, Literal, MethodBody, Operation, Provenance,
};
use crashback_program::frames::CrashAudit;
use crashback_program::index::ClassRef;

use super::throwers::Throwers;
use super::values::ThrowingValues;

/// How many calls and fields away from the methods in question flags are followed, and into how
/// many methods in all.
const DEEPEST: u8 = 3;
const MOST_METHODS: usize = 32;

/// A method that more classes implement than this tells nothing of what will run.
const MOST_IMPLEMENTATIONS: usize = 3;

/// Where the flags come from that methods look at. It says nothing of probes, and so which methods
/// need some.
#[derive(Clone, Debug, Default)]
pub struct FlagSources {
    /// The branches that look at flags.
    pub(super) branches: Vec<FlagBranch>,
    /// What methods return.
    pub(super) returned: BTreeMap<MethodId, Vec<Source>>,
    /// What methods write into fields.
    pub(super) written: BTreeMap<FieldKey, BTreeMap<MethodId, Vec<Source>>>,
    /// The code that throws what handlers on the way to lines catch.
    pub(super) throwers: Throwers,
    /// The values that make the innermost frame throw.
    pub(super) values: ThrowingValues,
    /// The methods that were asked for.
    asked: BTreeSet<MethodId>,
    /// Other methods that have to do with the flags.
    setters: BTreeSet<MethodId>,
}

/// A field: its class, and its number there.
pub(super) type FieldKey = (ClassRef, u16);

/// A branch that looks at a flag.
#[derive(Clone, Debug)]
pub(super) struct FlagBranch {
    pub(super) method: MethodId,
    /// Index of its instruction.
    pub(super) at: usize,
    /// The value at which it jumps.
    pub(super) jumps_at: bool,
    pub(super) sources: Vec<Source>,
}

/// An instruction that yields a value that a flag may get.
#[derive(Clone, Debug)]
pub(super) struct Source {
    /// Its index.
    pub(super) at: usize,
    pub(super) value: Yield,
}

/// What an instruction yields.
#[derive(Clone, Debug)]
pub(super) enum Yield {
    Constant(bool),
    /// What one of these methods returns.
    Result(Vec<MethodId>),
    Field(FieldKey),
    /// Either value, for reasons that are not known.
    Any,
}

impl FlagSources {
    /// Looks at the branches of some methods, and at those of the methods that their flags come
    /// from.
    pub fn of(classes: &Classes<'_>, methods: impl IntoIterator<Item = MethodId>) -> Self {
        let mut search = Search { classes, found: Self::default(), declaring: BTreeSet::new() };
        search.found.asked = methods.into_iter().collect();
        let mut open: VecDeque<(MethodId, u8)> = search.found.asked.iter().map(|it| (*it, 0)).collect();
        while let Some((method, depth)) = open.pop_front() {
            for setter in search.look_at(method) {
                let found = &mut search.found;
                let is_known = found.asked.contains(&setter) || found.setters.contains(&setter);
                if !is_known && depth < DEEPEST && found.setters.len() < MOST_METHODS {
                    found.setters.insert(setter);
                    open.push_back((setter, depth + 1));
                }
            }
        }
        search.found
    }

    /// The same with the code that throws what leads to instructions through handlers.
    #[must_use]
    pub fn with_throwers<'f>(
        self,
        classes: &Classes<'_>,
        goals: impl IntoIterator<Item = (MethodId, &'f [usize])>,
    ) -> Self {
        Self { throwers: Throwers::of(classes, goals), ..self }
    }

    /// The same with the origins of the values that made the crash's innermost frame throw, for
    /// fitness functions that [grade](crate::Fitness::grades_exceptions) these. They may be in many
    /// methods, which get probes then.
    #[must_use]
    pub fn with_values(self, classes: &Classes<'_>, audit: &CrashAudit) -> Self {
        Self { values: ThrowingValues::of(classes, audit), ..self }
    }

    /// The methods, beside those that were asked for, whose jumps and calls tell how near a flag
    /// was to being another, or code to throwing.
    pub fn setters(&self) -> impl Iterator<Item = MethodId> {
        let others = self.throwers.methods().chain(self.values.methods());
        let all: BTreeSet<MethodId> = self.setters.iter().copied().chain(others).collect();
        all.into_iter().filter(|it| !self.asked.contains(it))
    }

    /// Whether a method was asked for: such methods may run at another level of the call chain than
    /// their callers.
    pub(super) fn is_asked_for(&self, method: MethodId) -> bool {
        self.asked.contains(&method)
    }
}

struct Search<'c, 's> {
    classes: &'c Classes<'s>,
    found: FlagSources,
    /// Classes whose nests were looked at for what methods write.
    declaring: BTreeSet<ClassRef>,
}

impl Search<'_, '_> {
    /// Looks at the branches and the results of a method, and tells the methods that these come
    /// from.
    fn look_at(&mut self, method: MethodId) -> Vec<MethodId> {
        let returns_flag =
            method.view(self.classes.index()).is_some_and(|it| it.descriptor().ends_with(")Z"));
        let is_taken = |operation: &Operation<'_>| {
            jumps_at(operation).is_some() || returns_flag && matches!(operation, Operation::Return(Some(_)))
        };
        let found = self.classes.with_body(method, |body| {
            let (mut branches, mut returned) = (Vec::new(), Vec::new());
            for (at, sources) in sources(self.classes, body, is_taken) {
                match body.operation(at).and_then(jumps_at) {
                    None => returned.extend(sources),
                    Some(jumps_at) if is_flag(&sources) => {
                        branches.push(FlagBranch { method, at, jumps_at, sources });
                    }
                    Some(_) => {}
                }
            }
            (branches, returned)
        });
        let Some((branches, returned)) = found else { return Vec::new() };
        let mut setters = Vec::new();
        for source in branches.iter().flat_map(|it| &it.sources).chain(&returned) {
            match &source.value {
                Yield::Result(methods) => setters.extend(methods),
                Yield::Field(field) => setters.extend(self.writers(*field)),
                Yield::Constant(_) | Yield::Any => {}
            }
        }
        self.found.branches.extend(branches);
        self.found.returned.insert(method, returned);
        setters
    }

    /// The methods that write a field, among those that could see it if it were private.
    fn writers(&mut self, field: FieldKey) -> Vec<MethodId> {
        let Self { classes, found, declaring } = self;
        if let Some(class) = classes.index().view(field.0).filter(|it| declaring.insert(it.reference())) {
            for class in classes.nest(class) {
                classes.for_each_body(class, |method, body| {
                    if !is_initialiser(classes, method) {
                        add_written(classes, method, body, field.0, &mut found.written);
                    }
                });
            }
        }
        found.written.get(&field).into_iter().flatten().map(|it| *it.0).collect()
    }
}

/// What is written into the flags of a class.
fn add_written(
    classes: &Classes<'_>,
    method: MethodId,
    body: &MethodBody<'_>,
    declaring: ClassRef,
    written: &mut BTreeMap<FieldKey, BTreeMap<MethodId, Vec<Source>>>,
) {
    let field = |operation: &Operation<'_>| match operation {
        Operation::PutField(field) | Operation::PutStatic(field) => {
            flag_field(classes, field).filter(|it| it.0 == declaring)
        }
        _ => None,
    };
    for (at, sources) in sources(classes, body, |it| field(it).is_some()) {
        if let Some(field) = body.operation(at).and_then(field) {
            written.entry(field).or_default().entry(method).or_default().extend(sources);
        }
    }
}

/// For those instructions of a body that are asked about, where the last value that they take comes
/// from.
fn sources(
    classes: &Classes<'_>,
    body: &MethodBody<'_>,
    is_asked: impl Fn(&Operation<'_>) -> bool,
) -> Vec<(usize, Vec<Source>)> {
    let asked: Vec<usize> = body.operations().filter(|it| is_asked(it.1)).map(|it| it.0).collect();
    if asked.is_empty() {
        return Vec::new();
    }
    let cfg = Cfg::of(body);
    let Ok(provenance) = Provenance::of(body, &cfg) else { return Vec::new() };
    let source = |definition: &Definition| match *definition {
        Definition::Instruction(at) => Some(Source { at, value: yielded(classes, body, at) }),
        _ => None,
    };
    let sources = |at: usize| {
        let value = provenance.operands(at).last();
        value.into_iter().flat_map(|it| it.definitions).filter_map(|it| source(&it)).collect()
    };
    asked.into_iter().map(|at| (at, sources(at))).collect()
}

/// What an instruction yields.
fn yielded(classes: &Classes<'_>, body: &MethodBody<'_>, at: usize) -> Yield {
    let known = match body.operation(at) {
        Some(Operation::Push(Literal::Int(0))) => Some(Yield::Constant(false)),
        Some(Operation::Push(Literal::Int(1))) => Some(Yield::Constant(true)),
        Some(Operation::GetField(field) | Operation::GetStatic(field)) => {
            flag_field(classes, field).map(Yield::Field)
        }
        Some(Operation::Invoke(invoke)) if invoke.method.descriptor.to_str().ends_with(")Z") => {
            CallSite::at(body, at).and_then(|it| callees(classes, &it)).map(Yield::Result)
        }
        _ => None,
    };
    known.unwrap_or(Yield::Any)
}

/// A field of the program that holds a flag.
fn flag_field(classes: &Classes<'_>, field: &Field<'_>) -> Option<FieldKey> {
    if field.member.descriptor == "Z" { field_key(classes, field) } else { None }
}

/// A field of the program that its source names: whether assertions are on, for example, is no
/// business of a test.
pub(super) fn field_key(classes: &Classes<'_>, field: &Field<'_>) -> Option<FieldKey> {
    let owner = field.member.owner.to_str();
    if classes.is_jdk(&owner) {
        return None;
    }
    let (name, descriptor) = (field.member.name.to_str(), field.member.descriptor.to_str());
    let resolved = classes.hierarchy().resolve_field(&owner, &name, &descriptor)?;
    (!resolved.is_synthetic()).then(|| (resolved.class().reference(), resolved.number()))
}

/// The methods of the program that a call may run, if they are few.
pub(super) fn callees(classes: &Classes<'_>, call: &CallSite<'_>) -> Option<Vec<MethodId>> {
    if classes.is_jdk(&call.method()?.owner.to_str()) {
        return None;
    }
    let methods = CallGraph::new(classes).callees_at(call);
    (1..=MOST_IMPLEMENTATIONS).contains(&methods.len()).then_some(methods)
}

/// The value of a flag at which an instruction jumps, if it may be one that looks at a flag.
fn jumps_at(operation: &Operation<'_>) -> Option<bool> {
    match operation {
        Operation::Branch { condition: Condition::Zero(Comparison::Equal), .. } => Some(false),
        Operation::Branch { condition: Condition::Zero(Comparison::NotEqual), .. } => Some(true),
        _ => None,
    }
}

/// Whether it is known of a value why it is what it is.
fn is_flag(sources: &[Source]) -> bool {
    sources.iter().any(|it| !matches!(it.value, Yield::Any))
}

/// Whether a method initialises its class: that happens once, before anything that a test could do
/// about it.
pub(super) fn is_initialiser(classes: &Classes<'_>, method: MethodId) -> bool {
    method.view(classes.index()).is_none_or(|it| it.name() == "<clinit>")
}
