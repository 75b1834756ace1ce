//! `crashback list`, the crash that is taken by default, `--crash` and `--mapping`.

use std::ffi::OsStr;
use std::path::Path;

use serde_json::{Value, json};

use crate::support::{Program, Run, crashback};

/// A log with three crashes: one of another program, one of the shop once, one of the shop twice.
fn busy_log(shop: &Program) -> String {
    let foreign = "\
2026-11-18 03:50:00 ERROR one
ferry.LateException: 5 min
\tat ferry.Harbour.dock(Harbour.java:57)
";
    let other: String =
        shop.log().lines().filter(|it| !it.contains(".main(")).map(|it| format!("{it}\n")).collect();
    let crash = shop.log();
    let at = |minute: u32| format!("2026-11-18 03:5{minute}:00 ERROR failed\n");
    [foreign, &foreign.replace("5 min", "6 min"), &foreign.replace("03:50", "03:59"), &at(1), &other].concat()
        + &at(2)
        + &crash
        + &at(3)
        + &crash
}

fn list(log: &Path, flags: &[&OsStr]) -> Run {
    crashback([OsStr::new("list"), log.as_os_str()].iter().chain(flags))
}

fn numbers(object: &Value) -> Vec<(u64, u64)> {
    let crashes = object["crashes"].as_array().expect("crashes");
    let number = |it: &Value, name: &str| it[name].as_u64().expect("a number");
    crashes.iter().map(|it| (number(it, "number"), number(it, "occurrences"))).collect()
}

#[test]
fn equal_crashes_are_listed_once_with_count_and_times() {
    let shop = Program::shop();
    let log = shop.write("busy.log", busy_log(&shop));
    let object = list(&log, &["--json".as_ref()]).json();
    assert_eq!((&object["exit_code"], &object["error"]), (&json!(0), &Value::Null));
    assert_eq!(numbers(&object), [(1, 3), (3, 2), (2, 1)], "the most frequent first");
    let crash = &object["crashes"][0];
    assert_eq!(crash["exception"], "ferry.LateException");
    assert_eq!(crash["message"], "5 min");
    assert_eq!(crash["innermost_frame"], "ferry.Harbour.dock(Harbour.java:57)");
    assert_eq!(
        (&crash["first_time"], &crash["last_time"]),
        (&json!("2026-11-18 03:50:00"), &json!("2026-11-18 03:59:00"))
    );
    assert_eq!((&crash["first_line"], &crash["last_line"]), (&json!(2), &json!(8)));
    assert_eq!((&object["default"], &crash["is_project"]), (&json!(1), &Value::Null));
    let text = list(&log, &[]);
    assert_eq!(text.code, 0, "{}", text.stderr);
    for words in ["Crash  Count", "▶     1      3", "2026-11-18 03:59:00", "takes crash 1 of 3", "--crash N"]
    {
        assert!(text.stdout.contains(words), "`{words}` is not in:\n{}", text.stdout);
    }
}

#[test]
fn crashes_of_the_project_come_first() {
    let shop = Program::shop();
    let log = shop.write("busy.log", busy_log(&shop));
    let classes = shop.path("classes");
    let by_classes: [&OsStr; 3] = ["--json".as_ref(), "--classpath".as_ref(), classes.as_os_str()];
    let by_packages: [&OsStr; 3] = ["--json".as_ref(), "--project-packages".as_ref(), "shop".as_ref()];
    for flags in [by_classes, by_packages] {
        let object = list(&log, &flags).json();
        assert_eq!(numbers(&object), [(3, 2), (2, 1), (1, 3)]);
        assert_eq!(object["default"], 3);
        let marks: Vec<&Value> =
            object["crashes"].as_array().expect("crashes").iter().map(|it| &it["is_project"]).collect();
        assert_eq!(marks, [true, true, false]);
    }
}

#[test]
fn the_most_frequent_crash_of_the_project_is_reproduced_and_named() {
    let shop = Program::shop();
    let log = shop.write("busy.log", busy_log(&shop));
    let (classes, out) = (shop.path("classes"), shop.path("out"));
    let reproduce = |flags: &[&str]| {
        let paths = [OsStr::new("reproduce"), log.as_os_str(), "--classpath".as_ref(), classes.as_os_str()];
        let rest =
            ["--out".as_ref(), out.as_os_str(), "--force".as_ref(), "--workers".as_ref(), "1".as_ref()];
        crashback(paths.into_iter().chain(rest).chain(flags.iter().map(OsStr::new)))
    };
    let object = reproduce(&["--evaluations", "3000", "--json"]).json();
    assert_eq!(
        (&object["crash"], &object["crash_count"], &object["occurrences"]),
        (&json!(3), &json!(3), &json!(2)),
        "{object}"
    );
    assert_eq!(object["exception"], "java.lang.NullPointerException");
    let chosen = reproduce(&["--evaluations", "1", "--crash", "2"]);
    assert!(chosen.stdout.contains("Crash 2 of 3; --crash N chooses another"), "{}", chosen.stdout);
    reproduce(&["--crash", "4"]).failed_with(2, &["no crash 4", "3 distinct crashes", "crashback list"]);
    let explained = shop.explain(&log, &classes, &["--crash", "2"]);
    assert!(explained.stdout.contains("Crash 2 of 3"), "{}", explained.stdout);
    let explained = shop.explain(&log, &classes, &["--crash", "2", "--json"]).json();
    assert_eq!(explained["crash_count"], 3);
}

/// The shop's trace as an obfuscated build would print it.
fn obfuscated(shop: &Program) -> (String, String) {
    let log = shop.log();
    let line = |method: &str| -> String {
        let found = log.lines().find(|it| it.contains(&format!(".{method}(")));
        let line = found.and_then(|it| it.rsplit_once(':')).map(|(_, rest)| rest.trim_end_matches(')'));
        line.expect("a frame").to_owned()
    };
    let methods = ["price", "total", "main"];
    let members: String = (1..)
        .zip(methods)
        .map(|(number, method)| {
            let line = line(method);
            format!("    {number}:{number}:void {method}():{line}:{line} -> a\n")
        })
        .collect();
    let frames: String =
        (1..=methods.len()).map(|number| format!("\tat a.a.a(SourceFile:{number})\n")).collect();
    (format!("{}\n{frames}", log.lines().next().expect("a line")), format!("shop.Till -> a.a:\n{members}"))
}

#[test]
fn a_mapping_undoes_obfuscation() {
    let shop = Program::shop();
    let (log, mapping) = obfuscated(&shop);
    let (log, mapping) = (shop.write("obfuscated.log", log), shop.write("mapping.txt", mapping));
    let classes = shop.path("classes");
    shop.explain(&log, &classes, &[]).failed_with(3, &["disagree", "a.a"]);
    let flags = ["--mapping", mapping.to_str().expect("a path"), "--json"];
    let explained = shop.explain(&log, &classes, &flags);
    assert_eq!(explained.code, 0, "{}", explained.stderr);
    let plain = shop.explain(&shop.path("crash.log"), &classes, &["--json"]).json();
    let places = |object: &Value| -> Vec<Value> {
        let frames = object["crashes"][0]["frames"].as_array().expect("frames");
        frames.iter().map(|it| json!([it["class"], it["method"], it["line"], it["target"]])).collect()
    };
    assert_eq!(places(&explained.json()), places(&plain));
    let listed = list(&log, &["--json".as_ref(), "--mapping".as_ref(), mapping.as_os_str()]).json();
    assert!(
        listed["crashes"][0]["innermost_frame"].as_str().is_some_and(|it| it.starts_with("shop.Till.price("))
    );
}

#[test]
fn wrong_input_gets_a_message_and_its_exit_code() {
    let shop = Program::shop();
    let log = shop.path("crash.log");
    let check = |run: &Run, code: i32, words: &[&str]| {
        run.failed_with(code, words);
        let message = run.json()["error"]["message"].as_str().expect("a message").to_owned();
        assert!(words.iter().all(|it| message.contains(it)), "{message}");
    };
    let json = OsStr::new("--json");
    let mapped = |mapping: &Path| list(&log, &[json, "--mapping".as_ref(), mapping.as_os_str()]);
    check(&mapped(&shop.path("gone.txt")), 2, &["gone.txt", "cannot read the mapping"]);
    check(&mapped(&shop.path("classes")), 2, &["classes", "cannot read the mapping"]);
    check(&mapped(&log), 2, &["crash.log", "no mapping of ProGuard or R8"]);
    check(&list(&shop.path("gone.log"), &[json]), 2, &["gone.log", "cannot read the log"]);
    check(&list(&shop.write("empty.log", ""), &[json]), 3, &["empty.log", "it is empty"]);
    check(&list(&shop.write("packed.gz", b"\x1f\x8b\x08\x00\x00"), &[json]), 3, &["compressed", "zcat"]);
    check(&list(&shop.write("core", b"\x7fELF\x02\x00\x00"), &[json]), 3, &["core", "no text"]);
    check(&list(&log, &[json, "--target-frames".as_ref(), "shop.*".as_ref()]), 2, &["--classpath"]);
    check(&list(&log, &[json, "--classpath".as_ref(), "gone.jar".as_ref()]), 2, &["gone.jar"]);
    check(&crashback(["list", "--json"]), 2, &["<LOG>"]);
}

/// An event of an error tracker marks the project's frames; jars alone would leave that open.
#[test]
fn frames_that_an_event_marks_are_the_project() {
    let shop = Program::shop();
    let (log, jar) = (shop.log(), shop.jar());
    let frames: Vec<Value> = crashback_trace::parse(log.as_bytes()).crashes[0].throwables[0]
        .frames
        .iter()
        .rev()
        .map(|it| {
            json!({ "module": it.class, "function": it.method, "filename": it.file(), "lineno": it.line(),
                    "in_app": true })
        })
        .collect();
    let event = json!({ "exception": { "values": [
        { "type": "NullPointerException", "module": "java.lang", "stacktrace": { "frames": frames } },
    ] } });
    let event = shop.write("event.json", event.to_string());
    let object = shop.explain(&event, &jar, &["--json"]).json();
    let project = object["project"].as_str().expect("words");
    assert!(project.contains("marks as the project's: shop"), "{project}");
    assert_eq!(object["crashes"][0]["frames"][0]["origin"], "project");
    let named = shop.explain(&event, &jar, &["--json", "--project-packages", "shop.Till"]).json();
    assert_eq!(named["project"], "packages shop.Till", "the user has the last word");
}
