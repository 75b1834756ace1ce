//! What methods of the trace ask objects of their own class: the results decide where they go on.

use crashback_program::classes::{Classes, MethodId};
use crashback_program::code::{Invoke, InvokeKind, Operation};

use crate::collect::Offers;

/// Adds the methods with a result that a method of the trace calls on its own class, or on one above or
/// below it, and that a class below could answer.
pub(crate) fn of_method(classes: &Classes<'_>, method: MethodId, offers: &mut Offers<'_>) {
    let Some(view) = method.view(classes.index()) else { return };
    let own = view.class().name();
    classes.with_body(method, |body| {
        for (_, operation) in body.operations() {
            if let Operation::Invoke(invoke) = operation
                && invoke.kind == InvokeKind::Virtual
                && invoke.signature.result().is_some()
            {
                add(classes, own, invoke, offers);
            }
        }
    });
}

fn add(classes: &Classes<'_>, own: &str, invoke: &Invoke<'_>, offers: &mut Offers<'_>) {
    let hierarchy = classes.hierarchy();
    let (owner, name) = (invoke.method.owner.to_str(), invoke.method.name.to_str());
    let is_above = |below: &str, above: &str| hierarchy.is_subtype(below, above) == Some(true);
    if classes.is_jdk(&owner) || !is_above(own, &owner) && !is_above(&owner, own) {
        return;
    }
    let descriptor = invoke.method.descriptor.to_str();
    let Some(called) = hierarchy.resolve_method(&owner, &name, &descriptor) else { return };
    let access = called.access();
    let pools = &mut offers.pools;
    let is_traced = pools.traced.iter().any(|(_, method)| *method == *name);
    if access.is_private() || access.is_final() || called.is_abstract() || is_traced {
        return;
    }
    let call = (called.class().name().to_owned(), name.into_owned());
    if pools.own_calls.len() < offers.tuning.blocked_methods && !pools.own_calls.contains(&call) {
        pools.own_calls.push(call);
    }
}
