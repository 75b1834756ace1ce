//! Many reproductions: the crashes of a benchmark, a plan of runs over them, a store that survives
//! interruption, exports, comparisons.
//!
//! Invariants: a run is in the store completely or not at all, and a stored run is not repeated;
//! runs of one configuration were all made under the same conditions; the crate reads no clock and
//! prints nothing.

pub mod compare;
mod error;
mod export;
mod extra;
mod jcrashpack;
mod plan;
mod record;
mod run;
mod runner;
pub mod statistics;
mod store;
mod summary;

pub use error::Error;
pub use export::{COLUMNS, export_csv, export_obstacles};
pub use extra::ExtraMaven;
pub use jcrashpack::{Benchmark, Subject, Unusable};
pub use plan::{Configuration, Job, Plan};
pub use record::{FrameRecord, Record};
pub use run::{Ended, Event, RunError, RunFailure, Runner, run};
pub use runner::SearchRunner;
pub use store::Store;
pub use summary::{CrashSummary, ObstacleCount, Summary};
