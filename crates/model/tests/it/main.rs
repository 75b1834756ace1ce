//! Sequences of compiled sources, models of a released library, and properties of models.

#![expect(clippy::expect_used, clippy::indexing_slicing, reason = "tests may panic")]

mod library;
mod properties;
mod sources;
