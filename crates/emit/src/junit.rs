//! The JUnit that a test is written for, with the jars that it needs.
//!
//! JUnit comes from the user's class path, else from further class paths in order, else it is
//! fetched at pinned versions. Jars on the class path stay; only those missing to run JUnit are
//! fetched, in the version that fits.

use std::path::PathBuf;

use crashback_program::classes::Classes;

use crate::{Error, Result};

/// A generation of JUnit, as far as sources differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum JUnit {
    /// JUnit 4; `assertThrows` is there since 4.13.
    Four {
        /// Whether `Assert.assertThrows` is there.
        has_assert_throws: bool,
    },
    /// JUnit 5.
    Five,
    /// JUnit 6.
    Six,
}

/// The JUnit that the user asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Generation {
    /// JUnit 4.
    Four,
    /// JUnit 5.
    Five,
    /// JUnit 6.
    Six,
}

/// JUnit, ready to compile against and to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Runner {
    /// For which JUnit sources are written.
    pub junit: JUnit,
    /// Its version, where that is known.
    pub version: Option<String>,
    /// Jars to be put behind the program's class path.
    pub jars: Vec<PathBuf>,
    /// How it is started.
    pub launcher: Launcher,
}

/// The program that runs tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Launcher {
    /// `org.junit.runner.JUnitCore`, JUnit 4's own.
    JUnitCore,
    /// The launcher of the JUnit Platform, as build tools use it.
    Platform,
}

/// The versions that are fetched where no class path has JUnit. The first two run on Java 8 and
/// later.
pub mod pinned {
    /// JUnit 4, the last one.
    pub const FOUR: &str = "4.13.2";
    /// JUnit 5, the last one.
    pub const FIVE: &str = "5.14.1";
    /// JUnit 6.
    pub const SIX: &str = "6.0.1";
    /// Hamcrest, which JUnit 4 needs.
    pub const HAMCREST: &str = "1.3";
}

/// Fetches artifacts by their Maven coordinates `group:artifact:version`, with their dependencies:
/// their jars, or why not.
pub type Fetch<'a> = &'a mut dyn FnMut(&[&str]) -> std::result::Result<Vec<PathBuf>, String>;

/// Finds JUnit on class paths, the user's first, or fetches it. `further` are the jars of
/// `--test-classpath`, which the runner needs if JUnit lies in them. Feature is the version of Java
/// that runs the tests.
pub fn resolve(
    program: &Classes<'_>,
    test: Option<(&Classes<'_>, &[PathBuf])>,
    wanted: Option<Generation>,
    feature: u32,
    fetch: Fetch<'_>,
) -> Result<Runner> {
    let own = Found::on(program, wanted).map(|it| (it, program, &[] as &[PathBuf]));
    let found =
        own.or_else(|| test.and_then(|(classes, jars)| Some((Found::on(classes, wanted)?, classes, jars))));
    let Some((found, classes, jars)) = found else { return fetched(wanted, feature, fetch) };
    let present = |name: &str| classes.index().contains(name) || program.index().contains(name);
    let (launcher, needed) = match (found.junit, &found.version) {
        (JUnit::Four { .. }, _) => {
            let hamcrest = (!present("org/hamcrest/Matcher"))
                .then(|| format!("org.hamcrest:hamcrest-core:{}", pinned::HAMCREST));
            (Launcher::JUnitCore, hamcrest)
        }
        (_, version) => {
            let version = version.clone().unwrap_or_else(|| {
                if found.junit == JUnit::Six { pinned::SIX } else { pinned::FIVE }.to_owned()
            });
            let is_whole = present("org/junit/platform/launcher/core/LauncherFactory")
                && present("org/junit/jupiter/engine/JupiterTestEngine");
            (Launcher::Platform, (!is_whole).then(|| console_artifact(&version)))
        }
    };
    check_feature(found.junit, found.version.as_deref(), found.needed, feature)?;
    let mut jars = jars.to_vec();
    if let Some(artifact) = needed {
        jars.extend(fetch_one(&artifact, found.junit, fetch)?);
    }
    Ok(Runner { junit: found.junit, version: found.version, jars, launcher })
}

impl JUnit {
    pub(crate) fn is_jupiter(self) -> bool {
        !matches!(self, Self::Four { .. })
    }

    pub(crate) fn needs_public(self) -> bool {
        !self.is_jupiter()
    }

    pub(crate) fn has_assert_throws(self) -> bool {
        !matches!(self, Self::Four { has_assert_throws: false })
    }

    /// The annotation of tests, in internal form.
    pub(crate) fn test_annotation(self) -> &'static str {
        if self.is_jupiter() { "org/junit/jupiter/api/Test" } else { "org/junit/Test" }
    }

    /// The folder of the test as an expression: of the field that the test class has for it.
    pub(crate) fn folder(self) -> &'static str {
        if self.is_jupiter() { "folder" } else { "folder.getRoot()" }
    }

    pub(crate) fn assertions(self) -> &'static str {
        if self.is_jupiter() { "org.junit.jupiter.api.Assertions" } else { "org.junit.Assert" }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Four { .. } => "JUnit 4",
            Self::Five => "JUnit 5",
            Self::Six => "JUnit 6",
        }
    }
}

/// JUnit as a class path has it.
struct Found {
    junit: JUnit,
    version: Option<String>,
    /// The release of Java that it needs.
    needed: u32,
}

impl Found {
    /// Jupiter before JUnit 4, where a class path has both.
    fn on(classes: &Classes<'_>, wanted: Option<Generation>) -> Option<Self> {
        let facts_of = |class: &str| {
            let class = classes.index().get(class)?;
            let version = classes.entry(class.reference()).and_then(|it| it.version.clone());
            Some((version, u32::from(class.java_release())))
        };
        let jupiter = || {
            let (version, needed) = facts_of("org/junit/jupiter/api/Test")?;
            let is_six = version.as_deref().and_then(major).is_some_and(|it| it >= 6);
            Some(Self { junit: if is_six { JUnit::Six } else { JUnit::Five }, version, needed })
        };
        let four = || {
            let (version, needed) = facts_of("org/junit/Test")?;
            let assert = classes.index().get("org/junit/Assert")?;
            let has_assert_throws = assert.methods_named("assertThrows").next().is_some();
            Some(Self { junit: JUnit::Four { has_assert_throws }, version, needed })
        };
        match wanted {
            None => jupiter().or_else(four),
            Some(Generation::Four) => four(),
            Some(Generation::Five) => jupiter().filter(|it| it.junit == JUnit::Five),
            Some(Generation::Six) => jupiter().filter(|it| it.junit == JUnit::Six),
        }
    }
}

/// Everything from Maven. Unless the user wants another, JUnit 5, which runs on every Java since 8.
fn fetched(wanted: Option<Generation>, feature: u32, fetch: Fetch<'_>) -> Result<Runner> {
    let (junit, version, artifact, launcher) = match wanted {
        Some(Generation::Four) => {
            let artifact = format!("junit:junit:{}", pinned::FOUR);
            (JUnit::Four { has_assert_throws: true }, pinned::FOUR, artifact, Launcher::JUnitCore)
        }
        Some(Generation::Six) => (JUnit::Six, pinned::SIX, console_artifact(pinned::SIX), Launcher::Platform),
        None | Some(Generation::Five) => {
            (JUnit::Five, pinned::FIVE, console_artifact(pinned::FIVE), Launcher::Platform)
        }
    };
    let needed = if junit == JUnit::Six { 17 } else { 8 };
    check_feature(junit, Some(version), needed, feature)?;
    let jars = fetch_one(&artifact, junit, fetch)?;
    Ok(Runner { junit, version: Some(version.to_owned()), jars, launcher })
}

fn fetch_one(artifact: &str, junit: JUnit, fetch: Fetch<'_>) -> Result<Vec<PathBuf>> {
    fetch(&[artifact]).map_err(|reason| Error::NoJUnit { wanted: junit.name().to_owned(), reason })
}

fn check_feature(junit: JUnit, version: Option<&str>, needed: u32, feature: u32) -> Result<()> {
    if feature >= needed {
        return Ok(());
    }
    let wanted = version.map_or_else(|| junit.name().to_owned(), |it| format!("JUnit {it}"));
    Err(Error::JdkTooOld { wanted, needed, feature })
}

/// One jar with all of the platform: API, engine, launcher, console. Jupiter 5.x belongs to
/// platform 1.x; from 6 on the numbers are the same.
fn console_artifact(jupiter: &str) -> String {
    format!("org.junit.platform:junit-platform-console-standalone:{}", platform_version(jupiter))
}

fn platform_version(jupiter: &str) -> String {
    match jupiter.strip_prefix("5.") {
        Some(rest) => format!("1.{rest}"),
        None => jupiter.to_owned(),
    }
}

fn major(version: &str) -> Option<u32> {
    version.split('.').next()?.parse().ok()
}
