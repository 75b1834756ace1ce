use super::{Offer, ValueSource};
use crate::workshop::Tuning;
use crate::workshop::builder::{Builder, Request};
use crate::workshop::catalogue::Maker;

/// Constructors, factories, constants and files, whatever the catalogue knows to yield a type.
/// `source.constructors`, `source.factories`, `source.constants` and `source.files` switch them off
/// one by one.
pub(super) struct Makers;

impl ValueSource for Makers {
    fn is_on(&self, _: &Tuning) -> bool {
        true
    }

    fn offer(&self, builder: &mut Builder<'_, '_>, request: &Request<'_>) -> Offer {
        if builder.catalogue.class_name(request.of).is_none() {
            return Offer::Pass;
        }
        let makers = builder.catalogue.makers_of(request.of);
        let inner = builder.inner_depth(request);
        let depth = inner.unwrap_or(0);
        for _ in 0..builder.tuning.maker_attempts {
            let weights: Vec<(u32, Maker)> = makers
                .iter()
                .map(|it| (if inner.is_some() || !it.is_deep { builder.weight_of(it) } else { 0 }, *it))
                .collect();
            let Some(maker) = builder.random.choose(&weights) else { break };
            let length = builder.draft.len();
            // Statements written on the way may stay: they cost little and may be of use. A result
            // of a wider type is of none.
            if let Some(made) = builder.follow(maker.way, depth)
                && let Some(of) = builder.draft.value(made).of
                && builder.catalogue.fits(of, request.of)
            {
                if builder.draft.len() > length && inner.is_some() {
                    builder.fill(made, request.type_arguments, depth);
                }
                return Offer::Value(made);
            }
        }
        Offer::Pass
    }
}
