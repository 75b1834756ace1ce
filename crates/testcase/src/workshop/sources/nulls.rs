use super::{Offer, ValueSource};
use crate::workshop::Tuning;
use crate::workshop::builder::{Builder, Request};

/// `null` where something else could be had.
pub(super) struct Nulls;

impl ValueSource for Nulls {
    fn is_on(&self, tuning: &Tuning) -> bool {
        tuning.source_nulls
    }

    fn offer(&self, builder: &mut Builder<'_, '_>, request: &Request<'_>) -> Offer {
        let is_possible = request.nullable && builder.catalogue.is_reference(request.of);
        if !is_possible || !builder.random.chance(builder.null_probability()) {
            return Offer::Pass;
        }
        // A type that a source cannot name has values of no use to the test.
        builder.null(request.of).map_or(Offer::Refuse, Offer::Value)
    }
}
