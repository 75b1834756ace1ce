//! Calls, with the casts that make a compiler choose the method that is meant.

use std::collections::BTreeSet;

use crashback_program::MemberView;
use crashback_program::hierarchy::Supertype;
use crashback_program::index::Nesting;
use crashback_testcase::{Kind, MemberName, Method, MethodId, Statement, TypeRef, Var};

use super::formal::{Fit, Formals, Target};
use super::java_type::{JavaType, Seen};
use super::overload::{self, Overloads, is_below};
use super::plan::Fate;
use super::writer::{Expression, Form, Writer};

/// The arguments of a call, written down.
pub(crate) struct Written {
    text: String,
    /// The checked exceptions of inlined calls.
    throws: BTreeSet<String>,
    fit: Fit,
}

impl Written {
    fn new(values: Vec<Expression>, fit: Fit) -> Self {
        let texts: Vec<String> = values.iter().map(|it| it.text.clone()).collect();
        Self { text: texts.join(", "), throws: values.into_iter().flat_map(|it| it.throws).collect(), fit }
    }
}

impl<'a> Writer<'a> {
    /// `new`, with a diamond if the variable that it is for has type arguments.
    pub(crate) fn construct(
        &self,
        number: usize,
        constructor: MethodId,
        arguments: &[Var],
    ) -> Option<Expression> {
        let method = self.vocabulary.method(constructor)?;
        let owner = self.type_of(method.owner)?;
        let class = self.context.index().get(owner.class_name()?)?;
        let declared = class.method("<init>", &self.vocabulary.method_name(method)?.descriptor)?;
        let skipped = usize::from(self.context.has_outer_instance(class));
        let of = self.variable(number).map_or_else(|| JavaType::erased(owner), |it| it.of.clone());
        let overloads = Overloads::constructors(self.context, class);
        let formals = Formals::of_constructor(self.signatures(), declared, &of, skipped);
        let target = Target { formals, overloads, declared: Some(declared), method };
        let written = self.arguments(&target, arguments.get(skipped..)?, skipped);
        if !written.fit.is_possible {
            self.misfits.borrow_mut().insert(number);
        }
        let text = |diamond: &str| match (class.nesting(), arguments.first().filter(|_| skipped == 1)) {
            (Nesting::Member { outer, name }, Some(around)) => {
                let around = self.as_type(self.value(*around), &JavaType::class(outer));
                format!("{}.new {name}{diamond}({})", around.as_primary(), written.text)
            }
            _ => format!("new {}{diamond}({})", self.imports.class_name(class.name()), written.text),
        };
        let is_inferable =
            arguments.is_empty() && !of.is_parameterized() && self.has_simple_parameters(class.name());
        if class.is_abstract() {
            let name = self.imports.class_name(class.name());
            let with_arguments = self.imports.type_name(&of);
            let arguments = with_arguments.strip_prefix(&name).filter(|_| skipped == 0).unwrap_or_default();
            let seen = if skipped == 0 { of.clone() } else { JavaType::erased(owner) };
            let text = format!("{} {}", text(arguments), self.body_below(number, method, &seen)?);
            let made = Expression::new(text, Some(of), Form::Effect);
            return Some(made.with(written.throws).with(self.checked(declared)));
        }
        let made =
            Expression::new(text(if of.is_parameterized() { "<>" } else { "" }), Some(of), Form::Effect);
        let made = Expression { with_diamond: is_inferable.then(|| text("<>")), ..made };
        Some(made.with(written.throws).with(self.checked(declared)))
    }

    /// Whether a class has type parameters, and only such that anything can stand for or whose
    /// bounds have no arguments.
    fn has_simple_parameters(&self, class: &str) -> bool {
        let parameters = self.signatures().parameters(class);
        let is_simple = |it: &JavaType| !it.is_parameterized() && !it.mentions_variable();
        !parameters.is_empty() && parameters.iter().all(|it| it.bounds.iter().all(is_simple))
    }

    pub(crate) fn call(
        &self,
        method: MethodId,
        receiver: Option<Var>,
        arguments: &[Var],
    ) -> Option<Expression> {
        let method = self.vocabulary.method(method)?;
        let name = self.vocabulary.method_name(method)?;
        let declared = self.context.method(&name).ok().flatten();
        match receiver {
            Some(receiver) if method.kind == Kind::Instance => {
                let receiver = self.value(receiver);
                let write = |target: &Target<'_>| self.arguments(target, arguments, 0);
                self.instance_call(method, receiver, &Expression::as_primary, &write)
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
        let target =
            Target { formals: Formals::of_static(&name.descriptor, declared), overloads, declared, method };
        let written = self.arguments(&target, arguments, 0);
        let text = format!("{}.{}({})", self.imports.class_name(owner), name.name, written.text);
        let thrown = declared.map_or_else(BTreeSet::new, |it| self.checked(it));
        let result = target.formals.result_of(&written.fit);
        Some(Expression::new(text, result, Form::Effect).with(written.throws).with(thrown))
    }

    /// A call on an object, which is cast where a compiler would find another method through the
    /// type that it has: to the type that the test case names, or to the class that declares the
    /// method, without arguments. How the receiver and the arguments are written is up to the
    /// caller.
    pub(crate) fn instance_call(
        &self,
        method: &Method,
        receiver: Expression,
        as_receiver: &dyn Fn(&Expression) -> String,
        write: &dyn Fn(&Target<'_>) -> Written,
    ) -> Option<Expression> {
        let name = &self.vocabulary.method_name(method)?;
        let declared = self.context.method(name).ok().flatten();
        let owner = JavaType::erased(self.type_of(method.owner)?);
        let is_array = name.owner.starts_with('[');
        let declaring = declared.map(|it| JavaType::class(it.class().name()));
        let declaring = declaring.filter(|it| !is_array && self.can_name(it));
        // The type as it is first, then those to which the object is cast.
        let types = [receiver.of.clone(), Some(owner.clone()), declaring];
        let mut attempts: Vec<(usize, JavaType)> =
            types.into_iter().enumerate().filter_map(|(at, of)| Some((at, of?))).collect();
        attempts.retain(|(_, of)| self.is_callable(of, method, name));
        // Where a class is missing nothing is known to be callable.
        if attempts.is_empty() {
            attempts.push((1, owner));
        }
        let mut last = None;
        for (at, of) in &attempts {
            let attempt = if *at == 0 { receiver.clone() } else { self.cast(receiver.clone(), of) };
            let overloads = Overloads::methods(self.context, &of.class_constant()?, &name.name);
            let formals = Formals::of_instance(self.signatures(), &name.descriptor, declared, of);
            let target = Target { formals, overloads, declared, method };
            let written = write(&target);
            let text = format!("{}.{}({})", as_receiver(&attempt), name.name, written.text);
            // Arrays are cloned without ado (JLS 10.7).
            let thrown = declared.filter(|_| !is_array).map_or_else(BTreeSet::new, |it| self.checked(it));
            let made = Expression::new(text, target.formals.result_of(&written.fit), Form::Effect);
            last = Some(made.with(attempt.throws).with(written.throws).with(thrown));
            if written.fit.is_possible && !self.is_overridden(of, name, declared) {
                break;
            }
            self.blame(&receiver);
        }
        last
    }

    /// Whether the method can be found through the static type of an object, and no other one that
    /// the source cannot access is found first.
    fn is_callable(&self, receiver: &JavaType, method: &Method, name: &MemberName) -> bool {
        let Some(class) = receiver.class_constant() else { return false };
        let Some(owner) = self.type_of(method.owner) else { return false };
        let descriptor = receiver.descriptor().unwrap_or_default();
        let is_typed = |to: &str| is_below(self.context.hierarchy(), &descriptor, to) == Some(true);
        let wanted = overload::parameters(&name.descriptor);
        let above = self.context.hierarchy().supertypes(&class).into_iter().filter_map(Supertype::known);
        let mut same = above
            .flat_map(|it| it.methods_named(&name.name))
            .filter(|it| !it.is_synthetic() && overload::parameters(it.descriptor()) == wanted);
        let first = same.next().map_or(&*name.descriptor, |it| it.descriptor());
        let through =
            MemberName { owner: class.clone(), name: name.name.clone(), descriptor: first.to_owned() };
        let through_array = class.starts_with('[');
        (is_typed(owner.descriptor()) || self.is_declaring(&class, name))
            && (through_array || self.context.method(&through).is_ok_and(|it| it.is_some()))
    }

    /// Whether a class declares the method that a name means.
    fn is_declaring(&self, class: &str, name: &MemberName) -> bool {
        self.context.method(name).ok().flatten().is_some_and(|it| it.class().name() == class)
    }

    /// Whether a class that is used raw declares the method with other parameters, which a bridge
    /// leads to: `compareTo(Object)` is no method of such a class then.
    fn is_overridden(&self, of: &JavaType, name: &MemberName, declared: Option<MemberView<'a>>) -> bool {
        let overridden = || {
            let class = of.class_constant()?;
            let found = self.context.hierarchy().resolve_method(&class, &name.name, &name.descriptor)?;
            let is_raw = self.signatures().seen_from(of, declared?.class().name()) == Seen::Raw;
            let wanted = overload::parameters(&name.descriptor);
            let written = found.class().methods_named(&name.name).filter(|it| !it.is_synthetic());
            let written: Vec<_> = written.map(|it| overload::parameters(it.descriptor())).collect();
            let has_other = written.iter().any(|it| it.len() == wanted.len()) && !written.contains(&wanted);
            Some(is_raw && found.is_bridge() && has_other)
        };
        overridden().unwrap_or(false)
    }

    /// The arguments of a call. Skipped is the outer instance of an inner class, which stands
    /// elsewhere.
    fn arguments(&self, target: &Target<'_>, arguments: &[Var], skipped: usize) -> Written {
        let parameters = target.method.parameters.iter().skip(skipped);
        let wanted: Vec<TypeRef<'_>> = parameters.filter_map(|it| self.type_of(*it)).collect();
        if let Some(written) = self.varargs(target, arguments, &wanted) {
            return written;
        }
        let mut values: Vec<Expression> = arguments.iter().map(|it| self.value(*it)).collect();
        // A null for a variable number of arguments could be the array or its only element.
        if let (Some(last), Some(of)) = (values.last_mut(), wanted.last())
            && last.of.is_none()
            && target.is_varargs()
            && self.can_cast_to(of.descriptor())
        {
            *last = self.cast(last.clone(), &JavaType::erased(*of));
        }
        self.chosen(target, values, &wanted)
    }

    /// Values as arguments, cast where a compiler would not take them or choose another method.
    pub(crate) fn chosen(
        &self,
        target: &Target<'_>,
        mut values: Vec<Expression>,
        wanted: &[TypeRef<'_>],
    ) -> Written {
        let fit = target.fit(self, &mut values, wanted);
        // Through a parameterized type a compiler sees other parameters than a JVM.
        let seen = target.formals.parameters.iter().zip(wanted).map(|(formal, wanted)| {
            formal.descriptor().filter(|_| fit.is_possible).unwrap_or_else(|| wanted.descriptor().to_owned())
        });
        self.choose_overload(target, &mut values, &seen.collect::<Vec<_>>());
        Written::new(values, fit)
    }

    /// Casts as few arguments as needed for a compiler to choose the method that is meant.
    fn choose_overload(&self, target: &Target<'_>, values: &mut [Expression], wanted: &[String]) {
        let actual: Vec<Option<String>> = values.iter().map(Expression::descriptor).collect();
        let differs = |at: &usize| {
            actual.get(*at).is_some_and(|it| it.as_ref() != wanted.get(*at))
                && wanted.get(*at).is_some_and(|it| self.can_cast_to(it))
        };
        let differing: Vec<usize> = (0..values.len()).filter(differs).collect();
        let is_null = |at: &usize| actual.get(*at).is_some_and(Option::is_none);
        let nulls = differing.iter().copied().filter(is_null).collect();
        let singles = differing.iter().map(|at| vec![*at]);
        let mut attempts = std::iter::once(Vec::new()).chain(singles).chain([nulls, differing.clone()]);
        let chosen = attempts.find(|casts| {
            let types = actual.iter().zip(wanted).enumerate();
            let types = types.map(
                |(at, (actual, wanted))| {
                    if casts.contains(&at) { Some(wanted.clone()) } else { actual.clone() }
                },
            );
            target.overloads.chooses(self.signatures(), wanted, &types.collect::<Vec<_>>())
        });
        for at in chosen.unwrap_or(differing) {
            if let (Some(value), Some(of)) = (values.get_mut(at), wanted.get(at)) {
                *value = self.cast(value.clone(), &JavaType::erased(TypeRef(of)));
            }
        }
    }

    pub(crate) fn can_cast_to(&self, descriptor: &str) -> bool {
        let of = TypeRef(descriptor);
        of.is_reference() && self.context.check_type(of).is_ok()
    }

    /// Arguments with the elements of the last one listed, if it is an array that is made for the
    /// call alone.
    fn varargs(&self, target: &Target<'_>, arguments: &[Var], wanted: &[TypeRef<'_>]) -> Option<Written> {
        let (last, before) = arguments.split_last()?;
        let (array, wanted_before) = wanted.split_last()?;
        let listed = self.listed_elements(target, *last, *array)?;
        let element = array.element()?;
        // One array or null could be the array itself, and the array of a type variable has the
        // type of its elements.
        let is_array = |it: &Expression| {
            let of = it.descriptor();
            of.is_none_or(|it| is_below(self.context.hierarchy(), &it, array.descriptor()) != Some(false))
        };
        let is_exact = |it: &Expression| it.descriptor().as_deref() == Some(element.descriptor());
        let is_variable = target.formals.parameters.last().is_none_or(JavaType::mentions_variable);
        if matches!(listed.as_slice(), [only] if is_array(only))
            || is_variable && !listed.iter().all(is_exact)
        {
            return None;
        }
        let mut values: Vec<Expression> = before.iter().map(|it| self.value(*it)).collect();
        let fit = target.fit(self, &mut values, wanted_before);
        values.extend(listed);
        let actual: Vec<Option<String>> = values.iter().map(Expression::descriptor).collect();
        let parameters: Vec<String> = wanted.iter().map(|it| it.descriptor().to_owned()).collect();
        let is_chosen = target.overloads.chooses_varargs(self.context.hierarchy(), &parameters, &actual);
        (fit.is_possible && is_chosen).then(|| Written::new(values, fit))
    }

    /// The elements of an array that can be listed in its place.
    fn listed_elements(&self, target: &Target<'_>, last: Var, of: TypeRef<'_>) -> Option<Vec<Expression>> {
        let maker = self.plan.maker(last);
        let is_inlined = target.is_varargs() && self.plan.fate(maker) == Fate::Inlined;
        let statement = self.test.statements().get(maker).filter(|_| is_inlined)?;
        let Statement::NewArray { array, length } = statement else { return None };
        let elements = match self.plan.initialiser(maker) {
            Some(elements) => elements.iter().copied().collect::<Option<Vec<Var>>>()?,
            None if *length == 0 => Vec::new(),
            None => return None,
        };
        (self.type_of(*array) == Some(of)).then(|| elements.iter().map(|it| self.value(*it)).collect())
    }

    /// The checked exceptions that a method declares (JLS 11.1.1).
    pub(crate) fn checked(&self, method: MemberView<'_>) -> BTreeSet<String> {
        let hierarchy = self.context.hierarchy();
        let is_unchecked = |class: &str| {
            ["java/lang/RuntimeException", "java/lang/Error"]
                .iter()
                .any(|it| hierarchy.is_subtype(class, it) == Some(true))
        };
        method.exceptions().filter(|it| !is_unchecked(it)).map(str::to_owned).collect()
    }
}
