//! Limits that the kernel counts for a process (`getrlimit(2)`).
//!
//! They are a second net below the pool, which counts with [`super::usage`]: the limit on threads
//! does not bind root, and the one on file size says nothing about the number of files. Address
//! space is not limited, because a JVM reserves far more of it than it uses; the heap is bounded by
//! `-Xmx`.

use super::{Error, sys, usage};

/// How much of each resource a worker may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Descriptors open at the same time.
    pub open_files: u64,
    /// Bytes in one file that the worker writes.
    pub file_bytes: u64,
    /// Threads beyond those that the user has now. The kernel counts per user, not per process, so
    /// this is a bound on what all processes of the user start from now on; root is not bound.
    pub further_threads: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { open_files: 4096, file_bytes: 64 << 20, further_threads: 4096 }
    }
}

/// A core file needs more than one byte, so none is written; and a core limit of exactly one byte
/// also keeps the kernel from starting the program of a `core_pattern` pipe, which a limit of zero
/// does not (`core(5)`, `fs/coredump.c`).
const NO_CORE: u64 = 1;

/// Sets soft and hard limits, never above the hard limits there are.
pub(super) fn set(limits: &Limits) -> Result<(), Error> {
    let user = sys::user_id();
    // Root is not bound by the limit, so its threads need not be counted.
    let present = if user == 0 { 0 } else { usage::threads_of_user(user).unwrap_or(0) };
    let threads = present.saturating_add(limits.further_threads);
    for (resource, most) in [
        (sys::Resource::Core, NO_CORE),
        (sys::Resource::OpenFiles, limits.open_files),
        (sys::Resource::FileSize, limits.file_bytes),
        (sys::Resource::Threads, threads),
    ] {
        sys::limit(resource, most).map_err(Error::step("limit resources"))?;
    }
    // A write beyond the limit shall fail like any other write instead of ending the process.
    sys::ignore_file_size_signal().map_err(Error::step("ignore SIGXFSZ"))
}
