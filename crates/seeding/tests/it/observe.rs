//! What is learnt from runs of tests.

use std::sync::LazyLock;

use crashback_program::origins::{Origins, Scope};
use crashback_protocol::{Asked, Facts, Observation, Operands, Outcome, Throwable, Value};
use crashback_seeding::{Nearness, observe};
use crashback_testcase::workshop::{Pools, Step, TargetCall, TargetCalls, Tuning, Workshop};
use crashback_testcase::{Context, Literal, Random, Statement, TestCase, Vocabulary};

use crate::support::Program;

const SOURCE: &str = "package depot;
public class Depot {
    static Depot main;
    public static int weigh(int load) { return main.hashCode() + load; }
    public static void hang() {}
    public static Depot none() { return null; }
    public static int count(Queue queue) { return queue.length(); }
    public interface Queue { int length(); }
}
";

static ORIGINS: LazyLock<Origins<'static>> =
    LazyLock::new(|| Origins::new(&PROGRAM.classes, &Scope::Directories));

static PROGRAM: LazyLock<Program> = LazyLock::new(|| Program::compile(&[("depot/Depot.java", SOURCE)]));

/// A workshop for tests that call a method, after another call or not.
fn workshop(target: &str) -> Workshop<'static> {
    let context = Context::new(PROGRAM.classes.index(), "depot");
    let mut vocabulary = Vocabulary::default();
    let method = vocabulary.find_method(context.hierarchy(), target).unwrap();
    let call = TargetCall {
        step: Step::Call(method),
        receivers: Vec::new(),
        origins: Vec::new(),
        parameters: Vec::new(),
        arguments: Vec::new(),
        weight: 1,
    };
    let pools = Pools { is_small: true, ..Pools::default() };
    let mut workshop = Workshop::new(context, &ORIGINS, vocabulary, pools, Tuning::default());
    workshop.set_target("depot", TargetCalls { calls: vec![call], ..TargetCalls::default() });
    workshop
}

const WEIGH: &str = "depot/Depot.weigh(I)I";

/// A test that calls static methods of the depot and then the target.
fn test_of(workshop: &mut Workshop<'_>, calls: &[&str]) -> TestCase {
    let hierarchy = workshop.context().hierarchy();
    let vocabulary = workshop.vocabulary_mut();
    let mut statements = Vec::new();
    for name in calls {
        let method = vocabulary.find_method(hierarchy, name).unwrap();
        statements.push(Statement::Call { method, receiver: None, arguments: Default::default() });
    }
    let method = vocabulary.find_method(hierarchy, WEIGH).unwrap();
    let number = crashback_testcase::Var(u16::try_from(statements.len()).unwrap());
    statements.push(Statement::Literal(Literal::Int(5)));
    statements.push(Statement::Call { method, receiver: None, arguments: [number].into_iter().collect() });
    TestCase::new(statements)
}

fn threw(class: &str, message: Option<&str>, cause: Option<u32>) -> Throwable {
    let (class, message) = (class.to_owned(), message.map(str::to_owned));
    Throwable { class, message, cause, frames: Vec::new(), suppressed: Vec::new() }
}

fn see(workshop: &mut Workshop<'_>, test: &TestCase, observation: &Observation, nearness: Nearness) {
    observe(workshop, &PROGRAM.classes, test, test, observation, &[], nearness);
}

/// The texts of many new tests.
fn made(workshop: &mut Workshop<'_>) -> String {
    let mut random = Random::new(4);
    let tests: Vec<TestCase> = (0..300).filter_map(|_| workshop.random(0.8, &mut random)).collect();
    tests.iter().map(|it| it.display(workshop.vocabulary()).to_string()).collect()
}

#[test]
fn operands_are_learnt_from_the_nearest_runs_alone() {
    let compared = |nearness| {
        let mut workshop = workshop(WEIGH);
        let test = test_of(&mut workshop, &[]);
        let (left, right) = (Value::Integer(5), Value::Integer(987_654));
        let facts = Facts { operands: vec![Operands { probe: 0, left, right }], ..Facts::default() };
        let observation = Observation { outcome: Outcome::Returned, completed: 2, facts, slow: Vec::new() };
        see(&mut workshop, &test, &observation, nearness);
        let mut random = Random::new(1);
        let wanted = Statement::Literal(Literal::Int(987_654));
        (0..100).any(|_| workshop.mutate(&test, &mut random).statements().contains(&wanted))
    };
    assert!(compared(Nearness::Nearest));
    assert!(!compared(Nearness::Farther));
}

#[test]
fn static_state_that_was_null_is_set_from_then_on() {
    const MESSAGE: &str = "Cannot invoke \"Object.hashCode()\" because \"depot.Depot.main\" is null";
    const OTHER: &str = "Cannot invoke \"String.length()\" because \"<local1>\" is null";
    let provided = |outcome, throwables| {
        let mut workshop = workshop(WEIGH);
        let test = test_of(&mut workshop, &[]);
        let facts = Facts { throwables, ..Facts::default() };
        see(
            &mut workshop,
            &test,
            &Observation { outcome, completed: 1, facts, slow: Vec::new() },
            Nearness::Farther,
        );
        (made(&mut workshop).contains("Depot.main = "), workshop.has_waiting_initialisers())
    };
    let thrown = |message| threw("java.lang.NullPointerException", Some(message), None);
    assert_eq!(provided(Outcome::Threw, vec![thrown(MESSAGE)]), (true, false));
    assert_eq!(provided(Outcome::Returned, vec![thrown(MESSAGE)]), (false, false));
    assert_eq!(provided(Outcome::Threw, vec![thrown(OTHER)]), (false, false));
    // It must be set before the class is used whose initialiser failed.
    let error = threw("java.lang.ExceptionInInitializerError", None, Some(1));
    assert_eq!(provided(Outcome::Threw, vec![error, thrown(MESSAGE)]), (true, true));
}

#[test]
fn failed_initialisers_are_counted() {
    let mut workshop = workshop(WEIGH);
    let test = test_of(&mut workshop, &[]);
    for class in
        ["java.lang.NoClassDefFoundError", "java.lang.ExceptionInInitializerError", "java.lang.Error"]
    {
        let facts = Facts { throwables: vec![threw(class, None, None)], ..Facts::default() };
        let observation = Observation { outcome: Outcome::Threw, completed: 1, facts, slow: Vec::new() };
        see(&mut workshop, &test, &observation, Nearness::Farther);
    }
    assert_eq!(workshop.take_failed_initialisers(), 2);
    assert_eq!(workshop.take_failed_initialisers(), 0);
}

#[test]
fn calls_that_hang_are_not_made_any_more() {
    let hangs = |outcome, calls: &[&str]| {
        let mut workshop = workshop(WEIGH);
        let test = test_of(&mut workshop, calls);
        let hang = test.statements()[0].clone();
        for _ in 0..Tuning::default().blacklist_after {
            see(&mut workshop, &test, &Observation::bare(outcome, 0), Nearness::Farther);
        }
        // A blacklisted call is never inserted, so a mutant has at most the one it began with.
        let mut random = Random::new(9);
        let mut mutant = test_of(&mut workshop, &["depot/Depot.none()Ldepot/Depot;"]);
        (0..2000).any(|_| {
            mutant = workshop.mutate(&mutant, &mut random);
            mutant.statements().contains(&hang)
        })
    };
    let hang = ["depot/Depot.hang()V"];
    assert!(hangs(Outcome::Returned, &hang), "calls that return are made");
    for outcome in [Outcome::Stopped, Outcome::BudgetSpent, Outcome::Exited(1), Outcome::WorkerDied] {
        assert!(!hangs(outcome, &hang), "{outcome:?}");
    }
}

#[test]
fn mocks_answer_what_they_were_asked() {
    let mut workshop = workshop("depot/Depot.count(Ldepot/Depot$Queue;)I");
    assert!(!made(&mut workshop).contains("doReturn("));
    let context = workshop.context();
    let mock = workshop.vocabulary_mut().add_mock_of(context, "depot/Depot$Queue", false).unwrap();
    let test = test_of(&mut workshop, &[]);
    let facts =
        Facts { asked: vec![Asked { mock, method: 0, class: None, object: None }], ..Facts::default() };
    let observation = Observation { outcome: Outcome::Returned, completed: 1, facts, slow: Vec::new() };
    see(&mut workshop, &test, &observation, Nearness::Farther);
    assert!(made(&mut workshop).contains(".length(..)"));
}
