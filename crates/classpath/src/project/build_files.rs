//! The files that decide about a project's class paths.

use std::fs;
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::Xxh3Default;

use super::{BuildTool, Located, Settings};

/// Changes with the meaning of what is kept about projects.
const VERSION: u32 = 1;

/// Deeper folders are not entered; links can make a circle.
const MAX_DEPTH: usize = 24;

/// Folders without build files: of tools, and of what they make.
const SKIPPED: [&str; 7] = [".git", ".gradle", ".idea", ".svn", "node_modules", "target", "out"];

/// Covers the content of all build files and everything else that class paths depend on. None for a
/// project without a build tool, which is not worth keeping.
pub(super) fn fingerprint(located: &Located, settings: &Settings) -> Option<u128> {
    if located.tool == BuildTool::None {
        return None;
    }
    let mut hash = Xxh3Default::new();
    hash.update(&VERSION.to_le_bytes());
    let mut add = |bytes: &[u8]| {
        hash.update(&bytes.len().to_le_bytes());
        hash.update(bytes);
    };
    add(located.root.as_os_str().as_encoded_bytes());
    add(located.tool.to_string().as_bytes());
    add(settings.java_home.as_deref().unwrap_or(Path::new("")).as_os_str().as_encoded_bytes());
    for file in build_files(&located.root) {
        add(file.strip_prefix(&located.root).unwrap_or(&file).as_os_str().as_encoded_bytes());
        add(&fs::read(&file).unwrap_or_default());
    }
    Some(hash.digest128())
}

/// The build files of a project, in order.
pub(super) fn build_files(root: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    collect(root, false, 0, &mut files);
    files.sort();
    files
}

/// `all` takes every file: a folder of build logic is sources.
fn collect(folder: &Path, all: bool, depth: usize, files: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let (path, Ok(name)) = (entry.path(), entry.file_name().into_string()) else { continue };
        let Ok(kind) = entry.file_type() else { continue };
        let is_entered = !SKIPPED.contains(&name.as_str()) && !is_output(folder, &name);
        if kind.is_dir() && is_entered && depth < MAX_DEPTH {
            let is_logic = matches!(name.as_str(), "buildSrc" | "build-logic" | ".mvn");
            collect(&path, all || is_logic, depth + 1, files);
        } else if !kind.is_dir() && (all || is_build_file(&name)) {
            files.push(path);
        }
    }
}

/// Whether a folder is where a Gradle project puts its classes. Modules may have the same name.
fn is_output(parent: &Path, name: &str) -> bool {
    let has = |file: &str| parent.join(file).is_file();
    matches!(name, "build" | "bin") && (has("build.gradle") || has("build.gradle.kts") || has("pom.xml"))
}

fn is_build_file(name: &str) -> bool {
    let ends = [".gradle", ".gradle.kts", ".versions.toml", ".lockfile", "-wrapper.properties"];
    matches!(name, "pom.xml" | "gradle.properties") || ends.iter().any(|it| name.ends_with(it))
}
