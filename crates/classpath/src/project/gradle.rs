//! Modules of a Gradle build, as an init script tells them: it adds a task to each project, and changes
//! nothing of the build.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;
use tempfile::TempDir;

use super::tool::{self, Asked, Failed};
use super::{Located, Module, Problem, Project, Settings};
use crate::Error;
use crate::process::{self, Finished};

const INIT_SCRIPT: &str = include_str!("init.gradle");
const TASK: &str = "crashbackClassPath";
/// The task that has compiled everything.
const COMPILE: &str = "testClasses";
/// Features that forbid a task to look at its project; Gradle versions without them ignore this.
const OFF: [&str; 3] = [
    "-Dorg.gradle.configuration-cache=false",
    "-Dorg.gradle.unsafe.isolated-projects=false",
    "-Dorg.gradle.configureondemand=false",
];

/// Asks Gradle for all modules.
pub(super) fn read(located: &Located, settings: &Settings) -> Result<Project, Error> {
    tool::read(located, settings, ask)
}

/// Compiles all modules and their tests.
pub(super) fn build(located: &Located, settings: &Settings) -> Result<(), Error> {
    tool::build(located, settings, COMPILE, compile)
}

fn ask(asked: &Asked<'_>) -> Result<Vec<Module>, Failed> {
    let folder = folder(asked)?;
    let (script, output) = (folder.path().join("crashback.gradle"), folder.path().join("modules"));
    let made = fs::write(&script, INIT_SCRIPT).and_then(|()| fs::create_dir(&output));
    made.map_err(|it| asked.cannot_run(it.to_string()))?;
    let mut command = command(asked);
    command.arg("--init-script").arg(&script);
    command.arg(format!("-Dcrashback.output={}", output.display())).args(OFF).arg(TASK);
    let finished = finish(asked, &mut command, folder.path())?;
    if !finished.is_success {
        return Err(explain(asked, &finished, TASK));
    }
    let described = described(&output).map_err(|reason| asked.failure(TASK, reason))?;
    Ok(modules(&described))
}

fn compile(asked: &Asked<'_>) -> Result<(), Failed> {
    let folder = folder(asked)?;
    let finished = finish(asked, command(asked).arg(COMPILE), folder.path())?;
    if finished.is_success { Ok(()) } else { Err(explain(asked, &finished, COMPILE)) }
}

fn folder(asked: &Asked<'_>) -> Result<TempDir, Failed> {
    tempfile::tempdir().map_err(|it| asked.cannot_run(it.to_string()))
}

#[expect(clippy::disallowed_methods, reason = "this module is where Gradle is started")]
fn command(asked: &Asked<'_>) -> Command {
    let root = &asked.located.root;
    let mut command = Command::new(&asked.program.path);
    command.current_dir(root).args(["--quiet", "--console=plain", "--project-dir"]).arg(root);
    if asked.offline {
        command.arg("--offline");
    }
    if let Some(java_home) = &asked.settings.java_home {
        command.env("JAVA_HOME", java_home);
    }
    command
}

fn finish(asked: &Asked<'_>, command: &mut Command, folder: &Path) -> Result<Finished, Failed> {
    let finished = process::run(command, folder, &asked.settings.cancelled);
    finished.map_err(|it| asked.cannot_run(it.to_string()))?.ok_or(Failed::Finally(Error::Cancelled))
}

fn explain(asked: &Asked<'_>, finished: &Finished, task: &str) -> Failed {
    let said = |words: &str| finished.errors.contains(words) || finished.output.contains(words);
    // A wrapper that cannot fetch the Gradle that it stands for.
    let is_of_wrapper = said("org.gradle.wrapper.") || said("GradleWrapperMain");
    if asked.program.is_wrapper && is_of_wrapper {
        let error = asked.failure(task, tool::last_lines(finished, |it| it.contains("Exception")));
        return Failed::Unusable(error.into());
    }
    match lacking(finished) {
        Some(reason) => asked.lacks(reason),
        None => asked.failure(task, what_went_wrong(finished)).into(),
    }
}

/// Words by which Gradle says that a network would have helped: without one, or with one that does not
/// answer.
const OFFLINE: [&str; 4] = ["offline mode", "No cached version", "Could not GET", "Unknown host"];

/// The line by which Gradle says that it lacks something and may not, or cannot, fetch it.
fn lacking(finished: &Finished) -> Option<String> {
    let mut lines = finished.errors.lines().chain(finished.output.lines());
    let line = lines.find(|line| OFFLINE.iter().any(|it| line.contains(it)))?;
    Some(line.trim().trim_start_matches('>').trim().to_owned())
}

/// Gradle's own account of a failure, without its advice about options.
fn what_went_wrong(finished: &Finished) -> String {
    let after = finished.errors.split_once("* What went wrong:").map(|(_, rest)| rest);
    let account = after.and_then(|it| it.split("\n* ").next()).map(str::trim).filter(|it| !it.is_empty());
    let lines = account.map(|it| it.lines().take(12).collect::<Vec<_>>().join("\n"));
    let java = "Unsupported class file major version";
    let mut lines = lines.unwrap_or_else(|| tool::last_lines(finished, |_| false));
    if lines.contains(java) || lines.contains("Could not determine java version") {
        lines.push_str("\n(this Gradle does not run on this Java: name an older one with --java-home)");
    }
    lines
}

/// A project as the init script describes it.
#[derive(Deserialize)]
struct Described {
    path: String,
    folder: PathBuf,
    sets: Vec<SourceSet>,
    entries: Vec<Entry>,
    failures: Vec<String>,
}

#[derive(Deserialize)]
struct SourceSet {
    name: String,
    java: Vec<PathBuf>,
    sources: Vec<PathBuf>,
    outputs: Vec<PathBuf>,
}

#[derive(Deserialize)]
struct Entry {
    file: PathBuf,
    /// The path of the project that makes the file.
    project: Option<String>,
}

fn described(output: &Path) -> Result<Vec<Described>, String> {
    let unreadable = |error: &dyn std::fmt::Display| format!("its output cannot be read: {error}");
    let mut files = super::folders::files_in(output, "json");
    files.sort();
    let mut all = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).map_err(|it| unreadable(&it))?;
        all.push(serde_json::from_str::<Described>(&text).map_err(|it| unreadable(&it))?);
    }
    Ok(all)
}

/// Modules with their class paths, in which the jars of other modules are replaced by their class folders.
fn modules(all: &[Described]) -> Vec<Module> {
    let with_sources = all.iter().filter(|it| !it.outputs("main").is_empty());
    with_sources.map(|it| it.module(all)).collect()
}

impl Described {
    fn set(&self, name: &str) -> Option<&SourceSet> {
        self.sets.iter().find(|it| it.name == name)
    }

    fn outputs(&self, set: &str) -> Vec<PathBuf> {
        self.set(set).map(|it| it.outputs.clone()).unwrap_or_default()
    }

    fn module(&self, all: &[Self]) -> Module {
        let (classes, test_classes) = (self.outputs("main"), self.outputs("test"));
        let mut class_path: Vec<PathBuf> = test_classes.iter().chain(&classes).cloned().collect();
        for entry in &self.entries {
            for path in entry.places(all) {
                if !class_path.contains(&path) {
                    class_path.push(path);
                }
            }
        }
        let folders =
            |set: &str, of: fn(&SourceSet) -> Vec<PathBuf>| self.set(set).map(of).unwrap_or_default();
        let mut test_sources = folders("test", |it| it.java.clone());
        let others = folders("test", |it| it.sources.clone());
        let others: Vec<PathBuf> = others.into_iter().filter(|it| !test_sources.contains(it)).collect();
        test_sources.extend(others);
        // Tests are in folders of their language, and the usual one is the first.
        test_sources.sort_by_key(|it| !it.ends_with("src/test/java"));
        let problem = self
            .failures
            .first()
            .map(|it| Problem { reason: it.clone(), offline: OFFLINE.iter().any(|word| it.contains(word)) });
        Module {
            name: self.path.clone(),
            folder: self.folder.clone(),
            sources: folders("main", |it| it.sources.clone()),
            classes,
            test_sources,
            test_classes,
            class_path,
            problem,
        }
    }
}

impl Entry {
    /// Where the classes of an entry lie: in a jar or folder, or in the folders of the project that would
    /// make the jar.
    fn places(&self, all: &[Described]) -> Vec<PathBuf> {
        let owner = self.project.as_ref().and_then(|path| all.iter().find(|it| it.path == *path));
        // A project of an included build may have the same path.
        let owner = owner.filter(|it| self.file.starts_with(&it.folder) || !self.file.exists());
        let Some(owner) = owner else { return vec![self.file.clone()] };
        let name = self.file.file_name().map(|it| it.to_string_lossy().into_owned()).unwrap_or_default();
        let set = match () {
            () if name.ends_with("-test-fixtures.jar") => "testFixtures",
            () if name.ends_with("-tests.jar") || name.ends_with("-test.jar") => "test",
            () => "main",
        };
        match owner.outputs(set) {
            folders if folders.is_empty() => vec![self.file.clone()],
            folders => folders,
        }
    }
}

#[cfg(test)]
pub(super) mod for_tests {
    use super::*;

    /// Modules as of the files that the init script writes.
    pub(crate) fn modules_of(texts: &[&str]) -> Vec<Module> {
        let all: Vec<Described> = texts.iter().map(|it| serde_json::from_str(it).expect("JSON")).collect();
        modules(&all)
    }

    pub(crate) fn account(errors: &str) -> (Option<String>, String) {
        let finished = Finished { is_success: false, output: String::new(), errors: errors.to_owned() };
        (lacking(&finished), what_went_wrong(&finished))
    }
}
