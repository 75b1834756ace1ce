//! Other programs that reproduce crashes: how they are started, and how their results are read.
//!
//! The contract stands in docs/campaign.md. Its JSON has the names of `crashback reproduce --json`, all of
//! them optional, so that Crashback itself is such a program.

use std::fs::{self, File};
use std::io::Read as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crashback::{Error, ErrorKind, Interruption, Reproduction, WrittenTest, make_folder};
use crashback_reproduce::{Degree, FrameResult, ProgressPoint, Stage};
use serde::Deserialize;
use serde_json::Value;

use crate::{Job, RunResult, Tool};

/// How often it is looked whether the program has ended.
const TICK: Duration = Duration::from_millis(20);
/// The most that is read of a result.
const MOST_OUTPUT: u64 = 16 << 20;
/// The most of its last words that a message quotes.
const MOST_WORDS: usize = 400;

/// The class path of a crash, which only some programs need.
pub(crate) type ClassPath<'c> = &'c dyn Fn() -> Result<Vec<PathBuf>, Error>;

/// The result of a program, as its JSON has it.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Output {
    reproduced: Option<bool>,
    verified: Option<bool>,
    frame: Option<u32>,
    highest_target_frame: Option<u32>,
    outcome: Option<String>,
    degree: Option<String>,
    exception: Option<String>,
    evaluations: u64,
    seconds: Option<f64>,
    nulls: u32,
    mocks: u32,
    satisfactory: Option<bool>,
    unverified_claims: u32,
    obstacle: Option<String>,
    test: Option<TestOutput>,
    frames: Vec<FrameOutput>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct TestOutput {
    package: String,
    class: String,
    source: String,
    junit: u8,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct FrameOutput {
    level: u32,
    frame: String,
    outcome: Option<String>,
    evaluations: u64,
    obstacle: Option<String>,
    distance: Option<f64>,
    curve: Vec<ProgressPoint>,
    found_by: Option<String>,
    found_after: Option<f64>,
}

/// Makes the run of a job by another program, in a folder of its own.
pub(crate) fn run(
    tool: &Tool,
    job: &Job,
    temporary: &Path,
    switch: &Interruption,
    class_path: ClassPath<'_>,
) -> Result<RunResult, Error> {
    let folder = make_folder(temporary, "crashback-tool-", switch)?;
    let written = |name: &str| folder.path().join(name);
    let arguments = arguments(tool, job, folder.path(), class_path)?;
    let Some((program, arguments)) = arguments.split_first() else {
        return Err(Error::new(ErrorKind::Usage, "the tool has no command"));
    };
    let (stdout, stderr) = (create(&written("stdout"))?, create(&written("stderr"))?);
    #[expect(clippy::disallowed_methods, reason = "a configuration may name another program")]
    let mut command = Command::new(program);
    command.args(arguments).current_dir(folder.path()).process_group(0);
    command.stdin(Stdio::null()).stdout(stdout).stderr(stderr);
    let begun = instant();
    let child = command.spawn().map_err(|it| environment(&format!("cannot start {program}: {it}")))?;
    let status = wait(child, switch)?;
    let seconds = begun.elapsed().as_secs_f64();
    let text = read(&written("output")).or_else(|| read(&written("stdout")));
    let output = parse(program, text.as_deref())?;
    let code = status.code();
    if !matches!(code, Some(0 | 1)) {
        return Err(failed(program, status, read(&written("stderr")).unwrap_or_default()));
    }
    Ok(result(job, output, code == Some(0), seconds))
}

/// The command with its placeholders filled in.
fn arguments(tool: &Tool, job: &Job, folder: &Path, class_path: ClassPath<'_>) -> Result<Vec<String>, Error> {
    let uses = |name: &str| tool.command.iter().any(|it| it.contains(name));
    let log = folder.join("crash.log");
    let content = job.subject.read_log().map_err(|error| {
        let message = format!("cannot read the log {}: {error}", job.subject.log.display());
        Error::new(ErrorKind::Usage, message)
    })?;
    fs::write(&log, content).map_err(|it| environment(&format!("cannot write the log: {it}")))?;
    let class_path = if uses("{classpath}") { joined(&class_path()?)? } else { String::new() };
    let settings = job.settings();
    let values = [
        ("{log}", log.display().to_string()),
        ("{classpath}", class_path),
        ("{frame}", settings.frame.unwrap_or(0).to_string()),
        ("{seed}", job.seed.to_string()),
        ("{time}", settings.time.as_secs_f64().ceil().to_string()),
        ("{output}", folder.join("output").display().to_string()),
        ("{crash}", job.subject.id.clone()),
    ];
    let filled =
        |part: &String| values.iter().fold(part.clone(), |text, (name, value)| text.replace(name, value));
    Ok(tool.command.iter().map(filled).collect())
}

fn joined(class_path: &[PathBuf]) -> Result<String, Error> {
    let absolute = class_path.iter().map(|it| std::path::absolute(it).unwrap_or_else(|_| it.clone()));
    let joined = std::env::join_paths(absolute)
        .map_err(|it| Error::new(ErrorKind::Usage, format!("the class path cannot be passed on: {it}")))?;
    joined.into_string().map_err(|_| Error::new(ErrorKind::Usage, "the class path is no Unicode text"))
}

/// Waits for the end of a program. The switch ends it with all processes that it started.
fn wait(mut child: Child, switch: &Interruption) -> Result<ExitStatus, Error> {
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Ok(status),
            Ok(None) if switch.is_requested() => {
                kill_group(&child);
                drop(child.wait());
                return Err(Error::interrupted());
            }
            Ok(None) => thread::sleep(TICK),
            Err(error) => return Err(environment(&format!("cannot wait for the tool: {error}"))),
        }
    }
}

fn kill_group(child: &Child) {
    if let Some(group) = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw) {
        // It may have ended meanwhile.
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
}

/// The JSON of a program, if there is any.
fn parse(program: &str, text: Option<&str>) -> Result<Output, Error> {
    let Some(text) = text.map(str::trim).filter(|it| it.starts_with('{')) else {
        return Ok(Output::default());
    };
    let wrong = |it: serde_json::Error| {
        let message = format!("the result of {program} is no JSON of the documented form: {it}");
        Error::new(ErrorKind::Environment, message)
    };
    // Fields that are null are as good as absent.
    let mut value: Value = serde_json::from_str(text).map_err(wrong)?;
    without_nulls(&mut value);
    serde_json::from_value(value).map_err(wrong)
}

fn without_nulls(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.retain(|_, it| !it.is_null());
            fields.values_mut().for_each(without_nulls);
        }
        Value::Array(values) => values.iter_mut().for_each(without_nulls),
        _ => {}
    }
}

fn result(job: &Job, output: Output, exited_well: bool, seconds: f64) -> RunResult {
    let reproduced = output.reproduced.unwrap_or(exited_well);
    let stage = |name: Option<&str>| match name {
        Some("reproduced") => Stage::Reproduced,
        Some("exception-thrown") => Stage::ExceptionThrown,
        Some("line-reached") => Stage::LineReached,
        Some("line-not-reached") => Stage::LineNotReached,
        _ => Stage::NotStarted,
    };
    let degree = match output.degree.as_deref() {
        Some("cause") => Degree::Cause,
        Some("caught") => Degree::Caught,
        _ => Degree::Escapes,
    };
    let frame = |it: FrameOutput| FrameResult {
        level: it.level,
        frame: it.frame,
        outcome: stage(it.outcome.as_deref()),
        degree: None,
        evaluations: it.evaluations,
        obstacle: it.obstacle,
        obstacle_kind: None,
        distance: it.distance,
        curve: it.curve,
        found_by: it.found_by,
        found_after: it.found_after,
    };
    let outcome = if reproduced { Stage::Reproduced } else { stage(output.outcome.as_deref()) };
    let test = output.test.map(|it| WrittenTest {
        package: it.package,
        class: it.class,
        source: it.source,
        junit: it.junit,
        module: None,
    });
    let reproduction = Reproduction {
        reproduced,
        verified: reproduced && output.verified.unwrap_or(true),
        frame: output.frame.or(job.frame).filter(|_| reproduced),
        highest_target_frame: output.highest_target_frame,
        outcome,
        degree: reproduced.then_some(degree),
        frames: output.frames.into_iter().map(frame).collect(),
        evaluations: output.evaluations,
        seconds: output.seconds.unwrap_or(seconds),
        seed: job.seed,
        test,
        nulls: output.nulls,
        mocks: output.mocks,
        satisfactory: reproduced && output.satisfactory.unwrap_or(true),
        unverified_claims: output.unverified_claims,
        obstacle: output.obstacle,
        ..Reproduction::default()
    };
    RunResult { reproduction, exception: output.exception }
}

/// Exit codes beyond 1 tell whose problem it is, as those of Crashback do.
fn failed(program: &str, status: ExitStatus, last_words: String) -> Error {
    let kind = match status.code() {
        Some(2) => ErrorKind::Usage,
        Some(3) => ErrorKind::Disagreement,
        Some(4) => ErrorKind::Environment,
        _ => ErrorKind::Internal,
    };
    let words = last_words.trim();
    let skipped = words.chars().count().saturating_sub(MOST_WORDS);
    let words: String = words.chars().skip(skipped).collect();
    Error::new(kind, format!("{program} ended with {status}: {words}"))
}

/// What a file begins with; none if there is no such file or nothing in it.
fn read(path: &Path) -> Option<String> {
    let mut bytes = Vec::new();
    File::open(path).ok()?.take(MOST_OUTPUT).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned()).filter(|it| !it.is_empty())
}

fn create(path: &Path) -> Result<File, Error> {
    File::create(path).map_err(|it| environment(&format!("cannot write {}: {it}", path.display())))
}

fn environment(message: &str) -> Error {
    Error::new(ErrorKind::Environment, message)
}

#[expect(clippy::disallowed_methods, reason = "the time of a run is measured")]
fn instant() -> Instant {
    Instant::now()
}
