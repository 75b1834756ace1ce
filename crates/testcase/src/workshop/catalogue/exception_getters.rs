//! Ways from an object to an exception that it keeps.

use std::sync::Arc;

use smallvec::SmallVec;

use super::Catalogue;
use crate::members::Member;
use crate::{FieldId, Kind, MethodId, Type, TypeId};

/// A way from an object to an exception that it keeps: methods without parameters and fields, one
/// asked of the result of the one before. The first may be static.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ExceptionGetter {
    /// The members in order.
    pub(crate) steps: SmallVec<[GetterStep; 2]>,
    /// Whether a class of the trace declares one of them.
    pub(crate) is_traced: bool,
    /// Whether it waits for the end of something, and throws the exception with which that ended.
    pub(crate) waits: bool,
}

/// A member that is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GetterStep {
    /// A method without parameters.
    Call(MethodId),
    /// A field.
    Read(FieldId),
}

impl Catalogue<'_> {
    /// The getters that classes of the frames which must run offer without an object.
    pub(crate) fn static_exception_getters(&mut self) -> Arc<[ExceptionGetter]> {
        if let Some(known) = &self.facts.here().static_exception_getters {
            return Arc::clone(known);
        }
        let classes: Vec<Type> = self.running_frames().map(|(class, _)| Type::of_class(class)).collect();
        let mut found = Vec::new();
        for class in classes {
            let of = self.vocabulary.add_type(class);
            let getters = self.exception_getters_of(of);
            found.extend(getters.iter().filter(|it| self.begins_statically(it)).cloned());
        }
        let found: Arc<[ExceptionGetter]> = found.into();
        self.facts.here_mut().static_exception_getters = Some(Arc::clone(&found));
        found
    }

    /// All ways from an object of a type to an exception.
    pub(crate) fn exception_getters_of(&mut self, of: TypeId) -> Arc<[ExceptionGetter]> {
        if let Some(known) = self.facts.here().exception_getters.get(of.index()) {
            return Arc::clone(known);
        }
        let mut found = Vec::new();
        let mut add = |steps: &[GetterStep], waits: &[GetterStep], is_traced: bool| {
            let steps = steps.iter().chain(waits).copied().collect();
            found.push(ExceptionGetter { steps, is_traced, waits: !waits.is_empty() });
        };
        let waits = self.waits_of(of);
        if !waits.is_empty() {
            add(&[], &waits, false);
        }
        for (step, yielded, is_traced) in self.plain_getters_of(of) {
            let waits = self.waits_of(yielded);
            if self.is_exception(yielded) || !waits.is_empty() {
                add(&[step], &waits, is_traced);
                continue;
            }
            for (next, last, is_next_traced) in self.plain_getters_of(yielded) {
                if self.is_exception(last) {
                    add(&[step, next], &[], is_traced || is_next_traced);
                }
            }
        }
        let found: Arc<[ExceptionGetter]> = found.into();
        self.facts.here_mut().exception_getters.put(of.index(), Arc::clone(&found));
        found
    }

    /// The members of a class of the program that can be asked without an argument, each with the
    /// type of its result and whether a class of the trace declares it.
    fn plain_getters_of(&mut self, of: TypeId) -> Vec<(GetterStep, TypeId, bool)> {
        let class = self.class_name(of).unwrap_or_default();
        if class.is_empty() || self.origins.is_jdk(class) || self.is_exception(of) {
            return Vec::new();
        }
        let mut found = Vec::new();
        for member in self.members_of(of).iter() {
            let asked = match *member {
                Member::Method(id) => self
                    .vocabulary
                    .method(id)
                    .filter(|it| it.parameters.is_empty())
                    .map(|method| (GetterStep::Call(id), method.result, method.owner)),
                Member::Field { id, .. } => {
                    self.vocabulary.field(id).map(|field| (GetterStep::Read(id), field.of, field.owner))
                }
                Member::Constructor(_) => None,
            };
            let Some((step, yielded, owner)) = asked else { continue };
            if self.class_name(yielded).is_some() && yielded != of {
                found.push((step, yielded, self.must_run_code_of(owner)));
            }
        }
        found
    }

    /// The calls that wait for the end of a task: `get()` throws the exception with which it ended,
    /// wrapped in another.
    fn waits_of(&mut self, of: TypeId) -> SmallVec<[GetterStep; 2]> {
        const FUTURE: &str = "java/util/concurrent/Future";
        const STAGE: &str = "java/util/concurrent/CompletionStage";
        let hierarchy = self.context.hierarchy();
        let class = self.class_name(of).unwrap_or_default();
        let is_below = |above: &str| hierarchy.is_subtype(class, above) == Some(true);
        let methods: &[&str] = match () {
            () if is_below(FUTURE) => &["java/util/concurrent/Future.get()Ljava/lang/Object;"],
            () if is_below(STAGE) => &[
                "java/util/concurrent/CompletionStage.toCompletableFuture()\
                 Ljava/util/concurrent/CompletableFuture;",
                "java/util/concurrent/Future.get()Ljava/lang/Object;",
            ],
            () => &[],
        };
        let found = methods.iter().filter_map(|it| self.vocabulary.find_method(hierarchy, it).ok());
        found.map(GetterStep::Call).collect()
    }

    fn is_exception(&mut self, of: TypeId) -> bool {
        let throwable = self.vocabulary.add_type(Type::of_class("java/lang/Throwable"));
        self.fits(of, throwable)
    }

    /// Whether a frame that must run is in a class.
    fn must_run_code_of(&self, of: TypeId) -> bool {
        let class = self.class_name(of);
        self.running_frames().any(|(traced, _)| Some(traced.as_str()) == class)
    }

    /// Whether a getter needs no object to begin with.
    pub(crate) fn begins_statically(&self, getter: &ExceptionGetter) -> bool {
        getter.steps.first().is_some_and(|it| self.is_static(*it))
    }

    /// Whether a member is asked without an object.
    pub(crate) fn is_static(&self, step: GetterStep) -> bool {
        match step {
            GetterStep::Call(method) => {
                self.vocabulary.method(method).is_some_and(|it| it.kind == Kind::Static)
            }
            GetterStep::Read(field) => self.vocabulary.field(field).is_some_and(|it| it.is_static),
        }
    }
}
