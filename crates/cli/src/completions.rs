//! `crashback completions`: a script for a shell, made from the definition of the command line.

use std::process::ExitCode;

use crate::args::{self, CompletionsArguments};
use crate::output;

/// Runs the command and gives its exit code.
pub(crate) fn run(arguments: &CompletionsArguments) -> ExitCode {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut args::definition(), "crashback", &mut script);
    output::code_of_print(output::print(&String::from_utf8_lossy(&script)))
}
