//! The runs of one crash: which of them succeeded, how far the others came, and the effort of each.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{Failed, Published};
use crate::{Record, Trial};

/// How far a run came at a frame. The papers tell the same states apart, by other names: Soltani et
/// al. (2020), section 3.7; Xiang (2020), section 5.1.2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// A verified test that the exception leaves agrees with the log at least up to this frame.
    Reproduced,
    /// A test was found, but it does not count: it is not verified, or the exception does not leave
    /// it.
    Claimed,
    /// The exception was thrown, with another trace.
    ExceptionThrown,
    /// The line of the frame was reached.
    LineReached,
    /// It was not.
    LineNotReached,
    /// No test was run for the frame.
    NotStarted,
    /// The run could not search.
    Error,
}

impl State {
    /// All states, from the best to the worst.
    pub const ALL: [Self; 7] = [
        Self::Reproduced,
        Self::Claimed,
        Self::ExceptionThrown,
        Self::LineReached,
        Self::LineNotReached,
        Self::NotStarted,
        Self::Error,
    ];

    /// The state of a run at a frame.
    pub(super) fn of(run: &Record, level: u32) -> Self {
        if run.error.is_some() {
            return Self::Error;
        }
        if reproduces(run, level) {
            return Self::Reproduced;
        }
        match run.frames.iter().find(|it| it.level == level).map(|it| it.outcome.as_str()) {
            Some("reproduced") => Self::Claimed,
            Some("exception-thrown") => Self::ExceptionThrown,
            Some("line-reached") => Self::LineReached,
            Some("line-not-reached") => Self::LineNotReached,
            _ => Self::NotStarted,
        }
    }
}

/// What effort is counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Measure {
    /// Tests executed by the search.
    Evaluations,
    /// Wall-clock time.
    Seconds,
}

impl Measure {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Evaluations => "evaluations",
            Self::Seconds => "seconds",
        }
    }
}

/// The runs of one crash under all configurations that are compared.
pub(super) struct CrashRuns<'r> {
    pub(super) crash: &'r str,
    pub(super) application: &'r str,
    /// The exception's class; none if neither a record nor the published table tells it.
    pub(super) exception: Option<String>,
    /// Target frames by their levels.
    pub(super) frames: BTreeMap<u32, &'r str>,
    /// The highest frame that any run reproduced.
    pub(super) highest: Option<u32>,
    /// For each configuration its runs, see [`Trial`].
    trials: Vec<Vec<Trial<'r>>>,
    /// The most that any run of the crash spent, under whatever configuration. Failed runs use up their
    /// budget, so this is the budget or a little more. Statistics of ranks ask for no more than that failed
    /// runs come last.
    most_spent: Spent,
    /// The same for runs at single frames.
    most_spent_at_frame: Spent,
}

/// Tests executed, and seconds.
type Spent = [f64; 2];

/// Runs of one configuration, as statistics see them.
#[derive(Clone, Debug, Default)]
pub(super) struct Sample {
    pub(super) runs: usize,
    pub(super) successes: usize,
    pub(super) evaluations: Vec<f64>,
    pub(super) seconds: Vec<f64>,
}

impl<'r> CrashRuns<'r> {
    pub(super) fn new(crash: &'r str, runs: Vec<Vec<&'r Record>>, published: Option<&Published>) -> Self {
        let all = || runs.iter().flatten().copied();
        let exception = all().find_map(|it| it.exception.clone());
        let reproduced = all().filter(|it| it.is_reproduced()).filter_map(|it| it.frame);
        let asked = all().filter_map(|it| it.target_frame);
        let mut frames: BTreeMap<u32, &str> = reproduced.clone().chain(asked).map(|it| (it, "")).collect();
        frames.extend(all().flat_map(|it| &it.frames).map(|it| (it.level, it.frame.as_str())));
        let trials: Vec<Vec<Trial<'r>>> =
            runs.iter().map(|runs| Trial::group(runs.iter().copied())).collect();
        Self {
            crash,
            application: all().next().map(|it| it.application.as_str()).unwrap_or_default(),
            exception: exception.or_else(|| published.and_then(|it| it.exception(crash))),
            frames,
            highest: reproduced.max(),
            most_spent: most(trials.iter().flatten().map(spent)),
            most_spent_at_frame: most(all().map(spent_at_frame)),
            trials,
        }
    }

    /// The runs of a configuration.
    pub(super) fn of(&self, configuration: usize) -> &[Trial<'r>] {
        self.trials.get(configuration).map(Vec::as_slice).unwrap_or_default()
    }

    /// The runs of a configuration that searched for a frame. A run without any frame could not
    /// search, and counts as one that failed at all of them.
    pub(super) fn at(&self, configuration: usize, level: u32) -> impl Iterator<Item = &'r Record> {
        let searched = move |run: &&Record| match run.target_frame {
            Some(frame) => frame == level,
            None => {
                run.frames.is_empty()
                    || run.frames.iter().any(|it| it.level == level)
                    || reproduces(run, level)
            }
        };
        self.of(configuration).iter().flat_map(Trial::runs).copied().filter(searched)
    }

    /// All runs of a configuration; those that reproduce any frame succeed.
    pub(super) fn sample(&self, configuration: usize, failed: Failed) -> Sample {
        let runs = self.of(configuration).iter().map(|it| (it.is_reproduced(), spent(it)));
        Sample::of(runs, self.most_spent, failed)
    }

    /// The runs of a configuration at a frame; those that reproduce it succeed.
    pub(super) fn sample_at(&self, configuration: usize, level: u32, failed: Failed) -> Sample {
        let runs = self.at(configuration, level).map(|it| (reproduces(it, level), spent_at_frame(it)));
        Sample::of(runs, self.most_spent_at_frame, failed)
    }
}

fn most(all: impl Iterator<Item = Spent>) -> Spent {
    all.fold([0.0; 2], |[tests, seconds], [more, longer]| [tests.max(more), seconds.max(longer)])
}

impl Sample {
    /// A sample of runs: whether each succeeded, and what it spent. Failed ones spent the budget.
    fn of(runs: impl Iterator<Item = (bool, Spent)>, budget: Spent, failed: Failed) -> Self {
        let mut sample = Self::default();
        for (succeeded, spent) in runs {
            sample.runs += 1;
            sample.successes += usize::from(succeeded);
            let [evaluations, seconds] = match failed {
                _ if succeeded => spent,
                Failed::Budget => budget,
                Failed::Drop => continue,
            };
            sample.evaluations.push(evaluations);
            sample.seconds.push(seconds);
        }
        sample
    }

    /// Adds the runs of another sample.
    pub(super) fn extend(mut self, other: Self) -> Self {
        self.runs += other.runs;
        self.successes += other.successes;
        self.evaluations.extend(other.evaluations);
        self.seconds.extend(other.seconds);
        self
    }

    pub(super) fn effort(&self, measure: Measure) -> &[f64] {
        match measure {
            Measure::Evaluations => &self.evaluations,
            Measure::Seconds => &self.seconds,
        }
    }
}

/// Whether a run succeeds at a frame: a trace that agrees up to a frame agrees up to all lower ones.
pub(super) fn reproduces(run: &Record, level: u32) -> bool {
    run.is_reproduced() && run.frame.is_some_and(|it| it >= level)
}

/// The effort of a run, with the searches for all of its frames.
fn spent(trial: &Trial<'_>) -> Spent {
    [trial.evaluations() as f64, trial.seconds()]
}

/// The effort of a whole search: records do not tell when a single frame was reproduced.
fn spent_at_frame(run: &Record) -> Spent {
    [run.evaluations as f64, Some(run.seconds).filter(|it| it.is_finite()).unwrap_or_default()]
}
