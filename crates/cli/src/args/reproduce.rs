//! Arguments of `reproduce` and `demo`.

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
use crashback::{AlgorithmKind, Fitness, Preset};

use super::{ClassPathArguments, EXIT_CODES, ProjectArguments, SandboxArguments, ScopeArguments, duration};

#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct ReproduceArguments {
    /// The log with the stack trace; `-` reads standard input
    pub(crate) log: PathBuf,
    #[command(flatten)]
    pub(crate) classes: ClassPathArguments,
    #[command(flatten)]
    pub(crate) project: ProjectArguments,
    /// Where the log does not fit a jar, use the release of its artifact that fits best: others are
    /// fetched through Maven. Without it, better releases of artifacts given by --maven are only named
    #[arg(long, help_heading = "Class path")]
    pub(crate) any_release: bool,
    #[command(flatten)]
    pub(crate) scope: ScopeArguments,
    /// The mapping file of ProGuard or R8, if the program was obfuscated: names and lines are put back
    #[arg(long, value_name = "FILE", help_heading = "Crash")]
    pub(crate) mapping: Option<PathBuf>,
    /// A report of stacktale with the arguments of failing calls, which are tried first; may be repeated.
    /// Reports inside the log, and errors-ai.log beside it, need not be named
    #[arg(long, value_name = "FILE")]
    pub(crate) recorded: Vec<PathBuf>,
    /// The N-th distinct crash of the log, as `crashback list` numbers them; otherwise the most frequent
    /// that has a frame to aim at
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), help_heading = "Crash")]
    pub(crate) crash: Option<u32>,
    /// Which exception of a cause chain to reproduce: 1 is the outermost. By default the innermost
    /// with project frames
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), help_heading = "Crash")]
    pub(crate) cause: Option<u32>,
    /// The frame to reproduce, 1 for where the exception was thrown. By default the highest that
    /// can be
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), help_heading = "Crash")]
    pub(crate) frame: Option<u32>,
    #[command(flatten)]
    pub(crate) search: SearchArguments,
    /// Where the test goes, in folders of its package: point it at src/test/java. By default the tests of
    /// the project's module, and the current folder without a project
    #[arg(long, value_name = "DIR", help_heading = "Test")]
    pub(crate) out: Option<PathBuf>,
    /// Write an HTML file that shows the result, too; an earlier report is replaced
    #[arg(long, value_name = "FILE", help_heading = "Test")]
    pub(crate) report: Option<PathBuf>,
    /// Write the result as JUnit XML for build servers, too: a test case for each target frame
    #[arg(long, value_name = "FILE", help_heading = "Test")]
    pub(crate) junit_xml: Option<PathBuf>,
    /// Write the result as SARIF for code scanning, too
    #[arg(long, value_name = "FILE", help_heading = "Test")]
    pub(crate) sarif: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
}

/// Bounds and method of a search.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Search")]
pub(crate) struct SearchArguments {
    /// Bounds search, minimising and verification together, though one that has begun is cut only two
    /// seconds later: `500ms`, `20s`, `2m`. By default 20s, and an hour with --evaluations
    #[arg(long, value_name = "TIME", value_parser = duration::parse)]
    pub(crate) time: Option<Duration>,
    /// Bounds the search by the number of executed tests: equal seeds then give equal results
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) evaluations: Option<u64>,
    /// Seed of all random choices
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Processes that run tests; by default as many as there are processors. Results do not depend
    /// on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) workers: Option<u16>,
    /// Tests in a generation; by default the search decides
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=100_000))]
    pub(crate) population: Option<u32>,
    /// Which searches pursue the crash: a portfolio, which is the default, or the set-up of a paper
    #[arg(long, value_name = "NAME", value_parser = preset())]
    pub(crate) preset: Option<Preset>,
    /// How the distance of a test from the crash is measured, in place of the preset's way
    #[arg(long, value_name = "NAME", value_parser = fitness())]
    pub(crate) fitness: Option<Fitness>,
    /// The search algorithm, in place of the preset's
    #[arg(long, value_name = "NAME", value_parser = algorithm())]
    pub(crate) algorithm: Option<AlgorithmKind>,
    /// Set a probability, weight or limit of making tests; may be repeated. `crashback tuning`
    /// lists the names
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) tune: Vec<String>,
    /// A Java test to begin with, or a folder of tests; may be repeated. They are compiled against the class
    /// path, and the calls that they make become the first tests of the search
    #[arg(long, value_name = "FILE|DIR")]
    pub(crate) seed_test: Vec<PathBuf>,
    /// Models of how objects are used, as `crashback model build` writes them; may be repeated
    #[arg(long, value_name = "FILE", conflicts_with = "no_models")]
    pub(crate) model: Vec<PathBuf>,
    /// Make no object as the program does it elsewhere; the same as --tune source.models=off
    #[arg(long)]
    pub(crate) no_models: bool,
    /// Run the program with its assertions enabled
    #[arg(long, visible_alias = "ea")]
    pub(crate) enable_assertions: bool,
    /// Which JUnit the test is for; by default that of the class path
    #[arg(long, value_name = "4|5|6", value_parser = clap::value_parser!(u8).range(4..=6))]
    pub(crate) junit: Option<u8>,
    /// Jars of JUnit where the class path has none, which Maven fetches otherwise; and the project's test
    /// classes, folders or jars, whose literals are tried
    #[arg(long, value_name = "PATH")]
    pub(crate) test_classpath: Vec<String>,
    #[command(flatten)]
    pub(crate) sandbox: SandboxArguments,
}

/// How the test is written, and what is printed.
#[derive(Clone, Copy, Debug, Default, Args)]
#[command(next_help_heading = "Test")]
pub(crate) struct OutputArguments {
    /// Replace files that exist: the test, and those of --junit-xml and --sarif
    #[arg(long)]
    pub(crate) force: bool,
    /// Write a test that passes while the bug is there; otherwise it fails with the crash and passes
    /// once the bug is fixed
    #[arg(long)]
    pub(crate) expect: bool,
    /// Print one JSON object on standard output, whatever happens
    #[arg(long, help_heading = None)]
    pub(crate) json: bool,
    /// Print where the time went, too, as --verbose does
    #[arg(long, help_heading = None)]
    pub(crate) stats: bool,
}

#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES, args_conflicts_with_subcommands = true)]
pub(crate) struct DemoArguments {
    #[command(subcommand)]
    pub(crate) job: Option<DemoJob>,
    /// The JDK to use; otherwise JAVA_HOME, then `java` on the PATH
    #[arg(long, value_name = "DIR")]
    pub(crate) java_home: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) search: SearchArguments,
    /// Keep the test below this folder; otherwise it is just shown
    #[arg(long, value_name = "DIR", help_heading = "Test")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
}

#[derive(Debug, Subcommand)]
pub(crate) enum DemoJob {
    /// Compile the program, crash it, and explain its stack trace
    Explain {
        /// The JDK to use; otherwise JAVA_HOME, then `java` on the PATH
        #[arg(long, value_name = "DIR")]
        java_home: Option<PathBuf>,
        /// Print one JSON object on standard output
        #[arg(long)]
        json: bool,
    },
}

fn preset() -> impl TypedValueParser<Value = Preset> {
    PossibleValuesParser::new(Preset::ALL.iter().map(|it| it.name())).try_map(|it| it.parse())
}

fn fitness() -> impl TypedValueParser<Value = Fitness> {
    PossibleValuesParser::new(Fitness::ALL.iter().map(|it| it.name())).try_map(|it| it.parse())
}

fn algorithm() -> impl TypedValueParser<Value = AlgorithmKind> {
    PossibleValuesParser::new(AlgorithmKind::ALL.iter().map(|it| it.name())).try_map(|it| it.parse())
}
