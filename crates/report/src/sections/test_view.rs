//! The test of a run, and what there is to say about it.

use crashback_campaign::{OuterRecord, Record};
use maud::{Markup, html};

use crate::{java, words};

pub(super) fn section(run: &Record) -> Markup {
    html! {
        div.tested {
            h4 { "Test" }
            @match &run.test_source {
                Some(source) => (test(&file_name(run), source, run.verified)),
                None => p.aside { "No test was found." },
            }
            (named("Doubts", run.doubts.as_deref(), "none", &doubt))
            @let exact = "none: the trace agrees to the letter";
            (named("Relaxations", run.relaxations.as_deref(), exact, &relaxation))
            (unverified(run))
            @if let Some(outer) = &run.outer { (further_up(outer)) }
        }
    }
}

fn file_name(run: &Record) -> String {
    format!("{}.java", words::simple_name(run.test_class.as_deref().unwrap_or_default()))
}

/// The test of a frame above.
fn further_up(outer: &OuterRecord) -> Markup {
    let title = format!("Frame {}", outer.frame);
    html! {
        h4 { "Test further up" }
        p.aside { "Where the exception " (words::degree(&outer.degree)) "." }
        (test(&title, &outer.test_source, true))
        (named("Doubts", Some(&outer.doubts), "none", &doubt))
    }
}

fn test(name: &str, source: &str, verified: bool) -> Markup {
    html! {
        figure.test {
            figcaption {
                code { (name) }
                @if !verified { " (not verified)" }
                button.copy type="button" hidden { "Copy" }
            }
            pre tabindex="0" aria-label="Source of the test" {
                code { (java::highlighted(source.trim_end())) }
            }
        }
    }
}

/// Names from the records with their meaning.
fn named(
    title: &str,
    names: Option<&[String]>,
    none: &str,
    meaning: &dyn Fn(&str) -> &'static str,
) -> Markup {
    html! {
        @if let Some(names) = names {
            div.named {
                h4 { (title) @if names.is_empty() { ": " span { (none) } } }
                @if !names.is_empty() {
                    ul { @for name in names { li { code { (name) } " " (meaning(name)) } } }
                }
            }
        }
    }
}

fn unverified(run: &Record) -> Markup {
    html! {
        @if !run.unverified_reasons.is_empty() {
            details.unverified {
                summary {
                    (words::things(run.unverified_reasons.len(), "test", "tests"))
                    " crashed in a worker but not in a plain JVM"
                }
                ul { @for reason in &run.unverified_reasons { li { (reason) } } }
            }
        }
    }
}

/// The meaning of a doubt; later versions may know more of them.
fn doubt(name: &str) -> &'static str {
    match name {
        "other-cause" => "the message names another null or cast than the log",
        "made-up" => "the crash needs a value or exception that only a stub returns",
        "mock-default" => "the crash may rest on the default answer of a mock",
        "broken-invariant" => "objects are changed through members that are not public",
        "leaf-guard" => "the innermost method is called with plain values, though the log has its caller",
        "not-minimised" => "statements may be needless",
        _ => "",
    }
}

/// The meaning of a relaxation.
fn relaxation(name: &str) -> &'static str {
    match name {
        "shifted-line" => "a nearby line stands for a logged line that cannot be right",
        "constructor-line" => "the exception's constructor is called on another line of the statement",
        "library-lines" => "frames of a library of another build agree by class and method",
        "library-frames" => "a library of another build has frames that the log lacks",
        "runtime-frames" => "frames of loaders, agents or containers are passed over",
        "moved-lines" => "the log is of another version of the program",
        "other-exception" => "another exception of the cause chain is reproduced",
        "assertions" => "assertions are enabled",
        "class-path-order" => "a fitting copy of a class was put first on the class path",
        "cycle" => "the stack overflows in the same cycle of calls",
        _ => "",
    }
}
