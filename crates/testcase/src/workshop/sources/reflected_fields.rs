use super::{Offer, ValueSource};
use crate::workshop::Tuning;
use crate::workshop::builder::{Builder, Request};
use crate::{Arguments, Literal, Text, Type, Var};

/// `C.class.getDeclaredField("name")`, of a class that the crash has to do with.
pub(super) struct ReflectedFields;

const GET_FIELD: &str = "java/lang/Class.getDeclaredField(Ljava/lang/String;)Ljava/lang/reflect/Field;";

impl ValueSource for ReflectedFields {
    fn is_on(&self, tuning: &Tuning) -> bool {
        tuning.source_reflected_fields
    }

    fn offer(&self, builder: &mut Builder<'_, '_>, request: &Request<'_>) -> Offer {
        match builder.catalogue.class_name(request.of) {
            Some("java/lang/reflect/Field") => make_field(builder).into(),
            _ => Offer::Pass,
        }
    }
}

fn make_field(builder: &mut Builder<'_, '_>) -> Option<Var> {
    let class = builder.random.pick(&builder.catalogue.pools.types)?.clone();
    let of = builder.catalogue.vocabulary.add_type(Type::of_class(&class));
    let context = builder.catalogue.context;
    let fields = context.class(&class).ok()?.fields().filter(|it| !it.is_synthetic());
    let names: Vec<&str> = fields.map(|it| it.name()).collect();
    let name = Text::from(*builder.random.pick(&names)?);
    let get = builder.catalogue.vocabulary.find_method(context.hierarchy(), GET_FIELD).ok()?;
    let receiver = builder.push_literal(Literal::Class(of))?;
    let name = builder.push_literal(Literal::Text(name))?;
    builder.push_call(get, Some(receiver), Arguments::from_slice(&[name]))
}
