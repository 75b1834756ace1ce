//! A test run by JUnit.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, Stdio};

use super::compile::{argument_file, at_file, create_folder, join_paths, write_file};
use super::process::{Limits, Running};
use super::{CLASSES, Run, SHORT_LIVED, Verifier, died, report};
use crate::junit::Launcher;
use crate::source::TestSource;
use crate::{Error, Result};

/// Longer arguments go through a file, which `java` reads since version 9; systems limit the length
/// of one argument.
const LONGEST_ARGUMENT: usize = 100_000;

/// The class that waits for the name of a test, in the folder of compiled tests.
const GATE: &str = "crashback/verify/Gate.class";
static GATE_CLASS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/classes/crashback/verify/Gate.class"));

/// The report of a run within its folder.
const REPORT: &str = "report";

/// A plain JVM that waits for a test.
pub(super) struct Jvm {
    running: Running,
    input: ChildStdin,
    /// The number of the run that it is for.
    pub(super) number: usize,
    class_path: OsString,
    options: Vec<OsString>,
}

impl Verifier<'_> {
    /// Runs a compiled test. The number tells runs at the same time apart.
    pub(super) fn run(&self, source: &TestSource, number: usize, limits: Limits<'_>) -> Result<Run> {
        let folder = self.run_folder(number);
        let test = match self.runner.launcher {
            Launcher::JUnitCore => source.class_name(),
            Launcher::Platform => format!("{}#{}", source.class_name(), source.method),
        };
        let ahead = self.ahead.take_jvm(number).filter(|it| it.is_for(self));
        let running = match ahead.and_then(|it| it.run(&test)) {
            Some(running) => running,
            None => self.start_jvm(number)?.run(&test).ok_or_else(|| self.closed())?,
        };
        let ended = running.end(limits)?;
        let Some(status) = ended.status else {
            self.check_room()?;
            return Ok(Run::TimedOut);
        };
        let reported = match self.runner.launcher {
            Launcher::JUnitCore => report::read_text(&ended.output, status.success()),
            Launcher::Platform => report::read_report(&folder.join(REPORT)),
        };
        if let Some(run) = reported {
            return Ok(run);
        }
        self.check_room()?;
        Ok(died(&format!("the JVM ended with {status} before JUnit reported a test: {}", ended.said())))
    }

    /// Starts a plain JVM, which waits for the test of a run.
    pub(super) fn start_jvm(&self, number: usize) -> Result<Jvm> {
        let folder = self.run_folder(number);
        // A report that an earlier run left would be taken for that of this run.
        let _ = fs::remove_dir_all(&folder);
        create_folder(&folder)?;
        // The JVM wants to see the folder of classes when it starts.
        let gate = self.scratch.join(CLASSES).join(GATE);
        if !gate.is_file() {
            create_folder(gate.parent().unwrap_or(&gate))?;
            write_file(&gate, GATE_CLASS)?;
        }
        let arguments = self.arguments(&folder)?;
        let mut running = Running::start(self.launch, &self.java(), &arguments, &folder, Stdio::piped())?;
        let input = running.input().ok_or_else(|| self.closed())?;
        let class_path = join_paths(self.whole_class_path());
        Ok(Jvm { running, input, number, class_path, options: self.jvm_options.to_vec() })
    }

    fn closed(&self) -> Error {
        Error::Start { program: self.java(), source: io::ErrorKind::BrokenPipe.into() }
    }

    fn run_folder(&self, number: usize) -> PathBuf {
        self.scratch.join(format!("run{number}"))
    }

    /// Arguments of the JVM for a run in a folder, which must exist.
    fn arguments(&self, folder: &Path) -> Result<Vec<OsString>> {
        let mut arguments: Vec<OsString> = SHORT_LIVED.map(OsString::from).to_vec();
        arguments.extend(self.jvm_options.iter().cloned());
        let class_path = [OsString::from("-cp"), join_paths(self.whole_class_path())];
        let is_long = class_path.iter().any(|it| it.len() > LONGEST_ARGUMENT);
        if is_long && self.feature >= 9 {
            let file = folder.join("java.arguments");
            write_file(&file, &argument_file(&class_path))?;
            arguments.push(at_file(&file));
        } else {
            arguments.extend(class_path);
        }
        let launcher = match self.runner.launcher {
            Launcher::JUnitCore => "core",
            Launcher::Platform => "platform",
        };
        arguments.extend(["crashback.verify.Gate", launcher, REPORT].map(OsString::from));
        Ok(arguments)
    }
}

impl Jvm {
    /// Whether it has the class path and the options of a verifier.
    pub(super) fn is_for(&self, verifier: &Verifier<'_>) -> bool {
        self.class_path == join_paths(verifier.whole_class_path()) && self.options == verifier.jvm_options
    }

    /// Tells it which test to run. None if it has ended by itself.
    fn run(mut self, test: &str) -> Option<Running> {
        let is_told = !self.running.has_exited() && self.input.write_all(test.as_bytes()).is_ok();
        // The end of the pipe is the end of the name.
        drop(self.input);
        is_told.then_some(self.running)
    }
}
