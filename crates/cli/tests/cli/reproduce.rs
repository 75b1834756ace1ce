//! `crashback reproduce` and `crashback demo`: from a crash to a test, wrong input, interruptions.
#![expect(clippy::disallowed_methods, reason = "the tests send signals and look at the clock")]

use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::{Program, Run, command, crashback, run};

fn reproduce(shop: &Program, flags: &[&str]) -> Run {
    let mut reproduce = command();
    reproduce.arg("reproduce").arg(shop.path("crash.log")).arg("--classpath").arg(shop.path("classes"));
    reproduce.arg("--out").arg(shop.path("tests"));
    run(reproduce.args(flags), b"")
}

/// Both forms of a failing run, which must not have left a file.
fn check(shop: &Program, flags: &[&str], code: i32, words: &[&str]) {
    reproduce(shop, flags).failed_with(code, words);
    let as_json = reproduce(shop, &[flags, &["--json"]].concat());
    as_json.failed_with(code, words);
    is_whole(&as_json.json(), words);
    assert!(!shop.path("tests").exists());
}

/// Whether an object has the fields that every exit has, and the words in its message.
fn is_whole(object: &Value, words: &[&str]) {
    let message = object["error"]["message"].as_str().expect("a message");
    assert!(words.iter().all(|it| message.contains(it)), "{message}");
    let fields = [
        "reproduced",
        "verified",
        "frame",
        "highest_target_frame",
        "outcome",
        "degree",
        "line_shifted",
        "frames",
        "evaluations",
        "seconds",
        "evaluations_per_second",
        "seed",
        "test_file",
        "nulls",
        "mocks",
        "unverified_claims",
        "obstacle",
    ];
    for field in fields {
        assert!(object.get(field).is_some(), "{field} is not in {object}");
    }
    assert_eq!(object["reproduced"], false);
}

/// Enough on a machine that does much else.
const TIME: &str = "120s";

#[test]
fn the_demo_reproduces_its_crash_and_shows_the_test() {
    let demo = crashback(["demo", "--json", "--time", TIME]);
    assert_eq!(demo.code, 0, "{}{}", demo.stdout, demo.stderr);
    let object = demo.json();
    assert_eq!((&object["reproduced"], &object["verified"]), (&true.into(), &true.into()), "{object}");
    assert_eq!((&object["degree"], &object["outcome"]), (&"escapes".into(), &"reproduced".into()));
    assert_eq!(object["test_file"], Value::Null);
    let source = object["test"]["source"].as_str().expect("a source");
    assert!(source.contains("class DepotCrashTest") && source.contains(';'), "{source}");
    assert_eq!(object["unverified_claims"], 0, "{object}");
}

#[test]
fn a_test_is_written_once_and_replaced_only_by_force() {
    let shop = Program::shop();
    let reproduce = |flags: &[&str]| {
        let mut reproduce = command();
        reproduce.current_dir(shop.folder.path()).args(["reproduce", "crash.log", "--time", TIME, "--json"]);
        // Relative paths mean the same to all processes that take part.
        reproduce.args(["--classpath", "classes", "--out", "src/test/java", "--frame", "2"]);
        run(reproduce.args(flags), b"")
    };
    let first = reproduce(&[]);
    assert_eq!(first.code, 0, "{}{}", first.stdout, first.stderr);
    assert_eq!(first.json()["test_file"], "src/test/java/shop/TillCrashTest.java");
    let file = shop.path("src/test/java/shop/TillCrashTest.java");
    let source = fs::read_to_string(&file).expect("a test");
    assert_eq!(first.json()["test"]["source"], source);
    fs::write(&file, "precious").expect("a file");
    let second = reproduce(&[]);
    second.failed_with(4, &["TillCrashTest.java exists already", "--force"]);
    assert_eq!(second.json()["evaluations"], 0, "that is known before the search");
    assert_eq!(fs::read_to_string(&file).expect("a file"), "precious");
    assert_eq!(reproduce(&["--force"]).code, 0);
    assert_eq!(fs::read_to_string(&file).expect("a file"), source, "the same seed gives the same test");
}

#[test]
fn command_lines_that_make_no_sense() {
    let usage = |arguments: &[&str], words: &[&str]| {
        crashback(arguments).failed_with(2, words);
        let as_json = crashback(arguments.iter().chain(&["--json"]));
        as_json.failed_with(2, words);
        is_whole(&as_json.json(), words);
    };
    usage(&["reproduce"], &["<LOG>"]);
    usage(&["reproduce", "crash.log"], &["no class path"]);
    for (flag, value) in [
        ("--time", "soon"),
        ("--time", "0s"),
        ("--evaluations", "0"),
        ("--seed", "x"),
        ("--workers", "0"),
        ("--population", "1"),
        ("--junit", "3"),
        ("--frame", "0"),
        ("--cause", "0"),
        ("--crash", "x"),
    ] {
        usage(&["reproduce", "crash.log", "--classpath", ".", flag, value], &[flag, value]);
    }
    usage(&["demo", "--time", "soon"], &["--time"]);
    usage(&["reproduce", "no-such.log", "--classpath", "."], &["no-such.log", "cannot read"]);
    assert!(crashback(["demo", "explain", "--json", "--no-such-flag"]).json()["crashes"].is_array());
}

#[test]
fn frames_that_cannot_be_aimed_at() {
    let shop = Program::shop();
    check(&shop, &["--frame", "9"], 2, &["no frame 9", "has 3 frames"]);
    check(&shop, &["--crash", "2"], 2, &["no crash 2"]);
    check(&shop, &["--cause", "2"], 2, &["cause chain"]);
    check(&shop, &["--frame", "1", "--target-frames", "shop.Nothing"], 3, &["disagree"]);
}

#[test]
fn logs_and_programs_that_do_not_fit() {
    let shop = Program::shop();
    let log = shop.log();
    shop.write("crash.log", "all is well\n");
    check(&shop, &[], 3, &["no usable stack trace"]);
    shop.write("crash.log", log.replace("shop.", "bakery."));
    check(&shop, &[], 3, &["disagree", "--classpath"]);
    shop.write("crash.log", log);
    check(&shop, &["--java-home", "/no/such/jdk"], 4, &["/no/such/jdk"]);
}

#[test]
fn a_folder_that_cannot_be_written_to() {
    let shop = Program::shop();
    fs::write(shop.path("file"), "").expect("a file");
    for folder in [shop.path("file"), shop.path("file/below"), "/proc/crashback".into()] {
        let mut reproduce = command();
        reproduce.arg("reproduce").arg(shop.path("crash.log")).arg("--classpath").arg(shop.path("classes"));
        let failed = run(reproduce.arg("--json").arg("--out").arg(&folder), b"");
        failed.failed_with(4, &["cannot write the test", folder.to_str().expect("a plain path"), "--out"]);
        is_whole(&failed.json(), &["cannot write the test"]);
    }
}

/// A Maven that never comes to an end.
fn endless_maven(folder: &Path) {
    fs::create_dir(folder).expect("a folder");
    let maven = folder.join("mvn");
    fs::write(&maven, "#!/bin/sh\ntouch \"$(dirname \"$0\")/begun\"\nexec sleep 20\n").expect("a script");
    fs::set_permissions(&maven, fs::Permissions::from_mode(0o755)).expect("a script");
}

#[test]
fn an_interruption_while_the_program_is_read_gives_an_object_too() {
    let shop = Program::shop();
    let tools = shop.path("tools");
    endless_maven(&tools);
    let path = std::env::var_os("PATH").expect("a PATH");
    let path = std::env::join_paths([tools.clone()].into_iter().chain(std::env::split_paths(&path)));
    let child = command()
        .args([OsStr::new("reproduce"), shop.path("crash.log").as_os_str()])
        .args(["--maven", "org.example:shop:1.0", "--json", "--seed", "5"])
        .env("PATH", path.expect("a PATH"))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("crashback runs");
    let begun = Instant::now();
    while !tools.join("begun").exists() {
        assert!(begun.elapsed() < Duration::from_secs(60), "Maven is started");
        thread::sleep(Duration::from_millis(5));
    }
    let sent = Command::new("kill").arg("-INT").arg(child.id().to_string()).status();
    assert!(sent.expect("kill runs").success());
    let begun = Instant::now();
    let output = child.wait_with_output();
    let output = output.expect("a process");
    assert_eq!(output.status.code(), Some(130), "{}", String::from_utf8_lossy(&output.stderr));
    // The Maven that is left holds standard error open.
    assert!(begun.elapsed() < Duration::from_secs(30), "{:?}", begun.elapsed());
    let object: Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    assert_eq!((&object["exit_code"], &object["seed"]), (&130.into(), &5.into()));
    is_whole(&object, &["interrupted"]);
}

#[test]
fn the_demo_needs_a_compiler() {
    let folder = tempfile::tempdir().expect("a folder");
    let home = folder.path();
    fs::create_dir_all(home.join("lib")).expect("a folder");
    fs::write(home.join("lib/modules"), "").expect("a file");
    fs::write(home.join("release"), "JAVA_VERSION=\"17.0.1\"\n").expect("a file");
    let mut demo = command();
    demo.args(["demo", "--json", "--java-home"]).arg(home);
    let failed = run(&mut demo, b"");
    failed.failed_with(4, &["javac", "JRE"]);
    is_whole(&failed.json(), &["javac"]);
}
