//! Callbacks that a mock can make with its arguments, and exceptions that it can throw.

use std::sync::Arc;

use crashback_program::MemberView;
use crashback_program::hierarchy::Supertype;

use super::Catalogue;
use crate::workshop::origin::is_plain;
use crate::{MemberName, Method, MethodId, MockId, Type, TypeId};

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

/// A call that a mock may make of one of its arguments.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KnownCallback {
    /// Place of the parameter that is called.
    pub(crate) parameter: u8,
    /// The method that is called.
    pub(crate) method: MethodId,
    /// Why a mock may make this call.
    pub(crate) reason: CallbackReason,
}

/// Why a mock may call one of its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CallbackReason {
    /// The trace was called back by the method.
    Traced,
    /// The method is there to be called by others: it is abstract.
    Open,
    /// The method changes what the code around the crash reads, in the midst of that code.
    Changes,
}

impl CallbackReason {
    fn of(is_traced: bool) -> Self {
        if is_traced { CallbackReason::Traced } else { CallbackReason::Open }
    }
}

impl Catalogue<'_> {
    /// Places of the methods of a mock that get an argument through which the trace was called back.
    pub(crate) fn callback_methods(&mut self, mock: MockId) -> Arc<[u16]> {
        if self.pools.called_back.is_empty() {
            return Arc::default();
        }
        if let Some(known) = self.facts.here().callback_methods.get(mock.index()) {
            return Arc::clone(known);
        }
        let methods = self.vocabulary.mock(mock).map(|it| Arc::clone(&it.methods)).unwrap_or_default();
        let mut found = Vec::new();
        for (place, mocked) in (0..).zip(methods.iter()) {
            if self.callbacks_of(mocked.method).iter().any(|it| it.reason == CallbackReason::Traced) {
                found.push(place);
            }
        }
        let found: Arc<[u16]> = found.into();
        self.facts.here_mut().callback_methods.put(mock.index(), Arc::clone(&found));
        found
    }

    /// The calls that a mock which answers a method may make of its arguments.
    pub(crate) fn callbacks_of(&mut self, method: MethodId) -> Arc<[KnownCallback]> {
        if let Some(known) = self.facts.here().callbacks.get(method.index()) {
            return Arc::clone(known);
        }
        let stubbed = self.vocabulary.method(method).cloned();
        let found: Arc<[KnownCallback]> =
            stubbed.map(|it| self.find_callbacks(&it)).unwrap_or_default().into();
        self.facts.here_mut().callbacks.put(method.index(), Arc::clone(&found));
        found
    }

    fn find_callbacks(&mut self, stubbed: &Method) -> Vec<KnownCallback> {
        let mut found = Vec::new();
        for (parameter, of) in (0..).zip(&stubbed.parameters) {
            let name = self.class_name(*of).unwrap_or_default().to_owned();
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
                    found.push(KnownCallback { parameter, method, reason: CallbackReason::of(is_traced) });
                }
            }
            found.extend(self.changing_callbacks(stubbed, parameter, &name));
        }
        found
    }

    /// The calls of an object that change what the code around the crash reads: a collaborator that is
    /// called by that code may make them before it returns.
    fn changing_callbacks(&mut self, stubbed: &Method, parameter: u8, class: &str) -> Vec<KnownCallback> {
        if !self.tuning.source_changing_callbacks {
            return Vec::new();
        }
        let above = self.context.hierarchy().supertypes(class).into_iter().filter_map(Supertype::known);
        let methods: Vec<_> = above.flat_map(|it| it.methods()).filter(|it| !it.is_static()).collect();
        let influence = |it: &MemberView<'_>| self.pools.influential.get(&MemberName::of(*it));
        let is_near = |it: &MemberView<'_>| influence(it).is_some_and(|it| it.is_near());
        let changing: Vec<_> = methods.into_iter().filter(is_near).collect();
        let mut found = Vec::new();
        for called in changing {
            let Ok(method) = self.vocabulary.add_method_of(called.class(), called) else { continue };
            if found.len() < self.tuning.callbacks_of_type && self.can_call_back(stubbed, method) {
                found.push(KnownCallback { parameter, method, reason: CallbackReason::Changes });
            }
        }
        found
    }

    /// The calls that a mock which answers a method may make of an object that it is really given,
    /// whatever type is declared: abstract methods of the types above the object's class, and its own
    /// that are on the trace.
    pub(crate) fn callbacks_of_object(
        &mut self,
        method: MethodId,
        parameter: u8,
        class: TypeId,
    ) -> Arc<[KnownCallback]> {
        if let Some(known) = self.facts.here().callbacks_of_objects.get(&(method, parameter, class)) {
            return Arc::clone(known);
        }
        let stubbed = self.vocabulary.method(method).cloned();
        let found = stubbed.and_then(|it| self.find_callbacks_of_object(&it, parameter, class));
        let found: Arc<[KnownCallback]> = found.unwrap_or_default().into();
        let known = &mut self.facts.here_mut().callbacks_of_objects;
        known.insert((method, parameter, class), Arc::clone(&found));
        found
    }

    fn find_callbacks_of_object(
        &mut self,
        stubbed: &Method,
        parameter: u8,
        class: TypeId,
    ) -> Option<Vec<KnownCallback>> {
        let declared = *stubbed.parameters.get(usize::from(parameter))?;
        self.vocabulary.type_of(declared).filter(|it| it.is_shown_to_mocks())?;
        let declared = self.class_name(declared)?.to_owned();
        let class = self.class_name(class)?.to_owned();
        let context = self.context;
        let above = context.hierarchy().supertypes(&class).into_iter().filter_map(Supertype::known);
        let mut found = Vec::new();
        for of in above.filter(|it| it.name() != declared && context.class(it.name()).is_ok()) {
            let is_function = FUNCTIONS.iter().any(|it| of.name().starts_with(it));
            if is_plain(of.name()) && !is_function {
                continue;
            }
            for called in of.methods().filter(|it| !it.is_static() && !it.is_synthetic()) {
                let is_own = self.pools.traced.iter().any(|it| it.0 == of.name() && it.1 == called.name());
                let is_traced = is_own
                    || self
                        .pools
                        .called_back
                        .iter()
                        .any(|it| it.of == of.name() && it.method == called.name());
                if called.name().starts_with('<') || !(called.is_abstract() || is_own) {
                    continue;
                }
                let Ok(method) = self.vocabulary.add_method_of(of, called) else { continue };
                if found.len() < self.tuning.callbacks_of_type && self.can_call_back(stubbed, method) {
                    found.push(KnownCallback { parameter, method, reason: CallbackReason::of(is_traced) });
                }
            }
        }
        if class != declared {
            found.extend(self.changing_callbacks(stubbed, parameter, &class));
        }
        Some(found)
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
    pub(crate) fn declared_exceptions(&mut self, method: MethodId) -> Arc<[TypeId]> {
        if let Some(known) = self.facts.here().declared_exceptions.get(method.index()) {
            return Arc::clone(known);
        }
        let name = self.vocabulary.method(method).and_then(|it| self.vocabulary.method_name(it));
        let declared = name.and_then(|it| self.context.method(&it).ok().flatten());
        let classes: Vec<String> =
            declared.into_iter().flat_map(|it| it.exceptions()).map(str::to_owned).collect();
        let found: Arc<[TypeId]> =
            classes.iter().map(|it| self.vocabulary.add_type(Type::of_class(it))).collect();
        self.facts.here_mut().declared_exceptions.put(method.index(), Arc::clone(&found));
        found
    }
}
