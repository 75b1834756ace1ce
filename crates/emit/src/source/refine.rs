//! Type arguments for variables, where signatures tell them.
//!
//! A variable keeps its arguments only if no use of it needs a cast because of them. The arguments that
//! its uses ask for are tried first, then wider ones; if none fit it is raw, with which every use compiles.

use std::collections::BTreeMap;

use crashback_testcase::{Answer, Kind, MethodId, MockKind, Statement};

use super::formal::field_type;
use super::java_type::{Argument, JavaType, Seen, Variable, method_signature, variables};
use super::plan::{Role, Use};
use super::writer::Writer;

/// Gives type arguments to the variables of a source that have names and erased types.
pub(crate) fn refine(writer: &mut Writer<'_>) {
    let erased = writer.variables.clone();
    let order = writer.plan.order().to_vec();
    // How many of the types that were proposed for a variable did not fit.
    let mut refused: BTreeMap<usize, usize> = BTreeMap::new();
    loop {
        writer.variables.clone_from(&erased);
        for &number in &order {
            let proposed = proposals(writer, number).unwrap_or_default();
            let of = proposed.into_iter().nth(refused.get(&number).copied().unwrap_or(0));
            if let (Some(of), Some(Some(variable))) = (of, writer.variables.get_mut(number)) {
                variable.of = of;
            }
        }
        writer.misfits.borrow_mut().clear();
        for &number in &order {
            writer.line(number);
        }
        let mut misfits = writer.misfits.take();
        misfits.retain(|it| writer.variable(*it).is_some_and(|it| it.of.is_parameterized()));
        if misfits.is_empty() {
            return;
        }
        for number in misfits {
            *refused.entry(number).or_default() += 1;
        }
    }
}

/// Types with arguments for a variable, the best first.
fn proposals(writer: &Writer<'_>, number: usize) -> Option<Vec<JavaType>> {
    let declared = &writer.variables.get(number)?.as_ref()?.of;
    let mut proposed = match writer.test.statements().get(number)? {
        Statement::Construct { .. } => from_uses(writer, number, declared),
        Statement::Call { method, receiver: None, .. } if is_factory(writer, *method) => {
            from_uses(writer, number, declared)
        }
        Statement::Call { .. } | Statement::ReadField { .. } => writer.make(number)?.of.into_iter().collect(),
        Statement::NewArray { .. } => unbounded(writer, declared).into_iter().collect(),
        Statement::Mock(mock) if writer.vocabulary.mock(*mock)?.kind == MockKind::Anonymous => {
            from_uses(writer, number, declared)
        }
        // Mocks that a library makes are raw: nothing can be told of them but what uses ask for.
        Statement::Mock(_) => {
            let asked = has_wishes(writer, number, declared).then(|| from_uses(writer, number, declared));
            let asked = asked.into_iter().flatten().take(1);
            asked.chain(unbounded(writer, declared)).collect()
        }
        _ => return None,
    };
    proposed.retain(|it| {
        it.descriptor() == declared.descriptor() && it.is_parameterized() && writer.can_name(it)
    });
    proposed.dedup();
    Some(proposed)
}

/// Whether a method leaves the type arguments of its result to the compiler, which takes those of the
/// variable: `emptyList()`.
fn is_factory(writer: &Writer<'_>, method: MethodId) -> bool {
    let signature = || {
        let name = writer.vocabulary.method_name(writer.vocabulary.method(method)?)?;
        method_signature(writer.context.method(&name).ok()??.signature()?)
    };
    let Some(signature) = signature() else { return false };
    let own = variables(&signature.type_parameters);
    let is_unbounded = |it: &Variable| it.bounds.iter().all(|it| *it == JavaType::object());
    let Some(JavaType::Class { arguments, .. }) = signature.result.as_ref().map(JavaType::of_signature)
    else {
        return false;
    };
    let declares = |name: &str| own.iter().any(|it| it.name == name);
    let is_own = |it: &Argument| matches!(it, Argument::Exact(JavaType::Variable(name)) if declares(name));
    !arguments.is_empty()
        && arguments.iter().all(is_own)
        && own.iter().all(is_unbounded)
        && !signature.parameters.iter().map(JavaType::of_signature).any(|it| it.mentions_variable())
}

/// A class of which nothing is said: `Class<?>`, also as the element of an array.
fn unbounded(writer: &Writer<'_>, of: &JavaType) -> Option<JavaType> {
    match of {
        JavaType::Array(element) => unbounded(writer, element).map(|it| JavaType::Array(Box::new(it))),
        JavaType::Class { name, .. } => {
            let parameters = writer.signatures().parameters(name);
            let arguments: Vec<Argument> = parameters.iter().map(|_| Argument::Any).collect();
            (!arguments.is_empty()).then(|| JavaType::Class { name: name.clone(), arguments })
        }
        _ => None,
    }
}

/// The type arguments that uses of an object ask for, and those of the values that are put into it.
struct Wishes {
    asked: Vec<(String, JavaType)>,
    put: Vec<(String, JavaType)>,
}

impl Wishes {
    fn of(writer: &Writer<'_>, number: usize, open: &JavaType) -> Self {
        let uses = writer.plan.uses(number);
        let asked = uses.iter().flat_map(|it| asked_for(writer, it, open)).collect();
        let put = uses.iter().flat_map(|it| put_in(writer, it, open)).chain(answered(writer, number, open));
        Self { asked, put: put.collect() }
    }
}

/// A class with its own parameters as arguments.
fn open(writer: &Writer<'_>, of: &JavaType) -> Option<(JavaType, Vec<Variable>)> {
    let JavaType::Class { name, .. } = of else { return None };
    let parameters = writer.signatures().parameters(name);
    let arguments = parameters.iter().map(|it| Argument::Exact(JavaType::Variable(it.name.clone())));
    let arguments = arguments.collect();
    Some((JavaType::Class { name: name.clone(), arguments }, parameters))
}

/// Whether anything is asked for all parameters of a class.
fn has_wishes(writer: &Writer<'_>, number: usize, of: &JavaType) -> bool {
    let Some((open, parameters)) = open(writer, of) else { return false };
    let Wishes { asked, put } = Wishes::of(writer, number, &open);
    parameters.iter().all(|it| asked.iter().chain(&put).any(|(name, _)| *name == it.name))
}

/// Arguments for a new object: those that its uses ask for, then those that both uses and contents agree
/// on; what nothing is known of, or is disputed, is an `Object`.
fn from_uses(writer: &Writer<'_>, number: usize, of: &JavaType) -> Vec<JavaType> {
    let Some((open, parameters)) = open(writer, of) else { return Vec::new() };
    let Wishes { asked, put } = Wishes::of(writer, number, &open);
    let all: Vec<(String, JavaType)> = asked.iter().chain(&put).cloned().collect();
    let with = |choose: &dyn Fn(&Variable) -> Option<JavaType>| {
        let arguments = parameters.iter().map(|it| choose(it).map(Argument::Exact));
        let arguments = arguments.collect::<Option<Vec<_>>>()?;
        let JavaType::Class { name, .. } = of else { return None };
        Some(JavaType::Class { name: name.clone(), arguments })
    };
    let is_asked = |it: &Variable| asked.iter().any(|(name, _)| *name == it.name);
    let by_use = |it: &Variable| argument(writer, it, if is_asked(it) { &asked } else { &put });
    let by_all = |it: &Variable| argument(writer, it, &all);
    let any = |it: &Variable| argument(writer, it, &[]);
    [with(&by_use), with(&by_all), with(&any)].into_iter().flatten().collect()
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

/// The type of the parameter or field that a value is meant for, if that mentions no variables.
fn closed_formal(writer: &Writer<'_>, of: &Use) -> Option<JavaType> {
    let formal = match (writer.test.statements().get(of.statement)?, of.role) {
        (
            Statement::Construct { constructor: method, .. } | Statement::Call { method, .. },
            Role::Argument(at),
        ) => parameter(writer, *method, at)?,
        (Statement::Inject { field, .. } | Statement::WriteField { field, .. }, Role::Assigned) => {
            let field = writer.vocabulary.field_name(writer.vocabulary.field(*field)?)?;
            let hierarchy = writer.context.hierarchy();
            field_type(hierarchy.resolve_field(&field.owner, &field.name, &field.descriptor)?)?
        }
        _ => return None,
    };
    (formal.is_parameterized() && !formal.mentions_variable()).then_some(formal)
}

/// The generic type of a parameter.
fn parameter(writer: &Writer<'_>, method: MethodId, at: usize) -> Option<JavaType> {
    let name = writer.vocabulary.method_name(writer.vocabulary.method(method)?)?;
    let signature = method_signature(writer.context.method(&name).ok()??.signature()?)?;
    // An outer instance is in no signature; then numbers do not fit.
    let is_aligned = super::overload::parameters(&name.descriptor).len() == signature.parameters.len();
    signature.parameters.get(at).filter(|_| is_aligned).map(JavaType::of_signature)
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
            Some((own.clone(), if is_raw(writer, &of) { JavaType::object() } else { of }))
        });
        Some(pairs.collect())
    };
    match of.role {
        Role::Receiver => put().unwrap_or_default(),
        _ => Vec::new(),
    }
}

/// Whether a type lacks the arguments that its class has parameters for. As the argument of another type it
/// would be one more that nothing is known of.
fn is_raw(writer: &Writer<'_>, of: &JavaType) -> bool {
    match of {
        JavaType::Class { name, arguments } => {
            arguments.is_empty() && !writer.signatures().parameters(name).is_empty()
        }
        JavaType::Array(element) => is_raw(writer, element),
        _ => false,
    }
}

/// The types of the values that a mock answers with: `get()` that yields a text asks for `String`.
fn answered(writer: &Writer<'_>, number: usize, open: &JavaType) -> Vec<(String, JavaType)> {
    let wish = |statement: &Statement| {
        let Statement::Stub { mock, method, answer: Answer::Return(value), .. } = statement else {
            return None;
        };
        let method = writer.vocabulary.method(*method).filter(|_| writer.plan.maker(*mock) == number)?;
        let name = writer.vocabulary.method_name(method)?;
        let hierarchy = writer.context.hierarchy();
        let declared = hierarchy.resolve_method(&name.owner, &name.name, &name.descriptor)?;
        let result = method_signature(declared.signature()?)?.result.as_ref().map(JavaType::of_signature);
        let (Some(JavaType::Variable(name)), Seen::With(seen)) =
            (result, writer.signatures().seen_from(open, declared.class().name()))
        else {
            return None;
        };
        let Argument::Exact(JavaType::Variable(own)) = seen.get(&name)? else { return None };
        Some((own.clone(), writer.value(*value).of?))
    };
    writer.test.statements().iter().filter_map(wish).collect()
}
