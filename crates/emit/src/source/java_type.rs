//! Types as a compiler sees them: classes with their type arguments, where signatures tell (JLS 4).

use std::collections::BTreeMap;

use crashback_classfile::{
    ClassSignature, ClassType, JavaStr, MethodSignature, SignatureElement, TypeArgument, TypeParameter,
    TypeSignature,
};
use crashback_program::hierarchy::Hierarchy;
use crashback_program::{ClassIndex, ClassView};
use crashback_testcase::TypeRef;

/// A type. A class without arguments is a plain class, or a generic one used raw (JLS 4.8): the
/// index tells which.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum JavaType {
    /// A primitive type by its descriptor.
    Primitive(char),
    Class {
        /// The internal name.
        name: String,
        arguments: Vec<Argument>,
    },
    Array(Box<JavaType>),
    /// A type variable by its name.
    Variable(String),
}

/// A type argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Argument {
    /// `?`
    Any,
    Exact(JavaType),
    /// `? extends …`
    Extends(JavaType),
    /// `? super …`
    Super(JavaType),
}

/// A type variable with its bounds, the erased one first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Variable {
    pub(crate) name: String,
    pub(crate) bounds: Vec<JavaType>,
}

/// The types that type variables stand for.
pub(crate) type Substitution = BTreeMap<String, Argument>;

impl JavaType {
    pub(crate) fn object() -> Self {
        Self::class("java/lang/Object")
    }

    pub(crate) fn class(name: &str) -> Self {
        Self::Class { name: name.to_owned(), arguments: Vec::new() }
    }

    /// An erased type.
    pub(crate) fn erased(of: TypeRef<'_>) -> Self {
        match (of.element(), of.class_name()) {
            (Some(element), _) => Self::Array(Box::new(Self::erased(element))),
            (None, Some(name)) => Self::class(name),
            (None, None) => Self::Primitive(of.descriptor().chars().next().unwrap_or('V')),
        }
    }

    pub(crate) fn of_signature(signature: &TypeSignature<'_>) -> Self {
        let element = match &signature.element {
            SignatureElement::Primitive(primitive) => Self::Primitive(primitive.letter()),
            SignatureElement::Variable(name) => Self::Variable(name.to_str().into_owned()),
            SignatureElement::Class(class) => Self::of_class_type(class),
        };
        (0..signature.dimensions).fold(element, |of, _| Self::Array(Box::new(of)))
    }

    /// Arguments of classes around an inner class are left out; such a type is as good as raw.
    fn of_class_type(class: &ClassType<'_>) -> Self {
        let arguments = class.members.last().map_or(&class.arguments, |it| &it.arguments);
        let arguments = arguments.iter().map(|it| match it {
            TypeArgument::Any => Argument::Any,
            TypeArgument::Exact(of) => Argument::Exact(Self::of_signature(of)),
            TypeArgument::Extends(of) => Argument::Extends(Self::of_signature(of)),
            TypeArgument::Super(of) => Argument::Super(Self::of_signature(of)),
        });
        Self::Class { arguments: arguments.collect(), name: class.internal_name() }
    }

    /// The descriptor of the type without its arguments; none if it is a variable, or an array of
    /// one.
    pub(crate) fn descriptor(&self) -> Option<String> {
        match self {
            Self::Primitive(letter) => Some(letter.to_string()),
            Self::Class { name, .. } => Some(format!("L{name};")),
            Self::Array(element) => element.descriptor().map(|it| format!("[{it}")),
            Self::Variable(_) => None,
        }
    }

    /// The name that a class constant gives to it.
    pub(crate) fn class_constant(&self) -> Option<String> {
        match self {
            Self::Class { name, .. } => Some(name.clone()),
            Self::Array(_) => self.descriptor(),
            _ => None,
        }
    }

    pub(crate) fn is_primitive(&self) -> bool {
        matches!(self, Self::Primitive(_))
    }

    /// Whether type arguments are written anywhere in it.
    pub(crate) fn is_parameterized(&self) -> bool {
        match self {
            Self::Class { arguments, .. } => !arguments.is_empty(),
            Self::Array(element) => element.is_parameterized(),
            _ => false,
        }
    }

    pub(crate) fn mentions_variable(&self) -> bool {
        match self {
            Self::Primitive(_) => false,
            Self::Variable(_) => true,
            Self::Array(element) => element.mentions_variable(),
            Self::Class { arguments, .. } => {
                arguments.iter().filter_map(Argument::bound).any(Self::mentions_variable)
            }
        }
    }

    /// The type with variables replaced; none if one of them stands for a wildcard.
    pub(crate) fn substitute(&self, substitution: &Substitution) -> Option<Self> {
        Some(match self {
            Self::Primitive(_) => self.clone(),
            Self::Variable(name) => match substitution.get(name) {
                Some(Argument::Exact(of)) => of.clone(),
                Some(_) => return None,
                None => self.clone(),
            },
            Self::Array(element) => Self::Array(Box::new(element.substitute(substitution)?)),
            Self::Class { name, arguments } => {
                let exact = |it: &Argument| {
                    Some(it.with_bound(
                        it.bound().map_or(Some(None), |of| of.substitute(substitution).map(Some))?,
                    ))
                };
                Self::Class {
                    name: name.clone(),
                    arguments: arguments.iter().map(exact).collect::<Option<_>>()?,
                }
            }
        })
    }

    /// The type of an expression with variables replaced: a variable that stands for a wildcard
    /// makes wildcards of the arguments around it. None if a wildcard would have to stand alone.
    pub(crate) fn widen(&self, substitution: &Substitution) -> Option<Self> {
        Some(match self {
            Self::Array(element) => Self::Array(Box::new(element.widen(substitution)?)),
            Self::Class { name, arguments } => {
                let arguments = arguments.iter().map(|it| it.widen(substitution));
                Self::Class { name: name.clone(), arguments: arguments.collect::<Option<_>>()? }
            }
            other => other.substitute(substitution)?,
        })
    }
}

impl Argument {
    pub(crate) fn bound(&self) -> Option<&JavaType> {
        match self {
            Self::Any => None,
            Self::Exact(of) | Self::Extends(of) | Self::Super(of) => Some(of),
        }
    }

    /// The same kind of argument with another type.
    fn with_bound(&self, of: Option<JavaType>) -> Self {
        match (self, of) {
            (Self::Any, _) | (_, None) => Self::Any,
            (Self::Exact(_), Some(of)) => Self::Exact(of),
            (Self::Extends(_), Some(of)) => Self::Extends(of),
            (Self::Super(_), Some(of)) => Self::Super(of),
        }
    }

    fn widen(&self, substitution: &Substitution) -> Option<Self> {
        let bound = match self {
            Self::Any => return Some(Self::Any),
            Self::Exact(JavaType::Variable(name)) if substitution.contains_key(name) => {
                return substitution.get(name).cloned();
            }
            Self::Exact(of) | Self::Extends(of) | Self::Super(of) => of,
        };
        match (bound.substitute(substitution), self) {
            (Some(exact), _) => Some(self.with_bound(Some(exact))),
            (None, Self::Super(_)) => None,
            (None, _) => bound.widen(substitution).map(Self::Extends),
        }
    }
}

/// A class as a supertype of a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Seen {
    /// Without arguments, because the class has no parameters.
    Plain,
    /// Without arguments although the class has parameters: members have erased types.
    Raw,
    /// With arguments.
    With(Substitution),
}

/// Generic signatures of an index.
#[derive(Clone, Copy)]
pub(crate) struct Signatures<'a> {
    index: &'a ClassIndex,
}

impl<'a> Signatures<'a> {
    pub(crate) fn new(index: &'a ClassIndex) -> Self {
        Self { index }
    }

    pub(crate) fn hierarchy(self) -> Hierarchy<'a> {
        Hierarchy::new(self.index)
    }

    /// The type parameters of a class.
    pub(crate) fn parameters(self, class: &str) -> Vec<Variable> {
        self.class_signature(class).map_or_else(Vec::new, |it| variables(&it.type_parameters))
    }

    fn class_signature(self, class: &str) -> Option<ClassSignature<'a>> {
        self.index.get(class).and_then(class_signature)
    }

    /// A class as a supertype of another type. A way up that cannot be followed gives the raw
    /// class.
    pub(crate) fn seen_from(self, of: &JavaType, class: &str) -> Seen {
        let JavaType::Class { name, arguments } = of else {
            return if self.parameters(class).is_empty() { Seen::Plain } else { Seen::Raw };
        };
        self.seen(name, arguments, class, DEEPEST_HIERARCHY).unwrap_or(Seen::Raw)
    }

    fn seen(self, name: &str, arguments: &[Argument], class: &str, depth: u8) -> Option<Seen> {
        let depth = depth.checked_sub(1)?;
        let parameters = self.parameters(name);
        let is_raw = !parameters.is_empty() && arguments.len() != parameters.len();
        if name == class {
            return Some(match (parameters.is_empty(), is_raw) {
                (true, _) => Seen::Plain,
                (_, true) => Seen::Raw,
                _ => Seen::With(bind(&parameters, arguments)),
            });
        }
        if self.parameters(class).is_empty() {
            return Some(Seen::Plain);
        }
        if is_raw {
            return Some(Seen::Raw);
        }
        let view = self.index.get(name)?;
        let Some(signature) = class_signature(view) else {
            let mut above = view.direct_supertypes().filter(|it| self.is_below(it, class));
            return above.next().and_then(|it| self.seen(it, &[], class, depth));
        };
        let substitution = bind(&parameters, arguments);
        let above = std::iter::once(&signature.superclass).chain(&signature.interfaces);
        let next = above
            .map(JavaType::of_class_type)
            .find(|it| matches!(it, JavaType::Class { name, .. } if self.is_below(name, class)))?;
        match next.widen(&substitution)? {
            JavaType::Class { name, arguments } => self.seen(&name, &arguments, class, depth),
            _ => None,
        }
    }

    fn is_below(self, sub: &str, sup: &str) -> bool {
        self.hierarchy().is_subtype(sub, sup) == Some(true)
    }
}

/// Hierarchies are not deeper than this, except on damaged class paths.
const DEEPEST_HIERARCHY: u8 = 100;

fn class_signature(class: ClassView<'_>) -> Option<ClassSignature<'_>> {
    ClassSignature::parse(JavaStr::new(class.signature()?.as_bytes())).ok()
}

/// The generic signature of a method by its text.
pub(crate) fn method_signature(text: &str) -> Option<MethodSignature<'_>> {
    MethodSignature::parse(JavaStr::new(text.as_bytes())).ok()
}

pub(crate) fn variables(parameters: &[TypeParameter<'_>]) -> Vec<Variable> {
    let variable = |it: &TypeParameter<'_>| {
        let bounds = it.class_bound.iter().chain(&it.interface_bounds).map(JavaType::of_signature);
        Variable { name: it.name.to_str().into_owned(), bounds: bounds.collect() }
    };
    parameters.iter().map(variable).collect()
}

fn bind(parameters: &[Variable], arguments: &[Argument]) -> Substitution {
    parameters.iter().map(|it| it.name.clone()).zip(arguments.iter().cloned()).collect()
}
