use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crashback_classpath::{ClassPath, FileTree, ProblemKind};
use crashback_program::index::{Constant, Nesting};
use crashback_program::{ClassSource, EntryKind, SourceError};

use crate::support::{
    Jars, bare_jdk, compile, compile_one, compile_with, dump, files_below, holders, kinds, load,
    load_request, real_jdk, run_tool, text, zip, zip_with,
};

const WHO: &str = "public class Who { public static String name() { return \"NAME\"; } \
                   public static void main(String[] a) { System.out.print(name()); } }";

/// A class `Who` that knows which copy it is: the constant in one that was compiled is replaced.
fn who(name: &str) -> Vec<u8> {
    static COMPILED: OnceLock<Vec<u8>> = OnceLock::new();
    let compiled = COMPILED.get_or_init(|| compile_one("Who", WHO));
    let utf8 = |text: &str| [&[1, 0, text.len() as u8], text.as_bytes()].concat();
    let at = position(compiled, &utf8("NAME"));
    [&compiled[..at], &utf8(name), &compiled[at + utf8("NAME").len()..]].concat()
}

fn position(bytes: &[u8], part: &[u8]) -> usize {
    bytes.windows(part.len()).position(|window| window == part).unwrap()
}

/// What a JVM prints that finds `Who` on this class path.
fn jvm_says(entries: &[&Path]) -> String {
    let class_path = std::env::join_paths(entries).unwrap();
    run_tool("java", &["-cp", class_path.to_str().unwrap(), "Who"])
}

/// Which copy of `Who` the class path gives: the name in its constant pool that is one of `names`.
fn we_say<'a>(class_path: &ClassPath, names: &[&'a str]) -> &'a str {
    let class = class_path.index().get("Who").unwrap();
    let bytes = class_path.bytes(class.reference()).unwrap();
    let holds = |name: &&&str| bytes.windows(name.len()).any(|window| window == name.as_bytes());
    names.iter().find(holds).unwrap()
}

#[test]
fn a_jar_and_the_directory_it_was_made_from_hold_the_same_classes() {
    let classes = compile(&[(
        "p/Shape.java",
        "package p; import java.io.IOException; import java.util.*;
         public abstract class Shape<T extends Comparable<T>> implements Iterable<T> {
           static final int SIDES = 4; static final long L = -5; static final String S = \"sé\\ud800\";
           static final double D = 0.5; static final float F = 2f; static final char C = 'x';
           @Deprecated protected abstract List<? super T> all(Map<String, T[]> in) throws IOException;
           private static class Inner { class Deep { } }
           Runnable make() { class Local { } return new Runnable() { public void run() { new Local(); } }; }
           @FunctionalInterface interface Fun { int go(int x); }
           @interface Mark { String value(); int[] n() default { }; Class<?> c() default Object.class; }
           @Mark(value = \"x\", n = { 1, 2 }, c = String.class) enum Color { RED { }, GREEN }
         }",
    )]);
    let jars = Jars::new();
    let files = files_below(classes.path());
    let files: Vec<(&str, &[u8])> =
        files.iter().map(|(path, bytes)| (path.as_str(), bytes.as_slice())).collect();
    let deflated = load(&[&jars.jar("shapes-1.2.jar", &files)]);
    let stored = jars.write("stored.jar", &zip_with(&files, rawzip::CompressionMethod::STORE));
    let (stored, directory) = (load(&[&stored]), load(&[classes.path()]));

    assert_eq!(deflated.index().len(), files.len());
    let show = |class_path: &ClassPath| {
        let lines = dump(class_path);
        let is_kept = |line: &&str| {
            !line.contains(" location ") && !line.contains("EntryInfo") && !line.starts_with("ClassRef")
        };
        lines.lines().filter(is_kept).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(show(&deflated), show(&stored));
    assert_eq!(show(&deflated), show(&directory));
    for class_path in [&deflated, &stored, &directory] {
        for (path, bytes) in &files {
            let class = class_path.index().get(path.strip_suffix(".class").unwrap()).unwrap();
            assert_eq!(&*class_path.bytes(class.reference()).unwrap(), *bytes, "{path}");
        }
        assert_eq!(class_path.problems(), []);
    }
    check_shape(&deflated);
    let info = |class_path: &ClassPath| class_path.entries().next().unwrap().clone();
    let jar = info(&deflated);
    assert_eq!((jar.kind, jar.display.as_str()), (EntryKind::Jar, "shapes-1.2.jar"));
    assert_eq!((jar.name.as_deref(), jar.version.as_deref()), (Some("shapes"), Some("1.2")));
    assert_eq!(info(&directory).kind, EntryKind::Directory);
}

fn check_shape(class_path: &ClassPath) {
    let index = class_path.index();
    let shape = index.get("p/Shape").unwrap();
    let signature = "<T::Ljava/lang/Comparable<TT;>;>Ljava/lang/Object;Ljava/lang/Iterable<TT;>;";
    assert_eq!(shape.signature(), Some(signature));
    assert_eq!((shape.package(), shape.source_file()), ("p", Some("Shape.java")));
    assert!(shape.is_abstract() && !shape.is_interface());
    let constants: Vec<_> = shape.fields().map(|field| field.constant().unwrap()).collect();
    let expected = [
        Constant::Int(4),
        Constant::Long(-5),
        Constant::String("sé\u{fffd}"),
        Constant::Double(0.5),
        Constant::Float(2.0),
        Constant::Int(i32::from(b'x')),
    ];
    assert_eq!(constants, expected);
    let all = shape.methods_named("all").next().unwrap();
    assert_eq!(all.signature(), Some("(Ljava/util/Map<Ljava/lang/String;[TT;>;)Ljava/util/List<-TT;>;"));
    assert_eq!(all.exceptions().collect::<Vec<_>>(), ["java/io/IOException"]);
    assert_eq!(all.annotations().map(|it| it.descriptor()).collect::<Vec<_>>(), ["Ljava/lang/Deprecated;"]);
    assert!(all.is_abstract() && !all.has_code());
    let make = shape.method("make", "()Ljava/lang/Runnable;").unwrap();
    assert!(make.has_code() && make.has_lines());

    let nesting = |name: &str| index.get(name).unwrap().nesting();
    assert_eq!(nesting("p/Shape"), Nesting::TopLevel);
    assert_eq!(nesting("p/Shape$Inner"), Nesting::Member { outer: "p/Shape", name: "Inner" });
    assert_eq!(nesting("p/Shape$1Local"), Nesting::Local { name: "Local" });
    assert_eq!(nesting("p/Shape$1"), Nesting::Anonymous);
    let inner = index.get("p/Shape$Inner").unwrap();
    assert!(inner.is_static() && inner.declared_access().is_private() && !inner.access().is_private());
    assert!(!index.get("p/Shape$Inner$Deep").unwrap().is_static());
    let enclosing = index.get("p/Shape$1").unwrap().enclosing().unwrap();
    assert_eq!((enclosing.class, enclosing.method), ("p/Shape", Some(("make", "()Ljava/lang/Runnable;"))));
    let mark = index.get("p/Shape$Color").unwrap().annotations().next().unwrap();
    assert!(!mark.is_visible());
    assert_eq!(mark.element("value"), Some("x"));
    assert_eq!((mark.element("n"), mark.element("c")), (Some("{1, 2}"), Some("Ljava/lang/String;")));
    let subtypes: Vec<_> = index.direct_subtypes("p/Shape$Color").to_vec();
    assert_eq!(subtypes, index.places("p/Shape$Color$1").collect::<Vec<_>>());
    assert_eq!(index.package("p").len(), index.len());
}

#[test]
fn multi_release_jars_give_the_newest_class_up_to_the_jdk() {
    let names = ["base", "eight", "nine", "eleven", "far"];
    let files = names.map(who);
    let entries = |multi: &'static str| {
        vec![
            ("META-INF/MANIFEST.MF", multi.as_bytes()),
            ("META-INF/versions/11/Who.class", &files[3]),
            ("META-INF/versions/99/Who.class", &files[4]),
            ("META-INF/versions/9/module-info.class", b"no class"),
            ("Who.class", &files[0]),
            ("META-INF/versions/9/Who.class", &files[2]),
            ("META-INF/versions/8/Who.class", &files[1]),
        ]
    };
    let jars = Jars::new();
    let multi = jars.jar("multi.jar", &entries("Manifest-Version: 1.0\nMulti-Release: TRUE\n"));
    let single = jars.jar("single.jar", &entries("Manifest-Version: 1.0\n"));
    for (feature, expected) in
        [(8, "base"), (9, "nine"), (10, "nine"), (11, "eleven"), (98, "eleven"), (99, "far")]
    {
        let loaded = load_request(&[&multi], Some(bare_jdk(feature)));
        assert_eq!(we_say(&loaded, &names), expected, "release {feature}");
        assert_eq!(loaded.index().places("Who").count(), 1);
        assert_eq!(loaded.problems(), []);
        assert_eq!(we_say(&load_request(&[&single], Some(bare_jdk(feature))), &names), "base");
    }
    for jar in [&multi, &single] {
        let ours = load_request(&[jar], Some(real_jdk().clone()));
        assert_eq!(we_say(&ours, &names), jvm_says(&[jar]), "{jar:?}");
    }
}

#[test]
fn manifests_are_followed_in_the_jvms_order() {
    let jars = Jars::new();
    let manifest = |paths: &str| format!("Manifest-Version: 1.0\nClass-Path: {paths}\n").into_bytes();
    let names = ["in-b", "in-c", "in-d", "in-folder"];
    let [b, c, d, folder] = names.map(who);
    // a leads to "the b.jar" (missing, then escaped), which leads back to a and on to c and a
    // folder.
    let a = jars.jar("a.jar", &[("META-INF/MANIFEST.MF", manifest("missing.jar lib/the%20b.jar gone.jar"))]);
    jars.jar(
        "lib/the b.jar",
        &[("META-INF/MANIFEST.MF", manifest("../a.jar c.jar folder/")), ("x/B.class", b.clone())],
    );
    let jar_c = jars.jar("lib/c.jar", &[("Who.class", c)]);
    let jar_d = jars.jar("d.jar", &[("Who.class", d)]);
    jars.write("lib/folder/Who.class", &folder);

    for entries in [vec![&*a, &jar_d], vec![&jar_d, &a], vec![&a, &jar_c, &jar_d], vec![&a]] {
        let loaded = load(&entries);
        assert_eq!(we_say(&loaded, &names), jvm_says(&entries), "{entries:?}");
        assert_eq!(
            loaded.launch_path(),
            entries.iter().map(|path| path.to_path_buf()).collect::<Vec<PathBuf>>()
        );
    }
    let loaded = load(&[&a, &jar_d]);
    let entries: Vec<_> = loaded.entries().map(|entry| entry.display.clone()).collect();
    let folder = text(&jars.path("lib/folder/"));
    assert_eq!(entries, ["a.jar", "the b.jar", "c.jar", &folder, "d.jar"]);
    assert_eq!(holders(&loaded, "Who"), ["c.jar", &folder, "d.jar"]);
    let note =
        loaded.problems().iter().find(|problem| problem.kind == ProblemKind::MissingManifestEntry).unwrap();
    assert!(note.kind.is_note() && note.message.contains("missing.jar, gone.jar"), "{note}");
}

#[test]
fn wildcards_take_jars_in_the_order_of_their_names() {
    let jars = Jars::new();
    for name in ["b.jar", "a b.jar", "Z.JAR", "a.jar", "skipped.Jar", "skipped.zip", "sub/deep.jar"] {
        jars.jar(name, &[("Who.class", who(name))]);
    }
    fs::create_dir(jars.path("folder.jar")).unwrap();
    let loaded = load(&[&jars.path("*"), &jars.path("sub")]);
    assert_eq!(holders(&loaded, "Who"), ["Z.JAR", "a b.jar", "a.jar", "b.jar"]);
    let loaded = load(&[&jars.path("nowhere/*")]);
    assert_eq!(kinds(&loaded), [ProblemKind::MissingEntry]);
}

#[test]
fn copies_of_a_class_are_known_in_order_with_their_bytes() {
    let jars = Jars::new();
    let (one, two) = (who("one"), who("two"));
    let first = jars.jar("first.jar", &[("Who.class", &one)]);
    let second = jars.jar("second.jar", &[("Who.class", &two)]);
    let loaded = load(&[&second, &first, &second]);
    assert_eq!(holders(&loaded, "Who"), ["second.jar", "first.jar"], "a jar named twice is there once");
    let bytes: Vec<_> =
        loaded.index().places("Who").map(|place| loaded.bytes(place).unwrap().to_vec()).collect();
    assert_eq!(bytes, [two, one]);
    assert_eq!((loaded.index().len(), loaded.index().all().count()), (1, 2));
    assert_eq!(loaded.index().direct_subtypes("java/lang/Object").len(), 1);
}

#[test]
fn of_a_class_twice_in_one_jar_the_last_counts_as_for_a_jvm() {
    let jars = Jars::new();
    let names = ["early", "late"];
    let jar = jars.jar("twice.jar", &names.map(|name| ("Who.class", who(name))));
    let loaded = load(&[&jar]);
    assert_eq!(we_say(&loaded, &names), "late");
    assert_eq!(jvm_says(&[&jar]), "late");
    assert_eq!(kinds(&loaded), [ProblemKind::RepeatedClass]);
}

#[test]
fn jars_of_containers_are_unfolded() {
    let (own, lib, web) =
        (who("own"), compile_one("Lib", "class Lib { }"), compile_one("Web", "class Web { }"));
    let inner =
        zip(&[("Lib.class", &lib), ("META-INF/MANIFEST.MF", &b"Implementation-Version: 7\n"[..].to_vec())]);
    for method in [rawzip::CompressionMethod::STORE, rawzip::CompressionMethod::DEFLATE] {
        let entries: [(&str, &[u8]); 5] = [
            ("BOOT-INF/lib/lib-1.0.jar", &inner),
            ("BOOT-INF/classes/Who.class", &own),
            ("WEB-INF/classes/Web.class", &web),
            ("WEB-INF/lib/broken.jar", b"nothing"),
            ("BOOT-INF/lib/readme.txt", b""),
        ];
        let jars = Jars::new();
        let loaded = load(&[&jars.write("app.jar", &zip_with(&entries, method))]);
        for (name, bytes) in [("Who", &own), ("Lib", &lib), ("Web", &web)] {
            let class = loaded.index().get(name).unwrap();
            assert_eq!(&*loaded.bytes(class.reference()).unwrap(), bytes.as_slice(), "{name}");
        }
        assert_eq!(holders(&loaded, "Lib"), ["lib-1.0.jar"]);
        let entry = loaded.entry(loaded.index().places("Lib").next().unwrap()).unwrap();
        assert!(entry.path.ends_with("app.jar!/BOOT-INF/lib/lib-1.0.jar"), "{}", entry.path);
        assert_eq!(entry.version.as_deref(), Some("7"));
        assert_eq!(kinds(&loaded), [ProblemKind::UnreadableEntry]);
        assert!(loaded.problems()[0].subject.ends_with("app.jar!/WEB-INF/lib/broken.jar"));
    }
}

#[test]
fn what_cannot_be_a_class_is_left_out_and_named() {
    let good = who("good");
    let mut future = good.clone();
    future[6..8].copy_from_slice(&999u16.to_be_bytes());
    let name = position(&future, b"\x00\x03Who") + 2;
    future[name..name + 3].copy_from_slice(b"New");
    let mut cut = who("cut");
    cut.truncate(60);
    let module = compile(&[("module-info.java", "module m { }")]);
    let module = fs::read(module.path().join("module-info.class")).unwrap();
    let package = compile(&[("q/package-info.java", "@Deprecated package q;")]);
    let package = fs::read(package.path().join("q/package-info.class")).unwrap();
    let jars = Jars::new();
    let entries: [(&str, &[u8]); 8] = [
        ("Who.class", &good),
        ("New.class", &future),
        ("misplaced/Who.class", &good),
        ("Cut.class", &cut),
        ("Empty.class", b""),
        ("Text.class", b"not a class file at all"),
        ("module-info.class", &module),
        ("q/package-info.class", &package),
    ];
    let loaded = load(&[&jars.jar("mixed.jar", &entries)]);
    let names: Vec<_> = loaded.index().iter().map(|class| class.name().to_owned()).collect();
    assert_eq!(names, ["New", "Who", "q/package-info"]);
    assert_eq!(loaded.index().get("New").unwrap().version().0, 999);
    let subjects: Vec<_> =
        loaded.problems().iter().map(|it| (it.kind, it.subject.rsplit('!').next().unwrap())).collect();
    let unreadable = ProblemKind::UnreadableClass;
    let misplaced = (ProblemKind::MisplacedClass, "/misplaced/Who.class");
    assert_eq!(
        subjects,
        [(unreadable, "/Cut.class"), (unreadable, "/Empty.class"), (unreadable, "/Text.class"), misplaced]
    );
}

#[test]
fn many_problems_of_one_kind_are_counted() {
    let names: Vec<String> = (0..50).map(|number| format!("Bad{number}.class")).collect();
    let entries: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), &b"bad"[..])).collect();
    let jars = Jars::new();
    let loaded = load(&[&jars.jar("bad.jar", &entries)]);
    assert_eq!(loaded.problems().len(), 21);
    assert!(loaded.problems()[20].message.starts_with("30 more"));
}

#[test]
fn entries_that_do_not_inflate_cost_only_themselves() {
    let jars = Jars::new();
    let (one, two) = (who("one"), compile_one("Two", "class Two { int padding; }"));
    let mut bytes = zip(&[("Who.class", &one), ("Two.class", &two)]);
    // The data of the first entry follows its local header of 30 bytes and its name.
    bytes[30 + "Who.class".len()..][..20].fill(0xff);
    let loaded = load(&[&jars.write("bad.jar", &bytes)]);
    assert_eq!(kinds(&loaded), [ProblemKind::UnreadableClass]);
    assert!(loaded.index().get("Who").is_none());
    let two_again = loaded.index().get("Two").unwrap();
    assert_eq!(&*loaded.bytes(two_again.reference()).unwrap(), two.as_slice());
}

#[test]
fn zip_files_of_all_shapes_are_read() {
    let class = who("here");
    let jars = Jars::new();
    let mut prefixed = b"#!/bin/sh\nexec java -jar $0\n".to_vec();
    prefixed.extend(zip(&[("Who.class", &class)]));
    let script = jars.write("script.jar", &prefixed);
    assert_eq!(we_say(&load(&[&script]), &["here"]), jvm_says(&[&script]));

    // More than 65,535 entries need the zip64 format.
    let names: Vec<String> = (0..65_600).map(|number| format!("resource/{number}.txt")).collect();
    let mut entries: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), &b""[..])).collect();
    entries.push(("Who.class", &class));
    let large = jars.write("large.jar", &zip_with(&entries, rawzip::CompressionMethod::STORE));
    assert_eq!(we_say(&load(&[&large]), &["here"]), jvm_says(&[&large]));

    let empty = jars.jar::<&[u8]>("empty.jar", &[]);
    let loaded = load(&[&empty]);
    assert_eq!((loaded.problems(), loaded.entries().count()), (&[][..], 1));
}

#[test]
fn signed_jars_are_marked() {
    let jars = Jars::new();
    let signed = jars.jar("signed.jar", &[("META-INF/ME.SF", "x"), ("META-INF/sub/YOU.SF", "x")]);
    let unsigned = jars.jar("unsigned.jar", &[("META-INF/sub/YOU.SF", "x")]);
    let marks: Vec<_> = load(&[&signed, &unsigned]).entries().map(|entry| entry.signed).collect();
    assert_eq!(marks, [true, false]);
}

#[test]
fn unusable_entries_are_named_and_the_others_used() {
    let jars = Jars::new();
    let good = jars.jar("good.jar", &[("Who.class", who("good"))]);
    let (missing, nothing) = (jars.path("missing.jar"), jars.write("nothing.jar", b""));
    let text = jars.write("text.jar", b"this is no zip file");
    let loaded = load(&[&missing, &nothing, &text, &good]);
    let unreadable = ProblemKind::UnreadableEntry;
    assert_eq!(kinds(&loaded), [ProblemKind::MissingEntry, unreadable, unreadable]);
    for (problem, name) in loaded.problems().iter().zip(["missing.jar", "nothing.jar", "text.jar"]) {
        assert!(problem.subject.ends_with(name) && !problem.kind.is_note(), "{problem}");
    }
    assert_eq!(we_say(&loaded, &["good"]), "good");
}

#[test]
fn damaged_jars_never_panic_and_truncated_ones_are_reported() {
    let jars = Jars::new();
    let whole = zip(&[("META-INF/MANIFEST.MF", &b"Multi-Release: true\n"[..]), ("Who.class", &who("whole"))]);
    for length in (0..whole.len()).step_by(3) {
        let loaded = load(&[&jars.write("cut.jar", &whole[..length])]);
        assert_eq!(kinds(&loaded), [ProblemKind::UnreadableEntry], "cut at {length}");
    }
    for at in 0..whole.len() {
        for value in [0, 0xff, whole[at] ^ 0x10] {
            let mut damaged = whole.clone();
            damaged[at] = value;
            let loaded = load(&[&jars.write("damaged.jar", &damaged)]);
            for class in loaded.index().all() {
                drop(loaded.bytes(class.reference()));
            }
        }
    }
}

#[test]
fn a_jar_that_changes_after_indexing_is_noticed() {
    let jars = Jars::new();
    let jar = jars.jar("app.jar", &[("Who.class", who("old"))]);
    let loaded = load(&[&jar]);
    jars.jar("app.jar", &[("Who.class", who("other"))]);
    let class = loaded.index().get("Who").unwrap().reference();
    let error = loaded.bytes(class).unwrap_err();
    assert!(matches!(&error, SourceError::Unreadable { class, .. } if class == "Who"), "{error}");
}

#[test]
fn classes_of_old_compilers_are_read() {
    let source = "class Old { private int f; class In { int g() { return f; } } }";
    let release = if real_jdk().feature >= 20 { "8" } else { "7" };
    let classes = compile_with(&[("Old.java", source)], &["--release", release, "-Xlint:-options"]);
    let loaded = load(&[classes.path()]);
    let accessor =
        loaded.index().get("Old").unwrap().methods().find(|method| method.name().starts_with("access$"));
    assert!(accessor.unwrap().is_synthetic());
    assert_eq!(loaded.index().get("Old$In").unwrap().nest_host(), None);
}

#[test]
fn file_trees_list_and_read_jars_and_folders_alike() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir_all(folder.path().join("tree/a")).unwrap();
    fs::write(folder.path().join("tree/a/B.java"), "class B {}").unwrap();
    fs::write(folder.path().join("tree/c.txt"), "c").unwrap();
    fs::write(folder.path().join("outside.txt"), "no").unwrap();
    let jar = folder.path().join("tree.jar");
    run_tool("jar", &["cfM", &text(&jar), "-C", &text(&folder.path().join("tree")), "."]);
    for root in [folder.path().join("tree"), jar] {
        let tree = FileTree::open(&root);
        assert_eq!(tree.paths(), ["a/B.java", "c.txt"], "{}", root.display());
        assert_eq!(tree.read("a/B.java", 10).as_deref(), Some(&b"class B {}"[..]));
        assert_eq!(tree.read("a/B.java", 9), None, "it is larger");
        assert_eq!(tree.read("a", 100), None);
        assert_eq!(tree.read("../outside.txt", 100), None);
        assert_eq!(tree.read(&text(&folder.path().join("outside.txt")), 100), None);
    }
    let none = FileTree::open(&folder.path().join("missing.jar"));
    assert!(none.paths().is_empty() && none.read("a/B.java", 10).is_none());
}
