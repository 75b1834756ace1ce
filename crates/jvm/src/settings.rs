use std::path::PathBuf;
use std::time::Duration;

use crashback_instrument::Recording;
use serde::{Deserialize, Serialize};

/// Everything a worker must know before its first test. It is the pool's first message after the
/// greeting.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct WorkerSettings {
    /// The JVM.
    pub machine: Machine,
    /// The program.
    pub program: Program,
    /// What is recorded.
    pub recording: Recording,
    /// When a test has had enough.
    pub limits: Limits,
    /// What tests find around them.
    pub surroundings: Surroundings,
    /// Whether to run without a sandbox where the kernel has none. Random calls on real code delete
    /// files.
    pub without_sandbox: bool,
    /// The only folder that may be written to. The pool makes and removes it.
    pub scratch: PathBuf,
}

/// The JVM to embed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    /// Home of the JDK.
    pub home: PathBuf,
    /// Its feature version: 8, 11, 17, …
    pub feature: u32,
    /// Largest heap, in MiB.
    pub heap: u32,
    /// Stack of the thread that runs tests, in KiB. A StackOverflowError costs time in proportion
    /// to it.
    pub stack: u32,
    /// Further options, after ours.
    pub options: Vec<String>,
}

/// The program under test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Program {
    /// Jars and class folders in order.
    pub class_path: Vec<PathBuf>,
    /// The package that tests live in, with dots; empty for the unnamed one.
    pub test_package: String,
    /// Whether `assert` statements of the program are in force.
    pub assertions: bool,
}

/// When a test has had enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Loop rounds and method entries of program classes.
    pub budget: u32,
    /// Wall-clock time of one test, after which it is stopped.
    pub time: Duration,
    /// How long a stopped test may take to end before its process is ended.
    pub grace: Duration,
}

/// What tests find around them, equal on every machine unless set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Surroundings {
    /// Default locale as a language tag, such as `en-US`.
    pub locale: String,
    /// Default time zone; none leaves it to the JVM, which takes the machine's.
    pub zone: Option<String>,
    /// Default encoding.
    pub encoding: String,
    /// Milliseconds since 1970 at the start of each test.
    pub clock: i64,
    /// Seed of random numbers at the start of each test.
    pub seed: i64,
    /// System properties of the user.
    pub properties: Vec<(String, String)>,
}

impl Default for Limits {
    fn default() -> Self {
        Self { budget: 1_000_000, time: Duration::from_millis(500), grace: Duration::from_millis(250) }
    }
}

impl Default for Surroundings {
    /// A day far from midnight, from changes of daylight saving time and from 1970, in a zone
    /// without any.
    fn default() -> Self {
        Self {
            locale: "en-US".to_owned(),
            zone: Some("UTC".to_owned()),
            encoding: "UTF-8".to_owned(),
            clock: 1_750_000_000_000,
            seed: 0x5DEE_CE66,
            properties: Vec::new(),
        }
    }
}
