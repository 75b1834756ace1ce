//! Running the command as a user does, on programs compiled on the spot.
#![expect(clippy::disallowed_methods, reason = "the tests run the command, the compiler and Java")]

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::fd::OwnedFd;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use rustix::pty;
use serde_json::Value;
use tempfile::TempDir;

/// What a run of the command left behind.
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Run {
    /// Standard output as the one JSON object that it must be.
    pub(crate) fn json(&self) -> Value {
        let value: Value = serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("no JSON object ({error}):\n{}\n{}", self.stdout, self.stderr));
        assert_eq!(value["exit_code"], self.code, "the object tells the exit code");
        value
    }

    /// Fails unless the run ended with the code and told of all the words on standard error.
    pub(crate) fn failed_with(&self, code: i32, words: &[&str]) {
        assert_eq!(self.code, code, "{}{}", self.stdout, self.stderr);
        for word in words {
            assert!(self.stderr.contains(word), "`{word}` is not in:\n{}", self.stderr);
        }
        assert!(!self.stderr.contains("panicked"), "{}", self.stderr);
    }
}

/// Runs `crashback` with no colours and the cache of the tests.
pub(crate) fn crashback<S: AsRef<OsStr>>(arguments: impl IntoIterator<Item = S>) -> Run {
    run(command().args(arguments), b"")
}

/// The command with the environment of the tests, and a cache that all of them share: the JDK is
/// indexed and JUnit fetched once. Tests that are about what happens without say `--no-cache`.
pub(crate) fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_crashback"));
    command.env("CRASHBACK_CACHE_DIR", cache_folder());
    command.env("XDG_CACHE_HOME", "").env("HOME", "").env("NO_COLOR", "1");
    command
}

/// The cache of the tests.
pub(crate) fn cache_folder() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache")
}

/// A copy of the JDK, by links, without some files or folders.
pub(crate) fn jdk_without(left_out: &[&str], home: &Path) {
    let jdk = java_home();
    let mut open = vec![String::new()];
    while let Some(below) = open.pop() {
        fs::create_dir_all(home.join(&below)).expect("a folder");
        for entry in fs::read_dir(jdk.join(&below)).expect("a JDK").map(|it| it.expect("an entry")) {
            let name = Path::new(&below).join(entry.file_name()).to_string_lossy().into_owned();
            if left_out.contains(&name.as_str()) {
                continue;
            }
            // Only folders from which something is left out are made anew.
            if left_out.iter().any(|it| Path::new(it).starts_with(&name)) {
                open.push(name);
            } else {
                symlink(entry.path(), home.join(&name)).expect("a link");
            }
        }
    }
}

/// Where the JDK may have `libjvm.so`: Java 8 has it elsewhere.
pub(crate) const LIBRARIES: [&str; 3] = ["lib/server", "jre/lib/amd64/server", "jre/lib/aarch64/server"];

/// A script in the place of Maven: a value for `PATH` that has it first.
pub(crate) fn path_with_maven(folder: &Path, script: &str) -> OsString {
    fs::create_dir(folder).expect("a folder");
    let maven = folder.join("mvn");
    fs::write(&maven, format!("#!/bin/sh\n{script}\n")).expect("a script");
    fs::set_permissions(&maven, fs::Permissions::from_mode(0o755)).expect("a script");
    let path = std::env::var_os("PATH").expect("a PATH");
    let folders = [folder.to_owned()].into_iter().chain(std::env::split_paths(&path));
    std::env::join_paths(folders).expect("a PATH")
}

/// Runs a prepared command with some standard input.
pub(crate) fn run(command: &mut Command, input: &[u8]) -> Run {
    let folder = tempfile::tempdir().expect("a folder");
    let stdin = folder.path().join("stdin");
    fs::write(&stdin, input).expect("standard input");
    let output =
        command.stdin(fs::File::open(stdin).expect("standard input")).output().expect("crashback runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Run {
        code: output.status.code().expect("no signal"),
        stdout: text(&output.stdout),
        stderr: text(&output.stderr),
    }
}

/// Home of the JDK that the environment names.
pub(crate) fn java_home() -> PathBuf {
    if let Some(home) = std::env::var_os("JAVA_HOME").filter(|it| !it.is_empty()) {
        return PathBuf::from(home);
    }
    let path = std::env::var_os("PATH").expect("a PATH");
    let java = std::env::split_paths(&path).find_map(|it| fs::canonicalize(it.join("java")).ok());
    java.and_then(|it| Some(it.parent()?.parent()?.to_owned())).expect("java on the PATH")
}

/// A compiled program and the log of its crash.
pub(crate) struct Program {
    pub(crate) folder: TempDir,
}

impl Program {
    /// The shop, which sells what has no price.
    pub(crate) fn shop() -> Self {
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/programs/shop");
        let program = Self { folder: tempfile::tempdir().expect("a folder") };
        compile(&sources, &[], &program.path("classes"));
        let ran = tool("java").arg("-cp").arg(program.path("classes")).arg("shop.Till").output();
        fs::write(program.path("crash.log"), ran.expect("java runs").stderr).expect("the log");
        program
    }

    /// A path below the program's folder.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file below the program's folder.
    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, content).expect("a file");
        path
    }

    /// The log of the crash.
    pub(crate) fn log(&self) -> String {
        fs::read_to_string(self.path("crash.log")).expect("the log")
    }

    /// Puts the classes into a jar.
    pub(crate) fn jar(&self) -> PathBuf {
        let jar = self.path("shop-1.4.jar");
        let made = tool("jar").arg("cf").arg(&jar).arg("-C").arg(self.path("classes")).arg(".").output();
        succeed(&made.expect("jar runs"));
        jar
    }

    /// Explains a log with some class path.
    pub(crate) fn explain(&self, log: &Path, class_path: &Path, flags: &[&str]) -> Run {
        let class_path = [OsStr::new("--classpath"), class_path.as_os_str()];
        let flags = flags.iter().map(OsStr::new);
        let subject = [OsStr::new("explain"), log.as_os_str()];
        crashback(subject.into_iter().chain(class_path).chain(flags))
    }
}

/// Compiles the sources in a folder and below into another, which need not exist.
pub(crate) fn compile(sources: &Path, class_path: &[&Path], classes: &Path) {
    fs::create_dir_all(classes).expect("a folder");
    let mut javac = tool("javac");
    javac.arg("-g").arg("-d").arg(classes).arg("-cp").arg(joined(class_path)).args(files_below(sources));
    succeed(&javac.output().expect("javac runs"));
}

/// The files in a folder and below, by name.
pub(crate) fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).expect("a folder").map(|it| it.expect("an entry").path()).collect();
    entries.sort();
    entries.into_iter().flat_map(|it| if it.is_dir() { files_below(&it) } else { vec![it] }).collect()
}

/// A program to compile.
pub(crate) struct Compilation {
    pub(crate) sources: Vec<PathBuf>,
    /// Further options of the compiler.
    pub(crate) options: Vec<String>,
    pub(crate) classes: PathBuf,
}

/// Compiles several programs in one JVM, which takes a fraction of the time of as many compilers.
pub(crate) fn compile_many(compilations: &[Compilation]) {
    let folder = tempfile::tempdir().expect("a folder");
    let compiler = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/programs/compiler");
    compile(&compiler, &[], folder.path());
    let mut lines = String::new();
    for Compilation { sources, options, classes } in compilations {
        fs::create_dir_all(classes).expect("a folder");
        let places = [Path::new("-g"), Path::new("-d"), classes];
        let paths = places.into_iter().chain(sources.iter().map(PathBuf::as_path));
        let words =
            paths.map(|it| it.to_str().expect("a plain path")).chain(options.iter().map(String::as_str));
        lines.push_str(&words.collect::<Vec<_>>().join("\t"));
        lines.push('\n');
    }
    let input = folder.path().join("lines");
    fs::write(&input, lines).expect("a file");
    let mut java = tool("java");
    java.stdin(fs::File::open(input).expect("a file")).arg("-cp").arg(folder.path()).arg("CompileAll");
    succeed(&java.output().expect("java runs"));
}

/// Folders as Java takes them on its command line.
pub(crate) fn joined(class_path: &[&Path]) -> OsString {
    std::env::join_paths(class_path).expect("plain paths")
}

/// A tool of the JDK that the environment names.
pub(crate) fn tool(name: &str) -> Command {
    let mut command = match std::env::var_os("JAVA_HOME").filter(|it| !it.is_empty()) {
        Some(home) => Command::new(Path::new(&home).join("bin").join(name)),
        None => Command::new(name),
    };
    // They end before a better compiler would pay.
    let options = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"];
    let prefix = if name == "java" { "" } else { "-J" };
    command.args(options.map(|it| format!("{prefix}{it}"))).stdin(Stdio::null());
    command
}

fn succeed(output: &Output) {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// A terminal, and what a command has written to it.
pub(crate) struct Terminal {
    controller: OwnedFd,
    text: String,
}

impl Terminal {
    /// A terminal, and the end that a command writes to.
    pub(crate) fn open() -> (Self, OwnedFd) {
        let controller = pty::openpt(pty::OpenptFlags::RDWR | pty::OpenptFlags::NOCTTY).expect("a terminal");
        pty::grantpt(&controller).expect("a terminal");
        pty::unlockpt(&controller).expect("a terminal");
        let name = pty::ptsname(&controller, Vec::new()).expect("a terminal");
        let name = name.into_string().expect("a plain path");
        let user = fs::File::options().read(true).write(true).open(name).expect("a terminal");
        (Self { controller, text: String::new() }, user.into())
    }

    /// Reads until it has a text.
    pub(crate) fn wait_for(&mut self, text: &str) {
        let mut piece = [0; 4096];
        while !self.text.contains(text) {
            let length = rustix::io::read(&self.controller, &mut piece).unwrap_or(0);
            assert!(length > 0, "`{text}` is not in:\n{}", self.text);
            self.text.push_str(&String::from_utf8_lossy(&piece[..length]));
        }
    }

    /// Everything that was written to it, once all commands have closed their ends.
    pub(crate) fn rest(mut self) -> String {
        let mut piece = [0; 4096];
        while let Ok(length @ 1..) = rustix::io::read(&self.controller, &mut piece) {
            self.text.push_str(&String::from_utf8_lossy(&piece[..length]));
        }
        self.text
    }
}
