//! Pools of fake workers, and tests for them.

use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use crashback_instrument::{Kinds, ProbePlan};
use crashback_jvm::pool::{Pool, PoolHandle, PoolSettings, WorkerCommand};
use crashback_jvm::{Limits, Machine, Program, Recording, Surroundings, WorkerSettings};
use crashback_protocol::{Batch, Evaluator, Failure, Isolation, Outcome, Results, Ticket};
use crashback_testcase::{Literal, Statement, TestCase, Vocabulary};
use tempfile::TempDir;

/// A pool in a scratch root of its own. When it is dropped, nothing may be left.
pub(crate) struct Fixture {
    pub(crate) pool: Option<Pool>,
    pub(crate) handle: PoolHandle,
    pub(crate) vocabulary: Vocabulary,
    root: TempDir,
}

/// Settings for fake workers that get these arguments as well.
pub(crate) fn settings(arguments: &[&str]) -> PoolSettings {
    let command = WorkerCommand {
        program: PathBuf::from(env!("CARGO_BIN_EXE_test-worker")),
        arguments: ["fake"].iter().chain(arguments).map(OsString::from).collect(),
        time_zone: None,
    };
    let worker = WorkerSettings {
        machine: Machine {
            home: PathBuf::new().join("none"),
            feature: 17,
            heap: 64,
            stack: 1024,
            options: Vec::new(),
        },
        program: Program { class_path: Vec::new(), test_package: String::new(), assertions: false },
        recording: Recording {
            plan: ProbePlan::everywhere(Kinds::NONE),
            jump_codes: Vec::new(),
            chain: Vec::new(),
            operands: false,
            strict_verification: false,
        },
        limits: Limits { budget: 0, time: Duration::from_millis(200), grace: Duration::from_millis(100) },
        surroundings: Surroundings::default(),
        without_sandbox: true,
        scratch: PathBuf::new(),
    };
    PoolSettings::new(worker, command, PathBuf::new())
}

impl Fixture {
    pub(crate) fn new(mut settings: PoolSettings) -> Self {
        let root = tempfile::tempdir().unwrap();
        settings.scratch_root = root.path().to_path_buf();
        let pool = Pool::new(settings).unwrap();
        Self { handle: pool.handle(), pool: Some(pool), vocabulary: Vocabulary::default(), root }
    }

    /// A pool with so many workers and spares.
    pub(crate) fn of(workers: usize, spares: usize) -> Self {
        Self::new(PoolSettings { workers, spares, ..settings(&[]) })
    }

    pub(crate) fn pool(&mut self) -> &mut Pool {
        self.pool.as_mut().unwrap()
    }

    pub(crate) fn run(&mut self, tests: &[TestCase]) -> Results {
        self.run_as(tests, Isolation::Reset).unwrap()
    }

    pub(crate) fn run_as(&mut self, tests: &[TestCase], isolation: Isolation) -> Result<Results, Failure> {
        let batch = Batch { isolation, ..Batch::new(&self.vocabulary, tests) };
        self.pool.as_mut().unwrap().evaluate(batch)
    }

    pub(crate) fn submit(&mut self, tests: &[TestCase], isolation: Isolation) -> Ticket {
        let batch = Batch { isolation, ..Batch::new(&self.vocabulary, tests) };
        self.pool.as_mut().unwrap().submit(batch).unwrap()
    }

    pub(crate) fn collect(&mut self, ticket: Ticket) -> Results {
        self.pool().collect(ticket).unwrap()
    }

    /// Drops the pool and looks for what it has left.
    pub(crate) fn close(&mut self) {
        let processes = self.handle.processes();
        drop(self.pool.take());
        assert!(self.handle.processes().is_empty());
        for process in processes {
            assert!(!is_child(process), "process {process} is left");
        }
        let left: Vec<_> = fs::read_dir(self.root.path()).unwrap().map(|it| it.unwrap().path()).collect();
        assert!(left.is_empty(), "{left:?} is left");
    }
}

impl Drop for Fixture {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            self.close();
        }
    }
}

/// Whether this is a child of ours, be it a zombie.
pub(crate) fn is_child(process: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    // The name in parentheses may hold anything; the state and the parent follow it.
    let parent = stat.rsplit_once(')').and_then(|(_, rest)| rest.split_whitespace().nth(1));
    parent.is_some_and(|parent| parent == std::process::id().to_string())
}

pub(crate) fn test(what: &str, number: i32) -> TestCase {
    TestCase::new(vec![
        Statement::Literal(Literal::Text(what.into())),
        Statement::Literal(Literal::Int(number)),
    ])
}

/// Tests that take almost no time.
pub(crate) fn quick(count: i32) -> Vec<TestCase> {
    (0..count).map(|number| test("quick", number)).collect()
}

/// What a fake worker says about a test with this number.
pub(crate) fn assert_is_of(results: &Results, place: usize, number: i32) {
    let observation = &results.observations[place];
    let message = observation.facts.throwables[0].message.as_deref();
    assert_eq!(message, Some(format!("number {number}").as_str()), "test {place}");
    let frames = &observation.facts.throwables[0].frames;
    assert_eq!(frames.len(), usize::try_from(number % 4).unwrap());
    for (depth, frame) in frames.iter().enumerate() {
        let frame = &results.frames[*frame as usize];
        assert_eq!(frame.class, format!("com.example.Class{}", number % 13));
        assert_eq!(frame.line(), Some(u32::try_from(depth).unwrap()));
    }
}

/// Places of tests whose workers died.
pub(crate) fn dead(results: &Results) -> Vec<usize> {
    let all = results.observations.iter().enumerate();
    all.filter(|(_, it)| it.outcome == Outcome::WorkerDied).map(|(place, _)| place).collect()
}
