//! `crashback doctor`: whether this machine has what Crashback needs, with what to do where it has
//! not.

mod machine;
mod self_test;
mod text;

use std::path::Path;
use std::process::ExitCode;

use crashback::{Error, ErrorKind, Jdk, Session, WatchedPool};
use crashback_jvm::find_libjvm;
use crashback_jvm::pool::{Pool, Ready};
use serde::Serialize;

use crate::args::DoctorArguments;
use crate::environment::Environment;
use crate::interrupt::Interrupts;
use crate::{exit, output, program};

/// One thing that was looked at.
#[derive(Debug, Serialize)]
pub(crate) struct Check {
    /// A word that stays the same, for programs.
    id: &'static str,
    status: Status,
    /// What was found.
    found: String,
    /// What to do about it; none where all is well.
    advice: Option<String>,
}

/// How well something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Status {
    Ok,
    /// Something works less well or not at all, but crashes can be worked on.
    Warning,
    /// Crashback cannot do its job.
    Problem,
}

impl Check {
    fn ok(id: &'static str, found: impl Into<String>) -> Self {
        Self { id, status: Status::Ok, found: found.into(), advice: None }
    }

    fn warning(id: &'static str, found: impl Into<String>, advice: impl Into<String>) -> Self {
        Self { id, status: Status::Warning, found: found.into(), advice: Some(advice.into()) }
    }

    fn problem(id: &'static str, found: impl Into<String>, advice: impl Into<String>) -> Self {
        Self { id, status: Status::Problem, found: found.into(), advice: Some(advice.into()) }
    }
}

/// Everything that was found, as `--json` shows it.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Diagnosis {
    exit_code: u8,
    error: Option<Error>,
    checks: Vec<Check>,
    jdk: Option<JdkFacts>,
    worker: Option<WorkerFacts>,
    /// How many tests a second the self-test has run.
    evaluations_per_second: Option<u64>,
}

#[derive(Debug, Serialize)]
struct JdkFacts {
    home: String,
    version: String,
    feature: u16,
}

#[derive(Debug, Serialize)]
struct WorkerFacts {
    start_milliseconds: u64,
    jvm: String,
    sandbox: String,
}

/// Runs the command and gives its exit code.
pub(crate) fn run(
    arguments: &DoctorArguments,
    environment: &Environment,
    interrupts: &Interrupts,
) -> ExitCode {
    let diagnosis = Diagnosis::of(arguments, environment, interrupts);
    if arguments.json {
        output::print_json(&diagnosis);
    } else {
        output::print(&diagnosis.text());
    }
    match &diagnosis.error {
        None => ExitCode::SUCCESS,
        Some(failure) => {
            output::tell(&format!("crashback: {failure}"));
            exit::code_of(failure)
        }
    }
}

impl Diagnosis {
    /// Examines the machine.
    pub(crate) fn of(
        arguments: &DoctorArguments,
        environment: &Environment,
        interrupts: &Interrupts,
    ) -> Self {
        let mut diagnosis = Self::default();
        diagnosis.examine(arguments, environment, interrupts);
        diagnosis.conclude(interrupts);
        diagnosis
    }

    /// The diagnosis for people.
    pub(crate) fn text(&self) -> String {
        text::render(self)
    }

    /// Why Crashback cannot work here, if it cannot.
    pub(crate) fn error(&self) -> Option<&Error> {
        self.error.as_ref()
    }

    fn examine(&mut self, arguments: &DoctorArguments, environment: &Environment, interrupts: &Interrupts) {
        let jdk = self.find_jdk(arguments.java_home.as_deref(), environment);
        self.checks.push(machine::kernel(arguments.sandbox.unsafe_no_sandbox));
        self.checks.push(machine::resources());
        self.checks.push(machine::scratch(&environment.temporary));
        self.checks.push(machine::maven(environment.path.as_deref()));
        let can_start = jdk.as_ref().filter(|jdk| find_libjvm(&jdk.home).is_some());
        let Some(jdk) = can_start else { return };
        match start(jdk, arguments, environment, interrupts) {
            Ok((pool, ready)) => {
                let without_sandbox = arguments.sandbox.unsafe_no_sandbox;
                self.describe_worker(&ready, without_sandbox);
                let outcome = self_test::run(pool, &environment.temporary, without_sandbox);
                self.checks.extend(outcome.checks);
                self.evaluations_per_second = outcome.evaluations_per_second;
            }
            Err(failure) => self.checks.push(Check::problem(
                "worker",
                format!("no worker process starts: {failure}"),
                "see what is wrong above; if nothing is, try another JDK with --java-home",
            )),
        }
    }

    fn find_jdk(&mut self, explicit: Option<&Path>, environment: &Environment) -> Option<Jdk> {
        let jdk = match program::find_jdk(explicit, environment) {
            Ok(jdk) => jdk,
            Err(failure) => {
                self.checks.push(no_jdk(&failure, explicit, environment));
                return None;
            }
        };
        let home = jdk.home.display().to_string();
        let source = source(explicit, environment);
        self.checks.push(Check::ok("jdk", format!("{} in {home}, by {source}", jdk.version)));
        self.checks.push(version(&jdk));
        self.checks.push(compiler(&jdk));
        self.checks.push(classes(&jdk));
        self.checks.push(library(&jdk));
        self.jdk = Some(JdkFacts { home, version: jdk.version.clone(), feature: jdk.feature });
        Some(jdk)
    }

    fn describe_worker(&mut self, ready: &Ready, without_sandbox: bool) {
        let Ready { report, time } = ready;
        let milliseconds = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        self.checks.push(Check::ok("worker", format!("ready after {milliseconds} ms, JVM {}", report.jvm)));
        let is_weak = report.sandbox.contains("not confined") || report.sandbox.contains("missing");
        self.checks.push(match (is_weak, without_sandbox) {
            (false, _) => Check::ok("sandbox", format!("in force: {}", report.sandbox)),
            (true, true) => Check::warning(
                "sandbox",
                format!("weak, as --unsafe-no-sandbox allows: {}", report.sandbox),
                "run only programs you trust",
            ),
            (true, false) => Check::problem(
                "sandbox",
                format!("not in force: {}", report.sandbox),
                "use a kernel that has what is missing",
            ),
        });
        self.worker = Some(WorkerFacts {
            start_milliseconds: milliseconds,
            jvm: report.jvm.clone(),
            sandbox: report.sandbox.clone(),
        });
    }

    /// Whether the main job could run.
    fn conclude(&mut self, interrupts: &Interrupts) {
        let problems: Vec<&str> =
            self.checks.iter().filter(|it| it.status == Status::Problem).map(|it| it.id).collect();
        self.error = if interrupts.happened() {
            Some(Error::new(ErrorKind::Interrupted, "interrupted"))
        } else if problems.is_empty() {
            None
        } else {
            let message = format!("Crashback cannot work here: see {}", problems.join(", "));
            Some(Error::new(ErrorKind::Environment, message))
        };
        self.exit_code = self.error.as_ref().map_or(0, |it| exit::code(it.kind));
    }
}

fn start(
    jdk: &Jdk,
    arguments: &DoctorArguments,
    environment: &Environment,
    interrupts: &Interrupts,
) -> Result<(WatchedPool, Ready), Error> {
    let without_sandbox = arguments.sandbox.unsafe_no_sandbox;
    let session = Session { without_sandbox, ..environment.session(interrupts)? };
    let failed = |failure: crashback_protocol::Failure| session.error(&failure);
    let pool = Pool::new(session.pool_settings(jdk, &[])).map_err(failed)?;
    let pool = session.interruption.watch(pool);
    let ready = pool.pool.ready().map_err(failed)?;
    Ok((pool, ready))
}

/// Where the JDK was found.
fn source(explicit: Option<&Path>, environment: &Environment) -> &'static str {
    match (explicit, &environment.java_home) {
        (Some(_), _) => "--java-home",
        (None, Some(_)) => "JAVA_HOME",
        (None, None) => "the `java` on the PATH",
    }
}

fn no_jdk(failure: &Error, explicit: Option<&Path>, environment: &Environment) -> Check {
    let mut looked = Vec::new();
    looked.push(match explicit {
        Some(home) => format!("--java-home {}", home.display()),
        None => "no --java-home".to_owned(),
    });
    if explicit.is_none() {
        looked.push(match &environment.java_home {
            Some(home) => format!("JAVA_HOME={}", home.display()),
            None => "JAVA_HOME is not set".to_owned(),
        });
    }
    if explicit.is_none() && environment.java_home.is_none() {
        let folders = environment.path.as_deref().map(std::env::split_paths).map_or(0, Iterator::count);
        looked.push(format!("no usable `java` in the {folders} folders of PATH"));
    }
    let found = format!("{failure} (looked at: {})", looked.join("; "));
    Check::problem("jdk", found, "install a JDK, 17 or 25 for choice, and name its folder with --java-home")
}

/// Releases that Crashback is tested with, by `tests/jdks/run`, and those that it is written for.
const TESTED: [u16; 5] = [8, 11, 17, 21, 25];
const WRITTEN_FOR: std::ops::RangeInclusive<u16> = 8..=25;

fn version(jdk: &Jdk) -> Check {
    let feature = jdk.feature;
    if TESTED.contains(&feature) {
        Check::ok("version", format!("{feature}, which Crashback is tested with"))
    } else if WRITTEN_FOR.contains(&feature) {
        let tested = TESTED.map(|it| it.to_string()).join(", ");
        let found = format!("{feature}: Crashback is written for it, but tested with {tested}");
        Check::warning("version", found, "if something goes wrong, try a JDK that is tested")
    } else if feature > *WRITTEN_FOR.end() {
        let found = format!("{feature} is newer than what Crashback knows, {}", WRITTEN_FOR.end());
        Check::warning("version", found, "if something goes wrong, try an older JDK")
    } else {
        let found = format!("{feature} is too old: {} is the first that works", WRITTEN_FOR.start());
        Check::problem("version", found, "name a newer JDK with --java-home or JAVA_HOME")
    }
}

fn compiler(jdk: &Jdk) -> Check {
    let Some(found) = jdk.compiler_problem() else {
        return Check::ok("javac", jdk.home.join("bin/javac").display().to_string());
    };
    Check::problem("javac", found, "name a JDK with --java-home or JAVA_HOME: tests must be compiled")
}

fn classes(jdk: &Jdk) -> Check {
    match jdk.check_classes() {
        Ok(()) => Check::ok("classes", jdk.classes.to_string()),
        Err(failure) => Check::problem(
            "classes",
            failure.to_string(),
            "name a whole JDK, as its vendor ships it, with --java-home or JAVA_HOME",
        ),
    }
}

fn library(jdk: &Jdk) -> Check {
    match find_libjvm(&jdk.home) {
        Some(library) => Check::ok("libjvm", library.display().to_string()),
        None => Check::problem(
            "libjvm",
            format!("{} has no libjvm.so where JDKs keep it", jdk.home.display()),
            "name a whole HotSpot JDK for Linux with --java-home or JAVA_HOME",
        ),
    }
}
