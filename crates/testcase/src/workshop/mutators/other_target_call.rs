use super::{Change, Mutator, Old};
use crate::Var;
use crate::workshop::Tuning;
use crate::workshop::builder::Builder;

/// Replaces the target call by another one.
pub(super) struct OtherTargetCall;

impl Mutator for OtherTargetCall {
    fn is_on(&self, tuning: &Tuning) -> bool {
        tuning.mutator_other_target_call
    }

    fn change(&self, builder: &mut Builder<'_, '_>, _: &mut Old<'_>) -> Change {
        let is_possible = builder.target.calls.len() > 1;
        match is_possible && builder.random.one_in(builder.tuning.other_target_call) {
            true => Change::To(target_call(builder)),
            false => Change::Pass,
        }
    }
}

fn target_call(builder: &mut Builder<'_, '_>) -> Option<Var> {
    let call = builder.choose_target_call()?;
    let receiver = builder.receiver(call)?;
    builder.push_target_call(call, receiver)
}
