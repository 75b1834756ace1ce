//! The `crashback` command: flags, colours, exit codes. Everything else lives in the libraries.

mod args;
mod campaign;
mod config;
mod demo;
mod doctor;
mod environment;
mod exit;
mod explain;
mod interrupt;
mod list;
mod log;
mod mcp;
mod model;
mod output;
mod program;
mod report;
mod reproduce;
#[cfg(test)]
mod screen;
mod shell;
mod tuning;
mod verify;

use std::panic;
use std::process::ExitCode;

use crashback::{Error, ErrorKind};

fn main() -> ExitCode {
    // First of all: a child enters its sandbox while there is a single thread.
    if let Some(code) = crashback::serve(std::env::args_os().skip(1)) {
        return code;
    }
    let environment = environment::Environment::of_process();
    let command = match args::parse(&environment) {
        Ok(command) => command,
        Err(code) => return code,
    };
    let interrupts = interrupt::Interrupts::install();
    // A panic is a defect of Crashback; the hook has already said where it is.
    let code = panic::catch_unwind(|| run(&command, &environment, &interrupts)).unwrap_or_else(|_| {
        let failure = Error::new(
            ErrorKind::Internal,
            "an internal error; please report it with the message above and, if you may, the log",
        );
        interrupts.speak_for_yourself();
        output::tell(&format!("crashback: {failure}"));
        if environment.wants_json() {
            args::print_failure(&failure, &environment);
        }
        exit::code_of(&failure)
    });
    if interrupts.happened() && !command.handles_interruptions() {
        return ExitCode::from(exit::code(ErrorKind::Interrupted));
    }
    code
}

fn run(
    command: &args::Command,
    environment: &environment::Environment,
    interrupts: &interrupt::Interrupts,
) -> ExitCode {
    match command {
        args::Command::Explain(arguments) => explain::run(arguments, environment, interrupts),
        args::Command::List(arguments) => list::run(arguments, environment, interrupts),
        args::Command::Reproduce(arguments) => reproduce::run(arguments, environment, interrupts),
        args::Command::Demo(arguments) => demo::run(arguments, environment, interrupts),
        args::Command::Campaign(arguments) => campaign::run(arguments, environment, interrupts),
        args::Command::Model(arguments) => model::run(arguments, environment, interrupts),
        args::Command::Doctor(arguments) => doctor::run(arguments, environment, interrupts),
        args::Command::VerifyInstrumentation(arguments) => verify::run(arguments, environment, interrupts),
        args::Command::Config(arguments) => config::run(arguments, &args::command(), environment),
        args::Command::Tuning(arguments) => tuning::run(arguments),
        args::Command::Mcp => mcp::run(environment, interrupts),
    }
}
