//! Folders that workers may write to. None of them outlives its worker, nor the next pool in the
//! same place.
//!
//! A pool has one folder, `crashback-<process>-<number>`, and holds a lock on it (`flock(2)`) as
//! long as it lives; the kernel releases the lock however the process ends. A folder of that name
//! without a lock is what a killed pool left behind, and the next pool removes it. Folders that
//! others than pools make have a longer prefix and are removed in the same way.

use std::fs::{self, DirBuilder, File, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};

/// A temporary folder with a lock. Dropping it removes it with all that is in it; where its process is
/// killed, the next one that makes a folder with the same prefix in the same place removes it.
#[derive(Debug)]
pub struct LockedFolder {
    path: PathBuf,
    _lock: File,
}

impl LockedFolder {
    /// Makes the folder `<prefix><process>-<number>` below `root`, after removing those of processes that are
    /// gone.
    ///
    /// # Errors
    ///
    /// If there is no such root, or no folder can be made or locked there.
    pub fn new(root: &Path, prefix: &str) -> io::Result<Self> {
        let root = fs::canonicalize(root)?;
        remove_stale(&root, prefix);
        let mut number = 0_u32;
        loop {
            let path = root.join(format!("{prefix}{}-{number}", process::id()));
            match make_private(&path) {
                Ok(()) => {
                    if let Some(lock) = lock_own(&path)? {
                        return Ok(Self { path, _lock: lock });
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
            number = number.checked_add(1).ok_or(io::ErrorKind::AlreadyExists)?;
        }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for LockedFolder {
    fn drop(&mut self) {
        remove_tree(&self.path);
    }
}

/// The folder of a pool.
#[derive(Debug)]
pub(super) struct ScratchRoot {
    folder: LockedFolder,
    /// How many folders were made.
    count: AtomicU64,
}

impl ScratchRoot {
    /// Makes a folder below `root`, after removing those of pools that are gone.
    pub(super) fn new(root: &Path) -> io::Result<Self> {
        Ok(Self { folder: LockedFolder::new(root, PREFIX)?, count: AtomicU64::new(0) })
    }

    /// A new folder for one worker.
    pub(super) fn folder(&self) -> io::Result<Scratch> {
        let path = self.folder.path.join(self.count.fetch_add(1, Ordering::Relaxed).to_string());
        make_private(&path)?;
        Ok(Scratch { path })
    }
}

/// The folder of a worker. Dropping it removes it with all that is in it.
#[derive(Debug)]
pub(super) struct Scratch {
    path: PathBuf,
}

impl Scratch {
    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        remove_tree(&self.path);
    }
}

const PREFIX: &str = "crashback-";

fn make_private(path: &Path) -> io::Result<()> {
    DirBuilder::new().mode(0o700).create(path)
}

/// None if another pool took the folder for a stale one before it was locked.
fn lock_own(path: &Path) -> io::Result<Option<File>> {
    let Ok(folder) = File::open(path) else { return Ok(None) };
    folder.lock()?;
    let same = fs::symlink_metadata(path).is_ok_and(|there| is_same(&there, &folder));
    Ok(same.then_some(folder))
}

fn is_same(there: &fs::Metadata, open: &File) -> bool {
    open.metadata().is_ok_and(|here| (here.dev(), here.ino()) == (there.dev(), there.ino()))
}

/// Only folders of our own name and user are looked at. What cannot be removed stays.
fn remove_stale(root: &Path, prefix: &str) {
    let Ok(own) = fs::metadata("/proc/self") else { return };
    for entry in fs::read_dir(root).into_iter().flatten().flatten() {
        let path = entry.path();
        let ours = entry.file_name().to_str().is_some_and(|it| is_name(it, prefix))
            && fs::symlink_metadata(&path).is_ok_and(|it| it.is_dir() && it.uid() == own.uid());
        if ours
            && let Ok(folder) = File::open(&path)
            && folder.try_lock().is_ok()
            && fs::symlink_metadata(&path).is_ok_and(|there| is_same(&there, &folder))
        {
            remove_tree(&path);
        }
    }
}

fn is_name(name: &str, prefix: &str) -> bool {
    let numbers = name.strip_prefix(prefix).and_then(|rest| rest.split_once('-'));
    numbers.is_some_and(|(process, number)| process.parse::<u32>().is_ok() && number.parse::<u32>().is_ok())
}

/// Removes a folder with everything in it. Links are not followed.
fn remove_tree(path: &Path) {
    if fs::remove_dir_all(path).is_err() {
        make_removable(path);
        // What is still there is in use by somebody else or belongs to another user: the next pool
        // tries again.
        let _ = fs::remove_dir_all(path);
    }
}

/// Removing needs an open descriptor for every folder on the way down: deeper ones are moved up.
const DEEPEST: usize = 100;

/// Opens folders that were made unreadable and takes those apart that are nested too deeply.
fn make_removable(path: &Path) {
    let mut open = vec![(path.to_path_buf(), 0)];
    let mut moved = 0;
    while let Some((folder, depth)) = open.pop() {
        let _ = fs::set_permissions(&folder, Permissions::from_mode(0o700));
        let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
        for inner in entries.filter(|it| it.file_type().is_ok_and(|kind| kind.is_dir())) {
            let above = path.join(format!("moved-{moved}"));
            if depth >= DEEPEST && !above.exists() && fs::rename(inner.path(), &above).is_ok() {
                moved += 1;
                open.push((above, 1));
            } else {
                open.push((inner.path(), depth + 1));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(root: &Path) -> Vec<String> {
        let mut names: Vec<_> =
            fs::read_dir(root).unwrap().map(|it| it.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn folders_go_with_their_owners() {
        let root = tempfile::tempdir().unwrap();
        let first = ScratchRoot::new(root.path()).unwrap();
        let second = ScratchRoot::new(root.path()).unwrap();
        let folder = second.folder().unwrap();
        assert_eq!(fs::metadata(folder.path()).unwrap().mode() & 0o777, 0o700);
        fs::write(folder.path().join("file"), "text").unwrap();
        let deep = folder.path().join("a/b");
        fs::create_dir_all(&deep).unwrap();
        fs::set_permissions(&deep, Permissions::from_mode(0o000)).unwrap();
        let kept = folder.path().to_path_buf();
        drop(folder);
        assert!(!kept.exists());
        assert_eq!(names(root.path()).len(), 2);
        drop(first);
        drop(second);
        assert!(names(root.path()).is_empty());
    }

    #[test]
    fn folders_nested_deeper_than_descriptors_reach_are_removed() {
        let root = tempfile::tempdir().unwrap();
        let scratch = ScratchRoot::new(root.path()).unwrap();
        let folder = scratch.folder().unwrap();
        fs::create_dir_all(folder.path().join("d/".repeat(500))).unwrap();
        make_removable(folder.path());
        assert!(fs::read_dir(folder.path()).unwrap().count() > 4, "taken apart");
        let kept = folder.path().to_path_buf();
        drop(folder);
        assert!(!kept.exists());
    }

    #[test]
    fn only_folders_of_pools_that_are_gone_are_removed() {
        let root = tempfile::tempdir().unwrap();
        let alive = ScratchRoot::new(root.path()).unwrap();
        for stale in ["crashback-1-0", "crashback-4000000000-12"] {
            fs::create_dir_all(root.path().join(stale).join("0/deep")).unwrap();
        }
        let others = ["crashback-1-0-0", "crashback-notes", "crashback--", "mycrashback-1-0"];
        for other in others {
            fs::create_dir(root.path().join(other)).unwrap();
        }
        fs::write(root.path().join("crashback-1-1"), "a file").unwrap();
        drop(ScratchRoot::new(root.path()).unwrap());
        assert!(alive.folder.path.exists());
        drop(alive);
        let mut expected: Vec<&str> = others.into_iter().chain(["crashback-1-1"]).collect();
        expected.sort_unstable();
        assert_eq!(names(root.path()), expected);
    }

    #[test]
    fn folders_with_another_prefix_are_left_alone() {
        let root = tempfile::tempdir().unwrap();
        for stale in ["crashback-1-0", "crashback-verify-1-0", "crashback-tool-1-0"] {
            fs::create_dir_all(root.path().join(stale).join("0")).unwrap();
        }
        let alive = LockedFolder::new(root.path(), "crashback-verify-").unwrap();
        drop(LockedFolder::new(root.path(), "crashback-verify-").unwrap());
        assert!(alive.path().exists(), "a folder of the same process that is still in use");
        drop(alive);
        assert_eq!(names(root.path()), ["crashback-1-0", "crashback-tool-1-0"]);
        drop(ScratchRoot::new(root.path()).unwrap());
        assert_eq!(names(root.path()), ["crashback-tool-1-0"]);
    }
}
