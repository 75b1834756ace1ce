//! Which open files a worker keeps: an inherited descriptor is a hole in every rule about paths.

use std::fs;
use std::os::fd::RawFd;

use super::{DiesWith, Error, sys};

/// Closes all descriptors but standard input, output, error and the given ones.
pub(super) fn close_all_but(keep: &[RawFd], dies_with: DiesWith) -> Result<(), Error> {
    let lifeline = match dies_with {
        DiesWith::Lifeline(descriptor) => Some(descriptor),
        DiesWith::ParentThread | DiesWith::Nobody => None,
    };
    let open = open_descriptors().map_err(Error::step("list open descriptors"))?;
    for descriptor in open {
        if descriptor > libc::STDERR_FILENO && !keep.contains(&descriptor) && lifeline != Some(descriptor) {
            sys::close(descriptor);
        }
    }
    Ok(())
}

/// The descriptor of the listing itself is among them and is closed by then; closing it again does
/// nothing.
fn open_descriptors() -> std::io::Result<Vec<RawFd>> {
    let entries = fs::read_dir("/proc/self/fd")?;
    Ok(entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect())
}
