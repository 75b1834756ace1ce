//! Answers of mocks beyond plain values: calls of their arguments, and exceptions that a method
//! declares.

use std::sync::Arc;

use crate::workshop::builder::{Builder, Request};
use crate::workshop::catalogue::{CallbackReason, KnownCallback};
use crate::{Answer, Callback, MethodId, Statement, Type, TypeId, Var};

impl Builder<'_, '_> {
    /// An answer that is no plain value, by chance, if the method can have one.
    pub(crate) fn special_answer(&mut self, made: Var, method: MethodId, depth: usize) -> Option<Answer> {
        let tuning = self.tuning;
        if tuning.source_callbacks {
            let callbacks = self.callbacks(made, method);
            let ways = [
                (CallbackReason::Traced, tuning.callback_of_trace),
                (CallbackReason::Changes, tuning.callback_of_change),
                (CallbackReason::Open, tuning.callback_of_other),
            ];
            for (reason, probability) in ways {
                let known: Vec<KnownCallback> =
                    callbacks.iter().filter(|it| it.reason == reason).copied().collect();
                if !known.is_empty()
                    && self.random.chance(probability)
                    && let Some(callback) = self.random.pick(&known).copied()
                {
                    return self.call_back(made, callback, depth);
                }
            }
        }
        let is_void = self.catalogue.result_of(method).is_none();
        let throws = if is_void { tuning.throw_of_void } else { tuning.throw };
        if tuning.source_declared_exceptions
            && self.random.chance(throws)
            && let Some(of) = self.random.pick(&self.catalogue.declared_exceptions(method)).copied()
        {
            return self.make(&Request::new(of, depth.saturating_sub(1))).map(Answer::Throw);
        }
        if self.is_anonymous(made) && self.random.chance(tuning.throw_undeclared) {
            let of = self.catalogue.vocabulary.add_type(Type::of_class("java/lang/RuntimeException"));
            return self.make(&Request::new(of, depth.saturating_sub(1))).map(Answer::Throw);
        }
        None
    }

    /// The calls that a mock may make of what a method of it is given, by the declared types of its
    /// parameters and by the objects that mocks like it were really given.
    fn callbacks(&mut self, made: Var, method: MethodId) -> Vec<KnownCallback> {
        let mut callbacks = self.catalogue.callbacks_of(method).to_vec();
        let Some(Statement::Mock(mock) | Statement::Spy { mock, .. }) = self.draft.statement(made) else {
            return callbacks;
        };
        let known = self.catalogue.vocabulary.mock(*mock).map(|it| Arc::clone(&it.methods));
        let place = known.and_then(|it| it.iter().position(|it| it.method == method));
        let asked = self.experience.asked(*mock).iter().find(|it| Some(usize::from(it.method)) == place);
        let objects = asked.map_or(&[][..], |it| &it.objects);
        for (parameter, class) in objects.iter().filter(|_| self.tuning.source_callbacks_of_objects) {
            callbacks.extend(self.catalogue.callbacks_of_object(method, *parameter, *class).iter());
        }
        callbacks
    }

    fn call_back(&mut self, made: Var, known: KnownCallback, depth: usize) -> Option<Answer> {
        let parameters = self.catalogue.vocabulary.method(known.method)?.parameters.clone();
        let is_object = |it: &TypeId| self.catalogue.is_reference(*it);
        let objects: Vec<usize> =
            parameters.iter().enumerate().filter(|(_, it)| is_object(it)).map(|(place, _)| place).collect();
        let place = self.random.pick(&objects).copied().unwrap_or(0);
        let value = match parameters.get(place) {
            Some(wanted) => {
                let expected = self.catalogue.expected(known.method, place);
                let request = Request::nullable(*wanted, depth.saturating_sub(1));
                self.value(&request.with_expected(expected.as_deref()))?
            }
            None => made,
        };
        let place = u8::try_from(place).unwrap_or(u8::MAX);
        let callback = Callback { parameter: known.parameter, method: known.method, place };
        Some(Answer::Call { callback, value })
    }
}
