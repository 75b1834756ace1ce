//! Published artifacts with everything they need at run time, and their other releases, resolved by
//! the user's own Maven and its settings.
//!
//! Invariant: all coordinates of a class path go into one project, so that Maven settles on one
//! version of what they share.

mod releases;
mod version;

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use xxhash_rust::xxh3::xxh3_128;

use crate::Error;
use crate::cache::{Cache, CacheKey};
use crate::process::{self, Finished};

pub use releases::{coordinates_of, fetch_releases, releases};
pub use version::{nearest, version_order};

/// The plugin goal that writes a class path; the version is fixed so that its output is known.
const BUILD_CLASSPATH: &str = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:build-classpath";
/// The file that it writes.
const CLASS_PATH: &str = "class-path";
/// The scope of everything that a program needs to run.
const RUN_TIME: &str = "runtime";
/// Third or fourth parts of coordinates that are a packaging and not a version or classifier.
const PACKAGINGS: [&str; 10] =
    ["jar", "war", "ear", "zip", "aar", "bundle", "test-jar", "maven-plugin", "ejb", "eclipse-plugin"];

/// The name of a published artifact.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Coordinates {
    /// The group, such as `org.apache.commons`.
    pub group: String,
    /// The artifact, such as `commons-lang3`.
    pub artifact: String,
    /// The version.
    pub version: String,
    /// The packaging, `jar` unless given.
    pub packaging: String,
    /// The classifier.
    pub classifier: Option<String>,
}

/// How Maven is run.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The program; a name without a folder is looked up as the system does.
    pub program: PathBuf,
    /// The JDK Maven runs on, where it should not be the environment's.
    pub java_home: Option<PathBuf>,
    /// Whether Maven may use only artifacts that it fetched before.
    pub offline: bool,
    /// Becomes true when Maven shall be stopped.
    pub cancelled: Arc<AtomicBool>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            program: if cfg!(windows) { "mvn.cmd" } else { "mvn" }.into(),
            java_home: None,
            offline: false,
            cancelled: Arc::default(),
        }
    }
}

impl FromStr for Coordinates {
    type Err = Error;

    /// Reads `group:artifact:version`, with packaging and classifier either before the version, as
    /// Maven prints them, or after it, as in many build files.
    fn from_str(text: &str) -> Result<Self, Error> {
        let parts: Vec<&str> = text.split(':').collect();
        let is_word = |part: &&str| {
            !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || "._-+".contains(c))
        };
        let is_packaging = |part: &str| PACKAGINGS.contains(&part);
        let (group, artifact, version, packaging, classifier) = match *parts.as_slice() {
            [group, artifact, version] => (group, artifact, version, "jar", None),
            [group, artifact, packaging, version] if is_packaging(packaging) => {
                (group, artifact, version, packaging, None)
            }
            [group, artifact, version, packaging] if is_packaging(packaging) => {
                (group, artifact, version, packaging, None)
            }
            [group, artifact, version, classifier] => (group, artifact, version, "jar", Some(classifier)),
            [group, artifact, packaging, classifier, version] if is_packaging(packaging) => {
                (group, artifact, version, packaging, Some(classifier))
            }
            [group, artifact, version, packaging, classifier] if is_packaging(packaging) => {
                (group, artifact, version, packaging, Some(classifier))
            }
            _ => return Err(Error::Coordinates { text: text.to_owned() }),
        };
        if !parts.iter().all(is_word) {
            return Err(Error::Coordinates { text: text.to_owned() });
        }
        Ok(Self {
            group: group.to_owned(),
            artifact: artifact.to_owned(),
            version: version.to_owned(),
            packaging: packaging.to_owned(),
            classifier: classifier.map(str::to_owned),
        })
    }
}

impl fmt::Display for Coordinates {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { group, artifact, version, packaging, classifier } = self;
        match classifier {
            Some(classifier) => write!(formatter, "{group}:{artifact}:{packaging}:{classifier}:{version}"),
            None => write!(formatter, "{group}:{artifact}:{packaging}:{version}"),
        }
    }
}

impl Coordinates {
    /// Whether the same coordinates always mean the same artifact.
    fn is_fixed(&self) -> bool {
        !self.version.ends_with("-SNAPSHOT") && self.version != "LATEST" && self.version != "RELEASE"
    }
}

/// The files of the artifacts and of everything they need at run time, in Maven's order.
pub(crate) fn resolve(
    coordinates: &[Coordinates],
    settings: &Settings,
    cache: Option<&Cache>,
) -> Result<Vec<PathBuf>, Error> {
    if coordinates.is_empty() {
        return Ok(Vec::new());
    }
    if let Some(files) = cache.and_then(|cache| known(coordinates, cache)) {
        return Ok(files);
    }
    let project = project(coordinates);
    let files = run(&project, settings)?;
    let lines: Option<Vec<&str>> = files.iter().map(|file| file.to_str()).collect();
    if let (Some(cache), Some(lines)) = (cache.filter(|_| are_fixed(coordinates)), lines) {
        // A result that is not kept is resolved again the next time; the index cache reports that
        // its folder cannot be written.
        drop(cache.store_text(key(&project), &lines.join("\n")));
    }
    Ok(files)
}

/// What [`resolve`] found before, if its files are still there.
pub(crate) fn known(coordinates: &[Coordinates], cache: &Cache) -> Option<Vec<PathBuf>> {
    let known = cache.load_text(key(&project(coordinates))).filter(|_| are_fixed(coordinates))?;
    let files: Vec<PathBuf> = known.lines().map(PathBuf::from).collect();
    files.iter().all(|file| file.is_file()).then_some(files)
}

fn key(project: &str) -> CacheKey {
    CacheKey::new("maven", xxh3_128(project.as_bytes()), None)
}

/// Whether the artifacts stay the same for ever.
fn are_fixed(coordinates: &[Coordinates]) -> bool {
    coordinates.iter().all(Coordinates::is_fixed)
}

/// A project that depends on all coordinates.
fn project(coordinates: &[Coordinates]) -> String {
    let dependencies: String = coordinates.iter().map(|it| dependency(it, "")).collect();
    project_of("class-path", &format!("<dependencies>\n{dependencies}</dependencies>"))
}

/// A project with some content.
pub(crate) fn project_of(name: &str, content: &str) -> String {
    format!(
        "<project><modelVersion>4.0.0</modelVersion><groupId>crashback</groupId>\
         <artifactId>{name}</artifactId>\
         <version>1</version><packaging>pom</packaging>\n{content}</project>\n"
    )
}

/// A dependency with further settings.
fn dependency(coordinates: &Coordinates, settings: &str) -> String {
    let Coordinates { group, artifact, version, packaging, classifier } = coordinates;
    let classifier =
        classifier.iter().map(|text| format!("<classifier>{text}</classifier>")).collect::<String>();
    format!(
        "<dependency><groupId>{group}</groupId><artifactId>{artifact}</artifactId>\
         <version>{version}</version>\
         <type>{packaging}</type>{classifier}{settings}</dependency>\n"
    )
}

fn run(project: &str, settings: &Settings) -> Result<Vec<PathBuf>, Error> {
    let run = Run::new(settings)?;
    run.add_project("", project)?;
    let ended = run.to_end(RUN_TIME, &[])?;
    match run.class_path("") {
        Some(files) if ended.is_success => Ok(files),
        _ => Err(ended.failure),
    }
}

/// A run of Maven on projects in a temporary folder. It writes the class path of each project beside
/// its `pom.xml`.
pub(crate) struct Run<'s> {
    settings: &'s Settings,
    directory: tempfile::TempDir,
}

/// How a run of Maven ended.
pub(crate) struct Ended {
    pub(crate) is_success: bool,
    /// The meaning of its messages, if it was none.
    pub(crate) failure: Error,
}

impl<'s> Run<'s> {
    pub(crate) fn new(settings: &'s Settings) -> Result<Self, Error> {
        let directory = tempfile::tempdir().map_err(|error| cannot_run(settings, &error))?;
        Ok(Self { settings, directory })
    }

    /// Its folder.
    pub(crate) fn folder(&self) -> &Path {
        self.directory.path()
    }

    /// Writes a project into a folder below that of the run, or into its own.
    pub(crate) fn add_project(&self, folder: &str, project: &str) -> Result<(), Error> {
        let folder = self.directory.path().join(folder);
        let written = fs::create_dir_all(&folder).and_then(|()| fs::write(folder.join("pom.xml"), project));
        written.map_err(|error| cannot_run(self.settings, &error))
    }

    /// Runs Maven on the project in the folder itself, for the class paths of a scope.
    pub(crate) fn to_end(&self, scope: &str, options: &[&str]) -> Result<Ended, Error> {
        let mut command = command(self.settings, &self.folder().join("pom.xml"));
        command.arg(BUILD_CLASSPATH).arg(format!("-DincludeScope={scope}"));
        // A plain name is a file in the folder of each project.
        command.arg(format!("-Dmdep.outputFile={CLASS_PATH}")).args(options);
        let finished = self.finish(&mut command)?;
        Ok(Ended {
            is_success: finished.is_success,
            failure: explain_failure(&finished.output, &finished.errors),
        })
    }

    /// Runs a command of Maven, whose output passes through the folder.
    pub(crate) fn finish(&self, command: &mut Command) -> Result<Finished, Error> {
        let ended = process::run(command, self.folder(), &self.settings.cancelled);
        ended.map_err(|error| cannot_run(self.settings, &error))?.ok_or(Error::Cancelled)
    }

    /// The class path of the project in a folder, if Maven came so far.
    pub(crate) fn class_path(&self, folder: &str) -> Option<Vec<PathBuf>> {
        let text = fs::read_to_string(self.directory.path().join(folder).join(CLASS_PATH)).ok()?;
        Some(std::env::split_paths(text.trim()).filter(|path| !path.as_os_str().is_empty()).collect())
    }
}

fn cannot_run(settings: &Settings, error: &io::Error) -> Error {
    Error::NoMaven { program: settings.program.display().to_string(), reason: error.to_string() }
}

/// Maven on a project, without a goal.
#[expect(clippy::disallowed_methods, reason = "this module is where Maven is started")]
pub(crate) fn command(settings: &Settings, pom: &Path) -> Command {
    let mut command = Command::new(&settings.program);
    command.arg("--batch-mode").arg("--file").arg(pom);
    if settings.offline {
        command.arg("--offline");
    }
    if let Some(java_home) = &settings.java_home {
        command.env("JAVA_HOME", java_home);
    }
    command
}

/// The meaning of Maven's messages. The wordings are those of Maven 3.6 to 4 and its resolver.
pub(crate) fn explain_failure(output: &str, errors: &str) -> Error {
    let messages: Vec<&str> =
        output.lines().filter_map(|line| line.strip_prefix("[ERROR]")).map(str::trim).collect();
    let find =
        |texts: &[&str]| messages.iter().find(|line| texts.iter().any(|text| line.contains(text))).copied();
    if let Some(line) = find(&["offline mode", "Could not transfer", "Unknown host", "UnknownHost"]) {
        return Error::MavenOffline { reason: shorten(line) };
    }
    if let Some(line) = find(&["Could not find artifact", "Failure to find", "was not found in"]) {
        return Error::UnknownArtifact { artifact: missing_artifact(line).unwrap_or_else(|| shorten(line)) };
    }
    let said = messages.iter().copied().find(|line| !line.is_empty());
    let said = said.or_else(|| errors.lines().map(str::trim).find(|line| !line.is_empty()));
    Error::MavenFailed { reason: shorten(said.unwrap_or("it gave no reason")) }
}

/// The artifact in `… Could not find artifact g:a:jar:1 in somewhere` and its relatives.
fn missing_artifact(line: &str) -> Option<String> {
    let after = ["Could not find artifact ", "Failure to find "]
        .iter()
        .find_map(|text| Some(line.split_once(text)?.1));
    let artifact = match after {
        Some(after) => after.split_whitespace().next(),
        None => line.split_once(" was not found in")?.0.split_whitespace().next_back(),
    };
    artifact
        .filter(|artifact| artifact.contains(':'))
        .map(|artifact| artifact.trim_end_matches([',', ':']).to_owned())
}

/// Maven's messages can be pages long.
fn shorten(text: &str) -> String {
    match text.char_indices().nth(400) {
        Some((end, _)) => format!("{} …", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_are_read_in_both_orders() {
        let check = |text: &str, expected: &str| {
            assert_eq!(text.parse::<Coordinates>().unwrap().to_string(), expected, "{text}");
        };
        check("g:a:1", "g:a:jar:1");
        check("g:a:war:1", "g:a:war:1");
        check("g:a:1:war", "g:a:war:1");
        check("g:a:1:tests", "g:a:jar:tests:1");
        check("g:a:jar:tests:1", "g:a:jar:tests:1");
        check("g:a:1:test-jar:tests", "g:a:test-jar:tests:1");
    }

    #[test]
    fn other_texts_are_no_coordinates() {
        for text in
            ["", "g", "g:a", "g:a:", ":a:1", "g:a:1:2:3", "g:a:1:2:3:4", "g:a:<x>", "g a:b:1", "g:a:[1,2)"]
        {
            let error = text.parse::<Coordinates>().unwrap_err();
            assert!(error.to_string().contains(&format!("`{text}`")), "{error}");
        }
    }

    #[test]
    fn failures_are_told_apart() {
        let unknown = |text: &str| match explain_failure(text, "") {
            Error::UnknownArtifact { artifact } => artifact,
            other => panic!("{other}"),
        };
        let line = "[ERROR] Failed to execute goal on project x: Could not resolve dependencies: ";
        assert_eq!(unknown(&format!("{line}Could not find artifact g:a:jar:1 in central (u)")), "g:a:jar:1");
        assert_eq!(unknown(&format!("{line}Failure to find g:a:jar:1 in u was cached")), "g:a:jar:1");
        assert_eq!(
            unknown(&format!("{line}g:a:jar:1 was not found in u during a previous attempt")),
            "g:a:jar:1"
        );
        let offline =
            explain_failure("[ERROR] Cannot access central (u) in offline mode and g:a:1 is missing", "");
        assert!(matches!(offline, Error::MavenOffline { .. }));
        assert!(explain_failure("", "no JAVA_HOME").to_string().contains("no JAVA_HOME"));
    }
}
