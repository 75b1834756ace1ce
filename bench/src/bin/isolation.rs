//! Whether tests of searches are kept apart: a sample of the tests of a search, run with selective reset,
//! in a fresh loader and in a fresh JVM of their own, must be observed alike. Differences are counted by the
//! part of the observation. None of them can become a claim: only a fresh JVM confirms a solution.
//!
//! Usage: `isolation [JAVA_HOME] [--tests N]`, N for each of the programs, which Maven fetches. No test can
//! reproduce the crashes, so that searches end with their budget.

#![expect(clippy::disallowed_methods, reason = "a reproduction is told when it began")]
#![expect(clippy::print_stdout, reason = "a benchmark prints its results")]

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;
use std::process::ExitCode;
use std::rc::Rc;
use std::time::{Duration, Instant};

use crashback::{
    Crashes, LocalHost, Program, ProgramRequest, SelfCommand, Session, Target, Task, coordinates, jdk,
};
use crashback_bench::recorded::{RecordingHost, Taken};
use crashback_jvm::check::{Differences, check};
use crashback_reproduce::{Event, Records, Settings, reproduce};
use crashback_testcase::TestCase;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Programs of different kinds, each with the frame of a crash that no test reproduces: the program
/// never throws the error.
const PROGRAMS: [(&str, &str, &str); 3] = [
    (
        "org.apache.commons:commons-lang3:3.4",
        "org.apache.commons",
        "org.apache.commons.lang3.math.NumberUtils.createNumber(NumberUtils.java:463)",
    ),
    (
        "joda-time:joda-time:2.12.7",
        "org.joda",
        "org.joda.time.format.DateTimeFormatter.parseDateTime(DateTimeFormatter.java:929)",
    ),
    ("com.google.re2j:re2j:1.7", "com.google.re2j", "com.google.re2j.Pattern.compile(Pattern.java:109)"),
];

/// So many tests of a search are run for each that is compared, so that the sample has tests that were bred.
const SEARCHED: u64 = 5;

fn main() -> ExitCode {
    if let Some(code) = crashback::serve(std::env::args_os().skip(1)) {
        return code;
    }
    let mut arguments: Vec<_> = std::env::args().skip(1).collect();
    let mut tests = 200;
    if let Some(place) = arguments.iter().position(|it| it == "--tests") {
        let value = arguments.drain(place..).nth(1);
        tests = value.and_then(|it| it.parse().ok()).unwrap_or(tests);
    }
    match run(arguments.first().map(Path::new), tests) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            println!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run(home: Option<&Path>, tests: u64) -> Result<()> {
    let path = std::env::var_os("PATH");
    let jdk = jdk::find(jdk::Lookup { explicit: home, java_home: None, path: path.as_deref() })?;
    let session = Session::new(SelfCommand::new(std::env::current_exe()?), std::env::temp_dir());
    println!("{:40}{:>10}{:>10}{:>10}   by part", "", "compared", "reset", "loader");
    for (artifact, package, frame) in PROGRAMS {
        let request = ProgramRequest {
            maven: vec![coordinates(artifact)?],
            project_packages: vec![package.to_owned()],
            ..ProgramRequest::new(jdk.clone(), Vec::new())
        };
        let program = Program::load(&request, &session.interruption)?;
        let differences = compare(&session, &program, frame, tests)?;
        show(artifact, &differences);
    }
    Ok(())
}

/// Runs a sample of the tests of a search in all ways.
fn compare(session: &Session, program: &Program, frame: &str, tests: u64) -> Result<Differences> {
    let log = format!("java.lang.InternalError\n\tat {frame}\n");
    let classes = program.classes();
    let target = Target::choose(program, &classes, &Crashes::read(log.as_bytes(), frame, None)?, None)?;
    let settings = Settings {
        time: Duration::from_secs(3600),
        evaluations: Some(tests * SEARCHED),
        seed: 1,
        ..Settings::default()
    };
    let task = Task { target: &target, settings: &settings, begun: Instant::now() };
    let mut ignore = |_: &Event| {};
    let taken = Rc::<RefCell<Taken>>::default();
    let local = LocalHost::new(session, &task, &mut ignore)?;
    let mut host = RecordingHost { local, taken: Rc::clone(&taken) };
    reproduce(target.case(&Records::default()), &settings, &mut host)?;
    let taken = taken.borrow();
    let (Some((recording, test_package)), Some(last)) = (&taken.recording, taken.batches.last()) else {
        return Err("nothing was evaluated".into());
    };
    let sample: Vec<TestCase> =
        taken.batches.iter().flat_map(|it| &it.tests).step_by(SEARCHED as usize).cloned().collect();
    let mut pool = host.local.pool(recording, test_package)?;
    Ok(check(&mut pool, &last.vocabulary, &sample)?)
}

fn show(artifact: &str, differences: &Differences) {
    let mut parts = BTreeMap::<&str, usize>::new();
    for part in differences.differing.iter().filter_map(|it| it.reset) {
        *parts.entry(part).or_default() += 1;
    }
    let count = |reset: bool| {
        let differing = differences.differing.iter();
        differing.filter(|it| if reset { it.reset.is_some() } else { it.loader.is_some() }).count()
    };
    let parts: Vec<String> = parts.iter().map(|(part, times)| format!("{part} {times}")).collect();
    println!(
        "{artifact:40}{:>10}{:>10}{:>10}   {}",
        differences.compared,
        count(true),
        count(false),
        parts.join(", ")
    );
}
