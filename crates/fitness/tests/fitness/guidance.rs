//! Line distances of single executions.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crashback_fitness::{
    Assessment, Degree, Hindered, Hindrance, ProbeKind, Stage, call_chain, graded_weighted_sum, normalise,
};
use crashback_protocol::{Branch, Position};

use crate::machine::{Script, Subject};
use crate::program::Program;

static PROGRAM: LazyLock<Program> = LazyLock::new(|| Program::compile(SOURCE));

const SOURCE: &str = r#"package shop;

class Till {
    static int pay(int a, int b, String s) {
        if (a > 10) { // @outer
            if (b == 5) { // @inner
                return check(a, s); // @pay
            }
        }
        check(0, s); // @other
        return 0;
    }

    static int check(int n, String s) {
        prepare(n); // @prepare
        note(n); // @note
        return s != null ? measure(n, s) : 0; // @check
    }

    static int measure(int n, String s) {
        switch (n) { // @switch
            case 20:
                return s.length() / (n - 20); // @measure
            case 30:
                return 1;
            default:
                return 2;
        }
    }

    static void recover(Object o) {
        try {
            o.hashCode(); // @tried
        } catch (IllegalStateException e) {
            o.notify(); // @recover
        }
    }

    static void flagged(int a, int b, Object o) {
        boolean ready = false;
        if (a > 10) { // @first
            if (b == 5) { // @second
                ready = true;
            }
        }
        boolean found = a < 100; // @third
        if (ready) { // @ready
            if (found) { // @found
                o.hashCode(); // @flagged
            }
        }
    }

    static void answered(int a, int b, Object o) {
        if (isFit(a, b)) { // @asked
            o.hashCode(); // @answered
        }
    }

    static boolean isFit(int a, int b) {
        if (a > 3) { // @large
            return !isOdd(b); // @not-odd
        }
        return false;
    }

    static boolean isOdd(int b) {
        return b > 7; // @odd
    }

    static boolean open;

    static void day(int a, int b, Object o) {
        unlock(a, b);
        sell(o); // @day
    }

    static void unlock(int a, int b) {
        if (a > 8) { // @eight
            open = b > 9; // @nine
        }
    }

    static void sell(Object o) {
        if (open) { // @open
            o.hashCode(); // @sold
        }
    }

    static void guard(int n) {
        if (n < 0) throw new IllegalStateException(); // @guard
    }

    static void prepare(int n) {}
    static void note(int n) {}
}
"#;

const FRAMES: [&str; 3] = ["shop.Till.measure@measure", "shop.Till.check@check", "shop.Till.pay@pay"];
const ARITHMETIC: &str = "java.lang.ArithmeticException";

/// Does at each line what it was told, and falls through where it was told nothing.
#[derive(Clone, Default)]
struct Told {
    jumps: BTreeMap<u32, (bool, f64)>,
    keys: BTreeMap<u32, i32>,
    throws: BTreeMap<u32, &'static str>,
}

impl Told {
    fn falls(mut self, marker: &str, distance: f64) -> Self {
        self.jumps.insert(PROGRAM.line(marker), (false, distance));
        self
    }

    /// javac jumps where the condition of an `if` does not hold.
    fn fails(mut self, marker: &str, distance: f64) -> Self {
        self.jumps.insert(PROGRAM.line(marker), (true, distance));
        self
    }

    fn key(mut self, marker: &str, key: i32) -> Self {
        self.keys.insert(PROGRAM.line(marker), key);
        self
    }

    fn throws(mut self, marker: &str, class: &'static str) -> Self {
        self.throws.insert(PROGRAM.line(marker), class);
        self
    }
}

impl Script for Told {
    fn jump(&mut self, line: u32) -> (bool, f64) {
        self.jumps.get(&line).copied().unwrap_or((false, 1.0))
    }

    fn key(&mut self, line: u32, _: &[i32]) -> i32 {
        self.keys.get(&line).copied().unwrap_or(20)
    }

    fn throws(&mut self, line: u32) -> Option<String> {
        self.throws.get(&line).map(|it| (*it).to_owned())
    }
}

fn subject(level: u32) -> Subject<'static> {
    Subject::new(&PROGRAM, ARITHMETIC, &FRAMES, level)
}

fn assess(mut told: Told) -> Assessment {
    let subject = subject(3);
    subject.assess(&subject.execute(&mut told))
}

/// The frame that an execution did not run through, and what it says of a marked line.
fn check_hindered(mut told: Told, frame: u32, by: impl Fn(Option<u32>) -> Hindrance, marker: &str) {
    let subject = subject(3);
    let execution = subject.execute(&mut told);
    let hindered = subject.judge(Degree::Escapes).hindered(&execution.observation.facts);
    let line = [PROGRAM.line("measure"), PROGRAM.line("check"), PROGRAM.line("pay")][frame as usize - 1];
    assert_eq!(hindered, Some(Hindered { frame, line: Some(line), by: by(Some(PROGRAM.line(marker))) }));
}

#[test]
fn what_stood_in_the_way_is_told() {
    let condition = |line| Hindrance::Condition { line };
    check_hindered(Told::default().fails("outer", 3.0), 3, condition, "outer");
    check_hindered(Told::default().fails("inner", 3.0), 3, condition, "inner");
    check_hindered(Told::default().fails("check", 1.0), 2, condition, "check");
    check_hindered(Told::default().key("switch", 7), 1, |line| Hindrance::Switch { line }, "switch");
    let left = Told::default().throws("prepare", "java.lang.IllegalStateException");
    check_hindered(left, 2, |_| Hindrance::Left, "prepare");
    let through = subject(3).execute(&mut Told::default().throws("measure", ARITHMETIC));
    assert_eq!(subject(3).judge(Degree::Escapes).hindered(&through.observation.facts), None);
}

/// A jump on a flag that is not as wanted.
const FLAG: f64 = 1.0;

#[test]
fn flags_are_as_near_as_what_decided_on_them() {
    let subject = Subject::new(&PROGRAM, "java.lang.NullPointerException", &["shop.Till.flagged@flagged"], 1);
    let line = |mut told: Told| subject.assess(&subject.execute(&mut told)).line;
    // The branch on the flag is one decision away from the line, or from the next flag.
    let ready = |told: Told| line(told.fails("ready", FLAG));
    let first = ready(Told::default().fails("first", 3.0));
    let second = ready(Told::default().fails("second", 3.0));
    assert_eq!(second, 1.0 + normalise(1.0 + normalise(3.0)));
    assert_eq!(first, 1.0 + normalise(2.0 + normalise(3.0)));
    assert!(ready(Told::default().fails("second", 1.0)) < second && second < first);
    let found = line(Told::default().fails("third", 7.0).fails("found", FLAG));
    assert_eq!(found, normalise(1.0 + normalise(7.0)));
    // Where all decisions went the right way, a flag is what it is.
    assert_eq!(ready(Told::default()), 1.0 + normalise(normalise(FLAG)));
}

#[test]
fn results_of_methods_are_as_near_as_what_decided_on_them() {
    let null = "java.lang.NullPointerException";
    let subject = Subject::new(&PROGRAM, null, &["shop.Till.answered@answered"], 1);
    let line = |told: Told| subject.assess(&subject.execute(&mut told.fails("asked", FLAG))).line;
    // One decision of `isFit` is on what `isOdd` returns, which is as near as the decision there,
    // where the jump is what is wanted.
    let odd = |distance| line(Told::default().fails("not-odd", FLAG).falls("odd", distance));
    assert_eq!(odd(5.0), normalise(1.0 + normalise(1.0 + normalise(5.0))));
    assert!(odd(2.0) < odd(5.0));
    let small = |distance| line(Told::default().fails("large", distance));
    assert_eq!(small(4.0), normalise(2.0 + normalise(4.0)));
    assert!(odd(1e9) < small(1.0) && small(1.0) < small(2.0));
}

#[test]
fn fields_are_as_near_as_what_decided_on_what_was_written() {
    let frames = ["shop.Till.sell@sold", "shop.Till.day@day"];
    let subject = Subject::new(&PROGRAM, "java.lang.NullPointerException", &frames, 2);
    let assess = |told: Told| subject.assess(&subject.execute(&mut told.fails("open", FLAG)));
    // The field is written before the frame is entered that looks at it.
    let first = assess(Told::default().fails("eight", 3.0));
    let second = assess(Told::default().fails("nine", 3.0));
    assert_eq!((first.frames_left, second.frames_left), (1, 1));
    assert_eq!(first.line, normalise(2.0 + normalise(3.0)));
    assert_eq!(second.line, normalise(1.0 + normalise(3.0)));
    // One that was not written is further away than any that was.
    let alone = Subject::new(&PROGRAM, "java.lang.NullPointerException", &frames, 1);
    let unwritten = alone.assess(&alone.execute(&mut Told::default().fails("open", FLAG))).line;
    assert_eq!(unwritten, normalise(1.0 + 2.0));
    assert!(assess(Told::default().fails("eight", 1e9)).line < unwritten);
}

#[test]
fn a_handler_waits_for_an_exception() {
    let subject =
        Subject::new(&PROGRAM, "java.lang.IllegalMonitorStateException", &["shop.Till.recover@recover"], 1);
    let execution = subject.execute(&mut Told::default());
    let hindered = subject.judge(Degree::Escapes).hindered(&execution.observation.facts);
    let by = Hindrance::NothingThrown { line: Some(PROGRAM.line("tried")) };
    assert_eq!(hindered, Some(Hindered { frame: 1, line: Some(PROGRAM.line("recover")), by }));
}

#[test]
fn approach_levels_and_branch_distances_add_up() {
    let far = assess(Told::default().fails("outer", 3.0));
    assert_eq!((far.frames_left, far.line, far.target_line), (3, 1.75, 1.75));
    let near = assess(Told::default().fails("inner", 3.0));
    assert_eq!((near.frames_left, near.line, near.target_line), (3, 0.75, 0.75));
    assert_eq!(far.stage, Stage::LineNotReached);
    assert_eq!(graded_weighted_sum(&far), 3.0 * normalise(1.75) + 3.0);
    assert_eq!(call_chain(&near), 3.0 + normalise(0.75));
}

#[test]
fn large_distances_still_guide() {
    let line = |distance| assess(Told::default().fails("inner", distance)).line;
    let lines = [1e15, 1e12, 4e9, 2e9, 1e3].map(line);
    assert!(lines.is_sorted_by(|far, near| far > near), "{lines:?}");
}

#[test]
fn the_next_frame_is_looked_at_when_one_is_run_through() {
    let told = assess(Told::default().fails("check", 1.0));
    assert_eq!((told.frames_left, told.line, told.target_line), (2, 0.5, 0.0));
    assert_eq!(told.stage, Stage::LineReached);
    assert_eq!(graded_weighted_sum(&told), 3.0);
    assert_eq!(call_chain(&told), 2.0 + normalise(0.5));

    let told = assess(Told::default().key("switch", 17));
    assert_eq!((told.frames_left, told.line), (1, 0.75));
    let told = assess(Told::default());
    assert_eq!((told.frames_left, told.line, told.thrown), (0, 0.0, false));
    assert_eq!(call_chain(&told), 1.0);
}

#[test]
fn a_frame_entered_from_another_line_does_not_count() {
    // `check` and all below it run, but called by another line than the trace says.
    let told = assess(Told::default().fails("outer", 1.0));
    assert_eq!((told.frames_left, told.line), (3, 1.5));
}

#[test]
fn what_ends_early_is_near_and_not_there() {
    let other = "java.lang.IllegalStateException";
    let first = assess(Told::default().throws("prepare", other));
    let second = assess(Told::default().throws("note", other));
    let never_called = assess(Told::default().throws("pay", other));
    assert_eq!((first.frames_left, second.frames_left), (2, 2));
    // The decision on the line was not come to; of two such executions the one that got further is
    // nearer.
    assert!(1.0 < second.line && second.line < first.line && first.line < 1.000_001, "{first:?} {second:?}");
    let decided = assess(Told::default().fails("check", f64::MAX));
    assert!(decided.line < second.line, "{decided:?} {second:?}");
    assert_eq!((never_called.frames_left, never_called.line), (2, f64::INFINITY));
    assert_eq!(call_chain(&never_called), 3.0);
}

#[test]
fn a_crash_is_reproduced_when_the_exception_comes_from_its_line() {
    let told = assess(Told::default().throws("measure", ARITHMETIC));
    assert_eq!((told.stage, told.agreed, told.trace), (Stage::Reproduced, 3, 0.0));
    assert_eq!((call_chain(&told), graded_weighted_sum(&told)), (0.0, 0.0));

    let told = assess(Told::default().throws("measure", "java.lang.NullPointerException"));
    assert_eq!((told.stage, told.thrown), (Stage::LineReached, false));

    let elsewhere = assess(Told::default().throws("switch", ARITHMETIC));
    assert_eq!((elsewhere.stage, elsewhere.frames_left), (Stage::ExceptionThrown, 1));
    assert!(call_chain(&elsewhere) > 1.0 && (0.0..1.0).contains(&graded_weighted_sum(&elsewhere)));
}

#[test]
fn frames_above_the_target_frame_are_agreed_with_by_chance_only() {
    let subject = subject(1);
    let told = subject.assess(&subject.execute(&mut Told::default().throws("measure", ARITHMETIC)));
    assert_eq!((told.stage, told.agreed), (Stage::Reproduced, 1));
}

#[test]
fn handlers_are_reached_by_exceptions() {
    let subject = Subject::new(&PROGRAM, ARITHMETIC, &["shop.Till.recover@recover"], 1);
    let assess = |told: Told| subject.assess(&subject.execute(&mut told.clone()));
    let tried = assess(Told::default());
    assert_eq!((tried.frames_left, tried.line), (1, 0.5));
    let handled = assess(Told::default().throws("tried", "java.lang.IllegalStateException"));
    assert_eq!((handled.frames_left, handled.stage), (0, Stage::LineReached));
}

#[test]
fn on_a_line_the_instruction_counts_that_can_throw() {
    let subject = Subject::new(&PROGRAM, "java.lang.IllegalStateException", &["shop.Till.guard@guard"], 1);
    let assess = |told: Told| subject.assess(&subject.execute(&mut told.clone()));
    let passed = assess(Told::default().fails("guard", 3.0));
    assert_eq!((passed.stage, passed.frames_left, passed.line), (Stage::LineReached, 1, 0.75));
    assert_eq!((call_chain(&passed), graded_weighted_sum(&passed)), (1.0 + normalise(0.75), 3.0));
    let thrown = assess(Told::default());
    assert_eq!((thrown.stage, call_chain(&thrown)), (Stage::Reproduced, 0.0));
}

#[test]
fn a_line_that_was_reached_is_as_near_as_its_instructions_are_to_throwing() {
    let subject = subject(3);
    let probes = subject.crash.probes_of_frame(&subject.crash.audit.frames[0]);
    let probe = probes.iter().find(|it| it.kind == ProbeKind::Throw).unwrap().number;
    let assess = |to_jump: f64, position: Position| {
        let mut execution = subject.execute(&mut Told::default());
        let facts = &mut execution.observation.facts;
        let told = Branch { probe, position, to_jump, to_fall: 0.0 };
        facts.branches = facts.branches.iter().copied().chain([told]).collect();
        subject.assess(&execution)
    };
    let innermost = Position::new(0, 2).unwrap();
    let near = assess(3.0, innermost);
    assert_eq!((near.stage, near.frames_left, near.throwing), (Stage::LineReached, 0, 3.0));
    assert_eq!((call_chain(&near), graded_weighted_sum(&near)), (0.5 + 0.75 / 2.0, 2.0 * 0.75 + 1.0));
    assert!(call_chain(&assess(2.0, innermost)) < call_chain(&near));
    // The method says nothing where it runs without the frames around it.
    assert_eq!(call_chain(&assess(3.0, Position::OUTSIDE)), 1.0);
}
