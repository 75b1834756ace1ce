//! From a crash and a class path to a verified test.
//!
//! The crate knows neither terminals nor files nor how tests are run: a [`Host`] gives it an
//! evaluator, verifies sources, tells the time and takes events. Where to begin: [`reproduce()`], then
//! `search` (the loop of asking and telling, with confirming and minimising), `schedule`, `arm` and
//! `verification`.

mod arm;
mod burden;
mod candidate;
mod chain;
mod corpus;
mod entries;
mod event;
mod fresh;
mod host;
mod obstacle;
mod outcome;
mod pool_uses;
mod progress;
mod pursuits;
mod reproduce;
mod runner;
mod schedule;
mod search;
mod settings;
mod strategy;
mod timing;
mod usefulness;
mod verification;
mod write;

pub use crashback_program::frames::Degree;

pub use chain::everywhere;
pub use crashback_fitness::{Fitness, Stage};
pub use crashback_instrument::Recording;
pub use crashback_search::AlgorithmKind;
pub use crashback_seeding::{Files, Records, TestClasses};
pub use crashback_testcase::workshop::Tuning;
pub use crashback_trace::{Relaxation, Relaxations};
pub use event::Event;
pub use host::{Case, Host};
pub use obstacle::ObstacleKind;
pub use outcome::{
    ArmShare, Doubt, FrameResult, GivenTest, LibraryLines, Outcome, OuterTest, PoolShare, Reproduction,
    TestPool, WrittenTest,
};
pub use progress::ProgressPoint;
pub use reproduce::reproduce;
pub use settings::Settings;
pub use strategy::{NoSuchPreset, Preset, Pursuit};
pub use timing::{Timing, WorkerTiming};
