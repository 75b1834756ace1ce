//! The own test suites of released libraries, run in a plain JVM with the library as it is or
//! instrumented.
//!
//! Invariant: two runs of a suite differ in the library's classes and in nothing else that is
//! chosen here: the class path has the same entries in the same order, the runtime classes lie on
//! the boot class path of both, and tests run in the same order.

mod compare;
mod library;
mod program;
mod run;

use std::error::Error;

pub use compare::{Difference, differences, unstable};
pub use library::{LIBRARIES, Library};
pub use program::{Classes, Probing, Program};
pub use run::{Run, Suite, Test};

/// Benchmarks tell their user what went wrong and end.
pub type Result<T> = std::result::Result<T, Box<dyn Error>>;
