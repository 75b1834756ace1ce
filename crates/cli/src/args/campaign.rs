//! Arguments of `campaign`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::{CompareArguments, EXIT_CODES, SearchArguments};

#[derive(Debug, Args)]
pub(crate) struct CampaignArguments {
    #[command(subcommand)]
    pub(crate) job: CampaignJob,
}

#[derive(Debug, Subcommand)]
pub(crate) enum CampaignJob {
    /// Reproduce the crashes of a benchmark; runs that the store has are not repeated
    Run(Box<RunArguments>),
    /// Export the runs of a store
    Export(ExportArguments),
    /// Compare configurations by their runs in a store
    Compare(CompareArguments),
    /// Write one HTML file that shows the runs of a store
    Report(ReportArguments),
}

#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct RunArguments {
    /// A checkout of JCrashPack
    #[arg(long, value_name = "DIR")]
    pub(crate) jcrashpack: PathBuf,
    /// Only these crashes
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    pub(crate) only: Vec<String>,
    /// Runs of each crash, with seeds counting up from --seed
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) repeat: u32,
    /// Maven coordinates of jars that the checkout lacks: lines `ID group:artifact:version`
    #[arg(long, value_name = "FILE")]
    pub(crate) extra_maven: Option<PathBuf>,
    /// Where the runs are kept; it is made if there is none
    #[arg(long, value_name = "FILE", default_value = "campaign.sqlite")]
    pub(crate) store: PathBuf,
    /// What runs under these conditions are called in the store; by default after algorithm, fitness
    /// and tuning, such as `guided-ga`
    #[arg(long, value_name = "NAME")]
    pub(crate) configuration: Option<String>,
    /// Repeat runs that could not search: jars were missing, the disk was full
    #[arg(long)]
    pub(crate) retry_errors: bool,
    /// Print the result only, and no progress
    #[arg(long, short)]
    pub(crate) quiet: bool,
    /// The JDK to use; otherwise JAVA_HOME, then `java` on the PATH
    #[arg(long, value_name = "DIR", help_heading = "Class path")]
    pub(crate) java_home: Option<PathBuf>,
    /// Where indexes of jars are kept between runs; otherwise CRASHBACK_CACHE_DIR, then the user's
    /// cache folder
    #[arg(long, value_name = "DIR", conflicts_with = "no_cache", help_heading = "Class path")]
    pub(crate) cache_dir: Option<PathBuf>,
    /// Keep no indexes between runs
    #[arg(long, help_heading = "Class path")]
    pub(crate) no_cache: bool,
    #[command(flatten)]
    pub(crate) search: SearchArguments,
}

#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct ReportArguments {
    /// The HTML file; an earlier report is replaced
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
    /// Where the runs are kept
    #[arg(long, value_name = "FILE", default_value = "campaign.sqlite")]
    pub(crate) store: PathBuf,
    /// A folder with the logs `CRASH.log`, for exceptions and whole traces; the store has target frames only
    #[arg(long, value_name = "DIR")]
    pub(crate) logs: Option<PathBuf>,
    /// The heading
    #[arg(long, value_name = "TEXT")]
    pub(crate) title: Option<String>,
}

#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct ExportArguments {
    /// As comma-separated values on standard output, one line for each run
    #[arg(long, required_unless_present = "obstacles")]
    pub(crate) csv: bool,
    /// Only how often each kind of obstacle kept crashes from being reproduced, in the same form
    #[arg(long, conflicts_with = "csv")]
    pub(crate) obstacles: bool,
    /// Where the runs are kept
    #[arg(long, value_name = "FILE", default_value = "campaign.sqlite")]
    pub(crate) store: PathBuf,
}
