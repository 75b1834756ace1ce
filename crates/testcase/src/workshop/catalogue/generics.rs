//! Type arguments of parameters and results, as generic signatures tell: the type of a
//! collection's elements, the key and value of a map.

use crashback_classfile::{
    ClassSignature, ClassType, JavaStr, MethodSignature, SignatureElement, TypeArgument, TypeParameter,
    TypeSignature,
};
use smallvec::SmallVec;

use super::Catalogue;
use crate::{MethodId, Type, TypeId};

/// For each parameter, and behind them for the result, the erased types of its type arguments.
pub(super) type TypeArguments = SmallVec<[SmallVec<[TypeId; 2]>; 4]>;

impl Catalogue<'_> {
    /// The type arguments of a parameter of a method, or of its result, which counts as one more;
    /// none where nothing is said.
    pub(crate) fn type_arguments(&mut self, method: MethodId, parameter: usize) -> SmallVec<[TypeId; 2]> {
        if self.facts.here().type_arguments.get(method.index()).is_none() {
            let found = self.find_type_arguments(method).unwrap_or_default();
            self.facts.here_mut().type_arguments.put(method.index(), found);
        }
        let of_method = self.facts.here().type_arguments.get(method.index());
        of_method.and_then(|it| it.get(parameter)).cloned().unwrap_or_default()
    }

    fn find_type_arguments(&mut self, id: MethodId) -> Option<TypeArguments> {
        let method = self.vocabulary.method(id)?;
        let count = method.parameters.len();
        let name = self.vocabulary.method_name(method)?;
        let found = self.context.hierarchy().resolve_method(&name.owner, &name.name, &name.descriptor)?;
        let signature = MethodSignature::parse(JavaStr::new(found.signature()?.as_bytes())).ok()?;
        // A constructor of an inner class has parameters that its signature does not name, in
        // front.
        let unnamed = count.checked_sub(signature.parameters.len())?;
        let mut arguments = TypeArguments::new();
        arguments.resize(unnamed, SmallVec::new());
        let class = found.class().signature().map(|it| JavaStr::new(it.as_bytes()));
        let class = class.and_then(|it| ClassSignature::parse(it).ok());
        let of_class = class.iter().flat_map(|it| &it.type_parameters);
        let variables: Vec<&TypeParameter<'_>> = signature.type_parameters.iter().chain(of_class).collect();
        for parameter in &signature.parameters {
            arguments.push(self.arguments_of(parameter, &variables));
        }
        arguments.extend(signature.result.iter().map(|it| self.arguments_of(it, &variables)));
        Some(arguments)
    }

    /// The erased type arguments of a type.
    pub(super) fn arguments_of(
        &mut self,
        of: &TypeSignature<'_>,
        variables: &[&TypeParameter<'_>],
    ) -> SmallVec<[TypeId; 2]> {
        let SignatureElement::Class(ClassType { arguments, .. }) = &of.element else {
            return SmallVec::new();
        };
        let mut types = SmallVec::new();
        for argument in arguments {
            let erased = match argument {
                TypeArgument::Exact(it) | TypeArgument::Extends(it) | TypeArgument::Super(it) => {
                    erasure(it, variables)
                }
                TypeArgument::Any => None,
            };
            types
                .push(self.vocabulary.add_type(erased.unwrap_or_else(|| Type::of_class("java/lang/Object"))));
        }
        types
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
            let variable = variables.iter().find(|it| it.name == *name)?;
            let bound = variable.class_bound.as_ref().or(variable.interface_bounds.first())?;
            let bound = erasure(bound, &[])?;
            Some(Type(format!("{dimensions}{}", bound.descriptor()).into()))
        }
    }
}
