//! What a method asks for, as a compiler sees it through a type.

use crashback_classfile::{JavaStr, TypeSignature};
use crashback_program::MemberView;
use crashback_testcase::{Method, TypeRef};

use super::inference::{Inference, Static};
use super::java_type::{JavaType, Seen, Signatures, Substitution, Variable, method_signature, variables};
use super::overload::{Overloads, parameters};
use super::writer::{Expression, Writer};

/// Parameters and result of a method.
pub(crate) struct Formals {
    pub(crate) parameters: Vec<JavaType>,
    /// The type variables of the method itself.
    pub(crate) variables: Vec<Variable>,
    /// The type of the result; none if it cannot be told without inference.
    pub(crate) result: Static,
}

impl Formals {
    /// As erasure has it.
    fn erased(descriptor: &str, skipped: usize) -> Self {
        let parameters =
            parameters(descriptor).iter().skip(skipped).map(|it| JavaType::erased(TypeRef(it))).collect();
        let result =
            descriptor.rsplit(')').next().filter(|it| *it != "V").map(|it| JavaType::erased(TypeRef(it)));
        Self { parameters, variables: Vec::new(), result }
    }

    /// Of a constructor, called without type arguments. Skipped is the outer instance.
    pub(crate) fn of_constructor(
        signatures: Signatures<'_>,
        constructor: MemberView<'_>,
        skipped: usize,
    ) -> Self {
        let is_raw = !signatures.parameters(constructor.class().name()).is_empty();
        let seen = if is_raw { Seen::Raw } else { Seen::Plain };
        Self::seen(constructor.descriptor(), Some(constructor), &seen, skipped)
    }

    pub(crate) fn of_static(
        _signatures: Signatures<'_>,
        descriptor: String,
        declared: Option<MemberView<'_>>,
    ) -> Self {
        Self::seen(&descriptor, declared, &Seen::Plain, 0)
    }

    /// Of a method that is called on an object of this static type.
    pub(crate) fn of_instance(
        signatures: Signatures<'_>,
        descriptor: String,
        declared: Option<MemberView<'_>>,
        receiver: &JavaType,
    ) -> Self {
        let seen = declared.map_or(Seen::Raw, |it| {
            // A class that is used raw has no parameterized supertypes either.
            signatures.seen_from(receiver, it.class().name())
        });
        Self::seen(&descriptor, declared, &seen, 0)
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
        let result =
            signature.result.as_ref().map(JavaType::of_signature).and_then(|it| it.substitute(&substitution));
        let result = result.filter(|it| !it.mentions_variable()).or(erased.result);
        Self { parameters, variables: own, result }
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

/// What is called.
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

    /// Casts arguments to erased types where a compiler would not take them otherwise. False if that does not help either, because
    /// the parameter has another erased type through the type of the receiver.
    pub(crate) fn fit(&self, writer: &Writer<'_>, values: &mut [Expression], wanted: &[TypeRef<'_>]) -> bool {
        let mut is_possible = true;
        let mut inference = Inference::new(writer.signatures(), self.formals.variables.clone());
        for ((value, formal), wanted) in values.iter_mut().zip(&self.formals.parameters).zip(wanted) {
            let mut alone = Inference::new(writer.signatures(), self.formals.variables.clone());
            if !alone.accepts(&value.of, formal) {
                is_possible &=
                    formal.descriptor().is_none_or(|it| it == wanted.descriptor()) && !is_wildcard(formal);
                self.erase(writer, value, formal, wanted);
            }
            inference.accepts(&value.of, formal);
        }
        if inference.solve().is_none() {
            for ((value, formal), wanted) in values.iter_mut().zip(&self.formals.parameters).zip(wanted) {
                if formal.mentions_variable() {
                    self.erase(writer, value, formal, wanted);
                }
            }
        }
        is_possible
    }

    /// Casts a value to the erased type of its parameter or, if that is a variable of several bounds, to the first bound that it does
    /// not have.
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
            *value = writer.cast(value.clone(), &to);
        }
    }
}

fn is_wildcard(formal: &JavaType) -> bool {
    matches!(formal, JavaType::Variable(name) if name == "?")
}
