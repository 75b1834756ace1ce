use super::repeat_call;
use crate::workshop::builder::{Builder, Original, Renaming};
use crate::{Statement, TestCase, Var};

/// Inserts calls, mostly on the receiver of the target call if that can be brought into another
/// state.
pub(super) fn insert(builder: &mut Builder<'_, '_>, test: &TestCase, names: &mut Renaming) {
    let receiver = receiver_of(test).and_then(|it| names.get(it));
    let of = receiver.and_then(|it| builder.draft.value(it).of);
    let receiver = receiver.filter(|_| of.is_some_and(|of| builder.catalogue.has_influence(of)));
    if repeat_call::is_wanted(builder) {
        repeat_call::repeat(builder, receiver, Original { test, names });
        return;
    }
    if !builder.tuning.mutator_insert_call {
        return;
    }
    let mut more = 1.0;
    while builder.random.chance(more) && builder.has_room() {
        let original = Original { test, names: &*names };
        if let Some((object, yielded)) = builder.insert_call(receiver, Some(original)) {
            names.replace(object, yielded);
        }
        more *= builder.tuning.insert_again;
    }
}

/// The object that the last statement is called on.
fn receiver_of(test: &TestCase) -> Option<Var> {
    match test.statements().last()? {
        Statement::Call { receiver, .. } => *receiver,
        _ => None,
    }
}
