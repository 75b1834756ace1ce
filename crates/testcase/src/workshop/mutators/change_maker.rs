use super::{Change, Mutator, Old};
use crate::workshop::Tuning;
use crate::workshop::builder::{Builder, Original, Request};
use crate::{Statement, Var};

/// Gets a value in another way; makes another call in the place of one that yields nothing.
pub(super) struct ChangeMaker;

impl Mutator for ChangeMaker {
    fn is_on(&self, tuning: &Tuning) -> bool {
        tuning.mutator_change_maker
    }

    fn change(&self, builder: &mut Builder<'_, '_>, old: &mut Old<'_>) -> Change {
        if !is_possible(old.statement) {
            return Change::Pass;
        }
        let kept = old.copy(builder);
        Change::To(kept.and_then(|it| with_other_maker(builder, it, old.original)))
    }
}

/// Whether a statement makes a value that could be had otherwise, or is a call for its effect.
pub(super) fn is_possible(statement: &Statement) -> bool {
    matches!(
        statement,
        Statement::Construct { .. }
            | Statement::Call { .. }
            | Statement::ReadField { .. }
            | Statement::WriteField { .. }
            | Statement::ReadElement { .. }
            | Statement::Mock(_)
            | Statement::Spy { .. }
    )
}

fn with_other_maker(builder: &mut Builder<'_, '_>, kept: Var, original: Original<'_>) -> Option<Var> {
    let Some(of) = builder.draft.value(kept).of else {
        let Some(Statement::Call { receiver, .. }) = builder.draft.statement(kept) else { return Some(kept) };
        let receiver = *receiver;
        builder.draft.take_last()?;
        builder.insert_call(receiver, Some(original));
        // No statement uses a value of the old one, since it had none.
        return u16::try_from(builder.draft.len().checked_sub(1)?).ok().map(Var);
    };
    if let Some(spy) = builder.spy_on(kept, builder.tuning.depth_of_changes) {
        return Some(spy);
    }
    // A call may have an effect, so it stays beside the new value.
    builder.make(&Request::new(of, builder.tuning.depth_of_changes)).or(Some(kept))
}
