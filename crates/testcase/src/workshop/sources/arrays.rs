use super::{Offer, ValueSource};
use crate::workshop::Tuning;
use crate::workshop::builder::{Builder, Request};
use crate::{Statement, Type, TypeId, Var};

/// Arrays with elements.
pub(super) struct Arrays;

impl ValueSource for Arrays {
    fn is_on(&self, tuning: &Tuning) -> bool {
        tuning.source_arrays
    }

    fn offer(&self, builder: &mut Builder<'_, '_>, request: &Request<'_>) -> Offer {
        let element = builder.catalogue.vocabulary.type_of(request.of).and_then(Type::element);
        let (Some(element), Some(depth)) = (element, builder.inner_depth(request)) else {
            return Offer::Pass;
        };
        let element = builder.catalogue.vocabulary.add_type(element);
        let (of, element) = narrowed(builder, request.of, element);
        make_array(builder, element, &Request { of, depth, ..*request }).into()
    }
}

/// The type of an array to be made, and that of its elements: mostly the one that is wanted,
/// sometimes one of a class below, which can stand for it but does not take everything (JLS 10.5).
fn narrowed(builder: &mut Builder<'_, '_>, wanted: TypeId, element: TypeId) -> (TypeId, TypeId) {
    let is_class = builder.catalogue.class_name(element).is_some();
    if !is_class || !builder.random.chance(builder.tuning.narrower_array) {
        return (wanted, element);
    }
    let classes = builder.catalogue.implementations_of(element);
    let below = builder.random.pick_weighted(&classes, |(_, weight)| *weight).map(|(class, _)| *class);
    let array = below.and_then(|it| builder.catalogue.vocabulary.type_of(it));
    match (below, array.map(|it| Type(format!("[{}", it.0).into()))) {
        (Some(below), Some(array)) => (builder.catalogue.vocabulary.add_type(array), below),
        _ => (wanted, element),
    }
}

fn make_array(builder: &mut Builder<'_, '_>, of: TypeId, request: &Request<'_>) -> Option<Var> {
    let array = request.of;
    if !builder.catalogue.is_nameable(array) {
        return None;
    }
    let length = u16::try_from(builder.random.place(builder.tuning.longest_array + 1)).ok()?;
    let made = builder.draft.push(Statement::NewArray { array, length }, Some(array))?;
    for index in 0..length {
        if builder.random.chance(builder.tuning.element)
            && let Some(value) = element_value(builder, &Request { of, nullable: true, ..*request })
        {
            builder.draft.push(Statement::WriteElement { array: made, index, value }, None)?;
        }
    }
    Some(made)
}

fn element_value(builder: &mut Builder<'_, '_>, request: &Request<'_>) -> Option<Var> {
    let expected = request.expected.and_then(|it| builder.wanted_value(&it.element, request));
    expected.or_else(|| builder.value(&Request { expected: None, ..*request }))
}
