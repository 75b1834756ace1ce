//! Runs test cases in sandboxed worker processes with an embedded, instrumented JVM.

mod runtime_classes;
pub mod handshake;
#[expect(unsafe_code, reason = "memory is shared with another process")]
pub mod heartbeat;
mod settings;

pub use runtime_classes::RUNTIME_CLASSES;
pub use settings::{Limits, Machine, Program, Recording, Surroundings, WorkerSettings};
pub mod sandbox;
