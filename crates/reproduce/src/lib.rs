//! From a crash and a class path to a verified test.
