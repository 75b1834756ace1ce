//! When a produced exception is the logged crash, and up to which frame.

use std::sync::LazyLock;

use crashback_program::classes::Classes;
use crashback_program::frames::{Goal, Scope, fitting_frames, misfits};
use crashback_trace::compare::Agreement;
use crashback_trace::{Frame, Location, Relaxation, Relaxations, Throwable};

use crate::java::javac;
use crate::program::{ClassBytes, Entry, Program, TestClassPath, audit, compile};

static PROGRAM: LazyLock<Program> = LazyLock::new(|| Program::run(SOURCE));

/// The same program with all frames that a JVM normally hides.
static TELLTALE: LazyLock<Program> = LazyLock::new(|| {
    Program::run_with(SOURCE, &[], &["-XX:+UnlockDiagnosticVMOptions", "-XX:+ShowHiddenFrames"])
});

const SOURCE: &str = r#"package shop;

import harness.Harness.Crash;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Comparator;
import java.util.List;

class Plain implements Crash {
    void inner() {
        throw new IllegalStateException(); // @inner
    }
    void middle() {
        inner(); // @middle
    }
    public void crash() {
        middle(); // @crash
    }
}

class Lines implements Crash {
    static void fail(int n) {
        n++; // @fail-1
        throw new IllegalStateException(); // @fail
    }
    public void crash() {
        fail(1);
    }
}

class Lambdas implements Crash {
    static void run(Runnable runnable) {
        runnable.run();
    }
    public void crash() {
        run(() -> run(() -> { throw new IllegalStateException(); }));
    }
}

class Bridged implements Crash {
    static class ByLength implements Comparator<String> {
        public int compare(String a, String b) { return a.length() - b.length(); }
    }
    public void crash() {
        Comparator<String> order = new ByLength();
        order.compare(null, null);
    }
}

class Sorted implements Crash {
    public void crash() {
        List<String> list = java.util.Arrays.asList("b", null);
        list.sort((a, b) -> a.length() - b.length());
    }
}

class Proxied implements Crash {
    public interface Shop { void open(); }
    static void open() { throw new IllegalStateException(); }
    public void crash() throws Throwable {
        Shop shop = (Shop) Proxy.newProxyInstance(Shop.class.getClassLoader(), new Class<?>[] { Shop.class }, (p, m, a) -> {
            open();
            return null;
        });
        shop.open();
    }
}

class Reflective implements Crash {
    public static void called() { throw new IllegalStateException(); }
    public void crash() throws Throwable {
        try {
            Reflective.class.getMethod("called").invoke(null);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
"#;

/// Compares a produced exception with a logged one.
fn compare(logged: &Throwable, produced: &Throwable) -> Agreement {
    let classes = Classes::new(&PROGRAM.class_path);
    let audit = audit(&PROGRAM.class_path, logged);
    Goal::new(&classes, logged, &audit).agreement(&produced.class, &produced.frames)
}

/// The logged crash against one that was changed.
fn changed(case: &str, change: impl FnOnce(&mut Throwable)) -> Agreement {
    let logged = PROGRAM.throwable(case);
    let mut produced = logged.clone();
    change(&mut produced);
    compare(&logged, &produced)
}

fn at_line(frame: &mut Frame, line: u32) {
    frame.location = Location::File { name: "Subject.java".to_owned(), line: Some(line) };
}

const CASES: [&str; 7] = [
    "shop.Plain",
    "shop.Lines",
    "shop.Lambdas",
    "shop.Bridged",
    "shop.Sorted",
    "shop.Proxied",
    "shop.Reflective",
];

#[test]
fn a_trace_agrees_with_itself() {
    for case in CASES {
        let agreement = changed(case, |_| {});
        let frames = PROGRAM.throwable(case).frames.len();
        assert_eq!(agreement.level, frames, "{case}: {agreement:?}");
        assert!(agreement.exception && agreement.difference.is_none());
        assert_eq!(agreement.relaxations, Relaxations::default());
        assert!((1..=frames).all(|level| agreement.reproduced_at(level)));
        assert!(!agreement.reproduced_at(frames + 1) && !agreement.reproduced_at(0));
    }
}

#[test]
fn another_run_agrees_with_hidden_frames_on_either_side() {
    for case in CASES {
        let (plain, telltale) = (PROGRAM.throwable(case), TELLTALE.throwable(case));
        let agreement = compare(&plain, &telltale);
        assert_eq!((agreement.level, agreement.difference), (plain.frames.len(), None), "{case}");
        let agreement = compare(&telltale, &plain);
        assert_eq!((agreement.level, agreement.difference), (telltale.frames.len(), None), "{case}");
    }
    let hidden = |case: &str| TELLTALE.throwable(case).frames.len() - PROGRAM.throwable(case).frames.len();
    assert_eq!(hidden("shop.Plain"), 0);
    assert!(hidden("shop.Lambdas") >= 2, "the JVM shows the classes of lambdas");
}

#[test]
fn frames_that_do_not_count_may_be_absent_on_either_side() {
    for case in CASES {
        let whole = PROGRAM.throwable(case);
        let is_foreign = |it: &Frame| {
            it.class.starts_with("java.") || it.class.starts_with("jdk.") || it.class.contains("$Proxy")
        };
        let mut cut = whole.clone();
        cut.frames.retain(|it| !is_foreign(it));
        // A bridge has the line of its class and stands outside of what it calls.
        if case == "shop.Bridged" {
            assert_eq!(cut.frames[0].method, cut.frames[1].method);
            cut.frames.remove(1);
        }
        for (logged, produced) in [(&whole, &cut), (&cut, &whole)] {
            let agreement = compare(logged, produced);
            assert_eq!(agreement.level, logged.frames.len(), "{case}: {agreement:?}");
        }
    }
}

#[test]
fn mock_frames_do_not_count_unless_the_program_mocks() {
    let mocked = |class: &str| Frame {
        class: class.to_owned(),
        method: "intercept".to_owned(),
        location: Location::File { name: "Mock.java".to_owned(), line: Some(3) },
        ..Frame::default()
    };
    for class in
        ["org.mockito.internal.creation.bytebuddy.MockMethodInterceptor", "shop.Plain$MockitoMock$17"]
    {
        let agreement = changed("shop.Plain", |it| it.frames.insert(1, mocked(class)));
        assert_eq!((agreement.level, agreement.difference), (3, None), "{class}");
    }
    let agreement = changed("shop.Plain", |it| it.frames.insert(1, mocked("shop.Mocker")));
    assert_eq!(agreement.level, 1);
}

#[test]
fn frames_above_do_not_matter() {
    let agreement = changed("shop.Plain", |it| it.frames.truncate(2));
    assert_eq!((agreement.level, agreement.exception), (2, true));
    assert!(agreement.reproduced_at(2) && !agreement.reproduced_at(3));
    let agreement = changed("shop.Plain", |it| it.frames.push(it.frames[0].clone()));
    assert_eq!((agreement.level, agreement.difference), (3, None));
}

#[test]
fn the_first_difference_ends_agreement() {
    let check = |expected: usize, change: &dyn Fn(&mut Throwable)| {
        let agreement = changed("shop.Plain", change);
        assert_eq!((agreement.level, agreement.exception), (expected, true), "{agreement:?}");
        assert!(agreement.difference.is_some());
    };
    check(2, &|it| at_line(&mut it.frames[2], 1));
    check(1, &|it| at_line(&mut it.frames[1], PROGRAM.line("inner")));
    check(0, &|it| at_line(&mut it.frames[0], PROGRAM.line("inner") + 1));
    check(1, &|it| it.frames[1].method = "other".to_owned());
    check(1, &|it| it.frames[1].class = "shop.Lines".to_owned());
    check(1, &|it| it.frames.insert(1, it.frames[0].clone()));
    check(0, &|it| drop(it.frames.remove(0)));
    check(1, &|it| drop(it.frames.remove(1)));
    check(0, &|it| it.frames.clear());
}

#[test]
fn another_exception_is_another_crash() {
    for class in
        ["java.lang.RuntimeException", "java.lang.IllegalArgumentException", "shop.IllegalStateException"]
    {
        let agreement = changed("shop.Plain", |it| it.class = class.to_owned());
        assert!(!agreement.exception && agreement.difference.is_some());
        assert!((1..=3).all(|level| !agreement.reproduced_at(level)), "{class}");
    }
    // The message is no criterion.
    assert!(changed("shop.Plain", |it| it.message = Some("other".to_owned())).reproduced_at(3));
}

#[test]
fn an_exception_without_its_package_is_the_one_it_names() {
    let produced = PROGRAM.throwable("shop.Plain");
    let logged = Throwable { class: "IllegalStateException".to_owned(), ..produced.clone() };
    assert!(compare(&logged, &produced).reproduced_at(3));
    let other = Throwable { class: "shop.IllegalStateException".to_owned(), ..produced };
    assert!(!compare(&logged, &other).exception);
}

#[test]
fn a_shifted_line_is_accepted_and_told() {
    let produced = PROGRAM.throwable("shop.Lines");
    let mut logged = produced.clone();
    at_line(&mut logged.frames[0], PROGRAM.line("fail-1"));
    let agreement = compare(&logged, &produced);
    assert_eq!((agreement.level, agreement.relaxations), (2, Relaxation::ShiftedLine.into()));
    // Only the line that can do it stands for the logged one.
    let agreement = compare(&produced, &logged);
    assert_eq!((agreement.level, agreement.relaxations), (0, Relaxations::default()));
}

#[test]
fn lambdas_may_be_numbered_differently() {
    let lambda = |it: &mut Throwable, name: &str| {
        let frame = it.frames.iter_mut().find(|it| it.method.starts_with("lambda$")).expect("a lambda");
        frame.method = name.to_owned();
    };
    let frames = PROGRAM.throwable("shop.Lambdas").frames.len();
    assert_eq!(changed("shop.Lambdas", |it| lambda(it, "lambda$crash$7")).level, frames);
    assert_eq!(changed("shop.Lambdas", |it| lambda(it, "lambda$null$0")).level, frames);
    assert_eq!(changed("shop.Lambdas", |it| lambda(it, "lambda$other$0")).level, 0);
    assert_eq!(changed("shop.Lambdas", |it| lambda(it, "crash")).level, 0);
}

/// A project over a library, of which there are two builds: the older has another line and lacks a
/// frame.
const OVER_LIBRARY: &str = r#"package shop;

import harness.Harness.Crash;

class Rule implements lib.Engine.Step, Crash {
    public void step() {
        throw new IllegalStateException();
    }
    public void crash() {
        new lib.Engine().run(this);
    }
}
"#;
const ENGINE: [&str; 2] = [
    "package lib;
public class Engine {
    public interface Step { void step(); }
    private int runs;
    public void run(Step step) {
        runs++;
        step.step();
    }
}",
    "package lib;
public class Engine {
    public interface Step { void step(); }
    private int runs;
    /** Runs it. */
    public void run(Step step) {
        runs++;
        runs--;
        runs++;
        inner(step);
    }
    void inner(Step step) { step.step(); }
}",
];

/// The classes of the project, and of each build of the library.
fn builds() -> (ClassBytes, [ClassBytes; 2]) {
    let mut project = ClassBytes::new();
    let libraries = ENGINE.map(|engine| {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file = folder.path().join("Engine.java");
        std::fs::write(&file, engine).expect("a source");
        javac(&[file], folder.path(), &[]);
        let all = compile(OVER_LIBRARY, folder.path(), &["-cp", &folder.path().to_string_lossy()]);
        let (library, own) = all.into_iter().partition(|(name, _)| name.starts_with("lib/"));
        project = own;
        library
    });
    (project, libraries)
}

fn library_trace(frames: &[(&str, &str, u32)]) -> Throwable {
    let frame = |&(class, method, line): &(&str, &str, u32)| {
        let mut frame = Frame { class: class.to_owned(), method: method.to_owned(), ..Frame::default() };
        at_line(&mut frame, line);
        frame
    };
    let class = "java.lang.IllegalStateException".to_owned();
    Throwable { class, frames: frames.iter().map(frame).collect(), ..Throwable::default() }
}

const OLD: [(&str, &str, u32); 3] =
    [("shop.Rule", "step", 7), ("lib.Engine", "run", 7), ("shop.Rule", "crash", 10)];
const NEW: [(&str, &str, u32); 4] = [
    ("shop.Rule", "step", 7),
    ("lib.Engine", "inner", 12),
    ("lib.Engine", "run", 10),
    ("shop.Rule", "crash", 10),
];

#[test]
fn the_log_of_another_build_of_a_library_agrees_by_class_and_method() {
    let (project, [_, newer]) = builds();
    let class_path =
        TestClassPath::new(vec![Entry::directory("classes", project), Entry::jar("lib.jar", None, newer)]);
    let (classes, logged) = (Classes::new(&class_path), library_trace(&OLD));
    let audited = audit(&class_path, &logged);
    let relaxations: Vec<_> = audited.frames.iter().map(|it| it.relaxation).collect();
    assert_eq!(relaxations, [None, Some(Relaxation::LibraryLines), None]);
    assert_eq!(audited.highest_target_frame, Some(3));
    let goal = Goal::new(&classes, &logged, &audited);
    let relaxed = |produced: &[(&str, &str, u32)]| {
        let produced = library_trace(produced);
        let agreement = goal.agreement(&produced.class, &produced.frames);
        (agreement.level, agreement.relaxations.iter().collect::<Vec<_>>())
    };
    assert_eq!(relaxed(&NEW), (3, vec![Relaxation::LibraryLines, Relaxation::LibraryFrames]));
    let mut other_line = NEW;
    other_line[3].2 = 9;
    assert_eq!(relaxed(&other_line).0, 2, "lines of the project count");
    let between = [NEW[0], ("shop.Rule", "crash", 10), NEW[1], NEW[2], NEW[3]];
    assert_eq!(relaxed(&between).0, 1, "and so do frames of the project");
}

#[test]
fn the_log_of_the_same_build_of_a_library_agrees_to_the_letter() {
    let (project, [older, newer]) = builds();
    for (library, trace) in [(older, &OLD[..]), (newer, &NEW[..])] {
        let class_path = TestClassPath::new(vec![
            Entry::directory("classes", project.clone()),
            Entry::jar("lib.jar", None, library),
        ]);
        let (classes, logged) = (Classes::new(&class_path), library_trace(trace));
        let goal = Goal::new(&classes, &logged, &audit(&class_path, &logged));
        let agreement = goal.agreement(&logged.class, &logged.frames);
        assert_eq!((agreement.level, agreement.relaxations), (trace.len(), Relaxations::default()));
        let other = library_trace(if trace.len() == 3 { &NEW } else { &OLD });
        assert_eq!(goal.agreement(&other.class, &other.frames).level, 1);
    }
}

#[test]
fn a_library_method_that_cannot_do_it_blocks_the_frames_above() {
    let (project, [older, _]) = builds();
    let class_path =
        TestClassPath::new(vec![Entry::directory("classes", project), Entry::jar("lib.jar", None, older)]);
    // The method exists, but calls nothing that leads to the frame below.
    let mut logged = library_trace(&OLD);
    logged.frames[1].method = "<init>".to_owned();
    let audited = audit(&class_path, &logged);
    assert_eq!((audited.frames[1].relaxation, audited.highest_target_frame), (None, Some(1)));
}

#[test]
fn a_jar_is_a_misfit_for_the_log_of_another_release_alone() {
    let (project, releases) = builds();
    let [older, newer] = releases.map(|library| {
        let jar = Entry::jar("lib.jar", None, library);
        TestClassPath::new(vec![Entry::directory("classes", project.clone()), jar])
    });
    for (own, other, trace, of_jar) in [(&older, &newer, &OLD[..], 1), (&newer, &older, &NEW[..], 2)] {
        let logged = library_trace(trace);
        let throwables = [&logged];
        assert!(misfits(&Classes::new(own), &Scope::Directories, &throwables).is_empty());
        let misfits = misfits(&Classes::new(other), &Scope::Directories, &throwables);
        let [misfit] = misfits.as_slice() else { panic!("{misfits:?}") };
        assert_eq!((misfit.jar.as_str(), misfit.frames(), misfit.fitting), ("lib.jar", of_jar, 0));
        assert_eq!(fitting_frames(&Classes::new(own), &throwables, misfit), of_jar);
        assert_eq!(fitting_frames(&Classes::new(other), &throwables, misfit), 0);
    }
}
