//! Runs test cases in sandboxed worker processes with an embedded, instrumented JVM.

mod settings;

pub use settings::{Limits, Machine, Program, Recording, Surroundings, WorkerSettings};
