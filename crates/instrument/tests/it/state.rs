//! Which classes have state, and where it is touched.

use std::collections::BTreeSet;

use crashback_classfile::ClassFile;
use crashback_instrument::{ClassPlan, ClassState, Instrumented, Kinds, ProbePlan, StaticField, instrument};

use crate::stress::libraries;
use crate::support::{compile, feature, jdk_homes};

/// Instruments a class, and gives the classes that its code touches or initialises.
fn observe(bytes: &[u8]) -> (Instrumented, BTreeSet<String>) {
    observe_by(bytes, &ProbePlan::everywhere(Kinds::STATE))
}

fn observe_by(bytes: &[u8], plan: &ProbePlan) -> (Instrumented, BTreeSet<String>) {
    let mut named = BTreeSet::new();
    let mut number = |name: &str| {
        named.insert(name.to_owned());
        7
    };
    let result = instrument(bytes, plan, &mut number).unwrap();
    assert!(result.untouched.is_empty(), "{:?}", result.untouched);
    (result, named)
}

fn state(bytes: &[u8]) -> ClassState {
    observe(bytes).0.state.unwrap()
}

/// Compiles the members of a class `Main`, without and with nests (JVMS 4.7.28), and compares the
/// names of those of its member classes that have state with what is expected.
fn check(members: &str, stateful: &[&str]) {
    let source = format!("import java.util.*;\npublic class Main {{\n{members}\n}}\n");
    for (place, home) in jdk_homes().into_iter().enumerate() {
        let newest = feature(&home).to_string();
        // All compilers write Java 8 in the same way.
        let releases = if place == 0 { vec!["8", newest.as_str()] } else { vec![newest.as_str()] };
        for release in releases {
            let classes = compile(&home, &[("Main.java", &source)], &["--release", release]);
            let with_state = classes
                .iter()
                .filter(|(_, bytes)| observe(bytes).0.state.is_some_and(|state| state.stateful));
            let names: BTreeSet<_> = with_state.map(|(name, _)| name.replace("Main$", "")).collect();
            assert_eq!(names, stateful.iter().map(|it| (*it).to_owned()).collect(), "release {release}");
        }
    }
}

#[test]
fn written_fields_are_state() {
    check(
        "static class Constants { static final int ONE = 1; static final String NAME = \"n\" + System.nanoTime(); }
        static class Counter { private static int count; static void more() { count++; } }
        static class Open { static int value; }
        static class Lazy { private static String name; static String name() { if (name == null) name = \"x\"; return name; } }
        static class Instance { int count; void more() { count++; } }",
        &["Counter", "Open", "Lazy"],
    );
}

#[test]
fn what_holds_mutable_objects_is_state() {
    check(
        "static class Immutable {
            static final Integer BOX = Integer.valueOf(5000);
            static final Locale LOCALE = Locale.ROOT;
            static final java.math.BigDecimal DECIMAL = new java.math.BigDecimal(1);
            static final java.time.LocalDate DAY = java.time.LocalDate.of(2000, 1, 1);
            static final java.util.logging.Logger LOG = java.util.logging.Logger.getLogger(\"x\");
        }
        static class Buffer { static final StringBuilder TEXT = new StringBuilder(); }
        static class Foreign { static final Main MAIN = new Main(); }
        static class Public { public static final int[] NUMBERS = { 1, 2 }; }
        static class Locks {
            static final Object LOCK = new Object();
            static final Runnable NOTHING = () -> { };
            static final String[] EMPTY_ARRAY = {};
            static final List<String> EMPTY = Collections.emptyList();
            static final Map<String, String> FIXED = Collections.unmodifiableMap(new HashMap<>());
        }
        static class Either { static final Object LOCK = System.nanoTime() > 0 ? new StringBuilder() : new Object(); }",
        &["Buffer", "Foreign", "Public", "Either"],
    );
}

#[test]
fn instances_of_the_class_itself_may_be_immutable() {
    check(
        "static final class Point {
            static final Point ZERO = new Point(0, 0, ZERO_TEXT());
            private final int x, y; private final String text;
            Point(int x, int y, String text) { this.x = x; this.y = y; this.text = text; }
            static String ZERO_TEXT() { return \"0\"; }
        }
        static final class Cached {
            static final Cached ZERO = new Cached();
            int hash;
        }
        static class Extensible { static final Extensible ZERO = new Extensible(); }
        enum Color { RED, GREEN { @Override int code() { return 2; } }; int code() { return 1; } }
        enum Mutable { ONE; int seen; }
        enum Written { ONE; private int seen; void see() { seen++; } }
        enum Effectively { ONE(1), TWO(2); private int number; Effectively(int number) { this.number = number; } int number() { return number; } }
        enum Listed { ONE; final List<String> names = new ArrayList<>(); }
        enum Target { ONE; private final StringBuilder stream = new StringBuilder(); void write() { stream.append(1); } }
        interface Types { Extensible FIRST = new Extensible(); }
        interface Shared { List<String> ALL = new ArrayList<>(); StringBuilder TEXT = new StringBuilder(); }",
        &["Cached", "Extensible", "Mutable", "Written", "Listed", "Shared"],
    );
}

/// Compiles members of a class `Alone` each, and compares whether it has state. Private members are
/// those of one class only as long as there are no nests, so that these are classes of their own.
fn check_alone(subjects: &[(String, bool)]) {
    let classes = subjects.iter().enumerate().map(|(i, (members, _))| {
        format!("final class Alone {{ {members} }}\n").replace("Alone", &format!("Alone{i}"))
    });
    let source = format!("import java.util.*;\n{}", classes.collect::<String>());
    for home in jdk_homes() {
        let classes = compile(&home, &[("Alone.java", &source)], &[]);
        for (i, (members, stateful)) in subjects.iter().enumerate() {
            assert_eq!(state(&classes[&format!("Alone{i}")]).stateful, *stateful, "{members}");
        }
    }
}

#[test]
fn tables_that_are_only_looked_at_are_no_state() {
    let filled = "private static final int[] TABLE = new int[9];
        static { for (int i = 0; i < TABLE.length; i++) TABLE[i] = i; }";
    let looking = [
        "static int get(int i) { return TABLE[i]; }",
        "static int sum() { int sum = 0; for (int it : TABLE) sum += it; return sum; }",
        "static int get(int i) { int[] table = TABLE; while (i > 0) { i -= table[i]; } return table.length; }",
        "static int[] copy() { return TABLE.clone(); }",
        "static int find(int i) { return Arrays.binarySearch(TABLE, i); }",
        "static int[] copy(int n) { int[] to = new int[n]; System.arraycopy(TABLE, 0, to, 0, n); return to; }",
        "static boolean is(int[] other) { return other == TABLE; }",
        "static int choose(boolean b) { synchronized (TABLE) { return (b ? TABLE : null)[0]; } }",
    ];
    let changing = [
        "static void set(int i) { TABLE[i] = i; }",
        "static int[] give() { return TABLE; }",
        "static void pass() { Arrays.sort(TABLE); }",
        "static void copy(int[] from) { System.arraycopy(from, 0, TABLE, 0, 1); }",
        "static Object keep() { return new Object[] { TABLE }; }",
        "static void hidden(boolean b, int[] other) { int[] it = b ? TABLE : other; it[0]++; }",
        "static java.util.function.IntSupplier later() { int[] it = TABLE; return () -> it[0]++; }",
    ];
    let looking = looking.iter().map(|it| (format!("{filled} {it}"), false));
    let changing = changing.iter().map(|it| (format!("{filled} {it}"), true));
    check_alone(&looking.chain(changing).collect::<Vec<_>>());
}

#[test]
fn tables_of_tables_and_objects_are_looked_into() {
    let subjects = [
        ("double[][]", "static double at(int i) { return T[i][1]; }", false),
        ("double[][]", "static void set(int i) { T[i][1] = 2; }", true),
        ("double[][]", "static double[] row(int i) { return T[i]; }", true),
        ("double[][]", "static Object copy() { return T.clone(); }", true),
        ("String[]", "static String at(int i) { return T[i]; }", false),
        ("StringBuilder[]", "static Object at(int i) { return T[i]; }", true),
        ("StringBuilder[]", "static boolean has(int i) { return T[i] != null; }", false),
        ("Map<String, Integer>", "static int at(String s) { return T.get(s); }", false),
        ("Map<String, Integer>", "static void at(String s) { T.put(s, 1); }", true),
        ("Map<String, Date>", "static Date at(String s) { return T.get(s); }", true),
        ("Map<String, Alone>", "static Alone at(String s) { return T.get(s); }", false),
        ("List<String>", "static Object all() { return T.iterator(); }", true),
    ];
    let subject = |(kind, member, stateful): (&str, &str, bool)| {
        (
            format!(
                "private static final {kind} T = make(); static {kind} make() {{ return null; }} {member}"
            ),
            stateful,
        )
    };
    check_alone(&subjects.map(subject));
}

/// An enum with a table by name is the most frequent of all enums with static fields.
#[test]
fn enums_with_tables_have_no_state() {
    let source = |member: &str| {
        format!(
            "import java.util.*;
            enum Unit {{
                ONE(1), TWO(2);
                private static final Map<Integer, Unit> BY_SIZE = new HashMap<>();
                static {{ for (Unit unit : values()) BY_SIZE.put(unit.sizes[0], unit); }}
                private final int[] sizes;
                Unit(int... sizes) {{ this.sizes = sizes; }}
                static Unit of(int size) {{ return BY_SIZE.get(size); }}
                int size() {{ return sizes[0]; }}
                {member}
            }}"
        )
    };
    for (member, stateful) in [("", false), ("void grow() { sizes[0]++; }", true)] {
        let classes = compile(&jdk_homes()[0], &[("Unit.java", &source(member))], &[]);
        let state = state(&classes["Unit"]);
        assert_eq!((state.is_enum, state.stateful, state.replayable), (true, stateful, false), "{member}");
    }
}

#[test]
fn what_to_zero_is_listed() {
    let source = "interface Names { String[] ALL = { \"a\" }; int COUNT = 1; }
        class Fields implements java.io.Serializable {
            static final int CONSTANT = 1;
            private static final long serialVersionUID = Long.parseLong(\"5\");
            static final Object MADE = new StringBuilder();
            static long zero;
            int instance;
            int run() { assert instance > 0; return instance; }
        }
        class Nothing { static final int CONSTANT = 1; int instance; }";
    let classes = compile(&jdk_homes()[0], &[("Fields.java", source)], &[]);
    let field = |name: &str, descriptor: &str| StaticField {
        name: name.to_owned(),
        descriptor: descriptor.to_owned(),
    };
    assert_eq!(
        state(&classes["Fields"]),
        ClassState {
            has_initialiser: true,
            is_enum: false,
            is_interface: false,
            replayable: true,
            fields: vec![field("MADE", "Ljava/lang/Object;"), field("zero", "J")],
            stateful: true,
        }
    );
    let names = state(&classes["Names"]);
    assert!(names.is_interface && names.stateful && !names.replayable && names.has_initialiser);
    assert_eq!(names.fields, [field("ALL", "[Ljava/lang/String;")]);
    assert_eq!(observe(&classes["Nothing"]).0.state, None);
}

/// Compilers before Java 11 let classes reach the private fields of those nested in them by methods
/// `access$000`. What counts is what the caller does with the value.
#[test]
fn tables_of_nested_classes_are_touched_where_they_change() {
    let source = |use_of_table: &str| {
        format!(
            "class Outer {{
                private static class Tables {{ private static final double[] VALUES = new double[5]; }}
                static double run(int i) {{ {use_of_table} }}
            }}"
        )
    };
    for home in jdk_homes() {
        let newest = feature(&home).to_string();
        for (release, use_of_table, touched) in [
            ("8", "return Tables.VALUES[i];", false),
            ("8", "return Tables.VALUES[i]++;", true),
            (newest.as_str(), "return Tables.VALUES[i];", false),
            (newest.as_str(), "return Tables.VALUES[i]++;", true),
        ] {
            let source = source(use_of_table);
            let classes = compile(&home, &[("Outer.java", &source)], &["--release", release]);
            let (_, named) = observe(&classes["Outer"]);
            assert_eq!(named.contains("Outer$Tables"), touched, "{release} {use_of_table}");
            // Its initialiser apart, the nested class touches nothing.
            let (nested, named) = observe(&classes["Outer$Tables"]);
            assert!(nested.state.unwrap().stateful && named.len() == 1);
        }
    }
}

/// Reading constants of a foreign enum, of the JDK or of a class that nobody can change is no
/// touch.
#[test]
fn reading_what_cannot_change_is_no_touch() {
    let source = "class Reader {
            static int number; static final String TEXT = String.valueOf(1);
            Object run() { System.out.println(TEXT + number + java.util.concurrent.TimeUnit.DAYS); return TEXT; }
        }
        class Other { Object run() { return Reader.TEXT + Reader.number; } }";
    let classes = compile(&jdk_homes()[0], &[("Reader.java", source)], &[]);
    assert_eq!(observe(&classes["Reader"]).1, BTreeSet::from(["Reader".to_owned()]));
    assert_eq!(observe(&classes["Other"]).1, BTreeSet::new());
}

#[test]
fn of_libraries_only_writes_count_and_of_some_nothing() {
    let source = "class User {
            Object read() { return Library.SHARED.append(1); }
            Object own() { return Project.SHARED.append(1); }
            void write() { Library.count = 1; }
        }
        class Library { static final StringBuilder SHARED = new StringBuilder(); static int count; }
        class Project { static final StringBuilder SHARED = new StringBuilder(); }";
    let classes = compile(&jdk_homes()[0], &[("User.java", source)], &[]);
    let named = |plan: &ProbePlan| observe_by(&classes["User"], plan).1;
    let all = BTreeSet::from(["Library".to_owned(), "Project".to_owned()]);
    let mut plan = ProbePlan::everywhere(Kinds::STATE);
    assert_eq!(named(&plan), all);
    plan.project = ["Project".to_owned()].into_iter().collect();
    assert_eq!(named(&plan), all, "the field of the library is written");
    let without_write = source.replace("Library.count = 1;", "");
    let classes = compile(&jdk_homes()[0], &[("User.java", &without_write)], &[]);
    assert_eq!(observe_by(&classes["User"], &plan).1, BTreeSet::from(["Project".to_owned()]));
    plan.keeping_state = ["User", "Library"].map(str::to_owned).into_iter().collect();
    assert_eq!(observe_by(&classes["User"], &plan).1, BTreeSet::new());
    assert_eq!(observe_by(&classes["Library"], &plan).0.state, None);
}

#[test]
fn types_that_the_plan_calls_immutable_are_no_state() {
    let source = "class Shop {
            static final Clerk CLERK = new Clerk();
            static final Shop SELF = new Shop();
            Object read() { return CLERK.name(); }
            Object elsewhere() { return Street.SHOP; }
        }
        class Clerk { String name = \"a\"; Object name() { return name; } }
        class Street { static final Shop SHOP = new Shop(); }";
    let classes = compile(&jdk_homes()[0], &[("Shop.java", source)], &[]);
    let mut plan = ProbePlan::everywhere(Kinds::STATE);
    let (found, touched) = observe_by(&classes["Shop"], &plan);
    assert!(found.state.unwrap().stateful);
    assert_eq!(touched, BTreeSet::from(["Shop".to_owned(), "Street".to_owned()]));
    plan.immutable = ["Clerk", "Shop"].map(str::to_owned).into();
    let (found, touched) = observe_by(&classes["Shop"], &plan);
    assert!(!found.state.unwrap().stateful);
    // Its initialiser is noted, and nothing is touched.
    assert_eq!(touched, BTreeSet::from(["Shop".to_owned()]));
}

/// The tables of `FastMath` are read by nearly every numeric test; initialising them again takes
/// longer than such a test. Only `main`, which prints them, gives them away.
#[test]
fn tables_of_fast_math_are_not_touched() {
    let mut touched = BTreeSet::new();
    let mut number = |name: &str| {
        touched.insert(name.to_owned());
        7
    };
    let fast_math = "org/apache/commons/math3/util/FastMath";
    for (name, bytes) in libraries().iter().filter(|(name, _)| name.split('$').next() == Some(fast_math)) {
        let class = ClassFile::parse(bytes).unwrap();
        let methods = class.methods.iter().map(|it| {
            it.name(&class.pool).unwrap().to_string() + &it.descriptor(&class.pool).unwrap().to_str()
        });
        let watched = methods.filter(|it| !it.starts_with("<clinit>") && !it.starts_with("main("));
        let methods = watched.map(|it| (it, Kinds::STATE)).collect();
        let mut plan = ProbePlan::everywhere(Kinds::NONE);
        plan.classes.insert(name.clone(), ClassPlan { methods, ..ClassPlan::default() });
        instrument(bytes, &plan, &mut number).unwrap();
    }
    // Constants for messages of exceptions, and for results of a division that are no tables.
    let [messages, splits] = [
        "org/apache/commons/math3/exception/util/LocalizedFormats",
        "org/apache/commons/math3/util/FastMath$Split",
    ];
    assert_eq!(touched, BTreeSet::from([messages.to_owned(), splits.to_owned()]));
    assert!(!state(&libraries()[messages]).stateful);
}
