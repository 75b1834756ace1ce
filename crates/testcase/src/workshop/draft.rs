//! A test case that is being written.

use std::sync::Arc;

use super::catalogue::Generic;
use crate::{Answer, Literal, Statement, TestCase, TypeId, Var};

/// Statements so far, and what is known of their values.
#[derive(Clone, Debug, Default)]
pub(super) struct Draft {
    statements: Vec<Statement>,
    values: Vec<Value>,
    purposes: Vec<(Var, Purpose)>,
    /// Objects that lower frames run on or are given, the latest last. Later statements use them
    /// where they fit.
    pub(super) lower_objects: Vec<Var>,
    /// Arguments of the call that the target call continues, literals included.
    pub(super) handed: Vec<Var>,
    /// Whether the test is new, and not a change of another.
    pub(super) is_new: bool,
}

/// A type with type arguments that an object is used as.
pub(super) type Purpose = (TypeId, Arc<[Generic]>);

/// What is known of the value of a statement.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Value {
    /// Its static type; none if there is no value.
    pub(super) of: Option<TypeId>,
    /// Whether it is certainly `null`.
    pub(super) is_null: bool,
    /// Length of an array made here.
    pub(super) length: Option<u16>,
}

impl Draft {
    /// The number of statements.
    pub(super) fn len(&self) -> usize {
        self.statements.len()
    }

    /// Appends a statement whose value has a type. None where a test case can have no further
    /// statement.
    pub(super) fn push(&mut self, statement: Statement, of: Option<TypeId>) -> Option<Var> {
        let number = u16::try_from(self.statements.len()).ok()?;
        let value = match &statement {
            Statement::Literal(Literal::Null(_)) => Value { of, is_null: true, length: None },
            Statement::NewArray { length, .. } => Value { of, is_null: false, length: Some(*length) },
            Statement::Literal(Literal::Bytes(bytes)) => {
                Value { of, is_null: false, length: u16::try_from(bytes.get().len()).ok() }
            }
            Statement::Cast { value, .. } => Value { of, ..self.value(*value) },
            _ => Value { of, is_null: false, length: None },
        };
        self.statements.push(statement);
        self.values.push(value);
        Some(Var(number))
    }

    /// Takes the last statement away again.
    pub(super) fn take_last(&mut self) -> Option<Statement> {
        self.values.pop();
        let last = self.statements.pop();
        let length = self.statements.len();
        self.purposes.retain(|(variable, _)| usize::from(variable.0) < length);
        last
    }

    /// Notes what a value will be used as.
    pub(super) fn note_purpose(&mut self, variable: Var, purpose: Purpose) {
        self.purposes.push((variable, purpose));
    }

    /// What a value will be used as, if that was noted.
    pub(super) fn purpose(&self, variable: Var) -> Option<&Purpose> {
        self.purposes.iter().find(|(it, _)| *it == variable).map(|(_, purpose)| purpose)
    }

    /// What is known of the value of a variable.
    pub(super) fn value(&self, variable: Var) -> Value {
        self.values.get(usize::from(variable.0)).copied().unwrap_or_default()
    }

    /// The statements so far.
    pub(super) fn statements(&self) -> impl DoubleEndedIterator<Item = &Statement> + ExactSizeIterator {
        self.statements.iter()
    }

    /// The statement that yields a variable.
    pub(super) fn statement(&self, variable: Var) -> Option<&Statement> {
        self.statements.get(usize::from(variable.0))
    }

    /// Variables with what is known of them, in order.
    pub(super) fn variables(&self) -> impl Iterator<Item = (Var, Value)> + '_ {
        (0..=u16::MAX).map(Var).zip(self.values.iter().copied())
    }

    /// Whether a value is a mock, on which calls have no effect.
    pub(super) fn is_mock(&self, variable: Var) -> bool {
        matches!(self.statement(variable), Some(Statement::Mock(_)))
    }

    /// Notes that a lower frame runs on an object or is given it; literals are no objects.
    pub(super) fn add_lower_object(&mut self, object: Option<Var>) {
        let is_object = |it: &Var| !matches!(self.statement(*it), None | Some(Statement::Literal(_)));
        self.lower_objects.extend(object.filter(is_object));
    }

    /// Whether a statement, from a number on, gives a value to another object.
    pub(super) fn is_given_away(&self, value: Var, from: usize) -> bool {
        self.statements.iter().skip(from).any(|statement| match statement {
            Statement::Construct { arguments, .. } | Statement::Call { arguments, .. } => {
                arguments.contains(&value)
            }
            Statement::WriteField { value: written, .. }
            | Statement::WriteElement { value: written, .. }
            | Statement::Inject { value: written, .. }
            | Statement::Stub { answer: Answer::Return(written), .. } => *written == value,
            Statement::Stub { answer: Answer::Sequence { first, then }, .. } => {
                [*first, *then].contains(&value)
            }
            _ => false,
        })
    }

    /// The test case, without values that no statement uses and that have no effect.
    pub(super) fn finish(self) -> TestCase {
        let is_used = self.used();
        if is_used.iter().all(|it| *it) {
            return TestCase::new(self.statements);
        }
        let mut next = 0;
        let numbers: Vec<u16> = is_used
            .iter()
            .map(|used| {
                let number = next;
                next += u16::from(*used);
                number
            })
            .collect();
        let renamed = |variable: Var| Var(numbers.get(usize::from(variable.0)).copied().unwrap_or_default());
        let kept = self.statements.into_iter().zip(is_used).filter(|(_, used)| *used);
        TestCase::new(kept.map(|(it, _)| it.with_operands(renamed)).collect::<Vec<_>>())
    }

    /// For each statement whether it stays: the last one, those with an effect, and those whose
    /// values these need.
    fn used(&self) -> Vec<bool> {
        let mut is_used = vec![false; self.statements.len()];
        let last = self.statements.len().saturating_sub(1);
        for (number, statement) in self.statements.iter().enumerate().rev() {
            let stays =
                number == last || is_used.get(number).copied().unwrap_or(true) || !statement.is_pure();
            if let Some(place) = is_used.get_mut(number) {
                *place = stays;
            }
            if stays {
                statement.for_each_operand(|variable| {
                    if let Some(place) = is_used.get_mut(usize::from(variable.0)) {
                        *place = true;
                    }
                });
            }
        }
        is_used
    }
}
