use super::{Change, Mutator, Old};
use crate::workshop::Tuning;
use crate::workshop::builder::Builder;
use crate::{Literal, Statement};

/// Takes a step from a number or text.
pub(super) struct ChangeLiteral;

impl Mutator for ChangeLiteral {
    fn is_on(&self, tuning: &Tuning) -> bool {
        tuning.mutator_change_literal
    }

    fn change(&self, builder: &mut Builder<'_, '_>, old: &mut Old<'_>) -> Change {
        let Statement::Literal(literal) = old.statement else { return Change::Pass };
        if matches!(literal, Literal::Null(_) | Literal::Folder) || old.copy(builder).is_none() {
            return Change::Pass;
        }
        Change::To(builder.near(literal).and_then(|it| builder.push_literal(it)))
    }
}
