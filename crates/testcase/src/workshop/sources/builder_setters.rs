use crate::members::Member;
use crate::workshop::Influence;
use crate::workshop::builder::Builder;
use crate::workshop::catalogue::Effect;
use crate::{MethodId, Var};

impl Builder<'_, '_> {
    /// Calls methods that yield an object of their own class again, as those of builders do, on one
    /// that was just made. The result, which may be another object, is what the last of them yields.
    pub(crate) fn set_up(&mut self, object: Var, depth: usize) -> Var {
        let mut last = object;
        let Some(of) = self.draft.value(object).of.filter(|_| self.tuning.source_builder_setters) else {
            return last;
        };
        let effects = self.catalogue.effects_of(of);
        let is_setter = |it: &&Effect| it.is_fluent || it.influence.is_some_and(Influence::is_near);
        let count = effects.iter().filter(is_setter).count();
        // Of many methods only some are called, or tests would have no room for anything else.
        let usual = self.tuning.builder_setter.min(self.tuning.builder_setters as f64 / count.max(1) as f64);
        for effect in effects.iter().filter(is_setter) {
            let Member::Method(id) = effect.member else { continue };
            let probability = match effect.influence {
                Some(it) if it.is_near() => self.tuning.builder_setter,
                _ => usual,
            };
            if self.has_room() && self.random.chance(probability) && !self.is_given_up(id) {
                last = self.call_fluently(id, last, depth.saturating_sub(1));
            }
        }
        last
    }

    /// Calls fluent methods of a new object of the program, by chance, mostly those that influence the
    /// code around the crash. Options that never change yield others, so the result stands for it.
    pub(crate) fn choose_options(&mut self, object: Var, depth: usize) -> Var {
        let mut last = object;
        let Some(of) = self.draft.value(object).of.filter(|_| self.tuning.source_fluent_options) else {
            return last;
        };
        if self.catalogue.is_plain(of) {
            return last;
        }
        let effects = self.catalogue.effects_of(of);
        let mut more = match effects.iter().filter(|it| it.is_fluent).map(|it| it.influence).max() {
            None => return last,
            Some(Some(_)) => self.tuning.fluent_option,
            Some(None) => self.tuning.fluent_option_of_other,
        };
        while self.random.chance(more) && self.has_room() {
            let (experience, tuning) = (self.experience, self.tuning);
            let chosen = self.random.pick_weighted(&effects, |effect| match effect.member {
                Member::Method(id) if effect.is_fluent && !experience.is_given_up(id, tuning) => {
                    effect.weight
                }
                _ => 0,
            });
            let Some(Member::Method(id)) = chosen.map(|it| it.member) else { return last };
            last = self.call_fluently(id, last, depth.saturating_sub(1));
            more *= self.tuning.fluent_option_again;
        }
        last
    }

    /// Calls a method of an object; yields the object that stands for it then.
    fn call_fluently(&mut self, method: MethodId, object: Var, depth: usize) -> Var {
        let called = self.call(method, Some(object), depth);
        called.filter(|it| self.draft.value(*it).of == self.draft.value(object).of).unwrap_or(object)
    }
}
