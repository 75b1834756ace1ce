use crate::workshop::builder::Builder;

/// Whether statements of a test are to be deleted, each with probability 1/n. Statements that need
/// their values get others.
pub(super) fn is_wanted(builder: &mut Builder<'_, '_>, length: usize) -> bool {
    builder.tuning.mutator_delete && builder.random.chance(builder.tuning.delete) && length > 2
}
