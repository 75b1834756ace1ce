//! Processes that run the program under test beside the workers: compiler and JUnit, confined as workers are. This program is started once more,
//! as `crashback confined`, and becomes the other one inside the sandbox.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{self, Command, ExitCode};

use crashback_classpath::Jdk;
use crashback_jvm::confined::Confined;

use crate::args::ConfinedArguments;
use crate::environment::Environment;
use crate::exit::{Failure, FailureKind};
use crate::{output, workers};

/// Makes commands.
pub(crate) type Launcher = Box<dyn Fn(&Path, &[OsString]) -> Command + Sync>;

/// What starts a program of the JDK so that it can read the class path and write the scratch folder only.
///
/// The program ends with the thread that starts it. As with workers its environment is empty but for the encoding of file names.
pub(crate) fn launcher(
    environment: &Environment,
    jdk: &Jdk,
    class_path: &[PathBuf],
    further: &[PathBuf],
    scratch: &Path,
    without_sandbox: bool,
) -> Result<Launcher, Failure> {
    let executable = workers::executable(environment)?;
    let mut rules: Vec<OsString> =
        vec!["confined".into(), "--parent".into(), process::id().to_string().into()];
    rules.extend(["--java-home".into(), jdk.home.clone().into()]);
    rules.extend(["--scratch".into(), scratch.into()]);
    rules.extend(class_path.iter().chain(further).flat_map(|path| ["--read".into(), path.into()]));
    rules.extend(without_sandbox.then(|| "--unsafe-no-sandbox".into()));
    #[expect(clippy::disallowed_methods, reason = "processes of the JDK are started here")]
    Ok(Box::new(move |program, arguments| {
        let mut command = Command::new(&executable);
        command.args(&rules).arg(program).arg("--").args(arguments);
        command.env_clear().env("LC_ALL", "C.UTF-8");
        command
    }))
}

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{self, Command as Parsed};

    #[test]
    fn what_a_command_says_is_what_is_understood() {
        let environment = Environment { executable: Some("/crashback".into()), ..Environment::default() };
        let jdk = Jdk {
            home: "/jdk".into(),
            ..crate::program::find_jdk(None, &Environment::of_process()).expect("a JDK")
        };
        let read = ["/a b.jar", "/-c"].map(PathBuf::from);
        let scratch = Path::new("/scratch");
        let launcher =
            launcher(&environment, &jdk, &read[..1], &read[1..], scratch, true).expect("a launcher");
        let arguments = ["-ea", "--", "--read", "", "@file"].map(OsString::from);
        let command = launcher(Path::new("/jdk/bin/java"), &arguments);

        let said = std::iter::once(command.get_program()).chain(command.get_args()).map(OsString::from);
        let environment = Environment { arguments: said.collect(), ..Environment::default() };
        let Ok(Parsed::Confined(understood)) = args::parse(&environment) else {
            panic!("it is not understood")
        };
        assert_eq!(command.get_program(), "/crashback");
        assert_eq!(understood.java_home, jdk.home);
        assert_eq!(understood.read, read);
        assert_eq!(understood.scratch, scratch);
        assert_eq!(understood.parent, process::id());
        assert!(understood.sandbox.unsafe_no_sandbox);
        assert_eq!(understood.program, Path::new("/jdk/bin/java"));
        assert_eq!(understood.arguments, arguments);
        let inherited: Vec<_> = command.get_envs().filter(|(_, value)| value.is_some()).collect();
        assert_eq!(inherited, [("LC_ALL".as_ref(), Some("C.UTF-8".as_ref()))]);
    }
}
