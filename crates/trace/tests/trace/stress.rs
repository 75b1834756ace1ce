//! Logs made to cost time, memory or stack: each must simply be read.

use crashback_trace::{ProblemKind, parse};

const SIZE: usize = 10_000_000;

/// Of each of many patterns; what costs more than linear time already takes minutes with this.
const SMALLER: usize = 2_000_000;

fn repeated(pattern: &str) -> String {
    pattern.repeat(SIZE / pattern.len())
}

#[test]
fn one_endless_line() {
    let patterns = [
        "a",
        "(",
        ")",
        "()",
        ".",
        "a.",
        "at ",
        " at a.b(",
        "\tat a.b(C.java:1)",
        "Exception",
        "java.lang.Error: ",
        "Error ",
        "\"",
        "\\",
        "\\n\\tat ",
        "\\n\\tat a.b(C.java:1)",
        "[",
        "~[",
        "/",
        "a/",
        "$",
        "Exception in thread \"",
        "\" ",
        ":",
        "Caused by: ",
        "... 3 more ",
        "\u{1b}[",
        "\r",
        "\rjava.lang.Error",
        "{\"log\":\"",
        "! ",
        "é",
        " ",
        "\t",
        "0",
        "nested exception is: java.lang.Error ",
        ") at a.b(C.java:1)",
        "at a(",
        ") at ",
        "> ",
        "<",
        "<script>",
        "<pre>",
        "</",
        "&lt;",
        "&",
        "<!--",
        "<![CDATA[",
        "#012#011at ",
        "{\"a\":[",
        "\u{2028}\tat ",
        "... 1 Caused by: ",
    ];
    for pattern in patterns {
        for head in [
            "",
            "at ",
            "java.lang.Error: x\n\tat a.B.c(D.java:1)\n\tat ",
            "{\"log\":\"",
            "Caused by: ",
            "\"\\tat ",
            "<html>",
            "[\n",
            "Nov 18 03:53:15 a b: ",
            "<11>1 a b c d e [",
        ] {
            let log = parse(format!("{head}{}", pattern.repeat(SMALLER / pattern.len())).as_bytes());
            assert!(log.crashes.len() <= 1 + SMALLER / pattern.len(), "{pattern}");
        }
    }
}

#[test]
fn endlessly_many_lines() {
    let patterns = [
        "\n",
        "a\n",
        "java.lang.Error\n",
        "java.lang.Error: x\n",
        "a.B: x\n",
        "Exception in thread \"a\" b.C\n",
        "java.lang.Error: nested exception is:\n",
        "at \n",
        "2024-01-01 x\n",
        "INFO java.lang.Error: x\n",
        "] a.b(C.java:1)\n",
        "{\"log\":\"a\"}\n",
        "{\"a\":\n",
        "2026-11-18T03:53:15.1Z stderr P a\n",
        "...\n",
        "Caused by:\n",
    ];
    for pattern in patterns {
        parse(repeated(pattern).as_bytes());
    }
}

#[test]
fn endlessly_many_causes() {
    let log = parse(
        format!("java.lang.Error\n\tat a.B.c(B.java:1)\n{}", repeated("Caused by: java.lang.Error: x\n"))
            .as_bytes(),
    );
    let [crash] = &log.crashes[..] else { panic!("{} crashes", log.crashes.len()) };
    assert_eq!(crash.cause_chain().count(), 1 + SIZE / "Caused by: java.lang.Error: x\n".len());
    assert_eq!(parse(crash.to_string().as_bytes()).crashes.len(), 1);
}

#[test]
fn endlessly_many_wrappers() {
    let log = parse(
        format!("java.lang.Error\n\tat a.B.c(B.java:1)\n{}", repeated("Wrapped by: a.C: x\n")).as_bytes(),
    );
    assert_eq!(log.crashes.len(), 1);
    assert_eq!(log.crashes[0].cause_chain().count(), 1 + SIZE / "Wrapped by: a.C: x\n".len());
}

#[test]
fn suppressed_ever_deeper() {
    let mut text = "java.lang.Error\n\tat a.B.c(B.java:1)\n".to_owned();
    for depth in 1.. {
        if text.len() > SIZE {
            break;
        }
        text += &format!("{0}Suppressed: java.lang.Error\n{0}\tat a.B.c(B.java:2)\n", "\t".repeat(depth));
    }
    let log = parse(text.as_bytes());
    assert_eq!(log.crashes.len(), 1);
    assert_eq!(log.crashes[0].to_string(), text);
}

/// Every cause asks for all frames of the exception around it: filled in, they would take
/// gigabytes.
#[test]
fn common_frames_without_end() {
    let frames = "\tat a.B.c(B.java:1)\n".repeat(10_000);
    let causes = "Caused by: java.lang.Error\n\t... 10000 more\n".repeat(100_000);
    let log = parse(format!("java.lang.Error\n{frames}{causes}").as_bytes());
    let throwables = &log.crashes[0].throwables;
    assert_eq!(throwables.len(), 100_001);
    let expanded: usize = throwables.iter().map(|throwable| throwable.expanded).sum();
    assert!((10_000..=200_000).contains(&expanded), "{expanded}");
    assert!(log.problems.iter().any(|problem| problem.kind == ProblemKind::ExpansionLimit));
}

#[test]
fn a_huge_message_is_kept_whole() {
    let message = repeated("x");
    let log = parse(format!("java.lang.Error: {message}\n\tat a.B.c(B.java:1)\n").as_bytes());
    assert_eq!(log.crashes[0].outermost().and_then(|throwable| throwable.message.as_ref()), Some(&message));
}
