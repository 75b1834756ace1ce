//! Worker processes for this crate's own tests; no part of the product.
//!
//! `test-worker` is a real worker, as the product has it; `test-worker spoiling` is one that spoils
//! instrumented classes whose names begin with `Spoiled`. `test-worker fake [fault]` behaves like a
//! worker without having a JVM, and badly where a test asks for it.

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
        ["spoiling"] => crashback_jvm::worker::main_tampering(without_stack_map),
        _ => ExitCode::from(2),
    }
}

/// Calls the attributes with stack maps by a name that no JVM knows, in the classes that ask for it
/// by theirs.
fn without_stack_map(name: &str, class: &[u8]) -> Option<Vec<u8>> {
    const ATTRIBUTE: &[u8] = b"StackMapTable";
    let place = class
        .windows(ATTRIBUTE.len())
        .position(|it| it == ATTRIBUTE)
        .filter(|_| name.starts_with("Spoiled"))?;
    let mut spoiled = class.to_vec();
    spoiled.get_mut(place).into_iter().for_each(|first| *first = b'X');
    Some(spoiled)
}
