//! JDKs, compiled subjects, and a pool over them.

#![expect(clippy::disallowed_methods, reason = "tests look for JDKs themselves and start compilers")]

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::time::Duration;

use crashback_instrument::{Kinds, ProbePlan};
use crashback_jvm::pool::{Pool, PoolSettings, WorkerCommand};
use crashback_jvm::{Limits, Machine, Program, Recording, Surroundings, WorkerSettings};
use crashback_protocol::{Batch, Evaluator, Isolation, Observation, Outcome, Pins, Results};
use crashback_testcase::{
    Kind, Literal, Method, MethodId, Statement, TestCase, Type, TypeId, Var, Vocabulary,
};
use tempfile::TempDir;

pub(crate) use crate::jdks::jdk_homes;

/// Compiles sources into a folder.
pub(crate) fn compile(home: &Path, to: &Path, options: &[&str], sources: impl IntoIterator<Item = PathBuf>) {
    // The compiler of Java 8 does not make it.
    fs::create_dir_all(to).unwrap();
    let output = Command::new(home.join("bin/javac"))
        .args(["-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "-nowarn", "-encoding", "UTF-8", "-d"])
        .arg(to)
        .args(options)
        .args(sources)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Class files by file name.
type ClassFiles = BTreeMap<OsString, Vec<u8>>;

/// The subjects, compiled once for all tests.
fn subjects(home: &Path) -> ClassFiles {
    static COMPILED: Mutex<BTreeMap<PathBuf, ClassFiles>> = Mutex::new(BTreeMap::new());
    let mut compiled = COMPILED.lock().unwrap();
    let classes = compiled.entry(home.to_owned()).or_insert_with(|| {
        let folder = tempfile::tempdir().unwrap();
        let sources: PathBuf = [env!("CARGO_MANIFEST_DIR"), "tests/evaluator/java/subject"].iter().collect();
        let files = fs::read_dir(sources).unwrap().map(|entry| entry.unwrap().path());
        compile(home, folder.path(), &["-g"], files);
        let files = fs::read_dir(folder.path().join("subject")).unwrap().map(|entry| entry.unwrap());
        files.map(|file| (file.file_name(), fs::read(file.path()).unwrap())).collect()
    });
    classes.clone()
}

/// Compiled subjects, and settings to run them with.
pub(crate) struct Bench {
    folder: TempDir,
    home: PathBuf,
    pub(crate) vocabulary: Vocabulary,
    /// What workers are told.
    pub(crate) limits: Limits,
    pub(crate) options: Vec<String>,
    pub(crate) surroundings: Surroundings,
    pub(crate) kinds: Kinds,
}

impl Bench {
    /// With the classes of `java/subject`, compiled by a JDK.
    pub(crate) fn new(home: &Path) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let classes = folder.path().join("classes/subject");
        fs::create_dir_all(&classes).unwrap();
        for (name, bytes) in subjects(home) {
            fs::write(classes.join(name), bytes).unwrap();
        }
        fs::create_dir(folder.path().join("scratch")).unwrap();
        Self {
            folder,
            home: home.to_owned(),
            vocabulary: Vocabulary::default(),
            limits: Limits {
                budget: 200_000,
                // No test that comes back by itself takes as long, however busy the machine is.
                time: Duration::from_secs(20),
                // Enough for a stop to arrive there.
                grace: Duration::from_secs(20),
            },
            options: Vec::new(),
            surroundings: Surroundings::default(),
            kinds: Kinds::BUDGET | Kinds::STATE | Kinds::PINS,
        }
    }

    /// A pool of real workers.
    pub(crate) fn pool(&self, workers: usize) -> Pool {
        Pool::new(PoolSettings { workers, ..self.settings() }).unwrap()
    }

    pub(crate) fn settings(&self) -> PoolSettings {
        let worker = WorkerSettings {
            machine: Machine {
                home: self.home.clone(),
                feature: 17,
                heap: 256,
                stack: 1024,
                options: self.options.clone(),
            },
            program: Program {
                class_path: vec![self.classes()],
                test_package: "subject".to_owned(),
                assertions: false,
            },
            recording: Recording {
                plan: ProbePlan::everywhere(self.kinds),
                jump_codes: Vec::new(),
                chain: Vec::new(),
                operands: false,
                strict_verification: false,
            },
            limits: self.limits,
            surroundings: self.surroundings.clone(),
            without_sandbox: false,
            scratch: PathBuf::new(),
        };
        let command = WorkerCommand {
            program: env!("CARGO_BIN_EXE_test-worker").into(),
            arguments: Vec::new(),
            time_zone: None,
        };
        PoolSettings::new(worker, command, self.scratch_root())
    }

    /// The folder of the compiled classes.
    pub(crate) fn classes(&self) -> PathBuf {
        self.folder.path().join("classes")
    }

    /// The compiled class with an internal name.
    pub(crate) fn class_file(&self, name: &str) -> Vec<u8> {
        fs::read(self.classes().join(format!("{name}.class"))).unwrap()
    }

    pub(crate) fn scratch_root(&self) -> PathBuf {
        self.folder.path().join("scratch")
    }

    /// A constructor or static method of any class.
    pub(crate) fn member(&mut self, owner: &str, name: &str, parameters: &[&str], result: &str) -> MethodId {
        let owner = self.vocabulary.add_type(Type::of_class(owner));
        let parameters = parameters.iter().map(|it| self.add_type(it)).collect();
        let result = self.add_type(result);
        let kind = if name == "<init>" { Kind::Constructor } else { Kind::Static };
        self.vocabulary.add_method(Method { owner, name: name.into(), kind, parameters, result })
    }

    /// A static method by a text such as `subject/Hanging.healthy(I)I`.
    pub(crate) fn method(&mut self, text: &str) -> MethodId {
        let (owner, rest) = text.split_once('.').unwrap();
        let (name, descriptor) = rest.split_once('(').unwrap();
        let (parameters, result) = descriptor.split_once(')').unwrap();
        let parameters: Vec<_> = split_types(parameters).collect();
        self.member(owner, name, &parameters, result)
    }

    fn add_type(&mut self, descriptor: &str) -> TypeId {
        self.vocabulary.add_type(Type(descriptor.into()))
    }

    /// A test that calls a static method with literals.
    pub(crate) fn call(&mut self, method: &str, arguments: &[Literal]) -> TestCase {
        let method = self.method(method);
        let mut statements: Vec<_> = arguments.iter().cloned().map(Statement::Literal).collect();
        let arguments = (0..arguments.len()).map(|index| Var(index as u16)).collect();
        statements.push(Statement::Call { method, receiver: None, arguments });
        TestCase::new(statements)
    }

    /// Runs tests with a pool.
    pub(crate) fn run(&self, pool: &mut Pool, tests: &[TestCase]) -> Results {
        self.run_isolated(pool, tests, Isolation::Reset)
    }

    pub(crate) fn run_isolated(&self, pool: &mut Pool, tests: &[TestCase], isolation: Isolation) -> Results {
        pool.evaluate(Batch { isolation, ..Batch::new(&self.vocabulary, tests) }).unwrap()
    }

    pub(crate) fn run_pinned(&self, pool: &mut Pool, tests: &[TestCase], pins: Pins) -> Results {
        pool.evaluate(Batch { pins, ..Batch::new(&self.vocabulary, tests) }).unwrap()
    }
}

/// What a test threw, as class and message.
pub(crate) fn thrown(observation: &Observation) -> String {
    assert_eq!(observation.outcome, Outcome::Threw, "{observation:?}");
    let thrown = observation.thrown().unwrap();
    format!("{}: {}", thrown.class, thrown.message.as_deref().unwrap_or("no message"))
}

fn split_types(mut text: &str) -> impl Iterator<Item = &str> {
    std::iter::from_fn(move || {
        let start = text.find(|c| c != '[')?;
        let end = if text[start..].starts_with('L') { text.find(';').unwrap() + 1 } else { start + 1 };
        let (first, rest) = text.split_at(end);
        text = rest;
        Some(first)
    })
}
