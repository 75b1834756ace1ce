//! The documented exit codes, and the failures that lead to them.

use std::fmt;
use std::process::ExitCode;

use serde::{Serialize, Serializer};

/// Why a command could not do its job; the number of each kind is part of the user interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FailureKind {
    /// The command line makes no sense.
    Usage,
    /// The log holds no usable trace, or trace and class path disagree.
    Disagreement,
    /// The machine lacks something: a JDK, Maven, a readable folder.
    Environment,
    /// A defect of Crashback.
    Internal,
    /// The user, or the system, wanted it to end.
    Interrupted,
}

impl FailureKind {
    pub(crate) fn code(self) -> u8 {
        match self {
            Self::Usage => 2,
            Self::Disagreement => 3,
            Self::Environment => 4,
            Self::Internal => 5,
            Self::Interrupted => 130,
        }
    }

    /// As it is called in JSON and in stores.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Usage => "usage",
            Self::Disagreement => "disagreement",
            Self::Environment => "environment",
            Self::Internal => "internal",
            Self::Interrupted => "interrupted",
        }
    }
}

impl Serialize for FailureKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// A failure as the user sees it: what is wrong, and what to do about it.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Failure {
    pub(crate) kind: FailureKind,
    pub(crate) message: String,
}

impl Failure {
    pub(crate) fn new(kind: FailureKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into() }
    }

    /// The user, or the system, wanted the command to end.
    pub(crate) fn interrupted() -> Self {
        Self::new(FailureKind::Interrupted, "interrupted")
    }

    pub(crate) fn exit_code(&self) -> ExitCode {
        ExitCode::from(self.kind.code())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Failure {}
