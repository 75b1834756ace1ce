//! The `crashback` command: flags, colours, exit codes. Everything else lives in the libraries.

mod args;
mod campaign;
mod confined;
mod demo;
mod doctor;
mod environment;
mod exit;
mod explain;
mod interrupt;
mod log;
mod output;
mod program;
mod reproduce;
mod verify;
mod workers;

use std::panic;
use std::process::ExitCode;

use exit::{Failure, FailureKind};

fn main() -> ExitCode {
    let environment = environment::Environment::of_process();
    let command = match args::parse(&environment) {
        Ok(command) => command,
        Err(code) => return code,
    };
    // The sandbox is entered while there is a single thread.
    match &command {
        args::Command::Worker => return crashback_jvm::worker::main(),
        args::Command::Confined(arguments) => return confined::run(arguments),
        _ => {}
    }
    let interrupts = interrupt::Interrupts::install();
    // A panic is a defect of ours; the hook has already said where it is.
    let code = panic::catch_unwind(|| run(&command, &environment, &interrupts)).unwrap_or_else(|_| {
        let failure = Failure::new(
            FailureKind::Internal,
            "an internal error; please report it with the message above and, if you may, the log",
        );
        interrupts.speak_for_yourself();
        output::tell(&format!("crashback: {failure}"));
        if environment.wants_json() {
            args::print_failure(&failure, &environment);
        }
        failure.exit_code()
    });
    if interrupts.happened() && !command.minds_interruptions() {
        return ExitCode::from(FailureKind::Interrupted.code());
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
        args::Command::Reproduce(arguments) => reproduce::run(arguments, environment, interrupts),
        args::Command::Demo(arguments) => demo::run(arguments, environment, interrupts),
        args::Command::Campaign(arguments) => campaign::run(arguments, environment, interrupts),
        args::Command::Doctor(arguments) => doctor::run(arguments, environment, interrupts),
        args::Command::VerifyInstrumentation(arguments) => verify::run(arguments, environment, interrupts),
        args::Command::Worker => crashback_jvm::worker::main(),
        args::Command::Confined(arguments) => confined::run(arguments),
    }
}
