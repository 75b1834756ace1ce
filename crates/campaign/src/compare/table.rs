//! A comparison as comma-separated values.

use std::io::Write;

use super::{Comparison, Contrast, CrashFrames, EffortContrast, HighestFrames, Pair};
use crate::Error;

/// The columns of a comparison, in order. New ones are added at the end; columns of published
/// systems follow.
pub const COMPARISON_COLUMNS: [&str; 22] = [
    "a",
    "b",
    "scope",
    "name",
    "frame",
    "represents_crash",
    "runs_a",
    "reproduced_a",
    "runs_b",
    "reproduced_b",
    "odds_ratio",
    "fisher_p",
    "evaluations_a12",
    "evaluations_magnitude",
    "evaluations_p",
    "seconds_a12",
    "seconds_magnitude",
    "seconds_p",
    "highest_in_most_a",
    "highest_once_a",
    "highest_in_most_b",
    "highest_once_b",
];

/// Writes the contrasts of all pairs as comma-separated values (RFC 4180): all runs, all frames, each
/// application, exception, and frame of a crash. Unknown values are empty.
pub fn export_comparison(comparison: &Comparison, out: impl Write) -> Result<(), Error> {
    let mut writer = csv::Writer::from_writer(out);
    let failure = |error: csv::Error| Error::Export(error.into());
    let systems: Vec<&str> = comparison.published.iter().map(|it| it.system.as_str()).collect();
    let mut header: Vec<String> = COMPARISON_COLUMNS.map(str::to_owned).to_vec();
    header.extend(systems.iter().flat_map(|it| [format!("{it}_frame_majority"), format!("{it}_frame_once")]));
    writer.write_record(&header).map_err(failure)?;
    for (position, pair) in (1..).zip(&comparison.pairs) {
        for mut row in rows(comparison, pair, position, &systems) {
            row.resize(header.len(), String::new());
            writer.write_record(&row).map_err(failure)?;
        }
    }
    writer.flush().map_err(Error::Export)
}

fn rows(comparison: &Comparison, pair: &Pair, position: usize, systems: &[&str]) -> Vec<Vec<String>> {
    let row = |scope: &str, name: &str, frame: Option<(u32, bool)>, contrast: &Contrast| {
        let mut fields = vec![pair.a.clone(), pair.b.clone(), scope.to_owned(), name.to_owned()];
        fields.push(frame.map(|(level, _)| level.to_string()).unwrap_or_default());
        fields.push(frame.map(|(_, represents)| represents.to_string()).unwrap_or_default());
        fields.extend(figures(contrast));
        fields
    };
    let mut rows = vec![row("runs", "", None, &pair.runs), row("frames", "", None, &pair.frames)];
    rows.extend(pair.by_application.iter().map(|it| row("application", &it.name, None, it)));
    rows.extend(pair.by_exception.iter().map(|it| row("exception", &it.name, None, it)));
    for frame in &pair.by_frame {
        let place = Some((frame.level, frame.represents_crash));
        let mut fields = row("frame", &frame.crash, place, &frame.contrast);
        let crash = comparison.crashes.iter().find(|it| it.crash == frame.crash);
        fields.extend(crash.map(|it| highest(it, position, systems)).unwrap_or_default());
        rows.push(fields);
    }
    rows
}

fn figures(contrast: &Contrast) -> Vec<String> {
    let Contrast { a, b, odds_ratio, p, .. } = contrast;
    let counts = [a.runs(), a.successes(), b.runs(), b.successes()];
    let mut fields: Vec<String> = counts.iter().map(u64::to_string).collect();
    fields.extend([digits(*odds_ratio), digits(*p)]);
    for effort in [contrast.evaluations, contrast.seconds] {
        fields.extend(effort.map_or_else(Default::default, |it| {
            let EffortContrast { a12, magnitude, p, .. } = it;
            [digits(a12), magnitude.name().to_owned(), digits(p)]
        }));
    }
    fields
}

/// All digits, with an exponent where there are many zeros.
fn digits(value: f64) -> String {
    format!("{value:?}")
}

/// The highest frames of both configurations and of the published systems.
fn highest(crash: &CrashFrames, position: usize, systems: &[&str]) -> Vec<String> {
    let ours = [0, position].map(|it| crash.configurations.get(it).copied());
    let theirs = systems.iter().map(|it| crash.published.get(*it).copied());
    let all = ours.into_iter().chain(theirs).map(Option::unwrap_or_default);
    let number = |it: Option<u32>| it.map(|it| it.to_string()).unwrap_or_default();
    all.flat_map(|HighestFrames { in_most, once }| [number(in_most), number(once)]).collect()
}
