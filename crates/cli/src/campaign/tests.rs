//! A campaign around a search that is made up, on the bundled program.
#![expect(clippy::disallowed_methods, reason = "the test puts classes into a jar")]

use std::cell::RefCell;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use clap::Parser;
use crashback_reproduce::{Degree, Reproduction, Stage};
use tempfile::TempDir;

use super::*;
use crate::demo::Crashed;
use crate::reproduce::Task;

/// Reproduces everything but the crashes with odd seeds, on which it breaks.
#[derive(Default)]
struct Fake {
    /// Seeds, jars and target frames of what it was asked for.
    asked: RefCell<Vec<(u64, usize, Vec<u32>)>>,
    interrupts: bool,
}

impl Engine for Fake {
    fn reproduce(
        &self,
        task: &Task<'_>,
        _sink: &mut dyn FnMut(&crashback_reproduce::Event),
    ) -> Result<Reproduction, Failure> {
        let targets = task.audit.frames.iter().filter(|it| it.target).map(|it| it.level).collect();
        let jars = task.project.class_path.launch_path().len();
        self.asked.borrow_mut().push((task.settings.seed, jars, targets));
        assert!(task.settings.seed.is_multiple_of(2), "a defect");
        Ok(Reproduction {
            reproduced: true,
            verified: true,
            frame: Some(3),
            outcome: Stage::Reproduced,
            degree: Some(Degree::Escapes),
            interrupted: self.interrupts,
            ..Reproduction::default()
        })
    }

    fn expected_files(&self, _task: &Task<'_>) -> Vec<PathBuf> {
        Vec::new()
    }
}

/// A checkout with one crash.
fn checkout() -> TempDir {
    let environment = Environment::of_process();
    let crashed = Crashed::new(None, false, &environment, &Interrupts::default());
    let crashed = crashed.expect("the bundled program crashes");
    let wanted = crashed.wanted(None, false, &crate::args::SearchArguments::default());
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let list = r#"{"crashes": {"P-1": {"application": "Parcels", "version": "1", "target_frames": ".*LabelReader"}}}"#;
    fs::write(path("jcrashpack.json"), list).expect("a list");
    fs::create_dir_all(path("crashes/Parcels/P-1")).expect("a folder");
    fs::copy(&wanted.log, path("crashes/Parcels/P-1/P-1.log")).expect("a log");
    let bin = path("applications/Parcels/1/bin");
    fs::create_dir_all(&bin).expect("a folder");
    let jdk = program::find_jdk(None, &environment).expect("a JDK");
    for name in ["a.jar", "b: copy.jar"] {
        let mut jar = Command::new(jdk.home.join("bin/jar"));
        jar.arg("cf").arg(bin.join(name)).arg("-C").args(&wanted.places.entries).arg(".");
        assert!(jar.status().expect("jar runs").success());
    }
    folder
}

#[derive(Parser)]
struct Line {
    #[command(flatten)]
    run: RunArguments,
}

fn campaign(folder: &TempDir, flags: &[&str], engine: &Fake) -> Result<(), Failure> {
    let path = folder.path().to_str().expect("a plain path");
    let store = format!("{path}/runs.sqlite");
    let line =
        ["campaign", "--jcrashpack", path, "--store", &store, "--quiet", "--no-cache", "--workers", "2"];
    let arguments = Line::try_parse_from(line.iter().chain(flags)).expect("a command line").run;
    run_all(&arguments, &Environment::of_process(), &Interrupts::default(), engine)
}

#[test]
fn a_defect_in_one_run_does_not_cost_the_others() {
    let folder = checkout();
    let fake = Fake::default();
    campaign(&folder, &["--repeat", "3", "--seed", "10"], &fake).expect("it runs");
    let asked = fake.asked.borrow();
    let [(10, 2, targets), (11, 2, _), (12, 2, _)] = asked.as_slice() else { panic!("{asked:?}") };
    assert_eq!(targets.len(), 2, "the frames of the one class that matches");
    let records = Store::open_to_read(&folder.path().join("runs.sqlite")).and_then(|it| it.records());
    let records = records.expect("records");
    let kinds: Vec<Option<&str>> =
        records.iter().map(|it| it.error.as_ref().map(|it| it.kind.as_str())).collect();
    assert_eq!(kinds, [None, Some("internal"), None]);
    assert!(records[0].is_reproduced() && !records[1].is_reproduced());
}

#[test]
fn an_interrupted_run_is_not_kept() {
    let folder = checkout();
    let fake = Fake { interrupts: true, ..Fake::default() };
    let failure = campaign(&folder, &["--repeat", "2"], &fake).expect_err("interrupted");
    assert_eq!(failure.kind, FailureKind::Interrupted);
    assert_eq!(fake.asked.borrow().len(), 1, "nothing is begun after it");
    let records = Store::open_to_read(&folder.path().join("runs.sqlite")).and_then(|it| it.records());
    assert!(records.expect("records").is_empty());
}
