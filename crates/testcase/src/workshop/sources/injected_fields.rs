//! What a container would give to an object.

use crate::workshop::builder::{Builder, Request};
use crate::workshop::catalogue::{Generic, InjectedField};
use crate::{Statement, TypeId, Var};

impl Builder<'_, '_> {
    /// Fills the fields of an object that a container would fill.
    pub(crate) fn inject_fields(&mut self, made: Var, of: TypeId, depth: usize) {
        if !self.tuning.source_injected_fields {
            return;
        }
        for injected in self.catalogue.injected_fields_of(of).iter() {
            if self.random.chance(self.tuning.injected_field)
                && let Some(value) = self.injected_value(injected, depth)
            {
                self.draft.push(Statement::Inject { field: injected.field, receiver: made, value }, None);
            }
        }
    }

    fn injected_value(&mut self, injected: &InjectedField, depth: usize) -> Option<Var> {
        let expected = self.catalogue.expected_of_field(injected.field);
        let narrowed = expected.and_then(|it| self.wanted_type(&it.whole, injected.of));
        self.collaborator(narrowed.unwrap_or(injected.of), &injected.type_arguments, depth)
    }

    /// What a container would put into a field: an object of a class on the trace where one fits,
    /// else mostly a mock.
    pub(crate) fn collaborator(
        &mut self,
        wanted: TypeId,
        type_arguments: &[Generic],
        depth: usize,
    ) -> Option<Var> {
        let there = self.fitting_with(wanted, type_arguments, false);
        if let Some(there) = self.random.pick(&there)
            && self.random.chance(self.tuning.collaborator_reuse)
        {
            return Some(*there);
        }
        let depth = depth.saturating_sub(1);
        let request = Request::new(wanted, depth).with_type_arguments(type_arguments);
        if depth > 0
            && self.has_room()
            && self.random.chance(self.tuning.collaborator_of_trace)
            && let Some(of) = self.catalogue.traced_class_below(wanted)
            && let Some(made) = self.make(&Request { of, ..request })
        {
            return Some(made);
        }
        let is_mockable = self.catalogue.class_name(wanted).is_some() && !self.catalogue.is_plain(wanted);
        match self.catalogue.mock_of(wanted).filter(|_| is_mockable) {
            Some(mock) if self.random.chance(self.tuning.collaborator_mock) => {
                self.make_mock(mock, type_arguments, depth)
            }
            _ => self.value(&request),
        }
    }
}
