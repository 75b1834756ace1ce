//! Whether instrumented libraries still do what they did, by their own test suites, test by test;
//! and what instrumentation costs there.
//!
//! Usage: `library_suites [JAVA_HOME] [--library NAME] [--only PREFIX] [--overhead ROUNDS]`.
//! Fetches the libraries by Maven. Exits with 1 when a test that ends in the same way in both plain
//! runs ends in another way in an instrumented one. Only tests that compare the library's clock
//! with the JDK's may differ, and only where clock and random numbers are pinned: they are known by
//! name, and a run has all probes but the pins.
//!
//! With `--overhead` plain runs and runs with the plan of a search take turns, the ratio of medians
//! is printed, and the results are compared as well.

#![expect(clippy::disallowed_methods, reason = "where the JDK lies is told by the environment")]
#![expect(clippy::print_stdout, reason = "a benchmark prints its results")]

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use crashback_bench::suites::{
    Difference, LIBRARIES, Library, Program, Result, Run, Suite, differences, unstable,
};
use crashback_classpath::jdk;
use crashback_instrument::Kinds;

/// How many tests whose time grew most are shown.
const SHOWN: usize = 12;

fn main() -> ExitCode {
    let mut arguments: Vec<_> = std::env::args().skip(1).collect();
    let options = Options {
        library: take_value(&mut arguments, "--library"),
        only: take_value(&mut arguments, "--only"),
        overhead: take_value(&mut arguments, "--overhead"),
        home: arguments.first().map(PathBuf::from),
    };
    match run(&options) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            println!("{error}");
            ExitCode::FAILURE
        }
    }
}

struct Options {
    library: Option<String>,
    /// What the names of the test classes that shall run begin with.
    only: Option<String>,
    overhead: Option<String>,
    home: Option<PathBuf>,
}

fn run(options: &Options) -> Result<bool> {
    let java_home = std::env::var_os("JAVA_HOME");
    let path = std::env::var_os("PATH");
    let explicit = options.home.as_deref();
    let jdk = jdk::find(jdk::Lookup { explicit, java_home: java_home.as_deref(), path: path.as_deref() })?;
    let mut same = true;
    for library in LIBRARIES.iter().filter(|it| options.library.as_ref().is_none_or(|name| name == it.name)) {
        println!("{} {} on JDK {}", library.name, library.version, jdk.version);
        let mut suite = Suite::prepare(library, &jdk)?;
        let only = options.only.as_deref().unwrap_or_default();
        suite.tests.retain(|name| name.starts_with(only));
        match &options.overhead {
            Some(rounds) => same &= measure(library, &suite, rounds.parse()?)?,
            None => same &= compare(library, &suite)?,
        }
    }
    Ok(same)
}

/// Whether the suite goes the same way with all probes that must not change anything.
fn compare(library: &Library, suite: &Suite) -> Result<bool> {
    let plain = Program::plain(&suite.classes);
    let plain = [run_once(suite, "plain", &plain)?, run_once(suite, "plain", &plain)?];
    let [first, _] = &plain;
    for (name, test) in first.tests.iter().filter(|it| it.1.result.starts_with("FAILED")) {
        println!("  fails without probes: {name} {}", test.result);
    }
    let programs = [
        ("all but pins", Program::everywhere(&suite.classes, all_but_pins())?),
        ("search", Program::for_search(&suite.classes, library)?),
    ];
    let mut unexcused = 0;
    for (name, program) in &programs {
        let run = run_once(suite, name, program)?;
        if run.facts == 0 {
            return Err("nothing was recorded: the probes do not run".into());
        }
        let pinned = if *name == "all but pins" { None } else { Some(library) };
        unexcused += report_differences(&plain, &run, pinned);
    }
    println!("  {unexcused} unexcused differences\n");
    Ok(unexcused == 0)
}

/// Prints how a run differs from plain ones, and counts what neither chance nor, where the
/// library's clock is pinned, a pin excuses.
fn report_differences(plain: &[Run], run: &Run, pinned: Option<&Library>) -> usize {
    let unstable = unstable(plain);
    for test in &unstable {
        println!("  differs between plain runs: {test}");
    }
    let found = plain.first().map(|first| differences(first, run)).unwrap_or_default();
    let mut unexcused = 0;
    for Difference { test, one, other } in found.iter().filter(|it| !unstable.contains(&it.test)) {
        if pinned.is_some_and(|library| library.is_pinned(test)) {
            println!("  differs by pins: {test}");
        } else {
            println!("  {test}\n    plain: {one:?}\n    with probes: {other:?}");
            unexcused += 1;
        }
    }
    unexcused
}

fn all_but_pins() -> Kinds {
    Kinds::BUDGET
        | Kinds::JUMPS
        | Kinds::SWITCHES
        | Kinds::LINES
        | Kinds::BLOCKS
        | Kinds::FRAMES
        | Kinds::CALLS
        | Kinds::CAUGHT
        | Kinds::STATE
}

/// Time with the plan of a search against time without probes.
fn measure(library: &Library, suite: &Suite, rounds: usize) -> Result<bool> {
    let (plain, search) = (Program::plain(&suite.classes), Program::for_search(&suite.classes, library)?);
    let (mut before, mut after) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        before.push(run_once(suite, "plain", &plain)?);
        after.push(run_once(suite, "search", &search)?);
    }
    let ratio = |of: fn(&Run) -> Duration| median(&after, of) / median(&before, of);
    println!(
        "  ratio of medians: time {:.2}, processor {:.2}",
        ratio(|run| run.time),
        ratio(|run| run.processor)
    );
    slowest(&before, &after);
    let unexcused: usize = after.iter().map(|run| report_differences(&before, run, Some(library))).sum();
    println!("  {unexcused} unexcused differences\n");
    Ok(unexcused == 0)
}

/// Prints the tests whose time grew most.
fn slowest(before: &[Run], after: &[Run]) {
    let Some(tests) = before.first().map(|run| &run.tests) else { return };
    let median_of = |runs: &[Run], name: &str| {
        let mut times: Vec<_> =
            runs.iter().filter_map(|run| Some(run.tests.get(name)?.time.as_secs_f64())).collect();
        middle(&mut times)
    };
    let tests = tests.keys().filter(|name| name.contains("[test:") || name.contains("[method:"));
    let mut grown: Vec<_> =
        tests.map(|name| (median_of(before, name), median_of(after, name), name)).collect();
    grown.sort_by(|a, b| (b.1 - b.0).total_cmp(&(a.1 - a.0)));
    for (before, after, name) in grown.iter().take(SHOWN) {
        println!("  {before:8.3} s, then {after:8.3} s: {name}");
    }
}

fn run_once(suite: &Suite, name: &str, program: &Program) -> Result<Run> {
    let run = suite.run(program)?;
    println!(
        "  {name:12} {} ended ({} passed, {} failed, {} aborted, {} skipped) in {:.1} s, processor {:.1} s; \
         {} bytes of facts, {} methods untouched",
        run.tests.len(),
        run.count("SUCCESSFUL"),
        run.count("FAILED"),
        run.count("ABORTED"),
        run.count("SKIPPED"),
        run.time.as_secs_f64(),
        run.processor.as_secs_f64(),
        run.facts,
        program.untouched,
    );
    Ok(run)
}

fn median(runs: &[Run], of: fn(&Run) -> Duration) -> f64 {
    middle(&mut runs.iter().map(|run| of(run).as_secs_f64()).collect::<Vec<_>>())
}

fn middle(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}

fn take_value(arguments: &mut Vec<String>, flag: &str) -> Option<String> {
    let at = arguments.iter().position(|it| it == flag)?;
    arguments.remove(at);
    (at < arguments.len()).then(|| arguments.remove(at))
}
