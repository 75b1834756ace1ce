use std::sync::Arc;

use super::{Offer, ValueSource};
use crate::Var;
use crate::workshop::Tuning;
use crate::workshop::builder::{Builder, Renaming, Request};
use crate::workshop::rare_objects::RareObject;

/// Objects that earlier tests seldom managed to make, made again in the same way.
pub(super) struct RareObjects;

impl ValueSource for RareObjects {
    fn is_on(&self, tuning: &Tuning) -> bool {
        tuning.source_rare_objects
    }

    fn offer(&self, builder: &mut Builder<'_, '_>, request: &Request<'_>) -> Offer {
        let known = builder.experience.rare_objects(request.of);
        if known.is_empty() || !builder.random.chance(builder.tuning.rare_object) {
            return Offer::Pass;
        }
        let Some(object) = builder.random.pick(known).map(Arc::clone) else { return Offer::Pass };
        builder.make_again(&object).into()
    }
}

impl Builder<'_, '_> {
    /// An object as a test made it before. None if there is no room.
    fn make_again(&mut self, object: &RareObject) -> Option<Var> {
        let statements = object.test.statements();
        if self.draft.len() + statements.len() > self.tuning.longest_test {
            return None;
        }
        let mut names = Renaming::of(statements.len());
        for (number, statement) in statements.iter().enumerate() {
            let new = self.copy(statement, &names);
            names.set(number, new);
        }
        names.get(object.object)
    }
}
