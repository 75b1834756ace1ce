//! A campaign around a scripted search, on the bundled program.
#![expect(clippy::disallowed_methods, reason = "the test puts classes into a jar")]

use std::fs;
use std::process::Command;
use std::sync::Mutex;

use clap::Parser;
use crashback::{Search, Sink, Task};
use crashback_reproduce::{Degree, Reproduction, Stage};
use tempfile::TempDir;

use super::*;
use crate::args::Verbosity;
use crate::demo::Crashed;

/// Seed, number of jars and target frames of a search.
type Asked = (u64, usize, Vec<u32>);

/// Reproduces everything but the crashes with odd seeds, on which it breaks.
#[derive(Clone, Default)]
struct Fake {
    /// Seeds, jars and target frames of what it was asked for.
    asked: Arc<Mutex<Vec<Asked>>>,
    /// What a user interrupts.
    interrupts: Option<Interrupts>,
}

impl Search for Fake {
    fn search(&self, task: &Task<'_>, _sink: Sink<'_>) -> Result<Reproduction, Error> {
        let targets = task.target.audit.frames.iter().filter(|it| it.target).map(|it| it.level).collect();
        let jars = task.target.program.class_path.launch_path().len();
        self.asked.lock().expect("no panic").push((task.settings.seed, jars, targets));
        assert!(task.settings.seed.is_multiple_of(2), "a defect");
        if let Some(interrupts) = &self.interrupts {
            interrupts.interruption.request();
        }
        let reproduction = Reproduction {
            reproduced: true,
            verified: true,
            frame: Some(3),
            outcome: Stage::Reproduced,
            degree: Some(Degree::Escapes),
            interrupted: self.interrupts.is_some(),
            ..Reproduction::default()
        };
        Ok(Reproduction { waiting_share: Some(0.125), ..reproduction })
    }
}

/// A checkout with one crash.
fn checkout() -> TempDir {
    let environment = Environment::of_process();
    let crashed = Crashed::new(None, false, &environment, &Interrupts::default());
    let crashed = crashed.expect("the bundled program crashes");
    let request = crashed.request(None, &SearchArguments::default(), &environment);
    let request = request.expect("a request");
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let entry = r#"{"application": "Parcels", "version": "1", "target_frames": ".*LabelReader"}"#;
    let list = format!(r#"{{"crashes": {{"P-1": {entry}}}}}"#);
    fs::write(path("jcrashpack.json"), list).expect("a list");
    fs::create_dir_all(path("crashes/Parcels/P-1")).expect("a folder");
    fs::write(path("crashes/Parcels/P-1/P-1.log"), &request.log).expect("a log");
    let bin = path("applications/Parcels/1/bin");
    fs::create_dir_all(&bin).expect("a folder");
    let jdk = program::find_jdk(None, &environment).expect("a JDK");
    for name in ["a.jar", "b: copy.jar"] {
        let mut jar = Command::new(jdk.home.join("bin/jar"));
        jar.arg("cf").arg(bin.join(name)).arg("-C").args(&request.program.entries).arg(".");
        assert!(jar.status().expect("jar runs").success());
    }
    folder
}

#[derive(Parser)]
struct Line {
    #[command(flatten)]
    run: RunArguments,
}

fn campaign(folder: &TempDir, flags: &[&str], fake: &Fake) -> Result<(), Error> {
    let path = folder.path().to_str().expect("a plain path");
    let store = format!("{path}/runs.sqlite");
    let line = ["campaign", "--jcrashpack", path, "--store", &store, "--no-cache", "--workers", "2"];
    let arguments = Line::try_parse_from(line.iter().chain(flags)).expect("a command line").run;
    let interrupts = fake.interrupts.clone().unwrap_or_default();
    let fake = fake.clone();
    let search: SearchFactory = Arc::new(move |_, _| Box::new(fake.clone()));
    let verbosity = Verbosity { quiet: true, ..Verbosity::default() };
    let environment = Environment { verbosity, ..Environment::of_process() };
    let outcome = run_all(&arguments, &environment, &interrupts, search)?;
    outcome.failure.map_or(Ok(()), Err)
}

#[test]
fn a_defect_in_one_run_does_not_cost_the_others() {
    let folder = checkout();
    let fake = Fake::default();
    campaign(&folder, &["--repeat", "3", "--seed", "10"], &fake).expect("it runs");
    let asked = fake.asked.lock().expect("no panic");
    let [(10, 2, targets), (11, 2, _), (12, 2, _)] = asked.as_slice() else { panic!("{asked:?}") };
    assert_eq!(targets.len(), 2, "the frames of the one class that matches");
    let records = Store::open_to_read(&folder.path().join("runs.sqlite")).and_then(|it| it.records());
    let records = records.expect("records");
    let kinds: Vec<Option<&str>> =
        records.iter().map(|it| it.error.as_ref().map(|it| it.kind.as_str())).collect();
    assert_eq!(kinds, [None, Some("internal"), None]);
    assert!(records[0].is_reproduced() && !records[1].is_reproduced());
    assert_eq!((records[0].waiting_share, records[1].waiting_share), (Some(0.125), None));
}

#[test]
fn an_interrupted_run_is_not_kept() {
    let folder = checkout();
    let fake = Fake { interrupts: Some(Interrupts::default()), ..Fake::default() };
    let failure = campaign(&folder, &["--repeat", "2"], &fake).expect_err("interrupted");
    assert_eq!(failure.kind, ErrorKind::Interrupted);
    assert_eq!(fake.asked.lock().expect("no panic").len(), 1, "nothing is begun after it");
    let records = Store::open_to_read(&folder.path().join("runs.sqlite")).and_then(|it| it.records());
    assert!(records.expect("records").is_empty());
}

#[test]
fn other_settings_get_another_name() {
    let folder = checkout();
    let fake = Fake::default();
    let weighted = &["--fitness", "weighted-sum"][..];
    for flags in [&[][..], weighted] {
        campaign(&folder, flags, &fake).expect("it runs");
    }
    let records = Store::open_to_read(&folder.path().join("runs.sqlite")).and_then(|it| it.records());
    let records = records.expect("records");
    let named: Vec<(&str, &str)> =
        records.iter().map(|it| (it.configuration.as_str(), it.fitness.as_str())).collect();
    assert_eq!(named, [("ours", "portfolio"), ("ours+weighted-sum", "weighted-sum")]);
    let named = [weighted, &["--configuration", "ours"]].concat();
    let error = campaign(&folder, &named, &fake).expect_err("other conditions");
    assert_eq!(error.kind, ErrorKind::Usage);
    assert!(error.message.contains("fitness weighted-sum"), "{error}");
}
