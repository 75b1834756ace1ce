//! Traces of produced exceptions: distances, and agreement against its definition.

use std::sync::LazyLock;

use crashback_fitness::{
    Assessment, Degree, NoSuchFrame, Stage, Target, call_chain, graded_weighted_sum, normalise,
};
use crashback_protocol::{Caught, Facts, Observation, Outcome, Position, Receiver};
use crashback_search::Rng;
use crashback_testcase::Logging;
use crashback_trace::{Frame, Location, Relaxation};

use crate::machine::{Subject, throwable};
use crate::program::Program;

static PROGRAM: LazyLock<Program> = LazyLock::new(|| Program::compile(SOURCE));

const SOURCE: &str = r#"package shop;

import java.util.Comparator;
import java.util.List;

class Order {
    static class ByLength implements Comparator<String> {
        public int compare(String left, String right) { // @bridge
            return left.length() - right.length(); // @compare
        }
    }
    static void sort(List<String> list) {
        list.sort(new ByLength()); // @sort
    }
    static void again(List<String> list, int n) {
        if (n > 0) {
            again(list, n - 1); // @again
        }
        sort(list); // @last
    }
    static int link(int n) {
        return rest(n); // @link
    }
    static int rest(int n) {
        return link(n + 1); // @rest
    }
}
"#;

const NULL_POINTER: &str = "java.lang.NullPointerException";
const FRAMES: [&str; 6] = [
    "shop.Order$ByLength.compare@compare",
    "java.util.ArrayList.sort",
    "shop.Order.sort@sort",
    "shop.Order.again@last",
    "shop.Order.again@again",
    "shop.Order.again@again",
];

fn subject(level: u32) -> Subject<'static> {
    Subject::new(&PROGRAM, NULL_POINTER, &FRAMES, level)
}

/// An exception with these frames left a test.
fn assess(subject: &Subject<'_>, class: &str, frames: &[Frame]) -> Assessment {
    let numbers = (0..u32::try_from(frames.len()).unwrap()).collect();
    let facts = Facts { throwables: vec![throwable(class, numbers)], ..Facts::default() };
    let observation = Observation { outcome: Outcome::Threw, completed: 0, facts, slow: Vec::new() };
    subject.judge(Degree::Escapes).batch(frames).assess(&observation)
}

fn frame(class: &str, method: &str, line: u32) -> Frame {
    let location = Location::File { name: "Subject.java".to_owned(), line: Some(line) };
    Frame { class: class.to_owned(), method: method.to_owned(), location, ..Frame::default() }
}

fn logged(subject: &Subject<'_>) -> Vec<Frame> {
    subject.crash.throwable.frames.clone()
}

#[test]
fn frames_of_the_jdk_and_bridges_are_looked_past() {
    let subject = subject(4);
    let mut frames = logged(&subject);
    frames.insert(1, frame("shop.Order$ByLength", "compare", PROGRAM.line("bridge") - 1));
    frames.remove(2);
    frames.insert(2, frame("java.util.TimSort", "sort", 234));
    let found = assess(&subject, NULL_POINTER, &frames);
    assert_eq!((found.agreed, found.stage), (6, Stage::Reproduced));
}

#[test]
fn each_frame_is_measured_against_the_closest() {
    let subject = subject(3);
    let line = PROGRAM.line("sort");
    let distance = |frames: &[Frame]| assess(&subject, NULL_POINTER, frames).trace;
    let compare = logged(&subject)[0].clone();
    assert_eq!(distance(std::slice::from_ref(&compare)), 3.0);
    assert_eq!(distance(&[compare.clone(), frame("shop.Order", "other", line)]), 2.0);
    assert_eq!(distance(&[compare.clone(), frame("shop.Order", "sort", line + 3)]), 0.75);
    assert_eq!(distance(&[frame("shop.Order", "sort", line), frame("x.Y", "z", 1)]), 3.0);
    assert_eq!(distance(&[]), 6.0);
    // All frames are there, but others are between them.
    let between = [compare, frame("x.Y", "z", 1), frame("shop.Order", "sort", line)];
    assert_eq!(distance(&between), 0.5);
    let found = assess(&subject, NULL_POINTER, &between);
    assert_eq!((found.agreed, found.stage), (1, Stage::LineNotReached));
}

#[test]
fn agreement_is_what_its_definition_says() {
    let mut rng = Rng::new(17);
    let mut levels = [0_u32; 7];
    let subjects = [1, 3, 4, 5, 6].map(subject);
    for subject in (0..200).flat_map(|_| &subjects) {
        let mut frames = logged(subject);
        for _ in 0..rng.below(3) {
            change(&mut frames, &mut rng);
        }
        let class = if rng.chance(0.8) { NULL_POINTER } else { "java.lang.IllegalStateException" };
        let expected = subject.goal.agreement(class, &frames);
        let found = assess(subject, class, &frames);
        let reproduced = expected.reproduced_at(subject.level as usize);
        assert_eq!(found.stage == Stage::Reproduced, reproduced, "{frames:?}");
        assert_eq!((graded_weighted_sum(&found) == 0.0, call_chain(&found) == 0.0), (reproduced, reproduced));
        if expected.exception {
            assert_eq!(found.agreed as usize, expected.level, "{frames:?}");
            assert_eq!(found.trace == 0.0, reproduced);
        }
        levels[found.agreed as usize] += 1;
    }
    assert!(levels[0] > 50 && levels[1] > 50 && levels[6] > 50, "{levels:?}");
}

#[test]
fn a_stack_overflow_is_reproduced_wherever_in_the_cycle_the_stack_ran_out() {
    let overflow = "java.lang.StackOverflowError";
    let (link, rest) = ("shop.Order.link@link", "shop.Order.rest@rest");
    let subject = Subject::new(&PROGRAM, overflow, &[link, rest, link, rest, link, rest], 4);
    let targets: Vec<bool> = subject.crash.audit.frames.iter().map(|it| it.target).collect();
    assert_eq!(targets, [false, false, true, true]);
    let link = frame("shop.Order", "link", PROGRAM.line("link"));
    let rest = frame("shop.Order", "rest", PROGRAM.line("rest"));
    for first in [&link, &rest] {
        let second = if first == &link { &rest } else { &link };
        let mut frames = repeated(&[first.clone(), second.clone()]);
        frames.insert(0, frame("shop.Order", "sort", 1));
        let found = assess(&subject, overflow, &frames);
        assert_eq!((found.agreed, found.stage), (4, Stage::Reproduced));
        assert_eq!(found.relaxations, Relaxation::Cycle.into());
        assert_eq!(subject.goal.agreement(overflow, &frames).level, 4);
        assert_eq!(subject.goal.agreement_up_to(3, overflow, &frames).level, 4);
    }
    for other in [vec![link.clone()], vec![link.clone(), rest, frame("x.Y", "z", 1)]] {
        let found = assess(&subject, overflow, &repeated(&other));
        assert_eq!(found.agreed, 0);
        assert!(found.trace > 0.0 && found.stage != Stage::Reproduced);
    }
}

/// Some rounds of a cycle.
fn repeated(round: &[Frame]) -> Vec<Frame> {
    round.iter().cycle().take(9 * round.len()).cloned().collect()
}

fn change(frames: &mut Vec<Frame>, rng: &mut Rng) {
    let at = rng.below(frames.len());
    match rng.below(6) {
        0 if frames.len() > 1 => drop(frames.remove(at)),
        1 => frames.insert(at, frame("java.util.TimSort", "sort", 1)),
        2 => frames.insert(at, frame("x.Y", "z", 1)),
        3 => frames.truncate(at),
        4 => frames.swap(at, 0),
        _ => {
            let line = frames[at].line().unwrap_or(0) + rng.below(2) as u32;
            frames[at] = frame(&frames[at].class.clone(), &frames[at].method.clone(), line);
        }
    }
    if frames.is_empty() {
        frames.push(frame("x.Y", "z", 1));
    }
}

#[test]
fn judgements_do_not_depend_on_what_was_judged_before() {
    let subject = subject(6);
    let mut rng = Rng::new(3);
    let mut judge = subject.judge(Degree::Escapes);
    for _ in 0..50 {
        // Frames have other numbers in each batch.
        let mut frames = logged(&subject);
        change(&mut frames, &mut rng);
        let numbers: Vec<u32> = (0..u32::try_from(frames.len()).unwrap()).rev().collect();
        let expected = assess(&subject, NULL_POINTER, &frames);
        frames.reverse();
        let facts = Facts { throwables: vec![throwable(NULL_POINTER, numbers)], ..Facts::default() };
        let observation = Observation { outcome: Outcome::Threw, completed: 0, facts, slow: Vec::new() };
        let mut batch = judge.batch(&frames);
        assert_eq!(batch.assess(&observation), expected);
        assert_eq!(batch.assess(&observation), expected);
    }
}

#[test]
fn degrees_say_where_to_look() {
    let subject = subject(3);
    let frames = logged(&subject);
    let numbers: Vec<u32> = (0..6).collect();
    let mut outer = throwable("java.lang.RuntimeException", vec![5]);
    outer.cause = Some(1);
    let mut cause = throwable(NULL_POINTER, numbers.clone());
    // Chains may be circles.
    cause.cause = Some(0);
    let throwables = vec![outer, cause];
    let found = |degree, outcome, facts: &Facts| {
        let observation = Observation { outcome, completed: 0, facts: facts.clone(), slow: Vec::new() };
        subject.judge(degree).batch(&frames).assess(&observation).stage == Stage::Reproduced
    };
    let degrees = [Degree::Escapes, Degree::Cause, Degree::Caught];
    let facts = Facts { throwables, ..Facts::default() };
    assert_eq!(degrees.map(|it| found(it, Outcome::Threw, &facts)), [false, true, true]);
    let caught = |probe, throwable| vec![Caught { probe, position: Position::OUTSIDE, throwable }];
    let throwables = vec![throwable(NULL_POINTER, numbers.clone())];
    for (probe, receiver) in [
        (Caught::BY_MOCK, Receiver::Mock),
        (Caught::BY_TEST, Receiver::Test),
        (Caught::BY_LOGGER, Receiver::Logger(Logging::Jdk)),
        (Caught::BY_LOGGER - 1, Receiver::Logger(Logging::Logback)),
    ] {
        let facts = Facts { caught: caught(probe, 0), throwables: throwables.clone(), ..Facts::default() };
        assert_eq!(degrees.map(|it| found(it, Outcome::Returned, &facts)), [false, false, true]);
        assert_eq!(degrees.map(|it| found(it, Outcome::Threw, &facts)), [true, true, true]);
        let observation = Observation { outcome: Outcome::Returned, completed: 0, facts, slow: Vec::new() };
        let assessment = subject.judge(Degree::Caught).batch(&frames).assess(&observation);
        assert_eq!(assessment.receiver, Some(receiver));
    }
    // A handler of the program shows a test nothing.
    let facts = Facts { caught: caught(0, 0), throwables, ..Facts::default() };
    assert_eq!(degrees.map(|it| found(it, Outcome::Returned, &facts)), [false, false, false]);
    // The test ends before it can tell what a mock was given.
    let throwables = vec![throwable("java.lang.Error", vec![]), throwable(NULL_POINTER, numbers)];
    let facts = Facts { caught: caught(Caught::BY_MOCK, 1), throwables, ..Facts::default() };
    assert_eq!(degrees.map(|it| found(it, Outcome::Threw, &facts)), [false, false, false]);
}

#[test]
fn numbers_of_frames_that_do_not_exist_are_passed_over() {
    let subject = subject(3);
    let facts = Facts { throwables: vec![throwable(NULL_POINTER, vec![7, u32::MAX])], ..Facts::default() };
    let observation = Observation { outcome: Outcome::Threw, completed: 0, facts, slow: Vec::new() };
    let found = subject.judge(Degree::Escapes).batch(&[]).assess(&observation);
    assert_eq!((found.agreed, found.trace), (0, 6.0));
}

#[test]
fn targets_must_be_frames_that_count() {
    let subject = Subject::new(&PROGRAM, NULL_POINTER, &["java.util.List.of", FRAMES[0]], 2);
    let target =
        |level| Target::new(PROGRAM.classes, &subject.goal, &subject.crash.audit, level, &[], |_| None).err();
    assert_eq!(target(2), None);
    for level in [0, 1, 3, u32::MAX] {
        assert_eq!(target(level), Some(NoSuchFrame { level, frames: 2 }));
    }
}

#[test]
fn normalised_distances_keep_their_order() {
    let distances = [-1.0, 0.0, 1e-9, 0.5, 1.0, 1000.0, 1e9, f64::MAX, f64::INFINITY];
    let normalised: Vec<f64> = distances.iter().map(|it| normalise(*it)).collect();
    assert!(normalised.is_sorted() && normalised[0] == 0.0 && normalised[8] == 1.0, "{normalised:?}");
    assert_eq!(normalise(f64::NAN), 1.0);
}
