//! `crashback verify-instrumentation`: whether classes link with probes in them as they do without.

mod json;
mod text;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, IsTerminal as _};
use std::process::ExitCode;
use std::thread;
use std::time::Duration;

use crashback::{Error, ErrorKind, Program, Session};
use crashback_classpath::ClassPath;
use crashback_instrument::{Kinds, ProbePlan};
use crashback_jvm::Limits;
use crashback_jvm::linkage::{self, Ending, Mode, Subject, Verdict};
use crashback_jvm::pool::{Pool, PoolSettings};
use crashback_program::{ClassSource, EntryKind};
use crashback_protocol::Untouched;
use crashback_reproduce::everywhere;

use crate::args::{Probes, ScopeArguments, VerifyArguments};
use crate::environment::Environment;
use crate::interrupt::Interrupts;
use crate::{exit, output, program};

/// A worker links no more classes than this: they stay in its memory.
const SLICE: usize = 4000;

/// A class that links otherwise with probes than without.
pub(crate) struct Broken {
    /// Internal name.
    pub(crate) class: String,
    pub(crate) plain: Ending,
    pub(crate) instrumented: Ending,
}

/// What was found out.
pub(crate) struct Verified {
    pub(crate) jdk: String,
    pub(crate) probes: Probes,
    /// How many classes were looked at.
    pub(crate) classes: usize,
    pub(crate) checked: usize,
    pub(crate) broken: Vec<Broken>,
    /// Classes that do not link as they are either, by the kind of error: name and what was said.
    pub(crate) unlinkable: BTreeMap<String, Vec<(String, String)>>,
    /// Names of classes that the JDK has itself.
    pub(crate) foreign: Vec<String>,
    pub(crate) untouched: Vec<Untouched>,
    pub(crate) class_path_problems: Vec<crashback_classpath::Problem>,
}

/// Runs the command and gives its exit code.
pub(crate) fn run(
    arguments: &VerifyArguments,
    environment: &Environment,
    interrupts: &Interrupts,
) -> ExitCode {
    match verify(arguments, environment, interrupts) {
        Ok(verified) => show(&verified, arguments, environment.verbosity.verbose),
        Err(failure) => {
            output::tell(&format!("crashback: {failure}"));
            if arguments.json {
                output::print_json(&json::failed(&failure));
            }
            exit::code_of(&failure)
        }
    }
}

fn show(verified: &Verified, arguments: &VerifyArguments, verbose: bool) -> ExitCode {
    let failure = verified.failure();
    if arguments.json {
        output::print_json(&json::render(verified, failure.as_ref()));
    } else {
        output::print(&text::render(verified, verbose));
    }
    match failure {
        None => ExitCode::SUCCESS,
        Some(failure) => {
            output::tell(&format!("crashback: {failure}"));
            exit::code_of(&failure)
        }
    }
}

impl Verified {
    fn failure(&self) -> Option<Error> {
        let count = self.broken.len();
        let words =
            format!("{count} of {} classes do not link once instrumented; please report it", self.classes);
        (count > 0).then(|| Error::new(ErrorKind::Internal, words))
    }
}

fn verify(
    arguments: &VerifyArguments,
    environment: &Environment,
    interrupts: &Interrupts,
) -> Result<Verified, Error> {
    let request = program::request(&arguments.classes, false, &ScopeArguments::default(), environment)?;
    let Program { jdk, class_path, .. } = Program::load(&request, &interrupts.interruption)?;
    let subjects = subjects(&class_path);
    let without_sandbox = arguments.sandbox.unsafe_no_sandbox;
    let session = Session { without_sandbox, ..environment.session(interrupts)? };
    let settings = settings(arguments, session.pool_settings(&jdk, class_path.launch_path()));
    let kinds = match arguments.probes {
        Probes::All => Kinds::ALL,
        Probes::Search => everywhere(),
    };
    let start = |mode: Mode| {
        let mut settings = settings.clone();
        let kinds = if mode.instrumented { kinds } else { Kinds::NONE };
        settings.worker.recording.plan = ProbePlan::everywhere(kinds);
        settings.worker.recording.strict_verification = mode.strict;
        Pool::new(settings).map(|pool| session.interruption.watch(pool))
    };
    let is_watched = io::stderr().is_terminal() && !arguments.json && !environment.verbosity.quiet;
    let progress = |done: usize| {
        if is_watched && done < subjects.len() {
            output::tell(&format!("{done} of {} classes", subjects.len()));
        }
    };
    let slice = SLICE * settings.workers;
    let verification =
        linkage::verify(&subjects, slice, start, progress).map_err(|failure| session.error(&failure))?;
    let mut verified = Verified {
        jdk: jdk.version,
        probes: arguments.probes,
        classes: subjects.len(),
        checked: 0,
        broken: Vec::new(),
        unlinkable: BTreeMap::new(),
        foreign: Vec::new(),
        untouched: verification.untouched,
        class_path_problems: class_path.problems().to_vec(),
    };
    for (subject, verdict) in subjects.into_iter().zip(verification.verdicts) {
        verified.add(subject.name, verdict);
    }
    Ok(verified)
}

impl Verified {
    fn add(&mut self, class: String, verdict: Verdict) {
        match verdict {
            Verdict::Checked => self.checked += 1,
            Verdict::Failed { plain, instrumented } => {
                self.broken.push(Broken { class, plain, instrumented });
            }
            Verdict::Unlinkable(ending) => {
                self.unlinkable.entry(ending.kind()).or_default().push((class, ending.message().to_owned()));
            }
            Verdict::Foreign => self.foreign.push(class),
        }
    }
}

/// All classes on the class path outside the JDK, each name once. Descriptions of modules have the
/// form of a class, but are none.
fn subjects(class_path: &ClassPath) -> Vec<Subject> {
    let mut seen = BTreeSet::new();
    let all = class_path.index().all().filter(|class| {
        let entry = class_path.entry(class.reference());
        entry.is_some_and(|it| it.kind != EntryKind::Jdk) && class.name() != "module-info"
    });
    all.filter(|class| seen.insert(class.name()))
        .map(|class| Subject { name: class.name().to_owned(), is_interface: class.is_interface() })
        .collect()
}

/// Linking a class takes moments, but it may load and instrument hundreds of others on the way.
fn settings(arguments: &VerifyArguments, mut settings: PoolSettings) -> PoolSettings {
    settings.worker.machine.stack = 8 << 10;
    settings.worker.machine.options.clone_from(&arguments.jvm_option);
    settings.worker.limits =
        Limits { time: Duration::from_secs(60), grace: Duration::from_secs(10), ..Limits::default() };
    settings.allowance.memory_bytes = 4 << 30;
    // Classes are linked with and without probes at the same time.
    settings.workers = thread::available_parallelism().map_or(1, |it| it.get().div_ceil(2));
    settings
}
