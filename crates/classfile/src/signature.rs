//! Generic signatures (JVMS 4.7.9.1). `Display` of each type prints the text it was parsed from.

use std::fmt;

use crate::{Error, JavaStr, Primitive};

/// Signature of a class:
/// `<T:Ljava/lang/Object;>Ljava/util/AbstractList<TT;>;Ljava/util/List<TT;>;`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClassSignature<'a> {
    /// Type parameters of the class.
    pub type_parameters: Vec<TypeParameter<'a>>,
    /// The superclass.
    pub superclass: ClassType<'a>,
    /// The direct superinterfaces.
    pub interfaces: Vec<ClassType<'a>>,
}

/// Signature of a method: `<T:Ljava/lang/Object;>([TT;)Ljava/util/List<TT;>;`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MethodSignature<'a> {
    /// Type parameters of the method.
    pub type_parameters: Vec<TypeParameter<'a>>,
    /// The parameters, without those that the compiler added.
    pub parameters: Vec<TypeSignature<'a>>,
    /// The result, none for `void`.
    pub result: Option<TypeSignature<'a>>,
    /// What it throws; may be empty although the method declares exceptions.
    pub throws: Vec<TypeSignature<'a>>,
}

/// A type parameter with its bounds.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypeParameter<'a> {
    /// Its name.
    pub name: JavaStr<'a>,
    /// A class, or a type variable, that bounds it; none when only interfaces do.
    pub class_bound: Option<TypeSignature<'a>>,
    /// Interfaces that bound it.
    pub interface_bounds: Vec<TypeSignature<'a>>,
}

/// A type: of a field, a parameter, a result.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypeSignature<'a> {
    /// Number of array dimensions, 0 for a type that is no array.
    pub dimensions: u8,
    /// The type without its dimensions.
    pub element: SignatureElement<'a>,
}

/// A type that is no array.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SignatureElement<'a> {
    /// A primitive type.
    Primitive(Primitive),
    /// A class with its type arguments.
    Class(ClassType<'a>),
    /// A type variable by its name.
    Variable(JavaStr<'a>),
}

/// A class with type arguments, and the member class of it that is meant, if any:
/// `Ljava/util/Map<TK;TV;>.Entry<TK;TV;>;`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClassType<'a> {
    /// Internal name of the outermost class written; may itself be a member class such as `a/B$C`.
    pub name: JavaStr<'a>,
    /// Its type arguments.
    pub arguments: Vec<TypeArgument<'a>>,
    /// Member classes, from outer to inner.
    pub members: Vec<MemberType<'a>>,
}

/// A member class within a [`ClassType`].
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MemberType<'a> {
    /// Its simple name.
    pub name: JavaStr<'a>,
    /// Its type arguments.
    pub arguments: Vec<TypeArgument<'a>>,
}

/// A type argument.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TypeArgument<'a> {
    /// `?`
    Any,
    /// A type.
    Exact(TypeSignature<'a>),
    /// `? extends` a type.
    Extends(TypeSignature<'a>),
    /// `? super` a type.
    Super(TypeSignature<'a>),
}

impl<'a> ClassSignature<'a> {
    /// Parses the whole signature of a class.
    pub fn parse(text: JavaStr<'a>) -> Result<Self, Error> {
        Parser::run(text, "class signature", |parser| {
            let type_parameters = parser.type_parameters()?;
            let superclass = parser.class_type(MAX_DEPTH)?;
            let mut interfaces = Vec::new();
            while !parser.rest.is_empty() {
                interfaces.push(parser.class_type(MAX_DEPTH)?);
            }
            Ok(Self { type_parameters, superclass, interfaces })
        })
    }
}

impl<'a> MethodSignature<'a> {
    /// Parses the whole signature of a method.
    pub fn parse(text: JavaStr<'a>) -> Result<Self, Error> {
        Parser::run(text, "method signature", |parser| {
            let type_parameters = parser.type_parameters()?;
            parser.expect(b'(')?;
            let mut parameters = Vec::new();
            while !parser.eat(b')') {
                parameters.push(parser.any_type(MAX_DEPTH)?);
            }
            let result = if parser.eat(b'V') { None } else { Some(parser.any_type(MAX_DEPTH)?) };
            let mut throws = Vec::new();
            while parser.eat(b'^') {
                throws.push(parser.reference_type(MAX_DEPTH)?);
            }
            Ok(Self { type_parameters, parameters, result, throws })
        })
    }
}

impl<'a> TypeSignature<'a> {
    /// Parses the whole signature of a field, record component or local variable.
    pub fn parse(text: JavaStr<'a>) -> Result<Self, Error> {
        Parser::run(text, "type signature", |parser| parser.any_type(MAX_DEPTH))
    }
}

impl ClassType<'_> {
    /// Internal name of the class meant, by the compilers' convention of joining members with `$`.
    pub fn internal_name(&self) -> String {
        let mut name = self.name.to_str().into_owned();
        for member in &self.members {
            name.push('$');
            name.push_str(&member.name.to_str());
        }
        name
    }
}

/// Type arguments nested deeper are not followed.
const MAX_DEPTH: u8 = 100;

struct Parser<'a> {
    rest: &'a [u8],
    length: usize,
    what: &'static str,
}

impl<'a> Parser<'a> {
    fn run<T>(
        text: JavaStr<'a>,
        what: &'static str,
        parse: impl FnOnce(&mut Self) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let mut parser = Self { rest: text.as_bytes(), length: text.len(), what };
        let parsed = parse(&mut parser)?;
        if parser.rest.is_empty() { Ok(parsed) } else { Err(parser.error()) }
    }

    fn error(&self) -> Error {
        Error::Text { what: self.what, offset: self.length - self.rest.len() }
    }

    fn eat(&mut self, byte: u8) -> bool {
        match self.rest.split_first() {
            Some((first, rest)) if *first == byte => {
                self.rest = rest;
                true
            }
            _ => false,
        }
    }

    fn expect(&mut self, byte: u8) -> Result<(), Error> {
        if self.eat(byte) { Ok(()) } else { Err(self.error()) }
    }

    fn type_parameters(&mut self) -> Result<Vec<TypeParameter<'a>>, Error> {
        let mut parameters = Vec::new();
        if self.eat(b'<') {
            while parameters.is_empty() || !self.eat(b'>') {
                parameters.push(self.type_parameter()?);
            }
        }
        Ok(parameters)
    }

    fn type_parameter(&mut self) -> Result<TypeParameter<'a>, Error> {
        let name = self.identifier(false)?;
        self.expect(b':')?;
        let class_bound = match self.rest.first() {
            Some(b'L' | b'T' | b'[') => Some(self.reference_type(MAX_DEPTH)?),
            _ => None,
        };
        let mut interface_bounds = Vec::new();
        while self.eat(b':') {
            interface_bounds.push(self.reference_type(MAX_DEPTH)?);
        }
        Ok(TypeParameter { name, class_bound, interface_bounds })
    }

    fn any_type(&mut self, depth: u8) -> Result<TypeSignature<'a>, Error> {
        let mut dimensions = 0_u8;
        while self.rest.first() == Some(&b'[') {
            dimensions = dimensions.checked_add(1).ok_or_else(|| self.error())?;
            self.eat(b'[');
        }
        let element = match self.rest.split_first() {
            Some((b'L', _)) => SignatureElement::Class(self.class_type(depth)?),
            Some((b'T', rest)) => {
                self.rest = rest;
                let name = self.identifier(false)?;
                self.expect(b';')?;
                SignatureElement::Variable(name)
            }
            Some((letter, rest)) => {
                let primitive = Primitive::from_letter(*letter).ok_or_else(|| self.error())?;
                self.rest = rest;
                SignatureElement::Primitive(primitive)
            }
            None => return Err(self.error()),
        };
        Ok(TypeSignature { dimensions, element })
    }

    fn reference_type(&mut self, depth: u8) -> Result<TypeSignature<'a>, Error> {
        match self.rest.first() {
            Some(b'L' | b'T' | b'[') => self.any_type(depth),
            _ => Err(self.error()),
        }
    }

    fn class_type(&mut self, depth: u8) -> Result<ClassType<'a>, Error> {
        let inner = depth.checked_sub(1).ok_or(Error::TooDeep(self.what))?;
        self.expect(b'L')?;
        let name = self.identifier(true)?;
        let arguments = self.type_arguments(inner)?;
        let mut members = Vec::new();
        while self.eat(b'.') {
            members
                .push(MemberType { name: self.identifier(false)?, arguments: self.type_arguments(inner)? });
        }
        self.expect(b';')?;
        Ok(ClassType { name, arguments, members })
    }

    fn type_arguments(&mut self, depth: u8) -> Result<Vec<TypeArgument<'a>>, Error> {
        let mut arguments = Vec::new();
        if self.eat(b'<') {
            while arguments.is_empty() || !self.eat(b'>') {
                arguments.push(self.type_argument(depth)?);
            }
        }
        Ok(arguments)
    }

    fn type_argument(&mut self, depth: u8) -> Result<TypeArgument<'a>, Error> {
        Ok(if self.eat(b'*') {
            TypeArgument::Any
        } else if self.eat(b'+') {
            TypeArgument::Extends(self.reference_type(depth)?)
        } else if self.eat(b'-') {
            TypeArgument::Super(self.reference_type(depth)?)
        } else {
            TypeArgument::Exact(self.reference_type(depth)?)
        })
    }

    /// A name without the characters that the grammar uses; `/` separates packages in names of
    /// classes.
    fn identifier(&mut self, with_packages: bool) -> Result<JavaStr<'a>, Error> {
        let ends = |byte: &u8| match byte {
            b'.' | b';' | b'[' | b'<' | b'>' | b':' => true,
            b'/' => !with_packages,
            _ => false,
        };
        let length = self.rest.iter().position(ends).unwrap_or(self.rest.len());
        match self.rest.split_at_checked(length) {
            Some((name, rest)) if !name.is_empty() => {
                self.rest = rest;
                Ok(JavaStr::new(name))
            }
            _ => Err(self.error()),
        }
    }
}

impl fmt::Display for ClassSignature<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        bracketed(&self.type_parameters, f)?;
        self.superclass.fmt(f)?;
        self.interfaces.iter().try_for_each(|interface| interface.fmt(f))
    }
}

impl fmt::Display for MethodSignature<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        bracketed(&self.type_parameters, f)?;
        f.write_str("(")?;
        self.parameters.iter().try_for_each(|parameter| parameter.fmt(f))?;
        f.write_str(")")?;
        match &self.result {
            Some(result) => result.fmt(f)?,
            None => f.write_str("V")?,
        }
        self.throws.iter().try_for_each(|thrown| write!(f, "^{thrown}"))
    }
}

impl fmt::Display for TypeParameter<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.name)?;
        self.class_bound.iter().try_for_each(|bound| bound.fmt(f))?;
        self.interface_bounds.iter().try_for_each(|bound| write!(f, ":{bound}"))
    }
}

impl fmt::Display for TypeSignature<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (0..self.dimensions).try_for_each(|_| f.write_str("["))?;
        match &self.element {
            SignatureElement::Primitive(primitive) => write!(f, "{}", primitive.letter()),
            SignatureElement::Class(class) => class.fmt(f),
            SignatureElement::Variable(name) => write!(f, "T{name};"),
        }
    }
}

impl fmt::Display for ClassType<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "L{}", self.name)?;
        bracketed(&self.arguments, f)?;
        for member in &self.members {
            write!(f, ".{}", member.name)?;
            bracketed(&member.arguments, f)?;
        }
        f.write_str(";")
    }
}

impl fmt::Display for TypeArgument<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Any => f.write_str("*"),
            Self::Exact(exact) => exact.fmt(f),
            Self::Extends(bound) => write!(f, "+{bound}"),
            Self::Super(bound) => write!(f, "-{bound}"),
        }
    }
}

/// Writes `<…>`, or nothing for an empty list.
fn bracketed<T: fmt::Display>(items: &[T], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if items.is_empty() {
        return Ok(());
    }
    f.write_str("<")?;
    items.iter().try_for_each(|item| item.fmt(f))?;
    f.write_str(">")
}
