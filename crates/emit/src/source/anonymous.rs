//! Anonymous classes: below abstract ones that are constructed, and with the answers of mocks that
//! need no mock library. Such a mock with one method is written as a lambda.

use std::collections::BTreeSet;

use crashback_program::hierarchy::Supertype;
use crashback_program::index::Nesting;
use crashback_program::{ClassView, MemberView};
use crashback_testcase::{Answer, Method, MethodId, Mock, Mocked, Statement, Type, TypeRef, Var};

use super::inference::Inference;
use super::java_type::{JavaType, Seen, Substitution, method_signature};
use super::plan::Fate;
use super::variables::{self, Names};
use super::writer::{Expression, Form, Writer};

impl<'a> Writer<'a> {
    /// `new C() { … }`, with the answers of a mock and whatever else the class must have.
    pub(crate) fn anonymous(&self, number: usize, mock: &Mock) -> Option<Expression> {
        let erased = JavaType::erased(self.type_of(mock.of)?);
        let declared = self.variable(number).map(|it| it.of.clone());
        let declared = declared.filter(|it| it.descriptor() == erased.descriptor());
        let of = declared.clone().unwrap_or(erased);
        if let Some(lambda) = declared.and_then(|it| self.lambda(number, mock, &it)) {
            return Some(lambda);
        }
        let mut methods = Vec::new();
        for mocked in &*mock.methods {
            let Some(overridden) = self.overridden(number, &of, *mocked) else { continue };
            let Some(does) = self.does(number, *mocked, &overridden)? else { continue };
            methods.push(self.method_below(&overridden, &does));
        }
        let text = format!("new {}() {}", self.imports.type_name(&of), body(&methods));
        Some(Expression::new(text, Some(of), Form::Effect))
    }

    /// The same as a lambda, if the class would have one method; none if it would not, or if the method has
    /// type parameters (JLS 15.27.3).
    fn lambda(&self, number: usize, mock: &Mock, of: &JavaType) -> Option<Expression> {
        let class = self.context.index().get(&of.class_constant()?)?;
        let mut abstracts = mock.methods.iter().filter(|it| it.is_abstract);
        let (Some(only), None) = (abstracts.next(), abstracts.next()) else { return None };
        let is_answered = |it: &&Mocked| !it.is_abstract && self.answer_of(number, it.method).is_some();
        if !class.is_interface() || mock.methods.iter().any(|it| is_answered(&it)) {
            return None;
        }
        let overridden = self.overridden(number, of, *only)?;
        let signature = overridden.declared.signature().and_then(method_signature);
        if signature.is_some_and(|it| !it.type_parameters.is_empty()) {
            return None;
        }
        let does = self.does(number, *only, &overridden)??;
        let parameters = match overridden.names.as_slice() {
            [only] => only.clone(),
            all => format!("({})", all.join(", ")),
        };
        let lines: Vec<&str> = does.lines.iter().map(String::as_str).filter(|it| !it.is_empty()).collect();
        let body = match lines.as_slice() {
            [] => "{}".to_owned(),
            [line] if line.starts_with("return ") => {
                line.trim_start_matches("return ").trim_end_matches(';').to_owned()
            }
            all => format!("{{ {} }}", all.join(" ")),
        };
        Some(Expression::new(format!("{parameters} -> {body}"), Some(of.clone()), Form::Sum))
    }

    /// The statements of a method of a mock's class; none if the class need not have it.
    fn does(&self, number: usize, mocked: Mocked, overridden: &Overridden<'_>) -> Option<Option<Does>> {
        Some(match self.answer_of(number, mocked.method) {
            Some(Answer::Throw(value)) => Some(self.throwing(value)?),
            Some(Answer::Nothing) => Some(Does::plain(String::new())),
            Some(answer) => Some(Does::plain(self.returning(number, overridden, answer.values().next()?)?)),
            None if mocked.is_abstract => {
                let result = self.type_of(self.vocabulary.method(mocked.method)?.result)?;
                Some(Does::plain(self.empty(result)))
            }
            None => None,
        })
    }

    /// The body of the anonymous class below an abstract one: the methods that it must have, which
    /// do nothing.
    pub(crate) fn body_below(&self, number: usize, constructor: &Method, of: &JavaType) -> Option<String> {
        let mut methods = Vec::new();
        for answered in &*self.vocabulary.subclass_of(constructor.owner)?.methods {
            let result = self.type_of(self.vocabulary.method(answered.method)?.result)?;
            let does = match result {
                it if it.is_void() => String::new(),
                it => format!("return {};", default(it)),
            };
            let overridden = self.overridden(number, of, *answered)?;
            methods.push(self.method_below(&overridden, &Does::plain(does)));
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

    fn returning(&self, number: usize, overridden: &Overridden<'_>, value: Var) -> Option<String> {
        let result = overridden.result.as_ref()?;
        let of = self.value(value).of;
        if !Inference::new(self.signatures(), Vec::new()).accepts(&of, result) {
            self.misfits.borrow_mut().insert(number);
        }
        Some(format!("return {};", self.assigned(value, result).text))
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

    /// A method that a class below a type overrides, as it is seen through that type.
    fn overridden(&self, number: usize, of: &JavaType, answered: Mocked) -> Option<Overridden<'a>> {
        let method = self.vocabulary.method(answered.method)?;
        let name = self.vocabulary.method_name(method)?;
        let hierarchy = self.context.hierarchy();
        let declared = hierarchy.resolve_method(&name.owner, &name.name, &name.descriptor)?;
        let erased: Vec<JavaType> = method
            .parameters
            .iter()
            .map(|it| self.type_of(*it).map(JavaType::erased))
            .collect::<Option<_>>()?;
        let result = Some(self.type_of(method.result)?).filter(|it| !it.is_void()).map(JavaType::erased);
        let (parameters, result) = match self.generic_types(of, declared) {
            Some((parameters, generic)) if parameters.len() == erased.len() => (parameters, generic),
            // Erased parameters override nothing where the type says what its variables stand for.
            other => {
                if of.is_parameterized() && (other.is_some() || declared.signature().is_some()) {
                    self.misfits.borrow_mut().insert(number);
                }
                (erased, result)
            }
        };
        let names = self.names_of_parameters(&parameters, declared);
        Some(Overridden { declared, names, parameters, result })
    }

    /// The types of the parameters and of the result of a method that is seen through a type; none if it has
    /// type parameters, or if a source inside of a class below the type cannot name one of them.
    fn generic_types(
        &self,
        of: &JavaType,
        declared: MemberView<'a>,
    ) -> Option<(Vec<JavaType>, Option<JavaType>)> {
        let signature = method_signature(declared.signature()?)?;
        let substitution = match self.signatures().seen_from(of, declared.class().name()) {
            Seen::With(substitution) => substitution,
            Seen::Plain => Substitution::new(),
            Seen::Raw => return None,
        };
        if !signature.type_parameters.is_empty() || self.has_member_types(of) {
            return None;
        }
        let seen = |it: JavaType| {
            it.substitute(&substitution).filter(|it| !it.mentions_variable() && self.can_name(it))
        };
        let parameters = signature.parameters.iter().map(|it| seen(JavaType::of_signature(it)));
        let result = signature.result.as_ref().map(|it| seen(JavaType::of_signature(it)));
        let result = result.map_or(Some(None), |it| it.map(Some))?;
        Some((parameters.collect::<Option<_>>()?, result))
    }

    /// Whether types inside of a class below another may have other names than outside of it.
    fn has_member_types(&self, of: &JavaType) -> bool {
        let class = of.class_constant().unwrap_or_default();
        let above = self.context.hierarchy().supertypes(&class).into_iter().filter_map(Supertype::known);
        let above: Vec<ClassView<'_>> = above.collect();
        let is_above = |name: &str| above.iter().any(|it| it.name() == name);
        let packages: BTreeSet<&str> = above.iter().map(|it| it.package()).collect();
        let index = self.context.index();
        let mut around = packages.iter().flat_map(|it| index.package(it)).filter_map(|it| index.view(*it));
        around.any(|it| matches!(it.nesting(), Nesting::Member { outer, .. } if is_above(outer)))
    }

    /// Names for the parameters of a method that no variable of the test has.
    fn names_of_parameters(&self, parameters: &[JavaType], declared: MemberView<'a>) -> Vec<String> {
        let mut taken: BTreeSet<String> = self.variables.iter().flatten().map(|it| it.name.clone()).collect();
        taken.extend(self.imports.qualifying_packages());
        let mut names = Names::except(taken);
        let told = variables::parameter_names(self.classes, declared);
        let named = parameters.iter().enumerate().map(|(at, of)| {
            let told = told.get(at).cloned().flatten().and_then(|it| variables::from_parameter(&it));
            let descriptor = of.descriptor().unwrap_or_default();
            let wishes = told.into_iter().chain(variables::from_type(TypeRef(&descriptor)));
            names.take(&wishes.collect::<Vec<_>>())
        });
        named.collect()
    }

    fn method_below(&self, overridden: &Overridden<'_>, does: &Does) -> String {
        let written = |of: &JavaType| self.imports.type_name(of);
        let parameters = overridden.parameters.iter().zip(&overridden.names);
        let parameters: Vec<String> =
            parameters.map(|(of, name)| format!("{} {name}", written(of))).collect();
        let access = match overridden.declared.access() {
            it if it.is_public() => "public ",
            it if it.is_protected() => "protected ",
            _ => "",
        };
        let result = overridden.result.as_ref().map_or_else(|| "void".to_owned(), written);
        let throws = does.throws.as_ref().map(|it| format!(" throws {}", self.imports.class_name(it)));
        let lines = does.lines.iter().filter(|it| !it.is_empty());
        format!(
            "    @{overrides}\n    {access}{result} {}({}){} {{\n{}    }}\n",
            overridden.declared.name(),
            parameters.join(", "),
            throws.unwrap_or_default(),
            lines.map(|it| format!("        {it}\n")).collect::<String>(),
            overrides = self.imports.class_name("java/lang/Override"),
        )
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

/// A method that an anonymous class overrides.
struct Overridden<'a> {
    declared: MemberView<'a>,
    /// Names for its parameters.
    names: Vec<String>,
    parameters: Vec<JavaType>,
    /// None for `void`.
    result: Option<JavaType>,
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
