//! Statements as Java: expressions, and the casts that a compiler needs to mean what the test case means.

use std::collections::BTreeSet;

use crashback_program::MemberView;
use crashback_program::classes::Classes;
use crashback_program::index::Nesting;
use crashback_testcase::{
    Context, FieldId, Kind, Literal, MemberName, Method, MethodId, Statement, TestCase, Type, TypeId,
    TypeRef, Typing, Var, Vocabulary,
};

use super::formal::{Formals, Target};
use super::imports::Imports;
use super::inference::Static;
use super::java_type::{Argument, JavaType, Signatures};
use super::literal;
use super::overload::{Overloads, is_below};
use super::plan::{Fate, Plan};

/// Everything that is known about a test case while it is written.
pub(crate) struct Writer<'a> {
    pub(crate) test: &'a TestCase,
    pub(crate) vocabulary: &'a Vocabulary,
    pub(crate) classes: &'a Classes<'a>,
    pub(crate) context: Context<'a>,
    pub(crate) typing: &'a Typing<'a>,
    pub(crate) plan: &'a Plan,
    pub(crate) imports: &'a Imports<'a>,
    /// For statements with a variable its name and its type.
    pub(crate) variables: Vec<Option<Variable>>,
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
    /// What stands in a lambda in its place, if an expression can.
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
    fn new(text: String, of: Static, form: Form) -> Self {
        Self { text, of, form, throws: BTreeSet::new() }
    }

    fn with(mut self, throws: BTreeSet<String>) -> Self {
        self.throws.extend(throws);
        self
    }

    /// The text where a member is asked for.
    fn as_primary(&self) -> String {
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

    fn descriptor(&self) -> Option<String> {
        self.of.as_ref().and_then(JavaType::descriptor)
    }
}

impl<'a> Writer<'a> {
    /// The source statement for one that stands alone.
    pub(crate) fn line(&self, number: usize) -> Option<Line> {
        let statement = self.test.statements().get(number)?;
        let made = match (statement, self.variable(number)) {
            // The type of the variable says what the literal leaves open.
            (Statement::Literal(literal), Some(variable)) => {
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

    fn variable(&self, number: usize) -> Option<&Variable> {
        self.variables.get(number)?.as_ref()
    }

    pub(crate) fn signatures(&self) -> Signatures<'a> {
        Signatures::new(self.context.index())
    }

    /// The value of a variable of the test case: a variable of the source, or what stands for it.
    pub(crate) fn value(&self, variable: Var) -> Expression {
        let maker = self.plan.maker(variable);
        let inlined = (self.plan.fate(maker) == Fate::Inlined).then(|| self.make(maker)).flatten();
        inlined.unwrap_or_else(|| match self.variable(maker) {
            Some(known) => Expression::new(known.name.clone(), Some(known.of.clone()), Form::Primary),
            None => Expression::new("null".to_owned(), None, Form::Primary),
        })
    }

    fn make(&self, number: usize) -> Option<Expression> {
        Some(match self.test.statements().get(number)? {
            Statement::Literal(literal) => self.literal(literal),
            Statement::Construct { constructor, arguments } => self.construct(*constructor, arguments)?,
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
            Statement::WriteElement { array, index, value } => {
                let element = self.typing.get(*array).and_then(TypeRef::element)?;
                let array = self.value(*array);
                let value = self.assigned(*value, &JavaType::erased(element));
                let text = format!("{}[{index}] = {}", array.as_primary(), value.text);
                Expression::new(text, None, Form::Effect).with(array.throws).with(value.throws)
            }
            Statement::Cast { to, value } => {
                let to = JavaType::erased(self.type_of(*to)?);
                self.cast(self.value(*value), &to)
            }
        })
    }

    fn type_of(&self, id: TypeId) -> Option<TypeRef<'a>> {
        self.vocabulary.type_of(id).map(Type::view)
    }

    fn literal(&self, value: &Literal) -> Expression {
        let class = match value {
            Literal::Class(of) => self.type_of(*of).map(JavaType::erased),
            _ => None,
        };
        let text = literal::write(value, class.as_ref(), self.imports);
        let of = match value {
            Literal::Null(_) => None,
            Literal::Class(_) => class.map(|it| {
                let arguments = vec![Argument::Exact(boxed(it))];
                JavaType::Class { name: "java/lang/Class".to_owned(), arguments }
            }),
            Literal::Text(_) => Some(JavaType::class("java/lang/String")),
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

    /// A value where a type is assigned, which needs no cast for small numbers.
    fn assigned(&self, variable: Var, to: &JavaType) -> Expression {
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
    fn as_type(&self, value: Expression, to: &JavaType) -> Expression {
        let mut inference = super::inference::Inference::new(self.signatures(), Vec::new());
        if inference.accepts(&value.of, to) || !self.can_name(to) {
            return value;
        }
        let erased = to.descriptor().map(|it| JavaType::erased(TypeRef(&it)));
        erased.map_or(value.clone(), |it| self.cast(value, &it))
    }

    pub(crate) fn cast(&self, value: Expression, to: &JavaType) -> Expression {
        let text = format!("({}) {}", self.imports.type_name(to), value.as_operand());
        Expression::new(text, Some(to.clone()), Form::Cast).with(value.throws)
    }

    pub(crate) fn can_name(&self, of: &JavaType) -> bool {
        of.descriptor().is_some_and(|it| self.context.check_type(TypeRef(&it)).is_ok())
    }

    fn new_array(&self, number: usize, array: TypeId, length: u16, with_type: bool) -> Option<Expression> {
        let array = self.type_of(array)?;
        let of = JavaType::erased(array);
        let Some(elements) = self.plan.initialiser(number) else {
            let further = "[]".repeat(array.dimensions().saturating_sub(1));
            let innermost = self.imports.type_name(&JavaType::erased(array.innermost()));
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

    fn construct(&self, constructor: MethodId, arguments: &[Var]) -> Option<Expression> {
        let method = self.vocabulary.method(constructor)?;
        let owner = self.type_of(method.owner)?;
        let class = self.context.index().get(owner.class_name()?)?;
        let declared = class.method("<init>", &self.vocabulary.method_name(method)?.descriptor)?;
        let skipped = usize::from(self.context.has_outer_instance(class));
        let overloads = Overloads::constructors(self.context, class);
        let of = JavaType::erased(owner);
        let formals = Formals::of_constructor(self.signatures(), declared, skipped);
        let target = Target { formals, overloads, declared: Some(declared), method };
        let (values, throws) = self.arguments(&target, arguments.get(skipped..)?, skipped).ok()?;
        let text = match (class.nesting(), arguments.first().filter(|_| skipped == 1)) {
            (Nesting::Member { outer, name }, Some(around)) => {
                let around = self.as_type(self.value(*around), &JavaType::class(outer));
                format!("{}.new {name}({values})", around.as_primary())
            }
            _ => format!("new {}({values})", self.imports.type_name(&of)),
        };
        Some(Expression::new(text, Some(of), Form::Effect).with(throws).with(self.checked(declared)))
    }

    fn call(&self, method: MethodId, receiver: Option<Var>, arguments: &[Var]) -> Option<Expression> {
        let method = self.vocabulary.method(method)?;
        let name = self.vocabulary.method_name(method)?;
        let declared = self.context.method(&name).ok().flatten();
        match receiver {
            Some(receiver) if method.kind == Kind::Instance => {
                self.instance_call(method, &name, declared, self.value(receiver), arguments)
            }
            _ => self.static_call(method, &name, declared, arguments),
        }
    }

    fn static_call(
        &self,
        method: &Method,
        name: &MemberName,
        declared: Option<MemberView<'a>>,
        arguments: &[Var],
    ) -> Option<Expression> {
        let declaring = declared.map(|it| it.class().name()).filter(|it| self.context.class(it).is_ok());
        let owner = declaring.unwrap_or(&name.owner);
        let overloads = Overloads::methods(self.context, owner, &name.name);
        let formals =
            Formals::of_static(self.signatures(), method_descriptor(method, self.vocabulary)?, declared);
        let result = formals.result.clone();
        let target = Target { formals, overloads, declared, method };
        let (values, throws) = self.arguments(&target, arguments, 0).ok()?;
        let text = format!("{}.{}({values})", self.imports.class_name(owner), name.name);
        let thrown = declared.map_or_else(BTreeSet::new, |it| self.checked(it));
        Some(Expression::new(text, result, Form::Effect).with(throws).with(thrown))
    }

    /// A call on an object. It is cast where a compiler would find another method through the type that it has.
    fn instance_call(
        &self,
        method: &Method,
        name: &MemberName,
        declared: Option<MemberView<'a>>,
        receiver: Expression,
        arguments: &[Var],
    ) -> Option<Expression> {
        let owner = JavaType::erased(self.type_of(method.owner)?);
        let declaring = declared.map(|it| JavaType::class(it.class().name())).filter(|it| self.can_name(it));
        let declaring = declaring.filter(|_| !name.owner.starts_with('['));
        // As it is, through the type that the test case names, and through the class that declares the method, without arguments.
        let direct = self.is_callable(&receiver, method, name).then(|| receiver.clone());
        let through_owner = || self.cast(receiver.clone(), &owner);
        let through_declaring = || declaring.as_ref().map(|it| self.cast(receiver.clone(), it));
        let attempts = direct
            .into_iter()
            .chain(std::iter::once_with(through_owner))
            .chain(std::iter::once_with(through_declaring).flatten());
        let mut last = None;
        for receiver in attempts {
            let class = receiver.of.as_ref().and_then(JavaType::class_constant)?;
            let overloads = Overloads::methods(self.context, &class, &name.name);
            let descriptor = method_descriptor(method, self.vocabulary)?;
            let formals =
                Formals::of_instance(self.signatures(), descriptor, declared, receiver.of.as_ref()?);
            let result = formals.result.clone();
            let target = Target { formals, overloads, declared, method };
            let (values, fits) = match self.arguments(&target, arguments, 0) {
                Ok(values) => (values, true),
                Err(values) => (values, false),
            };
            let (values, throws) = values;
            let text = format!("{}.{}({values})", receiver.as_primary(), name.name);
            let is_array_clone = name.owner.starts_with('[');
            let thrown =
                declared.filter(|_| !is_array_clone).map_or_else(BTreeSet::new, |it| self.checked(it));
            let made = Expression::new(text, result, Form::Effect);
            last = Some(made.with(receiver.throws).with(throws).with(thrown));
            if fits {
                break;
            }
        }
        last
    }

    /// Whether the method can be found through the static type of an object.
    fn is_callable(&self, receiver: &Expression, method: &Method, name: &MemberName) -> bool {
        let Some(class) = receiver.of.as_ref().and_then(JavaType::class_constant) else { return false };
        let Some(owner) = self.type_of(method.owner) else { return false };
        let descriptor = receiver.descriptor().unwrap_or_default();
        let through = MemberName { owner: class, ..name.clone() };
        is_below(self.context.hierarchy(), &descriptor, owner.descriptor()) == Some(true)
            && self.context.method(&through).is_ok_and(|it| it.is_some())
    }

    /// The arguments of a call as text. `Err` holds them too, if a compiler would not take them for the method that is meant.
    #[expect(
        clippy::type_complexity,
        reason = "both sides hold the same: text, and the checked exceptions of what is inlined"
    )]
    fn arguments(
        &self,
        target: &Target<'_>,
        arguments: &[Var],
        skipped: usize,
    ) -> Result<(String, BTreeSet<String>), (String, BTreeSet<String>)> {
        let wanted: Vec<TypeRef<'_>> =
            target.method.parameters.iter().skip(skipped).filter_map(|it| self.type_of(*it)).collect();
        if let Some(values) = self.varargs(target, arguments, &wanted) {
            return Ok(join(values));
        }
        let mut values: Vec<Expression> = arguments.iter().map(|it| self.value(*it)).collect();
        // A null for a variable number of arguments could be the array or its only element.
        if let (Some(last), Some(of)) = (values.last_mut(), wanted.last())
            && last.of.is_none()
            && target.is_varargs()
            && self.can_name(&JavaType::erased(*of))
        {
            *last = self.cast(last.clone(), &JavaType::erased(*of));
        }
        let fits = target.fit(self, &mut values, &wanted);
        self.choose_overload(target, &mut values, &wanted);
        if fits { Ok(join(values)) } else { Err(join(values)) }
    }

    /// Casts as few arguments as needed for a compiler to choose the method that is meant.
    fn choose_overload(&self, target: &Target<'_>, values: &mut [Expression], wanted: &[TypeRef<'_>]) {
        let descriptors: Vec<String> = wanted.iter().map(|it| it.descriptor().to_owned()).collect();
        let actual: Vec<Option<String>> = values.iter().map(Expression::descriptor).collect();
        let differs = |at: usize| {
            let differs = actual.get(at).is_some_and(|it| it.as_ref() != descriptors.get(at));
            differs
                && wanted.get(at).is_some_and(|it| it.is_reference() && self.can_name(&JavaType::erased(*it)))
        };
        let differing: Vec<usize> = (0..values.len()).filter(|at| differs(*at)).collect();
        let nulls =
            differing.iter().copied().filter(|at| actual.get(*at).is_some_and(Option::is_none)).collect();
        let singles = differing.iter().map(|at| vec![*at]);
        let mut attempts = std::iter::once(Vec::new()).chain(singles).chain([nulls, differing.clone()]);
        let chosen = attempts.find(|casts| {
            let types = actual.iter().zip(&descriptors).enumerate();
            let with_casts: Vec<Option<String>> = types
                .map(
                    |(at, (actual, wanted))| {
                        if casts.contains(&at) { Some(wanted.clone()) } else { actual.clone() }
                    },
                )
                .collect();
            target.overloads.chooses(self.context.hierarchy(), &descriptors, &with_casts)
        });
        for at in chosen.unwrap_or(differing) {
            if let (Some(value), Some(of)) = (values.get_mut(at), wanted.get(at)) {
                *value = self.cast(value.clone(), &JavaType::erased(*of));
            }
        }
    }

    /// Arguments with the elements of the last one listed, if it is an array that is made for the call alone.
    fn varargs(
        &self,
        target: &Target<'_>,
        arguments: &[Var],
        wanted: &[TypeRef<'_>],
    ) -> Option<Vec<Expression>> {
        let (last, before) = arguments.split_last()?;
        let maker = self.plan.maker(*last);
        let of = wanted.last()?;
        let is_inlined = target.is_varargs() && self.plan.fate(maker) == Fate::Inlined;
        let Statement::NewArray { array, length } =
            self.test.statements().get(maker).filter(|_| is_inlined)?
        else {
            return None;
        };
        let element = of.element().filter(|_| self.type_of(*array) == Some(*of))?;
        let elements = match self.plan.initialiser(maker) {
            Some(elements) => elements.iter().copied().collect::<Option<Vec<Var>>>()?,
            None if *length == 0 => Vec::new(),
            None => return None,
        };
        let listed: Vec<Expression> = elements.iter().map(|it| self.value(*it)).collect();
        // One array or null could be the array itself, and the array of a type variable has the type of its elements.
        let is_array = |it: &Expression| {
            it.descriptor()
                .is_none_or(|it| is_below(self.context.hierarchy(), &it, of.descriptor()) != Some(false))
        };
        let is_exact = |it: &Expression| it.descriptor().as_deref() == Some(element.descriptor());
        let is_variable = target.formals.parameters.last().is_none_or(JavaType::mentions_variable);
        if matches!(listed.as_slice(), [only] if is_array(only))
            || is_variable && !listed.iter().all(is_exact)
        {
            return None;
        }
        let mut values: Vec<Expression> = before.iter().map(|it| self.value(*it)).collect();
        let fits = target.fit(self, &mut values, wanted.get(..before.len())?);
        values.extend(listed);
        let actual: Vec<Option<String>> = values.iter().map(Expression::descriptor).collect();
        let descriptors: Vec<String> = wanted.iter().map(|it| it.descriptor().to_owned()).collect();
        (fits && target.overloads.chooses_varargs(self.context.hierarchy(), &descriptors, &actual))
            .then_some(values)
    }

    /// A field, and the type of what is assigned to it.
    fn field(&self, field: FieldId, receiver: Option<Var>) -> Option<(Expression, JavaType)> {
        let field = self.vocabulary.field(field)?;
        let name = self.vocabulary.field_name(field)?;
        let declared = self.context.field(&name).ok().flatten();
        let erased = JavaType::erased(self.type_of(field.of)?);
        let declaring = declared.map(|it| it.class().name()).filter(|it| self.context.class(it).is_ok());
        let Some(receiver) = receiver else {
            let owner = declaring.unwrap_or(&name.owner);
            let text = format!("{}.{}", self.imports.class_name(owner), name.name);
            let of = declared.and_then(super::formal::field_type).filter(|it| !it.mentions_variable());
            return Some((
                Expression::new(text, Some(of.unwrap_or_else(|| erased.clone())), Form::Primary),
                erased,
            ));
        };
        let receiver = self.value(receiver);
        let is_found = receiver.of.as_ref().is_some_and(|it| self.finds_field(it, &name, declared));
        let receiver = match declaring {
            _ if is_found => receiver,
            Some(declaring) => self.cast(receiver, &JavaType::class(declaring)),
            None => self.cast(receiver, &JavaType::class(&name.owner)),
        };
        let text = format!("{}.{}", receiver.as_primary(), name.name);
        Some((Expression::new(text, Some(erased.clone()), Form::Primary).with(receiver.throws), erased))
    }

    /// Whether a name means the field through a type, and the field has its erased type there.
    fn finds_field(&self, of: &JavaType, name: &MemberName, declared: Option<MemberView<'a>>) -> bool {
        let Some(class) = of.class_constant() else { return false };
        let Some(declared) = declared else { return class == name.owner };
        let through = MemberName { owner: class.clone(), ..name.clone() };
        let above = self.context.hierarchy().supertypes(&class);
        let mut named = above
            .into_iter()
            .filter_map(crashback_program::hierarchy::Supertype::known)
            .flat_map(|it| it.fields().filter(|it| it.name() == name.name && !it.is_synthetic()));
        let is_only = named.all(|it| it.class().reference() == declared.class().reference());
        let is_erased = super::formal::field_type(declared).is_none_or(|it| !it.mentions_variable())
            || self.signatures().seen_from(of, declared.class().name()) == super::java_type::Seen::Raw;
        is_only && is_erased && self.context.field(&through).is_ok_and(|it| it.is_some())
    }

    /// The checked exceptions that a method declares (JLS 11.1.1).
    fn checked(&self, method: MemberView<'_>) -> BTreeSet<String> {
        let hierarchy = self.context.hierarchy();
        let is_unchecked = |class: &str| {
            ["java/lang/RuntimeException", "java/lang/Error"]
                .iter()
                .any(|it| hierarchy.is_subtype(class, it) == Some(true))
        };
        method.exceptions().filter(|it| !is_unchecked(it)).map(str::to_owned).collect()
    }
}

fn join(values: Vec<Expression>) -> (String, BTreeSet<String>) {
    let texts: Vec<String> = values.iter().map(|it| it.text.clone()).collect();
    (texts.join(", "), values.into_iter().flat_map(|it| it.throws).collect())
}

fn method_descriptor(method: &Method, vocabulary: &Vocabulary) -> Option<String> {
    vocabulary.method_name(method).map(|it| it.descriptor)
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
