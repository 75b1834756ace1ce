//! Small Java programs that really crash: compiled and run on the spot, with their classes as a
//! class source.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, LazyLock};

use crashback_program::classes::Classes;
use crashback_program::frames::{Auditor, CrashAudit, Scope};
use crashback_program::index::{ClassInput, Shard};
use crashback_program::{ClassIndex, ClassRef, ClassSource, EntryInfo, EntryKind, SourceError};
use crashback_trace::Throwable;

use crate::java::{java_home, javac, jdk_classes, line_of, marker_of};

/// Runs crashes one after the other; its own frames are cut from their traces.
const HARNESS: &str = r#"
package harness;
public final class Harness {
    public interface Crash { void crash() throws Throwable; }
    public static void main(String[] names) throws Exception {
        for (String name : names) {
            System.err.println("case " + name);
            java.lang.reflect.Constructor<?> constructor = Class.forName(name).getDeclaredConstructor();
            constructor.setAccessible(true);
            Crash crash = (Crash) constructor.newInstance();
            try { crash.crash(); } catch (Throwable t) { t.printStackTrace(); }
        }
    }
}
"#;

/// A source whose classes that implement `harness.Harness.Crash` were run.
pub(crate) struct Program {
    source: &'static str,
    pub(crate) class_path: TestClassPath,
    /// What each crash printed.
    logs: BTreeMap<String, String>,
}

impl Program {
    /// Compiles a source and runs all its crashes.
    pub(crate) fn run(source: &'static str) -> Self {
        Self::run_with(source, &[], &[])
    }

    /// The same with options for compiler and JVM.
    pub(crate) fn run_with(source: &'static str, javac_options: &[&str], java_options: &[&str]) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let classes = compile(source, folder.path(), javac_options);
        let class_path = TestClassPath::new(vec![Entry::directory("classes", classes)]);
        let log = run(folder.path(), java_options, &crashes(&class_path));
        let logs = log.split("case ").skip(1).filter_map(|part| part.split_once('\n'));
        let logs = logs.map(|(name, log)| (name.trim().to_owned(), log.to_owned())).collect();
        Self { source, class_path, logs }
    }

    /// What a crash printed.
    pub(crate) fn log(&self, case: &str) -> &str {
        self.logs.get(case).unwrap_or_else(|| panic!("no case {case} among {:?}", self.logs.keys()))
    }

    /// The names of all crashes.
    pub(crate) fn cases(&self) -> impl Iterator<Item = &str> {
        self.logs.keys().map(String::as_str)
    }

    /// The exception of a crash that an audit looks at by default.
    pub(crate) fn throwable(&self, case: &str) -> Throwable {
        throwable(&self.class_path, self.log(case)).unwrap_or_else(|| panic!("{case} does not crash"))
    }

    pub(crate) fn audit(&self, case: &str) -> CrashAudit {
        audit(&self.class_path, &self.throwable(case))
    }

    pub(crate) fn line(&self, marker: &str) -> u32 {
        line_of(self.source, marker)
    }

    pub(crate) fn marker(&self, line: u32) -> String {
        marker_of(self.source, line)
    }
}

/// The exception in a log that an audit looks at by default, without frames of the harness.
fn throwable(class_path: &TestClassPath, log: &str) -> Option<Throwable> {
    let parsed = crashback_trace::parse(log.as_bytes());
    let [crash] = &parsed.crashes[..] else { return None };
    let (classes, scope) = (Classes::new(class_path), Scope::Directories);
    let mut throwable = crash.get(Auditor::new(&classes, &scope).choose_cause(crash)?)?.clone();
    throwable.frames.retain(|frame| !frame.class.starts_with("harness."));
    Some(throwable)
}

/// Audits an exception of which everything in directories is the project's.
pub(crate) fn audit(class_path: &TestClassPath, throwable: &Throwable) -> CrashAudit {
    audit_in(class_path, &Scope::Directories, throwable)
}

pub(crate) fn audit_in(class_path: &TestClassPath, scope: &Scope, throwable: &Throwable) -> CrashAudit {
    Auditor::new(&Classes::new(class_path), scope).audit(throwable)
}

/// Class files by internal name.
pub(crate) type ClassBytes = BTreeMap<String, Arc<[u8]>>;

/// Compiles a source as `Subject.java`, together with the harness.
pub(crate) fn compile(source: &str, folder: &Path, options: &[&str]) -> ClassBytes {
    let files: Vec<PathBuf> = [("Subject.java", source), ("Harness.java", HARNESS)]
        .into_iter()
        .map(|(name, text)| {
            let file = folder.join(name);
            std::fs::write(&file, text).expect("the source can be written");
            file
        })
        .collect();
    javac(&files, folder, options);
    let mut classes = ClassBytes::new();
    collect_classes(folder, folder, &mut classes);
    classes
}

fn collect_classes(root: &Path, folder: &Path, classes: &mut ClassBytes) {
    for entry in std::fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("the folder can be read").path();
        if path.is_dir() {
            collect_classes(root, &path, classes);
        } else if path.extension().is_some_and(|it| it == "class") {
            let name = path.strip_prefix(root).expect("a path below the root").with_extension("");
            let name = name.to_str().expect("a name in UTF-8").replace('\\', "/");
            classes.insert(name, std::fs::read(&path).expect("the class can be read").into());
        }
    }
}

fn crashes(class_path: &TestClassPath) -> Vec<String> {
    let is_crash = |name: &&ClassRef| {
        let view = class_path.index.view(**name).expect("a class of this index");
        view.interfaces().any(|it| it == "harness/Harness$Crash")
    };
    let found = class_path.index.direct_subtypes("harness/Harness$Crash").iter().filter(is_crash);
    let names = found.filter_map(|&it| class_path.index.view(it)).map(|it| it.name().replace('/', "."));
    names.filter(|it| !it.contains('$')).collect()
}

#[expect(clippy::disallowed_methods, reason = "tests run the programs that they are about")]
fn run(folder: &Path, options: &[&str], crashes: &[String]) -> String {
    let output = Command::new(java_home().join("bin/java"))
        .args(["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-XX:-UsePerfData"])
        .args(options)
        .arg("-cp")
        .arg(folder)
        .arg("harness.Harness")
        .args(crashes)
        .output()
        .expect("java runs");
    let log = String::from_utf8(output.stderr).expect("a log in UTF-8");
    assert!(output.status.success(), "{log}");
    log
}

/// Classes in memory behind the classes of `java.base`.
pub(crate) struct TestClassPath {
    index: ClassIndex,
    entries: Vec<Entry>,
}

/// A class-path entry in memory.
#[derive(Clone)]
pub(crate) struct Entry {
    pub(crate) info: EntryInfo,
    classes: ClassBytes,
}

impl Entry {
    pub(crate) fn directory(name: &str, classes: ClassBytes) -> Self {
        let info = EntryInfo {
            path: name.to_owned(),
            display: name.to_owned(),
            kind: EntryKind::Directory,
            ..EntryInfo::default()
        };
        Self { info, classes }
    }

    pub(crate) fn jar(name: &str, version: Option<&str>, classes: ClassBytes) -> Self {
        let info = EntryInfo {
            kind: EntryKind::Jar,
            version: version.map(str::to_owned),
            ..Self::directory(name, ClassBytes::new()).info
        };
        Self { info, classes }
    }
}

static JAVA_BASE: LazyLock<(Shard, Vec<Arc<[u8]>>)> = LazyLock::new(|| {
    let mut classes: Vec<Arc<[u8]>> = Vec::new();
    jdk_classes("java.base", |_, bytes| classes.push(bytes.into()));
    (build(classes.iter().map(|it| &**it)), classes)
});

fn build<'a>(classes: impl Iterator<Item = &'a [u8]>) -> Shard {
    let inputs = (0..).zip(classes);
    let inputs = inputs.map(|(location, bytes)| ClassInput { location, expected_name: None, bytes });
    let (shard, problems) = Shard::build(inputs);
    assert!(problems.is_empty(), "{problems:?}");
    shard
}

impl TestClassPath {
    /// The JDK, then the entries, one shard each.
    pub(crate) fn new(entries: Vec<Entry>) -> Self {
        let jdk = EntryInfo { display: "JDK".to_owned(), kind: EntryKind::Jdk, ..EntryInfo::default() };
        let mut shards = vec![JAVA_BASE.0.clone()];
        shards.extend(entries.iter().map(|entry| build(entry.classes.values().map(|it| &**it))));
        let entries = std::iter::once(Entry { info: jdk, classes: ClassBytes::new() }).chain(entries);
        Self { index: ClassIndex::new(shards), entries: entries.collect() }
    }

    /// The classes of an entry.
    pub(crate) fn classes(&self, entry: &str) -> ClassBytes {
        let found = self.entries.iter().find(|it| it.info.display == entry);
        found.map(|it| it.classes.clone()).unwrap_or_else(|| panic!("no entry {entry}"))
    }
}

impl ClassSource for TestClassPath {
    fn index(&self) -> &ClassIndex {
        &self.index
    }

    fn bytes(&self, class: ClassRef) -> Result<Arc<[u8]>, SourceError> {
        let location = self.index.view(class).ok_or(SourceError::UnknownClass)?.location() as usize;
        let bytes = match class.shard {
            0 => JAVA_BASE.1.get(location),
            shard => self.entries.get(shard as usize).and_then(|it| it.classes.values().nth(location)),
        };
        bytes.cloned().ok_or(SourceError::UnknownClass)
    }

    fn entry(&self, class: ClassRef) -> Option<&EntryInfo> {
        self.entries.get(class.shard as usize).map(|it| &it.info)
    }
}
