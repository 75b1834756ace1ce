//! Searches in scripted worlds: which tests count, what they lead to, which one is written down.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::time::Duration;

use crashback_instrument::Kinds;
use crashback_protocol::{Isolation, Pins};
use crashback_reproduce::{AlgorithmKind, Doubt, Event, Fitness, Preset, Settings};

use crate::fake::{End, Running, Script, search};

fn settings() -> Settings {
    Settings { evaluations: Some(2_000), seed: 1, ..Settings::default() }
}

/// As the program does it: a null crashes in `open`, which `pass` calls.
fn as_written(running: &Running<'_>) -> End {
    match running.last_call() {
        "open" if running.passes_null() => End::Crashes(1),
        "pass" if running.passes_null() => End::Crashes(2),
        _ => End::Returns,
    }
}

#[test]
fn the_highest_frame_is_found_and_written_down() {
    let told = search(&Script::new(as_written, End::Crashes(2)), &settings());
    assert_eq!(told.reproduction.frame, Some(2));
    assert!(told.reproduction.satisfactory && told.reproduction.evaluations < 2_000);
}

#[test]
fn a_test_that_reproduces_a_higher_frame_than_its_own_counts_there() {
    let both = |running: &Running<'_>| match running.last_call() {
        "open" if running.passes_null() => End::Crashes(2),
        _ => End::Returns,
    };
    let told = search(&Script::new(both, End::Crashes(2)), &settings());
    assert_eq!(told.reproduction.frame, Some(2));
    let evaluations: Vec<u64> = told.reproduction.frames.iter().map(|it| it.evaluations).collect();
    assert!(evaluations[0] > 0 && evaluations[1] == 0, "{evaluations:?}");
}

#[test]
fn frames_tell_how_their_distance_fell_and_which_arm_reproduced_them() {
    let told = search(&Script::new(as_written, End::Crashes(2)), &settings());
    for frame in &told.reproduction.frames {
        let words = frame.found_by.as_deref().expect("an arm");
        assert!(words.ends_with(", escapes, guided-ga, call-chain"), "{words}");
        assert!(frame.found_after.is_some_and(|it| it <= told.reproduction.seconds), "{frame:?}");
        assert_eq!(frame.distance, Some(0.0));
        assert!(frame.curve.is_sorted_by(|a, b| a.distance > b.distance && a.evaluations <= b.evaluations));
        let last = frame.curve.last().expect("a point");
        assert!(last.distance == 0.0 && last.evaluations <= told.reproduction.evaluations, "{frame:?}");
    }
    let never = search(&Script::new(|_| End::Returns, End::Returns), &settings());
    for frame in &never.reproduction.frames {
        assert_eq!((&frame.found_by, frame.found_after), (&None, None));
        assert!(frame.distance.is_some_and(|it| it > 0.0), "{frame:?}");
        assert_eq!(frame.curve.last().map(|it| it.distance), frame.distance);
    }
}

#[test]
fn tests_that_crash_only_among_others_do_not_count() {
    let in_company = |running: &Running<'_>| match running.isolation {
        Isolation::FreshJvm => End::Returns,
        _ => as_written(running),
    };
    let told = search(&Script::new(in_company, End::Crashes(2)), &settings());
    assert!(!told.reproduction.reproduced);
    assert!(!told.events.iter().any(is_verifying), "no candidate, so nothing to verify");
    assert!(told.events.iter().any(|it| matches!(it, Event::Refuted { .. })), "it is told");
    assert!(!told.events.iter().any(|it| matches!(it, Event::Confirmed { .. })));
}

/// Where tests may see what others left, such crashes cost one JVM, and soon no test sees them any more.
#[test]
fn crashes_that_others_left_are_refuted_cheaply_and_a_lesson() {
    let in_vain = Rc::new(RefCell::new(Vec::new()));
    let refuted = Rc::clone(&in_vain);
    let polluted = move |running: &Running<'_>| match (as_written(running), running.isolation) {
        (End::Returns, Isolation::Bounded) if running.last_call() == "open" => End::Crashes(1),
        (End::Returns, isolation @ (Isolation::FreshJvm | Isolation::FreshLoader)) => {
            refuted.borrow_mut().push(isolation);
            End::Returns
        }
        (end, _) => end,
    };
    let timed = Settings { evaluations: None, ..settings() };
    let told = search(&Script::new(polluted, End::Crashes(2)), &timed);
    assert_eq!((told.reproduction.frame, told.reproduction.unverified_claims), (Some(2), 0));
    let in_vain = in_vain.borrow();
    assert!(in_vain.iter().filter(|it| **it == Isolation::FreshJvm).count() <= 2, "{in_vain:?}");
    assert!((1..=6).contains(&in_vain.len()), "{in_vain:?}");
}

fn is_verifying(event: &Event) -> bool {
    matches!(event, Event::Verifying { .. })
}

#[test]
fn tests_that_crash_with_the_usual_pins_alone_do_not_count() {
    let by_chance = |running: &Running<'_>| match running.pins {
        Pins::Usual => as_written(running),
        Pins::Other(_) => End::Returns,
    };
    let told = search(&Script::new(by_chance, End::Crashes(2)), &settings());
    assert!(!told.reproduction.reproduced);
    assert!(!told.events.iter().any(is_verifying), "no candidate, so nothing to verify");
}

/// Without a second object, tests crash with every other pins.
fn by_chance_if_short(running: &Running<'_>) -> End {
    match running.pins {
        Pins::Other(number) if running.length() < 4 && number % 2 == 0 => End::Returns,
        _ => as_written(running),
    }
}

#[test]
fn a_test_that_crashes_with_all_pins_is_found_behind_those_that_do_not() {
    let told = search(&Script::new(by_chance_if_short, End::Crashes(2)), &settings());
    assert_eq!((told.reproduction.frame, told.reproduction.unverified_claims), (Some(2), 0));
    assert_eq!(told.events.iter().filter(|it| is_verifying(it)).count(), 1);
    let confirmed = told.events.iter().position(|it| matches!(it, Event::Confirmed { frame: 2 }));
    assert!(confirmed < told.events.iter().position(is_verifying) && confirmed.is_some());
}

#[test]
fn minimising_does_not_make_a_test_depend_on_its_pins() {
    let told = search(&Script::new(by_chance_if_short, End::Crashes(2)), &settings());
    let source = told.reproduction.test.map(|it| it.source).unwrap_or_default();
    let calls = source.lines().filter(|it| it.contains("new Gate()") || it.contains("gate")).count();
    assert!(calls >= 3, "a shorter test would crash by chance: {source}");
}

#[test]
fn a_test_that_needs_other_conditions_is_decided_on_alone() {
    // Among other tests it crashes once only, as if these had spoilt it.
    let crashed = Cell::new(false);
    let once = move |running: &Running<'_>| match (as_written(running), running.isolation) {
        (End::Crashes(count), Isolation::FreshJvm) => End::Crashes(count),
        (End::Crashes(count), _) if !crashed.replace(true) => End::Crashes(count),
        _ => End::Returns,
    };
    let told = search(&Script::new(once, End::Crashes(1)), &settings());
    assert_eq!((told.reproduction.frame, told.reproduction.unverified_claims), (Some(1), 0));
}

#[test]
fn a_frame_that_a_plain_jvm_denies_leaves_the_one_below() {
    let told = search(&Script::new(as_written, End::Crashes(1)), &settings());
    assert_eq!(told.reproduction.frame, Some(1));
    assert!(told.reproduction.unverified_claims > 0);
}

#[test]
fn minimising_leaves_nothing_that_can_go() {
    let told = search(&Script::new(as_written, End::Crashes(2)), &settings());
    let source = told.reproduction.test.map(|it| it.source).unwrap_or_default();
    let statements: Vec<&str> = source.lines().map(str::trim).filter(|it| it.ends_with(';')).collect();
    let of_test: Vec<&str> = statements.into_iter().filter(|it| !it.starts_with("import ")).collect();
    assert_eq!(of_test, ["package depot;", "Gate gate = new Gate();", "gate.pass(null);"], "{source}");
}

/// Minimising takes its time; its requests have pins of their own.
fn slow_minimising(pins: Pins) -> Duration {
    match pins {
        Pins::Other(4) => Duration::from_secs(19),
        _ => Duration::ZERO,
    }
}

#[test]
fn a_test_whose_minimising_is_cut_is_doubted() {
    let timed = Settings { time: Duration::from_secs(20), evaluations: None, ..settings() };
    // Tests crash only if they are long, so that there is something to leave out.
    let long = |running: &Running<'_>| match running.length() {
        0..6 => End::Returns,
        _ => as_written(running),
    };
    let quick = search(&Script::new(long, End::Crashes(2)), &timed).reproduction;
    assert!(quick.verified && !quick.doubts.contains(&Doubt::NotMinimised), "{:?}", quick.doubts);
    let script = Script { request: slow_minimising, ..Script::new(long, End::Crashes(2)) };
    let slow = search(&script, &timed).reproduction;
    assert!(slow.verified && slow.doubts.contains(&Doubt::NotMinimised), "{:?}", slow.doubts);
    assert!(slow.satisfactory, "its crash is the logged one");
}

#[test]
fn a_test_with_the_right_cause_wins_over_one_with_another() {
    const RIGHT: &str = "Cannot invoke \"String.length()\" because \"<parameter1>\" is null";
    const OTHER: &str = "Cannot invoke \"String.trim()\" because \"<parameter1>\" is null";
    // Short tests crash for another reason than long ones.
    let by_length = |running: &Running<'_>| match running.last_call() {
        "open" | "pass" if running.passes_null() && running.length() > 4 => End::CrashesWith(2, RIGHT),
        "open" | "pass" if running.passes_null() => End::CrashesWith(2, OTHER),
        _ => End::Returns,
    };
    let script = |plain| Script { message: Some(RIGHT), ..Script::new(by_length, plain) };
    let right = search(&script(End::CrashesWith(2, RIGHT)), &settings()).reproduction;
    assert_eq!((right.frame, right.satisfactory), (Some(2), true));
    let other = search(&script(End::CrashesWith(2, OTHER)), &settings()).reproduction;
    assert_eq!(
        (other.frame, other.doubts.first(), other.satisfactory),
        (Some(2), Some(&Doubt::OtherCause), false)
    );
}

/// A null crashes as well as any text, but only a longer test makes something of a text.
#[test]
fn the_most_useful_of_several_solutions_is_taken() {
    let both = |running: &Running<'_>| match running.last_call() {
        "pass" if running.length() > 6 => End::Crashes(2),
        _ => as_written(running),
    };
    for seed in 0..5 {
        let settings = Settings { seed, ..settings() };
        let told = search(&Script::new(both, End::Crashes(2)), &settings);
        assert_eq!((told.reproduction.frame, told.reproduction.nulls), (Some(2), 0), "seed {seed}");
        assert_eq!(told.events.iter().filter(|it| is_verifying(it)).count(), 1);
    }
}

const LOGGED: &str = "no word \"gate 7\"";

/// Every text crashes; the message depends on it.
fn telling(running: &Running<'_>) -> End {
    match (level(running), running.last_text()) {
        (Some(level), Some(text)) if text == "gate 7" => End::CrashesWith(level, LOGGED),
        (Some(level), Some(_)) => End::CrashesWith(level, "no word"),
        _ => End::Returns,
    }
}

/// The frame that the last call leads to.
fn level(running: &Running<'_>) -> Option<usize> {
    ["open", "pass"].iter().position(|it| *it == running.last_call()).map(|it| it + 1)
}

#[test]
fn values_that_lead_to_the_message_of_the_log_win_over_plainer_ones() {
    for seed in 0..3 {
        let settings = Settings { seed, ..settings() };
        let script = Script::new(telling, End::CrashesWith(2, LOGGED));
        let told = search(&Script { message: Some(LOGGED), ..script.clone() }, &settings);
        let source = told.reproduction.test.map(|it| it.source).unwrap_or_default();
        assert!(source.contains("gate.pass(\"gate 7\");"), "{source}");
        let told = search(&script, &settings);
        let source = told.reproduction.test.map(|it| it.source).unwrap_or_default();
        assert!(source.contains("gate.pass(\"\");"), "nothing is known of the message: {source}");
    }
}

#[test]
fn a_message_is_no_reason_for_another_statement() {
    let telling = |running: &Running<'_>| match (level(running), running.last_text()) {
        (Some(level), Some(_)) if running.length() > 4 => End::CrashesWith(level, LOGGED),
        (Some(level), Some(_)) => End::CrashesWith(level, "no word"),
        _ => End::Returns,
    };
    let script = Script { message: Some(LOGGED), ..Script::new(telling, End::CrashesWith(2, LOGGED)) };
    let told = search(&script, &settings());
    let source = told.reproduction.test.map(|it| it.source).unwrap_or_default();
    let calls = source.lines().filter(|it| it.contains("gate") && it.ends_with(';')).count();
    assert_eq!((calls, told.reproduction.doubts), (2, Vec::new()), "{source}");
}

#[test]
fn equal_seeds_give_equal_events() {
    let script = Script::new(as_written, End::Crashes(2));
    assert_eq!(search(&script, &settings()).events, search(&script, &settings()).events);
}

#[test]
fn every_algorithm_and_fitness_finds_an_easy_crash() {
    let with_all_fitness = Fitness::ALL.iter().map(|it| (AlgorithmKind::GuidedGa, *it));
    let functions = [Fitness::CallChain, Fitness::Decomposed];
    let with_all_algorithms =
        AlgorithmKind::ALL.iter().flat_map(|it| functions.map(|function| (*it, function)));
    for (algorithm, fitness) in with_all_fitness.chain(with_all_algorithms) {
        let settings = Settings { algorithm: Some(algorithm), fitness: Some(fitness), ..settings() };
        let told = search(&Script::new(as_written, End::Crashes(2)), &settings);
        assert_eq!(told.reproduction.frame, Some(2), "{algorithm} with {fitness}");
    }
}

#[test]
fn every_preset_finds_an_easy_crash() {
    for &preset in Preset::ALL {
        let settings = Settings { preset, ..settings() };
        let told = search(&Script::new(as_written, End::Crashes(2)), &settings);
        assert_eq!(told.reproduction.frame, Some(2), "{preset}");
        let tests: u64 = told.reproduction.arms.iter().map(|it| it.evaluations).sum();
        assert!(tests <= told.reproduction.evaluations && tests > 0, "{preset}: {tests}");
    }
}

#[test]
fn all_pursuits_of_the_portfolio_have_stints_where_none_comes_nearer() {
    let settings = Settings { evaluations: Some(60_000), ..settings() };
    let told = search(&Script::new(|_| End::Returns, End::Returns), &settings).reproduction;
    let names: BTreeSet<&str> = told.arms.iter().map(|it| it.pursuit.as_str()).collect();
    let pursuits = settings.pursuits("java.lang.NullPointerException");
    assert_eq!(names.len(), pursuits.len(), "{names:?}");
    let single = Settings { preset: Preset::Single, ..settings };
    let told = search(&Script::new(|_| End::Returns, End::Returns), &single).reproduction;
    assert!(told.arms.iter().all(|it| it.pursuit == "guided-ga, call-chain"));
}

/// Probes cost time, and only some fitness functions look at the variables of branches.
#[test]
fn variables_are_recorded_only_for_searches_that_look_at_them() {
    let records = |fitness| {
        let settings = Settings { fitness: Some(fitness), evaluations: Some(10), ..settings() };
        let recording = search(&Script::always(End::Returns), &settings).recording.unwrap();
        let kinds = recording.plan.kinds("depot/Gate", "open(Ljava/lang/String;)I");
        assert!(kinds.contains(Kinds::JUMPS) && !kinds.contains(Kinds::INDEXED));
        kinds.contains(Kinds::VARIABLES)
    };
    assert!(!records(Fitness::CallChain) && !records(Fitness::WeightedSum));
    assert!(records(Fitness::Diversity) && records(Fitness::DiversitySlice));
}

#[test]
fn a_verification_is_cut_two_seconds_after_the_time_limit() {
    let slow = |seconds: u64| {
        let verification = Duration::from_secs(seconds);
        Script { verification, ..Script::new(as_written, End::Crashes(2)) }
    };
    let timed = Settings { time: Duration::from_secs(10), evaluations: None, ..settings() };
    let told = search(&slow(30), &timed).reproduction;
    assert!(!told.reproduced && told.test.is_none() && told.seconds <= 12.0, "{}", told.seconds);
    assert_eq!(told.unverified_reasons, ["time was up before the test was verified"]);
    let told = search(&slow(11), &timed).reproduction;
    assert!(told.verified && told.seconds > 10.0, "a second more is no reason to lose a test");
    // Tests are counted, so the clock decides nothing.
    assert!(search(&slow(30), &Settings { time: timed.time, ..settings() }).reproduction.verified);
}
