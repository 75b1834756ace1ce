//! The explanation for people: the exception, what its message tells, a table of frames, and what
//! to aim at.

use anstyle::{AnsiColor, Style};
use crashback::{DistinctCrash, ProjectFacts};
use crashback_program::frames::{Degree, FrameAudit, Origin, Status};
use crashback_trace::Relaxation;

use super::{Explained, Explanation, facts};

const BOLD: Style = Style::new().bold();
const FAINT: Style = Style::new().dimmed();
const GOOD: Style = AnsiColor::Green.on_default();
const BAD: Style = AnsiColor::Red.on_default();
const NOTE: Style = AnsiColor::Yellow.on_default();

/// How many distinct crashes of a log are shown in full.
const MAX_SHOWN: usize = 20;
/// How many problems of one sort are named.
const MAX_PROBLEMS: usize = 8;

pub(super) fn render(explanation: &Explanation) -> String {
    let mut out = String::new();
    for explained in explanation.crashes.iter().take(MAX_SHOWN) {
        crash(&mut out, explained, explanation.count);
    }
    let hidden = explanation.crashes.len().saturating_sub(MAX_SHOWN);
    if hidden > 0 {
        line(
            &mut out,
            &format!(
                "{NOTE}{hidden} more distinct crashes; see one with --crash N, or all with --json{NOTE:#}"
            ),
        );
    }
    line(&mut out, &format!("{FAINT}Project: {}{FAINT:#}", explanation.scope_words));
    if let Some(project) = &explanation.project {
        line(&mut out, &format!("{FAINT}Module: {}{FAINT:#}", module_words(project)));
        for note in &project.notes {
            line(&mut out, &format!("{NOTE}! {note}{NOTE:#}"));
        }
    }
    for moved in &explanation.moves {
        line(&mut out, &format!("{NOTE}! {}{NOTE:#}", moved.words()));
    }
    if let Some(release) = &explanation.better_release {
        line(&mut out, &format!("{NOTE}! {}{NOTE:#}", release.words()));
    }
    if let Some(note) = &explanation.release_note {
        line(&mut out, &format!("{NOTE}! {note}.{NOTE:#}"));
    }
    let of_log = explanation.log_problems.iter().map(|it| format!("log line {}: {}", it.line, it.text));
    problems(&mut out, of_log.collect());
    let of_class_path = explanation.class_path_problems.iter().filter(|it| !it.kind.is_note());
    problems(&mut out, of_class_path.map(ToString::to_string).collect());
    out
}

/// The module, with what its tests are written for.
fn module_words(project: &ProjectFacts) -> String {
    let ProjectFacts { root, module, junit, mockito, .. } = project;
    let version = |name: &str, version: &Option<String>| {
        version.as_ref().map_or(format!("no {name}"), |it| format!("{name} {it}"))
    };
    let (junit, mockito) = (version("JUnit", junit), version("Mockito", mockito));
    format!("{module} of {}; {junit}, {mockito}", root.display())
}

fn crash(out: &mut String, explained: &Explained, count: usize) {
    let audit = &explained.chosen.audit;
    if count > 1 {
        line(out, &format!("{FAINT}Crash {} of {count}{FAINT:#}", explained.distinct.number));
    }
    let message = audit.message.as_deref().map(|it| format!(": {it}")).unwrap_or_default();
    line(out, &format!("{BOLD}{}{BOLD:#}{message}", audit.exception));
    line(out, &format!("{FAINT}  {}{FAINT:#}", origin_words(explained)));
    if let Some(class) = audit.exception_class.as_deref().filter(|it| *it != audit.exception) {
        line(out, &format!("  The log gives the simple name; the class path has {class}."));
    }
    let facts: Vec<String> = audit.facts.iter().map(facts::words).collect();
    if !facts.is_empty() {
        line(out, &format!("  The message tells: {}.", facts.join("; ")));
    }
    line(out, "");
    table(out, explained);
    line(out, "");
    advice(out, explained);
    line(out, "");
}

fn origin_words(explained: &Explained) -> String {
    let DistinctCrash { crash, occurrences, .. } = &explained.distinct;
    let mut parts = vec![format!("line {} of the log", crash.first_line)];
    parts.extend(crash.thread.as_ref().map(|it| format!("thread {it}")));
    if *occurrences > 1 {
        parts.push(format!("seen {occurrences} times"));
    }
    let chain = crash.cause_chain().count();
    if chain > 1 {
        parts.push(format!("exception {} of {chain} in the cause chain", explained.cause_number()));
    }
    parts.join(", ")
}

fn table(out: &mut String, explained: &Explained) {
    let audit = &explained.chosen.audit;
    let names: Vec<String> = audit.frames.iter().map(name).collect();
    let width = names.iter().map(|it| it.chars().count()).max().unwrap_or(0);
    let entry_width = audit.frames.iter().map(|it| entry(it).chars().count()).max().unwrap_or(0);
    for (frame, name) in audit.frames.iter().zip(&names) {
        let mark = if Some(frame.level) == audit.recommended_frame {
            format!("{GOOD}▶{GOOD:#}")
        } else if frame.target {
            format!("{GOOD}•{GOOD:#}")
        } else {
            " ".to_owned()
        };
        let style = if frame.origin == Origin::Project { Style::new() } else { FAINT };
        let at = frame.line.map(|it| it.to_string()).unwrap_or_default();
        let mut row = format!("{style}{:>4} {name:width$} {at:>5}  {}{style:#}", frame.level, entry(frame));
        let status = status(frame);
        if !status.is_empty() {
            let gap = entry_width - entry(frame).chars().count() + 2;
            row.push_str(&format!("{:gap$}{status}", ""));
        }
        line(out, &format!("{mark}{row}"));
        if frame.origin == Origin::Project && !frame.is_plain() {
            line(out, &format!("{FAINT}        {}{FAINT:#}", frame.reason));
        }
    }
}

/// The signature, without its parameters where it would make the table too wide.
fn name(frame: &FrameAudit) -> String {
    const MAX_WIDTH: usize = 56;
    let full = frame.signature();
    match full.split_once('(') {
        Some((short, rest)) if full.chars().count() > MAX_WIDTH && rest != ")" => format!("{short}(…)"),
        _ => full,
    }
}

/// The class-path entry; of a long path only the end.
fn entry(frame: &FrameAudit) -> String {
    const MAX_WIDTH: usize = 40;
    let whole = frame.entry.as_deref().unwrap_or("-");
    let surplus = whole.chars().count().saturating_sub(MAX_WIDTH);
    match whole.char_indices().nth(surplus).filter(|_| surplus > 0) {
        Some((start, _)) => {
            let end = whole.get(start..).unwrap_or_default();
            format!("…{}", end.find(['/', '\\']).and_then(|it| end.get(it..)).unwrap_or(end))
        }
        None => whole.to_owned(),
    }
}

fn status(frame: &FrameAudit) -> String {
    let propagation = match frame.propagation {
        Degree::Escapes => "escapes",
        Degree::Cause => "cause",
        Degree::Caught => "caught",
    };
    let (style, text) = match (frame.status, frame.origin) {
        _ if frame.relaxation == Some(Relaxation::MovedLines) => (NOTE, "line moved"),
        _ if frame.relaxation == Some(Relaxation::LibraryLines) => (NOTE, "line ignored"),
        _ if frame.relaxation == Some(Relaxation::RuntimeFrames) => (NOTE, "passed over"),
        (Status::Ok | Status::NoLine, Origin::Project) => return propagation.to_owned(),
        (Status::Ok | Status::NoLine, _) => return String::new(),
        // Lines of JDK classes differ from one release to the next and do not matter.
        (_, Origin::Jdk) => return String::new(),
        (Status::ClassMissing, _) => (BAD, "class missing"),
        (Status::MethodMissing, _) => (BAD, "method missing"),
        (Status::LineAbsent, _) => (BAD, "line absent"),
    };
    format!("{style}{text}{style:#}")
}

fn advice(out: &mut String, explained: &Explained) {
    let audit = &explained.chosen.audit;
    let find = |level: Option<u32>| audit.frames.iter().find(|it| Some(it.level) == level);
    if let Some(frame) = find(audit.recommended_frame) {
        line(
            out,
            &format!("{GOOD}▶ Recommended target:{GOOD:#} frame {}, {}", frame.level, frame.signature()),
        );
    }
    if let Some(frame) =
        find(audit.highest_target_frame).filter(|it| Some(it.level) != audit.recommended_frame)
    {
        let words = match frame.propagation {
            Degree::Escapes => "",
            Degree::Cause => ", where the exception is only the cause of another",
            Degree::Caught => ", where the program has caught the exception",
        };
        line(
            out,
            &format!("{GOOD}•{GOOD:#} Highest target: frame {}, {}{words}", frame.level, frame.signature()),
        );
    }
    if audit.highest_target_frame.is_none() {
        line(out, &format!("{BAD}No frame can be targeted.{BAD:#}"));
    }
    for relaxation in explained.relaxations.iter() {
        line(out, &format!("{NOTE}! {}{NOTE:#}", relaxation.words()));
    }
    if let Some(words) = &explained.other_java {
        line(out, &format!("{NOTE}! Java: {words}.{NOTE:#}"));
    }
    for missing in audit.missing_classes.iter().take(MAX_PROBLEMS) {
        line(out, &format!("{NOTE}! {}{NOTE:#}", missing.advice()));
    }
    for mismatch in &audit.version_mismatches {
        line(out, &format!("{NOTE}! Version: {}.{NOTE:#}", mismatch.words));
    }
}

fn problems(out: &mut String, all: Vec<String>) {
    for problem in all.iter().take(MAX_PROBLEMS) {
        line(out, &format!("{NOTE}! {problem}{NOTE:#}"));
    }
    if all.len() > MAX_PROBLEMS {
        line(out, &format!("{NOTE}! and {} more of the kind{NOTE:#}", all.len() - MAX_PROBLEMS));
    }
}

fn line(out: &mut String, text: &str) {
    out.push_str(text.trim_end());
    out.push('\n');
}
