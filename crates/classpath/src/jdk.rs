//! Finding a JDK, and telling its kind.

use std::ffi::OsStr;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use crate::archive::Archive;
use crate::{Error, image, jar};

/// A Java installation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Jdk {
    /// Its folder.
    pub home: PathBuf,
    /// Its version as it states it: `17.0.15`, `1.8.0_402`.
    pub version: String,
    /// The number of its release: 8, 17, 25.
    pub feature: u16,
    /// Where its classes are.
    pub classes: JdkClasses,
    /// Whether it can compile.
    pub has_javac: bool,
}

/// Where the classes of a JDK are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JdkClasses {
    /// The file `lib/modules`, since JDK 9.
    Image(PathBuf),
    /// `rt.jar` and its companions, in the order in which they are searched.
    Jars(Vec<PathBuf>),
}

impl fmt::Display for JdkClasses {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Image(image) => write!(formatter, "{}", image.display()),
            Self::Jars(jars) => {
                let first = jars.first().and_then(|it| it.parent()).unwrap_or(Path::new(""));
                write!(formatter, "{} jars of {}", jars.len(), first.display())
            }
        }
    }
}

impl Jdk {
    /// Why it cannot compile tests, if so.
    pub fn compiler_problem(&self) -> Option<String> {
        let home = self.home.display();
        if !self.has_javac {
            return Some(format!(
                "{home} has no bin/javac: it is a JRE, or an image of jlink without jdk.compiler"
            ));
        }
        (!self.reads_jars()).then(|| {
            format!("{home} is an image of jlink without jdk.zipfs, and its compiler reads no jars without")
        })
    }

    /// Whether its compiler can read jars: that takes a module which older releases do not link by
    /// themselves. Installations that state no modules have all of them.
    fn reads_jars(&self) -> bool {
        let release = fs::read_to_string(self.home.join("release")).unwrap_or_default();
        let modules = release.lines().find_map(|line| line.strip_prefix("MODULES="));
        modules.is_none_or(|it| it.trim_matches('"').split(' ').any(|module| module == "jdk.zipfs"))
    }

    /// Whether its classes can be read: those of some images that jlink makes cannot.
    ///
    /// # Errors
    ///
    /// With the file that cannot be read.
    pub fn check_classes(&self) -> Result<(), Error> {
        let unusable = |file: &Path, reason: String| Error::UnusableJdk {
            home: self.home.clone(),
            reason: format!("its classes in {} cannot be read: {reason}", file.display()),
        };
        match &self.classes {
            JdkClasses::Image(image) => {
                image::check(image).map_err(|error| unusable(image, error.to_string()))
            }
            JdkClasses::Jars(jars) => jars.iter().try_for_each(|jar| {
                Archive::open(jar).map(drop).map_err(|error| unusable(jar, error.to_string()))
            }),
        }
    }
}

/// Where to look for a JDK. The caller reads the environment.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lookup<'a> {
    /// The home that the user named.
    pub explicit: Option<&'a Path>,
    /// The value of `JAVA_HOME`.
    pub java_home: Option<&'a OsStr>,
    /// The value of `PATH`.
    pub path: Option<&'a OsStr>,
}

/// The first of: the JDK named explicitly, that of `JAVA_HOME`, that of the first `java` on the
/// `PATH`. One that is named but unusable is an error, not a reason to look further.
pub fn find(lookup: Lookup<'_>) -> Result<Jdk, Error> {
    if let Some(home) = lookup.explicit {
        return at(home);
    }
    if let Some(home) = lookup.java_home.filter(|home| !home.is_empty()) {
        return at(Path::new(home));
    }
    let directories = lookup.path.map(std::env::split_paths).into_iter().flatten();
    let programs =
        directories.map(|directory| directory.join(if cfg!(windows) { "java.exe" } else { "java" }));
    programs.filter_map(|java| at(&home_of(&java)?).ok()).next().ok_or(Error::NoJdk)
}

/// The JDK (or JRE) in a folder.
pub fn at(home: &Path) -> Result<Jdk, Error> {
    let unusable = |reason: &str| Error::UnusableJdk { home: home.to_owned(), reason: reason.to_owned() };
    if !home.is_dir() {
        return Err(unusable("there is no such folder"));
    }
    let classes = find_classes(home).ok_or_else(|| unusable("it has neither lib/modules nor lib/rt.jar"))?;
    let version = stated_version(home).or_else(|| version_of_jars(&classes));
    let version = version.ok_or_else(|| unusable("its file `release` names no JAVA_VERSION"))?;
    let feature =
        feature(&version).ok_or_else(|| unusable(&format!("cannot understand its version {version}")))?;
    let has_javac = home.join("bin").join(if cfg!(windows) { "javac.exe" } else { "javac" }).is_file();
    Ok(Jdk { home: home.to_owned(), version, feature, classes, has_javac })
}

/// The installation a `java` program belongs to, through links.
fn home_of(java: &Path) -> Option<PathBuf> {
    let home = fs::canonicalize(java).ok()?.parent()?.parent()?.to_owned();
    // Before JDK 9 the program may be that of the JRE inside the JDK.
    let outer = home.parent().filter(|outer| home.ends_with("jre") && outer.join("bin").is_dir());
    Some(outer.map_or(home.clone(), Path::to_owned))
}

fn find_classes(home: &Path) -> Option<JdkClasses> {
    let image = home.join("lib/modules");
    if image.is_file() {
        return Some(JdkClasses::Image(image));
    }
    let library = ["jre/lib", "lib"]
        .map(|folder| home.join(folder))
        .into_iter()
        .find(|it| it.join("rt.jar").is_file())?;
    let boot = ["resources.jar", "rt.jar", "jsse.jar", "jce.jar", "charsets.jar", "jfr.jar"];
    let mut jars: Vec<PathBuf> =
        boot.map(|name| library.join(name)).into_iter().filter(|jar| jar.is_file()).collect();
    let mut extensions: Vec<PathBuf> = fs::read_dir(library.join("ext"))
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "jar"))
        .collect();
    extensions.sort();
    jars.extend(extensions);
    Some(JdkClasses::Jars(jars))
}

fn stated_version(home: &Path) -> Option<String> {
    let release = fs::read_to_string(home.join("release")).ok()?;
    let value = release.lines().find_map(|line| line.trim().strip_prefix("JAVA_VERSION="))?;
    Some(value.trim_matches('"').to_owned())
}

/// The version in the manifest of `rt.jar`, for packages of Java 8 that have no file `release`.
fn version_of_jars(classes: &JdkClasses) -> Option<String> {
    let JdkClasses::Jars(jars) = classes else { return None };
    let manifest = jars.iter().find(|it| it.ends_with("rt.jar")).and_then(|it| jar::manifest(it));
    let version = manifest.as_ref().and_then(|it| it.get("Implementation-Version"));
    Some(version.unwrap_or("1.8").to_owned())
}

/// `1.8.0_402` is release 8, `17.0.15` and `25-ea` say it at once (JEP 223).
fn feature(version: &str) -> Option<u16> {
    let rest = version.strip_prefix("1.").unwrap_or(version);
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    rest.get(..end)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_of_versions() {
        let check =
            |version: &str, expected: Option<u16>| assert_eq!(feature(version), expected, "{version}");
        check("1.8.0_402", Some(8));
        check("1.8", Some(8));
        check("17.0.15", Some(17));
        check("25-ea", Some(25));
        check("9", Some(9));
        check("x", None);
    }
}
