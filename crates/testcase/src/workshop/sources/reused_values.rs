use super::{Offer, ValueSource};
use crate::workshop::Tuning;
use crate::workshop::builder::{Builder, Request};

/// Values that the test has already.
pub(super) struct ReusedValues;

impl ValueSource for ReusedValues {
    fn is_on(&self, tuning: &Tuning) -> bool {
        tuning.source_reused_values
    }

    fn offer(&self, builder: &mut Builder<'_, '_>, request: &Request<'_>) -> Offer {
        let probability = match builder.catalogue.is_reference(request.of) {
            true => builder.tuning.reuse_object,
            false => builder.tuning.reuse_primitive,
        };
        if builder.draft.len() == 0 || !builder.random.chance(probability) {
            return Offer::Pass;
        }
        let fitting = builder.fitting_with(request.of, request.type_arguments, request.nullable);
        builder.random.pick(&fitting).copied().into()
    }
}
