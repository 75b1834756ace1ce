//! `crashback list`: the crashes of a log, equal ones together.

mod json;
mod text;

use std::process::ExitCode;

use crashback::{Crashes, DistinctCrash, Error, ErrorKind, Program, Target, choose};
use crashback_program::frames::Auditor;
use crashback_trace::Problem;
use serde::Serialize;

use crate::args::ListArguments;
use crate::environment::Environment;
use crate::interrupt::Interrupts;
use crate::log::Source;
use crate::{log, output, program};

/// A distinct crash, and whose it is.
pub(crate) struct Listed {
    crash: DistinctCrash,
    /// Whether it is the project's; none if nothing tells the project.
    is_project: Option<bool>,
}

/// Everything there is to show.
pub(crate) struct Listing {
    /// The crashes of the project first, then the most frequent.
    crashes: Vec<Listed>,
    /// The crash that `reproduce` takes unless told otherwise.
    default: Option<usize>,
    /// How the project was told from its libraries.
    scope_words: Option<String>,
    problems: Vec<Problem>,
}

/// Runs the command and gives its exit code.
pub(crate) fn run(arguments: &ListArguments, environment: &Environment, interrupts: &Interrupts) -> ExitCode {
    if arguments.json {
        interrupts.leave_with(output::json_text(&output::failed(&Error::interrupted())));
    }
    let listed = list(arguments, &Source::File(arguments.log.clone()), environment, interrupts);
    interrupts.speak_for_yourself();
    let printed = match listed {
        Ok(listing) if arguments.json => output::print_json(&listing.document()),
        Ok(listing) => output::print(&listing.text()),
        Err(failure) => return output::report_failure(&failure, arguments.json),
    };
    output::code_of_print(printed)
}

impl Listing {
    /// The list for people.
    pub(crate) fn text(&self) -> String {
        text::render(self)
    }

    /// The list for programs.
    pub(crate) fn document(&self) -> impl Serialize {
        json::render(self)
    }
}

/// Lists the crashes of a log.
pub(crate) fn list(
    arguments: &ListArguments,
    log: &Source,
    environment: &Environment,
    interrupts: &Interrupts,
) -> Result<Listing, Error> {
    let ListArguments { classes, scope, .. } = arguments;
    let mapping = log::mapping(arguments.mapping.as_deref())?;
    let read = Crashes::read_mapped(&log.read()?, &log.name(), None, mapping.as_ref())?;
    if classes.class_path.is_empty() && classes.maven.is_empty() {
        if scope.target_frames.is_some() {
            let message = "--target-frames needs the classes of the program: give them with --classpath or \
                           --maven; --project-packages does without";
            return Err(Error::new(ErrorKind::Usage, message));
        }
        return Ok(by_names(read, &scope.project_packages));
    }
    let request = program::request(classes, false, scope, environment)?;
    let program = Program::load_for(&request, &read, &interrupts.interruption)?;
    by_program(read, &program)
}

/// Tells the project by packages, if there are some.
fn by_names(read: Crashes, packages: &[String]) -> Listing {
    let is_project = |crash: &DistinctCrash| (!packages.is_empty()).then(|| crash.touches(packages));
    let mut crashes: Vec<Listed> = in_order(&read, is_project);
    let candidate = |it: &&Listed| it.is_project != Some(false) && it.crash.innermost_frame().is_some();
    let default = crashes.iter().find(candidate).map(|it| it.crash.number);
    // Without a word about the project, code outside the JDK is the better guess.
    crashes.sort_by_key(|it| it.crash.innermost_frame().is_none());
    let scope_words = (!packages.is_empty()).then(|| format!("packages {}", packages.join(", ")));
    Listing { crashes, default, scope_words, problems: read.problems }
}

/// Tells the project by the classes of the program: its crashes have a frame that a test can aim at.
fn by_program(read: Crashes, program: &Program) -> Result<Listing, Error> {
    let classes = program.classes();
    let auditor = Auditor::new(&classes, &program.scope);
    let mut targets = Vec::new();
    for crash in &read.distinct {
        if choose(&auditor, &crash.crash, None)?.audit.highest_target_frame.is_some() {
            targets.push(crash.number);
        }
    }
    let crashes = in_order(&read, |crash| Some(targets.contains(&crash.number)));
    let default = match targets.is_empty() {
        true => None,
        false => Some(Target::choose(program, &classes, &read, None)?.crash),
    };
    Ok(Listing { crashes, default, scope_words: Some(program.scope_words.clone()), problems: read.problems })
}

/// The crashes by frequency, those of the project first.
fn in_order(read: &Crashes, is_project: impl Fn(&DistinctCrash) -> Option<bool>) -> Vec<Listed> {
    let listed = |crash: &DistinctCrash| Listed { is_project: is_project(crash), crash: crash.clone() };
    let mut crashes: Vec<Listed> = read.by_frequency().into_iter().map(listed).collect();
    crashes.sort_by_key(|it| it.is_project == Some(false));
    crashes
}
