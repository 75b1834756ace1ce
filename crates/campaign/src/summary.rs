use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::statistics::median;
use crate::{Record, Trial};

/// What the runs of one configuration show.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Summary {
    /// The configuration.
    pub configuration: String,
    /// Its crashes by name.
    pub crashes: Vec<CrashSummary>,
    /// Single frames by crash and level, where runs were to reproduce one.
    pub frames: Vec<CrashSummary>,
    /// What stood in the way of runs that no verified test came of, the most frequent first.
    pub obstacles: Vec<ObstacleCount>,
    /// Verified tests, over all runs, of which it is known what can be held against them.
    pub judged: usize,
    /// Those among them that nothing can be held against.
    pub undoubted: usize,
}

/// How often something stood in the way.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ObstacleCount {
    /// The kind of obstacle; for runs that could not search, that of their error.
    pub kind: String,
    /// Crashes of which no run, whatever its seed, came to a verified test and at least one met
    /// this obstacle.
    pub crashes: usize,
    /// Runs that met it.
    pub runs: usize,
}

/// What the runs of one crash show, or those that were to reproduce one frame of it. Runs with one seed that
/// were to reproduce one frame each count as one run of their crash, see [`Trial`]. A run that failed before
/// it searched counts as one that did not reproduce.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct CrashSummary {
    /// The crash.
    pub crash: String,
    /// The frame that its runs were to reproduce; none if all runs of the crash count.
    pub target_frame: Option<u32>,
    /// How often it was run.
    pub runs: usize,
    /// Runs that reproduced it, with the exception leaving the test.
    pub reproduced: usize,
    /// Runs that could not search.
    pub errors: usize,
    /// Tests that crashed in the worker but not in a plain JVM, over all runs.
    pub unverified_claims: u64,
    /// The highest frame that most runs reach.
    pub frame_in_most: Option<u32>,
    /// The highest frame of any run.
    pub frame_once: Option<u32>,
    /// Median time of the runs that reproduced it.
    pub median_seconds: Option<f64>,
}

/// Runs by crash.
type Crashes<'r> = BTreeMap<&'r str, Vec<&'r Record>>;

impl Summary {
    /// Sums up the runs, configuration by configuration.
    pub fn of(records: &[Record]) -> Vec<Self> {
        let mut configurations: BTreeMap<&str, Crashes<'_>> = BTreeMap::new();
        for record in records {
            let crashes = configurations.entry(&record.configuration).or_default();
            crashes.entry(&record.crash).or_default().push(record);
        }
        configurations.into_iter().map(|(name, crashes)| Self::of_configuration(name, &crashes)).collect()
    }

    fn of_configuration(name: &str, crashes: &Crashes<'_>) -> Self {
        let all = || crashes.values().flatten();
        let trials: Vec<Vec<Trial<'_>>> =
            crashes.values().map(|runs| Trial::group(runs.iter().copied())).collect();
        Self {
            configuration: name.to_owned(),
            obstacles: obstacles(&trials),
            judged: all().filter_map(|it| it.is_undoubted()).count(),
            undoubted: all().filter(|it| it.is_undoubted() == Some(true)).count(),
            crashes: trials.iter().map(|it| CrashSummary::of(it)).collect(),
            frames: crashes.values().flat_map(|runs| frames(runs)).collect(),
        }
    }

    /// Crashes that most of their runs reproduced.
    pub fn reproduced_in_most(&self) -> usize {
        self.crashes.iter().filter(|it| it.is_reproduced_in_most()).count()
    }

    /// Crashes that at least one run reproduced.
    pub fn reproduced_once(&self) -> usize {
        self.crashes.iter().filter(|it| it.reproduced > 0).count()
    }

    /// Median over the crashes reproduced in most runs of their median times.
    pub fn median_seconds(&self) -> Option<f64> {
        let reproduced = self.crashes.iter().filter(|it| it.is_reproduced_in_most());
        median(&reproduced.filter_map(|it| it.median_seconds).collect::<Vec<f64>>())
    }

    /// Crashes for which, or for a frame of which, as many runs succeeded as failed: one more run decides.
    pub fn undecided(&self) -> Vec<&str> {
        let undecided = self.crashes.iter().chain(&self.frames).filter(|it| it.reproduced * 2 == it.runs);
        let names: BTreeSet<&str> = undecided.map(|it| it.crash.as_str()).collect();
        names.into_iter().collect()
    }
}

impl CrashSummary {
    /// Whether strictly more than half of the runs reproduced it.
    pub fn is_reproduced_in_most(&self) -> bool {
        self.reproduced * 2 > self.runs
    }

    pub(crate) fn of(trials: &[Trial<'_>]) -> Self {
        let runs = || trials.iter().flat_map(Trial::runs);
        let reproduced: Vec<&Trial<'_>> = trials.iter().filter(|it| it.is_reproduced()).collect();
        // From the highest down: the first that more than half of all runs reach.
        let mut frames: Vec<u32> = reproduced.iter().filter_map(|it| it.frame()).collect();
        frames.sort_unstable_by(|a, b| b.cmp(a));
        Self {
            crash: runs().next().map(|it| it.crash.clone()).unwrap_or_default(),
            target_frame: None,
            runs: trials.len(),
            reproduced: reproduced.len(),
            errors: trials.iter().filter(|it| it.is_error()).count(),
            unverified_claims: runs().map(|it| u64::from(it.unverified_claims)).sum(),
            frame_in_most: frames.get(trials.len() / 2).copied(),
            frame_once: frames.first().copied(),
            median_seconds: median(&reproduced.iter().map(|it| it.seconds()).collect::<Vec<f64>>()),
        }
    }
}

/// The single frames that runs of a crash were to reproduce.
fn frames(runs: &[&Record]) -> Vec<CrashSummary> {
    let mut by_frame: BTreeMap<u32, Vec<Trial<'_>>> = BTreeMap::new();
    for run in runs {
        if let Some(frame) = run.target_frame {
            by_frame.entry(frame).or_default().push(Trial::single(run));
        }
    }
    let summary = |(frame, trials): (u32, Vec<Trial<'_>>)| CrashSummary {
        target_frame: Some(frame),
        ..CrashSummary::of(&trials)
    };
    by_frame.into_iter().map(summary).collect()
}

fn obstacles(crashes: &[Vec<Trial<'_>>]) -> Vec<ObstacleCount> {
    let mut counts: BTreeMap<&str, ObstacleCount> = BTreeMap::new();
    for trials in crashes {
        let mut of_crash: BTreeMap<&str, usize> = BTreeMap::new();
        for trial in trials.iter().filter(|it| !it.is_verified()) {
            let kinds: BTreeSet<&str> = trial.runs().iter().map(|it| kind_of(it)).collect();
            kinds.into_iter().for_each(|kind| *of_crash.entry(kind).or_default() += 1);
        }
        let is_open = trials.iter().all(|it| !it.is_verified());
        for (kind, runs) in of_crash {
            let count = counts.entry(kind).or_default();
            count.crashes += usize::from(is_open);
            count.runs += runs;
        }
    }
    let named = counts.into_iter().map(|(kind, count)| ObstacleCount { kind: kind.to_owned(), ..count });
    let mut obstacles: Vec<ObstacleCount> = named.collect();
    obstacles.sort_by_key(|it| std::cmp::Reverse((it.crashes, it.runs)));
    obstacles
}

/// What stood in the way of a run. Runs of earlier versions do not tell.
fn kind_of(run: &Record) -> &str {
    let error = run.error.as_ref().map(|it| it.kind.as_str());
    error.or(run.obstacle_kind.as_deref()).unwrap_or("unknown")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs of one crash: the frame that each reproduced, 0 for none.
    fn check(frames: &[u32], in_most: Option<u32>, once: Option<u32>) {
        let run = |(seed, &frame): (u64, &u32)| Record {
            crash: "C".to_owned(),
            seed,
            frame: (frame > 0).then_some(frame),
            outcome: if frame > 0 { "reproduced" } else { "line-reached" }.to_owned(),
            verified: frame > 0,
            degree: (frame > 0).then(|| "escapes".to_owned()),
            seconds: f64::from(frame),
            ..Record::default()
        };
        let records: Vec<Record> = (0..).zip(frames).map(run).collect();
        let summaries = Summary::of(&records);
        let [Summary { crashes, .. }] = summaries.as_slice() else { panic!("{summaries:?}") };
        let [crash] = crashes.as_slice() else { panic!("{crashes:?}") };
        assert_eq!((crash.frame_in_most, crash.frame_once), (in_most, once), "{frames:?}");
        assert_eq!(crash.is_reproduced_in_most(), in_most.is_some(), "{frames:?}");
    }

    #[test]
    fn most_means_more_than_half() {
        check(&[3], Some(3), Some(3));
        check(&[3, 0], None, Some(3));
        check(&[3, 5], Some(3), Some(5));
        check(&[0, 5, 3], Some(3), Some(5));
        check(&[0, 5, 0], None, Some(5));
        check(&[1, 2, 3, 4], Some(2), Some(4));
        check(&[0, 2, 3, 4], Some(2), Some(4));
        check(&[0, 0], None, None);
    }

    /// Runs of one crash that were to reproduce one frame each: frame, seed and whether they did.
    fn of_frames(runs: &[(u32, u64, bool)]) -> Summary {
        let run = |&(frame, seed, reproduced): &(u32, u64, bool)| Record {
            crash: "C".to_owned(),
            target_frame: Some(frame),
            seed,
            frame: reproduced.then_some(frame),
            outcome: if reproduced { "reproduced" } else { "line-reached" }.to_owned(),
            verified: reproduced,
            degree: Some("escapes".to_owned()),
            obstacle_kind: Some(if frame == 1 { "low" } else { "high" }.to_owned()),
            seconds: 2.0,
            ..Record::default()
        };
        let records: Vec<Record> = runs.iter().map(run).collect();
        Summary::of(&records).remove(0)
    }

    #[test]
    fn runs_of_single_frames_with_one_seed_are_one_run_of_their_crash() {
        // Two of three seeds reproduce frame 1, another two frame 2, and one frame 3.
        let summary = of_frames(&[
            (1, 0, true),
            (2, 0, false),
            (3, 0, false),
            (1, 1, true),
            (2, 1, true),
            (3, 1, true),
            (1, 2, false),
            (2, 2, true),
            (3, 2, false),
        ]);
        let [crash] = summary.crashes.as_slice() else { panic!("{summary:?}") };
        assert_eq!((crash.runs, crash.reproduced, crash.target_frame), (3, 3, None));
        assert_eq!((crash.frame_in_most, crash.frame_once), (Some(2), Some(3)));
        assert_eq!(crash.median_seconds, Some(6.0), "the time of all three searches");
        let frames: Vec<_> =
            summary.frames.iter().map(|it| (it.target_frame, it.reproduced, it.runs)).collect();
        assert_eq!(frames, [(Some(1), 2, 3), (Some(2), 2, 3), (Some(3), 1, 3)]);
        assert_eq!((summary.reproduced_in_most(), summary.undecided()), (1, vec![]));
        assert!(summary.obstacles.is_empty(), "every seed has a verified test");
    }

    #[test]
    fn frames_that_one_more_run_decides_are_told_with_their_crash() {
        let summary = of_frames(&[(1, 0, true), (2, 0, true), (1, 1, true), (2, 1, false)]);
        assert_eq!((summary.reproduced_in_most(), summary.undecided()), (1, vec!["C"]));
        let none = of_frames(&[(1, 0, false), (2, 0, false), (3, 0, false)]);
        let counts: Vec<_> = none.obstacles.iter().map(|it| (it.kind.as_str(), it.runs)).collect();
        assert_eq!(counts, [("high", 1), ("low", 1)], "once for each run of the crash");
    }

    /// A run that looked for the highest frame is one of its own.
    #[test]
    fn other_runs_with_the_same_seed_count_apart() {
        let run = |target_frame| Record { crash: "C".to_owned(), target_frame, ..Record::default() };
        let records = [run(None), run(Some(1)), run(Some(2))];
        assert_eq!(Summary::of(&records).remove(0).crashes[0].runs, 2);
    }

    #[test]
    fn other_degrees_do_not_count() {
        let caught = Record {
            outcome: "reproduced".to_owned(),
            verified: true,
            degree: Some("caught".to_owned()),
            frame: Some(1),
            ..Record::default()
        };
        assert!(!caught.is_reproduced());
        assert!(Record { degree: Some("escapes".to_owned()), ..caught.clone() }.is_reproduced());
        assert!(!Record { degree: Some("escapes".to_owned()), verified: false, ..caught }.is_reproduced());
    }
}
