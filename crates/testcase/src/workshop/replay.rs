//! Copies statements from one test case into another, with other variables in the place of the old
//! ones.

use super::Workshop;
use super::draft::Draft;
use crate::{Answer, Arguments, Given, Kind, Literal, MethodId, Random, Statement, Type, TypeId, Var};

/// Which new variable stands for which old one.
pub(super) struct Renaming {
    new: Vec<Option<Var>>,
}

impl Renaming {
    /// Nothing stands for anything yet.
    pub(super) fn of(length: usize) -> Self {
        Self { new: vec![None; length] }
    }

    pub(super) fn set(&mut self, old: usize, new: Option<Var>) {
        if let Some(place) = self.new.get_mut(old) {
            *place = new;
        }
    }

    /// Whether something stands for an old variable.
    pub(super) fn has(&self, old: Var) -> bool {
        self.get(old).is_some()
    }

    pub(super) fn get(&self, old: Var) -> Option<Var> {
        self.new.get(usize::from(old.0)).copied().flatten()
    }
}

impl Workshop<'_> {
    /// Appends a statement of another test case. Values that are gone or do not fit any more are
    /// replaced. None if that cannot be, and then nothing of the statement is there.
    pub(super) fn replay(
        &mut self,
        draft: &mut Draft,
        statement: &Statement,
        names: &Renaming,
        random: &mut Random,
    ) -> Option<Var> {
        let mut copy = Copy { workshop: self, draft, names, random };
        let (statement, of) = copy.statement(statement)?;
        draft.push(statement, of)
    }
}

struct Copy<'w, 'a, 'd> {
    workshop: &'w mut Workshop<'a>,
    draft: &'d mut Draft,
    names: &'d Renaming,
    random: &'d mut Random,
}

impl Copy<'_, '_, '_> {
    fn statement(&mut self, statement: &Statement) -> Option<(Statement, Option<TypeId>)> {
        let workshop = &*self.workshop;
        Some(match statement {
            Statement::Literal(literal) => {
                let variable = self.workshop.push_literal(self.draft, literal.clone())?;
                // Written already, to learn its type: taken back and given to the caller.
                let of = self.draft.value(variable).of;
                (self.draft.take_last()?, of)
            }
            Statement::Construct { constructor, arguments } => {
                let method = workshop.vocabulary.method(*constructor)?;
                let (owner, parameters) = (method.owner, method.parameters.clone());
                let has_outer = workshop.has_outer_instance(owner);
                let arguments = self.arguments(arguments, &parameters, has_outer)?;
                (Statement::Construct { constructor: *constructor, arguments }, Some(owner))
            }
            Statement::Call { method, receiver, arguments } => {
                let called = workshop.vocabulary.method(*method)?;
                let (kind, owner, parameters) = (called.kind, called.owner, called.parameters.clone());
                let of = workshop.result_of(*method);
                let receiver = match (kind, receiver) {
                    (Kind::Instance, Some(old)) => Some(self.variable(*old, owner, false)?),
                    _ => None,
                };
                let arguments = self.arguments(arguments, &parameters, false)?;
                (Statement::Call { method: *method, receiver, arguments }, of)
            }
            Statement::ReadField { field, receiver } => {
                let read = workshop.vocabulary.field(*field)?;
                let (owner, of) = (read.owner, read.of);
                let receiver = self.receiver(*receiver, owner)?;
                (Statement::ReadField { field: *field, receiver }, Some(of))
            }
            Statement::WriteField { field, receiver, value } => {
                let written = workshop.vocabulary.field(*field)?;
                let (owner, of) = (written.owner, written.of);
                let receiver = self.receiver(*receiver, owner)?;
                let value = self.variable(*value, of, true)?;
                (Statement::WriteField { field: *field, receiver, value }, None)
            }
            Statement::NewArray { array, .. } => (statement.clone(), Some(*array)),
            Statement::ReadElement { array, index } => {
                let (array, element, index) = self.element(*array, *index)?;
                (Statement::ReadElement { array, index }, Some(element))
            }
            Statement::WriteElement { array, index, value } => {
                let (array, element, index) = self.element(*array, *index)?;
                let value = self.variable(*value, element, true)?;
                (Statement::WriteElement { array, index, value }, None)
            }
            Statement::Cast { to, value } => {
                // A cast of something else may be one that cannot succeed; only the old value will
                // do.
                let value = self.names.get(*value)?;
                (Statement::Cast { to: *to, value }, Some(*to))
            }
            Statement::Mock(mock) => (statement.clone(), Some(workshop.vocabulary.mock(*mock)?.of)),
            Statement::Stub { mock, method, given, answer } => {
                let wanted = match answer {
                    Answer::Return(_) | Answer::Sequence { .. } => workshop.result_of(*method)?,
                    Answer::Throw(_) => {
                        self.workshop.vocabulary.add_type(Type::of_class("java/lang/Throwable"))
                    }
                    Answer::Call { callback, .. } => {
                        let called = workshop.vocabulary.method(callback.method)?;
                        let wanted = called.parameters.get(usize::from(callback.place)).copied();
                        wanted.or_else(|| self.draft.value(self.names.get(*mock)?).of)?
                    }
                };
                let mock = self.names.get(*mock)?;
                self.answers(mock, *method).then_some(())?;
                let given = match given {
                    None => None,
                    Some(Given { parameter, class }) => {
                        Some(Given { parameter: *parameter, class: self.class(*class)? })
                    }
                };
                let nullable = !matches!(answer, Answer::Throw(_));
                let answer = answer.with(|old| self.variable(old, wanted, nullable))?;
                (Statement::Stub { mock, method: *method, given, answer }, None)
            }
            Statement::Kept { mock, method, parameter } => {
                let of =
                    workshop.vocabulary.method(*method)?.parameters.get(usize::from(*parameter)).copied();
                let mock = self.names.get(*mock)?;
                self.answers(mock, *method).then_some(())?;
                (Statement::Kept { mock, method: *method, parameter: *parameter }, of)
            }
            Statement::Inject { field, receiver, value } => {
                let (injected, receiver) = (workshop.vocabulary.field(*field)?, self.names.get(*receiver)?);
                let (of, owner) = (injected.of, injected.owner);
                let has_field = self.draft.value(receiver).of.is_some_and(|it| self.workshop.fits(it, owner));
                has_field.then_some(())?;
                let value = self.variable(*value, of, true)?;
                (Statement::Inject { field: *field, receiver, value }, None)
            }
        })
    }

    /// Whether something else than a mock of the old kind now has the name: it may not answer the
    /// method.
    fn answers(&self, mock: Var, method: MethodId) -> bool {
        match self.draft.statement(mock) {
            Some(Statement::Mock(mock)) => {
                let methods = self.workshop.vocabulary.mock(*mock).map(|it| &it.methods);
                methods.is_some_and(|it| it.iter().any(|it| it.method == method))
            }
            _ => false,
        }
    }

    /// The class that an answer is for: another would make it another answer.
    fn class(&self, old: Var) -> Option<Var> {
        let new = self.names.get(old)?;
        matches!(self.draft.statement(new), Some(Statement::Literal(Literal::Class(_)))).then_some(new)
    }

    fn receiver(&mut self, old: Option<Var>, owner: TypeId) -> Option<Option<Var>> {
        match old {
            None => Some(None),
            Some(old) => self.variable(old, owner, false).map(Some),
        }
    }

    fn arguments(&mut self, old: &[Var], parameters: &[TypeId], has_outer: bool) -> Option<Arguments> {
        let mut nullable = !has_outer;
        let mut arguments = Arguments::new();
        for (old, parameter) in old.iter().zip(parameters) {
            arguments.push(self.variable(*old, *parameter, nullable)?);
            nullable = true;
        }
        Some(arguments)
    }

    fn variable(&mut self, old: Var, wanted: TypeId, nullable: bool) -> Option<Var> {
        if let Some(new) = self.names.get(old) {
            let value = self.draft.value(new);
            if (nullable || !value.is_null) && value.of.is_some_and(|of| self.workshop.fits(of, wanted)) {
                return Some(new);
            }
        }
        let depth = self.workshop.tuning.depth_of_insertions;
        self.workshop.value(self.draft, wanted, nullable, &[], depth, self.random)
    }

    /// The array itself: another one has other elements.
    fn element(&mut self, array: Var, index: u16) -> Option<(Var, TypeId, u16)> {
        let array = self.names.get(array)?;
        let value = self.draft.value(array);
        let element = self.workshop.vocabulary.type_of(value.of?)?.element()?;
        let element = self.workshop.vocabulary.add_type(element);
        let index = match value.length {
            Some(length) => index.checked_rem(length)?,
            None => index,
        };
        (!value.is_null).then_some((array, element, index))
    }
}
