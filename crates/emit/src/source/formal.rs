//! The parameters of a method, as a compiler sees them through a type.

use crashback_classfile::{JavaStr, TypeSignature};
use crashback_program::MemberView;
use crashback_testcase::{Method, TypeRef};

use super::inference::{Inference, Solution, Static};
use super::java_type::{JavaType, Seen, Signatures, Substitution, Variable, method_signature, variables};
use super::overload::{Overloads, parameters};
use super::writer::{Expression, Writer};

/// Parameters and result of a method.
pub(crate) struct Formals {
    pub(crate) parameters: Vec<JavaType>,
    /// The type variables of the method itself.
    pub(crate) variables: Vec<Variable>,
    /// The type of the result, maybe with variables of the method; none for `void`.
    result: Option<JavaType>,
    erased_result: Option<JavaType>,
}

impl Formals {
    /// As erasure has it.
    fn erased(descriptor: &str, skipped: usize) -> Self {
        let parameters =
            parameters(descriptor).iter().skip(skipped).map(|it| JavaType::erased(TypeRef(it))).collect();
        let result =
            descriptor.rsplit(')').next().filter(|it| *it != "V").map(|it| JavaType::erased(TypeRef(it)));
        Self { parameters, variables: Vec::new(), erased_result: result.clone(), result }
    }

    /// Of a constructor that makes an object of this type. Skipped is the outer instance.
    pub(crate) fn of_constructor(
        signatures: Signatures<'_>,
        constructor: MemberView<'_>,
        of: &JavaType,
        skipped: usize,
    ) -> Self {
        let seen = signatures.seen_from(of, constructor.class().name());
        Self::seen(constructor.descriptor(), Some(constructor), &seen, skipped)
    }

    pub(crate) fn of_static(descriptor: &str, declared: Option<MemberView<'_>>) -> Self {
        Self::seen(descriptor, declared, &Seen::Plain, 0)
    }

    /// Of a method that is called on an object of this static type. A class that is used raw has no
    /// parameterized supertypes either.
    pub(crate) fn of_instance(
        signatures: Signatures<'_>,
        descriptor: &str,
        declared: Option<MemberView<'_>>,
        receiver: &JavaType,
    ) -> Self {
        let seen = declared.map_or(Seen::Raw, |it| signatures.seen_from(receiver, it.class().name()));
        Self::seen(descriptor, declared, &seen, 0)
    }

    /// The type of the result of a call: erased if it was unchecked, or if a compiler would have to
    /// look further than at the arguments.
    pub(crate) fn result_of(&self, fit: &Fit) -> Static {
        let known = fit.solution.as_ref().filter(|it| !it.is_unchecked);
        let generic = known.and_then(|it| self.result.as_ref()?.substitute(&it.types));
        generic.filter(|it| !it.mentions_variable()).or_else(|| self.erased_result.clone())
    }

    fn seen(descriptor: &str, declared: Option<MemberView<'_>>, seen: &Seen, skipped: usize) -> Self {
        let erased = Self::erased(descriptor, skipped);
        let signature = declared.and_then(|it| method_signature(it.signature()?));
        let (Some(signature), false) = (signature, *seen == Seen::Raw) else { return erased };
        if signature.parameters.len() != erased.parameters.len() {
            return erased;
        }
        let own = variables(&signature.type_parameters);
        let mut substitution = match seen {
            Seen::With(substitution) => substitution.clone(),
            _ => Substitution::new(),
        };
        own.iter().for_each(|it| drop(substitution.remove(&it.name)));
        let is_known = |of: &JavaType| is_closed(of, &own);
        let parameters = signature.parameters.iter().zip(erased.parameters).map(|(generic, erased)| {
            // A wildcard takes nothing but null: a type that nothing has stands for it.
            let of = JavaType::of_signature(generic).substitute(&substitution);
            of.map_or_else(
                || JavaType::Variable("?".to_owned()),
                |it| if is_known(&it) { it } else { erased },
            )
        });
        let parameters = parameters.collect();
        let result = signature.result.as_ref().map(JavaType::of_signature);
        let result = result.and_then(|it| it.widen(&substitution)).filter(is_known);
        Self { parameters, variables: own, result, erased_result: erased.result }
    }
}

/// Whether no variables occur but these.
fn is_closed(of: &JavaType, known: &[Variable]) -> bool {
    match of {
        JavaType::Primitive(_) => true,
        JavaType::Variable(name) => known.iter().any(|it| it.name == *name),
        JavaType::Array(element) => is_closed(element, known),
        JavaType::Class { arguments, .. } => {
            arguments.iter().filter_map(|it| it.bound()).all(|it| is_closed(it, known))
        }
    }
}

/// The generic type of a field, if it has one.
pub(crate) fn field_type(field: MemberView<'_>) -> Option<JavaType> {
    let signature = TypeSignature::parse(JavaStr::new(field.signature()?.as_bytes())).ok()?;
    Some(JavaType::of_signature(&signature))
}

/// How arguments fit.
pub(crate) struct Fit {
    /// False if the parameter has another erased type through the type of the receiver, so that no
    /// cast of the argument helps.
    pub(crate) is_possible: bool,
    /// The types that the method's type variables stand for, if a compiler can infer them from the
    /// arguments.
    pub(crate) solution: Option<Solution>,
}

/// The called method or constructor.
pub(crate) struct Target<'a> {
    pub(crate) formals: Formals,
    pub(crate) overloads: Overloads,
    pub(crate) declared: Option<MemberView<'a>>,
    pub(crate) method: &'a Method,
}

impl Target<'_> {
    pub(crate) fn is_varargs(&self) -> bool {
        self.declared.is_some_and(|it| it.access().is_varargs())
    }

    /// Casts arguments to erased types where a compiler would not take them otherwise.
    pub(crate) fn fit(&self, writer: &Writer<'_>, values: &mut [Expression], wanted: &[TypeRef<'_>]) -> Fit {
        let mut is_possible = true;
        let inference = || Inference::new(writer.signatures(), self.formals.variables.clone());
        let mut all = inference();
        for ((value, formal), wanted) in values.iter_mut().zip(&self.formals.parameters).zip(wanted) {
            if !inference().accepts(&value.of, formal) {
                let has_erasure = formal.descriptor().is_none_or(|it| it == wanted.descriptor());
                is_possible &= has_erasure && !is_wildcard(formal);
                self.erase(writer, value, formal, wanted);
            }
            *value = value.clone().meant_for(formal);
            all.accepts(&value.of, formal);
        }
        let mut solution = all.solve();
        // Raw types leave variables open; only where that is not enough, values of the variables'
        // own types are erased, too.
        for is_parameterized in [true, false] {
            if solution.is_some() {
                break;
            }
            let mut all = inference();
            for ((value, formal), wanted) in values.iter_mut().zip(&self.formals.parameters).zip(wanted) {
                if formal.mentions_variable() && formal.is_parameterized() == is_parameterized {
                    self.erase(writer, value, formal, wanted);
                }
                all.accepts(&value.of, formal);
            }
            solution = all.solve();
        }
        Fit { is_possible, solution }
    }

    /// Casts a value to the erased type of its parameter or, if that is a variable of several
    /// bounds, to the first bound that it does not have.
    fn erase(&self, writer: &Writer<'_>, value: &mut Expression, formal: &JavaType, wanted: &TypeRef<'_>) {
        let Some(actual) = &value.of else { return };
        let mut dimensions = 0;
        let mut innermost = formal;
        while let JavaType::Array(element) = innermost {
            dimensions += 1;
            innermost = element;
        }
        let variable = self
            .formals
            .variables
            .iter()
            .find(|it| matches!(innermost, JavaType::Variable(name) if *name == it.name));
        let in_array = |of: &JavaType| of.descriptor().map(|it| format!("{}{it}", "[".repeat(dimensions)));
        let mut bounds = variable.into_iter().flat_map(|it| it.bounds.iter().skip(1)).filter_map(in_array);
        let missing = bounds.find(|bound| {
            let of = actual.descriptor().unwrap_or_default();
            super::overload::is_below(writer.context.hierarchy(), &of, bound) != Some(true)
        });
        let to = JavaType::erased(missing.as_deref().map_or(*wanted, TypeRef));
        let is_needless = value.of.as_ref() == Some(&to);
        if to.descriptor().is_some_and(|it| TypeRef(&it).is_reference())
            && writer.can_name(&to)
            && !is_needless
        {
            writer.blame(value);
            *value = writer.cast(value.clone(), &to);
        }
    }
}

fn is_wildcard(formal: &JavaType) -> bool {
    matches!(formal, JavaType::Variable(name) if name == "?")
}
