//! Lines that cannot be right, and traces of other versions of the program.

use std::sync::LazyLock;

use crashback_program::classes::Classes;
use crashback_program::frames::{Auditor, Goal, Scope, fitting_order};
use crashback_trace::{Artifact, Location, Relaxation, Throwable};

use crate::program::{ClassBytes, Entry, Program, TestClassPath, audit, audit_in, compile};
use crate::table::{check, check_audit, check_changed, check_moved};

static PROGRAM: LazyLock<Program> = LazyLock::new(|| Program::run(SOURCE));

const SOURCE: &str = r#"package shop;

import harness.Harness.Crash;

class Shifted implements Crash {
    private int n = 7;
    static void fail(int a) {
        int b = a; // @throw-3
        b++; // @throw-2
        b += a; // @throw-1
        throw new IllegalStateException("" + b); // @throw
    }
    void call() {
        int a = n; // @call-3
        a++; // @call-2
        // @comment
        n = a; // @call-1
        fail(a); // @call
        a--; // @call+1
        n = a; // @call+2
    }
    public void crash() {
        call(); // @crash
    }
}
"#;

static SPREAD: LazyLock<Program> = LazyLock::new(|| Program::run(SPREAD_SOURCE));

const SPREAD_SOURCE: &str = r#"package shop;

import harness.Harness.Crash;

class Spread implements Crash {
    static class Failure extends RuntimeException {
        Failure(String text, int number) { super(text + number); }
    }
    static void fail(String text) {
        text.trim(); // @before
        int n = text.length(); // @length
        n++; // @statement-1
        throw new Failure( // @new
            text.trim(), // @first

            text.hashCode() // @second
                + n);
    }
    public void crash() {
        fail("a"); // @crash
    }
}

class Modelled implements Crash {
    static int at(int[] all, String text, int i) {
        int n = text.charAt(0); // @charAt
        n += Integer.parseInt(new StringBuilder().append(n).append(text).toString()); // @append
        return all[i] + n; // @element
    }
    public void crash() {
        at(new int[0], "1", 0); // @Modelled.crash
    }
}
"#;

#[test]
fn any_line_of_the_statement_that_makes_the_exception_will_do() {
    let made = SPREAD.throwable("shop.Spread").frames[0].line();
    for marker in ["new", "first", "second"] {
        let mut logged = SPREAD.throwable("shop.Spread");
        let line = Some(SPREAD.line(marker));
        logged.frames[0].location = Location::File { name: "Subject.java".to_owned(), line };
        let frame = &audit(&SPREAD.class_path, &logged).frames[0];
        assert!(frame.target, "{marker}: {}", frame.reason);
        // Compilers differ in the line, but it is one of the statement.
        let expected = (line != made).then_some(Relaxation::ConstructorLine);
        assert_eq!((frame.relaxation, frame.line_to_reach()), (expected, made), "{marker}");
    }
}

#[test]
fn lines_around_the_statement_stay_refused() {
    for marker in ["before", "length"] {
        let mut logged = SPREAD.throwable("shop.Spread");
        let line = Some(SPREAD.line(marker));
        logged.frames[0].location = Location::File { name: "Subject.java".to_owned(), line };
        let frame = &audit(&SPREAD.class_path, &logged).frames[0];
        let made = SPREAD.throwable("shop.Spread").frames[0].line().expect("a line");
        let is_near = made - SPREAD.line(marker) <= 2;
        assert_eq!(frame.relaxation, is_near.then_some(Relaxation::ShiftedLine), "{marker}");
    }
}

#[test]
fn common_methods_of_the_jdk_throw_their_own_exceptions_only() {
    check(
        &SPREAD,
        "shop.Modelled",
        "
         1 Modelled.at([ILjava/lang/String;I)I @element: package, callable, by iaload, escapes, target
         2 Modelled.crash()V @Modelled.crash: public, callable, calls shop.Modelled.at, escapes, target
         aim 2, highest 2
        ",
    );
    for marker in ["charAt", "append"] {
        check_moved(
            &SPREAD,
            "shop.Modelled",
            &[(1, marker)],
            &format!(
                "
         1 Modelled.at([ILjava/lang/String;I)I @{marker}: package, callable, by iaload @element, escapes, target
         2 Modelled.crash()V @Modelled.crash: public, callable, calls shop.Modelled.at, escapes, target
         aim 2, highest 2
        "
            ),
        );
    }
    let text_index = |it: &mut Throwable| it.class = "java.lang.StringIndexOutOfBoundsException".to_owned();
    let mut logged = SPREAD.throwable("shop.Modelled");
    text_index(&mut logged);
    let line = Some(SPREAD.line("charAt"));
    logged.frames[0].location = Location::File { name: "Subject.java".to_owned(), line };
    let frame = &audit(&SPREAD.class_path, &logged).frames[0];
    assert_eq!((frame.target, frame.relaxation), (true, None), "{}", frame.reason);
}

#[test]
fn a_true_trace_needs_no_other_line() {
    check(
        &PROGRAM,
        "shop.Shifted",
        "
         1 Shifted.fail(I)V @throw: package, callable, constructs, escapes, target
         2 Shifted.call()V @call: package, callable, calls shop.Shifted.fail, escapes, target
         3 Shifted.crash()V @crash: public, callable, calls shop.Shifted.call, escapes, target
         aim 3, highest 3
        ",
    );
}

#[test]
fn the_next_able_line_stands_for_the_logged_one() {
    check_moved(
        &PROGRAM,
        "shop.Shifted",
        &[(1, "throw-1"), (2, "call-1")],
        "
         1 Shifted.fail(I)V @throw-1: package, callable, constructs @throw, escapes, target
         2 Shifted.call()V @call-1: package, callable, calls shop.Shifted.fail @call, escapes, target
         3 Shifted.crash()V @crash: public, callable, calls shop.Shifted.call, escapes, target
         aim 3, highest 3
        ",
    );
    check_moved(
        &PROGRAM,
        "shop.Shifted",
        &[(1, "throw-2")],
        "
         1 Shifted.fail(I)V @throw-2: package, callable, constructs @throw, escapes, target
         2 Shifted.call()V @call: package, callable, calls shop.Shifted.fail, escapes, target
         3 Shifted.crash()V @crash: public, callable, calls shop.Shifted.call, escapes, target
         aim 3, highest 3
        ",
    );
}

#[test]
fn three_lines_on_is_too_far_and_so_is_back() {
    check_moved(&PROGRAM, "shop.Shifted", &[(1, "throw-3")],
        "
         1 Shifted.fail(I)V @throw-3: package, callable, refuted, escapes, @throw-3 of fail cannot throw java.lang.IllegalStateException: another version?
         2 Shifted.call()V @call: package, callable, calls shop.Shifted.fail, escapes, out of reach: frame 1 below it cannot be matched
         3 Shifted.crash()V @crash: public, callable, calls shop.Shifted.call, escapes, out of reach: frame 1 below it cannot be matched
         aim none, highest none
        ");
    check_moved(&PROGRAM, "shop.Shifted", &[(2, "call-2")],
        "
         1 Shifted.fail(I)V @throw: package, callable, constructs, escapes, target
         2 Shifted.call()V @call-2: package, callable, refuted, escapes, @call-2 of call cannot call frame 1: another version?
         3 Shifted.crash()V @crash: public, callable, calls shop.Shifted.call, escapes, out of reach: frame 2 below it cannot be matched
         aim 1, highest 1
        ");
    check_moved(&PROGRAM, "shop.Shifted", &[(2, "call+1")],
        "
         1 Shifted.fail(I)V @throw: package, callable, constructs, escapes, target
         2 Shifted.call()V @call+1: package, callable, refuted, escapes, @call+1 of call cannot call frame 1: another version?
         3 Shifted.crash()V @crash: public, callable, calls shop.Shifted.call, escapes, out of reach: frame 2 below it cannot be matched
         aim 1, highest 1
        ");
}

#[test]
fn lines_that_the_method_lacks_are_absent() {
    check_moved(&PROGRAM, "shop.Shifted", &[(2, "comment")],
        "
         1 Shifted.fail(I)V @throw: package, callable, constructs, escapes, target
         2 Shifted.call()V @comment: line-absent, package, callable, escapes, call of shop.Shifted in classes has no @comment: another version?
         3 Shifted.crash()V @crash: public, callable, calls shop.Shifted.call, escapes, out of reach: frame 2 below it cannot be matched
         aim 1, highest 1
        ");
    check_moved(&PROGRAM, "shop.Shifted", &[(1, "call")],
        "
         1 Shifted.fail(I)V @call: line-absent, package, callable, escapes, fail of shop.Shifted in classes has no @call: another version?
         2 Shifted.call()V @call: package, callable, calls shop.Shifted.fail, escapes, out of reach: frame 1 below it cannot be matched
         3 Shifted.crash()V @crash: public, callable, calls shop.Shifted.call, escapes, out of reach: frame 1 below it cannot be matched
         aim none, highest none
        ");
}

#[test]
fn classes_and_methods_may_be_missing() {
    check_changed(&PROGRAM, "shop.Shifted", |it| it.frames[0].method = "gone".to_owned(),
        "
         1 Shifted.gone @throw: method-missing, escapes, shop.Shifted in classes has no method gone: another version?
         2 Shifted.call()V @call: package, callable, refuted, escapes, @call of call cannot call frame 1: another version?
         3 Shifted.crash()V @crash: public, callable, calls shop.Shifted.call, escapes, out of reach: frame 1 below it cannot be matched
         aim none, highest none
        ");
    check_changed(&PROGRAM, "shop.Shifted", |it| it.frames[0].class = "shop.Gone".to_owned(),
        "
         1 Gone.fail: class-missing, library, escapes, class shop.Gone is not on the class path
         2 Shifted.call()V @call: package, callable, refuted, escapes, @call of call cannot call frame 1: another version?
         3 Shifted.crash()V @crash: public, callable, calls shop.Shifted.call, escapes, out of reach: frame 1 below it cannot be matched
         aim none, highest none
        ");
    // The same at the outer end blocks nothing.
    check_changed(
        &PROGRAM,
        "shop.Shifted",
        |it| it.frames[2].class = "shop.Gone".to_owned(),
        "
         1 Shifted.fail(I)V @throw: package, callable, constructs, escapes, target
         2 Shifted.call()V @call: package, callable, calls shop.Shifted.fail, escapes, target
         3 Gone.crash: class-missing, library, escapes, class shop.Gone is not on the class path
         aim 2, highest 2
        ",
    );
}

#[test]
fn frames_without_lines_are_searched_in_the_whole_method() {
    let forget = |throwable: &mut Throwable| {
        throwable.frames.iter_mut().for_each(|it| it.location = Location::Unknown { line: None });
    };
    check_changed(
        &PROGRAM,
        "shop.Shifted",
        forget,
        "
         1 Shifted.fail(I)V: no-line, package, callable, escapes, target
         2 Shifted.call()V: no-line, package, callable, escapes, target
         3 Shifted.crash()V: no-line, public, callable, escapes, target
         aim 3, highest 3
        ",
    );
}

#[test]
fn classes_may_be_compiled_without_lines() {
    let bare = Program::run_with(SOURCE, &["-g:none"], &[]);
    check(
        &bare,
        "shop.Shifted",
        "
         1 Shifted.fail(I)V: no-line, package, callable, escapes, target
         2 Shifted.call()V: no-line, package, callable, escapes, target
         3 Shifted.crash()V: no-line, public, callable, escapes, target
         aim 3, highest 3
        ",
    );
    // A log with lines against a class path without.
    let log = PROGRAM.throwable("shop.Shifted");
    check_audit(
        &PROGRAM,
        "lines in the log only",
        &audit(&bare.class_path, &log),
        "
         1 Shifted.fail(I)V @throw: no-line, package, callable, escapes, shop.Shifted in classes was compiled without line numbers: no run of it can show @throw
         2 Shifted.call()V @call: no-line, package, callable, escapes, shop.Shifted in classes was compiled without line numbers: no run of it can show @call
         3 Shifted.crash()V @crash: no-line, public, callable, escapes, shop.Shifted in classes was compiled without line numbers: no run of it can show @crash
         aim none, highest none
        ",
    );
}

/// Two versions of the class: the trace of one against the other, and both on one class path.
static VERSIONS: LazyLock<[ClassBytes; 2]> = LazyLock::new(|| {
    let two = SOURCE.replace("        b++; // @throw-2\n", "").replace("        a++; // @call-2\n", "");
    [SOURCE, &two].map(|it| compile(it, tempfile::tempdir().expect("a temporary folder").path(), &[]))
});

#[test]
fn the_trace_of_another_version_is_told() {
    let other = TestClassPath::new(vec![Entry::directory("two", VERSIONS[1].clone())]);
    check_audit(&PROGRAM, "other version", &audit(&other, &PROGRAM.throwable("shop.Shifted")),
        "
         1 Shifted.fail(I)V @throw: line-absent, package, callable, escapes, fail of shop.Shifted in two has no @throw: another version?
         2 Shifted.call()V @call: package, callable, refuted, escapes, @call of call cannot call frame 1: another version?
         3 Shifted.crash()V @crash: line-absent, public, callable, escapes, crash of shop.Shifted in two has no @crash: another version?
         aim none, highest none
        ");
}

#[test]
fn on_the_assumption_of_another_version_lines_that_can_do_it_stand_for_others() {
    let other = TestClassPath::new(vec![Entry::directory("two", VERSIONS[1].clone())]);
    let logged = PROGRAM.throwable("shop.Shifted");
    let (classes, scope) = (Classes::new(&other), Scope::Directories);
    let audit = Auditor::new(&classes, &scope).audit_of_other_version(&logged);
    let moved = Some(Relaxation::MovedLines);
    let relaxations: Vec<_> = audit.frames.iter().map(|it| (it.target, it.relaxation)).collect();
    assert_eq!(relaxations, [(true, moved); 3]);
    let goal = Goal::new(&classes, &logged, &audit);
    // The other version has one line less before the exception, and two less before the call.
    let lines = [PROGRAM.line("throw") - 1, PROGRAM.line("call") - 2, PROGRAM.line("crash") - 2];
    let at = |lines: [u32; 3]| {
        let mut produced = logged.clone();
        for (frame, line) in produced.frames.iter_mut().zip(lines) {
            frame.location = Location::File { name: "Subject.java".to_owned(), line: Some(line) };
        }
        let agreement = goal.agreement(&produced.class, &produced.frames);
        (agreement.level, agreement.relaxations.iter().collect::<Vec<_>>())
    };
    assert_eq!(at(lines), (3, vec![Relaxation::MovedLines]));
    assert_eq!(at([lines[0] - 1, lines[1], lines[2]]).0, 0, "no other line of the method will do");
    assert_eq!(at([lines[0], lines[1] + 1, lines[2]]).0, 1);
}

#[test]
fn methods_that_cannot_do_it_are_of_no_version() {
    for change in [
        |it: &mut Throwable| it.frames[0].method = "gone".to_owned(),
        |it: &mut Throwable| it.class = "shop.Unknown".to_owned(),
    ] {
        let mut logged = PROGRAM.throwable("shop.Shifted");
        change(&mut logged);
        let (classes, scope) = (Classes::new(&PROGRAM.class_path), Scope::Directories);
        let audit = Auditor::new(&classes, &scope).audit_of_other_version(&logged);
        assert_eq!(audit.highest_target_frame, None);
    }
}

static ASSERTIONS: LazyLock<Program> = LazyLock::new(|| {
    let source = r#"package shop;

import harness.Harness.Crash;

class Asserted implements Crash {
    public void crash() {
        assert hashCode() == -1 : "asserted";
    }
}

class Thrown implements Crash {
    public void crash() {
        assert hashCode() != -1;
        throw new AssertionError("thrown");
    }
}
"#;
    Program::run_with(source, &[], &["-ea"])
});

#[test]
fn a_failed_assertion_needs_assertions_and_a_thrown_error_does_not() {
    assert!(ASSERTIONS.audit("shop.Asserted").needs_assertions);
    assert!(!ASSERTIONS.audit("shop.Thrown").needs_assertions);
    assert!(!PROGRAM.audit("shop.Shifted").needs_assertions);
}

#[test]
fn the_copy_whose_lines_fit_moves_to_the_front_and_equal_ones_stay() {
    let throwable = PROGRAM.throwable("shop.Shifted");
    let moves = |entries: Vec<Entry>| {
        let path = TestClassPath::new(entries);
        let moves = fitting_order(&Classes::new(&path), &[&throwable]);
        moves.into_iter().map(|it| (it.entry, it.before)).collect::<Vec<_>>()
    };
    let [one, two] = &*VERSIONS;
    let one = |name: &str| Entry::jar(name, None, one.clone());
    let two = |name: &str| Entry::jar(name, None, two.clone());
    let before = |entry: &str, before: &str| vec![(entry.to_owned(), before.to_owned())];
    assert_eq!(moves(vec![one("a.jar"), two("b.jar")]), []);
    assert_eq!(moves(vec![two("a.jar"), one("b.jar")]), before("b.jar", "a.jar"));
    assert_eq!(moves(vec![two("a.jar"), one("b.jar"), one("c.jar")]), before("b.jar", "a.jar"));
    assert_eq!(moves(vec![two("a.jar"), two("b.jar")]), [], "no copy fits");
}

#[test]
fn the_first_copy_is_audited_whether_it_fits_or_not() {
    let throwable = PROGRAM.throwable("shop.Shifted");
    let [one, two] = &*VERSIONS;
    let entries = vec![Entry::jar("a.jar", None, two.clone()), Entry::jar("b.jar", None, one.clone())];
    let audit = audit_in(&TestClassPath::new(entries), &Scope::Everything, &throwable);
    let frame = &audit.frames[0];
    assert_eq!((frame.entry.as_deref(), frame.copies, frame.target), (Some("a.jar"), 2, false));
}

#[test]
fn another_version_of_a_jar_is_told_in_words() {
    let mut throwable = PROGRAM.throwable("shop.Shifted");
    let named = |version: &str| Artifact {
        jar: Some(format!("shop-{version}.jar")),
        version: Some(version.to_owned()),
        exact: true,
    };
    let class_path = TestClassPath::new(vec![Entry::jar("shop-1.0.jar", Some("1.0"), VERSIONS[0].clone())]);
    for (version, expected) in [
        ("1.0", None),
        (
            "2.0",
            Some(
                "the trace comes from shop-2.0.jar (version 2.0), the class path has shop-1.0.jar (version 1.0)",
            ),
        ),
    ] {
        throwable.frames.iter_mut().for_each(|it| it.artifact = Some(named(version)));
        let found = audit(&class_path, &throwable).version_mismatches;
        assert_eq!(found.iter().map(|it| it.words.as_str()).collect::<Vec<_>>(), Vec::from_iter(expected));
    }
}

#[test]
fn reasons_are_given_in_words() {
    let reason = |moves: &[(usize, &str)], level: usize| {
        let mut throwable = PROGRAM.throwable("shop.Shifted");
        for &(level, marker) in moves {
            let line = Some(PROGRAM.line(marker));
            throwable.frames[level - 1].location = Location::File { name: "Subject.java".to_owned(), line };
        }
        audit(&PROGRAM.class_path, &throwable).frames[level - 1].reason.clone()
    };
    assert_eq!(reason(&[], 1), "constructs the exception");
    assert_eq!(reason(&[], 2), "calls shop.Shifted.fail");
    let line = |marker: &str| PROGRAM.line(marker);
    assert_eq!(
        reason(&[(1, "throw-1")], 1),
        format!(
            "line {} cannot do it, line {} stands for it: constructs the exception",
            line("throw-1"),
            line("throw")
        )
    );
    assert_eq!(
        reason(&[(1, "throw-3")], 1),
        format!(
            "line {} of fail cannot throw java.lang.IllegalStateException: another version?",
            line("throw-3")
        )
    );
}
