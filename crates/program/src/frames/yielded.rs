//! Methods that run when a test calls objects that accessible members yield: those of anonymous and
//! private classes, of the bodies of enum constants, and lambdas.

use std::collections::BTreeSet;

use crashback_classfile::{JavaStr, MethodDescriptor};

use super::entry::{EntryPoint, is_accessible, is_class_accessible};
use crate::classes::{Classes, MethodId};
use crate::hierarchy::Supertype;
use crate::index::{ClassView, MemberView};

/// Most ways to such an object that are listed.
const MAX_SOURCES: usize = 8;

/// A call by which a method runs that a test cannot name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Yielded {
    /// The method that runs.
    pub run: MethodId,
    /// The method that is called: the one that `run` overrides, or that of the functional
    /// interface.
    pub called: MethodId,
    /// Accessible members of the same top-level class that yield objects of the type. Some of these
    /// objects may be of the class whose method runs.
    pub sources: Vec<EntryPoint>,
    /// Calls by which such an object is given to others where it is made. Not empty where there are
    /// no sources.
    pub handovers: Vec<Handover>,
}

/// A call that gives an object away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Handover {
    /// Internal name of the type whose object is called.
    pub owner: String,
    /// The method that is called, which a class below may override.
    pub method: MethodId,
    /// Place of the parameter that the object stands for.
    pub parameter: u8,
}

/// An instance method that some code calls.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Called {
    pub(super) owner: String,
    pub(super) name: String,
    pub(super) descriptor: String,
}

/// The interface of a lambda, and the name of the method by which it is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Functional {
    pub(super) interface: String,
    pub(super) method: String,
}

/// The calls of accessible methods that may run a hidden one: the body of a lambda, or a method of
/// a class that a test cannot name.
pub(super) fn calls_of_yielded(
    classes: &Classes<'_>,
    hidden: MemberView<'_>,
    lambda: Option<&Functional>,
    calls: &BTreeSet<&Called>,
) -> Vec<Yielded> {
    let (class, called) = match lambda {
        Some(lambda) => (lambda.interface.clone(), methods_of_interface(classes, lambda)),
        None if is_overriding(classes, hidden) => {
            (hidden.class().name().to_owned(), overridden(classes, hidden))
        }
        None => return Vec::new(),
    };
    let mut found = Vec::new();
    for called in called {
        let sources = sources(classes, hidden.class(), &class, called.class().name());
        let handovers = handovers(classes, hidden.class(), &class, called.class().name(), calls);
        if !sources.is_empty() || !handovers.is_empty() {
            let (run, called) = (MethodId::of(hidden), MethodId::of(called));
            found.push(Yielded { run, called, sources, handovers });
        }
    }
    found
}

fn is_overriding(classes: &Classes<'_>, method: MemberView<'_>) -> bool {
    !method.is_static()
        && !method.is_private()
        && !method.name().starts_with('<')
        && !is_class_accessible(classes, method.class())
}

fn methods_of_interface<'s>(classes: &Classes<'s>, lambda: &Functional) -> Vec<MemberView<'s>> {
    let above = classes.hierarchy().supertypes(&lambda.interface).into_iter().filter_map(Supertype::known);
    let methods = above.flat_map(|it| it.methods().filter(|it| it.is_abstract() && !it.is_static()));
    methods.filter(|it| it.name() == lambda.method).collect()
}

/// The accessible methods that a method overrides, itself or through a bridge.
fn overridden<'s>(classes: &Classes<'s>, method: MemberView<'_>) -> Vec<MemberView<'s>> {
    let class = method.class();
    let bridges = class.methods_named(method.name()).filter(|it| it.is_bridge() && !method.is_bridge());
    let descriptors: Vec<&str> = std::iter::once(method).chain(bridges).map(MemberView::descriptor).collect();
    let above = classes.hierarchy().supertypes(class.name()).into_iter().filter_map(Supertype::known);
    let methods = above.filter(|it| it.name() != class.name()).flat_map(|above| {
        descriptors.iter().filter_map(move |it| above.method(method.name(), it)).collect::<Vec<_>>()
    });
    methods.filter(|it| is_accessible(classes, *it) && !it.is_static()).collect()
}

/// The accessible methods and fields of a nest whose type lies between a hidden one and the one
/// that declares the called method.
fn sources(classes: &Classes<'_>, member: ClassView<'_>, hidden: &str, called: &str) -> Vec<EntryPoint> {
    let hierarchy = classes.hierarchy();
    let lies_between = |of: &str| {
        hierarchy.is_subtype(hidden, of) == Some(true) && hierarchy.is_subtype(of, called) == Some(true)
    };
    let mut found = Vec::new();
    for class in classes.nest(member).into_iter().filter(|it| is_class_accessible(classes, *it)) {
        let fields = class.fields().filter(|it| !it.is_private() && !it.is_synthetic());
        let fields = fields.filter(|it| it.type_class().is_some_and(lies_between));
        found.extend(fields.map(|it| EntryPoint::Field { class: class.reference(), number: it.number() }));
        let methods = class.methods().filter(|it| is_accessible(classes, *it) && !it.is_synthetic());
        let methods = methods.filter(|it| result_of(*it).is_some_and(|of| lies_between(&of)));
        found.extend(methods.map(|it| EntryPoint::Method(MethodId::of(it))));
    }
    found.truncate(MAX_SOURCES);
    found
}

/// The calls, on objects of other classes, with a parameter whose type lies between a hidden one
/// and the one that declares the called method.
fn handovers(
    classes: &Classes<'_>,
    member: ClassView<'_>,
    hidden: &str,
    called: &str,
    calls: &BTreeSet<&Called>,
) -> Vec<Handover> {
    let hierarchy = classes.hierarchy();
    let nest: BTreeSet<&str> = classes.nest(member).iter().map(|it| it.name()).collect();
    let mut found = Vec::new();
    for call in calls.iter().filter(|it| !nest.contains(it.owner.as_str())) {
        let Some(method) = hierarchy.resolve_method(&call.owner, &call.name, &call.descriptor) else {
            continue;
        };
        let encoded = JavaStr::encode(&call.descriptor);
        let Ok(descriptor) = MethodDescriptor::parse(JavaStr::new(&encoded)) else { continue };
        for (parameter, of) in (0..=u8::MAX).zip(descriptor.parameters()) {
            let Some(of) = of.class_name().map(|it| it.to_str().into_owned()) else { continue };
            let takes_it = hierarchy.is_subtype(hidden, &of) == Some(true)
                && hierarchy.is_subtype(&of, called) == Some(true);
            if takes_it && !method.is_static() && !method.is_private() && !method.access().is_final() {
                found.push(Handover { owner: call.owner.clone(), method: MethodId::of(method), parameter });
            }
        }
    }
    found.truncate(MAX_SOURCES);
    found
}

fn result_of(method: MemberView<'_>) -> Option<String> {
    let encoded = JavaStr::encode(method.descriptor());
    let descriptor = MethodDescriptor::parse(JavaStr::new(&encoded)).ok()?;
    Some(descriptor.result()?.class_name()?.to_str().into_owned())
}
