//! Tests compiled by the JDK's own compiler and run by real JUnit, in fresh JVMs that have nothing
//! of ours in them but the class that calls JUnit.
//!
//! Invariants: the exception of a run is the one that JUnit reports, whole and with causes; every
//! process that a test was given to has ended, with all of its group, when a function returns; nothing
//! is written outside of the scratch folder.

mod ahead;
mod compile;
mod compiler;
pub mod process;
mod report;
mod run;

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

pub use ahead::Ahead;
use compile::write_file;
use crashback_trace::Crash;
use process::Limits;

use crate::Result;
use crate::junit::Runner;
use crate::mockito::Mockito;
use crate::source::TestSource;

/// Makes the command that runs a program with arguments, such as one that does so inside of a
/// sandbox.
pub type Launch<'a> = &'a (dyn Fn(&Path, &[OsString]) -> Command + Sync);

/// How tests are compiled and run.
#[derive(Clone, Copy)]
pub struct Verifier<'a> {
    /// Home of the JDK.
    pub java_home: &'a Path,
    /// Its version: 8, 17.
    pub feature: u32,
    /// The program's class path with wildcards expanded.
    pub class_path: &'a [PathBuf],
    /// How JUnit is started, and the jars that it needs beyond the class path.
    pub runner: &'a Runner,
    /// Mockito for a test that needs it.
    pub mockito: Option<&'a Mockito>,
    /// Options for the JVMs that run the test, such as `-ea`.
    pub jvm_options: &'a [OsString],
    /// A folder of the caller's, where everything is written. It must exist.
    pub scratch: &'a Path,
    /// How long the compiler may take, and each run, without the time that they wait for a
    /// processor.
    pub time_limit: Duration,
    /// How processes are started.
    pub launch: Launch<'a>,
    /// Processes that were started ahead, by a verifier with the same JDK and scratch folder.
    pub ahead: &'a Ahead,
}

/// The result of verifying a test.
#[derive(Clone, Debug, PartialEq)]
pub enum Verification {
    /// The compiler refused it.
    NotCompiled {
        /// The compiler's messages.
        messages: String,
    },
    /// It was run.
    Ran(Vec<Run>),
    /// Its time was up before it was known how the test ends.
    Cut,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Run {
    /// The test passed.
    Passed,
    /// Something left the test.
    Threw(Box<Crash>),
    /// It took too long.
    TimedOut,
    /// The JVM ended before JUnit could report: a crash, `System.exit`, or JUnit did not find the
    /// test.
    Died {
        /// In words, with the end of the output.
        how: String,
    },
}

impl Verifier<'_> {
    /// Compiles a test and runs it so many times, all at once.
    pub fn verify(&self, source: &TestSource, runs: usize) -> Result<Verification> {
        self.verify_unless(source, runs, &|| false)
    }

    /// The same, but given up with [`Error::Cancelled`](crate::Error::Cancelled) soon after the
    /// function says so.
    pub fn verify_unless(
        &self,
        source: &TestSource,
        runs: usize,
        is_cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Result<Verification> {
        if let Some(messages) = self.compile_unless(source, is_cancelled)? {
            return Ok(Verification::NotCompiled { messages });
        }
        self.run_unless(source, runs, is_cancelled).map(Verification::Ran)
    }

    /// Runs a test that is compiled so many times, all at once.
    pub fn run_unless(
        &self,
        source: &TestSource,
        runs: usize,
        is_cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Result<Vec<Run>> {
        let limits = self.limits(is_cancelled);
        let failed = || Ok(died("the thread that watched it failed"));
        std::thread::scope(|scope| {
            let start = |number| scope.spawn(move || self.run(source, number, limits));
            let started: Vec<_> = (0..runs).map(start).collect();
            started.into_iter().map(|it| it.join().unwrap_or_else(|_| failed())).collect()
        })
    }

    /// Whether files can be written and read again on this machine. To be asked when a compiler or
    /// JVM failed for no reason that the test gives: a full disk says nothing about it.
    fn check_room(&self) -> Result<()> {
        /// More than a class file and a report of JUnit need.
        const ROOM: usize = 128 << 10;
        let file = self.scratch.join("room.test");
        let written = write_file(&file, &vec![0; ROOM]);
        // A file that cannot be removed goes with the scratch folder.
        let _ = fs::remove_file(&file);
        written
    }

    fn java(&self) -> PathBuf {
        self.java_home.join("bin").join(format!("java{}", std::env::consts::EXE_SUFFIX))
    }

    fn limits<'l>(&self, is_cancelled: &'l (dyn Fn() -> bool + Sync)) -> Limits<'l> {
        Limits { time: self.time_limit, is_cancelled }
    }

    /// Class path for compiler and JVM: the compiled tests, Mockito, the program, JUnit.
    fn whole_class_path(&self) -> impl Iterator<Item = PathBuf> {
        let classes = std::iter::once(self.scratch.join(CLASSES));
        let mockito = self.mockito.into_iter().flat_map(|it| it.jars.iter().cloned());
        classes.chain(mockito).chain(self.class_path.iter().cloned()).chain(self.runner.jars.iter().cloned())
    }
}

/// Folders within the scratch folder.
const SOURCES: &str = "sources";
const CLASSES: &str = "classes";

fn died(how: &str) -> Run {
    Run::Died { how: how.to_owned() }
}

/// Options that shorten the life of a short-lived JVM without changing its results.
pub const SHORT_LIVED: [&str; 7] = [
    "-XX:+IgnoreUnrecognizedVMOptions",
    "-XX:+UnlockDiagnosticVMOptions",
    "-XX:TieredStopAtLevel=1",
    "-XX:+UseSerialGC",
    "-Xshare:auto",
    // The shared archive of the JDK stays where it was made for, so that it need not be changed.
    "-XX:ArchiveRelocationMode=0",
    "-XX:-UsePerfData",
];
