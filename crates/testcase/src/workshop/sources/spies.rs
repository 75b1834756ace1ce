//! Spies: partial mocks with the state of a real object, whose methods that stand in the way answer
//! instead of running, as do those by whose results methods of the trace decide where they go on.

use std::sync::Arc;

use crate::workshop::builder::Builder;
use crate::{Answer, Literal, Mock, MockId, MockKind, Statement, TypeId, Var};

impl Builder<'_, '_> {
    /// A spy on an object that a constructor has made, by chance, where tests ended in methods of
    /// its class that are not on the trace or because such methods yielded null, or where methods of
    /// the trace call others of its class.
    pub(crate) fn spy_on(&mut self, made: Var, depth: usize) -> Option<Var> {
        let is_blocked = self.tuning.source_spies && self.experience.blocked(self.tuning).next().is_some();
        let of = self.constructs(made).filter(|_| self.tuning.source_spies)?;
        let calls_itself = self.tuning.source_own_calls && self.catalogue.calls_itself(of);
        if !is_blocked && !calls_itself {
            return None;
        }
        let mock = self.catalogue.spy_of(of)?;
        let probability = match self.blocked_methods(mock).is_empty() {
            false => self.tuning.spy,
            true if calls_itself => self.tuning.spy_of_own_calls,
            true => return None,
        };
        if !self.random.chance(probability) {
            return None;
        }
        let spy = self.draft.push(Statement::Spy { mock, object: made }, Some(of))?;
        self.stub_all_blocked(spy, mock, depth);
        self.stub_own_calls(spy, mock, depth);
        Some(spy)
    }

    /// The class whose constructor made a value; none for other values, and for objects of classes
    /// that the test itself has.
    pub(crate) fn constructs(&self, made: Var) -> Option<TypeId> {
        let Some(Statement::Construct { constructor, .. }) = self.draft.statement(made) else { return None };
        let vocabulary = &self.catalogue.vocabulary;
        let owner = vocabulary.method(*constructor)?.owner;
        vocabulary.subclass_of(owner).is_none().then_some(owner)
    }

    /// Lets a partial mock answer methods in which tests ended, each by chance.
    pub(crate) fn stub_all_blocked(&mut self, made: Var, mock: MockId, depth: usize) {
        for place in self.blocked_methods(mock) {
            if self.has_room() && self.random.chance(self.tuning.stub_blocked) {
                self.stub_blocked(made, mock, place, depth);
            }
        }
    }

    /// Places of the methods of a partial mock in which tests ended and that a test can stub.
    pub(crate) fn blocked_methods(&mut self, mock: MockId) -> Vec<u16> {
        let Self { catalogue, experience, tuning, .. } = self;
        let is_partial = |it: &&Mock| it.calls_real && it.kind == MockKind::Mocked && tuning.source_spies;
        let of = catalogue.vocabulary.mock(mock).filter(is_partial);
        let Some(of) = of.map(|it| it.of) else { return Vec::new() };
        let mut found = Vec::new();
        for (class, method) in experience.blocked(tuning) {
            if catalogue.fits(of, class) {
                found.extend(catalogue.stubbable_methods(mock, method));
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Lets a partial mock answer methods of its class that methods of the trace call, each by chance.
    pub(crate) fn stub_own_calls(&mut self, made: Var, mock: MockId, depth: usize) {
        for place in self.own_calls(mock).iter().copied() {
            if self.has_room() && self.random.chance(self.tuning.stub_own_call) {
                self.stub_own_call(made, mock, place, depth);
            }
        }
    }

    /// Lets a partial mock answer one of these methods.
    pub(crate) fn stub_own_call(&mut self, made: Var, mock: MockId, place: u16, depth: usize) -> Option<Var> {
        let method = self.catalogue.vocabulary.mock(mock)?.methods.get(usize::from(place))?.method;
        let result = self.catalogue.result_of(method)?;
        if self.catalogue.vocabulary.type_of(result)?.descriptor() != "Z" {
            return self.stub_blocked(made, mock, place, depth);
        }
        let truth = Literal::Boolean(self.random.chance(self.tuning.own_call_true));
        let answer = Answer::Return(self.push_literal(truth)?);
        self.draft.push(Statement::Stub { mock: made, method, given: None, answer }, None)
    }

    /// Places of the methods of a partial mock that methods of the trace call on their own class, have a
    /// result and can be stubbed.
    pub(crate) fn own_calls(&mut self, mock: MockId) -> Arc<[u16]> {
        match self.tuning.source_spies && self.tuning.source_own_calls {
            true => self.catalogue.own_calls_of(mock),
            false => Arc::default(),
        }
    }

    /// Lets a partial mock answer a method: with nothing, a value or `null`.
    pub(crate) fn stub_blocked(&mut self, made: Var, mock: MockId, place: u16, depth: usize) -> Option<Var> {
        let method = self.catalogue.vocabulary.mock(mock)?.methods.get(usize::from(place))?.method;
        let answer = match self.catalogue.result_of(method) {
            None => Answer::Nothing,
            Some(result) if self.catalogue.is_reference(result) => {
                let name = self.catalogue.vocabulary.method(method).map(|it| it.name.clone())?;
                let is_obstacle = self.experience.is_null_result(&name);
                match !is_obstacle && self.random.chance(self.null_probability()) {
                    true => Answer::Return(self.null(result)?),
                    false => return self.stub(made, mock, place, depth),
                }
            }
            Some(_) => return self.stub(made, mock, place, depth),
        };
        self.draft.push(Statement::Stub { mock: made, method, given: None, answer }, None)
    }
}
