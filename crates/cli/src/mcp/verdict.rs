//! The verdict of a search in words, complete without the structured result: some clients show a model
//! nothing else.

use crashback::Reproduction;
use crashback_reproduce::{Degree, ObstacleKind, Outcome};

use super::inputs::Words;
use crate::log::Source;
use crate::reproduce::End;

/// Frames for which hints are written out; the structured result has all.
const MAX_HINTS: usize = 4;

/// The result of a search: the text of the command, and what agents need beyond it. Empty if there was no
/// search; the error says why.
pub(super) fn text(end: &End, has_destination: bool, expects: bool, words: &Words) -> String {
    let (Some(mut text), Some(reproduction)) = (end.text(has_destination), end.reproduction()) else {
        return String::new();
    };
    text.push('\n');
    match reproduction.verdict() {
        Outcome::Reproduced => {
            verified(&mut text, reproduction, expects);
            // The text before has the commands of builds.
            if let Some(command) = end.test_command().filter(|it| !text.contains(it.as_str())) {
                line(&mut text, &format!("Run the test: {command}"));
            }
        }
        Outcome::NotReproduced | Outcome::Interrupted => {}
    }
    open(&mut text, reproduction);
    let log = match &words.log {
        Some(Source::Text(_)) => ", with the log on standard input",
        _ => "",
    };
    line(&mut text, &format!("Search again{log}: {}", words.command()));
    text
}

/// How the test was verified, and what it is worth.
fn verified(out: &mut String, reproduction: &Reproduction, expects: bool) {
    let junit = reproduction.test.as_ref().map_or(0, |it| it.junit);
    let frame = reproduction.frame.unwrap_or(1);
    let frames = if frame == 1 { "frame 1 agrees".to_owned() } else { format!("frames 1 to {frame} agree") };
    line(
        out,
        &format!(
            "Verified: the test was compiled and run twice by JUnit {junit} in plain JVMs, with nothing of \
             Crashback in them; both times exception and {frames} with the log."
        ),
    );
    if reproduction.degree == Some(Degree::Escapes) {
        line(out, "Degree: escapes; the exception leaves the test's last call.");
    }
    if reproduction.doubts.is_empty() {
        line(out, "Doubts: none.");
    }
    if reproduction.relaxations.iter().next().is_none() {
        line(out, "Relaxations: none; the trace agrees with the log to the letter.");
    }
    let meaning = match expects {
        true => "passes while the bug is there and fails once it is fixed",
        false => "fails with the crash while the bug is there and passes once it is fixed",
    };
    line(out, &format!("The test {meaning}."));
}

/// What stood in the way of frames that were not reproduced, and how to go on.
fn open(out: &mut String, reproduction: &Reproduction) {
    if reproduction.hints.is_empty() {
        return;
    }
    if let Some(kind) = reproduction.obstacle_kind {
        line(out, &format!("What to do: {}", advice(kind)));
    }
    line(out, "How the frames that were not reproduced are called:");
    for hint in reproduction.hints.iter().take(MAX_HINTS) {
        hint.lines().iter().for_each(|it| line(out, &format!("  {it}")));
    }
    let hidden = reproduction.hints.len().saturating_sub(MAX_HINTS);
    if hidden > 0 {
        line(out, &format!("  and {hidden} more frames, see `hints` of the structured result"));
    }
}

/// What may help against an obstacle.
fn advice(kind: ObstacleKind) -> &'static str {
    match kind {
        ObstacleKind::NoEntry => {
            "no accessible method leads into the frame: aim at a higher one with `frame`, or write a test \
             that starts the program as the log's outer frames do"
        }
        ObstacleKind::TypesUnavailable => {
            "add the jars that hold implementations of the types named above to `classpath`"
        }
        ObstacleKind::MissingClass => {
            "add the jars of the missing classes to `classpath`, or name them in `maven`"
        }
        ObstacleKind::StoppedEarlier => {
            "tests failed before the line: if a resource, setting or class is missing, add its jar or folder \
             to `classpath`; else give more `time`"
        }
        ObstacleKind::NotEntered | ObstacleKind::BranchNotTaken => {
            "give more `time` or another `seed`; else write a test by hand that meets the conditions below"
        }
        ObstacleKind::LineReachedOnly => {
            "give more `time`; check that the class path is of the version that crashed and that the state \
             in the log's message can come about"
        }
        ObstacleKind::ThroughOtherFrames => {
            "the exception comes about on another way: check the versions of libraries, or aim at a lower \
             frame with `frame`"
        }
        ObstacleKind::Caught => "the program swallows the exception: aim at a lower frame with `frame`",
        ObstacleKind::NotConfirmed => {
            "found tests rest on chance, time or leftover state: give another `seed` or more `time`"
        }
        ObstacleKind::OutOfTime | ObstacleKind::NotTried => "give more `time`",
    }
}

fn line(out: &mut String, text: &str) {
    out.push_str(text.trim_end());
    out.push('\n');
}
