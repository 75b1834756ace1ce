//! The program that crashed: from paths and coordinates to indexed classes and a scope.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crashback_classpath::project::ProjectError;
use crashback_classpath::{CacheSettings, ClassPath, Jdk, Request, fetch, maven, unpack};
use crashback_program::classes::Classes;
use crashback_program::frames::{Move, Scope, fitting_order};
use crashback_program::{ClassSource as _, EntryKind};
use crashback_trace::{Frame, Relaxation, Relaxations, Throwable};
use regex::Regex;
use tempfile::TempDir;

use crate::project::{ProjectRequest, SharedModule};
use crate::releases::{Look, Releases, Replacement};
use crate::session::now;
use crate::{BetterRelease, Crashes, Error, ErrorKind, Interruption, OtherReleases};

/// How many crashes of a log decide about releases: those of one program tell the same after a few.
const MOST_CRASHES: usize = 20;

/// Which program crashed: where its classes are, and which of them are its own.
#[derive(Clone, Debug)]
pub struct ProgramRequest {
    /// The JDK that runs it.
    pub jdk: Jdk,
    /// Jars, class folders, packaged applications and wildcards `folder/*`, in order.
    pub entries: Vec<PathBuf>,
    /// The project whose module of the log takes the place of the entries.
    pub project: Option<ProjectRequest>,
    /// Class folders that hold the program's own classes; with none, all folders do.
    pub own_folders: Vec<PathBuf>,
    /// Published artifacts, which follow the entries with everything they need.
    pub maven: Vec<maven::Coordinates>,
    /// Whether other releases of its artifacts are looked at if the log does not fit.
    pub other_releases: OtherReleases,
    /// Where indexes of jars are kept between runs; none keeps nothing.
    pub cache: Option<CacheSettings>,
    /// Packages that belong to the project, with all below them.
    pub project_packages: Vec<String>,
    /// A regular expression: only frames whose class name matches it as a whole are targets. It
    /// comes before `project_packages`.
    pub target_frames: Option<String>,
}

impl ProgramRequest {
    /// A program on a class path. Its own classes are those in folders, or all if there are only
    /// jars.
    pub fn new(jdk: Jdk, entries: Vec<PathBuf>) -> Self {
        Self {
            jdk,
            entries,
            project: None,
            own_folders: Vec::new(),
            maven: Vec::new(),
            other_releases: OtherReleases::default(),
            cache: None,
            project_packages: Vec::new(),
            target_frames: None,
        }
    }

    /// Whether the user told the project from its libraries.
    fn has_scope(&self) -> bool {
        self.target_frames.is_some() || !self.project_packages.is_empty()
    }
}

/// A program whose classes are indexed.
pub struct Program {
    /// The JDK that runs it.
    pub jdk: Jdk,
    /// Everything on its class path.
    pub class_path: ClassPath,
    /// Which classes are its own.
    pub scope: Scope,
    /// The scope in words, for the user.
    pub scope_words: String,
    /// Where indexes of jars, and what was fetched, are kept between runs.
    pub cache: Option<CacheSettings>,
    /// How its class path was ordered to fit a log.
    pub moves: Vec<Move>,
    /// A release of one of its artifacts that fits a log better; in use if the user wanted that.
    pub better_release: Option<BetterRelease>,
    /// In words, that a better release was looked for in vain, and why.
    pub release_note: Option<String>,
    /// The module of its project, where that gave the class path.
    pub project: Option<SharedModule>,
    /// How long build tools took, which does not count as time of a search.
    pub fetching: Duration,
    /// Whether Maven may use only artifacts that it fetched before.
    pub(crate) offline: bool,
    /// The jars that Maven brought.
    fetched: Vec<PathBuf>,
    /// Where packaged applications are unpacked, if nothing is kept between runs.
    unpacked: Option<Arc<TempDir>>,
}

impl Program {
    /// The same as [`Self::load`], with the class path that fits a log best: where a class of its
    /// frames lies in several entries, the copy whose lines fit comes first. Where the frames do not
    /// fit an artifact, its other releases are looked at as far as the request allows that.
    ///
    /// # Errors
    ///
    /// As for [`Self::load`].
    pub fn load_for(
        request: &ProgramRequest,
        crashes: &Crashes,
        interruption: &Interruption,
    ) -> Result<Self, Error> {
        let begun = now();
        let project = request.project.as_ref().map(|it| {
            let (jdk, cache) = (&request.jdk, request.cache.as_ref());
            it.choose(jdk, cache, crashes, request.has_scope(), interruption).map(Arc::new)
        });
        let (project, asking) = (project.transpose()?, begun.elapsed());
        let request = &match &project {
            Some(chosen) => ProgramRequest {
                entries: chosen.class_path(),
                own_folders: chosen.project.class_folders().into_iter().map(Path::to_owned).collect(),
                ..request.clone()
            },
            None => request.clone(),
        };
        let program = Self::load(request, interruption)?;
        let fetching = program.fetching + if project.is_some() { asking } else { Duration::ZERO };
        let program = Self { project, fetching, ..program };
        let of_first = |most: usize| -> Vec<&Throwable> {
            crashes.distinct.iter().take(most).flat_map(|it| &it.crash.throwables).collect()
        };
        let moves = fitting_order(&program.classes(), &of_first(usize::MAX));
        let program = match moves.is_empty() {
            true => program,
            false => {
                let entries = reordered(program.class_path.launch_path(), &moves);
                Self { moves, ..program.reload(request, entries, interruption)? }
            }
        };
        let program = match request.other_releases {
            OtherReleases::Ignored => program,
            _ => program.with_fitting_release(request, &of_first(MOST_CRASHES), interruption)?,
        };
        Ok(program.with_marked_scope(&of_first(usize::MAX)))
    }

    /// The program with the packages that the log marks as the project's, as events of error trackers
    /// do. Everything that the user says, and class folders, count more.
    fn with_marked_scope(self, throwables: &[&Throwable]) -> Self {
        let frames = || throwables.iter().flat_map(|it| &it.frames);
        let package = |frame: &Frame| frame.class.rsplit_once('.').map(|(package, _)| package.to_owned());
        let marked = |is_project: bool| -> BTreeSet<String> {
            frames().filter(|it| it.in_app == Some(is_project)).filter_map(package).collect()
        };
        let packages: Vec<String> = marked(true).difference(&marked(false)).cloned().collect();
        if packages.is_empty() || !matches!(self.scope, Scope::Everything) {
            return self;
        }
        let scope_words = format!("packages that the log marks as the project's: {}", packages.join(", "));
        Self { scope: Scope::Packages(packages), scope_words, ..self }
    }

    /// The same program with other entries, which are all that it has.
    fn reload(
        &self,
        request: &ProgramRequest,
        entries: Vec<PathBuf>,
        interruption: &Interruption,
    ) -> Result<Self, Error> {
        let request = ProgramRequest { entries, maven: Vec::new(), ..request.clone() };
        Ok(Self {
            fetching: self.fetching,
            fetched: self.fetched.clone(),
            moves: self.moves.clone(),
            project: self.project.clone(),
            unpacked: self.unpacked.clone(),
            ..Self::load(&request, interruption)?
        })
    }

    /// Looks for the release of an artifact that fits, and uses it if the request says so.
    fn with_fitting_release(
        self,
        request: &ProgramRequest,
        throwables: &[&Throwable],
        interruption: &Interruption,
    ) -> Result<Self, Error> {
        let load = |jar: &Path, by: &Path| {
            self.reload(request, replaced(self.class_path.launch_path(), jar, by), interruption)
        };
        let releases = Releases {
            program: &self,
            throwables,
            maven: &request.maven,
            fetched: &self.fetched,
            mode: request.other_releases,
            settings: maven_settings(&self.jdk, interruption),
            load: &load,
            fetching: Cell::default(),
        };
        let Look { better, note } = releases.look()?;
        let fetching = self.fetching + releases.fetching.get();
        let Some(better) = better else {
            return Ok(Self { release_note: note, fetching, ..self });
        };
        let used = request.other_releases == OtherReleases::Used;
        let release = Some(BetterRelease { used, ..better.release.clone() });
        if !used {
            return Ok(Self { better_release: release, fetching, ..self });
        }
        let program = Self { fetching, ..self }.with_release(request, &better, interruption)?;
        Ok(Self { better_release: release, ..program })
    }

    /// The program with another release of an artifact, and with what that needs if it was given by
    /// its coordinates.
    fn with_release(
        &self,
        request: &ProgramRequest,
        better: &Replacement,
        interruption: &Interruption,
    ) -> Result<Self, Error> {
        let Replacement { given, version, jar, by, .. } = better;
        let mut maven = request.maven.clone();
        let with_needs = maven.iter_mut().find(|it| *it == given && self.moves.is_empty());
        if let Some(artifact) = with_needs {
            artifact.version.clone_from(version);
            let program = Self::load(&ProgramRequest { maven, ..request.clone() }, interruption);
            // Without Maven the jar alone takes the place of the other.
            if let Ok(program) = program {
                return Ok(Self { fetching: self.fetching + program.fetching, ..program });
            }
        }
        self.reload(request, replaced(self.class_path.launch_path(), jar, by), interruption)
    }

    /// What was relaxed about the program itself to fit a log.
    pub fn relaxations(&self) -> Relaxations {
        let order = (!self.moves.is_empty()).then_some(Relaxation::ClassPathOrder);
        let is_other_release = self.better_release.as_ref().is_some_and(|it| it.used);
        let release = is_other_release.then_some(Relaxation::OtherRelease);
        order.into_iter().chain(release).fold(Relaxations::default(), |all, it| all | it.into())
    }

    /// Reads and indexes everything on the class path, and tells the project from its libraries.
    ///
    /// # Errors
    ///
    /// If nothing on the class path can be read, artifacts cannot be fetched, or the regular
    /// expression is none. Single jars that are missing or damaged are listed as problems of
    /// `class_path`.
    pub fn load(request: &ProgramRequest, interruption: &Interruption) -> Result<Self, Error> {
        let ProgramRequest { mut entries, maven, cache, .. } = request.clone();
        let jdk = Jdk { home: absolute(&request.jdk.home), ..request.jdk.clone() };
        let begun = now();
        let fetched = fetch(&maven, &maven_settings(&jdk, interruption), cache.as_ref());
        let (fetched, fetching) = (fetched.map_err(|it| failure(&it))?, begun.elapsed());
        let unpacked = match (&cache, unpack::is_needed(&entries)) {
            (None, true) => Some(Arc::new(TempDir::new().map_err(|it| no_folder(&it))?)),
            _ => None,
        };
        let kept = cache.as_ref().map(|it| it.directory.join("unpacked"));
        let folder = unpacked.as_ref().map(|it| it.path().to_owned()).or(kept).unwrap_or_default();
        entries = unpack::expand(&entries, &folder).map_err(|it| failure(&it))?;
        entries.extend(fetched.iter().cloned());
        let classes = Request { entries, jdk: Some(jdk.clone()), cache, ..Request::default() };
        let class_path = ClassPath::load(&classes).map_err(|it| failure(&it))?;
        if !class_path.index().contains("java/lang/Object") {
            let message = with_problems("the JDK's classes cannot be read", &class_path);
            return Err(Error::new(ErrorKind::Environment, message));
        }
        if class_path.entries().all(|it| it.kind == EntryKind::Jdk) {
            let message = with_problems("nothing on the class path could be read", &class_path);
            return Err(Error::new(ErrorKind::Usage, message));
        }
        let (scope, scope_words) = choose_scope(request, &class_path)?;
        Ok(Self {
            jdk,
            class_path,
            scope,
            scope_words,
            cache: request.cache.clone(),
            moves: Vec::new(),
            better_release: None,
            release_note: None,
            project: None,
            fetching,
            offline: request.project.as_ref().is_some_and(|it| it.settings.offline),
            fetched,
            unpacked,
        })
    }

    /// Fetches the jars of a request's Maven coordinates, with their dependencies, and reads none of them.
    ///
    /// # Errors
    ///
    /// If Maven cannot be started, or does not find them.
    pub fn fetch(request: &ProgramRequest, interruption: &Interruption) -> Result<Vec<PathBuf>, Error> {
        let settings = maven_settings(&request.jdk, interruption);
        fetch(&request.maven, &settings, request.cache.as_ref()).map_err(|it| failure(&it))
    }

    /// Its classes, for audits and searches.
    pub fn classes(&self) -> Classes<'_> {
        Classes::new(&self.class_path)
    }
}

pub(crate) fn failure(error: &crashback_classpath::Error) -> Error {
    use crashback_classpath::Error as Failure;
    let kind = match error {
        Failure::Cancelled => return Error::interrupted(),
        Failure::UnknownArtifact { .. } => ErrorKind::Usage,
        Failure::Project(ProjectError::ForeignTrace { .. }) => ErrorKind::Disagreement,
        Failure::Project(
            ProjectError::AmbiguousModule { .. }
            | ProjectError::UnknownModule { .. }
            | ProjectError::NoModules { .. }
            | ProjectError::NoProject { .. },
        ) => ErrorKind::Usage,
        _ => ErrorKind::Environment,
    };
    Error::new(kind, error.to_string())
}

fn no_folder(error: &io::Error) -> Error {
    let message = format!("cannot make a folder to unpack the program into: {error}; set TMPDIR to another");
    Error::new(ErrorKind::Environment, message)
}

fn with_problems(message: &str, class_path: &ClassPath) -> String {
    let problems = class_path.problems().iter().map(|it| format!("\n  {it}"));
    message.to_owned() + &problems.collect::<String>()
}

fn choose_scope(request: &ProgramRequest, class_path: &ClassPath) -> Result<(Scope, String), Error> {
    if let Some(pattern) = &request.target_frames {
        let whole = Regex::new(&format!("^(?:{pattern})$")).map_err(|error| {
            Error::new(ErrorKind::Usage, format!("--target-frames is no regular expression: {error}"))
        })?;
        let words = format!("classes that match {pattern}");
        return Ok((Scope::Matching(Box::new(move |class| whole.is_match(class))), words));
    }
    if !request.project_packages.is_empty() {
        let words = format!("packages {}", request.project_packages.join(", "));
        return Ok((Scope::Packages(request.project_packages.clone()), words));
    }
    if !request.own_folders.is_empty() {
        let folders = request.own_folders.iter().map(|it| it.display().to_string()).collect();
        return Ok((Scope::Folders(folders), "classes of the project's modules".to_owned()));
    }
    // Manifests of jars name folders too; only those that were asked for count.
    if class_path.launch_path().iter().any(|it| it.is_dir()) {
        return Ok((Scope::Directories, "classes in folders of the class path".to_owned()));
    }
    let words = "every class outside the JDK; narrow it with --project-packages".to_owned();
    Ok((Scope::Everything, words))
}

/// A class path after moves. An entry that a manifest adds is named itself when it moves, and what
/// moves before such an entry comes first of all.
fn reordered(launch_path: &[PathBuf], moves: &[Move]) -> Vec<PathBuf> {
    let mut path = launch_path.to_vec();
    for Move { entry, before, .. } in moves {
        let position =
            |path: &[PathBuf], name: &str| path.iter().position(|it| it.display().to_string() == name);
        let from = position(&path, entry);
        let moving = from.map_or_else(|| PathBuf::from(entry), |it| path.remove(it));
        let to = position(&path, before).unwrap_or_default();
        path.insert(to, moving);
    }
    path
}

/// A class path with a jar in the place of another. One that a manifest adds has no place of its own,
/// so its substitute comes first.
fn replaced(launch_path: &[PathBuf], jar: &Path, by: &Path) -> Vec<PathBuf> {
    let is_jar = |it: &Path| it.display().to_string() == jar.display().to_string();
    let mut path = launch_path.to_vec();
    match path.iter_mut().find(|it| is_jar(it)) {
        Some(place) => *place = by.to_owned(),
        None => path.insert(0, by.to_owned()),
    }
    path
}

/// Maven on the program's JDK, stopped by an interruption.
pub(crate) fn maven_settings(jdk: &Jdk, interruption: &Interruption) -> maven::Settings {
    let java_home = Some(jdk.home.clone());
    maven::Settings { java_home, cancelled: interruption.flag(), ..maven::Settings::default() }
}

/// Reads Maven coordinates `group:artifact:version`.
///
/// # Errors
///
/// If they have another form.
pub fn coordinates(text: &str) -> Result<maven::Coordinates, Error> {
    let read = text.parse();
    read.map_err(|error: crashback_classpath::Error| Error::new(ErrorKind::Usage, error.to_string()))
}

/// The same file or folder for processes that run in other folders.
pub(crate) fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}
