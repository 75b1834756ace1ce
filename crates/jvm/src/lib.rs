//! Runs test cases in sandboxed worker processes with an embedded, instrumented JVM.

#[expect(dead_code, reason = "the worker defines them")]
mod runtime_classes;
mod settings;

pub use settings::{Limits, Machine, Program, Recording, Surroundings, WorkerSettings};
