//! Answers of mocks.

use std::sync::Arc;

use crate::workshop::builder::{Builder, Request};
use crate::workshop::catalogue::{Expected, Generic};
use crate::workshop::origin;
use crate::{Answer, Given, Literal, MethodId, MockId, Statement, TypeId, TypeRef, Var};

impl Builder<'_, '_> {
    /// An answer of a mock to one of its methods, given by its place. None where a test cannot give
    /// one.
    pub(crate) fn stub(&mut self, made: Var, mock: MockId, place: u16, depth: usize) -> Option<Var> {
        if !self.catalogue.is_stubbable(mock, place) {
            return None;
        }
        let method = self.catalogue.vocabulary.mock(mock)?.methods.get(usize::from(place))?.method;
        if let Some(answer) = self.special_answer(made, method, depth) {
            return self.push_answer(made, method, None, answer);
        }
        let result = self.catalogue.result_of(method)?;
        if let Some((given, service)) = self.looked_up(mock, place, method, depth) {
            return self.push_answer(made, method, Some(given), Answer::Return(service));
        }
        let parameters = self.catalogue.vocabulary.method(method)?.parameters.len();
        let bound = self.bound_answer(made, method);
        let type_arguments = match &bound {
            Some(bound) => Arc::clone(&bound.arguments),
            None => self.catalogue.type_arguments(method, parameters),
        };
        let expected = self.expected_answer(method);
        let narrowed = expected.as_ref().and_then(|it| self.wanted_type(&it.whole, result));
        let bound = bound.map(|it| it.of).filter(|it| *it != result && narrowed.is_none());
        let bound = bound.filter(|_| self.random.chance(self.tuning.answer_of_bound));
        let wanted = narrowed.or(bound).unwrap_or_else(|| self.answer_type(result));
        let service =
            self.catalogue.mock_of(wanted).filter(|_| wanted != result && bound.is_none() && depth > 0);
        // Where nothing is said a mock answers null anyway, but a method with code does not.
        let nullable = self.has_code(mock, place);
        let request = Request { nullable, ..Request::new(wanted, depth.saturating_sub(1)) };
        let request = request.with_type_arguments(&type_arguments);
        let is_collaborator = bound.is_some()
            || self.catalogue.is_reference(result)
                && self.is_relied_on(mock, place)
                && self.random.chance(self.tuning.relied_on_collaborator);
        let value = match service.filter(|_| self.random.chance(self.tuning.collaborator_mock)) {
            Some(service) => self.make_mock(service, &[], depth - 1)?,
            None if is_collaborator => self.collaborator(wanted, &type_arguments, depth)?,
            None => self.plain_answer(&request.with_expected(expected.as_deref()))?,
        };
        let answer = self.followed(result, value);
        self.push_answer(made, method, None, answer)
    }

    /// The answer of a mock that looks services up to a call with a class: an object of one that
    /// such mocks were asked for, else of one that the code around the crash casts services to. None
    /// for other methods.
    fn looked_up(
        &mut self,
        mock: MockId,
        place: u16,
        method: MethodId,
        depth: usize,
    ) -> Option<(Given, Var)> {
        let parameter = self.catalogue.class_parameter(method).filter(|_| depth > 0)?;
        let result = self.catalogue.result_of(method)?;
        let asked = self.experience.asked(mock).iter().find(|it| it.method == place);
        let asked = asked.map(|it| it.classes.as_slice()).unwrap_or_default().iter().copied();
        if let Some(is_map) = self.holds_services(result) {
            let asked: Vec<TypeId> = asked.filter(|it| self.catalogue.is_nameable(*it)).collect();
            let wanted = self.random.pick(&asked).copied()?;
            let services = self.services(wanted, result, is_map, depth)?;
            let class = self.push_literal(Literal::Class(wanted))?;
            return Some((Given { parameter, class }, services));
        }
        let asked: Vec<TypeId> =
            asked.filter(|it| self.catalogue.fits(*it, result) && self.catalogue.is_nameable(*it)).collect();
        let wanted = match self.random.pick(&asked) {
            Some(asked) => *asked,
            None => Some(self.answer_type(result)).filter(|it| *it != result)?,
        };
        let service = self.collaborator(wanted, &[], depth)?;
        let class = self.push_literal(Literal::Class(wanted))?;
        Some((Given { parameter, class }, service))
    }

    /// Whether a result is a map, or else another collection, that may have services of any class; none
    /// if it is neither.
    fn holds_services(&mut self, result: TypeId) -> Option<bool> {
        let known = self.catalogue.collection_members().filter(|_| self.tuning.source_several_services)?;
        match () {
            () if self.catalogue.fits(result, known.collection) => Some(false),
            () if self.catalogue.fits(result, known.map) => Some(true),
            () => None,
        }
    }

    /// A collection of services of a class, among them mostly one of the trace where one fits.
    fn services(&mut self, wanted: TypeId, result: TypeId, is_map: bool, depth: usize) -> Option<Var> {
        let traced = self.catalogue.traced_class_below(wanted);
        let traced = traced.filter(|_| self.random.chance(self.tuning.collaborator_of_trace));
        let service = Generic { of: traced.unwrap_or(wanted), arguments: Arc::new([]) };
        let text = self.catalogue.vocabulary.number_of(TypeRef::STRING);
        let name = is_map.then(|| Generic { of: text, arguments: Arc::new([]) });
        let arguments: Vec<Generic> = name.into_iter().chain([service]).collect();
        self.make(&Request::new(result, depth).with_type_arguments(&arguments))
    }

    /// An answer that begins with a value. What says whether there is more must say no in the end,
    /// or loops that ask never end.
    fn followed(&mut self, result: TypeId, value: Var) -> Answer {
        let is_yes = matches!(self.draft.statement(value), Some(Statement::Literal(Literal::Boolean(true))));
        let is_object = self.catalogue.is_reference(result);
        let last = match () {
            () if is_yes && self.random.chance(self.tuning.then_false) => {
                self.push_literal(Literal::Boolean(false))
            }
            () if is_object && self.random.chance(self.tuning.then_null) => self.null(result),
            () => None,
        };
        last.map_or(Answer::Return(value), |then| Answer::Sequence { first: value, then })
    }

    fn plain_answer(&mut self, request: &Request<'_>) -> Option<Var> {
        if self.catalogue.vocabulary.type_of(request.of)?.descriptor() == "Z" {
            let truth = self.random.chance(self.tuning.answer_true);
            return self.push_literal(Literal::Boolean(truth));
        }
        self.value(request)
    }

    /// What the code around the crash expects of the answer to a method.
    pub(crate) fn expected_answer(&mut self, method: MethodId) -> Option<Arc<Expected>> {
        let parameters = self.catalogue.vocabulary.method(method)?.parameters.len();
        self.catalogue.expected(method, parameters)
    }

    /// The type of an answer to a method with a result: where that says nothing, as with methods
    /// that look services up, mostly a class that the code around the crash casts such a result to.
    pub(crate) fn answer_type(&mut self, result: TypeId) -> TypeId {
        let is_wide = self.catalogue.class_name(result).is_some_and(origin::is_wide);
        if !is_wide || !self.random.chance(self.tuning.answer_of_cast) {
            return result;
        }
        let fitting = self.catalogue.cast_classes_below(result);
        self.random.pick(&fitting).copied().unwrap_or(result)
    }
}
