use super::{Offer, ValueSource};
use crate::workshop::Tuning;
use crate::workshop::builder::{Builder, Request};
use crate::workshop::catalogue::Way;

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
        let mut weights: Vec<(u32, Way)> = Vec::with_capacity(makers.len());
        for _ in 0..builder.tuning.maker_attempts {
            weights.clear();
            weights.extend(makers.iter().map(|it| match inner.is_some() || !it.is_deep {
                true => (builder.weight_of(it), it.way),
                false => (0, it.way),
            }));
            let Some(way) = builder.random.choose(&weights) else { break };
            let length = builder.draft.len();
            // Statements written on the way may stay: they cost little and may be of use. A result
            // of a wider type is of none.
            if let Some(made) = builder.follow(way, request, depth)
                && let Some(of) = builder.draft.value(made).of
                && builder.catalogue.fits(of, request.of)
            {
                if builder.draft.len() > length && inner.is_some() {
                    builder.fill(made, request, depth);
                    builder.hold_lower_objects(made);
                }
                if builder.draft.len() > length
                    && let Some(spy) = builder.spy_on(made, depth)
                {
                    return Offer::Value(spy);
                }
                let is_new = builder.draft.len() > length && inner.is_some();
                return Offer::Value(if is_new { builder.choose_options(made, depth) } else { made });
            }
        }
        Offer::Pass
    }
}
