//! Reasons for which no class path is made.

use std::path::PathBuf;

use thiserror::Error;

/// Why there is no JDK or no class path.
#[derive(Debug, Error)]
pub enum Error {
    /// No JDK was found.
    #[error("no JDK found: name one with --java-home, set JAVA_HOME, or put its `java` on the PATH")]
    NoJdk,
    /// The JDK that was named cannot be used.
    #[error("{} is no usable JDK: {reason}; name another with --java-home or JAVA_HOME", home.display())]
    UnusableJdk {
        /// Its folder.
        home: PathBuf,
        /// The defect.
        reason: String,
    },
    /// Maven coordinates that cannot be understood.
    #[error(
        "`{text}` is not of the form group:artifact:version or group:artifact:packaging[:classifier]:version"
    )]
    Coordinates {
        /// The text that was given.
        text: String,
    },
    /// Maven cannot be started.
    #[error(
        "cannot run Maven ({program}): {reason}; install Maven, or put its `mvn` on the PATH, or give \
         jars instead"
    )]
    NoMaven {
        /// The program that was tried.
        program: String,
        /// The message of the system.
        reason: String,
    },
    /// Maven knows no such artifact.
    #[error("Maven finds no such artifact: {artifact}; check group, artifact and version")]
    UnknownArtifact {
        /// The artifact it did not find.
        artifact: String,
    },
    /// Maven could not fetch an artifact or its dependencies.
    #[error(
        "Maven cannot reach its repositories: {reason}; check the network, or resolve the artifacts \
         once while online"
    )]
    MavenOffline {
        /// Its message.
        reason: String,
    },
    /// Maven failed for another reason.
    #[error("Maven failed: {reason}")]
    MavenFailed {
        /// The errors it printed.
        reason: String,
    },
    /// A project gives no class path.
    #[error(transparent)]
    Project(#[from] crate::project::ProjectError),
    /// A packaged application cannot be unpacked.
    #[error(
        "cannot unpack {} into {}: {reason}; name another folder with --cache-dir",
        archive.display(), folder.display()
    )]
    Unpack {
        /// The application.
        archive: PathBuf,
        /// Where it was to go.
        folder: PathBuf,
        /// The message of the system.
        reason: String,
    },
    /// The caller wanted no more of it.
    #[error("Maven was stopped before it came to an end")]
    Cancelled,
}
