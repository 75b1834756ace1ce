//! Projects of Maven and Gradle: their modules, each with its classes, tests and class path, as the
//! project's own build tool tells them.
//!
//! Invariants: nothing in the project is written, but by a build that was asked for; the build tool is the
//! project's own (wrapper first) with the user's settings, and is asked again only when the content of a
//! build file changed; it goes online only if it cannot do without.

mod build_files;
mod choose;
mod compiled;
mod error;
mod folders;
mod gradle;
mod locate;
mod maven;
mod run_test;
mod style;
#[cfg(test)]
mod tests;
mod tool;

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};

use crate::cache::{Cache, CacheKey};
use crate::{CacheSettings, Error};

pub use compiled::Stale;
pub use error::ProjectError;
pub use locate::{Located, locate};
pub use style::{Indentation, Style, TestApi};

/// The program that builds a project.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BuildTool {
    /// Maven.
    Maven,
    /// Gradle.
    Gradle,
    /// None: class folders that another program left.
    None,
}

impl fmt::Display for BuildTool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Maven => "Maven",
            Self::Gradle => "Gradle",
            Self::None => "no build tool",
        })
    }
}

/// A project with its modules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Project {
    /// The folder of the whole project.
    pub root: PathBuf,
    /// The program that builds it.
    pub tool: BuildTool,
    /// The program as a user in the folder calls it: `mvn`, `./gradlew`.
    pub program: String,
    /// Modules that have or may have Java classes.
    pub modules: Vec<Module>,
    /// What the user should know about how they were found.
    pub notes: Vec<String>,
}

/// A module of a project. Folders need not exist.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Module {
    /// Its name for the build tool: Maven's artifact, Gradle's path.
    pub name: String,
    /// Its folder.
    pub folder: PathBuf,
    /// Folders of its sources, generated ones too.
    pub sources: Vec<PathBuf>,
    /// Folders of its classes and resources.
    pub classes: Vec<PathBuf>,
    /// Folders of the sources of its tests; the first is where a new Java test belongs.
    pub test_sources: Vec<PathBuf>,
    /// Folders of the classes and resources of its tests.
    pub test_classes: Vec<PathBuf>,
    /// The class path of its tests, in the order of the build tool: those folders, then everything that they
    /// need. Other modules stand there with their class folders.
    pub class_path: Vec<PathBuf>,
    /// Why the build tool gives no class path, or not all of it.
    pub problem: Option<Problem>,
}

/// Why a module has no class path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// The message of the build tool.
    pub reason: String,
    /// Whether a network would have helped.
    pub offline: bool,
}

/// How build tools are run.
#[derive(Clone)]
pub struct Settings {
    /// Maven for projects without its wrapper.
    pub maven: PathBuf,
    /// Gradle for projects without its wrapper.
    pub gradle: PathBuf,
    /// The JDK that they run on, where it should not be the environment's.
    pub java_home: Option<PathBuf>,
    /// Whether they may use only artifacts that they fetched before.
    pub offline: bool,
    /// Becomes true when they shall be stopped.
    pub cancelled: Arc<AtomicBool>,
    /// Is told what takes long.
    pub tell: Arc<dyn Fn(&str) + Send + Sync>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            maven: "mvn".into(),
            gradle: "gradle".into(),
            java_home: None,
            offline: false,
            cancelled: Arc::default(),
            tell: Arc::new(|_| ()),
        }
    }
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { maven, gradle, java_home, offline, .. } = self;
        let mut shown = f.debug_struct("Settings");
        shown.field("maven", maven).field("gradle", gradle).field("java_home", java_home);
        shown.field("offline", offline).finish_non_exhaustive()
    }
}

impl Located {
    /// The project as its build tool tells it, or as it did when all build files had the same content.
    ///
    /// # Errors
    ///
    /// If the build tool cannot be run or fails, or there are no Java modules.
    pub fn read(&self, settings: &Settings, cache: Option<&CacheSettings>) -> Result<Project, Error> {
        let cache = cache.map(|it| Cache::new(it.directory.clone()));
        let key = build_files::fingerprint(self, settings).map(|it| CacheKey::new("project", it, None));
        let known = cache.as_ref().zip(key).and_then(|(cache, key)| cache.load_text(key));
        let known = known.and_then(|it| serde_json::from_str::<Project>(&it).ok());
        // Libraries may have been removed from the build tool's own cache.
        if let Some(project) = known.filter(Project::is_there) {
            return Ok(project);
        }
        let project = match self.tool {
            BuildTool::Maven => maven::read(self, settings)?,
            BuildTool::Gradle => gradle::read(self, settings)?,
            BuildTool::None => folders::read(self),
        };
        if project.modules.is_empty() {
            let (root, tool) = (self.root.clone(), self.tool);
            return Err(ProjectError::NoModules { root, tool }.into());
        }
        let is_whole = project.modules.iter().all(|it| it.problem.is_none());
        let text = serde_json::to_string(&project).ok();
        if let (Some(cache), Some(key), Some(text)) = (cache.filter(|_| is_whole), key, text) {
            // A project that is not kept is asked for again.
            drop(cache.store_text(key, &text));
        }
        Ok(project)
    }

    /// Compiles the project and its tests.
    ///
    /// # Errors
    ///
    /// If the build tool cannot be run or fails.
    pub fn build(&self, settings: &Settings) -> Result<(), Error> {
        match self.tool {
            BuildTool::Maven => maven::build(self, settings),
            BuildTool::Gradle => gradle::build(self, settings),
            BuildTool::None => Ok(()),
        }
    }
}

impl Project {
    /// Whether all jars of its class paths exist.
    fn is_there(&self) -> bool {
        let own: Vec<&PathBuf> =
            self.modules.iter().flat_map(|it| it.classes.iter().chain(&it.test_classes)).collect();
        let mut jars: Vec<&PathBuf> = self.modules.iter().flat_map(|it| &it.class_path).collect();
        jars.sort();
        jars.dedup();
        jars.iter().all(|it| own.contains(it) || it.exists())
    }

    /// The folders with classes of all modules, without those of tests: the project's own code.
    pub fn class_folders(&self) -> Vec<&Path> {
        let mut folders: Vec<&Path> =
            self.modules.iter().flat_map(|it| &it.classes).map(PathBuf::as_path).collect();
        folders.sort();
        folders.dedup();
        folders
    }

    /// The module of a name: as the build tool names it, or as its folder is called.
    ///
    /// # Errors
    ///
    /// If there is none.
    pub fn module(&self, name: &str) -> Result<&Module, Error> {
        let trimmed = name.trim_start_matches(':');
        let by_name = |it: &&Module| it.name == name || it.name.trim_start_matches(':') == trimmed;
        let by_folder = |it: &&Module| it.folder == self.root.join(name.trim_end_matches('/'));
        let found = self.modules.iter().find(by_name).or_else(|| self.modules.iter().find(by_folder));
        found.ok_or_else(|| {
            let modules = self.modules.iter().map(|it| it.name.clone()).collect();
            let (root, name) = (self.root.clone(), name.to_owned());
            ProjectError::UnknownModule { root, name, modules }.into()
        })
    }
}

impl Module {
    /// Whether a module's classes are among those that this one uses, or its own.
    pub fn covers(&self, other: &Self) -> bool {
        self.name == other.name || other.classes.iter().any(|it| self.class_path.contains(it))
    }

    /// The version of an artifact on the class path, by the name of its jar.
    pub fn version_of(&self, artifact: &str) -> Option<String> {
        let names = self.class_path.iter().filter_map(|it| it.file_name()?.to_str()?.strip_suffix(".jar"));
        let mut versions = names.filter_map(|it| it.strip_prefix(artifact)?.strip_prefix('-'));
        versions.find(|it| it.starts_with(|it: char| it.is_ascii_digit())).map(str::to_owned)
    }

    /// The version of JUnit that its tests use: of Jupiter if they have it, else of JUnit 4.
    pub fn junit(&self) -> Option<String> {
        self.version_of("junit-jupiter-api").or_else(|| self.version_of("junit"))
    }

    /// The version of Mockito that its tests use.
    pub fn mockito(&self) -> Option<String> {
        self.version_of("mockito-core").or_else(|| self.version_of("mockito-all"))
    }
}
