//! Whether the classes of a project are there, and of the sources that are there.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::folders::has_classes;
use super::{BuildTool, Module, Project};

/// Deeper folders are not entered; links can make a circle.
const MAX_DEPTH: usize = 64;

/// Sources that were changed after their classes were made, or that have none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stale {
    /// How many there are.
    pub count: usize,
    /// One of them.
    pub example: PathBuf,
}

impl Project {
    /// Whether any module has classes.
    pub fn is_compiled(&self) -> bool {
        self.modules.iter().any(Module::is_compiled)
    }

    /// How its classes are made, in words.
    pub(super) fn build_advice(&self) -> String {
        let command = match self.tool {
            BuildTool::Maven => format!("{} test-compile", self.program),
            BuildTool::Gradle => format!("{} testClasses", self.program),
            BuildTool::None => return "compile it".to_owned(),
        };
        format!("add --build, or run `{command}`")
    }

    /// In words, that the classes on a module's class path are older than their sources.
    pub fn stale_note(&self, number: usize) -> Option<String> {
        let module = self.modules.get(number)?;
        let used = self.modules.iter().filter(|it| module.covers(it));
        let stale: Vec<Stale> = used.filter_map(Module::stale).collect();
        let example = stale.first()?.example.display();
        let count: usize = stale.iter().map(|it| it.count).sum();
        let advice = self.build_advice();
        Some(match count {
            1 => format!("{example} is newer than its class, or was never compiled: {advice}"),
            _ => format!(
                "{count} sources are newer than their classes, or were never compiled, such as \
                 {example}: {advice}"
            ),
        })
    }
}

impl Module {
    /// Whether it has classes.
    pub fn is_compiled(&self) -> bool {
        self.classes.iter().any(|it| has_classes(it, 0))
    }

    /// Sources that its classes are not of.
    pub fn stale(&self) -> Option<Stale> {
        let newest = self.classes.iter().filter_map(|it| newest_class(it, 0)).max();
        let mut stale = Vec::new();
        for folder in &self.sources {
            collect(folder, Path::new(""), 0, &mut |relative, modified| {
                if self.is_newer(relative, modified, newest) {
                    stale.push(folder.join(relative));
                }
            });
        }
        stale.sort();
        let example = stale.first()?.clone();
        Some(Stale { count: stale.len(), example })
    }

    /// Whether a source was changed after its class was made. A Java class has the name of its file; in other
    /// languages it may have any.
    fn is_newer(&self, relative: &Path, modified: SystemTime, newest: Option<SystemTime>) -> bool {
        let class_of = |it: &PathBuf| it.join(relative.with_extension("class"));
        let classes = self.classes.iter().filter_map(|it| fs::metadata(class_of(it)).ok()?.modified().ok());
        match classes.max() {
            Some(made) => modified > made,
            None if relative.extension().is_some_and(|it| it == "java") => {
                newest.is_none_or(|it| modified > it)
            }
            None => newest.is_some_and(|it| modified > it),
        }
    }
}

/// Visits the sources below a folder.
fn collect(root: &Path, relative: &Path, depth: usize, visit: &mut dyn FnMut(&Path, SystemTime)) {
    let entries = fs::read_dir(root.join(relative)).into_iter().flatten().flatten();
    for entry in entries {
        let (path, Ok(data)) = (relative.join(entry.file_name()), fs::metadata(entry.path())) else {
            continue;
        };
        if data.is_dir() && depth < MAX_DEPTH {
            collect(root, &path, depth + 1, visit);
        } else if let Some(modified) = data.modified().ok().filter(|_| is_source(&path)) {
            visit(&path, modified);
        }
    }
}

/// Whether a class is made of a file.
fn is_source(path: &Path) -> bool {
    let name = path.file_name().and_then(|it| it.to_str()).unwrap_or_default();
    let is_source = [".java", ".kt", ".groovy", ".scala"].iter().any(|it| name.ends_with(it));
    is_source && !matches!(name, "package-info.java" | "module-info.java")
}

fn newest_class(folder: &Path, depth: usize) -> Option<SystemTime> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let times = entries.filter_map(|it| {
        let (path, data) = (it.path(), it.metadata().ok()?);
        if data.is_dir() && depth < MAX_DEPTH {
            return newest_class(&path, depth + 1);
        }
        data.modified().ok().filter(|_| path.extension().is_some_and(|it| it == "class"))
    });
    times.max()
}
