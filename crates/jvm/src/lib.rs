//! Runs test cases in sandboxed worker processes with an embedded, instrumented JVM.

pub mod handshake;
#[expect(unsafe_code, reason = "memory is shared with another process")]
pub mod heartbeat;
mod settings;

pub use settings::{Limits, Machine, Program, Recording, Surroundings, WorkerSettings};
