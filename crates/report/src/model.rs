//! Records put together by crash and configuration.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use crashback_campaign::{CrashSummary, Record, Summary, Trial};

use crate::Trace;
use crate::state::State;

/// Everything that sections show.
pub(crate) struct Model<'r> {
    /// One for each configuration, by name.
    pub(crate) configurations: Vec<Summary>,
    /// The crashes by name.
    pub(crate) crashes: Vec<Crash<'r>>,
    /// Names of applications, in order.
    pub(crate) applications: Vec<&'r str>,
    /// Classes of exceptions, in order.
    pub(crate) exceptions: Vec<&'r str>,
    /// Whether a crash was run several times under one configuration.
    pub(crate) repeated: bool,
}

/// One crash.
pub(crate) struct Crash<'r> {
    pub(crate) name: &'r str,
    pub(crate) application: &'r str,
    pub(crate) version: &'r str,
    pub(crate) trace: Option<&'r Trace>,
    /// The highest frame worth targeting.
    pub(crate) height: Option<u32>,
    /// Its runs under each configuration, in the order of the model's; none where it was not run.
    pub(crate) results: Vec<Option<CrashResult<'r>>>,
    /// The best of all runs.
    pub(crate) best: &'r Record,
    /// The runs with the same seed, where each was to reproduce one frame; otherwise the best run alone.
    pub(crate) best_trial: Trial<'r>,
}

/// The runs of one crash under one configuration.
pub(crate) struct CrashResult<'r> {
    pub(crate) summary: CrashSummary,
    pub(crate) state: State,
    /// The median number of tests over all runs.
    pub(crate) evaluations: u64,
    /// The best run.
    best: &'r Record,
    best_trial: Trial<'r>,
    /// The highest frame worth targeting.
    height: Option<u32>,
}

impl<'r> Model<'r> {
    pub(crate) fn of(records: &'r [Record], traces: &'r BTreeMap<String, Trace>) -> Self {
        let configurations = Summary::of(records);
        let mut runs: BTreeMap<&str, BTreeMap<&str, Vec<&'r Record>>> = BTreeMap::new();
        for record in records {
            runs.entry(&record.crash).or_default().entry(&record.configuration).or_default().push(record);
        }
        let mut summaries: BTreeMap<(&str, &str), &CrashSummary> = BTreeMap::new();
        for configuration in &configurations {
            let keyed = configuration.crashes.iter();
            summaries.extend(keyed.map(|it| ((configuration.configuration.as_str(), it.crash.as_str()), it)));
        }
        let crash = |(name, by_configuration): (&'r str, BTreeMap<&str, Vec<&'r Record>>)| {
            let result = |configuration: &Summary| {
                let runs = by_configuration.get(configuration.configuration.as_str())?;
                let summary = summaries.get(&(configuration.configuration.as_str(), name))?;
                CrashResult::of(summary, runs)
            };
            let results = configurations.iter().map(result).collect();
            Crash::of(name, traces.get(name), results)
        };
        let crashes: Vec<Crash<'r>> = runs.into_iter().filter_map(crash).collect();
        let applications: BTreeSet<&str> = crashes.iter().map(|it| it.application).collect();
        let exceptions: BTreeSet<&str> = crashes.iter().filter_map(Crash::exception).collect();
        Self {
            repeated: configurations.iter().flat_map(|it| &it.crashes).any(|it| it.runs > 1),
            applications: applications.into_iter().collect(),
            exceptions: exceptions.into_iter().collect(),
            crashes,
            configurations,
        }
    }

    /// Runs of all crashes; those with one seed that look for one frame each are one.
    pub(crate) fn runs(&self) -> usize {
        self.configurations.iter().flat_map(|it| &it.crashes).map(|it| it.runs).sum()
    }

    /// Crashes with their results under one configuration.
    pub(crate) fn results(&self, view: usize) -> impl Iterator<Item = (&Crash<'r>, &CrashResult<'r>)> {
        self.crashes.iter().filter_map(move |it| Some((it, it.result(view)?)))
    }
}

impl<'r> Crash<'r> {
    fn of(name: &'r str, trace: Option<&'r Trace>, results: Vec<Option<CrashResult<'r>>>) -> Option<Self> {
        let best = results.iter().flatten().max_by(|a, b| by_quality(a.best, b.best))?;
        let (best, best_trial) = (best.best, best.best_trial.clone());
        let height = results.iter().flatten().filter_map(|it| it.height).max();
        let (application, version) = (best.application.as_str(), best.application_version.as_str());
        Some(Self { name, application, version, trace, height, results, best, best_trial })
    }

    pub(crate) fn result(&self, view: usize) -> Option<&CrashResult<'r>> {
        self.results.get(view)?.as_ref()
    }

    pub(crate) fn exception(&self) -> Option<&'r str> {
        self.trace.map(|it| it.exception.as_str()).or(self.best.exception.as_deref())
    }
}

impl<'r> CrashResult<'r> {
    fn of(summary: &CrashSummary, runs: &[&'r Record]) -> Option<Self> {
        let trials = Trial::group(runs.iter().copied());
        let mut evaluations: Vec<u64> = trials.iter().map(Trial::evaluations).collect();
        evaluations.sort_unstable();
        let best: &'r Record = runs.iter().max_by(|a, b| by_quality(a, b))?;
        let has_best = |it: &Trial<'_>| it.runs().iter().any(|it| std::ptr::eq(*it, best));
        Some(Self {
            summary: summary.clone(),
            state: State::of(summary, runs),
            evaluations: evaluations.get(evaluations.len() / 2).copied().unwrap_or_default(),
            best,
            best_trial: trials.into_iter().find(has_best)?,
            height: runs.iter().filter_map(|it| it.highest_target_frame).max(),
        })
    }

    /// The highest frame that most runs reproduce, otherwise that any run does.
    pub(crate) fn frame(&self) -> Option<u32> {
        self.summary.frame_in_most.or(self.summary.frame_once)
    }
}

/// Orders runs from the worst to the best: success, then the frame, then doubts, then time.
fn by_quality(a: &Record, b: &Record) -> Ordering {
    let key = |it: &Record| {
        let doubts = it.doubts.as_ref().map_or(usize::MAX, Vec::len);
        let reached = match it.outcome.as_str() {
            _ if it.error.is_some() => 0,
            "reproduced" => 5,
            "exception-thrown" => 4,
            "line-reached" => 3,
            "line-not-reached" => 2,
            _ => 1,
        };
        (it.is_reproduced(), it.verified, it.frame, reached, std::cmp::Reverse(doubts))
    };
    // Of equal runs the quickest, and of equally quick ones that with the lowest seed.
    key(a).cmp(&key(b)).then(b.seconds.total_cmp(&a.seconds)).then(b.seed.cmp(&a.seed))
}
