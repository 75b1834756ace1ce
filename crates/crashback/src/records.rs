//! Where values lie that were recorded outside of the program: tests and sources beside its classes.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};

use crashback_classpath::{FileTree, expanded};
use crashback_program::EntryKind;
use crashback_reproduce::{Files, Records};

use crate::{Session, Target};

/// How the file names of jars with tests end.
const OF_TESTS: [&str; 2] = ["-tests.jar", "-test.jar"];
/// How the file names of jars with sources end.
const OF_SOURCES: &str = "-sources.jar";

/// The records of a crash. Jars and folders are opened when values are looked for in them.
pub(crate) fn of(session: &Session, target: &Target<'_>) -> Records {
    let given = expanded(&session.test_class_path);
    let launched = target.program.class_path.launch_path();
    let tests = given.into_iter().filter(|it| it.is_dir() || is_named(it, &OF_TESTS));
    let tests = tests.chain(launched.iter().filter(|it| are_tests(it)).cloned());
    let tests = tests.chain(launched.iter().flat_map(|it| tests_beside(it)));
    let sources = launched.iter().filter(|it| is_named(it, &[OF_SOURCES])).cloned();
    let sources = sources.chain(traced_entries(target).into_iter().flat_map(|it| sources_beside(&it)));
    Records {
        log_values: target.log_values.clone(),
        calls: target.recorded_calls.clone(),
        tests: trees(tests),
        sources: trees(sources),
    }
}

/// The entries of the class path that hold classes of the trace.
fn traced_entries(target: &Target<'_>) -> Vec<PathBuf> {
    let mut entries = Vec::new();
    for frame in &target.audit.frames {
        let class = target.classes.index().get(&frame.class.replace('.', "/"));
        let entry = class.and_then(|it| target.classes.entry(it.reference()));
        let path = entry.filter(|it| it.kind != EntryKind::Jdk).map(|it| PathBuf::from(&it.path));
        entries.extend(path.filter(|it| !entries.contains(it)));
    }
    entries
}

fn is_named(path: &Path, endings: &[&str]) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    endings.iter().any(|it| name.ends_with(it))
}

/// Whether an entry holds tests: a jar of tests, or the folder of Maven or Gradle for them.
fn are_tests(entry: &Path) -> bool {
    let is_gradle = entry.ends_with("test") && gradle(entry).is_some();
    is_named(entry, &OF_TESTS) || entry.ends_with("target/test-classes") || is_gradle
}

/// The folder that Gradle builds in, for its folder of classes `build/classes/java/main` or the like.
fn gradle(entry: &Path) -> Option<&Path> {
    let classes = entry.parent()?.parent()?;
    classes.ends_with("build/classes").then(|| classes.parent()).flatten()
}

/// Where tests lie beside an entry of a class path.
fn tests_beside(entry: &Path) -> Vec<PathBuf> {
    if let Some(jar) = stem(entry) {
        return OF_TESTS.iter().map(|it| entry.with_file_name(format!("{jar}{it}"))).collect();
    }
    match gradle(entry).filter(|_| entry.ends_with("main")) {
        Some(build) => vec![entry.with_file_name("test"), build.join("resources/test")],
        None if entry.ends_with("target/classes") => vec![entry.with_file_name("test-classes")],
        None => Vec::new(),
    }
}

/// Where sources lie beside an entry of a class path.
fn sources_beside(entry: &Path) -> Vec<PathBuf> {
    if let Some(jar) = stem(entry) {
        return vec![entry.with_file_name(format!("{jar}{OF_SOURCES}"))];
    }
    let maven = || entry.parent().filter(|_| entry.ends_with("target/classes"));
    let project = gradle(entry).or_else(maven).and_then(Path::parent);
    project.map(|it| it.join("src/main/java")).into_iter().collect()
}

/// The name of a jar without its ending.
fn stem(entry: &Path) -> Option<String> {
    let name = entry.file_name()?.to_str()?;
    name.strip_suffix(".jar").map(str::to_owned)
}

/// The places that exist, each once.
fn trees(places: impl Iterator<Item = PathBuf>) -> Vec<Box<dyn Files>> {
    let mut known: Vec<PathBuf> = Vec::new();
    for place in places.filter(|it| it.exists()) {
        if !known.contains(&place) {
            known.push(place);
        }
    }
    known.into_iter().map(|root| Box::new(Tree { root, opened: OnceCell::new() }) as Box<dyn Files>).collect()
}

/// A jar or folder that is opened when it is needed.
struct Tree {
    root: PathBuf,
    opened: OnceCell<FileTree>,
}

impl Tree {
    fn opened(&self) -> &FileTree {
        self.opened.get_or_init(|| FileTree::open(&self.root))
    }
}

impl Files for Tree {
    fn paths(&self) -> Vec<String> {
        self.opened().paths()
    }

    fn read(&self, path: &str, most: usize) -> Option<Vec<u8>> {
        self.opened().read(path, most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(paths: &[PathBuf]) -> Vec<&str> {
        paths.iter().filter_map(|it| it.to_str()).collect()
    }

    #[test]
    fn tests_and_sources_lie_where_build_tools_put_them() {
        let beside = |entry: &str| tests_beside(Path::new(entry));
        assert_eq!(names(&beside("a/target/classes")), ["a/target/test-classes"]);
        let gradle = beside("a/build/classes/java/main");
        assert_eq!(names(&gradle), ["a/build/classes/java/test", "a/build/resources/test"]);
        assert_eq!(names(&beside("lib/a-1.jar")), ["lib/a-1-tests.jar", "lib/a-1-test.jar"]);
        assert!(beside("a/classes").is_empty());
        let sources = |entry: &str| sources_beside(Path::new(entry));
        assert_eq!(names(&sources("a/target/classes")), ["a/src/main/java"]);
        assert_eq!(names(&sources("a/build/classes/kotlin/main")), ["a/src/main/java"]);
        assert_eq!(names(&sources("lib/a-1.jar")), ["lib/a-1-sources.jar"]);
    }

    #[test]
    fn entries_of_tests_are_told_by_their_names() {
        let are_tests = |entry: &str| are_tests(Path::new(entry));
        assert!(are_tests("a/target/test-classes") && are_tests("a/build/classes/java/test"));
        assert!(are_tests("lib/a-1-tests.jar"));
        assert!(!are_tests("lib/a-1.jar") && !are_tests("a/test") && !are_tests("a/target/classes"));
    }
}
