//! Many reproductions: the crashes of a benchmark, a plan of runs over them, a store that survives
//! interruption, exports.
//!
//! Invariants: a run is in the store completely or not at all, and what is in the store is not run
//! again; runs of one configuration were all made under the same conditions; nothing here knows how
//! a reproduction works, reads the clock or prints.

mod error;
mod export;
mod extra;
mod jcrashpack;
mod plan;
mod record;
mod run;
mod store;
mod summary;

pub use error::Error;
pub use export::{COLUMNS, export_csv, export_obstacles};
pub use extra::ExtraMaven;
pub use jcrashpack::{Benchmark, Subject, Unusable};
pub use plan::{Configuration, Job, Plan};
pub use record::{FrameRecord, Record};
pub use run::{Ended, Event, RunError, RunFailure, Runner, run};
pub use store::Store;
pub use summary::{CrashSummary, ObstacleCount, Summary};
