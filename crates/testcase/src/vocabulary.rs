use std::borrow::Borrow;
use std::hash::Hash;
use std::sync::Arc;

use hashbrown::HashMap;
use hashbrown::hash_map::Entry;

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::{Type, TypeRef};

macro_rules! number {
    ($(#[$meta:meta])* $name:ident) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub struct $name(pub u32);

        impl $name {
            /// As a place in a list.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

number! {
    /// Number of a type in a [`Vocabulary`].
    TypeId
}
number! {
    /// Number of a method or constructor in a [`Vocabulary`].
    MethodId
}
number! {
    /// Number of a field in a [`Vocabulary`].
    FieldId
}

number! {
    /// Number of a mock in a [`Vocabulary`].
    MockId
}

/// How a method is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Kind {
    /// `new C(…)`.
    Constructor,
    /// Without receiver.
    Static,
    /// On a receiver, whose class decides which method runs.
    Instance,
}

/// A method or constructor as a test case calls it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Method {
    /// The class through which it is named.
    pub owner: TypeId,
    /// Its name, `<init>` for constructors.
    pub name: Arc<str>,
    /// How it is called.
    pub kind: Kind,
    /// Types of its parameters.
    pub parameters: SmallVec<[TypeId; 4]>,
    /// Type of its result: `V` if there is none, and for constructors.
    pub result: TypeId,
}

/// A field as a test case reads or writes it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Field {
    /// The class through which it is named.
    pub owner: TypeId,
    /// Its name.
    pub name: Arc<str>,
    /// Whether it belongs to the class rather than to its objects.
    pub is_static: bool,
    /// Type of its value.
    pub of: TypeId,
}

/// A type with the methods that its mocks answer.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Mock {
    /// The class or interface.
    pub of: TypeId,
    /// Whether it is an interface.
    pub is_interface: bool,
    /// Whether calls for which a test says nothing run the methods of the type, where it has any.
    pub calls_real: bool,
    /// How a source makes its objects.
    pub kind: MockKind,
    /// The methods, each under another name or descriptor.
    pub methods: Arc<[Mocked]>,
}

/// How a source makes an object that stands for another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum MockKind {
    /// A mock library makes it.
    Mocked,
    /// By an anonymous class that has the answers. Methods of `Object` can be answered, too, and
    /// methods that have code run it unless they are.
    Anonymous,
    /// By a constructor of the abstract class above: it answers the abstract methods, with zero or
    /// `null`, and nothing else. Such objects are no mocks.
    Subclass,
}

/// A method that a mock answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Mocked {
    /// The method, named through the type of the mock.
    pub method: MethodId,
    /// Whether the type has no code for it.
    pub is_abstract: bool,
}

/// Numbers for types and members. Entries are never removed or changed, so a number keeps its
/// meaning.
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    types: Interned<Type>,
    methods: Interned<Method>,
    fields: Interned<Field>,
    mocks: Interned<Mock>,
    /// The mock that is the [subclass](MockKind::Subclass) of an abstract class.
    subclasses: HashMap<TypeId, MockId>,
}

/// How much of a vocabulary a worker knows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Known {
    /// Number of types.
    pub types: u32,
    /// Number of methods.
    pub methods: u32,
    /// Number of fields.
    pub fields: u32,
    /// Number of mocks.
    pub mocks: u32,
}

/// The entries that a worker does not know yet, in the order of their numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Addition {
    /// What was known before.
    pub after: Known,
    /// Further types.
    pub types: Vec<Type>,
    /// Further methods.
    pub methods: Vec<Method>,
    /// Further fields.
    pub fields: Vec<Field>,
    /// Further mocks.
    pub mocks: Vec<Mock>,
}

/// A number that a vocabulary does not have, or an addition that does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownId;

impl Vocabulary {
    /// The number of a type, new or known.
    pub fn add_type(&mut self, added: Type) -> TypeId {
        TypeId(self.types.add(added))
    }

    /// The number of a type, new or known. Nothing is allocated for one that is known.
    pub fn number_of(&mut self, of: TypeRef<'_>) -> TypeId {
        let known = self.types.find(of.0).map(TypeId);
        known.unwrap_or_else(|| self.add_type(of.into()))
    }

    /// The number of a method, new or known.
    pub fn add_method(&mut self, added: Method) -> MethodId {
        MethodId(self.methods.add(added))
    }

    /// The number of a field, new or known.
    pub fn add_field(&mut self, added: Field) -> FieldId {
        FieldId(self.fields.add(added))
    }

    /// The number of a mock, new or known.
    pub fn add_mock(&mut self, added: Mock) -> MockId {
        let (of, is_subclass) = (added.of, added.kind == MockKind::Subclass);
        let number = MockId(self.mocks.add(added));
        if is_subclass {
            self.subclasses.entry(of).or_insert(number);
        }
        number
    }

    /// The type of a number.
    pub fn type_of(&self, id: TypeId) -> Option<&Type> {
        self.types.list.get(id.index())
    }

    /// The number of a type that is known.
    pub fn find_type(&self, known: &Type) -> Option<TypeId> {
        self.types.find(known).map(TypeId)
    }

    /// The method of a number.
    pub fn method(&self, id: MethodId) -> Option<&Method> {
        self.methods.list.get(id.index())
    }

    /// The field of a number.
    pub fn field(&self, id: FieldId) -> Option<&Field> {
        self.fields.list.get(id.index())
    }

    /// The mock of a number.
    pub fn mock(&self, id: MockId) -> Option<&Mock> {
        self.mocks.list.get(id.index())
    }

    /// The place of the method that answers calls of a mock's method at a place. A type and one above it
    /// may declare a method with the same parameters and a narrower result, without a bridge from the
    /// wider one where compilers made none. A source can only call the narrower one, which comes first
    /// in the list, and mock libraries let it answer for both.
    pub fn answering(&self, mock: &Mock, place: usize) -> usize {
        let method = |at: usize| self.method(mock.methods.get(at)?.method);
        let Some(called) = method(place) else { return place };
        let is_same = |it: &Method| it.name == called.name && it.parameters == called.parameters;
        (0..place).find(|at| method(*at).is_some_and(is_same)).unwrap_or(place)
    }

    /// The class below an abstract one that constructors of that one make objects of, if there is
    /// to be one.
    pub fn subclass_of(&self, of: TypeId) -> Option<&Mock> {
        self.mock(*self.subclasses.get(&of)?)
    }

    /// How much there is to know.
    pub fn known(&self) -> Known {
        Known {
            types: self.types.len(),
            methods: self.methods.len(),
            fields: self.fields.len(),
            mocks: self.mocks.len(),
        }
    }

    /// The entries that a worker lacks.
    pub fn since(&self, known: Known) -> Addition {
        Addition {
            after: known,
            types: self.types.since(known.types),
            methods: self.methods.since(known.methods),
            fields: self.fields.since(known.fields),
            mocks: self.mocks.since(known.mocks),
        }
    }

    /// Takes in what was missing. Fails if something before it is missing too, or entries name what
    /// does not exist.
    pub fn extend(&mut self, addition: Addition) -> Result<(), UnknownId> {
        if addition.after != self.known() {
            return Err(UnknownId);
        }
        for added in addition.types {
            self.types.push(added)?;
        }
        for added in addition.methods {
            let types = added.parameters.iter().chain([&added.owner, &added.result]);
            self.check(types)?;
            self.methods.push(added)?;
        }
        for added in addition.fields {
            self.check([&added.owner, &added.of].into_iter())?;
            self.fields.push(added)?;
        }
        for added in addition.mocks {
            self.check([&added.of].into_iter())?;
            let are_known = added.methods.iter().all(|it| it.method.0 < self.methods.len());
            are_known.then_some(()).ok_or(UnknownId)?;
            let expected = self.mocks.len();
            let number = self.add_mock(added);
            (number.0 == expected).then_some(()).ok_or(UnknownId)?;
        }
        Ok(())
    }

    fn check<'a>(&self, mut types: impl Iterator<Item = &'a TypeId>) -> Result<(), UnknownId> {
        types.all(|id| id.0 < self.types.len()).then_some(()).ok_or(UnknownId)
    }
}

#[derive(Clone, Debug)]
struct Interned<T> {
    list: Vec<T>,
    numbers: HashMap<T, u32>,
}

impl<T> Default for Interned<T> {
    fn default() -> Self {
        Self { list: Vec::new(), numbers: HashMap::new() }
    }
}

impl<T: Clone + Eq + Hash> Interned<T> {
    fn len(&self) -> u32 {
        u32::try_from(self.list.len()).unwrap_or(u32::MAX)
    }

    fn add(&mut self, value: T) -> u32 {
        let next = self.len();
        match self.numbers.entry(value) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(free) => {
                self.list.push(free.key().clone());
                *free.insert(next)
            }
        }
    }

    fn find<Q: Eq + Hash + ?Sized>(&self, value: &Q) -> Option<u32>
    where
        T: Borrow<Q>,
    {
        self.numbers.get(value).copied()
    }

    fn push(&mut self, value: T) -> Result<(), UnknownId> {
        let expected = self.len();
        if self.add(value) == expected { Ok(()) } else { Err(UnknownId) }
    }

    fn since(&self, known: u32) -> Vec<T> {
        self.list.get(known as usize..).unwrap_or_default().to_vec()
    }
}
