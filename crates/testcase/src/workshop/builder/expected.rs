//! Values as the code around the crash expects them.

use super::{Builder, Request};
use crate::workshop::catalogue::WantedValue;
use crate::{TypeId, Var};

impl Builder<'_, '_> {
    /// A constant or a value of a narrower type that the code around the crash expects, by chance.
    pub(super) fn expected_value(&mut self, request: &Request<'_>) -> Option<Var> {
        if let Some(expected) = request.expected
            && let Some(value) = self.wanted_value(&expected.whole, request)
        {
            return Some(value);
        }
        let of = self.type_of_failed_cast(request.of)?;
        self.declared_value(&Request { of, ..*request })
    }

    /// The type to which a value in the place of this one could not be cast in earlier runs, by
    /// chance.
    fn type_of_failed_cast(&mut self, declared: TypeId) -> Option<TypeId> {
        let casts = self.experience.failed_casts();
        if casts.is_empty()
            || !self.tuning.source_expected_values
            || !self.catalogue.is_reference(declared)
            || !self.random.chance(self.tuning.type_of_failed_cast)
        {
            return None;
        }
        let (from, to) = self.random.pick(casts).copied()?;
        let catalogue = &mut self.catalogue;
        let is_it = to != declared && catalogue.is_nameable(to) && catalogue.fits(to, declared);
        (is_it && catalogue.fits(from, declared)).then_some(to)
    }

    /// A value of which something is wanted, by chance.
    pub(crate) fn wanted_value(&mut self, wanted: &WantedValue, request: &Request<'_>) -> Option<Var> {
        if let Some(constant) = self.random.pick(&wanted.constants).copied()
            && self.tuning.source_expected_values
            && self.random.chance(self.tuning.expected_constant)
            && let Some(of) = self.catalogue.vocabulary.field(constant).map(|it| it.of)
            && self.catalogue.fits(of, request.of)
        {
            return self.read_static(constant);
        }
        let of = self.wanted_type(wanted, request.of)?;
        self.declared_value(&Request { of, ..*request })
    }

    /// A narrower type that is wanted in the place of a declared one, by chance.
    pub(crate) fn wanted_type(&mut self, wanted: &WantedValue, declared: TypeId) -> Option<TypeId> {
        if wanted.types.is_empty()
            || !self.tuning.source_expected_values
            || !self.random.chance(self.tuning.expected_type)
        {
            return None;
        }
        let of = self.random.pick(&wanted.types).copied()?;
        (of != declared && self.catalogue.fits(of, declared)).then_some(of)
    }
}
