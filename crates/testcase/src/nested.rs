//! Classes that belong to a test: small beans with annotated fields, as a person would write them for a
//! library that reflects on the classes of its users.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::typing::own_type;
use crate::{Context, Literal, Problem, Type, TypeRef};
use crashback_program::index::ClassKind;
use crashback_program::{ClassView, MemberView};

/// A static class in the class of the test, public and with a constructor without parameters. Equal ones are
/// the same class.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Nested(Arc<NestedClass>);

/// What a nested class consists of.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NestedClass {
    /// Annotations of the class.
    pub annotations: Vec<GivenAnnotation>,
    /// Its fields, whose names follow from their types and order.
    pub fields: Vec<NestedField>,
}

/// A field of a nested class, with its getter and setter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NestedField {
    /// Its type.
    pub of: Type,
    /// The type arguments of its type, none where it is raw or has no type parameters.
    pub arguments: Vec<Type>,
    /// Whether it is private; public otherwise.
    pub is_private: bool,
    /// Whether it belongs to the class. Such a field has neither getter, setter nor value.
    pub is_static: bool,
    /// Whether it has a value from the start, see [`Initial`].
    pub is_set: bool,
    /// Whether there is a public method that yields it.
    pub has_getter: bool,
    /// Whether there is a public method that sets it.
    pub has_setter: bool,
    /// Annotations of the field.
    pub annotations: Vec<GivenAnnotation>,
    /// Annotations of the setter.
    pub setter_annotations: Vec<GivenAnnotation>,
}

/// An annotation with the elements that it is given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GivenAnnotation {
    /// Its type.
    pub of: Type,
    /// The elements.
    pub elements: Vec<GivenElement>,
}

/// An element of an annotation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GivenElement {
    /// Its name.
    pub name: Arc<str>,
    /// Its value.
    pub value: ElementValue,
    /// Whether it has no default.
    pub is_required: bool,
}

/// The value of an element of an annotation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ElementValue {
    /// A number, a truth value, a character or a text.
    Plain(Literal),
    /// A class.
    Class(Type),
    /// A constant of an enum.
    Constant {
        /// The enum.
        of: Type,
        /// The name of the constant.
        name: Arc<str>,
    },
    /// Several values.
    Array(Vec<ElementValue>),
}

/// The value that a field has from the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Initial {
    /// The text `"a"`.
    Text,
    /// One, `true` or `'a'`.
    One,
    /// A new object of a class with this internal name, made of nothing.
    New(&'static str),
}

impl Initial {
    /// The value for fields of a type; none for those that cannot have one.
    pub fn of(field: TypeRef<'_>) -> Option<Self> {
        Some(match field.descriptor() {
            "Ljava/lang/String;" => Self::Text,
            "Ljava/util/List;" | "Ljava/util/Collection;" => Self::New("java/util/ArrayList"),
            "Ljava/util/Map;" => Self::New("java/util/HashMap"),
            "Ljava/util/Set;" => Self::New("java/util/HashSet"),
            "Ljava/lang/Object;" => Self::New("java/lang/Object"),
            _ if field.primitive().is_some() => Self::One,
            _ => return None,
        })
    }
}

/// Generic types of the JDK that fields have, with the numbers of their type parameters.
pub(crate) const GENERIC: [(&str, usize); 5] = [
    ("Ljava/util/List;", 1),
    ("Ljava/util/Map;", 2),
    ("Ljava/util/Set;", 1),
    ("Ljava/util/Collection;", 1),
    ("Ljava/lang/Class;", 1),
];

impl Nested {
    /// The most fields of a nested class: people write small ones into tests.
    pub const MOST_FIELDS: usize = 8;

    /// A class of these members.
    pub fn new(class: NestedClass) -> Self {
        Self(Arc::new(class))
    }

    /// What it consists of.
    pub fn class(&self) -> &NestedClass {
        &self.0
    }

    /// The names of its fields, in order: words for their types, numbered from the second of a kind on.
    pub fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for field in &self.0.fields {
            let word = word_for(field.of.view());
            let numbered =
                |number: usize| if number == 1 { word.to_owned() } else { format!("{word}{number}") };
            let free = (1..).map(numbered).find(|it| !names.contains(it));
            names.extend(free);
        }
        names
    }
}

impl NestedField {
    /// A public field of a type, with nothing else.
    pub fn of(of: Type, arguments: Vec<Type>) -> Self {
        Self {
            of,
            arguments,
            is_private: false,
            is_static: false,
            is_set: false,
            has_getter: false,
            has_setter: false,
            annotations: Vec::new(),
            setter_annotations: Vec::new(),
        }
    }

    /// The name of the getter of a field with a name.
    pub fn getter(&self, name: &str) -> String {
        let verb = if self.of.descriptor() == "Z" { "is" } else { "get" };
        format!("{verb}{}", capitalised(name))
    }

    /// The name of the setter of a field with a name.
    pub fn setter(name: &str) -> String {
        format!("set{}", capitalised(name))
    }
}

fn capitalised(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |it| it.to_uppercase().chain(letters).collect())
}

/// What people call a value of a type.
fn word_for(of: TypeRef<'_>) -> &'static str {
    match of.descriptor() {
        "Z" | "Ljava/lang/Boolean;" => "flag",
        "C" | "Ljava/lang/Character;" => "letter",
        "B" | "S" | "I" | "Ljava/lang/Integer;" | "Ljava/lang/Short;" | "Ljava/lang/Byte;" => "number",
        "J" | "Ljava/lang/Long;" => "total",
        "F" | "D" | "Ljava/lang/Double;" | "Ljava/lang/Float;" => "amount",
        "Ljava/lang/String;" => "name",
        "Ljava/util/List;" | "Ljava/util/Set;" | "Ljava/util/Collection;" => "items",
        "Ljava/util/Map;" => "entries",
        "Ljava/lang/Class;" => "kind",
        it if it.starts_with('[') => "values",
        _ => "value",
    }
}

/// Where an annotation may stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Places {
    /// On classes.
    pub types: bool,
    /// On fields.
    pub fields: bool,
    /// On methods.
    pub methods: bool,
}

impl Places {
    /// Where an annotation that reflection sees may stand; none for others.
    pub fn of(annotation: ClassView<'_>) -> Option<Self> {
        let given = |name: &str| {
            let found = annotation.annotations().find(|it| it.descriptor() == name);
            found.map(|it| it.element("value").unwrap_or_default().to_owned())
        };
        let retention = given("Ljava/lang/annotation/Retention;")?;
        (annotation.kind() == ClassKind::Annotation && retention == "RUNTIME").then_some(())?;
        let Some(target) = given("Ljava/lang/annotation/Target;") else {
            return Some(Self { types: true, fields: true, methods: true });
        };
        let has =
            |place: &str| target.split(|it: char| !it.is_alphanumeric() && it != '_').any(|it| it == place);
        Some(Self { types: has("TYPE"), fields: has("FIELD"), methods: has("METHOD") })
    }
}

impl Context<'_> {
    /// Whether a source can declare a nested class.
    pub(crate) fn check_nested(self, nested: &Nested) -> Result<(), Problem> {
        let NestedClass { annotations, fields } = nested.class();
        if fields.len() > Nested::MOST_FIELDS {
            return Err(Problem::NotDeclarable("it has too many fields".to_owned()));
        }
        self.check_annotations(annotations, |it| it.types)?;
        for field in fields {
            self.check_type(field.of.view())?;
            let generic = GENERIC.iter().find(|(name, _)| *name == field.of.descriptor());
            let is_applied = field.arguments.is_empty()
                || generic.is_some_and(|(_, count)| *count == field.arguments.len());
            let is_of_object = field.has_getter || field.has_setter || field.is_set;
            let is_initial = !field.is_set || Initial::of(field.of.view()).is_some();
            if !is_applied || !is_initial || field.is_static && is_of_object {
                return Err(Problem::NotDeclarable(format!("a field of type {}", field.of.view())));
            }
            for argument in &field.arguments {
                self.check_type(argument.view())?;
                if !argument.is_reference() {
                    return Err(Problem::NotAReference(argument.clone()));
                }
            }
            self.check_annotations(&field.annotations, |it| it.fields)?;
            self.check_annotations(&field.setter_annotations, |it| it.methods && field.has_setter)?;
        }
        Ok(())
    }

    fn check_annotations(
        self,
        given: &[GivenAnnotation],
        may_stand: impl Fn(Places) -> bool,
    ) -> Result<(), Problem> {
        for (number, annotation) in given.iter().enumerate() {
            let refused = || Problem::NotDeclarable(format!("an annotation {}", annotation.of.view()));
            let class = self.class(annotation.of.class_name().ok_or_else(refused)?)?;
            let is_again = given.iter().take(number).any(|it| it.of == annotation.of);
            if is_again || !Places::of(class).is_some_and(&may_stand) {
                return Err(refused());
            }
            for (place, element) in annotation.elements.iter().enumerate() {
                let is_again = annotation.elements.iter().take(place).any(|it| it.name == element.name);
                let method = class.methods_named(&element.name).find(|it| it.is_abstract());
                let result = method.and_then(result_of).filter(|_| !is_again).ok_or_else(refused)?;
                self.fits_element(&element.value, TypeRef(result)).ok_or_else(refused)?;
            }
        }
        Ok(())
    }

    fn fits_element(self, value: &ElementValue, of: TypeRef<'_>) -> Option<()> {
        match value {
            ElementValue::Plain(Literal::Text(text)) => {
                (of == TypeRef::STRING && String::from_utf16(text.units()).is_ok()).then_some(())
            }
            // Only some of these have constant expressions (JLS 15.29).
            ElementValue::Plain(Literal::Float(it)) if it.is_nan() => None,
            ElementValue::Plain(Literal::Double(it)) if it.is_nan() => None,
            ElementValue::Plain(literal) => {
                (own_type(literal)? == of && of.primitive().is_some()).then_some(())
            }
            ElementValue::Class(class) => {
                (of == TypeRef::CLASS && self.check_type(class.view()).is_ok()).then_some(())
            }
            ElementValue::Constant { of: class, name } => {
                let found = self.class(class.class_name()?).ok()?;
                let constant = found.field(name, class.descriptor())?;
                (class.view() == of && found.kind() == ClassKind::Enum && constant.is_static()).then_some(())
            }
            ElementValue::Array(values) => {
                let element = of.element()?;
                values.iter().try_for_each(|it| self.fits_element(it, element))
            }
        }
    }
}

fn result_of(method: MemberView<'_>) -> Option<&str> {
    method.descriptor().strip_prefix("()")
}
