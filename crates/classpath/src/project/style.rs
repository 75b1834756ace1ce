//! How the tests of a module are written.

use std::fs;
use std::path::{Path, PathBuf};

use super::Module;

/// So many files tell the style of all.
const MOST_FILES: usize = 60;
/// Deeper folders are not entered; links can make a circle.
const MAX_DEPTH: usize = 32;

/// The style of a module's tests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// Which JUnit they use; none if none uses any.
    pub api: Option<TestApi>,
    /// One step of indentation.
    pub indentation: Indentation,
}

/// The API that tests are written against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TestApi {
    /// JUnit 4, or 3.
    JUnit4,
    /// Jupiter, of JUnit 5 and later.
    Jupiter,
}

/// One step of indentation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Indentation {
    /// So many spaces.
    Spaces(usize),
    /// Four spaces.
    #[default]
    Usual,
    /// A tab.
    Tab,
}

impl Module {
    /// The style of its tests; the indentation of its sources if it has no tests.
    pub fn style(&self) -> Style {
        let tests = sources(&self.test_sources);
        let indentation = indentation(&tests).or_else(|| indentation(&sources(&self.sources)));
        Style { api: api(&tests), indentation: indentation.unwrap_or_default() }
    }
}

impl Indentation {
    /// A Java source that is indented by four spaces with other steps.
    pub fn apply(self, source: &str) -> String {
        let step = match self {
            Self::Usual | Self::Spaces(4) => return source.to_owned(),
            Self::Spaces(count) => " ".repeat(count),
            Self::Tab => "\t".to_owned(),
        };
        let mut text = String::with_capacity(source.len());
        for line in source.split_inclusive('\n') {
            let rest = line.trim_start_matches(' ');
            let spaces = line.len() - rest.len();
            text.push_str(&step.repeat(spaces / 4));
            text.push_str(&" ".repeat(spaces % 4));
            text.push_str(rest);
        }
        text
    }
}

/// The texts of the first Java files below some folders, in the order of their paths.
fn sources(folders: &[PathBuf]) -> Vec<String> {
    let mut files = Vec::new();
    for folder in folders {
        collect(folder, 0, &mut files);
    }
    files.iter().filter_map(|it| fs::read_to_string(it).ok()).collect()
}

fn collect(folder: &Path, depth: usize, files: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|it| it.path()).collect();
    paths.sort();
    for path in paths {
        if files.len() >= MOST_FILES {
            return;
        }
        if path.is_dir() && depth < MAX_DEPTH {
            collect(&path, depth + 1, files);
        } else if path.extension().is_some_and(|it| it == "java") {
            files.push(path);
        }
    }
}

/// The API that most tests import.
fn api(sources: &[String]) -> Option<TestApi> {
    let imports = |of: &dyn Fn(&str) -> bool| {
        sources.iter().filter(|it| it.lines().any(|line| line.starts_with("import ") && of(line))).count()
    };
    let jupiter = imports(&|it| it.contains("org.junit.jupiter."));
    let four = imports(&|it| {
        (it.contains("org.junit.") || it.contains("junit.framework."))
            && !["org.junit.jupiter.", "org.junit.platform."].iter().any(|other| it.contains(other))
    });
    match (jupiter, four) {
        (0, 0) => None,
        (jupiter, four) if jupiter >= four => Some(TestApi::Jupiter),
        _ => Some(TestApi::JUnit4),
    }
}

/// The step that most files use: by how much the first line in the outermost block is indented.
fn indentation(sources: &[String]) -> Option<Indentation> {
    let mut counts: Vec<(Indentation, usize)> = Vec::new();
    for step in sources.iter().filter_map(|it| step(it)) {
        match counts.iter_mut().find(|(it, _)| *it == step) {
            Some((_, count)) => *count += 1,
            None => counts.push((step, 1)),
        }
    }
    counts.into_iter().rev().max_by_key(|(_, count)| *count).map(|(step, _)| step)
}

fn step(source: &str) -> Option<Indentation> {
    let mut lines = source.lines().skip_while(|it| !it.trim_end().ends_with('{'));
    lines.next()?;
    let line = lines.find(|it| !it.trim().is_empty() && !it.trim_start().starts_with('*'))?;
    let spaces = line.len() - line.trim_start_matches(' ').len();
    match (line.starts_with('\t'), spaces) {
        (true, _) => Some(Indentation::Tab),
        (false, 4) => Some(Indentation::Usual),
        (false, 1..=8) => Some(Indentation::Spaces(spaces)),
        (false, _) => None,
    }
}
