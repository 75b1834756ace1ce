//! What keeps searches from going further is told by its kind and in words.

use crashback_reproduce::{ObstacleKind, Reproduction, Settings};

use crate::fake::{End, Script};

fn search(end: End, settings: &Settings) -> Reproduction {
    crate::fake::search(&Script::always(end), settings).reproduction
}

fn settings(evaluations: u64) -> Settings {
    Settings { evaluations: Some(evaluations), seed: 1, ..Settings::default() }
}

fn check(reproduction: &Reproduction, kind: ObstacleKind, words: &str) {
    let obstacle = reproduction.obstacle.as_deref().unwrap_or_default();
    assert_eq!(reproduction.obstacle_kind, Some(kind), "{obstacle}");
    assert!(obstacle.contains(words), "{obstacle}");
}

#[test]
fn exceptions_before_the_frame() {
    let thrown = End::Throws("java.lang.IllegalStateException", None, ("depot.Lock", "turn", 12));
    let words =
        "no test got into depot.Gate.open: java.lang.IllegalStateException in depot.Lock.turn, line 12";
    check(&search(thrown, &settings(200)), ObstacleKind::StoppedEarlier, words);
}

#[test]
fn calls_that_do_not_come_to_the_frame() {
    let words = "no test got into depot.Gate.open";
    check(&search(End::Returns, &settings(200)), ObstacleKind::NotEntered, words);
}

#[test]
fn classes_that_tests_miss() {
    let no_class = |message| {
        let class = "java.lang.NoClassDefFoundError";
        search(End::Throws(class, Some(message), ("depot.Gate", "<clinit>", 3)), &settings(200))
    };
    let missing = no_class("org/slf4j/Logger");
    check(&missing, ObstacleKind::MissingClass, "--maven org.slf4j:slf4j-api:");
    let [class] = missing.missing_classes.as_slice() else { panic!("{:?}", missing.missing_classes) };
    assert_eq!((class.class.as_str(), class.needed_by.as_str()), ("org.slf4j.Logger", "depot.Gate"));
    // What is there, and what could not be initialised, is not missing.
    for message in ["depot/Gate", "Could not initialize class depot.Gate"] {
        let there = no_class(message);
        check(&there, ObstacleKind::StoppedEarlier, "NoClassDefFoundError");
        assert_eq!(there.missing_classes, []);
    }
}

#[test]
fn tests_that_a_plain_jvm_does_not_confirm() {
    let refuted = search(End::Crashes(2), &settings(200));
    check(&refuted, ObstacleKind::NotConfirmed, "the test passed");
    assert!(!refuted.reproduced && refuted.unverified_claims > 0);
}

#[test]
fn frames_whose_turn_does_not_come() {
    let first = search(End::Returns, &settings(1));
    let kinds: Vec<Option<ObstacleKind>> = first.frames.iter().map(|it| it.obstacle_kind).collect();
    assert_eq!(kinds, [Some(ObstacleKind::NotEntered), Some(ObstacleKind::OutOfTime)]);
    check(&first, ObstacleKind::NotEntered, "depot.Gate.open");
}
