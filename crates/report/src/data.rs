//! The data of the table, for the script.

use serde::Serialize;

use crate::model::{Crash, CrashResult, Model};
use crate::page::Limits;
use crate::state::State;

#[derive(Serialize)]
struct Data<'m> {
    applications: &'m [&'m str],
    exceptions: &'m [&'m str],
    states: Vec<Label>,
    crashes: Vec<Row<'m>>,
}

#[derive(Serialize)]
struct Label {
    label: &'static str,
    class: &'static str,
}

/// Name, numbers of application and exception, height, whether there are details, and figures for each
/// configuration. Arrays, because names of fields would be most of the file.
type Row<'m> = (&'m str, usize, Option<usize>, Option<u32>, u8, Vec<Option<Figures>>);

/// Runs, runs that reproduced, number of the state, highest frame, median seconds, median tests.
type Figures = (usize, usize, usize, Option<u32>, Option<f64>, u64);

/// The data as JSON without `<`, so that no text of a record ends the element that holds it.
pub(crate) fn json(model: &Model<'_>, limits: &Limits) -> String {
    let label = |it: &State| Label { label: it.label(model.repeated), class: it.class() };
    let data = Data {
        applications: &model.applications,
        exceptions: &model.exceptions,
        states: State::ALL.iter().map(label).collect(),
        crashes: model
            .crashes
            .iter()
            .enumerate()
            .map(|(number, it)| row(model, limits, number, it))
            .collect(),
    };
    serde_json::to_string(&data).unwrap_or_default().replace('<', "\\u003c")
}

fn row<'r>(model: &Model<'r>, limits: &Limits, number: usize, crash: &Crash<'r>) -> Row<'r> {
    (
        crash.name,
        model.applications.binary_search(&crash.application).unwrap_or_default(),
        crash.exception().and_then(|it| model.exceptions.binary_search(&it).ok()),
        crash.height,
        u8::from(limits.has_details(number)),
        crash.results.iter().take(limits.views).map(|it| it.as_ref().map(of)).collect(),
    )
}

fn of(result: &CrashResult<'_>) -> Figures {
    let summary = &result.summary;
    let state = State::ALL.iter().position(|it| *it == result.state).unwrap_or_default();
    let seconds = summary.median_seconds.filter(|it| it.is_finite()).map(|it| (it * 100.0).round() / 100.0);
    (summary.runs, summary.reproduced, state, result.frame(), seconds, result.evaluations)
}
