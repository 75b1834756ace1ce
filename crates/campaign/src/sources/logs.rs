//! Folders of logs, and single logs, with the class path of the program that crashed.

use std::fs;
use std::path::{Path, PathBuf};

use crate::subject::jars_in;
use crate::{Benchmark, Error, ExtraMaven, Subject, Unusable};

/// Logs of a folder: every file `NAME.log` is a crash of that name.
///
/// `NAME.classpath` beside it lists jars, class folders and folders of jars, one on a line and relative to
/// the folder, and `NAME.maven` Maven coordinates; `#` begins a comment. Where neither is there, the class
/// path of the folder counts.
#[derive(Clone, Debug, Default)]
pub struct LogFolder {
    /// The folder.
    pub folder: PathBuf,
    /// What all crashes without files of their own have in common.
    pub files: CrashFiles,
}

/// The program of a crash.
#[derive(Clone, Debug, Default)]
pub struct CrashFiles {
    /// The program's name.
    pub application: String,
    /// The version that crashed.
    pub version: String,
    /// Jars, class folders, and folders of jars as `folder/*`.
    pub class_path: Vec<PathBuf>,
    /// Maven coordinates.
    pub coordinates: Vec<String>,
    /// A regular expression for the names of classes whose frames are targets.
    pub target_frames: Option<String>,
    /// Packages of the program, where no such expression is given.
    pub project_packages: Vec<String>,
}

impl CrashFiles {
    /// A crash of this program.
    pub fn subject(&self, id: &str, log: &Path) -> Result<Subject, Unusable> {
        let unusable = |reason: String| Unusable { id: id.to_owned(), reason };
        if !log.is_file() {
            return Err(unusable(format!("its log is missing: {}", log.display())));
        }
        let jars = expand(&self.class_path);
        if jars.is_empty() && self.coordinates.is_empty() {
            let reason = "it has no class path: give `classpath` or `maven` in the plan, a file \
                          NAME.classpath or NAME.maven beside the log, or Maven coordinates with \
                          --extra-maven";
            return Err(unusable(reason.to_owned()));
        }
        Ok(Subject {
            id: id.to_owned(),
            application: self.application.clone(),
            version: self.version.clone(),
            log: log.to_owned(),
            content: None,
            jars,
            coordinates: self.coordinates.clone(),
            target_frames: self.target_frames.clone(),
            project_packages: self.project_packages.clone(),
        })
    }
}

impl LogFolder {
    /// Reads the folder, by the names of its logs. Jars that class paths lack come from Maven coordinates.
    pub fn read(&self, extra: &ExtraMaven) -> Result<Benchmark, Error> {
        let unreadable = |source| Error::Unreadable { path: self.folder.clone(), source };
        let entries = fs::read_dir(&self.folder).map_err(unreadable)?;
        let mut logs: Vec<PathBuf> = entries.flatten().map(|it| it.path()).filter(|it| is_log(it)).collect();
        logs.sort();
        let mut benchmark = Benchmark::default();
        for log in logs {
            let id = log.file_stem().map(|it| it.to_string_lossy().into_owned()).unwrap_or_default();
            let completed = |mut files: CrashFiles| {
                files.coordinates.extend_from_slice(extra.of(&id));
                files.subject(&id, &log)
            };
            match self.files_of(&log).map(completed) {
                Ok(Ok(subject)) => benchmark.subjects.push(subject),
                Ok(Err(unusable)) => benchmark.unusable.push(unusable),
                Err(error) => benchmark.unusable.push(Unusable { id, reason: error.to_string() }),
            }
        }
        Ok(benchmark)
    }

    /// The class path of a log.
    fn files_of(&self, log: &Path) -> Result<CrashFiles, Error> {
        let class_path = lines(&log.with_extension("classpath"))?;
        let coordinates = lines(&log.with_extension("maven"))?;
        if class_path.is_none() && coordinates.is_none() {
            return Ok(self.files.clone());
        }
        let class_path = class_path.unwrap_or_default();
        Ok(CrashFiles {
            class_path: class_path.iter().map(|it| self.folder.join(it)).collect(),
            coordinates: coordinates.unwrap_or_default(),
            ..self.files.clone()
        })
    }
}

fn is_log(path: &Path) -> bool {
    path.extension().is_some_and(|it| it == "log") && path.is_file()
}

/// The lines of a file without comments; none if there is no such file.
fn lines(path: &Path) -> Result<Option<Vec<String>>, Error> {
    match fs::read_to_string(path) {
        Ok(text) => {
            let lines = text.lines().map(|it| it.split('#').next().unwrap_or_default().trim());
            Ok(Some(lines.filter(|it| !it.is_empty()).map(str::to_owned).collect()))
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(Error::Unreadable { path: path.to_owned(), source }),
    }
}

/// The entries of a class path, `folder/*` as the jars of the folder.
pub(super) fn expand(class_path: &[PathBuf]) -> Vec<PathBuf> {
    let entries = class_path.iter().flat_map(|it| match it.file_name() {
        Some(name) if name == "*" || name == "*.jar" => {
            it.parent().map(jars_in).filter(|it| !it.is_empty()).unwrap_or_else(|| vec![it.clone()])
        }
        _ => vec![it.clone()],
    });
    entries.collect()
}
