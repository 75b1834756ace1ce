//! The result as JUnit XML: a test case for each target frame.
//!
//! Invariant: the file tells of a failure or an error if and only if the exit code is not 0.

use std::time::Duration;

use crashback::{Attempt, Error};
use crashback_reproduce::{FrameResult, Outcome, Stage};
use quick_junit::{NonSuccessKind, Report, SerializeError, TestCase, TestCaseStatus, TestSuite};

use crate::reproduce::{End, outcome_words};

/// The file's text. `log` names the log.
pub(super) fn render(end: &End, log: &str) -> Result<String, SerializeError> {
    let mut suite = TestSuite::new(log);
    if let Some(attempt) = &end.attempt {
        suite.set_time(seconds(attempt.reproduction.seconds));
        suite.add_test_cases(attempt.reproduction.frames.iter().map(|it| case(it, attempt)));
    }
    if let Some(error) = &end.error {
        suite.add_test_case(failed(error));
    }
    let mut report = Report::new("crashback");
    report.add_test_suite(suite);
    report.to_string()
}

fn case(frame: &FrameResult, attempt: &Attempt) -> TestCase {
    let reproduction = &attempt.reproduction;
    let is_reproduced = frame.outcome == Stage::Reproduced;
    let status = match (is_reproduced, reproduction.verdict()) {
        (true, _) => TestCaseStatus::success(),
        (false, Outcome::NotReproduced) => {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            status.set_type("not-reproduced").set_message(words(frame));
            status
        }
        // The crash is reproduced, though not up to this frame, or the error says more.
        (false, Outcome::Reproduced | Outcome::Interrupted) => {
            let mut status = TestCaseStatus::skipped();
            status.set_message(words(frame));
            status
        }
    };
    let mut case = TestCase::new(format!("frame {}: {}", frame.level, frame.frame), status);
    case.set_classname(&attempt.exception);
    case.set_time(seconds(frame.found_after.unwrap_or_default()));
    if let Some(test) = reproduction.test.as_ref().filter(|_| Some(frame.level) == reproduction.frame) {
        case.set_system_out(&test.source);
    }
    case
}

/// The command itself, which failed.
fn failed(error: &Error) -> TestCase {
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
    status.set_type(error.kind.name()).set_message(error.to_string());
    let mut case = TestCase::new("crashback reproduce", status);
    case.set_classname("crashback");
    case
}

/// How far the search of a frame came, and its obstacle.
fn words(frame: &FrameResult) -> String {
    let obstacle = frame.obstacle.as_deref().map(|it| format!(": {it}")).unwrap_or_default();
    format!("{}{obstacle}", outcome_words(frame.outcome))
}

fn seconds(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or_default()
}
