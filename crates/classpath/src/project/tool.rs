//! The programs that may be a project's build tool, and what is common to running them.

use std::path::PathBuf;

use super::{BuildTool, Located, Module, Project, ProjectError, Settings};
use crate::Error;
use crate::process::Finished;

/// So many lines of the output of a build tool are shown.
const LAST_LINES: usize = 12;

/// A program that builds a project.
#[derive(Clone, Debug)]
pub(super) struct Program {
    pub(super) path: PathBuf,
    /// As a user in the project's folder calls it.
    pub(super) shown: String,
    pub(super) is_wrapper: bool,
}

/// Why a run of a build tool gave nothing.
pub(super) enum Failed {
    /// The program could not begin its work; another may.
    Unusable(Error),
    /// It did, in vain.
    Finally(Error),
}

impl From<Error> for Failed {
    fn from(error: Error) -> Self {
        Self::Finally(error)
    }
}

impl From<ProjectError> for Failed {
    fn from(error: ProjectError) -> Self {
        Self::Finally(error.into())
    }
}

/// A build tool as it is asked about a project.
pub(super) struct Asked<'a> {
    pub(super) located: &'a Located,
    pub(super) settings: &'a Settings,
    pub(super) program: Program,
    /// Whether it may use only artifacts that it fetched before.
    pub(super) offline: bool,
}

impl Asked<'_> {
    /// Its failure, with the end of its output.
    pub(super) fn failure(&self, goal: &str, last_lines: String) -> ProjectError {
        let command = format!("{} {goal}", self.program.shown);
        ProjectError::BuildToolFailed { root: self.located.root.clone(), command, last_lines }
    }

    /// It lacks artifacts, and may not or cannot fetch them.
    pub(super) fn lacks(&self, reason: String) -> Failed {
        let subject = self.located.root.display().to_string();
        let (tool, by_choice) = (self.located.tool, self.settings.offline);
        ProjectError::Offline { tool, subject, reason, by_choice }.into()
    }

    /// It cannot be started.
    pub(super) fn cannot_run(&self, reason: String) -> Failed {
        let program = self.program.path.display().to_string();
        let (root, tool) = (self.located.root.clone(), self.located.tool);
        Failed::Unusable(ProjectError::NoBuildTool { root, tool, program, reason }.into())
    }
}

/// Asks for the modules of a project: without the network first, and with it if something is missing.
pub(super) fn read(
    located: &Located,
    settings: &Settings,
    modules: impl Fn(&Asked<'_>) -> Result<Vec<Module>, Failed>,
) -> Result<Project, Error> {
    let lacks = |read: &Result<Vec<Module>, Failed>| match read {
        Ok(modules) => modules.iter().any(|it| it.problem.is_some()),
        Err(failed) => is_offline(failed),
    };
    let words = |program: &str| {
        let root = located.root.display();
        format!("asking {program} for the class paths of {root}; they are kept until a build file changes")
    };
    let (modules, program) = first_usable(located, settings, words, lacks, modules)?;
    let wrapper = wrapper(located);
    let is_passed_over = !program.is_wrapper && wrapper.is_file();
    let note = is_passed_over.then(|| {
        let shown = &program.shown;
        format!("{} could not begin, perhaps for want of a network; {shown} was used", wrapper.display())
    });
    Ok(Project {
        root: located.root.clone(),
        tool: located.tool,
        program: program.shown,
        modules,
        notes: note.into_iter().collect(),
    })
}

/// Compiles a project by a goal of its build tool.
pub(super) fn build(
    located: &Located,
    settings: &Settings,
    goal: &str,
    compile: impl Fn(&Asked<'_>) -> Result<(), Failed>,
) -> Result<(), Error> {
    let words = |program: &str| format!("building {} with {program} {goal}", located.root.display());
    let lacks = |built: &Result<(), Failed>| built.as_ref().is_err_and(is_offline);
    first_usable(located, settings, words, lacks, compile).map(|_| ())
}

fn is_offline(failed: &Failed) -> bool {
    matches!(failed, Failed::Finally(Error::Project(ProjectError::Offline { .. })))
}

/// The result of the first program that can begin its work, and that program. The failure of the first is
/// told if none can.
fn first_usable<T>(
    located: &Located,
    settings: &Settings,
    words: impl Fn(&str) -> String,
    lacks: impl Fn(&Result<T, Failed>) -> bool,
    run: impl Fn(&Asked<'_>) -> Result<T, Failed>,
) -> Result<(T, Program), Error> {
    let mut failure = None;
    for program in programs(located, settings) {
        (settings.tell)(&words(&program.shown));
        let asked = |offline: bool| Asked { located, settings, program: program.clone(), offline };
        let mut result = run(&asked(true));
        if !settings.offline && lacks(&result) {
            result = run(&asked(false));
        }
        match result {
            Ok(result) => return Ok((result, program)),
            Err(Failed::Finally(error)) => return Err(error),
            Err(Failed::Unusable(error)) => drop(failure.get_or_insert(error)),
        }
    }
    Err(failure.unwrap_or(Error::Cancelled))
}

/// The project's wrapper, if it has one, then the program of the machine.
fn programs(located: &Located, settings: &Settings) -> Vec<Program> {
    let path = wrapper(located);
    let name = path.file_name().map(|it| it.to_string_lossy().into_owned()).unwrap_or_default();
    let own = path.is_file().then(|| Program { path, shown: format!("./{name}"), is_wrapper: true });
    let plain = if located.tool == BuildTool::Gradle { &settings.gradle } else { &settings.maven };
    let shown = plain.display().to_string();
    own.into_iter().chain([Program { path: plain.clone(), shown, is_wrapper: false }]).collect()
}

fn wrapper(located: &Located) -> PathBuf {
    located.root.join(if located.tool == BuildTool::Gradle { "gradlew" } else { "mvnw" })
}

/// The part of a build tool's output that tells why it failed: from a mark on, else its last lines.
pub(super) fn last_lines(finished: &Finished, is_telling: impl Fn(&str) -> bool) -> String {
    let lines = || finished.errors.lines().chain(finished.output.lines()).map(str::trim_end);
    let telling: Vec<&str> = lines().filter(|it| is_telling(it)).take(LAST_LINES).collect();
    if !telling.is_empty() {
        return telling.join("\n");
    }
    let all: Vec<&str> = lines().filter(|it| !it.trim().is_empty()).collect();
    if all.is_empty() {
        return "it gave no reason".to_owned();
    }
    all.get(all.len().saturating_sub(LAST_LINES)..).unwrap_or_default().join("\n")
}
