use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// Reasons for which a test is not written, compiled or run.
#[derive(Debug, Error)]
pub enum Error {
    /// The test case is no valid one for the package.
    #[error("the test case cannot be written as Java: {problems}")]
    InvalidTest {
        /// The problem that the checker found.
        problems: String,
    },
    /// No JUnit on any class path, and none to be fetched.
    #[error(
        "{wanted} is needed to run the test and cannot be had: {reason}; put it on the class path or \
         name its jars with --test-classpath"
    )]
    NoJUnit {
        /// Which JUnit.
        wanted: String,
        /// Why not.
        reason: String,
    },
    /// No Mockito on any class path, and none to be fetched.
    #[error(
        "Mockito is needed to run the test and cannot be had: {reason}; put it on the class path or \
         name its jars with --test-classpath"
    )]
    NoMockito {
        /// Why not.
        reason: String,
    },
    /// The JDK cannot run the JUnit that was asked for.
    #[error(
        "{wanted} needs Java {needed}, and the JDK is Java {feature}; choose an older JUnit or a newer JDK"
    )]
    JdkTooOld {
        /// Which JUnit.
        wanted: String,
        /// The Java version that it needs.
        needed: u32,
        /// That of the JDK.
        feature: u32,
    },
    /// A JRE: it runs programs and compiles none.
    #[error("{home} has no bin/javac: a JRE cannot compile the test; name a JDK with --java-home or \
         JAVA_HOME", home = .0.display())]
    NoCompiler(PathBuf),
    /// A program could not be started.
    #[error("cannot start {program}: {source}")]
    Start {
        /// The program.
        program: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The caller gave up.
    #[error("verification was given up")]
    Cancelled,
    /// A file could not be written or read.
    #[error("cannot write or read {path}: {source}; if there is no room, TMPDIR names another folder")]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

/// A result of this crate.
pub type Result<T> = std::result::Result<T, Error>;
