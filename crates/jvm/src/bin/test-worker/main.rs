//! Worker processes for this crate's own tests; no part of the product.
//!
//! `test-worker` is a real worker, as the product has it. `test-worker fake [fault]` behaves like a worker without having a JVM, and badly
//! where a test asks for it.

mod fake;

use std::env;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        ["fake"] => fake::run(None),
        ["fake", fault] => fake::run(Some(fault)),
        [] => crashback_jvm::worker::main(),
        _ => ExitCode::from(2),
    }
}
