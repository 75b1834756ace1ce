use super::{Offer, ValueSource};
use crate::workshop::Tuning;
use crate::workshop::builder::{Builder, Request};
use crate::{Arguments, Literal, MethodId, Statement, Text, Type, Var};

/// `C.class.getMethod("name", P.class)`, of a kind that the code around the crash asks for, of a class
/// that the crash has to do with, or of `String`.
pub(super) struct ReflectedMethods;

const GET_METHOD: &str =
    "java/lang/Class.getMethod(Ljava/lang/String;[Ljava/lang/Class;)Ljava/lang/reflect/Method;";

impl ValueSource for ReflectedMethods {
    fn is_on(&self, tuning: &Tuning) -> bool {
        tuning.source_reflected_methods
    }

    fn offer(&self, builder: &mut Builder<'_, '_>, request: &Request<'_>) -> Offer {
        match builder.catalogue.class_name(request.of) {
            Some("java/lang/reflect/Method") => make_method(builder).into(),
            _ => Offer::Pass,
        }
    }
}

fn make_method(builder: &mut Builder<'_, '_>) -> Option<Var> {
    if let Some(method) = method_of_kind(builder) {
        return get_method(builder, method);
    }
    let of_crash = builder.random.pick(&builder.catalogue.pools.types);
    let of_crash = of_crash.filter(|_| !builder.random.one_in(builder.tuning.method_of_string));
    let class = of_crash.map_or("java/lang/String", String::as_str).to_owned();
    let class = builder.catalogue.vocabulary.add_type(Type::of_class(&class));
    if !builder.catalogue.is_nameable(class) {
        return None;
    }
    let methods = builder.catalogue.public_methods_of(class);
    let method = *builder.random.pick(&methods)?;
    get_method(builder, method)
}

/// A method of a kind that the code around the crash asks for, by chance.
fn method_of_kind(builder: &mut Builder<'_, '_>) -> Option<MethodId> {
    let Builder { catalogue, random, tuning, .. } = builder;
    let known = random.pick(&catalogue.pools.methods_of_kind)?;
    if !random.chance(tuning.method_of_kind) {
        return None;
    }
    let hierarchy = catalogue.context.hierarchy();
    catalogue.vocabulary.find_method(hierarchy, &known.to_string()).ok()
}

/// The object that reflection has for a method.
fn get_method(builder: &mut Builder<'_, '_>, method: MethodId) -> Option<Var> {
    let method = builder.catalogue.vocabulary.method(method)?.clone();
    let class = method.owner;
    let hierarchy = builder.catalogue.context.hierarchy();
    let types = builder.catalogue.vocabulary.add_type(Type("[Ljava/lang/Class;".into()));
    let get = builder.catalogue.vocabulary.find_method(hierarchy, GET_METHOD).ok()?;
    let receiver = builder.push_literal(Literal::Class(class))?;
    let name = builder.push_literal(Literal::Text(Text::from(&*method.name)))?;
    let length = u16::try_from(method.parameters.len()).ok()?;
    let array = builder.draft.push(Statement::NewArray { array: types, length }, Some(types))?;
    for (index, parameter) in (0..).zip(&method.parameters) {
        let value = builder.push_literal(Literal::Class(*parameter))?;
        builder.draft.push(Statement::WriteElement { array, index, value }, None)?;
    }
    builder.push_call(get, Some(receiver), Arguments::from_slice(&[name, array]))
}
