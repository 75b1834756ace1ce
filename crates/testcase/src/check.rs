use crashback_classfile::JavaStr;
use crashback_program::index::ClassKind;

use crate::anonymous::takes_answer;
use crate::conversion::{is_assignable, is_castable};
use crate::typing::Yield;
use crate::{
    Answer, Bytes, Callback, Context, FieldId, Given, Invalid, Kind, Literal, MemberName, Method, MethodId,
    MockId, MockKind, Problem, Statement, TestCase, Text, TypeId, TypeRef, Typing, Var, Vocabulary,
};

/// Whether a test case can be written down as Java source in the context's package and run by a
/// worker without a look at its types.
///
/// Types are erased: what generic signatures say is not looked at, and a source may need raw types
/// and casts. Every value has exactly one static type, that of its [`Typing`]. A value of a type
/// that the source cannot name is fine as long as every use asks for a type that it can name. See
/// [`Context`] for missing classes.
pub fn check(test: &TestCase, vocabulary: &Vocabulary, context: &Context<'_>) -> Result<(), Vec<Invalid>> {
    let typing = Typing::of(test, vocabulary);
    let (context, statements) = (*context, test.statements());
    let mut checker =
        Checker { vocabulary, context, typing, statements, known: Vec::new(), found: Vec::new() };
    let limit = usize::from(u16::MAX);
    for statement in statements.iter().take(limit) {
        checker.check(statement);
    }
    if statements.len() > limit {
        checker.found.push(Invalid { statement: limit, problem: Problem::TooManyStatements });
    }
    if checker.found.is_empty() { Ok(()) } else { Err(checker.found) }
}

struct Checker<'a> {
    vocabulary: &'a Vocabulary,
    context: Context<'a>,
    typing: Typing<'a>,
    statements: &'a [Statement],
    /// For each statement that was checked what is known of its value.
    known: Vec<Option<Known>>,
    found: Vec<Invalid>,
}

/// What is certain of a value before the test runs.
#[derive(Clone, Copy)]
enum Known {
    Null,
    Length(u16),
    Mock(MockId),
    /// An object that a constructor of a class has made, of this class and none below it.
    New(TypeId),
}

impl<'a> Checker<'a> {
    fn check(&mut self, statement: &Statement) {
        let result = match statement {
            Statement::Literal(literal) => self.literal(literal),
            Statement::Construct { constructor, arguments } => self.construct(*constructor, arguments),
            Statement::Call { method, receiver, arguments } => self.call(*method, *receiver, arguments),
            Statement::ReadField { field, receiver } => self.field(*field, *receiver, None),
            Statement::WriteField { field, receiver, value } => self.field(*field, *receiver, Some(*value)),
            Statement::NewArray { array, .. } => self.new_array(*array),
            Statement::ReadElement { array, index } => self.element(*array, *index).map(drop),
            Statement::WriteElement { array, index, value } => {
                self.element(*array, *index).map(|of| of.into_iter().for_each(|of| self.use_as(*value, of)))
            }
            Statement::Cast { to, value } => self.cast(*to, *value),
            Statement::Mock(mock) => self.mock(*mock),
            Statement::Spy { mock, object } => self.spy(*mock, *object),
            Statement::Stub { mock, method, given, answer } => self.stub(*mock, *method, *given, *answer),
            Statement::Kept { mock, method, parameter } => self.kept(*mock, *method, *parameter),
            Statement::Inject { field, receiver, value } => self.inject(*field, *receiver, *value),
        };
        if let Err(problem) = result {
            self.report(problem);
        }
        let known = self.known_of(statement);
        self.known.push(known);
    }

    fn report(&mut self, problem: Problem) {
        self.found.push(Invalid { statement: self.known.len(), problem });
    }

    fn literal(&self, literal: &Literal) -> Result<(), Problem> {
        match literal {
            Literal::Text(text) => check_text(text),
            Literal::Bytes(bytes) if bytes.get().len() > Bytes::MOST => {
                Err(Problem::TooManyBytes(bytes.get().len()))
            }
            Literal::Class(of) => self.context.check_type(self.type_of(*of)?),
            Literal::NestedClass(of) | Literal::NestedObject(of) => self.context.check_nested(of),
            Literal::Null(of) => self.reference_type(*of).map(drop),
            _ => Ok(()),
        }
    }

    fn construct(&mut self, constructor: MethodId, arguments: &[Var]) -> Result<(), Problem> {
        let (constructor, name) = self.callee(constructor)?;
        if constructor.kind != Kind::Constructor || &*constructor.name != "<init>" {
            return Err(Problem::NotAConstructor(name));
        }
        if let Some(class) = self.type_of(constructor.owner)?.class_name() {
            let class = self.context.class(class)?;
            if class.kind() == ClassKind::Enum {
                return Err(Problem::EnumConstructed(name.owner));
            }
            let is_extended = || {
                self.vocabulary.subclass_of(constructor.owner).is_some() && self.context.is_extensible(class)
            };
            if class.is_abstract() && !is_extended() {
                return Err(Problem::AbstractConstructed(name.owner));
            }
            if let Some(outer) = arguments.first().filter(|_| self.context.has_outer_instance(class)) {
                self.check_not_null(*outer)?;
            }
        }
        self.context.method(&name)?;
        self.arguments(constructor, name, arguments)
    }

    fn call(&mut self, method: MethodId, receiver: Option<Var>, arguments: &[Var]) -> Result<(), Problem> {
        let (method, name) = self.callee(method)?;
        if method.kind == Kind::Constructor || &*method.name == "<init>" {
            return Err(Problem::ConstructorCalled(name));
        }
        let is_static = method.kind == Kind::Static;
        if self.context.method(&name)?.is_some_and(|found| found.is_static() != is_static) {
            return Err(Problem::StaticDiffers(name));
        }
        self.receiver(method.owner, is_static, receiver, &name)?;
        self.arguments(method, name, arguments)
    }

    fn field(&mut self, field: FieldId, receiver: Option<Var>, value: Option<Var>) -> Result<(), Problem> {
        let field = self.vocabulary.field(field).ok_or(Problem::NotInVocabulary)?;
        self.owner_type(field.owner)?;
        let name = self.vocabulary.field_name(field).ok_or(Problem::NotInVocabulary)?;
        if let Some(found) = self.context.field(&name)? {
            if found.is_static() != field.is_static {
                return Err(Problem::StaticDiffers(name));
            }
            if value.is_some() && found.access().is_final() {
                return Err(Problem::FinalWritten(name));
            }
        }
        self.receiver(field.owner, field.is_static, receiver, &name)?;
        if let Some(value) = value {
            let of = self.type_of(field.of)?;
            self.use_as(value, of);
        }
        Ok(())
    }

    fn new_array(&self, array: TypeId) -> Result<(), Problem> {
        let array = self.type_of(array)?;
        self.context.check_type(array)?;
        array.element().map(drop).ok_or_else(|| Problem::NotAnArray(array.into()))
    }

    /// An element of an array: its type, if that of the array is known.
    fn element(&self, array: Var, index: u16) -> Result<Option<TypeRef<'a>>, Problem> {
        let Some(of) = self.value(array)? else { return Ok(None) };
        let element = of.element().ok_or_else(|| Problem::NotAnArray(of.into()))?;
        self.context.check_type(of)?;
        self.check_not_null(array)?;
        match self.known(array) {
            Some(Known::Length(length)) if index >= length => {
                Err(Problem::IndexOutOfBounds { variable: array, index, length })
            }
            _ => Ok(Some(element)),
        }
    }

    fn cast(&self, to: TypeId, value: Var) -> Result<(), Problem> {
        let to = self.reference_type(to)?;
        let Some(from) = self.value(value)? else { return Ok(()) };
        if !from.is_reference() {
            return Err(Problem::NotAReference(from.into()));
        }
        match is_castable(self.context.index(), from, to) {
            Some(false) => Err(Problem::ImpossibleCast { from: from.into(), to: to.into() }),
            _ => Ok(()),
        }
    }

    fn mock(&self, mock: MockId) -> Result<(), Problem> {
        let mock = self.vocabulary.mock(mock).ok_or(Problem::NotInVocabulary)?;
        let of = self.type_of(mock.of)?;
        let class = of.class_name().ok_or_else(|| Problem::NotAReference(of.into()))?;
        match mock.kind {
            MockKind::Mocked => self.context.check_mockable(class),
            MockKind::Anonymous => self.context.check_anonymous(class),
            MockKind::Subclass => Err(Problem::NotMockable(class.to_owned())),
        }
    }

    /// The object is of the very class of the mock, whose methods run unless they are stubbed.
    fn spy(&self, mock: MockId, object: Var) -> Result<(), Problem> {
        self.mock(mock)?;
        let mock = self.vocabulary.mock(mock).ok_or(Problem::NotInVocabulary)?;
        self.value(object)?;
        let is_of_it = matches!(self.known(object), Some(Known::New(of)) if of == mock.of);
        if mock.calls_real && mock.kind == MockKind::Mocked && is_of_it {
            Ok(())
        } else {
            Err(Problem::NotAMock(object))
        }
    }

    fn stub(
        &mut self,
        mock: Var,
        method: MethodId,
        given: Option<Given>,
        answer: Answer,
    ) -> Result<(), Problem> {
        let (stubbed, name, runs_nothing) = self.mocked(mock, method)?;
        if let Some(Given { parameter, class }) = given {
            let parameter = stubbed.parameters.get(usize::from(parameter)).filter(|_| runs_nothing);
            let wanted = parameter.ok_or_else(|| Problem::NotLookedAt(name.clone()))?;
            let (wanted, of) = (self.type_of(*wanted)?, self.value(class)?);
            if of.is_some_and(|it| it != TypeRef::CLASS) {
                return Err(Problem::NotLookedAt(name));
            }
            self.use_as(class, wanted);
            self.check_not_null(class)?;
        }
        let result = self.type_of(stubbed.result)?;
        match answer {
            Answer::Return(_) | Answer::Sequence { .. } if result.is_void() => {
                return Err(Problem::VoidAnswered(name));
            }
            Answer::Return(_) | Answer::Sequence { .. } => {
                answer.values().for_each(|it| self.use_as(it, result));
            }
            Answer::Nothing if !result.is_void() => return Err(Problem::NothingAnswered(name)),
            Answer::Nothing => {}
            Answer::Throw(value) => {
                self.use_as(value, TypeRef("Ljava/lang/Throwable;"));
                self.check_not_null(value)?;
            }
            Answer::Call { callback, value } => self.callback(stubbed, result, callback, value)?,
        }
        self.check_written(mock, method, given, answer, name)
    }

    /// Whether the class of an anonymous mock can have an answer.
    fn check_written(
        &self,
        mock: Var,
        method: MethodId,
        given: Option<Given>,
        answer: Answer,
        name: MemberName,
    ) -> Result<(), Problem> {
        let Some(Known::Mock(known)) = self.known(mock) else { return Ok(()) };
        if self.vocabulary.mock(known).is_none_or(|it| it.kind != MockKind::Anonymous) {
            return Ok(());
        }
        let is_direct = self.vocabulary.is_anonymous(self.statements.get(usize::from(mock.0)));
        let first = usize::from(mock.0) + 1;
        let since = self.statements.iter().take(self.known.len()).skip(first);
        let may_throw = match answer {
            Answer::Throw(value) => self.value(value)?.is_some_and(|it| self.context.may_throw(&name, it)),
            _ => true,
        };
        let is_written =
            is_direct && given.is_none() && may_throw && takes_answer(since, mock, method, answer);
        if is_written { Ok(()) } else { Err(Problem::NotWritten(name)) }
    }

    fn kept(&mut self, mock: Var, method: MethodId, parameter: u8) -> Result<(), Problem> {
        let (called, name, runs_nothing) = self.mocked(mock, method)?;
        let parameter = called.parameters.get(usize::from(parameter)).filter(|_| runs_nothing);
        let of = parameter.and_then(|it| self.vocabulary.type_of(*it));
        let is_anonymous = match self.known(mock) {
            Some(Known::Mock(mock)) => {
                self.vocabulary.mock(mock).is_some_and(|it| it.kind == MockKind::Anonymous)
            }
            _ => false,
        };
        match of.filter(|it| !is_anonymous && it.is_shown_to_mocks() && it.class_name().is_some()) {
            Some(of) => self.context.check_type(of.view()),
            None => Err(Problem::NotLookedAt(name)),
        }
    }

    /// A method of the mock that a variable holds, and whether it runs no code of its type.
    fn mocked(&self, mock: Var, method: MethodId) -> Result<(&'a Method, MemberName, bool), Problem> {
        let Some(Known::Mock(known)) = self.known(mock) else { return Err(Problem::NotAMock(mock)) };
        let known = self.vocabulary.mock(known).ok_or(Problem::NotInVocabulary)?;
        let (called, name) = self.callee(method)?;
        let Some(mocked) = known.methods.iter().find(|it| it.method == method) else {
            return Err(Problem::NotMocked(name));
        };
        self.context.method(&name)?;
        Ok((called, name, !known.calls_real || mocked.is_abstract))
    }

    /// The mock can call what it is given, and what that yields can be its own result.
    fn callback(
        &mut self,
        stubbed: &Method,
        result: TypeRef<'_>,
        callback: Callback,
        value: Var,
    ) -> Result<(), Problem> {
        let (called, name) = self.callee(callback.method)?;
        let parameter = stubbed.parameters.get(usize::from(callback.parameter));
        let found = self.context.method(&name)?;
        // The declared type may be wider than that of the object, which a cast then tells.
        let is_shown = parameter.and_then(|it| self.vocabulary.type_of(*it));
        let is_shown = is_shown.is_some_and(|it| it.is_shown_to_mocks() && it.class_name().is_some());
        let is_called_back = is_shown && found.is_some_and(|it| !it.is_static());
        if !is_called_back {
            return Err(Problem::NotCalledBack(name));
        }
        if !self.context.can_pass_on(self.type_of(called.result)?, result) {
            return Err(Problem::NotCalledBack(name));
        }
        if let Some(parameter) = called.parameters.get(usize::from(callback.place)) {
            let wanted = self.type_of(*parameter)?;
            self.use_as(value, wanted);
        }
        Ok(())
    }

    fn inject(&mut self, field: FieldId, receiver: Var, value: Var) -> Result<(), Problem> {
        let field = self.vocabulary.field(field).ok_or(Problem::NotInVocabulary)?;
        self.owner_type(field.owner)?;
        let name = self.vocabulary.field_name(field).ok_or(Problem::NotInVocabulary)?;
        self.context.class(&name.owner)?;
        let found = self.context.hierarchy().resolve_field(&name.owner, &name.name, &name.descriptor);
        match found {
            None => return Err(Problem::UnknownMember(name)),
            Some(found) if !self.context.is_injected(found) => return Err(Problem::NotInjected(name)),
            Some(_) => {}
        }
        self.receiver(field.owner, field.is_static, Some(receiver), &name)?;
        let of = self.type_of(field.of)?;
        self.use_as(value, of);
        Ok(())
    }

    fn receiver(
        &mut self,
        owner: TypeId,
        is_static: bool,
        receiver: Option<Var>,
        name: &MemberName,
    ) -> Result<(), Problem> {
        match (is_static, receiver) {
            (true, None) => Ok(()),
            (true, Some(_)) => Err(Problem::ReceiverNeedless(name.clone())),
            (false, None) => Err(Problem::ReceiverMissing(name.clone())),
            (false, Some(receiver)) => {
                let owner = self.type_of(owner)?;
                self.use_as(receiver, owner);
                self.check_not_null(receiver)
            }
        }
    }

    fn arguments(&mut self, method: &Method, member: MemberName, arguments: &[Var]) -> Result<(), Problem> {
        let (expected, actual) = (method.parameters.len(), arguments.len());
        if expected != actual {
            return Err(Problem::ArgumentCount { member, expected, actual });
        }
        for (parameter, argument) in method.parameters.iter().zip(arguments) {
            let parameter = self.type_of(*parameter)?;
            self.use_as(*argument, parameter);
        }
        Ok(())
    }

    /// Reports what keeps a variable from standing where a type is wanted.
    fn use_as(&mut self, variable: Var, wanted: TypeRef<'_>) {
        if let Err(problem) = self.check_use(variable, wanted) {
            self.report(problem);
        }
    }

    fn check_use(&self, variable: Var, to: TypeRef<'_>) -> Result<(), Problem> {
        let Some(from) = self.value(variable)? else { return Ok(()) };
        if is_assignable(self.context.hierarchy(), from, to) == Some(false) {
            return Err(Problem::NotAssignable { variable, from: from.into(), to: to.into() });
        }
        // A source can hold the value in a variable of a type above its own, if the use is content
        // with such a type.
        self.context.check_type(from).or_else(|problem| self.context.check_type(to).map_err(|_| problem))
    }

    /// The type of a variable; none if that of its statement is unknown, which was reported there.
    fn value(&self, variable: Var) -> Result<Option<TypeRef<'a>>, Problem> {
        if usize::from(variable.0) >= self.known.len() {
            return Err(Problem::UndefinedVariable(variable));
        }
        match self.typing.look_up(variable) {
            Some(Yield::Value(of)) => Ok(Some(of)),
            Some(Yield::Nothing) => Err(Problem::VoidVariable(variable)),
            Some(Yield::Unknown) | None => Ok(None),
        }
    }

    fn check_not_null(&self, variable: Var) -> Result<(), Problem> {
        match self.known(variable) {
            Some(Known::Null) => Err(Problem::NullDereferenced(variable)),
            _ => Ok(()),
        }
    }

    fn known(&self, variable: Var) -> Option<Known> {
        self.known.get(usize::from(variable.0)).copied().flatten()
    }

    fn known_of(&self, statement: &Statement) -> Option<Known> {
        match statement {
            Statement::Literal(Literal::Null(_)) => Some(Known::Null),
            Statement::NewArray { length, .. } => Some(Known::Length(*length)),
            Statement::Literal(Literal::Bytes(bytes)) => {
                u16::try_from(bytes.get().len()).ok().map(Known::Length)
            }
            Statement::Mock(mock) | Statement::Spy { mock, .. } => Some(Known::Mock(*mock)),
            Statement::Construct { constructor, .. } => {
                let owner = self.vocabulary.method(*constructor)?.owner;
                self.vocabulary.subclass_of(owner).is_none().then_some(Known::New(owner))
            }
            // A source would give a spy the type of the cast.
            Statement::Cast { value, .. } => self.known(*value).filter(|it| !matches!(it, Known::New(_))),
            _ => None,
        }
    }

    fn callee(&self, id: MethodId) -> Result<(&'a Method, MemberName), Problem> {
        let method = self.vocabulary.method(id).ok_or(Problem::NotInVocabulary)?;
        self.owner_type(method.owner)?;
        Ok((method, self.vocabulary.method_name(method).ok_or(Problem::NotInVocabulary)?))
    }

    fn owner_type(&self, id: TypeId) -> Result<(), Problem> {
        let owner = self.type_of(id)?;
        if owner.is_reference() { Ok(()) } else { Err(Problem::NotAReference(owner.into())) }
    }

    /// A reference type that the source can name.
    fn reference_type(&self, id: TypeId) -> Result<TypeRef<'a>, Problem> {
        let of = self.type_of(id)?;
        self.context.check_type(of)?;
        if of.is_reference() { Ok(of) } else { Err(Problem::NotAReference(of.into())) }
    }

    fn type_of(&self, id: TypeId) -> Result<TypeRef<'a>, Problem> {
        self.vocabulary.type_of(id).map(|it| it.view()).ok_or(Problem::NotInVocabulary)
    }
}

fn check_text(text: &Text) -> Result<(), Problem> {
    // No unit takes more than three bytes.
    if text.units().len() <= usize::from(u16::MAX) / 3 {
        return Ok(());
    }
    let bytes = JavaStr::encode_units(text.units().iter().copied()).len();
    if bytes > usize::from(u16::MAX) { Err(Problem::TextTooLong(bytes)) } else { Ok(()) }
}
