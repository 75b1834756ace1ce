//! Types whose objects the code around the crash relies on: it calls methods that any object or an
//! implementation of an interface of the JDK has, or lets the JDK call them.

use crashback_classfile::{ElementType, JavaStr, MethodDescriptor};
use crashback_program::classes::{Classes, MethodId};
use crashback_program::code::{Invoke, InvokeKind, Operation};

use crate::collect::Offers;

const OBJECT: &str = "java/lang/Object";

/// Adds the types that a method of the trace asks something.
pub(crate) fn of_method(classes: &Classes<'_>, method: MethodId, offers: &mut Offers<'_>) {
    classes.with_body(method, |body| {
        for (_, operation) in body.operations() {
            match operation {
                Operation::Invoke(invoke) => of_call(classes, invoke, offers),
                Operation::InvokeDynamic(call) if call.bootstrap.member.name == "makeConcatWithConstants" => {
                    add_parameters(classes, call.signature, offers);
                }
                _ => {}
            }
        }
    });
}

fn of_call(classes: &Classes<'_>, invoke: &Invoke<'_>, offers: &mut Offers<'_>) {
    let (owner, name) = (invoke.method.owner.to_str(), invoke.method.name.to_str());
    if !classes.is_jdk(&owner) {
        return;
    }
    let is_of_all = ["toString", "equals", "hashCode"].contains(&&*name);
    if invoke.kind != InvokeKind::Static && (invoke.method.interface || &*owner == OBJECT && is_of_all) {
        add(classes, invoke.method.owner, offers);
    }
    if ASKING.contains(&&*name) {
        add_parameters(classes, invoke.signature, offers);
    }
    if COMPARING.contains(&&*name) {
        let compared = ["java/lang/Comparable", "java/util/Comparator"];
        offers.pools.questioned.extend(compared.map(str::to_owned));
    }
}

/// Methods of the JDK that call methods of an object or an interface that they are given.
const ASKING: [&str; 14] = [
    "append", "compare", "contains", "equals", "format", "hash", "hashCode", "indexOf", "join", "print",
    "println", "remove", "toString", "valueOf",
];

/// Methods of the JDK that compare elements.
const COMPARING: [&str; 5] = ["binarySearch", "compare", "max", "min", "sort"];

fn add_parameters(classes: &Classes<'_>, signature: MethodDescriptor<'_>, offers: &mut Offers<'_>) {
    for parameter in signature.parameters() {
        if let ElementType::Class(name) = parameter.element {
            add(classes, name, offers);
        }
    }
}

/// Adds `Object` or an interface of the JDK.
fn add(classes: &Classes<'_>, name: JavaStr<'_>, offers: &mut Offers<'_>) {
    let name = name.to_str();
    let is_interface = classes.index().get(&name).is_some_and(|it| it.is_interface());
    if &*name == OBJECT || is_interface && classes.is_jdk(&name) {
        offers.pools.questioned.insert(name.into_owned());
    }
}
