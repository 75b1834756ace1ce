use std::collections::BTreeMap;

use crate::Record;
use crate::statistics::median;

/// What the runs of one configuration show.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// The configuration.
    pub configuration: String,
    /// Its crashes by name.
    pub crashes: Vec<CrashSummary>,
    /// What stood in the way of runs that no verified test came of, the most frequent first.
    pub obstacles: Vec<ObstacleCount>,
    /// Verified tests, over all runs, of which it is known what can be held against them.
    pub judged: usize,
    /// Those among them that nothing can be held against.
    pub undoubted: usize,
}

/// How often something stood in the way.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ObstacleCount {
    /// The kind of obstacle; for runs that could not search, that of their error.
    pub kind: String,
    /// Crashes of which no run, whatever its seed, came to a verified test and at least one met
    /// this obstacle.
    pub crashes: usize,
    /// Runs that met it.
    pub runs: usize,
}

/// What the runs of one crash, and of one frame where runs were to reproduce one, show. A run that
/// failed before it searched counts as one that did not reproduce.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CrashSummary {
    /// The crash.
    pub crash: String,
    /// The frame that its runs were to reproduce; none if they looked for the highest.
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

/// Runs by crash and frame.
type Crashes<'r> = BTreeMap<(&'r str, Option<u32>), Vec<&'r Record>>;

impl Summary {
    /// Sums up the runs, configuration by configuration.
    pub fn of(records: &[Record]) -> Vec<Self> {
        let mut configurations: BTreeMap<&str, Crashes<'_>> = BTreeMap::new();
        for record in records {
            let crashes = configurations.entry(&record.configuration).or_default();
            crashes.entry((&record.crash, record.target_frame)).or_default().push(record);
        }
        let summary = |(name, crashes): (&str, Crashes<'_>)| Self {
            configuration: name.to_owned(),
            obstacles: obstacles(&crashes),
            judged: crashes.values().flatten().filter_map(|it| it.is_undoubted()).count(),
            undoubted: crashes.values().flatten().filter(|it| it.is_undoubted() == Some(true)).count(),
            crashes: crashes.into_values().map(|runs| CrashSummary::of(&runs)).collect(),
        };
        configurations.into_iter().map(summary).collect()
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

    /// Crashes for which as many runs succeeded as failed: one more run of them decides.
    pub fn undecided(&self) -> Vec<&str> {
        let undecided = self.crashes.iter().filter(|it| it.reproduced * 2 == it.runs);
        let mut names: Vec<&str> = undecided.map(|it| it.crash.as_str()).collect();
        names.dedup();
        names
    }
}

impl CrashSummary {
    /// Whether strictly more than half of the runs reproduced it.
    pub fn is_reproduced_in_most(&self) -> bool {
        self.reproduced * 2 > self.runs
    }

    pub(crate) fn of(runs: &[&Record]) -> Self {
        let reproduced: Vec<&&Record> = runs.iter().filter(|it| it.is_reproduced()).collect();
        // From the highest down: the first that more than half of all runs reach.
        let mut frames: Vec<u32> = reproduced.iter().filter_map(|it| it.frame).collect();
        frames.sort_unstable_by(|a, b| b.cmp(a));
        Self {
            crash: runs.first().map(|it| it.crash.clone()).unwrap_or_default(),
            target_frame: runs.first().and_then(|it| it.target_frame),
            runs: runs.len(),
            reproduced: reproduced.len(),
            errors: runs.iter().filter(|it| it.error.is_some()).count(),
            unverified_claims: runs.iter().map(|it| u64::from(it.unverified_claims)).sum(),
            frame_in_most: frames.get(runs.len() / 2).copied(),
            frame_once: frames.first().copied(),
            median_seconds: median(&reproduced.iter().map(|it| it.seconds).collect::<Vec<f64>>()),
        }
    }
}

fn obstacles(crashes: &Crashes<'_>) -> Vec<ObstacleCount> {
    let mut counts: BTreeMap<&str, ObstacleCount> = BTreeMap::new();
    for runs in crashes.values() {
        let kinds = runs.iter().filter(|it| !it.verified).map(|it| kind_of(it));
        let mut of_crash: BTreeMap<&str, usize> = BTreeMap::new();
        kinds.for_each(|kind| *of_crash.entry(kind).or_default() += 1);
        let is_open = runs.iter().all(|it| !it.verified);
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
        let run = |&frame: &u32| Record {
            crash: "C".to_owned(),
            frame: (frame > 0).then_some(frame),
            outcome: if frame > 0 { "reproduced" } else { "line-reached" }.to_owned(),
            verified: frame > 0,
            degree: (frame > 0).then(|| "escapes".to_owned()),
            seconds: f64::from(frame),
            ..Record::default()
        };
        let records: Vec<Record> = frames.iter().map(run).collect();
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

    #[test]
    fn frames_that_were_asked_for_are_summed_up_apart() {
        let run = |target_frame: Option<u32>, verified: bool| Record {
            crash: "C".to_owned(),
            target_frame,
            frame: target_frame,
            outcome: "reproduced".to_owned(),
            verified,
            degree: Some("escapes".to_owned()),
            ..Record::default()
        };
        let records = [run(Some(1), true), run(Some(1), true), run(Some(2), true), run(Some(2), false)];
        let summary = Summary::of(&records).remove(0);
        let counts: Vec<_> = summary.crashes.iter().map(|it| (it.target_frame, it.reproduced)).collect();
        assert_eq!(counts, [(Some(1), 2), (Some(2), 1)]);
        assert_eq!((summary.reproduced_in_most(), summary.undecided()), (1, vec!["C"]));
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
