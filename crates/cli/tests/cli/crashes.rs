//! Small programs of shapes that searches are known to find easy or hard, each with its crash: a folder
//! below `tests/crashes` has the sources of the program in `src`, those of its caller, which is not part of
//! what is searched, in `caller`, the log of its crash in `crash.log`, and in `expect.json` what a search
//! with a small budget must come to. A new folder is a new test.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;
use tempfile::TempDir;

use crate::support::{command, compile, joined, run, tool};

/// Executed tests that are enough for every one of the crashes.
const EVALUATIONS: &str = "5000";

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
}

fn escapes() -> String {
    "escapes".to_owned()
}

#[test]
fn every_crash_is_reproduced() {
    for crash in Crash::all() {
        let object = crash.reproduce("1", &[]);
        let name = crash.name();
        let expected = crash.expectation();
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
}

#[test]
fn equal_seeds_give_equal_results_whatever_the_number_of_workers() {
    for name in ["numeric-search", "string-walk"] {
        let crash = Crash::of(&folder().join(name));
        let told = |workers: &str| {
            let mut object = crash.reproduce("7", &["--workers", workers, "--force"]);
            let file = fs::read_to_string(object["test_file"].as_str().expect("a file")).expect("a test");
            // All but how long it took.
            for changing in ["seconds", "evaluations_per_second"] {
                object.as_object_mut().expect("an object").remove(changing).expect("a number");
            }
            (object, file)
        };
        let first = told("1");
        for workers in ["2", "1", "2"] {
            assert_eq!(told(workers), first, "{name} with {workers} workers");
        }
    }
}

#[test]
fn the_logs_are_what_the_programs_print() {
    for crash in Crash::all() {
        let logged = fs::read_to_string(crash.folder.join("crash.log")).expect("a log");
        assert_eq!(own_frames(&crash.print()), own_frames(&logged), "{}", crash.name());
        assert!(logged.contains(&crash.expectation().exception), "{}", crash.name());
    }
}

/// A folder of a crash, and its program compiled.
struct Crash {
    folder: PathBuf,
    built: TempDir,
}

impl Crash {
    /// All crashes, by name.
    fn all() -> impl Iterator<Item = Self> {
        let entries = fs::read_dir(folder()).expect("crashes");
        let mut folders: Vec<PathBuf> = entries.map(|it| it.expect("a crash").path()).collect();
        folders.sort();
        assert!(!folders.is_empty());
        folders.into_iter().map(|it| Self::of(&it))
    }

    fn of(folder: &Path) -> Self {
        let built = tempfile::tempdir().expect("a folder");
        compile(&folder.join("src"), &[], &built.path().join("classes"));
        Self { folder: folder.to_owned(), built }
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
        reproduce.args(["--evaluations", EVALUATIONS, "--seed", seed, "--junit", "5", "--json"]);
        reproduce.arg("--out").arg(self.built.path().join("tests"));
        let run = run(reproduce.args(flags), b"");
        assert_eq!(run.code, 0, "{}: {}{}", self.name(), run.stdout, run.stderr);
        run.json()
    }

    /// What the program prints when its caller runs.
    fn print(&self) -> String {
        let (classes, caller) = (self.built.path().join("classes"), self.built.path().join("caller"));
        compile(&self.folder.join("caller"), &[&classes], &caller);
        let mut java = tool("java");
        java.arg("-cp").arg(joined(&[&classes, &caller])).arg(main_class(&caller));
        String::from_utf8(java.output().expect("java runs").stderr).expect("plain text")
    }
}

/// Where the crashes are: beside the crates, since they are for all who search.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/crashes")
}

/// The only class of a folder: a package of one name, and the class in it.
fn main_class(classes: &Path) -> String {
    let only = |folder: &Path| {
        let mut entries = fs::read_dir(folder).expect("classes");
        entries.next().expect("one entry").expect("one entry").path()
    };
    let package = only(classes);
    let class = only(&package);
    let name = |it: &Path| it.file_stem().expect("a name").to_string_lossy().into_owned();
    format!("{}.{}", name(&package), name(&class))
}

/// The frames of a trace that do not depend on the version of Java.
fn own_frames(trace: &str) -> Vec<&str> {
    let frames = trace.lines().filter_map(|it| it.strip_prefix("\tat "));
    frames.filter(|it| !it.starts_with("java.")).collect()
}
