//! Typed sequences of calls: what a candidate test is, and whether it is valid.
