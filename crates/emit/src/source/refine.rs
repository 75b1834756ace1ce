//! Type arguments for variables, where signatures tell them.
//!
//! A variable keeps its arguments only if no use of it needs a cast because of them; otherwise it
//! is raw, with which every use compiles.

use std::collections::BTreeSet;

use crashback_testcase::{Kind, Statement};

use super::java_type::{Argument, JavaType, Seen, Variable, method_signature};
use super::plan::{Role, Use};
use super::writer::Writer;

/// Gives type arguments to the variables of a source that have names and erased types.
pub(crate) fn refine(writer: &mut Writer<'_>) {
    let erased = writer.variables.clone();
    let order = writer.plan.order().to_vec();
    let mut raw: BTreeSet<usize> = BTreeSet::new();
    loop {
        writer.variables.clone_from(&erased);
        for &number in order.iter().filter(|it| !raw.contains(it)) {
            if let Some(of) = propose(writer, number)
                && let Some(Some(variable)) = writer.variables.get_mut(number)
            {
                variable.of = of;
            }
        }
        writer.misfits.borrow_mut().clear();
        for &number in &order {
            writer.line(number);
        }
        let misfits = writer.misfits.take();
        let before = raw.len();
        raw.extend(misfits);
        if raw.len() == before {
            return;
        }
    }
}

/// A type with arguments for a variable.
fn propose(writer: &Writer<'_>, number: usize) -> Option<JavaType> {
    let declared = &writer.variables.get(number)?.as_ref()?.of;
    let proposed = match writer.test.statements().get(number)? {
        Statement::Construct { .. } => arguments_from_uses(writer, number, declared)?,
        Statement::Call { .. } | Statement::ReadField { .. } => writer.make(number)?.of?,
        _ => return None,
    };
    let is_same = proposed.descriptor() == declared.descriptor();
    (is_same && proposed.is_parameterized() && writer.can_name(&proposed)).then_some(proposed)
}

/// Arguments for a new object, from what its uses ask for and what is put into it; what nothing is
/// known of is an `Object`.
fn arguments_from_uses(writer: &Writer<'_>, number: usize, of: &JavaType) -> Option<JavaType> {
    let JavaType::Class { name, .. } = of else { return None };
    let parameters = writer.signatures().parameters(name);
    let open = parameters.iter().map(|it| Argument::Exact(JavaType::Variable(it.name.clone())));
    let open = JavaType::Class { name: name.clone(), arguments: open.collect() };
    let mut wishes: Vec<(String, JavaType)> = Vec::new();
    for of in writer.plan.uses(number) {
        wishes.extend(asked_for(writer, of, &open));
        wishes.extend(put_in(writer, of, &open));
    }
    let arguments = parameters.iter().map(|it| argument(writer, it, &wishes).map(Argument::Exact));
    Some(JavaType::Class { name: name.clone(), arguments: arguments.collect::<Option<_>>()? })
}

/// The one type that is wished for a parameter, if its bound allows it. Different wishes are met by
/// `Object`.
fn argument(writer: &Writer<'_>, parameter: &Variable, wishes: &[(String, JavaType)]) -> Option<JavaType> {
    let mut wished = wishes.iter().filter(|(name, _)| *name == parameter.name).map(|(_, of)| of);
    let first = wished.next();
    let chosen =
        first.filter(|first| wished.all(|it| it == *first)).cloned().unwrap_or_else(JavaType::object);
    let is_allowed = parameter.bounds.iter().all(|bound| {
        let below = chosen.class_constant().zip(bound.class_constant());
        let hierarchy = writer.context.hierarchy();
        !bound.is_parameterized()
            && below.is_some_and(|(sub, sup)| hierarchy.is_subtype(&sub, &sup) == Some(true))
    });
    is_allowed.then_some(chosen)
}

/// The type arguments that a parameter or field of a parameterized type asks for: a `List<String>`
/// asks an `ArrayList<E>` for `E` to be `String`.
fn asked_for(writer: &Writer<'_>, of: &Use, open: &JavaType) -> Vec<(String, JavaType)> {
    let Some(JavaType::Class { name, arguments }) = closed_formal(writer, of) else { return Vec::new() };
    let Seen::With(seen) = writer.signatures().seen_from(open, &name) else { return Vec::new() };
    let parameters = writer.signatures().parameters(&name);
    let pairs = parameters.iter().zip(&arguments).filter_map(|(parameter, asked)| {
        let Argument::Exact(JavaType::Variable(own)) = seen.get(&parameter.name)? else { return None };
        Some((own.clone(), asked.bound()?.clone()))
    });
    pairs.collect()
}

/// The type of the parameter that a value is passed for, if that mentions no variables.
fn closed_formal(writer: &Writer<'_>, of: &Use) -> Option<JavaType> {
    let Role::Argument(at) = of.role else { return None };
    let (Statement::Construct { constructor: method, .. } | Statement::Call { method, .. }) =
        writer.test.statements().get(of.statement)?
    else {
        return None;
    };
    let name = writer.vocabulary.method_name(writer.vocabulary.method(*method)?)?;
    let signature = method_signature(writer.context.method(&name).ok()??.signature()?)?;
    // An outer instance is in no signature; then numbers do not fit.
    let is_aligned = super::overload::parameters(&name.descriptor).len() == signature.parameters.len();
    let formal = signature.parameters.get(at).filter(|_| is_aligned).map(JavaType::of_signature)?;
    (formal.is_parameterized() && !formal.mentions_variable()).then_some(formal)
}

/// The types that a call on the object puts in: `add("a")` asks for `String`.
fn put_in(writer: &Writer<'_>, of: &Use, open: &JavaType) -> Vec<(String, JavaType)> {
    let put = || {
        let Statement::Call { method, arguments, .. } = writer.test.statements().get(of.statement)? else {
            return None;
        };
        let method = writer.vocabulary.method(*method).filter(|it| it.kind == Kind::Instance)?;
        let declared = writer.context.method(&writer.vocabulary.method_name(method)?).ok()??;
        let signature = method_signature(declared.signature()?)?;
        let Seen::With(seen) = writer.signatures().seen_from(open, declared.class().name()) else {
            return None;
        };
        let pairs = signature.parameters.iter().zip(arguments).filter_map(|(formal, argument)| {
            let JavaType::Variable(name) = JavaType::of_signature(formal) else { return None };
            let Argument::Exact(JavaType::Variable(own)) = seen.get(&name)? else { return None };
            let of = writer.value(*argument).of?;
            Some((own.clone(), of))
        });
        Some(pairs.collect())
    };
    match of.role {
        Role::Receiver => put().unwrap_or_default(),
        _ => Vec::new(),
    }
}
