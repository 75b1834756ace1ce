//! The one place that reads the process environment.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;

use crashback::{Error, ErrorKind, SelfCommand, Session};

use crate::args::Verbosity;
use crate::interrupt::Interrupts;

/// The environment of the process; libraries get it passed in.
#[derive(Debug, Clone, Default)]
pub(crate) struct Environment {
    pub(crate) arguments: Vec<OsString>,
    pub(crate) java_home: Option<PathBuf>,
    pub(crate) path: Option<OsString>,
    pub(crate) cache_dir: Option<PathBuf>,
    /// The file of the running program; none where the system does not tell.
    pub(crate) executable: Option<PathBuf>,
    /// Where temporary files go.
    pub(crate) temporary: PathBuf,
    pub(crate) time_zone: Option<OsString>,
    /// Variables that begin with `CRASHBACK_`: settings below the flags.
    pub(crate) settings: BTreeMap<String, OsString>,
    /// The folder that the command was started in.
    pub(crate) folder: Option<PathBuf>,
    /// How much is told beside the result, once the arguments are parsed.
    pub(crate) verbosity: Verbosity,
}

impl Environment {
    pub(crate) fn of_process() -> Self {
        Self {
            arguments: std::env::args_os().collect(),
            java_home: variable("JAVA_HOME").map(PathBuf::from),
            path: variable("PATH"),
            cache_dir: cache_dir(),
            executable: std::env::current_exe().ok(),
            temporary: std::env::temp_dir(),
            time_zone: variable("TZ"),
            settings: settings(),
            folder: std::env::current_dir().ok(),
            verbosity: Verbosity::default(),
        }
    }

    /// Searches on this machine, by this program started once more.
    pub(crate) fn session(&self, interrupts: &Interrupts) -> Result<Session, Error> {
        let program = self.executable.clone().ok_or_else(|| {
            let message = "the system does not tell where the program crashback is; is /proc mounted?";
            Error::new(ErrorKind::Environment, message)
        })?;
        let command = SelfCommand { time_zone: self.time_zone.clone(), ..SelfCommand::new(program) };
        let session = Session::new(command, &self.temporary);
        Ok(Session { interruption: interrupts.interruption.clone(), ..session })
    }

    /// Whether the command line asks for JSON, even if the rest of it is wrong.
    pub(crate) fn wants_json(&self) -> bool {
        self.arguments.iter().any(|it| it == "--json")
    }
}

fn settings() -> BTreeMap<String, OsString> {
    let named = std::env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value)));
    named.filter(|(name, value)| name.starts_with("CRASHBACK_") && !value.is_empty()).collect()
}

/// `CRASHBACK_CACHE_DIR`, else the XDG cache folder of the user; none where the user has no home.
fn cache_dir() -> Option<PathBuf> {
    let own = variable("CRASHBACK_CACHE_DIR").map(PathBuf::from);
    let xdg = || variable("XDG_CACHE_HOME").map(|it| PathBuf::from(it).join("crashback"));
    let home = || variable("HOME").map(|it| PathBuf::from(it).join(".cache").join("crashback"));
    own.or_else(xdg).or_else(home)
}

#[expect(clippy::disallowed_methods, reason = "the environment is read here and nowhere else")]
fn variable(name: &str) -> Option<OsString> {
    std::env::var_os(name).filter(|value| !value.is_empty())
}
