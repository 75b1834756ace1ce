//! Runs test cases in sandboxed worker processes with an embedded, instrumented JVM.

pub mod check;
pub mod confined;
pub mod handshake;
#[expect(unsafe_code, reason = "memory is shared with another process")]
pub mod heartbeat;
#[expect(unsafe_code, reason = "JNI and JVMTI are C interfaces")]
mod java;
pub mod linkage;
pub mod pool;
mod runtime_classes;
pub mod sandbox;
mod settings;
pub mod worker;

use std::path::{Path, PathBuf};

pub use crashback_instrument::Recording;
pub use settings::{Limits, Machine, Program, Surroundings, WorkerSettings};

/// The library with the JVM of a JDK or JRE; none where there is no such library, or it is for
/// another system.
#[must_use]
pub fn find_libjvm(home: &Path) -> Option<PathBuf> {
    java::library(home)
}
