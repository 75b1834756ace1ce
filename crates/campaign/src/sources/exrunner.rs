//! ExRunner's list of experiments, `inputs.csv`: one line for each crash of a program.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::logs::{CrashFiles, expand};
use crate::subject::jars_in;
use crate::{Benchmark, Error, ExtraMaven, Subject, Unusable};

/// The columns that must be there. Others say how a search is run, which configurations do here.
const NEEDED: [&str; 5] = ["application", "case", "version", "classpath", "stacktrace_path"];

impl Benchmark {
    /// Reads ExRunner's `inputs.csv`. Paths are relative to the folder of the file; lines that name the
    /// same crash once more are repetitions, which the plan counts itself. Jars that its class paths lack
    /// come from Maven coordinates.
    pub fn read_inputs(path: &Path, extra: &ExtraMaven) -> Result<Self, Error> {
        let refuse = |reason: String| Error::NoInputs { path: path.to_owned(), reason };
        let mut reader = csv::ReaderBuilder::new()
            .trim(csv::Trim::All)
            .from_path(path)
            .map_err(|it| refuse(it.to_string()))?;
        let names = reader.headers().map_err(|it| refuse(it.to_string()))?.clone();
        let column = |name: &str| names.iter().position(|it| it == name);
        if let Some(missing) = NEEDED.iter().find(|it| column(it).is_none()) {
            return Err(refuse(format!("it has no column {missing}")));
        }
        let folder = path.parent().unwrap_or(Path::new(""));
        let mut benchmark = Self::default();
        let mut known: BTreeMap<String, Subject> = BTreeMap::new();
        for line in reader.records() {
            let line = line.map_err(|it| refuse(it.to_string()))?;
            let field = |name: &str| column(name).and_then(|it| line.get(it)).unwrap_or_default();
            let case = field("case");
            let index = field("execution_idx");
            match subject(folder, &field, extra) {
                Ok(subject) if known.get(case) == Some(&subject) => {}
                Ok(subject) if known.contains_key(case) => {
                    benchmark.subjects.push(Subject { id: format!("{case}#{index}"), ..subject });
                }
                Ok(subject) => {
                    known.insert(case.to_owned(), subject.clone());
                    benchmark.subjects.push(subject);
                }
                Err(unusable) => benchmark.unusable.push(unusable),
            }
        }
        benchmark.unusable.dedup();
        Ok(benchmark)
    }
}

fn subject<'f>(
    folder: &Path,
    field: &impl Fn(&'static str) -> &'f str,
    extra: &ExtraMaven,
) -> Result<Subject, Unusable> {
    let entries = field("classpath").split([':', ';']).filter(|it| !it.is_empty());
    let entries: Vec<PathBuf> = entries.map(|it| folder.join(it)).collect();
    let files = CrashFiles {
        application: field("application").to_owned(),
        version: field("version").to_owned(),
        class_path: expand(&entries).into_iter().flat_map(with_jars).collect(),
        project_packages: Some(field("package").trim_end_matches(['.', '*']))
            .filter(|it| !it.is_empty())
            .map(str::to_owned)
            .into_iter()
            .collect(),
        coordinates: extra.of(field("case")).to_vec(),
        ..CrashFiles::default()
    };
    files.subject(field("case"), &folder.join(field("stacktrace_path")))
}

/// ExRunner's class paths are folders of jars; a folder without any is one of classes.
fn with_jars(entry: PathBuf) -> Vec<PathBuf> {
    let is_jar = entry.extension() == Some(OsStr::new("jar"));
    let jars = if is_jar { Vec::new() } else { jars_in(&entry) };
    if jars.is_empty() { vec![entry] } else { jars }
}
