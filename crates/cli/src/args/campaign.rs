//! Arguments of `campaign`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgGroup, Args, Subcommand};
use crashback_campaign::{Frames, Shard};

use super::{CompareArguments, EXIT_CODES, SandboxArguments, SearchArguments, duration};

#[derive(Debug, Args)]
pub(crate) struct CampaignArguments {
    #[command(subcommand)]
    pub(crate) job: CampaignJob,
}

#[derive(Debug, Subcommand)]
pub(crate) enum CampaignJob {
    /// Reproduce many crashes; runs that the store has are not repeated
    Run(Box<RunArguments>),
    /// Make runs that wait in a store, beside other workers
    Work(Box<WorkArguments>),
    /// Show how far the campaigns of a store are
    Status(StatusArguments),
    /// Export the runs of a store
    Export(ExportArguments),
    /// Compare configurations by their runs in a store
    Compare(CompareArguments),
    /// Write one HTML file that shows the runs of a store
    Report(ReportArguments),
}

impl CampaignJob {
    /// Whether the result is wanted as one JSON object.
    pub(crate) fn wants_json(&self) -> bool {
        match self {
            Self::Run(it) => it.worker.json,
            Self::Work(it) => it.worker.json,
            Self::Status(it) => it.json,
            Self::Export(_) => false,
            Self::Compare(it) => it.json,
            Self::Report(it) => it.json,
        }
    }
}

#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct RunArguments {
    /// A plan: a TOML file with crashes and configurations. Flags count where it is silent
    pub(crate) plan: Option<PathBuf>,
    /// A checkout of JCrashPack
    #[arg(long, value_name = "DIR", help_heading = "Crashes")]
    pub(crate) jcrashpack: Option<PathBuf>,
    /// Maven coordinates of jars that crashes lack: lines `ID group:artifact:version`
    #[arg(long, value_name = "FILE", help_heading = "Crashes")]
    pub(crate) extra_maven: Option<PathBuf>,
    /// A folder of logs NAME.log, each with NAME.classpath or NAME.maven beside it
    #[arg(long, value_name = "DIR", help_heading = "Crashes")]
    pub(crate) logs: Option<PathBuf>,
    /// A list of crashes in the form of ExRunner's inputs.csv
    #[arg(long, value_name = "FILE", help_heading = "Crashes")]
    pub(crate) inputs: Option<PathBuf>,
    /// Class path of logs that have none of their own
    #[arg(long, visible_alias = "cp", value_name = "PATH", requires = "logs", help_heading = "Crashes")]
    pub(crate) classpath: Vec<String>,
    /// Maven coordinates of the program of logs that have none of their own
    #[arg(long, value_name = "COORDINATES", requires = "logs", help_heading = "Crashes")]
    pub(crate) maven: Vec<String>,
    /// Only these crashes
    #[arg(long, value_name = "ID", value_delimiter = ',', help_heading = "Crashes")]
    pub(crate) only: Vec<String>,
    /// Runs of each crash, with seeds counting up from --seed; by default 1
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), help_heading = "Runs")]
    pub(crate) repeat: Option<u32>,
    /// Which frames to look for: `auto` (the highest that can be reproduced), `all` (one run for each
    /// target frame) or a list; by default auto
    #[arg(long, value_name = "FRAMES", help_heading = "Runs")]
    pub(crate) frames: Option<Frames>,
    /// One run more of crashes that as many runs reproduced as did not
    #[arg(long, help_heading = "Runs")]
    pub(crate) tie_break: bool,
    /// Only the I-th of N equal parts of the runs
    #[arg(long, value_name = "I/N", help_heading = "Runs")]
    pub(crate) shard: Option<Shard>,
    /// The name of the configuration in the store; by default after preset, algorithm, fitness and
    /// tuning, such as `ours+random`
    #[arg(long, value_name = "NAME", help_heading = "Runs")]
    pub(crate) configuration: Option<String>,
    /// Repeat runs that could not search: jars were missing, the disk was full
    #[arg(long, help_heading = "Runs")]
    pub(crate) retry_errors: bool,
    /// Only let the runs wait in the store, for workers that `campaign work` starts
    #[arg(long, conflicts_with = "dry_run")]
    pub(crate) enqueue: bool,
    /// Only show how many runs there are and how long they may take
    #[arg(long)]
    pub(crate) dry_run: bool,
    #[command(flatten)]
    pub(crate) worker: WorkerArguments,
    #[command(flatten)]
    pub(crate) search: SearchArguments,
}

#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct WorkArguments {
    #[command(flatten)]
    pub(crate) worker: WorkerArguments,
    /// Which JUnit tests are for; by default that of the class path
    #[arg(long, value_name = "4|5|6", value_parser = clap::value_parser!(u8).range(4..=6))]
    pub(crate) junit: Option<u8>,
    /// Jars of JUnit where the class path has none; otherwise Maven fetches them
    #[arg(long, value_name = "PATH")]
    pub(crate) test_classpath: Vec<String>,
    #[command(flatten)]
    pub(crate) sandbox: SandboxArguments,
}

/// How a worker makes runs.
#[derive(Debug, Args)]
pub(crate) struct WorkerArguments {
    /// Where jobs and runs are kept: a file, which is made if there is none, or a database of a server,
    /// postgres://USER@HOST/DATABASE
    #[arg(long, value_name = "STORE", default_value = "campaign.sqlite")]
    pub(crate) store: PathBuf,
    /// Runs at the same time, each with workers of its own
    #[arg(long, short, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: u16,
    /// How often a run is made again that failed for reasons of the machine
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) retries: u32,
    /// How long a run may take beyond its time before it is ended and recorded as an error
    #[arg(long, value_name = "TIME", default_value = "2m", value_parser = duration::parse)]
    pub(crate) grace: Duration,
    /// After which time without a sign of life the jobs of a worker are another's, with a server
    #[arg(long, value_name = "TIME", default_value = "1m", value_parser = duration::parse)]
    pub(crate) lease: Duration,
    /// Print one JSON object on standard output, whatever happens
    #[arg(long)]
    pub(crate) json: bool,
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
    /// Print one JSON object on standard output, whatever happens
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct StatusArguments {
    /// Where jobs and runs are kept
    #[arg(long, value_name = "STORE", default_value = "campaign.sqlite")]
    pub(crate) store: PathBuf,
    /// Print one JSON object on standard output, whatever happens
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
#[command(group = ArgGroup::new("form").required(true))]
pub(crate) struct ExportArguments {
    /// As comma-separated values on standard output, one line for each run
    #[arg(long, group = "form")]
    pub(crate) csv: bool,
    /// The same with the columns of ExRunner's results.csv, one line for each frame of a run
    #[arg(long, group = "form")]
    pub(crate) exrunner: bool,
    /// As JSON, one object for each run on a line, with frames, curves and tests
    #[arg(long, group = "form")]
    pub(crate) jsonl: bool,
    /// Only how often each kind of obstacle kept crashes from being reproduced, as comma-separated values
    #[arg(long, group = "form")]
    pub(crate) obstacles: bool,
    /// Where the runs are kept
    #[arg(long, value_name = "STORE", default_value = "campaign.sqlite")]
    pub(crate) store: PathBuf,
}
