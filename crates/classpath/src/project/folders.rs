//! Class folders without a build file: of IDEs, of build tools that left, of unpacked applications.

use std::fs;
use std::path::{Path, PathBuf};

use super::{BuildTool, Located, Module, Project};
use crate::expand::jars_in;

/// Folders of classes, relative to a project: of Maven, Gradle, Eclipse, and of applications that were
/// unpacked.
const CLASSES: [&str; 7] = [
    "target/classes",
    "build/classes/java/main",
    "build/classes/kotlin/main",
    "bin/main",
    "bin",
    "BOOT-INF/classes",
    "WEB-INF/classes",
];
/// Resources beside them.
const RESOURCES: [&str; 1] = ["build/resources/main"];
/// The same for tests.
const TEST_CLASSES: [&str; 4] =
    ["target/test-classes", "build/classes/java/test", "build/classes/kotlin/test", "bin/test"];
/// Where IntelliJ has a folder of classes for each module.
const OF_MODULES: &str = "out/production";
const OF_TEST_MODULES: &str = "out/test";
/// Folders of jars.
const JARS: [&str; 4] = ["lib", "libs", "BOOT-INF/lib", "WEB-INF/lib"];
/// Folders of the sources of tests.
const TEST_SOURCES: [&str; 2] = ["src/test/java", "test"];
/// Folders of sources.
const SOURCES: [&str; 2] = ["src/main/java", "src"];

/// Whether a folder has class folders that can be found without a build file.
pub(super) fn are_in(folder: &Path) -> bool {
    !class_folders(folder).is_empty()
}

/// The class folders and jars of a folder as a project with one module.
pub(super) fn read(located: &Located) -> Project {
    let root = located.root.as_path();
    let mut test_classes = existing(root, &TEST_CLASSES);
    test_classes.extend(folders_in(&root.join(OF_TEST_MODULES)));
    let classes = class_folders(root);
    let jars = JARS.iter().flat_map(|it| jars_in(&root.join(it)).unwrap_or_default());
    let class_path = test_classes.iter().chain(&classes).cloned().chain(jars).collect();
    let sources = existing(root, &SOURCES).into_iter().take(1).collect();
    let name = root.file_name().map(|it| it.to_string_lossy().into_owned()).unwrap_or_default();
    let test_sources = existing(root, &TEST_SOURCES);
    let folder = root.to_owned();
    let module =
        Module { name, folder, sources, classes, test_sources, test_classes, class_path, problem: None };
    let notes = vec![format!("no build file: classes are those of {}", shown(&module.classes, root))];
    Project {
        root: root.to_owned(),
        tool: BuildTool::None,
        program: String::new(),
        modules: vec![module],
        notes,
    }
}

fn class_folders(root: &Path) -> Vec<PathBuf> {
    let mut folders = folders_in(&root.join(OF_MODULES));
    folders.extend(existing(root, &CLASSES));
    // `bin` is a folder of classes for Eclipse alone, and of such folders for its Gradle plugin.
    let has_main = folders.iter().any(|it| it.ends_with("bin/main"));
    folders.retain(|it| has_classes(it, 0) && !(has_main && it.ends_with("bin")));
    if !folders.is_empty() {
        folders.extend(existing(root, &RESOURCES));
    }
    folders
}

fn existing(root: &Path, names: &[&str]) -> Vec<PathBuf> {
    names.iter().map(|it| root.join(it)).filter(|it| it.is_dir()).collect()
}

fn folders_in(folder: &Path) -> Vec<PathBuf> {
    sorted(folder).into_iter().filter(|it| it.is_dir()).collect()
}

/// The files of a folder whose names end with something.
pub(super) fn files_in(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let is_wanted = |it: &PathBuf| it.is_file() && it.extension().is_some_and(|it| it == extension);
    sorted(folder).into_iter().filter(is_wanted).collect()
}

fn sorted(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|it| it.path()).collect();
    paths.sort();
    paths
}

/// Whether there is a class in a folder or not far below it.
pub(super) fn has_classes(folder: &Path, depth: usize) -> bool {
    let entries = sorted(folder);
    let is_class = |it: &PathBuf| it.extension().is_some_and(|it| it == "class");
    entries.iter().any(is_class)
        || depth < 16 && entries.iter().any(|it| it.is_dir() && has_classes(it, depth + 1))
}

fn shown(folders: &[PathBuf], root: &Path) -> String {
    let shown = folders.iter().map(|it| it.strip_prefix(root).unwrap_or(it).display().to_string());
    shown.collect::<Vec<_>>().join(", ")
}
