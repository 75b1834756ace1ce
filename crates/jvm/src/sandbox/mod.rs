//! What a worker process may do to the machine: read the JDK, the class path and some system files,
//! write its own scratch folder, and nothing else. A process that is to become a program of the JDK
//! may do that, too.
//!
//! [`enter`] is called once, while the process has a single thread and before a JVM is loaded:
//! Landlock, seccomp and capabilities belong to threads and are inherited by those made later, so
//! nothing in the process stays outside. Every layer can only be tightened afterwards, never
//! loosened. A refused call fails with an error number, it does not kill: the program under test
//! sees an `IOException` and goes on.
//!
//! `docs/security.md` says which layer stops what, and what none of them stops.

mod capabilities;
mod descriptors;
mod filesystem;
mod limits;
mod parent;
mod readable;
mod seccomp;
mod support;
#[expect(unsafe_code, reason = "system calls that no safe crate offers")]
mod sys;
pub mod usage;

use std::fmt;
use std::io;
use std::os::fd::RawFd;
use std::path::{Path, PathBuf};

pub use capabilities::Capabilities;
pub use limits::Limits;
pub use parent::DiesWith;
pub use support::{Landlock, Support, support};

/// What one worker may do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Files, and folders with all that is below them, that may be read. Links are followed when
    /// the rules come into force; what does not exist then is skipped.
    pub read: Vec<PathBuf>,
    /// The one folder in which files may be made, changed and removed. It must exist and belong to
    /// the worker's user.
    pub scratch: PathBuf,
    /// Files, and folders with all that is below them, that may be executed: by this process in its
    /// own place, since no other can be started. None for a worker, which then cannot even ask.
    /// Where the kernel has no Landlock, one is as good as all.
    pub execute: Vec<PathBuf>,
    /// Limits on resources that the kernel counts.
    pub limits: Limits,
    /// Descriptors that stay open beside standard input, output and error; all others are closed.
    pub keep_open: Vec<RawFd>,
    /// When the kernel ends the worker without being asked.
    pub dies_with: DiesWith,
    /// Whether to go on where the kernel cannot enforce everything. What is missing is told in
    /// [`Confinement::missing`].
    pub accept_weaker: bool,
}

impl Rules {
    /// The rules for a JVM of the given home with the given class path.
    #[must_use]
    pub fn for_jvm(java_home: &Path, class_path: &[PathBuf], scratch: PathBuf) -> Self {
        let mut read = readable::system();
        read.extend(readable::java_home(java_home));
        read.extend(class_path.iter().cloned());
        Self {
            read,
            scratch,
            execute: Vec::new(),
            limits: Limits::default(),
            keep_open: Vec::new(),
            dies_with: DiesWith::ParentThread,
            accept_weaker: false,
        }
    }
}

/// Which layers are in force in this process; its text is meant for `crashback doctor`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Confinement {
    /// The Landlock ABI in force, none if the kernel has no Landlock.
    pub landlock_abi: Option<i32>,
    /// Whether system calls are filtered.
    pub seccomp: bool,
    /// What became of the capabilities of the process.
    pub capabilities: Capabilities,
    /// What the kernel cannot enforce; empty unless [`Rules::accept_weaker`].
    pub missing: Vec<String>,
}

impl fmt::Display for Confinement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.landlock_abi {
            Some(abi) => write!(f, "files: Landlock ABI {abi}")?,
            None => write!(f, "files: not confined")?,
        }
        let calls = if self.seccomp { "seccomp filter" } else { "not confined" };
        write!(f, "; system calls: {calls}; capabilities: {}", self.capabilities)?;
        self.missing.iter().try_for_each(|missing| write!(f, "; missing: {missing}"))
    }
}

/// Why a worker could not be confined.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The process has more threads than the one that would be confined.
    #[error(
        "the sandbox must be entered before the first thread is started, but the process has {0} threads"
    )]
    Threads(u64),
    /// The kernel lacks a layer.
    #[error(
        "the sandbox is not available: {}; without it the program under test could change files and \
         reach the network, \
         so pass --unsafe-no-sandbox only for programs you trust, or use a kernel that has it",
        .0.join("; ")
    )]
    Unsupported(Vec<String>),
    /// The scratch folder cannot be used.
    #[error("the scratch folder {} cannot be used: {source}", path.display())]
    Scratch {
        /// The folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The process that started the worker is already gone.
    #[error("the process that started this worker has ended")]
    Orphaned,
    /// A step that the kernel should support failed.
    #[error("the sandbox could not be set up: {step}: {source}")]
    Step {
        /// What was tried.
        step: &'static str,
        /// What the system said.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
}

impl Error {
    fn step<E>(step: &'static str) -> impl FnOnce(E) -> Self
    where
        E: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        move |source| Self::Step { step, source: source.into() }
    }
}

/// Confines this process for good.
///
/// The order matters: rules are opened with the rights the process still has, capabilities go
/// before the filter that would refuse to change them, and the filter comes last because the other
/// steps need calls that it refuses.
///
/// # Errors
///
/// When the process has more than one thread, when the kernel lacks a layer and
/// [`Rules::accept_weaker`] is not set, or when a step fails. The process may then be partly
/// confined and should end.
pub fn enter(rules: &Rules) -> Result<Confinement, Error> {
    let own = usage::of_process(std::process::id()).map_err(Error::step("count the threads"))?;
    if own.threads != 1 {
        return Err(Error::Threads(own.threads));
    }
    let support = support();
    let missing = support.missing();
    if !missing.is_empty() && !rules.accept_weaker {
        return Err(Error::Unsupported(missing));
    }

    parent::die_with(rules.dies_with)?;
    limits::set(&rules.limits)?;
    descriptors::close_all_but(&rules.keep_open, rules.dies_with)?;
    let landlock_abi = filesystem::confine(rules)?;
    let capabilities = capabilities::drop_all()?;
    if support.seccomp {
        seccomp::install(!rules.execute.is_empty())?;
    }
    Ok(Confinement { landlock_abi, seccomp: support.seccomp, capabilities, missing })
}
