//! Answers of mocks as statements, as far as a source can write them.

use super::Builder;
use crate::anonymous::takes_answer;
use crate::{Answer, Given, MethodId, MockId, MockKind, Statement, Var};

impl Builder<'_, '_> {
    /// Appends an answer of a mock.
    pub(crate) fn push_answer(
        &mut self,
        mock: Var,
        method: MethodId,
        given: Option<Given>,
        answer: Answer,
    ) -> Option<Var> {
        let stub = self.writable_answer(mock, method, given, answer)?;
        self.draft.push(stub, None)
    }

    /// An answer of a mock, which a source can write where it stands. The class of an anonymous mock has
    /// one answer for all calls of a method.
    pub(crate) fn writable_answer(
        &self,
        mock: Var,
        method: MethodId,
        given: Option<Given>,
        answer: Answer,
    ) -> Option<Statement> {
        if !self.is_anonymous(mock) {
            return Some(Statement::Stub { mock, method, given, answer });
        }
        let answer = match answer {
            Answer::Sequence { first, .. } => Answer::Return(first),
            other => other,
        };
        let may_throw = match answer {
            Answer::Throw(value) => self.may_throw(method, value)?,
            _ => true,
        };
        let since = self.draft.statements().skip(usize::from(mock.0) + 1);
        let is_writable = given.is_none() && may_throw && takes_answer(since, mock, method, answer);
        is_writable.then_some(Statement::Stub { mock, method, given, answer })
    }

    /// Whether a variable is a mock that a source writes as an anonymous class.
    pub(crate) fn is_anonymous(&self, variable: Var) -> bool {
        self.catalogue.vocabulary.is_anonymous(self.draft.statement(variable))
    }

    /// Whether a method of an anonymous mock, given by its place, runs code of its own if nothing is
    /// said.
    pub(crate) fn has_code(&self, mock: MockId, place: u16) -> bool {
        let mock = self.catalogue.vocabulary.mock(mock).filter(|it| it.kind == MockKind::Anonymous);
        let mocked = mock.and_then(|it| it.methods.get(usize::from(place)));
        mocked.is_some_and(|it| !it.is_abstract)
    }

    fn may_throw(&self, method: MethodId, value: Var) -> Option<bool> {
        let vocabulary = &self.catalogue.vocabulary;
        let name = vocabulary.method_name(vocabulary.method(method)?)?;
        let thrown = vocabulary.type_of(self.draft.value(value).of?)?;
        Some(self.catalogue.context.may_throw(&name, thrown.view()))
    }
}
