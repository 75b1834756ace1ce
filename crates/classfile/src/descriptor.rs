//! Field and method descriptors (JVMS 4.3), and the two ways of writing class names.

use std::borrow::Cow;
use std::fmt;

use crate::{Error, JavaStr};

/// A primitive type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Primitive {
    /// `boolean`, `Z`.
    Boolean,
    /// `byte`, `B`.
    Byte,
    /// `char`, `C`.
    Char,
    /// `double`, `D`.
    Double,
    /// `float`, `F`.
    Float,
    /// `int`, `I`.
    Int,
    /// `long`, `J`.
    Long,
    /// `short`, `S`.
    Short,
}

impl Primitive {
    /// The type that a letter of a descriptor stands for.
    pub fn from_letter(letter: u8) -> Option<Self> {
        Some(match letter {
            b'Z' => Self::Boolean,
            b'B' => Self::Byte,
            b'C' => Self::Char,
            b'D' => Self::Double,
            b'F' => Self::Float,
            b'I' => Self::Int,
            b'J' => Self::Long,
            b'S' => Self::Short,
            _ => return None,
        })
    }

    /// Its letter in descriptors.
    pub fn letter(self) -> char {
        match self {
            Self::Boolean => 'Z',
            Self::Byte => 'B',
            Self::Char => 'C',
            Self::Double => 'D',
            Self::Float => 'F',
            Self::Int => 'I',
            Self::Long => 'J',
            Self::Short => 'S',
        }
    }

    /// Its name in Java.
    pub fn java_name(self) -> &'static str {
        match self {
            Self::Boolean => "boolean",
            Self::Byte => "byte",
            Self::Char => "char",
            Self::Double => "double",
            Self::Float => "float",
            Self::Int => "int",
            Self::Long => "long",
            Self::Short => "short",
        }
    }

    /// Local variables or stack slots that a value takes.
    pub fn slots(self) -> u16 {
        if matches!(self, Self::Long | Self::Double) { 2 } else { 1 }
    }
}

/// What an array type holds in the end, or the type itself when it is no array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ElementType<'a> {
    /// A primitive type.
    Primitive(Primitive),
    /// A class or interface by its internal name.
    Class(JavaStr<'a>),
}

/// A type as a field descriptor writes it (JVMS 4.3.2). `Display` prints the descriptor it was
/// parsed from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FieldType<'a> {
    /// Number of array dimensions, 0 for a type that is no array.
    pub dimensions: u8,
    /// The type without its dimensions.
    pub element: ElementType<'a>,
}

impl<'a> FieldType<'a> {
    /// Parses a whole field descriptor.
    pub fn parse(descriptor: JavaStr<'a>) -> Result<Self, Error> {
        let bytes = descriptor.as_bytes();
        let fail = |rest: &[u8]| Error::Text { what: "field descriptor", offset: bytes.len() - rest.len() };
        let (field_type, rest) = first_type(bytes).ok_or_else(|| fail(bytes))?;
        if rest.is_empty() { Ok(field_type) } else { Err(fail(rest)) }
    }

    /// Parses what class constants, casts and array creations name: an internal name, or the
    /// descriptor of an array.
    pub fn from_class_constant(name: JavaStr<'a>) -> Result<Self, Error> {
        match name.as_bytes() {
            [b'[', ..] => Self::parse(name),
            _ => Ok(Self { dimensions: 0, element: ElementType::Class(name) }),
        }
    }

    /// Local variables or stack slots that a value takes.
    pub fn slots(self) -> u16 {
        match self {
            Self { dimensions: 0, element: ElementType::Primitive(primitive) } => primitive.slots(),
            _ => 1,
        }
    }

    /// Whether values are references.
    pub fn is_reference(self) -> bool {
        self.dimensions > 0 || matches!(self.element, ElementType::Class(_))
    }

    /// Internal name of a class type; none for primitives and arrays.
    pub fn class_name(self) -> Option<JavaStr<'a>> {
        match self {
            Self { dimensions: 0, element: ElementType::Class(name) } => Some(name),
            _ => None,
        }
    }

    /// Type of the components of an array.
    pub fn component(self) -> Option<Self> {
        self.dimensions.checked_sub(1).map(|dimensions| Self { dimensions, ..self })
    }

    /// The type as Java source and `Class.getTypeName` write it, such as `java.util.Map$Entry[]`.
    pub fn java_name(self) -> String {
        let mut name = match self.element {
            ElementType::Primitive(primitive) => primitive.java_name().to_owned(),
            ElementType::Class(name) => binary_name(&name.to_str()).into_owned(),
        };
        (0..self.dimensions).for_each(|_| name.push_str("[]"));
        name
    }
}

impl fmt::Display for FieldType<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (0..self.dimensions).try_for_each(|_| f.write_str("["))?;
        match self.element {
            ElementType::Primitive(primitive) => write!(f, "{}", primitive.letter()),
            ElementType::Class(name) => write!(f, "L{name};"),
        }
    }
}

/// Parameters and result of a method (JVMS 4.3.3), checked as a whole and read without allocation.
/// `Display` prints the descriptor it was parsed from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MethodDescriptor<'a> {
    parameters: JavaStr<'a>,
    parameter_slots: u16,
    result: Option<FieldType<'a>>,
}

/// A JVM refuses methods whose parameters take more slots (JVMS 4.3.3).
const MAX_PARAMETER_SLOTS: u16 = 255;

impl<'a> MethodDescriptor<'a> {
    /// Parses a whole method descriptor.
    pub fn parse(descriptor: JavaStr<'a>) -> Result<Self, Error> {
        let bytes = descriptor.as_bytes();
        let fail = |rest: &[u8]| Error::Text { what: "method descriptor", offset: bytes.len() - rest.len() };
        let parameters = bytes.strip_prefix(b"(").ok_or_else(|| fail(bytes))?;
        let mut parameter_slots = 0;
        let mut rest = parameters;
        let after = loop {
            if let Some(after) = rest.strip_prefix(b")") {
                break after;
            }
            let (parameter, after) = first_type(rest).ok_or_else(|| fail(rest))?;
            parameter_slots += parameter.slots();
            if parameter_slots > MAX_PARAMETER_SLOTS {
                return Err(fail(rest));
            }
            rest = after;
        };
        let result = match after {
            b"V" => None,
            _ => match first_type(after) {
                Some((result, [])) => Some(result),
                _ => return Err(fail(after)),
            },
        };
        let parameters = JavaStr::new(parameters.get(..parameters.len() - rest.len()).unwrap_or_default());
        Ok(Self { parameters, parameter_slots, result })
    }

    /// The parameter types in order.
    pub fn parameters(self) -> impl Iterator<Item = FieldType<'a>> + Clone {
        let mut rest = self.parameters.as_bytes();
        std::iter::from_fn(move || {
            let (parameter, after) = first_type(rest)?;
            rest = after;
            Some(parameter)
        })
    }

    /// Slots of all parameters, without the receiver.
    pub fn parameter_slots(self) -> u16 {
        self.parameter_slots
    }

    /// Type of the result, none for `void`.
    pub fn result(self) -> Option<FieldType<'a>> {
        self.result
    }

    /// Slots of the result, 0 for `void`.
    pub fn result_slots(self) -> u16 {
        self.result.map_or(0, FieldType::slots)
    }
}

impl fmt::Display for MethodDescriptor<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({})", self.parameters)?;
        match self.result {
            Some(result) => result.fmt(f),
            None => f.write_str("V"),
        }
    }
}

/// The name that Java programs and stack traces use: `a/b/C` becomes `a.b.C`.
pub fn binary_name(internal: &str) -> Cow<'_, str> {
    swap(internal, '/', ".")
}

/// The name that class files use: `a.b.C` becomes `a/b/C`.
pub fn internal_name(binary: &str) -> Cow<'_, str> {
    swap(binary, '.', "/")
}

fn swap<'a>(name: &'a str, from: char, to: &str) -> Cow<'a, str> {
    if name.contains(from) { Cow::Owned(name.replace(from, to)) } else { Cow::Borrowed(name) }
}

/// Splits the first field type off.
pub(crate) fn first_type(bytes: &[u8]) -> Option<(FieldType<'_>, &[u8])> {
    let dimensions = bytes.iter().take_while(|&&byte| byte == b'[').count();
    let (letter, rest) = bytes.get(dimensions..)?.split_first()?;
    let (element, rest) = match letter {
        b'L' => {
            let end = rest.iter().position(|&byte| byte == b';').filter(|&end| end > 0)?;
            let (name, rest) = rest.split_at_checked(end)?;
            (ElementType::Class(JavaStr::new(name)), rest.get(1..)?)
        }
        letter => (ElementType::Primitive(Primitive::from_letter(*letter)?), rest),
    };
    Some((FieldType { dimensions: u8::try_from(dimensions).ok()?, element }, rest))
}
