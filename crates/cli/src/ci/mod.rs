//! Results for build servers: `reproduce --junit-xml` and `--sarif`.

mod junit;
mod sarif;
mod sources;
#[cfg(test)]
mod tests;

use std::cell::RefCell;
use std::io;
use std::path::{Path, PathBuf};

use crashback::{Error, ErrorKind, Target};
use crashback_program::frames::{FrameAudit, Origin};
use crashback_trace::Frame;

use crate::args::ReproduceArguments;
use crate::environment::Environment;
use crate::file;
use crate::reproduce::End;
use sources::{SourceFile, Sources};

/// The files that were asked for.
pub(crate) struct CiFiles {
    junit_xml: Option<PathBuf>,
    sarif: Option<PathBuf>,
    /// Whether existing files are replaced.
    force: bool,
    /// The log, as the user names it.
    log: String,
    /// The folder that the command was started in.
    folder: PathBuf,
    /// The crash, known as soon as it is chosen.
    crash: RefCell<Option<Crash>>,
}

/// The crash that was chosen.
#[derive(Clone, Debug)]
struct Crash {
    exception: String,
    message: Option<String>,
    /// All frames, innermost first.
    frames: Vec<Place>,
}

/// A frame, and its place in the sources.
#[derive(Clone, Debug)]
struct Place {
    level: u32,
    /// Class and method: `org.example.Shop.sell`.
    method: String,
    line: Option<u32>,
    is_target: bool,
    /// None for frames of the JDK.
    source: Option<SourceFile>,
}

impl CiFiles {
    pub(crate) fn new(arguments: &ReproduceArguments, environment: &Environment) -> Self {
        Self {
            junit_xml: arguments.junit_xml.clone(),
            sarif: arguments.sarif.clone(),
            force: arguments.output.force,
            log: arguments.log.display().to_string(),
            folder: environment.folder.clone().unwrap_or_default(),
            crash: RefCell::default(),
        }
    }

    /// Whether the files can be written, before the work for them is done.
    pub(crate) fn check(&self) -> Result<(), Error> {
        self.paths().try_for_each(|path| {
            if path.exists() && !path.is_dir() && !self.force {
                return Err(exists(path));
            }
            file::check(path).map_err(|error| failure(path, &error))
        })
    }

    /// Takes the crash that was chosen.
    pub(crate) fn see(&self, target: &Target<'_>) {
        if self.sarif.is_none() {
            return;
        }
        let sources = Sources::around(target.program.class_path.launch_path(), &self.folder);
        let audit = &target.audit;
        let frames = audit.frames.iter().zip(&target.throwable.frames);
        self.crash.replace(Some(Crash {
            exception: audit.exception.clone(),
            message: audit.message.clone(),
            frames: frames.map(|(audit, frame)| place(audit, frame, &sources)).collect(),
        }));
    }

    /// Writes the files about a command that is over. Those that must not be replaced stay.
    pub(crate) fn write(&self, end: &End) -> Result<(), Error> {
        self.check()?;
        if let Some(path) = &self.junit_xml {
            let report = junit::render(end, &self.log);
            let text = report.map_err(|error| Error::new(ErrorKind::Internal, error.to_string()))?;
            self.write_one(path, &text)?;
        }
        if let Some(path) = &self.sarif {
            let document = sarif::render(end, self.crash.borrow().as_ref(), &self.folder);
            self.write_one(path, &crate::output::json_text(&document))?;
        }
        Ok(())
    }

    fn write_one(&self, path: &Path, text: &str) -> Result<(), Error> {
        let write = if self.force { file::replace } else { file::create };
        write(path, text.as_bytes()).map_err(|error| failure(path, &error))
    }

    fn paths(&self) -> impl Iterator<Item = &PathBuf> {
        self.junit_xml.iter().chain(&self.sarif)
    }
}

fn place(audit: &FrameAudit, frame: &Frame, sources: &Sources) -> Place {
    let FrameAudit { level, class, method, line, target, origin, .. } = audit;
    let source = (*origin != Origin::Jdk).then(|| sources.of(class, frame.file()));
    let method = format!("{class}.{method}");
    Place { level: *level, method, line: *line, is_target: *target, source }
}

fn exists(path: &Path) -> Error {
    let message = format!("{} exists already; replace it with --force, or name another file", path.display());
    Error::new(ErrorKind::Environment, message)
}

fn failure(path: &Path, error: &io::Error) -> Error {
    let message = format!("cannot write {}: {error}; name another file", path.display());
    Error::new(ErrorKind::Environment, message)
}
