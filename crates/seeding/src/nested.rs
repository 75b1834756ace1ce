//! What nested classes are made of, where the code around the crash reflects on the classes of its
//! users: annotations of the program that reflection sees, and types that this code mentions.

use std::collections::{BTreeSet, VecDeque};

use crashback_classfile::{
    ClassFile, JavaStr, MethodSignature, SignatureElement, TypeArgument, TypeSignature,
};
use crashback_program::callgraph::CallGraph;
use crashback_program::classes::{Classes, MethodId};
use crashback_program::code::{Literal, Operation};
use crashback_program::frames::{CrashAudit, Origin};
use crashback_program::index::ClassKind;
use crashback_program::{ClassView, MemberView};
use crashback_testcase::workshop::{AnnotationType, Element, ElementKind, NestedParts};
use crashback_testcase::{Places, Type, TypeRef};

use crate::collect::Offers;

/// Notes the parts if code on the trace, or code that it calls, reflects on classes.
pub(crate) fn add(classes: &Classes<'_>, audit: &CrashAudit, offers: &mut Offers<'_>) {
    if !offers.tuning.source_nested_classes {
        return;
    }
    let found = look(classes, audit, offers);
    if !found.reflects {
        return;
    }
    let index = classes.index();
    let traced = offers.pools.traced.iter().filter_map(|(class, _)| index.get(class));
    let packages: BTreeSet<&str> = found
        .annotations
        .iter()
        .filter_map(|it| index.get(it))
        .chain(traced)
        .map(|it| it.package())
        .collect();
    let beside = packages.iter().flat_map(|it| index.package(it)).filter_map(|it| index.view(*it));
    let named = found.annotations.iter().filter_map(|it| index.get(it));
    let mut parts = NestedParts { types: found.types, ..NestedParts::default() };
    for class in named.chain(beside).filter(|it| it.kind() == ClassKind::Annotation) {
        let of = Type::of_class(class.name());
        if parts.annotations.len() >= offers.tuning.nested_annotations
            || parts.annotations.iter().any(|it| it.of == of)
        {
            continue;
        }
        parts.annotations.extend(annotation_type(classes, class));
    }
    offers.pools.nested = Some(parts);
}

/// What code says of classes.
#[derive(Default)]
struct Found {
    reflects: bool,
    /// Internal names of annotations that are named, in the order of the code.
    annotations: Vec<String>,
    types: Vec<Type>,
}

/// Looks through the methods of the trace, the constructors of their classes and what these call.
fn look(classes: &Classes<'_>, audit: &CrashAudit, offers: &Offers<'_>) -> Found {
    let tuning = offers.tuning;
    let frames = || audit.frames.iter().filter(|it| it.origin != Origin::Jdk).filter_map(|it| it.resolved);
    let declaring = frames().filter_map(|it| classes.index().view(it.class));
    let constructors =
        declaring.flat_map(|it| it.methods_named("<init>").map(MethodId::of).collect::<Vec<_>>());
    let mut open: VecDeque<(MethodId, usize)> = frames().chain(constructors).map(|it| (it, 0)).collect();
    let mut seen = BTreeSet::new();
    let mut found = Found::default();
    while let Some((method, depth)) = open.pop_front() {
        if seen.len() >= tuning.reflection_methods || !seen.insert(method) {
            continue;
        }
        classes.with_body(method, |body| {
            body.operations().for_each(|(_, it)| found.note(classes, it, tuning.nested_types));
        });
        if depth < tuning.reflection_depth {
            let callees = CallGraph::new(classes).callees(method).into_iter();
            let is_own =
                |it: &MethodId| it.view(classes.index()).is_some_and(|it| !classes.is_jdk(it.class().name()));
            open.extend(callees.filter(is_own).map(|it| (it, depth + 1)));
        }
    }
    found
}

impl Found {
    fn note(&mut self, classes: &Classes<'_>, operation: &Operation<'_>, most_types: usize) {
        let name = match operation {
            Operation::Push(Literal::Class(name)) => name.to_str(),
            Operation::Invoke(invoke) => {
                let (owner, called) = (invoke.method.owner.to_str(), invoke.method.name.to_str());
                self.reflects |= is_reflection(&owner, &called);
                owner
            }
            _ => return,
        };
        let kind = classes.index().get(&name).map(|it| it.kind());
        let is_named = matches!(operation, Operation::Push(_));
        if kind == Some(ClassKind::Annotation) {
            if !self.annotations.iter().any(|it| **it == *name) {
                self.annotations.push(name.into_owned());
            }
        } else if is_named && self.types.len() < most_types {
            let of = Type::of_class_constant(&name);
            if !self.types.contains(&of) {
                self.types.push(of);
            }
        }
    }
}

/// Whether a method of the JDK tells of the members or annotations of a class, or makes objects of it.
fn is_reflection(owner: &str, name: &str) -> bool {
    const OF_CLASSES: [&str; 19] = [
        "getAnnotation",
        "getAnnotations",
        "getConstructor",
        "getConstructors",
        "getDeclaredAnnotation",
        "getDeclaredAnnotations",
        "getDeclaredConstructor",
        "getDeclaredConstructors",
        "getDeclaredField",
        "getDeclaredFields",
        "getDeclaredMethod",
        "getDeclaredMethods",
        "getField",
        "getFields",
        "getMethod",
        "getMethods",
        "isAnnotationPresent",
        "newInstance",
        "getRecordComponents",
    ];
    match owner {
        "java/lang/Class" => OF_CLASSES.contains(&name),
        "java/lang/reflect/AccessibleObject"
        | "java/lang/reflect/AnnotatedElement"
        | "java/lang/reflect/Constructor"
        | "java/lang/reflect/Field"
        | "java/lang/reflect/Method" => true,
        _ => owner.starts_with("java/beans/"),
    }
}

/// An annotation that reflection sees, unless tests cannot write an element that must be given.
fn annotation_type(classes: &Classes<'_>, class: ClassView<'_>) -> Option<AnnotationType> {
    let places = Places::of(class)?;
    let bytes = classes.bytes(class.reference()).ok()?;
    let file = ClassFile::parse(&bytes).ok()?;
    let mut elements = Vec::new();
    for (method, member) in class.methods().zip(&file.methods).filter(|(it, _)| it.is_abstract()) {
        let has_default = member
            .attributes
            .iter()
            .any(|it| it.name(&file.pool).is_ok_and(|it| it.to_str() == "AnnotationDefault"));
        match kind_of(classes, method) {
            Some(kind) => {
                elements.push(Element { name: method.name().into(), kind, is_required: !has_default });
            }
            None if has_default => {}
            None => return None,
        }
    }
    Some(AnnotationType { of: Type::of_class(class.name()), places, elements })
}

/// What an element of an annotation takes; none for nested annotations.
fn kind_of(classes: &Classes<'_>, element: MemberView<'_>) -> Option<ElementKind> {
    let result = TypeRef(element.descriptor().strip_prefix("()")?);
    let bound = element.signature().and_then(class_bound);
    let inner = match result.innermost() {
        TypeRef::STRING => ElementKind::Plain(TypeRef::STRING.into()),
        TypeRef::CLASS => ElementKind::Class(bound.filter(|it| it.view() != TypeRef::OBJECT)),
        other if !other.is_reference() => ElementKind::Plain(other.into()),
        other => {
            let class = classes.index().get(other.class_name()?)?;
            let constants =
                class.fields().filter(|it| it.is_static() && it.descriptor() == other.descriptor());
            let names: Vec<_> = constants.map(|it| it.name().into()).collect();
            (class.kind() == ClassKind::Enum && !names.is_empty()).then_some(())?;
            ElementKind::Constant(other.into(), names)
        }
    };
    Some(if result.dimensions() > 0 { ElementKind::Array(Box::new(inner)) } else { inner })
}

/// The class `B` of a result `Class<? extends B>`.
fn class_bound(signature: &str) -> Option<Type> {
    let encoded = JavaStr::encode(signature);
    let parsed = MethodSignature::parse(JavaStr::new(&encoded)).ok()?;
    let argument = |of: &TypeSignature<'_>| match &of.element {
        SignatureElement::Class(class) => match class.arguments.first()? {
            TypeArgument::Extends(bound) | TypeArgument::Exact(bound) => match &bound.element {
                SignatureElement::Class(bound) if bound.members.is_empty() => {
                    Some(Type::of_class(&bound.name.to_str()))
                }
                _ => None,
            },
            TypeArgument::Any | TypeArgument::Super(_) => None,
        },
        _ => None,
    };
    argument(parsed.result.as_ref()?)
}
