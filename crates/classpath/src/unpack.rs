//! Packaged applications as class paths: jars of Spring Boot, war files, and both unpacked.
//!
//! Their own classes and the jars inside them are found by loaders of their containers alone. A JVM of
//! Crashback's has no such loader: the archives are unpacked once, and their parts stand in their place.

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use crate::Error;
use crate::archive::{Archive, ArchiveEntry, EntryReader};
use crate::expand::jars_in;

/// Folders that containers use as the root of classes.
const CLASSES: [&str; 2] = ["BOOT-INF/classes", "WEB-INF/classes"];
/// Folders in which containers look for jars.
const JARS: [&str; 3] = ["BOOT-INF/lib", "WEB-INF/lib", "WEB-INF/lib-provided"];

/// A class path with packaged applications replaced by their parts. Archives are unpacked below a folder, in
/// which an equal one is unpacked once for all.
///
/// # Errors
///
/// If an archive cannot be unpacked. Those that cannot be read at all are left as they are: the class path
/// lists them as problems.
pub fn expand(entries: &[PathBuf], folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let mut expanded = Vec::new();
    for entry in entries {
        match parts(entry, folder)? {
            Some(parts) => expanded.extend(parts),
            None => expanded.push(entry.clone()),
        }
    }
    Ok(expanded)
}

/// Whether any of the entries is a packaged application in an archive, so that a folder is needed.
pub fn is_needed(entries: &[PathBuf]) -> bool {
    entries.iter().any(|it| Packaged::open(it).is_some())
}

fn parts(entry: &Path, folder: &Path) -> Result<Option<Vec<PathBuf>>, Error> {
    if entry.is_dir() {
        return Ok(Some(unpacked_parts(entry)).filter(|it| !it.is_empty()));
    }
    let Some(packaged) = Packaged::open(entry) else { return Ok(None) };
    let name = entry.file_name().map(PathBuf::from).unwrap_or_default();
    let home = folder.join(format!("{:032x}", packaged.hash));
    let target = home.join(&name);
    if !target.is_dir() {
        packaged.unpack(&home, &target).map_err(|error| Error::Unpack {
            archive: entry.to_owned(),
            folder: folder.to_owned(),
            reason: error.to_string(),
        })?;
    }
    Ok(Some(unpacked_parts(&target)))
}

/// The classes of an unpacked application, then its jars by name.
fn unpacked_parts(root: &Path) -> Vec<PathBuf> {
    let classes = CLASSES.iter().map(|it| root.join(it)).filter(|it| it.is_dir());
    let jars = JARS.iter().flat_map(|it| jars_in(&root.join(it)).unwrap_or_default());
    classes.chain(jars).collect()
}

/// An archive of an application.
struct Packaged {
    archive: Archive<rawzip::FileReader>,
    hash: u128,
    /// What is to be unpacked.
    entries: Vec<(PathBuf, ArchiveEntry)>,
}

impl Packaged {
    /// None for everything else.
    fn open(path: &Path) -> Option<Self> {
        if !path.is_file() {
            return None;
        }
        let archive = Archive::open(path).ok().filter(|it| it.mentions(&["BOOT-INF/", "WEB-INF/"]))?;
        let mut entries = Vec::new();
        let visited = archive.visit(|_, path, entry| {
            let path = String::from_utf8_lossy(path);
            let is_part = CLASSES.iter().chain(&JARS).any(|it| is_below(&path, it));
            let path = PathBuf::from(path.into_owned());
            // A path that leads elsewhere is no name of a class or jar.
            if is_part && path.components().all(|it| matches!(it, Component::Normal(_))) {
                entries.push((path, entry));
            }
        });
        visited.ok()?;
        let hash = archive.fingerprint().ok()?.hash;
        (!entries.is_empty()).then_some(Self { archive, hash, entries })
    }

    /// Unpacks into a folder beside the final one first: it is there as a whole or not at all.
    fn unpack(&self, home: &Path, target: &Path) -> io::Result<()> {
        fs::create_dir_all(home)?;
        let fresh = tempfile::Builder::new().prefix(".new-").tempdir_in(home)?;
        let mut reader = EntryReader::new();
        for (path, entry) in &self.entries {
            let file = fresh.path().join(path);
            let content = reader.read(&self.archive, entry);
            let content =
                content.map_err(|error| io::Error::other(format!("{}: {error}", path.display())))?;
            if let Some(folder) = file.parent() {
                fs::create_dir_all(folder)?;
            }
            fs::write(file, content)?;
        }
        match fs::rename(fresh.path(), target) {
            // Another process was quicker.
            Err(_) if target.is_dir() => Ok(()),
            done => done,
        }
    }
}

fn is_below(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|it| it.starts_with('/'))
}
