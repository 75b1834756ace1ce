//! Two configurations against each other.

use std::collections::BTreeMap;

use serde::Serialize;

use super::runs::{CrashRuns, Measure, Sample, State};
use super::tally::{by_application, by_exception};
use super::{CompareOptions, Failed};
use crate::statistics::{Magnitude, Method, Proportion, a12, fisher_exact, odds_ratio, rank_sum};

/// The first configuration against another one.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Pair {
    /// The first configuration.
    pub a: String,
    /// The other one.
    pub b: String,
    /// All runs; those that reproduce any frame succeed.
    pub runs: Contrast,
    /// All runs at all target frames, without effort.
    pub frames: Contrast,
    /// All runs, by the program that crashed.
    pub by_application: Vec<Contrast>,
    /// All runs, by the class of the exception, where it is known.
    pub by_exception: Vec<Contrast>,
    /// Single frames, by crash and level.
    pub by_frame: Vec<FrameContrast>,
}

/// Successes and effort of two configurations.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Contrast {
    /// The runs that are contrasted.
    pub name: String,
    /// Successes of the first configuration.
    pub a: Proportion,
    /// Successes of the other one.
    pub b: Proportion,
    /// Above 1 if the first succeeds more often.
    pub odds_ratio: f64,
    /// The p-value of Fisher's exact test.
    pub p: f64,
    /// Tests executed; none if neither succeeded, or one has no run left.
    pub evaluations: Option<EffortContrast>,
    /// Time; none as above.
    pub seconds: Option<EffortContrast>,
}

/// The effort of two configurations.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct EffortContrast {
    /// Below 0.5 if the first configuration needs less.
    pub a12: f64,
    /// How large the difference is.
    pub magnitude: Magnitude,
    /// The p-value of Wilcoxon's rank-sum test.
    pub p: f64,
    /// How it was found.
    pub method: Method,
}

/// Two configurations at one frame.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FrameContrast {
    /// The crash.
    pub crash: String,
    /// The level of the frame, 1 for the innermost.
    pub level: u32,
    /// The frame; empty if no run tells it.
    pub frame: String,
    /// Whether it stands for its crash: it is the highest frame that any run of any configuration
    /// reproduced.
    pub represents_crash: bool,
    /// How far the runs of the first configuration came.
    pub states_a: BTreeMap<State, usize>,
    /// How far those of the other one came.
    pub states_b: BTreeMap<State, usize>,
    /// Successes and effort.
    #[serde(flatten)]
    pub contrast: Contrast,
}

impl Pair {
    /// The first configuration against the one at a position.
    pub(super) fn of(
        a: &str,
        b: &str,
        crashes: &[CrashRuns<'_>],
        position: usize,
        options: CompareOptions,
    ) -> Self {
        let failed = options.failed;
        let grouped = if options.groups { crashes } else { &[] };
        let all: Vec<&CrashRuns<'_>> = crashes.iter().collect();
        let contrast = |(name, crashes): (String, Vec<&CrashRuns<'_>>)| {
            let sample = |configuration: usize| {
                let samples = crashes.iter().map(|crash| crash.sample(configuration, failed));
                samples.fold(Sample::default(), Sample::extend)
            };
            Contrast::of(name, &sample(0), &sample(position))
        };
        Self {
            a: a.to_owned(),
            b: b.to_owned(),
            runs: contrast(("all runs".to_owned(), all)),
            frames: all_frames(crashes, position),
            by_application: by_application(grouped).into_iter().map(contrast).collect(),
            by_exception: by_exception(grouped).into_iter().map(contrast).collect(),
            by_frame: grouped.iter().flat_map(|crash| of_crash(crash, position, failed)).collect(),
        }
    }
}

impl Contrast {
    fn of(name: String, a: &Sample, b: &Sample) -> Self {
        let (left, right) = (Proportion::new(a.successes, a.runs), Proportion::new(b.successes, b.runs));
        let succeeded = a.successes + b.successes > 0;
        let effort =
            |measure: Measure| EffortContrast::of(a.effort(measure), b.effort(measure)).filter(|_| succeeded);
        Self {
            name,
            a: left,
            b: right,
            odds_ratio: odds_ratio(left, right),
            p: fisher_exact(left, right),
            evaluations: effort(Measure::Evaluations),
            seconds: effort(Measure::Seconds),
        }
    }
}

impl EffortContrast {
    fn of(a: &[f64], b: &[f64]) -> Option<Self> {
        let (a12, test) = (a12(a, b)?, rank_sum(a, b)?);
        Some(Self { a12, magnitude: Magnitude::of(a12), p: test.p, method: test.method })
    }
}

fn all_frames(crashes: &[CrashRuns<'_>], position: usize) -> Contrast {
    let sample = |configuration: usize| {
        let places = crashes.iter().flat_map(|crash| crash.frames.keys().map(move |level| (crash, *level)));
        let samples = places.map(|(crash, level)| crash.sample_at(configuration, level, Failed::Drop));
        let sum = samples.fold(Sample::default(), Sample::extend);
        // The effort of a run would count once for each of its frames.
        Sample { evaluations: Vec::new(), seconds: Vec::new(), ..sum }
    };
    Contrast::of("all frames".to_owned(), &sample(0), &sample(position))
}

fn of_crash(crash: &CrashRuns<'_>, position: usize, failed: Failed) -> Vec<FrameContrast> {
    let frame = |(&level, &frame): (&u32, &&str)| {
        let sample = |configuration: usize| crash.sample_at(configuration, level, failed);
        let name = format!("{} frame {level}", crash.crash);
        FrameContrast {
            crash: crash.crash.to_owned(),
            level,
            frame: frame.to_owned(),
            represents_crash: crash.highest == Some(level),
            states_a: states(crash, 0, level),
            states_b: states(crash, position, level),
            contrast: Contrast::of(name, &sample(0), &sample(position)),
        }
    };
    crash.frames.iter().map(frame).collect()
}

/// How many runs of a configuration are in each state at a frame.
pub(super) fn states(crash: &CrashRuns<'_>, configuration: usize, level: u32) -> BTreeMap<State, usize> {
    let mut states = BTreeMap::new();
    for run in crash.at(configuration, level) {
        *states.entry(State::of(run, level)).or_default() += 1;
    }
    states
}
