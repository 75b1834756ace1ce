//! What carries out a search. The command is written against the trait, so that its tests need no
//! JVM.

use std::ffi::OsStr;
use std::path::PathBuf;
use std::time::Instant;

use crashback_classpath::split;
use crashback_program::classes::Classes;
use crashback_program::frames::CrashAudit;
use crashback_reproduce::{Event, Reproduction, Settings};
use crashback_trace::Throwable;

use crate::args::SearchArguments;
use crate::environment::Environment;
use crate::exit::Failure;
use crate::interrupt::Interrupts;
use crate::program::{Project, absolute};

/// Carries out a search.
pub(crate) trait Engine {
    /// Searches for a test and verifies it. An interruption ends it with the best so far.
    fn reproduce(&self, task: &Task<'_>, sink: &mut dyn FnMut(&Event)) -> Result<Reproduction, Failure>;

    /// The files, by their paths below a folder of sources, one of which the test will be; none if
    /// that is not known.
    fn expected_files(&self, task: &Task<'_>) -> Vec<PathBuf>;
}

/// What is to be searched for, and with what.
pub(crate) struct Task<'t> {
    pub(crate) project: &'t Project,
    pub(crate) classes: &'t Classes<'t>,
    pub(crate) throwable: &'t Throwable,
    pub(crate) audit: &'t CrashAudit,
    pub(crate) settings: &'t Settings,
    pub(crate) conditions: &'t Conditions,
    /// When the command began: what its time counts from.
    pub(crate) begun: Instant,
    pub(crate) environment: &'t Environment,
    pub(crate) interrupts: &'t Interrupts,
}

/// Circumstances of a search beside its settings.
#[derive(Clone, Debug)]
pub(crate) struct Conditions {
    /// Processes that run tests.
    pub(crate) workers: usize,
    /// Which JUnit was asked for: 4, 5 or 6.
    pub(crate) junit: Option<u8>,
    /// Where JUnit lies if it is not on the class path.
    pub(crate) test_class_path: Vec<PathBuf>,
    pub(crate) assertions: bool,
    pub(crate) without_sandbox: bool,
}

impl Conditions {
    pub(crate) fn of(search: &SearchArguments) -> Self {
        let test_class_path = search.test_classpath.iter().flat_map(|it| split(OsStr::new(it)));
        Self {
            workers: super::workers(search),
            junit: search.junit,
            test_class_path: test_class_path.map(|it| absolute(&it)).collect(),
            assertions: search.enable_assertions,
            without_sandbox: search.sandbox.unsafe_no_sandbox,
        }
    }
}
