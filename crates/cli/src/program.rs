//! From flags to the program: class path, JDK and scope.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crashback::{
    BuildSettings, CacheSettings, Error, ErrorKind, Jdk, OtherReleases, ProgramRequest, ProjectRequest,
    coordinates, jdk,
};
use crashback_classpath::split;

use crate::args::{ClassPathArguments, ProjectArguments, ScopeArguments};
use crate::environment::Environment;
use crate::output;

/// The program that the flags name, or the project around the current folder if they name none.
/// `any_release` allows other releases of its artifacts.
pub(crate) fn request_or_project(
    classes: &ClassPathArguments,
    project: &ProjectArguments,
    any_release: bool,
    scope: &ScopeArguments,
    environment: &Environment,
    is_quiet: bool,
) -> Result<ProgramRequest, Error> {
    if !classes.class_path.is_empty() || !classes.maven.is_empty() {
        return request(classes, any_release, scope, environment);
    }
    let here = || environment.folder.clone().unwrap_or_default();
    let tell = move |words: &str| {
        if !is_quiet {
            output::tell(&format!("crashback: {words}"));
        }
    };
    let settings =
        BuildSettings { offline: project.offline, tell: Arc::new(tell), ..BuildSettings::default() };
    let asked = ProjectRequest {
        module: project.module.clone(),
        build: project.build,
        settings,
        ..ProjectRequest::new(project.project.clone().unwrap_or_else(here))
    };
    if project.project.is_none() && !asked.is_in_project() {
        let message = "no class path: this folder belongs to no Maven or Gradle project; go into the \
                       project, name it with --project, give the program's jars and class folders with \
                       --classpath, or published artifacts with --maven";
        return Err(Error::new(ErrorKind::Usage, message));
    }
    let jdk = find_jdk(classes.java_home.as_deref(), environment)?;
    Ok(ProgramRequest {
        project: Some(asked),
        cache: cache(classes.cache_dir.as_deref(), classes.no_cache, environment),
        other_releases: if any_release { OtherReleases::Used } else { OtherReleases::Ignored },
        project_packages: scope.project_packages.clone(),
        target_frames: scope.target_frames.clone(),
        ..ProgramRequest::new(jdk, Vec::new())
    })
}

/// The program that the flags name. `any_release` allows other releases of its artifacts.
pub(crate) fn request(
    classes: &ClassPathArguments,
    any_release: bool,
    scope: &ScopeArguments,
    environment: &Environment,
) -> Result<ProgramRequest, Error> {
    let entries: Vec<PathBuf> = classes.class_path.iter().flat_map(|it| split(OsStr::new(it))).collect();
    let maven = classes.maven.iter().map(|it| coordinates(it)).collect::<Result<Vec<_>, _>>()?;
    if entries.is_empty() && maven.is_empty() {
        let message = "no class path: give the program's jars and class folders with --classpath, \
                       or published artifacts with --maven";
        return Err(Error::new(ErrorKind::Usage, message));
    }
    let jdk = find_jdk(classes.java_home.as_deref(), environment)?;
    tell_jdk(&jdk, environment);
    Ok(ProgramRequest {
        other_releases: match (any_release, maven.is_empty()) {
            (true, _) => OtherReleases::Used,
            (false, false) => OtherReleases::Named,
            (false, true) => OtherReleases::Ignored,
        },
        maven,
        cache: cache(classes.cache_dir.as_deref(), classes.no_cache, environment),
        project_packages: scope.project_packages.clone(),
        target_frames: scope.target_frames.clone(),
        ..ProgramRequest::new(jdk, entries)
    })
}

/// Where indexes are kept between runs: in the folder of the flag, else in that of the environment.
pub(crate) fn cache(
    folder: Option<&Path>,
    no_cache: bool,
    environment: &Environment,
) -> Option<CacheSettings> {
    let folder = folder.map(Path::to_owned).or_else(|| environment.cache_dir.clone());
    folder.filter(|_| !no_cache).map(CacheSettings::new)
}

/// The same place for processes that run in other folders.
pub(crate) fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

/// Tells which JDK is used, where that is asked for.
pub(crate) fn tell_jdk(jdk: &Jdk, environment: &Environment) {
    let words = format!("JDK {} in {}", jdk.version, jdk.home.display());
    output::detail(environment.verbosity, &words);
}

/// The JDK to use, by flag, `JAVA_HOME` or `PATH`.
pub(crate) fn find_jdk(explicit: Option<&Path>, environment: &Environment) -> Result<Jdk, Error> {
    let lookup = jdk::Lookup {
        explicit,
        java_home: environment.java_home.as_deref().map(|it| it.as_os_str()),
        path: environment.path.as_deref(),
    };
    jdk::find(lookup).map_err(|error| Error::new(ErrorKind::Environment, error.to_string()))
}
