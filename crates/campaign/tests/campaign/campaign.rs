//! The loop: what is run, what is stored, what a second campaign does.

use crashback_campaign::{
    COLUMNS, Ended, Error, Event, Plan, Store, Summary, export_csv, export_obstacles, run,
};

use crate::support::{Checkout, Fake, campaign, configuration, records};

#[test]
fn every_crash_is_run_before_any_is_repeated() {
    let checkout = Checkout::with(&["A", "B"]);
    let mut fake = Fake::default();
    let (ended, events) = campaign(&checkout.plan(2), &checkout.path("store"), &mut fake);
    assert_eq!(ended, Ended::Complete);
    let run = |id: &str, seed: u64| (id.to_owned(), seed);
    assert_eq!(fake.runs, [run("A", 7), run("B", 7), run("A", 8), run("B", 8)]);
    assert_eq!(events[..2], ["started A 7 1/4", "finished A 7 1/4"]);
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
        let mut fake = Fake { interrupted_at: Some(1), ..Fake::default() };
        let (ended, _) = campaign(&plan, &store, &mut fake);
        assert_eq!((ended, fake.runs.len()), (expected, 1));
        assert_eq!(records(&store).len(), stored);
    }
    let mut fake = Fake::default();
    let (ended, events) = campaign(&plan, &store, &mut fake);
    assert_eq!((ended, fake.runs.len()), (Ended::Complete, 0));
    assert_eq!(events, ["skipped A 7", "skipped B 7", "skipped C 7"]);
    // More repeats add to what is there.
    campaign(&Plan { repeats: 2, ..plan }, &store, &mut fake);
    assert_eq!(fake.runs.iter().map(|it| it.1).collect::<Vec<_>>(), [8, 8, 8]);
}

#[test]
fn a_stop_between_runs_ends_the_campaign() {
    let checkout = Checkout::with(&["A", "B"]);
    let mut store = Store::open(&checkout.path("store")).expect("a store");
    let finished = std::cell::Cell::new(0);
    let mut on_event = |event: Event<'_>| {
        finished.set(finished.get() + u32::from(matches!(event, Event::Finished { .. })));
    };
    let stop = || finished.get() == 1;
    let mut fake = Fake::default();
    let ended =
        run(&checkout.plan(1), &mut store, &mut fake, "0", &|| 0, &stop, &mut on_event).expect("it runs");
    assert_eq!((ended, fake.runs.len()), (Ended::Interrupted, 1));
}

#[test]
fn runs_that_could_not_search_are_kept_and_made_again_on_demand() {
    let checkout = Checkout::with(&["Bad", "Good"]);
    let store = checkout.path("store");
    let mut plan = checkout.plan(1);
    campaign(&plan, &store, &mut Fake::default());
    let error = records(&store)[0].error.clone().expect("an error");
    assert_eq!(error.kind, "disagreement");
    let mut fake = Fake::default();
    campaign(&plan, &store, &mut fake);
    assert!(fake.runs.is_empty());
    plan.retry_errors = true;
    campaign(&plan, &store, &mut fake);
    assert_eq!(fake.runs, [("Bad".to_owned(), 7)]);
    assert_eq!(records(&store).len(), 2, "the new run replaces the old one");
}

#[test]
fn conditions_of_a_configuration_do_not_change() {
    let checkout = Checkout::with(&["A"]);
    let path = checkout.path("store");
    let plan = checkout.plan(1);
    campaign(&plan, &path, &mut Fake::default());
    let mut other = plan.clone();
    other.configuration.workers = 4;
    let mut store = Store::open(&path).expect("a store");
    let error = run(&other, &mut store, &mut Fake::default(), "0", &|| 0, &|| false, &mut |_| {})
        .expect_err("other conditions");
    assert!(matches!(error, Error::OtherConditions { .. }), "{error}");
    let words = error.to_string();
    assert!(words.contains("20 s of time, 2 workers") && words.contains("4 workers"), "{words}");
    drop(store);
    other.configuration.name = "four".to_owned();
    campaign(&other, &path, &mut Fake::default());
    // Another seed to begin with is no other condition.
    let mut later = plan;
    later.configuration = configuration("guided-ga");
    later.configuration.settings.seed = 100;
    campaign(&later, &path, &mut Fake::default());
    assert_eq!(records(&path).len(), 3);
}

#[test]
fn an_export_has_a_line_for_each_run_and_reads_back() {
    let checkout = Checkout::with(&["Bad", "Good"]);
    campaign(&checkout.plan(2), &checkout.path("store"), &mut Fake::default());
    let records = records(&checkout.path("store"));
    let mut bytes = Vec::new();
    export_csv(&records, &mut bytes).expect("an export");
    let mut reader = csv::Reader::from_reader(bytes.as_slice());
    assert_eq!(reader.headers().expect("names"), &csv::StringRecord::from(COLUMNS.to_vec()));
    let lines: Vec<csv::StringRecord> = reader.records().collect::<Result<_, _>>().expect("lines");
    let column = |name: &str| COLUMNS.iter().position(|it| *it == name).expect("a column");
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
        campaign(&checkout.plan(repeats), &checkout.path("store"), &mut Fake::default());
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
    campaign(&checkout.plan(2), &store, &mut Fake::default());
    let summary = |store| Summary::of(&records(store)).remove(0);
    let two = summary(&store);
    assert_eq!((two.reproduced_in_most(), two.reproduced_once()), (0, 1));
    assert_eq!(two.undecided(), ["Good"]);
    assert_eq!(two.crashes[0].errors, 2);
    campaign(&checkout.plan(3), &store, &mut Fake::default());
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
    campaign(&checkout.plan(6), &store, &mut Fake::default());
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
    assert_eq!(named, COLUMNS);
}
