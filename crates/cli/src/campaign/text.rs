//! What a campaign tells: a line for each run, and a table in the end.

use std::collections::BTreeMap;

use anstyle::{AnsiColor, Style};
use crashback_campaign::{CrashSummary, Job, ObstacleCount, Plan, Record, Status, Summary};

const BOLD: Style = Style::new().bold();
const FAINT: Style = Style::new().dimmed();
const GOOD: Style = AnsiColor::Green.on_default();
const BAD: Style = AnsiColor::Red.on_default();

/// A run that is over, with its configuration where there are several.
pub(super) fn finished(record: &Record, number: usize, of: usize, names_configuration: bool) -> String {
    let Record { crash, seed, outcome, seconds, evaluations, .. } = record;
    let frame = match (record.frame, record.highest_target_frame) {
        (Some(frame), Some(highest)) => format!(" frame {frame} of {highest}"),
        (Some(frame), None) => format!(" frame {frame}"),
        (None, _) => String::new(),
    };
    let words = match &record.error {
        Some(error) => {
            format!("{BAD}{}{BAD:#}: {}", error.kind, error.message.lines().next().unwrap_or_default())
        }
        None => {
            let style = if record.is_reproduced() { GOOD } else { Style::new() };
            let degree = record.degree.as_deref().filter(|it| *it != "escapes");
            let degree = degree.map(|it| format!(" ({it})")).unwrap_or_default();
            format!("{style}{outcome}{style:#}{frame}{degree}, {seconds:.1} s, {evaluations} tests")
        }
    };
    let target = record.target_frame.map(|it| format!(" frame {it}")).unwrap_or_default();
    let name = if names_configuration { format!("{} ", record.configuration) } else { String::new() };
    format!("{FAINT}[{number}/{of}]{FAINT:#} {name}{crash}{target} seed {seed}: {words}")
}

/// How often each kind of obstacle kept crashes from being reproduced.
fn obstacles(out: &mut String, obstacles: &[ObstacleCount]) {
    if obstacles.is_empty() {
        return;
    }
    out.push_str(&format!("{BOLD}{:20} crashes  runs{BOLD:#}\n", "obstacle"));
    for ObstacleCount { kind, crashes, runs } in obstacles {
        out.push_str(&format!("{kind:20} {crashes:>7}  {runs:>4}\n"));
    }
}

/// How long runs took on average, by configuration.
pub(super) fn mean_seconds(records: &[Record]) -> BTreeMap<&str, f64> {
    let mut sums: BTreeMap<&str, (f64, f64)> = BTreeMap::new();
    for record in records.iter().filter(|it| it.error.is_none()) {
        let (seconds, count) = sums.entry(&record.configuration).or_default();
        *seconds += record.seconds;
        *count += 1.0;
    }
    sums.into_iter().map(|(name, (seconds, count))| (name, seconds / count)).collect()
}

/// How long a run may take: the mean of those that the configuration had, else its time.
pub(super) fn expected_seconds(job: &Job, means: &BTreeMap<&str, f64>) -> f64 {
    let time = job.configuration.settings.time.as_secs_f64();
    means.get(job.configuration.name.as_str()).copied().unwrap_or(time)
}

/// How many runs a plan has, and how long they may take.
pub(super) fn estimate(plan: &Plan, jobs: usize, stored: usize, seconds: f64) -> String {
    let (crashes, configurations) = (plan.benchmark.subjects.len(), plan.configurations.len());
    let mut out = format!(
        "{BOLD}{jobs} runs{BOLD:#} of {crashes} crashes with {configurations} configurations, {stored} of \
         them in the store already\n"
    );
    for configuration in &plan.configurations {
        let (name, identity) = (&configuration.name, configuration.identity());
        out.push_str(&format!("{name} ({identity}): {}\n", configuration.conditions()));
    }
    out.push_str(&format!("about {} for the rest\n", span(seconds)));
    out
}

/// How far campaigns are.
pub(super) fn status(status: &Status) -> String {
    let Status { open, running, done, workers, errors, runs, configurations } = status;
    let mut out = format!("{BOLD}jobs{BOLD:#}  {open} waiting, {running} running, {done} done\n");
    for (worker, jobs) in workers {
        out.push_str(&format!("      {worker}: {jobs} running\n"));
    }
    out.push_str(&format!("{BOLD}runs{BOLD:#}  {runs}, {errors} of them could not search\n"));
    for (configuration, runs) in configurations {
        out.push_str(&format!("      {configuration}: {runs}\n"));
    }
    out
}

/// A span of time: `45s`, `1m30s`, `2h05m`.
pub(super) fn span(seconds: f64) -> String {
    let seconds = seconds.round().max(0.0) as u64;
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, seconds) => format!("{seconds}s"),
        (0, minutes, seconds) => format!("{minutes}m{seconds:02}s"),
        (hours, minutes, _) => format!("{hours}h{minutes:02}m"),
    }
}

/// A line of the table: a crash or a frame of one.
fn crash_row(out: &mut String, name: String, crash: &CrashSummary) {
    let number = |it: Option<u32>| it.map_or_else(|| "-".to_owned(), |it| it.to_string());
    let style = if crash.is_reproduced_in_most() { GOOD } else { Style::new() };
    let seconds = crash.median_seconds.map_or_else(|| "-".to_owned(), |it| format!("{it:.1}"));
    out.push_str(&format!(
        "{style}{name:16}{style:#} {:>4}  {:>10}  {:>5}  {:>4}  {seconds:>7}\n",
        crash.runs,
        crash.reproduced,
        number(crash.frame_in_most),
        number(crash.frame_once),
    ));
}

/// What the runs of a configuration show, below its name where there are several.
pub(super) fn summary(summaries: &[Summary], configuration: &str, has_heading: bool) -> String {
    let Some(summary) = summaries.iter().find(|it| it.configuration == configuration) else {
        return String::new();
    };
    let mut out = if has_heading { format!("{BOLD}{configuration}{BOLD:#}\n") } else { String::new() };
    out.push_str(&format!("{BOLD}{:16} runs  reproduced  frame  once  seconds{BOLD:#}\n", "crash"));
    for crash in &summary.crashes {
        crash_row(&mut out, crash.crash.clone(), crash);
        for frame in summary.frames.iter().filter(|it| it.crash == crash.crash) {
            let level = frame.target_frame.unwrap_or_default();
            crash_row(&mut out, format!("  frame {level}"), frame);
        }
    }
    out.push_str(&format!(
        "{BOLD}{} of {} crashes reproduced in most runs{BOLD:#}, {} at least once",
        summary.reproduced_in_most(),
        summary.crashes.len(),
        summary.reproduced_once(),
    ));
    if !summary.frames.is_empty() {
        let in_most = summary.frames.iter().filter(|it| it.is_reproduced_in_most()).count();
        let once = summary.frames.iter().filter(|it| it.reproduced > 0).count();
        let frames = summary.frames.len();
        out.push_str(&format!("; {in_most} of {frames} frames in most runs, {once} at least once"));
    }
    if let Some(seconds) = summary.median_seconds() {
        out.push_str(&format!("; median {seconds:.1} s"));
    }
    out.push('\n');
    if summary.judged > 0 {
        out.push_str(&format!("{} of {} tests without doubt\n", summary.undoubted, summary.judged));
    }
    let errors: usize = summary.crashes.iter().map(|it| it.errors).sum();
    if errors > 0 {
        out.push_str(&format!("{errors} runs could not search; --retry-errors makes them again\n"));
    }
    obstacles(&mut out, &summary.obstacles);
    let undecided = summary.undecided();
    if !undecided.is_empty() {
        out.push_str(&format!("One more run decides: --only {}\n", undecided.join(",")));
    }
    out
}
