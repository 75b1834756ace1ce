//! A worker must not outlive the process that started it, however that one ends.

use std::os::fd::RawFd;

use super::{Error, sys};

/// Whose end ends the worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiesWith {
    /// The *thread* that started the worker (`PR_SET_PDEATHSIG`, see its note in `prctl(2)`): right
    /// only where that thread lives as long as its process.
    ParentThread,
    /// The last holder of the other end of a pipe. The descriptor is the pipe's reading end and
    /// nothing is ever written; when no writing end is left the kernel kills the worker, whichever
    /// threads there were.
    Lifeline(RawFd),
    /// Nobody: the worker ends by itself.
    Nobody,
}

/// Arranges for the end of this process.
pub(super) fn die_with(whom: DiesWith) -> Result<(), Error> {
    match whom {
        // A parent that ended before this call goes unnoticed here; the worker's first read from it
        // will tell.
        DiesWith::ParentThread => {
            sys::kill_when_parent_thread_ends().map_err(Error::step("tie the worker to its parent"))
        }
        DiesWith::Lifeline(pipe) => {
            let hung_up = sys::kill_when_pipe_closes(pipe).map_err(Error::step("hold the lifeline"))?;
            if hung_up { Err(Error::Orphaned) } else { Ok(()) }
        }
        DiesWith::Nobody => Ok(()),
    }
}
