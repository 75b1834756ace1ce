//! Statements as Java: expressions, and the casts that make a compiler choose the members that the
//! test case means.

use std::cell::RefCell;
use std::collections::BTreeSet;

use crashback_program::classes::Classes;
use crashback_program::hierarchy::Supertype;
use crashback_testcase::{
    Context, Literal, Nested, Statement, TestCase, Type, TypeId, TypeRef, Typing, Var, Vocabulary,
};

use super::imports::Imports;
use super::inference::{Inference, Static};
use super::java_type::{Argument, JavaType, Seen, Signatures};
use super::literal;
use super::overload::is_below;
use super::plan::{Fate, Plan};
use crate::junit::JUnit;

/// Everything that is known about a test case while it is written.
pub(crate) struct Writer<'a> {
    pub(crate) test: &'a TestCase,
    pub(crate) vocabulary: &'a Vocabulary,
    pub(crate) classes: &'a Classes<'a>,
    pub(crate) context: Context<'a>,
    pub(crate) typing: &'a Typing<'a>,
    pub(crate) plan: &'a Plan,
    /// The classes of the test with their names.
    pub(crate) nested: &'a [(Nested, String)],
    pub(crate) imports: &'a Imports<'a>,
    /// Whether mocks keep the exceptions that they are given.
    pub(crate) records: bool,
    /// Whether the test is one that expects the crash.
    pub(crate) expects: bool,
    /// Whether the test throws an exception that the program catches.
    pub(crate) receives: bool,
    pub(crate) junit: JUnit,
    /// For statements with a variable its name and its type.
    pub(crate) variables: Vec<Option<Variable>>,
    /// Statements whose variables had to be cast because of their type arguments.
    pub(crate) misfits: RefCell<BTreeSet<usize>>,
}

/// A variable of the source.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    pub(crate) name: String,
    pub(crate) of: JavaType,
}

/// A statement of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    /// With its semicolon.
    pub(crate) text: String,
    /// The expression that replaces it in a lambda, if there is one.
    pub(crate) expression: Option<String>,
    /// The checked exceptions that it may throw, by internal names.
    pub(crate) throws: BTreeSet<String>,
}

/// An expression with its static type.
#[derive(Clone, Debug)]
pub(crate) struct Expression {
    pub(crate) text: String,
    pub(crate) of: Static,
    pub(crate) form: Form,
    pub(crate) throws: BTreeSet<String>,
    /// The statement whose variable it is, if it is no more than that.
    pub(crate) variable: Option<usize>,
    /// The text where a compiler can infer type arguments from the expected type.
    pub(crate) with_diamond: Option<String>,
}

/// How tightly an expression holds together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// A name, a literal, a call: a member can be asked for without brackets.
    Primary,
    /// A call, a `new` or an assignment, which can be a statement.
    Effect,
    /// A cast.
    Cast,
    /// A sum.
    Sum,
}

impl Expression {
    pub(crate) fn new(text: String, of: Static, form: Form) -> Self {
        Self { text, of, form, throws: BTreeSet::new(), variable: None, with_diamond: None }
    }

    pub(crate) fn with(mut self, throws: BTreeSet<String>) -> Self {
        self.throws.extend(throws);
        self
    }

    /// The expression where a type without variables is asked for.
    pub(crate) fn meant_for(mut self, formal: &JavaType) -> Self {
        if let Some(text) = self.with_diamond.take().filter(|_| !formal.mentions_variable()) {
            self.text = text;
        }
        self
    }

    /// The text where a member is asked for.
    pub(crate) fn as_primary(&self) -> String {
        match self.form {
            Form::Primary | Form::Effect => self.text.clone(),
            Form::Cast | Form::Sum => format!("({})", self.text),
        }
    }

    /// The text behind a cast.
    fn as_operand(&self) -> String {
        match self.form {
            Form::Sum => format!("({})", self.text),
            _ => self.text.clone(),
        }
    }

    pub(crate) fn descriptor(&self) -> Option<String> {
        self.of.as_ref().and_then(JavaType::descriptor)
    }
}

impl<'a> Writer<'a> {
    /// The source statement for one that stands alone.
    pub(crate) fn line(&self, number: usize) -> Option<Line> {
        let statement = self.test.statements().get(number)?;
        let made = match (statement, self.variable(number)) {
            // The type of the variable settles the type of the literal.
            (Statement::Literal(literal), Some(variable))
                if !matches!(literal, Literal::NestedClass(_) | Literal::NestedObject(_)) =>
            {
                let text = literal::write_assigned(literal, None, self.imports);
                Expression::new(text, Some(variable.of.clone()), Form::Primary)
            }
            _ => self.make(number)?,
        };
        let expression = (made.form == Form::Effect).then(|| made.text.clone());
        let text = match self.variable(number) {
            Some(variable) => {
                format!("{} {} = {};", self.imports.type_name(&variable.of), variable.name, made.text)
            }
            None => format!("{};", made.text),
        };
        Some(Line { text, expression, throws: made.throws })
    }

    pub(crate) fn variable(&self, number: usize) -> Option<&Variable> {
        self.variables.get(number)?.as_ref()
    }

    pub(crate) fn signatures(&self) -> Signatures<'a> {
        Signatures::new(self.context.index())
    }

    /// The value of a variable of the test case: a variable of the source, or the expression in its
    /// place.
    pub(crate) fn value(&self, variable: Var) -> Expression {
        let maker = self.plan.maker(variable);
        let inlined = (self.plan.fate(maker) == Fate::Inlined).then(|| self.make(maker)).flatten();
        inlined.unwrap_or_else(|| match self.variable(maker) {
            Some(known) => Expression {
                variable: Some(maker),
                ..Expression::new(known.name.clone(), Some(known.of.clone()), Form::Primary)
            },
            None => Expression::new("null".to_owned(), None, Form::Primary),
        })
    }

    pub(crate) fn make(&self, number: usize) -> Option<Expression> {
        Some(match self.test.statements().get(number)? {
            Statement::Literal(literal) => self.literal(literal),
            Statement::Construct { constructor, arguments } => {
                self.construct(number, *constructor, arguments)?
            }
            Statement::Call { method, receiver, arguments } => self.call(*method, *receiver, arguments)?,
            Statement::ReadField { field, receiver } => self.field(*field, *receiver)?.0,
            Statement::WriteField { field, receiver, value } => {
                let (field, of) = self.field(*field, *receiver)?;
                let value = self.assigned(*value, &of);
                let text = format!("{} = {}", field.text, value.text);
                Expression::new(text, field.of, Form::Effect).with(field.throws).with(value.throws)
            }
            Statement::NewArray { array, length } => self.new_array(number, *array, *length, true)?,
            Statement::ReadElement { array, index } => {
                let array = self.value(*array);
                let of = match &array.of {
                    Some(JavaType::Array(element)) => Some((**element).clone()),
                    _ => None,
                };
                Expression::new(format!("{}[{index}]", array.as_primary()), of, Form::Primary)
                    .with(array.throws)
            }
            Statement::WriteElement { array, index, value } => self.write_element(*array, *index, *value)?,
            Statement::Cast { to, value } => {
                let to = JavaType::erased(self.type_of(*to)?);
                self.cast(self.related(*value, &to), &to)
            }
            Statement::Mock(mock) => self.mock(number, *mock)?,
            Statement::Spy { mock, object } => self.spy(*mock, *object)?,
            Statement::Stub { mock, method, given, answer } => {
                self.stub(number, *mock, *method, *given, *answer)?
            }
            Statement::Kept { mock, method, parameter } => self.kept(*mock, *method, *parameter)?,
            Statement::Inject { field, receiver, value } => self.inject(*field, *receiver, *value)?,
        })
    }

    pub(crate) fn type_of(&self, id: TypeId) -> Option<TypeRef<'a>> {
        self.vocabulary.type_of(id).map(Type::view)
    }

    fn literal(&self, value: &Literal) -> Expression {
        let class = match value {
            Literal::Class(of) => self.type_of(*of).map(JavaType::erased),
            _ => None,
        };
        let text = match value {
            Literal::Folder => self.junit.folder().to_owned(),
            Literal::NestedClass(of) => format!("{}.class", self.nested_name(of)),
            Literal::NestedObject(of) => format!("new {}()", self.nested_name(of)),
            _ => literal::write(value, class.as_ref(), self.imports),
        };
        let of = match value {
            Literal::Null(_) => None,
            Literal::Class(_) => class.map(|it| {
                let arguments = vec![Argument::Exact(boxed(it))];
                JavaType::Class { name: "java/lang/Class".to_owned(), arguments }
            }),
            Literal::Text(_) => Some(JavaType::class("java/lang/String")),
            Literal::Folder => Some(JavaType::class("java/io/File")),
            Literal::NestedClass(_) => {
                Some(JavaType::Class { name: "java/lang/Class".to_owned(), arguments: vec![Argument::Any] })
            }
            Literal::NestedObject(_) => Some(JavaType::object()),
            Literal::Bytes(_) => Some(JavaType::erased(TypeRef::BYTES)),
            Literal::Boolean(_) => Some(JavaType::Primitive('Z')),
            Literal::Byte(_) => Some(JavaType::Primitive('B')),
            Literal::Short(_) => Some(JavaType::Primitive('S')),
            Literal::Char(_) => Some(JavaType::Primitive('C')),
            Literal::Int(_) => Some(JavaType::Primitive('I')),
            Literal::Long(_) => Some(JavaType::Primitive('J')),
            Literal::Float(_) => Some(JavaType::Primitive('F')),
            Literal::Double(_) => Some(JavaType::Primitive('D')),
        };
        let is_cast = text.starts_with('(');
        let form = match (literal::is_sum(value), is_cast) {
            (true, _) => Form::Sum,
            (_, true) => Form::Cast,
            _ => Form::Primary,
        };
        Expression::new(text, of, form)
    }

    /// An assignment to an element. An array that is known to have a narrower type than the test
    /// case says does not take everything.
    fn write_element(&self, array: Var, index: u16, value: Var) -> Option<Expression> {
        let of = self.typing.get(array)?;
        let (mut array, value) = (self.value(array), self.assigned(value, &JavaType::erased(of.element()?)));
        let mut inference = Inference::new(self.signatures(), Vec::new());
        let takes =
            matches!(&array.of, Some(JavaType::Array(element)) if inference.accepts(&value.of, element));
        if !takes {
            array = self.cast(array, &JavaType::erased(of));
        }
        let text = format!("{}[{index}] = {}", array.as_primary(), value.text);
        Some(Expression::new(text, None, Form::Effect).with(array.throws).with(value.throws))
    }

    /// A value where a type is assigned, which needs no cast for small numbers.
    pub(crate) fn assigned(&self, variable: Var, to: &JavaType) -> Expression {
        let maker = self.plan.maker(variable);
        match (self.test.statements().get(maker), self.plan.fate(maker)) {
            (Some(Statement::Literal(it @ (Literal::Byte(_) | Literal::Short(_)))), Fate::Inlined) => {
                let text = literal::write_assigned(it, None, self.imports);
                Expression::new(text, Some(to.clone()), Form::Primary)
            }
            _ => self.as_type(self.value(variable), to),
        }
    }

    /// The value, cast if a compiler would not take it for the type.
    pub(crate) fn as_type(&self, value: Expression, to: &JavaType) -> Expression {
        let mut inference = Inference::new(self.signatures(), Vec::new());
        if inference.accepts(&value.of, to) || !self.can_name(to) {
            return value.meant_for(to);
        }
        let erased = to.descriptor().map(|it| JavaType::erased(TypeRef(&it)));
        erased.map_or(value.clone(), |it| self.cast(value, &it))
    }

    /// A value that a compiler lets be cast to a type: one that is known to have a narrower type
    /// than the test case says, or other type arguments than the type above both, has to be widened
    /// first (JLS 5.5).
    fn related(&self, variable: Var, to: &JavaType) -> Expression {
        let value = self.value(variable);
        let (Some(of), Some(from), Some(wanted)) = (&value.of, value.descriptor(), to.descriptor()) else {
            return value;
        };
        let is_below = |one: &str, other: &str| is_below(self.context.hierarchy(), one, other) == Some(true);
        let is_related = is_below(&from, &wanted) || is_below(&wanted, &from);
        let named = self.typing.get(variable).map(JavaType::erased).filter(|it| self.can_name(it));
        if self.differ_in_arguments(of, to) {
            return self.cast(value, &JavaType::object());
        }
        match named.filter(|it| !is_related && value.of.as_ref() != Some(it)) {
            Some(named) => self.cast(value, &named),
            None => value,
        }
    }

    /// Whether there is a class above both types of which they have different arguments.
    fn differ_in_arguments(&self, one: &JavaType, other: &JavaType) -> bool {
        let (Some(name), Some(of)) = (one.class_constant(), other.class_constant()) else { return false };
        let hierarchy = self.context.hierarchy();
        let above = hierarchy.supertypes(&of).into_iter().filter_map(Supertype::known);
        let mut shared = above.filter(|it| hierarchy.is_subtype(&name, it.name()) == Some(true));
        shared.any(|class| {
            let seen = [one, other].map(|it| self.signatures().seen_from(it, class.name()));
            matches!(seen, [Seen::With(one), Seen::With(other)] if one != other)
        })
    }

    pub(crate) fn cast(&self, value: Expression, to: &JavaType) -> Expression {
        let operand = value.as_operand();
        let widened = match &value.of {
            Some(of) if self.is_nested(&operand) => format!("({}) ", self.imports.type_name(of)),
            _ => String::new(),
        };
        let text = format!("({}) {widened}{operand}", self.imports.type_name(to));
        Expression::new(text, Some(to.clone()), Form::Cast).with(value.throws)
    }

    /// Notes that the type arguments of a variable are in the way.
    pub(crate) fn blame(&self, value: &Expression) {
        let is_parameterized = value.of.as_ref().is_some_and(JavaType::is_parameterized);
        self.misfits.borrow_mut().extend(value.variable.filter(|_| is_parameterized));
    }

    /// Whether a source can name the type, its arguments too.
    pub(crate) fn can_name(&self, of: &JavaType) -> bool {
        let named = match of {
            JavaType::Class { arguments, .. } => {
                arguments.iter().filter_map(Argument::bound).all(|it| self.can_name(it))
            }
            JavaType::Array(element) => self.can_name(element),
            _ => true,
        };
        named && of.descriptor().is_some_and(|it| self.context.check_type(TypeRef(&it)).is_ok())
    }

    fn new_array(&self, number: usize, array: TypeId, length: u16, with_type: bool) -> Option<Expression> {
        let array = self.type_of(array)?;
        let declared = self.variable(number).map(|it| it.of.clone());
        let of = declared.filter(JavaType::is_parameterized).unwrap_or_else(|| JavaType::erased(array));
        let Some(elements) = self.plan.initialiser(number) else {
            let further = "[]".repeat(array.dimensions().saturating_sub(1));
            let mut innermost = &of;
            while let JavaType::Array(element) = innermost {
                innermost = element;
            }
            let innermost = self.imports.type_name(innermost);
            return Some(Expression::new(
                format!("new {innermost}[{length}]{further}"),
                Some(of),
                Form::Primary,
            ));
        };
        let element = array.element()?;
        let mut throws = BTreeSet::new();
        let mut texts = Vec::new();
        for value in elements {
            let written = self.element(*value, element)?;
            throws.extend(written.throws);
            texts.push(written.text);
        }
        let list = format!("{{{}}}", texts.join(", "));
        let text = if with_type { format!("new {} {list}", self.imports.type_name(&of)) } else { list };
        Some(Expression::new(text, Some(of), Form::Primary).with(throws))
    }

    /// An element of an initialiser: arrays within arrays need no `new`.
    fn element(&self, value: Option<Var>, of: TypeRef<'_>) -> Option<Expression> {
        let Some(value) = value else {
            let text = match of.descriptor() {
                "Z" => "false",
                "C" => "'\\0'",
                it if TypeRef(it).is_reference() => "null",
                _ => "0",
            };
            return Some(Expression::new(text.to_owned(), None, Form::Primary));
        };
        let maker = self.plan.maker(value);
        match (self.test.statements().get(maker)?, self.plan.fate(maker)) {
            (Statement::NewArray { array, length }, Fate::Inlined)
                if self.plan.initialiser(maker).is_some() && self.type_of(*array) == Some(of) =>
            {
                self.new_array(maker, *array, *length, false)
            }
            _ => Some(self.assigned(value, &JavaType::erased(of))),
        }
    }
}

/// The class of the objects that stand for primitive values.
fn boxed(of: JavaType) -> JavaType {
    let name = match of {
        JavaType::Primitive('Z') => "java/lang/Boolean",
        JavaType::Primitive('B') => "java/lang/Byte",
        JavaType::Primitive('S') => "java/lang/Short",
        JavaType::Primitive('C') => "java/lang/Character",
        JavaType::Primitive('I') => "java/lang/Integer",
        JavaType::Primitive('J') => "java/lang/Long",
        JavaType::Primitive('F') => "java/lang/Float",
        JavaType::Primitive('D') => "java/lang/Double",
        JavaType::Primitive(_) => "java/lang/Void",
        other => return other,
    };
    JavaType::class(name)
}
