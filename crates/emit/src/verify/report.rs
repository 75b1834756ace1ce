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

/// Reads the XML reports of the console launcher, one for each engine; none if no test is in them,
/// or one of them ends in the middle.
pub(super) fn read_reports(folder: &Path) -> Option<Run> {
    let mut files: Vec<_> = fs::read_dir(folder).ok()?.flatten().map(|it| it.path()).collect();
    files.sort();
    let texts: Vec<String> = files
        .iter()
        .filter_map(|it| fs::read(it).ok())
        .map(|it| String::from_utf8_lossy(&it).into_owned())
        .collect();
    // The JVM goes on when the disk is full, and a failure that is not there would be taken for a
    // success.
    if !texts.iter().all(|it| it.trim_end().ends_with("</testsuite>")) {
        return None;
    }
    let mut with_tests = texts.iter().filter(|it| it.contains("<testcase ")).peekable();
    with_tests.peek()?;
    let failure = with_tests.find_map(|it| failure(it));
    Some(failure.map_or(Run::Passed, |trace| threw(&trace)))
}

/// The stack trace of the first failure of a report. The XML is JUnit's: a trace lies in CDATA
/// sections.
fn failure(xml: &str) -> Option<String> {
    let start = ["<error", "<failure"]
        .iter()
        .filter_map(|it| xml.find(&format!("{it} ")).or_else(|| xml.find(&format!("{it}>"))))
        .min()?;
    let rest = xml.get(start..)?;
    let end = ["</error>", "</failure>"].iter().filter_map(|it| rest.find(it)).min()?;
    let element = rest.get(..end)?;
    let mut sections = element.split("<![CDATA[");
    let class = sections.next().and_then(|it| it.split_once(" type=\"")?.1.split('"').next());
    let trace: String = sections.map(|it| it.rsplit_once("]]>").map_or(it, |(text, _)| text)).collect();
    Some(class.map_or_else(|| trace.clone(), |class| headed(&trace, class)))
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

    #[test]
    fn the_class_is_known_whatever_the_exception_calls_itself() {
        let xml = concat!(
            "<testsuite tests=\"1\"><testcase name=\"a()\"><failure message=\"[x]\" \
             type=\"a.Failure\"><![CDATA[Failure[x]: y\nand z\n",
            "\tat a.B.c(B.java:3)\n]]></failure></testcase></testsuite>"
        );
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("TEST-a.xml"), xml).unwrap();
        let Some(Run::Threw(crash)) = read_reports(folder.path()) else { panic!("a failure") };
        let (_, thrown) = crash.cause_chain().next().unwrap();
        assert_eq!((thrown.class.as_str(), thrown.frames.len()), ("a.Failure", 1));
    }

    #[test]
    fn a_report_that_ends_in_the_middle_is_none() {
        let whole = concat!(
            "<?xml version=\"1.0\"?>\n<testsuite tests=\"1\">\n<testcase name=\"a()\">\n",
            "<error type=\"a.Error\"><![CDATA[a.Error: x\n\tat \
             a.B.c(B.java:3)\n]]></error>\n</testcase>\n</testsuite>\n"
        );
        let folder = tempfile::tempdir().unwrap();
        let read = |text: &str| {
            fs::write(folder.path().join("TEST-a.xml"), text).unwrap();
            read_reports(folder.path())
        };
        assert!(matches!(read(whole), Some(Run::Threw(_))));
        for end in 0..whole.trim_end().len() {
            assert_eq!(read(&whole[..end]), None, "{}", &whole[..end]);
        }
    }
}
