use std::path::{Path, PathBuf};
use std::{fmt, fs, io};

use serde::{Deserialize, Serialize};

use crate::Error;

/// A crash to reproduce.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subject {
    /// Its name in the benchmark.
    pub id: String,
    /// The program that crashed.
    pub application: String,
    /// The version that crashed.
    pub version: String,
    /// The file with the stack trace.
    pub log: PathBuf,
    /// What stands in that file, for machines that do not have it.
    #[serde(skip)]
    pub content: Option<Vec<u8>>,
    /// The program's jars and class folders, in the order of the class path.
    pub jars: Vec<PathBuf>,
    /// Maven coordinates of jars that are missing, to follow the others.
    pub coordinates: Vec<String>,
    /// A regular expression for the names of classes whose frames are targets.
    pub target_frames: Option<String>,
    /// Packages of the program, where no such expression is given.
    #[serde(default)]
    pub project_packages: Vec<String>,
}

impl Subject {
    /// The log: the one that came with the crash, else that of its file.
    pub fn read_log(&self) -> io::Result<Vec<u8>> {
        self.content.clone().map_or_else(|| fs::read(&self.log), Ok)
    }

    /// The same with paths that mean the same in every folder, and with its log.
    pub(crate) fn for_others(&self) -> io::Result<Self> {
        let absolute = |it: &PathBuf| std::path::absolute(it).unwrap_or_else(|_| it.clone());
        Ok(Self {
            log: absolute(&self.log),
            jars: self.jars.iter().map(absolute).collect(),
            content: Some(self.read_log()?),
            ..self.clone()
        })
    }
}

impl fmt::Debug for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} {}", self.id, self.application, self.version)
    }
}

/// The crashes of a benchmark.
#[derive(Clone, Debug, Default)]
pub struct Benchmark {
    /// Crashes that can be run, by their names.
    pub subjects: Vec<Subject>,
    /// Crashes that cannot.
    pub unusable: Vec<Unusable>,
}

/// A crash that the benchmark lists without all that it takes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Unusable {
    /// Its name.
    pub id: String,
    /// What is missing, in words.
    pub reason: String,
}

impl Benchmark {
    /// Adds the crashes of another one. Of crashes with the same name the first stays.
    pub fn merge(&mut self, other: Self) {
        for subject in other.subjects {
            if self.subjects.iter().any(|it| it.id == subject.id) {
                let reason = "another crash of the plan has the same name".to_owned();
                self.unusable.push(Unusable { id: subject.id, reason });
            } else {
                self.subjects.push(subject);
            }
        }
        self.unusable.extend(other.unusable);
    }

    /// The crashes of these names, in the order of the benchmark.
    pub fn only(self, ids: &[String]) -> Result<Self, Error> {
        for id in ids {
            if let Some(Unusable { reason, .. }) = self.unusable.iter().find(|it| it.id == *id) {
                return Err(Error::Unusable { id: id.clone(), reason: reason.clone() });
            }
            if !self.subjects.iter().any(|it| it.id == *id) {
                return Err(Error::UnknownCrash { id: id.clone(), similar: self.similar(id) });
            }
        }
        let subjects = self.subjects.into_iter().filter(|it| ids.contains(&it.id)).collect();
        Ok(Self { subjects, unusable: Vec::new() })
    }

    /// Takes crashes out whose class path names a file that is not there. Where a crash has Maven
    /// coordinates, these stand in for such files.
    pub fn check_jars(&mut self) {
        for mut subject in std::mem::take(&mut self.subjects) {
            let missing = subject.jars.iter().find(|it| !it.exists()).cloned();
            match missing {
                Some(jar) if subject.coordinates.is_empty() => {
                    let reason = format!("{} is not there; check the class path", jar.display());
                    self.unusable.push(Unusable { id: subject.id, reason });
                }
                _ => {
                    subject.jars.retain(|it| it.exists());
                    self.subjects.push(subject);
                }
            }
        }
    }

    /// Names that differ in case or in what follows.
    fn similar(&self, id: &str) -> Vec<String> {
        let lower = id.to_lowercase();
        let ids = self.subjects.iter().map(|it| &it.id);
        ids.filter(|it| !id.is_empty() && it.to_lowercase().starts_with(&lower)).take(3).cloned().collect()
    }
}

/// The jars of a folder by name; none of a folder that cannot be read.
pub(crate) fn jars_in(bin: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(bin).into_iter().flatten().flatten().map(|it| it.path());
    let is_jar =
        |path: &PathBuf| path.extension().is_some_and(|it| it.eq_ignore_ascii_case("jar")) && path.is_file();
    let mut jars: Vec<PathBuf> = entries.filter(is_jar).collect();
    jars.sort();
    jars
}
