use std::borrow::Borrow;
use std::fmt;
use std::sync::Arc;

use crashback_classfile::{FieldType, JavaStr, Primitive};
use serde::{Deserialize, Serialize};

/// A type by its descriptor (JVMS 4.3.2), such as `I`, `Ljava/lang/String;` or `[[D`; `V` is the
/// result of methods without one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Type(pub Arc<str>);

impl Type {
    /// The type of a class or interface with this internal name.
    pub fn of_class(name: &str) -> Self {
        Self(format!("L{name};").into())
    }

    /// The type that a class constant names (JVMS 4.4.1): an internal name, or the descriptor of an
    /// array.
    pub fn of_class_constant(name: &str) -> Self {
        if name.starts_with('[') { Self(name.into()) } else { Self::of_class(name) }
    }

    /// Whether mocks look at arguments of the type: any object but texts, and arrays of all kinds
    /// of objects.
    pub fn is_shown_to_mocks(&self) -> bool {
        let descriptor = self.descriptor();
        descriptor.starts_with('L') && descriptor != "Ljava/lang/String;"
            || descriptor == "[Ljava/lang/Object;"
    }

    /// The same type, borrowed.
    pub fn view(&self) -> TypeRef<'_> {
        TypeRef(&self.0)
    }

    /// The descriptor.
    pub fn descriptor(&self) -> &str {
        &self.0
    }

    /// Whether values of this type are references.
    pub fn is_reference(&self) -> bool {
        self.view().is_reference()
    }

    /// Internal name of a class or interface; none for primitives and arrays.
    pub fn class_name(&self) -> Option<&str> {
        self.view().class_name()
    }

    /// Type of the elements of an array.
    pub fn element(&self) -> Option<Type> {
        self.view().element().map(Type::from)
    }
}

impl Borrow<str> for Type {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl From<TypeRef<'_>> for Type {
    fn from(borrowed: TypeRef<'_>) -> Self {
        Self(borrowed.0.into())
    }
}

/// A type by its descriptor, borrowed from wherever that is written down: the type of an array's
/// elements is a part of the array's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypeRef<'a>(pub &'a str);

impl<'a> TypeRef<'a> {
    /// `java.lang.String`.
    pub const STRING: TypeRef<'static> = TypeRef("Ljava/lang/String;");
    /// `java.lang.Class`.
    pub const CLASS: TypeRef<'static> = TypeRef("Ljava/lang/Class;");
    /// `java.lang.Object`.
    pub const OBJECT: TypeRef<'static> = TypeRef("Ljava/lang/Object;");
    /// `java.io.File`
    pub const FILE: TypeRef<'static> = TypeRef("Ljava/io/File;");
    /// `byte[]`
    pub const BYTES: TypeRef<'static> = TypeRef("[B");

    /// The descriptor.
    pub fn descriptor(self) -> &'a str {
        self.0
    }

    /// Whether there are values of this type at all.
    pub fn is_void(self) -> bool {
        self.0 == "V"
    }

    /// Whether values of this type are references.
    pub fn is_reference(self) -> bool {
        matches!(self.0.as_bytes(), [b'L' | b'[', ..])
    }

    /// Whether this is the type of some value: a whole field descriptor.
    pub fn is_well_formed(self) -> bool {
        FieldType::parse(JavaStr::new(self.0.as_bytes())).is_ok()
    }

    /// Internal name of a class or interface; none for primitives and arrays.
    pub fn class_name(self) -> Option<&'a str> {
        match self.0.as_bytes() {
            [b'L', .., b';'] => self.0.get(1..self.0.len() - 1),
            _ => None,
        }
    }

    /// What a class constant says (JVMS 4.4.1): an internal name, or the descriptor of an array;
    /// none for primitives.
    pub fn class_constant(self) -> Option<&'a str> {
        if self.0.starts_with('[') { Some(self.0) } else { self.class_name() }
    }

    /// Type of the elements of an array.
    pub fn element(self) -> Option<TypeRef<'a>> {
        self.0.strip_prefix('[').map(TypeRef)
    }

    /// The type without the dimensions that an array has.
    pub fn innermost(self) -> TypeRef<'a> {
        TypeRef(self.0.trim_start_matches('['))
    }

    /// Number of dimensions, 0 for what is no array.
    pub fn dimensions(self) -> usize {
        self.0.len() - self.innermost().0.len()
    }

    /// The primitive type that it is.
    pub fn primitive(self) -> Option<Primitive> {
        match self.0.as_bytes() {
            [letter] => Primitive::from_letter(*letter),
            _ => None,
        }
    }
}

/// As people write it, nested classes as the class file names them: `java.util.Map$Entry[]`.
impl fmt::Display for TypeRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match FieldType::parse(JavaStr::new(self.0.as_bytes())) {
            Ok(parsed) => f.write_str(&parsed.java_name()),
            Err(_) if self.is_void() => f.write_str("void"),
            Err(_) => write!(f, "‹{}›", self.0),
        }
    }
}
