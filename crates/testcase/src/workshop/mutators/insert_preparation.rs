use crate::workshop::builder::Builder;

/// Whether the inserted statement changes static state, mostly before everything else.
pub(super) fn is_wanted(builder: &mut Builder<'_, '_>) -> bool {
    if !builder.tuning.mutator_insert_preparation {
        return false;
    }
    let probability = builder.preparation_probability(builder.tuning.insert_preparation);
    builder.random.chance(probability)
}
