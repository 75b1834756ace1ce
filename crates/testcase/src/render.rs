//! Test cases for people to read, one statement a line, almost as Java writes them: classes have
//! their simple names.

use std::fmt::{self, Display, Write};

use crate::{
    Answer, Field, FieldId, Given, GivenAnnotation, Kind, Literal, Method, MethodId, MockId, MockKind,
    Nested, NestedField, Statement, TestCase, Text, Type, TypeId, TypeRef, Typing, Var, Vocabulary,
};

impl TestCase {
    /// The test case as text. The number in a variable's name is that of its statement; what the
    /// vocabulary does not know shows as a question mark.
    pub fn display<'a>(&'a self, vocabulary: &'a Vocabulary) -> impl Display + 'a {
        fmt::from_fn(move |f| {
            let typing = Typing::of(self, vocabulary);
            let renderer = Renderer { vocabulary, typing: &typing };
            let mut variables = (0..=u16::MAX).map(Var).zip(self.statements());
            variables.try_for_each(|(variable, statement)| {
                if let Some(of) = typing.get(variable) {
                    write!(f, "{} {} = ", simple_name(of), renderer.variable(variable))?;
                }
                writeln!(f, "{};", renderer.statement(statement))
            })
        })
    }
}

impl Literal {
    /// The value as a Java source writes it; none for `null`, classes and the folder of the test,
    /// whose text depends on what is around it.
    pub fn to_java(&self) -> Option<String> {
        Some(match self {
            Literal::Boolean(value) => value.to_string(),
            Literal::Byte(value) => format!("(byte) {value}"),
            Literal::Short(value) => format!("(short) {value}"),
            Literal::Char(unit) => quoted(&[*unit], '\''),
            Literal::Int(value) => value.to_string(),
            Literal::Long(value) => format!("{value}L"),
            Literal::Float(value) => float_to_java(*value),
            Literal::Double(value) => double_to_java(*value),
            Literal::Text(text) => text.to_java(),
            Literal::Bytes(bytes) if bytes.get().iter().all(|it| *it == 0) => {
                format!("new byte[{}]", bytes.get().len())
            }
            Literal::Bytes(bytes) => {
                let all: Vec<String> = bytes.get().iter().map(|it| it.cast_signed().to_string()).collect();
                format!("new byte[] {{{}}}", all.join(", "))
            }
            Literal::Null(_)
            | Literal::Class(_)
            | Literal::Folder
            | Literal::NestedClass(_)
            | Literal::NestedObject(_) => return None,
        })
    }
}

impl Text {
    /// The text as a Java source writes it, in quotes.
    pub fn to_java(&self) -> String {
        quoted(self.units(), '"')
    }
}

fn float_to_java(value: f32) -> String {
    match value {
        f32::INFINITY => "Float.POSITIVE_INFINITY".into(),
        f32::NEG_INFINITY => "Float.NEGATIVE_INFINITY".into(),
        // Of the many NaN, Java has a name for one.
        _ if value.to_bits() == 0x7fc0_0000 => "Float.NaN".into(),
        _ if value.is_nan() => format!("Float.intBitsToFloat({:#x})", value.to_bits()),
        _ => format!("{}f", shortest(format!("{value:?}"), format!("{value:e}"))),
    }
}

/// A number as it is easier to read: with an exponent if all digits would be a long row of zeros.
fn shortest(plain: String, with_exponent: String) -> String {
    const LONGEST_PLAIN: usize = 9;
    if plain.len() > LONGEST_PLAIN.max(with_exponent.len()) { with_exponent } else { plain }
}

fn double_to_java(value: f64) -> String {
    match value {
        f64::INFINITY => "Double.POSITIVE_INFINITY".into(),
        f64::NEG_INFINITY => "Double.NEGATIVE_INFINITY".into(),
        _ if value.to_bits() == 0x7ff8_0000_0000_0000 => "Double.NaN".into(),
        _ if value.is_nan() => format!("Double.longBitsToDouble({:#x}L)", value.to_bits()),
        _ => shortest(format!("{value:?}"), format!("{value:e}")),
    }
}

/// Letters and digits of all scripts stay as they are; what is invisible, ambiguous or half a
/// character is escaped (JLS 3.3, 3.10.7).
fn quoted(units: &[u16], quote: char) -> String {
    let mut text = String::from(quote);
    let mut after_half = false;
    for decoded in char::decode_utf16(units.iter().copied()) {
        let is_half = decoded.is_err();
        match decoded {
            // Compilers since JDK 16 miscount the backslashes between half a pair and an escape as
            // JLS 3.3 asks them to.
            Ok('\\') if after_half => text.push_str("\\134"),
            Ok('\n') => text.push_str("\\n"),
            Ok('\r') => text.push_str("\\r"),
            Ok('\t') => text.push_str("\\t"),
            Ok(it) if it == '\\' || it == quote => text.extend(['\\', it]),
            Ok(it) if it == ' ' || it.is_ascii_graphic() || it.is_alphanumeric() => text.push(it),
            Ok(it) => it.encode_utf16(&mut [0; 2]).iter().for_each(|unit| push_escape(&mut text, *unit)),
            Err(lone) => push_escape(&mut text, lone.unpaired_surrogate()),
        }
        after_half = is_half;
    }
    text.push(quote);
    text
}

fn push_escape(text: &mut String, unit: u16) {
    // Writing to a string does not fail.
    let _ = write!(text, "\\u{unit:04x}");
}

/// A nested class by the types of its fields and their annotations.
fn nested(of: &Nested) -> String {
    let annotations = |all: &[GivenAnnotation]| -> String {
        all.iter().map(|it| format!("@{} ", simple_name(it.of.view()))).collect()
    };
    let class = of.class();
    let field = |(field, name): (&NestedField, &String)| {
        format!("{}{} {name}; ", annotations(&field.annotations), simple_name(field.of.view()))
    };
    let fields: String = class.fields.iter().zip(&of.names()).map(field).collect();
    format!("{}Nested {{ {fields}}}", annotations(&class.annotations))
}

struct Renderer<'a> {
    vocabulary: &'a Vocabulary,
    typing: &'a Typing<'a>,
}

impl Renderer<'_> {
    fn statement(&self, statement: &Statement) -> String {
        match statement {
            Statement::Literal(Literal::Null(_)) => "null".into(),
            Statement::Literal(Literal::Class(of)) => format!("{}.class", self.type_name(*of)),
            Statement::Literal(Literal::Folder) => "folder".into(),
            Statement::Literal(Literal::NestedClass(of)) => format!("{}.class", nested(of)),
            Statement::Literal(Literal::NestedObject(of)) => format!("new {}()", nested(of)),
            Statement::Literal(literal) => literal.to_java().unwrap_or_default(),
            Statement::Construct { constructor, arguments } => {
                self.call(self.vocabulary.method(*constructor), None, arguments)
            }
            Statement::Call { method, receiver, arguments } => {
                self.call(self.vocabulary.method(*method), *receiver, arguments)
            }
            Statement::ReadField { field, receiver } => self.field(*field, *receiver),
            Statement::WriteField { field, receiver, value } => {
                format!("{} = {}", self.field(*field, *receiver), self.variable(*value))
            }
            Statement::NewArray { array, length } => self.new_array(*array, *length),
            Statement::ReadElement { array, index } => format!("{}[{index}]", self.variable(*array)),
            Statement::WriteElement { array, index, value } => {
                format!("{}[{index}] = {}", self.variable(*array), self.variable(*value))
            }
            Statement::Cast { to, value } => format!("({}) {}", self.type_name(*to), self.variable(*value)),
            Statement::Mock(mock) => self.mock(*mock),
            Statement::Spy { object, .. } => format!("spy({})", self.variable(*object)),
            Statement::Stub { mock, method, given, answer } => self.stub(*mock, *method, *given, *answer),
            Statement::Kept { mock, method, parameter } => {
                let name = self.vocabulary.method(*method).map_or("?", |it| &it.name);
                format!("kept {}.{name}(..)[{parameter}]", self.variable(*mock))
            }
            Statement::Inject { field, receiver, value } => {
                format!("inject {} = {}", self.field(*field, Some(*receiver)), self.variable(*value))
            }
        }
    }

    fn call(&self, method: Option<&Method>, receiver: Option<Var>, arguments: &[Var]) -> String {
        let arguments: Vec<String> = arguments.iter().map(|it| self.variable(*it)).collect();
        let arguments = arguments.join(", ");
        match method {
            Some(Method { kind: Kind::Constructor, owner, .. }) => {
                format!("new {}({arguments})", self.type_name(*owner))
            }
            Some(Method { owner, name, .. }) => {
                format!("{}.{name}({arguments})", self.qualifier(*owner, receiver))
            }
            None => format!("?({arguments})"),
        }
    }

    fn field(&self, id: FieldId, receiver: Option<Var>) -> String {
        match self.vocabulary.field(id) {
            Some(Field { owner, name, .. }) => format!("{}.{name}", self.qualifier(*owner, receiver)),
            None => "?".into(),
        }
    }

    fn mock(&self, id: MockId) -> String {
        let Some(mock) = self.vocabulary.mock(id) else { return "?".into() };
        if mock.kind == MockKind::Anonymous {
            return format!("new {}() {{ … }}", self.type_name(mock.of));
        }
        let real = if mock.calls_real { ", CALLS_REAL_METHODS" } else { "" };
        format!("mock({}.class{real})", self.type_name(mock.of))
    }

    fn stub(&self, mock: Var, method: MethodId, given: Option<Given>, answer: Answer) -> String {
        let name = self.vocabulary.method(method).map_or("?", |it| &it.name);
        let values: Vec<String> = answer.values().map(|it| self.variable(it)).collect();
        let (mock, value) = (self.variable(mock), values.join(", "));
        let given = given.map_or_else(
            || "(..)".to_owned(),
            |Given { parameter, class }| format!("(.., [{parameter}] = {}, ..)", self.variable(class)),
        );
        match answer {
            Answer::Return(_) | Answer::Sequence { .. } => {
                format!("doReturn({value}).when({mock}).{name}{given}")
            }
            Answer::Nothing => format!("doNothing().when({mock}).{name}{given}"),
            Answer::Throw(_) => format!("doThrow({value}).when({mock}).{name}{given}"),
            Answer::Call { callback, .. } => {
                let called = self.vocabulary.method(callback.method).map_or("?", |it| &it.name);
                let parameter = callback.parameter;
                format!("doAnswer(it -> it[{parameter}].{called}({value})).when({mock}).{name}{given}")
            }
        }
    }

    fn new_array(&self, array: TypeId, length: u16) -> String {
        let array = self.vocabulary.type_of(array).map_or(TypeRef(""), Type::view);
        let further = "[]".repeat(array.dimensions().saturating_sub(1));
        format!("new {}[{length}]{further}", simple_name(array.innermost()))
    }

    fn qualifier(&self, owner: TypeId, receiver: Option<Var>) -> String {
        receiver.map_or_else(|| self.type_name(owner), |it| self.variable(it))
    }

    fn type_name(&self, id: TypeId) -> String {
        self.vocabulary.type_of(id).map_or("?".into(), |it| simple_name(it.view()))
    }

    fn variable(&self, variable: Var) -> String {
        let base = self.typing.get(variable).map_or("value".into(), base_name);
        format!("{base}{}", variable.0)
    }
}

/// The type without its package: `Map.Entry[]`.
fn simple_name(of: TypeRef<'_>) -> String {
    let name = of.to_string();
    name.rsplit('.').next().unwrap_or(&name).replace('$', ".")
}

/// What to call a variable: `text`, `int`, `stringBuilder`, and with an `s` for arrays.
fn base_name(of: TypeRef<'_>) -> String {
    let plural = if of.dimensions() > 0 { "s" } else { "" };
    let innermost = of.innermost();
    if innermost == TypeRef::STRING {
        return format!("text{plural}");
    }
    let name = simple_name(innermost);
    let name = name.rsplit('.').next().unwrap_or_default();
    let mut letters = name.chars();
    match letters.next().filter(|it| it.is_alphabetic()) {
        Some(first) => format!("{}{}{plural}", first.to_lowercase(), letters.as_str()),
        None => format!("value{plural}"),
    }
}
