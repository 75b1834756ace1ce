//! Whose code frames are, what the JDK has to do with crashes, and names of exceptions.

use std::sync::LazyLock;

use crashback_program::frames::{Origin, Scope};

use crate::program::{ClassBytes, Entry, Program, TestClassPath, audit, audit_in, compile};
use crate::table::{check, check_audit};

static PROGRAM: LazyLock<Program> = LazyLock::new(|| Program::run(SOURCE));

const SOURCE: &str = r#"package shop;

import harness.Harness.Crash;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

class Library {
    static class Failure extends RuntimeException { }
    static void work() {
        throw new Failure(); // @Library.work
    }
}

class Uses implements Crash {
    void use() {
        Library.work(); // @Uses.use
    }
    public void crash() {
        use(); // @Uses.crash
    }
}

class Parse implements Crash {
    int parse(String text) {
        return Integer.parseInt(text); // @Parse.parse
    }
    public void crash() {
        parse("x"); // @Parse.crash
    }
}

class Sort implements Crash {
    static int compare(String a, String b) {
        return a.length() - b.length(); // @Sort.compare
    }
    void sort(List<String> list) {
        list.sort(Sort::compare); // @Sort.sort
    }
    public void crash() {
        List<String> list = new ArrayList<>();
        list.add(null);
        list.add(null);
        sort(list); // @Sort.crash
    }
}

class Made implements Crash {
    static <T extends Throwable> void raise(Supplier<T> maker) throws T {
        throw maker.get(); // @Made.raise
    }
    public void crash() throws Throwable {
        raise(Library.Failure::new); // @Made.crash
    }
}

class OrElseThrow implements Crash {
    Object find(Optional<Object> found) {
        return found.orElseThrow(Library.Failure::new); // @OrElseThrow.find
    }
    public void crash() {
        find(Optional.empty()); // @OrElseThrow.crash
    }
}

class ForName implements Crash {
    static class Registered {
        static final int SIZE = Integer.parseInt("x"); // @Registered.SIZE
    }
    void load(String name) throws Exception {
        Class.forName(name); // @ForName.load
    }
    public void crash() throws Exception {
        load("shop.ForName$Registered"); // @ForName.crash
    }
}

class Overflow implements Crash {
    int depth(int n) {
        int next = n + 1; // @Overflow.entry
        return depth(next) + 1; // @Overflow.depth
    }
    public void crash() {
        depth(0);
    }
}
"#;

fn origins(class_path: &TestClassPath, scope: &Scope, case: &str) -> Vec<Origin> {
    let audit = audit_in(class_path, scope, &PROGRAM.throwable(case));
    audit.frames.iter().map(|it| it.origin).collect()
}

/// The library in a jar of its own.
static PARTED: LazyLock<TestClassPath> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (library, own): (ClassBytes, ClassBytes) = compile(SOURCE, folder.path(), &[])
        .into_iter()
        .partition(|(name, _)| name.starts_with("shop/Library"));
    TestClassPath::new(vec![
        Entry::directory("classes", own),
        Entry::jar("library-1.0.jar", Some("1.0"), library),
    ])
});

#[test]
fn scopes_tell_the_project_from_its_libraries() {
    use Origin::{Jdk, Library, Project};
    let packages = |names: &[&str]| Scope::Packages(names.iter().map(|&it| it.to_owned()).collect());
    let uses = |scope: &Scope| origins(&PARTED, scope, "shop.Uses");
    assert_eq!(uses(&Scope::Directories), [Library, Project, Project]);
    assert_eq!(uses(&Scope::Everything), [Project, Project, Project]);
    assert_eq!(uses(&packages(&["shop"])), [Project, Project, Project]);
    assert_eq!(uses(&packages(&["shop.Library"])), [Project, Library, Library]);
    assert_eq!(uses(&packages(&["sho", "shop.Use"])), [Library, Library, Library]);
    assert_eq!(uses(&Scope::Matching(Box::new(|it| it.ends_with("Uses")))), [Library, Project, Project]);
    // No scope makes the JDK the project's.
    let everything = Scope::Matching(Box::new(|_| true));
    assert_eq!(*origins(&PARTED, &everything, "shop.Parse").last().expect("frames"), Project);
    assert_eq!(origins(&PARTED, &everything, "shop.Parse")[0], Jdk);
}

#[test]
fn frames_of_libraries_are_no_targets_and_no_obstacles() {
    check_audit(&PROGRAM, "library", &audit(&PARTED, &PROGRAM.throwable("shop.Uses")), "");
}

#[test]
fn frames_of_the_jdk_lead_on() {
    check(&PROGRAM, "shop.Parse", "");
    check(&PROGRAM, "shop.Sort", "");
    check(&PROGRAM, "shop.ForName", "");
}

/// The audit of a trace from whose log the frames of the JDK were cut.
fn check_cut(case: &str, expected: &str) {
    let mut throwable = PROGRAM.throwable(case);
    throwable.frames.retain(|it| !it.class.starts_with("java."));
    check_audit(&PROGRAM, case, &audit(&PROGRAM.class_path, &throwable), expected);
}

#[test]
fn frames_of_the_jdk_may_be_cut() {
    check_cut("shop.Parse", "");
    check_cut("shop.Sort", "");
    check_cut("shop.ForName", "");
    check_cut("shop.OrElseThrow", "");
}

#[test]
fn exceptions_may_be_made_through_references() {
    check(&PROGRAM, "shop.Made", "");
    check(&PROGRAM, "shop.OrElseThrow", "");
}

#[test]
fn nothing_is_asked_of_lines_beside_omitted_frames() {
    let mut throwable = PROGRAM.throwable("shop.Uses");
    throwable.frames.remove(1);
    throwable.frames[0].omitted_after = 1;
    check_audit(&PROGRAM, "omitted", &audit(&PROGRAM.class_path, &throwable), "");
}

#[test]
fn the_stack_may_overflow_anywhere() {
    let audit = PROGRAM.audit("shop.Overflow");
    assert_eq!(audit.exception, "java.lang.StackOverflowError");
    let refuted: Vec<_> = audit.frames.iter().filter(|it| !it.target).map(|it| &it.reason).collect();
    assert!(refuted.is_empty(), "{refuted:?}");
}

#[test]
fn names_of_exceptions_may_lack_their_package() {
    let named = |name: &str| {
        let mut throwable = PROGRAM.throwable("shop.Uses");
        throwable.class = name.to_owned();
        let audit = audit(&PROGRAM.class_path, &throwable);
        (audit.exception_class, audit.frames[0].target)
    };
    assert_eq!(named("shop.Library$Failure"), (Some("shop.Library$Failure".to_owned()), true));
    assert_eq!(named("Failure"), (Some("shop.Library$Failure".to_owned()), true));
    assert_eq!(named("Library$Failure"), (Some("shop.Library$Failure".to_owned()), true));
    assert_eq!(named("IllegalStateException"), (Some("java.lang.IllegalStateException".to_owned()), false));
    assert_eq!(named("DateTimeException"), (Some("java.time.DateTimeException".to_owned()), false));
    // Not throwable, unknown, and ambiguous: java.lang.annotation and java.util.concurrent have none of their own.
    assert_eq!(named("Library"), (None, false));
    assert_eq!(named("NoSuchFailure"), (None, false));
    assert_eq!(named("com.acme.Failure"), (None, false));
}

#[test]
fn the_innermost_exception_with_frames_of_the_project_is_chosen() {
    // The failed initialiser's cause is looked at, which has the frames.
    let throwable = PROGRAM.throwable("shop.ForName");
    assert_eq!(throwable.class, "java.lang.NumberFormatException");
}
