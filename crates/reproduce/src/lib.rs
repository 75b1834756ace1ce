//! From a crash and a class path to a verified test.
//!
//! The crate knows neither terminals nor files nor how tests are run: it is given an evaluator,
//! somebody who verifies sources, a clock and a sink for events.

mod chain;
mod engine;
mod entries;
mod event;
mod host;
mod minimise;
mod obstacle;
mod outcome;
mod problem;
mod reproduce;
mod settings;
mod write;

pub use crashback_fitness::Stage;
pub use crashback_instrument::Recording;
pub use crashback_program::frames::Degree;

pub use chain::everywhere;
pub use event::Event;
pub use host::{Case, Host};
pub use obstacle::ObstacleKind;
pub use outcome::{Doubt, FrameResult, Outcome, Reproduction, WrittenTest};
pub use reproduce::reproduce;
pub use settings::Settings;
