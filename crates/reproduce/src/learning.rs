//! What searches learn from the tests they ran.

use std::collections::BTreeSet;

use crashback_program::classes::Classes;
use crashback_protocol::{Facts, Observation, Outcome};
use crashback_seeding::{learn, providers};
use crashback_testcase::TestCase;
use crashback_testcase::workshop::Workshop;
use crashback_trace::message::{self, Fact, NullValue};

/// How many of a hundred tests get the program's classes anew because they set state that initialisers
/// read. In a big program that takes as long as hundreds of tests, so there it must be what stands in
/// the way: one test in so many has ended with a class that could not be initialised.
const FRESH: usize = 12;
const FRESH_OF_BIG: usize = 2;
const STANDS_IN_THE_WAY: usize = 8;

/// What was learnt beside what the workshop knows.
#[derive(Debug, Default)]
pub(crate) struct Learner {
    /// Messages about nulls that were looked at, a bounded number of them: nearly all tests end with
    /// one of few.
    null_messages: BTreeSet<String>,
    /// How many of the last hundred tests could not initialise a class.
    uninitialised: usize,
    seen: usize,
    uninitialised_before: usize,
}

impl Learner {
    /// Takes a test into account that was run in a form of its own.
    pub(crate) fn observe(
        &mut self,
        workshop: &mut Workshop<'_>,
        classes: &Classes<'_>,
        (test, run): (&TestCase, &TestCase),
        observation: &Observation,
        is_nearest: bool,
    ) {
        if is_nearest {
            learn(&observation.facts, &mut workshop.pools);
        }
        for asked in &observation.facts.asked {
            workshop.note_asked(asked.mock, asked.method, asked.class.as_deref());
        }
        self.note_missed(workshop, classes, observation);
        let is_uninitialised = is_uninitialised(observation);
        self.count(is_uninitialised);
        // Do not penalise callees that fail only because a static is unset.
        let waits = is_uninitialised && workshop.pools.is_small && workshop.has_waiting_initialisers();
        if waits {
            return;
        }
        let completed = usize::from(observation.completed);
        if matches!(observation.outcome, Outcome::Returned | Outcome::Threw) {
            workshop.note_completed(test, completed, observation.facts.nulls);
        }
        if is_waste(observation) {
            workshop.shun(run, completed);
        }
    }

    fn count(&mut self, is_uninitialised: bool) {
        self.seen += 1;
        self.uninitialised += usize::from(is_uninitialised);
        if self.seen >= 100 {
            (self.seen, self.uninitialised_before, self.uninitialised) = (0, self.uninitialised, 0);
        }
    }

    /// Places of tests that get the program's classes anew.
    pub(crate) fn fresh_places(&self, workshop: &mut Workshop<'_>, tests: &[TestCase]) -> Vec<usize> {
        let uninitialised = self.uninitialised.max(self.uninitialised_before);
        let of_hundred = match workshop.has_waiting_initialisers() {
            true if workshop.pools.is_small => FRESH,
            true if uninitialised * STANDS_IN_THE_WAY >= 100 => FRESH_OF_BIG,
            _ => return Vec::new(),
        };
        let most = (of_hundred * tests.len()).div_ceil(100);
        let mut found = Vec::new();
        for (place, test) in tests.iter().enumerate() {
            if found.len() < most && workshop.precedes_initialisers(test) {
                found.push(place);
            }
        }
        found
    }

    /// Tells the workshop which static state a test would have needed.
    fn note_missed(&mut self, workshop: &mut Workshop<'_>, classes: &Classes<'_>, observation: &Observation) {
        if observation.outcome == Outcome::Threw
            && let Some((message, by_initialiser)) = null_message(&observation.facts)
            && self.is_new(message)
            && let Some((class, name)) = missed(message)
        {
            let find = || providers(classes, &class, &name, by_initialiser);
            workshop.note_missed(&class, &name, find);
        }
    }

    fn is_new(&mut self, message: &str) -> bool {
        const MOST: usize = 256;
        let is_new = self.null_messages.len() < MOST && !self.null_messages.contains(message);
        is_new && self.null_messages.insert(message.to_owned())
    }
}

const NULL_POINTER: &str = "java.lang.NullPointerException";

/// The message about a null of what left a test, or of why a class could not be initialised, and
/// whether it is the latter.
fn null_message(facts: &Facts) -> Option<(&str, bool)> {
    let thrown = facts.throwables.first()?;
    let by_initialiser = thrown.class == "java.lang.ExceptionInInitializerError";
    let cause = || facts.throwables.get(usize::try_from(thrown.cause?).ok()?);
    let thrown = if by_initialiser { cause()? } else { thrown };
    let message = thrown.message.as_deref().filter(|_| thrown.class == NULL_POINTER)?;
    Some((message, by_initialiser))
}

/// The field, or the method with the result, that was null as a message tells: its class and name.
/// Of one that is not static the class may be no class.
fn missed(message: &str) -> Option<(String, String)> {
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
    observation.outcome == Outcome::Threw
        && observation.thrown().is_some_and(|it| UNINITIALISED.contains(&it.class.as_str()))
}

/// Whether a test ended where no search gets on: what such a test did before costs a new copy of
/// the program, or much time.
fn is_waste(observation: &Observation) -> bool {
    const BROKEN: [&str; 2] = ["java.lang.UnsatisfiedLinkError", "java.lang.OutOfMemoryError"];
    let is_broken = || observation.thrown().is_some_and(|it| BROKEN.contains(&it.class.as_str()));
    match observation.outcome {
        Outcome::Returned => false,
        Outcome::Threw => is_uninitialised(observation) || is_broken(),
        Outcome::BudgetSpent | Outcome::Stopped | Outcome::Exited(_) | Outcome::WorkerDied => true,
    }
}

