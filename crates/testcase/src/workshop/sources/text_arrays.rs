use super::files::ask;
use super::{Offer, ValueSource};
use crate::TypeRef;
use crate::workshop::Tuning;
use crate::workshop::builder::{Builder, Request};

/// Arrays of bytes or characters that are those of a text.
pub(super) struct TextArrays;

impl ValueSource for TextArrays {
    fn is_on(&self, tuning: &Tuning) -> bool {
        tuning.source_text_arrays
    }

    fn offer(&self, builder: &mut Builder<'_, '_>, request: &Request<'_>) -> Offer {
        let of = builder.catalogue.vocabulary.type_of(request.of).map(|it| it.descriptor());
        let is_bytes = match of {
            Some("[B") => true,
            Some("[C") => false,
            _ => return Offer::Pass,
        };
        let is_possible = builder.inner_depth(request).is_some();
        if !is_possible || !builder.random.chance(builder.tuning.array_of_text) {
            return Offer::Pass;
        }
        let Some(members) = builder.catalogue.file_members() else { return Offer::Pass };
        let text = builder.random_literal(TypeRef::STRING).and_then(|it| builder.push_literal(it));
        let method = if is_bytes { members.bytes } else { members.characters };
        text.and_then(|it| ask(builder, method, it)).into()
    }
}
