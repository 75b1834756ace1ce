//! Lines that cannot be right, and traces of other versions of the program.

use std::sync::LazyLock;

use crashback_program::frames::Scope;
use crashback_trace::{Location, Throwable};

use crate::program::{ClassBytes, Entry, Program, TestClassPath, audit, audit_in, compile};
use crate::table::{check, check_audit, check_moved};

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

#[test]
fn a_true_trace_needs_no_other_line() {
    check(&PROGRAM, "shop.Shifted", "");
}

#[test]
fn the_next_able_line_stands_for_the_logged_one() {
    check_moved(&PROGRAM, "shop.Shifted", &[(1, "throw-1"), (2, "call-1")], "");
    check_moved(&PROGRAM, "shop.Shifted", &[(1, "throw-2")], "");
}

#[test]
fn three_lines_on_is_too_far_and_so_is_back() {
    check_moved(&PROGRAM, "shop.Shifted", &[(1, "throw-3")], "");
    check_moved(&PROGRAM, "shop.Shifted", &[(2, "call-2")], "");
    check_moved(&PROGRAM, "shop.Shifted", &[(2, "call+1")], "");
}

#[test]
fn lines_that_the_method_lacks_are_absent() {
    check_moved(&PROGRAM, "shop.Shifted", &[(2, "comment")], "");
    check_moved(&PROGRAM, "shop.Shifted", &[(1, "call")], "");
}

#[test]
fn classes_and_methods_may_be_missing() {
    let mut throwable = PROGRAM.throwable("shop.Shifted");
    throwable.frames[0].method = "gone".to_owned();
    check_audit(&PROGRAM, "method", &audit(&PROGRAM.class_path, &throwable), "");
    throwable.frames[0].class = "shop.Gone".to_owned();
    check_audit(&PROGRAM, "class", &audit(&PROGRAM.class_path, &throwable), "");
    // The same at the outer end blocks nothing.
    let mut throwable = PROGRAM.throwable("shop.Shifted");
    throwable.frames[2].class = "shop.Gone".to_owned();
    check_audit(&PROGRAM, "outer class", &audit(&PROGRAM.class_path, &throwable), "");
}

#[test]
fn frames_without_lines_are_searched_in_the_whole_method() {
    let mut throwable = PROGRAM.throwable("shop.Shifted");
    for frame in &mut throwable.frames {
        frame.location = Location::Unknown { line: None };
    }
    check_audit(&PROGRAM, "unknown lines", &audit(&PROGRAM.class_path, &throwable), "");
}

#[test]
fn classes_may_be_compiled_without_lines() {
    let bare = Program::run_with(SOURCE, &["-g:none"], &[]);
    check(&bare, "shop.Shifted", "");
    // A log with lines against a class path without.
    let log = PROGRAM.throwable("shop.Shifted");
    check_audit(&PROGRAM, "lines in the log only", &audit(&bare.class_path, &log), "");
}

/// Two versions of the class: the trace of one against the other, and both on one class path.
static VERSIONS: LazyLock<[ClassBytes; 2]> = LazyLock::new(|| {
    let two = SOURCE.replace("        b++; // @throw-2\n", "").replace("        a++; // @call-2\n", "");
    [SOURCE, &two].map(|it| compile(it, tempfile::tempdir().expect("a temporary folder").path(), &[]))
});

fn throwable_of_first() -> Throwable {
    PROGRAM.throwable("shop.Shifted")
}

#[test]
fn the_trace_of_another_version_is_told() {
    let other = TestClassPath::new(vec![Entry::directory("two", VERSIONS[1].clone())]);
    check_audit(&PROGRAM, "other version", &audit(&other, &throwable_of_first()), "");
}

#[test]
fn the_copy_whose_lines_fit_is_chosen_and_else_the_first() {
    let chosen = |entries: Vec<Entry>| {
        let audit = audit_in(&TestClassPath::new(entries), &Scope::Everything, &throwable_of_first());
        let frame = &audit.frames[0];
        assert!(frame.target, "{}", frame.reason);
        (frame.entry.clone().expect("an entry"), frame.copies)
    };
    let [one, two] = &*VERSIONS;
    let one = |name: &str| Entry::jar(name, None, one.clone());
    let two = |name: &str| Entry::jar(name, None, two.clone());
    assert_eq!(chosen(vec![one("a.jar"), two("b.jar")]), ("a.jar".to_owned(), 2));
    assert_eq!(chosen(vec![two("a.jar"), one("b.jar")]), ("b.jar".to_owned(), 2));
    assert_eq!(chosen(vec![two("a.jar"), one("b.jar"), one("c.jar")]), ("b.jar".to_owned(), 3));
}
