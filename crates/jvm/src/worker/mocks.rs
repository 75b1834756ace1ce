//! Mocks of the vocabulary as the JVM knows them.
//!
//! Their classes are defined on first use by the program's loader, and forgotten with it. What a
//! mock was told is in the mock itself.

use std::ffi::CStr;

use crashback_testcase::{MockId, TypeId};
use smallvec::SmallVec;

use super::members::{Members, PRIMITIVES, Source, malformed, set, wrapper};
use super::mock_class::{self, ANSWERS, ANSWERS_DESCRIPTOR, Wanted};
use super::program::text;
use crate::java::{Env, Field, Method, Object, Thrown, Value};

pub(super) struct Mocks {
    classes: Vec<Option<Class>>,
    runtime: Object,
    tell: Method,
    tell_sequence: Method,
    tell_callback: Method,
    forget: Method,
    limit: Method,
    keep: Method,
    kept: Method,
    take_over: Method,
    object: Object,
    throwable: Object,
    /// Wrapper classes and their `valueOf`, by the descriptors of what they wrap.
    wrappers: Vec<(u8, Object, Method)>,
}

/// A mock, and the place of one of its methods.
#[derive(Clone, Copy)]
pub(super) struct Told {
    pub(super) object: Object,
    pub(super) mock: MockId,
    pub(super) place: usize,
}

/// Classes of mocks that one loader has defined.
pub(super) struct MockClasses(Vec<Option<Class>>);

/// The class of a mock.
#[derive(Clone, Copy)]
struct Class {
    class: Object,
    of: TypeId,
    /// How many methods answer.
    methods: i32,
    /// The field with the answers, once it was looked up in a class that is initialised.
    answers: Option<Field>,
}

impl Mocks {
    pub(super) fn new(env: Env) -> Result<Self, Thrown> {
        let runtime = env.global(env.find_class(c"crashback/runtime/Mocks")?);
        let mut wrappers = Vec::with_capacity(PRIMITIVES.len());
        for (primitive, wrapper) in PRIMITIVES.iter().filter_map(|it| Some((*it, wrapper(*it)?))) {
            let class = env.global(env.find_class(&text(wrapper.class))?);
            let descriptor = format!("({})L{};", char::from(primitive), wrapper.class);
            wrappers.push((primitive, class, env.method(class, c"valueOf", &text(&descriptor), true)?));
        }
        Ok(Self {
            classes: Vec::new(),
            tell: env.method(runtime, c"tell", c"([Ljava/lang/Object;ILjava/lang/Object;Z)V", true)?,
            tell_sequence: env.method(runtime, c"tellSequence", TELL_SEQUENCE, true)?,
            forget: env.method(runtime, c"forget", c"([Ljava/lang/Object;I)Ljava/lang/Object;", true)?,
            limit: env.method(runtime, c"limit", LIMIT, true)?,
            keep: env.method(runtime, c"keep", c"([Ljava/lang/Object;II)V", true)?,
            kept: env.method(runtime, c"kept", c"([Ljava/lang/Object;II)Ljava/lang/Object;", true)?,
            take_over: env.method(runtime, c"takeOver", c"(Ljava/lang/Object;Ljava/lang/Object;)V", true)?,
            tell_callback: env.method(runtime, c"tellCallback", TELL_CALLBACK, true)?,
            runtime,
            object: env.global(env.find_class(c"java/lang/Object")?),
            throwable: env.global(env.find_class(c"java/lang/Throwable")?),
            wrappers,
        })
    }

    /// Forgets all classes.
    pub(super) fn clear(&mut self, env: Env) {
        for class in self.classes.drain(..).flatten() {
            env.delete_global(class.class);
        }
    }

    /// Forgets all classes for a while: their loader will be used again.
    pub(super) fn set_aside(&mut self) -> MockClasses {
        MockClasses(std::mem::take(&mut self.classes))
    }

    /// Knows again what was set aside, and nothing else.
    pub(super) fn bring_back(&mut self, env: Env, aside: MockClasses) {
        self.clear(env);
        self.classes = aside.0;
    }

    /// A new object that was told nothing, and its type.
    pub(super) fn make(
        &mut self,
        source: Source<'_>,
        members: &mut Members,
        id: MockId,
    ) -> Result<(Value, TypeId), Thrown> {
        let class = match self.classes.get(id.index()) {
            Some(Some(known)) => *known,
            _ => {
                let class = define(source, members, id)?;
                set(&mut self.classes, id.index(), class);
                class
            }
        };
        Ok((source.env.allocate(class.class)?.into(), class.of))
    }

    /// From now on an object answers calls of a method with a value, which has a kind, or throws
    /// it.
    pub(super) fn tell(
        &mut self,
        env: Env,
        told: Told,
        (value, kind): (Value, u8),
        is_thrown: bool,
    ) -> Result<(), Thrown> {
        let boxed = self.boxed(env, value, kind)?;
        if is_thrown && (boxed.is_null() || !env.is_instance(boxed, self.throwable)) {
            return Err(
                env.throw_new(c"java/lang/ClassCastException", "the mock is told to throw no throwable")
            );
        }
        let arguments = [boxed.into(), Value::boolean(is_thrown)];
        self.call(env, told, self.tell, b'V', &arguments).map(drop)
    }

    /// From now on an object answers calls of a method with a value, which has a kind, and with
    /// another from the second call on.
    pub(super) fn tell_sequence(
        &mut self,
        env: Env,
        told: Told,
        [first, then]: [Value; 2],
        kind: u8,
    ) -> Result<(), Thrown> {
        let arguments = [self.boxed(env, first, kind)?.into(), self.boxed(env, then, kind)?.into()];
        self.call(env, told, self.tell_sequence, b'V', &arguments).map(drop)
    }

    /// Takes away what an object answers to calls of a method.
    pub(super) fn forget(&mut self, env: Env, told: Told) -> Result<Object, Thrown> {
        self.call(env, told, self.forget, b'L', &[]).map(Value::as_object)
    }

    /// What an object was told last about a method holds for calls alone that are given a class,
    /// and what was taken away before for all others.
    pub(super) fn limit(
        &mut self,
        env: Env,
        told: Told,
        (parameter, class): (u8, Object),
        before: Object,
    ) -> Result<(), Thrown> {
        let arguments = [Value::int(parameter.into()), class.into(), before.into()];
        self.call(env, told, self.limit, b'V', &arguments).map(drop)
    }

    /// From now on an object keeps what a method is given.
    pub(super) fn keep(&mut self, env: Env, told: Told, parameter: u8) -> Result<(), Thrown> {
        self.call(env, told, self.keep, b'V', &[Value::int(parameter.into())]).map(drop)
    }

    /// What a method was given last.
    pub(super) fn kept(&mut self, env: Env, told: Told, parameter: u8) -> Result<Object, Thrown> {
        self.call(env, told, self.kept, b'L', &[Value::int(parameter.into())]).map(Value::as_object)
    }

    /// Gives a mock the state of an object of its class.
    pub(super) fn take_over(&mut self, env: Env, from: Object, mock: Object) -> Result<(), Thrown> {
        env.call_static(self.runtime, self.take_over, b'V', &[from.into(), mock.into()]).map(drop)
    }

    /// Calls a method of the runtime that takes the answers of an object and the place of a method
    /// before other arguments.
    fn call(
        &mut self,
        env: Env,
        told: Told,
        method: Method,
        result: u8,
        others: &[Value],
    ) -> Result<Value, Thrown> {
        let answers = self.answers(env, told.object, told.mock)?;
        let mut arguments = SmallVec::<[Value; 6]>::from_slice(&[answers.into(), int(told.place)]);
        arguments.extend_from_slice(others);
        let value = env.call_static(self.runtime, method, result, &arguments)?;
        env.delete_local(answers);
        Ok(value)
    }

    /// From now on an object answers calls of a method by calling a method, with arguments, of what
    /// it is given as one of its parameters.
    pub(super) fn tell_callback(
        &mut self,
        env: Env,
        told: Told,
        (parameter, called, arguments): (u8, Object, Object),
    ) -> Result<(), Thrown> {
        let arguments = [Value::int(parameter.into()), called.into(), arguments.into()];
        self.call(env, told, self.tell_callback, b'V', &arguments).map(drop)
    }

    /// Room for the arguments of a callback.
    pub(super) fn arguments(&self, env: Env, count: usize) -> Result<Object, Thrown> {
        env.new_object_array(self.object, i32::try_from(count).unwrap_or(i32::MAX))
    }

    /// Puts an argument, which has a kind, into its place.
    pub(super) fn put(
        &self,
        env: Env,
        arguments: Object,
        place: usize,
        (value, kind): (Value, u8),
    ) -> Result<(), Thrown> {
        let boxed = self.boxed(env, value, kind)?;
        env.write_element(arguments, b'L', i32::try_from(place).unwrap_or(i32::MAX), boxed.into())
    }

    /// The array of the answers of an object, which is made with the first of them.
    fn answers(&mut self, env: Env, mock: Object, id: MockId) -> Result<Object, Thrown> {
        let class = self.classes.get_mut(id.index()).and_then(Option::as_mut);
        let class = class.ok_or_else(|| malformed(env, "mock"))?;
        let field = match class.answers {
            Some(known) => known,
            None => {
                let field = env.field(class.class, &text(ANSWERS), &text(ANSWERS_DESCRIPTOR), false)?;
                *class.answers.insert(field)
            }
        };
        let mut answers = env.read_field(mock, field, b'[', false).as_object();
        if answers.is_null() {
            // A place for each method, and one for what is kept.
            answers = env.new_object_array(self.object, class.methods.saturating_add(1))?;
            env.write_field(mock, field, b'[', false, answers.into());
        }
        Ok(answers)
    }

    fn boxed(&self, env: Env, value: Value, kind: u8) -> Result<Object, Thrown> {
        match self.wrappers.iter().find(|(primitive, ..)| *primitive == kind) {
            Some((_, class, value_of)) => Ok(env.call_static(*class, *value_of, b'L', &[value])?.as_object()),
            None => Ok(value.as_object()),
        }
    }
}

const TELL_SEQUENCE: &CStr = c"([Ljava/lang/Object;ILjava/lang/Object;Ljava/lang/Object;)V";
const LIMIT: &CStr = c"([Ljava/lang/Object;IILjava/lang/Object;Ljava/lang/Object;)V";
const TELL_CALLBACK: &CStr = c"([Ljava/lang/Object;IILjava/lang/reflect/Method;[Ljava/lang/Object;)V";

fn int(place: usize) -> Value {
    Value::int(i32::try_from(place).unwrap_or(i32::MAX))
}

fn define(source: Source<'_>, members: &mut Members, id: MockId) -> Result<Class, Thrown> {
    let Source { env, vocabulary, loaders, program } = source;
    let mock = vocabulary.mock(id).ok_or_else(|| malformed(env, "unknown mock"))?;
    let of = vocabulary.type_of(mock.of).and_then(|it| it.class_name());
    let of = of.ok_or_else(|| malformed(env, "mock of no class"))?;
    let above = members.class(source, mock.of)?;
    let package = loaders.package_below(env, program, above, of)?;
    let name = mock_class::internal_name(package, of, id);
    let with = |has_identity| {
        let wanted = Wanted { id, mock, vocabulary, has_identity };
        let bytes = mock_class::class_file(&name, wanted).ok_or_else(|| malformed(env, "mock"))?;
        program.define(env, &name, &bytes)
    };
    // A type whose `equals` is final refuses the class: the only way to know without another look
    // at all that is above the type.
    let class = match with(true) {
        Ok(class) => class,
        Err(Thrown) => {
            env.take_thrown();
            with(false)?
        }
    };
    let methods = i32::try_from(mock.methods.len()).unwrap_or(i32::MAX);
    Ok(Class { class: env.global(class), of: mock.of, methods, answers: None })
}
