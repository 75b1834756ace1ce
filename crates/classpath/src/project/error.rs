//! Ways in which a project gives no class path.

use std::path::PathBuf;

use thiserror::Error;

use super::BuildTool;

/// Why there is no class path of a project.
#[derive(Debug, Error)]
pub enum ProjectError {
    /// The build tool cannot be started.
    #[error(
        "{} is a {tool} project, but {program} cannot be run: {reason}; install {tool}, add its wrapper to \
         the project, or give jars and class folders with --classpath", root.display()
    )]
    NoBuildTool {
        /// The folder of the project.
        root: PathBuf,
        /// Its build tool.
        tool: BuildTool,
        /// The program that was tried.
        program: String,
        /// The message of the system.
        reason: String,
    },
    /// The build tool ended with an error.
    #[error(
        "`{command}` failed in {}:\n{}\nmend the build, or give jars and class folders with --classpath",
        root.display(), indented(last_lines)
    )]
    BuildToolFailed {
        /// The folder of the project.
        root: PathBuf,
        /// The command line.
        command: String,
        /// The end of its output.
        last_lines: String,
    },
    /// The build tool lacks artifacts and cannot fetch them.
    #[error(
        "{tool} has not fetched everything that {subject} needs, and cannot now: {reason}; build the project \
         once while online{}", if *by_choice { ", or leave out --offline" } else { "" }
    )]
    Offline {
        /// The build tool.
        tool: BuildTool,
        /// The project or module that lacks something.
        subject: String,
        /// The message of the build tool.
        reason: String,
        /// Whether the user asked for no network.
        by_choice: bool,
    },
    /// The build tool cannot settle the dependencies of the module at hand.
    #[error("{tool} finds no class path for module {module}: {reason}")]
    Unresolved {
        /// The build tool.
        tool: BuildTool,
        /// The module.
        module: String,
        /// The message of the build tool.
        reason: String,
    },
    /// The project has no module with Java classes.
    #[error(
        "the {tool} project {} has no module with Java classes; give jars and class folders with --classpath",
        root.display()
    )]
    NoModules {
        /// The folder of the project.
        root: PathBuf,
        /// The build tool.
        tool: BuildTool,
    },
    /// The classes of the trace are among the sources, but not compiled.
    #[error("{module} is not compiled ({} has no {class}): {advice}", folder.display())]
    NotCompiled {
        /// The module or project, in words.
        module: String,
        /// The folder that should have the class.
        folder: PathBuf,
        /// A class that is missing, or `classes` if there are none at all.
        class: String,
        /// How to compile it.
        advice: String,
    },
    /// No class of the trace is the project's.
    #[error(
        "the trace belongs to no module of the project {}: none of them has {class}; run the command in the \
         project that crashed, name it with --project, or give its jars and class folders with --classpath",
        root.display()
    )]
    ForeignTrace {
        /// The folder of the project.
        root: PathBuf,
        /// A class of the trace.
        class: String,
    },
    /// Several modules have the same class.
    #[error("the class {class} is in the modules {}: choose one of them with --module", modules.join(", "))]
    AmbiguousModule {
        /// The class.
        class: String,
        /// The modules.
        modules: Vec<String>,
    },
    /// There is no module of that name.
    #[error("the project {} has no module {name}; it has {}", root.display(), modules.join(", "))]
    UnknownModule {
        /// The folder of the project.
        root: PathBuf,
        /// The name.
        name: String,
        /// The names that there are.
        modules: Vec<String>,
    },
    /// The folder that the user named holds no project.
    #[error(
        "{} is no project: it has no pom.xml, no Gradle build and no class folders; name another with \
         --project, or give jars and class folders with --classpath", folder.display()
    )]
    NoProject {
        /// The folder.
        folder: PathBuf,
    },
}

fn indented(lines: &str) -> String {
    lines.lines().map(|it| format!("  {it}")).collect::<Vec<_>>().join("\n")
}
