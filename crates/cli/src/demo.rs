//! `crashback demo`: a small bundled program is compiled, crashes, and becomes the subject.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

use crashback::{Error, ErrorKind, Jdk, ProgramRequest, Request, Settings, check_compiler};
use crashback_emit::verify::SHORT_LIVED;
use crashback_emit::verify::process::{self, Ended, Limits};

use crate::args::{
    ClassPathArguments, DemoArguments, DemoJob, ExplainArguments, ProjectArguments, ScopeArguments,
    SearchArguments,
};
use crate::environment::Environment;
use crate::interrupt::Interrupts;
use crate::reproduce::{self, Destination};
use crate::{explain, output, program};

/// The program: a parcel depot that trusts its scanners.
const SOURCES: [(&str, &str); 3] = [
    ("Label.java", include_str!("../demo/parcels/Label.java")),
    ("LabelReader.java", include_str!("../demo/parcels/LabelReader.java")),
    ("Depot.java", include_str!("../demo/parcels/Depot.java")),
];
const MAIN_CLASS: &str = "parcels.Depot";
/// Its arguments: the second scan ends too early.
const SCANS: [&str; 2] = ["Utrecht;1250g", "Delft;"];
/// How long the compiler or the program may take, on a machine that does much else.
const PATIENCE: Duration = Duration::from_secs(60);

/// Runs the command and gives its exit code.
pub(crate) fn run(arguments: &DemoArguments, environment: &Environment, interrupts: &Interrupts) -> ExitCode {
    match &arguments.job {
        Some(DemoJob::Explain { java_home, json }) => {
            explain(java_home.as_deref(), *json, environment, interrupts)
        }
        None => reproduce(arguments, environment, interrupts),
    }
}

fn explain(
    java_home: Option<&Path>,
    json: bool,
    environment: &Environment,
    interrupts: &Interrupts,
) -> ExitCode {
    match Crashed::new(java_home, !json && !environment.verbosity.quiet, environment, interrupts) {
        Ok(crashed) => explain::run(&crashed.explain_arguments(java_home, json), environment, interrupts),
        Err(failure) => output::report_failure(&failure, json),
    }
}

fn reproduce(arguments: &DemoArguments, environment: &Environment, interrupts: &Interrupts) -> ExitCode {
    let output = arguments.output;
    let java_home = arguments.java_home.as_deref();
    let tells = !output.json && !environment.verbosity.quiet;
    let crashed = Crashed::new(java_home, tells, environment, interrupts);
    let destination = arguments.out.clone().map(|folder| Destination { folder, force: output.force });
    let request = || {
        let crashed = crashed.as_ref().map_err(Clone::clone)?;
        let request = crashed.request(java_home, &arguments.search, environment)?;
        Ok(Request { settings: Settings { expect: output.expect, ..request.settings }, ..request })
    };
    let destination = destination.as_ref();
    reproduce::Command {
        search: &arguments.search,
        destination,
        follows_project: false,
        report: None,
        ci: None,
        output,
        environment,
        interrupts,
    }
    .run(&request)
}

/// The crashed program, in a folder that goes when this does.
pub(crate) struct Crashed {
    folder: tempfile::TempDir,
    log_text: String,
}

impl Crashed {
    /// Compiles the program, runs it, and keeps its standard error as its log, which is shown if
    /// `tells` is set.
    pub(crate) fn new(
        java_home: Option<&Path>,
        tells: bool,
        environment: &Environment,
        interrupts: &Interrupts,
    ) -> Result<Self, Error> {
        let jdk = program::find_jdk(java_home, environment)?;
        program::tell_jdk(&jdk, environment);
        let crashed = compile_and_run(&jdk, environment, interrupts)?;
        if tells {
            output::tell("A small program was compiled and run; this is what it left in its log:\n");
            output::tell(&crashed.log_text);
        }
        Ok(crashed)
    }

    /// Asks for its crash to be reproduced.
    pub(crate) fn request(
        &self,
        java_home: Option<&Path>,
        search: &SearchArguments,
        environment: &Environment,
    ) -> Result<Request, Error> {
        let jdk = program::find_jdk(java_home, environment)?;
        let program = ProgramRequest {
            cache: program::cache(None, false, environment),
            ..ProgramRequest::new(jdk, vec![self.classes()])
        };
        let request = Request::new(self.log_text.clone().into_bytes(), program);
        Ok(Request { settings: reproduce::settings(search)?, ..request })
    }

    fn explain_arguments(&self, java_home: Option<&Path>, json: bool) -> ExplainArguments {
        let class_path = vec![self.classes().display().to_string()];
        let java_home = java_home.map(Path::to_owned);
        ExplainArguments {
            mapping: None,
            log: self.log(),
            classes: ClassPathArguments { class_path, java_home, ..ClassPathArguments::default() },
            project: ProjectArguments::default(),
            any_release: false,
            scope: ScopeArguments::default(),
            crash: None,
            cause: None,
            json,
        }
    }

    pub(crate) fn log(&self) -> PathBuf {
        self.folder.path().join("crash.log")
    }

    fn classes(&self) -> PathBuf {
        self.folder.path().join("classes")
    }
}

fn compile_and_run(jdk: &Jdk, environment: &Environment, interrupts: &Interrupts) -> Result<Crashed, Error> {
    check_compiler(jdk)?;
    let folder = tempfile::Builder::new()
        .prefix("crashback-demo")
        .tempdir_in(&environment.temporary)
        .map_err(|error| cannot("make a folder", &error))?;
    interrupts.interruption.register_folder(folder.path());
    let mut crashed = Crashed { folder, log_text: String::new() };
    let sources = write_sources(crashed.folder.path())?;
    let classes = crashed.classes();
    // The compiler of Java 8 does not make it.
    fs::create_dir(&classes).map_err(|error| cannot("make a folder", &error))?;

    let options = ["-g".as_ref(), "-d".as_ref(), classes.as_os_str()];
    let javac = options.into_iter().chain(sources.iter().map(|it| it.as_os_str()));
    let compiled = output_of(jdk, "javac", javac, crashed.folder.path(), interrupts)?;
    if !compiled.status.is_some_and(|it| it.success()) {
        return Err(Error::new(
            ErrorKind::Environment,
            format!("javac failed on the bundled program:\n{}", compiled.said()),
        ));
    }
    let options = ["-cp".as_ref(), classes.as_os_str(), MAIN_CLASS.as_ref()];
    let java = options.into_iter().chain(SCANS.iter().map(AsRef::as_ref));
    let ran = output_of(jdk, "java", java, crashed.folder.path(), interrupts)?;
    crashed.log_text = String::from_utf8_lossy(&ran.errors).into_owned();
    fs::write(crashed.log(), &ran.errors).map_err(|error| cannot("write the log", &error))?;
    Ok(crashed)
}

fn write_sources(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let mut paths = Vec::new();
    for (name, text) in SOURCES {
        let path = folder.join(name);
        fs::write(&path, text).map_err(|error| cannot("write the program", &error))?;
        paths.push(path);
    }
    Ok(paths)
}

/// Runs a tool of the JDK to its end.
fn output_of<'s>(
    jdk: &Jdk,
    tool: &str,
    arguments: impl Iterator<Item = &'s OsStr>,
    folder: &Path,
    interrupts: &Interrupts,
) -> Result<Ended, Error> {
    let prefix = if tool == "java" { "" } else { "-J" };
    let options = SHORT_LIVED.map(|it| OsString::from(format!("{prefix}{it}")));
    let arguments: Vec<OsString> = options.into_iter().chain(arguments.map(OsStr::to_owned)).collect();
    let limits = Limits { time: PATIENCE, is_cancelled: &|| interrupts.happened() };
    process::run(&command, &jdk.home.join("bin").join(tool), &arguments, folder, limits).map_err(|error| {
        match interrupts.happened() {
            true => Error::interrupted(),
            false => Error::new(ErrorKind::Environment, format!("the demo: {error}")),
        }
    })
}

#[expect(clippy::disallowed_methods, reason = "the demo compiles and runs its program")]
fn command(program: &Path, arguments: &[OsString]) -> Command {
    let mut command = Command::new(program);
    command.args(arguments);
    command
}

fn cannot(what: &str, error: &std::io::Error) -> Error {
    Error::new(ErrorKind::Environment, format!("cannot {what} for the demo: {error}"))
}
