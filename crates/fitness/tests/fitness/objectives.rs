//! Scores of executions: objectives by name, rejected solutions, sizes.

use std::sync::LazyLock;

use crashback_fitness::{Degree, Fitness, Objectives, Worth, cost, size};
use crashback_protocol::{Facts, Observation, Outcome, Results, SlowCall, Throwable};
use crashback_testcase::{Literal, Statement, TestCase, TypeId, Vocabulary};
use crashback_trace::{Frame, Throwable as Logged};

use crate::machine::Subject;
use crate::program::Program;

static PROGRAM: LazyLock<Program> = LazyLock::new(|| {
    Program::compile(
        "package shop;

class Till {
    static int pay(String s) {
        return s.length(); // @pay
    }
}
",
    )
});

fn subject() -> Subject<'static> {
    Subject::new(&PROGRAM, NULL_POINTER, &["shop.Till.pay@pay"], 1)
}

const NULL_POINTER: &str = "java.lang.NullPointerException";
const LENGTH: &str = "Cannot invoke \"String.length()\" because \"<parameter1>\" is null";
const TRIM: &str = "Cannot invoke \"String.trim()\" because \"<parameter1>\" is null";

/// A test of some literals, which no script looks at.
fn test(literals: usize) -> TestCase {
    let literal = |it: usize| Statement::Literal(Literal::Int(i32::try_from(it).unwrap()));
    TestCase::new((0..literals).map(literal).collect::<Vec<_>>())
}

/// Results with one execution that threw the crash's exception with its frames and a message.
fn crashed(frames: &[Frame], message: Option<&str>) -> Results {
    let mut results = Results::with_capacity(1);
    results.frames = frames.to_vec();
    let throwable = Throwable {
        class: NULL_POINTER.to_owned(),
        message: message.map(str::to_owned),
        frames: (0..u32::try_from(frames.len()).unwrap()).collect(),
        cause: None,
        suppressed: Vec::new(),
    };
    let facts = Facts { throwables: vec![throwable], ..Facts::default() };
    results.observations.push(Observation { outcome: Outcome::Threw, completed: 3, facts, slow: Vec::new() });
    results
}

fn logged(subject: &Subject<'_>, message: Option<&str>) -> Logged {
    let mut logged = subject.crash.throwable.clone();
    logged.message = message.map(str::to_owned);
    logged
}

fn distance(objectives: &mut Objectives<'_>, results: &Results, test: &TestCase) -> f64 {
    objectives.batch(results).judge(test, &results.observations[0]).distance
}

fn worth(objectives: &mut Objectives<'_>, results: &Results, test: &TestCase) -> Worth {
    let mut scoring = objectives.batch(results);
    let verdict = scoring.judge(test, &results.observations[0]);
    scoring.worth(0, &verdict, test, &results.observations[0])
}

#[test]
fn fitness_is_chosen_by_name() {
    for &fitness in Fitness::ALL {
        assert_eq!(fitness.name().parse(), Ok(fitness));
    }
    let unknown = "sum".parse::<Fitness>().unwrap_err().to_string();
    assert!(Fitness::ALL.iter().all(|it| unknown.contains(it.name())), "{unknown}");
}

#[test]
fn every_fitness_is_documented() {
    let page = include_str!("../../../../docs/fitness.md");
    for fitness in Fitness::ALL {
        let name = format!("`{fitness}`");
        assert!(page.contains(&format!("\n| {name} |")), "{fitness} has no row");
        let told = |line: &str| line.starts_with("## ") || line.starts_with(&name);
        assert!(page.lines().any(|it| told(it) && it.contains(&name)), "{fitness} has no section");
    }
}

#[test]
fn a_reproduction_is_zero_for_every_fitness_and_nothing_else_is() {
    for &fitness in Fitness::ALL {
        let subject = subject();
        let crash = logged(&subject, None);
        let mut objectives = Objectives::new(subject.judge(Degree::Escapes), &[fitness], &crash);
        let results = crashed(&crash.frames, None);
        assert_eq!(worth(&mut objectives, &results, &test(4)).distance, 0.0, "{fitness}");
        let mut returned = Results::with_capacity(1);
        returned.observations.push(Observation::bare(Outcome::Returned, 4));
        assert!(worth(&mut objectives, &returned, &test(4)).distance > 1.0, "{fitness}");
        objectives.refute(test(4));
        let refuted = worth(&mut objectives, &results, &test(4));
        assert!(refuted.distance > 0.0 && refuted.objectives.iter().all(|it| *it > 0.0), "{fitness}");
    }
}

#[test]
fn a_test_that_ends_early_is_farther_than_one_that_comes_to_its_last_call() {
    let subject = subject();
    let crash = logged(&subject, None);
    let mut objectives = Objectives::new(subject.judge(Degree::Escapes), &[Fitness::CallChain], &crash);
    let mut after = |completed: u16| {
        let mut results = Results::with_capacity(1);
        results.observations.push(Observation::bare(Outcome::Threw, completed));
        distance(&mut objectives, &results, &test(4))
    };
    assert_eq!((after(3) - after(1), after(3) - after(0)), (-0.5, -0.75));
}

#[test]
fn a_refuted_test_is_no_solution_and_others_still_are() {
    let subject = subject();
    let crash = logged(&subject, None);
    let mut objectives = Objectives::new(subject.judge(Degree::Escapes), &[Fitness::CallChain], &crash);
    let results = crashed(&crash.frames, None);
    objectives.refute(test(4));
    assert_eq!(distance(&mut objectives, &results, &test(4)), 1.0);
    assert_eq!(distance(&mut objectives, &results, &test(5)), 0.0);
    let verdict = objectives.batch(&results).judge(&test(4), &results.observations[0]);
    assert!(verdict.is_reproduced(), "it did crash as wanted");
}

#[test]
fn other_causes_are_told_by_messages_and_rejected_on_demand() {
    let subject = subject();
    let crash = logged(&subject, Some(LENGTH));
    let mut objectives = Objectives::new(subject.judge(Degree::Escapes), &[Fitness::CallChain], &crash);
    let (same, other) = (crashed(&crash.frames, Some(LENGTH)), crashed(&crash.frames, Some(TRIM)));
    let verdict = objectives.batch(&other).judge(&test(4), &other.observations[0]);
    assert!(verdict.has_other_cause && !verdict.has_logged_message && verdict.is_solution());
    assert!(objectives.batch(&same).judge(&test(4), &same.observations[0]).has_logged_message);
    objectives.reject_other_causes();
    assert_eq!(distance(&mut objectives, &other, &test(4)), 1.0);
    assert_eq!(distance(&mut objectives, &same, &test(4)), 0.0);
}

#[test]
fn costs_are_powers_of_four_of_the_slow_time() {
    let of = |times: &[u32]| {
        let slow = times.iter().map(|&microseconds| SlowCall { statement: 0, microseconds });
        cost(&Observation { slow: slow.collect(), ..Observation::bare(Outcome::Returned, 1) })
    };
    assert_eq!([of(&[]), of(&[250]), of(&[999]), of(&[1000]), of(&[500, 500])], [0, 1, 1, 2, 2]);
    assert!(of(&[10_000]) < of(&[100_000]));
}

#[test]
fn nulls_and_mocks_weigh_more_than_other_values() {
    let of = |statement: Statement| size(&TestCase::new(vec![statement]));
    let mut vocabulary = Vocabulary::default();
    let text: TypeId = vocabulary.add_type(crashback_testcase::Type::of_class("java/lang/String"));
    let null = of(Statement::Literal(Literal::Null(text)));
    let number = of(Statement::Literal(Literal::Int(1)));
    let array = of(Statement::NewArray { array: text, length: 1 });
    assert!(null > array && array > number && number > 0.0);
}
