use super::{Offer, ValueSource};
use crate::workshop::Tuning;
use crate::workshop::builder::{Builder, Request};
use crate::{Arguments, Literal, Text, Type, Var};

/// `C.class.getDeclaredField("name")`, of a class that the crash has to do with or of one with
/// fields of many kinds.
pub(super) struct ReflectedFields;

const GET_FIELD: &str = "java/lang/Class.getDeclaredField(Ljava/lang/String;)Ljava/lang/reflect/Field;";

/// Classes with fields of many kinds: plain, parameterized, of type variables and wildcards.
const WELL_KNOWN: [&str; 4] =
    ["java/util/HashMap", "java/util/EnumMap", "java/util/PriorityQueue", "java/util/Locale"];

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
    let of_crash = builder.random.pick(&builder.catalogue.pools.types);
    let class = match of_crash.filter(|_| !builder.random.one_in(builder.tuning.field_of_jdk)) {
        Some(class) => class.clone(),
        None => {
            let most = WELL_KNOWN.len().min(builder.tuning.well_known_fielded_classes);
            (*builder.random.pick(WELL_KNOWN.get(..most)?)?).to_owned()
        }
    };
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
