//! The folder of a JCrashPack checkout: which crashes it lists, and where their logs and jars lie.
//!
//! `jcrashpack.json` lists the crashes; `crashes/APPLICATION/ID/ID.log` is the log, and
//! `applications/APPLICATION/VERSION/bin` holds the jars (Soltani et al., "A benchmark-based
//! evaluation of search-based crash reproduction", 2020).

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::Deserialize;

use crate::subject::jars_in;
use crate::{Benchmark, Error, ExtraMaven, Subject, Unusable};

const LIST: &str = "jcrashpack.json";

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
    /// Reads the list of a checkout of JCrashPack and looks for the files of its crashes.
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
    Ok(Subject {
        id: id.to_owned(),
        application,
        version,
        log,
        jars,
        coordinates,
        target_frames,
        ..Subject::default()
    })
}
