//! The result for people: what was reproduced, frame by frame, and where the test is.

use std::path::Path;

use anstyle::{AnsiColor, Style};
use crashback::{Attempt, ChosenModule};
use crashback_reproduce::{Degree, Doubt, FrameResult, Outcome, Reproduction, Stage, WrittenTest};

use crate::program::absolute;

const BOLD: Style = Style::new().bold();
const FAINT: Style = Style::new().dimmed();
const GOOD: Style = AnsiColor::Green.on_default();
const BAD: Style = AnsiColor::Red.on_default();
const NOTE: Style = AnsiColor::Yellow.on_default();

/// How many types that are missing or could not be made are named.
const MAX_TYPES: usize = 5;

/// The result. Tests that were not written to a file are shown themselves; `files` are those of the test and
/// of the one for a frame above, and `has_destination` says whether they should have been written.
pub(super) fn render(attempt: &Attempt, files: [Option<&Path>; 2], has_destination: bool) -> String {
    let reproduction = &attempt.reproduction;
    let mut out = String::new();
    headline(&mut out, attempt);
    for note in attempt.project.iter().flat_map(|it| &it.notes) {
        line(&mut out, &format!("{NOTE}! {note}{NOTE:#}"));
    }
    line(&mut out, "");
    frames(&mut out, reproduction);
    line(&mut out, "");
    if reproduction.verdict() != Outcome::Reproduced {
        obstacles(&mut out, reproduction);
    }
    given_tests(&mut out, reproduction);
    let [test_file, outer_file] = files;
    if let Some(test) = &reproduction.test {
        written(&mut out, attempt, test, test_file, has_destination);
    }
    if let Some(outer) = &reproduction.outer {
        line(&mut out, "");
        line(
            &mut out,
            &format!("{GOOD}Further up{GOOD:#}, at frame {}: {}", outer.frame, whereabouts(outer.degree)),
        );
        doubts(&mut out, &outer.doubts);
        written(&mut out, attempt, &outer.test, outer_file, has_destination);
    }
    line(&mut out, &format!("{FAINT}{}{FAINT:#}", effort(reproduction)));
    out
}

/// What came of the tests that were given.
fn given_tests(out: &mut String, reproduction: &Reproduction) {
    for given in &reproduction.given_tests {
        let ended = given.ended.as_deref().unwrap_or("of no use");
        line(out, &format!("Given test {}: {} statements, {ended}", given.test, given.statements));
        for reason in &given.left_out {
            line(out, &format!("{FAINT}  left out: {reason}{FAINT:#}"));
        }
    }
    if !reproduction.given_tests.is_empty() {
        line(out, "");
    }
}

fn headline(out: &mut String, attempt: &Attempt) {
    let reproduction = &attempt.reproduction;
    let message = attempt.message.as_deref().map(|it| format!(": {it}")).unwrap_or_default();
    if attempt.crashes > 1 {
        let Attempt { crash, crashes, occurrences, .. } = attempt;
        let times = if *occurrences > 1 { format!(", seen {occurrences} times") } else { String::new() };
        let words = format!("Crash {crash} of {crashes}{times}; --crash N chooses another");
        line(out, &format!("{FAINT}{words}{FAINT:#}"));
    }
    line(out, &format!("{BOLD}{}{BOLD:#}{message}", attempt.exception));
    let found = reproduction.frames.iter().find(|it| Some(it.level) == reproduction.frame);
    match (reproduction.verdict(), found) {
        (Outcome::Reproduced, found) => {
            let frame = found.map(|it| format!(" at frame {}, {}", it.level, it.frame)).unwrap_or_default();
            line(out, &format!("{GOOD}Reproduced{GOOD:#}{frame}"));
        }
        (Outcome::NotReproduced, _) => line(out, &format!("{BAD}Not reproduced{BAD:#} within the budget")),
        (Outcome::Interrupted, _) => {
            line(out, &format!("{NOTE}Interrupted{NOTE:#} before it was reproduced"))
        }
    }
    if let Some(degree @ (Degree::Cause | Degree::Caught)) = reproduction.degree {
        line(out, &format!("  {}", whereabouts(degree)));
    }
    for relaxation in reproduction.relaxations.iter() {
        line(out, &format!("  {}", relaxation.words()));
    }
    for moved in &attempt.moves {
        line(out, &format!("  {}", moved.words()));
    }
    if let Some(release) = &attempt.better_release {
        let (style, mark) = if release.used { (Style::new(), " ") } else { (NOTE, "!") };
        line(out, &format!("{style}{mark} {}{style:#}", release.words()));
    }
    if let Some(note) = attempt.release_note.as_ref().filter(|_| !reproduction.reproduced) {
        line(out, &format!("{NOTE}! {note}.{NOTE:#}"));
    }
    if let Some(words) = attempt.other_java.as_ref().filter(|_| !reproduction.reproduced) {
        line(out, &format!("{NOTE}! Java: {words}.{NOTE:#}"));
    }
    doubts(out, &reproduction.doubts);
    if let Some(reason) = reproduction.unverified_reasons.last() {
        let count = reproduction.unverified_claims;
        line(out, &format!("{NOTE}! {count} found tests did not crash the same way in a plain JVM.{NOTE:#}"));
        line(out, &format!("{NOTE}! The last one: {}{NOTE:#}", reason.trim_end()));
    }
}

/// Where a test sees the exception.
fn whereabouts(degree: Degree) -> &'static str {
    match degree {
        Degree::Escapes => "The exception leaves the test's last call.",
        Degree::Cause => "The exception is the cause of another, which leaves the test's last call.",
        Degree::Caught => "The program catches the exception; the test sees it where the program reports it.",
    }
}

fn doubts(out: &mut String, doubts: &[Doubt]) {
    for doubt in doubts {
        let (kind, words) = match doubt {
            Doubt::OtherCause => (ANOTHER, "its message tells of another cause than that of the log"),
            Doubt::MadeUp => (ANOTHER, "the crash rests on what a mock of the test makes up"),
            Doubt::MockDefault => (WEAK, "the crash may rest on what a mock answers unasked"),
            Doubt::BrokenInvariant => (WEAK, "it uses members that the program keeps to itself"),
            Doubt::NotMinimised => (WEAK, "it may have statements that it does not need"),
            Doubt::LeafGuard => (WEAK, "it calls the innermost method itself, which the log's callers do"),
        };
        line(out, &format!("{NOTE}! {kind}: {words}.{NOTE:#}"));
    }
}

/// What a doubt is about.
const ANOTHER: &str = "The crash may be another one";
const WEAK: &str = "The test may not convince";

fn frames(out: &mut String, reproduction: &Reproduction) {
    let width = reproduction.frames.iter().map(|it| it.frame.chars().count()).max().unwrap_or(0);
    for FrameResult { level, frame, outcome, obstacle, .. } in &reproduction.frames {
        let (mark, style) = match outcome {
            Stage::Reproduced => ('✓', GOOD),
            Stage::NotStarted => (' ', FAINT),
            _ => ('✗', BAD),
        };
        let words = outcome_words(*outcome);
        line(out, &format!("{style}{mark}{style:#} {level:>3} {frame:width$}  {words}"));
        if let Some(obstacle) = obstacle {
            line(out, &format!("{FAINT}        {obstacle}{FAINT:#}"));
        }
    }
}

/// How far a frame came, when all is over.
pub(crate) fn outcome_words(outcome: Stage) -> &'static str {
    match outcome {
        Stage::NotStarted => "not tried",
        Stage::LineNotReached => "line not reached",
        Stage::LineReached => "line reached, exception not thrown",
        Stage::ExceptionThrown => "exception thrown, but on another way",
        Stage::Reproduced => "reproduced",
    }
}

/// What kept the search from succeeding, and what may help.
fn obstacles(out: &mut String, reproduction: &Reproduction) {
    if let Some(obstacle) = &reproduction.obstacle {
        line(out, &format!("{NOTE}! {obstacle}{NOTE:#}"));
    }
    for missing in reproduction.missing_classes.iter().take(MAX_TYPES) {
        line(out, &format!("{NOTE}! {}{NOTE:#}", missing.advice()));
    }
    for (name, reason) in reproduction.unavailable_types.iter().take(MAX_TYPES) {
        line(out, &format!("{NOTE}! No value of {name} could be made: {reason}{NOTE:#}"));
    }
    let hidden = reproduction.unavailable_types.len().saturating_sub(MAX_TYPES);
    if hidden > 0 {
        line(out, &format!("{NOTE}! and {hidden} more types; see all with --json{NOTE:#}"));
    }
    line(out, "More time may help (--time 2m), or another seed (--seed 1).");
}

fn written(
    out: &mut String,
    attempt: &Attempt,
    test: &WrittenTest,
    file: Option<&Path>,
    has_destination: bool,
) {
    let name = class_name(test);
    match file {
        Some(path) => {
            line(out, &format!("Test: {BOLD}{}{BOLD:#}, JUnit {}", path.display(), test.junit));
            let usual = || "put it with the program's tests and run it as one of them".to_owned();
            let command = in_project(attempt, test, path).or_else(|| build_command(path, &name));
            line(out, &format!("Run it: {}", command.unwrap_or_else(usual)));
        }
        None => {
            let not = if has_destination { "; it could not be written to a file" } else { "" };
            line(out, &format!("Test: {BOLD}{name}{BOLD:#}, JUnit {}{not}", test.junit));
            line(out, "");
            line(out, test.source.trim_end());
            line(out, "");
        }
    }
}

/// The whole name of the class of a test.
pub(super) fn class_name(test: &WrittenTest) -> String {
    match test.package.as_str() {
        "" => test.class.clone(),
        package => format!("{package}.{}", test.class),
    }
}

/// The command of the project's build tool, if the file lies where that looks for tests.
pub(super) fn in_project(attempt: &Attempt, test: &WrittenTest, file: &Path) -> Option<String> {
    let ChosenModule { project, number, .. } = attempt.project.as_deref()?;
    let named = test.module.as_deref().and_then(|name| project.modules.iter().find(|it| it.name == name));
    let module = named.or_else(|| project.modules.get(*number))?;
    let is_below = module.test_sources.iter().any(|it| absolute(file).starts_with(it));
    let here = absolute(Path::new("."));
    project.test_command(&module.name, &class_name(test), &here).filter(|_| is_below)
}

/// The command of the build that the file lies in, if it lies where that build looks for tests.
pub(super) fn build_command(path: &Path, name: &str) -> Option<String> {
    let path = absolute(path);
    let is_test_source = path.to_string_lossy().contains("/src/test/");
    let has = |folder: &Path, file: &str| folder.join(file).is_file();
    for folder in path.ancestors().skip(1).filter(|_| is_test_source) {
        if has(folder, "pom.xml") {
            return Some(format!("mvn test -Dtest={name}"));
        }
        if has(folder, "build.gradle") || has(folder, "build.gradle.kts") {
            let command = if has(folder, "gradlew") { "./gradlew" } else { "gradle" };
            return Some(format!("{command} test --tests {name}"));
        }
    }
    None
}

/// Where the time went, a line for each part, and what workers did meanwhile.
pub(super) fn account(out: &mut String, reproduction: &Reproduction) {
    let total = reproduction.seconds.max(f64::MIN_POSITIVE);
    for (name, seconds) in reproduction.timing.parts() {
        line(out, &format!("  {name:<9}{seconds:>8.2} s{:>5.0} %", 100.0 * seconds / total));
    }
    let workers = &reproduction.timing.all_workers;
    let spent: f64 = workers.parts().iter().map(|(_, seconds)| seconds).sum();
    if spent > 0.0 {
        line(out, "All workers together");
        for (name, seconds) in workers.parts() {
            line(out, &format!("  {name:<9}{seconds:>8.2} s{:>5.0} %", 100.0 * seconds / spent));
        }
        let (loaders, stops) = (workers.loaders, workers.stops);
        line(out, &format!("  the program was loaded anew {loaders} times, {stops} tests were stopped"));
    }
    if let Some(share) = reproduction.waiting_share {
        line(out, &format!("  workers waited {:.0} % of the search", 100.0 * share));
    }
}

fn effort(reproduction: &Reproduction) -> String {
    let Reproduction { evaluations, seconds, evaluations_per_second, seed, nulls, mocks, .. } = reproduction;
    let mut words = format!("{evaluations} tests in {seconds:.1} s");
    if *evaluations > 0 {
        words.push_str(&format!(", {evaluations_per_second:.0} a second"));
    }
    words.push_str(&format!("; seed {seed}"));
    if reproduction.test.is_some() {
        words.push_str(&format!("; null values: {nulls}, mocks: {mocks}"));
    }
    words
}

fn line(out: &mut String, text: &str) {
    out.push_str(text.trim_end());
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn the_build_that_a_test_lies_in_runs_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        let command = |file: &str| build_command(&path(file), "a.BTest");
        let check = |file: &str, expected: &str| {
            assert_eq!(command(file).as_deref(), Some(expected), "{file}");
        };
        assert_eq!(command("src/test/java/a/BTest.java"), None);
        let touch = |name: &str| fs::write(path(name), "").expect("a file");
        touch("build.gradle.kts");
        check("src/test/java/a/BTest.java", "gradle test --tests a.BTest");
        touch("gradlew");
        check("src/test/java/a/BTest.java", "./gradlew test --tests a.BTest");
        touch("pom.xml");
        check("src/test/java/a/BTest.java", "mvn test -Dtest=a.BTest");
        assert_eq!(command("a/BTest.java"), None);
    }
}
