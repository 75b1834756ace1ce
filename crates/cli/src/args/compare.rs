//! Arguments of `campaign compare`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use crashback_campaign::compare::Failed;

use super::EXIT_CODES;

#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct CompareArguments {
    /// The configurations by their names in the store: the first is compared with each of the
    /// others, and three or more are ranked
    #[arg(value_name = "CONFIGURATION", num_args = 2.., required = true)]
    pub(crate) configurations: Vec<String>,
    /// Where the runs are kept
    #[arg(long, value_name = "FILE", default_value = "campaign.sqlite")]
    pub(crate) store: PathBuf,
    /// The effort of failed runs
    #[arg(long, value_enum, default_value_t = FailedArgument::Budget)]
    pub(crate) failed: FailedArgument,
    /// Results of other systems: comma-separated values with columns `id`, `SYSTEM_frame_majority` and
    /// `SYSTEM_frame_once`
    #[arg(long, value_name = "FILE")]
    pub(crate) published: Option<PathBuf>,
    /// Show all frames, and not only the highest reproduced one of each crash
    #[arg(long, conflicts_with_all = ["json", "csv"])]
    pub(crate) frames: bool,
    /// Print one JSON object on standard output, whatever happens
    #[arg(long)]
    pub(crate) json: bool,
    /// Print comma-separated values, one line for each contrast
    #[arg(long, conflicts_with = "json")]
    pub(crate) csv: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum FailedArgument {
    /// As much as any run of the crash spent: they used up their budget
    Budget,
    /// They are left out
    Drop,
}

impl From<FailedArgument> for Failed {
    fn from(argument: FailedArgument) -> Self {
        match argument {
            FailedArgument::Budget => Self::Budget,
            FailedArgument::Drop => Self::Drop,
        }
    }
}
