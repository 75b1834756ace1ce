//! The explanation as one JSON object.

use crashback::{BetterRelease, Error, ProjectFacts};
use crashback_program::frames::{CrashAudit, Move};
use crashback_trace::{Problem, Relaxations};
use serde::Serialize;

use super::{Explained, Explanation};
use crate::exit;

#[derive(Serialize)]
pub(super) struct Document<'e> {
    exit_code: u8,
    error: Option<&'e Error>,
    /// How many distinct crashes the log has.
    crash_count: usize,
    crashes: Vec<CrashDocument<'e>>,
    project: &'e str,
    /// How the class path was ordered to fit the log.
    class_path_order: &'e [Move],
    /// A release of an artifact that fits the log better.
    better_release: Option<&'e BetterRelease>,
    /// In words, that a better release was looked for in vain.
    release_note: Option<&'e str>,
    /// The module of the project that gave the class path.
    project_module: Option<&'e ProjectFacts>,
    log_problems: &'e [Problem],
    class_path_problems: &'e [crashback_classpath::Problem],
}

#[derive(Serialize)]
struct CrashDocument<'e> {
    number: usize,
    #[serde(flatten)]
    audit: &'e CrashAudit,
    /// What must be relaxed to reach the highest target frame.
    relaxations: Relaxations,
    other_java: Option<&'e str>,
    thread: Option<&'e str>,
    first_line: usize,
    /// The line on which the last occurrence begins.
    last_line: usize,
    first_time: Option<&'e str>,
    last_time: Option<&'e str>,
    occurrences: usize,
    /// Which exception of the chain the audit is about, 1 for the outermost.
    cause: usize,
    cause_chain: Vec<&'e str>,
}

pub(super) fn render(explanation: &Explanation) -> Document<'_> {
    Document {
        exit_code: explanation.disagreement.as_ref().map_or(0, |it| exit::code(it.kind)),
        error: explanation.disagreement.as_ref(),
        crash_count: explanation.count,
        crashes: explanation.crashes.iter().map(crash).collect(),
        project: &explanation.scope_words,
        class_path_order: &explanation.moves,
        better_release: explanation.better_release.as_ref(),
        release_note: explanation.release_note.as_deref(),
        project_module: explanation.project.as_ref(),
        log_problems: &explanation.log_problems,
        class_path_problems: &explanation.class_path_problems,
    }
}

fn crash(explained: &Explained) -> CrashDocument<'_> {
    let distinct = &explained.distinct;
    CrashDocument {
        number: distinct.number,
        audit: &explained.chosen.audit,
        relaxations: explained.relaxations,
        other_java: explained.other_java.as_deref(),
        thread: distinct.crash.thread.as_deref(),
        first_line: distinct.crash.first_line,
        last_line: distinct.last_line,
        first_time: distinct.crash.time.as_deref(),
        last_time: distinct.last_time.as_deref(),
        occurrences: distinct.occurrences,
        cause: explained.cause_number(),
        cause_chain: distinct.crash.cause_chain().map(|(_, it)| it.class.as_str()).collect(),
    }
}
