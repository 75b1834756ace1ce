use crate::workshop::builder::{Builder, Request};
use crate::{Arguments, TypeId, Var};

impl Builder<'_, '_> {
    /// Gives a new collection or map elements of the types that its type arguments say.
    pub(crate) fn fill(&mut self, made: Var, type_arguments: &[TypeId], depth: usize) {
        if !self.tuning.source_collection_elements {
            return;
        }
        let (of, known) = (self.draft.value(made).of, self.catalogue.collection_members());
        let (Some(of), Some(known)) = (of, known) else { return };
        let (method, count) = if self.catalogue.fits(of, known.collection) {
            (known.add, 1)
        } else if self.catalogue.fits(of, known.map) {
            (known.put, 2)
        } else {
            return;
        };
        let mut more = self.tuning.element;
        while self.random.chance(more) && self.has_room() {
            let mut arguments = Arguments::new();
            for number in 0..count {
                let element = type_arguments.get(number).copied().unwrap_or(known.object);
                let Some(value) = self.value(&Request::nullable(element, depth)) else { return };
                arguments.push(value);
            }
            if self.push_call(method, Some(made), arguments).is_none() {
                return;
            }
            more *= self.tuning.element_again;
        }
    }
}
