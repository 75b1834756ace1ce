//! `crashback reproduce` and `crashback demo`: from a crash to a test, wrong input, interruptions.
#![expect(clippy::disallowed_methods, reason = "the tests send signals and look at the clock")]

use std::ffi::OsStr;
use std::fs;
use std::process::{Command, Stdio};
use std::time::Instant;

use serde_json::Value;

use crate::support::{
    LIBRARIES, Program, Run, command, crashback, java_home, jdk_without, path_with_maven, run,
};

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
        "library_lines",
        "relaxations",
        "other_java",
        "class_path_order",
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
        "obstacle_kind",
        "missing_classes",
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
    // A frame of the JDK is none, while others are.
    let foreign = "\tat java.util.Objects.requireNonNull(Unknown Source)\n\tat shop.Till.total";
    shop.write("crash.log", shop.log().replace("\tat shop.Till.total", foreign));
    let words = ["frame 2, Objects.requireNonNull(Object, Supplier), cannot be targeted", "these can: 1"];
    check(&shop, &["--frame", "2"], 2, &words);
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

/// Both forms of a run of a command that must fail, without a test left behind.
fn fails(shop: &Program, prepare: impl Fn(&mut Command), code: i32, words: &[&str]) {
    for flags in [&[][..], &["--json"]] {
        let mut reproduce = command();
        reproduce.arg("reproduce").arg(shop.path("crash.log")).arg("--classpath").arg(shop.path("classes"));
        reproduce.arg("--out").arg(shop.path("tests")).args(flags);
        prepare(&mut reproduce);
        let failed = run(&mut reproduce, b"");
        failed.failed_with(code, words);
        if !flags.is_empty() {
            is_whole(&failed.json(), words);
            assert_eq!(failed.json()["evaluations"], 0, "that is known before the search");
        }
        assert!(!shop.path("tests").exists());
    }
}

#[test]
fn a_runtime_without_a_compiler() {
    let shop = Program::shop();
    let home = shop.path("jre");
    jdk_without(&["bin/javac"], &home);
    let words = ["jre has no bin/javac", "JRE", "--java-home", "JAVA_HOME"];
    fails(&shop, |it| _ = it.arg("--java-home").arg(&home), 4, &words);
    fails(&shop, |it| _ = it.env("JAVA_HOME", &home), 4, &words);
}

#[test]
fn a_program_for_a_newer_java() {
    let shop = Program::shop();
    let home = shop.path("old");
    jdk_without(&["release"], &home);
    // No compiler writes classes for it any more.
    fs::write(home.join("release"), "JAVA_VERSION=\"1.7.0_80\"\n").expect("a file");
    let words = ["is compiled for Java", "old is Java 7", "or later with --java-home", "JAVA_HOME"];
    fails(&shop, |it| _ = it.arg("--java-home").arg(&home), 4, &words);
}

#[test]
fn a_jvm_for_another_processor() {
    let shop = Program::shop();
    let home = shop.path("jdk");
    jdk_without(&LIBRARIES, &home);
    // The header of a library for s390x, a processor that no machine of the tests has.
    let mut header = vec![0; 64];
    header[..7].copy_from_slice(b"\x7fELF\x02\x01\x01");
    header[16..20].copy_from_slice(&[3, 0, 22, 0]);
    fs::create_dir_all(home.join("lib/server")).expect("a folder");
    fs::write(home.join("lib/server/libjvm.so"), header).expect("a file");
    let words = ["libjvm.so is for s390x", "this machine is", "--java-home", "crashback doctor"];
    fails(&shop, |it| _ = it.arg("--java-home").arg(&home), 4, &words);
}

#[test]
fn workers_that_cannot_start() {
    let shop = Program::shop();
    let home = shop.path("jdk");
    jdk_without(&LIBRARIES, &home);
    let words = ["worker processes do not start", "libjvm", "crashback doctor"];
    fails(&shop, |it| _ = it.arg("--java-home").arg(&home), 4, &words);
}

#[test]
fn no_junit_to_be_had() {
    let shop = Program::shop();
    let java_home = java_home();
    let without_maven = |it: &mut Command| {
        it.env("PATH", shop.path("nothing")).env("JAVA_HOME", &java_home).arg("--no-cache");
    };
    fails(&shop, without_maven, 4, &["JUnit 5", "cannot run Maven", "--test-classpath"]);
    fails(
        &shop,
        |it| {
            without_maven(it);
            it.args(["--junit", "4"]);
        },
        4,
        &["JUnit 4", "cannot run Maven", "--test-classpath"],
    );
    let said = "echo '[ERROR] Cannot access central in offline mode'; exit 1";
    let path = path_with_maven(&shop.path("offline"), said);
    let offline = |it: &mut Command| _ = it.env("PATH", &path).arg("--no-cache");
    fails(&shop, offline, 4, &["JUnit 5", "cannot reach its repositories", "offline", "--test-classpath"]);
}

#[test]
fn junit_is_fetched_into_the_cache_that_was_asked_for_and_outside_of_the_time() {
    let shop = Program::shop();
    let (cache, path) = (shop.path("cache"), std::env::var_os("PATH").expect("a PATH"));
    // The real Maven, but slower than the search may be.
    let script = format!("sleep 3\nPATH='{}' exec mvn \"$@\"", path.to_str().expect("a plain PATH"));
    let slow = path_with_maven(&shop.path("slow"), &script);
    let reproduce = |path: &OsStr| {
        let mut reproduce = command();
        reproduce.arg("reproduce").arg(shop.path("crash.log")).arg("--classpath").arg(shop.path("classes"));
        reproduce.arg("--out").arg(shop.path("tests")).arg("--cache-dir").arg(&cache);
        reproduce.args(["--frame", "1", "--time", "120s", "--json", "--force"]).env("PATH", path);
        run(reproduce.env("JAVA_HOME", java_home()), b"")
    };
    let begun = Instant::now();
    let first = reproduce(&slow);
    assert_eq!(first.code, 0, "{}{}", first.stdout, first.stderr);
    let seconds = first.json()["seconds"].as_f64().expect("a number");
    assert!(seconds + 3.0 <= begun.elapsed().as_secs_f64(), "{seconds}");
    let again = reproduce(OsStr::new("/usr/bin/nothing"));
    assert_eq!(again.code, 0, "{}{}", again.stdout, again.stderr);
}

#[test]
fn a_disk_that_is_full() {
    let shop = Program::shop();
    let limited = |blocks: &str| {
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("ulimit -f {blocks}; exec \"$@\""), "sh"]);
        shell.arg(env!("CARGO_BIN_EXE_crashback")).arg("reproduce").arg(shop.path("crash.log"));
        shell.arg("--classpath").arg(shop.path("classes")).arg("--out").arg(shop.path("tests"));
        let prepared = command();
        shell.envs(prepared.get_envs().filter_map(|(name, value)| Some((name, value?))));
        run(shell.args(["--json", "--junit", "5", "--frame", "1", "--time", TIME]), b"")
    };
    let full = limited("0");
    full.failed_with(4, &["cannot write the test below", "--out"]);
    is_whole(&full.json(), &["cannot write the test below"]);
    assert_eq!(full.json()["evaluations"], 0, "that is known before the search");
    // So much that the report of JUnit does not get in, while the test itself would. No test is
    // blamed for it.
    let nearly = limited("9");
    nearly.failed_with(4, &["cannot write", "crashback-verify-", "TMPDIR"]);
    is_whole(&nearly.json(), &["crashback-verify-"]);
    assert!(!shop.path("tests").exists());
    let mut lost = command();
    lost.args(["demo", "--json", "--time", TIME]);
    let full = fs::File::options().write(true).open("/dev/full").expect("/dev/full");
    let lost = lost.stdin(Stdio::null()).stdout(full).output().expect("crashback runs");
    assert_eq!(lost.status.code(), Some(4), "a result that nobody sees is none");
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
