use super::{Change, Mutator, Old};
use crate::workshop::builder::Builder;
use crate::workshop::{TargetCall, Tuning};
use crate::{Statement, Var};

/// Gives the target call another receiver.
pub(super) struct OtherReceiver;

impl Mutator for OtherReceiver {
    fn is_on(&self, tuning: &Tuning) -> bool {
        tuning.mutator_other_receiver
    }

    fn change(&self, builder: &mut Builder<'_, '_>, old: &mut Old<'_>) -> Change {
        if old.copy(builder).is_none() {
            return Change::To(None);
        }
        let is_chosen = builder.random.one_in(builder.tuning.other_receiver);
        match (builder.target.find(old.statement), old.statement) {
            (Some(call), Statement::Call { receiver: Some(_), .. }) if is_chosen => {
                Change::To(with_other_receiver(builder, call))
            }
            _ => Change::Pass,
        }
    }
}

fn with_other_receiver(builder: &mut Builder<'_, '_>, call: &TargetCall) -> Option<Var> {
    let old = builder.draft.take_last()?;
    let receiver = builder.receiver(call)??;
    let Statement::Call { method, arguments, .. } = old else { return None };
    builder.push_call(method, Some(receiver), arguments)
}
