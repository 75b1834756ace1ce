//! How far an observed execution is from a crash.
