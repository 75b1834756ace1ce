//! Settings below the flags: `CRASHBACK_…` variables, then `crashback.toml`.
//!
//! A setting has the name of the long option that it stands for. Settings that the command line does not
//! give are put into it as options, so that one parser reads, checks and explains all of them.

mod file;
mod show;

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};

use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches};
use crashback::{Error, ErrorKind};

pub(crate) use show::run;

use crate::environment::Environment;
use file::SettingsFile;

/// The commands that look at settings. Campaigns have plans of their own, and the demo is the same
/// everywhere.
const COMMANDS: [&str; 5] = ["reproduce", "explain", "list", "doctor", "verify-instrumentation"];

/// Options about one log or one run, which no setting can give.
const PER_RUN: [&str; 12] = [
    "crash",
    "cause",
    "frame",
    "seed-test",
    "force",
    "report",
    "junit-xml",
    "sarif",
    "json",
    "help",
    "version",
    "verbose",
];

/// Options that a file cannot set: it may come with the sources of a program, unread.
const NOT_IN_FILES: [&str; 1] = ["unsafe-no-sandbox"];

/// Options whose values are paths; in a file they are relative to its folder.
const PATHS: [&str; 7] =
    ["classpath", "test-classpath", "java-home", "cache-dir", "out", "mapping", "project"];

/// Options that say the same thing in different ways: one on the command line replaces settings of all.
const ALTERNATIVES: [&str; 2] = ["classpath", "maven"];

/// Settings of one place, as options.
struct Setting {
    name: String,
    values: Vec<OsString>,
    /// The place, for messages.
    from: String,
}

/// The command line with the settings that it does not give itself, and words about where they come from.
pub(crate) struct Extended {
    pub(crate) arguments: Vec<OsString>,
    settings: Vec<Setting>,
}

impl Extended {
    /// The settings that are in force, each with its place.
    pub(crate) fn origins(&self) -> impl Iterator<Item = String> {
        let shown = |it: &Setting| {
            let options: Vec<String> =
                options(it).iter().map(|it| it.to_string_lossy().into_owned()).collect();
            format!("{} by {}", options.join(" "), it.from)
        };
        self.settings.iter().filter(|it| !it.values.is_empty()).map(shown)
    }

    /// Adds to a message about the command line where an option that it names comes from.
    pub(crate) fn explain(&self, message: &str) -> Option<String> {
        let named = |it: &&Setting| message.contains(&format!("--{}", it.name));
        let lines =
            self.settings.iter().filter(named).map(|it| format!("\n--{} is set by {}", it.name, it.from));
        Some(lines.collect::<String>()).filter(|it| !it.is_empty())
    }
}

/// Extends a command line by settings. One that is wrong without them stays as it is.
///
/// # Errors
///
/// If a file of settings cannot be read, or names a setting that there is not.
pub(crate) fn extend(command: &clap::Command, environment: &Environment) -> Result<Extended, Error> {
    let unchanged = || Extended { arguments: environment.arguments.clone(), settings: Vec::new() };
    let Ok(matches) = command.clone().try_get_matches_from(&environment.arguments) else {
        return Ok(unchanged());
    };
    let Some((name, matches)) = matches.subcommand().filter(|(name, _)| COMMANDS.contains(name)) else {
        return Ok(unchanged());
    };
    let Some(subcommand) = command.find_subcommand(name) else { return Ok(unchanged()) };
    // A command below the command has few options, and none of them is worth a setting.
    let position = (1..).zip(environment.arguments.iter().skip(1)).find(|(_, it)| *it == name);
    let position = position.map(|(position, _)| position);
    let Some(position) = position.filter(|_| matches.subcommand().is_none()) else { return Ok(unchanged()) };
    let mut settings = from_environment(command, environment);
    settings.extend(from_file(command, environment)?);
    let mut taken = given(subcommand, matches);
    settings.retain(|it| {
        let mut args = subcommand.get_arguments();
        let Some(arg) = args.find(|arg| arg.get_long() == Some(it.name.as_str())) else { return false };
        let is_new = taken.insert(it.name.clone());
        if is_new && !it.values.is_empty() {
            let conflicts = subcommand.get_arg_conflicts_with(arg);
            taken.extend(conflicts.iter().filter_map(|it| it.get_long()).map(str::to_owned));
        }
        is_new
    });
    let mut arguments = environment.arguments.clone();
    let options = settings.iter().flat_map(options);
    arguments.splice(position + 1..position + 1, options.collect::<Vec<_>>());
    Ok(Extended { arguments, settings })
}

/// Long names of the options that the command line gives, and of those that exclude each other with them.
fn given(subcommand: &clap::Command, matches: &ArgMatches) -> BTreeSet<String> {
    let is_given = |arg: &&Arg| {
        matches.try_contains_id(arg.get_id().as_str()).unwrap_or(false)
            && matches.value_source(arg.get_id().as_str()) == Some(ValueSource::CommandLine)
    };
    let mut names = BTreeSet::new();
    for arg in subcommand.get_arguments() {
        let conflicts = subcommand.get_arg_conflicts_with(arg);
        if is_given(&arg) || conflicts.iter().any(is_given) {
            names.extend(arg.get_long().map(str::to_owned));
        }
    }
    if ALTERNATIVES.iter().any(|it| names.contains(*it)) {
        names.extend(ALTERNATIVES.map(str::to_owned));
    }
    names
}

/// A setting as options of the command line.
fn options(setting: &Setting) -> Vec<OsString> {
    let option = |value: &OsString| {
        let mut option = OsString::from(format!("--{}", setting.name));
        if !value.is_empty() {
            option.push("=");
            option.push(value);
        }
        option
    };
    setting.values.iter().map(option).collect()
}

/// The options of all commands that can be set, by their long names.
fn settable(command: &clap::Command) -> Vec<&Arg> {
    let commands = COMMANDS.iter().filter_map(|name| command.find_subcommand(name));
    let args = commands.flat_map(clap::Command::get_arguments);
    let can_be_set = |arg: &&Arg| arg.get_long().is_some_and(|it| !PER_RUN.contains(&it));
    let mut args: Vec<&Arg> = args.filter(can_be_set).collect();
    args.sort_by_key(|arg| arg.get_long());
    args.dedup_by_key(|arg| arg.get_long());
    args
}

/// The variable that stands for an option: `CRASHBACK_JAVA_HOME` for `--java-home`.
fn variable(name: &str) -> String {
    format!("CRASHBACK_{}", name.replace('-', "_").to_uppercase())
}

fn takes_value(arg: &Arg) -> bool {
    !matches!(arg.get_action(), ArgAction::SetTrue | ArgAction::SetFalse | ArgAction::Count)
}

fn from_environment(command: &clap::Command, environment: &Environment) -> Vec<Setting> {
    let of = |arg: &&Arg| {
        let name = arg.get_long()?.to_owned();
        let from = variable(&name);
        let value = environment.settings.get(&from)?;
        let values = match (takes_value(arg), arg.get_action()) {
            (false, _) => is_yes(value).then(OsString::new).into_iter().collect(),
            (true, ArgAction::Append) if !PATHS.contains(&name.as_str()) => {
                let text = value.to_string_lossy();
                text.split(',').map(|it| OsString::from(it.trim())).filter(|it| !it.is_empty()).collect()
            }
            (true, _) => vec![value.clone()],
        };
        Some(Setting { name, values, from })
    };
    settable(command).iter().filter_map(of).collect()
}

/// Whether the value of a variable switches something on.
fn is_yes(value: &OsStr) -> bool {
    !matches!(value.to_string_lossy().to_lowercase().as_str(), "" | "0" | "false" | "no" | "off")
}

fn from_file(command: &clap::Command, environment: &Environment) -> Result<Vec<Setting>, Error> {
    let Some(file) = SettingsFile::above(environment.folder.as_deref())? else { return Ok(Vec::new()) };
    let args = settable(command);
    let mut settings = Vec::new();
    for (name, value) in &file.values {
        let wrong = |reason: &str| {
            let message = format!("{}: {name}: {reason}", file.path.display());
            Error::new(ErrorKind::Usage, message)
        };
        if NOT_IN_FILES.contains(&name.as_str()) {
            return Err(wrong("a file cannot switch the sandbox off; use the option"));
        }
        let arg = args
            .iter()
            .find(|arg| arg.get_long() == Some(name.as_str()))
            .ok_or_else(|| wrong("there is no such setting; `crashback config` lists all"))?;
        let is_path = PATHS.contains(&name.as_str());
        let values = file.values_of(value, takes_value(arg), is_path).map_err(|it| wrong(&it))?;
        let from = file.path.display().to_string();
        settings.push(Setting { name: name.clone(), values, from });
    }
    Ok(settings)
}
