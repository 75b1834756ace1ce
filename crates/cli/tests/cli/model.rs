//! `crashback model` on programs compiled on the spot.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tempfile::TempDir;

use crate::support::{Run, compile, crashback};

const POST: &str = "package post; public class Desk { public void open() {} public void stamp(int n) {} \
    public void close() {} }";
const CLERK: &str = "package post; class Clerk { void work(int n) { Desk d = new Desk(); d.open(); \
    while (n-- > 0) d.stamp(n); d.close(); } }";
const GUEST: &str = "package post; class Guest { void visit(Desk d) { d.stamp(1); d.stamp(2); } }";

/// A folder with compiled sources in folders of their own.
fn compiled(programs: &[(&str, &[(&str, &str)])]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, sources) in programs {
        let place = folder.path().join(format!("{name}-src"));
        fs::create_dir_all(&place).expect("a folder");
        for (file, source) in *sources {
            let file = place.join(file);
            fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
            fs::write(file, source).expect("a source");
        }
        let others: Vec<PathBuf> = programs.iter().map(|(it, _)| folder.path().join(it)).collect();
        let others: Vec<&Path> = others.iter().map(PathBuf::as_path).filter(|it| it.exists()).collect();
        compile(&place, &others, &folder.path().join(name));
    }
    folder
}

fn post() -> TempDir {
    let post: &[(&str, &str)] = &[("Desk.java", POST), ("Clerk.java", CLERK)];
    compiled(&[("post", post), ("guest", &[("Guest.java", GUEST)])])
}

fn build(folder: &TempDir, name: &str, flags: &[&str]) -> Run {
    let (classes, out) = (path(folder, name), path(folder, &format!("{name}.model")));
    let arguments = ["model", "build", "--classpath", &classes, "--out", &out];
    crashback(arguments.into_iter().chain(flags.iter().copied()))
}

fn path(folder: &TempDir, name: &str) -> String {
    folder.path().join(name).display().to_string()
}

fn show(class: &str, files: &[&str], flags: &[&str]) -> Run {
    let files = files.iter().flat_map(|it| ["--model", it]);
    crashback(["model", "show", class].into_iter().chain(files).chain(flags.iter().copied()))
}

/// Transitions as `before>action`.
fn transitions(object: &Value) -> Vec<String> {
    let states = object["states"].as_array().expect("states");
    let name = |state: &Value| {
        let recent = state["recent"].as_array().expect("recent actions");
        recent.last().map_or("start", |it| it["name"].as_str().expect("a name")).to_owned()
    };
    let names: Vec<String> = states.iter().map(name).collect();
    let transitions = object["transitions"].as_array().expect("transitions");
    let mut found: Vec<String> = transitions
        .iter()
        .map(|it| {
            let from = usize::try_from(it["from"].as_u64().expect("a state")).expect("a small number");
            format!("{}>{}", names[from], it["action"]["name"].as_str().expect("a name"))
        })
        .collect();
    found.sort();
    found
}

#[test]
fn models_are_built_shown_and_merged() {
    let folder = post();
    let built = build(&folder, "post", &["--json"]);
    assert_eq!(built.code, 0, "{}", built.stderr);
    let object = built.json();
    assert_eq!(
        (&object["models"], &object["ngram"], &object["class_files"]),
        (&1.into(), &2.into(), &2.into())
    );
    assert_eq!(object["sequences"], 2);
    assert_eq!(build(&folder, "guest", &[]).code, 0);
    let [post, guest, both] = ["post.model", "guest.model", "both.model"].map(|it| path(&folder, it));

    let own = ["<init>>open", "open>close", "open>stamp", "stamp>close", "start><init>"];
    assert_eq!(transitions(&show("post.Desk", &[&post], &["--json"]).json()), own);
    let mut all: Vec<&str> = own.to_vec();
    all.extend(["stamp>stamp", "start>stamp"]);
    all.sort_unstable();
    let together = show("post.Desk", &[&post, &guest], &["--json"]);
    assert_eq!(transitions(&together.json()), all);

    let merged = crashback(["model", "merge", &post, &guest, "--out", &both]);
    assert_eq!(merged.code, 0, "{}", merged.stderr);
    assert!(
        merged.stdout.starts_with("1 models with 7 transitions, from 3 call sequences"),
        "{}",
        merged.stdout
    );
    assert_eq!(show("post.Desk", &[&both], &["--json"]).stdout, together.stdout);
}

#[test]
fn a_second_build_gives_the_same_file() {
    let folder = post();
    let cache = path(&folder, "cache");
    for flags in [&["--no-cache"][..], &["--cache-dir", &cache], &["--cache-dir", &cache]] {
        let before = fs::read(folder.path().join("post.model")).ok();
        assert_eq!(build(&folder, "post", flags).code, 0);
        let after = fs::read(folder.path().join("post.model")).expect("a file of models");
        assert!(before.is_none_or(|it| it == after));
    }
}

#[test]
fn text_graph_and_drawing_show_the_same_model() {
    let folder = post();
    assert_eq!(build(&folder, "post", &[]).code, 0);
    let file = path(&folder, "post.model");
    let text = show("post.Desk", &[&file], &[]).stdout;
    assert!(text.starts_with("post.Desk: 5 states, 5 transitions, 2 sequences\n"), "{text}");
    assert!(text.contains("\nstart\n       2  new()\n"), "{text}");
    assert!(text.contains("  new(), open(), stamp(int), close()\n"), "{text}");
    let dot = show("post.Desk", &[&file], &["--dot"]).stdout;
    assert!(dot.starts_with("digraph model {") && dot.matches(" -> ").count() == 5, "{dot}");
    let svg = show("post.Desk", &[&file], &["--svg"]).stdout;
    assert!(svg.starts_with("<svg ") && svg.matches("class=\"step\"").count() == 5, "{svg}");
}

#[test]
fn longer_memories_allow_less() {
    let folder = post();
    assert_eq!(build(&folder, "guest", &["--ngram", "3"]).code, 0);
    let file = path(&folder, "guest.model");
    let object = show("post.Desk", &[&file], &["--json"]).json();
    assert_eq!((&object["ngram"], object["states"].as_array().map(Vec::len)), (&3.into(), Some(3)));
    assert_eq!(build(&folder, "post", &[]).code, 0);
    show("post.Desk", &[&path(&folder, "post.model"), &file], &[])
        .failed_with(2, &["2-grams and of 3-grams cannot be merged", "--ngram"]);
}

#[test]
fn wrong_files_and_classes_are_named() {
    let folder = post();
    assert_eq!(build(&folder, "post", &[]).code, 0);
    let file = path(&folder, "post.model");
    show("mail.Desk", &[&file], &[]).failed_with(2, &["no model of mail.Desk", "models of post.Desk"]);
    show("post.Clerk", &[&file], &[])
        .failed_with(2, &["no model of post.Clerk", "no call on such an object"]);
    show("post.Desk", &[&path(&folder, "none.model")], &["--json"]).failed_with(2, &["none.model"]);

    let mut bytes = fs::read(&file).expect("a file of models");
    bytes[8] += 1;
    let other = path(&folder, "other.model");
    fs::write(&other, &bytes).expect("a file");
    show("post.Desk", &[&other], &[]).failed_with(2, &["other.model", "version 2", "crashback model build"]);
    bytes[8] -= 1;
    bytes.pop();
    fs::write(&other, &bytes).expect("a file");
    show("post.Desk", &[&other], &[]).failed_with(2, &["other.model", "damaged"]);
    let text = path(&folder, "notes.txt");
    fs::write(&text, "dear me").expect("a file");
    show("post.Desk", &[&text], &[]).failed_with(2, &["notes.txt", "no file of models"]);

    // Nothing but models is replaced.
    let classes = path(&folder, "post");
    let onto = |out: &str| crashback(["model", "build", "--classpath", &classes, "--out", out]);
    onto(&text).failed_with(2, &["notes.txt exists and is no file of models"]);
    assert_eq!(fs::read_to_string(&text).expect("the file"), "dear me");
    onto(&path(&folder, "no/such/folder.model")).failed_with(4, &["cannot write the models"]);
    assert_eq!(onto(&other).code, 0, "damaged models are replaced");
}

#[test]
fn searches_refuse_files_that_hold_no_models() {
    let folder = post();
    let [log, notes] = ["crash.log", "notes.txt"].map(|it| path(&folder, it));
    fs::write(&log, "java.lang.IllegalStateException\n\tat post.Clerk.work(Clerk.java:1)\n").expect("a log");
    fs::write(&notes, "dear me").expect("a file");
    let classes = path(&folder, "post");
    let reproduce = |flags: &[&str]| {
        let arguments = ["reproduce", &log, "--classpath", &classes, "--model", &notes];
        crashback(arguments.into_iter().chain(flags.iter().copied()))
    };
    reproduce(&[]).failed_with(2, &["notes.txt", "no file of models"]);
    reproduce(&["--no-models"]).failed_with(2, &["--no-models"]);
}

/// Stands for JUnit's annotations while tests are compiled; the real JUnit runs them.
const ANNOTATION: &str = "@java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME) \
    public @interface Test {}";
const BAG: &str = "package bag; public class Bag { int n; public Bag() {} public void add(int i) { n++; } \
    public void addAll(int... all) { for (int i : all) add(i); } public void clear() { n = 0; } \
    public int size() { return n; } }";
const SHELF: &str = "package bag; public class Shelf { private final Bag bag = new Bag(); \
    public void fill() { bag.add(1); bag.addAll(2, 3); } public void empty() { bag.clear(); } }";
const FOUR_TEST: &str = "package bag; public class FourTest { \
    @org.junit.Test public void fills() { Bag b = new Bag(); b.add(1); b.size(); } \
    @org.junit.Test public void fails() { Bag b = new Bag(); b.add(1); throw new IllegalStateException(); } \
    @org.junit.Test public void connects() throws Exception { \
        new java.net.Socket(\"127.0.0.1\", 9).close(); } }";
const FIVE_TEST: &str = "package bag; class FiveTest { \
    @org.junit.jupiter.api.Test void shelves() { Shelf s = new Shelf(); s.fill(); s.empty(); } \
    @org.junit.jupiter.api.Test void hangs() throws Exception { Thread.sleep(1000000); } \
    @org.junit.jupiter.api.Test void exits() { System.exit(3); } }";
const BROKEN_TEST: &str = "package bag; public class BrokenTest { static int n = 1 / Integer.parseInt(\"0\"); \
    @org.junit.Test public void never() {} }";

/// A program in `bag`, and its tests in `tests`.
fn bag() -> TempDir {
    let four = format!("package org.junit; {ANNOTATION}");
    let five = format!("package org.junit.jupiter.api; {ANNOTATION}");
    let stubs = [("four/Test.java", four.as_str()), ("five/Test.java", five.as_str())];
    let tests: &[(&str, &str)] =
        &[("FourTest.java", FOUR_TEST), ("FiveTest.java", FIVE_TEST), ("BrokenTest.java", BROKEN_TEST)];
    compiled(&[("stubs", &stubs), ("bag", &[("Bag.java", BAG), ("Shelf.java", SHELF)]), ("tests", tests)])
}

/// One test fails, one wants the network, one hangs, one ends the JVM, and one class cannot be loaded: each
/// costs only itself. Calls inside of other methods are seen, those of an object on itself are not.
#[test]
fn tests_are_run_for_their_calls() {
    let folder = bag();
    let tests = path(&folder, "tests");
    let flags = ["--tests", "--test-classpath", &tests, "--test-time", "40s", "--touching", "bag.Shelf"];
    let built = build(&folder, "bag", &[&flags[..], &["--json"]].concat());
    assert_eq!((built.code, built.stderr.as_str()), (0, ""));
    let object = built.json();
    let summary = &object["tests"];
    assert_eq!((&summary["test_classes"], &summary["touching"]), (&3.into(), &1.into()), "{summary}");
    assert_eq!((&summary["run"], &summary["failed"]), (&4.into(), &2.into()), "{summary}");
    assert_eq!((&summary["forbidden"], &summary["unfinished"]), (&1.into(), &0.into()), "{summary}");
    let given_up = summary["given_up"].as_array().expect("tests that were given up");
    let mut given_up: Vec<String> =
        given_up.iter().map(|it| format!("{} {}", it["test"], it["reason"])).collect();
    given_up.sort();
    let expected = [
        r#""bag.BrokenTest" "unusable""#,
        r#""bag.FiveTest#exits" "ends-jvm""#,
        r#""bag.FiveTest#hangs" "hangs""#,
    ];
    assert_eq!(given_up, expected);
    // Static: Shelf's field. Dynamic: the bags of three tests. No bag was ever filled by addAll first.
    let shown = show("bag.Bag", &[&path(&folder, "bag.model")], &["--json"]).json();
    let found = transitions(&shown);
    // No method clears a bag that it fills: only a run shows that one call follows the other.
    for seen in ["start><init>", "<init>>add", "add>addAll", "add>size", "addAll>clear"] {
        assert!(found.iter().any(|it| it == seen), "{seen}: {found:?}");
    }
    assert!(!found.iter().any(|it| it == "<init>>addAll" || it == "addAll>add"), "{found:?}");
}

#[test]
fn people_are_told_what_became_of_the_tests() {
    let folder = bag();
    let tests = path(&folder, "tests");
    let flags = ["--tests", "--test-classpath", &tests, "--test-time", "16s", "--unsafe-no-sandbox"];
    let built = build(&folder, "bag", &[&flags[..], &["--touching", "no.Such"]].concat());
    assert_eq!(built.code, 0, "{}", built.stderr);
    assert!(built.stderr.contains("no test names no.Such"), "{}", built.stderr);
    for words in
        ["3 classes with tests: 4 tests ran in", "tests failed, ", "1 ended the JVM:", "1 could not be run:"]
    {
        assert!(built.stdout.contains(words), "{words}: {}", built.stdout);
    }
}

/// A framework may run nothing of a class with tests and call that a success. Anonymous classes below a class
/// with tests are none.
#[test]
fn tests_that_junit_does_not_run_are_told() {
    let five = format!("package org.junit.jupiter.api; {ANNOTATION}");
    let idle = "package bag; class IdleTest { Object other = new IdleTest(0) { }; IdleTest(int n) { } \
        @org.junit.jupiter.api.Test int counts() { return 1; } }";
    let folder = compiled(&[
        ("stubs", &[("five/Test.java", five.as_str())]),
        ("bag", &[("Bag.java", BAG)]),
        ("tests", &[("IdleTest.java", idle)]),
    ]);
    let tests = path(&folder, "tests");
    let built = build(&folder, "bag", &["--tests", "--test-classpath", &tests, "--json"]);
    assert_eq!(built.code, 0, "{}", built.stderr);
    let summary = &built.json()["tests"];
    assert_eq!((&summary["test_classes"], &summary["run"]), (&1.into(), &0.into()), "{summary}");
    let given_up = &summary["given_up"][0];
    assert_eq!((&given_up["test"], &given_up["reason"]), (&"bag.IdleTest".into(), &"unusable".into()));
    let words = given_up["words"].as_str().expect("words");
    assert!(words.starts_with("JUnit runs none of its tests"), "{words}");
}

#[test]
fn a_class_path_without_tests_is_told() {
    let folder = post();
    build(&folder, "post", &["--tests"]).failed_with(2, &["no tests of JUnit or TestNG", "--test-classpath"]);
    build(&folder, "post", &["--test-time", "5s"]).failed_with(2, &["--tests"]);
}
