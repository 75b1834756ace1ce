//! Names and types of the variables of a source.

use std::collections::BTreeSet;

use crashback_program::hierarchy::Supertype;
use crashback_testcase::{Answer, MockKind, Statement, Type, TypeRef, Var};

use super::anonymous;
use super::java_type::JavaType;
use super::layout::{FOLDER, uses_folder};
use super::mock::INVOCATION;
use super::plan::{Role, Use};
use super::received::{RECEIVED, RECORDER};
use super::variables::{self, Names};
use super::writer::{Variable, Writer};

/// Gives every statement that needs one a variable, with an erased type. Packages are the first
/// parts of the qualified names that the source has.
pub(crate) fn choose_variables(writer: &mut Writer<'_>, packages: BTreeSet<String>) {
    let statements = writer.test.statements();
    let mut names = Names::except(reserved(writer, packages));
    let mut chosen = vec![None; statements.len()];
    for &number in writer.plan.order() {
        let is_used = !writer.plan.uses(number).is_empty();
        let Some(statement) = statements.get(number) else { continue };
        if let Some(of) = writer.typing.get(variable(number)).filter(|_| is_used || !is_effect(statement)) {
            let name = names.take(&wishes(writer, number, of));
            if let Some(place) = chosen.get_mut(number) {
                *place = Some(Variable { name, of: declared_type(writer, number, of) });
            }
        }
    }
    writer.variables = chosen;
}

fn variable(number: usize) -> Var {
    Var(u16::try_from(number).unwrap_or(u16::MAX))
}

/// Whether it can stand alone without a variable (JLS 14.8).
fn is_effect(statement: &Statement) -> bool {
    matches!(
        statement,
        Statement::Construct { .. }
            | Statement::Call { .. }
            | Statement::WriteField { .. }
            | Statement::WriteElement { .. }
            | Statement::Mock(_)
            | Statement::Spy { .. }
            | Statement::Stub { .. }
            | Statement::Inject { .. }
    )
}

/// Names that a variable would hide: simple names of classes and first parts of qualified ones (JLS
/// 6.4.2).
fn reserved(writer: &Writer<'_>, packages: BTreeSet<String>) -> BTreeSet<String> {
    let mut reserved = packages;
    let mut reserve_words = |words: &[&str]| reserved.extend(words.iter().map(|it| (*it).to_owned()));
    if writer.expects {
        reserve_words(&["thrown", "cause", "expected"]);
    }
    if writer.receives {
        reserve_words(&[RECEIVED, RECORDER]);
    }
    if writer.test.statements().iter().any(|it| matches!(it, Statement::Stub { .. })) || writer.records {
        reserve_words(&[INVOCATION]);
    }
    if uses_folder(writer.test) {
        reserved.insert(FOLDER.to_owned());
    }
    let mut reserve = |of: Option<&Type>| {
        let name = of.and_then(|it| it.view().innermost().class_name()).unwrap_or_default();
        let simple = name.rsplit('/').next().unwrap_or_default();
        reserved.extend(simple.split('$').map(str::to_owned));
    };
    let known = writer.vocabulary;
    for statement in writer.test.statements() {
        match statement {
            Statement::Construct { constructor: method, .. }
            | Statement::Call { method, .. }
            | Statement::Stub { method, .. }
            | Statement::Kept { method, .. } => {
                if let Some(method) = known.method(*method) {
                    let types = method.parameters.iter().chain([&method.owner, &method.result]);
                    types.for_each(|it| reserve(known.type_of(*it)));
                }
            }
            Statement::ReadField { field, .. }
            | Statement::WriteField { field, .. }
            | Statement::Inject { field, .. } => {
                if let Some(field) = known.field(*field) {
                    [field.owner, field.of].iter().for_each(|it| reserve(known.type_of(*it)));
                }
            }
            Statement::Cast { to: of, .. } | Statement::NewArray { array: of, .. } => {
                reserve(known.type_of(*of))
            }
            Statement::Mock(mock) | Statement::Spy { mock, .. } => {
                let Some(mock) = known.mock(*mock) else { continue };
                reserve(known.type_of(mock.of));
                if mock.kind == MockKind::Anonymous {
                    anonymous::types_of(writer, mock).into_iter().for_each(|it| reserve(Some(it)));
                }
            }
            _ => {}
        }
    }
    reserved
}

/// Names for the variable, the best first: as the method says that made it, as a parameter that it is
/// passed for, or as its type. The type says most of an object that is called.
fn wishes(writer: &Writer<'_>, number: usize, of: TypeRef<'_>) -> Vec<String> {
    let uses = writer.plan.uses(number);
    let is_receiver = uses.iter().any(|it| it.role == Role::Receiver);
    let from_method = match writer.test.statements().get(number) {
        Some(Statement::Call { method, .. }) => {
            writer.vocabulary.method(*method).and_then(|it| variables::from_method(&it.name))
        }
        _ => None,
    };
    let by_use = uses.iter().filter_map(|it| {
        let parameter = parameter_name(writer, it).and_then(|it| variables::from_parameter(&it));
        parameter.or_else(|| setter_name(writer, it))
    });
    let by_use: Vec<String> = by_use.collect();
    let by_type = variables::from_type(of);
    let mut wishes: Vec<String> = from_method.into_iter().collect();
    match is_receiver {
        true => wishes.extend(by_type.into_iter().chain(by_use)),
        false => wishes.extend(by_use.into_iter().chain(by_type)),
    }
    wishes
}

/// The name of what a method sets, adds or yields: `foo` for the value that `setFoo` is given, or that a
/// mock answers to `getFoo`.
fn setter_name(writer: &Writer<'_>, of: &Use) -> Option<String> {
    let name = |method| Some(&*writer.vocabulary.method(method)?.name);
    match (writer.test.statements().get(of.statement)?, of.role) {
        (Statement::Call { method, arguments, .. }, Role::Argument(_)) if arguments.len() == 1 => {
            variables::from_setter(name(*method)?)
        }
        (Statement::Stub { method, .. }, Role::Assigned) => variables::from_method(name(*method)?),
        _ => None,
    }
}

fn parameter_name(writer: &Writer<'_>, of: &Use) -> Option<String> {
    if let (Statement::Inject { field, .. } | Statement::WriteField { field, .. }, Role::Assigned) =
        (writer.test.statements().get(of.statement)?, of.role)
    {
        let field = writer.vocabulary.field(*field)?;
        return (!is_anything(writer.type_of(field.of)?)).then(|| field.name.to_string());
    }
    let Role::Argument(at) = of.role else { return None };
    let (Statement::Construct { constructor: method, .. } | Statement::Call { method, .. }) =
        writer.test.statements().get(of.statement)?
    else {
        return None;
    };
    let method = writer.vocabulary.method(*method)?;
    let takes_anything = is_anything(writer.type_of(*method.parameters.get(at)?)?);
    let name = writer.vocabulary.method_name(method).filter(|_| !takes_anything)?;
    let declared = writer.context.method(&name).ok()??;
    variables::parameter_names(writer.classes, declared).get(at)?.clone()
}

/// Whether parameters and fields of a type take any object: their names say nothing.
fn is_anything(of: TypeRef<'_>) -> bool {
    of == TypeRef("Ljava/lang/Object;")
}

/// The type to declare: the erased type of the value or, if that has no name here, the nearest type
/// above it that serves the most uses.
fn declared_type(writer: &Writer<'_>, number: usize, of: TypeRef<'_>) -> JavaType {
    let erased = JavaType::erased(of);
    if writer.can_name(&erased) {
        return erased;
    }
    let wanted = wanted_types(writer, number);
    let hierarchy = writer.context.hierarchy();
    let serves = |candidate: &JavaType| {
        let name = candidate.class_constant().unwrap_or_default();
        let serves = |wanted: &&String| hierarchy.is_subtype(&name, wanted) == Some(true);
        wanted.iter().filter(serves).count()
    };
    let mut best = JavaType::object();
    for candidate in types_above(writer, of).into_iter().filter(|it| writer.can_name(it)).rev() {
        if serves(&candidate) >= serves(&best) {
            best = candidate;
        }
    }
    best
}

fn types_above(writer: &Writer<'_>, of: TypeRef<'_>) -> Vec<JavaType> {
    let innermost = of.innermost().class_name().unwrap_or_default();
    let above = writer.context.hierarchy().supertypes(innermost).into_iter().filter_map(Supertype::known);
    let in_array = |it: JavaType| (0..of.dimensions()).fold(it, |of, _| JavaType::Array(Box::new(of)));
    above.map(|it| in_array(JavaType::class(it.name()))).collect()
}

/// The types that the uses of a value ask for, as class constants name them.
fn wanted_types(writer: &Writer<'_>, number: usize) -> Vec<String> {
    let known = writer.vocabulary;
    let wanted = |of: &Use| {
        let statement = writer.test.statements().get(of.statement)?;
        let id = match (statement, of.role) {
            (
                Statement::Construct { constructor: method, .. }
                | Statement::Call { method, .. }
                | Statement::Stub { method, .. },
                Role::Argument(at),
            ) => *known.method(*method)?.parameters.get(at)?,
            (Statement::Call { method, .. }, Role::Receiver) => known.method(*method)?.owner,
            (Statement::ReadField { field, .. } | Statement::WriteField { field, .. }, Role::Receiver) => {
                known.field(*field)?.owner
            }
            (Statement::WriteField { field, .. }, Role::Assigned) => known.field(*field)?.of,
            (Statement::Stub { method, .. }, Role::Assigned) => known.method(*method)?.result,
            (Statement::Stub { answer: Answer::Call { callback, .. }, .. }, Role::Captured) => {
                *known.method(callback.method)?.parameters.get(usize::from(callback.place))?
            }
            _ => return None,
        };
        known.type_of(id)?.view().class_constant().map(str::to_owned)
    };
    writer.plan.uses(number).iter().filter_map(wanted).collect()
}
