use super::{Offer, ValueSource};
use crate::workshop::Tuning;
use crate::workshop::builder::{Builder, Request};
use crate::{Literal, TypeRef};

/// Classes of a kind that the code around the crash asks for, such as `int[].class`.
pub(super) struct ClassesOfKind;

impl ValueSource for ClassesOfKind {
    fn is_on(&self, tuning: &Tuning) -> bool {
        tuning.source_classes_of_kind
    }

    fn offer(&self, builder: &mut Builder<'_, '_>, request: &Request<'_>) -> Offer {
        let Builder { catalogue, random, tuning, .. } = builder;
        let is_class = catalogue.vocabulary.type_of(request.of).is_some_and(|it| it.view() == TypeRef::CLASS);
        if !is_class || catalogue.pools.classes_of_kind.is_empty() || !random.chance(tuning.class_of_kind) {
            return Offer::Pass;
        }
        let Some(of) = random.pick(&catalogue.pools.classes_of_kind) else { return Offer::Pass };
        let of = catalogue.vocabulary.number_of(of.view());
        match catalogue.is_nameable(of) {
            true => builder.push_literal(Literal::Class(of)).into(),
            false => Offer::Pass,
        }
    }
}
