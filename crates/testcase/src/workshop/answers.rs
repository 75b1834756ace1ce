//! Answers of mocks beyond plain values: exceptions that a method declares, and calls of what the
//! mock is given.

use std::sync::Arc;

use super::Workshop;
use super::catalogue::put;
use super::draft::Draft;
use super::mocks::is_plain;
use crate::{Answer, Callback, Method, MethodId, MockId, Random, Type, TypeId, Var};

/// Types of the JDK whose objects are there to be called back. All others of the JDK are rather
/// asked for what they hold.
const FUNCTIONS: [&str; 6] = [
    "java/lang/Runnable",
    "java/util/concurrent/Callable",
    "java/util/function/",
    "java/security/PrivilegedAction",
    "java/security/PrivilegedExceptionAction",
    "java/util/Comparator",
];

/// How a mock may call what it is given.
#[derive(Clone, Copy, Debug)]
pub(super) struct KnownCallback {
    parameter: u8,
    method: MethodId,
    /// Whether the trace was called back by this method.
    is_traced: bool,
}

impl Workshop<'_> {
    /// An answer that is no plain value, if chance and the method want one.
    pub(super) fn special_answer(
        &mut self,
        draft: &mut Draft,
        made: Var,
        method: MethodId,
        depth: usize,
        random: &mut Random,
    ) -> Option<Answer> {
        let callbacks = self.callbacks_of(method);
        let traced: Vec<KnownCallback> = callbacks.iter().filter(|it| it.is_traced).copied().collect();
        if random.chance(self.tuning.callback_of_trace)
            && let Some(callback) = random.pick(&traced).copied()
        {
            return self.call_back(draft, made, callback, depth, random);
        }
        if random.chance(self.tuning.callback_of_other)
            && let Some(callback) = random.pick(&callbacks).copied()
        {
            return self.call_back(draft, made, callback, depth, random);
        }
        let throws =
            if self.result_of(method).is_none() { self.tuning.throw_of_void } else { self.tuning.throw };
        if random.chance(throws)
            && let Some(exception) = random.pick(&self.declared_by(method)).copied()
        {
            return self
                .make(draft, exception, false, &[], depth.saturating_sub(1), random)
                .map(Answer::Throw);
        }
        None
    }

    fn call_back(
        &mut self,
        draft: &mut Draft,
        made: Var,
        known: KnownCallback,
        depth: usize,
        random: &mut Random,
    ) -> Option<Answer> {
        let parameters = self.vocabulary.method(known.method)?.parameters.clone();
        let is_object = |it: &TypeId| self.vocabulary.type_of(*it).is_some_and(Type::is_reference);
        let objects: Vec<usize> =
            parameters.iter().enumerate().filter(|(_, it)| is_object(it)).map(|(place, _)| place).collect();
        let place = random.pick(&objects).copied().unwrap_or(0);
        let value = match parameters.get(place) {
            Some(wanted) => self.value(draft, *wanted, true, &[], depth.saturating_sub(1), random)?,
            None => made,
        };
        let callback = Callback {
            parameter: known.parameter,
            method: known.method,
            place: u8::try_from(place).unwrap_or(u8::MAX),
        };
        Some(Answer::Call { callback, value })
    }

    /// Places of the methods of a mock that are given objects on which the trace was called back.
    pub(super) fn ways_back(&mut self, mock: MockId) -> Arc<[u16]> {
        if self.pools.called_back.is_empty() {
            return Arc::default();
        }
        if let Some(Some(known)) = self.catalogue.here().ways_back.get(mock.index()) {
            return Arc::clone(known);
        }
        let methods = self.vocabulary.mock(mock).map(|it| Arc::clone(&it.methods)).unwrap_or_default();
        let mut found = Vec::new();
        for (place, mocked) in (0..).zip(methods.iter()) {
            if self.callbacks_of(mocked.method).iter().any(|it| it.is_traced) {
                found.push(place);
            }
        }
        let found: Arc<[u16]> = found.into();
        put(&mut self.catalogue.here_mut().ways_back, mock.index(), Arc::clone(&found));
        found
    }

    fn callbacks_of(&mut self, method: MethodId) -> Arc<[KnownCallback]> {
        if let Some(Some(known)) = self.catalogue.here().callbacks.get(method.index()) {
            return Arc::clone(known);
        }
        let stubbed = self.vocabulary.method(method).cloned();
        let found: Arc<[KnownCallback]> =
            stubbed.map(|it| self.find_callbacks(&it)).unwrap_or_default().into();
        put(&mut self.catalogue.here_mut().callbacks, method.index(), Arc::clone(&found));
        found
    }

    fn find_callbacks(&mut self, stubbed: &Method) -> Vec<KnownCallback> {
        let mut found = Vec::new();
        for (parameter, of) in (0..).zip(&stubbed.parameters) {
            let name =
                self.vocabulary.type_of(*of).and_then(|it| it.class_name()).unwrap_or_default().to_owned();
            let is_function = FUNCTIONS.iter().any(|it| name.starts_with(it));
            let Some(class) = self.context.index().get(&name).filter(|_| is_function || !is_plain(&name))
            else {
                continue;
            };
            for called in self.context.abstract_methods(&name).into_iter().take(self.tuning.callbacks_of_type)
            {
                let Ok(method) = self.vocabulary.add_method_of(class, called) else { continue };
                let is_traced =
                    self.pools.called_back.iter().any(|it| it.of == name && it.method == called.name());
                if self.can_call_back(stubbed, method) {
                    found.push(KnownCallback { parameter, method, is_traced });
                }
            }
        }
        found
    }

    fn can_call_back(&self, stubbed: &Method, called: MethodId) -> bool {
        let fits = || {
            let called = self.vocabulary.method(called)?;
            let name = self.vocabulary.method_name(called)?;
            let yielded = self.vocabulary.type_of(called.result)?.view();
            let result = self.vocabulary.type_of(stubbed.result)?.view();
            let is_callable = self.context.method(&name).is_ok_and(|it| it.is_some());
            Some(is_callable && self.context.can_pass_on(yielded, result))
        };
        fits().unwrap_or(false)
    }

    /// The exceptions that a method declares.
    fn declared_by(&mut self, method: MethodId) -> Arc<[TypeId]> {
        if let Some(Some(known)) = self.catalogue.here().declared.get(method.index()) {
            return Arc::clone(known);
        }
        let name = self.vocabulary.method(method).and_then(|it| self.vocabulary.method_name(it));
        let declared = name.and_then(|it| self.context.method(&it).ok().flatten());
        let classes: Vec<String> =
            declared.into_iter().flat_map(|it| it.exceptions()).map(str::to_owned).collect();
        let found: Arc<[TypeId]> =
            classes.iter().map(|it| self.vocabulary.add_type(Type::of_class(it))).collect();
        put(&mut self.catalogue.here_mut().declared, method.index(), Arc::clone(&found));
        found
    }
}
