//! Turns what a run of a test showed into lessons for the workshop.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use crashback_program::classes::Classes;
use crashback_protocol::{Argument, Facts, Observation, Operands, Outcome, Value};
use crashback_testcase::TestCase;
use crashback_testcase::workshop::{ChainParameter, Lesson, Null, Scalar, Tuning, Workshop};
use crashback_trace::Frame;
use crashback_trace::message::{self, Fact, NullAction, NullValue};

use crate::complaints;
use crate::preparations::providers;

/// How near a run came to the crash, compared with the runs before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nearness {
    /// No run before came as near: its values helped.
    Nearer,
    /// No run came nearer: its comparisons stand between it and the next step.
    Nearest,
    /// Some run came nearer.
    Farther,
}

impl Nearness {
    /// The nearness of a run with a distance, where others had at least the smallest one.
    pub fn of(distance: f64, smallest: f64) -> Self {
        match distance.partial_cmp(&smallest) {
            Some(Ordering::Less) => Self::Nearer,
            Some(Ordering::Equal) => Self::Nearest,
            _ => Self::Farther,
        }
    }
}

/// Lets a workshop learn from a run of a test. `test` is the test as it was made, `run` the one
/// that ran: the same, or with statements behind that look for an exception which the program
/// keeps. `frames` are those that the observation names by number.
pub fn observe(
    workshop: &mut Workshop<'_>,
    classes: &Classes<'_>,
    test: &TestCase,
    run: &TestCase,
    observation: &Observation,
    frames: &[Frame],
    nearness: Nearness,
) {
    let facts = &observation.facts;
    if nearness != Nearness::Farther {
        learn_operands(workshop, facts);
        passed(&facts.arguments).for_each(|(at, it)| workshop.learn(Lesson::Passed(at, it)));
    }
    if nearness == Nearness::Nearer {
        workshop.learn(Lesson::Helped(test));
    }
    for word in &facts.words {
        workshop.learn(Lesson::Word { word, test });
    }
    for asked in &facts.asked {
        let (mock, method, class) = (asked.mock, asked.method, asked.class.as_deref());
        let object = asked.object.as_ref().map(|it| (it.parameter, it.class.as_str()));
        workshop.learn(Lesson::Asked { mock, method, class, object });
    }
    learn_null_answers(workshop, facts, frames);
    if observation.outcome == Outcome::Threw {
        learn_missing_state(workshop, classes, facts);
        learn_cast(workshop, facts);
        if usize::from(observation.completed) + 1 == test.statements().len() {
            learn_block(workshop, facts, frames);
        }
        learn_complaint(workshop, classes, test, observation, frames);
    }
    if is_uninitialised(observation) {
        workshop.learn(Lesson::FailedInitialiser);
        // Callees that fail only because static state is not set yet succeed once it is, so they
        // are not blamed as long as tests that set it are run with all classes loaded anew.
        if workshop.pools().is_small && workshop.has_waiting_initialisers() {
            return;
        }
    }
    let completed = usize::from(observation.completed);
    learn_times(workshop, run, observation);
    if matches!(observation.outcome, Outcome::Returned | Outcome::Threw) {
        workshop.learn(Lesson::Completed { test, completed, nulls: facts.nulls });
    }
    if is_waste(observation) {
        workshop.learn(Lesson::Wasted { test: run, statement: completed });
    }
}

/// Lets a workshop learn from a run that reproduced the crash up to some frame. Its methods were passed the
/// latest arguments when they crashed.
pub fn observe_crash(workshop: &mut Workshop<'_>, arguments: &[Argument]) {
    let latest: BTreeMap<_, _> = passed(arguments).collect();
    latest.into_iter().for_each(|(at, it)| workshop.learn(Lesson::PassedInCrash(at, it)));
}

/// Arguments of methods of the target call chain.
fn passed(arguments: &[Argument]) -> impl Iterator<Item = (ChainParameter, Scalar)> {
    arguments.iter().filter_map(|Argument { position, parameter, value }| {
        let place = position.places().last()?;
        Some((ChainParameter { place, parameter: *parameter }, scalar(value)?))
    })
}

/// Which calls took long, for tests with such calls to be made less often.
fn learn_times(workshop: &mut Workshop<'_>, run: &TestCase, observation: &Observation) {
    let slow = observation.slow.iter().map(|it| (usize::from(it.statement), it.microseconds));
    let (completed, slow) = (usize::from(observation.completed), slow.collect::<Vec<_>>());
    workshop.learn(Lesson::Timed { test: run, completed, slow: &slow });
}

/// Both sides of comparisons that failed, for mutations to put one in the place of the other.
fn learn_operands(workshop: &mut Workshop<'_>, facts: &Facts) {
    for Operands { left, right, .. } in &facts.operands {
        let Some(left) = scalar(left) else { continue };
        if *right == Value::Null {
            learn_cases(workshop, &left);
            continue;
        }
        let Some(right) = scalar(right) else { continue };
        if left != right {
            workshop.learn(Lesson::Compared(left, right));
        }
    }
}

/// A text that a switch over texts looked at, beside the cases that lead on to the crash.
fn learn_cases(workshop: &mut Workshop<'_>, text: &Scalar) {
    let cases: Vec<Scalar> = workshop.pools().cases.iter().cloned().map(Scalar::Text).collect();
    if !cases.contains(text) {
        cases.into_iter().for_each(|it| workshop.learn(Lesson::Compared(text.clone(), it)));
    }
}

fn scalar(value: &Value) -> Option<Scalar> {
    match value {
        Value::Integer(it) => Some(Scalar::Integer(*it)),
        Value::Float(it) => Some(Scalar::Float(*it)),
        Value::Text(it) => Some(Scalar::Text(it.clone())),
        Value::Null | Value::Object(_) => None,
    }
}

/// Static state that the test would have needed.
fn learn_missing_state(workshop: &mut Workshop<'_>, classes: &Classes<'_>, facts: &Facts) {
    let Some((message, by_initialiser)) = null_message(facts) else { return };
    let providers = |member: &str, tuning: &Tuning| {
        let found = member.rsplit_once('.');
        found.map(|(class, name)| providers(classes, class, name, by_initialiser, tuning)).unwrap_or_default()
    };
    let member = || null_member(message).map(|(class, name)| format!("{}.{name}", class.replace('.', "/")));
    workshop.learn(Lesson::MissingState { message, member: &member, providers: &providers });
}

/// Methods that yielded `null` where code relied on an object, also where the program caught the exception
/// and the test heard of it all the same. A crash by a null may need that very answer, so its innermost
/// method is left out.
fn learn_null_answers(workshop: &mut Workshop<'_>, facts: &Facts, frames: &[Frame]) {
    for thrown in facts.throwables.iter().filter(|it| it.class == NULL_POINTER) {
        let Some(message) = thrown.message.as_deref() else { continue };
        let innermost = thrown.frames.first().and_then(|it| frames.get(*it as usize));
        let pools = workshop.pools();
        let is_crash = pools.is_null_crash
            && pools.traced.first().zip(innermost).is_some_and(|((class, method), frame)| {
                *method == frame.method && is_internal(class, &frame.class)
            });
        if !is_crash {
            let null = || null_of(message);
            let asked = || facts.asked.iter().map(|it| (it.mock, it.method)).collect();
            workshop.learn(Lesson::NullAnswer { message, null: &null, asked: &asked });
        }
    }
}

/// The null that a message tells of, as far as it is a result or was to have a method called.
fn null_of(message: &str) -> Option<Null> {
    let internal = |class: &str| class.replace('.', "/");
    match message::facts(NULL_POINTER, message).pop()? {
        Fact::Null { what: Some(NullValue::Returned { class, method, .. }), .. } => {
            Some(Null::Result(format!("{}.{method}", internal(&class))))
        }
        Fact::Null { action: NullAction::Invoke { class, .. }, .. } => Some(Null::Held(internal(&class))),
        _ => None,
    }
}

/// The two classes of a cast that failed: where a value of the first was passed, one of the second
/// was expected.
fn learn_cast(workshop: &mut Workshop<'_>, facts: &Facts) {
    const CLASS_CAST: &str = "java.lang.ClassCastException";
    let Some(thrown) = facts.throwables.first().filter(|it| it.class == CLASS_CAST) else { return };
    let Some(message) = thrown.message.as_deref() else { return };
    let class = |it: &str| it.replace('.', "/");
    if workshop.is_new_cast(message)
        && let Some(Fact::Cast { from, to }) = message::facts(CLASS_CAST, message).pop()
    {
        workshop.learn(Lesson::FailedCast { from: &class(&from), to: &class(&to) });
    }
}

/// What the program looked up in vain before it threw an exception, and what it says was missing, where it
/// threw the exception itself.
fn learn_complaint(
    workshop: &mut Workshop<'_>,
    classes: &Classes<'_>,
    test: &TestCase,
    observation: &Observation,
    frames: &[Frame],
) {
    if !workshop.is_complaint_due() {
        return;
    }
    let facts = &observation.facts;
    let missed: Vec<String> = facts.missed.iter().map(|it| String::from_utf16_lossy(it.units())).collect();
    let mut names: Vec<&str> =
        missed.iter().map(String::as_str).filter(|it| complaints::is_name(it)).collect();
    for thrown in &facts.throwables {
        let Some(message) = thrown.message.as_deref() else { continue };
        // In a message of the JVM names are those of variables and classes, not of what is missing.
        if !message::facts(&thrown.class, message).is_empty() {
            continue;
        }
        let thrower = thrown.frames.first().and_then(|it| frames.get(*it as usize));
        if thrower.is_some_and(|it| !classes.is_jdk(&it.class.replace('.', "/"))) {
            names.extend(complaints::names(message));
        }
    }
    if !names.is_empty() {
        let completed = usize::from(observation.completed);
        workshop.learn(Lesson::Complained { names: &names, test, completed });
    }
}

/// Calls on the way to an exception that are not on the trace, where the code around them is: one of
/// them stands in the way. Most tests end in a method on the trace, which costs no more than a look.
fn learn_block(workshop: &mut Workshop<'_>, facts: &Facts, frames: &[Frame]) {
    let Some(thrown) = facts.throwables.first() else { return };
    let traced = &workshop.pools().traced;
    let is_traced = |frame: &Frame| {
        traced.iter().any(|(class, method)| *method == frame.method && is_internal(class, &frame.class))
    };
    let passed = || thrown.frames.iter().filter_map(|it| frames.get(*it as usize));
    let Some(off_trace @ 1..) = passed().position(is_traced) else { return };
    let mut calls: Vec<(String, &str)> =
        passed().take(off_trace).map(|it| (it.class.replace('.', "/"), it.method.as_str())).collect();
    calls.reverse();
    workshop.learn(Lesson::Blocked { calls: &calls });
}

/// Whether a name in internal form is that of a class.
fn is_internal(internal: &str, class: &str) -> bool {
    let dotted = internal.bytes().map(|it| if it == b'/' { b'.' } else { it });
    internal.len() == class.len() && dotted.eq(class.bytes())
}

const NULL_POINTER: &str = "java.lang.NullPointerException";

/// The message about a null of the exception that left a test, or of the reason why a class could
/// not be initialised, and whether it is the latter.
fn null_message(facts: &Facts) -> Option<(&str, bool)> {
    let thrown = facts.throwables.first()?;
    let by_initialiser = thrown.class == "java.lang.ExceptionInInitializerError";
    let cause = || facts.throwables.get(usize::try_from(thrown.cause?).ok()?);
    let thrown = if by_initialiser { cause()? } else { thrown };
    let message = thrown.message.as_deref().filter(|_| thrown.class == NULL_POINTER)?;
    Some((message, by_initialiser))
}

/// Class and name of the field, or of the method with the result, that was null as a message tells.
/// Where it is not static the class may be an expression.
fn null_member(message: &str) -> Option<(String, String)> {
    match message::facts(NULL_POINTER, message).pop()? {
        Fact::Null { what: Some(NullValue::Field { owner, name }), .. } => Some((owner, name)),
        Fact::Null { what: Some(NullValue::Returned { class, method, .. }), .. } => Some((class, method)),
        _ => None,
    }
}

/// Whether a test ended because a class could not be initialised.
fn is_uninitialised(observation: &Observation) -> bool {
    const UNINITIALISED: [&str; 2] =
        ["java.lang.ExceptionInInitializerError", "java.lang.NoClassDefFoundError"];
    observation.thrown().is_some_and(|it| UNINITIALISED.contains(&it.class.as_str()))
}

/// Whether a test ended so that no search gets on: such an end costs a new copy of the program, or
/// much time.
fn is_waste(observation: &Observation) -> bool {
    const BROKEN: [&str; 2] = ["java.lang.UnsatisfiedLinkError", "java.lang.OutOfMemoryError"];
    let is_broken = || observation.thrown().is_some_and(|it| BROKEN.contains(&it.class.as_str()));
    match observation.outcome {
        Outcome::Returned => false,
        Outcome::Threw => is_uninitialised(observation) || is_broken(),
        Outcome::BudgetSpent | Outcome::Stopped | Outcome::Exited(_) | Outcome::WorkerDied => true,
    }
}

#[cfg(test)]
mod tests {
    use crashback_testcase::workshop::Null;

    use super::null_of;

    #[test]
    fn messages_tell_the_method_or_the_class_of_a_null() {
        let found = |message: &str| match null_of(message) {
            Some(Null::Result(method)) => format!("result of {method}"),
            Some(Null::Held(class)) => format!("a {class}"),
            None => String::new(),
        };
        for (message, expect) in [
            (
                "Cannot invoke \"shop.Till.open()\" because the return value of \"shop.Shop.till()\" is null",
                "result of shop/Shop.till",
            ),
            ("Cannot invoke \"shop.Till.open()\" because \"till\" is null", "a shop/Till"),
            ("Cannot read the array length because \"<local1>\" is null", ""),
            ("till", ""),
        ] {
            assert_eq!(found(message), expect, "{message}");
        }
    }
}
