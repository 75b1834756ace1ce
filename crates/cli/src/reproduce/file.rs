//! Where a test is written to: below a folder of sources, in folders of its package.
//!
//! Invariants: no file is replaced unless that was asked for; a file is there completely or not at
//! all.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crashback::{ChosenModule, Error, ErrorKind};
use crashback_reproduce::WrittenTest;

use crate::file;

/// As much as a test may well have.
const ROOM: usize = 4096;

/// Where tests go.
#[derive(Clone, Debug)]
pub(crate) struct Destination {
    /// The folder of sources.
    pub(crate) folder: PathBuf,
    /// Whether an existing file is replaced.
    pub(crate) force: bool,
}

impl Destination {
    /// The same in the tests of a project's module, given by its name; without a module or its tests, the
    /// folder itself.
    pub(crate) fn in_project(&self, project: Option<&ChosenModule>, module: Option<&str>) -> Self {
        let folder = project.and_then(|it| it.test_folder(module)).unwrap_or(&self.folder).to_owned();
        Self { folder, force: self.force }
    }

    /// Whether files can be made in the folder, or in the one where it would be made.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let existing = self.folder.ancestors().find(|it| it.exists()).unwrap_or(Path::new(""));
        let folder = if existing.as_os_str().is_empty() { Path::new(".") } else { existing };
        // A disk that is full may still have room for the name of a file.
        let file = tempfile::tempfile_in(folder);
        file.and_then(|mut it| it.write_all(&[0; ROOM])).map_err(|error| self.failure(&error))
    }

    /// Fails if the test will be one of these files and all of them exist.
    pub(crate) fn check_free(&self, expected: &[PathBuf]) -> Result<(), Error> {
        let taken = expected.iter().map(|it| self.folder.join(it)).find(|it| it.exists());
        let are_all_taken = expected.iter().all(|it| self.folder.join(it).exists());
        match taken {
            Some(path) if are_all_taken && !self.force => Err(exists(&path)),
            _ => Ok(()),
        }
    }

    /// Writes a test and gives its path.
    pub(crate) fn write(&self, test: &WrittenTest) -> Result<PathBuf, Error> {
        let relative = path_of(test)?;
        let path = self.folder.join(relative);
        let written = self.try_write(&path, test);
        written.map(|()| path.clone()).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists if path.symlink_metadata().is_ok() => exists(&path),
            _ => self.failure(&error),
        })
    }

    fn try_write(&self, path: &Path, test: &WrittenTest) -> io::Result<()> {
        fs::create_dir_all(path.parent().unwrap_or(&self.folder))?;
        let bytes = test.source.as_bytes();
        if self.force { file::replace(path, bytes) } else { file::create(path, bytes) }
    }

    fn failure(&self, error: &io::Error) -> Error {
        let message = format!(
            "cannot write the test below {}: {error}; name another folder with --out",
            self.folder.display()
        );
        Error::new(ErrorKind::Environment, message)
    }
}

fn exists(path: &Path) -> Error {
    let message = format!(
        "{} exists already; replace it with --force, or name another folder with --out",
        path.display()
    );
    Error::new(ErrorKind::Environment, message)
}

/// Where a test belongs below a folder of sources.
fn path_of(test: &WrittenTest) -> Result<PathBuf, Error> {
    let folders = test.package.split('.').filter(|it| !it.is_empty());
    let path: PathBuf = folders.chain([format!("{}.java", test.class).as_str()]).collect();
    // Names come from class files, where nearly everything is a name.
    if test.class.is_empty() || test.class.contains('/') || test.package.contains('/') {
        let message = format!("{}.{} is no name for a test", test.package, test.class);
        return Err(Error::new(ErrorKind::Internal, message));
    }
    Ok(path)
}
