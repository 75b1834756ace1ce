//! Where models are written to.
//!
//! Invariants: an existing file is replaced only if it is one of models; a file is there completely or not
//! at all.

use std::fs;
use std::io;
use std::path::PathBuf;

use crashback::{Error, ErrorKind, Models};
use crashback_model::FileError;

use crate::file;

/// The file of models.
pub(super) struct ModelFile {
    pub(super) path: PathBuf,
}

impl ModelFile {
    /// Whether models can be written, before the work for them is done.
    pub(super) fn check(&self) -> Result<(), Error> {
        file::check(&self.path).map_err(|error| self.failure(&error))?;
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
        file::replace(&self.path, &models.to_bytes()).map_err(|error| self.failure(&error))
    }

    /// Damaged models, and those of other versions, may be replaced too.
    fn has_models(&self) -> bool {
        fs::read(&self.path).is_ok_and(|it| Models::from_bytes(&it) != Err(FileError::NoModels))
    }

    fn failure(&self, error: &io::Error) -> Error {
        let message = format!("cannot write the models {}: {error}; name another file", self.path.display());
        Error::new(ErrorKind::Environment, message)
    }
}
