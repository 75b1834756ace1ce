//! The loop: what is run, what is stored, what a second campaign does.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crashback_campaign::{
    Campaign, EXRUNNER_COLUMNS, Ended, Error, Frames, Plan, Shard, Store, Summary, TargetFrames, columns,
    enqueue, export_csv, export_exrunner, export_jsonl, export_obstacles,
};

use crate::support::{Checkout, Fake, campaign, configuration, records, work};

fn fake() -> Arc<Fake> {
    Arc::default()
}

#[test]
fn every_crash_is_run_before_any_is_repeated() {
    let checkout = Checkout::with(&["A", "B"]);
    let fake = fake();
    let (ended, events) = campaign(&checkout.plan(2), &checkout.path("store"), &fake);
    assert_eq!(ended, Ended::Complete);
    let run = |id: &str, seed: u64| (id.to_owned(), seed);
    assert_eq!(fake.runs(), [run("A", 7), run("B", 7), run("A", 8), run("B", 8)]);
    assert_eq!(events[..2], ["started A seed 7", "finished A seed 7 1"]);
    let stored: Vec<(String, u64)> =
        records(&checkout.path("store")).into_iter().map(|it| (it.crash, it.seed)).collect();
    assert_eq!(stored, [run("A", 7), run("A", 8), run("B", 7), run("B", 8)]);
}

#[test]
fn what_is_stored_is_not_run_again_and_the_rest_is() {
    let checkout = Checkout::with(&["A", "B", "C"]);
    let store = checkout.path("store");
    let plan = checkout.plan(1);
    for (stored, expected) in [(1, Ended::Interrupted), (2, Ended::Interrupted), (3, Ended::Complete)] {
        // The second run of each campaign is interrupted.
        let fake = Arc::new(Fake { interrupted_at: Some(1), ..Fake::default() });
        let (ended, _) = campaign(&plan, &store, &fake);
        assert_eq!((ended, fake.runs().len()), (expected, 1));
        assert_eq!(records(&store).len(), stored);
    }
    let fake = fake();
    let (ended, events) = campaign(&plan, &store, &fake);
    assert_eq!((ended, events.len()), (Ended::Complete, 0));
    // More repeats add to what is there.
    campaign(&Plan { repeats: 2, ..plan }, &store, &fake);
    assert_eq!(fake.runs().iter().map(|it| it.1).collect::<Vec<_>>(), [8, 8, 8]);
}

#[test]
fn jobs_of_other_plans_wait() {
    let checkout = Checkout::with(&["A", "B"]);
    let mut store = Store::open(&checkout.path("store")).expect("a store");
    enqueue(store.database(), &checkout.jobs(1), false).expect("jobs");
    let only_b = checkout.jobs(1).split_off(1);
    let fake = fake();
    work(&mut store, &only_b, false, &fake, |it| it);
    assert_eq!(fake.runs(), [("B".to_owned(), 7)]);
    let status = store.status(None).expect("a status");
    assert_eq!((status.open, status.running, status.done, status.runs), (1, 0, 1, 1));
    // A worker without a plan makes all.
    work(&mut store, &only_b, false, &fake, |it| Campaign { plan: None, ..it });
    assert_eq!(fake.runs().len(), 2);
}

#[test]
fn runs_at_the_same_time_are_as_many_as_asked_for() {
    let checkout = Checkout::with(&["A", "B", "C", "Broken", "Bad"]);
    let fake = Arc::new(Fake { takes: Duration::from_millis(30), ..Fake::default() });
    let mut store = Store::open(&checkout.path("store")).expect("a store");
    let (ended, _) = work(&mut store, &checkout.jobs(4), false, &fake, |it| Campaign { jobs: 3, ..it });
    assert_eq!(ended, Ended::Complete);
    assert_eq!(fake.at_once.lock().expect("no panic").1, 3);
    let kinds: Vec<String> =
        store.records().expect("records").into_iter().filter_map(|it| it.error).map(|it| it.kind).collect();
    assert_eq!(kinds, [["disagreement"; 4], ["internal"; 4]].concat(), "a defect costs its own runs only");
    let mut ran = fake.runs();
    ran.sort();
    ran.dedup();
    assert_eq!(ran.len(), 20);
}

#[test]
fn a_run_over_its_deadline_is_an_error_and_is_told_to_end() {
    let checkout = Checkout::with(&["A"]);
    let mut plan = checkout.plan(1);
    plan.configurations[0].settings.time = Duration::from_millis(50);
    let fake = Arc::new(Fake { hangs: true, ..Fake::default() });
    let mut store = Store::open(&checkout.path("store")).expect("a store");
    let jobs = plan.jobs(&TargetFrames::new());
    let grace = Duration::from_millis(50);
    let (ended, _) = work(&mut store, &jobs, false, &fake, |it| Campaign { grace, ..it });
    assert_eq!(ended, Ended::Complete);
    let error = store.records().expect("records").remove(0).error.expect("an error");
    assert_eq!(error.kind, "deadline");
    assert!(error.message.contains("0.05 s"), "{}", error.message);
}

#[test]
fn a_run_that_does_not_listen_is_abandoned_and_others_go_on() {
    let checkout = Checkout::with(&["Deaf", "Good"]);
    let mut plan = checkout.plan(1);
    plan.configurations[0].settings.time = Duration::from_millis(50);
    let fake = fake();
    let mut store = Store::open(&checkout.path("store")).expect("a store");
    let jobs = plan.jobs(&TargetFrames::new());
    let grace = Duration::from_millis(200);
    let (ended, _) = work(&mut store, &jobs, false, &fake, |it| Campaign { grace, ..it });
    let records = store.records().expect("records");
    let kinds: Vec<Option<&str>> =
        records.iter().map(|it| it.error.as_ref().map(|it| it.kind.as_str())).collect();
    assert_eq!((ended, kinds), (Ended::Complete, vec![Some("deadline"), None]));
}

#[test]
fn runs_that_failed_for_reasons_of_the_machine_are_tried_again() {
    let checkout = Checkout::with(&["Bad"]);
    for (kind, retries, expected) in [("environment", 2, 3), ("disagreement", 2, 1), ("environment", 0, 1)] {
        let fake = Arc::new(Fake { kind: Some(kind), ..Fake::default() });
        let mut store = Store::open(&checkout.path(&format!("{kind}{retries}"))).expect("a store");
        let (_, events) = work(&mut store, &checkout.jobs(1), false, &fake, |it| Campaign { retries, ..it });
        assert_eq!(fake.runs().len(), expected, "{events:?}");
        assert_eq!(store.records().expect("records").len(), 1);
    }
}

#[test]
fn a_clock_that_jumps_back_changes_nothing_but_the_recorded_time() {
    let checkout = Checkout::with(&["A", "B", "C"]);
    static CLOCK: AtomicU64 = AtomicU64::new(1_000_000);
    let now: &'static dyn Fn() -> u64 = &|| CLOCK.fetch_sub(1000, Ordering::Relaxed);
    let fake = fake();
    let mut store = Store::open(&checkout.path("store")).expect("a store");
    let (ended, _) = work(&mut store, &checkout.jobs(2), false, &fake, |it| Campaign { now, jobs: 2, ..it });
    assert_eq!((ended, store.records().expect("records").len()), (Ended::Complete, 6));
}

#[test]
fn frames_shards_and_ties() {
    let checkout = Checkout::with(&["A", "B"]);
    let plan = Plan { frames: Frames::All, ..checkout.plan(2) };
    let targets: TargetFrames =
        [("A".to_owned(), vec![1, 3]), ("B".to_owned(), vec![2])].into_iter().collect();
    let labels = |plan: &Plan| plan.jobs(&targets).iter().map(|it| it.label()).collect::<Vec<_>>();
    let all = labels(&plan);
    assert_eq!(all[..3], ["A frame 1 seed 7", "A frame 3 seed 7", "B frame 2 seed 7"]);
    let some = labels(&Plan { frames: "3,2".parse().expect("frames"), ..plan.clone() });
    assert_eq!(some[..2], ["A frame 3 seed 7", "B frame 2 seed 7"]);
    let mut parts: Vec<String> = Vec::new();
    for number in ["1/4", "2/4", "3/4", "4/4"] {
        let shard: Option<Shard> = Some(number.parse().expect("a part"));
        parts.extend(labels(&Plan { shard, ..plan.clone() }));
    }
    parts.sort();
    let mut sorted = all;
    sorted.sort();
    assert_eq!(parts, sorted, "every run is in one part");
    for wrong in ["0/4", "5/4", "4", "a/b"] {
        assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
    }

    // Seed 7 reproduces, seed 8 does not: the ninth decides, and then nothing is undecided.
    let plan = checkout.plan(2);
    let (path, fake) = (checkout.path("store"), fake());
    campaign(&plan, &path, &fake);
    let jobs = plan.jobs(&TargetFrames::new());
    let more = plan.tie_breakers(&jobs, &records(&path));
    assert_eq!(more.iter().map(|it| it.label()).collect::<Vec<_>>(), ["A seed 9", "B seed 9"]);
    let mut store = Store::open(&path).expect("a store");
    work(&mut store, &more, false, &fake, |it| it);
    assert!(plan.tie_breakers(&jobs, &store.records().expect("records")).is_empty());
}

#[test]
fn runs_that_could_not_search_are_kept_and_made_again_on_demand() {
    let checkout = Checkout::with(&["Bad", "Good"]);
    let store = checkout.path("store");
    let mut plan = checkout.plan(1);
    campaign(&plan, &store, &fake());
    let error = records(&store)[0].error.clone().expect("an error");
    assert_eq!(error.kind, "disagreement");
    let fake = fake();
    campaign(&plan, &store, &fake);
    assert!(fake.runs().is_empty());
    plan.retry_errors = true;
    campaign(&plan, &store, &fake);
    assert_eq!(fake.runs(), [("Bad".to_owned(), 7)]);
    assert_eq!(records(&store).len(), 2, "the new run replaces the old one");
}

#[test]
fn the_content_of_a_configuration_does_not_change() {
    let checkout = Checkout::with(&["A"]);
    let path = checkout.path("store");
    let plan = checkout.plan(1);
    campaign(&plan, &path, &fake());
    let mut other = plan.clone();
    other.configurations[0].workers = 4;
    let mut store = Store::open(&path).expect("a store");
    let refused = enqueue(store.database(), &other.jobs(&TargetFrames::new()), false);
    let error = refused.expect_err("another content");
    assert!(matches!(error, Error::OtherConditions { .. }), "{error}");
    let words = error.to_string();
    assert!(words.contains("20 s of time, 2 workers") && words.contains("4 workers"), "{words}");
    drop(store);
    other.configurations[0].name = "four".to_owned();
    campaign(&other, &path, &fake());
    // Another seed to begin with is no other content.
    let later = Plan { configurations: vec![configuration("guided-ga")], seed: 100, ..plan };
    campaign(&later, &path, &fake());
    assert_eq!(records(&path).len(), 3);
}

#[test]
fn an_export_for_exrunner_has_its_columns_and_a_line_for_each_frame() {
    let checkout = Checkout::with(&["Bad", "Good"]);
    campaign(&checkout.plan(1), &checkout.path("store"), &fake());
    let records = records(&checkout.path("store"));
    let mut bytes = Vec::new();
    export_exrunner(&records, &mut bytes).expect("an export");
    let mut reader = csv::Reader::from_reader(bytes.as_slice());
    assert_eq!(reader.headers().expect("names"), &csv::StringRecord::from(EXRUNNER_COLUMNS.to_vec()));
    let lines: Vec<csv::StringRecord> = reader.records().collect::<Result<_, _>>().expect("lines");
    assert_eq!(lines.len(), 2, "a run without a search has no frames");
    let first: Vec<&str> = lines[0].iter().collect();
    assert_eq!(first[..6], ["Shop", "Good", "1.0", "7", "java.lang.IllegalStateException", "2"]);
    assert_eq!(first[10..], ["20", "", "0.1", "0.250", "10", "[0.1,0.250]"]);

    let mut bytes = Vec::new();
    export_jsonl(&records, &mut bytes).expect("an export");
    let text = String::from_utf8(bytes).expect("text");
    let objects: Vec<serde_json::Value> =
        text.lines().map(|it| serde_json::from_str(it).expect("an object")).collect();
    assert_eq!(objects[0]["error"]["kind"], "disagreement");
    assert_eq!(objects[1]["frames"][0]["curve"][0]["distance"], 0.1);
    assert_eq!(objects[1]["test_source"].as_str(), records[1].test_source.as_deref());
}

#[test]
fn an_export_has_a_line_for_each_run_and_reads_back() {
    let checkout = Checkout::with(&["Bad", "Good"]);
    campaign(&checkout.plan(2), &checkout.path("store"), &fake());
    let records = records(&checkout.path("store"));
    let mut bytes = Vec::new();
    export_csv(&records, &mut bytes).expect("an export");
    let mut reader = csv::Reader::from_reader(bytes.as_slice());
    assert_eq!(reader.headers().expect("names"), &columns().collect::<csv::StringRecord>());
    let lines: Vec<csv::StringRecord> = reader.records().collect::<Result<_, _>>().expect("lines");
    let column = |name: &str| columns().position(|it| it == name).expect("a column");
    let of = |name: &str| lines.iter().map(|it| it[column(name)].to_owned()).collect::<Vec<_>>();
    assert_eq!(of("crash"), ["Bad", "Bad", "Good", "Good"]);
    assert_eq!(of("seed"), ["7", "8", "7", "8"]);
    assert_eq!(of("frame"), ["", "", "2", ""]);
    assert_eq!(of("outcome"), ["not-started", "not-started", "reproduced", "line-reached"]);
    assert_eq!(of("degree"), ["", "", "escapes", ""]);
    assert_eq!(of("error")[0], "trace and class path disagree,\n\"badly\"");
    assert_eq!(of("obstacle")[2], "first line\nsecond, line");
    assert_eq!(of("obstacle_kind"), ["", "", "branch-not-taken", "branch-not-taken"]);
    assert_eq!(of("algorithm"), ["guided-ga"; 4]);
    assert_eq!(of("waiting_share"), ["", "", "0.062", "0.062"]);
    assert_eq!(of("index_seconds"), ["", "", "0.250", "0.250"]);
    assert_eq!(of("verify_seconds"), ["", "", "0.000", "0.000"]);
    assert_eq!(of("doubts"), ["", "", "leaf-guard", ""], "none without a test");
    assert_eq!(of("relaxations"), ["", "", "none", ""]);
}

#[test]
fn obstacles_are_counted_for_what_was_never_reproduced() {
    let checkout = Checkout::with(&["Bad", "Good"]);
    let check = |repeats: u32, expected: &str| {
        campaign(&checkout.plan(repeats), &checkout.path("store"), &fake());
        let mut bytes = Vec::new();
        export_obstacles(&Summary::of(&records(&checkout.path("store"))), &mut bytes).expect("an export");
        assert_eq!(String::from_utf8(bytes).expect("text"), expected);
    };
    let head = "configuration,obstacle_kind,crashes,runs\n";
    check(1, &format!("{head}guided-ga,disagreement,1,1\n"));
    // Every other seed does not reproduce the good one, but some do.
    check(4, &format!("{head}guided-ga,disagreement,1,4\nguided-ga,branch-not-taken,0,2\n"));
}

#[test]
fn the_summary_counts_crashes_reproduced_in_most_runs() {
    let checkout = Checkout::with(&["Bad", "Good"]);
    let store = checkout.path("store");
    campaign(&checkout.plan(2), &store, &fake());
    let summary = |store| Summary::of(&records(store)).remove(0);
    let two = summary(&store);
    assert_eq!((two.reproduced_in_most(), two.reproduced_once()), (0, 1));
    assert_eq!(two.undecided(), ["Good"]);
    assert_eq!(two.crashes[0].errors, 2);
    campaign(&checkout.plan(3), &store, &fake());
    let three = summary(&store);
    assert_eq!((three.reproduced_in_most(), three.median_seconds()), (1, Some(1.5)));
    assert!(three.undecided().is_empty());
    assert_eq!(three.crashes[1].frame_in_most, Some(2));
}

#[test]
fn tests_without_doubt_are_counted() {
    let checkout = Checkout::with(&["Bad", "Good"]);
    let store = checkout.path("store");
    // Seeds 7 to 12: those of 7, 9 and 11 find a test, and that of 7 has a doubt.
    campaign(&checkout.plan(6), &store, &fake());
    let summary = Summary::of(&records(&store)).remove(0);
    assert_eq!((summary.judged, summary.undoubted), (3, 2));
}

#[test]
fn the_documentation_names_every_column_in_order() {
    let documentation = include_str!("../../../../docs/campaign.md");
    let list = documentation.split("those here stay, in this order:").nth(1).expect("a list");
    let list = list.split("\n\n`campaign").next().expect("a list");
    let named: Vec<&str> = list
        .lines()
        .filter_map(|it| it.strip_prefix("- `"))
        .filter_map(|it| it.split("`: ").next())
        .flat_map(|it| it.split(", "))
        .map(|it| it.trim_matches('`'))
        .collect();
    assert_eq!(named, columns().collect::<Vec<_>>());
}
