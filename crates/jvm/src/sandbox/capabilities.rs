//! What root has beyond other users (`capabilities(7)`).
//!
//! A worker started by root keeps the user, since class path and scratch folder may be root's
//! alone, but loses every capability but one. `CAP_DAC_READ_SEARCH` lets root read a class path
//! below another user's closed home, as it could before; Landlock still bounds what can be read,
//! and the calls that turn the capability into more are refused. A program that takes the worker's
//! place has the same, since a program of root's gets what is in the bounding set, but with
//! `no_new_privs` not more than there was.

use std::fmt;

use super::{Error, sys};

/// What became of the capabilities of the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Capabilities {
    /// The process had none.
    None,
    /// All were dropped.
    Dropped,
    /// All were dropped but the one to read files regardless of their permissions.
    OnlyReading,
}

impl fmt::Display for Capabilities {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::None => "none to drop",
            Self::Dropped => "all dropped",
            Self::OnlyReading => "all dropped but reading",
        })
    }
}

/// From `linux/capability.h`.
const CAP_DAC_READ_SEARCH: u32 = 2;

/// Drops what can be dropped, for good: from the bounding set as well, as far as the process may.
pub(super) fn drop_all() -> Result<Capabilities, Error> {
    let step = "drop capabilities";
    let before = sys::permitted_capabilities().map_err(Error::step(step))?;
    let kept = before & (1 << CAP_DAC_READ_SEARCH);
    sys::drop_bounding_capabilities(kept);
    sys::clear_ambient_capabilities();
    sys::set_capabilities(kept).map_err(Error::step(step))?;
    Ok(match (before, kept) {
        (0, _) => Capabilities::None,
        (_, 0) => Capabilities::Dropped,
        _ => Capabilities::OnlyReading,
    })
}
