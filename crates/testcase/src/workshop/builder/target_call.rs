//! The call that leads into the target frame, and its receiver.

use super::{ArgumentRequests, Builder, Request};
use crate::workshop::{ReceiverOrigin, Step, TargetCall};
use crate::{Arguments, Kind, MethodId, Statement, TypeId, Var};

impl<'w> Builder<'w, '_> {
    /// One of the target calls.
    pub(crate) fn choose_target_call(&mut self) -> Option<&'w TargetCall> {
        self.random.pick_weighted(&self.target.calls, |it| it.weight.max(1))
    }

    /// The object that a target call is made on. The outer none means that it cannot be had, the
    /// inner one that none is needed.
    pub(crate) fn receiver(&mut self, call: &TargetCall) -> Option<Option<Var>> {
        let Step::Call(method) = call.step else { return Some(None) };
        let method = self.catalogue.vocabulary.method(method)?;
        if method.kind == Kind::Static {
            return Some(None);
        }
        let owner = method.owner;
        if let Some(origin) = self.random.pick(&call.origins).copied()
            && self.random.chance(self.tuning.receiver_origin)
            && let Some(found) = self.take_from(origin)
        {
            return Some(Some(found));
        }
        // The first receivers are the likely ones.
        let most = call.receivers.len();
        let place = self.random.place(most).min(self.random.place(most));
        let wanted = call.receivers.get(place).copied().unwrap_or(owner);
        let there = match self.lower_object(wanted) {
            Some(lower) => vec![lower],
            None => self.fitting(wanted, false),
        };
        let reuse = match self.target.recurses {
            true => self.tuning.receiver_reuse_of_recursion,
            false => self.tuning.receiver_reuse,
        };
        let receiver = match self.random.pick(&there) {
            Some(known) if self.random.chance(reuse) => Some(*known),
            known => self.make_around(wanted).or(known.copied()),
        };
        receiver.map(Some)
    }

    /// A new object of the class that a target call belongs to.
    pub(crate) fn make_owner(&mut self, call: &TargetCall) -> Option<Var> {
        let (Step::Construct(method) | Step::Call(method)) = call.step else { return None };
        let owner = self.catalogue.vocabulary.method(method)?.owner;
        self.make(&Request::new(owner, self.tuning.depth_of_insertions))
    }

    /// The types of the parameters of a target call.
    pub(crate) fn parameters_of(&self, call: &TargetCall) -> Vec<TypeId> {
        let (Step::Construct(method) | Step::Call(method)) = call.step else { return Vec::new() };
        let method = self.catalogue.vocabulary.method(method);
        method.map(|it| it.parameters.to_vec()).unwrap_or_default()
    }

    fn take_from(&mut self, origin: ReceiverOrigin) -> Option<Var> {
        match origin {
            ReceiverOrigin::Result(step) => self.result_of_step(step),
            ReceiverOrigin::Argument { by, mock, method, parameter } => {
                let vocabulary = &self.catalogue.vocabulary;
                let of = *vocabulary.method(method)?.parameters.get(usize::from(parameter))?;
                // A mock without answers: it must not call the object that it is to keep.
                let mocked = vocabulary.mock(mock)?.of;
                let mock = self.draft.push(Statement::Mock(mock), Some(mocked))?;
                self.draft.lower_objects.push(mock);
                let done = match by {
                    Step::Construct(constructor) => {
                        self.construct(constructor, ArgumentRequests::default(), self.tuning.depth)
                    }
                    other => self.result_of_step(other),
                };
                self.draft.lower_objects.retain(|it| *it != mock);
                done?;
                self.draft.push(Statement::Kept { mock, method, parameter }, Some(of))
            }
        }
    }

    /// The value that a step yields; none for constructors.
    fn result_of_step(&mut self, step: Step) -> Option<Var> {
        match step {
            Step::Call(method) => self.call(method, None, self.tuning.depth),
            Step::Construct(_) => None,
            Step::Read(field) => {
                let read = self.catalogue.vocabulary.field(field)?;
                let (of, owner, is_static) = (read.of, read.owner, read.is_static);
                let receiver = match is_static {
                    true => None,
                    false => Some(self.value(&Request::new(owner, self.tuning.depth))?),
                };
                self.draft.push(Statement::ReadField { field, receiver }, Some(of))
            }
        }
    }

    /// Writes a target call.
    pub(crate) fn push_target_call(&mut self, call: &TargetCall, receiver: Option<Var>) -> Option<Var> {
        match call.step {
            Step::Construct(constructor) => {
                let arguments = self.target_arguments(constructor, call, None)?;
                let of = self.catalogue.vocabulary.method(constructor)?.owner;
                self.draft.push(Statement::Construct { constructor, arguments }, Some(of))
            }
            Step::Call(method) => {
                let arguments = self.target_arguments(method, call, receiver)?;
                self.push_call(method, receiver, arguments)
            }
            Step::Read(field) => self.read_static(field),
        }
    }

    fn target_arguments(
        &mut self,
        method: MethodId,
        call: &TargetCall,
        receiver: Option<Var>,
    ) -> Option<Arguments> {
        let mut given = self.handed_arguments(method);
        if self.target.recurses
            && let Some(enclosing) = self.enclosing_argument(method, call)
        {
            given.insert(0, enclosing);
        }
        let bindings = self.bindings_on(receiver, method, None);
        let requests = ArgumentRequests { types: &call.parameters, given: &given, bindings: Some(&bindings) };
        let mut arguments = self.arguments(method, requests, self.tuning.depth)?;
        let known = if self.tuning.source_known_arguments { call.arguments.as_slice() } else { &[] };
        for (place, known) in arguments.iter_mut().zip(known) {
            if let Some(literal) = self.random.pick(known).cloned()
                && self.random.chance(self.tuning.known_argument)
                && let Some(variable) = self.push_literal(literal)
            {
                *place = variable;
            }
        }
        Some(arguments)
    }

    /// Arguments of the call that this one continues, each for the first parameter that it fits: a method
    /// often hands on what it is given.
    fn handed_arguments(&mut self, method: MethodId) -> Vec<(usize, Var)> {
        let mut handed = std::mem::take(&mut self.draft.handed);
        let called = self.catalogue.vocabulary.method(method);
        let parameters = called.map(|it| it.parameters.clone()).unwrap_or_default();
        let mut given = Vec::new();
        for (number, parameter) in parameters.into_iter().enumerate() {
            let fits = |it: &Var| {
                let value = self.draft.value(*it);
                !value.is_null && value.of.is_some_and(|of| self.catalogue.fits(of, parameter))
            };
            if let Some(place) = handed.iter().position(fits) {
                let argument = handed.remove(place);
                if self.random.chance(self.tuning.handed_argument) {
                    given.push((number, argument));
                }
            }
        }
        given
    }

    /// A new argument around the one that the frame below, which is in the same method, was given.
    fn enclosing_argument(&mut self, method: MethodId, call: &TargetCall) -> Option<(usize, Var)> {
        let parameters = self.catalogue.vocabulary.method(method)?.parameters.clone();
        for (number, parameter) in parameters.iter().enumerate() {
            let wanted = *call.parameters.get(number).unwrap_or(parameter);
            if self.lower_object(wanted).is_some() && self.random.chance(self.tuning.enclosing_argument) {
                return Some((number, self.make_around(wanted)?));
            }
        }
        None
    }
}
