use super::*;
use crate::{FrameRecord, RunFailure};

/// A run of a crash with three target frames that reproduces frames up to one, 0 for none.
fn run(crash: &str, configuration: &str, seed: u64, frame: u32, evaluations: u64) -> Record {
    let outcome = |level: u32| if level <= frame { "reproduced" } else { "line-reached" };
    let frames = (1..=3).map(|level| FrameRecord {
        level,
        frame: format!("a.B.c:{level}"),
        outcome: outcome(level).to_owned(),
        ..FrameRecord::default()
    });
    Record {
        crash: crash.to_owned(),
        application: crash.split('-').next().unwrap_or_default().to_owned(),
        configuration: configuration.to_owned(),
        seed,
        frame: (frame > 0).then_some(frame),
        outcome: outcome(1).to_owned(),
        verified: frame > 0,
        degree: (frame > 0).then(|| "escapes".to_owned()),
        evaluations,
        seconds: evaluations as f64 / 100.0,
        frames: frames.collect(),
        ..Record::default()
    }
}

/// Runs of a crash under a configuration: the frame that each reproduces and its evaluations.
fn runs(crash: &str, configuration: &str, results: &[(u32, u64)]) -> Vec<Record> {
    let run = |(seed, (frame, evaluations)): (u64, &(u32, u64))| {
        run(crash, configuration, seed, *frame, *evaluations)
    };
    (0..).zip(results).map(run).collect()
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|it| (*it).to_owned()).collect()
}

fn options(failed: Failed) -> CompareOptions {
    CompareOptions { failed, resamples: 500, seed: 1, groups: true }
}

fn compared(records: &[Record], configurations: &[&str], failed: Failed) -> Comparison {
    compare(records, &names(configurations), None, options(failed)).expect("a comparison")
}

#[test]
fn the_highest_reproduced_frame_stands_for_its_crash() {
    let mut records = runs("X-1", "a", &[(2, 20), (2, 30), (1, 40), (0, 99)]);
    records.extend(runs("X-1", "b", &[(1, 50), (0, 99), (0, 99), (0, 99)]));
    let comparison = compared(&records, &["a", "b"], Failed::Budget);
    let [pair] = comparison.pairs.as_slice() else { panic!("{:?}", comparison.pairs) };
    let successes: Vec<(u32, u64, u64, bool)> = pair
        .by_frame
        .iter()
        .map(|it| (it.level, it.contrast.a.successes(), it.contrast.b.successes(), it.represents_crash))
        .collect();
    assert_eq!(successes, [(1, 3, 1, false), (2, 2, 0, true), (3, 0, 0, false)]);
    assert_eq!((pair.runs.a.successes(), pair.runs.b.successes()), (3, 1));
    assert_eq!((pair.frames.a.successes(), pair.frames.a.runs()), (5, 12));
    assert_eq!(pair.frames.evaluations, None);
    let highest = &comparison.crashes[0].configurations;
    assert_eq!(highest[0], HighestFrames { in_most: Some(1), once: Some(2) });
    assert_eq!(highest[1], HighestFrames { in_most: None, once: Some(1) });
    let total = &comparison.configurations[0].total;
    assert_eq!((total.crashes_in_most, total.crashes_once), (1, 1));
    assert_eq!((total.frames, total.frames_in_most, total.frames_once), (3, 1, 2));
    assert_eq!((total.sum_in_most, total.sum_once), (1, 2));
}

#[test]
fn failed_runs_come_last_or_are_dropped() {
    // A success that took longer than a failure elsewhere, as with budgets in time.
    let mut records = runs("X-1", "a", &[(1, 20), (1, 500), (0, 100)]);
    records.extend(runs("X-1", "b", &[(1, 30), (0, 90), (0, 80)]));
    let effort = |failed| {
        let comparison = compared(&records, &["a", "b"], failed);
        comparison.pairs[0].runs.evaluations.expect("effort").a12
    };
    // Censored: {20, 500, 500} against {30, 500, 500}: 0 + 0, 1 + 2·½, 1 + 2·½ of nine pairs.
    assert!((effort(Failed::Budget) - 4.0 / 9.0).abs() < 1e-12);
    // Dropped: {20, 500} against {30}.
    assert!((effort(Failed::Drop) - 0.5).abs() < 1e-12);
    let comparison = compared(&records, &["a", "b"], Failed::Drop);
    let effort = comparison.configurations[0].total.evaluations.expect("effort");
    assert_eq!((effort.runs, effort.min, effort.median, effort.max), (2, 20.0, 260.0, 500.0));
    assert_eq!(comparison.configurations[1].total.seconds.map(|it| it.runs), Some(1));
}

#[test]
fn effort_is_not_compared_where_nobody_succeeds() {
    let mut records = runs("X-1", "a", &[(0, 20), (0, 30)]);
    records.extend(runs("X-1", "b", &[(0, 50), (0, 60)]));
    for failed in [Failed::Budget, Failed::Drop] {
        let comparison = compared(&records, &["a", "b"], failed);
        let pair = &comparison.pairs[0];
        assert_eq!((pair.runs.evaluations, pair.runs.seconds), (None, None));
        assert_eq!((pair.runs.p, pair.runs.odds_ratio), (1.0, 1.0));
        assert!(pair.by_frame.iter().all(|it| !it.represents_crash));
    }
}

#[test]
fn runs_are_in_the_state_that_their_frame_reached() {
    let mut records = runs("X-1", "a", &[(2, 1), (0, 1)]);
    // Not verified, and a run that could not search.
    records.push(Record { verified: false, seed: 5, ..run("X-1", "a", 5, 2, 1) });
    let failure = RunFailure { kind: "usage".to_owned(), message: "no jar".to_owned() };
    records.push(Record { error: Some(failure), frames: Vec::new(), ..run("X-1", "a", 6, 0, 0) });
    records.push(Record { frames: Vec::new(), ..run("X-1", "a", 7, 0, 0) });
    records.extend(runs("X-1", "b", &[(0, 1)]));
    let comparison = compared(&records, &["a", "b"], Failed::Budget);
    let states = &comparison.pairs[0].by_frame[1].states_a;
    let expected = [State::Reproduced, State::Claimed, State::LineReached, State::NotStarted, State::Error];
    assert_eq!(*states, expected.map(|it| (it, 1)).into_iter().collect::<BTreeMap<_, _>>());
    assert_eq!(comparison.configurations[0].total.states[&State::Error], 3, "one for each frame");
}

#[test]
fn runs_of_other_frames_do_not_count() {
    let only = |level: u32, mut run: Record| {
        run.frames.retain(|it| it.level == level);
        run
    };
    let mut records = vec![only(3, run("X-1", "a", 0, 0, 10)), only(1, run("X-1", "a", 1, 1, 10))];
    records.extend(runs("X-1", "b", &[(1, 10)]));
    let comparison = compared(&records, &["a", "b"], Failed::Budget);
    let counts: Vec<(u64, u64)> = comparison.pairs[0]
        .by_frame
        .iter()
        .map(|it| (it.contrast.a.successes(), it.contrast.a.runs()))
        .collect();
    assert_eq!(counts, [(1, 1), (0, 0), (0, 1)]);
}

/// One run for each frame, as the papers make them: seeds count, and not each run.
#[test]
fn runs_of_single_frames_are_counted_by_seed() {
    let of_seed = |configuration: &str, seed: u64, reproduced: &[u32]| -> Vec<Record> {
        let search = |level: u32| {
            let frame = if reproduced.contains(&level) { level } else { 0 };
            let mut record = run("X-1", configuration, seed, frame, 10 * u64::from(level));
            record.frames.retain(|it| it.level == level);
            Record { target_frame: Some(level), ..record }
        };
        (1..=3).map(search).collect()
    };
    let mut records = of_seed("a", 0, &[1, 2]);
    records.extend(of_seed("a", 1, &[1, 3]));
    records.extend(of_seed("a", 2, &[]));
    records.extend(of_seed("b", 0, &[1]));
    let comparison = compared(&records, &["a", "b"], Failed::Budget);
    let pair = &comparison.pairs[0];
    assert_eq!((pair.runs.a.successes(), pair.runs.a.runs(), pair.runs.b.runs()), (2, 3, 1));
    let by_frame: Vec<(u64, u64)> =
        pair.by_frame.iter().map(|it| (it.contrast.a.successes(), it.contrast.a.runs())).collect();
    assert_eq!(by_frame, [(2, 3), (1, 3), (1, 3)]);
    let total = &comparison.configurations[0].total;
    assert_eq!((total.crashes_in_most, total.frames, total.frames_in_most, total.frames_once), (1, 3, 1, 3));
    assert_eq!((total.sum_in_most, total.sum_once), (2, 3), "two of three seeds reach frame 2 or higher");
    let effort = total.evaluations.expect("effort");
    assert_eq!((effort.runs, effort.median), (3, 60.0), "all searches of a seed together");
    assert_eq!(total.states[&State::Reproduced], 4);
    assert_eq!(total.states.values().sum::<usize>(), 9, "a state for each frame and seed");
}

#[test]
fn crashes_that_not_all_ran_are_left_out() {
    let mut records = runs("X-1", "a", &[(1, 1)]);
    records.extend(runs("X-1", "b", &[(1, 1)]));
    records.extend(runs("X-2", "a", &[(3, 1)]));
    records.extend(runs("X-3", "other", &[(3, 1)]));
    let comparison = compared(&records, &["a", "b"], Failed::Budget);
    assert_eq!(comparison.configurations[0].total.crashes, 1);
    let expected = LeftOut { crash: "X-2".to_owned(), without: names(&["b"]) };
    assert_eq!(comparison.left_out, [expected]);
}

#[test]
fn groups_add_up_to_the_total() {
    let mut records = Vec::new();
    for (crash, exception) in [("X-1", "E"), ("X-2", "F"), ("Y-1", "E")] {
        records.extend(runs(crash, "a", &[(1, 5), (0, 9)]));
        records.extend(runs(crash, "b", &[(2, 5), (3, 9)]));
        for record in records.iter_mut().filter(|it| it.crash == crash) {
            record.exception = Some(exception.to_owned());
        }
    }
    let comparison = compared(&records, &["a", "b"], Failed::Budget);
    let pair = &comparison.pairs[0];
    for groups in [&pair.by_application, &pair.by_exception] {
        assert_eq!(groups.iter().map(|it| it.a.successes()).sum::<u64>(), pair.runs.a.successes());
        assert_eq!(groups.iter().map(|it| it.b.runs()).sum::<u64>(), pair.runs.b.runs());
    }
    let tallies = &comparison.configurations[1];
    let names: Vec<&str> = tallies.by_exception.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["E", "F"]);
    let sums: Vec<u64> = tallies.by_application.iter().map(|it| it.sum_once).collect();
    assert_eq!((sums.as_slice(), tallies.total.sum_once), (&[6, 3][..], 9));
}

#[test]
fn three_configurations_are_ranked_with_the_best_first() {
    let mut records = Vec::new();
    for number in 0..12 {
        let crash = format!("X-{number}");
        records.extend(runs(&crash, "good", &[(1, 10 + number), (1, 11 + number)]));
        records.extend(runs(&crash, "slow", &[(1, 100 + number), (1, 110 + number)]));
        records.extend(runs(&crash, "bad", &[(0, 900), (0, 900)]));
    }
    let comparison = compared(&records, &["good", "slow", "bad"], Failed::Budget);
    assert_eq!(comparison.pairs.len(), 2);
    let [reproduced, evaluations, seconds] = comparison.rankings.as_slice() else { panic!() };
    assert_eq!(reproduced.mean_ranks, [1.5, 1.5, 3.0]);
    assert_eq!(evaluations.mean_ranks, [1.0, 2.0, 3.0]);
    assert_eq!((evaluations.crashes, evaluations.statistic), (12, 24.0));
    assert_eq!(seconds.mean_ranks, evaluations.mean_ranks);
    let p: Vec<(&str, &str, bool)> =
        evaluations.nemenyi.iter().map(|it| (it.a.as_str(), it.b.as_str(), it.p < 0.05)).collect();
    assert_eq!(p, [("good", "slow", true), ("good", "bad", true), ("slow", "bad", true)]);
    assert!(evaluations.critical_difference < 1.0);
    // Without the failed runs one configuration has no effort, so that no crash has a full block.
    let dropped = compared(&records, &["good", "slow", "bad"], Failed::Drop);
    assert_eq!(dropped.rankings.len(), 1);
    assert!(compared(&records, &["good", "bad"], Failed::Budget).rankings.is_empty());
}

fn published(text: &str) -> Published {
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(file.path(), text).expect("a table");
    Published::read(file.path()).expect("a table")
}

#[test]
fn published_systems_stand_beside_configurations() {
    let mut records = Vec::new();
    for crash in ["X-1", "X-2", "X-3"] {
        records.extend(runs(crash, "a", &[(2, 5), (2, 9)]));
        records.extend(runs(crash, "b", &[(0, 5), (1, 9)]));
    }
    let table = published(
        "id,exception_type,s_frame_majority,s_frame_once,t_frame_once\n\
         X-1,java.lang.Error,0,1,\nX-2,java.lang.Error,2,2,\nX-3,,3,3,\nX-4,,9,9,9\n",
    );
    let names = names(&["a", "b"]);
    let comparison = compare(&records, &names, Some(&table), options(Failed::Budget)).expect("a comparison");
    let [system] = comparison.published.as_slice() else { panic!("{:?}", comparison.published) };
    let count = system.in_most.as_ref().expect("frames");
    assert_eq!((count.crashes, count.reproduced, count.sum), (3, 2, 5));
    let Standing { reproduced, sum, higher, equal, lower, .. } = count.standings[0];
    assert_eq!((reproduced, sum, higher, equal, lower), (3, 6, 1, 1, 1));
    assert_eq!(count.standings[1].lower, 2);
    assert_eq!(comparison.pairs[0].by_exception[0].name, "java.lang.Error");
    assert_eq!(comparison.pairs[0].by_exception[0].a.runs(), 4);

    let mut out = Vec::new();
    export_comparison(&comparison, &mut out).expect("a table");
    let text = String::from_utf8(out).expect("text");
    let header = text.lines().next().expect("a header");
    assert!(header.ends_with(",s_frame_majority,s_frame_once"), "{header}");
    assert_eq!(text.lines().count(), 1 + 2 + 1 + 1 + 3 * 3, "{text}");
    let row = text.lines().find(|it| it.starts_with("a,b,frame,X-1,2,true,")).expect("the frame");
    assert!(row.starts_with("a,b,frame,X-1,2,true,2,2,2,0,25.0,"), "{row}");
    assert!(row.ends_with(",2,2,,1,0,1"), "{row}");
}

#[test]
fn the_same_records_give_the_same_result() {
    let mut records = runs("X-1", "a", &[(1, 5), (1, 7), (1, 19), (0, 30)]);
    records.extend(runs("X-1", "b", &[(1, 6), (0, 30), (0, 30)]));
    let first = compared(&records, &["a", "b"], Failed::Drop);
    assert_eq!(compared(&records, &["a", "b"], Failed::Drop), first);
    let json = serde_json::to_value(&first).expect("JSON");
    assert_eq!(json["failed"], "drop");
    assert_eq!(json["pairs"][0]["by_frame"][0]["a"]["successes"], 3);
    assert_eq!(json["pairs"][0]["by_frame"][0]["states_a"]["reproduced"], 3);
    assert!(json["configurations"][0]["total"]["evaluations"]["interval"]["low"].is_number());
}

#[test]
fn bad_requests_are_refused_by_name() {
    let mut records = runs("X-1", "a", &[(1, 5)]);
    records.extend(runs("X-2", "b", &[(1, 5)]));
    for (configurations, expected) in [
        (&["a", "c"][..], "the store has no runs of the configuration `c`; it has `a`, `b`"),
        (&["a", "a"], "the configuration `a` is named twice"),
        (&["a"], "two configurations or more; the store has `a`, `b`"),
        (&[], "two configurations or more"),
        (&["a", "b"], "no crash was run under all of `a`, `b`; run them on the same crashes first"),
    ] {
        let refused = compare(&records, &names(configurations), None, options(Failed::Budget));
        let message = refused.expect_err("refused").to_string();
        assert!(message.contains(expected), "{message}");
    }
    let empty = compare(&[], &names(&["a", "b"]), None, options(Failed::Budget)).expect_err("refused");
    assert!(empty.to_string().ends_with("it has none"), "{empty}");
    let missing = Published::read(std::path::Path::new("missing.csv")).expect_err("refused");
    assert!(missing.to_string().contains("cannot read missing.csv"), "{missing}");
}
