//! Wrong input: each gets a message that names the thing, the documented exit code, and one JSON
//! object if asked for.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::support::{Program, command, crashback, run};

/// Both forms of a failing run: the message for people, and the object with the same code.
fn check(shop: &Program, log: &Path, class_path: &Path, code: i32, words: &[&str]) {
    shop.explain(log, class_path, &[]).failed_with(code, words);
    let as_json = shop.explain(log, class_path, &["--json"]);
    as_json.failed_with(code, words);
    let object = as_json.json();
    let message = object["error"]["message"].as_str().expect("a message");
    assert!(words.iter().all(|it| message.contains(it)), "{message}");
    assert!(object["crashes"].is_array());
}

#[test]
fn a_command_line_that_makes_no_sense() {
    crashback(["explain"]).failed_with(2, &["<LOG>"]);
    crashback(["explode"]).failed_with(2, &["explode"]);
    let shop = Program::shop();
    let log = shop.path("crash.log");
    let without = crashback([std::ffi::OsStr::new("explain"), log.as_os_str()]);
    without.failed_with(2, &["no class path", "--classpath", "--maven"]);
    let as_json = crashback(["explain", "--json", "--no-such-flag"]);
    as_json.failed_with(2, &["--no-such-flag"]);
    assert_eq!(as_json.json()["error"]["kind"], "usage");
    shop.explain(&log, &shop.path("classes"), &["--target-frames", "("]).failed_with(2, &["--target-frames"]);
    shop.explain(&log, &shop.path("classes"), &["--maven", "guava"])
        .failed_with(2, &["guava", "group:artifact:version"]);
}

#[test]
fn a_log_that_cannot_be_read() {
    let shop = Program::shop();
    check(&shop, &shop.path("no-such.log"), &shop.path("classes"), 2, &["no-such.log", "cannot read"]);
    check(&shop, &shop.path("classes"), &shop.path("classes"), 2, &["classes", "cannot read"]);
}

#[test]
fn a_report_of_recorded_arguments_that_cannot_be_used() {
    let shop = Program::shop();
    let (log, classes) = (shop.path("crash.log"), shop.path("classes"));
    let reproduce = |report: &Path| {
        let mut reproduce = command();
        reproduce.arg("reproduce").arg(&log).arg("--classpath").arg(&classes).arg("--recorded").arg(report);
        run(&mut reproduce, b"")
    };
    reproduce(&shop.path("no-such.log")).failed_with(2, &["no-such.log", "cannot use the report"]);
    reproduce(&log).failed_with(2, &["crash.log", "no arguments"]);
}

#[test]
fn a_log_without_a_trace() {
    let shop = Program::shop();
    let classes = shop.path("classes");
    check(&shop, &shop.write("empty.log", ""), &classes, 3, &["no usable stack trace", "empty.log"]);
    let plain = shop.write("plain.log", "12:00 INFO all is well\n12:01 INFO still\n");
    check(&shop, &plain, &classes, 3, &["no usable stack trace"]);
    let noise: Vec<u8> = (0..100_000u32).map(|it| (it.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    check(&shop, &shop.write("binary.log", noise), &classes, 3, &["no usable stack trace", "binary.log"]);
    let fast_throw =
        shop.write("fast.log", "java.lang.NullPointerException\njava.lang.NullPointerException\n");
    check(&shop, &fast_throw, &classes, 3, &["OmitStackTraceInFastThrow"]);
}

#[test]
fn a_trace_of_another_program_or_version() {
    let shop = Program::shop();
    let classes = shop.path("classes");
    let foreign = shop.write("foreign.log", shop.log().replace("shop.", "bakery."));
    check(&shop, &foreign, &classes, 3, &["disagree", "bakery.Till", "not on the class path"]);
    let renamed = shop.write("renamed.log", shop.log().replace(".price(", ".cost("));
    check(&shop, &renamed, &classes, 3, &["disagree", "no method cost"]);
    // A line of another version, in a method that cannot throw the exception on any line.
    let thrown =
        shop.write("thrown.log", shop.log().replace("NullPointer", "ArrayStore").replace(":21", ":901"));
    check(&shop, &thrown, &classes, 3, &["disagree", "no line 901"]);
}

#[test]
fn a_class_path_entry_that_is_missing() {
    let shop = Program::shop();
    let log = shop.path("crash.log");
    check(&shop, &log, &shop.path("gone.jar"), 2, &["gone.jar"]);
    // Beside entries that exist it is a warning: build tools name folders that a module may lack.
    let both = std::env::join_paths([shop.path("gone.jar"), shop.path("classes")]).expect("a class path");
    let explained = shop.explain(&log, Path::new(&both), &[]);
    assert_eq!(explained.code, 0, "{}", explained.stderr);
    assert!(explained.stdout.contains("gone.jar"), "{}", explained.stdout);
}

#[test]
fn a_jar_that_is_damaged() {
    let shop = Program::shop();
    let log = shop.path("crash.log");
    let whole = fs::read(shop.jar()).expect("the jar");
    let corrupt = shop.write("corrupt.jar", b"this is no zip file");
    check(&shop, &log, &corrupt, 2, &["corrupt.jar"]);
    let truncated = shop.write("truncated.jar", &whole[..whole.len() * 2 / 3]);
    check(&shop, &log, &truncated, 2, &["truncated.jar"]);
}

#[test]
fn a_class_that_is_damaged() {
    let shop = Program::shop();
    let log = shop.path("crash.log");
    let class = shop.path("classes/shop/Till.class");
    let whole = fs::read(&class).expect("the class");
    fs::write(&class, &whole[..whole.len() / 2]).expect("the class");
    check(&shop, &log, &shop.path("classes"), 3, &["disagree", "Till.class"]);
    fs::write(&class, "not a class").expect("the class");
    check(&shop, &log, &shop.path("classes"), 3, &["disagree", "Till.class"]);
    fs::write(&class, whole).expect("the class");
    assert_eq!(shop.explain(&log, &shop.path("classes"), &[]).code, 0);
}

#[test]
fn a_class_file_version_from_the_future_is_read_all_the_same() {
    let shop = Program::shop();
    let class = shop.path("classes/shop/Till.class");
    let mut bytes = fs::read(&class).expect("the class");
    bytes[6..8].copy_from_slice(&200u16.to_be_bytes());
    fs::write(&class, bytes).expect("the class");
    let explained = shop.explain(&shop.path("crash.log"), &shop.path("classes"), &["--json"]);
    assert_eq!(explained.code, 0, "{}", explained.stderr);
    assert_eq!(explained.json()["crashes"][0]["recommended_frame"], 2);
}

#[test]
fn no_jdk_to_be_had() {
    let shop = Program::shop();
    let (log, classes) = (shop.path("crash.log"), shop.path("classes"));
    let explain = |set: &dyn for<'c> Fn(&'c mut Command) -> &'c mut Command| {
        let mut explain = command();
        explain.args(["explain", "--json"]).arg(&log).arg("--classpath").arg(&classes);
        set(&mut explain);
        run(&mut explain, b"")
    };
    let nowhere = explain(&|it| it.env_remove("JAVA_HOME").env("PATH", ""));
    nowhere.failed_with(4, &["no JDK found", "--java-home", "JAVA_HOME"]);
    assert_eq!(nowhere.json()["error"]["kind"], "environment");
    let wrong_home = explain(&|it| it.env("JAVA_HOME", shop.path("no-such-jdk")));
    wrong_home.failed_with(4, &["no-such-jdk"]);
    let wrong_flag = explain(&|it| it.arg("--java-home").arg(&classes));
    wrong_flag.failed_with(4, &["classes", "lib/modules"]);
}

#[test]
fn a_runtime_without_a_compiler_cannot_run_the_demo() {
    let folder = tempfile::tempdir().expect("a folder");
    let home = folder.path();
    fs::create_dir_all(home.join("lib")).expect("a folder");
    fs::write(home.join("lib/modules"), "").expect("a file");
    fs::write(home.join("release"), "JAVA_VERSION=\"17.0.1\"\n").expect("a file");
    let mut demo = command();
    demo.args(["demo", "explain", "--java-home"]).arg(home);
    run(&mut demo, b"").failed_with(4, &["javac", "JRE"]);
}

#[test]
fn a_jdk_whose_classes_cannot_be_read() {
    let shop = Program::shop();
    let home = shop.path("jdk");
    fs::create_dir_all(home.join("lib")).expect("a folder");
    fs::write(home.join("lib/modules"), "not an image").expect("a file");
    fs::write(home.join("release"), "JAVA_VERSION=\"17.0.1\"\n").expect("a file");
    let home = home.to_str().expect("a plain path").to_owned();
    let explained = shop.explain(&shop.path("crash.log"), &shop.path("classes"), &["--java-home", &home]);
    explained.failed_with(4, &["modules"]);
}

#[test]
fn a_cache_that_is_damaged_or_foreign_is_built_anew() {
    let shop = Program::shop();
    let (log, jar, cache) = (shop.path("crash.log"), shop.jar(), shop.path("cache"));
    let explain = || {
        let mut explain = command();
        explain
            .args(["explain", "--json"])
            .arg(&log)
            .arg("--classpath")
            .arg(&jar)
            .arg("--cache-dir")
            .arg(&cache);
        run(&mut explain, b"")
    };
    let first = explain();
    assert_eq!(first.code, 0, "{}", first.stderr);
    let files = || -> Vec<_> {
        fs::read_dir(&cache).expect("a cache").map(|it| it.expect("a file").path()).collect()
    };
    assert!(!files().is_empty(), "indexes are kept");
    for damage in [&b""[..], b"foreign", &[0xff; 4096]] {
        for file in files().iter().filter(|it| it.is_file()) {
            fs::write(file, damage).expect("a file");
        }
        let again = explain();
        assert_eq!((again.code, &again.stdout), (0, &first.stdout), "{}", again.stderr);
    }
    // A cache that cannot be written costs time and nothing else.
    fs::remove_dir_all(&cache).expect("a folder");
    fs::write(&cache, "a file where the folder should be").expect("a file");
    let without = explain();
    assert_eq!(without.code, 0, "{}", without.stderr);
}
