//! A program of a JDK, such as `java` or `javac`, inside the sandbox: tests are compiled and run
//! once more in JVMs with nothing of ours in them, and still are code that was never reviewed.
//!
//! The process enters the sandbox and then becomes the program (`execve(2)`). Landlock, seccomp,
//! capabilities, limits and the death signal stay. What a worker cannot do this program cannot do
//! either, but for one thing: it may once more be replaced, by a program of the same JDK, or by the
//! dynamic loader, which maps what can be read. Both are in the same sandbox.

pub(crate) mod elf;

use std::convert::Infallible;
use std::ffi::{OsStr, OsString};
use std::os::unix::process::{CommandExt, parent_id};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

use crate::sandbox::{self, DiesWith, Rules};

/// What a program of a JDK may do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Confined {
    /// Home of the JDK. Only programs below it can be executed.
    pub java_home: PathBuf,
    /// Jars and folders that may be read beside the JDK and the scratch folder.
    pub read: Vec<PathBuf>,
    /// May be read. Its part at and below the working directory may be changed: all of it if the
    /// process is elsewhere, since then this becomes the working directory.
    pub scratch: PathBuf,
    /// The process that has started this one and with which it ends: more precisely, with the
    /// thread that has.
    pub parent: u32,
    /// Whether to go on where the kernel cannot enforce everything.
    pub without_sandbox: bool,
}

/// Why a program could not be run.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A path leads nowhere.
    #[error("{} cannot be used: {source}", path.display())]
    Path {
        /// The path.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// It is another program than was promised.
    #[error("{} is no program of the JDK in {}", program.display(), java_home.display())]
    Foreign {
        /// The program.
        program: PathBuf,
        /// Where it should be.
        java_home: PathBuf,
    },
    /// The sandbox could not be entered, or nobody waits for the program.
    #[error(transparent)]
    Sandbox(#[from] sandbox::Error),
    /// The kernel did not execute it.
    #[error("{} could not be executed: {source}", program.display())]
    Execute {
        /// The program.
        program: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl Confined {
    /// Confines this process, which has one thread, and becomes the program. Standard input, output
    /// and error, environment, process group and exit code are the program's.
    ///
    /// # Errors
    ///
    /// When it returns. The process may then be confined and should end.
    #[expect(clippy::disallowed_methods, reason = "this process becomes a JVM")]
    pub fn become_program(&self, program: &Path, arguments: &[OsString]) -> Result<Infallible, Error> {
        let program = std::path::absolute(program).map_err(unusable(program))?;
        let rules = self.rules(&program)?;
        let writable = &rules.scratch;
        env::set_current_dir(writable).map_err(unusable(writable))?;
        sandbox::enter(&rules)?;
        // A parent that ended before the process was tied to it has left it to another.
        if parent_id() != self.parent {
            return Err(sandbox::Error::Orphaned.into());
        }
        let source = Command::new(&program).args(surroundings(&program, writable)).args(arguments).exec();
        Err(Error::Execute { program, source })
    }

    fn rules(&self, program: &Path) -> Result<Rules, Error> {
        let home = real(&self.java_home)?;
        if !real(program)?.starts_with(&home) {
            return Err(Error::Foreign { program: program.to_owned(), java_home: home });
        }
        let scratch = real(&self.scratch)?;
        let here = env::current_dir().and_then(fs::canonicalize).ok();
        let writable = here.filter(|it| it.starts_with(&scratch)).unwrap_or_else(|| scratch.clone());
        // The working directory may change before the rules come into force.
        let mut read: Vec<PathBuf> = self.read.iter().flat_map(fs::canonicalize).collect();
        read.push(scratch);
        let loader = elf::interpreter(program).map_err(unusable(program))?;
        Ok(Rules {
            execute: std::iter::once(home.clone()).chain(loader).collect(),
            dies_with: DiesWith::ParentThread,
            accept_weaker: self.without_sandbox,
            ..Rules::for_jvm(&home, &read, writable)
        })
    }
}

/// Options for the JVM, as workers have them: the user's own folder and `/tmp` cannot be used, and
/// the user has no name.
///
/// All programs of a JDK but `java` want options of their JVM marked.
fn surroundings(program: &Path, writable: &Path) -> Vec<OsString> {
    let mark = if program.file_name() == Some(OsStr::new("java")) { "" } else { "-J" };
    let option = |name: &str, value: &OsStr| {
        let mut option = OsString::from(format!("{mark}-D{name}="));
        option.push(value);
        option
    };
    let folder = writable.as_os_str();
    vec![
        option("java.io.tmpdir", folder),
        option("user.home", folder),
        option("user.name", OsStr::new("user")),
    ]
}

fn real(path: &Path) -> Result<PathBuf, Error> {
    fs::canonicalize(path).map_err(unusable(path))
}

fn unusable(path: &Path) -> impl FnOnce(io::Error) -> Error {
    move |source| Error::Path { path: path.to_owned(), source }
}
