//! Small programs of shapes that searches are known to find easy or hard, each with its crash: a
//! folder below `tests/crashes` has the sources of the program in `src`, those of its caller, which
//! is not part of what is searched, in `caller`, what lies beside its classes in `resources` if
//! there is anything, the log of its crash in `crash.log`, and in `expect.json` what a search with
//! a small budget must come to. A new folder is a new test.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;
use tempfile::TempDir;

use crate::support::{command, compile_all, files_below, joined, run, tool};

/// Executed tests that are enough for every one of the crashes.
const EVALUATIONS: &str = "10000";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Expectation {
    exception: String,
    /// The lowest frame that a test must reproduce.
    frame: u64,
    outcome: String,
    /// Where the exception is seen, if it does not escape.
    #[serde(default = "escapes")]
    degree: String,
    /// Further options of the compiler.
    #[serde(default)]
    javac: Vec<String>,
}

fn escapes() -> String {
    "escapes".to_owned()
}

/// Two tests have their share of the crashes each, so that both processors of a small machine have
/// something to do.
#[test]
fn every_first_crash_is_reproduced() {
    folders().iter().step_by(2).for_each(|it| check(&Crash::of(it)));
}

#[test]
fn every_second_crash_is_reproduced() {
    folders().iter().skip(1).step_by(2).for_each(|it| check(&Crash::of(it)));
}

/// The log is what the program prints, and its crash is reproduced.
fn check(crash: &Crash) {
    let (name, expected) = (crash.name(), crash.expectation());
    let logged = fs::read_to_string(crash.folder.join("crash.log")).expect("a log");
    assert_eq!(own_frames(&crash.print()), own_frames(&logged), "{name}");
    assert!(logged.contains(&expected.exception), "{name}");
    // JUnit 4 starts in a third of the time that JUnit 5 takes, with which other tests verify.
    let object = crash.reproduce("1", &["--junit", "4"]);
    assert_eq!(object["exception"], expected.exception, "{name}: {object}");
    assert_eq!(object["outcome"], expected.outcome, "{name}: {object}");
    assert_eq!(object["degree"], expected.degree, "{name}: {object}");
    assert_eq!(object["satisfactory"], true, "{name}: {object}");
    assert_eq!((&object["reproduced"], &object["verified"]), (&true.into(), &true.into()), "{name}");
    let frame = object["frame"].as_u64().expect("a frame");
    assert!(frame >= expected.frame, "{name}: {object}");
    let source = fs::read_to_string(object["test_file"].as_str().expect("a file"));
    assert_eq!(object["test"]["source"], source.expect("the test is written"), "{name}");
}

#[test]
fn equal_seeds_give_equal_results_whatever_the_number_of_workers() {
    for (name, runs) in [("numeric-search", &["2", "1", "2"][..]), ("string-walk", &["2"])] {
        let crash = Crash::of(&folder().join(name));
        let told = |workers: &str| {
            let mut object = crash.reproduce("7", &["--junit", "5", "--workers", workers, "--force"]);
            let file = fs::read_to_string(object["test_file"].as_str().expect("a file")).expect("a test");
            // All but how long it took.
            for changing in ["seconds", "evaluations_per_second"] {
                object.as_object_mut().expect("an object").remove(changing).expect("a number");
            }
            (object, file)
        };
        let first = told("1");
        for workers in runs {
            assert_eq!(told(workers), first, "{name} with {workers} workers");
        }
    }
}

/// A folder of a crash, and its program compiled.
struct Crash {
    folder: PathBuf,
    built: TempDir,
}

impl Crash {
    /// The program and its caller are compiled together, which takes half the time, and then set
    /// apart.
    fn of(folder: &Path) -> Self {
        let crash = Self { folder: folder.to_owned(), built: tempfile::tempdir().expect("a folder") };
        let (package, caller) = crash.caller();
        let classes = crash.built.path().join("classes");
        let options = crash.expectation().javac;
        compile_all(&[&folder.join("src"), &folder.join("caller")], &[], &options, &classes);
        crash.copy_resources(&classes);
        let to = crash.built.path().join("caller").join(&package);
        fs::create_dir_all(&to).expect("a folder");
        for class in files_below(&classes.join(package)) {
            let name = class.file_name().expect("a name");
            let rest = name.to_str().and_then(|it| it.strip_prefix(&caller));
            if rest.is_some_and(|it| it.starts_with(['.', '$'])) {
                fs::rename(&class, to.join(name)).expect("a class");
            }
        }
        crash
    }

    fn copy_resources(&self, classes: &Path) {
        let resources = self.folder.join("resources");
        for file in resources.is_dir().then(|| files_below(&resources)).into_iter().flatten() {
            let to = classes.join(file.strip_prefix(&resources).expect("a file below"));
            fs::create_dir_all(to.parent().expect("a folder")).expect("a folder");
            fs::copy(&file, to).expect("a copy");
        }
    }

    /// Package and name of the only class that calls the program.
    fn caller(&self) -> (String, String) {
        let source = files_below(&self.folder.join("caller")).into_iter().next().expect("a caller");
        let text = fs::read_to_string(&source).expect("a source");
        let mut lines = text.lines();
        let package = lines.find_map(|it| it.strip_prefix("package ")?.strip_suffix(';'));
        let name = source.file_stem().expect("a name").to_string_lossy().into_owned();
        (package.expect("a package").to_owned(), name)
    }

    fn name(&self) -> String {
        self.folder.file_name().expect("a name").to_string_lossy().into_owned()
    }

    fn expectation(&self) -> Expectation {
        let text = fs::read(self.folder.join("expect.json")).expect("an expectation");
        serde_json::from_slice(&text).unwrap_or_else(|error| panic!("{}: {error}", self.name()))
    }

    /// What the command tells of a search that must succeed.
    fn reproduce(&self, seed: &str, flags: &[&str]) -> Value {
        let mut reproduce = command();
        reproduce.arg("reproduce").arg(self.folder.join("crash.log"));
        reproduce.arg("--classpath").arg(self.built.path().join("classes"));
        reproduce.args(["--evaluations", EVALUATIONS, "--seed", seed, "--json"]);
        reproduce.arg("--out").arg(self.built.path().join("tests"));
        let run = run(reproduce.args(flags), b"");
        assert_eq!(run.code, 0, "{}: {}{}", self.name(), run.stdout, run.stderr);
        run.json()
    }

    /// What the program prints when its caller runs.
    fn print(&self) -> String {
        let (classes, caller) = (self.built.path().join("classes"), self.built.path().join("caller"));
        let mut java = tool("java");
        let (package, name) = self.caller();
        java.arg("-cp").arg(joined(&[&classes, &caller])).arg(format!("{package}.{name}"));
        String::from_utf8(java.output().expect("java runs").stderr).expect("plain text")
    }
}

/// Where the crashes are: beside the crates, since they are for all who search.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/crashes")
}

/// The folders of all crashes, by name.
fn folders() -> Vec<PathBuf> {
    let entries = fs::read_dir(folder()).expect("crashes");
    let mut folders: Vec<PathBuf> = entries.map(|it| it.expect("a crash").path()).collect();
    folders.sort();
    assert!(folders.len() > 1);
    folders
}

/// The frames of a trace that do not depend on the version of Java.
fn own_frames(trace: &str) -> Vec<&str> {
    let frames = trace.lines().filter_map(|it| it.strip_prefix("\tat "));
    frames.filter(|it| !it.starts_with("java.")).collect()
}
