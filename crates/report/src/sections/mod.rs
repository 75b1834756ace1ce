//! The sections of a report, one file each.

pub(crate) mod comparison;
pub(crate) mod crashes;
pub(crate) mod detail;
mod events;
pub(crate) mod headline;
pub(crate) mod heights;
pub(crate) mod notes;
pub(crate) mod outcomes;
pub(crate) mod progress;
mod test_view;
mod trace_view;
