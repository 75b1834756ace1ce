//! Type arguments of objects that are there. A test case has erased types, so that the uses of an
//! object tell what it holds: a list that a constructor takes as `List<Stamp>` is one of stamps.

use std::sync::Arc;

use smallvec::SmallVec;

use super::{Builder, Renaming};
use crate::workshop::catalogue::{Bindings, Generic};
use crate::workshop::draft::Purpose;
use crate::{MethodId, Statement, TestCase, TypeId, Var};

/// A test that is being copied, with the variables that stand for its own so far. Objects are often
/// filled before they are used, so that uses are looked for in the statements to come, too.
#[derive(Clone, Copy)]
pub(crate) struct Original<'o> {
    pub(crate) test: &'o TestCase,
    pub(crate) names: &'o Renaming,
}

/// A parameter of a callee, or its result, which counts as one more.
type Place = (MethodId, usize);

impl Builder<'_, '_> {
    /// What stands for the type variables of a method that is called on an object.
    pub(crate) fn bindings_on(
        &mut self,
        object: Option<Var>,
        method: MethodId,
        original: Option<Original<'_>>,
    ) -> Bindings {
        let of = object.and_then(|it| self.draft.value(it).of);
        let (Some(object), Some(of)) = (object, of) else { return Bindings::new() };
        if !self.tuning.source_receiver_arguments || !self.catalogue.is_generic(method) {
            return Bindings::new();
        }
        let purpose = self.purpose_of(object, original);
        let used_as = purpose.as_ref().map(|(of, arguments)| (*of, &**arguments));
        self.catalogue.bindings_on(of, used_as, method)
    }

    /// The type with type arguments that an object is used as, if a use tells.
    fn purpose_of(&mut self, object: Var, original: Option<Original<'_>>) -> Option<Purpose> {
        if let Some(noted) = self.draft.purpose(object) {
            return Some(noted.clone());
        }
        for (callee, number) in self.places_of(object, original) {
            let arguments = self.catalogue.type_arguments(callee, number);
            let Some(called) = self.catalogue.vocabulary.method(callee).filter(|_| !arguments.is_empty())
            else {
                continue;
            };
            let parameter = called.parameters.get(number).copied();
            if let Some(used_as) = parameter.or_else(|| self.catalogue.result_of(callee)) {
                return Some((used_as, arguments));
            }
        }
        self.injected_as(object, original)
    }

    /// The type of a field that an object is injected into, with its type arguments.
    fn injected_as(&mut self, object: Var, original: Option<Original<'_>>) -> Option<Purpose> {
        if !self.tuning.source_bound_answers {
            return None;
        }
        let field_of = |statement: &Statement, is_object: &dyn Fn(Var) -> bool| match statement {
            Statement::Inject { field, value, .. } if is_object(*value) => Some(*field),
            _ => None,
        };
        let here = self.draft.statements().find_map(|it| field_of(it, &|it| it == object));
        let field = here.or_else(|| {
            let Original { test, names } = original?;
            test.statements().iter().find_map(|it| field_of(it, &|it| names.get(it) == Some(object)))
        })?;
        let owner = self.catalogue.vocabulary.field(field)?.owner;
        let fields = self.catalogue.injected_fields_of(owner);
        let injected = fields.iter().find(|it| it.field == field && !it.type_arguments.is_empty())?;
        Some((injected.of, Arc::clone(&injected.type_arguments)))
    }

    /// Notes what an object of a test that is being copied is used as there, before the copy of that use
    /// is written.
    pub(crate) fn note_purpose(&mut self, object: Var, original: Original<'_>) {
        if self.tuning.source_bound_answers
            && self.draft.purpose(object).is_none()
            && let Some(purpose) = self.purpose_of(object, Some(original))
        {
            self.draft.note_purpose(object, purpose);
        }
    }

    /// Values that are there and can be used as a type with type arguments: mocks that are used with other
    /// ones answer for those.
    pub(crate) fn fitting_with(&mut self, wanted: TypeId, arguments: &[Generic], nullable: bool) -> Vec<Var> {
        let mut fitting = self.fitting(wanted, nullable);
        if !arguments.is_empty() && self.tuning.source_bound_answers {
            fitting.retain(|it| !self.draft.is_mock(*it) || self.agrees(*it, wanted, arguments));
        }
        fitting
    }

    /// Whether nothing tells that an object is used as a type with other type arguments.
    fn agrees(&mut self, object: Var, wanted: TypeId, arguments: &[Generic]) -> bool {
        self.purpose_of(object, None).is_none_or(|(of, known)| of != wanted || *known == *arguments)
    }

    /// The type of the answer of a mock to a method whose result is a type variable for which the use of
    /// the mock tells what stands, or has such a type argument.
    pub(crate) fn bound_answer(&mut self, made: Var, method: MethodId) -> Option<Generic> {
        if !self.tuning.source_bound_answers {
            return None;
        }
        let bindings = self.bindings_on(Some(made), method, None);
        let result = self.catalogue.result_of(method)?;
        let place = self.catalogue.vocabulary.method(method)?.parameters.len();
        let bound = self.catalogue.bound_parameter(method, place, Some(&bindings))?;
        (bindings.iter().any(Option::is_some) && self.catalogue.fits(bound.of, result)).then_some(bound)
    }

    /// Where an object comes from and what it is given to, as far as these are methods and
    /// constructors.
    fn places_of(&self, object: Var, original: Option<Original<'_>>) -> SmallVec<[Place; 4]> {
        let mut places = SmallVec::new();
        if let Some(Statement::Call { method, arguments, .. }) = self.draft.statement(object) {
            places.push((*method, arguments.len()));
        }
        for statement in self.draft.statements() {
            add_uses(statement, |it| it == object, &mut places);
        }
        if let Some(Original { test, names }) = original {
            for statement in test.statements() {
                add_uses(statement, |it| names.get(it) == Some(object), &mut places);
            }
        }
        places
    }
}

fn add_uses(statement: &Statement, is_object: impl Fn(Var) -> bool, places: &mut SmallVec<[Place; 4]>) {
    let (callee, arguments) = match statement {
        Statement::Construct { constructor, arguments } => (*constructor, arguments),
        Statement::Call { method, arguments, .. } => (*method, arguments),
        _ => return,
    };
    let used = arguments.iter().enumerate().filter(|(_, it)| is_object(**it));
    places.extend(used.map(|(number, _)| (callee, number)));
}
