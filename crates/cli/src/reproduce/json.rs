//! The result as one JSON object, with the same fields on every exit.

use std::path::Path;

use crashback_reproduce::Reproduction;
use serde::Serialize;

use super::End;
use crate::exit::{Failure, FailureKind};

#[derive(Serialize)]
pub(crate) struct Document {
    exit_code: u8,
    error: Option<Failure>,
    /// The number of the crash in the log.
    crash: Option<usize>,
    /// Which exception of the cause chain.
    cause: Option<usize>,
    exception: Option<String>,
    message: Option<String>,
    #[serde(flatten)]
    reproduction: Reproduction,
    test_file: Option<String>,
}

pub(super) fn render(end: &End) -> Document {
    let attempt = end.attempt.as_ref();
    Document {
        exit_code: end.code(),
        error: end.failure.clone(),
        crash: attempt.map(|it| it.number),
        cause: attempt.map(|it| it.cause),
        exception: attempt.map(|it| it.exception.clone()),
        message: attempt.and_then(|it| it.message.clone()),
        reproduction: attempt.map_or_else(|| nothing(end), |it| it.reproduction.clone()),
        test_file: end.test_file.as_deref().map(|it: &Path| it.display().to_string()),
    }
}

/// The object of a run that failed before there was a search.
pub(crate) fn failed(failure: &Failure, seed: u64) -> Document {
    render(&End::failed(failure.clone(), seed))
}

fn nothing(end: &End) -> Reproduction {
    let interrupted = end.failure.as_ref().is_some_and(|it| it.kind == FailureKind::Interrupted);
    Reproduction { seed: end.seed, interrupted, ..Reproduction::default() }
}
