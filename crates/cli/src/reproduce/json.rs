//! The result as one JSON object, with the same fields on every exit.

use std::path::Path;

use crashback::{BetterRelease, Error, ErrorKind, ProjectFacts, Reproduction};
use crashback_program::frames::Move;
use serde::Serialize;

use super::{End, RecordedSettings};

#[derive(Serialize)]
pub(crate) struct Document {
    exit_code: u8,
    error: Option<Error>,
    /// The number of the crash in the log.
    crash: Option<usize>,
    /// How many distinct crashes the log has.
    crash_count: Option<usize>,
    /// How often the log has this one.
    occurrences: Option<usize>,
    /// The position of the exception in its cause chain.
    cause: Option<usize>,
    exception: Option<String>,
    message: Option<String>,
    /// In words, that the trace is from another Java.
    other_java: Option<String>,
    /// How the class path was ordered to fit the log.
    class_path_order: Vec<Move>,
    /// A release of an artifact that fits the log better.
    better_release: Option<BetterRelease>,
    /// In words, that a better release was looked for in vain.
    release_note: Option<String>,
    /// The module of the project that gave the class path.
    project_module: Option<ProjectFacts>,
    #[serde(flatten)]
    reproduction: Reproduction,
    settings: Option<RecordedSettings>,
    test_file: Option<String>,
    /// The command that runs the test.
    test_command: Option<String>,
    /// Where the test of a frame above is.
    outer_file: Option<String>,
}

pub(super) fn render(end: &End) -> Document {
    let attempt = end.attempt.as_ref();
    let reproduction = attempt.map_or_else(|| nothing(end), |it| it.reproduction.clone());
    Document {
        exit_code: end.code(),
        error: end.error.clone(),
        crash: attempt.map(|it| it.crash),
        crash_count: attempt.map(|it| it.crashes),
        occurrences: attempt.map(|it| it.occurrences),
        cause: attempt.map(|it| it.cause),
        exception: attempt.map(|it| it.exception.clone()),
        message: attempt.and_then(|it| it.message.clone()),
        other_java: attempt.and_then(|it| it.other_java.clone()),
        class_path_order: attempt.map(|it| it.moves.clone()).unwrap_or_default(),
        better_release: attempt.and_then(|it| it.better_release.clone()),
        release_note: attempt.and_then(|it| it.release_note.clone()),
        project_module: attempt.and_then(|it| it.project.as_ref()).map(|it| it.facts()),
        reproduction,
        settings: end.settings.clone(),
        test_file: end.test_file.as_deref().map(shown),
        test_command: end.test_command(),
        outer_file: end.outer_file.as_deref().map(shown),
    }
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// The object of a run that failed before there was a search.
pub(crate) fn failed(error: &Error, settings: Option<&RecordedSettings>) -> Document {
    render(&End::failed(error.clone(), settings.cloned()))
}

fn nothing(end: &End) -> Reproduction {
    let interrupted = end.error.as_ref().is_some_and(|it| it.kind == ErrorKind::Interrupted);
    let seed = end.settings.as_ref().map_or(0, RecordedSettings::seed);
    Reproduction { seed, interrupted, ..Reproduction::default() }
}
