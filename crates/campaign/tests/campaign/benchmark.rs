//! Reading checkouts, whole and damaged.

use std::fs;

use crashback_campaign::{Benchmark, Error, ExtraMaven};

use crate::support::Checkout;

#[test]
fn crashes_come_with_log_jars_and_target_frames() {
    let checkout = Checkout::with(&["S-2", "S-1"]);
    let benchmark = checkout.read();
    let ids: Vec<&str> = benchmark.subjects.iter().map(|it| it.id.as_str()).collect();
    assert_eq!(ids, ["S-1", "S-2"]);
    let first = &benchmark.subjects[0];
    assert_eq!((first.application.as_str(), first.version.as_str()), ("Shop", "1.0"));
    assert_eq!(first.target_frames.as_deref(), Some(".*shop.*"));
    assert_eq!(fs::read_to_string(&first.log).expect("the log"), "a trace");
    let bin = checkout.path("applications/Shop/1.0/bin");
    assert_eq!(first.jars, [bin.join("a b.JAR"), bin.join("b.jar"), bin.join("c.jar")]);
    assert!(benchmark.unusable.is_empty());
}

#[test]
fn what_is_missing_concerns_one_crash_only() {
    let checkout = Checkout::with(&["S-1", "S-2"]);
    let log = checkout.path("crashes/Shop/S-1/S-1.log");
    fs::remove_file(&log).expect("the log");
    let benchmark = checkout.read();
    assert_eq!(benchmark.subjects.len(), 1);
    let [unusable] = benchmark.unusable.as_slice() else { panic!("{:?}", benchmark.unusable) };
    assert_eq!(unusable.id, "S-1");
    assert!(unusable.reason.contains("log is missing") && unusable.reason.contains("S-1.log"));
    let refused = benchmark.clone().only(&["S-1".to_owned()]).expect_err("it cannot be run");
    assert!(refused.to_string().contains("S-1 cannot be run: its log is missing"), "{refused}");
    assert_eq!(benchmark.only(&["S-2".to_owned()]).expect("it can").subjects.len(), 1);
}

#[test]
fn missing_jars_can_be_named_by_coordinates() {
    let checkout = Checkout::with(&["S-1"]);
    fs::remove_dir_all(checkout.path("applications")).expect("the jars");
    let benchmark = checkout.read();
    assert!(benchmark.unusable[0].reason.contains("--extra-maven"), "{:?}", benchmark.unusable);
    checkout.write("extra", "S-1 org.shop:till:1.0\n");
    let extra = ExtraMaven::read(&checkout.path("extra")).expect("lines");
    let benchmark = Benchmark::read(&checkout.path(""), &extra).expect("a benchmark");
    assert_eq!(benchmark.subjects[0].coordinates, ["org.shop:till:1.0"]);
    assert!(benchmark.subjects[0].jars.is_empty());
}

#[test]
fn names_that_lead_elsewhere_are_no_names() {
    let checkout = Checkout::with(&["S-1"]);
    let list = r#"{"crashes": {"../S-1": {"application": "Shop", "version": "1.0"},
                               "S-1": {"application": "Shop", "version": ".."}}}"#;
    checkout.write("jcrashpack.json", list);
    let benchmark = checkout.read();
    assert!(benchmark.subjects.is_empty());
    assert_eq!(benchmark.unusable.len(), 2);
}

#[test]
fn what_is_no_checkout_is_refused() {
    let checkout = Checkout::with(&["S-1"]);
    let read = || Benchmark::read(&checkout.path(""), &ExtraMaven::default());
    for (text, words) in
        [("", "EOF"), ("[]", "jcrashpack.json"), (r#"{"crashes": {"A": {}}}"#, "application")]
    {
        checkout.write("jcrashpack.json", text);
        let error = read().expect_err("no list");
        assert!(matches!(error, Error::NoBenchmark { .. }), "{error}");
        assert!(error.to_string().contains(words), "{error}");
    }
    fs::remove_file(checkout.path("jcrashpack.json")).expect("the list");
    assert!(read().expect_err("no list").to_string().contains("jcrashpack.json"));
}

#[test]
fn an_unknown_crash_is_named_with_those_like_it() {
    let benchmark = Checkout::with(&["LANG-1b", "LANG-12b", "MATH-1b"]).read();
    let error = benchmark.clone().only(&["lang-1".to_owned()]).expect_err("unknown");
    assert_eq!(error.to_string(), "the benchmark has no crash lang-1; did you mean LANG-12b, LANG-1b?");
    let error = benchmark.only(&["X".to_owned()]).expect_err("unknown");
    assert_eq!(error.to_string(), "the benchmark has no crash X");
}
