//! Where models are written to.
//!
//! Invariants: an existing file is replaced only if it is one of models; a file is there completely or not
//! at all.

use std::fs::{self, Permissions};
use std::io::{self, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use crashback::{Error, ErrorKind, Models};
use crashback_model::FileError;

/// The file of models.
pub(super) struct ModelFile {
    pub(super) path: PathBuf,
}

impl ModelFile {
    /// Whether models can be written, before the work for them is done.
    pub(super) fn check(&self) -> Result<(), Error> {
        tempfile::tempfile_in(self.folder()).map_err(|error| self.failure(&error))?;
        match self.path.exists() && !self.has_models() {
            true => Err(Error::new(
                ErrorKind::Usage,
                format!("{} exists and is no file of models; name another file", self.path.display()),
            )),
            false => Ok(()),
        }
    }

    /// Writes models, in place of earlier ones.
    pub(super) fn write(&self, models: &Models) -> Result<(), Error> {
        self.try_write(&models.to_bytes()).map_err(|error| self.failure(&error))
    }

    /// The bytes go to a file beside the final one first.
    fn try_write(&self, bytes: &[u8]) -> io::Result<()> {
        // Readable as other documents are; the default is for secrets.
        let permissions = Permissions::from_mode(0o666);
        let builder = tempfile::Builder::new().prefix(".crashback").permissions(permissions).to_owned();
        let mut file = builder.tempfile_in(self.folder())?;
        file.write_all(bytes)?;
        file.as_file().sync_all()?;
        file.persist(&self.path).map(drop).map_err(|it| it.error)
    }

    /// Damaged models, and those of other versions, may be replaced too.
    fn has_models(&self) -> bool {
        fs::read(&self.path).is_ok_and(|it| Models::from_bytes(&it) != Err(FileError::NoModels))
    }

    fn folder(&self) -> &Path {
        match self.path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        }
    }

    fn failure(&self, error: &io::Error) -> Error {
        let message = format!("cannot write the models {}: {error}; name another file", self.path.display());
        Error::new(ErrorKind::Environment, message)
    }
}
