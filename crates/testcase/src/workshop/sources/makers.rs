use super::{Offer, ValueSource};
use crate::workshop::Tuning;
use crate::workshop::builder::{Builder, Request};
use crate::workshop::catalogue::{Maker, Way};

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
            let chosen = builder.random.choose(&weights);
            let Some(way) = chosen.or_else(|| builder.retried(&makers, inner.is_some())) else { break };
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
                if !is_new {
                    return Offer::Value(made);
                }
                let set = builder.put_missed_settings(made, depth);
                return Offer::Value(builder.choose_options(set, depth));
            }
        }
        Offer::Pass
    }
}

impl Builder<'_, '_> {
    /// A maker that was given up, by chance, where all makers of a type were: it may need arguments that
    /// are seldom right, and nothing else yields the type. The more often it failed, the seldomer.
    fn retried(&mut self, makers: &[Maker], may_be_deep: bool) -> Option<Way> {
        let (experience, tuning) = (self.experience, self.tuning);
        let is_allowed = |it: &Maker| match it.way {
            Way::Construct(method) => !experience.is_blacklisted(method, tuning),
            Way::Call(method) => {
                !experience.is_blacklisted(method, tuning) && !experience.always_yields_null(method, tuning)
            }
            _ => false,
        };
        let allowed = makers.iter().filter(|it| is_allowed(it) && (may_be_deep || !it.is_deep));
        let weights: Vec<(u32, Way)> = allowed.map(|it| (it.weight, it.way)).collect();
        let way = self.random.choose(&weights)?;
        let (Way::Construct(method) | Way::Call(method)) = way else { return None };
        let failures = experience.failures(method).max(1) as f64;
        let probability = tuning.retried_maker * (tuning.give_up_after as f64 / failures).min(1.0);
        self.random.chance(probability).then_some(way)
    }
}
