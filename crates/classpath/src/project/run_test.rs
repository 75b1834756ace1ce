//! The command that runs one test of a project.

use std::path::{Path, PathBuf};

use super::{BuildTool, Module, Project};

impl Project {
    /// The command, for a shell in a folder; none if no build tool would find the test.
    pub fn test_command(&self, module: &str, test: &str, from: &Path) -> Option<String> {
        let module = self.modules.iter().find(|it| it.name == module)?;
        let at = relative(&self.root, from);
        let is_here = at.as_os_str().is_empty();
        let program = match self.program.strip_prefix("./") {
            Some(wrapper) if !is_here => at.join(wrapper).display().to_string(),
            _ => self.program.clone(),
        };
        let place =
            |option: &str| if is_here { String::new() } else { format!(" {option} {}", at.display()) };
        match self.tool {
            BuildTool::Maven => {
                let (place, choice) = (place("-f"), self.maven_choice(module));
                Some(format!("{program}{place}{choice} test -Dtest={test}{}", tolerance(&choice)))
            }
            BuildTool::Gradle => {
                let (place, path) = (place("-p"), module.name.trim_end_matches(':'));
                Some(format!("{program}{place} {path}:test --tests {test}"))
            }
            BuildTool::None => None,
        }
    }

    /// The options by which Maven builds one module, and those that it needs.
    fn maven_choice(&self, module: &Module) -> String {
        let Ok(folder) = module.folder.strip_prefix(&self.root) else { return String::new() };
        if folder.as_os_str().is_empty() {
            return String::new();
        }
        let needs_others = self.modules.iter().any(|it| it.name != module.name && module.covers(it));
        format!(" -pl {}{}", folder.display(), if needs_others { " -am" } else { "" })
    }
}

/// Modules that are built along have no such test, which Surefire would call an error: by another option
/// since its version 3.
fn tolerance(choice: &str) -> &'static str {
    match choice.ends_with("-am") {
        true => " -DfailIfNoTests=false -Dsurefire.failIfNoSpecifiedTests=false",
        false => "",
    }
}

/// A path as seen from a folder; empty for the folder itself.
fn relative(path: &Path, from: &Path) -> PathBuf {
    if let Ok(below) = path.strip_prefix(from) {
        return below.to_owned();
    }
    // A way through the root of the file system is no help.
    let shared = from.ancestors().enumerate().find(|(_, it)| path.starts_with(it) && it.parent().is_some());
    let Some((steps, shared)) = shared else { return path.to_owned() };
    let mut relative: PathBuf = std::iter::repeat_n("..", steps).collect();
    relative.extend(path.strip_prefix(shared).unwrap_or(path));
    relative
}
