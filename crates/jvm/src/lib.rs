//! Runs test cases in sandboxed worker processes with an embedded, instrumented JVM.

pub mod sandbox;
