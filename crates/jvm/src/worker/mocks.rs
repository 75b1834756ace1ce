//! Mocks of the vocabulary as the JVM knows them.
//!
//! Their classes are defined on first use by the program's loader, and forgotten with it. What a mock was told is in the mock itself.

use std::ffi::CStr;

use crashback_testcase::{MockId, TypeId};

use super::members::{Members, PRIMITIVES, Source, malformed, set, wrapper};
use super::mock_class::{self, ANSWERS, ANSWERS_DESCRIPTOR, Wanted};
use super::program::text;
use crate::java::{Env, Field, Method, Object, Thrown, Value};

pub(super) struct Mocks {
    classes: Vec<Option<Class>>,
    runtime: Object,
    tell: Method,
    tell_callback: Method,
    object: Object,
    throwable: Object,
    /// Wrapper classes and their `valueOf`, by the descriptors of what they wrap.
    wrappers: Vec<(u8, Object, Method)>,
}

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

    /// From now on an object answers calls of the method at a place with a value, which has a kind, or throws it.
    pub(super) fn tell(
        &mut self,
        env: Env,
        (mock, id): (Object, MockId),
        place: usize,
        (value, kind): (Value, u8),
        is_thrown: bool,
    ) -> Result<(), Thrown> {
        let boxed = self.boxed(env, value, kind)?;
        if is_thrown && (boxed.is_null() || !env.is_instance(boxed, self.throwable)) {
            return Err(
                env.throw_new(c"java/lang/ClassCastException", "the mock is told to throw no throwable")
            );
        }
        let answers = self.answers(env, mock, id)?;
        let arguments = [answers.into(), int(place), boxed.into(), Value::boolean(is_thrown)];
        env.call_static(self.runtime, self.tell, b'V', &arguments)?;
        env.delete_local(answers);
        Ok(())
    }

    /// From now on an object answers calls of the method at a place by calling a method, with arguments, of what it is given as one of its parameters.
    pub(super) fn tell_callback(
        &mut self,
        env: Env,
        (mock, id): (Object, MockId),
        place: usize,
        (parameter, called, arguments): (u8, Object, Object),
    ) -> Result<(), Thrown> {
        let answers = self.answers(env, mock, id)?;
        let parameter = Value::int(parameter.into());
        let arguments = [answers.into(), int(place), parameter, called.into(), arguments.into()];
        env.call_static(self.runtime, self.tell_callback, b'V', &arguments)?;
        env.delete_local(answers);
        Ok(())
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
            answers = env.new_object_array(self.object, class.methods)?;
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
    // A type whose `equals` is final refuses the class: the only way to know without another look at all that is above the type.
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
