//! Runs the statements of one test case.

use std::rc::Rc;

use crashback_protocol::{Step, Tests};
use crashback_testcase::{
    Answer, Callback, FieldId, Given, Kind, Literal, MethodId, MockId, Statement, TypeId, Var,
};
use smallvec::SmallVec;

use super::exceptions::Exceptions;
use super::folder::Folder;
use super::literals::Literals;
use super::members::{Callable, Members, Source, first, malformed};
use super::mocks::{MockClasses, Mocks, Told};
use super::nested::NestedClasses;
use super::stopwatch::Stopwatch;
use crate::java::{Env, Object, Thrown, Value};

/// What is needed to run statements, and the values they have yielded.
pub(super) struct Runner {
    members: Members,
    mocks: Mocks,
    nested: NestedClasses,
    pub(super) literals: Literals,
    pub(super) folder: Folder,
    pub(super) exceptions: Exceptions,
    pub(super) stopwatch: Stopwatch,
    values: Vec<(Value, TypeId)>,
}

/// What came from a loader that is not used for the time being.
pub(super) struct RunnerAside {
    members: Members,
    mocks: MockClasses,
    nested: NestedClasses,
}

/// How far a test case came.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ran {
    /// The number of statements that completed.
    pub(super) completed: usize,
    /// The calls among the first 64 statements that yielded null, a bit each.
    pub(super) nulls: u64,
}

impl Runner {
    pub(super) fn new(
        literals: Literals,
        mocks: Mocks,
        folder: Folder,
        exceptions: Exceptions,
        stopwatch: Stopwatch,
    ) -> Self {
        let (members, nested, values) = Default::default();
        Self { members, mocks, nested, literals, folder, exceptions, stopwatch, values }
    }

    /// Forgets everything that came from a loader of the program.
    pub(super) fn forget_program(&mut self, env: Env) {
        self.members.clear(env);
        self.mocks.clear(env);
        self.nested.clear(env);
    }

    /// Forgets for a while what came from a loader that will be used again.
    pub(super) fn set_aside(&mut self) -> RunnerAside {
        let nested = std::mem::take(&mut self.nested);
        RunnerAside { members: self.members.set_aside(), mocks: self.mocks.set_aside(), nested }
    }

    /// Knows again what was set aside, and nothing of any other loader.
    pub(super) fn bring_back(&mut self, env: Env, aside: RunnerAside) {
        self.members.bring_back(env, aside.members);
        self.mocks.bring_back(env, aside.mocks);
        self.nested.clear(env);
        self.nested = aside.nested;
    }

    /// Runs statements until one throws.
    pub(super) fn run(
        &mut self,
        source: Source<'_>,
        test: &[Step],
        tests: &Tests,
    ) -> (Ran, Result<(), Thrown>) {
        self.values.clear();
        self.stopwatch.begin();
        let mut ran = Ran::default();
        for (number, step) in test.iter().enumerate() {
            let value = match step {
                Step::Text(text) => {
                    self.literals.get(source.env, tests, text).map(|text| (text.into(), STRING))
                }
                Step::Call { method, receiver, arguments } => {
                    let value = self.call(source, *method, *receiver, tests.arguments(arguments));
                    self.stopwatch.called(number);
                    value
                }
                Step::Other(Statement::Mock(mock)) => self.mock(source, test, number, *mock),
                Step::Other(Statement::Spy { mock, object }) => {
                    let made = self.mock(source, test, number, *mock);
                    made.and_then(|made| self.take_over(source, *object, made))
                }
                Step::Other(Statement::Stub { mock, method, given, answer }) => self
                    .told(source, test, *mock, *method)
                    .and_then(|told| self.stub(source, told, *method, *given, *answer).map(|()| NOTHING)),
                Step::Other(Statement::Kept { mock, method, parameter }) => self
                    .told(source, test, *mock, *method)
                    .and_then(|told| self.kept(source, told, *method, *parameter)),
                Step::Other(statement) => self.statement(source, statement),
            };
            match value {
                Ok(value) => self.values.push(value),
                Err(thrown) => return (ran, Err(thrown)),
            }
            ran.completed += 1;
            if matches!(step, Step::Call { .. }) && number < 64 && self.is_null(source, number) {
                ran.nulls |= 1 << number;
            }
            if self.exceptions.listens
                && let Err(thrown) = self.tell_exception(source, step)
            {
                return (ran, Err(thrown));
            }
        }
        (ran, Ok(()))
    }

    fn is_null(&self, source: Source<'_>, number: usize) -> bool {
        self.values
            .get(number)
            .is_some_and(|(value, of)| value.as_object().is_null() && is_reference(kind_of(source, *of)))
    }

    /// Tells the exception that a call or field has yielded, if it is one.
    fn tell_exception(&self, source: Source<'_>, step: &Step) -> Result<(), Thrown> {
        let is_method =
            |id: &MethodId| source.vocabulary.method(*id).is_some_and(|it| it.kind != Kind::Constructor);
        let is_asked = match step {
            Step::Call { method, .. } => is_method(method),
            Step::Other(statement) => matches!(statement, Statement::ReadField { .. }),
            Step::Text(_) => false,
        };
        match self.values.last() {
            Some((value, of)) if is_asked && is_reference(kind_of(source, *of)) => {
                self.exceptions.tell(source.env, value.as_object())
            }
            _ => Ok(()),
        }
    }

    fn statement(&mut self, source: Source<'_>, statement: &Statement) -> Result<(Value, TypeId), Thrown> {
        match statement {
            Statement::Literal(literal) => self.literal(source, literal),
            Statement::Construct { constructor, arguments } => {
                self.call(source, *constructor, None, arguments)
            }
            Statement::Call { method, receiver, arguments } => {
                self.call(source, *method, *receiver, arguments)
            }
            Statement::ReadField { field, receiver } => {
                let (of, place) = self.place(source, *field, *receiver)?;
                Ok((source.env.read_field(of, place.field, place.descriptor, place.is_static), place.of))
            }
            Statement::WriteField { field, receiver, value } => {
                self.write_field(source, *field, *receiver, *value)
            }
            // JNI asks nobody for access.
            Statement::Inject { field, receiver, value } => {
                self.write_field(source, *field, Some(*receiver), *value)
            }
            Statement::NewArray { array, length } => {
                Ok((self.new_array(source, *array, *length)?.into(), *array))
            }
            Statement::ReadElement { array, index } => {
                let (object, element) = self.array(source, *array)?;
                let descriptor = kind_of(source, element);
                Ok((source.env.read_element(object, descriptor, i32::from(*index))?, element))
            }
            Statement::WriteElement { array, index, value } => {
                let (object, element) = self.array(source, *array)?;
                let value = self.argument(source, *value, element)?;
                let descriptor = kind_of(source, element);
                source.env.write_element(object, descriptor, i32::from(*index), value)?;
                Ok(NOTHING)
            }
            Statement::Cast { to, value } => Ok((self.argument(source, *value, *to)?, *to)),
            // These come with the test around them.
            Statement::Mock(_) | Statement::Spy { .. } | Statement::Stub { .. } | Statement::Kept { .. } => {
                Err(malformed(source.env, "mock"))
            }
        }
    }

    fn literal(&mut self, source: Source<'_>, literal: &Literal) -> Result<(Value, TypeId), Thrown> {
        let value = match literal {
            Literal::Boolean(value) => Value::boolean(*value),
            Literal::Byte(value) => Value::byte(*value),
            Literal::Short(value) => Value::short(*value),
            Literal::Char(value) => Value::char(*value),
            Literal::Int(value) => Value::int(*value),
            Literal::Long(value) => Value::long(*value),
            Literal::Float(value) => Value::float(*value),
            Literal::Double(value) => Value::double(*value),
            // Texts come as steps of their own.
            Literal::Text(_) => return Err(malformed(source.env, "text")),
            Literal::Null(null) => return Ok((Object::NULL.into(), *null)),
            Literal::Class(class) => self.members.class(source, *class)?.into(),
            Literal::Folder => self.folder.get(source.env)?.into(),
            Literal::Bytes(bytes) => source.env.new_byte_array(bytes.get())?.into(),
            Literal::NestedClass(nested) => self.nested.class(source, nested)?.into(),
            Literal::NestedObject(nested) => self.nested.object(source, nested)?.into(),
        };
        Ok((value, literal_type(literal)))
    }

    fn call(
        &mut self,
        source: Source<'_>,
        method: MethodId,
        receiver: Option<Var>,
        arguments: &[Var],
    ) -> Result<(Value, TypeId), Thrown> {
        let env = source.env;
        let receiver = receiver.map(|it| self.value(source, it)).transpose()?;
        let callable = self.members.method(source, method)?;
        let Callable { class, owner, method, kind, result, yields, ref parameters, pinned } = *callable;
        if parameters.len() != arguments.len() {
            return Err(malformed(env, "number of arguments"));
        }
        let parameters = Rc::clone(parameters);
        let mut values = SmallVec::<[Value; 8]>::new();
        for (argument, parameter) in arguments.iter().zip(&*parameters) {
            values.push(self.argument(source, *argument, *parameter)?);
        }
        if let Some(pinned) = pinned {
            pinned.before(env, &mut values)?;
        }
        let value = match (kind, receiver) {
            (Kind::Constructor, None) => env.construct(class, method, &values)?.into(),
            (Kind::Static, None) => env.call_static(class, method, result, &values)?,
            (Kind::Instance, Some(receiver)) => {
                let receiver = self.receiver(source, receiver, owner)?;
                env.call(receiver, method, result, &values)?
            }
            _ => return Err(malformed(env, "receiver")),
        };
        if let Some(pinned) = pinned {
            pinned.after(env, value)?;
        }
        Ok((value, yields))
    }

    fn write_field(
        &mut self,
        source: Source<'_>,
        field: FieldId,
        receiver: Option<Var>,
        value: Var,
    ) -> Result<(Value, TypeId), Thrown> {
        let (of, place) = self.place(source, field, receiver)?;
        let value = self.argument(source, value, place.of)?;
        source.env.write_field(of, place.field, place.descriptor, place.is_static, value);
        Ok(NOTHING)
    }

    /// A new mock, which keeps what the test asks it for later.
    fn mock(
        &mut self,
        source: Source<'_>,
        test: &[Step],
        number: usize,
        mock: MockId,
    ) -> Result<(Value, TypeId), Thrown> {
        let made = self.mocks.make(source, &mut self.members, mock)?;
        for step in test.iter().skip(number) {
            if let Step::Other(Statement::Kept { mock: kept, method, parameter }) = step
                && mocked(test, *kept).is_some_and(|(maker, _)| usize::from(maker.0) == number)
            {
                let place = place_of(source, mock, *method)?;
                let told = Told { object: made.0.as_object(), mock, place };
                self.mocks.keep(source.env, told, *parameter)?;
            }
        }
        Ok(made)
    }

    /// Gives a new mock the state of an object of its class.
    fn take_over(
        &mut self,
        source: Source<'_>,
        object: Var,
        made: (Value, TypeId),
    ) -> Result<(Value, TypeId), Thrown> {
        let from = self.value(source, object)?;
        let from = self.receiver(source, from, made.1)?;
        self.mocks.take_over(source.env, from, made.0.as_object())?;
        Ok(made)
    }

    /// The mock that a variable holds, with the place of one of its methods.
    fn told(
        &self,
        source: Source<'_>,
        test: &[Step],
        variable: Var,
        method: MethodId,
    ) -> Result<Told, Thrown> {
        let (object, _) = self.value(source, variable)?;
        let (_, mock) = mocked(test, variable).ok_or_else(|| malformed(source.env, "no mock"))?;
        Ok(Told { object: object.as_object(), mock, place: place_of(source, mock, method)? })
    }

    fn stub(
        &mut self,
        source: Source<'_>,
        told: Told,
        method: MethodId,
        given: Option<Given>,
        answer: Answer,
    ) -> Result<(), Thrown> {
        let env = source.env;
        let Some(Given { parameter, class }) = given else {
            return self.tell(source, told, method, answer);
        };
        let (class, of) = self.value(source, class)?;
        if !is_reference(kind_of(source, of)) {
            return Err(malformed(env, "class asked for"));
        }
        let before = self.mocks.forget(env, told)?;
        self.tell(source, told, method, answer)?;
        self.mocks.limit(env, told, (parameter, class.as_object()), before)
    }

    fn tell(
        &mut self,
        source: Source<'_>,
        told: Told,
        method: MethodId,
        answer: Answer,
    ) -> Result<(), Thrown> {
        let Source { env, vocabulary, .. } = source;
        let result = vocabulary.method(method).map(|it| it.result);
        let result = result.ok_or_else(|| malformed(env, "unknown method"))?;
        let kind = first(vocabulary, result);
        match answer {
            Answer::Return(_) | Answer::Sequence { .. } if kind == b'V' => {
                Err(malformed(env, "answer without a result"))
            }
            Answer::Nothing if kind == b'V' => self.mocks.tell(env, told, (Object::NULL.into(), kind), false),
            Answer::Nothing => Err(malformed(env, "no answer")),
            Answer::Return(value) => {
                let value = self.argument(source, value, result)?;
                self.mocks.tell(env, told, (value, kind), false)
            }
            Answer::Sequence { first, then } => {
                let first = self.argument(source, first, result)?;
                let then = self.argument(source, then, result)?;
                self.mocks.tell_sequence(env, told, [first, then], kind)
            }
            Answer::Throw(value) => {
                let (value, known) = self.value(source, value)?;
                self.mocks.tell(env, told, (value, kind_of(source, known)), true)
            }
            Answer::Call { callback, value } => self.tell_callback(source, told, callback, value),
        }
    }

    fn kept(
        &mut self,
        source: Source<'_>,
        told: Told,
        method: MethodId,
        parameter: u8,
    ) -> Result<(Value, TypeId), Thrown> {
        let Source { env, vocabulary, .. } = source;
        let parameters = vocabulary.method(method).map(|it| &it.parameters);
        let of = parameters.and_then(|it| it.get(usize::from(parameter))).copied();
        let of = of.filter(|it| is_reference(first(vocabulary, *it)));
        let of = of.ok_or_else(|| malformed(env, "parameter of a mock"))?;
        Ok((self.mocks.kept(env, told, parameter)?.into(), of))
    }

    /// Lets a mock call what it is given, with a value at one place and zero or null elsewhere.
    fn tell_callback(
        &mut self,
        source: Source<'_>,
        told: Told,
        callback: Callback,
        value: Var,
    ) -> Result<(), Thrown> {
        let Source { env, vocabulary, .. } = source;
        let called = self.members.method(source, callback.method)?;
        let (class, method) = (called.class, called.method);
        let parameters = called.parameters.clone();
        let arguments = self.mocks.arguments(env, parameters.len())?;
        for (number, parameter) in parameters.iter().enumerate() {
            let kind = first(vocabulary, *parameter);
            let argument = if number == usize::from(callback.place) {
                self.argument(source, value, *parameter)?
            } else {
                Value::long(0)
            };
            self.mocks.put(env, arguments, number, (argument, kind))?;
        }
        let called = env.reflected(class, method)?;
        self.mocks.tell_callback(env, told, (callback.parameter, called, arguments))
    }

    fn place(
        &mut self,
        source: Source<'_>,
        field: FieldId,
        receiver: Option<Var>,
    ) -> Result<(Object, super::members::Place), Thrown> {
        let receiver = receiver.map(|it| self.value(source, it)).transpose()?;
        let place = self.members.field(source, field)?;
        match (place.is_static, receiver) {
            (true, None) => Ok((place.class, place)),
            (false, Some(receiver)) => Ok((self.receiver(source, receiver, place.owner)?, place)),
            _ => Err(malformed(source.env, "receiver")),
        }
    }

    /// An object that something is asked of. JNI would crash on null or on an object of another
    /// class.
    fn receiver(
        &mut self,
        source: Source<'_>,
        (receiver, known): (Value, TypeId),
        owner: TypeId,
    ) -> Result<Object, Thrown> {
        let (env, receiver) = (source.env, receiver.as_object());
        if !is_reference(kind_of(source, known)) {
            return Err(malformed(env, "receiver"));
        }
        if receiver.is_null() {
            return Err(
                env.throw_new(c"java/lang/NullPointerException", "the test calls a method or field of null")
            );
        }
        if self.fits(source, receiver, known, owner)? {
            return Ok(receiver);
        }
        Err(env.throw_new(c"java/lang/ClassCastException", "the receiver has another class"))
    }

    /// Whether an object of which a type is known is of another, too. If all values of the one are
    /// of the other there is no need to look at the object. Interfaces are no exception: the
    /// verifier does not check them (JVMS 4.10.1.2), but JNI does when it calls their methods.
    fn fits(
        &mut self,
        source: Source<'_>,
        object: Object,
        known: TypeId,
        wanted: TypeId,
    ) -> Result<bool, Thrown> {
        if known == wanted || self.members.is_assignable(source, known, wanted)? {
            return Ok(true);
        }
        let class = self.members.class(source, wanted)?;
        Ok(source.env.is_instance(object, class))
    }

    /// A value for a place of a type. JNI checks no types, so that a value whose static type is
    /// wider is looked at.
    fn argument(&mut self, source: Source<'_>, variable: Var, wanted: TypeId) -> Result<Value, Thrown> {
        let (value, known) = self.value(source, variable)?;
        if known == wanted {
            return Ok(value);
        }
        let env = source.env;
        let (have, want) = (kind_of(source, known), kind_of(source, wanted));
        let (references, want_reference) = (is_reference(have), is_reference(want));
        if references != want_reference || (!references && have != want) {
            return Err(malformed(env, "type of an argument"));
        }
        if !references || value.as_object().is_null() {
            return Ok(value);
        }
        if self.fits(source, value.as_object(), known, wanted)? {
            return Ok(value);
        }
        Err(env.throw_new(c"java/lang/ClassCastException", "the value has another class"))
    }

    fn value(&self, source: Source<'_>, variable: Var) -> Result<(Value, TypeId), Thrown> {
        let value = self.values.get(usize::from(variable.0)).copied();
        value.ok_or_else(|| malformed(source.env, "unknown variable"))
    }

    fn array(&mut self, source: Source<'_>, variable: Var) -> Result<(Object, TypeId), Thrown> {
        let (value, array) = self.value(source, variable)?;
        let element = self.element(source, array)?;
        match value.as_object() {
            Object::NULL => Err(source.env.throw_new(c"java/lang/NullPointerException", "the array is null")),
            array => Ok((array, element)),
        }
    }

    fn new_array(&mut self, source: Source<'_>, array: TypeId, length: u16) -> Result<Object, Thrown> {
        let element = self.element(source, array)?;
        match first(source.vocabulary, element) {
            b'L' | b'[' => {
                let class = self.members.class(source, element)?;
                source.env.new_object_array(class, i32::from(length))
            }
            primitive => source.env.new_primitive_array(primitive, i32::from(length)),
        }
    }

    /// Type of the elements of an array; the vocabulary has it, since whoever adds an array type
    /// adds that of its elements first.
    fn element(&mut self, source: Source<'_>, array: TypeId) -> Result<TypeId, Thrown> {
        if array == BYTES {
            return Ok(BYTE);
        }
        let element = source.vocabulary.type_of(array).and_then(|it| it.element());
        let known = element.and_then(|it| source.vocabulary.find_type(&it));
        known.ok_or_else(|| malformed(source.env, "array type"))
    }
}

/// What statements yield that yield nothing; the type is never looked at.
const NOTHING: (Value, TypeId) = (Value::ZERO, TypeId(u32::MAX));

/// The place of a method among those of a mock.
fn place_of(source: Source<'_>, mock: MockId, method: MethodId) -> Result<usize, Thrown> {
    let known = source.vocabulary.mock(mock);
    let place = known.and_then(|it| it.methods.iter().position(|it| it.method == method));
    place.ok_or_else(|| malformed(source.env, "method of a mock"))
}

/// The statement that made the mock which a variable holds.
fn mocked(test: &[Step], mut variable: Var) -> Option<(Var, MockId)> {
    loop {
        match test.get(usize::from(variable.0))? {
            Step::Other(Statement::Mock(mock) | Statement::Spy { mock, .. }) => {
                return Some((variable, *mock));
            }
            // A cast of a later variable has not yielded a value, so that the test ends before this
            // is asked.
            Step::Other(Statement::Cast { value, .. }) if *value < variable => variable = *value,
            _ => return None,
        }
    }
}

/// Types of literals need no entry in the vocabulary: they have numbers of their own, counted from
/// the end.
fn literal_type(literal: &Literal) -> TypeId {
    match literal {
        Literal::Boolean(_) => TypeId(BASE),
        Literal::Byte(_) => BYTE,
        Literal::Short(_) => TypeId(BASE + 2),
        Literal::Char(_) => TypeId(BASE + 3),
        Literal::Int(_) => TypeId(BASE + 4),
        Literal::Long(_) => TypeId(BASE + 5),
        Literal::Float(_) => TypeId(BASE + 6),
        Literal::Double(_) => TypeId(BASE + 7),
        Literal::Text(_) => STRING,
        Literal::Class(_) | Literal::NestedClass(_) => CLASS,
        Literal::NestedObject(_) => OBJECT,
        Literal::Folder => FILE,
        Literal::Bytes(_) => BYTES,
        Literal::Null(null) => *null,
    }
}

const BASE: u32 = u32::MAX - 16;
const BYTE: TypeId = TypeId(BASE + 1);
pub(super) const STRING: TypeId = TypeId(BASE + 8);
pub(super) const CLASS: TypeId = TypeId(BASE + 9);
pub(super) const FILE: TypeId = TypeId(BASE + 10);
pub(super) const BYTES: TypeId = TypeId(BASE + 11);
pub(super) const OBJECT: TypeId = TypeId(BASE + 12);

/// What the descriptor of a value's type begins with.
fn kind_of(source: Source<'_>, known: TypeId) -> u8 {
    match known.0.checked_sub(BASE) {
        Some(literal) => *b"ZBSCIJFDLLL[L".get(literal as usize).unwrap_or(&b'V'),
        None => first(source.vocabulary, known),
    }
}

fn is_reference(descriptor: u8) -> bool {
    matches!(descriptor, b'L' | b'[')
}
