//! Fields that are final no more, and the versions of serialised classes, which must not notice.

use std::ffi::OsStr;
use std::path::Path;

use crashback_classfile::{AccessFlags, ClassFile};
use crashback_instrument::{Kinds, ProbePlan, instrument};

use crate::linking::link;
use crate::probes::silent_runtime;
use crate::stress::libraries;
use crate::support::{Classes, compile, java, jdk_homes, write_classes};

const SUBJECTS: &str = "import java.io.*;
    import java.util.*;
    class Plain implements Serializable, Comparable<Plain>, Cloneable {
        static final List<String> SHARED = new ArrayList<>();
        public static final int[] NUMBERS = { 1, 2 };
        private static final Object HIDDEN = new StringBuilder();
        static final int CONSTANT = 3;
        protected transient volatile int a; private transient int b; private String c; long[] ä; Object Z, z;
        Plain() { } protected Plain(int i, String... s) { } private Plain(long l) { }
        public int compareTo(Plain other) { assert a > 0; return 0; }
        synchronized void m(Map<String, int[][]> map) { } void m() { } private void hidden() { }
        static strictfp double f() { return 1; } native void n(); final void last() { }
        Runnable lambda() { return () -> SHARED.clear(); }
    }
    class OnlyPrivate implements Serializable { private static final List<String> SHARED = new ArrayList<>(); Object all() { return SHARED; } }
    class Declared implements Serializable {
        static final List<String> SHARED = new ArrayList<>();
        static final long serialVersionUID = Long.parseLong(\"42\");
        private static final ObjectStreamField[] serialPersistentFields = { new ObjectStreamField(\"x\", int.class) };
        int y;
    }
    abstract class Above implements Externalizable { public static final Set<String> SHARED = new HashSet<>(); }
    final class Below extends Above {
        static final Map<String, String> SHARED = new HashMap<>();
        public Below() { }
        public void writeExternal(ObjectOutput out) { } public void readExternal(ObjectInput in) { }
        protected static abstract class Member implements Serializable { static final Date DATE = new Date(0); abstract void run(); }
        private static final class Other implements Serializable { static final Date DATE = new Date(0); }
        Object anonymous() { return new Serializable() { @Override public String toString() { return \"\"; } }; }
    }
    class Bare { static final List<String> SHARED = new ArrayList<>(); }
    enum Kind { ONE, TWO; static final List<String> SHARED = new ArrayList<>(); }
    interface Names { List<String> ALL = new ArrayList<>(); }";

/// Prints the version of every class, its fields to serialise, and the flags of its static fields.
const PRINTER: &str = "import java.io.*;
    public class Printer {
        public static void main(String[] names) throws Exception {
            for (String name : names) {
                Class<?> type = Class.forName(name, false, Printer.class.getClassLoader());
                ObjectStreamClass found = ObjectStreamClass.lookup(type);
                System.out.println(name + \" \" + (found == null ? null : found.getSerialVersionUID() + \" \"
                    + java.util.Arrays.toString(found.getFields())));
            }
        }
    }";

fn printer(home: &Path) -> Classes {
    let mut classes = compile(home, &[("Printer.java", PRINTER)], &[]);
    classes.append(&mut silent_runtime(home));
    classes
}

fn without_final(classes: &Classes) -> Classes {
    let change = |bytes: &Vec<u8>| {
        instrument(bytes, &ProbePlan::everywhere(Kinds::STATE), &mut |_| 7)
            .unwrap()
            .bytes
            .unwrap_or_else(|| bytes.clone())
    };
    classes.iter().map(|(name, bytes)| (name.clone(), change(bytes))).collect()
}

fn finals(bytes: &[u8]) -> Vec<String> {
    let class = ClassFile::parse(bytes).unwrap();
    let fields =
        class.fields.iter().filter(|it| it.access.contains(AccessFlags::STATIC | AccessFlags::FINAL));
    fields.map(|it| it.name(&class.pool).unwrap().to_string()).collect()
}

#[test]
fn fields_of_classes_with_state_are_no_longer_final() {
    let classes = compile(&jdk_homes()[0], &[("Subjects.java", SUBJECTS)], &[]);
    let after = without_final(&classes);
    for (name, expected) in [
        ("Plain", &["CONSTANT", "$assertionsDisabled", "serialVersionUID"][..]),
        ("OnlyPrivate", &[]),
        ("Declared", &["serialVersionUID", "serialPersistentFields"]),
        ("Below", &["serialVersionUID"]),
        ("Bare", &[]),
        ("Kind", &["ONE", "TWO", "SHARED", "$VALUES"]),
        ("Names", &["ALL"]),
    ] {
        assert_eq!(finals(&after[name]), expected, "{name}");
    }
}

/// What a JVM says about the classes: versions as in the original, which are those of the
/// specification.
fn versions(home: &Path, classes: &Classes, names: &[&str]) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    write_classes(classes, folder.path());
    let arguments = [OsStr::new("-cp"), folder.path().as_os_str(), OsStr::new("Printer")];
    let names = names.iter().map(OsStr::new);
    let output = java(home, &arguments.into_iter().chain(names).collect::<Vec<_>>());
    output.lines().map(str::to_owned).collect()
}

#[test]
fn versions_of_serialised_classes_stay() {
    for home in jdk_homes() {
        let printer = printer(&home);
        let classes = compile(&home, &[("Subjects.java", SUBJECTS)], &[]);
        let after = without_final(&classes);
        let verdict = link(&home, &classes, &after);
        assert!(verdict.failures.is_empty(), "{:#?}", verdict.failures);
        let names: Vec<_> = classes.keys().map(String::as_str).collect();
        let with_printer = |classes: &Classes| classes.clone().into_iter().chain(printer.clone()).collect();
        let expected = versions(&home, &with_printer(&classes), &names);
        assert!(expected.iter().filter(|line| !line.ends_with("null")).count() >= 8, "{expected:?}");
        assert_eq!(versions(&home, &with_printer(&after), &names), expected);
    }
}

/// All kinds of members that compilers make are in real libraries.
#[test]
fn versions_of_library_classes_stay() {
    let home = &jdk_homes()[0];
    let printer = printer(home);
    let changed: Classes = libraries()
        .iter()
        .filter_map(|(name, bytes)| {
            let result = instrument(bytes, &ProbePlan::everywhere(Kinds::STATE), &mut |_| 7).unwrap();
            let after = result.bytes.filter(|after| has_added_version(bytes, after))?;
            Some((name.clone(), after))
        })
        .collect();
    assert!(changed.len() > 10, "{}", changed.len());
    let names: Vec<_> = changed.keys().map(|name| name.replace('/', ".")).collect();
    let names: Vec<_> = names.iter().map(String::as_str).collect();
    let before: Classes = libraries().clone().into_iter().chain(printer).collect();
    let mut after = before.clone();
    after.extend(changed);
    assert_eq!(versions(home, &after, &names), versions(home, &before, &names));
}

fn has_added_version(before: &[u8], after: &[u8]) -> bool {
    let has = |bytes: &[u8]| finals(bytes).iter().any(|it| it == "serialVersionUID");
    has(after) && !has(before)
}
