//! Where a report is written to.
//!
//! Invariants: an existing file is replaced only if it is a report; a file is there completely or not at
//! all.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::PathBuf;

use crashback::{Error, ErrorKind};
use crashback_report::GENERATOR;

use crate::file;

/// The beginning of a report, up to the name of its generator and a little more.
const HEAD: u64 = 1024;

/// The file of a report.
pub(crate) struct ReportFile {
    pub(crate) path: PathBuf,
}

impl ReportFile {
    /// Whether the report can be written, before the work for it is done.
    pub(crate) fn check(&self) -> Result<(), Error> {
        file::check(&self.path).map_err(|error| self.failure(&error))?;
        match self.path.exists() && !self.is_report() {
            true => Err(Error::new(
                ErrorKind::Usage,
                format!("{} exists and is no report; name another file", self.path.display()),
            )),
            false => Ok(()),
        }
    }

    /// Writes a report, in place of an earlier one.
    pub(crate) fn write(&self, page: &str) -> Result<(), Error> {
        self.check()?;
        file::replace(&self.path, page.as_bytes()).map_err(|error| self.failure(&error))
    }

    fn is_report(&self) -> bool {
        let mut head = Vec::new();
        let read = File::open(&self.path).and_then(|it| it.take(HEAD).read_to_end(&mut head));
        read.is_ok() && String::from_utf8_lossy(&head).contains(&format!("content=\"{GENERATOR}\""))
    }

    fn failure(&self, error: &io::Error) -> Error {
        let message = format!("cannot write the report {}: {error}; name another file", self.path.display());
        Error::new(ErrorKind::Environment, message)
    }
}
