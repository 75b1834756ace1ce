//! Directories of class files. They are not cached: their files change while people work, a key
//! that is safe would have to cover the content of each, and reading all of them is most of the
//! work of indexing them.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use crate::part::{BuiltShard, Facts, Part, PartBuilder, split_by_size};
use crate::problem::{Problem, ProblemKind};

/// Deeper folders are not entered; links can make a circle.
const MAX_DEPTH: usize = 64;

/// Indexes the class files below `root`.
pub(crate) fn index(root: &Path) -> Part {
    let mut files = Files::default();
    files.collect(root, "", 0);
    files.classes.sort();
    let runs = split_by_size(&files.classes, |class| class.size);
    let facts = Facts { problems: files.problems, ..Facts::default() };
    Part::new(facts, runs.into_par_iter().map(|run| index_run(root, run)).collect())
}

/// The bytes of the class of that name below `root`.
pub(crate) fn read(root: &Path, class: &str) -> io::Result<Vec<u8>> {
    fs::read(root.join(format!("{class}.class")))
}

/// Paths of the files below `root` that are no classes, folder by folder in the order of names.
pub(crate) fn resources(root: &Path, most: usize) -> Vec<String> {
    files(root, most, |path| !path.ends_with(".class"))
}

/// Paths of some files below `root`, folder by folder in the order of names.
pub(crate) fn files(root: &Path, most: usize, is_wanted: impl Fn(&str) -> bool) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = vec![(String::new(), 0)];
    while let Some((folder, depth)) = open.pop() {
        let entries = fs::read_dir(root.join(&folder)).into_iter().flatten().flatten();
        let mut entries: Vec<fs::DirEntry> = entries.collect();
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in &entries {
            let Some(path) = entry.file_name().to_str().map(|name| format!("{folder}{name}")) else {
                continue;
            };
            match entry.file_type() {
                Ok(of) if of.is_dir() && depth < MAX_DEPTH => open.push((format!("{path}/"), depth + 1)),
                Ok(of) if of.is_file() && is_wanted(&path) => found.push(path),
                _ => {}
            }
            if found.len() >= most {
                return found;
            }
        }
    }
    found
}

fn index_run(root: &Path, run: &[ClassFile]) -> BuiltShard {
    let mut builder = PartBuilder::default();
    for class in run {
        let bytes = fs::read(root.join(&class.path));
        builder.add(&class.path, 0, bytes.as_deref());
    }
    builder.finish()
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct ClassFile {
    /// Relative, with `/` on every platform.
    path: String,
    size: u64,
}

#[derive(Default)]
struct Files {
    classes: Vec<ClassFile>,
    problems: Vec<Problem>,
}

impl Files {
    fn collect(&mut self, directory: &Path, relative: &str, depth: usize) {
        let entries = match fs::read_dir(directory) {
            Ok(entries) if depth < MAX_DEPTH => entries,
            Ok(_) => {
                return self
                    .problem(relative, "folders are nested too deeply here; is a link making a circle?");
            }
            Err(error) => return self.problem(relative, &format!("cannot list this folder: {error}")),
        };
        for entry in entries {
            let Ok(entry) = entry else { continue };
            let name = entry.file_name();
            let (path, Some(name)) = (entry.path(), name.to_str()) else { continue };
            self.add(&path, &format!("{relative}{name}"), depth);
        }
    }

    fn add(&mut self, path: &PathBuf, relative: &str, depth: usize) {
        let is_class = relative.ends_with(".class") && relative != "module-info.class";
        match fs::metadata(path) {
            Ok(data) if data.is_dir() && relative != "META-INF" => {
                self.collect(path, &format!("{relative}/"), depth + 1)
            }
            Ok(data) if data.is_file() && is_class => {
                self.classes.push(ClassFile { path: relative.to_owned(), size: data.len() });
            }
            Err(error) if is_class => {
                self.problem(relative, &format!("cannot read this class file: {error}"))
            }
            _ => {}
        }
    }

    fn problem(&mut self, relative: &str, message: &str) {
        self.problems.push(Problem::new(ProblemKind::UnreadableClass, relative, message));
    }
}
