use super::{Change, Mutator, Old, replacement};
use crate::workshop::Tuning;
use crate::workshop::builder::Builder;
use crate::{Literal, Statement};

/// Replaces `null` by an object.
pub(super) struct FillNull;

impl Mutator for FillNull {
    fn is_on(&self, tuning: &Tuning) -> bool {
        tuning.mutator_fill_null
    }

    fn change(&self, builder: &mut Builder<'_, '_>, old: &mut Old<'_>) -> Change {
        let Statement::Literal(Literal::Null(of)) = old.statement else { return Change::Pass };
        let Some(kept) = old.copy(builder) else { return Change::To(None) };
        Change::To(builder.make(&replacement(builder, *of)).or(Some(kept)))
    }
}
