//! Arguments of `model`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};

use super::{ClassPathArguments, EXIT_CODES, SandboxArguments, duration};

#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct ModelArguments {
    #[command(subcommand)]
    pub(crate) job: ModelJob,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ModelJob {
    /// Learn from a class path how the objects of each class are used
    Build(ModelBuildArguments),
    /// Show the model of a class
    Show(ModelShowArguments),
    /// Put the models of several files into one
    Merge(ModelMergeArguments),
}

#[derive(Debug, Args)]
pub(crate) struct ModelBuildArguments {
    #[command(flatten)]
    pub(crate) classes: ClassPathArguments,
    /// Where the models go; an earlier file of models is replaced
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
    /// The length of the call sequences that models are made of: a call depends on one less
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(2..=8))]
    pub(crate) ngram: u8,
    #[command(flatten)]
    pub(crate) tests: ModelTestArguments,
    /// Print one JSON object on standard output, whatever happens
    #[arg(long)]
    pub(crate) json: bool,
}

/// Tests that are run for their calls.
#[derive(Debug, Args)]
#[command(next_help_heading = "Tests")]
pub(crate) struct ModelTestArguments {
    /// Also run the tests on the class path, inside the sandbox, and learn from the calls that they make
    #[arg(long)]
    pub(crate) tests: bool,
    /// Folders or jars of compiled tests and of what they need; JUnit is fetched if it is missing
    #[arg(long, value_name = "PATH", requires = "tests")]
    pub(crate) test_classpath: Vec<String>,
    /// How long the tests may run, all together; a class of tests may take a quarter of it, at most 10s
    #[arg(long, value_name = "TIME", default_value = "60s", requires = "tests")]
    #[arg(value_parser = duration::parse)]
    pub(crate) test_time: Duration,
    /// Run tests first that name this class, such as `java.util.LinkedList`; may be repeated
    #[arg(long, value_name = "CLASS", requires = "tests")]
    pub(crate) touching: Vec<String>,
    #[command(flatten)]
    pub(crate) sandbox: SandboxArguments,
}

#[derive(Debug, Args)]
pub(crate) struct ModelShowArguments {
    /// The class, such as `java.util.LinkedList`
    pub(crate) class: String,
    /// A file of models; may be repeated
    #[arg(long, value_name = "FILE", required = true)]
    pub(crate) model: Vec<PathBuf>,
    /// As a graph for Graphviz
    #[arg(long, conflicts_with_all = ["svg", "json"])]
    pub(crate) dot: bool,
    /// As a drawing
    #[arg(long, conflicts_with = "json")]
    pub(crate) svg: bool,
    /// Print one JSON object on standard output, whatever happens
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ModelMergeArguments {
    /// The files of models
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Where the models go; an earlier file of models is replaced
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
    /// Print one JSON object on standard output, whatever happens
    #[arg(long)]
    pub(crate) json: bool,
}
