use crate::members::Member;
use crate::workshop::builder::Builder;
use crate::{Kind, Var};

impl Builder<'_, '_> {
    /// Calls methods that yield an object of their own class again, as those of builders do, on one
    /// that was just made.
    pub(crate) fn set_up(&mut self, object: Var, depth: usize) {
        let Some(of) = self.draft.value(object).of.filter(|_| self.tuning.source_builder_setters) else {
            return;
        };
        for member in self.catalogue.members_of(of).iter() {
            let Member::Method(id) = *member else { continue };
            let method = self.catalogue.vocabulary.method(id);
            let is_fluent = method
                .is_some_and(|it| it.kind == Kind::Instance && it.result == of && !it.parameters.is_empty());
            if is_fluent
                && self.has_room()
                && self.random.chance(self.tuning.builder_setter)
                && !self.is_given_up(id)
            {
                self.call(id, Some(object), depth.saturating_sub(1));
            }
        }
    }
}
