//! Many reproductions: the crashes of benchmarks, a plan of runs over them, workers that make the runs, a
//! store that survives interruption and that many machines may share, exports, comparisons.
//!
//! Invariants: a run is in the store completely or not at all, and once; a stored run is not repeated; runs
//! of one configuration have the same content; results do not depend on the clock; the crate prints nothing.

pub mod compare;
mod configuration;
mod error;
mod events;
mod export;
mod extra;
mod plan;
mod plan_file;
mod record;
mod run;
mod runner;
mod sources;
pub mod statistics;
mod store;
mod subject;
mod summary;
mod tool;
mod trial;

pub use configuration::{Configuration, Tool};
pub use error::Error;
pub use events::{EventKind, EventLog, EventRecord};
pub use export::{EXRUNNER_COLUMNS, columns, export_csv, export_exrunner, export_jsonl, export_obstacles};
pub use extra::ExtraMaven;
pub use plan::{Frames, Job, Plan, Shard, TargetFrames};
pub use plan_file::ReadTime;
pub use record::{FrameRecord, OuterRecord, Record};
pub use run::{Campaign, Ended, Event, RunError, RunFailure, RunResult, Runner, enqueue};
pub use runner::{LocalRunner, SearchFactory};
pub use sources::{CrashFiles, LogFolder};
pub use store::{Claim, Database, Extent, Status, Store};
pub use subject::{Benchmark, Subject, Unusable};
pub use summary::{CrashSummary, ObstacleCount, Summary};
pub use trial::Trial;
