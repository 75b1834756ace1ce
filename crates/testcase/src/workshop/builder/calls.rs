//! Calls with their arguments.

use super::{Builder, Original, Request};
use crate::members::Member;
use crate::workshop::catalogue::{Bindings, Container, Way};
use crate::workshop::sources::{files, formats};
use crate::{Arguments, FieldId, Kind, Literal, MethodId, Statement, TypeId, TypeRef, Var};

/// What is known beforehand of the arguments of a call.
#[derive(Clone, Copy, Default)]
pub(crate) struct ArgumentRequests<'r> {
    /// Types of the first arguments, narrower than what the method says.
    pub(crate) types: &'r [TypeId],
    /// Arguments that are there already, behind their places.
    pub(crate) given: &'r [(usize, Var)],
    /// What stands for the type variables of the method.
    pub(crate) bindings: Option<&'r Bindings>,
}

impl Builder<'_, '_> {
    /// Arguments for a method or constructor.
    pub(crate) fn arguments(
        &mut self,
        method: MethodId,
        requests: ArgumentRequests<'_>,
        depth: usize,
    ) -> Option<Arguments> {
        let called = self.catalogue.vocabulary.method(method)?;
        let (parameters, owner) = (called.parameters.clone(), called.owner);
        let is_constructor = called.kind == Kind::Constructor;
        let mut nullable = !(is_constructor && self.catalogue.has_outer_instance(owner));
        let mut arguments = Arguments::new();
        for (number, parameter) in parameters.into_iter().enumerate() {
            let bound = self.catalogue.bound_parameter(method, number, requests.bindings);
            let narrower = requests.types.get(number).copied().or(bound.as_ref().map(|it| it.of));
            let of = narrower.filter(|it| self.catalogue.fits(*it, parameter)).unwrap_or(parameter);
            let type_arguments = bound.as_ref().map_or(&[][..], |it| &it.arguments);
            let expected = self.catalogue.expected(method, number);
            let format = formats::choose(self, owner, of, number);
            let given = requests.given.iter().find(|(place, _)| *place == number);
            arguments.push(match (given, format) {
                (Some((_, given)), _) => *given,
                (_, Some(text)) => self.push_literal(text)?,
                _ => {
                    let request = Request::new(of, depth).with_type_arguments(type_arguments);
                    let request = request.with_expected(expected.as_deref());
                    self.value(&Request { nullable, ..request })?
                }
            });
            nullable = true;
        }
        Some(arguments)
    }

    /// A call with new arguments, on a receiver that is given or looked for.
    pub(crate) fn call(&mut self, method: MethodId, receiver: Option<Var>, depth: usize) -> Option<Var> {
        self.call_with(method, receiver, ArgumentRequests::default(), depth)
    }

    /// A call of which some is known beforehand.
    pub(crate) fn call_with(
        &mut self,
        method: MethodId,
        receiver: Option<Var>,
        requests: ArgumentRequests<'_>,
        depth: usize,
    ) -> Option<Var> {
        let called = self.catalogue.vocabulary.method(method)?;
        let (kind, owner) = (called.kind, called.owner);
        let receiver = match (kind, receiver) {
            (Kind::Instance, None) => Some(self.value(&Request::new(owner, depth))?),
            (Kind::Instance, given) => given,
            _ => None,
        };
        let arguments = self.arguments(method, requests, depth)?;
        self.push_call(method, receiver, arguments)
    }

    /// Writes a call down.
    pub(crate) fn push_call(
        &mut self,
        method: MethodId,
        receiver: Option<Var>,
        arguments: Arguments,
    ) -> Option<Var> {
        let of = self.catalogue.result_of(method);
        self.draft.push(Statement::Call { method, receiver, arguments }, of)
    }

    /// A new object by a constructor, with the fields that a container would fill.
    pub(crate) fn construct(
        &mut self,
        constructor: MethodId,
        requests: ArgumentRequests<'_>,
        depth: usize,
    ) -> Option<Var> {
        let arguments = self.arguments(constructor, requests, depth)?;
        let of = self.catalogue.vocabulary.method(constructor)?.owner;
        let made = self.draft.push(Statement::Construct { constructor, arguments }, Some(of))?;
        self.inject_fields(made, of, depth);
        Some(made)
    }

    /// A value made in a way, for a request.
    pub(crate) fn follow(&mut self, way: Way, request: &Request<'_>, depth: usize) -> Option<Var> {
        match way {
            Way::Text => {
                let literal = self.random_literal(TypeRef::STRING)?;
                self.push_literal(literal)
            }
            Way::Construct(constructor) => {
                let bindings = self.catalogue.bindings(constructor, request.of, request.type_arguments);
                let requests = ArgumentRequests { bindings: Some(&bindings), ..Default::default() };
                self.construct(constructor, requests, depth)
            }
            Way::Call(method) => {
                let called = self.catalogue.vocabulary.method(method)?;
                let (kind, owner, start) = (called.kind, called.owner, self.draft.len());
                let mut receiver = match kind {
                    Kind::Instance => Some(self.value(&Request::new(owner, depth))?),
                    _ => None,
                };
                if let Some(builder) = receiver.filter(|_| self.draft.len() > start) {
                    receiver = Some(self.set_up(builder, depth));
                }
                let bindings = self.catalogue.bindings(method, request.of, request.type_arguments);
                let requests = ArgumentRequests { bindings: Some(&bindings), ..Default::default() };
                self.call_with(method, receiver, requests, depth)
            }
            Way::Narrow(method) => {
                let of = request.of;
                let value = self.follow(Way::Call(method), request, depth)?;
                self.draft.push(Statement::Cast { to: of, value }, Some(of))
            }
            Way::Take(method, container) => {
                let container_of = self.follow(Way::Call(method), request, depth)?;
                self.take(container_of, container, request.of)
            }
            Way::File(form) => files::make_file(self, form),
            Way::Constant(field) => self.read_static(field),
        }
    }

    /// The first object in a container, as a type.
    fn take(&mut self, from: Var, container: Container, of: TypeId) -> Option<Var> {
        let members = self.catalogue.container_members()?;
        let taken = match container {
            Container::List => {
                let first = self.push_literal(Literal::Int(0))?;
                self.push_call(members.get, Some(from), Arguments::from_slice(&[first]))?
            }
            Container::Iterable => {
                let iterator = self.push_call(members.iterator, Some(from), Arguments::new())?;
                self.push_call(members.next, Some(iterator), Arguments::new())?
            }
            Container::Iterator => self.push_call(members.next, Some(from), Arguments::new())?,
            Container::Map => {
                let values = self.push_call(members.values, Some(from), Arguments::new())?;
                return self.take(values, Container::Iterable, of);
            }
            Container::Optional => self.push_call(members.held, Some(from), Arguments::new())?,
            Container::Array => {
                let array = self.draft.value(from).of?;
                let element = self.catalogue.vocabulary.type_of(array)?.element()?;
                let element = self.catalogue.vocabulary.add_type(element);
                self.draft.push(Statement::ReadElement { array: from, index: 0 }, Some(element))?
            }
        };
        match self.draft.value(taken).of == Some(of) {
            true => Some(taken),
            false => self.draft.push(Statement::Cast { to: of, value: taken }, Some(of)),
        }
    }

    /// Reads a static field.
    pub(crate) fn read_static(&mut self, field: FieldId) -> Option<Var> {
        let of = self.catalogue.vocabulary.field(field)?.of;
        self.draft.push(Statement::ReadField { field, receiver: None }, Some(of))
    }

    /// A statement that may change what later ones see: a call on an object that is there, mostly
    /// the given one, or a write to a field. `original` is the test that is being copied, if one is.
    /// Yields the object that a fluent method was called on and the one that it yields, which may stand
    /// for it.
    pub(crate) fn insert_call(
        &mut self,
        receiver: Option<Var>,
        original: Option<Original<'_>>,
    ) -> Option<(Var, Var)> {
        let objects: Vec<(Var, TypeId)> = self
            .draft
            .variables()
            .filter(|(variable, value)| !value.is_null && !self.draft.is_mock(*variable))
            .filter_map(|(variable, value)| value.of.map(|of| (variable, of)))
            .filter(|(_, of)| self.catalogue.class_name(*of).is_some())
            .collect();
        let preferred = receiver
            .filter(|_| self.random.chance(self.tuning.call_on_receiver))
            .and_then(|it| Some((it, self.draft.value(it).of?)));
        let (object, of) = preferred.or_else(|| self.random.pick(&objects).copied())?;
        let is_text = self.catalogue.vocabulary.type_of(of).is_some_and(|it| it.view() == TypeRef::STRING);
        if !self.catalogue.is_nameable(of) || is_text {
            return None;
        }
        let effects = self.catalogue.effects_of(of);
        let (experience, tuning, state) = (self.experience, self.tuning, self.state_of(object));
        let chosen = self.random.pick_weighted(&effects, |effect| match effect.member {
            Member::Method(id) if experience.is_given_up_in(id, &state, tuning) => 0,
            _ => effect.weight,
        });
        let depth = self.tuning.depth_of_insertions;
        let chosen = chosen?;
        match chosen.member {
            Member::Method(method) => {
                let called = self.catalogue.vocabulary.method(method);
                let is_static = called.is_some_and(|it| it.kind == Kind::Static);
                let receiver = (!is_static).then_some(object);
                let bindings = self.bindings_on(receiver, method, original);
                let requests = ArgumentRequests { bindings: Some(&bindings), ..Default::default() };
                let yielded = self.call_with(method, receiver, requests, depth)?;
                let stands_for_it = chosen.is_fluent
                    && self.tuning.source_fluent_options
                    && self.random.chance(self.tuning.fluent_result);
                stands_for_it.then_some((object, yielded))
            }
            Member::Field { id, .. } => {
                self.write_field(id, object, depth);
                None
            }
            Member::Constructor(_) => None,
        }
    }

    fn write_field(&mut self, field: FieldId, object: Var, depth: usize) {
        let Some(written) = self.catalogue.vocabulary.field(field) else { return };
        let (of, is_static) = (written.of, written.is_static);
        let expected = self.catalogue.expected_of_field(field);
        let request = Request::nullable(of, depth).with_expected(expected.as_deref());
        if let Some(value) = self.value(&request) {
            let receiver = (!is_static).then_some(object);
            self.draft.push(Statement::WriteField { field, receiver, value }, None);
        }
    }
}
