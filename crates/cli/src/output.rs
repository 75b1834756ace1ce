//! Standard output and standard error. A reader that closed its end is no error of ours.

use std::io::{ErrorKind, Write as _};
use std::process::ExitCode;

use crashback::Error;
use serde::Serialize;
use serde_json::{Value, json};

use crate::args::Verbosity;
use crate::exit;

/// Prints a result on standard output; colours go where the terminal and `NO_COLOR` allow them.
/// False if it is lost, of which the user is told.
pub(crate) fn print(text: &str) -> bool {
    let mut stream = anstream::stdout().lock();
    match stream.write_all(text.as_bytes()).and_then(|()| stream.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            tell(&format!("crashback: cannot write to standard output: {error}"));
            false
        }
        _ => true,
    }
}

/// Tells the user something beside the result, on standard error.
pub(crate) fn tell(text: &str) {
    let mut stream = anstream::stderr().lock();
    drop(writeln!(stream, "{text}"));
}

/// Tells of something that the result does not need; not where quiet is asked for.
pub(crate) fn note(verbosity: Verbosity, text: &str) {
    if !verbosity.quiet {
        tell(text);
    }
}

/// Tells how the result comes about, where that is asked for.
pub(crate) fn detail(verbosity: Verbosity, text: &str) {
    if verbosity.verbose {
        tell(text);
    }
}

/// Prints the one JSON object of a run, and tells whether it is there.
pub(crate) fn print_json(value: &impl Serialize) -> bool {
    print(&json_text(value))
}

/// A value as JSON, with a line end.
pub(crate) fn json_text(value: &impl Serialize) -> String {
    match serde_json::to_string_pretty(value) {
        Ok(text) => format!("{text}\n"),
        Err(error) => {
            tell(&format!("crashback: cannot write the result as JSON: {error}"));
            String::new()
        }
    }
}

/// The exit code of a command that has nothing to report but its result.
pub(crate) fn code_of_print(printed: bool) -> ExitCode {
    if printed { ExitCode::SUCCESS } else { ExitCode::from(exit::code(crashback::ErrorKind::Environment)) }
}

/// Tells of a failure, in JSON too if that was asked for, and gives the exit code.
pub(crate) fn report_failure(failure: &Error, as_json: bool) -> ExitCode {
    tell(&format!("crashback: {failure}"));
    if as_json {
        print_json(&failed(failure));
    }
    exit::code_of(failure)
}

/// The JSON object of a run that failed before it had anything to show.
pub(crate) fn failed(failure: &Error) -> Value {
    json!({ "exit_code": exit::code(failure.kind), "error": failure, "crashes": [] })
}
