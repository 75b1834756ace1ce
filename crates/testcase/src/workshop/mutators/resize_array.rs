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
        let most = u16::try_from(tuning.longest_resized_array).unwrap_or(u16::MAX);
        let length = match builder.random.below(3) {
            0 => length.saturating_sub(1),
            1 => length.saturating_add(1),
            _ => u16::try_from(builder.random.place(tuning.array_resized + 1)).unwrap_or_default(),
        };
        let resized = Statement::NewArray { array: *array, length: length.min(most) };
        Change::To(builder.draft.push(resized, Some(*array)))
    }
}
