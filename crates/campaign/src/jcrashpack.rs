//! The folder of a JCrashPack checkout: which crashes it lists, and where their logs and jars lie.
//!
//! `jcrashpack.json` lists the crashes; `crashes/APPLICATION/ID/ID.log` is the log, and
//! `applications/APPLICATION/VERSION/bin` holds the jars (Soltani et al., "A benchmark-based
//! evaluation of search-based crash reproduction", 2020).

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::{Error, ExtraMaven};

const LIST: &str = "jcrashpack.json";

/// The crashes of a benchmark.
#[derive(Clone, Debug, Default)]
pub struct Benchmark {
    /// Crashes that can be run, by their names.
    pub subjects: Vec<Subject>,
    /// Crashes that cannot.
    pub unusable: Vec<Unusable>,
}

/// A crash to reproduce.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    /// Its name in the benchmark.
    pub id: String,
    /// The program that crashed.
    pub application: String,
    /// The version that crashed.
    pub version: String,
    /// The log with the stack trace.
    pub log: PathBuf,
    /// The program's jars, in the order of their names, as `java -cp 'bin/*'` is to be read.
    pub jars: Vec<PathBuf>,
    /// Maven coordinates of jars that are missing, to follow the others.
    pub coordinates: Vec<String>,
    /// A regular expression for the names of classes whose frames are targets.
    pub target_frames: Option<String>,
}

/// A crash that the benchmark lists without all that it takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unusable {
    /// Its name.
    pub id: String,
    /// What is missing, in words.
    pub reason: String,
}

#[derive(Deserialize)]
struct List {
    crashes: BTreeMap<String, Entry>,
}

#[derive(Deserialize)]
struct Entry {
    application: String,
    version: String,
    #[serde(default)]
    target_frames: String,
}

impl Benchmark {
    /// Reads the list of crashes and looks for their files.
    pub fn read(folder: &Path, extra: &ExtraMaven) -> Result<Self, Error> {
        let path = folder.join(LIST);
        let refuse = |reason: String| Error::NoBenchmark { path: folder.to_owned(), reason };
        let text = fs::read(&path).map_err(|error| refuse(format!("{LIST} cannot be read: {error}")))?;
        let list: List = serde_json::from_slice(&text).map_err(|error| refuse(format!("{LIST}: {error}")))?;
        let mut benchmark = Self::default();
        for (id, entry) in list.crashes {
            match find(folder, &id, entry, extra) {
                Ok(subject) => benchmark.subjects.push(subject),
                Err(reason) => benchmark.unusable.push(Unusable { id, reason }),
            }
        }
        Ok(benchmark)
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

    /// Names that differ in case or in what follows.
    fn similar(&self, id: &str) -> Vec<String> {
        let lower = id.to_lowercase();
        let ids = self.subjects.iter().map(|it| &it.id);
        ids.filter(|it| !id.is_empty() && it.to_lowercase().starts_with(&lower)).take(3).cloned().collect()
    }
}

/// The files of one crash, or what is missing.
fn find(folder: &Path, id: &str, entry: Entry, extra: &ExtraMaven) -> Result<Subject, String> {
    let Entry { application, version, target_frames } = entry;
    // Names become parts of paths.
    let is_plain = |name: &str| !name.is_empty() && name != ".." && !name.contains(['/', '\\', '\0']);
    if let Some(name) = [id, &application, &version].into_iter().find(|it| !is_plain(it)) {
        return Err(format!("`{name}` is no name of a folder"));
    }
    let log = folder.join("crashes").join(&application).join(id).join(format!("{id}.log"));
    if !log.is_file() {
        return Err(format!("its log is missing: {}", log.display()));
    }
    let bin = folder.join("applications").join(&application).join(&version).join("bin");
    let jars = jars_in(&bin);
    let coordinates = extra.of(id).to_vec();
    if jars.is_empty() && coordinates.is_empty() {
        return Err(format!(
            "there are no jars in {}; name them by their Maven coordinates with --extra-maven",
            bin.display()
        ));
    }
    let target_frames = Some(target_frames).filter(|it| !it.is_empty());
    Ok(Subject { id: id.to_owned(), application, version, log, jars, coordinates, target_frames })
}

/// The jars of a folder by name; none of a folder that cannot be read.
fn jars_in(bin: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(bin).into_iter().flatten().flatten().map(|it| it.path());
    let is_jar =
        |path: &PathBuf| path.extension().is_some_and(|it| it.eq_ignore_ascii_case("jar")) && path.is_file();
    let mut jars: Vec<PathBuf> = entries.filter(is_jar).collect();
    jars.sort();
    jars
}
