//! `crashback explain`: what a stack trace points at in the program.

mod facts;
mod json;
mod text;

use std::collections::BTreeMap;
use std::fs;
use std::io::Read as _;
use std::path::Path;
use std::process::ExitCode;

use crashback_classpath::ClassPath;
use crashback_program::classes::Classes;
use crashback_program::frames::{Auditor, CrashAudit, Origin};
use crashback_trace::{Crash, Frame, Log, ThrowableId};

use crate::args::ExplainArguments;
use crate::environment::Environment;
use crate::exit::{Failure, FailureKind};
use crate::output;
use crate::program::{self, Project};

/// A distinct crash of the log with what was found out about it.
pub(crate) struct Explained {
    /// Its number among the distinct crashes of the log, from 1.
    pub(crate) number: usize,
    pub(crate) crash: Crash,
    /// How often the log shows it.
    pub(crate) occurrences: usize,
    /// Which exception of the cause chain was audited.
    pub(crate) cause: ThrowableId,
    pub(crate) audit: CrashAudit,
}

/// Everything there is to show.
pub(crate) struct Explanation {
    pub(crate) crashes: Vec<Explained>,
    pub(crate) log_problems: Vec<crashback_trace::Problem>,
    pub(crate) class_path_problems: Vec<crashback_classpath::Problem>,
    /// How the project was told from its libraries.
    pub(crate) scope_words: String,
    /// Why trace and class path disagree, if they do.
    pub(crate) disagreement: Option<Failure>,
}

/// Runs the command and gives its exit code.
pub(crate) fn run(arguments: &ExplainArguments, environment: &Environment) -> ExitCode {
    match explain(arguments, environment) {
        Ok(explanation) => show(&explanation, arguments.json),
        Err(failure) => output::report_failure(&failure, arguments.json),
    }
}

fn show(explanation: &Explanation, as_json: bool) -> ExitCode {
    if as_json {
        output::print_json(&json::render(explanation));
    } else {
        output::print(&text::render(explanation));
    }
    match &explanation.disagreement {
        None => ExitCode::SUCCESS,
        Some(failure) => {
            output::tell(&format!("crashback: {failure}"));
            failure.exit_code()
        }
    }
}

fn explain(arguments: &ExplainArguments, environment: &Environment) -> Result<Explanation, Failure> {
    let log = crashback_trace::parse(&read_log(&arguments.log)?);
    let distinct = distinct_crashes(&log);
    if distinct.is_empty() {
        return Err(no_trace(&arguments.log, &log));
    }
    let chosen = choose(distinct, arguments.crash)?;
    let project = program::load(&arguments.classes, &arguments.scope, environment)?;
    let classes = Classes::new(&project.class_path);
    let auditor = Auditor::new(&classes, &project.scope);
    let mut crashes = Vec::with_capacity(chosen.len());
    for (number, crash, occurrences) in chosen {
        let cause = choose_cause(&auditor, &crash, arguments.cause)?;
        let Some(throwable) = crash.get(cause) else { continue };
        let audit = auditor.audit(throwable);
        crashes.push(Explained { number, crash, occurrences, cause, audit });
    }
    let disagreement = disagreement(&crashes, &project.class_path);
    let Project { class_path, scope_words, .. } = &project;
    Ok(Explanation {
        crashes,
        log_problems: log.problems,
        class_path_problems: class_path.problems().to_vec(),
        scope_words: scope_words.clone(),
        disagreement,
    })
}

fn read_log(path: &Path) -> Result<Vec<u8>, Failure> {
    let read = if path.as_os_str() == "-" {
        let mut bytes = Vec::new();
        std::io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        fs::read(path)
    };
    read.map_err(|error| {
        let message = format!("cannot read the log {}: {error}; check the path", path.display());
        Failure::new(FailureKind::Usage, message)
    })
}

/// Crashes that differ in exceptions or frames, with the first occurrence of each, in log order. Messages often hold
/// what differs from one time to the next.
fn distinct_crashes(log: &Log) -> Vec<(Crash, usize)> {
    let mut distinct: Vec<(Crash, usize)> = Vec::new();
    let mut positions = BTreeMap::new();
    for crash in log.crashes.iter().filter(|it| it.throwables.iter().any(|it| !it.frames.is_empty())) {
        let position = *positions.entry(identity(crash)).or_insert(distinct.len());
        match distinct.get_mut(position) {
            Some((_, occurrences)) => *occurrences += 1,
            None => distinct.push((crash.clone(), 1)),
        }
    }
    distinct
}

type Identity<'c> = Vec<(&'c str, Vec<(&'c str, &'c str, Option<u32>)>)>;

fn identity(crash: &Crash) -> Identity<'_> {
    crash.throwables.iter().map(|it| (it.class.as_str(), it.frames.iter().map(place).collect())).collect()
}

fn place(frame: &Frame) -> (&str, &str, Option<u32>) {
    (&frame.class, &frame.method, frame.line())
}

fn no_trace(path: &Path, log: &Log) -> Failure {
    let mut message = format!("no usable stack trace in {}", path.display());
    for problem in log.problems.iter().take(3) {
        message.push_str(&format!("\n  line {}: {}", problem.line, problem.text));
    }
    Failure::new(FailureKind::Disagreement, message)
}

type Numbered = (usize, Crash, usize);

fn choose(distinct: Vec<(Crash, usize)>, number: Option<u32>) -> Result<Vec<Numbered>, Failure> {
    let count = distinct.len();
    let numbered = (1..).zip(distinct).map(|(number, (crash, occurrences))| (number, crash, occurrences));
    let Some(wanted) = number else { return Ok(numbered.collect()) };
    let chosen: Vec<Numbered> =
        numbered.filter(|(number, ..)| u32::try_from(*number) == Ok(wanted)).collect();
    if chosen.is_empty() {
        let message = format!("there is no crash {wanted}: the log holds {count} distinct crashes");
        return Err(Failure::new(FailureKind::Usage, message));
    }
    Ok(chosen)
}

fn choose_cause(auditor: &Auditor<'_>, crash: &Crash, number: Option<u32>) -> Result<ThrowableId, Failure> {
    let chain: Vec<ThrowableId> = crash.cause_chain().map(|(id, _)| id).collect();
    let chosen = match number {
        None => auditor.choose_cause(crash).or_else(|| chain.first().copied()),
        Some(number) => chain.get(usize::try_from(number).unwrap_or(usize::MAX).saturating_sub(1)).copied(),
    };
    chosen.ok_or_else(|| {
        let length = chain.len();
        let message = format!(
            "there is no exception {} in the cause chain: it has {length}",
            number.unwrap_or_default()
        );
        Failure::new(FailureKind::Usage, message)
    })
}

/// Trace and class path disagree where no crash has a frame worth targeting.
fn disagreement(crashes: &[Explained], class_path: &ClassPath) -> Option<Failure> {
    if crashes.iter().any(|it| it.audit.highest_target_frame.is_some()) {
        return None;
    }
    let reason = crashes.iter().flat_map(|it| &it.audit.frames).find(|it| it.origin != Origin::Jdk);
    let mut message = "trace and class path disagree: no frame of the log can be targeted".to_owned();
    if let Some(frame) = reason {
        message.push_str(&format!("\n  frame {}: {}", frame.level, frame.reason));
    }
    for problem in class_path.problems().iter().filter(|it| !it.kind.is_note()).take(5) {
        message.push_str(&format!("\n  {problem}"));
    }
    message.push_str("\n  give the class path of the version that crashed with --classpath or --maven");
    Some(Failure::new(FailureKind::Disagreement, message))
}

impl Explained {
    /// The place of the audited exception in the cause chain, 1 for the outermost.
    fn cause_number(&self) -> usize {
        self.crash.cause_chain().position(|(id, _)| id == self.cause).map_or(1, |it| it + 1)
    }
}
