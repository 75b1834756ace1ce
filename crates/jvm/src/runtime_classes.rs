//! The classes of `java/runtime`, which live inside the JVM. The build script compiles them for
//! Java 8.

/// Internal names and class files. None extends another of them that comes later, so they can be
/// defined in this order.
pub(crate) static CLASSES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/runtime_classes.rs"));
