//! The `crashback` command: flags, colours, exit codes. Everything else lives in the libraries.

mod args;
mod campaign;
mod ci;
mod completions;
mod config;
mod demo;
mod doctor;
mod environment;
mod exit;
mod explain;
mod file;
mod interrupt;
mod list;
mod log;
mod man;
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
use std::time::Instant;

use crashback::{Error, ErrorKind};

fn main() -> ExitCode {
    // First of all: a child enters its sandbox while there is a single thread.
    if let Some(code) = crashback::serve(std::env::args_os().skip(1)) {
        return code;
    }
    #[expect(clippy::disallowed_methods, reason = "--verbose tells how long the command took")]
    let begun = Instant::now();
    let environment = environment::Environment::of_process();
    let args::CommandLine { command, verbosity } = match args::parse(&environment) {
        Ok(line) => line,
        Err(code) => return code,
    };
    let environment = environment::Environment { verbosity, ..environment };
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
    output::detail(verbosity, &format!("it took {:.1} s", begun.elapsed().as_secs_f64()));
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
        args::Command::Completions(arguments) => completions::run(arguments),
        args::Command::Man(arguments) => man::run(arguments, environment),
    }
}
