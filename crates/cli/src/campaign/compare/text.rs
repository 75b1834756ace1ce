//! A comparison as tables of at most 100 columns. Configurations have long names, so that columns
//! call them A, B, C, …

use std::fmt::Write as _;

use anstyle::Style;
use crashback_campaign::compare::{
    Comparison, ConfigurationTallies, Contrast, CrashFrames, Effort, EffortContrast, Failed, HighestFrames,
    Pair, PublishedCount, Ranking, Standing, State, Tally,
};

const BOLD: Style = Style::new().bold();
/// Columns of a name at the beginning of a line.
const NAME: usize = 24;
/// How many names are listed before the rest is counted.
const MAX_NAMED: usize = 5;
/// Configurations that fit beside a published system.
const STANDINGS: usize = 2;
/// Configurations whose highest frames fit beside the application.
const MAX_BESIDE_APPLICATION: usize = 5;
/// The published system that stands for the best of all.
const BEST: &str = "best";
/// The level of significance that is marked.
const ALPHA: f64 = 0.05;

/// The whole comparison; with all frames, or only with those that stand for their crash.
pub(super) fn comparison(comparison: &Comparison, all_frames: bool) -> String {
    let mut out = String::new();
    for (position, tallies) in (0..).zip(&comparison.configurations) {
        line(&mut out, &format!("{BOLD}{}{BOLD:#}  {}", letter(position), tallies.configuration));
    }
    left_out(&mut out, comparison);
    counts(&mut out, &comparison.configurations);
    efforts(&mut out, comparison);
    states(&mut out, &comparison.configurations);
    for (position, it) in (1..).zip(&comparison.pairs) {
        pair(&mut out, it, &letter(position), all_frames);
    }
    legend(&mut out);
    rankings(&mut out, &comparison.rankings);
    highest(&mut out, &comparison.crashes);
    published(&mut out, comparison);
    out
}

fn left_out(out: &mut String, comparison: &Comparison) {
    let names: Vec<&str> = comparison.left_out.iter().map(|it| it.crash.as_str()).collect();
    let Some(named) = names.get(..MAX_NAMED.min(names.len())).filter(|it| !it.is_empty()) else { return };
    let more = match names.len().saturating_sub(MAX_NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let count =
        if names.len() == 1 { "1 crash is".to_owned() } else { format!("{} crashes are", names.len()) };
    line(out, &format!("{count} left out, because not all configurations ran them:"));
    line(out, &format!("{}{more}", named.join(", ")));
}

fn counts(out: &mut String, configurations: &[ConfigurationTallies]) {
    heading(
        out,
        &format!("{:NAME$}{:^21}{:^21}{:^17}{:^15}", "", "crashes", "runs", "frames", "sum of highest"),
    );
    heading(
        out,
        &format!(
            "{:NAME$}{:>5}{:>9}{:>6}{:>8}{:>13}{:>6}{:>8}{:>5}{:>9}{:>6}",
            "Reproduced",
            "all",
            "in most",
            "once",
            "all",
            "reproduced",
            "all",
            "in most",
            "once",
            "in most",
            "once"
        ),
    );
    for (position, tallies) in (0..).zip(configurations) {
        count(out, &letter(position), &tallies.total);
        let groups = tallies.by_application.iter().chain(&tallies.by_exception);
        groups.for_each(|it| count(out, &format!("  {}", group_name(&it.name)), it));
    }
}

fn count(out: &mut String, name: &str, tally: &Tally) {
    let share = tally.runs.share().map(|it| format!("{:.0}%", it * 100.0)).unwrap_or_default();
    let reproduced = format!("{} {share:>4}", tally.runs.successes());
    line(
        out,
        &format!(
            "{}{:>5}{:>9}{:>6}{:>8}{reproduced:>13}{:>6}{:>8}{:>5}{:>9}{:>6}",
            cut(name),
            tally.crashes,
            tally.crashes_in_most,
            tally.crashes_once,
            tally.runs.runs(),
            tally.frames,
            tally.frames_in_most,
            tally.frames_once,
            tally.sum_in_most,
            tally.sum_once,
        ),
    );
}

fn efforts(out: &mut String, comparison: &Comparison) {
    let kind = match comparison.failed {
        Failed::Budget => "Effort, failed at budget",
        Failed::Drop => "Effort of successes",
    };
    heading(
        out,
        &format!(
            "{kind:NAME$}{:>6}{:>10}{:>11}{:>11}{:>19}{:>11}",
            "runs", "least", "quartile", "median", "95 % interval", "quartile"
        ),
    );
    for (position, tallies) in (0..).zip(&comparison.configurations) {
        let Tally { evaluations, seconds, .. } = &tallies.total;
        effort(out, &format!("{} evaluations", letter(position)), evaluations.as_ref());
        effort(out, &format!("{} seconds", letter(position)), seconds.as_ref());
    }
}

fn effort(out: &mut String, name: &str, effort: Option<&Effort>) {
    let Some(effort) = effort else {
        return line(out, &format!("{}{:>6}", cut(name), 0));
    };
    let interval = format!("{} to {}", number(effort.interval.low), number(effort.interval.high));
    line(
        out,
        &format!(
            "{}{:>6}{:>10}{:>11}{:>11}{interval:>19}{:>11}",
            cut(name),
            effort.runs,
            number(effort.min),
            number(effort.lower_quartile),
            number(effort.median),
            number(effort.upper_quartile),
        ),
    );
}

fn states(out: &mut String, configurations: &[ConfigurationTallies]) {
    let row = |name: &str, cells: [String; 7]| {
        let [first, claimed, thrown, reached, missed, idle, error] = cells;
        format!("{name:NAME$}{first:>11}{claimed:>9}{thrown:>9}{reached:>9}{missed:>13}{idle:>13}{error:>8}")
    };
    let words = ["reproduced", "claimed", "thrown", "reached", "not reached", "not started", "error"];
    heading(out, &row("Runs at all frames", words.map(str::to_owned)));
    for (position, tallies) in (0..).zip(configurations) {
        let states = &tallies.total.states;
        let cells = State::ALL.map(|it| states.get(&it).copied().unwrap_or_default().to_string());
        line(out, &row(&letter(position), cells));
    }
}

fn pair(out: &mut String, pair: &Pair, other: &str, all_frames: bool) {
    let title = format!("A against {other}");
    heading(
        out,
        &format!("{title:NAME$}{:^20}{:^20}{:^18}{:^18}", "reproduced", "", "evaluations", "seconds"),
    );
    heading(
        out,
        &format!(
            "{:NAME$}{:>10}{:>10}{:>10}{:>9}{:>9}{:>9}{:>9}{:>9}",
            "", "A", other, "odds", "p", "Â12", "p", "Â12", "p"
        ),
    );
    contrast(out, "all runs", &pair.runs);
    contrast(out, "all frames", &pair.frames);
    for it in pair.by_application.iter().chain(&pair.by_exception) {
        contrast(out, &group_name(&it.name), it);
    }
    heading(out, &format!("{:17}{:>6}", "crash", "frame"));
    let shown = pair.by_frame.iter().filter(|it| all_frames || it.represents_crash);
    for it in shown {
        contrast(out, &format!("{:17.17}{:>6}", it.crash, it.level), &it.contrast);
    }
    let crashes = pair.by_frame.chunk_by(|a, b| a.crash == b.crash);
    let open = crashes.filter(|frames| frames.iter().all(|it| !it.represents_crash)).count();
    if open > 0 && !all_frames {
        line(out, &format!("No configuration reproduced any frame of {open} more."));
    }
}

fn contrast(out: &mut String, name: &str, contrast: &Contrast) {
    let Contrast { a, b, odds_ratio, .. } = contrast;
    let odds = if *odds_ratio < 1000.0 { format!("{odds_ratio:.3}") } else { format!("{odds_ratio:.0}") };
    let effort = |it: Option<EffortContrast>| {
        let size = |it: EffortContrast| format!("{:.3} {}", it.a12, initial(it.magnitude.name()));
        let p = it.map_or_else(String::new, |it| significance(it.p));
        format!("{:>9}{p:>9}", it.map_or_else(|| "-".to_owned(), size))
    };
    line(
        out,
        &format!(
            "{}{:>10}{:>10}{odds:>10}{:>9}{}{}",
            cut(name),
            format!("{}/{}", a.successes(), a.runs()),
            format!("{}/{}", b.successes(), b.runs()),
            significance(contrast.p),
            effort(contrast.evaluations),
            effort(contrast.seconds),
        ),
    );
}

fn legend(out: &mut String) {
    line(
        out,
        "\n* p < 0.05, not corrected for the number of tests. Odds ratio above 1: A succeeds more often.",
    );
    line(out, "Â12 below 0.5: A needs less. N negligible, S small, M medium, L large.");
}

fn rankings(out: &mut String, rankings: &[Ranking]) {
    for ranking in rankings {
        let title = format!("Ranks by {}", ranking.criterion);
        let count = ranking.mean_ranks.len();
        let letters: String = (0..count).map(|it| format!("{:>9}", letter(it))).collect();
        heading(out, &format!("{title:NAME$}{letters}"));
        let ranks: String = ranking.mean_ranks.iter().map(|it| format!("{it:>9.2}")).collect();
        line(out, &format!("{:NAME$}{ranks}", "mean rank, 1 is best"));
        let mut p = ranking.nemenyi.iter().map(|it| format!("{:>9}", significance(it.p)));
        for row in 0..count.saturating_sub(1) {
            let cells: String = p.by_ref().take(count - row - 1).collect();
            let title = format!("Nemenyi's p, {}", letter(row));
            line(out, &format!("{title:NAME$}{:width$}{cells}", "", width = 9 * (row + 1)));
        }
        line(
            out,
            &format!(
                "Friedman: {} crashes, χ² = {:.3}, p {}; critical difference {:.3}",
                ranking.crashes,
                ranking.statistic,
                significance(ranking.p).trim_end(),
                ranking.critical_difference,
            ),
        );
    }
}

fn highest(out: &mut String, crashes: &[CrashFrames]) {
    let count = crashes.first().map_or(0, |it| it.configurations.len());
    // Applications are known from the names of crashes where the columns do not suffice.
    let application = |name: &str| {
        if count > MAX_BESIDE_APPLICATION { String::new() } else { format!("{name:16.16}") }
    };
    let has_best = crashes.iter().any(|it| it.published.contains_key(BEST));
    let letters: String = (0..count).map(|it| format!("{:>8}", letter(it))).collect();
    let best = if has_best { "  published" } else { "" };
    let words = application("in most/once");
    heading(out, &format!("{:NAME$}{words}{:>7}{letters}{best}", "Highest frames", "target"));
    let number = |it: Option<u32>| it.map_or_else(|| "-".to_owned(), |it| it.to_string());
    let both = |it: &HighestFrames| format!("{}/{}", number(it.in_most), number(it.once));
    for crash in crashes {
        let ours: String = crash.configurations.iter().map(|it| format!("{:>8}", both(it))).collect();
        let best = crash.published.get(BEST).map(|it| format!("{:>11}", both(it))).unwrap_or_default();
        let (target, application) = (number(crash.highest_target_frame), application(&crash.application));
        line(out, &format!("{}{application}{target:>7}{ours}{best}", cut(&crash.crash)));
    }
}

fn published(out: &mut String, comparison: &Comparison) {
    if comparison.published.is_empty() {
        return;
    }
    for first in (0..comparison.configurations.len()).step_by(STANDINGS) {
        let columns = first..(first + STANDINGS).min(comparison.configurations.len());
        let titles: String = columns.clone().map(|it| format!("{:>24}", letter(it))).collect();
        let words = "Published";
        heading(out, &format!("{words:NAME$}{:8}{:>8}{:>6}{:>5}{titles}", "", "crashes", "repr.", "sum"));
        for system in &comparison.published {
            // Frames of single runs only where those of most runs are not known.
            let (basis, count) = match (&system.in_most, &system.once) {
                (Some(count), _) => ("in most", count),
                (None, Some(count)) => ("once", count),
                (None, None) => continue,
            };
            let PublishedCount { crashes, reproduced, sum, standings } = count;
            let shown = standings.iter().skip(first).take(columns.len());
            let standings: String = shown.map(standing).collect();
            let name = cut(&system.system);
            line(out, &format!("{name}{basis:8}{crashes:>8}{reproduced:>6}{sum:>5}{standings}"));
        }
    }
    line(
        out,
        "repr. sum: crashes and sum of frames; + = -: crashes on which ours comes higher, as high, lower.",
    );
}

fn standing(standing: &Standing) -> String {
    let Standing { reproduced, sum, higher, equal, lower, .. } = standing;
    let counts = format!("{reproduced} {sum}  +{higher} ={equal} -{lower}");
    format!("{counts:>24}")
}

/// A heading, with an empty line before the first of a table.
fn heading(out: &mut String, text: &str) {
    if !out.ends_with(&format!("{BOLD:#}\n")) {
        out.push('\n');
    }
    line(out, &format!("{BOLD}{}{BOLD:#}", text.trim_end()));
}

fn line(out: &mut String, text: &str) {
    let _ = writeln!(out, "{}", text.trim_end_matches(' '));
}

/// A name in the first column; one that is too long is cut.
fn cut(name: &str) -> String {
    if name.chars().count() < NAME {
        return format!("{name:NAME$}");
    }
    let kept: String = name.chars().take(NAME - 2).collect();
    format!("{kept}… ")
}

/// The name of an application, or that of an exception without its package.
fn group_name(name: &str) -> String {
    match name.rsplit_once('.') {
        Some((package, class)) if !package.contains(' ') && class.starts_with(char::is_uppercase) => class,
        _ => name,
    }
    .to_owned()
}

fn letter(position: usize) -> String {
    let letter = u8::try_from(position).ok().filter(|it| *it < 26).map(|it| char::from(b'A' + it));
    letter.map_or_else(|| format!("#{}", position + 1), String::from)
}

fn initial(name: &str) -> String {
    name.chars().take(1).flat_map(char::to_uppercase).collect()
}

/// A p-value with its mark. Values that are not significant stand as if they had one.
fn significance(p: f64) -> String {
    let mark = if p < ALPHA { '*' } else { ' ' };
    if p < 1e-4 { format!("<0.0001{mark}") } else { format!("{p:.4}{mark}") }
}

/// Effort without digits that say nothing.
fn number(value: f64) -> String {
    if value.abs() < 100.0 && value.fract() != 0.0 { format!("{value:.2}") } else { format!("{value:.0}") }
}
