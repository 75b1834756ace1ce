//! JUnit's report about a run.

use std::fs;
use std::path::Path;

use crashback_trace::Crash;

use super::{Run, died};

/// Reads the output of `JUnitCore`; none if JUnit did not come to an end.
pub(super) fn read_text(output: &[u8], is_success: bool) -> Option<Run> {
    let text = String::from_utf8_lossy(output);
    if is_success {
        return text.contains("\nOK (").then_some(Run::Passed);
    }
    // The program may print too, but only before JUnit sums up.
    let (_, failures) = text.rsplit_once("\nThere was ").or_else(|| text.rsplit_once("\nThere were "))?;
    let (_, first) = failures.split_once("\n1) ")?;
    let (_, trace) = first.split_once('\n')?;
    let end = trace.rfind("\nFAILURES!!!")?;
    Some(threw(&untrimmed(trace.get(..end)?)))
}

/// JUnit 4.13 leaves its own frames out of an exception with a cause and says how many, but not out
/// of the counts `... n more` of the causes below, which `Throwable.printStackTrace` made of all
/// frames.
fn untrimmed(trace: &str) -> String {
    let count = |line: &str, end: &str| {
        line.trim().strip_prefix("... ")?.strip_suffix(end)?.trim().parse::<usize>().ok()
    };
    let mut trimmed = 0;
    let mut lines = Vec::new();
    for line in trace.lines() {
        if let Some(number) = count(line, "trimmed") {
            // It counts the line of the message as a frame.
            trimmed = number + 1;
            continue;
        }
        match count(line, "more").filter(|_| trimmed > 0) {
            Some(number) if number > trimmed => lines.push(format!("\t... {} more", number - trimmed)),
            Some(number) if number == trimmed => {}
            _ => lines.push(line.to_owned()),
        }
    }
    lines.join("\n")
}

/// Reads the report of a test that the JUnit Platform ran (`Gate.java`); none if no test was found, or
/// the report ends in the middle: the JVM goes on when the disk is full.
pub(super) fn read_report(file: &Path) -> Option<Run> {
    let text = fs::read(file).ok()?;
    let text = String::from_utf8_lossy(&text);
    let (kind, rest) = text.strip_suffix("end\n")?.split_once('\n')?;
    match kind {
        "passed" => Some(Run::Passed),
        "threw" => rest.split_once('\n').map(|(class, trace)| threw(&headed(trace, class))),
        _ => None,
    }
}

/// A trace that begins with the class of its exception. Exceptions may call themselves what they
/// like (`Throwable.toString`), and a trace begins with that.
fn headed(trace: &str, class: &str) -> String {
    if trace.starts_with(class) {
        return trace.to_owned();
    }
    let frames = trace.find("\n\tat ").and_then(|it| trace.get(it..)).unwrap_or_default();
    format!("{class}{frames}")
}

fn threw(trace: &str) -> Run {
    let crash: Option<Crash> = crashback_trace::parse(trace.as_bytes()).crashes.into_iter().next();
    crash.map_or_else(
        || died(&format!("JUnit reported what is no stack trace: {trace}")),
        |it| Run::Threw(Box::new(it)),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const THREW: &str = "threw\na.Failure\nFailure[x]: y\nand z\n\tat a.B.c(B.java:3)\nend\n";

    fn read(text: &str) -> Option<Run> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("report");
        fs::write(&file, text).unwrap();
        read_report(&file)
    }

    #[test]
    fn the_class_is_known_whatever_the_exception_calls_itself() {
        let Some(Run::Threw(crash)) = read(THREW) else { panic!("a failure") };
        let (_, thrown) = crash.cause_chain().next().unwrap();
        assert_eq!((thrown.class.as_str(), thrown.frames.len()), ("a.Failure", 1));
    }

    #[test]
    fn a_report_that_ends_in_the_middle_is_none() {
        for whole in [THREW, "passed\nend\n"] {
            assert!(read(whole).is_some());
            for end in 0..whole.len() {
                assert_eq!(read(&whole[..end]), None, "{}", &whole[..end]);
            }
        }
        assert_eq!(read("not found\nend\n"), None);
    }
}
