//! `crashback explain`: what a stack trace points at in the program.

mod facts;
mod json;
mod text;

use std::process::ExitCode;

use crashback_program::classes::Classes;
use crashback_program::frames::{Auditor, CrashAudit};
use crashback_trace::{Crash, ThrowableId};

use crate::args::ExplainArguments;
use crate::environment::Environment;
use crate::exit::Failure;
use crate::interrupt::Interrupts;
use crate::log::{self, Numbered};
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
pub(crate) fn run(
    arguments: &ExplainArguments,
    environment: &Environment,
    interrupts: &Interrupts,
) -> ExitCode {
    if arguments.json {
        interrupts.leave_with(output::json_text(&output::failed(&Failure::interrupted())));
    }
    let explained = explain(arguments, environment, interrupts);
    interrupts.speak_for_yourself();
    match explained {
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

fn explain(
    arguments: &ExplainArguments,
    environment: &Environment,
    interrupts: &Interrupts,
) -> Result<Explanation, Failure> {
    let (chosen, log_problems) = log::read(&arguments.log, arguments.crash)?;
    let project = program::load(&arguments.classes, &arguments.scope, environment, interrupts)?;
    let classes = Classes::new(&project.class_path);
    let auditor = Auditor::new(&classes, &project.scope);
    let mut crashes = Vec::with_capacity(chosen.len());
    for Numbered { number, crash, occurrences } in chosen {
        let cause = log::choose_cause(&auditor, &crash, arguments.cause)?;
        let Some(throwable) = crash.get(cause) else { continue };
        let audit = auditor.audit(throwable);
        crashes.push(Explained { number, crash, occurrences, cause, audit });
    }
    let audits: Vec<&CrashAudit> = crashes.iter().map(|it| &it.audit).collect();
    let disagreement = log::disagreement(&audits, &project.class_path);
    let Project { class_path, scope_words, .. } = &project;
    Ok(Explanation {
        crashes,
        log_problems,
        class_path_problems: class_path.problems().to_vec(),
        scope_words: scope_words.clone(),
        disagreement,
    })
}

impl Explained {
    /// The place of the audited exception in the cause chain, 1 for the outermost.
    fn cause_number(&self) -> usize {
        log::cause_number(&self.crash, self.cause)
    }
}
