//! A test run by JUnit.

use std::ffi::OsString;
use std::fs;
use std::path::Path;

use super::compile::{argument_file, at_file, create_folder, join_paths, write_file};
use super::process::Limits;
use super::{Run, SHORT_LIVED, Verifier, died, process, report};
use crate::Result;
use crate::junit::Launcher;
use crate::source::TestSource;

/// Longer arguments go through a file, which `java` reads since version 9; systems limit the length
/// of one argument.
const LONGEST_ARGUMENT: usize = 100_000;

impl Verifier<'_> {
    /// Runs a compiled test. The number tells runs at the same time apart.
    pub(super) fn run(&self, source: &TestSource, number: usize, limits: Limits<'_>) -> Result<Run> {
        let folder = self.scratch.join(format!("run{number}"));
        // A report that an earlier run left would be taken for that of this run.
        let _ = fs::remove_dir_all(&folder);
        create_folder(&folder)?;
        let arguments = self.arguments(source, &folder)?;
        let ended = process::run(self.launch, &self.java(), &arguments, &folder, limits)?;
        let Some(status) = ended.status else {
            self.check_room()?;
            return Ok(Run::TimedOut);
        };
        let reported = match self.runner.launcher {
            Launcher::JUnitCore => report::read_text(&ended.output, status.success()),
            Launcher::Console { .. } => report::read_reports(&folder.join(REPORTS)),
        };
        if let Some(run) = reported {
            return Ok(run);
        }
        self.check_room()?;
        Ok(died(&format!("the JVM ended with {status} before JUnit reported a test: {}", ended.said())))
    }

    fn arguments(&self, source: &TestSource, folder: &Path) -> Result<Vec<OsString>> {
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
        arguments.extend(self.junit_arguments(source));
        Ok(arguments)
    }

    fn junit_arguments(&self, source: &TestSource) -> Vec<OsString> {
        match self.runner.launcher {
            Launcher::JUnitCore => vec!["org.junit.runner.JUnitCore".into(), source.class_name().into()],
            Launcher::Console { has_commands } => {
                let method = format!("{}#{}", source.class_name(), source.method);
                let mut arguments = vec!["org.junit.platform.console.ConsoleLauncher".to_owned()];
                arguments.extend(has_commands.then(|| "execute".to_owned()));
                let options = [
                    "--details=none",
                    "--include-engine=junit-jupiter",
                    // Frames of JUnit would be left out, those between frames of the program too.
                    "--config=junit.platform.stacktrace.pruning.enabled=false",
                ];
                arguments.extend(options.map(str::to_owned));
                arguments.extend([format!("--reports-dir={REPORTS}"), format!("--select-method={method}")]);
                arguments.into_iter().map(OsString::from).collect()
            }
        }
    }
}

/// Folder of the reports within that of the run.
const REPORTS: &str = "reports";
