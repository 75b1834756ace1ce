//! Where a project begins, seen from a folder somewhere in it.

use std::fs;
use std::path::{Path, PathBuf};

use super::{BuildTool, folders};

/// Files that make a folder the root of a Gradle build, or a project of one.
const SETTINGS: [&str; 2] = ["settings.gradle", "settings.gradle.kts"];
const BUILDS: [&str; 2] = ["build.gradle", "build.gradle.kts"];

/// A project whose build tool was not asked yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Located {
    /// The folder of the whole project.
    pub root: PathBuf,
    /// The program that builds it.
    pub tool: BuildTool,
}

/// The project that a folder belongs to: of the nearest build file, else class folders in the folder
/// itself.
pub fn locate(folder: &Path) -> Option<Located> {
    let nearest = folder.ancestors().find_map(|it| match (has_maven(it), has_gradle(it)) {
        (false, false) => None,
        (true, false) => Some((it, BuildTool::Maven)),
        (false, true) => Some((it, BuildTool::Gradle)),
        // Whichever was used for a build.
        (true, true) if it.join("build/classes").is_dir() && !it.join("target/classes").is_dir() => {
            Some((it, BuildTool::Gradle))
        }
        (true, true) => Some((it, BuildTool::Maven)),
    });
    match nearest {
        Some((folder, BuildTool::Maven)) => {
            Some(Located { root: maven_root(folder), tool: BuildTool::Maven })
        }
        Some((folder, tool)) => Some(Located { root: gradle_root(folder), tool }),
        None => {
            let root = folder.to_owned();
            folders::are_in(folder).then_some(Located { root, tool: BuildTool::None })
        }
    }
}

fn has_maven(folder: &Path) -> bool {
    folder.join("pom.xml").is_file()
}

fn has_gradle(folder: &Path) -> bool {
    BUILDS.iter().chain(&SETTINGS).any(|it| folder.join(it).is_file())
}

/// The highest project that has the one in a folder as a module, directly or not.
fn maven_root(folder: &Path) -> PathBuf {
    let mut root = folder;
    for above in folder.ancestors().skip(1) {
        if modules(above).iter().any(|it| *it == root) {
            root = above;
        }
    }
    root.to_owned()
}

/// Folders of the modules that the `pom.xml` of a folder names, in profiles too.
fn modules(folder: &Path) -> Vec<PathBuf> {
    let Ok(text) = fs::read_to_string(folder.join("pom.xml")) else { return Vec::new() };
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..roxmltree::ParsingOptions::default() };
    let Ok(document) = roxmltree::Document::parse_with_options(&text, options) else { return Vec::new() };
    let names = document.descendants().filter(|it| matches!(it.tag_name().name(), "module" | "subproject"));
    let names = names.filter_map(|it| it.text()).map(str::trim);
    let folder_of = |name: &str| {
        let path = normal(&folder.join(name));
        if path.is_file() { path.parent().map(Path::to_owned).unwrap_or_default() } else { path }
    };
    names.map(folder_of).collect()
}

/// A path without `.` and `..`, as far as its text tells.
pub(super) fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::CurDir => {}
            std::path::Component::ParentDir => drop(normal.pop()),
            part => normal.push(part),
        }
    }
    normal
}

/// The nearest folder with settings; a build without any is a whole.
fn gradle_root(folder: &Path) -> PathBuf {
    let has_settings = |it: &&Path| SETTINGS.iter().any(|name| it.join(name).is_file());
    folder.ancestors().find(has_settings).unwrap_or(folder).to_owned()
}
