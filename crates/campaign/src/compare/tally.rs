//! One configuration by itself: counts, outcomes and effort.

use std::collections::BTreeMap;

use crashback_search::Rng;
use rayon::prelude::*;
use serde::Serialize;

use super::contrast::states;
use super::runs::{CrashRuns, Measure, Sample, State, reproduces};
use super::{CompareOptions, HighestFrames};
use crate::statistics::{Interval, Proportion, median, median_interval, quantile};

/// The runs of a configuration, all together and in groups.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ConfigurationTallies {
    /// The configuration.
    pub configuration: String,
    /// All of them.
    pub total: Tally,
    /// By the program that crashed.
    pub by_application: Vec<Tally>,
    /// By the class of the exception, where it is known.
    pub by_exception: Vec<Tally>,
}

/// Counts over the runs of some crashes. "In most" means in strictly more than half of the runs.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Tally {
    /// The group of crashes.
    pub name: String,
    /// Crashes.
    pub crashes: usize,
    /// Those reproduced, at any frame, in most of their runs.
    pub crashes_in_most: usize,
    /// Those reproduced at least once.
    pub crashes_once: usize,
    /// Runs, and those among them that reproduced any frame.
    pub runs: Proportion,
    /// Target frames.
    pub frames: usize,
    /// Those reproduced in most of their runs.
    pub frames_in_most: usize,
    /// Those reproduced at least once.
    pub frames_once: usize,
    /// The sum over the crashes of the highest frame that most runs reproduced.
    pub sum_in_most: u64,
    /// The sum of the highest frame of any run.
    pub sum_once: u64,
    /// Runs at frames in each state.
    pub states: BTreeMap<State, usize>,
    /// Tests executed; none if no run counts.
    pub evaluations: Option<Effort>,
    /// Time in seconds; none as above.
    pub seconds: Option<Effort>,
}

/// How the effort of runs is distributed, as tables 3.5 and 3.6 of Soltani et al. (2020) show it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Effort {
    /// Runs that count.
    pub runs: usize,
    /// The least.
    pub min: f64,
    /// A quarter of the runs needed less.
    pub lower_quartile: f64,
    /// Half of them needed less.
    pub median: f64,
    /// The basic bootstrap interval of the median at 95 %.
    pub interval: Interval,
    /// Three quarters needed less.
    pub upper_quartile: f64,
    /// The most.
    pub max: f64,
}

impl ConfigurationTallies {
    pub(super) fn of(
        name: &str,
        crashes: &[CrashRuns<'_>],
        position: usize,
        options: CompareOptions,
    ) -> Self {
        let tally =
            |(name, crashes): (String, Vec<&CrashRuns<'_>>)| Tally::of(name, &crashes, position, options);
        let grouped = if options.groups { crashes } else { &[] };
        Self {
            configuration: name.to_owned(),
            total: tally(("all".to_owned(), crashes.iter().collect())),
            // Intervals take most of the time, and each has random numbers of its own.
            by_application: by_application(grouped).into_par_iter().map(tally).collect(),
            by_exception: by_exception(grouped).into_par_iter().map(tally).collect(),
        }
    }
}

impl Tally {
    fn of(name: String, crashes: &[&CrashRuns<'_>], position: usize, options: CompareOptions) -> Self {
        let mut tally = Self { name, crashes: crashes.len(), ..Self::default() };
        let mut sample = Sample::default();
        for crash in crashes {
            tally.add(crash, position);
            sample = sample.extend(crash.sample(position, options.failed));
        }
        tally.runs = Proportion::new(sample.successes, sample.runs);
        // The same random numbers for all, so that equal runs have equal intervals wherever they are shown.
        let effort =
            |measure| Effort::of(sample.effort(measure), options.resamples, &mut Rng::new(options.seed));
        tally.evaluations = effort(Measure::Evaluations);
        tally.seconds = effort(Measure::Seconds);
        tally
    }

    fn add(&mut self, crash: &CrashRuns<'_>, position: usize) {
        let HighestFrames { in_most, once } = HighestFrames::of(crash, position);
        self.crashes_in_most += usize::from(in_most.is_some());
        self.crashes_once += usize::from(once.is_some());
        self.sum_in_most += u64::from(in_most.unwrap_or_default());
        self.sum_once += u64::from(once.unwrap_or_default());
        self.frames += crash.frames.len();
        for &level in crash.frames.keys() {
            let runs = crash.at(position, level).count();
            let reproduced = crash.at(position, level).filter(|run| reproduces(run, level)).count();
            self.frames_in_most += usize::from(reproduced * 2 > runs);
            self.frames_once += usize::from(reproduced > 0);
            for (state, count) in states(crash, position, level) {
                *self.states.entry(state).or_default() += count;
            }
        }
    }
}

impl Effort {
    fn of(values: &[f64], resamples: usize, rng: &mut Rng) -> Option<Self> {
        Some(Self {
            runs: values.len(),
            min: quantile(values, 0.0)?,
            lower_quartile: quantile(values, 0.25)?,
            median: median(values)?,
            interval: median_interval(values, resamples, rng)?,
            upper_quartile: quantile(values, 0.75)?,
            max: quantile(values, 1.0)?,
        })
    }
}

/// The crashes of each program.
pub(super) fn by_application<'c, 'r>(crashes: &'c [CrashRuns<'r>]) -> Vec<(String, Vec<&'c CrashRuns<'r>>)> {
    grouped(crashes, |it| Some(it.application))
}

/// The crashes with each class of exception; those of which it is not known are left out.
pub(super) fn by_exception<'c, 'r>(crashes: &'c [CrashRuns<'r>]) -> Vec<(String, Vec<&'c CrashRuns<'r>>)> {
    grouped(crashes, |it| it.exception.as_deref())
}

fn grouped<'c, 'r>(
    crashes: &'c [CrashRuns<'r>],
    key: impl Fn(&'c CrashRuns<'r>) -> Option<&'c str>,
) -> Vec<(String, Vec<&'c CrashRuns<'r>>)> {
    let mut groups: BTreeMap<&str, Vec<&CrashRuns<'r>>> = BTreeMap::new();
    for crash in crashes {
        if let Some(key) = key(crash) {
            groups.entry(key).or_default().push(crash);
        }
    }
    groups.into_iter().map(|(name, crashes)| (name.to_owned(), crashes)).collect()
}
