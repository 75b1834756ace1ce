//! What the code around the crash expects of arguments, answers and fields, by numbers of the
//! vocabulary.

use std::sync::Arc;

use super::Catalogue;
use crate::workshop::{Spot, Wanted};
use crate::{FieldId, MemberName, MethodId, Text, TypeId};

/// What is expected of a value, and of its parts if it is a collection, map or array.
#[derive(Debug, Default)]
pub(crate) struct Expected {
    /// The value itself. All types fit the declared one.
    pub(crate) whole: WantedValue,
    /// Elements of a collection or array.
    pub(crate) element: WantedValue,
    /// Keys of a map.
    pub(crate) key: WantedValue,
    /// Values of a map.
    pub(crate) value: WantedValue,
    /// Keys of a map that the code names, with what it expects under them.
    pub(crate) entries: Vec<(Text, WantedValue)>,
}

/// Types and constants of which one is wanted.
#[derive(Debug, Default)]
pub(crate) struct WantedValue {
    pub(crate) types: Vec<TypeId>,
    pub(crate) constants: Vec<FieldId>,
}

/// What is expected of each parameter of a method, and behind them of its result.
pub(super) type ExpectedOfMethod = Arc<[Option<Arc<Expected>>]>;

impl Catalogue<'_> {
    /// What is expected of a parameter of a method, or of its result, which counts as one more.
    pub(crate) fn expected(&mut self, method: MethodId, parameter: usize) -> Option<Arc<Expected>> {
        if self.facts.here().expected.get(method.index()).is_none() {
            let found = self.find_expected(method).unwrap_or_default();
            self.facts.here_mut().expected.put(method.index(), found);
        }
        self.facts.here().expected.get(method.index())?.get(parameter)?.clone()
    }

    /// What is expected of the value of a field.
    pub(crate) fn expected_of_field(&mut self, field: FieldId) -> Option<Arc<Expected>> {
        if let Some(known) = self.facts.here().expected_of_field.get(field.index()) {
            return known.clone();
        }
        let found = self.find_expected_of_field(field);
        self.facts.here_mut().expected_of_field.put(field.index(), found.clone());
        found
    }

    fn find_expected(&mut self, id: MethodId) -> Option<ExpectedOfMethod> {
        if self.pools.expectations.is_empty() {
            return None;
        }
        let method = self.vocabulary.method(id)?;
        let (parameters, result) = (method.parameters.clone(), self.result_of(id));
        let name = self.vocabulary.method_name(method)?;
        let found = self.context.hierarchy().resolve_method(&name.owner, &name.name, &name.descriptor)?;
        let name = MemberName::of(found);
        let mut all = Vec::new();
        for (number, of) in parameters.into_iter().enumerate() {
            all.push(self.at(&Spot::Parameter(name.clone(), number), of));
        }
        all.push(result.and_then(|it| self.at(&Spot::Result(name), it)));
        Some(all.into())
    }

    fn find_expected_of_field(&mut self, id: FieldId) -> Option<Arc<Expected>> {
        let field = self.vocabulary.field(id)?;
        let of = field.of;
        let name = self.vocabulary.field_name(field)?;
        let found = self.context.hierarchy().resolve_field(&name.owner, &name.name, &name.descriptor)?;
        self.at(&Spot::Field(MemberName::of(found)), of)
    }

    /// What is expected at a spot of a declared type.
    fn at(&mut self, spot: &Spot, declared: TypeId) -> Option<Arc<Expected>> {
        let expectation = self.pools.expectations.get(spot).filter(|_| self.is_reference(declared))?.clone();
        let entries = expectation.entries.iter();
        let entries = entries.map(|(key, wanted)| (Text::from(key.as_str()), self.wanted(wanted, None)));
        let entries = entries.collect();
        Some(Arc::new(Expected {
            whole: self.wanted(&expectation.whole, Some(declared)),
            element: self.wanted(&expectation.element, None),
            key: self.wanted(&expectation.key, None),
            value: self.wanted(&expectation.value, None),
            entries,
        }))
    }

    /// The types that tests can name and constants that they can read, as far as they fit a declared
    /// type.
    fn wanted(&mut self, wanted: &Wanted, declared: Option<TypeId>) -> WantedValue {
        let types = wanted.types.iter().map(|it| self.vocabulary.number_of(it.view()));
        let types: Vec<TypeId> = types.collect();
        let constants = wanted.constants.iter().filter_map(|it| self.constant(it));
        let constants: Vec<FieldId> = constants.collect();
        let mut found = WantedValue::default();
        for of in types.into_iter().filter(|it| Some(*it) != declared) {
            if self.is_nameable(of) && declared.is_none_or(|it| self.fits(of, it)) {
                found.types.push(of);
            }
        }
        for field in constants {
            let of = self.vocabulary.field(field).map(|it| it.of);
            if of.is_some_and(|of| declared.is_none_or(|it| self.fits(of, it))) {
                found.constants.push(field);
            }
        }
        found
    }

    /// A static field that tests can read.
    fn constant(&mut self, name: &MemberName) -> Option<FieldId> {
        let class = self.context.class(&name.owner).ok()?;
        let field = self.context.field(name).ok()??;
        field.is_static().then(|| self.vocabulary.add_field_of(class, field))
    }
}
