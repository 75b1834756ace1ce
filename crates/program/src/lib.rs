//! The parts of a Java program: class index, hierarchy, control flow, and the frames of a crash in
//! it.
//!
//! This crate knows nothing of jars, directories or modules: classes come through [`ClassSource`].

pub mod callgraph;
pub mod classes;
pub mod code;
pub mod frames;
pub mod hierarchy;
pub mod immutability;
pub mod index;
pub mod missing;
pub mod names;
pub mod origins;
pub mod source;

pub use index::{ClassIndex, ClassRef, ClassView, MemberView};
pub use origins::{Origin, Origins, Scope};
pub use source::{ClassSource, EntryInfo, EntryKind, SourceError};
