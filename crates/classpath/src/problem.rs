//! Defects of a class path that do not keep it from being used.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Something a class path lacks or holds in vain. The caller decides whether that matters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// What is wrong.
    pub kind: ProblemKind,
    /// The file, or the class inside a file, it is about.
    pub subject: String,
    /// The defect and a remedy, in words.
    pub message: String,
}

/// Kinds of defects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum ProblemKind {
    /// An entry that was asked for does not exist.
    MissingEntry,
    /// An entry is no whole zip file, or cannot be read.
    UnreadableEntry,
    /// A class file cannot be decompressed or is malformed.
    UnreadableClass,
    /// A class file whose name is not that of its path: a JVM never finds it.
    MisplacedClass,
    /// One jar holds a class twice; the last copy counts.
    RepeatedClass,
    /// A manifest names a jar that does not exist; a JVM passes over it silently.
    MissingManifestEntry,
    /// The index could not be kept or read; it was built anew.
    Cache,
}

impl ProblemKind {
    /// Whether a JVM would work the same without the thing in question.
    pub fn is_note(self) -> bool {
        matches!(self, Self::MisplacedClass | Self::RepeatedClass | Self::MissingManifestEntry | Self::Cache)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.subject, self.message)
    }
}

impl Problem {
    pub(crate) fn new(kind: ProblemKind, subject: impl Into<String>, message: impl Into<String>) -> Self {
        Self { kind, subject: subject.into(), message: message.into() }
    }
}
