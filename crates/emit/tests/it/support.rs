//! The JDKs at hand, and class paths.

#![expect(clippy::disallowed_methods, reason = "tests look for JDKs where the user has them and start them")]

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;
use std::time::Duration;

use crashback_classpath::jdk::{self, Jdk, Lookup};
use crashback_classpath::{CacheSettings, ClassPath, Request};
use crashback_emit::junit::{self, Generation, Runner};
use crashback_emit::verify::{Ahead, Verifier};
use crashback_program::ClassSource;
use crashback_program::classes::Classes;

/// The JDK that tests run with unless they say otherwise.
pub(crate) fn jdk() -> Jdk {
    let (java_home, path) = (std::env::var_os("JAVA_HOME"), std::env::var_os("PATH"));
    jdk::find(Lookup { explicit: None, java_home: java_home.as_deref(), path: path.as_deref() }).unwrap()
}

/// All JDKs at hand: the usual one and those in the folder around it.
pub(crate) fn all_jdks() -> Vec<Jdk> {
    let home = std::fs::canonicalize(jdk().home).unwrap();
    let beside = std::fs::read_dir(home.parent().unwrap()).unwrap().flatten().map(|it| it.path());
    let homes: BTreeSet<PathBuf> =
        beside.filter_map(|it| std::fs::canonicalize(it).ok()).chain([home]).collect();
    homes.iter().filter(|it| it.join("bin/javac").is_file()).filter_map(|it| jdk::at(it).ok()).collect()
}

/// A class path with the classes of the JDK.
pub(crate) fn load(maven: &[&str], entries: &[PathBuf]) -> ClassPath {
    load_with(jdk(), maven, entries)
}

/// A class path with the classes of another JDK.
pub(crate) fn load_with(jdk: Jdk, maven: &[&str], entries: &[PathBuf]) -> ClassPath {
    let maven = maven.iter().map(|it| it.parse().unwrap()).collect();
    let request =
        Request { maven, entries: entries.to_vec(), jdk: Some(jdk), cache: cache(), ..Request::default() };
    ClassPath::load(&request).unwrap()
}

/// A cache that all tests share: Maven is asked for each library and the JDK is read once.
fn cache() -> Option<CacheSettings> {
    Some(CacheSettings::new(Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache")))
}

/// Fetches as the command does.
pub(crate) fn fetch(artifacts: &[&str]) -> Result<Vec<PathBuf>, String> {
    let maven = artifacts.iter().map(|it| it.parse().unwrap()).collect();
    let loaded = ClassPath::load(&Request { maven, cache: cache(), ..Request::default() });
    loaded.map(|it| it.launch_path().to_vec()).map_err(|it| it.to_string())
}

/// JUnit 5, fetched once.
pub(crate) static JUNIT_5: LazyLock<Runner> = LazyLock::new(|| fetched(Generation::Five));

pub(crate) fn fetched(generation: Generation) -> Runner {
    struct Nothing(crashback_program::ClassIndex);
    impl ClassSource for Nothing {
        fn index(&self) -> &crashback_program::ClassIndex {
            &self.0
        }
        fn bytes(
            &self,
            _: crashback_program::ClassRef,
        ) -> Result<std::sync::Arc<[u8]>, crashback_program::SourceError> {
            Err(crashback_program::SourceError::UnknownClass)
        }
        fn entry(&self, _: crashback_program::ClassRef) -> Option<&crashback_program::EntryInfo> {
            None
        }
    }
    let nothing = Nothing(crashback_program::ClassIndex::new(Vec::new()));
    junit::resolve(&Classes::new(&nothing), None, Some(generation), jdk().feature.into(), &mut fetch).unwrap()
}

/// Starts programs as they are.
pub(crate) fn launch(program: &Path, arguments: &[OsString]) -> Command {
    let mut command = Command::new(program);
    command.args(arguments);
    command
}

/// The classes of the folder `java`.
pub(crate) struct Shop {
    pub(crate) class_path: ClassPath,
    _folder: tempfile::TempDir,
}

pub(crate) static SHOP: LazyLock<Shop> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let mut files = Vec::new();
    find_sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/java"), &mut files);
    // A folder with a space and a quote in its name, as users have them.
    let classes = folder.path().join("some \"classes");
    std::fs::create_dir(&classes).unwrap();
    let javac = jdk().home.join("bin/javac");
    let output = Command::new(javac).args(["-g", "-d"]).arg(&classes).args(&files).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Shop { class_path: load(&[], &[classes]), _folder: folder }
});

fn find_sources(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { find_sources(&path, files) } else { files.push(path) }
    }
}

/// Compiles and runs tests of [`SHOP`].
pub(crate) fn verifier<'a>(runner: &'a Runner, home: &'a Path, scratch: &'a Path) -> Verifier<'a> {
    Verifier {
        java_home: home,
        feature: jdk().feature.into(),
        class_path: SHOP.class_path.launch_path(),
        runner,
        mockito: None,
        jvm_options: &[],
        scratch,
        time_limit: Duration::from_secs(60),
        launch: &launch,
        ahead: ahead(),
    }
}

/// No process that was started ahead. Verifiers that start some have an [`Ahead`] of their own.
pub(crate) fn ahead() -> &'static Ahead {
    static NONE: LazyLock<Ahead> = LazyLock::new(Ahead::default);
    &NONE
}
