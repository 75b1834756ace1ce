use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use crashback_classpath::jdk::{Lookup, at, find};
use crashback_classpath::{Error, JdkClasses, ProblemKind};
use crashback_program::{ClassSource, EntryKind};

use crate::support::{Jars, compile, compile_one, kinds, load_request, real_jdk, run_tool, text, zip};

#[test]
fn the_jdks_classes_come_first_and_can_be_read() {
    let jars = Jars::new();
    let fake = compile_one("Thing", "class Thing { }");
    let jar = jars.jar("fake.jar", &[("Thing.class", &fake)]);
    let loaded = load_request(&[&jar], Some(real_jdk().clone()));
    assert_eq!(loaded.problems(), []);
    let index = loaded.index();
    let string = index.get("java/lang/String").unwrap();
    let entry = loaded.entry(string.reference()).unwrap();
    assert_eq!((entry.kind, entry.version.as_ref()), (EntryKind::Jdk, Some(&real_jdk().version)));
    assert_eq!(index.get("java/lang/Object").unwrap().super_name(), None);
    assert!(index.get("module-info").is_none());
    assert!(index.len() > 15_000);
    let every = index.len() / 500;
    for class in index.iter().step_by(every).chain(index.get("Thing")) {
        let bytes = loaded.bytes(class.reference()).unwrap();
        let (shard, problems) =
            crashback_program::index::Shard::build([crashback_program::index::ClassInput {
                location: class.location(),
                expected_name: Some(class.name()),
                bytes: &bytes,
            }]);
        assert!(problems.is_empty() && shard.find(class.name()) == Some(0), "{class:?}");
    }
    // Every supertype of a JDK class is in the JDK.
    for class in index.iter().take(index.len() - 1) {
        assert!(class.direct_supertypes().all(|name| index.contains(name)), "{class:?}");
    }
    let thrown = index.direct_subtypes("java/lang/IndexOutOfBoundsException");
    let thrown: Vec<_> = thrown.iter().map(|&class| index.view(class).unwrap().name()).collect();
    assert!(thrown.contains(&"java/lang/ArrayIndexOutOfBoundsException"), "{thrown:?}");
}

/// Prints the packages that the modules of the JDK export to everybody.
const EXPORTS: &str = "
import java.lang.module.*;
public class Exports {
    public static void main(String[] arguments) {
        for (ModuleReference module : ModuleFinder.ofSystem().findAll())
            for (ModuleDescriptor.Exports it : module.descriptor().exports())
                if (!it.isQualified()) System.out.println(it.source().replace('.', '/'));
    }
}
";

#[test]
fn classes_of_packages_that_modules_keep_to_themselves_are_told_apart() {
    if real_jdk().feature < 9 {
        return;
    }
    let classes = compile(&[("Exports.java", EXPORTS)]);
    let printed = run_tool("java", &["-cp", &text(classes.path()), "Exports"]);
    let exported: BTreeSet<&str> = printed.lines().collect();
    assert!(exported.contains("java/util") && !exported.contains("jdk/internal/misc"));
    let jars = Jars::new();
    let thing = compile_one("Thing", "class Thing { }");
    let jar = jars.jar("thing.jar", &[("Thing.class", &thing)]);
    let loaded = load_request(&[&jar], Some(real_jdk().clone()));
    for class in loaded.index().iter() {
        let is_exported = class.name() == "Thing" || exported.contains(class.package());
        assert_eq!(class.is_exported(), is_exported, "{}", class.name());
    }
}

fn install(root: &Path, files: &[&str], version: Option<&str>) {
    for file in files {
        fs::create_dir_all(root.join(file).parent().unwrap()).unwrap();
        fs::write(root.join(file), "").unwrap();
    }
    if let Some(version) = version {
        fs::write(root.join("release"), format!("IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"{version}\"\n")).unwrap();
    }
}

#[test]
fn compilers_that_are_missing_or_read_no_jars_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().join("image");
    let problem = |modules: &str| {
        fs::write(home.join("release"), format!("JAVA_VERSION=\"17.0.1\"\n{modules}\n")).unwrap();
        at(&home).unwrap().compiler_problem()
    };
    install(&home, &["lib/modules", "bin/java"], Some("17.0.1"));
    assert!(problem("").is_some_and(|it| it.contains("has no bin/javac")));
    install(&home, &["bin/javac"], None);
    assert_eq!(problem(""), None, "no modules are stated");
    assert_eq!(problem("MODULES=\"java.base jdk.compiler jdk.zipfs\""), None);
    let without = problem("MODULES=\"java.base jdk.compiler\"");
    assert!(without.is_some_and(|it| it.contains("without jdk.zipfs")));
}

#[test]
fn installations_of_all_ages_are_recognised() {
    let folder = tempfile::tempdir().unwrap();
    let home = |name: &str| folder.path().join(name);
    install(&home("17"), &["lib/modules", "bin/java", "bin/javac"], Some("17.0.1"));
    install(&home("jre17"), &["lib/modules", "bin/java"], Some("17.0.1"));
    let old = [
        "jre/lib/rt.jar",
        "jre/lib/jce.jar",
        "jre/lib/ext/b.jar",
        "jre/lib/ext/a.jar",
        "bin/javac",
        "jre/bin/java",
    ];
    install(&home("8"), &old, Some("1.8.0_402"));
    install(&home("jre8"), &["lib/rt.jar", "bin/java"], None);

    let modern = at(&home("17")).unwrap();
    assert_eq!((modern.feature, modern.has_javac), (17, true));
    assert_eq!(modern.classes, JdkClasses::Image(home("17").join("lib/modules")));
    assert!(!at(&home("jre17")).unwrap().has_javac);
    let old = at(&home("8")).unwrap();
    assert_eq!((old.feature, old.version.as_str(), old.has_javac), (8, "1.8.0_402", true));
    let jars =
        ["rt.jar", "jce.jar", "ext/a.jar", "ext/b.jar"].map(|name| home("8").join("jre/lib").join(name));
    assert_eq!(old.classes, JdkClasses::Jars(jars.to_vec()));
    assert_eq!(at(&home("jre8")).unwrap().feature, 8);

    let path =
        std::env::join_paths([home("none"), home("8").join("jre/bin"), home("17").join("bin")]).unwrap();
    let found = find(Lookup { path: Some(&path), ..Lookup::default() }).unwrap();
    assert_eq!(found.home, fs::canonicalize(home("8")).unwrap(), "the JDK around the JRE on the PATH");
    let explicit = home("jre8");
    let lookup =
        Lookup { explicit: Some(&explicit), java_home: Some(OsStr::new("/nowhere")), path: Some(&path) };
    assert_eq!(find(lookup).unwrap().home, explicit);
    let java_home = home("17");
    let lookup = Lookup { explicit: None, java_home: Some(java_home.as_os_str()), path: Some(&path) };
    assert_eq!(find(lookup).unwrap().home, java_home);
}

#[test]
fn no_or_no_usable_jdk_is_a_clear_error() {
    let folder = tempfile::tempdir().unwrap();
    let check = |lookup: Lookup<'_>, expected: &str| {
        let error = find(lookup).unwrap_err().to_string();
        assert!(error.contains(expected) && error.contains("--java-home"), "{error}");
    };
    let path = std::env::join_paths([folder.path()]).unwrap();
    check(Lookup::default(), "no JDK found");
    check(Lookup { java_home: Some(OsStr::new("")), path: Some(&path), ..Lookup::default() }, "no JDK found");
    check(
        Lookup { explicit: Some(folder.path()), ..Lookup::default() },
        "neither lib/modules nor lib/rt.jar",
    );
    let missing = folder.path().join("missing");
    check(Lookup { java_home: Some(missing.as_os_str()), ..Lookup::default() }, "no such folder");
    install(folder.path(), &["lib/modules"], None);
    check(Lookup { explicit: Some(folder.path()), ..Lookup::default() }, "release");
    install(folder.path(), &[], Some("new"));
    check(Lookup { explicit: Some(folder.path()), ..Lookup::default() }, "new");
    assert!(matches!(find(Lookup::default()), Err(Error::NoJdk)));
}

#[test]
fn damaged_images_are_reported() {
    let JdkClasses::Image(image) = &real_jdk().classes else { return };
    let mut start = vec![0; 4 << 20];
    std::io::Read::read_exact(&mut fs::File::open(image).unwrap(), &mut start).unwrap();
    let folder = tempfile::tempdir().unwrap();
    install(folder.path(), &["lib/modules"], Some("17"));
    let check = |bytes: &[u8]| {
        fs::write(folder.path().join("lib/modules"), bytes).unwrap();
        let loaded = load_request(&[], Some(at(folder.path()).unwrap()));
        assert_eq!(kinds(&loaded), [ProblemKind::UnreadableEntry]);
        assert!(loaded.index().is_empty());
    };
    check(&[]);
    check(b"no image");
    check(&start);
    for at in 0..28 {
        let mut damaged = start.clone();
        damaged[at] ^= 0xff;
        check(&damaged);
    }
}

#[test]
fn the_jars_of_an_old_jdk_are_its_classes() {
    let folder = tempfile::tempdir().unwrap();
    install(folder.path(), &["jre/lib/rt.jar", "jre/lib/jce.jar"], Some("1.8.0_1"));
    let class = compile_one("Boot", "public class Boot { }");
    fs::write(folder.path().join("jre/lib/rt.jar"), zip(&[("Boot.class", &class)])).unwrap();
    fs::write(folder.path().join("jre/lib/jce.jar"), zip(&[("Boot.class", &class)])).unwrap();
    let jars = Jars::new();
    let own = jars.jar("own.jar", &[("Boot.class", &class)]);
    let loaded = load_request(&[&own], Some(at(folder.path()).unwrap()));
    fs::remove_file(folder.path().join("release")).unwrap();
    assert_eq!(at(folder.path()).unwrap().version, "1.8", "neither release nor manifest tell more");
    let manifest = b"Implementation-Version: 1.8.0_402\n";
    fs::write(folder.path().join("jre/lib/rt.jar"), zip(&[("META-INF/MANIFEST.MF", manifest)])).unwrap();
    assert_eq!(at(folder.path()).unwrap().version, "1.8.0_402");
    let kinds: Vec<_> =
        loaded.index().places("Boot").map(|place| loaded.entry(place).unwrap().kind).collect();
    assert_eq!(kinds, [EntryKind::Jdk, EntryKind::Jdk, EntryKind::Jar]);
}

/// The compiler of Java 8 knows the classes that `lib/ct.sym` lists, and no others of `rt.jar`.
#[test]
fn classes_that_an_old_compiler_does_not_know_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    install(folder.path(), &["jre/lib/rt.jar", "jre/lib/jce.jar"], Some("1.8.0_1"));
    let class = |name: &str| compile_one(name, &format!("public class {name} {{ }}"));
    let (open, hidden, other) = (class("Open"), class("Hidden"), class("Other"));
    let rt = zip(&[("Open.class", &open), ("Hidden.class", &hidden)]);
    fs::write(folder.path().join("jre/lib/rt.jar"), rt).unwrap();
    fs::write(folder.path().join("jre/lib/jce.jar"), zip(&[("Other.class", &other)])).unwrap();
    let exported = || {
        let loaded = load_request(&[], Some(at(folder.path()).unwrap()));
        assert_eq!(loaded.problems(), []);
        ["Open", "Hidden", "Other"].map(|it| loaded.index().get(it).unwrap().is_exported())
    };
    assert_eq!(exported(), [true, true, true], "without a list nothing is hidden");
    fs::create_dir_all(folder.path().join("lib")).unwrap();
    let list = zip(&[("META-INF/sym/rt.jar/Open.class", &open), ("META-INF/sym/dt.jar/Hidden.class", &open)]);
    fs::write(folder.path().join("lib/ct.sym"), list).unwrap();
    assert_eq!(exported(), [true, false, true]);
}
