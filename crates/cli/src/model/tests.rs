//! Tests that are run for the calls that they make.

use std::ffi::OsStr;

use crashback::{Error, ObservedTests, Program, Reason, Session, TestRuns, TestSummary};
use crashback_classpath::split;

use crate::args::ModelTestArguments;
use crate::output;
use crate::program::absolute;

/// How many tests that were given up are named.
const MOST_NAMED: usize = 10;

/// Runs tests as the arguments ask for it.
pub(super) fn observe(
    program: &Program,
    order: usize,
    arguments: &ModelTestArguments,
    session: Session,
) -> Result<ObservedTests, Error> {
    let session = Session { without_sandbox: arguments.sandbox.unsafe_no_sandbox, ..session };
    let class_path = arguments.test_classpath.iter().flat_map(|it| split(OsStr::new(it)));
    let wanted = TestRuns {
        class_path: class_path.map(|it| absolute(&it)).collect(),
        time: arguments.test_time,
        touching: arguments.touching.iter().map(|it| it.replace('.', "/")).collect(),
    };
    let observed = session.observe_tests(program, order, &wanted)?;
    if !wanted.touching.is_empty() && observed.summary.touching == 0 {
        let classes = arguments.touching.join(", ");
        output::tell(&format!("crashback: no test names {classes}; tests ran in the order of their names"));
    }
    Ok(observed)
}

/// What became of the tests, for people.
pub(super) fn text(summary: &TestSummary) -> String {
    let TestSummary { run, failed, forbidden, test_classes, sequences, seconds, .. } = summary;
    let mut text = format!(
        "{test_classes} classes with tests: {run} tests ran in {seconds:.1} s and made {sequences} of the \
         sequences\n"
    );
    if *failed > 0 {
        text.push_str(&format!("  {failed} tests failed, {forbidden} of them for want of permission\n"));
    }
    for (reason, words) in [
        (Reason::Hangs, "took too long"),
        (Reason::EndsJvm, "ended the JVM"),
        (Reason::Unusable, "could not be run"),
    ] {
        let all: Vec<_> = summary.given_up.iter().filter(|it| it.reason == reason).collect();
        if all.is_empty() {
            continue;
        }
        text.push_str(&format!("  {} {words}:\n", all.len()));
        for it in all.iter().take(MOST_NAMED) {
            text.push_str(&format!("    {}: {}\n", it.test, it.words));
        }
        if all.len() > MOST_NAMED {
            text.push_str(&format!("    and {} more\n", all.len() - MOST_NAMED));
        }
    }
    if summary.unfinished > 0 {
        text.push_str(&format!(
            "  {} classes of tests were not run or not finished: the time was up; give more with \
             --test-time\n",
            summary.unfinished
        ));
    }
    if summary.unchangeable_classes > 0 {
        let classes = summary.unchangeable_classes;
        text.push_str(&format!("  {classes} classes of signed or sealed jars were not observed\n"));
    }
    text
}
