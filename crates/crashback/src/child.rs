//! The processes that run the program under test: the calling program, started once more.
//!
//! A child has one of two jobs. A *worker* embeds a JVM and runs test cases for a pool. A
//! *confined* process enters the sandbox and becomes `java` or `javac`, with nothing of ours in it.

use std::ffi::OsString;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use crashback_jvm::confined::Confined;
use crashback_jvm::pool::WorkerCommand;
use crashback_jvm::worker;

/// First words of a child's own arguments.
const WORKER: &str = "worker";
const CONFINED: &str = "confined";

/// How the calling program is started once more, so that it comes to [`serve`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelfCommand {
    /// The file of the program, usually `std::env::current_exe()`.
    pub program: PathBuf,
    /// Arguments before those that [`serve`] takes.
    pub arguments: Vec<OsString>,
    /// The time zone of the user, as the variable `TZ` names it, for the processes that run tests.
    pub time_zone: Option<OsString>,
}

impl SelfCommand {
    /// A program that passes all of its arguments to [`serve`].
    pub fn new(program: impl Into<PathBuf>) -> Self {
        Self { program: program.into(), arguments: Vec::new(), time_zone: None }
    }

    pub(crate) fn worker(&self) -> WorkerCommand {
        let arguments = self.arguments.iter().cloned().chain([WORKER.into()]).collect();
        WorkerCommand { program: self.program.clone(), arguments, time_zone: self.time_zone.clone() }
    }
}

/// Does the job of a child process if the arguments, without the name of the program, are those of
/// one; none for an ordinary start.
///
/// Call it first in `main`: the sandbox can be entered only while the process has a single thread.
/// What a confined process cannot do it says on standard error, which its parent reads.
#[must_use]
pub fn serve(arguments: impl IntoIterator<Item = OsString>) -> Option<ExitCode> {
    let mut arguments = arguments.into_iter();
    let job = arguments.next()?;
    if job == WORKER {
        return Some(worker::main());
    }
    if job != CONFINED {
        return None;
    }
    let failure = match ConfinedProgram::from_arguments(arguments) {
        Ok(program) => match program.rules.become_program(&program.file, &program.arguments) {
            Ok(never) => match never {},
            Err(error) => error.to_string(),
        },
        Err(reason) => reason,
    };
    drop(writeln!(std::io::stderr(), "crashback: {failure}"));
    Some(ExitCode::from(CANNOT_START))
}

/// The exit code of a confined process that did not become the program.
const CANNOT_START: u8 = 4;

/// How programs of the JDK are started inside the sandbox.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ConfinedLauncher<'a> {
    pub(crate) command: &'a SelfCommand,
    pub(crate) java_home: &'a Path,
    /// The class path and the jars of JUnit.
    pub(crate) read: &'a [PathBuf],
    pub(crate) scratch: &'a Path,
    pub(crate) without_sandbox: bool,
}

impl ConfinedLauncher<'_> {
    /// The command that runs a program of the JDK. The process ends with the thread that starts it.
    /// As with workers the environment is empty but for the encoding of file names and the time zone:
    /// a test that depends on it must find the same in both.
    #[expect(clippy::disallowed_methods, reason = "verifying a test starts a compiler and JVMs")]
    pub(crate) fn command(&self, program: &Path, arguments: &[OsString]) -> Command {
        let mut command = Command::new(&self.command.program);
        command.args(&self.command.arguments).arg(CONFINED);
        command.arg("--java-home").arg(self.java_home).arg("--scratch").arg(self.scratch);
        command.args(self.read.iter().flat_map(|path| ["--read".as_ref(), path.as_os_str()]));
        command.arg("--parent").arg(std::process::id().to_string());
        command.args(self.without_sandbox.then_some("--unsafe-no-sandbox"));
        command.arg("--").arg(program).args(arguments);
        command.env_clear().env("LC_ALL", "C.UTF-8");
        command.envs(self.command.time_zone.iter().map(|it| ("TZ", it)));
        command
    }
}

/// What a confined process is told.
#[derive(Debug, PartialEq, Eq)]
struct ConfinedProgram {
    rules: Confined,
    file: PathBuf,
    arguments: Vec<OsString>,
}

impl ConfinedProgram {
    /// Reads what [`ConfinedLauncher::command`] writes: options, `--`, the program, its arguments.
    fn from_arguments(mut arguments: impl Iterator<Item = OsString>) -> Result<Self, String> {
        let (mut java_home, mut scratch, mut parent) = (None, None, None);
        let mut read = Vec::new();
        let mut without_sandbox = false;
        loop {
            let option = arguments.next().ok_or("there is no program to run")?;
            let mut value = || arguments.next().ok_or_else(|| format!("{} has no value", option.display()));
            match option.as_os_str().to_str() {
                Some("--java-home") => java_home = Some(PathBuf::from(value()?)),
                Some("--scratch") => scratch = Some(PathBuf::from(value()?)),
                Some("--read") => read.push(PathBuf::from(value()?)),
                Some("--parent") => parent = value()?.to_str().and_then(|it| it.parse().ok()),
                Some("--unsafe-no-sandbox") => without_sandbox = true,
                Some("--") => break,
                _ => return Err(format!("{} is no option of a confined process", option.display())),
            }
        }
        let file = arguments.next().map(PathBuf::from).ok_or("there is no program to run")?;
        let java_home = java_home.ok_or("--java-home is missing")?;
        let scratch = scratch.ok_or("--scratch is missing")?;
        let parent = parent.ok_or("--parent is missing or no number")?;
        let rules = Confined { java_home, read, scratch, parent, without_sandbox };
        Ok(Self { rules, file, arguments: arguments.collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_confined_process_reads_what_its_parent_wrote() {
        let read = [PathBuf::from("/a b.jar"), PathBuf::from("/-c")];
        let myself = SelfCommand { arguments: vec!["crashback".into()], ..SelfCommand::new("/tool") };
        let launcher = ConfinedLauncher {
            command: &myself,
            java_home: Path::new("/jdk"),
            read: &read,
            scratch: Path::new("/scratch"),
            without_sandbox: true,
        };
        let arguments = ["-ea", "--", "--read", "", "@file"].map(OsString::from);
        let command = launcher.command(Path::new("/jdk/bin/java"), &arguments);
        assert_eq!(command.get_program(), "/tool");
        let mut written = command.get_args().map(OsString::from);
        assert_eq!(written.next(), Some("crashback".into()));
        assert_eq!(written.next(), Some(CONFINED.into()));
        let rules = Confined {
            java_home: "/jdk".into(),
            read: read.to_vec(),
            scratch: "/scratch".into(),
            parent: std::process::id(),
            without_sandbox: true,
        };
        let expected = ConfinedProgram { rules, file: "/jdk/bin/java".into(), arguments: arguments.to_vec() };
        assert_eq!(ConfinedProgram::from_arguments(written), Ok(expected));
        let inherited: Vec<_> = command.get_envs().filter(|(_, value)| value.is_some()).collect();
        assert_eq!(inherited, [("LC_ALL".as_ref(), Some("C.UTF-8".as_ref()))]);
    }

    #[test]
    fn workers_and_plain_jvms_have_the_same_time_zone() {
        let zone = Some(OsString::from("Asia/Kathmandu"));
        let myself = SelfCommand { time_zone: zone.clone(), ..SelfCommand::new("/tool") };
        let launcher = ConfinedLauncher {
            command: &myself,
            java_home: Path::new("/jdk"),
            read: &[],
            scratch: Path::new("/scratch"),
            without_sandbox: false,
        };
        let command = launcher.command(Path::new("/jdk/bin/java"), &[]);
        let inherited = command.get_envs().find(|(name, _)| *name == "TZ");
        assert_eq!(inherited.and_then(|(_, value)| value), zone.as_deref());
        assert_eq!(myself.worker().time_zone, zone);
    }

    #[test]
    fn incomplete_arguments_are_refused() {
        for arguments in
            [&["--"][..], &["--java-home"], &["--", "java"], &["--parent", "x", "--", "java"], &["java"]]
        {
            let read = ConfinedProgram::from_arguments(arguments.iter().map(OsString::from));
            assert!(read.is_err(), "{arguments:?}");
        }
    }

    #[test]
    fn an_ordinary_start_is_no_child() {
        assert_eq!(serve([]), None);
        assert_eq!(serve(["explain".into(), "worker".into()]), None);
    }
}
