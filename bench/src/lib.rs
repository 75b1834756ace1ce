//! Shared parts of the benchmarks.

pub mod recorded;
pub mod suites;
