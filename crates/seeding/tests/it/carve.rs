//! Test cases that are carved from tests.

use std::sync::LazyLock;

use crashback_program::Origins;
use crashback_program::frames::Scope;
use crashback_seeding::{Carved, TestClasses, carve};
use crashback_testcase::workshop::Tuning;
use crashback_testcase::{Context, Vocabulary, check};

use crate::support::Program;

/// A program, and annotations and assertions in the place of real frameworks.
const PROGRAM: [(&str, &str); 10] = [
    (
        "post/Desk.java",
        "package post;
public class Desk {
    public int rank;
    public final java.util.List<String> notes = new java.util.ArrayList<>();
    public Desk(String name) {}
    public Desk open(int hour) { return this; }
    public <T> T ask(Class<T> of) { return null; }
    public void post(Object letter) {}
    public int count(String[] all, byte[] raw, char kind) { return 0; }
    void close() {}
    public static Desk shared() { return null; }
    public enum Kind { NEAR, FAR }
    public void sort(Kind kind, long weight, boolean hurry) {}
    public void later(Runnable task) {}
}
",
    ),
    ("org/junit/Test.java", "package org.junit; public @interface Test {}"),
    ("org/junit/Before.java", "package org.junit; public @interface Before {}"),
    (
        "org/junit/Assert.java",
        "package org.junit;
public class Assert {
    public static void assertEquals(Object a, Object b) {}
    public static void fail() { throw new AssertionError(); }
    public interface Code { void run() throws Throwable; }
    public static void assertThrows(Class<?> type, Code code) {}
}
",
    ),
    (
        "junit/framework/TestCase.java",
        "package junit.framework;
public class TestCase {
    public TestCase(String name) {}
    public TestCase() {}
    protected void setUp() throws Exception {}
    public static void assertTrue(boolean it) {}
}
",
    ),
    ("org/junit/jupiter/api/Test.java", "package org.junit.jupiter.api; public @interface Test {}"),
    (
        "org/junit/jupiter/api/BeforeEach.java",
        "package org.junit.jupiter.api; public @interface BeforeEach {}",
    ),
    ("org/testng/annotations/Test.java", "package org.testng.annotations; public @interface Test {}"),
    (
        "org/testng/annotations/BeforeMethod.java",
        "package org.testng.annotations; public @interface BeforeMethod {}",
    ),
    ("post/Shelf.java", "package post; public class Shelf { public Shelf put(Desk desk) { return this; } }"),
];

static POST: LazyLock<Program> = LazyLock::new(|| Program::compile(&PROGRAM));

const LOG: &str = "java.lang.IllegalStateException: closed
\tat post.Desk.open(Desk.java:6)
";

/// What given tests are carved into: all of them, by name, as text.
fn carved(files: &[(&str, &str)]) -> (Carved, Vec<(String, String)>) {
    let given = POST.compile_beside(files);
    let tests = TestClasses { given: Some(given), ..TestClasses::default() };
    let (mut vocabulary, tuning) = (Vocabulary::default(), Tuning::default());
    let audit = POST.audit(LOG);
    let origins = Origins::new(&POST.classes, &Scope::Directories);
    let carved = carve(&POST.classes, &origins, &audit, &tests, &mut vocabulary, &tuning);
    let shown = carved.tests.iter().map(|it| {
        let package = it.name.split('.').next().unwrap();
        let context = Context::new(POST.classes.index(), if package == "post" { "post" } else { "" });
        assert_eq!(check(&it.case, &vocabulary, &context), Ok(()), "{}", it.name);
        (it.name.clone(), it.case.display(&vocabulary).to_string())
    });
    let shown = shown.collect();
    (carved, shown)
}

/// Checks the calls of the only test of a class, without the variables that they are assigned to.
fn check_calls(members: &str, expected: &[&str]) {
    let source = format!(
        "package post; import static org.junit.Assert.*; import org.junit.*; import java.util.*;
public class DeskTest {{ {members} }}"
    );
    let (carved, shown) = carved(&[("post/DeskTest.java", &source)]);
    let [(_, text)] = shown.as_slice() else { panic!("{shown:?}: {:?}", carved.given) };
    assert_eq!(without_literals(text), expected, "{:?}", carved.given);
}

/// The statements of a test, with literals where they are used and without the types of variables.
fn without_literals(text: &str) -> Vec<String> {
    let mut literals: Vec<(&str, &str)> = Vec::new();
    let mut statements = Vec::new();
    for line in text.lines().map(|it| it.trim_end_matches(';')) {
        let (declared, value) = line.split_once(" = ").unwrap_or(("", line));
        let name = declared.split_once(' ').map(|(_, name)| name);
        let is_literal = value.starts_with(['"', '\'', '-']) || value.starts_with("new byte[] ");
        let is_literal = is_literal || value.parse::<f64>().is_ok() || value.ends_with('L');
        if let Some(name) = name.filter(|_| is_literal || ["true", "false", "null"].contains(&value)) {
            literals.push((name, value));
            continue;
        }
        let statement = match name {
            Some(name) => format!("{name} = {value}"),
            None => line.to_owned(),
        };
        // Later names first: `int1` is the beginning of `int12`.
        let written = literals.iter().rev().fold(statement, |it, (name, value)| it.replace(name, value));
        statements.push(written);
    }
    statements
}

#[test]
fn calls_fields_arrays_and_literals_are_carved() {
    check_calls(
        "@Test public void all() {
            Desk desk = new Desk(\"a\" + 1);
            desk.rank = 7;
            assertEquals(desk.rank, 7);
            desk.sort(Desk.Kind.FAR, 5L, true);
            int n = desk.count(new String[] {\"x\", null}, new byte[] {1, -2}, 'c');
            assertEquals(3, n);
        }",
        &[
            "desk1 = new Desk(\"a1\")",
            "desk1.rank = 7",
            "kind4 = Desk.Kind.FAR",
            "desk1.sort(kind4, 5L, true)",
            "texts8 = new String[2]",
            "texts8[0] = \"x\"",
            "int13 = desk1.count(texts8, new byte[] {1, -2}, 'c')",
        ],
    );
}

#[test]
fn preparations_fields_and_helpers_are_gone_into() {
    check_calls(
        "private Desk desk; private static final Shelf SHELF = new Shelf(); private int hour = 3;
        @Before public void open() { desk = made(\"b\"); }
        private Desk made(String name) { return new Desk(name).open(hour); }
        @Test public void puts() { for (int i = 0; i < 2; i++) { SHELF.put(desk).put(other(i)); } }
        private static Desk other(int n) { return n == 0 ? Desk.shared() : null; }",
        &[
            "shelf0 = new Shelf()",
            "desk2 = new Desk(\"b\")",
            "desk4 = desk2.open(3)",
            "shelf5 = shelf0.put(desk4)",
            "desk6 = Desk.shared()",
            "shelf7 = shelf5.put(desk6)",
            "shelf8 = shelf0.put(desk4)",
            "shelf10 = shelf8.put(null)",
        ],
    );
}

#[test]
fn assertions_go_and_the_code_in_them_stays() {
    check_calls(
        "@Test public void fails() {
            Desk desk = new Desk(null);
            assertThrows(IllegalStateException.class, () -> desk.open(25));
            assertThrows(IllegalStateException.class, desk::close);
            try { desk.open(26); fail(); } catch (IllegalStateException expected) { desk.rank = 1; }
            if (desk.rank > 2) { throw new AssertionError(); }
            assertEquals(0, desk.notes.size());
        }",
        &[
            "desk1 = new Desk(null)",
            "desk3 = desk1.open(25)",
            "desk1.close()",
            "desk6 = desk1.open(26)",
            "list7 = desk1.notes",
            "int8 = list7.size()",
        ],
    );
}

#[test]
fn unknown_conditions_are_entered_once() {
    check_calls(
        "@Test public void loops() {
            Desk desk = new Desk(\"c\");
            for (String note : desk.notes) { desk.post(note); }
            while (desk.rank < 9) { desk.open(1); }
            if (desk.notes.isEmpty()) { desk.open(2); } else { desk.open(3); }
        }",
        &[
            "desk1 = new Desk(\"c\")",
            "list2 = desk1.notes",
            "iterator3 = list2.iterator()",
            "boolean4 = iterator3.hasNext()",
            "object5 = iterator3.next()",
            "text6 = (String) object5",
            "desk1.post(text6)",
            "boolean8 = iterator3.hasNext()",
            "desk10 = desk1.open(1)",
            "list11 = desk1.notes",
            "boolean12 = list11.isEmpty()",
            "desk14 = desk1.open(2)",
        ],
    );
}

#[test]
fn tests_of_all_frameworks_are_found() {
    let old = "package post; public class OldTest extends junit.framework.TestCase {
        private Desk desk; public OldTest(String name) { super(name); }
        protected void setUp() { desk = new Desk(\"old\"); }
        public void testOpen() { assertTrue(desk.open(1) != null); } public void helper() {} }";
    let jupiter = "package post; import org.junit.jupiter.api.*; class NewTest {
        Desk desk; @BeforeEach void make() { desk = new Desk(\"new\"); } @Test void opens() { desk.open(2); }
        class Inner { @Test void closes() { desk.close(); } } }";
    let testng = "package post; import org.testng.annotations.*; @Test public class NgTest {
        Desk desk; @BeforeMethod public void make() { desk = new Desk(\"ng\"); }
        public void opens() { desk.open(3); } }";
    let plain = "import post.Desk; class Plain { public static void main(String[] all) {
        new Desk(\"plain\").post(all); } static void helper() { Desk.shared(); } }";
    let files = [
        ("post/OldTest.java", old),
        ("post/NewTest.java", jupiter),
        ("post/NgTest.java", testng),
        ("Plain.java", plain),
    ];
    let (carved, shown) = carved(&files);
    let has = |name: &str, call: &str| {
        let found = shown.iter().find(|it| it.0 == name);
        let calls = found.map(|it| without_literals(&it.1).join("\n")).unwrap_or_default();
        assert!(calls.contains(call), "{name}: {calls} {:?}", carved.given);
    };
    has("post.OldTest.testOpen", "new Desk(\"old\")");
    has("post.OldTest.testOpen", ".open(1)");
    has("post.NewTest.opens", "new Desk(\"new\")");
    has("post.NewTest$Inner.closes", "new Desk(\"new\")");
    has("post.NewTest$Inner.closes", ".close()");
    has("post.NgTest.opens", "new Desk(\"ng\")");
    has("Plain.main", ".post(");
    assert_eq!(shown.len(), 5, "{shown:?}");
}

#[test]
fn what_no_test_case_can_express_is_left_out_with_a_reason() {
    let source = "package post; import org.junit.*;
public class DeskTest {
    static class Letter {}
    @Test public void posts() throws Exception {
        Desk desk = new Desk(\"d\");
        desk.post(new Letter());
        desk.later(() -> desk.open(1));
        desk.open(desk.rank + 1);
        desk.open(4);
        System.exit(desk.rank);
    }
    @Test public void hangs() { Desk desk = new Desk(\"e\"); while (true) { int ignored = 0; } }
}
";
    let (carved, shown) = carved(&[("post/DeskTest.java", source)]);
    let [hangs, posts] = ["hangs", "posts"].map(|name| {
        let name = format!("post.DeskTest.{name}");
        let text = without_literals(&shown.iter().find(|it| it.0 == name).unwrap().1).join("\n");
        (text, carved.given.iter().find(|it| it.name == name).unwrap().left_out.join("\n"))
    });
    assert!(hangs.0.contains("new Desk(\"e\")"), "{hangs:?}");
    assert!(hangs.1.contains("goes on for too long"), "{hangs:?}");
    let (text, left_out) = posts;
    assert!(text.contains(".open(4)") && !text.contains("post(") && !text.contains("later("), "{text}");
    for reason in [
        "line 6: post.Desk.post is given an object of post.DeskTest$Letter, which is a class of the test",
        "line 7: post.Desk.later is given a lambda",
        "line 8: post.Desk.open is given a value that is computed",
        "line 10: java.lang.System.exit ends the JVM",
    ] {
        assert!(left_out.contains(reason), "{reason} is not in {left_out}");
    }
}

#[test]
fn tests_of_the_project_are_found_where_they_lie() {
    let test = "package post; import org.junit.*; public class DeskTest {
        @Test public void opens() { new Desk(\"own\").open(5); } }";
    let files: Vec<(&str, &str)> = PROGRAM.into_iter().chain([("post/DeskTest.java", test)]).collect();
    let program = Program::compile(&files);
    let audit = program.audit(LOG);
    let origins = Origins::new(&program.classes, &Scope::Directories);
    let (tests, mut vocabulary) = (TestClasses::default(), Vocabulary::default());
    let mut tuning = Tuning::default();
    let own = carve(&program.classes, &origins, &audit, &tests, &mut vocabulary, &tuning);
    assert_eq!((own.looked_at, own.tests.len(), own.given.len()), (1, 1, 0));
    assert!(own.tests.iter().all(|it| !it.is_given));
    // Beside the program, they are on the class path for tests.
    let path = Some(POST.compile_beside(&[("post/DeskTest.java", test)]));
    let beside = TestClasses { path, ..TestClasses::default() };
    let origins = Origins::new(&POST.classes, &Scope::Directories);
    let found = carve(&POST.classes, &origins, &POST.audit(LOG), &beside, &mut vocabulary, &tuning);
    assert_eq!(found.tests.len(), 1);
    assert_eq!(found.tests.first().map(|it| &it.case), own.tests.first().map(|it| &it.case));
    (tuning.source_clones, tuning.source_carved) = (false, false);
    let none = carve(&POST.classes, &origins, &POST.audit(LOG), &beside, &mut vocabulary, &tuning);
    assert!(none.tests.is_empty());
}
