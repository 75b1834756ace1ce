//! Values that were recorded outside of the program.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crashback_program::frames::CrashAudit;
use crashback_seeding::{Files, Records, pools, recorded_arguments};
use crashback_testcase::workshop::{RecordedValues, Tuning};
use crashback_testcase::{Literal, Text};
use crashback_trace::RecordedCall;

use crate::support::Program;

static PROGRAM: LazyLock<Program> = LazyLock::new(|| {
    Program::compile(&[
        (
            "quay/Crane.java",
            "package quay;
public class Crane {
    public int lift(String box, long weight, char hall, Object note) { return box.length(); }
}
",
        ),
        (
            "quay/CraneTest.java",
            "package quay;
class CraneTest {
    int lifts(int x) { return new Crane().lift(\"K-77\" + x + \"!\", 1234567L, 'a', file(\"boxes.txt\")); }
    Object file(String name) { return name; }
}
",
        ),
        (
            "quay/Other.java",
            "package quay;
class Other { double half() { return \"far\".length() * 2.75; } }
",
        ),
        ("quay/Boat.java", "package quay;\nclass Boat { }\n"),
    ])
});

const CRASH: &str = "java.lang.NullPointerException\n\tat quay.Crane.lift(Crane.java:3)\n";

fn audit() -> CrashAudit {
    PROGRAM.audit(CRASH)
}

/// Files in memory.
#[derive(Default)]
struct InMemory(BTreeMap<String, Vec<u8>>);

impl Files for InMemory {
    fn paths(&self) -> Vec<String> {
        self.0.keys().cloned().collect()
    }

    fn read(&self, path: &str, most: usize) -> Option<Vec<u8>> {
        self.0.get(path).filter(|it| it.len() <= most).cloned()
    }
}

fn files(files: &[(&str, &str)]) -> Vec<Box<dyn Files>> {
    let files = files.iter().map(|(path, content)| ((*path).to_owned(), content.as_bytes().to_vec()));
    vec![Box::new(InMemory(files.collect()))]
}

/// The recorded values, of the only kind that there is.
fn recorded(records: &Records, tuning: &Tuning) -> RecordedValues {
    let pools = pools(&PROGRAM.classes, &audit(), records, None, tuning);
    assert!(pools.recorded.len() <= 1);
    pools.recorded.into_iter().next().unwrap_or_default()
}

fn texts(values: &RecordedValues) -> Vec<String> {
    values.texts.iter().map(|it| String::from_utf16_lossy(it.units())).collect()
}

#[test]
fn values_of_log_lines_are_texts_and_the_numbers_that_they_may_be() {
    let log_values = ["K-77", "17", "1.5", "inf"].map(str::to_owned).to_vec();
    let records = Records { log_values, ..Records::default() };
    let values = recorded(&records, &Tuning::default());
    assert_eq!(texts(&values), ["K-77", "17", "1.5", "inf"]);
    assert_eq!((values.integers, values.floats), (vec![17], vec![17.0, 1.5]));
    let few = Tuning { log_values: 1, ..Tuning::default() };
    assert_eq!(texts(&recorded(&records, &few)), ["K-77"], "the nearest stay");
    let off = Tuning { source_log_lines: false, ..Tuning::default() };
    assert_eq!(recorded(&records, &off), RecordedValues::default());
}

/// The class files of tests, with other files.
fn tests(others: &[(&str, &str)]) -> Vec<Box<dyn Files>> {
    let mut all = InMemory::default();
    for class in ["quay/Boat", "quay/CraneTest", "quay/Other"] {
        let found = PROGRAM.classes.index().get(class).unwrap();
        let bytes = PROGRAM.classes.source().bytes(found.reference()).unwrap();
        all.0.insert(format!("{class}.class"), bytes.to_vec());
    }
    let others = others.iter().map(|(path, content)| ((*path).to_owned(), content.as_bytes().to_vec()));
    all.0.extend(others);
    vec![Box::new(all)]
}

#[test]
fn literals_of_tests_that_name_classes_of_the_trace_come_first() {
    let others = [("data/far.txt", "far away"), ("quay/boxes.txt", "one\ntwo\n"), ("z/image.png", "\0\0")];
    let records = Records { tests: tests(&others), ..Records::default() };
    let values = recorded(&records, &Tuning::default());
    let found = texts(&values);
    let place =
        |text: &str| found.iter().position(|it| it == text).unwrap_or_else(|| panic!("{text}: {found:?}"));
    assert!(place("boxes.txt") < place("one\ntwo\n"), "{found:?}");
    assert!(place("one\ntwo\n") < place("far away"), "named files come first: {found:?}");
    assert!(place("far away") < place("far"), "{found:?}");
    assert!(place("data/far.txt") > 0 && place("z/image.png") > 0);
    assert!(!found.iter().any(|it| it.contains(['\u{1}', '\0'])), "{found:?}");
    assert_eq!((values.integers, values.floats), (vec![1_234_567], vec![2.75]));
    let off = Tuning { source_test_values: false, ..Tuning::default() };
    assert_eq!(recorded(&records, &off), RecordedValues::default());
    let few_bytes = Tuning { test_kilobytes: 0, test_files: 0, ..Tuning::default() };
    assert_eq!(recorded(&records, &few_bytes), RecordedValues::default());
}

const SOURCE: &str = r#"package quay;

/**
 * Lifts boxes of {@link Hall}s. Codes look like {@code K-{n}}, not like {@code String}; the sign is
 * <code>a&lt;b&amp;c</code>, and {@code "\tx\u0041"} is no code.
 */
public class Crane {
    /** The strongest: {@code 1_234L}, {@code 0x1F} or {@code -2.5f}. */
    static final int MOST = 1;

    /**
     * Lifts.
     * <pre>{@code
     * crane.lift("box 1",
     *     7, 'h', null);
     * }</pre>
     * Unclosed {@code here
     */
    @Deprecated(since = "2")
    public int lift(String box, long weight, char hall, Object note) { return box.length(); }

    /// In lines: `x=1`, or
    /// ```
    /// park("bay 4")
    /// ```
    void park(String bay) {}
}
"#;

#[test]
fn examples_of_documentation_are_values_those_of_the_method_first() {
    let sources =
        files(&[("quay/Crane.java", SOURCE), ("quay/Boat.java", "/** {@code \"boat\"} */ class Boat {}")]);
    let records = Records { sources, ..Records::default() };
    let values = recorded(&records, &Tuning::default());
    let expect = ["box 1", "h", "K-{n}", "a<b&c", "\txA", "1_234L", "0x1F", "-2.5f", "x=1", "bay 4"];
    assert_eq!(texts(&values), expect);
    assert_eq!((values.integers, values.floats), (vec![7, 1234, 31, 1], vec![7.0, 1234.0, -2.5, 1.0]));
    let off = Tuning { source_documentation: false, ..Tuning::default() };
    assert_eq!(recorded(&records, &off), RecordedValues::default());
}

#[test]
fn unfinished_sources_are_read_to_their_end() {
    for source in ["/**", "/** {@code", "/** <pre>\"a", "///", "/** ` */", "/** {@code '\\u12 */ é", ""] {
        let records = Records { sources: files(&[("quay/Crane.java", source)]), ..Records::default() };
        assert_eq!(texts(&recorded(&records, &Tuning::default())), [""; 0], "{source}");
    }
}

fn call(class: &str, arguments: &[&str]) -> RecordedCall {
    let arguments = arguments.iter().map(|it| (*it != "?").then(|| (*it).to_owned())).collect();
    RecordedCall { class: class.to_owned(), method: "lift".to_owned(), arguments }
}

#[test]
fn recorded_arguments_are_literals_of_the_parameters_and_values() {
    let calls = vec![
        call("Crane", &["K-77", "1200", "h", "Note[id=9]"]),
        call("quay.Crane", &["?", "heavy", "hall", "null"]),
        call("Crane", &["too few"]),
        call("Boat", &["other", "1", "b", "c"]),
    ];
    let text = |text: &str| Literal::Text(Text::from(text));
    let arguments = recorded_arguments(&PROGRAM.classes, &audit(), &calls, 1);
    let hall = Literal::Char(u16::from(b'h'));
    assert_eq!(arguments, [vec![text("K-77")], vec![Literal::Long(1200)], vec![hall], Vec::new()]);
    let records = Records { calls, ..Records::default() };
    let values = recorded(&records, &Tuning::default());
    let expect = ["K-77", "1200", "h", "Note[id=9]", "heavy", "hall", "too few", "9"];
    assert_eq!(texts(&values), expect);
    assert_eq!(values.integers, [1200, 9]);
    let off = Tuning { source_recorded_arguments: false, ..Tuning::default() };
    assert_eq!(recorded(&records, &off), RecordedValues::default());
}
