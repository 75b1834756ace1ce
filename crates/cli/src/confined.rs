//! Programs of a JDK inside the sandbox: this program once more, as `crashback confined`, which
//! becomes the other one.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use crashback_jvm::confined::Confined;

use crate::args::ConfinedArguments;
use crate::exit::{Failure, FailureKind};
use crate::output;

/// Becomes the program. Comes back only with a failure.
pub(crate) fn run(arguments: &ConfinedArguments) -> ExitCode {
    let confined = Confined {
        java_home: arguments.java_home.clone(),
        read: arguments.read.clone(),
        scratch: arguments.scratch.clone(),
        parent: arguments.parent,
        without_sandbox: arguments.sandbox.unsafe_no_sandbox,
    };
    match confined.become_program(&arguments.program, &arguments.arguments) {
        Ok(never) => match never {},
        Err(error) => {
            output::report_failure(&Failure::new(FailureKind::Environment, error.to_string()), false)
        }
    }
}

/// How tests are compiled and run once more, outside of workers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Launcher<'a> {
    /// The file of the running program.
    pub(crate) executable: &'a Path,
    pub(crate) java_home: &'a Path,
    /// The class path and the jars of JUnit.
    pub(crate) read: &'a [PathBuf],
    pub(crate) scratch: &'a Path,
    pub(crate) without_sandbox: bool,
}

impl Launcher<'_> {
    /// The command that runs a program of the JDK. Whoever starts it is the thread that it ends
    /// with. As with workers the environment is empty but for the encoding of file names.
    #[expect(clippy::disallowed_methods, reason = "verifying a test starts a compiler and JVMs")]
    pub(crate) fn command(&self, program: &Path, arguments: &[OsString]) -> Command {
        let mut command = Command::new(self.executable);
        command.arg("confined").arg("--java-home").arg(self.java_home).arg("--scratch").arg(self.scratch);
        command.args(self.read.iter().flat_map(|path| ["--read".as_ref(), path.as_os_str()]));
        command.arg("--parent").arg(std::process::id().to_string());
        command.args(self.without_sandbox.then_some("--unsafe-no-sandbox"));
        command.arg(program).arg("--").args(arguments);
        command.env_clear().env("LC_ALL", "C.UTF-8");
        command
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{self, Command as Parsed};
    use crate::environment::Environment;

    #[test]
    fn what_a_command_says_is_what_is_understood() {
        let read = [PathBuf::from("/a b.jar"), PathBuf::from("/-c")];
        let launcher = Launcher {
            executable: Path::new("/crashback"),
            java_home: Path::new("/jdk"),
            read: &read,
            scratch: Path::new("/scratch"),
            without_sandbox: true,
        };
        let arguments = ["-ea", "--", "--read", "", "@file"].map(OsString::from);
        let command = launcher.command(Path::new("/jdk/bin/java"), &arguments);
        assert_eq!(command.get_program(), "/crashback");
        let said = std::iter::once(command.get_program()).chain(command.get_args()).map(OsString::from);
        let environment = Environment { arguments: said.collect(), ..Environment::default() };
        let Ok(Parsed::Confined(understood)) = args::parse(&environment) else {
            panic!("it is not understood")
        };
        assert_eq!(understood.java_home, launcher.java_home);
        assert_eq!(understood.read, read);
        assert_eq!(understood.scratch, launcher.scratch);
        assert_eq!(understood.parent, std::process::id());
        assert!(understood.sandbox.unsafe_no_sandbox);
        assert_eq!(understood.program, Path::new("/jdk/bin/java"));
        assert_eq!(understood.arguments, arguments);
        let inherited: Vec<_> = command.get_envs().filter(|(_, value)| value.is_some()).collect();
        assert_eq!(inherited, [("LC_ALL".as_ref(), Some("C.UTF-8".as_ref()))]);
    }
}
