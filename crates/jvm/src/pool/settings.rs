use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use crate::WorkerSettings;

/// What a pool is made of.
#[derive(Clone, Debug)]
pub struct PoolSettings {
    /// What each worker is told; its scratch folder is filled in.
    pub worker: WorkerSettings,
    /// How a worker process is started.
    pub command: WorkerCommand,
    /// The folder below which scratch folders are made. It must exist.
    pub scratch_root: PathBuf,
    /// How many workers run tests at the same time.
    pub workers: usize,
    /// How many more stand ready to replace a dead one.
    pub spares: usize,
    /// The most tests in one request.
    pub batch: usize,
    /// What a worker may use before it is ended.
    pub allowance: Allowance,
    /// How long a worker may take to get ready.
    pub start: Duration,
}

impl PoolSettings {
    /// One worker and one spare, with usual limits.
    pub fn new(worker: WorkerSettings, command: WorkerCommand, scratch_root: PathBuf) -> Self {
        let allowance = Allowance::for_heap(worker.machine.heap);
        Self {
            worker,
            command,
            scratch_root,
            workers: 1,
            spares: 1,
            batch: 256,
            allowance,
            start: Duration::from_secs(30),
        }
    }
}

/// A program that becomes a worker: usually the running one, with arguments that make it a worker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkerCommand {
    /// Its file.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// The time zone of the user, as the variable `TZ` names it. Workers inherit nothing else.
    pub time_zone: Option<OsString>,
}

/// What a worker may use, as the pool counts it from outside: the kernel's own limits are for users
/// or single files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// Threads of the process.
    pub threads: u64,
    /// Bytes in its scratch folder.
    pub scratch_bytes: u64,
    /// Files and folders in its scratch folder.
    pub scratch_entries: u64,
    /// Memory in use.
    pub memory_bytes: u64,
}

impl Allowance {
    /// For a JVM with a heap of so many MiB: code, metaspace, stacks and collector need space
    /// beside it.
    fn for_heap(heap: u32) -> Self {
        Self {
            threads: 256,
            scratch_bytes: 64 << 20,
            scratch_entries: 10_000,
            memory_bytes: (u64::from(heap) + 1024) << 20,
        }
    }
}
