//! The cost of a search beside running its tests: tests a second of a whole search (generation,
//! encoding, evaluation, fitness, selection) against the evaluator alone on the very same tests;
//! and the cost of a test as generations go by.
//!
//! Usage: `search [JAVA_HOME] [--evaluations N]`. Fetches commons-lang3 and JUnit by Maven. No test
//! can reproduce the crashes, so that searches end with their budget.

#![expect(clippy::disallowed_methods, reason = "a benchmark measures time")]
#![expect(clippy::print_stdout, reason = "a benchmark prints its results")]

use std::cell::RefCell;
use std::error::Error;
use std::path::Path;
use std::process::ExitCode;
use std::rc::Rc;
use std::time::{Duration, Instant};

use crashback::{
    Crashes, LocalHost, Program, ProgramRequest, SelfCommand, Session, Target, Task, coordinates, jdk,
};
use crashback_bench::recorded::{RecordingHost, Taken, Taking};
use crashback_jvm::pool::Pool;
use crashback_protocol::{Batch, Evaluator};
use crashback_reproduce::{Event, Records, Settings, reproduce};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

const LIBRARIES: &[&str] = &["org.apache.commons:commons-lang3:3.4"];

/// Logs of crashes that no test reproduces: the program never throws the error.
const CRASHES: &[(&str, &str)] = &[(
    "NumberUtils.createNumber",
    "java.lang.InternalError\n\
     \tat org.apache.commons.lang3.math.NumberUtils.createNumber(NumberUtils.java:463)\n",
)];

fn main() -> ExitCode {
    if let Some(code) = crashback::serve(std::env::args_os().skip(1)) {
        return code;
    }
    let mut arguments: Vec<_> = std::env::args().skip(1).collect();
    let mut evaluations = 200_000;
    if let Some(place) = arguments.iter().position(|it| it == "--evaluations") {
        let value = arguments.drain(place..).nth(1);
        evaluations = value.and_then(|it| it.parse().ok()).unwrap_or(evaluations);
    }
    match run(arguments.first().map(Path::new), evaluations) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            println!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run(home: Option<&Path>, evaluations: u64) -> Result<()> {
    let path = std::env::var_os("PATH");
    let jdk = jdk::find(jdk::Lookup { explicit: home, java_home: None, path: path.as_deref() })?;
    let session = Session::new(SelfCommand::new(std::env::current_exe()?), std::env::temp_dir());
    let request = ProgramRequest {
        maven: LIBRARIES.iter().map(|it| coordinates(it)).collect::<std::result::Result<_, _>>()?,
        project_packages: vec!["org.apache.commons".to_owned()],
        ..ProgramRequest::new(jdk, Vec::new())
    };
    let program = Program::load(&request, &session.interruption)?;
    println!("{evaluations} tests a search, one worker\n");
    println!(
        "{:26}{:>12}{:>14}{:>8}   µs a test, by tenths of the search",
        "", "search/s", "evaluator/s", "ratio"
    );
    for (name, log) in CRASHES {
        measure(name, log, &session, &program, evaluations)?;
    }
    Ok(())
}

fn measure(name: &str, log: &str, session: &Session, program: &Program, evaluations: u64) -> Result<()> {
    let classes = program.classes();
    let target = Target::choose(program, &classes, &Crashes::read(log.as_bytes(), name, None)?, None)?;
    let settings = Settings {
        frame: Some(1),
        time: Duration::from_secs(3600),
        evaluations: Some(evaluations),
        seed: 1,
        ..Settings::default()
    };
    let task = Task { target: &target, settings: &settings, begun: Instant::now() };
    let mut ignore = |_: &Event| {};
    let taken = Rc::<RefCell<Taken>>::default();
    let local = LocalHost::new(session, &task, &mut ignore)?;
    let mut host = RecordingHost { local, taken: Rc::clone(&taken) };
    let result = reproduce(target.case(&Records::default()), &settings, &mut host)?;
    if result.reproduced || result.evaluations < evaluations {
        return Err(format!("{name}: the search ended early: {result:?}").into());
    }
    let taken = taken.borrow();
    let (Some((recording, test_package)), Some(first)) = (&taken.recording, taken.batches.first()) else {
        return Err("nothing was evaluated".into());
    };
    let mut alone = host.local.pool(recording, test_package)?;
    // The first batch finds a cold JVM in both runs and counts in neither.
    let begun = replay(&mut alone, std::slice::from_ref(first)).map(|()| Instant::now())?;
    replay(&mut alone, taken.batches.get(1..).unwrap_or_default())?;
    let (searching, evaluating) = (taken.searching()?, begun.elapsed().as_secs_f64());
    let tests: usize = taken.batches.iter().skip(1).map(|it| it.tests.len()).sum();
    let costs: Vec<String> = taken.tenths().iter().map(|it| format!("{it:.1}")).collect();
    println!(
        "{name:26}{:>12.0}{:>14.0}{:>8.2}   {}",
        tests as f64 / searching,
        tests as f64 / evaluating,
        evaluating / searching,
        costs.join(" ")
    );
    Ok(())
}

fn replay(evaluator: &mut Pool, batches: &[Taking]) -> Result<()> {
    for Taking { vocabulary, tests, .. } in batches {
        evaluator.evaluate(Batch::new(vocabulary, tests))?;
    }
    Ok(())
}
