//! Values that logs record beside the exception: in lines around it, and in reports of failing calls.

use crashback_trace::{RecordedCall, parse, recorded_calls, values_around};
use serde_json::json;

const TRACE: &str = "java.lang.IllegalStateException: closed\n\tat quay.Crane.lift(Crane.java:4)\n";

/// Checks the values around the first crash of a log.
fn check(log: &str, expect: &[&str]) {
    let parsed = parse(log.as_bytes());
    let crash = parsed.crashes.first().expect("a crash");
    assert_eq!(values_around(log.as_bytes(), crash, 50), expect, "{log}");
}

/// Checks the values of one line before a crash.
fn check_line(line: &str, expect: &[&str]) {
    check(&format!("2026-11-18 03:50:00,123 ERROR [crane-1] quay.Crane - {line}\n{TRACE}"), expect);
}

#[test]
fn quoted_texts_pairs_numbers_paths_and_identifiers_are_values() {
    check_line("lifting 'box 7' of \"Gouda\"", &["box 7", "Gouda"]);
    check_line("lift id=K-77, weight=1200.5; from=/srv/quay/a.csv.", &["K-77", "1200.5", "/srv/quay/a.csv"]);
    check_line("took 17 ms for 2 boxes", &["17", "2"]);
    check_line("state: OPEN, the rest is prose", &["OPEN"]);
    check_line("job 3f2a9c1e-0b7d-4c55-9d3e-aa10b2c3d4e5 begins", &["3f2a9c1e-0b7d-4c55-9d3e-aa10b2c3d4e5"]);
    check_line("boxes [a1, b2]", &["a1, b2", "a1", "b2"]);
    check_line("got {\"id\":7}", &["{\"id\":7}", "id", "7"]);
    check_line("GET http://quay/lift?id=7&n=2", &["http://quay/lift?id=7&n=2"]);
    check_line("name=\"box 7\" don't stop", &["box 7"]);
    check_line("nothing to see here", &[]);
}

#[test]
fn only_lines_of_the_thread_of_the_crash_count_and_the_nearest_comes_first() {
    let log = format!(
        "2026-11-18 03:50:00,120 INFO  [crane-1] quay.Crane - first 'a'\n\
         2026-11-18 03:50:00,121 INFO  [crane-2] quay.Crane - other 'b'\n\
         2026-11-18 03:50:00,122 INFO  [crane-1] quay.Crane - second 'c'\n  more of it 'd'\n\
         2026-11-18 03:50:00,123 ERROR [crane-1] quay.Crane - failed 'e'\n{TRACE}\
         2026-11-18 03:50:00,124 INFO  [crane-2] quay.Crane - other 'f'\n\
         2026-11-18 03:50:00,125 INFO  [crane-1] quay.Crane - behind 'g'\n"
    );
    check(&log, &["e", "d", "g", "c", "a"]);
    let of_main = "2026-11-18 03:50:00 INFO [main] a=1\n2026-11-18 03:50:00 INFO [io] a=2\n";
    check(&format!("{of_main}Exception in thread \"main\" {TRACE}"), &["1"]);
}

#[test]
fn lines_without_a_thread_count() {
    check(&format!("12:00:01 INFO lifting 'a'\n12:00:02 INFO lifting 'b'\n{TRACE}"), &["b", "a"]);
    check(&format!("lifting 'a'\n\tat quay.Old.frame1(Old.java:1)\n{TRACE}"), &["a"]);
}

#[test]
fn common_heads_of_records_are_no_values() {
    let boot = "2026-11-18T03:50:00.123+01:00  INFO 8123 --- [quay] [nio-8080-exec-1] q.Crane  : lift 'a'";
    check(&format!("{boot}\n{TRACE}"), &["a"]);
    let elastic = "[2026-11-18T03:50:00,123][WARN ][q.Crane] [node-1] lift 'a'";
    check(&format!("{elastic}\n{TRACE}"), &["a"]);
    check(&format!("Nov 18, 2026 3:50:00 AM quay.Crane lift\nSEVERE: lift 'a'\n{TRACE}"), &["a"]);
}

#[test]
fn lines_are_read_inside_wrappers() {
    let line = "2026-11-18 03:50:00,123 INFO [crane-1] quay.Crane - lift 'a'";
    let docker = |it: &str| json!({ "log": format!("{it}\n"), "stream": "stdout" }).to_string() + "\n";
    let log: String = [line].into_iter().chain(TRACE.lines()).map(docker).collect();
    check(&log, &["a"]);
    check(&format!("crane-1  | {line}\n{TRACE}"), &["a"]);
}

#[test]
fn fields_of_json_records_are_values() {
    let record = |thread: &str, box_id: &str| {
        let fields = json!({ "box": box_id, "weight": 1200 });
        json!({ "message": "lifting", "level": "INFO", "thread_name": thread, "mdc": fields }).to_string()
    };
    let crash =
        json!({ "message": "failed for 'z'", "thread_name": "crane-1", "stack_trace": TRACE, "box": "d" });
    let log = [record("crane-2", "b"), record("crane-1", "c"), crash.to_string()].join("\n");
    check(&log, &["z", "d", "c", "1200"]);
    // A document over several lines is read as lines, whose names are quoted texts.
    let document = json!({ "event": { "box": "e" }, "stack": TRACE });
    check(&serde_json::to_string_pretty(&document).expect("JSON"), &["box", "e", "event"]);
}

#[test]
fn hostile_lines_cost_little() {
    let log = ["{", "[", "\"", "a=", "'"].map(|it| it.repeat(50_000)).join("\n") + "\n" + TRACE;
    let parsed = parse(log.as_bytes());
    let crash = parsed.crashes.first().expect("a crash");
    assert!(values_around(log.as_bytes(), crash, 50).len() <= 50);
    assert!(values_around(b"", crash, 50).is_empty(), "a crash of another log");
}

/// Checks the calls of a log, each as `class method arguments`.
fn check_calls(log: &str, expect: &[(&str, &str, &[Option<&str>])]) {
    let calls = recorded_calls(log.as_bytes());
    let found: Vec<RecordedCall> = expect
        .iter()
        .map(|(class, method, arguments)| RecordedCall {
            class: (*class).to_owned(),
            method: (*method).to_owned(),
            arguments: arguments.iter().map(|it| it.map(str::to_owned)).collect(),
        })
        .collect();
    assert_eq!(calls, found, "{log}");
}

#[test]
fn calls_are_read_from_reports_as_text() {
    check_calls(
        "━━━ ERROR #5eed0001 ━━━ 2026-11-18 03:50:00.123 thread=crane-1 ━━━\n\
         captured (method args at throw site, via stacktale-agent):\n\
         \x20 Crane.lift(box=K-77, of=[a, b=c], weight=1200)\n\
         repro (throw site, via stacktale-agent):\n\
         \x20 quay.Crane#lift(java.lang.String box, java.util.List of, int weight)\n\
         \x20   box = K-77\n\
         \x20   of = [a, b=c]\n\
         \x20   weight = 1200\n\
         \x20 throws IllegalStateException: closed\n\
         \n\
         stack (distilled, 1 of 1 frames):\n\
         \x20 Crane.lift(Crane.java:4)\n\
         ━━━ END #5eed0001 ━━━\n",
        &[
            ("Crane", "lift", &[Some("K-77"), Some("[a, b=c]"), Some("1200")]),
            ("quay.Crane", "lift", &[Some("K-77"), Some("[a, b=c]"), Some("1200")]),
        ],
    );
}

#[test]
fn calls_are_read_from_reports_as_json() {
    let captured = ["Crane.lift(arg0=a, b, arg1=cut…)", "Crane.lift(arg0=a) b (, arg1=2)", "Crane.park()"];
    let report = json!({ "type": "report", "thread": "crane-1", "captured": captured }).to_string();
    let expect: [(&str, &str, &[Option<&str>]); 3] = [
        ("Crane", "lift", &[Some("a, b"), None]),
        ("Crane", "lift", &[Some("a) b ("), Some("2")]),
        ("Crane", "park", &[]),
    ];
    check_calls(&format!("{{\"type\":\"header\"}}\n{report}\n{{torn"), &expect);
    check_calls(&format!("{TRACE}{report}\n"), &expect);
    check_calls(&json!({ "log": report, "stream": "stdout" }).to_string(), &expect);
    check_calls(TRACE, &[]);
}

#[test]
fn calls_are_of_a_class_with_its_package_or_without() {
    let call = RecordedCall { class: "Crane".to_owned(), method: "lift".to_owned(), arguments: Vec::new() };
    assert!(call.is_of("quay.Crane", "lift") && !call.is_of("quay.Crane", "park"));
    let call = RecordedCall { class: "quay.Crane".to_owned(), ..call };
    assert!(call.is_of("quay.Crane", "lift") && !call.is_of("dock.Crane", "lift"));
}
