//! Fields that a container fills, and the classes of the trace that it may put there.

use std::sync::Arc;

use crashback_classfile::{JavaStr, TypeSignature};
use crashback_program::hierarchy::Supertype;

use super::Catalogue;
use super::generics::Generic;
use crate::{FieldId, Type, TypeId};

/// A field that a container fills.
#[derive(Clone, Debug)]
pub(crate) struct InjectedField {
    /// The field.
    pub(crate) field: FieldId,
    /// Its type.
    pub(crate) of: TypeId,
    /// The type arguments of its type.
    pub(crate) type_arguments: Arc<[Generic]>,
}

impl Catalogue<'_> {
    /// The fields of a class, inherited ones too, that a container fills.
    pub(crate) fn injected_fields_of(&mut self, of: TypeId) -> Arc<[InjectedField]> {
        if let Some(known) = self.facts.here().injected.get(of.index()) {
            return Arc::clone(known);
        }
        let found: Arc<[InjectedField]> = self.find_injected_fields(of).unwrap_or_default().into();
        self.facts.here_mut().injected.put(of.index(), Arc::clone(&found));
        found
    }

    fn find_injected_fields(&mut self, of: TypeId) -> Option<Vec<InjectedField>> {
        let name = self.class_name(of)?.to_owned();
        let context = self.context;
        let above = context.hierarchy().supertypes(&name).into_iter().filter_map(Supertype::known);
        let mut found = Vec::new();
        for class in above.filter(|it| context.class(it.name()).is_ok()) {
            for field in class.fields().filter(|it| context.is_injected(*it)) {
                let id = self.vocabulary.add_field_of(class, field);
                let signature = field.signature().map(|it| JavaStr::new(it.as_bytes()));
                let signature = signature.and_then(|it| TypeSignature::parse(it).ok());
                let type_arguments = signature.map(|it| self.arguments_of(&it)).unwrap_or_default();
                let of = self.vocabulary.field(id)?.of;
                found.push(InjectedField { field: id, of, type_arguments });
            }
        }
        Some(found)
    }

    /// The first class on the trace whose objects are of a type.
    pub(crate) fn traced_class_below(&mut self, wanted: TypeId) -> Option<TypeId> {
        if let Some(known) = self.facts.here().traced_below.get(wanted.index()) {
            return *known;
        }
        let found = self.find_traced_class_below(wanted);
        self.facts.here_mut().traced_below.put(wanted.index(), found);
        found
    }

    fn find_traced_class_below(&mut self, wanted: TypeId) -> Option<TypeId> {
        let name = self.class_name(wanted)?;
        let hierarchy = self.context.hierarchy();
        let mut traced = self.pools.traced.iter().map(|(class, _)| class);
        let found = traced.find(|it| {
            hierarchy.is_subtype(it, name) == Some(true)
                && self.context.class(it).is_ok_and(|it| !it.is_abstract())
        })?;
        let found = Type::of_class(found);
        Some(self.vocabulary.add_type(found))
    }
}
