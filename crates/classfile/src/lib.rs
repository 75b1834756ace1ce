//! Bytes to class files and back: a lossless reader and writer for every Java class-file version.
