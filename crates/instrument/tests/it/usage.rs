//! Calls by receiver: what a recorder is told, and that programs do what they did.

use std::collections::BTreeMap;

use crashback_classfile::ClassFile;
use crashback_instrument::record_usage;

use crate::behaviour::{long_method, run};
use crate::linking::link;
use crate::support::{Classes, compile, feature, jdk_homes};

const RECORDER: &str = "package watch;
    public class Recorder {
        static int depth;
        static boolean seen;
        static { Runtime.getRuntime().addShutdownHook(new Thread(() ->
            System.out.println(\"depth \" + depth + \" \" + seen))); }
        public static void enter(Object receiver, int id) { depth++; seen = true; }
        public static void leave() { depth--; }
    }";

/// Prints what it is told.
const TELLING: &str = "package watch;
    public class Recorder {
        public static void enter(Object receiver, int id) {
            System.out.println(\"enter \" + (receiver == null ? null : receiver.getClass().getName()) + \" \" + id);
        }
        public static void leave() { System.out.println(\"leave\"); }
    }";

/// Classes that tell the recorder, and the names of their methods by number.
fn woven(classes: &Classes) -> (Classes, BTreeMap<i32, String>) {
    let mut names = BTreeMap::new();
    let mut result = classes.clone();
    for (class, bytes) in classes {
        let new = record_usage(bytes, "watch/Recorder", &mut |method| {
            let id = i32::try_from(names.len()).unwrap();
            names.insert(id, format!("{class}.{}{}", method.name, method.descriptor));
            id
        });
        if let Some(new) = new.unwrap() {
            result.insert(class.clone(), new);
        }
    }
    (result, names)
}

#[test]
fn programs_with_a_recorder_verify_and_do_what_they_did() {
    let long = long_method();
    for home in jdk_homes() {
        for (main, source) in [("Behaviour", include_str!("java/Behaviour.java")), ("Far", &long)] {
            let classes = compile(&home, &[(&format!("{main}.java"), source)], &[]);
            let recorder = compile(&home, &[("Recorder.java", RECORDER)], &[]);
            let (changed, _) = woven(&classes);
            let verdict = link(&home, &classes, &changed);
            assert!(verdict.failures.is_empty(), "{:#?}", verdict.failures);
            let expected = run(&home, main, &classes);
            let with_recorder = changed.into_iter().chain(recorder).collect();
            // Every entry is left again, also by exceptions.
            assert_eq!(run(&home, main, &with_recorder), format!("{expected}depth 0 true\n"));
        }
    }
}

#[test]
fn constructors_with_a_prologue_are_entered_behind_it() {
    let source = "public class Early {
            final String text;
            Early(int i) {
                String made;
                try { made = i > 2 ? \"big\" + 10 / (i - 5) : \"small\"; }
                catch (ArithmeticException zero) { made = \"zero\"; }
                this.text = made;
                if (i == 7) throw new IllegalStateException(made);
                super();
                if (i == 8) throw new IllegalStateException(text + text);
            }
            public static void main(String[] arguments) {
                for (int i = 0; i < 10; i++) {
                    try { System.out.println(new Early(i).text); }
                    catch (IllegalStateException e) { System.out.println(e.getMessage()); }
                }
            }
        }";
    for home in jdk_homes().into_iter().filter(|it| feature(it) >= 25) {
        let classes = compile(&home, &[("Early.java", source)], &[]);
        let recorder = compile(&home, &[("Recorder.java", RECORDER)], &[]);
        let expected = run(&home, "Early", &classes);
        let with_recorder = woven(&classes).0.into_iter().chain(recorder).collect();
        assert_eq!(run(&home, "Early", &with_recorder), format!("{expected}depth 0 true\n"));
    }
}

#[test]
fn actions_have_numbers_and_other_methods_only_receivers() {
    let source = "public class Shop {
            public static void main(String[] arguments) { new Desk(2).open(); help(); }
            static void help() {}
        }
        class Table { protected Table() {} }
        class Desk extends Table implements Comparable<Desk> {
            Desk(int n) { this(); }
            private Desk() { super(); hidden(); }
            void open() { compareTo(this); }
            private void hidden() {}
            public int compareTo(Desk other) { return 0; }
        }";
    let home = jdk_homes().pop().unwrap();
    let classes = compile(&home, &[("Shop.java", source)], &[]);
    let recorder = compile(&home, &[("Recorder.java", TELLING)], &[]);
    let (changed, names) = woven(&classes);
    let told = run(&home, "Shop", &changed.into_iter().chain(recorder).collect());
    let told: Vec<String> = told
        .lines()
        .map(|line| {
            let (start, id) = line.rsplit_once(' ').unwrap_or((line, ""));
            id.parse()
                .ok()
                .and_then(|it: i32| names.get(&it))
                .map_or(line.to_owned(), |it| format!("{start} {it}"))
        })
        .collect();
    let expected = [
        "enter null -1",
        "enter Desk Table.<init>()V",
        "leave",
        "enter Desk Desk.<init>()V",
        "enter Desk -1",
        "leave",
        "leave",
        "enter Desk Desk.<init>(I)V",
        "leave",
        "enter Desk Desk.open()V",
        "enter Desk Desk.compareTo(LDesk;)I",
        "leave",
        "leave",
        "enter null -1",
        "leave",
        "leave",
    ];
    assert_eq!(told, expected);
    assert!(!names.values().any(|it| it == "Desk.compareTo(Ljava/lang/Object;)I"), "bridges: {names:?}");
}

#[test]
fn damaged_classes_are_refused_and_interfaces_without_code_stay() {
    let home = jdk_homes().pop().unwrap();
    let classes = compile(&home, &[("Plain.java", "interface Plain { int size(); }")], &[]);
    let bytes = &classes["Plain"];
    assert!(ClassFile::parse(bytes).is_ok());
    assert_eq!(record_usage(bytes, "watch/Recorder", &mut |_| 0), Ok(None));
    assert!(record_usage(&bytes[..bytes.len() / 2], "watch/Recorder", &mut |_| 0).is_err());
}
