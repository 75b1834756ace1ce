use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crashback_classpath::{CacheSettings, ClassPath, ProblemKind, Request};
use crashback_program::ClassSource;

use crate::support::{Jars, bare_jdk, compile, dump, files_below, kinds, load, real_jdk, zip};

fn load_cached(entries: &[PathBuf], cache: &Path) -> ClassPath {
    load_limited(entries, cache, 1 << 30)
}

fn load_limited(entries: &[PathBuf], cache: &Path, max_bytes: u64) -> ClassPath {
    let cache = Some(CacheSettings { directory: cache.to_owned(), max_bytes });
    ClassPath::load(&Request { entries: entries.to_vec(), cache, ..Request::default() }).unwrap()
}

fn cached_files(cache: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(cache).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

/// Jars with several kinds of contents and problems, and the folder they lie in.
fn sample() -> (Jars, Vec<PathBuf>) {
    let classes = compile(&[(
        "p/A.java",
        "package p; public class A<T> { @Deprecated static final String S = \"x\"; T t; enum E { X { } } \
         void m() throws Exception { new Object() { }; } }",
    )]);
    let files = files_below(classes.path());
    let mut entries: Vec<(&str, &[u8])> =
        files.iter().map(|(path, bytes)| (path.as_str(), bytes.as_slice())).collect();
    let jars = Jars::new();
    let plain = jars.jar("plain-1.jar", &entries);
    let inner = zip(&entries);
    entries.extend([
        ("META-INF/MANIFEST.MF", &b"Class-Path: plain-1.jar gone.jar\nImplementation-Version: 3\n"[..]),
        ("META-INF/X.SF", b""),
        ("Bad.class", b"bad"),
        ("WEB-INF/lib/inner.jar", &inner),
    ]);
    let odd = jars.jar("odd.jar", &entries);
    (jars, vec![odd, plain])
}

#[test]
fn a_cached_index_says_what_a_fresh_one_says() {
    let (jars, entries) = sample();
    let cache = jars.path("cache/deep");
    let fresh = dump(&load(&entries.iter().map(PathBuf::as_path).collect::<Vec<_>>()));
    assert!(
        fresh.contains("inner.jar")
            && fresh.contains("MissingManifestEntry")
            && fresh.contains("UnreadableClass")
    );
    for round in ["filling", "using"] {
        let loaded = load_cached(&entries, &cache);
        assert_eq!(dump(&loaded), fresh, "{round}");
        for class in loaded.index().all() {
            assert_eq!(loaded.bytes(class.reference()).unwrap()[..4], [0xca, 0xfe, 0xba, 0xbe]);
        }
        assert_eq!(cached_files(&cache).len(), 2);
    }
}

#[test]
fn a_cached_jdk_says_what_a_fresh_one_says() {
    let cache = tempfile::tempdir().unwrap();
    let load = |cache: Option<CacheSettings>| {
        ClassPath::load(&Request { jdk: Some(real_jdk().clone()), cache, ..Request::default() }).unwrap()
    };
    let fresh = load(None);
    for _ in 0..2 {
        let cached = load(Some(CacheSettings::new(cache.path())));
        assert!(fresh.index().shards() == cached.index().shards());
        let class = cached.index().get("java/util/HashMap").unwrap();
        assert!(!cached.bytes(class.reference()).unwrap().is_empty());
    }
}

#[test]
fn damaged_cut_and_foreign_files_are_rebuilt_and_replaced() {
    let (jars, entries) = sample();
    let cache = jars.path("cache");
    let fresh = dump(&load_cached(&entries, &cache));
    for file in cached_files(&cache) {
        let whole = fs::read(&file).unwrap();
        let check = |bytes: &[u8], what: &str| {
            fs::write(&file, bytes).unwrap();
            let loaded = load_cached(&entries, &cache);
            assert_eq!(dump(&loaded), fresh, "{what}");
            assert!(fs::read(&file).unwrap() == whole, "{what}: not replaced");
        };
        let step = whole.len() / 150 + 1;
        for at in (0..32).chain((32..whole.len()).step_by(step)) {
            let mut damaged = whole.clone();
            damaged[at] ^= 0x40;
            check(&damaged, &format!("byte {at} damaged"));
        }
        for length in (0..whole.len()).step_by(whole.len() / 20 + 1) {
            check(&whole[..length], &format!("cut at {length}"));
        }
        let mut version = whole.clone();
        version[8..12].copy_from_slice(&77u32.to_le_bytes());
        check(&version, "another version");
        check(&[&whole[..], b"x"].concat(), "longer");
    }
}

#[test]
fn a_changed_jar_and_another_jdk_have_their_own_indexes() {
    let (jars, entries) = sample();
    let cache = jars.path("cache");
    load_cached(&entries, &cache);
    let a = compile(&[("p/A.java", "package p; class A { int changed; }")]);
    let a = fs::read(a.path().join("p/A.class")).unwrap();
    jars.jar("plain-1.jar", &[("p/A.class", &a), ("META-INF/versions/9/p/A.class", &a)]);
    let loaded = load_cached(&entries[1..], &cache);
    assert_eq!(
        loaded.index().get("p/A").unwrap().fields().map(|field| field.name()).collect::<Vec<_>>(),
        ["changed"]
    );
    assert_eq!(cached_files(&cache).len(), 3);
    let load_for = |feature| {
        let (entries, cache) = (entries.clone(), Some(CacheSettings::new(&cache)));
        ClassPath::load(&Request { entries, jdk: Some(bare_jdk(feature)), cache, ..Request::default() })
            .unwrap();
    };
    load_for(17);
    load_for(17);
    assert_eq!(cached_files(&cache).len(), 5, "the jar with versions and the one with a jar inside");
    load_cached(&entries[..1], &cache);
    assert_eq!(cached_files(&cache).len(), 5);
}

#[test]
fn a_jar_inside_a_jar_may_depend_on_the_release_too() {
    let compiled = |member: &str| {
        let classes = compile(&[("A.java", &format!("class A {{ int {member}; }}"))]);
        fs::read(classes.path().join("A.class")).unwrap()
    };
    let manifest = b"Multi-Release: true\n".to_vec();
    let inner = zip(&[
        ("META-INF/MANIFEST.MF", manifest),
        ("A.class", compiled("base")),
        ("META-INF/versions/9/A.class", compiled("nine")),
    ]);
    let jars = Jars::new();
    let outer = jars.jar("app.jar", &[("BOOT-INF/lib/inner.jar", inner)]);
    for (feature, field) in [(8, "base"), (17, "nine"), (8, "base")] {
        let cache = Some(CacheSettings::new(jars.path("cache")));
        let request = Request {
            entries: vec![outer.clone()],
            jdk: Some(bare_jdk(feature)),
            cache,
            ..Request::default()
        };
        let loaded = ClassPath::load(&request).unwrap();
        assert_eq!(loaded.index().get("A").unwrap().fields().next().unwrap().name(), field);
    }
}

#[test]
fn the_same_jar_under_another_name_shares_the_index_but_not_the_name() {
    let (jars, entries) = sample();
    let cache = jars.path("cache");
    load_cached(&entries[1..], &cache);
    let copy = jars.path("copy-2.jar");
    fs::copy(&entries[1], &copy).unwrap();
    let loaded = load_cached(&[copy], &cache);
    assert_eq!(cached_files(&cache).len(), 1);
    let entry = loaded.entries().next().unwrap();
    assert_eq!((entry.display.as_str(), entry.version.as_deref()), ("copy-2.jar", Some("2")));
}

#[test]
fn a_cache_that_cannot_be_written_is_one_note() {
    let (jars, entries) = sample();
    let file = jars.write("a file", b"");
    let loaded = load_cached(&entries, &file.join("cache"));
    let notes = kinds(&loaded).into_iter().filter(|&kind| kind == ProblemKind::Cache).count();
    assert_eq!(notes, 1);
    assert!(loaded.problems().iter().any(|problem| problem.subject.contains("a file")));
    assert_eq!(dump(&loaded), dump(&load_cached(&entries, &jars.path("cache"))));
}

#[test]
fn processes_at_the_same_time_do_not_disturb_each_other() {
    let (jars, entries) = sample();
    let cache = jars.path("cache");
    let fresh = dump(&load(&entries.iter().map(PathBuf::as_path).collect::<Vec<_>>()));
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let (entries, cache, fresh) = (&entries, &cache, &fresh);
            scope.spawn(move || {
                for _ in 0..25 {
                    // A tiny limit makes every run remove what the others wrote.
                    let loaded = load_limited(entries, cache, if thread == 0 { 1 } else { 1 << 30 });
                    assert_eq!(&dump(&loaded), fresh);
                    assert!(!kinds(&loaded).contains(&ProblemKind::Cache), "{:?}", loaded.problems());
                }
            });
        }
    });
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the test gives files an age")]
fn the_least_recently_used_files_are_removed_beyond_the_limit() {
    let (jars, entries) = sample();
    let cache = jars.path("cache");
    let age = |file: &Path, days: u32| {
        let time = SystemTime::now() - Duration::from_hours(24 * u64::from(days));
        fs::File::options().append(true).open(file).unwrap().set_modified(time).unwrap();
    };
    load_cached(&entries[1..], &cache);
    let plain = cached_files(&cache).remove(0);
    let left_over = jars.write("cache/.new-123", b"half");
    let fresh_left_over = jars.write("cache/.new-456", b"half");
    let unrelated = jars.write("cache/unrelated.txt", b"keep");
    age(&plain, 3);
    age(&left_over, 3);
    // Using it makes it the youngest again.
    load_cached(&entries[1..], &cache);
    let old = jars.write("cache/old.cbindex", &[0; 5000]);
    age(&old, 2);
    let size = fs::metadata(&plain).unwrap().len();
    let other = jars.jar("other.jar", &[("x.txt", "x")]);
    load_limited(&[other], &cache, size + 1000);
    assert!(plain.exists() && unrelated.exists() && fresh_left_over.exists());
    assert!(!old.exists() && !left_over.exists());
}

/// The sizes of all class files, as a result that depends on nothing else.
fn sizes(class_path: &ClassPath, cache: &Path) -> (Vec<Vec<u8>>, usize) {
    let settings = CacheSettings::new(cache);
    let derived = class_path.derive("sizes of tests", Some(&settings), |class_files| {
        let mut sizes = Vec::new();
        class_files(&mut |bytes| sizes.extend((bytes.len() as u64).to_le_bytes()));
        sizes
    });
    assert!(derived.problem.is_none(), "{derived:?}");
    (derived.results, derived.cached)
}

#[test]
fn derived_results_are_kept_until_a_class_file_changes() {
    let classes = compile(&[("p/A.java", "package p; class A { }"), ("p/B.java", "package p; class B { }")]);
    let files = files_below(classes.path());
    let entry = |name: &str| -> (&str, &[u8]) {
        let (path, bytes) = files.iter().find(|(path, _)| path == name).unwrap();
        (path.as_str(), bytes.as_slice())
    };
    let jars = Jars::new();
    let entries = [
        jars.jar("one.jar", &[entry("p/A.class")]),
        jars.jar("two.jar", &[entry("p/B.class")]),
        classes.path().to_owned(),
    ];
    let cache = jars.path("cache");
    let fresh = sizes(&load_cached(&entries, &cache), &cache);
    assert_eq!((fresh.0.len(), fresh.1), (3, 0));
    let again = sizes(&load_cached(&entries, &cache), &cache);
    assert_eq!((&again.0, again.1), (&fresh.0, 3));

    jars.jar("two.jar", &[entry("p/A.class"), entry("p/B.class")]);
    let changed = sizes(&load_cached(&entries, &cache), &cache);
    assert_eq!(changed.1, 2, "one jar changed");
    assert_eq!(changed.0[1].len(), 16);

    let class = classes.path().join("p/A.class");
    fs::write(&class, entry("p/A.class").1).unwrap();
    assert_eq!(sizes(&load_cached(&entries, &cache), &cache).1, 3, "the same content again");
    fs::write(&class, entry("p/B.class").1).unwrap();
    assert_eq!(sizes(&load_cached(&entries, &cache), &cache).1, 2, "a file of the folder changed");

    for file in cached_files(&cache) {
        let mut bytes = fs::read(&file).unwrap();
        if let Some(last) = bytes.last_mut() {
            *last ^= 1;
        }
        fs::write(&file, bytes).unwrap();
    }
    let (results, cached) = sizes(&load_cached(&entries, &cache), &cache);
    assert_eq!((results.len(), cached), (3, 0), "damaged results are not used");
}
