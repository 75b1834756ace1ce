//! Where classes come from, as far as this crate needs to know.

/// A set of classes in class-path order.
pub trait ClassSource: Send + Sync {}
