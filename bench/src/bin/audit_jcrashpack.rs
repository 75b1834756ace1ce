//! Audits crashes of a JCrashPack checkout and compares every target frame with what another
//! checker found.
//!
//! `audit_jcrashpack JCRASHPACK_DIR EXPECTED.csv [JAVA_HOME]`: the folder has the benchmark's own
//! layout; the table has a row for each target frame (columns `crash`, `level`, `class`, `method`,
//! `line`, `status`, `jar`, `descriptor`, `line_check`, `line_check_nearest`), and its crashes are
//! those that are audited.
#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]
#![expect(clippy::disallowed_methods, reason = "a benchmark measures time")]

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crashback_classpath::{ClassPath, Jdk, Request, jdk};
use crashback_program::classes::Classes;
use crashback_program::frames::{Auditor, CrashAudit, FrameAudit, Origin, Scope, Status};
use regex::Regex;
use serde::Deserialize;

#[derive(Deserialize)]
struct Benchmark {
    crashes: BTreeMap<String, Crash>,
}

#[derive(Deserialize)]
struct Crash {
    application: String,
    version: String,
    target_frames: String,
}

/// A row of the table of expectations, by column.
type Row = BTreeMap<String, String>;

#[derive(Default)]
struct Figures {
    crashes: usize,
    ok: usize,
    line_absent: usize,
    other: usize,
    shifted: usize,
    ambiguous: usize,
    differences: usize,
    auditing: Duration,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let [folder, table, rest @ ..] = arguments.as_slice() else {
        return Err("usage: audit_jcrashpack JCRASHPACK_DIR EXPECTED.csv [JAVA_HOME]".into());
    };
    let java_home = rest.first().map(PathBuf::as_path);
    let path = std::env::var_os("PATH");
    let jdk = jdk::find(jdk::Lookup { explicit: java_home, java_home: None, path: path.as_deref() })?;
    let benchmark: Benchmark = serde_json::from_slice(&fs::read(folder.join("jcrashpack.json"))?)?;
    let mut figures = Figures::default();
    for (id, rows) in read_table(table)? {
        let crash = benchmark.crashes.get(&id).ok_or_else(|| format!("{id} is not in jcrashpack.json"))?;
        let started = Instant::now();
        let audit = audit(folder, &id, crash, &jdk)?;
        figures.auditing += started.elapsed();
        figures.crashes += 1;
        for row in &rows {
            compare(&id, row, &audit, &mut figures);
        }
    }
    println!("crashes audited        {}", figures.crashes);
    println!("frames ok              {}", figures.ok);
    println!("frames line-absent     {}", figures.line_absent);
    println!("frames otherwise       {}", figures.other);
    println!("lines shifted          {}", figures.shifted);
    println!("several overloads left {}", figures.ambiguous);
    println!("differences            {}", figures.differences);
    println!("time, cold indexes     {:.1} s", figures.auditing.as_secs_f64());
    Ok(())
}

fn read_table(path: &Path) -> Result<BTreeMap<String, Vec<Row>>, Box<dyn Error>> {
    let text = fs::read_to_string(path)?;
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
    let mut table: BTreeMap<String, Vec<Row>> = BTreeMap::new();
    for line in lines {
        let row: Row =
            header.iter().zip(line.split(',')).map(|(name, it)| ((*name).into(), it.into())).collect();
        table.entry(row.get("crash").cloned().unwrap_or_default()).or_default().push(row);
    }
    Ok(table)
}

fn audit(folder: &Path, id: &str, crash: &Crash, jdk: &Jdk) -> Result<CrashAudit, Box<dyn Error>> {
    let log = fs::read(folder.join("crashes").join(&crash.application).join(id).join(format!("{id}.log")))?;
    let jars =
        folder.join("applications").join(&crash.application).join(&crash.version).join("bin").join("*");
    let request = Request { entries: vec![jars], jdk: Some(jdk.clone()), ..Request::default() };
    let class_path = ClassPath::load(&request)?;
    let pattern = Regex::new(&format!("^(?:{})$", crash.target_frames))?;
    let scope = Scope::Matching(Box::new(move |class| pattern.is_match(class)));
    let classes = Classes::new(&class_path);
    let log = crashback_trace::parse(&log);
    let throwable = log.crashes.first().and_then(|it| it.outermost()).ok_or("no trace in the log")?;
    Ok(Auditor::new(&classes, &scope).audit(throwable))
}

fn compare(id: &str, row: &Row, audit: &CrashAudit, figures: &mut Figures) {
    let expected = |column: &str| row.get(column).map(String::as_str).unwrap_or_default();
    let level: u32 = expected("level").parse().unwrap_or_default();
    let Some(frame) = audit.frames.iter().find(|it| it.level == level) else {
        figures.differences += 1;
        return println!("{id} {level}: no such frame");
    };
    match frame.status {
        Status::Ok => figures.ok += 1,
        Status::LineAbsent => figures.line_absent += 1,
        _ => figures.other += 1,
    }
    figures.shifted += usize::from(shifted_line(frame).is_some());
    figures.ambiguous += usize::from(!frame.candidates.is_empty());
    let status = if frame.status == Status::Ok { "ok" } else { "line absent in method" };
    let line = frame.line.map(|it| it.to_string()).unwrap_or_default();
    let shifted = shifted_line(frame).map(|it| it.to_string()).unwrap_or_default();
    let able = if expected("line_check") == "no" { "" } else { expected("line_check") };
    let found = [
        ("class", frame.class.as_str(), expected("class")),
        ("method", &frame.method, expected("method")),
        ("line", &line, expected("line")),
        ("status", status, expected("status")),
        ("origin", if frame.origin == Origin::Project { "project" } else { "other" }, "project"),
        ("jar", frame.entry.as_deref().unwrap_or_default(), expected("jar")),
        ("descriptor", frame.descriptor.as_deref().unwrap_or_default(), expected("descriptor")),
        ("evidence", evidence(frame), able),
        ("nearest line", &shifted, expected("line_check_nearest")),
    ];
    for (what, found, expected) in found.iter().filter(|(_, found, expected)| found != expected) {
        figures.differences += 1;
        println!("{id} {level}: {what} is {found}, the table has {expected}");
    }
}

fn shifted_line(frame: &FrameAudit) -> Option<u32> {
    frame.line_check.as_ref()?.shifted_line
}

/// The evidence for the logged line in the words of the table.
fn evidence(frame: &FrameAudit) -> &'static str {
    use crashback_program::frames::Evidence;
    let check = frame.line_check.as_ref().filter(|it| it.shifted_line.is_none());
    match check.and_then(|it| it.evidence.as_ref()) {
        None => "",
        Some(Evidence::Constructs) => "throws:new",
        Some(Evidence::ThrowsImplicitly { .. } | Evidence::ExhaustsStack) => "throws:implicit",
        Some(Evidence::Calls { .. } | Evidence::Initialises { .. }) => "calls:yes",
        Some(Evidence::ThroughJdk { .. }) => "throws:in-stripped-callee",
        Some(Evidence::Indirectly { .. }) => "calls:indirectly",
    }
}
