//! The program that crashed: from paths and coordinates to indexed classes and a scope.

use std::path::{Path, PathBuf};

use crashback_classpath::{CacheSettings, ClassPath, Jdk, Request, maven};
use crashback_program::classes::Classes;
use crashback_program::frames::{Move, Scope, fitting_order};
use crashback_program::{ClassSource as _, EntryKind};
use crashback_trace::{Relaxation, Relaxations, Throwable};
use regex::Regex;

use crate::{Crashes, Error, ErrorKind, Interruption};

/// Which program crashed: where its classes are, and which of them are its own.
#[derive(Clone, Debug)]
pub struct ProgramRequest {
    /// The JDK that runs it.
    pub jdk: Jdk,
    /// Jars, class folders and wildcards `folder/*`, in order.
    pub entries: Vec<PathBuf>,
    /// Published artifacts, which follow the entries with everything they need.
    pub maven: Vec<maven::Coordinates>,
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
        let (maven, project_packages) = (Vec::new(), Vec::new());
        Self { jdk, entries, maven, cache: None, project_packages, target_frames: None }
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
}

impl Program {
    /// The same as [`Self::load`], with the class path in the order that fits a log: where a class of
    /// its frames lies in several entries, the copy whose lines fit comes first.
    ///
    /// # Errors
    ///
    /// As for [`Self::load`].
    pub fn load_for(
        request: &ProgramRequest,
        crashes: &Crashes,
        interruption: &Interruption,
    ) -> Result<Self, Error> {
        let program = Self::load(request, interruption)?;
        let crashes = crashes.distinct.iter();
        let throwables: Vec<&Throwable> = crashes.flat_map(|it| &it.crash.throwables).collect();
        let moves = fitting_order(&program.classes(), &throwables);
        if moves.is_empty() {
            return Ok(program);
        }
        let entries = reordered(program.class_path.launch_path(), &moves);
        let request = ProgramRequest { entries, maven: Vec::new(), ..request.clone() };
        Ok(Self { moves, ..Self::load(&request, interruption)? })
    }

    /// What was relaxed about the program itself to fit a log.
    pub fn relaxations(&self) -> Relaxations {
        let order = (!self.moves.is_empty()).then_some(Relaxation::ClassPathOrder);
        order.map_or_else(Relaxations::default, Relaxations::from)
    }

    /// Reads and indexes everything on the class path, and tells the project from its libraries.
    ///
    /// # Errors
    ///
    /// If nothing on the class path can be read, artifacts cannot be fetched, or the regular
    /// expression is none. Single jars that are missing or damaged are listed as problems of
    /// `class_path`.
    pub fn load(request: &ProgramRequest, interruption: &Interruption) -> Result<Self, Error> {
        let ProgramRequest { entries, maven, cache, .. } = request.clone();
        let jdk = Jdk { home: absolute(&request.jdk.home), ..request.jdk.clone() };
        let maven_settings = maven_settings(&jdk, interruption);
        let classes = Request { entries, maven, maven_settings, jdk: Some(jdk.clone()), cache };
        let class_path = ClassPath::load(&classes).map_err(|error| {
            let kind = match error {
                crashback_classpath::Error::Cancelled => return Error::interrupted(),
                crashback_classpath::Error::UnknownArtifact { .. } => ErrorKind::Usage,
                _ => ErrorKind::Environment,
            };
            Error::new(kind, error.to_string())
        })?;
        if !class_path.index().contains("java/lang/Object") {
            let message = with_problems("the JDK's classes cannot be read", &class_path);
            return Err(Error::new(ErrorKind::Environment, message));
        }
        if class_path.entries().all(|it| it.kind == EntryKind::Jdk) {
            let message = with_problems("nothing on the class path could be read", &class_path);
            return Err(Error::new(ErrorKind::Usage, message));
        }
        let (scope, scope_words) = choose_scope(request, &class_path)?;
        Ok(Self { jdk, class_path, scope, scope_words, cache: request.cache.clone(), moves: Vec::new() })
    }

    /// Its classes, for audits and searches.
    pub fn classes(&self) -> Classes<'_> {
        Classes::new(&self.class_path)
    }
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
