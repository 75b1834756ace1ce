//! How a finding is written down.

use crashback_emit::junit::JUnit;
use crashback_emit::source::{
    Expectation, Mode, Received, Request, TestSource, free_class_name, method_name, write as write_source,
};
use crashback_protocol::Receiver;
use crashback_testcase::{TestCase, Vocabulary};
use crashback_trace::{Cycle, Frame, Relaxation};

use crate::{Case, Degree};

/// How a test shows the crash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Style<'a> {
    /// Where the exception is to be seen.
    pub(crate) degree: Degree,
    /// Who receives it, if it does not leave the test by itself.
    pub(crate) receiver: Option<Receiver>,
    /// The test passes as long as this leaves it, instead of failing with it.
    pub(crate) expects: Option<Expected<'a>>,
    /// The class of another test of the same package.
    pub(crate) beside: Option<&'a str>,
}

/// What leaves a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Expected<'a> {
    /// Its class.
    pub(crate) thrown: &'a str,
    /// How many causes below it the crash is.
    pub(crate) cause: usize,
}

/// The source of a test that reproduces a crash at a level.
pub(crate) fn write(
    case: Case<'_>,
    test: &TestCase,
    vocabulary: &Vocabulary,
    package: &str,
    level: u32,
    junit: JUnit,
    style: Style<'_>,
) -> crashback_emit::Result<TestSource> {
    let frames = case.throwable.frames.get(..level as usize).unwrap_or(&case.throwable.frames);
    let target = frames.last().map(|it| it.class.replace('.', "/")).unwrap_or_default();
    let index = case.classes.index();
    let mut class = free_class_name(index, package, &target);
    if style.beside == Some(class.as_str()) {
        let top_level = target.split('$').next().unwrap_or_default();
        class = free_class_name(index, package, &format!("{top_level}Outer"));
    }
    let exception = case.audit.exception_class.as_deref().unwrap_or(&case.throwable.class);
    let method = frames.last().map_or_else(|| "crashes".to_owned(), |it| method_name(it, exception));
    let counted = counted(case, frames);
    let mode = match style.expects {
        None => Mode::Fails,
        Some(Expected { thrown, cause }) => {
            Mode::Expects(Expectation { thrown, cause, exception, frames: &counted })
        }
    };
    let receiver = style.receiver.filter(|_| style.degree == Degree::Caught);
    let received = receiver.map(|it| match it {
        Receiver::Mock => Received::ByMocks(exception),
        Receiver::Test => Received::ByTest,
        Receiver::Logger(logging) => Received::ByLogger(logging, exception),
    });
    let comment = comment(case, frames, style);
    let (class, method) = (class.as_str(), method.as_str());
    write_source(
        test,
        vocabulary,
        case.classes,
        &Request { package, class, method, junit, mode, received, comment: &comment },
    )
}

/// The frames without those that traces of tests lack because the class path does.
fn counted(case: Case<'_>, frames: &[Frame]) -> Vec<Frame> {
    let audited = frames.iter().zip(&case.audit.frames);
    let counted = audited.filter(|(_, it)| it.relaxation != Some(Relaxation::RuntimeFrames));
    counted.map(|(frame, _)| frame.clone()).collect()
}

/// The part of the stack trace that the test reproduces, as the log has it.
fn comment(case: Case<'_>, frames: &[Frame], style: Style<'_>) -> Vec<String> {
    let message = case.throwable.message.as_deref().map(|it| format!(": {}", first_line(it)));
    let head = format!("{}{}", case.throwable.class, message.unwrap_or_default());
    let words = match (style.degree, style.receiver) {
        (Degree::Escapes, _) => "Reproduces:",
        (Degree::Cause, _) => "Reproduces, as a cause of what leaves the test because the program wraps it:",
        (Degree::Caught, Some(Receiver::Test)) => {
            "Reproduces, as an exception that the program catches and keeps; the test throws it in the end:"
        }
        (Degree::Caught, Some(Receiver::Logger(_))) => {
            "Reproduces, as an exception that the program catches and logs; the test throws it in the end:"
        }
        (Degree::Caught, _) => {
            "Reproduces, as an exception that the program catches and gives to a mock; the test \
             throws it in the end:"
        }
    };
    let mut lines = vec![words.to_owned(), head];
    let cycle = case.throwable.cycle.as_ref();
    // All frames of a cycle are reproduced or none is.
    let shown = frames.len().max(cycle.map_or(0, Cycle::frames)).min(case.throwable.frames.len());
    for (number, frame) in (1..).zip(case.throwable.frames.iter().take(shown)) {
        lines.push(format!("    at {frame}"));
        lines.extend(cycle.filter(|it| it.frames() == number).map(and_so_on));
    }
    let above = case.throwable.frames.len() - shown;
    match above {
        0 => {}
        1 => lines.push("    (1 frame above is not reproduced)".to_owned()),
        _ => lines.push(format!("    ({above} frames above are not reproduced)")),
    }
    if case.audit.needs_assertions {
        lines.push("Run it with assertions enabled (java -ea).".to_owned());
    }
    lines
}

/// What a comment says of a cycle below its second round.
fn and_so_on(cycle: &Cycle) -> String {
    match cycle.length {
        1 => "    (and so on: the frame repeats itself until the stack overflows)".to_owned(),
        length => format!("    (and so on: the {length} frames repeat themselves until the stack overflows)"),
    }
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}
