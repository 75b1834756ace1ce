//! Models of how tests use objects: the tests of a project are run with classes that tell a recorder of
//! every call (Derakhshanfar et al. 2020, section 3.1.2).
//!
//! Invariants: tests run only inside the sandbox, in a scratch folder of their own; a test that hangs, ends
//! the JVM or cannot be loaded costs only itself; every process has ended when a function returns.

mod progress;
mod run;
mod weave;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::Duration;

use crashback_classpath::{ClassPath, Request, fetch};
use crashback_emit::junit::{self, Generation};
use crashback_model::Models;
use crashback_program::classes::Classes;
use crashback_seeding::{Framework, TestClass, names_any, test_classes};
use serde::Serialize;

use crate::program::{absolute, coordinates, maven_settings};
use crate::session::now;
use crate::{Error, ErrorKind, Program, Session};
use run::Runs;
use weave::Woven;

/// Which tests are run, and for how long.
#[derive(Clone, Debug)]
pub struct TestRuns {
    /// Jars and folders of the tests and of what they need, beside the program's class path.
    pub class_path: Vec<PathBuf>,
    /// How long tests may run, all together.
    pub time: Duration,
    /// Classes (internal names): tests that name one of them run first.
    pub touching: Vec<String>,
}

/// Models of the calls that tests made, and what became of the tests.
#[derive(Debug)]
pub struct ObservedTests {
    /// The models.
    pub models: Models,
    /// What became of the tests.
    pub summary: TestSummary,
}

/// What became of the tests.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct TestSummary {
    /// How many classes with tests there are.
    pub test_classes: usize,
    /// Of these, how many name a class that tests should touch.
    pub touching: usize,
    /// How many tests ran to an end.
    pub run: u64,
    /// Of these, how many failed.
    pub failed: u64,
    /// Of these, how many failed with the kernel's word that something is not permitted.
    pub forbidden: u64,
    /// Tests that did not end, or could not begin.
    pub given_up: Vec<GivenUp>,
    /// Classes of tests of which no time was left for some or all.
    pub unfinished: usize,
    /// Sequences of calls that were recorded.
    pub sequences: u64,
    /// Classes whose calls were recorded.
    pub recorded_classes: usize,
    /// Classes of signed or sealed jars, which cannot be changed.
    pub unchangeable_classes: usize,
    /// How long the tests took, with the start of JVMs.
    pub seconds: f64,
}

/// A test, or a class of tests, without a result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GivenUp {
    /// The class, with `#` and the method if only that was given up.
    pub test: String,
    /// Why.
    pub reason: Reason,
    /// The reason in words.
    pub words: String,
}

/// Why a test has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// It took too long.
    Hangs,
    /// It ended the JVM.
    EndsJvm,
    /// Its class cannot be loaded, or its framework cannot run it.
    Unusable,
}

impl Session {
    /// Runs tests, and makes models of the calls on the objects of the program in which an action depends on
    /// the `order - 1` before it.
    ///
    /// # Errors
    ///
    /// If there are no tests, their framework cannot be found or fetched, or no JVM can be started for them.
    pub fn observe_tests(
        &self,
        program: &Program,
        order: usize,
        wanted: &TestRuns,
    ) -> Result<ObservedTests, Error> {
        let tests = wanted.class_path.iter().map(|it| absolute(it));
        let own = program.class_path.launch_path().iter().map(|it| absolute(it));
        // Build tools put tests before the program, too.
        let entries: Vec<PathBuf> = tests.chain(own).collect();
        let request = Request {
            entries,
            jdk: Some(program.jdk.clone()),
            cache: program.cache.clone(),
            ..Request::default()
        };
        let class_path = ClassPath::load(&request).map_err(|error| self.error(&error))?;
        let classes = Classes::new(&class_path);
        let mut tests = test_classes(&classes);
        if tests.is_empty() {
            let message = "--tests: there are no tests of JUnit or TestNG on the class path; name folders or \
                           jars of compiled tests with --test-classpath";
            return Err(Error::new(ErrorKind::Usage, message));
        }
        let touching = touching_first(&classes, &mut tests, &wanted.touching);
        let jars = self.framework_jars(program, &classes, &tests)?;
        let scratch = self.make_folder("crashback-observe-")?;
        let woven = Woven::write(&class_path, &tests, scratch.path()).map_err(|error| {
            let message = format!("cannot write instrumented classes: {error}; set TMPDIR to another folder");
            Error::new(ErrorKind::Environment, message)
        })?;
        let paths: Vec<PathBuf> = class_path.launch_path().iter().cloned().chain(jars).collect();
        let begun = now();
        let mut runs = Runs::new(self, &program.jdk, scratch.path(), &paths, &woven, order, &tests);
        runs.run_all(wanted.time)?;
        let (models, summary) = runs.finish();
        let summary = TestSummary {
            test_classes: tests.len(),
            touching,
            recorded_classes: woven.classes(),
            unchangeable_classes: woven.unchangeable,
            seconds: begun.elapsed().as_secs_f64(),
            ..summary
        };
        Ok(ObservedTests { models, summary })
    }

    /// Jars of frameworks that tests need and the class path lacks.
    fn framework_jars(
        &self,
        program: &Program,
        classes: &Classes<'_>,
        tests: &[TestClass],
    ) -> Result<Vec<PathBuf>, Error> {
        let has = |name: &str| classes.index().contains(name);
        let uses = |framework| tests.iter().any(|it| it.framework == framework);
        let mut wanted = Vec::new();
        if uses(Framework::Jupiter) {
            let is_there = has("org/junit/jupiter/api/Test");
            wanted.push(if is_there { None } else { Some(Generation::Five) });
        }
        let has_three = has("junit/framework/TestSuite") && !has("org/junit/Test");
        if uses(Framework::Old) && !has_three {
            wanted.push(Some(Generation::Four));
        }
        let mut fetch_all = |artifacts: &[&str]| {
            let parsed: Result<Vec<_>, Error> = artifacts.iter().map(|it| coordinates(it)).collect();
            let settings = maven_settings(&program.jdk, &self.interruption);
            let fetched = fetch(&parsed.map_err(|it| it.message)?, &settings, program.cache.as_ref());
            fetched.map_err(|it| it.to_string())
        };
        let mut jars = Vec::new();
        for generation in wanted {
            let feature = program.jdk.feature.into();
            let runner = junit::resolve(classes, None, generation, feature, &mut fetch_all);
            jars.extend(runner.map_err(|error| self.error(&error))?.jars);
        }
        Ok(jars)
    }
}

/// Puts tests first that name one of some classes, or one nested in them; how many there are.
fn touching_first(classes: &Classes<'_>, tests: &mut [TestClass], touching: &[String]) -> usize {
    let names: BTreeSet<String> = touching.iter().cloned().collect();
    let touches = |test: &TestClass| {
        let bytes = classes.index().get(&test.name).map(|it| classes.bytes(it.reference()));
        bytes.is_some_and(|it| it.is_ok_and(|it| names_any(&it, &names)))
    };
    let near: BTreeMap<String, bool> =
        tests.iter().map(|it| (it.name.clone(), !names.is_empty() && touches(it))).collect();
    // The sort is stable: tests that are equally near stay in their order.
    tests.sort_by_key(|it| !near.get(&it.name).copied().unwrap_or_default());
    near.values().filter(|it| **it).count()
}
