//! The `crashback` command: flags, colours, exit codes. Everything else lives in the libraries.

mod args;
mod demo;
mod environment;
mod exit;
mod explain;
mod output;
mod program;

use std::process::ExitCode;

fn main() -> ExitCode {
    let environment = environment::Environment::of_process();
    match args::parse(&environment) {
        Ok(command) => run(&command, &environment),
        Err(code) => code,
    }
}

fn run(command: &args::Command, environment: &environment::Environment) -> ExitCode {
    match command {
        args::Command::Explain(arguments) => explain::run(arguments, environment),
        args::Command::Demo(arguments) => demo::run(arguments, environment),
    }
}
