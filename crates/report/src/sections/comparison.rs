//! Configurations side by side.

use std::collections::BTreeMap;

use crashback_campaign::Summary;
use maud::{Markup, html};

use crate::model::Model;
use crate::{Comparison, ComparisonRow, MeanRanks, Report, words};

pub(crate) fn section(report: &Report<'_>, model: &Model<'_>) -> Markup {
    let numbers: BTreeMap<&str, usize> = model.crashes.iter().zip(0..).map(|(it, n)| (it.name, n)).collect();
    html! {
        @if model.configurations.len() > 1 {
            section #comparison aria-labelledby="comparison-title" {
                h2 #comparison-title { "Comparison" }
                (overview(model))
                (rankings(&report.comparisons.rankings))
                @for comparison in &report.comparisons.pairs { (pair(comparison, &numbers)) }
            }
        }
    }
}

/// One row for each configuration.
fn overview(model: &Model<'_>) -> Markup {
    html! {
        div.scroll tabindex="0" role="region" aria-label="Configurations" {
            table.plain {
                caption { "Configurations" }
                thead {
                    tr {
                        th scope="col" { "Configuration" }
                        th.number scope="col" { "Crashes" }
                        th.number scope="col" { "Runs" }
                        th.number scope="col" { "In most runs" }
                        th.number scope="col" { "At least once" }
                        th.number scope="col" { "Without doubt" }
                        th.number scope="col" { "Median time" }
                    }
                }
                tbody { @for summary in &model.configurations { (configuration(summary)) } }
            }
        }
    }
}

fn configuration(summary: &Summary) -> Markup {
    let runs: usize = summary.crashes.iter().map(|it| it.runs).sum();
    let seconds = summary.median_seconds().map_or_else(|| "–".to_owned(), words::seconds);
    html! {
        tr {
            th scope="row" { (summary.configuration) }
            td.number { (summary.crashes.len()) }
            td.number { (words::count(runs as u64)) }
            td.number { (summary.reproduced_in_most()) }
            td.number { (summary.reproduced_once()) }
            td.number { (summary.undoubted) " / " (summary.judged) }
            td.number { (seconds) }
        }
    }
}

/// All configurations at once.
fn rankings(rankings: &[MeanRanks]) -> Markup {
    html! {
        @if !rankings.is_empty() {
            div.scroll tabindex="0" role="region" aria-label="Mean ranks" {
                table.plain {
                    caption { "Mean ranks, 1 is the best" }
                    thead {
                        tr {
                            th scope="col" { "Criterion" }
                            th scope="col" { "Configurations, the best first" }
                            th.number scope="col" { "p (Friedman)" }
                            th.number scope="col" { "Critical difference (Nemenyi)" }
                        }
                    }
                    tbody { @for ranking in rankings { (ranking_row(ranking)) } }
                }
            }
        }
    }
}

fn ranking_row(ranking: &MeanRanks) -> Markup {
    html! {
        tr {
            th scope="row" { (ranking.criterion) }
            td {
                @for (index, (name, rank)) in ranking.ranks.iter().enumerate() {
                    @if index > 0 { ", " }
                    (name) " " b { (format!("{rank:.2}")) }
                }
            }
            td.number { (words::p_value(ranking.p_value)) }
            td.number { (format!("{:.2}", ranking.critical_difference)) }
        }
    }
}

/// Two configurations with effect sizes and tests, where they are known.
fn pair(comparison: &Comparison, numbers: &BTreeMap<&str, usize>) -> Markup {
    let Comparison { left, right, rows, only_left, only_right } = comparison;
    let has_statistics = rows.iter().any(|it| it.effect.is_some() || it.p_value.is_some());
    html! {
        details.pair {
            summary { b { (left) } " against " b { (right) } }
            div.scroll tabindex="0" role="region" aria-label={ (left) " against " (right) } {
                table.plain {
                    thead {
                        tr {
                            th scope="col" { "Measure" }
                            th.number scope="col" { (left) }
                            th.number scope="col" { (right) }
                            @if has_statistics {
                                th.number scope="col" { "Effect" }
                                th.number scope="col" { "p" }
                            }
                        }
                    }
                    tbody { @for row in rows { (measure(row, has_statistics)) } }
                }
            }
            (only(left, only_left, numbers))
            (only(right, only_right, numbers))
        }
    }
}

fn measure(row: &ComparisonRow, has_statistics: bool) -> Markup {
    html! {
        tr {
            th scope="row" { (row.measure) }
            td.number { (row.left) }
            td.number { (row.right) }
            @if has_statistics {
                td.number {
                    @if let Some(effect) = &row.effect {
                        (effect.name) " " b { (format!("{:.3}", effect.value)) }
                        @if let Some(magnitude) = &effect.magnitude { " (" (magnitude) ")" }
                    }
                }
                td.number {
                    @if let Some((p, test)) = &row.p_value { b { (words::p_value(*p)) } " (" (test) ")" }
                }
            }
        }
    }
}

/// Crashes that one of the two reproduces alone, in most runs.
fn only(name: &str, crashes: &[String], numbers: &BTreeMap<&str, usize>) -> Markup {
    html! {
        @if !crashes.is_empty() {
            p.only {
                "Only " b { (name) } " (" (crashes.len()) "): "
                @for (index, crash) in crashes.iter().enumerate() {
                    @if index > 0 { ", " }
                    @match numbers.get(crash.as_str()) {
                        Some(number) => a href={ "#crash-" (number) } { (crash) },
                        None => (crash),
                    }
                }
            }
        }
    }
}
