//! Where classes come from, as far as this crate needs to know.

use std::sync::Arc;

use thiserror::Error;

use crate::index::{ClassIndex, ClassRef};

/// A set of classes in class-path order: an index of all, the bytes of each on demand.
///
/// Invariant: the index and the bytes of a class agree.
pub trait ClassSource: Send + Sync {
    /// All classes. The JDK's come first, as a JVM asks its own loaders before the class path.
    fn index(&self) -> &ClassIndex;

    /// The class file of a class.
    fn bytes(&self, class: ClassRef) -> Result<Arc<[u8]>, SourceError>;

    /// The class-path entry that holds a class; none when the reference belongs to another index.
    fn entry(&self, class: ClassRef) -> Option<&EntryInfo>;

    /// Paths of files that are no classes, as class loaders ask for them, in the entry that holds a
    /// class and in those that hold no class at all. Only the first some thousand.
    fn resources(&self, _near: ClassRef) -> Vec<String> {
        Vec::new()
    }
}

/// A class-path entry, described for people and for telling the project from its libraries.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EntryInfo {
    /// The path as given, a `!/` before the name of a jar inside another.
    pub path: String,
    /// The short name to show: the jar's file name, the directory's last name, `JDK 17.0.15`.
    pub display: String,
    /// The kind of entry.
    pub kind: EntryKind,
    /// The name of its content, without version: the Maven artifact, else from the file name.
    pub name: Option<String>,
    /// The version of its content: from its Maven properties, its manifest, else from the file
    /// name.
    pub version: Option<String>,
    /// Whether it is a signed jar: a JVM refuses classes from elsewhere in its packages.
    pub signed: bool,
}

/// The kind of a class-path entry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum EntryKind {
    /// The JDK's own classes.
    Jdk,
    /// A jar, or another zip file.
    #[default]
    Jar,
    /// A directory with class files.
    Directory,
}

/// Why the bytes of a class could not be had.
#[derive(Clone, Debug, Error)]
pub enum SourceError {
    /// The reference belongs to another index.
    #[error("no such class in this class path")]
    UnknownClass,
    /// The entry changed, vanished or cannot be read any more.
    #[error(
        "cannot read class {class} from {entry}: {reason}; check that the file was not changed meanwhile"
    )]
    Unreadable {
        /// The class, in internal form.
        class: String,
        /// The class-path entry.
        entry: String,
        /// What went wrong.
        reason: String,
    },
}
