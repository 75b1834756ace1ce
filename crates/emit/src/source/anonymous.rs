//! Anonymous classes: below abstract ones that are constructed, and with the answers of mocks that
//! need no mock library.

use std::collections::BTreeSet;

use crashback_program::MemberView;
use crashback_testcase::{Answer, Method, MethodId, Mock, Mocked, Statement, Type, TypeRef, Var};

use super::java_type::JavaType;
use super::plan::Fate;
use super::writer::{Expression, Form, Writer};

impl<'a> Writer<'a> {
    /// `new C() { … }`, with the answers of a mock and whatever else the class must have.
    pub(crate) fn anonymous(&self, number: usize, mock: &Mock) -> Option<Expression> {
        let of = JavaType::erased(self.type_of(mock.of)?);
        let mut methods = Vec::new();
        for mocked in &*mock.methods {
            let method = self.vocabulary.method(mocked.method)?;
            let does = match self.answer_of(number, mocked.method) {
                Some(Answer::Throw(value)) => self.throwing(value)?,
                Some(Answer::Nothing) => Does::plain(String::new()),
                Some(answer) => Does::plain(self.returning(method, answer.values().next()?)?),
                None if mocked.is_abstract => Does::plain(self.empty(self.type_of(method.result)?)),
                None => continue,
            };
            methods.push(self.method_below(*mocked, &does)?);
        }
        let text = format!("new {}() {}", self.imports.type_name(&of), body(&methods));
        Some(Expression::new(text, Some(of), Form::Effect))
    }

    /// The body of the anonymous class below an abstract one: the methods that it must have, which
    /// do nothing.
    pub(crate) fn body_below(&self, constructor: &Method) -> Option<String> {
        let mut methods = Vec::new();
        for answered in &*self.vocabulary.subclass_of(constructor.owner)?.methods {
            let result = self.type_of(self.vocabulary.method(answered.method)?.result)?;
            let does = match result {
                it if it.is_void() => String::new(),
                it => format!("return {};", default(it)),
            };
            methods.push(self.method_below(*answered, &Does::plain(does))?);
        }
        Some(body(&methods))
    }

    /// What the class of a mock, given by its number, answers to a method.
    fn answer_of(&self, number: usize, method: MethodId) -> Option<Answer> {
        self.test.statements().iter().find_map(|it| match it {
            Statement::Stub { mock, method: told, answer, .. } => {
                (usize::from(mock.0) == number && *told == method).then_some(*answer)
            }
            _ => None,
        })
    }

    fn returning(&self, method: &Method, value: Var) -> Option<String> {
        let value = self.assigned(value, &JavaType::erased(self.type_of(method.result)?));
        Some(format!("return {};", value.text))
    }

    /// Throws an exception as if it came about at the call.
    fn throwing(&self, value: Var) -> Option<Does> {
        let class = self.typing.get(value)?.class_name()?;
        let hierarchy = self.context.hierarchy();
        let is_unchecked = ["java/lang/RuntimeException", "java/lang/Error"]
            .iter()
            .any(|it| hierarchy.is_subtype(class, it) == Some(true));
        let throws = (!is_unchecked).then(|| class.to_owned());
        let is_new = self.plan.fate(self.plan.maker(value)) == Fate::Inlined;
        let value = self.value(value);
        let mut lines = Vec::new();
        if !is_new {
            lines.push(format!("{}.fillInStackTrace();", value.as_primary()));
        }
        lines.push(format!("throw {};", value.text));
        Some(Does { lines, throws })
    }

    fn method_below(&self, answered: Mocked, does: &Does) -> Option<String> {
        let method = self.vocabulary.method(answered.method)?;
        let name = self.vocabulary.method_name(method)?;
        let declared: MemberView<'_> =
            self.context.hierarchy().resolve_method(&name.owner, &name.name, &name.descriptor)?;
        let written = |of: TypeRef<'_>| self.imports.type_name(&JavaType::erased(of));
        let mut parameters = Vec::new();
        for (number, of) in method.parameters.iter().enumerate() {
            parameters.push(format!("{} argument{number}", written(self.type_of(*of)?)));
        }
        let access = match declared.access() {
            it if it.is_public() => "public ",
            it if it.is_protected() => "protected ",
            _ => "",
        };
        let result = match self.type_of(method.result)? {
            it if it.is_void() => "void".to_owned(),
            it => written(it),
        };
        let throws = does.throws.as_ref().map(|it| format!(" throws {}", self.imports.class_name(it)));
        let lines = does.lines.iter().filter(|it| !it.is_empty());
        Some(format!(
            "    @{overrides}\n    {access}{result} {}({}){} {{\n{}    }}\n",
            name.name,
            parameters.join(", "),
            throws.unwrap_or_default(),
            lines.map(|it| format!("        {it}\n")).collect::<String>(),
            overrides = self.imports.class_name("java/lang/Override"),
        ))
    }

    /// Gives back what mocks answer to calls that nothing is said about: zero, `null` or something
    /// empty.
    fn empty(&self, of: TypeRef<'_>) -> String {
        if of.is_void() {
            return String::new();
        }
        let class = of.class_name().unwrap_or_default();
        let (package, simple) = class.rsplit_once('/').unwrap_or_default();
        let name = |of: &str| self.imports.class_name(of);
        let made = |simple: &str| format!("new {}<>()", name(&format!("java/util/{simple}")));
        let value = match (package, simple) {
            ("java/lang", "Boolean") => "false".to_owned(),
            ("java/lang", "Byte" | "Short" | "Integer") => "0".to_owned(),
            ("java/lang", "Character") => "'\\0'".to_owned(),
            ("java/lang", "Long") => "0L".to_owned(),
            ("java/lang", "Float") => "0F".to_owned(),
            ("java/lang", "Double") => "0.0".to_owned(),
            ("java/lang", "Iterable") | ("java/util", "List" | "ArrayList") => made("ArrayList"),
            ("java/util", "Collection" | "LinkedList") => made("LinkedList"),
            ("java/util", "Set" | "HashSet") => made("HashSet"),
            ("java/util", "LinkedHashSet") => made("LinkedHashSet"),
            ("java/util", "SortedSet" | "TreeSet") => made("TreeSet"),
            ("java/util", "Map" | "HashMap") => made("HashMap"),
            ("java/util", "LinkedHashMap") => made("LinkedHashMap"),
            ("java/util", "SortedMap" | "TreeMap") => made("TreeMap"),
            ("java/util", "Optional" | "OptionalInt" | "OptionalLong" | "OptionalDouble")
            | ("java/util/stream", "Stream" | "IntStream" | "LongStream" | "DoubleStream") => {
                format!("{}.empty()", name(class))
            }
            ("java/time", "Duration" | "Period") => format!("{}.ZERO", name(class)),
            _ => default(of).to_owned(),
        };
        format!("return {value};")
    }
}

/// The statements of a method of an anonymous class.
struct Does {
    lines: Vec<String>,
    /// The checked exception that they throw, by its internal name.
    throws: Option<String>,
}

impl Does {
    fn plain(line: String) -> Self {
        Self { lines: vec![line], throws: None }
    }
}

fn body(methods: &[String]) -> String {
    if methods.is_empty() { "{}".to_owned() } else { format!("{{\n{}}}", methods.join("\n")) }
}

/// Zero, false or `null`.
fn default(of: TypeRef<'_>) -> &'static str {
    match of.descriptor() {
        it if TypeRef(it).is_reference() => "null",
        "Z" => "false",
        _ => "0",
    }
}

/// The types that the class of a mock names.
pub(crate) fn types_of<'v>(writer: &Writer<'v>, mock: &'v Mock) -> Vec<&'v Type> {
    let known = writer.vocabulary;
    let methods = mock.methods.iter().filter_map(|it| known.method(it.method));
    let types = methods.flat_map(|it| it.parameters.iter().chain([&it.result]).copied());
    types.collect::<BTreeSet<_>>().into_iter().filter_map(|it| known.type_of(it)).collect()
}
