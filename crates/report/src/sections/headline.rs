//! Title, choice of the configuration, and the figures that matter most.

use maud::{Markup, html};

use crate::model::Model;
use crate::page::Limits;
use crate::{Report, words};

/// The head of the page.
pub(crate) fn banner(report: &Report<'_>, model: &Model<'_>) -> Markup {
    html! {
        header.banner {
            div {
                p.eyebrow { "Crashback" }
                h1 { (report.title) }
                p.facts { (facts(report, model)) }
            }
            fieldset.theme {
                legend { "Colours" }
                @for (value, label) in [("auto", "Auto"), ("light", "Light"), ("dark", "Dark")] {
                    label {
                        input type="radio" name="theme" id={ "theme-" (value) } value=(value)
                            checked[value == "auto"];
                        span { (label) }
                    }
                }
            }
        }
    }
}

fn facts(report: &Report<'_>, model: &Model<'_>) -> String {
    let days = || report.records.iter().map(|it| it.started_at).filter(|it| *it > 0);
    let runs = model.runs();
    let mut facts =
        vec![words::things(model.crashes.len(), "crash", "crashes"), words::things(runs, "run", "runs")];
    if report.records.len() > runs {
        facts.push(format!("{} searches for single frames", words::count(report.records.len() as u64)));
    }
    if model.configurations.len() > 1 {
        facts.push(words::things(model.configurations.len(), "configuration", "configurations"));
    }
    if let (Some(first), Some(last)) = (days().min(), days().max()) {
        let (first, last) = (words::day(first), words::day(last));
        facts.push(if first == last { first } else { format!("{first} to {last}") });
    }
    facts.join(" · ")
}

/// The choice between configurations: radio buttons that the style sheet looks at.
pub(crate) fn switch(model: &Model<'_>, limits: &Limits) -> Markup {
    html! {
        @if model.configurations.len() > 1 {
            fieldset.views {
                legend { "Configuration" }
                @for (view, configuration) in model.configurations.iter().enumerate().take(limits.views) {
                    label {
                        input type="radio" name="view" id={ "view-" (view) } value=(view) checked[view == 0];
                        span { (configuration.configuration) }
                    }
                }
            }
        }
    }
}

/// The figures.
pub(crate) fn section(model: &Model<'_>, limits: &Limits) -> Markup {
    html! {
        section.headline aria-label="Headline figures" {
            @for view in 0..limits.views {
                dl class={ "figures view view-" (view) } {
                    @for figure in figures(model, view) {
                        div class=[figure.leads.then_some("lead")] {
                            dt { (figure.name) }
                            dd { strong { (figure.value) } " " span { (figure.of) } }
                        }
                    }
                }
            }
        }
    }
}

struct Figure {
    name: &'static str,
    value: String,
    of: String,
    leads: bool,
}

fn figures(model: &Model<'_>, view: usize) -> Vec<Figure> {
    let Some(summary) = model.configurations.get(view) else { return Vec::new() };
    let figure = |name, value: String, of: String| Figure { name, value, of, leads: false };
    let crashes = summary.crashes.len();
    let reproduced = summary.reproduced_in_most();
    let name = if model.repeated { "Reproduced in most runs" } else { "Reproduced" };
    let lead =
        Figure { leads: true, ..figure(name, reproduced.to_string(), format!("of {crashes} crashes")) };
    let mut figures = vec![lead];
    if model.repeated {
        let once = summary.reproduced_once();
        figures.push(figure("At least once", once.to_string(), words::percent(once, crashes)));
    }
    let whole = model.results(view).filter(|(crash, result)| {
        result.summary.reproduced > 0 && result.frame().is_some() && result.frame() >= crash.height
    });
    let whole = whole.count();
    figures.push(figure("Up to the highest target frame", whole.to_string(), words::percent(whole, crashes)));
    let (undoubted, judged) = (summary.undoubted, summary.judged);
    figures.push(figure("Tests without doubt", undoubted.to_string(), format!("of {judged} verified")));
    let median = summary.median_seconds();
    let median = median.map_or_else(|| "–".to_owned(), words::seconds);
    let (value, unit) = median.split_once(' ').unwrap_or((&median, ""));
    figures.push(figure("Median time", value.to_owned(), unit.to_owned()));
    let errors: usize = summary.crashes.iter().map(|it| it.errors).sum();
    if errors > 0 {
        let runs: usize = summary.crashes.iter().map(|it| it.runs).sum();
        figures.push(figure("Runs without a search", errors.to_string(), format!("of {runs}")));
    }
    figures
}
