//! Runs test cases in sandboxed worker processes with an embedded, instrumented JVM.

pub mod handshake;
#[expect(unsafe_code, reason = "memory is shared with another process")]
pub mod heartbeat;
pub mod pool;
mod runtime_classes;
pub mod sandbox;
mod settings;

pub use runtime_classes::RUNTIME_CLASSES;
pub use settings::{Limits, Machine, Program, Recording, Surroundings, WorkerSettings};
