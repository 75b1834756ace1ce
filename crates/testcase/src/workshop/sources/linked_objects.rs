use super::{Offer, ValueSource};
use crate::workshop::Tuning;
use crate::workshop::builder::{Builder, Request};

/// Objects of lower frames, where they fit.
pub(super) struct LinkedObjects;

impl ValueSource for LinkedObjects {
    fn is_on(&self, tuning: &Tuning) -> bool {
        tuning.source_linked_objects
    }

    fn offer(&self, builder: &mut Builder<'_, '_>, request: &Request<'_>) -> Offer {
        match builder.lower_object(request.of) {
            Some(lower) if builder.random.chance(builder.tuning.linked_object) => Offer::Value(lower),
            _ => Offer::Pass,
        }
    }
}
