//! Reproduces the crash of a Java program: from its stack trace and class path to a JUnit test that
//! crashes in the same way, verified in plain JVMs.
//!
//! The crate wires the libraries below it to this machine: class path, audit, worker processes,
//! JUnit, Mockito, compiler. It reads no environment and prints nothing; the caller passes
//! everything in and is told of events. The program that uses it is also the program that is
//! started for the processes which run tests, so its `main` begins with [`serve`]:
//!
//! ```no_run
#![doc = include_str!("../examples/reproduce.rs")]
//! ```
//!
//! Callers that need the steps one by one, to look at the crash before the search or to search
//! several times, use [`Crashes::read`], [`Program::load`], [`Target::choose`] and
//! [`Search::search`].

mod child;
mod crashes;
mod distinct;
mod error;
mod fetching;
mod host;
mod interruption;
mod limits;
mod models;
mod observed;
mod program;
mod project;
mod records;
mod releases;
mod seeds;
mod session;
mod target;
mod workers;

pub use child::{SelfCommand, serve};
pub use crashback_classpath::project::Settings as BuildSettings;
pub use crashback_classpath::{CacheSettings, Jdk, jdk, maven};
pub use crashback_emit::junit::Generation;
pub use crashback_jvm::pool::LockedFolder;
pub use crashback_model::Models;
pub use crashback_reproduce::{
    AlgorithmKind, Event, Fitness, Preset, Records, Reproduction, Settings, Tuning, WrittenTest,
};
pub use crashback_trace::{Mapping, recorded_calls};
pub use crashes::{Chosen, Crashes, cause_number, choose, disagreement, other_java};
pub use distinct::DistinctCrash;
pub use error::{Error, ErrorKind};
pub use host::{LocalHost, check_compiler};
pub use interruption::{Interruption, WatchedPool};
pub use limits::Limits;
pub use models::{BuiltModels, read_models};
pub use observed::{GivenUp, ObservedTests, Reason, TestRuns, TestSummary};
pub use program::{Program, ProgramRequest, coordinates};
pub use project::{ChosenModule, ProjectFacts, ProjectRequest, SharedModule};
pub use releases::{BetterRelease, OtherReleases};
pub use session::{Attempt, Request, Search, Session, Sink, Task, attempt, make_folder};
pub use target::{Choice, Target};

/// The program of the README compiles.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
