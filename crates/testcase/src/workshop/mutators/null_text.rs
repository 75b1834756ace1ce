use super::{Change, Mutator, Old};
use crate::workshop::Tuning;
use crate::workshop::builder::Builder;
use crate::{Literal, Statement};

/// Replaces a text by `null`.
pub(super) struct NullText;

impl Mutator for NullText {
    fn is_on(&self, tuning: &Tuning) -> bool {
        tuning.mutator_null_text
    }

    fn change(&self, builder: &mut Builder<'_, '_>, old: &mut Old<'_>) -> Change {
        let Statement::Literal(Literal::Text(_)) = old.statement else { return Change::Pass };
        let Some(kept) = old.copy(builder) else { return Change::To(None) };
        let Some(of) = builder.draft.value(kept).of else { return Change::To(None) };
        let probability = builder.null_probability() * builder.tuning.null_text;
        if !builder.random.chance(probability) {
            return Change::Pass;
        }
        Change::To(builder.null(of))
    }
}
