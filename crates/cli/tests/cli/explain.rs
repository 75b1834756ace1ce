//! `crashback explain` and `crashback demo explain` on programs that really crash.

use crate::support::{Program, command, crashback, run};
use serde_json::{Value, json};

#[test]
fn the_json_object_tells_frame_by_frame() {
    let shop = Program::shop();
    let explained = shop.explain(&shop.path("crash.log"), &shop.path("classes"), &["--json"]);
    assert_eq!(explained.code, 0, "{}", explained.stderr);
    let object = explained.json();
    let crash = &object["crashes"][0];
    assert_eq!(crash["exception"], "java.lang.NullPointerException");
    assert_eq!(crash["thread"], "main");
    assert_eq!(crash["recommended_frame"], 2, "main is no good target");
    assert_eq!(crash["highest_target_frame"], 3);
    assert_eq!(crash["facts"][0]["kind"], "null");

    let frames = crash["frames"].as_array().expect("frames");
    let brief = |frame: &Value| {
        let keys = [
            "level",
            "class",
            "method",
            "line",
            "status",
            "origin",
            "descriptor",
            "shape",
            "propagation",
            "target",
        ];
        Value::Array(keys.iter().map(|key| frame[*key].clone()).collect())
    };
    let expected = json!([
        [1, "shop.Till", "price", 21, "ok", "project", "(Ljava/lang/String;)I", "method", "escapes", true],
        [2, "shop.Till", "total", 15, "ok", "project", "(Ljava/util/List;)I", "method", "escapes", true],
        [3, "shop.Till", "main", 25, "ok", "project", "([Ljava/lang/String;)V", "method", "escapes", true],
    ]);
    assert_eq!(Value::Array(frames.iter().map(brief).collect()), expected);
    assert_eq!(frames[0]["entry_points"], json!(["Till.total(List)"]));
    assert!(
        frames[0]["reason"]
            .as_str()
            .is_some_and(|it| it.starts_with("private, entered through Till.total(List)"))
    );
}

#[test]
fn the_text_names_the_crash_and_the_target() {
    let shop = Program::shop();
    let explained = shop.explain(&shop.path("crash.log"), &shop.path("classes"), &[]);
    assert_eq!(explained.code, 0, "{}", explained.stderr);
    for words in [
        "java.lang.NullPointerException",
        "what shop.Prices.of returned was null, needed to call java.lang.Integer.intValue",
        "Till.price(String)",
        "private, entered through Till.total(List)",
        "Recommended target: frame 2, Till.total(List)",
    ] {
        assert!(explained.stdout.contains(words), "`{words}` is not in:\n{}", explained.stdout);
    }
    assert!(!explained.stdout.contains('\u{1b}'), "NO_COLOR is honoured");
}

#[test]
fn what_must_be_relaxed_for_a_log_of_another_version_is_told() {
    let shop = Program::shop();
    let older = shop.write("older.log", shop.log().replace("Till.java:21", "Till.java:901"));
    let explained = shop.explain(&older, &shop.path("classes"), &["--json"]);
    assert_eq!(explained.code, 0, "{}", explained.stderr);
    let crash = &explained.json()["crashes"][0];
    assert_eq!(crash["relaxations"], json!(["moved-lines"]));
    assert_eq!(
        (&crash["frames"][0]["relaxation"], &crash["frames"][1]["relaxation"]),
        (&json!("moved-lines"), &Value::Null)
    );
    let text = shop.explain(&older, &shop.path("classes"), &[]).stdout;
    for words in ["line 901 is of another version, line 21 stands for it", "another version of the program"] {
        assert!(text.contains(words), "`{words}` is not in:\n{text}");
    }
    let plain = shop.explain(&shop.path("crash.log"), &shop.path("classes"), &["--json"]).json();
    assert_eq!(plain["crashes"][0]["relaxations"], json!([]));
}

#[test]
fn a_trace_of_another_java_is_told() {
    let shop = Program::shop();
    let old = "\tat sun.reflect.NativeMethodAccessorImpl.invoke0(Native Method)\n\tat shop.Till.main";
    let log = shop.write("old.log", shop.log().replace("\tat shop.Till.main", old));
    let object = shop.explain(&log, &shop.path("classes"), &["--json"]).json();
    let words = object["crashes"][0]["other_java"].as_str().expect("words");
    assert!(words.contains("Java 8 or older") && words.contains("--java-home"), "{words}");
    let plain = shop.explain(&shop.path("crash.log"), &shop.path("classes"), &["--json"]).json();
    assert_eq!(plain["crashes"][0]["other_java"], Value::Null);
}

#[test]
fn a_log_comes_from_standard_input_too() {
    let shop = Program::shop();
    let classes = shop.path("classes");
    let mut explain = command();
    explain.args(["explain", "-", "--json", "--classpath"]).arg(classes);
    let explained = run(&mut explain, shop.log().as_bytes());
    assert_eq!(explained.code, 0, "{}", explained.stderr);
    assert_eq!(explained.json()["crashes"][0]["frames"].as_array().map(Vec::len), Some(3));
}

#[test]
fn equal_crashes_are_counted_and_others_numbered() {
    let shop = Program::shop();
    let once = shop.log();
    let other = once.replace("Till.java:15", "Till.java:14");
    let log = shop.write("many.log", format!("start\n{once}\nmore\n{once}\n{other}\n"));
    let object = shop.explain(&log, &shop.path("classes"), &["--json"]).json();
    let counted: Vec<&Value> =
        object["crashes"].as_array().expect("crashes").iter().map(|it| &it["occurrences"]).collect();
    assert_eq!(counted, [&json!(2), &json!(1)]);

    let second = shop.explain(&log, &shop.path("classes"), &["--json", "--crash", "2"]).json();
    assert_eq!(second["crashes"].as_array().map(Vec::len), Some(1));
    assert_eq!(second["crashes"][0]["number"], 2);
    shop.explain(&log, &shop.path("classes"), &["--crash", "3"])
        .failed_with(2, &["no crash 3", "2 distinct"]);
}

#[test]
fn the_cause_with_project_frames_is_explained_unless_another_is_asked_for() {
    let shop = Program::shop();
    let log = shop.write(
        "chain.log",
        "java.lang.RuntimeException: no sale\n\
         \tat org.server.Pool.run(Pool.java:7)\n\
         Caused by: java.lang.IllegalStateException: till\n\
         \tat shop.Till.total(Till.java:15)\n\
         \t... 1 more\n\
         Caused by: java.io.IOException: gone\n\
         \tat java.base/java.io.Reader.read(Reader.java:1)\n\
         \t... 2 more\n",
    );
    let classes = shop.path("classes");
    let exception = |flags: &[&str]| {
        let object = shop.explain(&log, &classes, flags).json();
        object["crashes"][0]["exception"].as_str().expect("an exception").to_owned()
    };
    // The innermost shares the frames of the one around it, and so has frames of the project.
    assert_eq!(exception(&["--json"]), "java.io.IOException");
    assert_eq!(exception(&["--json", "--cause", "1"]), "java.lang.RuntimeException");
    assert_eq!(exception(&["--json", "--cause", "2"]), "java.lang.IllegalStateException");
    shop.explain(&log, &classes, &["--cause", "9"]).failed_with(2, &["cause chain", "3"]);
}

#[test]
fn the_project_is_what_the_user_says() {
    let shop = Program::shop();
    let (log, jar) = (shop.path("crash.log"), shop.jar());
    let origin = |flags: &[&str]| {
        let flags: Vec<&str> = flags.iter().copied().chain(["--json"]).collect();
        shop.explain(&log, &jar, &flags).json()["crashes"][0]["frames"][0]["origin"].clone()
    };
    assert_eq!(origin(&[]), "project");
    assert_eq!(origin(&["--project-packages", "shop"]), "project");
    assert_eq!(origin(&["--project-packages", "sho"]), "library");
    assert_eq!(origin(&["--target-frames", ".*Till"]), "project");
    assert_eq!(origin(&["--target-frames", "Till"]), "library");
}

#[test]
fn another_version_behind_the_frame_is_told_in_words() {
    let shop = Program::shop();
    let jar = shop.jar();
    let log = shop.write("suffix.log", shop.log().replace(".java:15)", ".java:15) ~[shop-1.3.jar:1.3]"));
    let explained = shop.explain(&log, &jar, &["--json"]);
    assert_eq!(explained.code, 0, "{}", explained.stderr);
    let words = &explained.json()["crashes"][0]["version_mismatches"][0]["words"];
    let words = words.as_str().expect("a sentence");
    assert!(words.contains("shop-1.3.jar") && words.contains("shop-1.4.jar"), "{words}");

    let same = shop.write("same.log", shop.log().replace(".java:15)", ".java:15) ~[shop-1.4.jar:1.4]"));
    let explained = shop.explain(&same, &jar, &["--json"]);
    assert_eq!(explained.json()["crashes"][0]["version_mismatches"], json!([]));
}

#[test]
fn the_demo_compiles_crashes_and_explains() {
    let demo = crashback(["demo", "explain", "--json"]);
    assert_eq!(demo.code, 0, "{}", demo.stderr);
    let object = demo.json();
    let crash = &object["crashes"][0];
    assert_eq!(crash["exception"], "java.lang.StringIndexOutOfBoundsException");
    let recommended = crash["recommended_frame"].as_u64().expect("a frame");
    let frames = crash["frames"].as_array().expect("frames");
    let target = frames.iter().find(|it| it["level"] == recommended).expect("the frame");
    assert_eq!(target["method"], "receive");

    let demo = crashback(["demo", "explain"]);
    assert_eq!(demo.code, 0, "{}", demo.stderr);
    assert!(demo.stdout.contains("Recommended target"), "{}", demo.stdout);
}

#[test]
fn help_and_version_are_no_errors() {
    for flag in ["--help", "--version"] {
        let shown = crashback([flag]);
        assert_eq!((shown.code, shown.stderr.as_str()), (0, ""));
        assert!(shown.stdout.contains("crashback"), "{}", shown.stdout);
    }
}
