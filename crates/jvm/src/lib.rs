//! Runs test cases in sandboxed worker processes with an embedded, instrumented JVM.

pub mod check;
pub mod handshake;
#[expect(unsafe_code, reason = "memory is shared with another process")]
pub mod heartbeat;
#[expect(unsafe_code, reason = "JNI and JVMTI are C interfaces")]
mod java;
pub mod pool;
mod runtime_classes;
pub mod sandbox;
mod settings;
pub mod worker;

pub use settings::{Limits, Machine, Program, Recording, Surroundings, WorkerSettings};
