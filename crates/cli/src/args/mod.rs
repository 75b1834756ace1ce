//! The command line, as typed.

mod campaign;
mod compare;
mod duration;
mod model;
#[cfg(test)]
mod reference;
mod reproduce;
#[cfg(test)]
mod tests;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, CommandFactory as _, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use crashback::{Error, ErrorKind};

pub(crate) use campaign::{
    CampaignArguments, CampaignJob, ExportArguments, ReportArguments, RunArguments, StatusArguments,
    WorkArguments, WorkerArguments,
};
pub(crate) use compare::CompareArguments;
pub(crate) use duration::parse as parse_duration;
pub(crate) use model::{
    ModelArguments, ModelBuildArguments, ModelJob, ModelMergeArguments, ModelShowArguments,
    ModelTestArguments,
};
pub(crate) use reproduce::{DemoArguments, DemoJob, OutputArguments, ReproduceArguments, SearchArguments};

use crate::environment::Environment;
use crate::{config, exit, output, reproduce as reproduction};

const EXIT_CODES: &str = "\
Exit codes:
  0    done; the crash is reproduced
  1    the crash is not reproduced within the budget
  2    the command line is wrong
  3    no usable trace in the log, or trace and class path disagree
  4    the machine lacks something: JDK, Maven, JUnit, what the sandbox needs, a place to write to
  5    an error inside Crashback, or instrumented classes that do not link
  130  interrupted";

/// From a Java stack trace in a log to a test that crashes the same way.
#[derive(Debug, Parser)]
#[command(name = "crashback", version = VERSION, after_help = EXIT_CODES, after_long_help = EXIT_CODES)]
pub(crate) struct CommandLine {
    #[command(flatten)]
    pub(crate) verbosity: Verbosity,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The version with the commit that it was built from, as far as the build knew it.
const VERSION: &str = env!("VERSION_WITH_COMMIT");

/// How much is told beside the result.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct Verbosity {
    /// Print the result only, and no progress
    #[arg(long, short, global = true, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Tell on standard error how the result comes about: settings, JDK, steps, time
    #[arg(long, short, global = true)]
    pub(crate) verbose: bool,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Show what a stack trace points at in a program, frame by frame
    Explain(ExplainArguments),
    /// List the crashes of a log, equal ones together, with counts and times
    List(ListArguments),
    /// Search for a JUnit test that crashes a program in the same way
    Reproduce(Box<ReproduceArguments>),
    /// Reproduce the crash of a small bundled program
    Demo(DemoArguments),
    /// Reproduce many crashes of a benchmark, and keep every result
    Campaign(CampaignArguments),
    /// Learn how the objects of a program's classes are used, and show it
    Model(ModelArguments),
    /// Check that this machine has everything that Crashback needs, with a self-test
    Doctor(DoctorArguments),
    /// Link every class of a class path with and without probes, and compare
    VerifyInstrumentation(VerifyArguments),
    /// Show which settings of crashback.toml and of the environment are in force
    Config(ConfigArguments),
    /// List every probability, weight and limit that --tune sets
    Tuning(TuningArguments),
    /// Serve coding agents: tools for the Model Context Protocol on standard input and output
    Mcp,
    /// Print a script that completes commands and options in a shell
    Completions(CompletionsArguments),
    /// Print the manual page, or write those of all commands
    Man(ManArguments),
}

impl Command {
    /// Whether its exit code says itself whether an interruption came before its end.
    pub(crate) fn handles_interruptions(&self) -> bool {
        matches!(self, Self::Reproduce(_) | Self::Demo(DemoArguments { job: None, .. }) | Self::Campaign(_))
    }
}

#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct ExplainArguments {
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
    /// Explain only the N-th distinct crash of the log
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), help_heading = "Crash")]
    pub(crate) crash: Option<u32>,
    /// Which exception of a cause chain to explain: 1 is the outermost. By default the innermost
    /// with project frames
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), help_heading = "Crash")]
    pub(crate) cause: Option<u32>,
    /// Print one JSON object on standard output, whatever happens
    #[arg(long, help_heading = None)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct ListArguments {
    /// The log; `-` reads standard input
    pub(crate) log: PathBuf,
    #[command(flatten)]
    pub(crate) classes: ClassPathArguments,
    #[command(flatten)]
    pub(crate) scope: ScopeArguments,
    /// The mapping file of ProGuard or R8, if the program was obfuscated: names and lines are put back
    #[arg(long, value_name = "FILE", help_heading = "Crash")]
    pub(crate) mapping: Option<PathBuf>,
    /// Print one JSON object on standard output, whatever happens
    #[arg(long, help_heading = None)]
    pub(crate) json: bool,
}

/// The project around the program, which gives the class path where no other does.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Project")]
pub(crate) struct ProjectArguments {
    /// A folder of the Maven or Gradle project that crashed; otherwise the current one. Its build tool tells
    /// the class path if there is no --classpath and no --maven
    #[arg(long, value_name = "DIR", conflicts_with_all = ["class_path", "maven"])]
    pub(crate) project: Option<PathBuf>,
    /// The module to use; otherwise that of the trace
    #[arg(long, value_name = "NAME", conflicts_with_all = ["class_path", "maven"])]
    pub(crate) module: Option<String>,
    /// Compile the project and its tests first
    #[arg(long, conflicts_with_all = ["class_path", "maven"])]
    pub(crate) build: bool,
    /// Let the build tool use only what it has fetched before; otherwise it goes online if it must
    #[arg(long, conflicts_with_all = ["class_path", "maven"])]
    pub(crate) offline: bool,
}

/// Where the program's classes are.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Class path")]
pub(crate) struct ClassPathArguments {
    /// Jars, class folders and `folder/*` wildcards, as `java -cp` takes them, and packaged applications
    /// (Spring Boot jars, war files, both unpacked); may be repeated
    #[arg(short = 'c', long = "classpath", visible_alias = "cp", value_name = "PATH")]
    pub(crate) class_path: Vec<String>,
    /// A published artifact with its dependencies, resolved through Maven; may be repeated
    #[arg(long, value_name = "GROUP:ARTIFACT:VERSION")]
    pub(crate) maven: Vec<String>,
    /// The JDK to use; otherwise JAVA_HOME, then `java` on the PATH
    #[arg(long, value_name = "DIR")]
    pub(crate) java_home: Option<PathBuf>,
    /// Where indexes of jars are kept between runs; otherwise CRASHBACK_CACHE_DIR, then the user's
    /// cache folder
    #[arg(long, value_name = "DIR", conflicts_with = "no_cache")]
    pub(crate) cache_dir: Option<PathBuf>,
    /// Keep no indexes between runs
    #[arg(long)]
    pub(crate) no_cache: bool,
}

/// Which classes are the project's own.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Project")]
pub(crate) struct ScopeArguments {
    /// Packages that belong to the project, with all below them; may be repeated
    #[arg(long, value_name = "PREFIX", value_delimiter = ',')]
    pub(crate) project_packages: Vec<String>,
    /// Only frames whose class name matches this regular expression as a whole are targets
    #[arg(long, value_name = "REGEX")]
    pub(crate) target_frames: Option<String>,
}

#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct DoctorArguments {
    /// The JDK to use; otherwise JAVA_HOME, then `java` on the PATH
    #[arg(long, value_name = "DIR")]
    pub(crate) java_home: Option<PathBuf>,
    /// Print one JSON object on standard output, whatever happens
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) sandbox: SandboxArguments,
}

#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct VerifyArguments {
    #[command(flatten)]
    pub(crate) classes: ClassPathArguments,
    /// Which probes go into the classes
    #[arg(long, value_enum, default_value = "all")]
    pub(crate) probes: Probes,
    /// A further option for the JVM, such as `--limit-modules=java.se`; may be repeated
    #[arg(long, value_name = "OPTION", allow_hyphen_values = true)]
    pub(crate) jvm_option: Vec<String>,
    /// Print one JSON object on standard output, whatever happens
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) sandbox: SandboxArguments,
}

#[derive(Debug, Args)]
pub(crate) struct TuningArguments {
    /// Print one JSON object on standard output
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct CompletionsArguments {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: Shell,
}

#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct ManArguments {
    /// Write the pages of all commands to this folder; earlier ones are replaced
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct ConfigArguments {
    /// Print one JSON object on standard output, whatever happens
    #[arg(long)]
    pub(crate) json: bool,
}

/// Which probes to put into classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Probes {
    /// Every kind that there is
    All,
    /// Those that a search puts into all classes: budget, static state, clock and random numbers
    Search,
}

/// The sandbox around the program under test.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct SandboxArguments {
    /// Go on where the kernel cannot confine the program under test: it may then change files and
    /// reach the network
    #[arg(long)]
    pub(crate) unsafe_no_sandbox: bool,
}

/// The commands with their options, as they are defined.
pub(crate) fn definition() -> clap::Command {
    CommandLine::command()
}

/// The commands with their options; options of all commands are among those of each.
pub(crate) fn command() -> clap::Command {
    let mut command = definition();
    command.build();
    command
}

/// Parses the process's arguments, with settings where they say nothing. Help and version are printed
/// here, and so are usage errors: in JSON, too, if `--json` is anywhere on the line.
pub(crate) fn parse(environment: &Environment) -> Result<CommandLine, ExitCode> {
    let extended = match config::extend(&command(), environment) {
        Ok(extended) => extended,
        Err(failure) => {
            output::tell(&format!("crashback: {failure}"));
            if environment.wants_json() {
                print_failure(&failure, environment);
            }
            return Err(exit::code_of(&failure));
        }
    };
    let error = match CommandLine::try_parse_from(&extended.arguments) {
        Ok(line) => {
            output::detail(line.verbosity, &format!("crashback {VERSION}"));
            extended.origins().for_each(|it| output::detail(line.verbosity, &it));
            return Ok(line);
        }
        Err(error) => error,
    };
    // Help and version come this way too. A closed pipe is the reader's choice.
    drop(error.print());
    if !error.use_stderr() {
        return Err(ExitCode::SUCCESS);
    }
    let mut message = error.to_string().trim_end().to_owned();
    if let Some(origin) = extended.explain(&message) {
        output::tell(origin.trim_start());
        message.push_str(&origin);
    }
    let failure = Error::new(ErrorKind::Usage, message);
    if environment.wants_json() {
        print_failure(&failure, environment);
    }
    Err(exit::code_of(&failure))
}

/// Parses arguments that stand in an environment, with settings where they say nothing, as
/// [`parse`] does with those of the process. Nothing is printed.
pub(crate) fn parse_words(environment: &Environment) -> Result<Command, Error> {
    let extended = config::extend(&command(), environment)?;
    let parsed = CommandLine::try_parse_from(&extended.arguments);
    parsed.map(|it| it.command).map_err(|error| {
        let text = error.render().to_string();
        // The rest is about the use of a command line.
        let reason = text.split("\n\n").next().unwrap_or(&text);
        let reason = reason.strip_prefix("error: ").unwrap_or(reason);
        let origin = extended.explain(reason).unwrap_or_default();
        Error::new(ErrorKind::Usage, format!("{}{origin}", reason.trim_end()))
    })
}

/// Prints the JSON object of an error before or outside of a command, in the form of the command
/// that the line names.
pub(crate) fn print_failure(failure: &Error, environment: &Environment) {
    let words = environment.arguments.iter().skip(1).filter_map(|it| it.to_str());
    // Options of all commands may stand before the command.
    let words: Vec<&str> = words.skip_while(|it| it.starts_with('-')).collect();
    match words.as_slice() {
        ["demo", "explain", ..] => output::print_json(&output::failed(failure)),
        ["reproduce" | "demo", ..] => output::print_json(&reproduction::json::failed(failure, None)),
        _ => output::print_json(&output::failed(failure)),
    };
}
