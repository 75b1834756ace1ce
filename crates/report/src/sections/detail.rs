//! One crash: its best run with trace and test, and its runs under all configurations.

use crashback_campaign::Record;
use maud::{Markup, html};

use super::crashes::{frame, pill};
use super::{events, test_view, trace_view};
use crate::model::{Crash, Model};
use crate::words;

/// About how many bytes the details of a crash take.
pub(crate) fn size(crash: &Crash<'_>) -> usize {
    let texts = |it: &Option<String>| it.as_ref().map_or(0, String::len);
    let frames = crash.best_trial.runs().iter().flat_map(|it| &it.frames);
    let frames = frames.map(|it| 300 + texts(&it.obstacle) + it.curve.len() * 12);
    let lines = crash.trace.map_or(0, |it| it.frames.iter().map(|it| 60 + it.frame.len()).sum());
    let outer = crash.best.outer.as_ref().map_or(0, |it| it.test_source.len());
    1_000
        + 2 * (texts(&crash.best.test_source) + outer)
        + frames.sum::<usize>()
        + lines
        + events::size(crash.best)
}

/// The details of a crash among others.
pub(crate) fn article(model: &Model<'_>, number: usize, crash: &Crash<'_>) -> Markup {
    html! {
        article.crash #{ "crash-" (number) } aria-label=(crash.name) tabindex="-1" {
            h3 { (crash.name) }
            (content(model, crash))
            p.back { a href="#crashes" { "Back to the table" } }
        }
    }
}

/// The page of a single crash.
pub(crate) fn alone(model: &Model<'_>, crash: &Crash<'_>) -> Markup {
    let result = crash.result(0);
    html! {
        article.crash.alone aria-label=(crash.name) {
            @if let Some(result) = result { p.verdict { (pill(model, result.state)) } }
            (content(model, crash))
        }
    }
}

fn content(model: &Model<'_>, crash: &Crash<'_>) -> Markup {
    let run = crash.best;
    html! {
        (facts(model, crash))
        @if let Some(failure) = &run.error {
            div.obstacle { h4 { "No search" } p { b { (failure.kind) } ": " (failure.message) } }
        }
        @if let Some(obstacle) = &run.obstacle {
            div.obstacle {
                h4 { "Obstacle" @if let Some(kind) = &run.obstacle_kind { " " code { (kind) } } }
                p { (obstacle) }
            }
        }
        div.split {
            (trace_view::section(crash))
            (test_view::section(run))
        }
        (events::section(run))
        @if model.configurations.len() > 1 { (configurations(model, crash)) }
    }
}

fn facts(model: &Model<'_>, crash: &Crash<'_>) -> Markup {
    let run = crash.best;
    let application = [crash.application, crash.version].join(" ");
    let several = model.configurations.len() > 1 || model.repeated;
    html! {
        dl.run {
            @if !application.trim().is_empty() { (fact("Application", application.trim())) }
            @let target = run.target_frame.map(|it| format!(", frame {it}")).unwrap_or_default();
            @let run_words = format!("{}{target}, seed {}", run.configuration, run.seed);
            (fact(if several { "Best run" } else { "Run" }, &run_words))
            (fact("Highest frame", &frame(run.frame, crash.height)))
            (fact("Exception", run.degree.as_deref().map_or("not shown", words::degree)))
            (fact("Tests run", &words::count(run.evaluations)))
            (fact("Time", &words::seconds(run.seconds)))
            @if run.test_source.is_some() {
                (fact("Nulls, mocks", &format!("{}, {}", run.nulls, run.mocks)))
            }
            (fact("Search", &search(run)))
        }
    }
}

fn fact(name: &str, value: &str) -> Markup {
    html! { div { dt { (name) } dd { (value) } } }
}

fn search(run: &Record) -> String {
    let mut parts = vec![run.algorithm.as_str(), &run.fitness, &run.tuning];
    parts.retain(|it| !it.is_empty());
    // A portfolio is one of algorithms and of fitness alike.
    parts.dedup();
    parts.join(", ")
}

/// The runs of the crash under each configuration.
fn configurations(model: &Model<'_>, crash: &Crash<'_>) -> Markup {
    let results = model.configurations.iter().zip(&crash.results);
    html! {
        div.scroll tabindex="0" role="region" aria-label="By configuration" { table.plain {
            caption { "By configuration" }
            thead {
                tr {
                    th scope="col" { "Configuration" }
                    th scope="col" { "Outcome" }
                    th.number scope="col" { "Runs" }
                    th.number scope="col" { "Frame" }
                    th.number scope="col" { "Time" }
                }
            }
            tbody {
                @for (configuration, result) in results {
                    @if let Some(result) = result {
                        @let seconds = result.summary.median_seconds;
                        tr {
                            th scope="row" { (configuration.configuration) }
                            td { (pill(model, result.state)) }
                            td.number { (result.summary.reproduced) " / " (result.summary.runs) }
                            td.number { (frame(result.frame(), crash.height)) }
                            td.number { (seconds.map_or_else(|| "–".to_owned(), words::seconds)) }
                        }
                    }
                }
            }
        } }
    }
}
