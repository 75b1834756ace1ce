//! Call sequences of Java sources that are compiled on the spot.

use std::path::PathBuf;
use std::process::Command;

use crashback_classfile::ClassFile;
use crashback_model::sequences::for_each_sequence;
use crashback_model::{Collector, DEFAULT_ORDER};
use crashback_program::code::MethodBody;

/// Compares the sequences of a class in the compiled class `Use`, in order, with what is expected: names
/// of methods with blanks between them.
#[track_caller]
fn check(members: &str, class: &str, expected: &[&str]) {
    assert_eq!(sequences(&compiled(members), class), expected);
}

/// Compiles a class `Use` with some members.
fn compiled(members: &str) -> Vec<u8> {
    let source = format!(
        "import java.util.*;\nclass Door {{ Door() {{}} Door(int i) {{}} void open() {{}} void close() {{}} \
         void knock() {{}} boolean isOpen() {{ return true; }} static Door make() {{ return new Door(); }} \
         Door paint(String s) {{ return this; }} }}\nclass Gate extends Door {{ void lift() {{}} }}\n\
         class Use {{\n{members}\n}}\n"
    );
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("Use.java");
    std::fs::write(&file, source).expect("the source is written");
    #[expect(clippy::disallowed_methods, reason = "tests run the compiler")]
    let output = Command::new(java_home().join("bin/javac"))
        .args(["-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "-nowarn", "-d"])
        .arg(folder.path())
        .arg(&file)
        .output()
        .expect("javac runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    std::fs::read(folder.path().join("Use.class")).expect("the class is there")
}

fn sequences(bytes: &[u8], wanted: &str) -> Vec<String> {
    let file = ClassFile::parse(bytes).expect("a class file");
    let mut found = Vec::new();
    for method in &file.methods {
        let Some(body) = MethodBody::of(&file, method).expect("a body") else { continue };
        for_each_sequence(&body, |class, calls| {
            if class == wanted {
                let names: Vec<_> =
                    calls.iter().map(|it| it.name.to_str().replace("<init>", "new")).collect();
                found.push(names.join(" "));
            }
        });
    }
    found.sort();
    found
}

#[expect(clippy::disallowed_methods, reason = "tests look for the JDK where the user has it")]
fn java_home() -> PathBuf {
    if let Some(home) = std::env::var_os("JAVA_HOME") {
        return home.into();
    }
    let path = std::env::var_os("PATH").expect("a PATH");
    let javac = std::env::split_paths(&path).map(|folder| folder.join("javac")).find(|file| file.exists());
    let javac = javac.expect("javac on the PATH, or JAVA_HOME").canonicalize().expect("javac is a file");
    javac.ancestors().nth(2).expect("javac lies in bin of a JDK").to_owned()
}

#[test]
fn branches_make_a_sequence_each() {
    let source = "void go(boolean b) { Door d = new Door(); if (b) d.open(); else d.knock(); d.close(); }";
    check(source, "Door", &["new knock close", "new open close"]);
}

#[test]
fn loops_go_round_once_or_not_at_all() {
    let source = "void go(int n) { Door d = new Door(); d.open(); while (n-- > 0) d.knock(); d.close(); }";
    check(source, "Door", &["new open close", "new open knock close"]);
    let source = "void go(Door d) { while (d.isOpen()) { d.knock(); } d.close(); }";
    check(source, "Door", &["isOpen close", "isOpen knock isOpen close"]);
    let source = "void go(Door d) { do { d.knock(); } while (d.isOpen()); d.close(); }";
    check(source, "Door", &["knock isOpen close"]);
}

#[test]
fn nested_loops_are_left_together() {
    let source =
        "void go(Door d, int n) { while (n-- > 0) { d.open(); while (n-- > 5) { d.knock(); } } d.close(); }";
    check(source, "Door", &["close", "open close", "open knock close"]);
}

#[test]
fn iterators_are_asked_again_behind_the_loop() {
    let source = "void go(List<Door> doors) { for (Door d : doors) d.open(); }";
    check(source, "java/util/Iterator", &["hasNext", "hasNext next hasNext"]);
    check(source, "Door", &["open"]);
    check(source, "java/util/List", &["iterator"]);
}

#[test]
fn many_branches_do_not_explode() {
    let folder = "if (n-- > 0) System.gc();".repeat(60);
    check(&format!("void other(Door d, int n) {{ d.open(); {folder} d.close(); }}"), "Door", &["open close"]);
    let branch = "if (n-- > 0) d.open(); else d.close();".repeat(30);
    let all = sequences(&compiled(&format!("void go(Door d, int n) {{ {branch} }}")), "Door");
    assert!(all.len() <= 16, "{all:?}");
    // Both branches are there at the beginning and at the end.
    for word in ["open", "close"] {
        assert!(all.iter().any(|it| it.starts_with(word)), "{all:?}");
        assert!(all.iter().any(|it| it.ends_with(word)), "{all:?}");
    }
}

#[test]
fn parameters_fields_and_results_have_sequences_without_a_constructor() {
    let source = "Door front; static Door back; \
        void a(Door d) { d.open(); d.close(); } \
        void b() { front.open(); System.gc(); front.knock(); } \
        void c() { back.knock(); back.close(); } \
        void d() { Door made = Door.make(); made.isOpen(); made.open(); }";
    check(source, "Door", &["isOpen open", "knock close", "open close", "open knock"]);
}

#[test]
fn an_object_in_a_field_keeps_its_constructor() {
    let source = "Door front; void a(boolean b) { if (b) { front = new Door(3); } front.open(); }";
    check(source, "Door", &["new open", "open"]);
    let source =
        "Door front; void a() { front = new Door(); front.open(); front = new Door(); front.knock(); }";
    check(source, "Door", &["new knock", "new open"]);
}

#[test]
fn objects_of_one_class_are_told_apart() {
    let source = "void a(Door x, Door y) { x.open(); y.knock(); x.close(); Door z = new Door(); y.close(); z.open(); }";
    check(source, "Door", &["knock close", "new open", "open close"]);
}

#[test]
fn fluent_calls_stay_on_their_object() {
    let source = "void a() { Door d = new Door().paint(\"red\").paint(\"blue\"); d.open(); }";
    check(source, "Door", &["new paint paint open"]);
}

#[test]
fn the_class_is_the_constructed_or_cast_one() {
    let source = "void a() { Door d = new Gate(); d.open(); } \
        void b(Door d) { d.knock(); if (d instanceof Gate) { ((Gate) d).lift(); } } \
        void c() { List<String> l = new LinkedList<>(); l.add(\"a\"); l.size(); }";
    check(source, "Gate", &["knock lift", "new open"]);
    check(source, "Door", &["knock"]);
    check(source, "java/util/LinkedList", &["new add size"]);
    check(source, "java/util/List", &[]);
}

#[test]
fn handlers_are_entered_before_the_covered_code() {
    let source = "void a(Door d) { d.open(); try { d.knock(); } finally { d.close(); } }";
    check(source, "Door", &["open close", "open knock close"]);
}

#[test]
fn calls_of_an_object_on_itself_and_of_texts_do_not_count() {
    let source = "void a(String s) { b(); s.length(); \"x\".trim(); } void b() {}";
    check(source, "Use", &[]);
    check(source, "java/lang/String", &[]);
}

/// The figure 1 of Derakhshanfar et al. (2020) in small: lists that are filled and then asked, and to which
/// nothing is added as a whole.
#[test]
fn a_model_allows_what_was_seen_to_follow_and_nothing_else() {
    let source = "int a(Object o) { List<Object> l = new LinkedList<>(); l.add(o); l.add(o); return l.size(); } \
        Iterator<Object> b(Object o) { LinkedList<Object> l = new LinkedList<>(); l.add(o); return l.iterator(); } \
        void c(LinkedList<Object> l) { l.addAll(l); }";
    let mut collector = Collector::new(DEFAULT_ORDER);
    collector.add_class(&compiled(source), |it| it == "java/util/LinkedList");
    let models = collector.finish();
    assert_eq!(models.len(), 1);
    let model = models.get("java/util/LinkedList").expect("a model");
    let action = |name: &str| {
        let known = model.actions().iter().find(|it| &*it.name == name);
        known.cloned().expect("a known action")
    };
    let [new, add, size, iterator, add_all] = ["<init>", "add", "size", "iterator", "addAll"].map(action);
    for path in [
        vec![&new, &add, &add, &size],
        vec![&new, &add, &iterator],
        // Never seen as a whole, but each step was.
        vec![&new, &add, &size],
        vec![&new, &add, &add, &add, &add, &iterator],
        vec![&add_all],
    ] {
        assert!(model.accepts(&path.iter().map(|it| (*it).clone()).collect::<Vec<_>>()), "{path:?}");
    }
    for path in [vec![&new, &add_all], vec![&new, &size], vec![&new], vec![&add, &size], vec![&size]] {
        assert!(!model.accepts(&path.iter().map(|it| (*it).clone()).collect::<Vec<_>>()), "{path:?}");
    }
}
