//! Class file and probe plan to instrumented class file and probe table, at byte level.
//!
//! [`rewrite_method`] inserts straight-line code and, where asked for, one catch-all handler. Section numbers refer to the Java Virtual
//! Machine Specification (JVMS), Java SE 25.

mod constructor;
mod edits;
mod error;
mod rewrite;
mod snippet;

pub use edits::MethodEdits;
pub use error::Refusal;
pub use rewrite::rewrite_method;
pub use snippet::{Snippet, ValueKind};
