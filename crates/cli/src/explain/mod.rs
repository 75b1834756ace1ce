//! `crashback explain`: what a stack trace points at in the program.

mod facts;
mod json;
mod text;

use std::process::ExitCode;

use crashback::{
    BetterRelease, Chosen, Crashes, DistinctCrash, Error, Program, ProjectFacts, cause_number, choose,
    disagreement, other_java,
};
use crashback_program::frames::{Auditor, CrashAudit, Move};
use crashback_trace::Relaxations;
use serde::Serialize;

use crate::args::ExplainArguments;
use crate::environment::Environment;
use crate::interrupt::Interrupts;
use crate::log::Source;
use crate::{exit, log, output, program};

/// A distinct crash of the log with what was found out about it.
pub(crate) struct Explained {
    pub(crate) distinct: DistinctCrash,
    /// The exception of its cause chain that was audited.
    pub(crate) chosen: Chosen,
    /// What must be relaxed to search for it.
    pub(crate) relaxations: Relaxations,
    /// In words, that the trace is from another Java.
    pub(crate) other_java: Option<String>,
}

/// Everything there is to show.
pub(crate) struct Explanation {
    pub(crate) crashes: Vec<Explained>,
    /// How many distinct crashes the log has.
    pub(crate) count: usize,
    pub(crate) log_problems: Vec<crashback_trace::Problem>,
    pub(crate) class_path_problems: Vec<crashback_classpath::Problem>,
    /// How the project was told from its libraries.
    pub(crate) scope_words: String,
    /// How the class path was ordered to fit the log.
    pub(crate) moves: Vec<Move>,
    /// A release of an artifact that fits the log better.
    pub(crate) better_release: Option<BetterRelease>,
    /// In words, that a better release was looked for in vain.
    pub(crate) release_note: Option<String>,
    /// The module of the project that gave the class path.
    pub(crate) project: Option<ProjectFacts>,
    /// Why trace and class path disagree, if they do.
    pub(crate) disagreement: Option<Error>,
}

/// Runs the command and gives its exit code.
pub(crate) fn run(
    arguments: &ExplainArguments,
    environment: &Environment,
    interrupts: &Interrupts,
) -> ExitCode {
    if arguments.json {
        interrupts.leave_with(output::json_text(&output::failed(&Error::interrupted())));
    }
    let log = Source::File(arguments.log.clone());
    let explained = explain(arguments, &log, environment, interrupts);
    interrupts.speak_for_yourself();
    match explained {
        Ok(explanation) => show(&explanation, arguments.json),
        Err(failure) => output::report_failure(&failure, arguments.json),
    }
}

fn show(explanation: &Explanation, as_json: bool) -> ExitCode {
    if as_json {
        output::print_json(&explanation.document());
    } else {
        output::print(&explanation.text());
    }
    match &explanation.disagreement {
        None => ExitCode::SUCCESS,
        Some(failure) => {
            output::tell(&format!("crashback: {failure}"));
            exit::code_of(failure)
        }
    }
}

/// Explains the crashes of a log.
pub(crate) fn explain(
    arguments: &ExplainArguments,
    log: &Source,
    environment: &Environment,
    interrupts: &Interrupts,
) -> Result<Explanation, Error> {
    let mapping = log::mapping(arguments.mapping.as_deref())?;
    let read = Crashes::read_mapped(&log.read()?, &log.name(), arguments.crash, mapping.as_ref())?;
    let ExplainArguments { classes, project, any_release, scope, json, .. } = arguments;
    let request = program::request_or_project(classes, project, *any_release, scope, environment, *json)?;
    let program = Program::load_for(&request, &read, &interrupts.interruption)?;
    let Crashes { distinct, count, problems: log_problems } = read;
    let classes = program.classes();
    let auditor = Auditor::new(&classes, &program.scope);
    let mut crashes = Vec::with_capacity(distinct.len());
    for distinct in distinct {
        let chosen = choose(&auditor, &distinct.crash, arguments.cause)?;
        let throwable = distinct.crash.get(chosen.cause);
        let other_java = throwable.and_then(|it| other_java(it, &chosen.audit, &program.jdk));
        let relaxations = chosen.relaxations() | program.relaxations();
        crashes.push(Explained { distinct, chosen, relaxations, other_java });
    }
    let audits: Vec<&CrashAudit> = crashes.iter().map(|it| &it.chosen.audit).collect();
    let disagreement = disagreement(&audits, &program);
    Ok(Explanation {
        crashes,
        count,
        log_problems,
        class_path_problems: program.class_path.problems().to_vec(),
        scope_words: program.scope_words.clone(),
        moves: program.moves.clone(),
        better_release: program.better_release.clone(),
        release_note: program.release_note.clone(),
        project: program.project.as_ref().map(|it| it.facts()),
        disagreement,
    })
}

impl Explanation {
    /// The explanation for people.
    pub(crate) fn text(&self) -> String {
        text::render(self)
    }

    /// The explanation for programs.
    pub(crate) fn document(&self) -> impl Serialize {
        json::render(self)
    }
}

impl Explained {
    /// The place of the audited exception in the cause chain, 1 for the outermost.
    fn cause_number(&self) -> usize {
        cause_number(&self.distinct.crash, self.chosen.cause)
    }
}
