//! Lets tests ask for exceptions that the program has caught and kept.
//!
//! A getter appends statements to a test case, which then ends with the exception or the future
//! instead of its target call. Operators never see them: they follow from the test case before
//! them.

use super::Workshop;
use super::catalogue::{ExceptionGetter, GetterStep};
use crate::{Arguments, Statement, TestCase, TypeId, Var};

/// A getter with the object that it begins at, if it needs one.
type Attached = (Option<Var>, ExceptionGetter);

impl Workshop<'_> {
    /// The test case with all exception getters that it can use, one after the other. Which comes
    /// first depends on the turn, since none runs after one that throws; those that may wait come
    /// last.
    pub fn with_exception_getters(&mut self, test: &TestCase, turn: usize) -> TestCase {
        let mut getters = self.exception_getters(test);
        let at_once = getters.iter().filter(|(_, getter)| !getter.waits).count();
        let (swift, slow) = getters.split_at_mut(at_once);
        for part in [swift, slow] {
            let first = turn.checked_rem(part.len()).unwrap_or(0);
            part.rotate_left(first);
        }
        let mut statements = test.statements().to_vec();
        for (start, getter) in &getters {
            self.append_getter(&mut statements, *start, getter);
        }
        TestCase::new(statements)
    }

    /// The test case as it is, then with each of the exception getters that it can use alone.
    pub fn with_single_exception_getters(&mut self, test: &TestCase) -> Vec<TestCase> {
        let mut found = vec![test.clone()];
        for (start, getter) in self.exception_getters(test) {
            let mut statements = test.statements().to_vec();
            self.append_getter(&mut statements, start, &getter);
            found.push(TestCase::new(statements));
        }
        found
    }

    fn append_getter(&self, statements: &mut Vec<Statement>, start: Option<Var>, getter: &ExceptionGetter) {
        let mut receiver = start;
        for step in &getter.steps {
            let number = u16::try_from(statements.len()).unwrap_or(u16::MAX);
            let receiver_of_step = receiver.filter(|_| !self.catalogue.is_static(*step));
            statements.push(match step {
                GetterStep::Call(method) => Statement::Call {
                    method: *method,
                    receiver: receiver_of_step,
                    arguments: Arguments::new(),
                },
                GetterStep::Read(field) => Statement::ReadField { field: *field, receiver: receiver_of_step },
            });
            receiver = Some(Var(number));
        }
    }

    /// The getters worth using: those that code of the trace offers first, the short before the
    /// long, and the ones that wait last.
    fn exception_getters(&mut self, test: &TestCase) -> Vec<Attached> {
        let mut found: Vec<Attached> = Vec::new();
        for (variable, of) in self.objects_that_may_keep(test) {
            for getter in self.catalogue.exception_getters_of(of).iter() {
                let start = Some(variable).filter(|_| !self.catalogue.begins_statically(getter));
                self.add_getter(&mut found, start, getter);
            }
        }
        for getter in self.catalogue.static_exception_getters().iter() {
            self.add_getter(&mut found, None, getter);
        }
        found.sort_by_key(|(_, getter)| (getter.waits, !getter.is_traced, getter.steps.len()));
        found.truncate(self.tuning.exception_getters);
        found
    }

    fn add_getter(&self, found: &mut Vec<Attached>, start: Option<Var>, getter: &ExceptionGetter) {
        let is_blacklisted = |step: &GetterStep| match step {
            GetterStep::Call(method) => self.experience.is_blacklisted(*method, &self.tuning),
            GetterStep::Read(_) => false,
        };
        let attached = (start, getter.clone());
        if !found.contains(&attached) && !getter.steps.iter().any(is_blacklisted) {
            found.push(attached);
        }
    }

    /// The objects of a test that may keep something: the result, the receiver and the arguments of
    /// its last statement, then the others, the latest first.
    fn objects_that_may_keep(&self, test: &TestCase) -> Vec<(Var, TypeId)> {
        let statements = test.statements();
        let Some((last, before)) = statements.split_last() else { return Vec::new() };
        let variable = |number: usize| u16::try_from(number).ok().map(Var);
        let mut order: Vec<Var> = variable(before.len()).into_iter().collect();
        last.for_each_operand(|operand| order.push(operand));
        order.extend((0..before.len()).rev().filter_map(variable));
        let vocabulary = &self.catalogue.vocabulary;
        let mut found: Vec<(Var, TypeId)> = Vec::new();
        for variable in order {
            let of = match statements.get(usize::from(variable.0)) {
                Some(Statement::Construct { constructor, .. }) => {
                    vocabulary.method(*constructor).map(|it| it.owner)
                }
                Some(Statement::Call { method, .. }) => self.catalogue.result_of(*method),
                Some(Statement::Mock(mock) | Statement::Spy { mock, .. }) => {
                    vocabulary.mock(*mock).filter(|it| it.calls_real).map(|it| it.of)
                }
                Some(Statement::ReadField { field, .. }) => vocabulary.field(*field).map(|it| it.of),
                _ => None,
            };
            if let Some(of) = of.filter(|_| found.iter().all(|(known, _)| *known != variable)) {
                found.push((variable, of));
            }
        }
        found
    }
}
