//! Tests that are given to begin with: from Java sources to class files.

use std::fs;
use std::path::{Path, PathBuf};

use crashback_emit::junit::{Generation, JUnit};
use crashback_emit::source::TestSource;

use crate::{Error, ErrorKind};

/// The most sources that are read, and the deepest folder in which they are looked for.
const MOST_FILES: usize = 500;
const DEEPEST: usize = 32;

/// A given source, and where it lies.
pub(crate) struct Given {
    pub(crate) file: PathBuf,
    pub(crate) source: TestSource,
}

/// The sources that some paths name: files, and all Java sources in folders and below them, by name.
///
/// # Errors
///
/// If one cannot be read, is no Java source, or a folder has none.
pub(crate) fn read(paths: &[PathBuf]) -> Result<Vec<Given>, Error> {
    let mut given: Vec<Given> = Vec::new();
    for path in paths {
        let mut files = Vec::new();
        if path.is_dir() {
            add_files(path, DEEPEST, &mut files)?;
            if files.is_empty() {
                return Err(wrong(path, "the folder has no Java source"));
            }
        } else if is_java(path) {
            files.push(path.clone());
        } else {
            return Err(wrong(path, "it is neither a Java source nor a folder"));
        }
        for file in files {
            let bytes = fs::read(&file).map_err(|error| wrong(&file, &error.to_string()))?;
            let source = source_of(&file, &String::from_utf8_lossy(&bytes));
            if given.iter().any(|it| it.source.path() == source.path()) {
                return Err(wrong(&file, "another given source has the same class"));
            }
            given.push(Given { file, source });
        }
        if given.len() > MOST_FILES {
            return Err(wrong(path, &format!("there are more than {MOST_FILES} sources; name fewer")));
        }
    }
    Ok(given)
}

fn wrong(path: &Path, reason: &str) -> Error {
    Error::new(ErrorKind::Usage, format!("--seed-test {}: {reason}", path.display()))
}

fn is_java(path: &Path) -> bool {
    path.extension().is_some_and(|it| it == "java")
}

fn add_files(folder: &Path, depth: usize, files: &mut Vec<PathBuf>) -> Result<(), Error> {
    let read = |error: std::io::Error| wrong(folder, &error.to_string());
    let mut entries = fs::read_dir(folder).map_err(read)?.collect::<Result<Vec<_>, _>>().map_err(read)?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for path in entries.into_iter().map(|it| it.path()) {
        if path.is_dir() {
            if let Some(depth) = depth.checked_sub(1) {
                add_files(&path, depth, files)?;
            }
        } else if is_java(&path) && files.len() <= MOST_FILES {
            files.push(path);
        }
    }
    Ok(())
}

fn source_of(file: &Path, text: &str) -> TestSource {
    let class = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let (package, method, text) = (package_of(text), String::new(), text.to_owned());
    TestSource { package, class, method, text }
}

/// The package that a source declares, in internal form. The compiler has the last word.
fn package_of(text: &str) -> String {
    let mut is_comment = false;
    for line in text.lines().map(str::trim) {
        if is_comment || line.starts_with("/*") {
            is_comment = !line.contains("*/");
            continue;
        }
        if let Some(declared) = line.strip_prefix("package ") {
            let name = declared.split(';').next().unwrap_or_default().trim();
            let is_name = |it: char| it.is_alphanumeric() || matches!(it, '.' | '_' | '$');
            return if name.chars().all(is_name) { name.replace('.', "/") } else { String::new() };
        }
    }
    String::new()
}

/// The generations of JUnit that sources use and that another lacks.
pub(crate) fn lacking(sources: &[Given], junit: JUnit) -> Option<Generation> {
    let uses = |word: &str| sources.iter().any(|it| it.source.text.contains(word));
    let uses_old = uses("junit.framework.")
        || ["org.junit.Test", "org.junit.Before", "org.junit.Assert", "org.junit.*"]
            .iter()
            .any(|it| uses(it));
    match junit {
        JUnit::Four { .. } if uses("org.junit.jupiter.") => Some(Generation::Five),
        JUnit::Five | JUnit::Six if uses_old => Some(Generation::Four),
        _ => None,
    }
}

/// Whether sources use Mockito.
pub(crate) fn use_mockito(sources: &[Given]) -> bool {
    sources.iter().any(|it| it.source.text.contains("org.mockito."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_package_is_read_behind_comments() {
        let text = "/* package a.b;\n package c; */\n// package d;\npackage post.desk; // here\nclass A {}";
        assert_eq!(package_of(text), "post/desk");
        assert_eq!(package_of("/** Of\n * package x;\n */\npackage y;"), "y");
        assert_eq!(package_of("class A {}"), "");
        assert_eq!(package_of("package ../x;"), "", "no path leads out of the folder");
    }

    #[test]
    fn the_junit_of_sources_is_known_by_their_imports() {
        let given =
            |text: &str| vec![Given { file: PathBuf::new(), source: source_of(Path::new("A.java"), text) }];
        let four = JUnit::Four { has_assert_throws: true };
        assert_eq!(lacking(&given("import org.junit.jupiter.api.Test;"), four), Some(Generation::Five));
        assert_eq!(lacking(&given("import org.junit.jupiter.api.Test;"), JUnit::Six), None);
        assert_eq!(lacking(&given("import org.junit.Test;"), JUnit::Five), Some(Generation::Four));
        assert_eq!(lacking(&given("extends junit.framework.TestCase"), JUnit::Six), Some(Generation::Four));
        assert_eq!(lacking(&given("import org.testng.annotations.Test;"), four), None);
    }
}
