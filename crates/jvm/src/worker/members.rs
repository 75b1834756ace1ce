//! Classes, methods and fields of the vocabulary as the JVM knows them.
//!
//! They are looked up on first use, inside the test that uses them: looking a member up runs the
//! initialiser of its class. Everything is forgotten with the loader it came from.

use std::rc::Rc;

use crashback_testcase::{FieldId, Kind, MethodId, Type, TypeId, Vocabulary};

use super::pinned::{Detour, Detours, Pinned};
use super::program::{Loaders, Program, text};
use super::runner::{BYTES, CLASS, FILE, OBJECT, STRING};
use super::subclass;
use crate::java::{Env, Field, Method, Object, Thrown};

/// A method ready to be called.
#[derive(Clone)]
pub(super) struct Callable {
    pub(super) class: Object,
    pub(super) owner: TypeId,
    pub(super) method: Method,
    pub(super) kind: Kind,
    /// What the descriptor of the result begins with.
    pub(super) result: u8,
    /// Type of the value that a call yields.
    pub(super) yields: TypeId,
    pub(super) parameters: Rc<[TypeId]>,
    /// What makes a clock or random generator the same in every run.
    pub(super) pinned: Option<Pinned>,
}

/// A field ready to be used.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) class: Object,
    pub(super) owner: TypeId,
    pub(super) field: Field,
    pub(super) is_static: bool,
    pub(super) of: TypeId,
    /// What the descriptor of the value begins with.
    pub(super) descriptor: u8,
}

#[derive(Default)]
pub(super) struct Members {
    classes: Vec<Option<Object>>,
    methods: Vec<Option<Callable>>,
    fields: Vec<Option<Place>>,
    detours: Detours,
    /// Classes below abstract ones.
    subclasses: Vec<Object>,
    /// For each type a few that it was compared with, and whether its values are of them. The first
    /// two lists are those of `String` and `Class`, which a vocabulary need not have.
    assignable: Vec<Vec<(TypeId, bool)>>,
}

/// Where members come from.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    pub(super) env: Env,
    pub(super) vocabulary: &'a Vocabulary,
    pub(super) loaders: &'a Loaders,
    pub(super) program: &'a Program,
}

impl Members {
    /// Forgets everything.
    pub(super) fn clear(&mut self, env: Env) {
        for class in self.classes.drain(..).flatten().chain(self.subclasses.drain(..)) {
            env.delete_global(class);
        }
        self.methods.clear();
        self.fields.clear();
        self.assignable.clear();
    }

    /// Forgets everything for a while: what is returned belongs to a loader that will be used again.
    pub(super) fn set_aside(&mut self) -> Members {
        let detours = std::mem::take(&mut self.detours);
        std::mem::replace(self, Members { detours, ..Members::default() })
    }

    /// Knows again what was set aside, and nothing else.
    pub(super) fn bring_back(&mut self, env: Env, aside: Members) {
        self.clear(env);
        let detours = std::mem::take(&mut self.detours);
        *self = Members { detours, ..aside };
    }

    /// The class of a type, not initialised.
    pub(super) fn class(&mut self, source: Source<'_>, id: TypeId) -> Result<Object, Thrown> {
        if let Some(Some(known)) = self.classes.get(id.index()) {
            return Ok(*known);
        }
        let env = source.env;
        let class = match source.vocabulary.type_of(id) {
            None => return Err(malformed(env, "unknown type")),
            Some(primitive) if !primitive.is_reference() => primitive_class(env, primitive)?,
            Some(reference) => {
                let name = reference.class_name().unwrap_or(reference.descriptor()).replace('/', ".");
                source.loaders.class(env, source.program, &name)?
            }
        };
        let class = env.global(class);
        set(&mut self.classes, id.index(), class);
        Ok(class)
    }

    /// A method, its class initialised.
    pub(super) fn method(&mut self, source: Source<'_>, id: MethodId) -> Result<&Callable, Thrown> {
        if self.methods.get(id.index()).is_none_or(Option::is_none) {
            let found = self.find_method(source, id)?;
            set(&mut self.methods, id.index(), found);
        }
        let found = self.methods.get(id.index()).and_then(Option::as_ref);
        found.ok_or_else(|| malformed(source.env, "unknown method"))
    }

    fn find_method(&mut self, source: Source<'_>, id: MethodId) -> Result<Callable, Thrown> {
        let Source { env, vocabulary, .. } = source;
        let Some(method) = vocabulary.method(id) else { return Err(malformed(env, "unknown method")) };
        let descriptor = descriptor_of(vocabulary, method);
        let mut class = self.class(source, method.owner)?;
        if method.kind == Kind::Constructor
            && let Some(subclass) = vocabulary.subclass_of(method.owner)
        {
            class = env.global(subclass::define(source, class, subclass, id)?);
            self.subclasses.push(class);
        }
        let is_static = method.kind == Kind::Static;
        let owner = vocabulary.type_of(method.owner).and_then(Type::class_name).unwrap_or_default();
        let detour = self.detours.detour(env, owner, &method.name, &descriptor)?;
        let (descriptor, pinned) = match detour {
            Some(Detour::With { descriptor, call }) => (descriptor.to_owned(), Some(Pinned::With(call))),
            Some(Detour::Then(call)) => (descriptor, Some(Pinned::Then(call))),
            Some(Detour::Instead { .. }) | None => (descriptor, None),
        };
        let found = match detour {
            Some(Detour::Instead { class: runtime, method }) => {
                class = runtime;
                method
            }
            _ => env.method(class, &text(&method.name), &text(&descriptor), is_static)?,
        };
        let yields = if method.kind == Kind::Constructor { method.owner } else { method.result };
        Ok(Callable {
            class,
            owner: method.owner,
            method: found,
            kind: method.kind,
            result: first(vocabulary, method.result),
            yields,
            parameters: method.parameters.as_slice().into(),
            pinned,
        })
    }

    /// A field, its class initialised.
    pub(super) fn field(&mut self, source: Source<'_>, id: FieldId) -> Result<Place, Thrown> {
        if let Some(Some(known)) = self.fields.get(id.index()) {
            return Ok(*known);
        }
        let Source { env, vocabulary, .. } = source;
        let Some(field) = vocabulary.field(id) else { return Err(malformed(env, "unknown field")) };
        let class = self.class(source, field.owner)?;
        let descriptor = vocabulary.type_of(field.of).map_or("", Type::descriptor);
        let place = Place {
            class,
            owner: field.owner,
            field: env.field(class, &text(&field.name), &text(descriptor), field.is_static)?,
            is_static: field.is_static,
            of: field.of,
            descriptor: first(vocabulary, field.of),
        };
        set(&mut self.fields, id.index(), place);
        Ok(place)
    }

    /// Whether every value of one type is one of another.
    pub(super) fn is_assignable(
        &mut self,
        source: Source<'_>,
        from: TypeId,
        to: TypeId,
    ) -> Result<bool, Thrown> {
        let index = match from {
            STRING => 0,
            CLASS => 1,
            FILE => 2,
            BYTES => 3,
            OBJECT => 4,
            other => other.index().saturating_add(5),
        };
        let known = self.assignable.get(index).and_then(|all| all.iter().find(|(other, _)| *other == to));
        if let Some((_, known)) = known {
            return Ok(*known);
        }
        let from_class = match from {
            STRING => source.env.find_class(c"java/lang/String")?,
            CLASS => source.env.find_class(c"java/lang/Class")?,
            FILE => source.env.find_class(c"java/io/File")?,
            BYTES => source.env.find_class(c"[B")?,
            OBJECT => source.env.find_class(c"java/lang/Object")?,
            other => self.class(source, other)?,
        };
        let to_class = self.class(source, to)?;
        let assignable = source.env.is_assignable(from_class, to_class);
        if self.assignable.len() <= index {
            self.assignable.resize_with(index + 1, Vec::new);
        }
        if let Some(all) = self.assignable.get_mut(index) {
            all.push((to, assignable));
        }
        Ok(assignable)
    }
}

/// The descriptor of a method.
pub(super) fn descriptor_of(vocabulary: &Vocabulary, method: &crashback_testcase::Method) -> String {
    let descriptor_of = |id| vocabulary.type_of(id).map_or("", Type::descriptor);
    let parameters: String = method.parameters.iter().map(|id| descriptor_of(*id)).collect();
    format!("({parameters}){}", descriptor_of(method.result))
}

/// What the descriptor of a type begins with.
pub(super) fn first(vocabulary: &Vocabulary, id: TypeId) -> u8 {
    vocabulary.type_of(id).and_then(|it| it.descriptor().bytes().next()).unwrap_or(b'V')
}

/// A test that no valid test case can be: the check before it was sent was left out.
pub(super) fn malformed(env: Env, what: &str) -> Thrown {
    env.throw_new(c"java/lang/VerifyError", &format!("malformed test case: {what}"))
}

/// Puts a value at a place of a list, which grows as needed.
pub(super) fn set<T>(list: &mut Vec<Option<T>>, index: usize, value: T) {
    if list.len() <= index {
        list.resize_with(index + 1, || None);
    }
    if let Some(place) = list.get_mut(index) {
        *place = Some(value);
    }
}

/// A class whose objects hold a primitive value.
#[derive(Clone, Copy)]
pub(super) struct Wrapper {
    /// Internal name of the class.
    pub(super) class: &'static str,
    /// The method that gives the value.
    pub(super) unwrap: &'static str,
}

/// What the descriptors of primitive types consist of, but for `V`.
pub(super) const PRIMITIVES: &[u8] = b"ZBSCIJFD";

/// The wrapper of a primitive type.
pub(super) fn wrapper(primitive: u8) -> Option<Wrapper> {
    let (class, unwrap) = match primitive {
        b'Z' => ("java/lang/Boolean", "booleanValue"),
        b'B' => ("java/lang/Byte", "byteValue"),
        b'S' => ("java/lang/Short", "shortValue"),
        b'C' => ("java/lang/Character", "charValue"),
        b'I' => ("java/lang/Integer", "intValue"),
        b'J' => ("java/lang/Long", "longValue"),
        b'F' => ("java/lang/Float", "floatValue"),
        b'D' => ("java/lang/Double", "doubleValue"),
        _ => return None,
    };
    Some(Wrapper { class, unwrap })
}

/// `int.class` and its like.
fn primitive_class(env: Env, primitive: &Type) -> Result<Object, Thrown> {
    let wrapper = primitive.descriptor().bytes().next().and_then(wrapper);
    let class = env.find_class(&text(wrapper.map_or("java/lang/Void", |it| it.class)))?;
    let field = env.field(class, c"TYPE", c"Ljava/lang/Class;", true)?;
    Ok(env.read_field(class, field, b'L', true).as_object())
}
