//! The table of crashes. The script sorts, filters and searches it; without a script it shows the first
//! configuration, and names lead to the details below.

use maud::{Markup, html};

use crate::model::{Crash, CrashResult, Model};
use crate::page::Limits;
use crate::state::State;
use crate::words;

/// Rows without a script.
const MOST_STATIC_ROWS: usize = 200;

/// Columns: the name that the script knows, the heading, and whether it holds numbers.
const COLUMNS: [(&str, &str, bool); 8] = [
    ("crash", "Crash", false),
    ("application", "Application", false),
    ("exception", "Exception", false),
    ("state", "Outcome", false),
    ("reproduced", "Runs", true),
    ("frame", "Frame", true),
    ("seconds", "Time", true),
    ("tests", "Tests", true),
];

pub(crate) fn section(model: &Model<'_>, limits: &Limits) -> Markup {
    html! {
        section #crashes aria-labelledby="crashes-title" {
            h2 #crashes-title { "Crashes" }
            (filters(model))
            p.aside #count role="status" { (words::things(model.crashes.len(), "crash", "crashes")) }
            table.crashes {
                caption.unseen { "Crashes; the buttons in the head sort them" }
                thead { tr { @for column in columns(model) { (heading(column)) } } }
                tbody #rows {
                    @let rows = model.crashes.iter().enumerate();
                    @for (number, crash) in rows.take(MOST_STATIC_ROWS) {
                        @if let Some(result) = crash.result(0) { (row(model, limits, number, crash, result)) }
                    }
                }
            }
            p.more { button #more type="button" hidden { "Show more" } }
            p.aside.explained {
                "Runs: those that reproduced the crash, of all. Frame: the highest that most runs reproduce, "
                "otherwise that any run does, of the highest target frame. "
                "Time: the median of runs that reproduced it. Tests: the median of all runs."
            }
        }
    }
}

fn columns(model: &Model<'_>) -> impl Iterator<Item = &'static (&'static str, &'static str, bool)> {
    let has_exceptions = !model.exceptions.is_empty();
    COLUMNS.iter().filter(move |it| has_exceptions || it.0 != "exception")
}

fn heading(column: &(&str, &str, bool)) -> Markup {
    let (key, label, is_number) = column;
    html! {
        th scope="col" data-key=(key) class=[is_number.then_some("number")] {
            button type="button" { (label) }
        }
    }
}

fn filters(model: &Model<'_>) -> Markup {
    let states = State::ALL.iter().map(|it| it.label(model.repeated));
    html! {
        form.filters role="search" aria-label="Crashes" {
            label {
                span { "Search" }
                input #search type="search" autocomplete="off" placeholder="Name, class …";
            }
            (choice("filter-state", "Outcome", states))
            (choice("filter-application", "Application", model.applications.iter().copied()))
            @if !model.exceptions.is_empty() {
                @let exceptions = model.exceptions.iter().map(|it| words::simple_name(it));
                (choice("filter-exception", "Exception", exceptions))
            }
            button #clear type="button" { "Clear" }
        }
    }
}

/// A choice whose values are the numbers of its options.
fn choice<'o>(id: &str, label: &str, options: impl Iterator<Item = &'o str>) -> Markup {
    html! {
        label {
            span { (label) }
            select id=(id) {
                option value="" { "All" }
                @for (number, option) in options.enumerate() { option value=(number) { (option) } }
            }
        }
    }
}

fn row(
    model: &Model<'_>,
    limits: &Limits,
    number: usize,
    crash: &Crash<'_>,
    result: &CrashResult<'_>,
) -> Markup {
    let (summary, state) = (&result.summary, result.state);
    let cell = |key: &str| match key {
        "crash" if limits.has_details(number) => html! { a href={ "#crash-" (number) } { (crash.name) } },
        "crash" => html! { (crash.name) },
        "application" => html! { (crash.application) },
        "exception" => html! { (crash.exception().map_or("–", words::simple_name)) },
        "state" => pill(model, state),
        "reproduced" => html! { (summary.reproduced) " / " (summary.runs) },
        "frame" => html! { (frame(result.frame(), crash.height)) },
        "seconds" => html! { (summary.median_seconds.map_or_else(|| "–".to_owned(), words::seconds)) },
        _ => html! { (words::count(result.evaluations)) },
    };
    html! {
        tr {
            @for (key, label, is_number) in columns(model) {
                td data-label=(label) class=[is_number.then_some("number")] { (cell(key)) }
            }
        }
    }
}

/// A state with its colour.
pub(super) fn pill(model: &Model<'_>, state: State) -> Markup {
    html! {
        span.pill title=(state.meaning()) {
            svg.swatch aria-hidden="true" { rect class=(state.class()) width="100%" height="100%" {} }
            (state.label(model.repeated))
        }
    }
}

/// A frame of the highest target frame.
pub(super) fn frame(frame: Option<u32>, height: Option<u32>) -> String {
    let number = |it: Option<u32>| it.map_or_else(|| "–".to_owned(), |it| it.to_string());
    format!("{} / {}", number(frame), number(height))
}
