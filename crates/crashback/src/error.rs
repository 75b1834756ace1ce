use std::fmt;

use serde::Serialize;

/// Why something could not be done, with advice in its message.
///
/// A crash that is not reproduced is a result and no error.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Error {
    /// Whose problem it is.
    pub kind: ErrorKind,
    /// What is wrong, and what to do about it.
    pub message: String,
}

/// Whose problem an error is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ErrorKind {
    /// The caller's: the request makes no sense.
    Usage,
    /// The input's: the log holds no usable trace, or trace and class path disagree.
    Disagreement,
    /// The machine's: it lacks a JDK, Maven, JUnit, space on a disk.
    Environment,
    /// Crashback's: a defect.
    Internal,
    /// Nobody's: the user wanted it to end.
    Interrupted,
}

impl Error {
    /// An error of some kind.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into() }
    }

    /// The user wanted it to end.
    pub fn interrupted() -> Self {
        Self::new(ErrorKind::Interrupted, "interrupted")
    }
}

impl ErrorKind {
    /// Its name in JSON and in stores.
    pub fn name(self) -> &'static str {
        match self {
            Self::Usage => "usage",
            Self::Disagreement => "disagreement",
            Self::Environment => "environment",
            Self::Internal => "internal",
            Self::Interrupted => "interrupted",
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}
