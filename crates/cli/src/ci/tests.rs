//! Files for build servers around a scripted search.

use std::fs;

use crashback_reproduce::Reproduction;
use serde_json::Value;
use tempfile::TempDir;

use super::*;
use crate::reproduce::tests::{Fake, Scene, not_reproduced, reproduced};

impl CiFiles {
    /// Both files in a folder, which is also the checkout.
    fn in_folder(folder: &Path, force: bool) -> Self {
        Self {
            junit_xml: Some(folder.join("crash.xml")),
            sarif: Some(folder.join("crash.sarif")),
            force,
            log: "logs/crash.log".to_owned(),
            folder: folder.to_owned(),
            crash: RefCell::default(),
        }
    }
}

/// The two files of a search with a given result.
fn files(scene: &Scene, reproduction: Reproduction) -> (String, Value) {
    let ci = CiFiles::in_folder(scene.out.path(), true);
    let end = scene.run_for_ci(&Fake::new(reproduction), &ci);
    read(&end, &ci)
}

fn read(end: &End, ci: &CiFiles) -> (String, Value) {
    let read = |path: &Option<PathBuf>| fs::read_to_string(path.as_ref().expect("a path")).expect("a file");
    let sarif: Value = serde_json::from_str(&read(&ci.sarif)).expect("JSON");
    check_shape(&sarif, "log", "");
    assert_eq!(sarif["runs"][0]["invocations"][0]["exitCode"], end.code());
    (read(&ci.junit_xml), sarif)
}

fn has(text: &str, words: &[&str]) {
    words.iter().for_each(|it| assert!(text.contains(it), "`{it}` is not in:\n{text}"));
}

/// A property of an object of SARIF: its name, the type of its value, and whether it must be there.
/// Types that are not in `TYPES` are plain values; those that end with `[]` are lists.
type Property = (&'static str, &'static str, bool);

/// The types and properties of SARIF 2.1.0 that are used here. The schema forbids other names.
const TYPES: &[(&str, &[Property])] = &[
    ("log", &[("$schema", "text", false), ("version", "text", true), ("runs", "run[]", true)]),
    (
        "run",
        &[
            ("tool", "tool", true),
            ("invocations", "invocation[]", false),
            ("originalUriBaseIds", "bases", false),
            ("results", "result[]", false),
        ],
    ),
    ("tool", &[("driver", "driver", true)]),
    ("driver", &[("name", "text", true), ("semanticVersion", "text", false), ("rules", "rule[]", false)]),
    (
        "rule",
        &[
            ("id", "text", true),
            ("name", "text", false),
            ("shortDescription", "message", false),
            ("defaultConfiguration", "configuration", false),
        ],
    ),
    ("configuration", &[("level", "level", false)]),
    ("bases", &[("%SRCROOT%", "base", false), ("SOURCES", "base", false)]),
    ("base", &[("description", "message", false)]),
    (
        "invocation",
        &[
            ("executionSuccessful", "truth", true),
            ("exitCode", "number", false),
            ("toolExecutionNotifications", "notification[]", false),
        ],
    ),
    ("notification", &[("level", "level", false), ("message", "message", true)]),
    (
        "result",
        &[
            ("ruleId", "text", false),
            ("ruleIndex", "number", false),
            ("level", "level", false),
            ("message", "message", true),
            ("locations", "location[]", false),
            ("stacks", "stack[]", false),
            ("relatedLocations", "location[]", false),
            ("properties", "any", false),
        ],
    ),
    ("message", &[("text", "text", true)]),
    ("stack", &[("frames", "frame[]", true)]),
    ("frame", &[("location", "location", false)]),
    (
        "location",
        &[
            ("id", "number", false),
            ("physicalLocation", "physical", false),
            ("logicalLocations", "logical[]", false),
            ("message", "message", false),
        ],
    ),
    ("physical", &[("artifactLocation", "artifact", true), ("region", "region", false)]),
    ("artifact", &[("uri", "uri", true), ("uriBaseId", "text", false)]),
    ("region", &[("startLine", "line", true)]),
    ("logical", &[("fullyQualifiedName", "text", false), ("kind", "text", false)]),
];

/// Fails unless a value has the shape that the schema wants.
fn check_shape(value: &Value, kind: &str, path: &str) {
    if let Some(kind) = kind.strip_suffix("[]") {
        let items = value.as_array().unwrap_or_else(|| panic!("{path} is no list"));
        return items.iter().for_each(|it| check_shape(it, kind, &format!("{path}[]")));
    }
    let Some((_, properties)) = TYPES.iter().find(|(name, _)| *name == kind) else {
        return assert!(is_plain(value, kind), "{path} is no {kind}: {value}");
    };
    let object = value.as_object().unwrap_or_else(|| panic!("{path} is no object"));
    for name in object.keys() {
        assert!(properties.iter().any(|it| it.0 == name), "{path} must not have {name}");
    }
    for (name, kind, is_needed) in *properties {
        match object.get(*name) {
            Some(value) => check_shape(value, kind, &format!("{path}.{name}")),
            None => assert!(!is_needed, "{path} lacks {name}"),
        }
    }
}

fn is_plain(value: &Value, kind: &str) -> bool {
    let text = value.as_str();
    match kind {
        "text" => text.is_some_and(|it| !it.is_empty()),
        "level" => text.is_some_and(|it| ["none", "note", "warning", "error"].contains(&it)),
        "uri" => text.is_some_and(|it| !it.is_empty() && it.is_ascii() && !it.contains([' ', '\\', '$'])),
        "number" => value.is_i64() || value.is_u64(),
        "line" => value.as_u64().is_some_and(|it| it > 0),
        "truth" => value.is_boolean(),
        "any" => true,
        other => panic!("no type {other}"),
    }
}

#[test]
fn a_reproduced_crash_passes_and_is_an_error_in_the_code() {
    let scene = Scene::new();
    let (xml, sarif) = files(&scene, reproduced());
    has(
        &xml,
        &[
            r#"<testsuite name="logs/crash.log" tests="2" skipped="1" errors="0" failures="0""#,
            r#"<testcase name="frame 7: parcels.Depot.receive(Depot.java:16)""#,
            r#"classname="java.lang.StringIndexOutOfBoundsException""#,
            r#"<skipped message="line not reached: main starts the program"/>"#,
            "class DepotCrashTest {}",
        ],
    );
    let run = &sarif["runs"][0];
    assert_eq!(run["tool"]["driver"]["rules"][0]["id"], "java.lang.StringIndexOutOfBoundsException");
    let result = &run["results"][0];
    assert_eq!((&result["level"], &result["ruleIndex"]), (&"error".into(), &0.into()));
    let message = result["message"]["text"].as_str().expect("a text");
    has(message, &["Reproduced by a verified test at frame 7, parcels.Depot.receive"]);
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "parcels/LabelReader.java");
    assert_eq!(place["artifactLocation"]["uriBaseId"], "SOURCES", "there are no sources");
    assert!(place["region"]["startLine"].is_u64());
    let test = &result["relatedLocations"][0]["physicalLocation"]["artifactLocation"];
    assert_eq!(
        (&test["uri"], &test["uriBaseId"]),
        (&"parcels/DepotCrashTest.java".into(), &"%SRCROOT%".into())
    );
    let frames = result["stacks"][0]["frames"].as_array().expect("frames");
    assert!(frames.len() >= 8, "{frames:#?}");
    assert!(frames[0]["location"].get("physicalLocation").is_none(), "it is the JDK's");
}

#[test]
fn a_crash_that_is_not_reproduced_fails_with_its_obstacles() {
    let scene = Scene::new();
    let mut reproduction = not_reproduced();
    for frame in &mut reproduction.frames {
        frame.outcome = crashback_reproduce::Stage::LineNotReached;
        frame.obstacle = Some("<no> way & \u{1} \"quotes\"".to_owned());
    }
    let (xml, sarif) = files(&scene, reproduction);
    has(
        &xml,
        &[
            r#"tests="2" skipped="0" errors="0" failures="2""#,
            r#"type="not-reproduced""#,
            "line not reached: &lt;no&gt; way &amp; ",
        ],
    );
    assert!(!xml.contains('\u{1}'), "XML has no such character");
    let result = &sarif["runs"][0]["results"][0];
    assert_eq!(result["level"], "warning");
    has(result["message"]["text"].as_str().expect("a text"), &["Not reproduced", "the text is never empty"]);
    assert_eq!(result["relatedLocations"], serde_json::json!([]));
}

#[test]
fn a_command_that_failed_leaves_files_that_say_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let ci = CiFiles::in_folder(folder.path(), false);
    let end = End::failed(Error::new(ErrorKind::Disagreement, "trace and class path disagree"), None);
    ci.write(&end).expect("files");
    let (xml, sarif) = read(&end, &ci);
    has(&xml, &[r#"errors="1""#, r#"<error message="trace and class path disagree" type="disagreement""#]);
    let run = &sarif["runs"][0];
    assert_eq!(run["invocations"][0]["executionSuccessful"], false);
    assert_eq!(run["results"], serde_json::json!([]));
    let told = &run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"];
    assert_eq!(told, "trace and class path disagree");
}

#[test]
fn an_interrupted_search_is_an_error_beside_its_frames() {
    let (xml, sarif) = files(&Scene::new(), Reproduction { interrupted: true, ..not_reproduced() });
    has(&xml, &[r#"errors="1" failures="0""#, r#"type="interrupted""#]);
    let text = sarif["runs"][0]["results"][0]["message"]["text"].as_str().expect("a text");
    has(text, &["Interrupted before it was reproduced"]);
}

#[test]
fn files_that_cannot_be_written_are_named_before_the_search() {
    let check = |prepare: &dyn Fn(&Path), words: &[&str]| {
        let (scene, folder) = (Scene::new(), tempfile::tempdir().expect("a folder"));
        prepare(folder.path());
        let fake = Fake::new(reproduced());
        let end = scene.run_for_ci(&fake, &CiFiles::in_folder(folder.path(), false));
        assert_eq!(end.code(), 4);
        has(&end.error.as_ref().expect("an error").message, words);
        assert!(fake.asked.borrow().is_empty(), "there was no search");
        folder
    };
    let precious = |folder: &Path| fs::write(folder.join("crash.xml"), "precious").expect("a file");
    let folder: TempDir = check(&precious, &["crash.xml exists already", "--force"]);
    assert_eq!(fs::read_to_string(folder.path().join("crash.xml")).expect("a file"), "precious");
    assert!(!folder.path().join("crash.sarif").exists());
    let taken = |folder: &Path| fs::create_dir(folder.join("crash.sarif")).expect("a folder");
    check(&taken, &["cannot write", "crash.sarif"]);
    let gone = |folder: &Path| fs::remove_dir(folder).expect("a folder");
    check(&gone, &["cannot write", "crash.xml"]);
}

#[test]
fn sources_are_found_where_build_tools_keep_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    for name in ["shop/src/main/java/a/b", "shop/build/classes/java/main", "tools/src/c", ".git"] {
        fs::create_dir_all(path(name)).expect("a folder");
    }
    fs::write(path("shop/src/main/java/a/b/Till.java"), "").expect("a file");
    fs::write(path("tools/src/c/Über Tool.kt"), "").expect("a file");
    let class_path = [path("shop/build/classes/java/main"), path("lib/x.jar")];
    let sources = Sources::around(&class_path, &path("tools"));
    let found = |class: &str, name: Option<&str>| {
        let SourceFile { path, is_found } = sources.of(class, name);
        (path, is_found)
    };
    let till = ("shop/src/main/java/a/b/Till.java".to_owned(), true);
    assert_eq!(found("a.b.Till", Some("Till.java")), till);
    assert_eq!(found("a.b.Till$Drawer$1", None), till);
    assert_eq!(found("a.b.Till$Drawer", Some("SourceFile")), till);
    assert_eq!(found("c.ToolKt", Some("Über Tool.kt")), ("tools/src/c/Über Tool.kt".to_owned(), true));
    assert_eq!(found("org.lib.Other", Some("Other.java")), ("org/lib/Other.java".to_owned(), false));
    assert_eq!(found("Unpackaged", None), ("Unpackaged.java".to_owned(), false));
}
