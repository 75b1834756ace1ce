//! Modules of a Maven project.
//!
//! Two runs of Maven tell everything. The first gives the effective POM of each module, which needs no
//! artifact of the project itself. The second resolves, in a folder elsewhere, a copy of each POM that has
//! no build and whose dependencies on other modules are such on their POMs: so that nothing must be
//! installed, packaged or compiled, and Maven settles versions as it does in the project.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use roxmltree::{Document, Node, ParsingOptions};

use super::tool::{self, Asked, Failed};
use super::{Located, Module, Problem, Project, Settings};
use crate::Error;
use crate::maven::{self, Run, command, explain_failure, project_of};
use crate::process::Finished;

/// The plugin goal that writes effective POMs; the version is fixed so that its output is known.
const EFFECTIVE_POM: &str = "org.apache.maven.plugins:maven-help-plugin:3.5.1:effective-pom";
/// The scope of everything that tests need.
const TEST: &str = "test";
/// The phase that has compiled everything.
const COMPILE: &str = "test-compile";

/// Asks Maven for all modules.
pub(super) fn read(located: &Located, settings: &Settings) -> Result<Project, Error> {
    tool::read(located, settings, modules)
}

/// Compiles all modules and their tests.
pub(super) fn build(located: &Located, settings: &Settings) -> Result<(), Error> {
    tool::build(located, settings, COMPILE, compile)
}

fn modules(asked: &Asked<'_>) -> Result<Vec<Module>, Failed> {
    let settings = maven_settings(asked);
    let run = Run::new(&settings).map_err(|it| cannot_run(asked, it))?;
    let text = effective_poms(asked, &run)?;
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    let document = Document::parse_with_options(&text, options)
        .map_err(|error| asked.failure(EFFECTIVE_POM, format!("its output cannot be understood: {error}")))?;
    let poms: Vec<Pom<'_>> = projects(&document).map(|node| Pom::read(&text, node)).collect();
    resolve(asked, &poms, &run)
}

fn compile(asked: &Asked<'_>) -> Result<(), Failed> {
    let settings = maven_settings(asked);
    let run = Run::new(&settings).map_err(|it| cannot_run(asked, it))?;
    let finished = finish(asked, &run, &[COMPILE])?;
    if finished.is_success { Ok(()) } else { Err(explain(asked, &finished, COMPILE)) }
}

fn maven_settings(asked: &Asked<'_>) -> maven::Settings {
    maven::Settings {
        program: asked.program.path.clone(),
        java_home: asked.settings.java_home.clone(),
        offline: asked.offline,
        cancelled: asked.settings.cancelled.clone(),
    }
}

/// Runs Maven on the project itself.
fn finish(asked: &Asked<'_>, run: &Run<'_>, arguments: &[&str]) -> Result<Finished, Failed> {
    let root = &asked.located.root;
    let mut command = command(&maven_settings(asked), &root.join("pom.xml"));
    run.finish(command.current_dir(root).args(arguments)).map_err(|it| cannot_run(asked, it))
}

fn effective_poms(asked: &Asked<'_>, run: &Run<'_>) -> Result<String, Failed> {
    let file = run.folder().join("effective-pom");
    let finished = finish(asked, run, &[EFFECTIVE_POM, &format!("-Doutput={}", file.display())])?;
    match fs::read_to_string(file) {
        Ok(text) if finished.is_success => Ok(text),
        _ => Err(explain(asked, &finished, "help:effective-pom")),
    }
}

/// The class paths of all modules at once; those that Maven cannot settle have a problem.
fn resolve(asked: &Asked<'_>, poms: &[Pom<'_>], run: &Run<'_>) -> Result<Vec<Module>, Failed> {
    let own: BTreeSet<Coordinates<'_>> = poms.iter().map(|it| it.coordinates).collect();
    let folders = (0..poms.len()).map(|it| format!("<module>{it}</module>")).collect::<String>();
    let cannot_run = |it: Error| cannot_run(asked, it);
    run.add_project("", &project_of("modules", &format!("<modules>{folders}</modules>")))
        .map_err(cannot_run)?;
    for (number, pom) in poms.iter().enumerate() {
        run.add_project(&number.to_string(), &pom.without_build(&own)).map_err(cannot_run)?;
    }
    copy_options(&asked.located.root, run.folder());
    let ended = run.to_end(TEST, &["--fail-at-end"]).map_err(cannot_run)?;
    let problem = || Problem {
        reason: ended.failure.to_string(),
        offline: matches!(ended.failure, Error::MavenOffline { .. }),
    };
    let numbers = 0..poms.len();
    let found: Vec<_> = numbers.map(|it| run.class_path(&it.to_string())).collect();
    let modules = poms.iter().zip(&found).filter(|(pom, _)| pom.has_classes());
    let module = |(pom, found): (&Pom<'_>, &Option<Vec<PathBuf>>)| {
        let resolved = found.as_deref().unwrap_or_default();
        let class_path = class_path(pom, poms, resolved, run.folder());
        Module { class_path, problem: found.is_none().then(problem), ..pom.module() }
    };
    Ok(modules.map(module).collect())
}

fn cannot_run(asked: &Asked<'_>, error: Error) -> Failed {
    match error {
        Error::NoMaven { reason, .. } => asked.cannot_run(reason),
        other => Failed::Finally(other),
    }
}

fn explain(asked: &Asked<'_>, finished: &Finished, goal: &str) -> Failed {
    let Finished { output, errors, .. } = finished;
    if let Error::MavenOffline { reason } = explain_failure(output, errors) {
        return asked.lacks(reason);
    }
    let error = asked.failure(goal, tool::last_lines(finished, is_telling));
    // A wrapper that cannot fetch the Maven that it stands for.
    let began = output.lines().any(|it| it.starts_with("[INFO]") || it.starts_with("[ERROR]"));
    match asked.program.is_wrapper && !began {
        true => Failed::Unusable(error.into()),
        false => error.into(),
    }
}

/// Whether a line of Maven's tells more than how to ask for help.
fn is_telling(line: &str) -> bool {
    let hints = ["[Help", "re-run Maven", "For more information", "After correcting"];
    let text = line.strip_prefix("[ERROR]").map(str::trim);
    text.is_some_and(|it| {
        !it.is_empty() && !hints.iter().any(|hint| it.contains(hint) && !it.contains("Failed"))
    })
}

/// Options of the project, such as another file of settings, apply to the copies too. Extensions do not:
/// they are for builds.
fn copy_options(root: &Path, to: &Path) {
    let entries = fs::read_dir(root.join(".mvn")).into_iter().flatten().flatten();
    let folder = to.join(".mvn");
    for entry in entries.filter(|it| it.path().is_file() && it.file_name() != "extensions.xml") {
        // Without a file, Maven says itself that it lacks it.
        drop(
            fs::create_dir_all(&folder).and_then(|()| fs::copy(entry.path(), folder.join(entry.file_name()))),
        );
    }
}

/// The POMs of a document: one, or one for each module.
fn projects<'d>(document: &'d Document<'d>) -> impl Iterator<Item = Node<'d, 'd>> {
    let root = document.root_element();
    let children = root.children().filter(|it| it.has_tag_name_local("project"));
    Some(root).into_iter().filter(|it| it.has_tag_name_local("project")).chain(children)
}

/// Elements by their names, whatever their namespace.
trait Local<'d> {
    fn has_tag_name_local(&self, name: &str) -> bool;
    fn child(&self, name: &str) -> Option<Node<'d, 'd>>;
    fn child_text(&self, name: &str) -> &'d str;
}

impl<'d> Local<'d> for Node<'d, 'd> {
    fn has_tag_name_local(&self, name: &str) -> bool {
        self.is_element() && self.tag_name().name() == name
    }

    fn child(&self, name: &str) -> Option<Node<'d, 'd>> {
        self.children().find(|it| it.has_tag_name_local(name))
    }

    fn child_text(&self, name: &str) -> &'d str {
        self.child(name).and_then(|it| it.text()).unwrap_or_default().trim()
    }
}

/// Group, artifact and version.
type Coordinates<'d> = (&'d str, &'d str, &'d str);

/// An effective POM.
struct Pom<'d> {
    text: &'d str,
    node: Node<'d, 'd>,
    coordinates: Coordinates<'d>,
}

impl<'d> Pom<'d> {
    fn read(text: &'d str, node: Node<'d, 'd>) -> Self {
        Self { text, node, coordinates: coordinates(node) }
    }

    /// Whether its packaging has classes.
    fn has_classes(&self) -> bool {
        !matches!(self.node.child_text("packaging"), "pom" | "bom")
    }

    fn dependencies(&self) -> impl Iterator<Item = Node<'d, 'd>> {
        let all = self.node.child("dependencies").into_iter().flat_map(|it| it.children());
        all.filter(|it| it.has_tag_name_local("dependency"))
    }

    /// The same dependencies in a POM without a build, with those on other modules as such on their POMs.
    fn without_build(&self, own: &BTreeSet<Coordinates<'_>>) -> String {
        let of = |node: Option<Node<'_, '_>>| node.map_or("", |it| self.source(it));
        let names = ["groupId", "artifactId", "version"].map(|it| of(self.node.child(it))).concat();
        let rest = ["repositories", "dependencyManagement"].map(|it| of(self.node.child(it))).join("\n");
        // A module may be there twice, with its tests: the wider scope counts.
        let mut known: BTreeMap<Coordinates<'_>, (u8, usize)> = BTreeMap::new();
        let mut dependencies: Vec<String> = Vec::new();
        for node in self.dependencies() {
            let coordinates = coordinates(node);
            if !own.contains(&coordinates) {
                dependencies.push(self.source(node).to_owned());
                continue;
            }
            let rank = scope_rank(node.child_text("scope"));
            let parts = ["groupId", "artifactId", "version", "scope", "exclusions", "optional"];
            let parts = parts.map(|it| of(node.child(it))).concat();
            let text = format!("<dependency>{parts}<type>pom</type></dependency>");
            let (known_rank, place) = *known.entry(coordinates).or_insert((u8::MAX, dependencies.len()));
            match dependencies.get_mut(place) {
                Some(wider) if rank < known_rank => *wider = text,
                Some(_) => continue,
                None => dependencies.push(text),
            }
            known.insert(coordinates, (rank, place));
        }
        let dependencies = dependencies.join("\n");
        format!(
            "<project><modelVersion>4.0.0</modelVersion>{names}<packaging>pom</packaging>\n{rest}\n\
             <dependencies>\n{dependencies}\n</dependencies></project>\n"
        )
    }

    fn source(&self, node: Node<'_, '_>) -> &'d str {
        self.text.get(node.range()).unwrap_or_default()
    }

    /// Other modules whose tests it uses.
    fn uses_tests_of(&self, other: &Pom<'_>) -> bool {
        let is_tests = |it: &Node<'_, '_>| {
            it.child_text("type") == "test-jar" || matches!(it.child_text("classifier"), "tests" | "test")
        };
        self.dependencies().any(|it| coordinates(it) == other.coordinates && is_tests(&it))
    }

    /// The module, still without a class path.
    fn module(&self) -> Module {
        let build = self.node.child("build");
        let path = |name: &str| {
            let text = build.map_or("", |it| it.child_text(name));
            (!text.is_empty()).then(|| PathBuf::from(text))
        };
        let output = path("directory").unwrap_or_default();
        // The model does not tell the folder of its file.
        let has_pom = |it: &&Path| it.join("pom.xml").is_file();
        let folder = output.ancestors().skip(1).find(has_pom).unwrap_or(Path::new("")).to_owned();
        let mut sources: Vec<PathBuf> = path("sourceDirectory").into_iter().collect();
        sources.extend(["src/main/java", "src/main/kotlin"].map(|it| folder.join(it)));
        sources.extend(generated(&output.join("generated-sources")));
        let mut test_sources: Vec<PathBuf> = path("testSourceDirectory").into_iter().collect();
        test_sources.push(folder.join("src/test/java"));
        // The folder of Java tests, where tests in another language have theirs beside it.
        if test_sources.first().is_some_and(|it| !it.ends_with("java"))
            && folder.join("src/test/java").is_dir()
        {
            test_sources.reverse();
        }
        unique(&mut sources);
        unique(&mut test_sources);
        Module {
            name: self.coordinates.1.to_owned(),
            folder,
            sources,
            classes: path("outputDirectory").into_iter().collect(),
            test_sources,
            test_classes: path("testOutputDirectory").into_iter().collect(),
            ..Module::default()
        }
    }
}

fn coordinates<'d>(node: Node<'d, 'd>) -> Coordinates<'d> {
    (node.child_text("groupId"), node.child_text("artifactId"), node.child_text("version"))
}

/// Smaller for scopes that bring more.
fn scope_rank(scope: &str) -> u8 {
    match scope {
        "" | "compile" => 0,
        "runtime" => 1,
        "provided" => 2,
        _ => 3,
    }
}

fn generated(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|it| it.path());
    let mut folders: Vec<PathBuf> = entries.filter(|it| it.is_dir()).collect();
    folders.sort();
    folders
}

fn unique(paths: &mut Vec<PathBuf>) {
    let mut seen = BTreeSet::new();
    paths.retain(|it| seen.insert(it.clone()));
}

/// The class path of a module's tests: its own folders, then what Maven resolved, with the POMs of other
/// modules replaced by their class folders.
fn class_path(pom: &Pom<'_>, poms: &[Pom<'_>], resolved: &[PathBuf], copies: &Path) -> Vec<PathBuf> {
    let Module { classes, test_classes, .. } = pom.module();
    let mut class_path: Vec<PathBuf> = test_classes.into_iter().chain(classes).collect();
    for file in resolved {
        match copy_of(file, copies).and_then(|it| poms.get(it)) {
            Some(other) => {
                let Module { classes, test_classes, .. } = other.module();
                if other.has_classes() {
                    class_path.extend(classes);
                    class_path.extend(test_classes.into_iter().filter(|_| pom.uses_tests_of(other)));
                }
            }
            // POMs of others hold no classes.
            None if file.extension().is_some_and(|it| it == "pom" || it == "xml") => {}
            None => class_path.push(file.clone()),
        }
    }
    unique(&mut class_path);
    class_path
}

/// The number of the module whose copy a file is.
fn copy_of(file: &Path, copies: &Path) -> Option<usize> {
    let folder = file.parent()?;
    let is_copy = file.file_name()? == "pom.xml" && folder.parent()?.file_name() == copies.file_name();
    folder.file_name()?.to_str()?.parse().ok().filter(|_| is_copy)
}

#[cfg(test)]
pub(super) mod for_tests {
    use super::*;

    /// Copies without a build and modules, as of an effective POM and what Maven resolved.
    pub(crate) fn modules(text: &str, resolved: &[&[&str]]) -> (Vec<String>, Vec<Module>) {
        let document = Document::parse(text).expect("XML");
        let poms: Vec<Pom<'_>> = projects(&document).map(|node| Pom::read(text, node)).collect();
        let own = poms.iter().map(|it| it.coordinates).collect();
        let copies = poms.iter().map(|it| it.without_build(&own)).collect();
        let resolved = resolved.iter().map(|it| it.iter().map(PathBuf::from).collect::<Vec<_>>());
        let path = |(pom, resolved): (&Pom<'_>, Vec<PathBuf>)| Module {
            class_path: class_path(pom, &poms, &resolved, Path::new("/copies")),
            ..pom.module()
        };
        (copies, poms.iter().zip(resolved).map(path).collect())
    }

    pub(crate) fn telling(line: &str) -> bool {
        is_telling(line)
    }
}
