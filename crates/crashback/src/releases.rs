//! Other releases of the artifacts of a class path, where the one at hand does not fit a log.

use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crashback_classpath::maven::{self, Coordinates, coordinates_of, fetch_releases, nearest, releases};
use crashback_program::classes::Classes;
use crashback_program::frames::{Misfit, fitting_frames, misfits};
use crashback_trace::{Artifact, Throwable};
use serde::Serialize;

use crate::program::failure;
use crate::session::now;
use crate::{Error, ErrorKind, Program};

/// How many releases are fetched besides those that the log names.
const MOST_RELEASES: usize = 12;

/// How many versions are taken from the log: one class path has one, but manifests may number
/// otherwise than files.
const MOST_LOGGED: usize = 3;

/// Whether other releases of the artifacts of a class path are looked at if the log does not fit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OtherReleases {
    /// They are not.
    #[default]
    Ignored,
    /// Those of artifacts that Maven brought are, and the result names the best.
    Named,
    /// Those of all artifacts that tell their coordinates are, and the best is used.
    Used,
}

/// A release of an artifact that fits a log better than the one on the class path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BetterRelease {
    /// Its coordinates.
    pub coordinates: String,
    /// The coordinates of the one on the class path.
    pub instead_of: String,
    /// Frames of the log in classes of the artifact.
    pub frames: usize,
    /// Those of them whose method and line can do what the trace says.
    pub fitting: usize,
    /// The same for the release on the class path.
    pub fitting_given: usize,
    /// Whether it took the place of the given one.
    pub used: bool,
}

impl BetterRelease {
    /// The same in a sentence.
    pub fn words(&self) -> String {
        let Self { coordinates, instead_of, frames, fitting, fitting_given, used } = self;
        let counts = format!("{fitting} of {frames} frames instead of {fitting_given}");
        match used {
            true => format!("{coordinates} is used instead of {instead_of}: it fits {counts}."),
            false => format!(
                "{coordinates} fits the log better than {instead_of}: {counts}; --any-release uses it."
            ),
        }
    }
}

/// The outcome of a look at other releases.
#[derive(Clone, Debug, Default)]
pub(crate) struct Look {
    /// A better release and its jar.
    pub(crate) better: Option<Replacement>,
    /// In words, why it could not be looked for, or that there is none.
    pub(crate) note: Option<String>,
}

/// A jar that can take the place of another on a class path.
#[derive(Clone, Debug)]
pub(crate) struct Replacement {
    pub(crate) release: BetterRelease,
    /// The artifact of the class path.
    pub(crate) given: Coordinates,
    /// The version to take.
    pub(crate) version: String,
    /// The path of its jar on the class path.
    pub(crate) jar: PathBuf,
    /// The jar to take.
    pub(crate) by: PathBuf,
}

/// Looks for other releases of the artifact whose frames fit worst.
pub(crate) struct Releases<'r> {
    pub(crate) program: &'r Program,
    pub(crate) throwables: &'r [&'r Throwable],
    /// The coordinates that the user gave.
    pub(crate) maven: &'r [Coordinates],
    /// The jars that came with them.
    pub(crate) fetched: &'r [PathBuf],
    pub(crate) mode: OtherReleases,
    pub(crate) settings: maven::Settings,
    /// The class path with a jar in the place of another.
    pub(crate) load: &'r dyn Fn(&Path, &Path) -> Result<Program, Error>,
    /// How long Maven took.
    pub(crate) fetching: Cell<Duration>,
}

impl Releases<'_> {
    /// The best release, if one is better than that of the class path.
    ///
    /// # Errors
    ///
    /// If the user wanted it to end. All other failures are notes.
    pub(crate) fn look(&self) -> Result<Look, Error> {
        let misfits = misfits(&self.program.classes(), &self.program.scope, self.throwables);
        let known = misfits.iter().find_map(|it| Some((it, self.coordinates(Path::new(&it.jar))?)));
        let Some((misfit, given)) = known else {
            let note = misfits.first().filter(|_| self.mode == OtherReleases::Used).map(no_coordinates);
            return Ok(Look { better: None, note });
        };
        match self.best(misfit, &given) {
            Ok(Some(better)) => Ok(Look { better: Some(better), note: None }),
            Ok(None) => {
                let note = format!("no other release of {given} fits the log better");
                Ok(Look { better: None, note: Some(note) })
            }
            Err(error) if error.kind == ErrorKind::Interrupted => Err(error),
            Err(error) => {
                let note = format!("other releases of {given} could not be looked at: {error}");
                Ok(Look { better: None, note: Some(note) })
            }
        }
    }

    /// The artifact of a jar, if other releases of it may be fetched: one that came through Maven, or
    /// any that gives its coordinates itself if the user wants another release.
    fn coordinates(&self, jar: &Path) -> Option<Coordinates> {
        let is_fetched = self.fetched.iter().any(|it| it == jar);
        let name = jar.file_name()?.to_str()?;
        let given = self.maven.iter().find(|it| is_fetched && file_name(it) == name);
        let may_be_looked_at = is_fetched || self.mode == OtherReleases::Used;
        given.cloned().or_else(|| coordinates_of(jar).filter(|_| may_be_looked_at))
    }

    fn best(&self, misfit: &Misfit, given: &Coordinates) -> Result<Option<Replacement>, Error> {
        let logged = logged_versions(&misfit.logged, given);
        let first = self.best_of(misfit, given, &logged).ok().flatten();
        if first.as_ref().is_some_and(|it| it.release.fitting == misfit.frames()) {
            return Ok(first);
        }
        let (first, near) = match (first, self.best_near(misfit, given, &logged)) {
            (None, near) => return near,
            (Some(_), Err(error)) if error.kind == ErrorKind::Interrupted => return Err(error),
            (Some(first), near) => (first, near.ok().flatten()),
        };
        Ok(near.filter(|it| it.release.fitting > first.release.fitting).or(Some(first)))
    }

    /// The best of the releases near the given one, without those that were looked at.
    fn best_near(
        &self,
        misfit: &Misfit,
        given: &Coordinates,
        known: &[String],
    ) -> Result<Option<Replacement>, Error> {
        let cache = self.program.cache.as_ref();
        let mut versions = self.timed(|| releases(given, &self.settings, cache))?;
        versions.retain(|it| !known.contains(it));
        self.best_of(misfit, given, &nearest(&versions, &given.version, MOST_RELEASES))
    }

    /// A call of Maven, measured.
    fn timed<T>(&self, run: impl FnOnce() -> Result<T, crashback_classpath::Error>) -> Result<T, Error> {
        let begun = now();
        let result = run();
        self.fetching.set(self.fetching.get() + begun.elapsed());
        result.map_err(|it| failure(&it))
    }

    /// The best of some versions; the first of equals.
    fn best_of(
        &self,
        misfit: &Misfit,
        given: &Coordinates,
        versions: &[String],
    ) -> Result<Option<Replacement>, Error> {
        if versions.is_empty() {
            return Ok(None);
        }
        let release = |it: &String| Coordinates { version: it.clone(), ..given.clone() };
        let releases: Vec<Coordinates> = versions.iter().map(release).collect();
        let cache = self.program.cache.as_ref();
        let fetched = self.timed(|| fetch_releases(&releases, &self.settings, cache))?;
        let mut best: Option<Replacement> = None;
        for (release, by) in fetched {
            let jar = PathBuf::from(&misfit.jar);
            // A jar that cannot be read fits nothing.
            let Ok(program) = (self.load)(&jar, &by) else { continue };
            let fitting = fitting_frames(&Classes::new(&program.class_path), self.throwables, misfit);
            if fitting > best.as_ref().map_or(misfit.fitting, |it| it.release.fitting) {
                let version = release.version.clone();
                let release = BetterRelease {
                    coordinates: release.to_string(),
                    instead_of: given.to_string(),
                    frames: misfit.frames(),
                    fitting,
                    fitting_given: misfit.fitting,
                    used: false,
                };
                best = Some(Replacement { release, given: given.clone(), version, jar, by });
            }
        }
        Ok(best)
    }
}

fn no_coordinates(misfit: &Misfit) -> String {
    format!(
        "other releases of {} could not be looked at: it does not tell its Maven coordinates; give them with \
         --maven",
        misfit.jar
    )
}

/// The file that Maven makes of an artifact.
fn file_name(artifact: &Coordinates) -> String {
    let Coordinates { artifact: name, version, classifier, .. } = artifact;
    let classifier = classifier.as_ref().map(|it| format!("-{it}")).unwrap_or_default();
    format!("{name}-{version}{classifier}.jar")
}

/// The versions that a log names behind frames (`~[shop-1.2.jar:1.2]`), other than the given one:
/// those in names of files first, since manifests often have another numbering.
fn logged_versions(logged: &[Artifact], given: &Coordinates) -> Vec<String> {
    let of_file = |it: &Artifact| {
        let version =
            it.jar.as_deref()?.strip_suffix(".jar")?.strip_prefix(&given.artifact)?.strip_prefix('-')?;
        let end = given.classifier.as_ref().map(|it| format!("-{it}")).unwrap_or_default();
        Some(version.strip_suffix(&end)?.to_owned())
    };
    let of_files = logged.iter().filter_map(of_file);
    let of_manifests = logged.iter().filter_map(|it| it.version.clone());
    let mut versions: Vec<String> = Vec::new();
    for version in of_files.chain(of_manifests) {
        let may_stand_in_coordinates = format!("g:a:{version}").parse::<Coordinates>().is_ok();
        if may_stand_in_coordinates && version != given.version && !versions.contains(&version) {
            versions.push(version);
        }
    }
    versions.truncate(MOST_LOGGED);
    versions
}

#[cfg(test)]
mod tests {
    use super::*;

    fn artifact(jar: &str, version: &str) -> Artifact {
        let known = |it: &str| Some(it.to_owned()).filter(|it| !it.is_empty());
        Artifact { jar: known(jar), version: known(version), exact: false }
    }

    #[test]
    fn versions_in_names_of_files_come_before_those_of_manifests() {
        let given: Coordinates = "shop:till:1.3".parse().expect("coordinates");
        let logged = [artifact("till-1.2.jar", "1.2.0.r7"), artifact("other-9.jar", ""), artifact("", "1.3")];
        assert_eq!(logged_versions(&logged, &given), ["1.2", "1.2.0.r7"]);
        assert!(logged_versions(&[artifact("till-<x>.jar", "a b")], &given).is_empty());
        let tests: Coordinates = "shop:till:jar:tests:1.3".parse().expect("coordinates");
        assert_eq!(logged_versions(&[artifact("till-1.1-tests.jar", "")], &tests), ["1.1"]);
        assert_eq!(file_name(&tests), "till-1.3-tests.jar");
    }
}
