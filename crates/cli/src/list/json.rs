//! The list as one JSON object.

use crashback::Error;
use crashback_trace::Problem;
use serde::Serialize;

use super::{Listed, Listing};

#[derive(Serialize)]
pub(super) struct Document<'l> {
    exit_code: u8,
    error: Option<Error>,
    /// The number of the crash that `reproduce` takes.
    default: Option<usize>,
    project: Option<&'l str>,
    crashes: Vec<CrashDocument<'l>>,
    log_problems: &'l [Problem],
}

#[derive(Serialize)]
struct CrashDocument<'l> {
    number: usize,
    occurrences: usize,
    exception: Option<&'l str>,
    message: Option<&'l str>,
    cause_chain: Vec<&'l str>,
    thread: Option<&'l str>,
    first_line: usize,
    last_line: usize,
    first_time: Option<&'l str>,
    last_time: Option<&'l str>,
    innermost_frame: Option<String>,
    is_project: Option<bool>,
}

pub(super) fn render(listing: &Listing) -> Document<'_> {
    Document {
        exit_code: 0,
        error: None,
        default: listing.default,
        project: listing.scope_words.as_deref(),
        crashes: listing.crashes.iter().map(crash).collect(),
        log_problems: &listing.problems,
    }
}

fn crash(listed: &Listed) -> CrashDocument<'_> {
    let distinct = &listed.crash;
    let outermost = distinct.crash.outermost();
    CrashDocument {
        number: distinct.number,
        occurrences: distinct.occurrences,
        exception: outermost.map(|it| it.class.as_str()),
        message: outermost.and_then(|it| it.message.as_deref()),
        cause_chain: distinct.crash.cause_chain().map(|(_, it)| it.class.as_str()).collect(),
        thread: distinct.crash.thread.as_deref(),
        first_line: distinct.crash.first_line,
        last_line: distinct.last_line,
        first_time: distinct.crash.time.as_deref(),
        last_time: distinct.last_time.as_deref(),
        innermost_frame: distinct.innermost_frame().map(ToString::to_string),
        is_project: listed.is_project,
    }
}
