//! JUnit and Mockito: on the program's class path, on that for tests, or from Maven.

use std::path::PathBuf;
use std::time::Duration;

use crashback_classpath::maven::{self, Coordinates};
use crashback_classpath::{ClassPath, Request, fetch, fetched};
use crashback_emit::junit::{self, Generation, Runner};
use crashback_emit::mockito::{self, Mockito};
use crashback_program::classes::Classes;
use crashback_reproduce::Event;

use crate::program::{absolute, coordinates, maven_settings};
use crate::session::now;
use crate::{Error, Session, Sink, Target};

/// Finds what tests are written for, and measures how long Maven takes.
pub(crate) struct Fetching<'f> {
    session: &'f Session,
    target: &'f Target<'f>,
    sink: Sink<'f>,
    /// How long Maven took.
    pub(crate) took: Duration,
}

impl<'f> Fetching<'f> {
    pub(crate) fn new(session: &'f Session, target: &'f Target<'f>, sink: Sink<'f>) -> Self {
        Self { session, target, sink, took: Duration::ZERO }
    }

    pub(crate) fn junit(&mut self) -> Result<Runner, Error> {
        self.junit_of(self.session.junit.or_else(|| self.target.usual_junit()))
    }

    /// JUnit of a generation, or that of the class path.
    pub(crate) fn junit_of(&mut self, wanted: Option<Generation>) -> Result<Runner, Error> {
        let (session, target) = (self.session, self.target);
        let test = self.test_class_path()?;
        let test_classes = test.as_ref().map(|it| Classes::new(it));
        let test =
            test.as_ref().zip(test_classes.as_ref()).map(|(path, classes)| (classes, path.launch_path()));
        let feature = target.program.jdk.feature.into();
        junit::resolve(target.classes, test, wanted, feature, &mut |it| self.fetch(it))
            .map_err(|error| session.error(&error))
    }

    pub(crate) fn mockito(&mut self) -> Result<Mockito, Error> {
        self.mockito_by(Self::fetch)
    }

    /// Mockito, if Maven need not run for it.
    pub(crate) fn mockito_at_hand(&mut self) -> Option<Mockito> {
        self.mockito_by(|it, artifacts| it.fetched(artifacts)).ok()
    }

    fn mockito_by(
        &mut self,
        fetch: impl Fn(&mut Self, &[&str]) -> Result<Vec<PathBuf>, String>,
    ) -> Result<Mockito, Error> {
        let (session, target) = (self.session, self.target);
        let test = self.test_class_path()?;
        let test = test.as_ref().map(|it| Classes::new(it));
        let feature = target.program.jdk.feature.into();
        mockito::resolve(target.classes, test.as_ref(), feature, &mut |it| fetch(self, it))
            .map_err(|error| session.error(&error))
    }

    /// Artifacts by their coordinates.
    fn fetch(&mut self, artifacts: &[&str]) -> Result<Vec<PathBuf>, String> {
        (self.sink)(&Event::FetchingJUnit);
        let begun = now();
        let artifacts = parsed(artifacts)?;
        let program = self.target.program;
        let settings = maven_settings(&program.jdk, &self.session.interruption);
        let settings = maven::Settings { offline: program.offline, ..settings };
        let fetched = fetch(&artifacts, &settings, program.cache.as_ref());
        self.took += begun.elapsed();
        fetched.map_err(|error| error.to_string())
    }

    /// The same, if they were fetched before.
    fn fetched(&self, artifacts: &[&str]) -> Result<Vec<PathBuf>, String> {
        let cache = self.target.program.cache.as_ref();
        let artifacts = parsed(artifacts)?;
        cache.and_then(|it| fetched(&artifacts, it)).ok_or_else(|| String::from("not fetched yet"))
    }

    /// The class path for tests; none if it is empty.
    pub(crate) fn test_class_path(&self) -> Result<Option<ClassPath>, Error> {
        let entries: Vec<PathBuf> = self.session.test_class_path.iter().map(|it| absolute(it)).collect();
        if entries.is_empty() {
            return Ok(None);
        }
        let request = Request { entries, ..Request::default() };
        ClassPath::load(&request).map(Some).map_err(|error| self.session.error(&error))
    }
}

fn parsed(artifacts: &[&str]) -> Result<Vec<Coordinates>, String> {
    artifacts.iter().map(|it| coordinates(it).map_err(|error| error.message)).collect()
}
