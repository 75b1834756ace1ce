//! Test cases as JUnit sources: written, compiled, run.
