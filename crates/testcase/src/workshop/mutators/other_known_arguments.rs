use super::{Change, Mutator, Old};
use crate::workshop::builder::Builder;
use crate::workshop::{TargetCall, Tuning};
use crate::{Statement, Var};

/// Gives the target call other arguments that callers are known to pass.
pub(super) struct OtherKnownArguments;

impl Mutator for OtherKnownArguments {
    fn is_on(&self, tuning: &Tuning) -> bool {
        tuning.mutator_other_known_arguments
    }

    fn change(&self, builder: &mut Builder<'_, '_>, old: &mut Old<'_>) -> Change {
        if old.copy(builder).is_none() {
            return Change::To(None);
        }
        let call = builder.target.find(old.statement).filter(|it| !it.arguments.is_empty());
        match call.filter(|_| builder.random.one_in(builder.tuning.other_known_arguments)) {
            Some(call) => Change::To(with_other_arguments(builder, call)),
            None => Change::Pass,
        }
    }
}

fn with_other_arguments(builder: &mut Builder<'_, '_>, call: &TargetCall) -> Option<Var> {
    let Statement::Call { receiver, .. } = builder.draft.take_last()? else { return None };
    builder.push_target_call(call, receiver)
}
