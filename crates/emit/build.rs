//! Compiles the classes of `java/verify` for Java 8; `src/verify` embeds them.

#![expect(
    clippy::disallowed_methods,
    reason = "a build script is told where to work by the environment, and starts the compiler"
)]

#[path = "../../java/compile.rs"]
mod compile;

use std::process::ExitCode;

fn main() -> ExitCode {
    compile::build("../../java/verify", |_| Ok(()))
}
