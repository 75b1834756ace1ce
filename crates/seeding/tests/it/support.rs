//! Small programs with a crash, compiled by the JDK at hand.

#![expect(
    clippy::disallowed_methods,
    reason = "tests look for the JDK where the user has it and start its compiler"
)]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use crashback_classpath::jdk::{self, Jdk, Lookup};
use crashback_classpath::{CacheSettings, ClassPath, Request};
use crashback_program::ClassSource;
use crashback_program::classes::Classes;
use crashback_program::frames::{Auditor, CrashAudit, Scope};

/// A compiled program. Its classes live as long as the test process, which spares the tests all
/// lifetimes.
pub(crate) struct Program {
    pub(crate) classes: Classes<'static>,
    /// The folder of its class files.
    out: PathBuf,
}

impl Program {
    /// Compiles sources, given by file name and text, and puts files beside the classes.
    pub(crate) fn compile(files: &[(&str, &str)]) -> Self {
        let out = compiled(files, None);
        let cache = Some(CacheSettings::new(Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache")));
        let request =
            Request { entries: vec![out.clone()], jdk: Some(java_home()), cache, ..Request::default() };
        let class_path: &'static ClassPath = Box::leak(Box::new(ClassPath::load(&request).unwrap()));
        Self { classes: Classes::new(class_path), out }
    }

    /// Compiles sources that use the program, without adding them to it.
    pub(crate) fn compile_beside(&self, files: &[(&str, &str)]) -> Arc<dyn ClassSource> {
        let entries = vec![compiled(files, Some(&self.out))];
        Arc::new(ClassPath::load(&Request { entries, ..Request::default() }).unwrap())
    }

    /// What is known of the first crash of a log.
    pub(crate) fn audit(&self, log: &str) -> CrashAudit {
        let parsed = crashback_trace::parse(log.as_bytes());
        let throwable = parsed.crashes.first().unwrap().throwables.first().unwrap();
        Auditor::new(&self.classes, &Scope::Directories).audit(throwable)
    }
}

/// The folder of the class files of some sources, and of the other files. It stays: a class path reads its
/// files when they are asked for.
fn compiled(files: &[(&str, &str)], class_path: Option<&Path>) -> PathBuf {
    let folder = tempfile::tempdir().unwrap().keep();
    let out = folder.join("out");
    let mut javac = Command::new(java_home().home.join("bin/javac"));
    javac.args(["-J-XX:TieredStopAtLevel=1", "-g", "-nowarn", "-d"]).arg(&out);
    if let Some(class_path) = class_path {
        javac.arg("-cp").arg(class_path);
    }
    for (name, text) in files {
        let is_source = name.ends_with(".java");
        let file = folder.join(if is_source { "src" } else { "out" }).join(name);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, text).unwrap();
        if is_source {
            javac.arg(file);
        }
    }
    assert!(javac.status().unwrap().success());
    out
}

fn java_home() -> Jdk {
    let (java_home, path) = (std::env::var_os("JAVA_HOME"), std::env::var_os("PATH"));
    jdk::find(Lookup { explicit: None, java_home: java_home.as_deref(), path: path.as_deref() }).unwrap()
}
