//! Types whose objects never change, by their fields.

use std::collections::BTreeSet;

use crashback_program::classes::Classes;
use crashback_program::immutability::immutable_types;

use crate::program::{ClassBytes, Entry, TestClassPath, compile};

const SOURCE: &str = r#"package types;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;

final class Point { final int x = 1; final String name = "a"; }
class Holder { final Point point = new Point(); final Log log = null; }
class Below extends Holder { final long more = 2; }
final class Counter { int count; }
final class Wraps { final Counter counter = new Counter(); }
final class Table { final int[] numbers = {1}; }
final class Lists { final List<String> list = new ArrayList<>(); }
final class Native { final long handle = 0; native void run(); }
class Local extends ThreadLocal<String> { }
class Opened { final int x = 1; }
class Grown extends Opened { int y; }
final class Chain { final Chain next = null; final Link link = null; }
final class Link { final Chain chain = null; }
final class Ring { final Spoke spoke = null; }
final class Spoke { final Ring ring = null; int weight; }
interface Log { void log(String text); int level(); }
class ConsoleLog implements Log {
    final String name = "console";
    final Missing missing = null;
    public void log(String text) { }
    public int level() { return 0; }
}
final class Missing { int state; }
interface Buffer { void add(String text); int size(); }
class ListBuffer implements Buffer {
    int size;
    public void add(String text) { size++; }
    public int size() { return size; }
}
interface Maker { Object make(); }
class PlainMaker implements Maker { public Object make() { return null; } }
interface Nobody { void one(); void two(); }
enum Kind {
    ONE, TWO { int factor() { return 2; } };
    int factor() { return 1; }
}
enum Counting { ONE; int count; }
final class Supplying { final Supplier<String> supplier = null; }
class Known { int state; }
class WithKnown { final Known known = null; }

class Statics {
    static Point point; static Holder holder; static Below below; static Counter counter; static Wraps wraps;
    static Table table; static Lists lists; static Native nativ; static Local local; static Opened opened;
    static Grown grown; static Chain chain; static Ring ring; static Spoke spoke; static Log log;
    static ConsoleLog console; static Buffer buffer; static Maker maker; static PlainMaker plain;
    static Nobody nobody; static Kind kind; static Counting counting; static Supplying supplying;
    static Known known; static WithKnown withKnown; static Link[][] links; static String text; static int number;
    static Comparator<String> comparator; static Missing missing;
}
"#;

#[test]
fn fields_tell_which_types_are_immutable() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut classes: ClassBytes = compile(SOURCE, folder.path(), &[]);
    classes.remove("types/Missing").expect("the class that shall be missing");
    let class_path = TestClassPath::new(vec![Entry::jar("types.jar", None, classes)]);
    let is_known = |name: &str| matches!(name, "java/lang/String" | "types/Known");
    let found = immutable_types(&Classes::new(&class_path), is_known);
    let expected = [
        "Below",
        "Chain",
        "ConsoleLog",
        "Holder",
        "Kind",
        "Known",
        "Link",
        "Log",
        "PlainMaker",
        "Point",
        "WithKnown",
    ];
    let expected: BTreeSet<String> = expected.into_iter().map(|it| format!("types/{it}")).collect();
    assert_eq!(found, expected);
}
