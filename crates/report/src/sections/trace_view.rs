//! The trace of a crash, with the result of the best run at each frame.

use std::collections::BTreeMap;

use crashback_campaign::{FrameRecord, Record};
use maud::{Markup, html};

use crate::chart;
use crate::model::Crash;
use crate::words;

pub(super) fn section(crash: &Crash<'_>) -> Markup {
    let lines = lines(crash);
    html! {
        div.traced {
            h4 { "Trace" }
            @if let Some(trace) = crash.trace {
                p.thrown { code { b { (trace.exception) } @if let Some(it) = &trace.message { ": " (it) } } }
            }
            @if lines.is_empty() { p.aside { "No frame was looked at." } }
            ol.trace { @for line in &lines { (frame_line(line)) } }
            @if crash.trace.is_none() && !lines.is_empty() {
                p.aside { "Target frames only; the log was not at hand." }
            }
        }
    }
}

/// A line of the trace: the level, the frame, why it is no target, and the result if it is one.
struct Line<'m> {
    level: u32,
    frame: &'m str,
    reason: Option<&'m str>,
    result: Option<(&'m Record, &'m FrameRecord)>,
}

fn lines<'m>(crash: &'m Crash<'_>) -> Vec<Line<'m>> {
    let mut lines = BTreeMap::new();
    for (level, it) in (1_u32..).zip(crash.trace.iter().flat_map(|it| &it.frames)) {
        let reason = it.reason.as_deref();
        lines.insert(level, Line { level, frame: &it.frame, reason, result: None });
    }
    for run in crash.best_trial.runs() {
        for result in &run.frames {
            let (level, frame) = (result.level, result.frame.as_str());
            let line = lines.entry(level).or_insert(Line { level, frame, reason: None, result: None });
            line.result = Some((run, result));
        }
    }
    lines.into_values().collect()
}

fn frame_line(line: &Line<'_>) -> Markup {
    let class = match line.result.map(|it| it.1.outcome.as_str()) {
        None => "none",
        Some("reproduced") => "s0",
        Some("exception-thrown") => "s3",
        Some("line-reached") => "s4",
        Some(_) => "s5",
    };
    html! {
        li class=[line.result.is_none().then_some("passed")] value=(line.level) {
            svg.swatch aria-hidden="true" { circle class=(class) cx="50%" cy="50%" r="38%" {} }
            span.level { (line.level) }
            div {
                (name(line.frame))
                @match (line.result, line.reason) {
                    (Some((run, result)), _) => (outcome(run, result)),
                    (None, Some(reason)) => p.aside { (reason) },
                    (None, None) => {},
                }
            }
            @if let Some((run, result)) = line.result { (progress(run, result)) }
        }
    }
}

/// A frame with its package set back.
fn name(frame: &str) -> Markup {
    // The method follows the last dot, the simple name of the class the one before.
    let class = frame.rmatch_indices('.').nth(1).map_or(0, |(it, _)| it + 1);
    let (package, rest) = frame.split_at_checked(class).unwrap_or(("", frame));
    // Long names break at dots.
    html! {
        code {
            span.package { @for part in package.split_inclusive('.') { (part) wbr; } }
            (rest)
        }
    }
}

fn outcome(run: &Record, result: &FrameRecord) -> Markup {
    let mut facts = vec![result.outcome.replace('-', " ")];
    facts.extend(result.found_by.as_ref().map(|it| format!("by the search at {it}")));
    facts.extend(result.found_after.map(|it| format!("after {}", words::seconds(it))));
    if result.outcome != "reproduced" {
        facts.extend(result.distance.map(|it| format!("distance {}", words::distance(it))));
    }
    if result.evaluations > 0 {
        facts.push(format!("{} tests", words::count(result.evaluations)));
    }
    html! {
        p.aside { (facts.join(" · ")) }
        @if let Some(obstacle) = result.obstacle.as_ref().filter(|it| Some(*it) != run.obstacle.as_ref()) {
            p.why { (obstacle) }
        }
    }
}

/// How the distance fell while the run lasted.
fn progress(run: &Record, result: &FrameRecord) -> Markup {
    let (Some(first), Some(last)) = (result.curve.first(), result.curve.last()) else { return html! {} };
    let most = result.curve.iter().map(|it| it.distance).fold(f64::MIN_POSITIVE, f64::max);
    let end = run.evaluations.max(last.evaluations).max(1) as f64;
    let points = result.curve.iter().map(|it| (it.evaluations as f64 / end, it.distance / most));
    let points: Vec<(f64, f64)> = points.chain([(1.0, last.distance / most)]).collect();
    let title = format!(
        "Distance {} to {} within {} of {} tests",
        words::distance(first.distance),
        words::distance(last.distance),
        words::count(last.evaluations),
        words::count(run.evaluations),
    );
    chart::spark(&points, &title)
}
