use std::path::PathBuf;

use thiserror::Error;

/// Why a campaign cannot be planned, run or exported.
#[derive(Debug, Error)]
pub enum Error {
    /// A file cannot be read.
    #[error("cannot read {}: {source}; check the path", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A folder is no checkout of JCrashPack.
    #[error("{} is no checkout of JCrashPack: {reason}", path.display())]
    NoBenchmark {
        /// The folder.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A crash was asked for that the benchmark does not list.
    #[error("the benchmark has no crash {id}{}", suggestion(similar))]
    UnknownCrash {
        /// What was asked for.
        id: String,
        /// Names that look like it.
        similar: Vec<String>,
    },
    /// A crash was asked for that cannot be run.
    #[error("{id} cannot be run: {reason}")]
    Unusable {
        /// The crash.
        id: String,
        /// Why.
        reason: String,
    },
    /// A line of a file with Maven coordinates makes no sense.
    #[error("line {line} of {} is not of the form `ID group:artifact:version`: {text}", path.display())]
    ExtraLine {
        /// The file.
        path: PathBuf,
        /// The line's number.
        line: usize,
        /// The line.
        text: String,
    },
    /// A file is no list of ExRunner.
    #[error("{} is no list of crashes: {reason}", path.display())]
    NoInputs {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A file is no plan.
    #[error("{} is no plan: {reason}", path.display())]
    NoPlan {
        /// The file.
        path: PathBuf,
        /// What is wrong with it, and where.
        reason: String,
    },
    /// The address of a server makes no sense.
    #[error(
        "{address} is no address of a PostgreSQL database: {reason}; write postgres://USER@HOST/DATABASE"
    )]
    Address {
        /// The address, without its password.
        address: String,
        /// Why.
        reason: String,
    },
    /// A server does not answer at the moment.
    #[error("the server of {address} does not answer: {reason}")]
    ServerGone {
        /// Its address, without its password.
        address: String,
        /// Why.
        reason: String,
    },
    /// A store has parts that cannot be read.
    #[error(
        "the store {} is damaged: {reason}; copy what can be saved with `sqlite3 FILE .recover`, \
         or begin another with --store",
        path.display()
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What the database says.
        reason: String,
    },
    /// No space is left for the store.
    #[error("the disk of the store {} is full; make room, and the same command goes on", path.display())]
    DiskFull {
        /// The store.
        path: PathBuf,
    },
    /// A file is something else than a store.
    #[error("{} is not a store of crashback campaigns; name another file with --store", path.display())]
    NoStore {
        /// The file.
        path: PathBuf,
    },
    /// There is no store.
    #[error(
        "there is no store {}; a campaign makes one: crashback campaign run --store STORE", path.display()
    )]
    MissingStore {
        /// The file.
        path: PathBuf,
    },
    /// A store was written by another version.
    #[error(
        "{} has format {found}, and this version of crashback knows format {known}; \
         use another store, or the version that wrote it",
        path.display()
    )]
    Format {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: i64,
        /// Ours.
        known: i64,
    },
    /// Another campaign writes to the store.
    #[error("another campaign is running on {}; wait for it, or use another store", path.display())]
    Busy {
        /// The file.
        path: PathBuf,
    },
    /// Runs of a configuration would not be comparable.
    #[error(
        "the store has runs of the configuration `{name}` under other conditions ({stored}, now {asked}); \
         give this one another name with --configuration, or use another store"
    )]
    OtherConditions {
        /// The configuration.
        name: String,
        /// Conditions of the runs in the store.
        stored: String,
        /// Conditions of the runs that were asked for.
        asked: String,
    },
    /// The store cannot be read or written.
    #[error("the store {}: {reason}", path.display())]
    Store {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// A configuration is to be compared that has no runs.
    #[error("the store has no runs of the configuration `{name}`; it has {}", listed(known))]
    UnknownConfiguration {
        /// Its name.
        name: String,
        /// The configurations that have runs.
        known: Vec<String>,
    },
    /// A configuration is to be compared with itself.
    #[error("the configuration `{name}` is named twice; name different ones")]
    SameConfiguration {
        /// Its name.
        name: String,
    },
    /// There is nothing to compare a configuration with.
    #[error("a comparison takes two configurations or more; the store has {}", listed(known))]
    TooFewConfigurations {
        /// The configurations that have runs.
        known: Vec<String>,
    },
    /// Configurations were run on different crashes.
    #[error(
        "no crash was run under all of {}; run them on the same crashes first: crashback campaign run",
        listed(configurations)
    )]
    NoCommonCrash {
        /// The configurations.
        configurations: Vec<String>,
    },
    /// A file is no table of published results.
    #[error("{} is no table of published results: {reason}", path.display())]
    NoPublished {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// An export cannot be written.
    #[error("cannot write the export: {0}")]
    Export(std::io::Error),
}

fn suggestion(similar: &[String]) -> String {
    match similar {
        [] => String::new(),
        names => format!("; did you mean {}?", names.join(", ")),
    }
}

/// Names in a sentence.
fn listed(names: &[String]) -> String {
    match names {
        [] => "none".to_owned(),
        names => names.iter().map(|it| format!("`{it}`")).collect::<Vec<_>>().join(", "),
    }
}
