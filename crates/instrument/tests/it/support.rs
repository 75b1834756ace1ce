//! JDKs, compilers and class files for tests.

#![expect(clippy::disallowed_methods, reason = "tests look for JDKs themselves and start them")]

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use crashback_classpath::{CacheSettings, ClassPath, Request};
use crashback_program::ClassSource;

/// Class files by their internal names.
pub(crate) type Classes = BTreeMap<String, Vec<u8>>;

/// Homes of the JDKs at hand: `JAVA_HOME`, the one `java` on the path belongs to, and those in the
/// folders beside them.
pub(crate) fn jdk_homes() -> Vec<PathBuf> {
    let on_path = env::var_os("PATH").into_iter().flat_map(|path| {
        let programs = env::split_paths(&path).map(|folder| folder.join("java"));
        programs.filter_map(|java| fs::canonicalize(java).ok()).collect::<Vec<_>>()
    });
    let of_java = on_path.filter_map(|java| Some(java.parent()?.parent()?.to_path_buf()));
    let known: Vec<_> = env::var_os("JAVA_HOME").map(PathBuf::from).into_iter().chain(of_java).collect();
    let beside = known.iter().filter_map(|home| fs::read_dir(home.parent()?).ok()).flatten();
    let beside = beside.filter_map(|entry| Some(entry.ok()?.path()));
    let all = known.iter().cloned().chain(beside).filter_map(|home| fs::canonicalize(home).ok());
    let homes: BTreeSet<_> = all.filter(|home| home.join("bin/javac").is_file()).collect();
    assert!(!homes.is_empty(), "a JDK is needed: set JAVA_HOME or put java on the PATH");
    homes.into_iter().collect()
}

/// The class path from Maven coordinates and from jars or folders.
pub(crate) fn class_path(maven: &[&str], entries: &[PathBuf]) -> Classes {
    let maven = maven.iter().map(|text| text.parse().unwrap()).collect();
    // Tests share a cache, so that Maven is asked for each library once.
    let cache = Some(CacheSettings::new(Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache")));
    let request = Request { maven, entries: entries.to_vec(), cache, ..Request::default() };
    let source = ClassPath::load(&request).unwrap();
    let mut classes = Classes::new();
    for class in source.index().iter() {
        // The first of a name is the one a JVM would load.
        if !classes.contains_key(class.name()) {
            let first = source.index().get(class.name()).unwrap();
            classes.insert(class.name().to_owned(), source.bytes(first.reference()).unwrap().to_vec());
        }
    }
    classes
}

/// Compiles sources, each with its file name. What was compiled before, such as a runtime that many
/// tests use, is not compiled again.
pub(crate) fn compile(home: &Path, sources: &[(&str, &str)], options: &[&str]) -> Classes {
    static COMPILED: Mutex<BTreeMap<String, Classes>> = Mutex::new(BTreeMap::new());
    let key = format!("{home:?} {sources:?} {options:?}");
    let known = COMPILED.lock().unwrap().get(&key).cloned();
    known.unwrap_or_else(|| {
        let classes = javac(home, sources, options);
        COMPILED.lock().unwrap().insert(key, classes.clone());
        classes
    })
}

fn javac(home: &Path, sources: &[(&str, &str)], options: &[&str]) -> Classes {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("classes");
    let mut command = Command::new(home.join("bin/javac"));
    command.args(["-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC"]);
    command.args(options).args(["-proc:none", "-g", "-nowarn", "-encoding", "UTF-8", "-d"]).arg(&out);
    for (name, source) in sources {
        let file = folder.path().join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, source).unwrap();
        command.arg(file);
    }
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    class_path(&[], &[out])
}

/// Writes class files where a class loader finds them.
pub(crate) fn write_classes(classes: &Classes, folder: &Path) {
    for (name, bytes) in classes {
        let file = folder.join(format!("{name}.class"));
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, bytes).unwrap();
    }
}

/// Runs a JVM and gives what it printed.
pub(crate) fn java(home: &Path, arguments: &[&std::ffi::OsStr]) -> String {
    let mut command = Command::new(home.join("bin/java"));
    command.args(["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"]).args(arguments);
    let output = command.output().unwrap();
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{stdout}{stderr}");
    stdout.into_owned()
}

/// Feature version of a JDK by its `release` file, 8 where it says `1.8`.
pub(crate) fn feature(home: &Path) -> u32 {
    let release = fs::read_to_string(home.join("release")).unwrap();
    let version = release.lines().find_map(|line| line.strip_prefix("JAVA_VERSION=\"")).unwrap();
    version.trim_start_matches("1.").split(|c: char| !c.is_ascii_digit()).next().unwrap().parse().unwrap()
}
