//! All files of a jar or folder, by path: those of tests and sources, which are no part of a class path.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::archive::{Archive, ArchiveEntry, EntryReader};
use crate::directory;

/// How many files of a jar or folder are listed.
const MOST_FILES: usize = 100_000;

/// The files of a jar or folder. Whatever cannot be read is not there.
pub struct FileTree {
    root: PathBuf,
    /// The entries of a jar; none for a folder.
    entries: Option<BTreeMap<String, ArchiveEntry>>,
}

impl FileTree {
    /// Lists the entries of a jar. The files of a folder are listed when they are asked for.
    pub fn open(root: &Path) -> Self {
        let entries = (!root.is_dir()).then(|| entries(root));
        Self { root: root.to_owned(), entries }
    }

    /// The paths of all files, with `/` between folders, in an order that depends on names alone.
    pub fn paths(&self) -> Vec<String> {
        match &self.entries {
            Some(entries) => entries.keys().cloned().collect(),
            None => {
                let mut paths = directory::files(&self.root, MOST_FILES, |_| true);
                paths.sort();
                paths
            }
        }
    }

    /// The content of a file; none if there is no such file, or it has more bytes.
    pub fn read(&self, path: &str, most: usize) -> Option<Vec<u8>> {
        let fits = |size: u64| usize::try_from(size).is_ok_and(|it| it <= most);
        let Some(entries) = &self.entries else {
            // A path may come from a log, and must not lead out of the folder.
            let is_inside = Path::new(path).components().all(|it| matches!(it, Component::Normal(_)));
            let file = is_inside.then(|| self.root.join(path))?;
            let size = fs::metadata(&file).ok().filter(fs::Metadata::is_file)?.len();
            return fits(size).then(|| fs::read(&file).ok())?;
        };
        let entry = entries.get(path).filter(|it| fits(it.size))?;
        let archive = Archive::open(&self.root).ok()?;
        EntryReader::new().read(&archive, entry).ok().map(<[u8]>::to_vec)
    }
}

fn entries(jar: &Path) -> BTreeMap<String, ArchiveEntry> {
    let mut entries = BTreeMap::new();
    let Ok(archive) = Archive::open(jar) else { return entries };
    // Records before a damaged one are used all the same.
    let _ = archive.visit(|_, path, entry| {
        if entries.len() < MOST_FILES {
            entries.insert(String::from_utf8_lossy(path).into_owned(), entry);
        }
    });
    entries
}
