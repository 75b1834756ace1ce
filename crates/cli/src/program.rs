//! From flags to the program: class path, JDK and scope.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crashback_classpath::{CacheSettings, ClassPath, Request, jdk, maven, split};
use crashback_program::frames::Scope;
use crashback_program::{ClassSource as _, EntryKind};
use regex::Regex;

use crate::args::{ClassPathArguments, ScopeArguments};
use crate::environment::Environment;
use crate::exit::{Failure, FailureKind};
use crate::interrupt::Interrupts;

/// The program that crashed.
pub(crate) struct Project {
    pub(crate) jdk: jdk::Jdk,
    pub(crate) class_path: ClassPath,
    pub(crate) scope: Scope,
    /// How the project was told from its libraries, for the user.
    pub(crate) scope_words: String,
    /// What is kept between runs, and where.
    pub(crate) cache: Option<CacheSettings>,
}

/// Finds the JDK and everything on the class path, and tells the project from its libraries.
pub(crate) fn load(
    classes: &ClassPathArguments,
    scope: &ScopeArguments,
    environment: &Environment,
    interrupts: &Interrupts,
) -> Result<Project, Failure> {
    load_places(&Places::of(classes)?, scope, environment, interrupts)
}

/// The same for places that did not come as arguments.
pub(crate) fn load_places(
    places: &Places,
    scope: &ScopeArguments,
    environment: &Environment,
    interrupts: &Interrupts,
) -> Result<Project, Failure> {
    let (jdk, class_path) = load_entries(places, environment, interrupts)?;
    let (scope, scope_words) = choose_scope(scope, &class_path)?;
    let cache = places.cache(environment);
    Ok(Project { jdk, class_path, scope, scope_words, cache })
}

/// Where the program's classes lie.
#[derive(Clone, Debug, Default)]
pub(crate) struct Places {
    /// Jars, folders and wildcards, in order.
    pub(crate) entries: Vec<PathBuf>,
    /// Published artifacts, which follow.
    pub(crate) maven: Vec<maven::Coordinates>,
    /// The JDK that was asked for.
    pub(crate) java_home: Option<PathBuf>,
    /// The folder for indexes that was asked for.
    pub(crate) cache_dir: Option<PathBuf>,
    /// Whether no indexes are kept.
    pub(crate) no_cache: bool,
}

impl Places {
    pub(crate) fn of(classes: &ClassPathArguments) -> Result<Self, Failure> {
        let places = Self {
            entries: classes.class_path.iter().flat_map(|it| split(OsStr::new(it))).collect(),
            maven: classes.maven.iter().map(|it| coordinates(it)).collect::<Result<_, _>>()?,
            java_home: classes.java_home.clone(),
            cache_dir: classes.cache_dir.clone(),
            no_cache: classes.no_cache,
        };
        if places.entries.is_empty() && places.maven.is_empty() {
            let message = "no class path: give the program's jars and class folders with --classpath, \
                           or published artifacts with --maven";
            return Err(Failure::new(FailureKind::Usage, message));
        }
        Ok(places)
    }

    /// What is kept between runs, and where.
    fn cache(&self, environment: &Environment) -> Option<CacheSettings> {
        let folder = self.cache_dir.clone().or_else(|| environment.cache_dir.clone());
        folder.filter(|_| !self.no_cache).map(CacheSettings::new)
    }

    /// The same places for processes that run in other folders.
    pub(crate) fn absolute(&self) -> Self {
        Self {
            entries: self.entries.iter().map(|it| absolute(it)).collect(),
            java_home: self.java_home.as_deref().map(absolute),
            ..self.clone()
        }
    }
}

/// The same place for processes that run in other folders.
pub(crate) fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

/// Reads Maven coordinates.
pub(crate) fn coordinates(text: &str) -> Result<maven::Coordinates, Failure> {
    text.parse()
        .map_err(|error: crashback_classpath::Error| Failure::new(FailureKind::Usage, error.to_string()))
}

/// Finds the JDK and everything on the class path.
pub(crate) fn load_class_path(
    classes: &ClassPathArguments,
    environment: &Environment,
    interrupts: &Interrupts,
) -> Result<(jdk::Jdk, ClassPath), Failure> {
    load_entries(&Places::of(classes)?, environment, interrupts)
}

fn load_entries(
    places: &Places,
    environment: &Environment,
    interrupts: &Interrupts,
) -> Result<(jdk::Jdk, ClassPath), Failure> {
    let (jdk, request) = request(places, environment, interrupts)?;
    let class_path = ClassPath::load(&request).map_err(|error| {
        let kind = match error {
            crashback_classpath::Error::Cancelled => return Failure::interrupted(),
            crashback_classpath::Error::UnknownArtifact { .. } => FailureKind::Usage,
            _ => FailureKind::Environment,
        };
        Failure::new(kind, error.to_string())
    })?;
    if !class_path.index().contains("java/lang/Object") {
        return Err(Failure::new(
            FailureKind::Environment,
            with_problems("the JDK's classes cannot be read", &class_path),
        ));
    }
    if class_path.entries().all(|it| it.kind == EntryKind::Jdk) {
        let message = with_problems("nothing on the class path could be read", &class_path);
        return Err(Failure::new(FailureKind::Usage, message));
    }
    Ok((jdk, class_path))
}

fn with_problems(message: &str, class_path: &ClassPath) -> String {
    let problems = class_path.problems().iter().map(|it| format!("\n  {it}"));
    message.to_owned() + &problems.collect::<String>()
}

fn request(
    places: &Places,
    environment: &Environment,
    interrupts: &Interrupts,
) -> Result<(jdk::Jdk, Request), Failure> {
    let jdk = find_jdk(places.java_home.as_deref(), environment)?;
    let maven_settings = maven_settings(&jdk, interrupts);
    let cache = places.cache(environment);
    let Places { entries, maven, .. } = places.clone();
    Ok((jdk.clone(), Request { entries, maven, maven_settings, jdk: Some(jdk), cache }))
}

/// Maven, on the same JDK as all else, stopped by an interruption.
pub(crate) fn maven_settings(jdk: &jdk::Jdk, interrupts: &Interrupts) -> maven::Settings {
    let java_home = Some(jdk.home.clone());
    maven::Settings { java_home, cancelled: interrupts.flag(), ..maven::Settings::default() }
}

/// The JDK to use, by flag, `JAVA_HOME` or `PATH`.
pub(crate) fn find_jdk(explicit: Option<&Path>, environment: &Environment) -> Result<jdk::Jdk, Failure> {
    let lookup = jdk::Lookup {
        explicit,
        java_home: environment.java_home.as_deref().map(|it| it.as_os_str()),
        path: environment.path.as_deref(),
    };
    jdk::find(lookup).map_err(|error| Failure::new(FailureKind::Environment, error.to_string()))
}

fn choose_scope(arguments: &ScopeArguments, class_path: &ClassPath) -> Result<(Scope, String), Failure> {
    if let Some(pattern) = &arguments.target_frames {
        let whole = Regex::new(&format!("^(?:{pattern})$")).map_err(|error| {
            Failure::new(FailureKind::Usage, format!("--target-frames is no regular expression: {error}"))
        })?;
        let words = format!("classes that match {pattern}");
        return Ok((Scope::Matching(Box::new(move |class| whole.is_match(class))), words));
    }
    if !arguments.project_packages.is_empty() {
        let words = format!("packages {}", arguments.project_packages.join(", "));
        return Ok((Scope::Packages(arguments.project_packages.clone()), words));
    }
    // Manifests of jars name folders too; what was asked for counts.
    if class_path.launch_path().iter().any(|it| it.is_dir()) {
        return Ok((Scope::Directories, "classes in folders of the class path".to_owned()));
    }
    let words = "every class outside the JDK; narrow it with --project-packages".to_owned();
    Ok((Scope::Everything, words))
}
