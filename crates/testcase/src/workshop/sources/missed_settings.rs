//! Settings that the program missed: values under the names that a callee asked for in vain, all of them at
//! once. A program that refuses an object for each missing setting in turn would be met with the second only
//! by tests that have the first.

use crate::members::Member;
use crate::workshop::builder::{ArgumentRequests, Builder};
use crate::workshop::catalogue::Effect;
use crate::{Literal, MethodId, Text, TypeId, TypeRef, Var};

/// Texts that most settings take: numbers, switches and lists are read from them.
const PLAIN: [&str; 4] = ["1", "0", "true", "false"];

impl Builder<'_, '_> {
    /// Puts such values into a new object that takes them by its methods, by chance. Yields the object that
    /// stands for it then: settings that never change yield others.
    pub(crate) fn put_missed_settings(&mut self, object: Var, depth: usize) -> Var {
        let mut last = object;
        let Some(names) = self.missed_names() else { return last };
        let Some(of) = self.draft.value(object).of else { return last };
        let effects = self.catalogue.effects_of(of);
        let setters: Vec<MethodId> = effects.iter().filter_map(|it| self.named_setter(it)).collect();
        for name in names {
            if let Some(setter) = self.random.pick(&setters).copied().filter(|_| self.has_room())
                && let Some(put) = self.put_setting(setter, last, name, depth)
            {
                last = put;
            }
        }
        last
    }

    /// The names that one callee missed or several, nearly all of them, by chance.
    pub(crate) fn missed_names(&mut self) -> Option<Vec<Text>> {
        let of_callees = self.experience.complaints.of_callees();
        if of_callees.is_empty() || !self.random.chance(self.tuning.missed_settings) {
            return None;
        }
        let mut chosen: Vec<Text> = Vec::new();
        loop {
            let (_, names) = self.random.pick(of_callees)?;
            for name in names {
                if self.random.chance(self.tuning.missed_setting) && !chosen.contains(name) {
                    chosen.push(name.clone());
                }
            }
            if !self.random.chance(self.tuning.missed_of_another) {
                return Some(chosen);
            }
        }
    }

    /// A text that may stand under such a name.
    pub(crate) fn plain_setting(&mut self) -> Option<Var> {
        let is_plain = self.random.chance(self.tuning.plain_setting);
        let plain = self.random.pick(&PLAIN).filter(|_| is_plain).map(|it| Literal::Text(Text::from(*it)));
        let value = plain.or_else(|| self.random_literal(TypeRef::STRING))?;
        self.push_literal(value)
    }

    /// The method of an effect, if it takes a value under a name.
    fn named_setter(&self, effect: &Effect) -> Option<MethodId> {
        let Member::Method(id) = effect.member else { return None };
        let vocabulary = &self.catalogue.vocabulary;
        let method = vocabulary.method(id)?;
        let is_text = |it: Option<&TypeId>| {
            it.and_then(|it| vocabulary.type_of(*it)).is_some_and(|it| it.view() == TypeRef::STRING)
        };
        let is_one = effect.is_setter && method.parameters.len() == 2 && is_text(method.parameters.first());
        is_one.then_some(id).filter(|it| !self.experience.is_given_up(*it, self.tuning))
    }

    fn put_setting(&mut self, setter: MethodId, object: Var, name: Text, depth: usize) -> Option<Var> {
        let name = self.push_literal(Literal::Text(name))?;
        let value_of = self.catalogue.vocabulary.method(setter)?.parameters.get(1).copied();
        let is_text = self.catalogue.vocabulary.type_of(value_of?)?.view() == TypeRef::STRING;
        let mut given = vec![(0, name)];
        if is_text {
            given.push((1, self.plain_setting()?));
        }
        let requests = ArgumentRequests { given: &given, ..Default::default() };
        let yielded = self.call_with(setter, Some(object), requests, depth.saturating_sub(1))?;
        let stands_for_it = self.draft.value(yielded).of == self.draft.value(object).of;
        Some(if stands_for_it { yielded } else { object })
    }
}
