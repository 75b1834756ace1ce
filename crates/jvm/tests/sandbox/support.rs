//! JDKs, compiled classes, the stage on which attempts are made, and children.

#![expect(
    clippy::disallowed_methods,
    reason = "tests look for JDKs themselves, start processes and watch the time"
)]

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, Weak};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::child::MARK;
use crate::jdks::jdk_homes;

/// Java sources by file name.
pub(crate) const SOURCES: &[(&str, &str)] = &[
    ("Runner.java", include_str!("java/Runner.java")),
    ("Attempts.java", include_str!("java/Attempts.java")),
    ("ModernAttempts.java", include_str!("java/ModernAttempts.java")),
    ("ForeignAttempts.java", include_str!("java/ForeignAttempts.java")),
    ("Contained.java", include_str!("java/Contained.java")),
    ("Ordinary.java", include_str!("java/Ordinary.java")),
    ("Target.java", include_str!("java/Target.java")),
];

const PACKED: &str = include_str!("java/Packed.java");

/// Names of the attempts in a class: its public methods.
pub(crate) fn methods(class: &str) -> Vec<String> {
    let file = format!("{class}.java");
    let (_, source) = SOURCES.iter().find(|(name, _)| *name == file).unwrap();
    let starts = source.split("public static void ").skip(1);
    starts.map(|rest| rest.split('(').next().unwrap().to_owned()).collect()
}

/// A user that runs children.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum User {
    /// The one who runs the tests.
    Own,
    /// Somebody without rights, into whom root can turn.
    Nobody,
}

impl User {
    /// Root and a normal user where we are root, else just ourselves.
    pub(crate) fn all() -> Vec<Self> {
        if is_root() {
            return vec![Self::Own, Self::Nobody];
        }
        eprintln!("SKIPPED: the half that needs root; run the tests as root to see it");
        vec![Self::Own]
    }

    pub(crate) fn is_root(self) -> bool {
        self == Self::Own && is_root()
    }

    fn id(self) -> Option<u32> {
        (self == Self::Nobody).then_some(65534)
    }
}

fn is_root() -> bool {
    fs::metadata("/proc/self").unwrap().uid() == 0
}

/// A JDK with the compiled test classes.
pub(crate) struct Jdk {
    pub(crate) home: PathBuf,
    pub(crate) feature: u32,
    folder: TempDir,
}

impl Jdk {
    /// All JDKs at hand. Tests that run at the same time share them, and the last one removes what
    /// was compiled.
    pub(crate) fn all() -> Arc<Vec<Self>> {
        static SHARED: Mutex<Weak<Vec<Jdk>>> = Mutex::new(Weak::new());
        let mut shared = SHARED.lock().unwrap();
        shared.upgrade().unwrap_or_else(|| {
            let all = Arc::new(jdk_homes().into_iter().map(Self::compiled).collect());
            *shared = Arc::downgrade(&all);
            all
        })
    }

    /// Some JDK with an empty class path, for tests that run no Java.
    pub(crate) fn without_classes() -> Self {
        let home = jdk_homes().swap_remove(0);
        let jdk = Self { feature: feature(&home), home, folder: open_folder() };
        jdk.class_path().iter().for_each(|path| fs::write(path, "").unwrap());
        jdk
    }

    fn compiled(home: PathBuf) -> Self {
        let feature = feature(&home);
        let folder = open_folder();
        let chosen = SOURCES.iter().filter(|(name, _)| match *name {
            "ModernAttempts.java" => feature >= 16,
            "ForeignAttempts.java" => feature >= 22,
            _ => true,
        });
        compile(&home, chosen, &folder.path().join("plain"));
        let packed = folder.path().join("packed");
        compile(&home, [("Packed.java", PACKED)].iter(), &packed);
        fs::write(packed.join("packed.txt"), "packed").unwrap();
        let mut jar = Command::new(home.join("bin/jar"));
        jar.arg("cf").arg(folder.path().join("real.jar")).arg("-C").arg(&packed).arg(".");
        assert!(jar.status().unwrap().success());
        // Jars are often links into a repository.
        std::os::unix::fs::symlink("real.jar", folder.path().join("packed.jar")).unwrap();
        Self { home, feature, folder }
    }

    pub(crate) fn class_path(&self) -> [PathBuf; 2] {
        [self.folder.path().join("packed.jar"), self.folder.path().join("plain")]
    }

    /// The classes with attempts that this JDK can run.
    pub(crate) fn attempts(&self) -> Vec<&'static str> {
        let classes = [("Attempts", 8), ("ModernAttempts", 16), ("ForeignAttempts", 22)];
        classes.iter().filter(|(_, since)| self.feature >= *since).map(|(class, _)| *class).collect()
    }

    /// A JVM in a process of its own that waits.
    pub(crate) fn waiting_jvm(&self, user: User) -> Guard {
        let mut command = Command::new(self.home.join("bin/java"));
        command
            .args(["-Xmx16m", "-XX:+UseSerialGC", "-cp"])
            .arg(self.folder.path().join("plain"))
            .arg("Target");
        if let Some(id) = user.id() {
            command.uid(id).gid(id);
        }
        Guard::start(command.env_clear().current_dir("/"), "ready")
    }
}

fn feature(home: &Path) -> u32 {
    // Some packages of Java 8 have no such file; all later ones do.
    let Ok(release) = fs::read_to_string(home.join("release")) else { return 8 };
    let version = release.lines().find_map(|line| line.strip_prefix("JAVA_VERSION=\"")).unwrap();
    version.trim_start_matches("1.").split(|c: char| !c.is_ascii_digit()).next().unwrap().parse().unwrap()
}

fn compile<'a>(home: &Path, sources: impl Iterator<Item = &'a (&'a str, &'a str)>, out: &Path) {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir_all(out).unwrap();
    let mut command = Command::new(home.join("bin/javac"));
    command.args(["-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC"]);
    command.args(["-proc:none", "-g", "-nowarn", "-encoding", "UTF-8", "-d"]).arg(out);
    for (name, source) in sources {
        fs::write(folder.path().join(name), source).unwrap();
        command.arg(folder.path().join(name));
    }
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// A temporary folder that every user may enter.
fn open_folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o755)).unwrap();
    folder
}

/// Files that belong to the user: a folder for each attempt, and the scratch folder.
pub(crate) struct Stage {
    folder: TempDir,
    pub(crate) user: User,
}

impl Stage {
    pub(crate) fn new<'a>(user: User, attempts: impl IntoIterator<Item = &'a str>) -> Self {
        let stage = Self { folder: open_folder(), user };
        fs::create_dir(stage.scratch()).unwrap();
        fs::write(stage.readable(), "readable").unwrap();
        for name in attempts {
            let folder = stage.outside().join(name);
            fs::create_dir_all(folder.join("folder")).unwrap();
            fs::write(folder.join("file"), "original").unwrap();
            fs::write(folder.join("secret"), "secret").unwrap();
        }
        stage.give_to_user(stage.folder.path());
        stage
    }

    pub(crate) fn scratch(&self) -> PathBuf {
        self.folder.path().join("scratch")
    }

    pub(crate) fn outside(&self) -> PathBuf {
        self.folder.path().join("outside")
    }

    /// A file of the user's for the class path.
    pub(crate) fn readable(&self) -> PathBuf {
        self.folder.path().join("readable")
    }

    fn give_to_user(&self, path: &Path) {
        if let Some(id) = self.user.id() {
            chown(path, Some(id), Some(id)).unwrap();
        }
        if path.is_dir() {
            fs::read_dir(path).unwrap().for_each(|entry| self.give_to_user(&entry.unwrap().path()));
        }
    }

    /// A folder in the scratch folder.
    pub(crate) fn folder(&self, name: &str) -> PathBuf {
        let folder = self.scratch().join(name);
        fs::create_dir(&folder).unwrap();
        self.give_to_user(&folder);
        folder
    }

    /// Empties the scratch folder.
    pub(crate) fn clean(&self) {
        fs::remove_dir_all(self.scratch()).unwrap();
        fs::create_dir(self.scratch()).unwrap();
        self.give_to_user(&self.scratch());
    }

    /// A child that works with this stage, not yet started.
    pub(crate) fn child(&self, jdk: &Jdk, mode: &str, confine: bool) -> ChildOrder {
        let mut order = ChildOrder { command: Command::new(env::current_exe().unwrap()) };
        order.command.arg(MARK).env_clear().current_dir(self.scratch()).stdin(Stdio::null());
        order.set("mode", mode);
        order.set("confine", if confine { "yes" } else { "no" });
        order.set("home", jdk.home.display());
        order.set("scratch", self.scratch().display());
        order.set("outside", self.outside().display());
        jdk.class_path().iter().for_each(|path| order.set("class_path", path.display()));
        if let Some(id) = self.user.id() {
            order.set("user", id);
        }
        for option in ["-XX:+UseSerialGC", "-Xmx64m", "-Djava.awt.headless=true"] {
            order.set("jvm", option);
        }
        order.set("jvm", format!("-Dstage.outside={}", self.outside().display()));
        order
    }

    /// Another process of the user, which waits.
    pub(crate) fn waiting_process(&self, jdk: &Jdk) -> Guard {
        let mut order = self.child(jdk, "wait", false);
        Guard::start(&mut order.command, "@ ready")
    }
}

/// What a child is told.
pub(crate) struct ChildOrder {
    pub(crate) command: Command,
}

impl ChildOrder {
    pub(crate) fn set(&mut self, key: &str, value: impl std::fmt::Display) {
        self.command.arg(format!("{key}={value}"));
    }

    pub(crate) fn property(&mut self, key: &str, value: impl std::fmt::Display) {
        self.set("jvm", format!("-D{key}={value}"));
    }

    /// Runs the child to its end and gives what it reported, by name.
    pub(crate) fn report(mut self) -> BTreeMap<String, String> {
        let output = self.command.stderr(Stdio::piped()).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        let report = parse(&text);
        assert!(
            report.contains_key("end"),
            "{}\n{text}\n{}",
            output.status,
            String::from_utf8_lossy(&output.stderr)
        );
        report
    }
}

/// Lines `@ name outcome` by name.
pub(crate) fn parse(text: &str) -> BTreeMap<String, String> {
    let lines = text.lines().filter_map(|line| line.strip_prefix("@ "));
    lines.map(|line| line.split_once(' ').unwrap_or((line, ""))).map(|(a, b)| (a.into(), b.into())).collect()
}

/// A process that is ended with its owner.
pub(crate) struct Guard(pub(crate) Child);

impl Guard {
    /// Starts a process and waits until it has printed a line that begins so.
    pub(crate) fn start(command: &mut Command, sign: &str) -> Self {
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap());
        let guard = Self(child);
        let mut text = String::new();
        while !text.lines().last().is_some_and(|line| line.starts_with(sign)) {
            assert_ne!(lines.read_line(&mut text).unwrap(), 0, "{text}");
        }
        guard
    }

    pub(crate) fn id(&self) -> u32 {
        self.0.id()
    }

    pub(crate) fn is_alive(&mut self) -> bool {
        self.0.try_wait().unwrap().is_none()
    }

    /// Waits for its end, but not for ever.
    pub(crate) fn ended(&mut self, limit: Duration) -> Option<ExitStatus> {
        let mut status = None;
        wait_until(limit, || {
            status = self.0.try_wait().unwrap();
            status.is_some()
        });
        status
    }

    /// What it has printed, once it has ended.
    pub(crate) fn output(&mut self) -> String {
        let mut text = Vec::new();
        self.0.stdout.take().unwrap().read_to_end(&mut text).unwrap();
        String::from_utf8_lossy(&text).into_owned()
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        self.0.kill().ok();
        self.0.wait().ok();
    }
}

/// Whether a condition came true in time.
pub(crate) fn wait_until(limit: Duration, mut condition: impl FnMut() -> bool) -> bool {
    let start = Instant::now();
    while start.elapsed() < limit {
        if condition() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    false
}

/// All that is known about the files below some folders. A change of mode, owner or attributes
/// shows in the change time even where it sets what was there before.
pub(crate) fn snapshot(folders: &[PathBuf]) -> BTreeMap<PathBuf, String> {
    let mut files = BTreeMap::new();
    let mut open = folders.to_vec();
    while let Some(path) = open.pop() {
        let it = fs::symlink_metadata(&path).unwrap();
        let content = if it.is_file() { fs::read(&path).unwrap() } else { Vec::new() };
        let facts = format!(
            "{:o} {} {} {} {}.{} {}.{} {:?}",
            it.mode(),
            it.uid(),
            it.gid(),
            it.nlink(),
            it.mtime(),
            it.mtime_nsec(),
            it.ctime(),
            it.ctime_nsec(),
            content
        );
        if it.is_dir() {
            open.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        }
        files.insert(path, facts);
    }
    files
}
