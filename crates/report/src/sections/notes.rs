//! The foot of the page: meanings, versions, and what was left out.

use std::collections::BTreeSet;

use maud::{Markup, html};

use crate::model::Model;
use crate::page::Limits;
use crate::state::State;
use crate::{Report, words};

pub(crate) fn footer(report: &Report<'_>, model: &Model<'_>, limits: &Limits) -> Markup {
    let versions: BTreeSet<&str> = report.records.iter().map(|it| it.crashback.as_str()).collect();
    let versions: Vec<&str> = versions.into_iter().filter(|it| !it.is_empty()).collect();
    html! {
        footer {
            details {
                summary { "Outcomes in words" }
                dl.meanings {
                    @for state in State::ALL {
                        dt { (state.label(model.repeated)) }
                        dd { (state.meaning()) }
                    }
                }
            }
            @for note in left_out(model, limits) { p { (note) } }
            @if !versions.is_empty() { p { "Runs by Crashback " (versions.join(", ")) "." } }
        }
    }
}

fn left_out(model: &Model<'_>, limits: &Limits) -> Vec<String> {
    let mut notes = Vec::new();
    let crashes = model.crashes.len();
    if crashes < model.runs() {
        let runs = words::things(model.runs(), "run", "runs");
        notes.push(format!(
            "Of {runs} each crash shows its best one in detail: the highest frame, then the fewest doubts, \
             then the shortest time. The store has the others."
        ));
    }
    if crashes > limits.details && crashes > 1 {
        let (details, crashes) = (words::count(limits.details as u64), words::count(crashes as u64));
        notes.push(format!(
            "Trace and test are left out beyond the first {details} of {crashes} crashes by name."
        ));
    }
    let configurations = model.configurations.len();
    if configurations > limits.views {
        let views = limits.views;
        notes.push(format!(
            "Charts and figures show the first {views} of {configurations} configurations by name; \
             the comparison has all."
        ));
    }
    notes
}
