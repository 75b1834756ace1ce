//! Distances to exceptions, by where the values come from that make code throw.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crashback_fitness::{Fitness, normalise};

use crate::machine::{Execution, Script, Subject};
use crate::program::Program;

static PROGRAM: LazyLock<Program> = LazyLock::new(|| Program::compile(SOURCE));

const SOURCE: &str = r#"package shop;

import java.util.HashMap;
import java.util.Map;

class Item {
    int price() {
        return 1;
    }
}

class Desk {
    static final Map<Integer, Item> STORE = new HashMap<>();

    static Item kept;

    static int total(int n) {
        return lookUp(n).price(); // @total
    }

    static Item lookUp(int n) {
        if (n > 10) { // @large
            if (n == 12) { // @twelve
                return null;
            }
        }
        return new Item();
    }

    static int chosen(int n) {
        Item item = null;
        if (n != 3) { // @replaced
            item = new Item();
        }
        return item.price(); // @chosen
    }

    static int searched(int n) {
        return search(n).price(); // @searched
    }

    static Item search(int n) {
        Item found = null;
        if (n > 4) { // @found
            found = new Item();
        }
        return found;
    }

    static int day(int n) {
        keep(n);
        return held(); // @day
    }

    static void keep(int n) {
        if (n > 5) { // @kept
            kept = new Item();
        }
    }

    static int held() {
        return kept.price(); // @held
    }

    static int outer(int n) {
        return inner(n > 4 ? new Item() : null); // @outer
    }

    static int inner(Item item) {
        return item.price(); // @inner
    }

    static Object make(int n) {
        if (n > 7) { // @seven
            return "text";
        }
        return new Item();
    }

    static int cast(int n) {
        return ((Item) make(n)).price(); // @cast
    }

    static String word(int n) {
        if (n > 8) { // @eight
            return "eight";
        }
        return "8";
    }

    static int parsed(int n) {
        return Integer.parseInt(word(n)); // @parsed
    }

    static Item stored(int n) {
        return STORE.get(n);
    }

    static int twice(int n) {
        if (stored(n) == null) { // @tested
            STORE.put(n, new Item());
        }
        return stored(n).price(); // @twice
    }

    static int check(int n) {
        if (n < 0) throw new IllegalStateException(); // @check
        return n;
    }

    static int pay(String s) {
        if (s.isEmpty()) { // @empty
            throw new IllegalStateException("at 3");
        }
        throw new IllegalStateException("at 7"); // @pay
    }
}
"#;

const NULL_POINTER: &str = "java.lang.NullPointerException";

/// Goes the other way at marked lines than javac's code for a condition that does not hold, and
/// misses the wanted side by a distance.
#[derive(Clone, Default)]
struct Told {
    jumps: BTreeMap<u32, (bool, f64)>,
}

impl Told {
    /// The condition does not hold, by a distance.
    fn fails(mut self, marker: &str, distance: f64) -> Self {
        self.jumps.insert(PROGRAM.line(marker), (true, distance));
        self
    }

    /// The condition holds, and is a distance away from not holding.
    fn holds(mut self, marker: &str, distance: f64) -> Self {
        self.jumps.insert(PROGRAM.line(marker), (false, distance));
        self
    }
}

impl Script for Told {
    fn jump(&mut self, line: u32) -> (bool, f64) {
        self.jumps.get(&line).copied().unwrap_or((false, 1.0))
    }

    fn key(&mut self, _: u32, _: &[i32]) -> i32 {
        0
    }

    fn throws(&mut self, _: u32) -> Option<String> {
        None
    }
}

/// The distances of an execution by the graded function and by the call chain.
fn distances(subject: &Subject<'_>, mut told: Told) -> (f64, f64) {
    let execution = subject.execute(&mut told);
    let distance = |fitness| subject.worth(fitness, &execution).distance;
    (distance(Fitness::Graded), distance(Fitness::CallChain))
}

#[test]
fn progress_towards_a_value_counts_for_all_searches_once_one_asks_for_it() {
    let frames = ["shop.Desk.total@total"];
    let subjects = [Subject::new, Subject::graded].map(|make| make(&PROGRAM, NULL_POINTER, &frames, 1));
    let nearest = subjects.map(|subject| {
        let execution = subject.execute(&mut Told::default().fails("twelve", 3.0));
        execution.verdict(&mut subject.objectives(Fitness::CallChain)).distance
    });
    assert_eq!(nearest, [1.0, graded(1.0 + normalise(3.0))]);
}

/// The graded distance where all frames are run through and nothing is thrown.
fn graded(throwing: f64) -> f64 {
    0.5 + normalise(throwing) / 2.0
}

/// Checks that the nearer a condition is to leading to the exception, the nearer is the crash.
fn check_guided(subject: &Subject<'_>, far: impl Fn(f64) -> Told) {
    let found = [1e9, 10.0, 1.0].map(|it| distances(subject, far(it)));
    assert!(found.iter().all(|(_, chain)| *chain == 1.0), "{found:?}");
    assert!(found.is_sorted_by(|far, near| far.0 > near.0), "{found:?}");
    assert!(found.iter().all(|(graded, _)| (0.5..1.0).contains(graded)), "{found:?}");
    assert_eq!(found[1].0, graded(1.0 + normalise(10.0)));
}

#[test]
fn a_result_is_as_near_to_null_as_the_way_to_its_return() {
    let subject = Subject::graded(&PROGRAM, NULL_POINTER, &["shop.Desk.total@total"], 1);
    check_guided(&subject, |distance| Told::default().fails("twelve", distance));
    let outer = distances(&subject, Told::default().fails("large", 1.0)).0;
    let inner = distances(&subject, Told::default().fails("twelve", 1e9)).0;
    assert_eq!(outer, graded(2.0 + normalise(1.0)));
    assert!(inner < outer);
}

#[test]
fn a_variable_is_as_near_to_null_as_the_way_past_its_assignment() {
    let subject = Subject::graded(&PROGRAM, NULL_POINTER, &["shop.Desk.chosen@chosen"], 1);
    check_guided(&subject, |distance| Told::default().holds("replaced", distance));
    let subject = Subject::graded(&PROGRAM, NULL_POINTER, &["shop.Desk.searched@searched"], 1);
    check_guided(&subject, |distance| Told::default().holds("found", distance));
}

#[test]
fn a_field_is_as_near_to_null_as_the_way_past_its_writes() {
    let frames = ["shop.Desk.held@held", "shop.Desk.day@day"];
    let subject = Subject::graded(&PROGRAM, NULL_POINTER, &frames, 2);
    check_guided(&subject, |distance| Told::default().holds("kept", distance));
}

#[test]
fn a_parameter_is_as_near_to_null_as_the_value_that_the_caller_passes() {
    let frames = ["shop.Desk.inner@inner", "shop.Desk.outer@outer"];
    let subject = Subject::graded(&PROGRAM, NULL_POINTER, &frames, 2);
    check_guided(&subject, |distance| Told::default().holds("outer", distance));
    // Without the caller nothing tells.
    let alone = Subject::graded(&PROGRAM, NULL_POINTER, &frames, 1);
    assert_eq!(distances(&alone, Told::default()), (1.0, 1.0));
}

#[test]
fn a_cast_is_as_near_to_failing_as_the_way_to_an_object_of_another_class() {
    let subject = Subject::graded(&PROGRAM, "java.lang.ClassCastException", &["shop.Desk.cast@cast"], 1);
    check_guided(&subject, |distance| Told::default().fails("seven", distance));
}

#[test]
fn a_text_is_as_near_to_being_no_number_as_the_way_to_such_a_text() {
    let exception = "java.lang.NumberFormatException";
    let subject = Subject::graded(&PROGRAM, exception, &["shop.Desk.parsed@parsed"], 1);
    check_guided(&subject, |distance| Told::default().fails("eight", distance));
}

#[test]
fn a_value_that_was_null_elsewhere_is_near() {
    let subject = Subject::graded(&PROGRAM, NULL_POINTER, &["shop.Desk.twice@twice"], 1);
    // javac jumps if the value is not null.
    let (null, _) = distances(&subject, Told::default().holds("tested", 1.0));
    let (other, _) = distances(&subject, Told::default().fails("tested", 1.0));
    assert_eq!((null, other), (graded(0.75), 1.0));
}

#[test]
fn an_explicit_throw_is_as_near_as_its_guard() {
    let subject = Subject::graded(&PROGRAM, "java.lang.IllegalStateException", &["shop.Desk.check@check"], 1);
    let guarded = |distance| distances(&subject, Told::default().fails("check", distance)).0;
    assert_eq!(guarded(3.0), 1.0 + normalise(normalise(3.0)));
    assert!(guarded(1.0) < guarded(3.0));
    assert_eq!(distances(&subject, Told::default()).0, 0.0);
}

#[test]
fn an_exception_is_the_nearer_the_nearer_its_message_is() {
    let subject =
        Subject::graded(&PROGRAM, "java.lang.IllegalStateException: at 7", &["shop.Desk.pay@pay"], 1);
    let elsewhere = |message: Option<&str>| {
        let mut execution: Execution = subject.execute(&mut Told::default());
        let facts = &mut execution.observation.facts;
        facts.throwables[0].message = message.map(str::to_owned);
        facts.throwables[0].frames.truncate(1);
        // The line was run through before.
        let through = subject.execute(&mut Told::default().fails("empty", 1.0));
        facts.reached = through.observation.facts.reached;
        facts.branches = through.observation.facts.branches;
        assert_eq!(subject.assess(&execution).frames_left, 0);
        subject.worth(Fitness::Graded, &execution).distance
    };
    let messages = [None, Some("at sea"), Some("at 900"), Some("at 8"), Some("at 7")];
    let found = messages.map(elsewhere);
    assert!(found.is_sorted_by(|far, near| far > near), "{found:?}");
    assert!(found.iter().all(|it| *it > 0.0 && *it < 0.5), "{found:?}");
}
