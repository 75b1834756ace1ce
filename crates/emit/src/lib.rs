//! Test cases as JUnit sources: written, compiled, run.

mod error;
pub mod junit;
pub mod mockito;
pub mod source;
pub mod verify;

pub use error::{Error, Result};
