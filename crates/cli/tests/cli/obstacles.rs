//! What keeps a crash from being reproduced is told in words and by its kind.

use std::fs;

use serde_json::Value;

use crate::support::{Run, command, compile, run};

/// A program of one class in the package `depot`, beside which there may be another source that is
/// compiled and then lost.
struct Hard {
    folder: tempfile::TempDir,
}

impl Hard {
    fn new(name: &str, source: &str, lost: Option<(&str, &str)>, trace: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        let (sources, classes) = (path("sources"), path("classes"));
        fs::create_dir(&sources).expect("a folder");
        fs::write(sources.join(format!("{name}.java")), source).expect("a source");
        if let Some((name, source)) = lost {
            fs::write(sources.join(format!("{name}.java")), source).expect("a source");
        }
        compile(&sources, &[], &classes);
        for other in fs::read_dir(&classes).expect("packages").map(|it| it.expect("a package").path()) {
            if !other.ends_with("depot") {
                fs::remove_dir_all(other).expect("a package");
            }
        }
        fs::write(path("crash.log"), trace).expect("a log");
        Self { folder }
    }

    fn run(&self, job: &str, flags: &[&str]) -> Run {
        let path = |name: &str| self.folder.path().join(name);
        let mut command = command();
        command.arg(job).arg(path("crash.log")).arg("--classpath").arg(path("classes"));
        run(command.args(flags), b"")
    }

    /// The object of a search that finds nothing.
    fn search(&self) -> Value {
        self.search_to(1)
    }

    /// The object of a search that ends with a code.
    fn search_to(&self, code: i32) -> Value {
        self.search_with("1500", code)
    }

    /// The object of a search with some tests that ends with a code.
    fn search_with(&self, evaluations: &str, code: i32) -> Value {
        let out = self.folder.path().join("tests").to_str().expect("a plain path").to_owned();
        let flags =
            ["--json", "--evaluations", evaluations, "--seed", "1", "--junit", "4", "--force", "--out", &out];
        let run = self.run("reproduce", &flags);
        assert_eq!(run.code, code, "{}{}", run.stdout, run.stderr);
        run.json()
    }
}

fn check(object: &Value, kind: &str, words: &str) {
    assert_eq!(object["obstacle_kind"], kind, "{object}");
    assert_eq!(object["obstacle"], words, "{object}");
    assert_eq!(object["frames"][0]["obstacle_kind"], kind, "{object}");
}

#[test]
fn a_condition_that_never_holds() {
    let source = "package depot;
public class Gate {
    public int open(String word) {
        if (word.length() > 10) {
            if (word.isEmpty()) {
                throw new IllegalStateException(word);
            }
        }
        return 1;
    }
}
";
    let trace = "java.lang.IllegalStateException: x\n\tat depot.Gate.open(Gate.java:6)\n";
    let object = Hard::new("Gate", source, None, trace).search();
    check(&object, "branch-not-taken", "no test got past the condition in line 5 of depot.Gate.open");
    assert_eq!(object["missing_classes"], Value::Array(Vec::new()));
}

#[test]
fn an_exception_that_ends_every_test_before() {
    let source = "package depot;
public final class Lock {
    public Lock() {
        throw new UnsupportedOperationException();
    }
    public void turn() {
        throw new IllegalStateException();
    }
}
";
    let trace = "java.lang.IllegalStateException\n\tat depot.Lock.turn(Lock.java:7)\n";
    let words = "no test got into depot.Lock.turn: java.lang.UnsupportedOperationException \
                 in depot.Lock.<init>, line 4";
    check(&Hard::new("Lock", source, None, trace).search(), "stopped-earlier", words);
}

#[test]
fn a_class_that_is_not_there() {
    let source = "package depot;
public class Page {
    public String show(String name) {
        String shown = javax.servlet.Names.of(name);
        if (shown.isEmpty()) {
            throw new IllegalStateException();
        }
        return shown;
    }
}
";
    let lost =
        "package javax.servlet;\npublic class Names { public static String of(String it) { return it; } }\n";
    let trace = "java.lang.IllegalStateException\n\tat depot.Page.show(Page.java:6)\n";
    let program = Hard::new("Page", source, Some(("Names", lost)), trace);
    let object = program.search();
    let coordinates = "javax.servlet:javax.servlet-api:4.0.1";
    let advice = format!(
        "javax.servlet.Names, which depot.Page needs, is not on the class path: \
         --maven {coordinates} may bring it"
    );
    check(&object, "missing-class", &format!("depot.Page.show was left before line 6: {advice}"));
    let missing = &object["missing_classes"][0];
    assert_eq!(missing["class"], "javax.servlet.Names");
    assert_eq!((&missing["needed_by"], &missing["coordinates"]), (&"depot.Page".into(), &coordinates.into()));
    let explained = program.run("explain", &[]);
    assert!(explained.stdout.contains(&advice), "{}{}", explained.stdout, explained.stderr);
    let explained = program.run("explain", &["--json"]).json();
    assert_eq!(explained["crashes"][0]["missing_classes"][0], *missing);
}

#[test]
fn a_frame_that_swallows_the_exception_is_tried_once_a_lower_one_is_reproduced() {
    let source = "package depot;
public class Desk {
    public int low(int number) {
        if (number > 5) {
            throw new IllegalStateException();
        }
        return number;
    }
    public int high(int number) {
        try {
            return low(number);
        } catch (IllegalStateException failure) {
            return 0;
        }
    }
}
";
    let trace = "java.lang.IllegalStateException\n\tat depot.Desk.low(Desk.java:5)\n\
                 \tat depot.Desk.high(Desk.java:11)\n";
    let program = Hard::new("Desk", source, None, trace);
    let object = program.search_to(0);
    let (low, high) = (&object["frames"][0], &object["frames"][1]);
    assert_eq!((&low["outcome"], &low["obstacle_kind"]), (&"reproduced".into(), &Value::Null), "{object}");
    assert_eq!((&high["outcome"], &object["outer"]), (&"exception-thrown".into(), &Value::Null), "{object}");
    assert!(high["evaluations"].as_u64().is_some_and(|it| it > 0), "{object}");
    let object = program.search_with("50", 0);
    assert_eq!(object["frames"][1]["obstacle_kind"], "not-tried", "the lower frame took all tests: {object}");
}
