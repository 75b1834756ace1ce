//! Mocks by Mockito, their answers, and fields that are filled as a container would.
//!
//! The source uses only methods that every Mockito since 1.10 has. `when(…)` makes the call that it
//! is about, so it is used only where that runs nothing and throws nothing; `doReturn(…).when(…)`
//! and its like hold everywhere.

use std::collections::BTreeSet;

use crashback_program::MemberView;
use crashback_program::hierarchy::Supertype;
use crashback_testcase::{
    Answer, Callback, Field, FieldId, Given, MemberName, Method, MethodId, Mock, MockId, MockKind, Statement,
    TypeRef, Var,
};

use super::call::Written;
use super::formal::Target;
use super::java_type::{JavaType, method_signature};
use super::received;
use super::writer::{Expression, Form, Writer};

/// Name of the parameter of an answer's lambda.
pub(crate) const INVOCATION: &str = "invocation";

/// How the field of an injection is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Injection {
    /// The nearest of its name above the class of the object.
    ByName,
    /// In a class that the call names.
    ByClass,
}

impl<'a> Writer<'a> {
    /// `mock(C.class)`, or an anonymous class.
    pub(crate) fn mock(&self, number: usize, mock: MockId) -> Option<Expression> {
        let mock = self.vocabulary.mock(mock)?;
        if mock.kind == MockKind::Anonymous {
            return self.anonymous(number, mock);
        }
        let of = JavaType::erased(self.type_of(mock.of)?);
        let default = if mock.calls_real {
            format!(", {}", mockito(self, "CALLS_REAL_METHODS"))
        } else if self.records && self.is_given_exceptions(mock) {
            format!(", {}", received::answer())
        } else {
            String::new()
        };
        let text = format!("{}({}.class{default})", mockito(self, "mock"), self.imports.type_name(&of));
        Some(Expression::new(text, Some(of), Form::Effect))
    }

    /// `spy(object)`
    pub(crate) fn spy(&self, mock: MockId, object: Var) -> Option<Expression> {
        let of = JavaType::erased(self.type_of(self.vocabulary.mock(mock)?.of)?);
        let object = self.value(object);
        let text = format!("{}({})", mockito(self, "spy"), object.text);
        Some(Expression::new(text, Some(of), Form::Effect).with(object.throws))
    }

    /// The answer that a mock gives from now on.
    pub(crate) fn stub(
        &self,
        number: usize,
        mock: Var,
        method: MethodId,
        given: Option<Given>,
        answer: Answer,
    ) -> Option<Expression> {
        let method = self.vocabulary.method(method)?;
        let name = self.vocabulary.method_name(method)?;
        let declared = self.context.method(&name).ok().flatten();
        let values: Vec<Expression> = answer.values().map(|it| self.value(it)).collect();
        let nothing = || Expression::new(String::new(), None, Form::Primary);
        let (receiver, value) = (self.value(mock), values.first().cloned().unwrap_or_else(nothing));
        let matchers = |target: &Target<'_>| self.matchers(target, given);
        let throws: BTreeSet<String> = values.iter().flat_map(|it| it.throws.clone()).collect();
        let is_quiet = self.mock_of(mock).is_some_and(|it| !it.calls_real)
            && values.iter().all(|it| it.form != Form::Effect)
            && !self.threw_before(number, mock, method);
        let result = self.plain_result(method, declared).filter(|_| is_quiet);
        let does = |what: &str| format!("{}({})", mockito(self, what), value.text);
        let (before, after) = match (answer, result) {
            (Answer::Return(_) | Answer::Sequence { .. }, Some(result)) => {
                let returns =
                    |it: &Expression| format!("thenReturn({})", self.as_type(it.clone(), &result).text);
                (None, values.iter().map(returns).collect::<Vec<_>>().join("."))
            }
            (Answer::Return(_), None) => (Some(does("doReturn")), String::new()),
            (Answer::Sequence { .. }, None) => {
                let then = values.get(1)?;
                (Some(format!("{}.doReturn({})", does("doReturn"), then.text)), String::new())
            }
            (Answer::Nothing, _) => (Some(does("doNothing")), String::new()),
            (Answer::Throw(_), _) if !self.may_throw(declared, &value) => {
                let throws = format!("{{ throw {}.fillInStackTrace(); }}", value.as_primary());
                let text = format!("{}({INVOCATION} -> {throws})", mockito(self, "doAnswer"));
                (Some(text), String::new())
            }
            (Answer::Throw(_), _) => (Some(does("doThrow")), String::new()),
            (Answer::Call { callback, .. }, _) => {
                let body = self.callback(callback, value)?;
                (Some(format!("{}({INVOCATION} -> {body})", mockito(self, "doAnswer"))), String::new())
            }
        };
        let made = match before {
            Some(before) => {
                let as_receiver = |it: &Expression| format!("{before}.when({})", it.text);
                self.instance_call(method, receiver, &as_receiver, &matchers)?
            }
            None => {
                let call = self.instance_call(method, receiver, &Expression::as_primary, &matchers)?;
                let text = format!("{}({}).{after}", mockito(self, "when"), call.text);
                Expression { text, ..call }
            }
        };
        Some(Expression { of: None, ..made }.with(throws))
    }

    /// `(C) lastGiven(mock, "method", 0)`, by a method of the test class.
    pub(crate) fn kept(&self, mock: Var, method: MethodId, parameter: u8) -> Option<Expression> {
        let method = self.vocabulary.method(method)?;
        let of = JavaType::erased(self.type_of(*method.parameters.get(usize::from(parameter))?)?);
        let mock = self.value(mock);
        let text = format!("lastGiven({}, \"{}\", {parameter})", mock.text, method.name);
        let object = JavaType::class("java/lang/Object");
        let given = Expression::new(text, Some(object), Form::Effect).with(mock.throws);
        Some(self.cast(given, &of))
    }

    /// The body of a lambda that calls an argument of the mock.
    fn callback(&self, callback: Callback, value: Expression) -> Option<String> {
        let called = self.vocabulary.method(callback.method)?;
        let of = JavaType::erased(self.type_of(called.owner)?);
        let given = format!("{INVOCATION}.getArguments()[{}]", callback.parameter);
        let object = JavaType::class("java/lang/Object");
        let receiver = self.cast(Expression::new(given, Some(object), Form::Primary), &of);
        let arguments = |target: &Target<'_>| {
            let parameters = target.method.parameters.iter();
            let wanted: Vec<TypeRef<'_>> = parameters.filter_map(|it| self.type_of(*it)).collect();
            let one = |(place, of): (usize, &TypeRef<'_>)| {
                if place == usize::from(callback.place) { value.clone() } else { nothing(*of) }
            };
            let values: Vec<Expression> = wanted.iter().enumerate().map(one).collect();
            self.chosen(target, values, &wanted)
        };
        let call = self.instance_call(called, receiver, &Expression::as_primary, &arguments)?;
        let is_void = self.type_of(called.result)?.is_void();
        Some(if is_void { format!("{{ {}; return null; }}", call.text) } else { call.text })
    }

    /// `inject(object, "field", value)`, by a method of the test class.
    pub(crate) fn inject(&self, field: FieldId, receiver: Var, value: Var) -> Option<Expression> {
        let known = self.vocabulary.field(field)?;
        let (object, value) = (self.value(receiver), self.value(value));
        let owner = match self.injection(field, receiver)? {
            Injection::ByName => String::new(),
            Injection::ByClass => format!("{}, ", self.class_of(self.declaring(known)?.class().name())),
        };
        let text = format!("inject({}, {owner}\"{}\", {})", object.text, known.name, value.text);
        let thrown = BTreeSet::from(["java/lang/ReflectiveOperationException".to_owned()]);
        Some(Expression::new(text, None, Form::Effect).with(object.throws).with(value.throws).with(thrown))
    }

    /// Whether the name of a field is enough to find it, which takes an object whose class is
    /// known.
    pub(crate) fn injection(&self, field: FieldId, receiver: Var) -> Option<Injection> {
        let field = self.vocabulary.field(field)?;
        let declaring = self.declaring(field)?.class().reference();
        let maker = self.plan.maker(receiver);
        let is_exact = matches!(
            self.test.statements().get(maker)?,
            Statement::Construct { .. } | Statement::Mock(_) | Statement::Spy { .. }
        );
        let class = self.typing.get(Var(u16::try_from(maker).ok()?))?.class_name()?;
        let above = self.context.hierarchy().supertypes(class).into_iter().filter_map(Supertype::known);
        let named = |name: &str| above.clone().find(|it| it.fields().any(|it| it.name() == name));
        let is_first = named(&field.name).is_some_and(|it| it.reference() == declaring);
        Some(if is_exact && is_first { Injection::ByName } else { Injection::ByClass })
    }

    fn declaring(&self, field: &Field) -> Option<MemberView<'a>> {
        let MemberName { owner, name, descriptor } = self.vocabulary.field_name(field)?;
        self.context.hierarchy().resolve_field(&owner, &name, &descriptor)
    }

    /// A class as a value, whether the source can name it or not.
    fn class_of(&self, class: &str) -> String {
        if self.context.class(class).is_ok() {
            return format!("{}.class", self.imports.class_name(class));
        }
        format!("{}.forName(\"{}\")", self.imports.class_name("java/lang/Class"), class.replace('/', "."))
    }

    /// The mock that a variable holds.
    fn mock_of(&self, variable: Var) -> Option<&'a Mock> {
        match self.test.statements().get(self.mock_maker(variable))? {
            Statement::Mock(mock) | Statement::Spy { mock, .. } => self.vocabulary.mock(*mock),
            _ => None,
        }
    }

    /// The statement that makes the object in a variable, whatever casts came after.
    fn mock_maker(&self, variable: Var) -> usize {
        let maker = self.plan.maker(variable);
        match self.test.statements().get(maker) {
            Some(Statement::Cast { value, .. }) if usize::from(value.0) < maker => self.mock_maker(*value),
            _ => maker,
        }
    }

    /// Whether a mock was told before to throw when a method of this name is called.
    fn threw_before(&self, number: usize, mock: Var, method: &Method) -> bool {
        let before = self.test.statements().iter().take(number);
        before.into_iter().any(|it| {
            matches!(it, Statement::Stub { mock: other, method: told, answer: Answer::Throw(_), .. }
                if self.mock_maker(*other) == self.mock_maker(mock)
                    && self.vocabulary.method(*told).is_some_and(|it| it.name == method.name))
        })
    }

    /// The type of a result that has no type arguments and that a source can name.
    fn plain_result(&self, method: &Method, declared: Option<MemberView<'a>>) -> Option<JavaType> {
        let of = JavaType::erased(self.type_of(method.result).filter(|it| !it.is_void())?);
        let is_plain = match declared?.signature() {
            None => true,
            Some(signature) => {
                let generic = JavaType::of_signature(method_signature(signature)?.result.as_ref()?);
                generic == of
            }
        };
        (is_plain && self.can_name(&of)).then_some(of)
    }

    /// Whether Mockito lets a method throw a value (JLS 11.2): it is unchecked, or the method
    /// declares it.
    fn may_throw(&self, declared: Option<MemberView<'a>>, value: &Expression) -> bool {
        let class = value.of.as_ref().and_then(JavaType::class_constant).unwrap_or_default();
        let exceptions = declared.into_iter().flat_map(|it| it.exceptions());
        let mut allowed = ["java/lang/RuntimeException", "java/lang/Error"].into_iter().chain(exceptions);
        allowed.any(|it| self.context.hierarchy().is_subtype(&class, it) == Some(true))
    }

    /// Arguments that stand for all there can be, or for calls that are given a class. They are
    /// cast where another method takes as many.
    fn matchers(&self, target: &Target<'_>, given: Option<Given>) -> Written {
        let parameters = target.method.parameters.iter();
        let wanted: Vec<TypeRef<'_>> = parameters.filter_map(|it| self.type_of(*it)).collect();
        let is_alone = target.overloads.is_alone_with(wanted.len());
        let mut values: Vec<Expression> = Vec::new();
        for (place, of) in wanted.iter().enumerate() {
            let class = given.filter(|it| usize::from(it.parameter) == place).map(|it| self.value(it.class));
            let any = match class {
                Some(class) => {
                    let text = format!("{}({})", mockito(self, "eq"), class.text);
                    Expression::new(text, class.of, Form::Primary)
                }
                None => self.matcher(*of),
            };
            let is_cast = !is_alone && self.can_cast_to(of.descriptor());
            values.push(if is_cast { self.cast(any, &JavaType::erased(*of)) } else { any });
        }
        if let (Some(last), Some(of), true) = (values.last_mut(), wanted.last(), target.is_varargs()) {
            *last = self.varargs_matcher(*of).unwrap_or_else(|| last.clone());
        }
        self.chosen(target, values, &wanted)
    }

    fn matcher(&self, of: TypeRef<'_>) -> Expression {
        let matcher = match of.descriptor() {
            "Z" => "anyBoolean",
            "B" => "anyByte",
            "S" => "anyShort",
            "C" => "anyChar",
            "I" => "anyInt",
            "J" => "anyLong",
            "F" => "anyFloat",
            "D" => "anyDouble",
            _ => "any",
        };
        let static_type = (matcher != "any").then(|| JavaType::erased(of));
        let mut text = format!("{}()", mockito(self, matcher));
        // A compiler would infer a type that it may not name; null has none.
        if self.context.check_type(of).is_err() {
            text += " == null ? null : null";
        }
        Expression::new(text, static_type, Form::Primary)
    }

    /// The matcher for any number of arguments since Mockito 5, for which it matters of which type
    /// a matcher is; before, `any()` does.
    fn varargs_matcher(&self, of: TypeRef<'_>) -> Option<Expression> {
        let matcher = self.context.index().get("org/mockito/ArgumentMatcher")?;
        matcher.methods_named("type").next()?;
        let array = Some(JavaType::erased(of)).filter(|it| self.can_name(it))?;
        let text = format!("{}({}.class)", mockito(self, "any"), self.imports.type_name(&array));
        Some(Expression::new(text, Some(array), Form::Primary))
    }
}

/// The method of the test class that checks the arguments of a mock.
pub(crate) fn last_given(writer: &Writer<'_>) -> String {
    let name = |of: &str| writer.imports.class_name(of);
    let (object, string) = (name("java/lang/Object"), name("java/lang/String"));
    format!(
        "    /** What a mock was given last, by calls of a method that has a name. */
    private static {object} lastGiven({object} mock, {string} method, int parameter) {{
        {object} given = null;
        for ({invocation} call : {details}(mock).getInvocations()) {{
            if (call.getMethod().getName().equals(method) && parameter < call.getArguments().length) {{
                given = call.getArguments()[parameter];
            }}
        }}
        return given;
    }}
",
        invocation = name("org/mockito/invocation/Invocation"),
        details = mockito(writer, "mockingDetails"),
    )
}

/// Zero or null, as a type asks for.
fn nothing(of: TypeRef<'_>) -> Expression {
    let text = match of.descriptor() {
        "Z" => "false",
        "B" => "(byte) 0",
        "S" => "(short) 0",
        "C" => "(char) 0",
        "I" => "0",
        "J" => "0L",
        "F" => "0F",
        "D" => "0.0",
        _ => return Expression::new("null".to_owned(), None, Form::Primary),
    };
    Expression::new(text.to_owned(), Some(JavaType::erased(of)), Form::Cast)
}

/// A static member of `Mockito`, which has those of the matchers too.
pub(crate) fn mockito(writer: &Writer<'_>, member: &str) -> String {
    writer.imports.static_member("org.mockito.Mockito", member)
}
