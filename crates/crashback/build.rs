//! Compiles the classes of `java/observe` for Java 8 and lists them for `src/observed`.

#![expect(
    clippy::disallowed_methods,
    reason = "a build script is told where to work by the environment, and starts the compiler"
)]

#[path = "../../java/compile.rs"]
mod compile;

use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    compile::build("../../java/observe", |classes| {
        fs::write(classes.with_file_name("observe_classes.rs"), list(classes)?)?;
        Ok(())
    })
}

/// A Rust expression: the files of all classes, with their paths.
fn list(classes: &Path) -> Result<String, Box<dyn Error>> {
    let mut list = String::from("&[\n");
    for file in compile::files(classes, "class")? {
        let name = file.strip_prefix(classes)?.to_str().ok_or("class names are text")?;
        writeln!(list, "    ({name:?}, include_bytes!({file:?})),")?;
    }
    list.push_str("]\n");
    Ok(list)
}
