use super::{Offer, ValueSource};
use crate::members::Member;
use crate::workshop::Tuning;
use crate::workshop::builder::{Builder, Request};
use crate::{Arguments, Kind, Literal, Method, Statement, Text, Type, Var};

/// `C.class.getMethod("name", P.class)`, of a class that the crash has to do with or of `String`.
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
    let of_crash = builder.random.pick(&builder.catalogue.pools.types);
    let of_crash = of_crash.filter(|_| !builder.random.one_in(builder.tuning.method_of_string));
    let class = of_crash.map_or("java/lang/String", String::as_str).to_owned();
    let class = builder.catalogue.vocabulary.add_type(Type::of_class(&class));
    if !builder.catalogue.is_nameable(class) {
        return None;
    }
    let members = builder.catalogue.members_of(class);
    let methods: Vec<Method> = members.iter().filter_map(|it| public_method(builder, *it)).collect();
    let method = builder.random.pick(&methods)?;
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

/// The method that a member is, if it is public and a source can name its parameters.
fn public_method(builder: &Builder<'_, '_>, member: Member) -> Option<Method> {
    let Member::Method(id) = member else { return None };
    let (vocabulary, context) = (&builder.catalogue.vocabulary, builder.catalogue.context);
    let method = vocabulary.method(id).filter(|it| it.kind != Kind::Constructor)?.clone();
    let name = vocabulary.method_name(&method)?;
    let found = context.hierarchy().resolve_method(&name.owner, &name.name, &name.descriptor)?;
    let is_nameable = |it| vocabulary.type_of(it).is_some_and(|it| context.check_type(it.view()).is_ok());
    (found.is_public() && method.parameters.iter().copied().all(is_nameable)).then_some(method)
}
