//! The project that a log belongs to, and its module in which a test of the crash has its place.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crashback_classpath::project::{
    BuildTool, Located, Module, Project, ProjectError, Settings, Style, locate,
};
use crashback_classpath::{CacheSettings, Jdk};
use serde::Serialize;

use crate::program::{absolute, failure};
use crate::{Crashes, Error, Interruption};

/// Which project crashed, where no class path is given.
#[derive(Clone, Debug)]
pub struct ProjectRequest {
    /// A folder of the project.
    pub folder: PathBuf,
    /// The module that the test is for; none takes that of the trace.
    pub module: Option<String>,
    /// Whether the project is compiled first.
    pub build: bool,
    /// How its build tool is run. The JDK and the switch that ends it are those of the program.
    pub settings: Settings,
}

/// A project with the module that was chosen for a crash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChosenModule {
    /// The project.
    pub project: Project,
    /// The number of the module.
    pub number: usize,
    /// How its tests are written.
    pub style: Style,
    /// What the user should know: old classes, a build tool that was passed over.
    pub notes: Vec<String>,
}

/// The same for people and JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ProjectFacts {
    /// The folder of the project.
    pub root: PathBuf,
    /// Its build tool.
    pub build_tool: BuildTool,
    /// The module whose class path is used.
    pub module: String,
    /// The version of JUnit that the module's tests use.
    pub junit: Option<String>,
    /// The version of Mockito that they use.
    pub mockito: Option<String>,
    /// What the user should know.
    pub notes: Vec<String>,
}

impl ProjectRequest {
    /// The project that a folder belongs to, with the module of the trace.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into(), module: None, build: false, settings: Settings::default() }
    }

    /// Whether the folder belongs to a project.
    pub fn is_in_project(&self) -> bool {
        locate(&absolute(&self.folder)).is_some()
    }

    /// Asks the build tool and chooses the module. `is_scope_given` tells that the trace need not be the
    /// project's own code.
    pub(crate) fn choose(
        &self,
        jdk: &Jdk,
        cache: Option<&CacheSettings>,
        crashes: &Crashes,
        is_scope_given: bool,
        interruption: &Interruption,
    ) -> Result<ChosenModule, Error> {
        let java_home = Some(jdk.home.clone());
        let settings = Settings { java_home, cancelled: interruption.flag(), ..self.settings.clone() };
        let project = self.read(&settings, cache).map_err(|it| failure(&it))?;
        let number = self.number(&project, crashes, is_scope_given).map_err(|it| failure(&it))?;
        let module = project.modules.get(number).ok_or_else(Error::interrupted)?;
        if let Some(problem) = &module.problem {
            let (tool, module, reason) = (project.tool, module.name.clone(), problem.reason.clone());
            let error = match problem.offline {
                true => {
                    let (subject, by_choice) = (format!("module {module}"), settings.offline);
                    ProjectError::Offline { tool, subject, reason, by_choice }
                }
                false => ProjectError::Unresolved { tool, module, reason },
            };
            return Err(failure(&error.into()));
        }
        let mut notes = project.notes.clone();
        notes.extend(project.stale_note(number));
        if module.junit().is_none() && project.tool != BuildTool::None {
            let name = &module.name;
            notes.push(format!(
                "the tests of module {name} have no JUnit: the build needs it to run the test"
            ));
        }
        Ok(ChosenModule { style: module.style(), notes, number, project })
    }

    fn read(
        &self,
        settings: &Settings,
        cache: Option<&CacheSettings>,
    ) -> Result<Project, crashback_classpath::Error> {
        let folder = absolute(&self.folder);
        let located: Located = locate(&folder).ok_or(ProjectError::NoProject { folder })?;
        if self.build {
            located.build(settings)?;
        }
        located.read(settings, cache)
    }

    fn number(
        &self,
        project: &Project,
        crashes: &Crashes,
        is_scope_given: bool,
    ) -> Result<usize, crashback_classpath::Error> {
        if let Some(name) = &self.module {
            let module = project.module(name)?;
            return Ok(project.modules.iter().position(|it| it == module).unwrap_or_default());
        }
        let mut first = None;
        for crash in crashes.by_frequency() {
            // The innermost cause tells most about where the crash is.
            let throwables = crash.crash.throwables.iter().rev();
            let classes: Vec<&str> =
                throwables.flat_map(|it| &it.frames).map(|it| it.class.as_str()).collect();
            match project.choose(&classes) {
                Ok(number) => return Ok(number),
                Err(error) => drop(first.get_or_insert(error)),
            }
        }
        let is_foreign = |it: &crashback_classpath::Error| {
            matches!(it, crashback_classpath::Error::Project(ProjectError::ForeignTrace { .. }))
        };
        match first {
            Some(error) if !(is_scope_given && project.modules.len() == 1 && is_foreign(&error)) => {
                Err(error)
            }
            _ => Ok(0),
        }
    }
}

impl ChosenModule {
    /// The module.
    pub fn module(&self) -> Option<&Module> {
        self.project.modules.get(self.number)
    }

    /// The class path of its tests, as far as it exists: folders without a file are not made.
    pub(crate) fn class_path(&self) -> Vec<PathBuf> {
        existing(self.module())
    }

    /// The folder for the tests of a module, given by its name; that of the chosen one without a name.
    pub fn test_folder(&self, module: Option<&str>) -> Option<&Path> {
        let named = module.and_then(|name| self.project.modules.iter().find(|it| it.name == name));
        let folders = &named.or(self.module())?.test_sources;
        folders.first().map(PathBuf::as_path)
    }

    /// Modules that may be the home of a test of a class, given by its binary name: the class's own, if the
    /// chosen module builds on it, then the chosen one.
    pub fn homes(&self, class: &str) -> Vec<&Module> {
        let chosen = self.module();
        let owners = self.project.owners(class).into_iter().filter_map(|it| self.project.modules.get(it));
        let is_other =
            |it: &&Module| chosen.is_some_and(|chosen| chosen.name != it.name && chosen.covers(it));
        owners.filter(is_other).filter(|it| it.problem.is_none()).take(1).chain(chosen).collect()
    }

    /// The same for people and JSON.
    pub fn facts(&self) -> ProjectFacts {
        let module = self.module();
        ProjectFacts {
            root: self.project.root.clone(),
            build_tool: self.project.tool,
            module: module.map(|it| it.name.clone()).unwrap_or_default(),
            junit: module.and_then(Module::junit),
            mockito: module.and_then(Module::mockito),
            notes: self.notes.clone(),
        }
    }
}

/// The class path of a module, as far as it exists.
pub(crate) fn existing(module: Option<&Module>) -> Vec<PathBuf> {
    let entries = module.into_iter().flat_map(|it| &it.class_path);
    entries.filter(|it| it.exists()).cloned().collect()
}

/// A project that several results share.
pub type SharedModule = Arc<ChosenModule>;
