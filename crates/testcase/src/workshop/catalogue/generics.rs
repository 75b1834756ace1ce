//! Type arguments, as generic signatures tell: the type of a collection's elements, the key and value
//! of a map, and what stands for the type variables of a generic class when one of its objects is
//! made.

use std::sync::Arc;

use crashback_classfile::{
    ClassSignature, ClassType, JavaStr, MethodSignature, SignatureElement, TypeArgument, TypeParameter,
    TypeSignature,
};
use crashback_program::ClassView;
use smallvec::SmallVec;

use super::Catalogue;
use crate::{Kind, MethodId, Type, TypeId};

/// An erased type with its type arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Generic {
    pub(crate) of: TypeId,
    pub(crate) arguments: Arc<[Generic]>,
}

/// What stands for the type variables of a callee, by their numbers: those of its class first.
pub(crate) type Bindings = SmallVec<[Option<Generic>; 2]>;

/// A type as a signature has it.
#[derive(Clone, Debug)]
enum Formal {
    /// A type variable, by its number, with its erasure.
    Variable(usize, TypeId),
    /// Any other type, with its type arguments.
    Type(TypeId, Vec<Formal>),
}

/// The types of a method's parameters, and behind them that of its result: the class itself for a
/// constructor.
#[derive(Debug)]
pub(super) struct Signature {
    formals: Vec<Formal>,
    /// The same with the erasures of variables.
    plain: Vec<Generic>,
    /// Whether there are type variables at all.
    has_variables: bool,
}

/// For each class that was asked for, its type arguments in terms of another class's variables.
pub(super) type SupertypeArguments = Vec<(TypeId, Arc<[FormalArgument]>)>;

/// A type argument of a supertype.
#[derive(Debug)]
pub(super) struct FormalArgument(Formal);

/// Supertypes of supertypes that are looked at for type arguments.
const DEEPEST_SUPERTYPE: usize = 8;

impl Catalogue<'_> {
    /// The type arguments of a parameter of a method, or of its result, which counts as one more;
    /// none where nothing is said.
    pub(crate) fn type_arguments(&mut self, method: MethodId, parameter: usize) -> Arc<[Generic]> {
        let signature = self.signature_of(method);
        let plain = signature.and_then(|it| it.plain.get(parameter).cloned());
        plain.map(|it| it.arguments).unwrap_or_default()
    }

    /// The type of a parameter where types stand for the variables of a method; none where nothing
    /// is said.
    pub(crate) fn bound_parameter(
        &mut self,
        method: MethodId,
        parameter: usize,
        bindings: Option<&Bindings>,
    ) -> Option<Generic> {
        let signature = self.signature_of(method)?;
        match bindings.filter(|it| !it.is_empty()) {
            None => signature.plain.get(parameter).cloned(),
            Some(bindings) => signature.formals.get(parameter).map(|it| substituted(it, bindings)),
        }
    }

    /// What stands for the type variables of a callee that yields an object of a type with type
    /// arguments.
    pub(crate) fn bindings(&mut self, callee: MethodId, wanted: TypeId, arguments: &[Generic]) -> Bindings {
        let mut bindings = Bindings::new();
        if arguments.is_empty() {
            return bindings;
        }
        let Some(signature) = self.signature_of(callee).filter(|it| it.has_variables) else {
            return bindings;
        };
        let Some(Formal::Type(made, formals)) = signature.formals.last() else { return bindings };
        let mut of_class = Bindings::new();
        for (formal, actual) in self.supertype_arguments(*made, wanted).iter().zip(arguments) {
            bind(&formal.0, actual, &mut of_class);
        }
        for (formal, actual) in formals.iter().zip(&of_class) {
            if let Some(actual) = actual {
                bind(formal, actual, &mut bindings);
            }
        }
        bindings
    }

    /// Whether a method or its class has type variables.
    pub(crate) fn is_generic(&mut self, method: MethodId) -> bool {
        self.signature_of(method).is_some_and(|it| it.has_variables)
    }

    /// What stands for the type variables of a method that is called on an object: of the object's
    /// class, of which it may be known that the object is used as a type with type arguments.
    pub(crate) fn bindings_on(
        &mut self,
        object: TypeId,
        used_as: Option<(TypeId, &[Generic])>,
        method: MethodId,
    ) -> Bindings {
        let Some(owner) = self.vocabulary.method(method).map(|it| it.owner) else { return Bindings::new() };
        let mut of_object = Bindings::new();
        if let Some((wanted, arguments)) = used_as {
            for (formal, actual) in self.supertype_arguments(object, wanted).iter().zip(arguments) {
                bind(&formal.0, actual, &mut of_object);
            }
        }
        let known = self.supertype_arguments(object, owner);
        known.iter().map(|it| known_part(&it.0, &of_object)).collect()
    }

    /// The type arguments of a type seen as a supertype, such as those of the `Collection` that a
    /// list is.
    pub(crate) fn arguments_as(&mut self, of: TypeId, arguments: &[Generic], wanted: TypeId) -> Vec<Generic> {
        let bindings: Bindings = arguments.iter().cloned().map(Some).collect();
        let formals = self.supertype_arguments(of, wanted);
        formals.iter().map(|it| substituted(&it.0, &bindings)).collect()
    }

    fn signature_of(&mut self, method: MethodId) -> Option<Arc<Signature>> {
        if self.facts.here().signatures.get(method.index()).is_none() {
            let found = self.find_signature(method).map(Arc::new);
            self.facts.here_mut().signatures.put(method.index(), found);
        }
        self.facts.here().signatures.get(method.index()).cloned().flatten()
    }

    fn find_signature(&mut self, id: MethodId) -> Option<Signature> {
        let method = self.vocabulary.method(id)?;
        let (parameters, owner, kind) = (method.parameters.clone(), method.owner, method.kind);
        let name = self.vocabulary.method_name(method)?;
        let found = self.context.hierarchy().resolve_method(&name.owner, &name.name, &name.descriptor)?;
        let signature = found.signature().map(|it| JavaStr::new(it.as_bytes()));
        let signature = signature.and_then(|it| MethodSignature::parse(it).ok());
        let class = class_signature(found.class());
        let of_class: &[TypeParameter<'_>] = class.as_ref().map_or(&[], |it| &it.type_parameters);
        let of_method: &[TypeParameter<'_>] = signature.as_ref().map_or(&[], |it| &it.type_parameters);
        if signature.is_none() && of_class.is_empty() {
            return None;
        }
        let variables: Vec<&TypeParameter<'_>> = of_class.iter().chain(of_method).collect();
        let named = signature.as_ref().map_or(&[][..], |it| &it.parameters);
        // A constructor of an inner class has parameters that its signature does not name, in
        // front.
        let unnamed = parameters.len().checked_sub(named.len())?;
        let mut formals: Vec<Formal> =
            parameters.iter().take(unnamed).map(|it| Formal::Type(*it, Vec::new())).collect();
        for parameter in named {
            formals.push(self.formal(parameter, &variables));
        }
        let result = signature.as_ref().and_then(|it| it.result.as_ref());
        formals.extend(match kind {
            Kind::Constructor => {
                let arguments = self.variables_of(of_class);
                Some(Formal::Type(owner, arguments))
            }
            _ => result.map(|it| self.formal(it, &variables)),
        });
        let plain = formals.iter().map(|it| substituted(it, &[])).collect();
        Some(Signature { formals, plain, has_variables: !variables.is_empty() })
    }

    /// The type parameters of a class as types.
    fn variables_of(&mut self, of_class: &[TypeParameter<'_>]) -> Vec<Formal> {
        let all: Vec<&TypeParameter<'_>> = of_class.iter().collect();
        let erased: Vec<TypeId> = all.iter().map(|it| self.erased_variable(it, &all)).collect();
        erased.into_iter().enumerate().map(|(number, of)| Formal::Variable(number, of)).collect()
    }

    /// The type arguments of a supertype in terms of a class's variables; none if it is no supertype
    /// or has none.
    fn supertype_arguments(&mut self, class: TypeId, wanted: TypeId) -> Arc<[FormalArgument]> {
        let known = self.facts.here().supertype_arguments.get(class.index());
        if let Some((_, known)) = known.and_then(|it| it.iter().find(|(it, _)| *it == wanted)) {
            return Arc::clone(known);
        }
        let found = self.find_supertype_arguments(class, wanted).unwrap_or_default();
        let found: Arc<[FormalArgument]> = found.into_iter().map(FormalArgument).collect();
        if let Some(all) = self.facts.here_mut().supertype_arguments.or_default(class.index()) {
            all.push((wanted, Arc::clone(&found)));
        }
        found
    }

    fn find_supertype_arguments(&mut self, class: TypeId, wanted: TypeId) -> Option<Vec<Formal>> {
        let (name, wanted) = (self.class_name(class)?.to_owned(), self.class_name(wanted)?.to_owned());
        let view = self.context.index().get(&name)?;
        let signature = class_signature(view);
        let own = signature.map_or_else(Vec::new, |it| self.variables_of(&it.type_parameters));
        self.seen_as(&name, own, &wanted, DEEPEST_SUPERTYPE)
    }

    /// The type arguments of a class, seen as those of a supertype.
    fn seen_as(
        &mut self,
        class: &str,
        arguments: Vec<Formal>,
        wanted: &str,
        depth: usize,
    ) -> Option<Vec<Formal>> {
        if class == wanted {
            return Some(arguments);
        }
        let (view, depth) = (self.context.index().get(class)?, depth.checked_sub(1)?);
        let signature = class_signature(view)?;
        let variables: Vec<&TypeParameter<'_>> = signature.type_parameters.iter().collect();
        for above in [&signature.superclass].into_iter().chain(&signature.interfaces) {
            let name = above.internal_name();
            if self.context.hierarchy().is_subtype(&name, wanted) != Some(true) {
                continue;
            }
            let formals = self.formal_arguments(above, &variables);
            let formals = formals.iter().map(|it| replaced(it, &arguments)).collect();
            return self.seen_as(&name, formals, wanted, depth);
        }
        None
    }

    /// The type arguments of a type, as far as no variable has a part in them.
    pub(super) fn arguments_of(&mut self, of: &TypeSignature<'_>) -> Arc<[Generic]> {
        let formal = self.formal(of, &[]);
        substituted(&formal, &[]).arguments
    }

    fn formal(&mut self, of: &TypeSignature<'_>, variables: &[&TypeParameter<'_>]) -> Formal {
        let erased = self.erased(of, variables);
        match &of.element {
            SignatureElement::Variable(name) if of.dimensions == 0 => {
                let number = variables.iter().rposition(|it| it.name == *name);
                number.map_or(Formal::Type(erased, Vec::new()), |it| Formal::Variable(it, erased))
            }
            SignatureElement::Class(class) if of.dimensions == 0 => {
                Formal::Type(erased, self.formal_arguments(class, variables))
            }
            _ => Formal::Type(erased, Vec::new()),
        }
    }

    fn formal_arguments(&mut self, class: &ClassType<'_>, variables: &[&TypeParameter<'_>]) -> Vec<Formal> {
        let arguments = class.members.last().map_or(&class.arguments, |it| &it.arguments);
        let mut formals = Vec::new();
        for argument in arguments {
            formals.push(match argument {
                TypeArgument::Exact(it) | TypeArgument::Extends(it) | TypeArgument::Super(it) => {
                    self.formal(it, variables)
                }
                TypeArgument::Any => Formal::Type(self.object(), Vec::new()),
            });
        }
        formals
    }

    fn object(&mut self) -> TypeId {
        self.vocabulary.add_type(Type::of_class("java/lang/Object"))
    }

    fn erased(&mut self, of: &TypeSignature<'_>, variables: &[&TypeParameter<'_>]) -> TypeId {
        let erased = erasure(of, variables);
        self.vocabulary.add_type(erased.unwrap_or_else(|| Type::of_class("java/lang/Object")))
    }

    fn erased_variable(&mut self, variable: &TypeParameter<'_>, all: &[&TypeParameter<'_>]) -> TypeId {
        match variable.class_bound.as_ref().or(variable.interface_bounds.first()) {
            Some(bound) => self.erased(bound, all),
            None => self.object(),
        }
    }
}

fn class_signature(class: ClassView<'_>) -> Option<ClassSignature<'_>> {
    ClassSignature::parse(JavaStr::new(class.signature()?.as_bytes())).ok()
}

/// Lets types stand for the variables in a type that an actual type is to agree with.
fn bind(formal: &Formal, actual: &Generic, bindings: &mut Bindings) {
    match formal {
        Formal::Variable(number, _) => {
            if bindings.len() <= *number {
                bindings.resize(number + 1, None);
            }
            if let Some(place) = bindings.get_mut(*number) {
                *place = Some(actual.clone());
            }
        }
        Formal::Type(_, formals) => {
            formals.iter().zip(actual.arguments.iter()).for_each(|(it, actual)| bind(it, actual, bindings));
        }
    }
}

/// The same, but nothing for a variable for which nothing stands.
fn known_part(formal: &Formal, bindings: &[Option<Generic>]) -> Option<Generic> {
    match formal {
        Formal::Variable(number, _) => bindings.get(*number).cloned().flatten(),
        Formal::Type(..) => Some(substituted(formal, bindings)),
    }
}

/// A type with what stands for its variables; those for which nothing stands are erased.
fn substituted(formal: &Formal, bindings: &[Option<Generic>]) -> Generic {
    match formal {
        Formal::Variable(number, erased) => {
            let bound = bindings.get(*number).cloned().flatten();
            bound.unwrap_or_else(|| Generic { of: *erased, arguments: Arc::new([]) })
        }
        Formal::Type(of, arguments) => {
            let arguments = arguments.iter().map(|it| substituted(it, bindings)).collect();
            Generic { of: *of, arguments }
        }
    }
}

/// The same with types that may have variables themselves.
fn replaced(formal: &Formal, arguments: &[Formal]) -> Formal {
    match formal {
        Formal::Variable(number, erased) => {
            arguments.get(*number).cloned().unwrap_or(Formal::Type(*erased, Vec::new()))
        }
        Formal::Type(of, inner) => {
            Formal::Type(*of, inner.iter().map(|it| replaced(it, arguments)).collect())
        }
    }
}

/// The type without its arguments (JLS 4.6): of a type variable that of its first bound. None for a
/// variable that has none, or only another variable.
fn erasure(of: &TypeSignature<'_>, variables: &[&TypeParameter<'_>]) -> Option<Type> {
    let dimensions = "[".repeat(usize::from(of.dimensions));
    match &of.element {
        SignatureElement::Class(class) => {
            Some(Type(format!("{dimensions}L{};", class.internal_name()).into()))
        }
        SignatureElement::Primitive(primitive) => {
            Some(Type(format!("{dimensions}{}", primitive.letter()).into()))
        }
        SignatureElement::Variable(name) => {
            let variable = variables.iter().rfind(|it| it.name == *name)?;
            let bound = variable.class_bound.as_ref().or(variable.interface_bounds.first())?;
            let bound = erasure(bound, &[])?;
            Some(Type(format!("{dimensions}{}", bound.descriptor()).into()))
        }
    }
}
