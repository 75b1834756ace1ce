//! The `crashback` command: flags, colours, exit codes. Everything else lives in the libraries.

mod args;
mod demo;
mod environment;
mod exit;
mod explain;
mod output;
mod program;

use std::panic;
use std::process::ExitCode;

use exit::{Failure, FailureKind};

fn main() -> ExitCode {
    let environment = environment::Environment::of_process();
    let command = match args::parse(&environment) {
        Ok(command) => command,
        Err(code) => return code,
    };
    // A panic is a defect of ours; the hook has already said where it is.
    panic::catch_unwind(|| run(&command, &environment)).unwrap_or_else(|_| {
        let failure = Failure::new(
            FailureKind::Internal,
            "an internal error; please report it with the message above and, if you may, the log",
        );
        output::report_failure(&failure, environment.wants_json())
    })
}

fn run(command: &args::Command, environment: &environment::Environment) -> ExitCode {
    match command {
        args::Command::Explain(arguments) => explain::run(arguments, environment),
        args::Command::Demo(arguments) => demo::run(arguments, environment),
    }
}
