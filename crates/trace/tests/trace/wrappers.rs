//! Any crash reads the same inside any wrapper that a transport may put around it, and inside two of them.

use crashback_trace::{Crash, Location, Mapping, Throwable, parse};
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::json;

use crate::properties::{crash, exception_class, frame};

/// A name, for messages, and the text of a log with its wrapper.
type Wrapper = (&'static str, fn(&str) -> String);

/// Wrappers around each line.
const OF_LINES: &[Wrapper] = &[
    ("docker", |text| {
        each(text, |line| json!({ "log": format!("{line}\n"), "stream": "stderr" }).to_string())
    }),
    ("docker compose", |text| each(text, |line| format!("till-1  | {line}"))),
    ("cri", |text| each(text, |line| format!("2026-11-18T03:53:15.1Z stderr F {line}"))),
    ("kubectl timestamps", |text| each(text, |line| format!("2026-11-18T03:53:15.123456789Z {line}"))),
    ("kubectl prefix", |text| each(text, |line| format!("[pod/till-7d9/till] {line}"))),
    ("journal", |text| each(text, |line| format!("Nov 18 03:53:15 quay till[812]: {line}"))),
    ("syslog 3164", |text| each(text, |line| format!("<11>Nov  8 03:53:15 quay till: {line}"))),
    ("syslog 5424", |text| {
        each(text, |line| format!("<11>1 2026-11-18T03:53:15.003Z quay till 812 - [o ip=\"::1\"] {line}"))
    }),
    ("rsyslog", |text| {
        let line = |line: &str| {
            let escaped = line.replace('\t', "#011");
            format!("2026-11-18T03:53:15.123456+00:00 quay till[812]: {escaped}")
        };
        each(text, line)
    }),
    ("journal as json", |text| each(text, |line| json!({ "MESSAGE": line, "_PID": "812" }).to_string())),
    ("cloud record", |text| {
        each(text, |line| json!({ "textPayload": line, "timestamp": "2026-11-18T03:53:15Z" }).to_string())
    }),
    ("threadtime", |text| {
        each(text, |line| format!("11-18 03:53:15.123  8120  8127 E AndroidRuntime: {line}"))
    }),
    ("brief", |text| each(text, |line| format!("E/AndroidRuntime( 8120): {line}"))),
    ("studio", |text| {
        each(text, |line| format!("2026-11-18 03:53:15.123  8120-8127  AndroidRuntime  quay.till  E  {line}"))
    }),
    ("mail", |text| each(text, |line| format!("> {line}"))),
    ("dropwizard", |text| each(text, |line| format!("! {line}"))),
    ("carriage returns", |text| each(text, |line| format!("{line}\r"))),
    ("colours", |text| each(text, |line| format!("\u{1b}[31m{line}\u{1b}[0m"))),
];

/// Wrappers around a whole trace.
const OF_TRACES: &[Wrapper] = &[
    ("stack_trace", |text| record(json!({ "level": "ERROR", "message": "failed", "stack_trace": text }))),
    ("ecs", |text| record(json!({ "@timestamp": "2026-11-18", "error": { "stack_trace": text } }))),
    ("ecs list", |text| record(json!({ "error": { "stack_trace": text.lines().collect::<Vec<_>>() } }))),
    ("gelf", |text| record(json!({ "version": "1.1", "short_message": "x", "full_message": text }))),
    ("datadog", |text| record(json!({ "error.stack": text, "error.kind": "x", "dd": { "env": "quay" } }))),
    ("repeated", |text| record(json!({ "message": format!("failed\n{text}"), "stack": text }))),
    ("json in json", |text| {
        record(json!({ "log": json!({ "stack": text }).to_string(), "stream": "stdout" }))
    }),
    ("pretty", |text| serde_json::to_string_pretty(&json!({ "a": 1, "stack": text })).unwrap()),
    ("page", |text| {
        let escaped = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        format!(
            "<!DOCTYPE html>\n<html><body><p>It fails:</p><pre><code>{escaped}</code></pre></body></html>\n"
        )
    }),
    ("breaks", |text| {
        let escaped = text.replace('<', "&#60;").replace('\t', "&nbsp;&nbsp;").replace('\n', "<br>");
        format!("<div>{escaped}</div>")
    }),
    ("line separators", |text| text.trim_end().replace('\n', "\u{2028}") + "\n"),
    ("octal escapes", |text| {
        let escaped = text.replace('\n', "#012").replace('\t', "#011");
        format!("Nov 18 03:53:15 quay till[812]: {escaped}\n")
    }),
];

fn each(text: &str, wrap: impl Fn(&str) -> String) -> String {
    text.lines().map(|line| wrap(line) + "\n").collect()
}

fn record(value: serde_json::Value) -> String {
    format!("{value}\n")
}

/// The crashes of a log as text.
fn read(log: &str) -> Vec<String> {
    parse(log.as_bytes()).crashes.iter().map(Crash::to_string).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn wrappers_change_nothing(crash in crash()) {
        let text = crash.to_string();
        for (name, wrap) in OF_LINES.iter().chain(OF_TRACES) {
            let wrapped = wrap(&text);
            prop_assert_eq!(read(&wrapped), [text.clone()], "{}: {}", name, wrapped);
        }
    }

    /// A container runtime around the wrapper of a logging framework.
    #[test]
    fn wrappers_may_lie_around_each_other(
        crash in crash(),
        outer in 0..OF_LINES.len(),
        inner in 0..OF_TRACES.len(),
    ) {
        let text = crash.to_string();
        let (inner_name, inner) = OF_TRACES[inner];
        let (outer_name, outer) = OF_LINES[outer];
        let wrapped = outer(&inner(&text));
        // A page or a value over several lines must be the whole log.
        prop_assume!(!matches!(inner_name, "page" | "breaks" | "pretty"));
        prop_assume!(outer_name != "rsyslog" || !text.contains("#01"));
        prop_assert_eq!(read(&wrapped), [text], "{} in {}: {}", inner_name, outer_name, wrapped);
    }

    /// Container runtimes cut long lines; the pieces are put together again, those of two streams apart.
    #[test]
    fn cut_lines_are_joined(crash in crash(), cuts in vec(1..20usize, 1..40)) {
        let text = crash.to_string();
        let mut wrapped = String::new();
        for (line, cut) in text.lines().zip(cuts.iter().cycle()) {
            let at = line.char_indices().nth(*cut).map_or(line.len(), |(at, _)| at);
            let (begin, end) = line.split_at(at);
            wrapped += &format!("2026-11-18T03:53:15.1Z stderr P {begin}\n");
            wrapped += "2026-11-18T03:53:15.1Z stdout P 2026-11-18 INFO \n";
            wrapped += &format!("2026-11-18T03:53:15.1Z stderr F {end}\n");
        }
        prop_assert_eq!(read(&wrapped), [text], "{}", wrapped);
    }

    /// A trace without its line ends, whatever stands in their place.
    #[test]
    fn folded_traces_are_unfolded(
        class in exception_class(),
        message in "[a-z]{1,9}( [a-z]{1,9}){0,3}",
        frames in vec(frame(), 2..6),
        cause in exception_class(),
        inner in vec(frame(), 1..4),
        gap in prop::sample::select(vec![" ", "  ", "    ", "\t", " \t"]),
        before in prop::sample::select(vec!["", "2026-11-18 03:53:15 ERROR [main] till: "]),
    ) {
        // Without a location that cannot be mistaken there is no telling a frame from text.
        let certain = |frames: &[crashback_trace::Frame]| frames.iter().all(|it| it.location != Location::Absent);
        prop_assume!(certain(&frames) && certain(&inner));
        let lines: Vec<String> = [format!("{class}: {message}")].into_iter()
            .chain(frames.iter().map(|it| format!("at {it}")))
            .chain([format!("Caused by: {cause}: {message}")])
            .chain(inner.iter().map(|it| format!("at {it}")))
            .chain(["... 1 more".to_owned()])
            .collect();
        let folded = format!("{before}{}\n", lines.join(gap));
        let unfolded: String = lines.iter().map(|line| format!("{line}\n")).collect();
        prop_assert_eq!(read(&folded), read(&unfolded), "{}", folded);
        prop_assert_eq!(read(&unfolded).len(), 1);
    }

    /// An event of an error tracker, and a layout of a logging framework, hold what the text holds.
    #[test]
    fn objects_hold_the_same_as_text(class in exception_class(), frames in vec(frame(), 1..8), line in any::<bool>()) {
        let plain = |it: &crashback_trace::Frame| crashback_trace::Frame {
            class: it.class.clone(), method: it.method.clone(), location: it.location.clone(), ..Default::default()
        };
        let frames: Vec<_> = frames.iter().map(plain).filter(|it| it.file().is_some()).collect();
        prop_assume!(!frames.is_empty());
        let object = |it: &crashback_trace::Frame, names: [&str; 4]| {
            let mut object = json!({ names[0]: it.class, names[1]: it.method, names[2]: it.file() });
            if let Some(line) = it.line() {
                object[names[3]] = json!(line);
            }
            object
        };
        let sentry: Vec<_> = frames.iter().rev().map(|it| object(it, ["module", "function", "filename", "lineno"])).collect();
        let log4j: Vec<_> = frames.iter().map(|it| object(it, ["class", "method", "file", "line"])).collect();
        let (package, simple) = class.rsplit_once('.').unwrap();
        let events = [
            json!({ "exception": { "values": [
                { "type": simple, "module": package, "value": "x", "stacktrace": { "frames": sentry } },
            ] } }),
            json!({ "thrown": { "name": class, "message": "x", "extendedStackTrace": log4j } }),
        ];
        let throwable = Throwable { class: class.clone(), message: Some("x".to_owned()), frames, ..Throwable::default() };
        let expected: String = std::iter::once(format!("{throwable}\n"))
            .chain(throwable.frames.iter().map(|it| format!("\tat {it}\n")))
            .collect();
        for event in events {
            let text = if line { event.to_string() } else { serde_json::to_string_pretty(&event).unwrap() };
            prop_assert_eq!(read(&text), [expected.clone()], "{}", text);
        }
    }

    /// Any mapping can be applied to any crash, and one that renames nothing changes nothing.
    #[test]
    fn any_mapping_can_be_applied(crash in crash(), lines in vec(mapping_line(), 0..20)) {
        let mut log = parse(crash.to_string().as_bytes());
        if let Some(mapping) = Mapping::read(lines.concat().into_bytes()) {
            mapping.apply(&mut log);
        }
        let mut same = parse(crash.to_string().as_bytes());
        Mapping::read(b"other.Name -> other.Name:\n    void f() -> f\n".to_vec()).unwrap().apply(&mut same);
        prop_assert_eq!(same, parse(crash.to_string().as_bytes()));
    }
}

fn mapping_line() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z]\\.[A-Z]{1,2} -> [a-z]\\.[A-Z]:\n",
        "    [0-9]{1,2}:[0-9]{1,2}:void [a-z]\\([a-z]{0,3}\\):[0-9]{1,2}(:[0-9]{1,2})? -> [a-z]\n",
        "    void [a-z]\\(\\) -> [a-z]\n",
        "# [{}a-z\":]{0,20}\n",
    ]
}

const MAPPING: &str = "\
harbour.crane.Winch -> a.a:
# {\"id\":\"sourceFile\",\"fileName\":\"Winch.kt\"}
    1:1:void check(int):40:40 -> a
    1:1:void pull(int):31 -> a
    2:2:void pull(int):33:33 -> a
    5:9:void <init>():10:14 -> <init>
harbour.crane.Overload -> a.b:
    void <init>() -> <init>
";

/// Lines that R8 numbers itself, a call that was inlined, and the class of the exception.
#[test]
fn a_mapping_puts_names_lines_and_inlined_calls_back() {
    let text = "\
a.b: 12 tons
\tat a.a.a(SourceFile:1)
\tat a.a.<init>(Unknown Source:6)
\tat harbour.Main.main(Main.java:4)
Caused by: java.lang.IllegalStateException
\tat a.a.a(SourceFile:2)
\t... 2 more
";
    let mut log = parse(text.as_bytes());
    Mapping::read(MAPPING.as_bytes().to_vec()).unwrap().apply(&mut log);
    let expected = "\
harbour.crane.Overload: 12 tons
\tat harbour.crane.Winch.check(Winch.kt:40)
\tat harbour.crane.Winch.pull(Winch.kt:31)
\tat harbour.crane.Winch.<init>(Winch.kt:11)
\tat harbour.Main.main(Main.java:4)
Caused by: java.lang.IllegalStateException
\tat harbour.crane.Winch.pull(Winch.kt:33)
\t... 2 more
";
    assert_eq!(log.crashes.iter().map(Crash::to_string).collect::<Vec<_>>(), [expected]);
}

#[test]
fn a_text_that_is_no_mapping_is_refused() {
    for text in ["", "java.lang.Error: x\n\tat a.B.c(B.java:1)\n", "\u{0}\u{1}"] {
        assert!(Mapping::read(text.as_bytes().to_vec()).is_none(), "{text:?}");
    }
}

/// Docker cuts at 16 KiB, without saying so.
#[test]
fn lines_that_docker_cut_are_joined() {
    let message = "x".repeat(20_000);
    let line = format!("java.lang.IllegalStateException: {message}\n");
    let (begin, end) = line.split_at(16 << 10);
    let records: String = [begin, end, "\tat a.B.c(B.java:1)\n"]
        .map(|piece| {
            format!("{}\n", json!({ "log": piece, "stream": "stdout", "time": "2026-11-18T03:53:15Z" }))
        })
        .concat();
    let log = parse(records.as_bytes());
    assert_eq!(log.crashes.len(), 1, "{:?}", log.problems);
    assert_eq!(log.crashes[0].throwables[0].message.as_deref(), Some(message.as_str()));
    assert_eq!(log.crashes[0].time.as_deref(), Some("2026-11-18T03:53:15Z"));
}

/// The project's frames, as an error tracker marks them, and the thread of causes.
#[test]
fn an_event_tells_the_project_and_its_causes() {
    let frame = |class: &str, in_app: bool| json!({ "module": class, "function": "f", "filename": "A.java", "lineno": 7, "in_app": in_app });
    let event = json!({ "timestamp": 1_795_000_000, "exception": { "values": [
        { "type": "IOException", "module": "java.io", "value": "suppressed",
          "mechanism": { "type": "suppressed", "exception_id": 2, "parent_id": 0 },
          "stacktrace": { "frames": [frame("a.Close", true)] } },
        { "type": "Error", "module": "java.lang", "mechanism": { "exception_id": 1, "parent_id": 0 },
          "stacktrace": { "frames": [frame("a.Outer", true), frame("lib.Inner", false)] } },
        { "type": "Failure", "module": "a", "value": "outer", "mechanism": { "exception_id": 0 },
          "stacktrace": { "frames": [frame("a.Outer", true)] } },
    ] } });
    let log = parse(event.to_string().as_bytes());
    let [crash] = &log.crashes[..] else { panic!("{log:?}") };
    assert_eq!(crash.time.as_deref(), Some("1795000000"));
    let chain: Vec<&str> = crash.cause_chain().map(|(_, it)| it.class.as_str()).collect();
    assert_eq!(chain, ["a.Failure", "java.lang.Error"]);
    let outermost = crash.outermost().unwrap();
    assert_eq!(crash.get(outermost.suppressed[0]).unwrap().class, "java.io.IOException");
    let cause = crash.root_cause().unwrap();
    let marks: Vec<_> = cause.frames.iter().map(|it| (it.class.as_str(), it.in_app)).collect();
    assert_eq!(marks, [("lib.Inner", Some(false)), ("a.Outer", Some(true))]);
}

/// The time of a crash is that of its wrapper, of its line, or of the record before it.
#[test]
fn crashes_have_the_time_of_their_record() {
    let trace = "java.lang.Error: x\n\tat a.B.c(B.java:1)\n";
    let records = [
        ("2026-11-18 03:53:15,123 ERROR [main] till - failed\n", "2026-11-18 03:53:15,123"),
        ("[2026-11-18T03:53:15.123+01:00] failed\n", "2026-11-18T03:53:15.123+01:00"),
        ("ERROR [2026-11-18 03:53:15,123] till: failed\n", "2026-11-18 03:53:15,123"),
        ("Nov 18, 2026 3:53:15 AM till.Till open\nSEVERE: failed\n", "Nov 18, 2026 3:53:15 AM"),
        ("18-Nov-2026 03:53:15.123 SEVERE [main] till\n", "18-Nov-2026 03:53:15.123"),
        ("03:53:15.123 [main] ERROR till - failed\n", "03:53:15.123"),
        ("18.11.2026 03:53:15 - failed\n", "18.11.2026 03:53:15"),
        ("2026-11-18 03:53:15 ERROR ", "2026-11-18 03:53:15"),
        ("2026-11-18T03:53:15.1Z stderr F x\n2026-11-18T03:53:16.1Z stderr F ", "2026-11-18T03:53:16.1Z"),
    ];
    for (before, time) in records {
        let log = parse(format!("{before}{trace}").as_bytes());
        assert_eq!(log.crashes[0].time.as_deref(), Some(time), "{before}");
    }
    assert_eq!(parse(trace.as_bytes()).crashes[0].time, None);
}
