//! What a worker uses, counted from outside.
//!
//! The limits of the kernel do not bind root and know nothing of whole folders, so the pool looks
//! itself, before a batch and while one runs. All walks are bounded.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// What a process uses now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProcessUse {
    /// Its threads.
    pub threads: u64,
    /// Memory that it has in use, swapped out or not.
    pub memory_bytes: u64,
}

/// What lies below a folder.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FolderUse {
    /// Space on disk; a file with holes counts for what is written, one with two names once.
    pub bytes: u64,
    /// Files, folders and links.
    pub entries: u64,
    /// Whether everything was seen. If not, the figures are lower bounds.
    pub complete: bool,
}

/// Reads `/proc/<pid>/status` (`proc_pid_status(5)`).
///
/// # Errors
///
/// When there is no such process, or it has ended and waits to be collected.
pub fn of_process(pid: u32) -> io::Result<ProcessUse> {
    let status = fs::read_to_string(format!("/proc/{pid}/status"))?;
    let number = |name: &str| -> Option<u64> {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        line.split_whitespace().next()?.parse().ok()
    };
    let threads = number("Threads:").ok_or_else(|| io::Error::other("the process has no threads"))?;
    // Kibibytes; a process that has ended has no memory and no line for it.
    let resident = number("VmRSS:").ok_or_else(|| io::Error::other("the process has ended"))?;
    let swapped = number("VmSwap:").unwrap_or(0);
    Ok(ProcessUse { threads, memory_bytes: resident.saturating_add(swapped).saturating_mul(1024) })
}

/// Counts what lies below a folder without following links, up to so many entries.
///
/// Entries that vanish meanwhile are not counted. A folder that does not exist is empty.
#[must_use]
pub fn of_folder(folder: &Path, most_entries: u64) -> FolderUse {
    let mut sum = FolderUse { complete: true, ..FolderUse::default() };
    let mut counted: BTreeSet<(u64, u64)> = BTreeSet::new();
    let mut open: Vec<PathBuf> = vec![folder.to_path_buf()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(&next).into_iter().flatten().flatten() {
            if sum.entries == most_entries {
                return FolderUse { complete: false, ..sum };
            }
            sum.entries += 1;
            // This is the metadata of a link, not of what it points to.
            let Ok(metadata) = entry.metadata() else { continue };
            if metadata.is_dir() {
                open.push(entry.path());
            }
            if metadata.is_dir() || metadata.nlink() == 1 || counted.insert((metadata.dev(), metadata.ino()))
            {
                sum.bytes = sum.bytes.saturating_add(metadata.blocks().saturating_mul(512));
            }
        }
    }
    sum
}

/// Space of files that a process has open but that have no name any more: no folder shows them.
///
/// # Errors
///
/// When the process is gone or belongs to another user.
pub fn of_deleted_files(pid: u32) -> io::Result<u64> {
    let mut counted = BTreeSet::new();
    let mut bytes = 0_u64;
    for entry in fs::read_dir(format!("/proc/{pid}/fd"))?.flatten() {
        let Ok(file) = fs::metadata(entry.path()) else { continue };
        if file.is_file() && file.nlink() == 0 && counted.insert((file.dev(), file.ino())) {
            bytes = bytes.saturating_add(file.blocks().saturating_mul(512));
        }
    }
    Ok(bytes)
}

/// How many threads all processes of a user have.
///
/// # Errors
///
/// When `/proc` cannot be listed.
pub(super) fn threads_of_user(user: u32) -> io::Result<u64> {
    let processes = fs::read_dir("/proc")?.flatten();
    let pids = processes.filter_map(|entry| {
        let pid = entry.file_name().to_str()?.parse::<u32>().ok()?;
        (entry.metadata().ok()?.uid() == user).then_some(pid)
    });
    Ok(pids.filter_map(|pid| of_process(pid).ok()).map(|process| process.threads).sum())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn threads_and_memory_of_this_process() {
        let before = of_process(std::process::id()).unwrap();
        assert!(before.memory_bytes > 100_000, "{before:?}");
        let (release, wait) = std::sync::mpsc::channel::<()>();
        let thread = std::thread::spawn(move || wait.recv().is_err());
        assert!(of_process(std::process::id()).unwrap().threads >= 2);
        drop(release);
        assert!(thread.join().unwrap());
        assert!(of_process(u32::MAX).is_err());
    }

    #[test]
    fn folders_are_counted_without_following_links() {
        let outside = tempfile::tempdir().unwrap();
        fs::write(outside.path().join("large"), vec![1; 1 << 20]).unwrap();
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("inner")).unwrap();
        fs::write(folder.path().join("inner/file"), vec![1; 100_000]).unwrap();
        fs::hard_link(folder.path().join("inner/file"), folder.path().join("again")).unwrap();
        symlink(outside.path(), folder.path().join("link")).unwrap();
        symlink(".", folder.path().join("loop")).unwrap();

        let used = of_folder(folder.path(), 100);
        assert!(used.complete);
        assert_eq!(used.entries, 5);
        assert!((100_000..250_000).contains(&used.bytes), "{used:?}");

        let partly = of_folder(folder.path(), 3);
        assert_eq!((partly.entries, partly.complete), (3, false));
        assert_eq!(
            of_folder(&folder.path().join("none"), 3),
            FolderUse { complete: true, ..FolderUse::default() }
        );
    }

    #[test]
    fn deleted_files_that_are_open_count() {
        let own = std::process::id();
        let before = of_deleted_files(own).unwrap();
        let mut file = tempfile::tempfile().unwrap();
        io::Write::write_all(&mut file, &vec![1; 1 << 20]).unwrap();
        assert!(of_deleted_files(own).unwrap() >= before + (1 << 20));
    }
}
