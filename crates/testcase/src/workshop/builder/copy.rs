//! Copies statements from one test case into another, with other variables in the place of the old
//! ones.

use super::{Builder, Request};
use crate::conversion::is_castable;
use crate::members::Member;
use crate::{Answer, Arguments, Given, Kind, Literal, MethodId, Statement, Type, TypeId, Var};

/// Which new variable stands for which old one.
pub(crate) struct Renaming {
    new: Vec<Option<Var>>,
}

impl Renaming {
    /// Nothing stands for any of so many variables yet.
    pub(crate) fn of(length: usize) -> Self {
        Self { new: vec![None; length] }
    }

    /// Lets a new variable, or none, stand for an old one.
    pub(crate) fn set(&mut self, old: usize, new: Option<Var>) {
        if let Some(place) = self.new.get_mut(old) {
            *place = new;
        }
    }

    /// The same, but for one old variable.
    pub(crate) fn with(&self, old: Var, new: Var) -> Self {
        let mut other = Self { new: self.new.clone() };
        other.set(usize::from(old.0), Some(new));
        other
    }

    /// Lets a new variable stand wherever another one did.
    pub(crate) fn replace(&mut self, new: Var, by: Var) {
        self.new.iter_mut().filter(|it| **it == Some(new)).for_each(|it| *it = Some(by));
    }

    /// The variable that stands for an old one.
    pub(crate) fn get(&self, old: Var) -> Option<Var> {
        self.new.get(usize::from(old.0)).copied().flatten()
    }
}

/// A statement with the type of its value.
type Typed = (Statement, Option<TypeId>);

impl Builder<'_, '_> {
    /// Appends a statement of another test case. Values that are gone or do not fit any more are
    /// replaced. None if that cannot be, and then nothing of the statement is there.
    pub(crate) fn copy(&mut self, statement: &Statement, names: &Renaming) -> Option<Var> {
        let (statement, of) = self.renamed(statement, names)?;
        self.draft.push(statement, of)
    }

    /// Whether a source may cast a value to a type.
    fn can_be_cast(&self, value: Var, to: TypeId) -> bool {
        let vocabulary = &self.catalogue.vocabulary;
        let from = self.draft.value(value).of.and_then(|it| vocabulary.type_of(it));
        let (Some(from), Some(to)) = (from, vocabulary.type_of(to)) else { return false };
        from.is_reference()
            && is_castable(self.catalogue.context.index(), from.view(), to.view()) != Some(false)
    }

    /// The method of another class that is called in the same way.
    pub(crate) fn counterpart(&mut self, method: MethodId, of: TypeId) -> Option<MethodId> {
        let called = self.catalogue.vocabulary.method(method)?.clone();
        self.catalogue.members_of(of).iter().find_map(|it| match it {
            Member::Method(id) => {
                let known = self.catalogue.vocabulary.method(*id)?;
                let is_alike = known.kind == called.kind
                    && known.name == called.name
                    && known.parameters == called.parameters;
                is_alike.then_some(*id)
            }
            _ => None,
        })
    }

    fn renamed(&mut self, statement: &Statement, names: &Renaming) -> Option<Typed> {
        let vocabulary = &self.catalogue.vocabulary;
        Some(match statement {
            Statement::Literal(literal) => {
                let variable = self.push_literal(literal.clone())?;
                // Written already, to learn its type: taken back and given to the caller.
                let of = self.draft.value(variable).of;
                (self.draft.take_last()?, of)
            }
            Statement::Construct { constructor, arguments } => {
                let method = vocabulary.method(*constructor)?;
                let (owner, parameters) = (method.owner, method.parameters.clone());
                let has_outer = self.catalogue.has_outer_instance(owner);
                let arguments = self.copied_arguments(arguments, &parameters, has_outer, names)?;
                (Statement::Construct { constructor: *constructor, arguments }, Some(owner))
            }
            Statement::Call { method, receiver, arguments } => {
                let called = vocabulary.method(*method)?;
                let (kind, owner, parameters) = (called.kind, called.owner, called.parameters.clone());
                let receiver = match (kind, receiver) {
                    (Kind::Instance, Some(old)) => Some(self.stand_in(*old, owner, false, names)?),
                    _ => None,
                };
                let arguments = self.copied_arguments(arguments, &parameters, false, names)?;
                let of = self.catalogue.result_of(*method);
                (Statement::Call { method: *method, receiver, arguments }, of)
            }
            Statement::NewArray { array, .. } => (statement.clone(), Some(*array)),
            Statement::Cast { to, value } => {
                // A cast of another value may be one that cannot succeed.
                let value = names.get(*value).filter(|it| self.can_be_cast(*it, *to))?;
                (Statement::Cast { to: *to, value }, Some(*to))
            }
            Statement::Mock(mock) => (statement.clone(), Some(vocabulary.mock(*mock)?.of)),
            Statement::Spy { mock, object } => {
                let of = vocabulary.mock(*mock)?.of;
                let object = names.get(*object).filter(|it| self.constructs(*it) == Some(of))?;
                (Statement::Spy { mock: *mock, object }, Some(of))
            }
            Statement::ReadElement { .. } | Statement::WriteElement { .. } => {
                return self.renamed_element(statement, names);
            }
            Statement::ReadField { .. } | Statement::WriteField { .. } | Statement::Inject { .. } => {
                return self.renamed_field(statement, names);
            }
            Statement::Stub { mock, method, given, answer } => {
                (self.renamed_stub(*mock, *method, *given, *answer, names)?, None)
            }
            Statement::Kept { mock, method, parameter } => {
                let of = vocabulary.method(*method)?.parameters.get(usize::from(*parameter)).copied();
                let mock = names.get(*mock)?;
                (self.answers(mock, *method) && !self.is_anonymous(mock)).then_some(())?;
                (Statement::Kept { mock, method: *method, parameter: *parameter }, of)
            }
        })
    }

    fn renamed_field(&mut self, statement: &Statement, names: &Renaming) -> Option<Typed> {
        let vocabulary = &self.catalogue.vocabulary;
        Some(match statement {
            Statement::ReadField { field, receiver } => {
                let read = vocabulary.field(*field)?;
                let (owner, of) = (read.owner, read.of);
                let receiver = self.copied_receiver(*receiver, owner, names)?;
                (Statement::ReadField { field: *field, receiver }, Some(of))
            }
            Statement::WriteField { field, receiver, value } => {
                let written = vocabulary.field(*field)?;
                let (owner, of) = (written.owner, written.of);
                let receiver = self.copied_receiver(*receiver, owner, names)?;
                let value = self.stand_in(*value, of, true, names)?;
                (Statement::WriteField { field: *field, receiver, value }, None)
            }
            Statement::Inject { field, receiver, value } => {
                let (injected, receiver) = (vocabulary.field(*field)?, names.get(*receiver)?);
                let (of, owner) = (injected.of, injected.owner);
                let receiver_type = self.draft.value(receiver).of;
                receiver_type.is_some_and(|it| self.catalogue.fits(it, owner)).then_some(())?;
                let value = self.stand_in(*value, of, true, names)?;
                (Statement::Inject { field: *field, receiver, value }, None)
            }
            _ => return None,
        })
    }

    fn renamed_element(&mut self, statement: &Statement, names: &Renaming) -> Option<Typed> {
        Some(match statement {
            Statement::ReadElement { array, index } => {
                let (array, element, index) = self.copied_element(*array, *index, names)?;
                (Statement::ReadElement { array, index }, Some(element))
            }
            Statement::WriteElement { array, index, value } => {
                let (array, element, index) = self.copied_element(*array, *index, names)?;
                let value = self.stand_in(*value, element, true, names)?;
                (Statement::WriteElement { array, index, value }, None)
            }
            _ => return None,
        })
    }

    fn renamed_stub(
        &mut self,
        mock: Var,
        method: MethodId,
        given: Option<Given>,
        answer: Answer,
        names: &Renaming,
    ) -> Option<Statement> {
        let vocabulary = &mut self.catalogue.vocabulary;
        let wanted = match answer {
            Answer::Nothing => self.draft.value(names.get(mock)?).of?,
            Answer::Throw(_) => vocabulary.add_type(Type::of_class("java/lang/Throwable")),
            Answer::Call { callback, .. } => {
                let called = vocabulary.method(callback.method)?;
                let wanted = called.parameters.get(usize::from(callback.place)).copied();
                wanted.or_else(|| self.draft.value(names.get(mock)?).of)?
            }
            Answer::Return(_) | Answer::Sequence { .. } => self.catalogue.result_of(method)?,
        };
        let mock = names.get(mock)?;
        self.answers(mock, method).then_some(())?;
        let given = match given {
            None => None,
            Some(Given { parameter, class }) => {
                Some(Given { parameter, class: self.copied_class(class, names)? })
            }
        };
        let nullable = !matches!(answer, Answer::Throw(_));
        let answer = answer.with(|old| self.stand_in(old, wanted, nullable, names))?;
        self.writable_answer(mock, method, given, answer)
    }

    /// Whether a variable is still a mock that answers a method: another value may have its name.
    fn answers(&self, mock: Var, method: MethodId) -> bool {
        match self.draft.statement(mock) {
            Some(Statement::Mock(mock) | Statement::Spy { mock, .. }) => {
                let methods = self.catalogue.vocabulary.mock(*mock).map(|it| &it.methods);
                methods.is_some_and(|it| it.iter().any(|it| it.method == method))
            }
            _ => false,
        }
    }

    /// The class that an answer is for: another would make it another answer.
    fn copied_class(&self, old: Var, names: &Renaming) -> Option<Var> {
        let new = names.get(old)?;
        matches!(self.draft.statement(new), Some(Statement::Literal(Literal::Class(_)))).then_some(new)
    }

    fn copied_receiver(&mut self, old: Option<Var>, owner: TypeId, names: &Renaming) -> Option<Option<Var>> {
        match old {
            None => Some(None),
            Some(old) => self.stand_in(old, owner, false, names).map(Some),
        }
    }

    fn copied_arguments(
        &mut self,
        old: &[Var],
        parameters: &[TypeId],
        has_outer: bool,
        names: &Renaming,
    ) -> Option<Arguments> {
        let mut nullable = !has_outer;
        let mut arguments = Arguments::new();
        for (old, parameter) in old.iter().zip(parameters) {
            arguments.push(self.stand_in(*old, *parameter, nullable, names)?);
            nullable = true;
        }
        Some(arguments)
    }

    /// The variable that stands for an old one, or another value where there is none that fits.
    fn stand_in(&mut self, old: Var, wanted: TypeId, nullable: bool, names: &Renaming) -> Option<Var> {
        if let Some(new) = names.get(old) {
            let value = self.draft.value(new);
            if (nullable || !value.is_null) && value.of.is_some_and(|of| self.catalogue.fits(of, wanted)) {
                return Some(new);
            }
        }
        self.value(&Request { nullable, ..Request::new(wanted, self.tuning.depth_of_insertions) })
    }

    /// The array itself: another one has other elements.
    fn copied_element(&mut self, array: Var, index: u16, names: &Renaming) -> Option<(Var, TypeId, u16)> {
        let array = names.get(array)?;
        let value = self.draft.value(array);
        let array_type = self.catalogue.vocabulary.type_of(value.of?)?.clone();
        let element = self.catalogue.vocabulary.number_of(array_type.view().element()?);
        let index = match value.length {
            Some(length) => index.checked_rem(length)?,
            None => index,
        };
        (!value.is_null).then_some((array, element, index))
    }
}
