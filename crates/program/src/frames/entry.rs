//! Entry points of methods that a test cannot call itself.
//!
//! A test lives in the package of the class, so private members, synthetic methods, static
//! initialisers and members of classes that have no name or are private are out of its reach. All
//! of these are reached from code of the same top-level class alone, so the search stays there.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crashback_classfile::JavaStr;

use super::yielded::{Called, Functional, Yielded, calls_of_yielded};
use crate::callgraph::CallGraph;
use crate::classes::{Classes, MethodId};
use crate::code::calls::{CallTarget, initialisations};
use crate::code::{CallSite, InvokeKind, MethodBody, call_sites};
use crate::index::{ClassRef, ClassView, MemberView, Nesting};

/// Most entry points that are listed.
const MAX_ENTRY_POINTS: usize = 8;
/// Most methods that are listed on the ways from them.
const MAX_GUIDES: usize = 16;
/// Most of the entry points that may be fields of one class.
const MAX_FIELDS: usize = 3;

/// A step by which a test gets into a method that it cannot call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EntryPoint {
    /// Call a method or constructor, or a method of the object that it makes.
    Method(MethodId),
    /// Read a field: for a static one that initialises its class, and the value may be the object
    /// whose method is to be called.
    Field {
        /// The class that declares it.
        class: ClassRef,
        /// Its number among the fields of the class.
        number: u16,
    },
}

/// Whether a test in the same package can call the method, on an instance of the class or of a
/// subclass. Bridges are called through the supertype whose method they override.
pub fn is_accessible(classes: &Classes<'_>, method: MemberView<'_>) -> bool {
    !method.is_private()
        && (!method.is_synthetic() || method.is_bridge())
        && method.name() != "<clinit>"
        && is_class_accessible(classes, method.class())
}

/// Whether a test in the same package can name the class.
pub fn is_class_accessible(classes: &Classes<'_>, class: ClassView<'_>) -> bool {
    // Bounded, since a damaged class file may call itself its outer class.
    const MAX_DEPTH: usize = 32;
    let mut name = class.name().to_owned();
    for _ in 0..MAX_DEPTH {
        let Some(view) = classes.index().get(&name) else { return true };
        if view.is_synthetic() || view.declared_access().is_private() {
            return false;
        }
        match view.nesting() {
            Nesting::TopLevel => return true,
            Nesting::Member { outer, .. } => name = outer.to_owned(),
            Nesting::Local { .. } | Nesting::Anonymous => return false,
        }
    }
    false
}

/// How a test gets into a method that it cannot call.
#[derive(Default)]
pub(super) struct Ways {
    /// The accessible members from which calls lead to the method, nearest first. A static
    /// initialiser is entered by the first use of its class.
    pub(super) entries: Vec<EntryPoint>,
    /// Calls that lead to it on objects that such members yield, nearest first.
    pub(super) yielded: Vec<Yielded>,
    /// The methods on the ways from these members, nearest first.
    pub(super) guides: Vec<Guide>,
}

/// A method from which calls lead to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guide {
    /// The method.
    pub method: MethodId,
    /// Indices of its instructions that lead on: they call the next method on the way, or make the
    /// object that has it.
    pub instructions: Vec<usize>,
    /// How many calls away it is.
    pub distance: u32,
}

/// All ways into a method that a test cannot call.
pub(super) fn ways_into(classes: &Classes<'_>, target: MemberView<'_>) -> Ways {
    let Calls { callers, lambdas, others } = calls_in_nest(classes, target.class());
    let mut found: Vec<EntryPoint> = Vec::new();
    let mut yielded = Vec::new();
    let mut seen = BTreeSet::from([MethodId::of(target)]);
    let mut open = VecDeque::from([(MethodId::of(target), 0)]);
    let mut guides = Vec::new();
    while let Some((next, distance)) = open.pop_front() {
        let uses = next.view(classes.index()).map(|it| first_uses(classes, it)).unwrap_or_default();
        let is_entered = !uses.is_empty();
        found.extend(uses);
        if let Some(hidden) = next.view(classes.index()) {
            let makers = callers.get(&next).into_iter().flat_map(BTreeMap::keys);
            let calls = makers.filter_map(|it| others.get(it)).flatten().collect();
            yielded.extend(calls_of_yielded(classes, hidden, lambdas.get(&next), &calls));
        }
        for (&caller, instructions) in callers.get(&next).into_iter().flatten().filter(|_| !is_entered) {
            if !seen.insert(caller) {
                continue;
            }
            let distance = distance + 1;
            guides.push(Guide {
                method: caller,
                instructions: instructions.iter().copied().collect(),
                distance,
            });
            let accessible = caller.view(classes.index()).is_some_and(|it| is_accessible(classes, it));
            if accessible {
                found.push(EntryPoint::Method(caller))
            } else {
                open.push_back((caller, distance))
            }
        }
    }
    let mut named = BTreeSet::new();
    found.retain(|it| named.insert(*it));
    found.truncate(MAX_ENTRY_POINTS);
    // A bridge leads to the same call as the method that it calls.
    let mut called = BTreeSet::new();
    yielded.retain(|it: &Yielded| called.insert(it.called));
    yielded.truncate(MAX_ENTRY_POINTS);
    guides.truncate(MAX_GUIDES);
    Ways { entries: found, yielded, guides }
}

/// The uses of a class that make a JVM run its static initialiser (JVMS §5.5); none for other
/// methods. Constants are read without it.
fn first_uses(classes: &Classes<'_>, initialiser: MemberView<'_>) -> Vec<EntryPoint> {
    let class = initialiser.class();
    if initialiser.name() != "<clinit>" || !is_class_accessible(classes, class) {
        return Vec::new();
    }
    let fields = class.fields().filter(|it| it.is_static() && it.constant().is_none());
    let fields = fields
        .filter(|it| !it.is_private() && !it.is_synthetic())
        .map(|it| EntryPoint::Field { class: class.reference(), number: it.number() });
    let methods = class.methods().filter(|it| it.is_static() || it.name() == "<init>");
    let methods = methods
        .filter(|it| is_accessible(classes, *it))
        // The constructor of an abstract class runs through its subclasses alone, that of an enum
        // not at all.
        .filter(|it| it.is_static() || !class.is_abstract())
        .map(|it| EntryPoint::Method(MethodId::of(it)));
    fields.take(MAX_FIELDS).chain(methods).take(MAX_ENTRY_POINTS).collect()
}

/// Who calls whom among the classes of one nest.
struct Calls {
    /// For each method those that call it, by which instructions.
    callers: BTreeMap<MethodId, BTreeMap<MethodId, BTreeSet<usize>>>,
    /// For bodies of lambdas and referenced methods the functional interfaces, with their methods,
    /// that they are made objects of.
    lambdas: BTreeMap<MethodId, Functional>,
    /// For each method its calls on objects with objects as arguments.
    others: BTreeMap<MethodId, BTreeSet<Called>>,
}

/// The calls among the classes of one nest. Making a lambda counts as calling its body, the first
/// use of a class as calling its static initialiser, and making an object of a class that a test
/// cannot name as calling its methods.
fn calls_in_nest(classes: &Classes<'_>, class: ClassView<'_>) -> Calls {
    let nest = classes.nest(class);
    let mut calls = Calls { callers: BTreeMap::new(), lambdas: BTreeMap::new(), others: BTreeMap::new() };
    for &class in &nest {
        classes.for_each_body(class, |caller, body| {
            for (instruction, callee) in callees_in_nest(classes, &nest, body) {
                let by = calls.callers.entry(callee).or_default();
                by.entry(caller).or_default().insert(instruction);
            }
            calls.lambdas.extend(lambdas_in_nest(&nest, body));
            calls.others.insert(caller, calls_with_objects(body));
        });
    }
    calls
}

/// The methods of the nest that a body makes into objects.
fn lambdas_in_nest(nest: &[ClassView<'_>], body: &MethodBody<'_>) -> Vec<(MethodId, Functional)> {
    let lambda = |call: CallSite<'_>| {
        let body = call.lambda()?.member;
        let owner = nest.iter().find(|it| body.owner == it.name())?;
        let method = owner.method(&body.name.to_str(), &body.descriptor.to_str())?;
        let CallTarget::Dynamic(target) = &call.target else { return None };
        let interface = call.signature.result()?.class_name()?.to_str().into_owned();
        Some((MethodId::of(method), Functional { interface, method: target.name.to_str().into_owned() }))
    };
    call_sites(body).filter_map(lambda).collect()
}

fn calls_with_objects(body: &MethodBody<'_>) -> BTreeSet<Called> {
    let called = |call: CallSite<'_>| {
        let CallTarget::Method { kind, method } = &call.target else { return None };
        let is_on_object = matches!(kind, InvokeKind::Interface | InvokeKind::Virtual);
        let takes_object = call.signature.parameters().any(|it| it.class_name().is_some());
        (is_on_object && takes_object).then(|| Called {
            owner: method.owner.to_str().into_owned(),
            name: method.name.to_str().into_owned(),
            descriptor: method.descriptor.to_str().into_owned(),
        })
    };
    call_sites(body).filter_map(called).collect()
}

/// The calls of a body that may run methods of the nest, overrides included, by instruction.
fn callees_in_nest(
    classes: &Classes<'_>,
    nest: &[ClassView<'_>],
    body: &MethodBody<'_>,
) -> Vec<(usize, MethodId)> {
    let graph = CallGraph::new(classes);
    let mut callees = Vec::new();
    for call in call_sites(body) {
        callees.extend(graph.callees_among(&call, nest).into_iter().map(|it| (call.instruction, it)));
    }
    let find = |name: JavaStr<'_>| nest.iter().find(|it| name == it.name());
    for used in initialisations(body) {
        let Some(class) = find(used.class) else { continue };
        let is_hidden = used.instantiates && !is_class_accessible(classes, *class);
        let run = class.methods().filter(|it| is_hidden || it.name() == "<clinit>");
        callees.extend(run.map(|it| (used.instruction, MethodId::of(it))));
    }
    callees
}
