//! Reading a log from a file or standard input, the mapping that undoes its obfuscation, and reports of
//! recorded arguments.

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use crashback::{Error, ErrorKind, Mapping, recorded_calls};

/// The name that stacktale gives its reports unless it is told otherwise.
const USUAL_REPORT: &str = "errors-ai.log";

/// Where a log comes from.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    /// A file; `-` stands for standard input.
    File(PathBuf),
    /// The text itself.
    Text(String),
}

impl Source {
    /// The log in messages.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::File(path) => path.display().to_string(),
            Self::Text(_) => "the given log".to_owned(),
        }
    }

    /// The bytes of the log.
    pub(crate) fn read(&self) -> Result<Vec<u8>, Error> {
        let read = match self {
            Self::Text(text) => return Ok(text.as_bytes().to_vec()),
            Self::File(path) if path.as_os_str() == "-" => {
                let mut bytes = Vec::new();
                std::io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
            }
            Self::File(path) => fs::read(path),
        };
        read.map_err(|error| {
            let message = format!("cannot read the log {}: {error}; check the path", self.name());
            Error::new(ErrorKind::Usage, message)
        })
    }
}

/// The mapping of a file, if one is named.
pub(crate) fn mapping(path: Option<&Path>) -> Result<Option<Mapping>, Error> {
    let Some(path) = path else { return Ok(None) };
    let name = path.display();
    let text = fs::read(path).map_err(|error| {
        let message = format!("cannot read the mapping {name}: {error}; check the path");
        Error::new(ErrorKind::Usage, message)
    })?;
    let mapping = Mapping::read(text).ok_or_else(|| {
        let message =
            format!("{name} is no mapping of ProGuard or R8; give the mapping.txt of the build that crashed");
        Error::new(ErrorKind::Usage, message)
    })?;
    Ok(Some(mapping))
}

/// Reports of recorded arguments: those that are named and, if there is one, that beside the log.
pub(crate) fn reports(log: &Path, named: &[PathBuf]) -> Result<Vec<Vec<u8>>, Error> {
    let mut reports = Vec::new();
    for path in named {
        let wrong = |reason: &str| {
            let message = format!("cannot use the report {}: {reason}", path.display());
            Error::new(ErrorKind::Usage, message)
        };
        let report = fs::read(path).map_err(|error| wrong(&format!("{error}; check the path")))?;
        if recorded_calls(&report).is_empty() {
            return Err(wrong("it holds no arguments; stacktale records them with its agent attached"));
        }
        reports.push(report);
    }
    let beside = log.with_file_name(USUAL_REPORT);
    let is_other = log.as_os_str() != "-" && beside != log && !named.contains(&beside);
    // A report that nobody named and that cannot be read is none.
    reports.extend(is_other.then(|| fs::read(&beside).ok()).flatten());
    Ok(reports)
}
