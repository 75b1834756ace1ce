use std::collections::BTreeSet;

use crashback_campaign::compare::{
    CompareOptions, ConfigurationTallies, Contrast, Effort, EffortContrast, Pair, Ranking, Tally, compare,
};
use crashback_campaign::{Record, Summary};

use crate::words;

/// Configurations that are compared pair by pair; of more only the first with each other one.
const MOST_IN_ALL_PAIRS: usize = 5;

/// Configurations side by side, with statistics.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Comparisons {
    /// Two by two.
    pub pairs: Vec<Comparison>,
    /// All at once, by one criterion each; empty if there are fewer than three.
    pub rankings: Vec<MeanRanks>,
}

/// Two configurations, over the crashes that both ran.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Comparison {
    /// The first configuration.
    pub left: String,
    /// The second configuration.
    pub right: String,
    /// One row for each measure.
    pub rows: Vec<ComparisonRow>,
    /// Crashes that the first reproduces in most runs and the second does not.
    pub only_left: Vec<String>,
    /// Crashes that the second reproduces in most runs and the first does not.
    pub only_right: Vec<String>,
}

/// One measure of two configurations.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ComparisonRow {
    /// The measure in words.
    pub measure: String,
    /// Its value for the first configuration.
    pub left: String,
    /// Its value for the second configuration.
    pub right: String,
    /// How far apart they are.
    pub effect: Option<Effect>,
    /// The p-value of a test, and the name of the test.
    pub p_value: Option<(f64, String)>,
}

/// The size of a difference.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Effect {
    /// Its name: `odds ratio`, `Â12`.
    pub name: String,
    /// Its value.
    pub value: f64,
    /// Its magnitude in a word, where there are words for it.
    pub magnitude: Option<String>,
}

/// Three or more configurations ranked crash by crash.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeanRanks {
    /// The criterion in words.
    pub criterion: String,
    /// Configurations with their mean ranks, the best first.
    pub ranks: Vec<(String, f64)>,
    /// The p-value of Friedman's test.
    pub p_value: f64,
    /// The difference of mean ranks above which Nemenyi's test is significant at 0.05.
    pub critical_difference: f64,
}

impl Comparisons {
    /// Compares the configurations of some records.
    pub fn of(records: &[Record]) -> Self {
        let names: BTreeSet<&str> = records.iter().map(|it| it.configuration.as_str()).collect();
        let names: Vec<String> = names.into_iter().map(str::to_owned).collect();
        let lefts = if names.len() > MOST_IN_ALL_PAIRS { 1 } else { names.len() };
        let summaries = Summary::of(records);
        let pairs = names.iter().enumerate().take(lefts).flat_map(|(index, left)| {
            let rights = names.iter().skip(index + 1);
            let summaries = &summaries;
            rights.filter_map(move |right| Comparison::of(records, summaries, left, right))
        });
        let pairs = pairs.collect();
        // Fewer than three have no rankings; without a crash that all ran, there is nothing to rank.
        let all = compare(records, &names, None, CompareOptions { resamples: 1, ..without_groups() }).ok();
        let rankings = all.iter().flat_map(|it| &it.rankings).map(|it| mean_ranks(it, &names)).collect();
        Self { pairs, rankings }
    }
}

/// The report shows all runs together, and leaves groups to `campaign compare`.
fn without_groups() -> CompareOptions {
    CompareOptions { groups: false, ..CompareOptions::default() }
}

impl Comparison {
    /// None if no crash was run under both.
    fn of(records: &[Record], summaries: &[Summary], left: &str, right: &str) -> Option<Self> {
        let names = [left.to_owned(), right.to_owned()];
        let compared = compare(records, &names, None, without_groups()).ok()?;
        let [one, other] = compared.configurations.as_slice() else { return None };
        let summary = |name: &str| summaries.iter().find(|it| it.configuration == name);
        Some(Self {
            left: left.to_owned(),
            right: right.to_owned(),
            rows: rows(compared.pairs.first()?, one, other),
            only_left: only(summary(left)?, summary(right)?),
            only_right: only(summary(right)?, summary(left)?),
        })
    }
}

fn rows(pair: &Pair, left: &ConfigurationTallies, right: &ConfigurationTallies) -> Vec<ComparisonRow> {
    let row = |measure: &str, value: &dyn Fn(&Tally) -> String| ComparisonRow {
        measure: measure.to_owned(),
        left: value(&left.total),
        right: value(&right.total),
        ..ComparisonRow::default()
    };
    let of = |part: usize, whole: usize| format!("{part} of {whole}");
    let tests = |it: &Tally| median(it.evaluations, &|it| words::count(it as u64));
    let seconds = |it: &Tally| median(it.seconds, &words::seconds);
    vec![
        row("Crashes reproduced in most runs", &|it| of(it.crashes_in_most, it.crashes)),
        row("Crashes reproduced at least once", &|it| of(it.crashes_once, it.crashes)),
        proportions("Runs that reproduce", &pair.runs),
        proportions("Target frames reproduced, over all runs", &pair.frames),
        effort(row("Tests, median (95 % interval)", &tests), pair.runs.evaluations),
        effort(row("Time, median (95 % interval)", &seconds), pair.runs.seconds),
    ]
}

/// A median with its interval: `12.3 s (11.0 s to 14.1 s)`.
fn median(effort: Option<Effort>, words: &dyn Fn(f64) -> String) -> String {
    // The lower end of a basic interval may be negative.
    let end = |it: f64| if it < 0.0 { format!("−{}", words(-it)) } else { words(it) };
    effort.map_or_else(
        || "–".to_owned(),
        |it| format!("{} ({} to {})", words(it.median), end(it.interval.low), end(it.interval.high)),
    )
}

fn proportions(measure: &str, contrast: &Contrast) -> ComparisonRow {
    let effect = Effect { name: "odds ratio".to_owned(), value: contrast.odds_ratio, magnitude: None };
    ComparisonRow {
        measure: measure.to_owned(),
        left: format!("{} of {}", contrast.a.successes(), contrast.a.runs()),
        right: format!("{} of {}", contrast.b.successes(), contrast.b.runs()),
        effect: Some(effect),
        p_value: Some((contrast.p, "Fisher".to_owned())),
    }
}

fn effort(row: ComparisonRow, contrast: Option<EffortContrast>) -> ComparisonRow {
    let effect = |it: EffortContrast| Effect {
        name: "Â12".to_owned(),
        value: it.a12,
        magnitude: Some(it.magnitude.name().to_owned()),
    };
    let p_value = contrast.map(|it| (it.p, "Wilcoxon".to_owned()));
    ComparisonRow { effect: contrast.map(effect), p_value, ..row }
}

/// Crashes of both that only the first reproduces in most runs.
fn only(one: &Summary, other: &Summary) -> Vec<String> {
    let others: BTreeSet<&str> =
        other.crashes.iter().filter(|it| !it.is_reproduced_in_most()).map(|it| it.crash.as_str()).collect();
    let mine =
        one.crashes.iter().filter(|it| it.is_reproduced_in_most() && others.contains(it.crash.as_str()));
    mine.map(|it| it.crash.clone()).collect()
}

fn mean_ranks(ranking: &Ranking, names: &[String]) -> MeanRanks {
    let mut ranks: Vec<(String, f64)> =
        names.iter().cloned().zip(ranking.mean_ranks.iter().copied()).collect();
    ranks.sort_by(|a, b| a.1.total_cmp(&b.1));
    let criterion = match ranking.criterion.as_str() {
        "success-rate" => "Runs that reproduce",
        "evaluations" => "Tests",
        "seconds" => "Time",
        other => other,
    };
    MeanRanks {
        criterion: format!("{criterion}, over {} crashes", ranking.crashes),
        ranks,
        p_value: ranking.p,
        critical_difference: ranking.critical_difference,
    }
}
