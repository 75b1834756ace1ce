//! From flags to the program: class path, JDK and scope.

use std::ffi::OsStr;

use crashback_classpath::{CacheSettings, ClassPath, Request, jdk, maven, split};
use crashback_program::frames::Scope;
use crashback_program::{ClassSource as _, EntryKind};
use regex::Regex;

use crate::args::{ClassPathArguments, ScopeArguments};
use crate::environment::Environment;
use crate::exit::{Failure, FailureKind};

/// The program that crashed.
pub(crate) struct Project {
    pub(crate) class_path: ClassPath,
    pub(crate) scope: Scope,
    /// How the project was told from its libraries, for the user.
    pub(crate) scope_words: String,
}

/// Finds the JDK and everything on the class path, and tells the project from its libraries.
pub(crate) fn load(
    classes: &ClassPathArguments,
    scope: &ScopeArguments,
    environment: &Environment,
) -> Result<Project, Failure> {
    let (_, class_path) = load_class_path(classes, environment)?;
    let (scope, scope_words) = choose_scope(scope, &class_path)?;
    Ok(Project { class_path, scope, scope_words })
}

/// Finds the JDK and everything on the class path.
pub(crate) fn load_class_path(
    classes: &ClassPathArguments,
    environment: &Environment,
) -> Result<(jdk::Jdk, ClassPath), Failure> {
    let (jdk, request) = request(classes, environment)?;
    let class_path = ClassPath::load(&request).map_err(|error| {
        let kind = match error {
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

fn request(classes: &ClassPathArguments, environment: &Environment) -> Result<(jdk::Jdk, Request), Failure> {
    let usage = |error: crashback_classpath::Error| Failure::new(FailureKind::Usage, error.to_string());
    let maven = classes.maven.iter().map(|it| it.parse().map_err(usage)).collect::<Result<Vec<_>, _>>()?;
    let entries: Vec<_> = classes.class_path.iter().flat_map(|it| split(OsStr::new(it))).collect();
    if entries.is_empty() && maven.is_empty() {
        let message = "no class path: give the program's jars and class folders with --classpath, \
                       or published artifacts with --maven";
        return Err(Failure::new(FailureKind::Usage, message));
    }
    let jdk = find_jdk(classes.java_home.as_deref(), environment)?;
    let maven_settings = maven::Settings { java_home: Some(jdk.home.clone()), ..maven::Settings::default() };
    let cache_dir = classes.cache_dir.clone().or_else(|| environment.cache_dir.clone());
    let cache = cache_dir.filter(|_| !classes.no_cache).map(CacheSettings::new);
    Ok((jdk.clone(), Request { entries, maven, maven_settings, jdk: Some(jdk), cache }))
}

/// The JDK to use, by flag, `JAVA_HOME` or `PATH`.
pub(crate) fn find_jdk(
    explicit: Option<&std::path::Path>,
    environment: &Environment,
) -> Result<jdk::Jdk, Failure> {
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
