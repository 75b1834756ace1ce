//! What casts, `instanceof` and comparisons around the crash tell of values whose declared types are
//! wider, at the spots where a test or a mock supplies them.
//!
//! A value passes spots: parameters, fields, results. What code asks of a value where it uses it
//! holds for all spots that the value passed before, so it is handed backwards along the flow.

use std::collections::{BTreeMap, BTreeSet};

use crashback_classfile::{FieldType, JavaStr, MemberRef};
use crashback_program::callgraph::{CallGraph, Receivers};
use crashback_program::classes::{Classes, MethodId};
use crashback_program::code::operation::Condition;
use crashback_program::code::{
    CallSite, Cfg, InvokeKind, Literal, MethodBody, Operation, Provenance, Value, ValueOrigin,
};
use crashback_program::frames::{CrashAudit, Origin};
use crashback_program::hierarchy::Supertype;
use crashback_program::index::ClassRef;
use crashback_program::{ClassView, MemberView};
use crashback_testcase::workshop::{Expectation, Pools, Spot, Tuning, Wanted};
use crashback_testcase::{MemberName, Type};
use crashback_trace::message::Fact;

/// Adds what methods expect of values. Expectations of results and fields come from `visited`
/// methods alone, those of parameters and the flow between spots also from other methods of
/// classes around them: constructors and setters are not on the way to a crash.
pub(crate) fn add(
    classes: &Classes<'_>,
    audit: &CrashAudit,
    visited: &BTreeSet<MethodId>,
    around: &[ClassView<'_>],
    tuning: &Tuning,
    pools: &mut Pools,
) {
    let traced = audit.frames.iter().filter(|it| it.origin != Origin::Jdk);
    let traced: Vec<MethodId> = traced.filter_map(|it| it.resolved).collect();
    let receivers = Receivers::new(classes, traced.iter().filter_map(|it| classes.index().view(it.class)));
    let (expected, flows) = (BTreeMap::new(), BTreeSet::new());
    let failed_cast = failed_cast(audit);
    let mut scan = Scan { classes, tuning, receivers, failed_cast, expected, flows };
    // The methods on the trace come first: what they expect stays where there is no room for all.
    let mut seen = BTreeSet::new();
    for method in traced.iter().chain(visited).copied() {
        if seen.insert(method) {
            classes.with_body(method, |body| scan.look(body, method, true));
        }
    }
    for class in around {
        classes.for_each_body(*class, |method, body| {
            if seen.len() < tuning.expectation_methods && seen.insert(method) {
                scan.look(body, method, false);
            }
        });
    }
    scan.hand_back();
    for (id, expectation) in &scan.expected {
        let found = spots_of(classes, *id, &traced);
        for spot in found {
            pools.expectations.entry(spot).or_default().extend(expectation, tuning.expected_types);
        }
    }
}

/// A spot by numbers of the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum SpotId {
    Parameter(MethodId, usize),
    Result(MethodId),
    Field(ClassRef, u16),
}

/// Which part of the value of a spot is meant: what a spot's collection yields is a part of it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Whole,
    /// An iterator, view or copy that yields elements.
    Elements,
    Element,
    Keys,
    Key,
    Values,
    Value,
    Entries,
    Entry,
    /// The value under a key that the code names.
    ValueOf(String),
}

impl Part {
    /// What a method of the JDK yields of this part.
    fn after(&self, name: &str, is_map: bool, key: Option<&str>) -> Option<Self> {
        const VIEWS: [&str; 9] = [
            "iterator",
            "listIterator",
            "descendingIterator",
            "elements",
            "subList",
            "toArray",
            "clone",
            "keys",
            "spliterator",
        ];
        const TAKERS: [&str; 19] = [
            "next",
            "nextElement",
            "previous",
            "get",
            "remove",
            "poll",
            "peek",
            "pop",
            "take",
            "element",
            "first",
            "last",
            "getFirst",
            "getLast",
            "removeFirst",
            "removeLast",
            "pollFirst",
            "elementAt",
            "firstElement",
        ];
        let (is_view, takes) = (VIEWS.contains(&name), TAKERS.contains(&name));
        Some(match (self, name) {
            (Self::Whole, "get" | "getOrDefault" | "remove" | "put") if is_map => match key {
                Some(key) => Self::ValueOf(key.to_owned()),
                None => Self::Value,
            },
            (Self::Whole, "keySet" | "navigableKeySet" | "keys") if is_map => Self::Keys,
            (Self::Whole, "firstKey" | "lastKey") => Self::Key,
            (Self::Whole, "values" | "elements") if is_map => Self::Values,
            (Self::Whole, "entrySet") => Self::Entries,
            (Self::Whole | Self::Elements, _) if takes => Self::Element,
            (Self::Whole | Self::Elements, _) if is_view => Self::Elements,
            (Self::Keys, _) if takes => Self::Key,
            (Self::Values, _) if takes => Self::Value,
            (Self::Entries, _) if takes => Self::Entry,
            (Self::Keys | Self::Values | Self::Entries, _) if is_view => self.clone(),
            (Self::Entry, "getKey") => Self::Key,
            (Self::Entry, "getValue") => Self::Value,
            _ => return None,
        })
    }

    /// What is wanted of this part; none for iterators and views, of which nothing is.
    fn of<'e>(&self, expectation: &'e mut Expectation) -> Option<&'e mut Wanted> {
        Some(match self {
            Self::Whole => &mut expectation.whole,
            Self::Element => &mut expectation.element,
            Self::Key => &mut expectation.key,
            Self::Value => &mut expectation.value,
            Self::ValueOf(key) => expectation.entries.entry(key.clone()).or_default(),
            Self::Elements | Self::Keys | Self::Values | Self::Entries | Self::Entry => return None,
        })
    }
}

type Node = (SpotId, Part);

struct Scan<'c, 's> {
    classes: &'c Classes<'s>,
    tuning: &'c Tuning,
    /// The classes on the trace.
    receivers: Receivers<'s>,
    /// The class of the value whose cast is the crash, and the type that it was cast to.
    failed_cast: Option<(Type, Type)>,
    expected: BTreeMap<SpotId, Expectation>,
    /// From where to where values are passed.
    flows: BTreeSet<(Node, Node)>,
}

/// A method that is being looked at.
struct Look<'l, 'b, 'a> {
    method: MethodId,
    body: &'l MethodBody<'a>,
    provenance: &'l Provenance<'b, 'a>,
    is_visited: bool,
}

/// Calls of the JDK's collections on the way from a spot to a value, at most.
const MAX_CALLS: usize = 6;

impl Scan<'_, '_> {
    fn look(&mut self, body: &MethodBody<'_>, method: MethodId, is_visited: bool) {
        let cfg = Cfg::of(body);
        let Ok(provenance) = Provenance::of(body, &cfg) else { return };
        let look = Look { method, body, provenance: &provenance, is_visited };
        for (at, operation) in body.operations() {
            let first = || provenance.operands(at).next();
            match operation {
                Operation::CheckCast(class) | Operation::InstanceOf(class) => {
                    if let (Some(value), Ok(of)) = (first(), FieldType::from_class_constant(*class)) {
                        let types = self.types_of_cast(Type(of.to_string().into()));
                        self.want(&look, &value, &Wanted { types, constants: Vec::new() });
                    }
                }
                Operation::Branch { condition: Condition::Same(_), .. } => self.compare(&look, at),
                Operation::PutField(field) | Operation::PutStatic(field)
                    if field.field_type.is_reference() =>
                {
                    if let (Some(value), Some(to)) =
                        (provenance.operands(at).last(), self.field(&field.member))
                    {
                        self.pass(&look, &value, (to, Part::Whole));
                    }
                }
                Operation::Return(Some(_)) => {
                    if let Some(value) = first() {
                        self.pass(&look, &value, (SpotId::Result(method), Part::Whole));
                    }
                }
                Operation::Invoke(_) => self.call(&look, at),
                _ => {}
            }
        }
    }

    /// The types that a value which is cast should have. Where a cast is the crash, the value must
    /// have the class that the message tells.
    fn types_of_cast(&self, to: Type) -> Vec<Type> {
        let crashes = self.failed_cast.as_ref().filter(|(_, it)| *it == to).map(|(from, _)| from.clone());
        crashes.into_iter().chain([to]).collect()
    }

    /// Notes what is wanted of a value.
    fn want(&mut self, look: &Look<'_, '_, '_>, value: &Value, wanted: &Wanted) {
        for (spot, part) in self.nodes(look, value) {
            if look.is_visited || matches!(spot, SpotId::Parameter(..)) {
                let expectation = self.expected.entry(spot).or_default();
                if let Some(known) = part.of(expectation) {
                    known.extend(wanted, self.tuning.expected_types);
                }
            }
        }
    }

    /// Notes that a value is passed on.
    fn pass(&mut self, look: &Look<'_, '_, '_>, value: &Value, to: Node) {
        for from in self.nodes(look, value) {
            if from != to {
                self.flows.insert((from, to.clone()));
            }
        }
    }

    /// Two references are compared: one that is a static field is a value for the other.
    fn compare(&mut self, look: &Look<'_, '_, '_>, at: usize) {
        let operands: Vec<Value> = look.provenance.operands(at).collect();
        let [left, right] = operands.as_slice() else { return };
        for (value, constant) in [(left, right), (right, left)] {
            if let Some(constant) = self.constant(&look.provenance.origin(constant)) {
                self.want(look, value, &Wanted { types: Vec::new(), constants: vec![constant] });
            }
        }
    }

    /// The static final field that a value is read from.
    fn constant(&self, origin: &ValueOrigin<'_>) -> Option<MemberName> {
        let ValueOrigin::Field { field, receiver: None } = origin else { return None };
        let (owner, name) = (field.owner.to_str(), field.name.to_str());
        let found = self.classes.hierarchy().resolve_field(&owner, &name, &field.descriptor.to_str())?;
        found.access().is_final().then(|| MemberName::of(found))
    }

    fn call(&mut self, look: &Look<'_, '_, '_>, at: usize) {
        let Some(call) = CallSite::at(look.body, at) else { return };
        let Some(method) = call.method() else { return };
        let operands: Vec<Value> = look.provenance.operands(at).collect();
        let arguments = operands.get(usize::from(call.has_receiver())..).unwrap_or_default();
        let receiver = operands.first().filter(|_| call.has_receiver());
        if !self.is_of_jdk(method) {
            let references = call.signature.parameters().zip(arguments).enumerate();
            let references: Vec<(usize, &Value)> =
                references.filter(|(_, (of, _))| of.is_reference()).map(|(n, (_, it))| (n, it)).collect();
            for callee in if references.is_empty() { Vec::new() } else { self.callees(&call) } {
                for (number, argument) in &references {
                    self.pass(look, argument, (SpotId::Parameter(callee, *number), Part::Whole));
                }
            }
            return;
        }
        let Some(receiver) = receiver else { return };
        let (name, is_map) = (method.name.to_str(), self.is_map(method.owner));
        match (&*name, arguments) {
            ("equals", [other]) => {
                for (value, constant) in [(receiver, other), (other, receiver)] {
                    if let Some(constant) = self.constant(&look.provenance.origin(constant)) {
                        self.want(look, value, &Wanted { types: Vec::new(), constants: vec![constant] });
                    }
                }
            }
            ("put" | "setProperty", [key, value]) if is_map => {
                let under = constant_text(&look.provenance.origin(key)).map_or(Part::Value, Part::ValueOf);
                self.put(look, receiver, key, Part::Key);
                self.put(look, receiver, value, under);
            }
            ("get" | "containsKey" | "getOrDefault" | "getProperty", [key, ..]) if is_map => {
                if let Some(key) = constant_text(&look.provenance.origin(key)) {
                    self.want_key(look, receiver, &key);
                }
            }
            ("add" | "addElement" | "offer" | "push" | "addFirst" | "addLast", [value]) => {
                self.put(look, receiver, value, Part::Element);
            }
            _ => {}
        }
    }

    /// Notes that a value becomes a part of a collection.
    fn put(&mut self, look: &Look<'_, '_, '_>, collection: &Value, value: &Value, part: Part) {
        for (spot, of) in self.nodes(look, collection) {
            if of == Part::Whole {
                self.pass(look, value, (spot, part.clone()));
            }
        }
    }

    /// Notes that a map is asked for a key.
    fn want_key(&mut self, look: &Look<'_, '_, '_>, map: &Value, key: &str) {
        for (spot, of) in self.nodes(look, map) {
            let is_wanted = look.is_visited || matches!(spot, SpotId::Parameter(..));
            if of == Part::Whole && is_wanted {
                self.expected.entry(spot).or_default().entries.entry(key.to_owned()).or_default();
            }
        }
    }

    /// The spots that a value passed before.
    fn nodes(&self, look: &Look<'_, '_, '_>, value: &Value) -> Vec<Node> {
        let mut found = Vec::new();
        self.trace(look, &look.provenance.origin(value), MAX_CALLS, &mut found);
        found
    }

    fn trace(&self, look: &Look<'_, '_, '_>, origin: &ValueOrigin<'_>, depth: usize, found: &mut Vec<Node>) {
        match origin {
            ValueOrigin::Parameter(number) => {
                found.push((SpotId::Parameter(look.method, *number), Part::Whole));
            }
            ValueOrigin::Field { field, .. } => {
                found.extend(self.field(field).map(|it| (it, Part::Whole)));
            }
            ValueOrigin::OneOf(several) => several.iter().for_each(|it| self.trace(look, it, depth, found)),
            ValueOrigin::Element { array } => {
                let mut arrays = Vec::new();
                self.trace(look, array, depth, &mut arrays);
                let element = |(spot, part): Node| Some((spot, part.after("next", false, None)?));
                found.extend(arrays.into_iter().filter_map(element));
            }
            ValueOrigin::Call { instruction } => self.trace_call(look, *instruction, depth, found),
            _ => {}
        }
    }

    fn trace_call(&self, look: &Look<'_, '_, '_>, at: usize, depth: usize, found: &mut Vec<Node>) {
        let (Some(call), Some(depth)) = (CallSite::at(look.body, at), depth.checked_sub(1)) else { return };
        let Some(method) = call.method() else { return };
        if !self.is_of_jdk(method) {
            let named = self.resolve(method).map(MethodId::of);
            let run: BTreeSet<MethodId> = named.into_iter().chain(self.callees(&call)).collect();
            found.extend(run.into_iter().map(|it| (SpotId::Result(it), Part::Whole)));
            return;
        }
        let (name, arguments) = (method.name.to_str(), look.provenance.arguments_of(at));
        // These hand out what they are given, or a view of it.
        if call.kind() == InvokeKind::Static
            && (&*name == "requireNonNull" || name.starts_with("unmodifiable"))
        {
            if let Some(given) = arguments.first() {
                self.trace(look, given, depth, found);
            }
            return;
        }
        let Some(receiver) = look.provenance.receiver_of(at) else { return };
        let (is_map, key) = (self.is_map(method.owner), arguments.first().and_then(constant_text));
        let mut holders = Vec::new();
        self.trace(look, &receiver, depth, &mut holders);
        let part = |(spot, part): Node| Some((spot, part.after(&name, is_map, key.as_deref())?));
        found.extend(holders.into_iter().filter_map(part));
    }

    fn field(&self, field: &MemberRef<'_>) -> Option<SpotId> {
        let (owner, name) = (field.owner.to_str(), field.name.to_str());
        let found = self.classes.hierarchy().resolve_field(&owner, &name, &field.descriptor.to_str())?;
        let is_own = !self.classes.is_jdk(found.class().name());
        is_own.then(|| SpotId::Field(found.class().reference(), found.number()))
    }

    fn resolve(&self, method: MemberRef<'_>) -> Option<MemberView<'_>> {
        let (owner, name) = (method.owner.to_str(), method.name.to_str());
        self.classes.hierarchy().resolve_method(&owner, &name, &method.descriptor.to_str())
    }

    fn is_of_jdk(&self, method: MemberRef<'_>) -> bool {
        match self.resolve(method) {
            Some(found) => self.classes.is_jdk(found.class().name()),
            None => self.classes.is_jdk(&method.owner.to_str()),
        }
    }

    fn is_map(&self, owner: JavaStr<'_>) -> bool {
        let owner = owner.to_str();
        ["java/util/Map", "java/util/Dictionary"]
            .iter()
            .any(|it| self.classes.hierarchy().is_subtype(&owner, it) == Some(true))
    }

    /// What a call may run, as far as that is plain.
    fn callees(&self, call: &CallSite<'_>) -> Vec<MethodId> {
        let graph = CallGraph::new(self.classes);
        let found = graph.callees_on(call, &self.receivers);
        if !found.is_empty() {
            return found;
        }
        let all = graph.callees_at(call);
        if all.len() <= self.tuning.read_implementations { all } else { Vec::new() }
    }

    /// Hands what is wanted of a value where it is used to the spots that it passed before.
    fn hand_back(&mut self) {
        let most = self.tuning.expected_types;
        for _ in 0..self.tuning.expectation_steps {
            let mut is_new = false;
            for ((from, part), (to, to_part)) in &self.flows {
                let Some(wanted) = self.expected.get(to) else { continue };
                let mut handed = Expectation::default();
                match (part, to_part) {
                    (Part::Whole, Part::Whole) => handed = wanted.clone(),
                    _ => {
                        let mut of = wanted.clone();
                        if let (Some(into), Some(wanted)) = (part.of(&mut handed), to_part.of(&mut of)) {
                            into.extend(wanted, most);
                            if *to_part == Part::Value {
                                of.entries.values().for_each(|it| _ = into.extend(it, most));
                            }
                        }
                    }
                }
                handed.entries.retain(|_, it| *part == Part::Whole || !it.is_empty());
                if !handed.is_empty() {
                    is_new |= self.expected.entry(*from).or_default().extend(&handed, most);
                }
            }
            if !is_new {
                return;
            }
        }
    }
}

/// The two classes of a cast that is the crash.
fn failed_cast(audit: &CrashAudit) -> Option<(Type, Type)> {
    audit.facts.iter().find_map(|it| match it {
        Fact::Cast { from, to } => {
            Some([from, to].map(|it| Type::of_class_constant(&it.replace('.', "/"))).into())
        }
        _ => None,
    })
}

fn constant_text(origin: &ValueOrigin<'_>) -> Option<String> {
    match origin {
        ValueOrigin::Constant(Literal::String(text)) => Some(text.to_str().into_owned()),
        _ => None,
    }
}

/// The names of a spot: for a method on the trace also through the types above whose methods it
/// overrides, because a test or mock may call it through these.
fn spots_of(classes: &Classes<'_>, spot: SpotId, traced: &[MethodId]) -> Vec<Spot> {
    let index = classes.index();
    let names = |method: MethodId| {
        let Some(view) = method.view(index) else { return Vec::new() };
        let mut names = vec![MemberName::of(view)];
        let is_traced = traced.iter().any(|it| it.class == method.class);
        if is_traced && !view.is_static() && view.name() != "<init>" {
            let above = classes.hierarchy().supertypes(view.class().name()).into_iter();
            let above = above.filter_map(Supertype::known).filter(|it| it.name() != view.class().name());
            let overridden = above.filter_map(|it| it.method(view.name(), view.descriptor()));
            names.extend(overridden.map(MemberName::of));
        }
        names
    };
    match spot {
        SpotId::Parameter(method, number) => {
            names(method).into_iter().map(|it| Spot::Parameter(it, number)).collect()
        }
        SpotId::Result(method) => names(method).into_iter().map(Spot::Result).collect(),
        SpotId::Field(class, number) => {
            let class = index.view(class);
            let field = class.and_then(|it| it.fields().find(|it| it.number() == number));
            field.map(|it| Spot::Field(MemberName::of(it))).into_iter().collect()
        }
    }
}
