//! Whose code frames are, what the JDK has to do with crashes, and names of exceptions.

use std::path::PathBuf;
use std::sync::LazyLock;

use crashback_classfile::{internal_name, is_jdk_name};
use crashback_program::classes::Classes;
use crashback_program::{Origin, Origins, Scope};
use crashback_trace::Throwable;

use crate::java::javac;
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

class Reflected implements Crash {
    void fail(Class<? extends RuntimeException> type) throws Exception {
        throw type.getDeclaredConstructor().newInstance(); // @Reflected.fail
    }
    public void crash() throws Exception {
        fail(Library.Failure.class); // @Reflected.crash
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

class Used implements Crash {
    static class Limits {
        static final int SIZE = Integer.parseInt("x");
    }
    public void crash() {
        System.out.print(Limits.SIZE); // @Used.crash
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

/// A program in a jar, with a shaded library; tools for it in another jar, with a package that both
/// share; and libraries whose packages look like the JDK's.
static JARS: LazyLock<TestClassPath> = LazyLock::new(|| {
    const JARS: [(&str, &[&str]); 4] = [
        ("app.jar", &["app/Main", "app/deep/Part", "app/shaded/text/Words"]),
        ("tools.jar", &["app/tools/Tool", "app/Also"]),
        ("servlet.jar", &["javax/servlet/Servlet"]),
        ("mail.jar", &["com/sun/mail/Mail"]),
    ];
    let folder = tempfile::tempdir().expect("a temporary folder");
    let empty = |name: &str| {
        let (package, class) = name.rsplit_once('/').expect("a package");
        let file = folder.path().join(format!("{}.java", class));
        let source = format!("package {}; class {class} {{ }}", package.replace('/', "."));
        std::fs::write(&file, source).expect("the source can be written");
        file
    };
    let files: Vec<PathBuf> =
        JARS.iter().flat_map(|(_, classes)| classes.iter().map(|it| empty(it))).collect();
    javac(&files, folder.path(), &[]);
    let bytes =
        |name: &str| std::fs::read(folder.path().join(name).with_extension("class")).expect("a class");
    let jar = |(jar, classes): (&str, &[&str])| {
        Entry::jar(jar, None, classes.iter().map(|&it| (it.to_owned(), bytes(it).into())).collect())
    };
    TestClassPath::new(JARS.map(jar).into())
});

/// A crash with frames of these classes.
fn crash(classes: &[&str]) -> Throwable {
    let frames: String = classes.iter().map(|it| format!("\n\tat {it}.run(File.java:1)")).collect();
    let log = crashback_trace::parse(format!("java.lang.IllegalStateException{frames}").as_bytes());
    log.crashes[0].outermost().expect("an exception").clone()
}

#[test]
fn jars_that_hold_frames_are_the_project_where_the_scope_says_nothing() {
    use Origin::{Jdk, Library, Project};
    let classes = Classes::new(&*JARS);
    let origins = Origins::of_crash(&classes, &Scope::Everything, &crash(&["app.Main", "java.util.List"]));
    for (class, expected) in [
        ("app/Main", Project),
        ("app/deep/Part", Project),
        ("app/shaded/text/Words", Project),
        ("[[Lapp/Main;", Project),
        // Another jar, though its packages begin alike.
        ("app/tools/Tool", Library),
        ("app/Also", Library),
        // Not on the class path.
        ("app/Missing", Library),
        ("javax/servlet/Servlet", Library),
        ("com/sun/mail/Mail", Library),
        ("java/util/List", Jdk),
        ("[I", Jdk),
        // Parts of the JDK that this class path lacks.
        ("com/sun/crypto/provider/AESCipher", Jdk),
        ("javax/swing/JFrame", Jdk),
    ] {
        assert_eq!(origins.origin(class), expected, "{class}");
        // Once more, as known.
        assert_eq!(origins.origin(class), expected, "{class}");
    }
    let before_the_crash = Origins::new(&classes, &Scope::Everything);
    assert_eq!(before_the_crash.origin("app/tools/Tool"), Project);
    assert_eq!(before_the_crash.origin("java/util/List"), Jdk);
    assert_eq!(before_the_crash.origin("app/Missing"), Library);
}

#[test]
fn names_decide_about_the_project_where_the_scope_is_one_of_names() {
    use Origin::{Jdk, Library, Project};
    let classes = Classes::new(&*JARS);
    let packages = Scope::Packages(vec!["app".to_owned(), "javax".to_owned()]);
    // No frame makes a difference.
    let origins = Origins::of_crash(&classes, &packages, &crash(&["com.sun.mail.Mail"]));
    for (class, expected) in [
        ("app/shaded/text/Words", Project),
        ("app/tools/Tool", Project),
        ("app/Missing", Project),
        ("javax/servlet/Servlet", Project),
        ("javax/swing/JFrame", Jdk),
        ("com/sun/mail/Mail", Library),
        ("application/Main", Library),
    ] {
        assert_eq!(origins.origin(class), expected, "{class}");
    }
    assert!(origins.is_project("app/Main") && origins.is_jdk("java/lang/Object"));
    let matching = Scope::Matching(Box::new(|class| class.ends_with(".Main")));
    let origins = Origins::new(&classes, &matching);
    assert_eq!(origins.origin("app/Main"), Project);
    assert_eq!(origins.origin("app/deep/Part"), Library);
    let directories = Origins::new(&classes, &Scope::Directories);
    assert_eq!(directories.origin("app/Main"), Library);
}

#[test]
fn few_names_cover_the_project() {
    let classes = Classes::new(&*JARS);
    let names = |scope: &Scope| Origins::of_crash(&classes, scope, &crash(&["app.Main"])).project_names();
    assert_eq!(names(&Scope::Everything), ["app/Main", "app/deep/", "app/shaded/"]);
    assert_eq!(names(&Scope::Packages(vec!["app".to_owned()])), ["app/"]);
    assert_eq!(names(&Scope::Packages(vec!["app.tools".to_owned()])), ["app/tools/"]);
    assert_eq!(names(&Scope::Directories), [""; 0]);
}

#[test]
fn frames_of_libraries_are_no_targets_and_no_obstacles() {
    check_audit(&PROGRAM, "library", &audit(&PARTED, &PROGRAM.throwable("shop.Uses")),
        "
         1 Library.work()V: library, package, callable, constructs, escapes, code of a library, not of the project
         2 Uses.use()V @Uses.use: package, callable, calls shop.Library.work, escapes, target
         3 Uses.crash()V @Uses.crash: public, callable, calls shop.Uses.use, escapes, target
         aim 3, highest 3
        ");
}

#[test]
fn frames_of_the_jdk_lead_on() {
    check(&PROGRAM, "shop.Parse",
        "
         1 Parse.parse(Ljava/lang/String;)I @Parse.parse: package, callable, calls java.lang.Integer.parseInt, escapes, target
         2 Parse.crash()V @Parse.crash: public, callable, calls shop.Parse.parse, escapes, target
         aim 2, highest 2
        ");
    check(&PROGRAM, "shop.Sort",
        "
         1 Sort.compare(Ljava/lang/String;Ljava/lang/String;)I @Sort.compare: package, callable, by invokevirtual, escapes, target
         2 Sort.sort(Ljava/util/List;)V @Sort.sort: package, callable, calls java.util.List.sort, escapes, target
         3 Sort.crash()V @Sort.crash: public, callable, calls shop.Sort.sort, escapes, target
         aim 3, highest 3
        ");
    check(&PROGRAM, "shop.ForName",
        "
         1 ForName$Registered.<clinit>()V @Registered.SIZE: static-initializer, static-nested, package, through ForName.Registered.SIZE or new ForName.Registered(), calls java.lang.Integer.parseInt, cause, (what leaves a static initialiser is wrapped in ExceptionInInitializerError), target
         2 ForName.load(Ljava/lang/String;)V @ForName.load: package, callable, calls java.lang.Class.forName, cause, target
         3 ForName.crash()V @ForName.crash: public, callable, calls shop.ForName.load, cause, target
         aim 3, highest 3
        ");
}

/// The audit of a trace from whose log the frames of the JDK were cut.
fn check_cut(case: &str, expected: &str) {
    let mut throwable = PROGRAM.throwable(case);
    throwable.frames.retain(|it| !is_jdk_name(&internal_name(&it.class)));
    check_audit(&PROGRAM, case, &audit(&PROGRAM.class_path, &throwable), expected);
}

#[test]
fn frames_of_the_jdk_may_be_cut() {
    check_cut("shop.Parse",
        "
         1 Parse.parse(Ljava/lang/String;)I @Parse.parse: package, callable, through-jdk java.lang.Integer.parseInt, escapes, target
         2 Parse.crash()V @Parse.crash: public, callable, calls shop.Parse.parse, escapes, target
         aim 2, highest 2
        ");
    check_cut("shop.Sort",
        "
         1 Sort.compare(Ljava/lang/String;Ljava/lang/String;)I @Sort.compare: package, callable, by invokevirtual, escapes, target
         2 Sort.sort(Ljava/util/List;)V @Sort.sort: package, callable, through-jdk java.util.List.sort, escapes, target
         3 Sort.crash()V @Sort.crash: public, callable, calls shop.Sort.sort, escapes, target
         aim 3, highest 3
        ");
    check_cut("shop.ForName",
        "
         1 ForName$Registered.<clinit>()V @Registered.SIZE: static-initializer, static-nested, package, through ForName.Registered.SIZE or new ForName.Registered(), through-jdk java.lang.Integer.parseInt, cause, (what leaves a static initialiser is wrapped in ExceptionInInitializerError), target
         2 ForName.load(Ljava/lang/String;)V @ForName.load: package, callable, through-jdk java.lang.Class.forName, cause, target
         3 ForName.crash()V @ForName.crash: public, callable, calls shop.ForName.load, cause, target
         aim 3, highest 3
        ");
    check_cut("shop.Reflected",
        "
         1 Reflected.fail(Ljava/lang/Class;)V @Reflected.fail: package, callable, through-jdk java.lang.reflect.Constructor.newInstance, escapes, target
         2 Reflected.crash()V @Reflected.crash: public, callable, calls shop.Reflected.fail, escapes, target
         aim 2, highest 2
        ");
    check_cut("shop.OrElseThrow",
        "
         1 OrElseThrow.find(Ljava/util/Optional;)Ljava/lang/Object; @OrElseThrow.find: package, callable, indirectly dynamically linked get, escapes, target
         2 OrElseThrow.crash()V @OrElseThrow.crash: public, callable, calls shop.OrElseThrow.find, escapes, target
         aim 2, highest 2
        ");
}

#[test]
fn exceptions_may_be_made_through_references() {
    check(&PROGRAM, "shop.Made",
        "
         1 Made.raise(Ljava/util/function/Supplier;)V @Made.raise: package, callable, indirectly java.util.function.Supplier.get, escapes, target
         2 Made.crash()V @Made.crash: public, callable, calls shop.Made.raise, escapes, target
         aim 2, highest 2
        ");
    check(&PROGRAM, "shop.OrElseThrow",
        "
         1 OrElseThrow.find(Ljava/util/Optional;)Ljava/lang/Object; @OrElseThrow.find: package, callable, calls java.util.Optional.orElseThrow, escapes, target
         2 OrElseThrow.crash()V @OrElseThrow.crash: public, callable, calls shop.OrElseThrow.find, escapes, target
         aim 2, highest 2
        ");
}

#[test]
fn nothing_is_asked_of_lines_beside_omitted_frames() {
    let mut throwable = PROGRAM.throwable("shop.Uses");
    throwable.frames.remove(1);
    throwable.frames[0].omitted_after = 1;
    check_audit(
        &PROGRAM,
        "omitted",
        &audit(&PROGRAM.class_path, &throwable),
        "
         1 Library.work()V @Library.work: package, callable, constructs, escapes, target
         2 Uses.crash()V @Uses.crash: public, callable, escapes, target
         aim 2, highest 2
        ",
    );
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
    // Not throwable, unknown, of another package.
    assert_eq!(named("Library"), (None, false));
    assert_eq!(named("NoSuchFailure"), (None, false));
    assert_eq!(named("com.acme.Failure"), (None, false));
}

#[test]
fn simple_names_of_several_exceptions_name_none() {
    const SOURCE: &str = r#"package shop;
class One { static class Failure extends RuntimeException { } }
class Two { static class Failure extends RuntimeException { } }
class Raise implements harness.Harness.Crash {
    public void crash() { throw new Two.Failure(); }
}
"#;
    let program = Program::run(SOURCE);
    let mut throwable = program.throwable("shop.Raise");
    throwable.class = "Failure".to_owned();
    assert_eq!(audit(&program.class_path, &throwable).exception_class, None);
}

#[test]
fn the_failure_of_an_initialiser_is_thrown_where_the_class_is_used() {
    let log = crashback_trace::parse(PROGRAM.log("shop.Used").as_bytes());
    let mut throwable = log.crashes[0].outermost().expect("an exception").clone();
    throwable.frames.retain(|it| !it.class.starts_with("harness."));
    check_audit(
        &PROGRAM,
        "error",
        &audit(&PROGRAM.class_path, &throwable),
        "
         1 Used.crash()V @Used.crash: public, callable, by getstatic, escapes, target
         aim 1, highest 1
        ",
    );
}

#[test]
fn the_innermost_exception_with_frames_of_the_project_is_chosen() {
    // The failed initialiser's cause is looked at, which has the frames.
    let throwable = PROGRAM.throwable("shop.ForName");
    assert_eq!(throwable.class, "java.lang.NumberFormatException");
}
