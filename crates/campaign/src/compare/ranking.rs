//! Three or more configurations against each other.

use serde::Serialize;

use super::Failed;
use super::runs::{CrashRuns, Measure};
use crate::statistics::{Proportion, friedman, median};

/// The level of significance that the papers use.
const ALPHA: f64 = 0.05;

/// Configurations ranked by one criterion, with a block for each crash that any of them reproduced.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ranking {
    /// `success-rate`: the share of runs that reproduce the frame that stands for the crash;
    /// `evaluations` and `seconds`: their median effort.
    pub criterion: String,
    /// Crashes for which all configurations have a value.
    pub crashes: usize,
    /// The mean rank of each configuration, in the order of asking; 1 is the best.
    pub mean_ranks: Vec<f64>,
    /// Friedman's statistic.
    pub statistic: f64,
    /// Its p-value.
    pub p: f64,
    /// The difference of mean ranks above which Nemenyi's test is significant at 0.05.
    pub critical_difference: f64,
    /// Nemenyi's test of all pairs.
    pub nemenyi: Vec<PairwiseP>,
}

/// Nemenyi's test of two configurations.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PairwiseP {
    /// One configuration.
    pub a: String,
    /// The other one.
    pub b: String,
    /// The p-value.
    pub p: f64,
}

/// The rankings of three or more configurations.
pub(super) fn of(crashes: &[CrashRuns<'_>], configurations: &[String], failed: Failed) -> Vec<Ranking> {
    if configurations.len() < 3 {
        return Vec::new();
    }
    let criterion = |name: &str, value: &dyn Fn(&CrashRuns<'_>, usize, u32) -> Option<f64>| {
        let block = |crash: &CrashRuns<'_>| {
            let level = crash.highest?;
            (0..configurations.len()).map(|it| value(crash, it, level)).collect::<Option<Vec<f64>>>()
        };
        let blocks: Vec<Vec<f64>> = crashes.iter().filter_map(block).collect();
        ranked(name, &blocks, configurations)
    };
    // The smallest value has rank 1.
    let failures = |crash: &CrashRuns<'_>, position: usize, level: u32| {
        let sample = crash.sample_at(position, level, failed);
        Proportion::new(sample.successes, sample.runs).share().map(|it| 1.0 - it)
    };
    let effort = |measure: Measure| {
        criterion(measure.name(), &move |crash, position, level| {
            median(crash.sample_at(position, level, failed).effort(measure))
        })
    };
    let all = [criterion("success-rate", &failures), effort(Measure::Evaluations), effort(Measure::Seconds)];
    all.into_iter().flatten().collect()
}

fn ranked(criterion: &str, blocks: &[Vec<f64>], configurations: &[String]) -> Option<Ranking> {
    let test = friedman(blocks)?;
    let names = || (0..).zip(configurations);
    let pairs = names().flat_map(|(i, a)| names().skip(i + 1).map(move |(j, b)| (i, a, j, b)));
    let nemenyi = pairs.filter_map(|(i, a, j, b)| {
        let p = test.nemenyi(i, j)?;
        Some(PairwiseP { a: a.clone(), b: b.clone(), p })
    });
    Some(Ranking {
        criterion: criterion.to_owned(),
        crashes: test.blocks,
        nemenyi: nemenyi.collect(),
        critical_difference: test.critical_difference(ALPHA),
        statistic: test.statistic,
        p: test.p,
        mean_ranks: test.mean_ranks,
    })
}
