//! Comparison of configurations: successes, effort and outcomes of their runs, with the statistics
//! of the field.
//!
//! Invariants: a pure function of records; only crashes that every configuration ran are compared,
//! and the others are listed; the same records give the same result to the last digit; the module
//! knows nothing of terminals.

mod contrast;
mod highest;
mod published;
mod ranking;
mod runs;
mod table;
mod tally;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use serde::Serialize;

pub use contrast::{Contrast, EffortContrast, FrameContrast, Pair};
pub use highest::{CrashFrames, HighestFrames};
pub use published::{Published, PublishedCount, PublishedTotals, Standing};
pub use ranking::{PairwiseP, Ranking};
pub use runs::State;
pub use table::{COMPARISON_COLUMNS, export_comparison};
pub use tally::{ConfigurationTallies, Effort, Tally};

use crate::statistics::RESAMPLES;
use crate::{Error, Record};
use runs::CrashRuns;

/// How runs are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CompareOptions {
    /// The effort of runs that failed.
    pub failed: Failed,
    /// Resamples for the intervals of medians.
    pub resamples: usize,
    /// Seed of the resampling.
    pub seed: u64,
    /// Whether groups (applications, exceptions, single frames) are compared, too.
    pub groups: bool,
}

impl Default for CompareOptions {
    fn default() -> Self {
        Self { failed: Failed::Budget, resamples: RESAMPLES, seed: 0, groups: true }
    }
}

/// The effort of a run that failed: the papers differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Failed {
    /// As much as any run of the same crash spent: the run is censored at its budget, as in
    /// Derakhshanfar et al. (2020), section 5.3.
    Budget,
    /// None: the run is left out where effort is compared, as in Xiang (2020), section 5.1.2.
    Drop,
}

/// What comparing configurations shows.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// How the effort of failed runs was counted.
    pub failed: Failed,
    /// Each configuration by itself, in the order of asking.
    pub configurations: Vec<ConfigurationTallies>,
    /// The first configuration against each of the others.
    pub pairs: Vec<Pair>,
    /// All configurations against each other; empty if there are two.
    pub rankings: Vec<Ranking>,
    /// The highest frames of each crash.
    pub crashes: Vec<CrashFrames>,
    /// Published systems on the same crashes.
    pub published: Vec<PublishedTotals>,
    /// Crashes that are not compared.
    pub left_out: Vec<LeftOut>,
}

/// A crash that not all configurations ran.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LeftOut {
    /// The crash.
    pub crash: String,
    /// The configurations that did not run it.
    pub without: Vec<String>,
}

/// Compares configurations by their names, on the crashes that all of them ran.
///
/// # Errors
///
/// If there are fewer than two names, one has no runs, one is named twice or no crash was run under
/// all of them.
pub fn compare(
    records: &[Record],
    configurations: &[String],
    published: Option<&Published>,
    options: CompareOptions,
) -> Result<Comparison, Error> {
    check_names(records, configurations)?;
    let (crashes, left_out) = select(records, configurations, published);
    if crashes.is_empty() {
        return Err(Error::NoCommonCrash { configurations: configurations.to_vec() });
    }
    let tallies: Vec<ConfigurationTallies> = configurations
        .par_iter()
        .enumerate()
        .map(|(position, name)| ConfigurationTallies::of(name, &crashes, position, options))
        .collect();
    let others = (0..).zip(configurations).skip(1);
    let first = configurations.first().map(String::as_str).unwrap_or_default();
    let frames = highest::of(&crashes, configurations, published);
    Ok(Comparison {
        failed: options.failed,
        configurations: tallies,
        pairs: others.map(|(position, name)| Pair::of(first, name, &crashes, position, options)).collect(),
        rankings: ranking::of(&crashes, configurations, options.failed),
        published: published.map(|it| it.totals(&frames, configurations)).unwrap_or_default(),
        crashes: frames,
        left_out,
    })
}

fn check_names(records: &[Record], configurations: &[String]) -> Result<(), Error> {
    let known: BTreeSet<&str> = records.iter().map(|it| it.configuration.as_str()).collect();
    let mut named = BTreeSet::new();
    for name in configurations {
        if !known.contains(name.as_str()) {
            let known = known.iter().map(|it| (*it).to_owned()).collect();
            return Err(Error::UnknownConfiguration { name: name.clone(), known });
        }
        if !named.insert(name) {
            return Err(Error::SameConfiguration { name: name.clone() });
        }
    }
    match configurations {
        [_, _, ..] => Ok(()),
        _ => Err(Error::TooFewConfigurations { known: known.iter().map(|it| (*it).to_owned()).collect() }),
    }
}

/// The crashes that all configurations ran, by name, and the others.
fn select<'r>(
    records: &'r [Record],
    configurations: &[String],
    published: Option<&Published>,
) -> (Vec<CrashRuns<'r>>, Vec<LeftOut>) {
    let mut runs: BTreeMap<&str, Vec<Vec<&Record>>> = BTreeMap::new();
    for record in records {
        let Some(position) = configurations.iter().position(|it| *it == record.configuration) else {
            continue;
        };
        let of_crash = runs.entry(&record.crash).or_insert_with(|| vec![Vec::new(); configurations.len()]);
        of_crash.get_mut(position).into_iter().for_each(|it| it.push(record));
    }
    let (mut crashes, mut left_out) = (Vec::new(), Vec::new());
    for (crash, runs) in runs {
        let missing = configurations.iter().zip(&runs).filter(|(_, runs)| runs.is_empty());
        let without: Vec<String> = missing.map(|(name, _)| name.clone()).collect();
        if without.is_empty() {
            crashes.push(CrashRuns::new(crash, runs, published));
        } else {
            left_out.push(LeftOut { crash: crash.to_owned(), without });
        }
    }
    (crashes, left_out)
}
