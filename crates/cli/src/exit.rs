//! The documented exit codes.

use std::process::ExitCode;

use crashback::{Error, ErrorKind};

/// The exit code of a kind of error: part of the user interface.
pub(crate) fn code(kind: ErrorKind) -> u8 {
    match kind {
        ErrorKind::Usage => 2,
        ErrorKind::Disagreement => 3,
        ErrorKind::Environment => 4,
        ErrorKind::Internal => 5,
        ErrorKind::Interrupted => 130,
    }
}

/// What the process exits with after an error.
pub(crate) fn code_of(error: &Error) -> ExitCode {
    ExitCode::from(code(error.kind))
}
