use super::{Change, Mutator, Old};
use crate::Statement;
use crate::workshop::Tuning;
use crate::workshop::builder::Builder;

/// Changes the length of an array.
pub(super) struct ResizeArray;

impl Mutator for ResizeArray {
    fn is_on(&self, tuning: &Tuning) -> bool {
        tuning.mutator_resize_array
    }

    fn change(&self, builder: &mut Builder<'_, '_>, old: &mut Old<'_>) -> Change {
        let Statement::NewArray { array, length } = old.statement else { return Change::Pass };
        old.copy(builder);
        let tuning = builder.tuning;
        let old = usize::from(*length);
        let most = tuning.longest_resized_array.max(old);
        let length = match builder.random.below(4) {
            0 => old.saturating_sub(1),
            1 => (old + 1).min(most),
            2 => builder.random.place(tuning.array_resized + 1),
            _ => builder.greater_length(old, tuning.longest_grown_array).unwrap_or(old),
        };
        let resized =
            Statement::NewArray { array: *array, length: u16::try_from(length).unwrap_or(u16::MAX) };
        Change::To(builder.draft.push(resized, Some(*array)))
    }
}
