//! `crashback doctor` on machines that have what is needed, and on others.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::{LIBRARIES, Run, command, crashback, java_home, jdk_without, run};

/// The status of a check, with what was found and advised.
fn check(object: &Value, id: &str) -> (String, String) {
    let checks = object["checks"].as_array().expect("checks");
    let check = checks.iter().find(|it| it["id"] == id).unwrap_or_else(|| panic!("no {id} in {object:#}"));
    let words = format!("{} → {}", check["found"], check["advice"]);
    (check["status"].as_str().expect("a status").to_owned(), words)
}

/// Fails unless a check has a status and says something.
fn assert_check(object: &Value, id: &str, status: &str, words: &[&str]) {
    let (actual, text) = check(object, id);
    assert_eq!(actual, status, "{id}: {text}");
    for word in words {
        assert!(text.contains(word), "`{word}` is not in {id}: {text}");
    }
}

fn ids(object: &Value) -> Vec<&str> {
    object["checks"].as_array().expect("checks").iter().filter_map(|it| it["id"].as_str()).collect()
}

fn doctor(java_home: &Path) -> Run {
    run(command().args(["doctor", "--json", "--java-home"]).arg(java_home), b"")
}

#[test]
fn a_healthy_machine_passes_the_self_test() {
    let healthy = crashback(["doctor", "--json"]);
    assert_eq!(healthy.code, 0, "{}{}", healthy.stdout, healthy.stderr);
    let object = healthy.json();
    assert_eq!(object["error"], Value::Null);
    let expected = [
        "jdk",
        "version",
        "javac",
        "classes",
        "libjvm",
        "kernel",
        "resources",
        "scratch",
        "maven",
        "worker",
        "sandbox",
        "self-test",
        "files",
        "rate",
    ];
    assert_eq!(ids(&object), expected);
    for id in expected {
        let (status, text) = check(&object, id);
        assert!(status == "ok" || ["resources", "maven", "version"].contains(&id), "{id}: {text}");
    }
    assert!(object["worker"]["start_milliseconds"].as_u64().is_some_and(|it| (1..60_000).contains(&it)));
    assert!(object["evaluations_per_second"].as_u64().is_some_and(|it| it > 100), "{object:#}");
    assert!(object["worker"]["sandbox"].as_str().is_some_and(|it| it.contains("Landlock")), "{object:#}");

    let text = crashback(["doctor"]);
    assert_eq!(text.code, 0, "{}", text.stderr);
    for words in ["ok       worker     ready after", "Crashback can work here."] {
        assert!(text.stdout.contains(words), "`{words}` is not in:\n{}", text.stdout);
    }
}

#[test]
fn without_a_jdk_the_machine_is_examined_all_the_same() {
    let mut nowhere = command();
    nowhere.args(["doctor", "--json"]).env_remove("JAVA_HOME").env("PATH", "/nowhere:/no/where");
    let nowhere = run(&mut nowhere, b"");
    nowhere.failed_with(4, &["cannot work here", "jdk"]);
    let object = nowhere.json();
    assert_eq!(object["error"]["kind"], "environment");
    assert_eq!(object["jdk"], Value::Null);
    let words = ["no --java-home", "JAVA_HOME is not set", "2 folders of PATH", "install a JDK"];
    assert_check(&object, "jdk", "problem", &words);
    assert_check(&object, "maven", "warning", &["no `mvn`"]);
    assert_check(&object, "kernel", "ok", &["Linux"]);
    assert_eq!(ids(&object), ["jdk", "kernel", "resources", "scratch", "maven"]);
}

#[test]
fn a_folder_that_is_no_jdk() {
    let folder = tempfile::tempdir().expect("a folder");
    let object = doctor(folder.path()).json();
    assert_eq!(object["exit_code"], 4);
    assert_check(&object, "jdk", "problem", &["lib/modules", folder.path().to_str().expect("a plain path")]);
    let mut text = command();
    text.args(["doctor"]).env("JAVA_HOME", folder.path());
    let text = run(&mut text, b"");
    text.failed_with(4, &["jdk"]);
    for words in ["problem  jdk", "JAVA_HOME=", "→ install a JDK"] {
        assert!(text.stdout.contains(words), "`{words}` is not in:\n{}", text.stdout);
    }
}

#[test]
fn a_runtime_without_a_compiler() {
    let folder = tempfile::tempdir().expect("a folder");
    jdk_without(&["bin/javac"], folder.path());
    let jre = doctor(folder.path());
    jre.failed_with(4, &["javac"]);
    let object = jre.json();
    assert_check(&object, "javac", "problem", &["JRE", "--java-home"]);
    assert_check(&object, "libjvm", "ok", &["libjvm.so"]);
}

#[test]
fn a_jdk_whose_classes_are_damaged() {
    let folder = tempfile::tempdir().expect("a folder");
    // One of them is not there.
    jdk_without(&["lib/modules", "jre/lib/rt.jar"], folder.path());
    let file = if java_home().join("lib/modules").is_file() { "lib/modules" } else { "jre/lib/rt.jar" };
    fs::write(folder.path().join(file), "no classes").expect("a file");
    let damaged = doctor(folder.path());
    damaged.failed_with(4, &["classes"]);
    assert_check(&damaged.json(), "classes", "problem", &[file, "cannot be read", "--java-home"]);
}

#[test]
fn a_jdk_without_jmods_is_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    jdk_without(&["jmods"], folder.path());
    let without = doctor(folder.path());
    assert_eq!(without.code, 0, "{}{}", without.stdout, without.stderr);
}

#[test]
fn a_jdk_without_its_library() {
    let folder = tempfile::tempdir().expect("a folder");
    jdk_without(&LIBRARIES, folder.path());
    let object = doctor(folder.path()).json();
    assert_eq!(object["exit_code"], 4);
    assert_check(&object, "libjvm", "problem", &["libjvm.so", "HotSpot"]);
    assert_check(&object, "javac", "ok", &["bin/javac"]);
    assert!(!ids(&object).contains(&"worker"), "{object:#}");
}

#[test]
fn a_library_that_is_none() {
    let folder = tempfile::tempdir().expect("a folder");
    jdk_without(&LIBRARIES, folder.path());
    fs::create_dir_all(folder.path().join("lib/server")).expect("a folder");
    fs::write(folder.path().join("lib/server/libjvm.so"), "no library").expect("a file");
    let object = doctor(folder.path()).json();
    assert_eq!(object["exit_code"], 4);
    assert_check(&object, "worker", "problem", &["libjvm.so", "cannot be loaded"]);
}

#[test]
fn releases_that_are_not_tested_are_named() {
    let status = |version: &str| {
        let folder = tempfile::tempdir().expect("a folder");
        jdk_without(&[&["release"][..], &LIBRARIES].concat(), folder.path());
        fs::write(folder.path().join("release"), format!("JAVA_VERSION=\"{version}\"\n")).expect("a file");
        check(&doctor(folder.path()).json(), "version")
    };
    assert_eq!(status("17.0.1").0, "ok");
    assert_eq!(status("21.0.4").0, "ok");
    assert_eq!(status("22.0.2").0, "warning");
    let (newer, words) = status("31");
    assert_eq!(newer, "warning");
    assert!(words.contains("newer"), "{words}");
    assert_eq!(status("1.7.0_80").0, "problem");
}

#[test]
fn a_scratch_folder_that_cannot_be_used() {
    let mut doctor = command();
    doctor.args(["doctor", "--json"]).env("TMPDIR", "/no/such/folder");
    let object = run(&mut doctor, b"").json();
    assert_eq!(object["exit_code"], 4);
    assert_check(&object, "scratch", "problem", &["/no/such/folder", "TMPDIR"]);
}

#[test]
fn a_command_line_that_makes_no_sense() {
    let wrong = crashback(["doctor", "--json", "--cure"]);
    wrong.failed_with(2, &["--cure"]);
    assert_eq!(wrong.json()["error"]["kind"], "usage");
}
