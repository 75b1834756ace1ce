//! From a crash and a class path to a verified test.
//!
//! The crate knows neither terminals nor files nor how tests are run: it is given an evaluator, somebody who verifies sources, a clock
//! and a sink for events.

mod event;
mod outcome;
mod settings;

pub use event::Event;
pub use outcome::{Degree, FrameOutcome, FrameResult, Outcome, Reproduction, WrittenTest};
pub use settings::Settings;
